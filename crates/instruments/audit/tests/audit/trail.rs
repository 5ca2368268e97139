//! The way of a fault through a run: what is right, what is wrong, what is silent.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use steadfast_audit::trail::Stand;
use steadfast_audit::{Source, audit};
use steadfast_evidence::{Evaluated, FileId};
use steadfast_text::{Document, Format};

fn source(file: usize, text: &str) -> Source {
    let document = Document::from_str_as(text, Format::Markdown);
    Source { file: FileId(u32::try_from(file).unwrap()), name: format!("{file:03}.md"), document }
}

/// The checks that find another value.
const VALUES: &[&str] = &["detail-differs"];

/// What the trail of the first incident of one of `checks` says of each artefact: `+` right, `-` wrong, `±` both, `.` silent; `none` where there is no trail.
#[track_caller]
fn check(ask: &str, report: &[&str], checks: &[&str], expect: &str) {
    let files = report.iter().enumerate().map(|(at, text)| source(at + 1, text)).collect();
    let Evaluated::Value(found) = audit(&source(0, ask), files) else { panic!("not evaluable") };
    let Some(incident) = found.incidents.iter().find(|it| checks.contains(&it.finding.check)) else {
        let told: Vec<_> = found.incidents.iter().map(|it| (it.finding.check, &it.finding.explanation)).collect();
        panic!("none of {checks:?}: {told:?}");
    };
    let said = incident.trail.as_ref().map_or_else(
        || "none".to_owned(),
        |trail| {
            let mut said = vec!['.'; report.len()];
            for place in &trail.places {
                said[place.artefact] = match place.stand {
                    Stand::Right => '+',
                    Stand::Wrong => '-',
                    Stand::Both => '±',
                };
            }
            said.into_iter().collect()
        },
    );
    assert_eq!(said, expect);
}

const HOUSE: &str =
    "Plan a guest house for walkers. The house has 8 bedrooms. The total budget is 500,000 EUR. Banned words: casino.";

#[test]
fn a_count_is_right_until_it_is_another() {
    let right = "The house offers 8 bedrooms.";
    let wrong = "The house offers 4 bedrooms.";
    let silent = "Walkers arrive on foot.";
    check(HOUSE, &[right, silent, wrong, wrong], VALUES, "+.--");
    check(HOUSE, &[wrong, right, &format!("{right} {wrong}")], VALUES, "-+±");
    check(HOUSE, &[wrong], VALUES, "none");
}

#[test]
fn a_budget_is_right_as_a_limit_as_well() {
    let wrong = "The total budget is 900,000 EUR.";
    check(HOUSE, &["The budget of 500,000 EUR is fixed.", "It is calm there.", wrong], VALUES, "+.-");
    // The same number of something else is not the budget.
    check(HOUSE, &["The house stands on 500,000 stones.", wrong], VALUES, ".-");
}

#[test]
fn a_ban_that_is_repeated_is_no_use() {
    let used = "A casino opens in the cellar.";
    check(
        HOUSE,
        &["There is no casino in the house.", "Walkers sleep well.", used, used],
        &["banned-term-used"],
        "+.--",
    );
}
