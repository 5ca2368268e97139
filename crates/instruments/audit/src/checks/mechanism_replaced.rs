//! The prompt says which means is out beside the one that it wants, and the report uses the one that is out.
//!
//! Read are contrasts: "by train and ferry, not by coach", "with solar lamps rather than with candles". A sentence of the plan that does something by the
//! means that is out, and does not name the one that is wanted, is an incident. Contingencies, aids beside the means, other projects and denials are
//! none.
//!
//! Example: "by train, not by coach" against "The choir goes there by coach".

use std::ops::Range;

use steadfast_annotate::{Pattern, is_mention, is_negated, stems};
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::incident::{DriftType, Incident};
use crate::matching::is_generic;

/// The check's id.
pub(super) const ID: &str = "mechanism-replaced";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::G,
    summary: "the report uses a means that the prompt rules out beside the one that it wants",
    run,
};

/// Most incidents; a reader wants the clearest.
const INCIDENTS_MAX: usize = 2;

/// A sentence of the report in which the means that is out stands beside the one that is wanted, or only in need, or is not taken.
static BESIDE: Pattern = Pattern::new(
    r"(?i)\b(?:if|unless|in case|backup|fallback|contingenc\w+|emergenc\w+|addition\w*|alongside|besides|complement\w*|supplement\w*|as well as|also|both|combin\w+|considered|rejected|ruled out|avoid\w*|without|prevent\w*|dependen\w+|reliance|lock-in|unlike|risks?|e\.g\.|such as|could|might|may|would|or|instead)\b",
);

/// "by train and ferry, not by coach", "with solar lamps rather than with candles".
static CONTRAST: Pattern = Pattern::new(
    r"(?i)\b(?:by|with|via|through|using|on|from|in)\s+([^,;:.()]{3,60}?),?\s+(?:and |but )?(?:not|never|rather than|instead of)\s+(?:by|with|via|through|using|on|from|in)\s+((?:[\w'’-]+\s?){1,4}?)(?:[,;:.()]|\s(?:and|or|but|to|for|as|so|because)\b|\s*$)",
);
/// What stands before a means that is used.
static USED: Pattern =
    Pattern::new(r"(?i)\b(?:by|with|via|through|using|on|from|in|uses?|used|takes?|taken)\s+(?:[\w'’-]+\s+){0,3}$");

fn run(case: &Case<'_>) -> Vec<Incident> {
    contrasted(case).into_iter().take(INCIDENTS_MAX).collect()
}

/// Means that the ask itself rules out beside the one that it wants, and that the plan uses.
fn contrasted(case: &Case<'_>) -> Vec<Incident> {
    let telling = |text: &str| -> Vec<String> { stems(text).into_iter().filter(|stem| !is_generic(stem)).collect() };
    let mut found = Vec::new();
    for statement in &case.ask.request.statements {
        for pair in CONTRAST.captures_iter(&statement.text) {
            let (Some(own), Some(out)) = (pair.get(1), pair.get(2)) else { continue };
            let (wanted, banned) = (telling(own.as_str()), telling(out.as_str()));
            if banned.is_empty() || banned.iter().any(|stem| wanted.contains(stem)) {
                continue;
            }
            let uses: Vec<_> = case.answer.claims.iter().filter_map(|claim| used(claim, &wanted, &banned)).collect();
            let Some((claim, range)) = uses.first() else { continue };
            let Some(quote) = case.answer.quote(claim, range) else { continue };
            let others = uses.iter().skip(1).filter_map(|(claim, range)| case.answer.quote(claim, range));
            let (own, out) = (own.as_str().trim(), out.as_str().trim());
            found.push(
                incident(&CHECK, Severity::Major, 0.8, Evidence::Quote(quote))
                    .at(case.answer, claim, range)
                    .also(others)
                    .source(&statement.quote)
                    .because(format!("The prompt wants \"{own}\" and rules out \"{out}\"; the report uses it."))
                    .repair(format!("Return to \"{own}\"."))
                    .done(),
            );
        }
    }
    found
}

/// Where a claim of the plan does something by a means that is out, and does not name the one that is wanted.
fn used<'a>(claim: &'a Claim, wanted: &[String], banned: &[String]) -> Option<(&'a Claim, Range<usize>)> {
    let place = |stem: &String| claim.stems.iter().find(|(_, own)| own == stem).map(|(range, _)| range.clone());
    let places: Vec<Range<usize>> = banned.iter().map(place).collect::<Option<_>>()?;
    let range = places.iter().map(|at| at.start).min()?..places.iter().map(|at| at.end).max()?;
    let holds = claim.is_of_the_plan()
        && !wanted.iter().any(|stem| claim.has_stem(stem))
        && USED.is_match(&claim.text[..range.start])
        && !BESIDE.is_match(&claim.text)
        && !is_negated(&claim.text, range.clone())
        && !is_mention(&claim.text, range.clone());
    holds.then_some((claim, range))
}
