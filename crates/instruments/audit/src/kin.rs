//! Which words of an answer have nothing to do with what is asked, nor with the rest of the answer.
//!
//! A text that hangs together says its own words again (Halliday & Hasan, "Cohesion in English", 1976; Hearst, "TextTiling", 1997). Of whom
//! neither the ask nor any other sentence of the answer speaks came from somewhere else, unless the words lean on others ("it", "those").

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use steadfast_annotate::{base_form, content_stems, is_negated, modality};
use steadfast_grounding::related;
use steadfast_steps::Regex;
use steadfast_text::BlockKind;

use crate::answer::{Answer, Claim};
use crate::ask::Contract;
use crate::matching::is_asked;

/// From so many artefacts on an answer is a planner's run: it speaks of so much that no sentence stands alone.
const ARTEFACTS_MAX: usize = 3;
/// Sentences of an answer, at least, before it can be said what stands alone among them.
const CLAIMS_MIN: usize = 12;
/// The same, at most: of a longer one every sentence would have to be held against every sentence of the ask.
const CLAIMS_MAX: usize = 2_000;
/// Sentences of an ask, at most, against which they are held.
const STATEMENTS_MAX: usize = 500;
/// Different words of the ask, at most, that are looked through for one that can stand for another.
const ASKED_MAX: usize = 4_000;

/// Words that lean on what was said before.
static LEANS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:it|its|they|them|their|this|that is|these|those|such|then|there(?:fore|by|after)|otherwise|he|she|his|her|him|both|the (?:same|former|latter|other|others)|altogether|in all|all in all)\b").ok()
});
/// Words under which nothing is stated as it is.
static OPEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:if|unless|whether|in case|should|would|could|might|assum\w+|suppos\w+|expect(?:s|ed)?|perhaps|possibly|probably|likely)\b").ok()
});

/// What the ask and the answer have in common, word by word.
pub struct Kin {
    asked: HashSet<String>,
    /// How many claims have a stem.
    told: HashMap<String, usize>,
    /// The stems of the answer for which the ask has the word, one that holds it, or one that can stand for it.
    known: HashSet<String>,
    /// Whether the answer is of a size in which a sentence can stand alone.
    judges: bool,
}

impl fmt::Debug for Kin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kin").field("asked", &self.asked.len()).field("judges", &self.judges).finish_non_exhaustive()
    }
}

impl Kin {
    /// Reads ask and answer once.
    #[must_use]
    pub fn new(ask: &Contract, answer: &Answer) -> Self {
        let mut asked = HashSet::new();
        for statement in &ask.request.statements {
            asked.extend(folded(&statement.text).map(|(_, stem)| stem));
        }
        let mut told: HashMap<String, usize> = HashMap::new();
        for claim in &answer.claims {
            let own: HashSet<String> = claim.stems.iter().map(|(_, stem)| base_form(stem).to_owned()).collect();
            for stem in own {
                *told.entry(stem).or_default() += 1;
            }
        }
        let judges = answer.artefacts.len() <= ARTEFACTS_MAX
            && (CLAIMS_MIN..=CLAIMS_MAX).contains(&answer.claims.len())
            && ask.request.statements.len() <= STATEMENTS_MAX;
        let near = |stem: &&String| {
            is_asked(stem, &asked)
                || (judges && asked.len() <= ASKED_MAX && asked.iter().any(|own| related(own, stem.as_str())))
        };
        let known = told.keys().filter(near).cloned().collect();
        Self { asked, told, known, judges }
    }

    /// Whether the answer is of a size in which a sentence can stand alone.
    pub(crate) const fn judges(&self) -> bool {
        self.judges
    }

    /// How many sentences of the answer have a stem.
    pub(crate) fn told(&self, stem: &str) -> usize {
        self.told.get(stem).copied().unwrap_or_default()
    }

    /// Whether the ask has a stem, a word that holds it, or one that can stand for it.
    pub(crate) fn is_asked(&self, stem: &str) -> bool {
        self.known.contains(stem) || self.asked.contains(stem)
    }
}

/// The stems of a text outside function words, irregular verbs folded.
pub(crate) fn folded(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    content_stems(text).into_iter().map(|(range, stem)| (range, base_form(&stem).to_owned()))
}

/// Whether a sentence leans on another one.
pub(crate) fn leans(text: &str) -> bool {
    LEANS.as_ref().is_none_or(|pattern| pattern.is_match(text))
}

/// Whether a claim is a sentence of running text or of a list, said of the plan and not flagged as assumed.
pub(crate) fn is_prose(answer: &Answer, claim: &Claim) -> bool {
    claim.is_of_the_plan()
        && !claim.stance.assumed
        && claim.places.iter().all(|place| {
            let block = answer.artefacts.get(place.artefact).and_then(|own| own.document.blocks.get(place.block));
            block.is_some_and(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem { .. }))
        })
}

/// Whether a sentence of running text or a list is said of the plan as it is: no condition, no question, no denial.
pub(crate) fn states(answer: &Answer, claim: &Claim) -> bool {
    if OPEN.as_ref().is_none_or(|open| open.is_match(&claim.text)) {
        return false;
    }
    let reading = modality(&claim.text);
    is_prose(answer, claim)
        && !reading.question
        && !claim.stems.iter().any(|(range, _)| is_negated(&claim.text, range.clone()))
}

#[cfg(test)]
mod tests {
    use steadfast_evidence::FileId;
    use steadfast_text::{Document, Format};

    use super::*;
    use crate::answer::Artefact;
    use crate::{ask, run};

    const ASK: &str = "Write a plan for a ferry across the river. It carries 40 bicycles. Fares pay for the crew.";

    fn with<T>(report: &str, look: impl FnOnce(&Kin, &Answer) -> T) -> T {
        let document = Document::from_str_as(ASK, Format::Plain);
        let contract = ask::read(FileId(0), &document, run::body(&document));
        let document = Document::from_str_as(report, Format::Markdown);
        let artefact = Artefact { file: FileId(1), name: "report.md".to_owned(), document, left_out: Vec::new() };
        let answer = Answer::read(vec![artefact]);
        look(&Kin::new(&contract, &answer), &answer)
    }

    #[test]
    fn a_report_of_a_few_sentences_is_not_judged() {
        with("Vineyards harvest grapes under moonlight.", |kin, _| assert!(!kin.judges()));
    }
}
