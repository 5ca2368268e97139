//! What is to be called one way is called another.
//!
//! Looked for is a thing with a name in quotation marks or a code span behind "called", "named", "titled" or "labelled", and one that stands with its noun
//! ("a `Deprecation` header"). It is an incident where a sentence gives a thing of that noun another name, and the one that is asked for stands nowhere in the
//! report.
//!
//! Example: "put it in a new sheet called 'clean'" against "on a new sheet named `tidy`".

use steadfast_annotate::{Pattern, stem};
use steadfast_evidence::{Evidence, Polarity, Severity};

use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "name-replaced";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "what is to be called one way is called another", run };

static NAMED: Pattern = Pattern::new(
    r#"(?i)\b(\w{3,}) (?:is |are |was |to be )?(?:called|named|titled|labelled|labeled) (?:as )?['"`“‘]?([\w .-]{2,40}?)['"`”’,.;]"#,
);

/// Whether an obligation gives something a name.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    let said = item.obligation.source().text();
    item.polarity == Polarity::Do && (NAMED.is_match(said) || IDENTIFIED.is_match(said))
}

/// A name in a code span with its noun behind it, and what may be a name before a noun.
static IDENTIFIED: Pattern = Pattern::new(r"`([\w][\w./-]{2,40})` ([a-z]{4,})\b");
static BEFORE_NOUN: Pattern = Pattern::new(r"`?([\w][\w./-]{2,40})`? ([a-z]{4,})\b");

/// The asked name of a thing and the other one that a text gives it: a word with a capital, or one that is no word.
fn other_name(text: &str, noun: &str, name: &str, prompt: &str) -> Option<String> {
    let found = BEFORE_NOUN.captures_iter(text).find(|found| {
        let own = &found[1];
        let opens = found.get(0).is_some_and(|all| text[..all.start()].trim_end().is_empty());
        let is_name = own.contains(['_', '-', '.', '/']) || own.starts_with(char::is_uppercase) && !opens;
        stem(&found[2]) == noun && is_name && !own.eq_ignore_ascii_case(name) && !prompt.contains(own)
    })?;
    Some(found[1].to_owned())
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for (at, item) in case.ask.obligations.iter().enumerate().filter(|(_, item)| looks_at(item)) {
        let source = item.obligation.source();
        let called = NAMED.captures(source.text());
        let identified = || IDENTIFIED.captures(source.text());
        let (thing, asked) = match (&called, identified()) {
            (Some(found), _) => (stem(&found[1].to_lowercase()), found[2].to_owned()),
            (None, Some(found)) => (stem(&found[2]), found[1].to_owned()),
            (None, None) => continue,
        };
        let name = asked.to_lowercase();
        if case.answer.claims.iter().any(|claim| claim.text.to_lowercase().contains(&name)) {
            continue;
        }
        let other = case.answer.claims.iter().filter(|claim| claim.is_of_the_plan()).find_map(|claim| {
            if called.is_none() {
                return Some((claim, other_name(&claim.text, &thing, &asked, &case.ask.text)?));
            }
            let found = NAMED.captures(&claim.text).filter(|found| stem(&found[1].to_lowercase()) == thing)?;
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
                .because(format!("Asked: \"{asked}\"; report: \"{other}\"."))
                .repair("Use the name of the prompt.")
                .done(),
        );
    }
    incidents
}
