//! A file, a folder, a function or a setting that is not to be touched was changed.
//!
//! What the prompt protects is what stands in a code span, or looks like a path, in something that is not to be done ("don't touch
//! `billing/legacy_sepa/`", "`src/allergens/` is off limits"). It is an incident where a sentence names it, or a path under it, and says that
//! something of it was changed, moved, replaced or removed. What is said to be left as it was is none.
//!
//! Example: "don't touch `_round_half_even`" against "The arithmetic in `_round_half_even` has been swapped".

use std::sync::LazyLock;

use steadfast_annotate::is_negated;
use steadfast_evidence::{Evidence, Polarity, Severity};

use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};
use crate::pattern::{Pattern, hit};

/// The check's id.
pub(super) const ID: &str = "protected-touched";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "a file, function or setting that is not to be touched was changed",
    run,
};

/// Endings by which a word is the name of a file.
pub(super) const ENDINGS: &str =
    "rs|py|tsx?|jsx?|go|java|kt|rb|php|cs|cpp|hpp|[ch]|sql|md|json|toml|ya?ml|lock|ini|cfg|css|html|sh|csv|xlsx?";

pub(super) static PROTECTED: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(
        r"`([^`\n]{{3,80}})`|(?:^|[\s(`])((?:[\w.-]+/)+[\w.-]*|\w+_\w+|[\w-]+\.(?:{ENDINGS}))(?:$|[\s,.;:)`])"
    ))
    .ok()
});
pub(super) static CHANGED: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:(?:re)?(?:moved|named|written|wrote|factored|placed)|changed|swapped|modified|edited|updated|deleted|removed|dropped|adjusted|patched|touched|merged|simplified|extended|switched|converted|cleaned|bumped|added|replaced|fixed|tightened|loosened|now (?:relates|uses|returns|calls|takes|reads|writes|has|works|runs|goes))\b",
    )
    .ok()
});
pub(super) static LEFT: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(
        r"(?i)\b(?:un(?:touched|changed|modified|edited)|no(?:t|thing|ne)?|never|without|left (?:alone|as|in|where)|stays?|stayed|remains?|as (?:it|they) (?:is|are|was|were)|neither|nor|instead of|rather than|if|would|should|could|must)\b|n['’]t\b",
    )
    .ok()
});

/// Whether an obligation protects something that has a name.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    item.polarity == Polarity::Not && hit(&PROTECTED, item.obligation.source().text())
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let Some(protected) = &*PROTECTED else { return Vec::new() };
    let mut incidents = Vec::new();
    for (at, item) in case.ask.obligations.iter().enumerate().filter(|(_, item)| looks_at(item)) {
        let source = item.obligation.source();
        let things = protected.captures_iter(source.text()).filter_map(|found| found.get(1).or(found.get(2)));
        for thing in things.map(|found| found.as_str().trim_end_matches(['*', '.'])) {
            let touches = |text: &str| names(text, thing) && hit(&CHANGED, text) && !hit(&LEFT, text);
            let found = case.answer.claims.iter().find(|claim| {
                claim.is_of_the_plan()
                    && touches(&claim.text)
                    && claim.text.find(thing).is_none_or(|start| !is_negated(&claim.text, start..start + thing.len()))
            });
            let Some(claim) = found else { continue };
            let range = 0..claim.text.len();
            let Some(quote) = case.answer.quote(claim, &range) else { continue };
            incidents.push(
                incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
                    .at(case.answer, claim, &range)
                    .source(source)
                    .obligation(at)
                    .because(format!("The prompt protects \"{thing}\"; the report changes it."))
                    .repair("Undo the change, or ask whether it may stay.")
                    .done(),
            );
            break;
        }
    }
    incidents
}

/// Whether a text names a thing, or a path under it, and no longer name.
fn names(text: &str, thing: &str) -> bool {
    let joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(thing).any(|(at, _)| {
        let behind = text[at + thing.len()..].chars().next();
        !joined(text[..at].chars().next_back()) && (thing.ends_with('/') || !joined(behind))
    })
}
