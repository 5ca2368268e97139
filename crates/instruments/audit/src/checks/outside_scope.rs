//! A file was changed that lies outside of what alone may be changed.
//!
//! What may be changed is what the prompt names with "only": paths, and "that test file" for the paths of tests that it names elsewhere. It is an incident
//! where the report says that it changed, added or removed a file which is none of these, lies in none of their folders, and is named nowhere in the
//! prompt.
//!
//! Example: "Only `src/net/ws.py` may change" against "`tests/conftest.py`: garbage collection switched off".

use std::sync::LazyLock;

use steadfast_annotate::Pattern;
use steadfast_evidence::{Evidence, Severity};
use steadfast_steps::Regex;

use super::protected_touched::{CHANGED, ENDINGS, LEFT, PROTECTED};
use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};

/// The check's id.
pub(super) const ID: &str = "outside-scope";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "a file was changed that lies outside of what alone may be changed",
    run,
};

/// "Only … may change", "touch only …", "fix it in … only".
static ONLY: Pattern = Pattern::new(
    r"(?i)\bonly\b.{0,120}\b(?:may|can|should|must|to) (?:be )?(?:change[ds]?|edit(?:ed)?|touch(?:ed)?|modif(?:y|ied))\b|\b(?:change|edit|touch|modify|fix|work|stay|patch)(?:es|s)?\b.{0,60}\bonly\b|\bonly (?:change|edit|touch|modify|fix|work|patch)\b",
);
static TEST_FILE: Pattern = Pattern::new(r"(?i)\b(?:that|the|this|its|their) tests?(?: files?)?\b");
/// A file with a folder or a known ending.
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(r"(?:[\w.-]+/)+[\w.-]*\w|\b[\w-]+\.(?:{ENDINGS})\b"))
        .expect("a constant pattern compiles")
});

/// Whether an obligation says which files alone may be changed.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    let said = item.obligation.source().text();
    ONLY.is_match(said) && !named(said).is_empty()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for (at, item) in case.ask.obligations.iter().enumerate().filter(|(_, item)| looks_at(item)) {
        let source = item.obligation.source();
        let mut allowed = named(source.text());
        if TEST_FILE.is_match(source.text()) {
            allowed.extend(named(&case.ask.text).into_iter().filter(|path| path.contains("test")));
        }
        let is_allowed = |path: &str| {
            let ends = |one: &str, other: &str| one == other || one.ends_with(&format!("/{other}"));
            allowed.iter().any(|own| {
                ends(path, own) || ends(own, path) || path.contains(&format!("{}/", own.trim_end_matches('/')))
            })
        };
        // A file of the prompt that may not be changed is a matter of its own.
        let found = case.answer.claims.iter().filter(|claim| claim.is_of_the_plan()).find_map(|claim| {
            let path = FILE.find_iter(&claim.text).find(|path| {
                let path = path.as_str();
                !path.contains("://") && !is_allowed(path) && !case.ask.text.contains(path)
            })?;
            let address = claim.text[..path.start()].ends_with(['/', ':', '@']);
            (CHANGED.is_match(&claim.text) && !LEFT.is_match(&claim.text) && !address).then_some((claim, path.range()))
        });
        let Some((claim, path)) = found else { continue };
        let range = 0..claim.text.len();
        let Some(quote) = case.answer.quote(claim, &range) else { continue };
        incidents.push(
            incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
                .at(case.answer, claim, &range)
                .source(source)
                .obligation(at)
                .because(format!(
                    "The prompt allows changes in {} alone; the report changes \"{}\".",
                    allowed.join(", "),
                    &claim.text[path]
                ))
                .repair("Undo the change, or ask whether it may stay.")
                .done(),
        );
    }
    incidents
}

/// The paths that a text names.
fn named(text: &str) -> Vec<String> {
    let mut paths: Vec<String> = PROTECTED
        .captures_iter(text)
        .filter_map(|found| found.get(1).or(found.get(2)))
        .map(|found| found.as_str().trim_end_matches(['*', '.']).to_owned())
        .filter(|own| own.contains('/') || FILE.is_match(own))
        .collect();
    paths.dedup();
    paths
}
