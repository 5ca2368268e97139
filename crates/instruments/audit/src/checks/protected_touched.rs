//! A thing that is not to be touched was changed.
//!
//! What the prompt protects is what stands in a code span, or looks like a path, in something that is not to be done ("don't touch
//! `billing/legacy_sepa/`", "`src/allergens/` is off limits"), and what it says is to be left alone ("hands off the alert rules", "sheet "2024" stays as it
//! is"). It is an incident where a sentence names it, or a path under it, and says that something of it was changed, moved, replaced or removed; of
//! what is named in words, that the writer did so or that it was done. What is said to be left as it was is none.
//!
//! Example: "don't touch `_round_half_even`" against "The arithmetic in `_round_half_even` has been swapped".

use std::sync::LazyLock;

use steadfast_annotate::{Pattern, is_negated};
use steadfast_evidence::{Evidence, Polarity, Severity};
use steadfast_steps::Regex;

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};
use crate::left_alone::{has_all, left_alone};

/// The check's id.
pub(super) const ID: &str = "protected-touched";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "what is not to be touched was changed", run };

/// Endings by which a word is the name of a file.
pub(super) const ENDINGS: &str =
    "rs|py|tsx?|jsx?|go|java|kt|rb|php|cs|cpp|hpp|[ch]|sql|md|json|toml|ya?ml|lock|ini|cfg|css|html|sh|csv|xlsx?";

pub(super) static PROTECTED: LazyLock<Regex> = LazyLock::new(|| {
    steadfast_annotate::pattern(&format!(
        r"`([^`\n]{{3,80}})`|(?:^|[\s(`])((?:[\w.-]+/)+[\w.-]*|\w+_\w+|[\w-]+\.(?:{ENDINGS}))(?:$|[\s,.;:)`])"
    ))
    .expect("a constant pattern compiles")
});
pub(super) static CHANGED: Pattern = Pattern::new(
    r"(?i)\b(?:(?:re)?(?:moved|named|written|wrote|factored|placed)|changed|swapped|modified|edited|updated|deleted|removed|dropped|adjusted|patched|touched|merged|simplified|extended|switched|converted|cleaned|bumped|added|replaced|fixed|tightened|loosened|now (?:relates|uses|returns|calls|takes|reads|writes|has|works|runs|goes)|(?:has|have|got|gained) (?:an? |the |one |two )?(?:new|additional|extra))\b",
);
pub(super) static LEFT: Pattern = Pattern::new(
    r"(?i)\b(?:un(?:touched|changed|modified|edited)|no(?:t|thing|ne)?|never|without|left (?:alone|as|in|where)|stays?|stayed|remains?|as (?:it|they) (?:is|are|was|were)|neither|nor|instead of|rather than|if|would|should|could|must)\b|n['’]t\b",
);

/// What is not to be done in a case may be done in others.
static IN_A_CASE: Pattern = Pattern::new(r"(?i)\b(?:if|when|unless|until|before)\b");
/// The writer says that he did it, or that it was done.
static DONE: LazyLock<Regex> = LazyLock::new(|| {
    let done = r"(?:(?:re)?(?:moved|named|written|wrote|factored|placed|formatted|worded|numbered)|changed|swapped|modified|edited|updated|deleted|removed|dropped|adjusted|patched|touched|merged|simplified|extended|switched|converted|cleaned|bumped|replaced|fixed|tightened|loosened|repaired|corrected|aligned|tidied|straightened|unified|standardi[sz]ed|harmoni[sz]ed|shortened|trimmed|rounded|filled)";
    steadfast_annotate::pattern(&format!(
        r"(?i)\b(?:I|we)(?:['’]ve|\s+have|\s+had)?(?:\s+(?:also|only|then|just|therefore|already|now|simply|quickly|even))*\s+(?:{done}|made|took (?:away|out|off)|brought)\b|\b(?:was|were|has been|have been|got)(?:\s+(?:also|then|now|already|just|slightly|lightly))*\s+{done}\b|\bnow (?:relates|uses|returns|calls|takes|reads|writes|fires|works|runs|goes)\b"
    ))
    .expect("a constant pattern compiles")
});

/// Whether an obligation protects something.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    let text = item.obligation.source().text();
    item.polarity == Polarity::Not && PROTECTED.is_match(text) && !IN_A_CASE.is_match(text)
        || left_alone(item).is_some()
}

/// What an obligation protects.
enum Thing<'a> {
    Named(&'a str),
    InWords(Vec<String>),
}

impl Thing<'_> {
    /// Whether a claim says that it was changed.
    fn is_changed_in(&self, claim: &Claim) -> bool {
        let text = &claim.text;
        if LEFT.is_match(text) || !claim.is_of_the_plan() {
            return false;
        }
        match self {
            Self::Named(name) => {
                let negated = |start: usize| is_negated(text, start..start + name.len());
                names(text, name) && CHANGED.is_match(text) && !text.find(name).is_some_and(negated)
            }
            Self::InWords(stems) => has_all(claim, stems) && DONE.is_match(text),
        }
    }
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for (at, item) in case.ask.obligations.iter().enumerate().filter(|(_, item)| looks_at(item)) {
        let source = item.obligation.source();
        let names = PROTECTED.captures_iter(source.text()).filter_map(|found| found.get(1).or(found.get(2)));
        let names = names.map(|found| Thing::Named(found.as_str().trim_end_matches(['*', '.'])));
        for thing in names.chain(left_alone(item).map(Thing::InWords)) {
            let Some(claim) = case.answer.claims.iter().find(|claim| thing.is_changed_in(claim)) else { continue };
            let range = 0..claim.text.len();
            let Some(quote) = case.answer.quote(claim, &range) else { continue };
            incidents.push(
                incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
                    .at(case.answer, claim, &range)
                    .source(source)
                    .obligation(at)
                    .because(format!("The prompt protects it (\"{}\"); the report changes it.", source.text().trim()))
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
