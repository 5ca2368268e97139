//! What is to be called one way is called another.
//!
//! Looked for is a thing with a name in quotation marks or a code span behind "called", "named", "titled" or "labelled". It is an incident where a
//! sentence gives a thing of that noun another name, and the one that is asked for stands nowhere in the report.
//!
//! Example: "put it in a new sheet called 'clean'" against "on a new sheet named `tidy`".

use std::sync::LazyLock;

use steadfast_annotate::stem;
use steadfast_evidence::{Evidence, Polarity, Severity};

use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};
use crate::pattern::{Pattern, hit};

/// The check's id.
pub(super) const ID: &str = "name-replaced";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "what is to be called one way is called another", run };

static NAMED: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r#"(?i)\b(\w{3,}) (?:is |are |was |to be )?(?:called|named|titled|labelled|labeled) (?:as )?['"`“‘]?([\w .-]{2,40}?)['"`”’,.;]"#).ok()
});

/// Whether an obligation gives something a name.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    item.polarity == Polarity::Do && hit(&NAMED, item.obligation.source().text())
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let Some(named) = &*NAMED else { return Vec::new() };
    let mut incidents = Vec::new();
    for (at, item) in case.ask.obligations.iter().enumerate().filter(|(_, item)| looks_at(item)) {
        let source = item.obligation.source();
        let Some(asked) = named.captures(source.text()) else { continue };
        let (thing, name) = (stem(&asked[1].to_lowercase()), asked[2].to_lowercase());
        if case.answer.claims.iter().any(|claim| claim.text.to_lowercase().contains(&name)) {
            continue;
        }
        let other = case.answer.claims.iter().filter(|claim| claim.is_of_the_plan()).find_map(|claim| {
            let found = named.captures(&claim.text).filter(|found| stem(&found[1].to_lowercase()) == thing)?;
            Some((claim, found[2].to_owned()))
        });
        let Some((claim, other)) = other else { continue };
        let range = 0..claim.text.len();
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        incidents.push(
            incident(&CHECK, Severity::Minor, 0.85, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .source(source)
                .obligation(at)
                .of_name()
                .because(format!("Asked: \"{}\"; report: \"{other}\".", &asked[2]))
                .repair("Use the name of the prompt.")
                .done(),
        );
    }
    incidents
}
