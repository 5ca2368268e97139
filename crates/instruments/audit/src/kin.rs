//! Which sentences of an answer have nothing to do with what is asked, nor with the rest of the answer.
//!
//! A text that hangs together says its own words again (Halliday & Hasan, "Cohesion in English", 1976; Hearst, "TextTiling", 1997). A
//! sentence of which neither the ask nor any other sentence of the answer has the telling words came from somewhere else: a *stranger*.
//! A sentence that leans on another one ("it", "those", "then") is none, whatever its words.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use steadfast_annotate::{Pattern, base_form, content_stems, is_negated, modality};
use steadfast_evidence::Evaluated;
use steadfast_grounding::{Grounding, Model, related};
use steadfast_text::BlockKind;

use crate::answer::{Answer, Claim};
use crate::ask::Contract;
use crate::context::is_empty_word;
use crate::matching::{is_asked, is_generic};

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

/// The set whose threshold of the support score tells what a long text supports.
const THRESHOLD_SET: &str = "summedits/document";

/// Words that lean on what was said before.
static LEANS: Pattern = Pattern::new(
    r"(?i)\b(?:it|its|they|them|their|this|that is|these|those|such|then|there(?:fore|by|after)|otherwise|he|she|his|her|him|both|the (?:same|former|latter|other|others)|altogether|in all|all in all)\b",
);
/// Words under which nothing is stated as it is.
static OPEN: Pattern = Pattern::new(
    r"(?i)\b(?:if|unless|whether|in case|should|would|could|might|assum\w+|suppos\w+|expect(?:s|ed)?|perhaps|possibly|probably|likely)\b",
);

/// What the ask and the answer have in common, word by word.
pub struct Kin {
    asked: HashSet<String>,
    /// How many claims have a stem.
    told: HashMap<String, usize>,
    /// The stems of the answer for which the ask has the word, one that holds it, or one that can stand for it.
    known: HashSet<String>,
    ask: Grounding<'static>,
    supported_from: f64,
    /// Whether the answer is of a size in which a sentence can stand alone.
    judges: bool,
}

impl fmt::Debug for Kin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kin").field("asked", &self.asked.len()).field("judges", &self.judges).finish_non_exhaustive()
    }
}

/// What the telling words of a sentence have to do with the ask and the rest of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ties {
    /// Telling words.
    pub(crate) telling: usize,
    /// Of these, those that the ask has.
    pub(crate) asked: usize,
    /// Of the others, those that another sentence of the answer has.
    pub(crate) told: usize,
    /// Words that say anything at all, those that every plan shares among them.
    pub(crate) content: usize,
    /// Of these, those that the ask or another sentence of the answer has.
    pub(crate) tied: usize,
    /// Where the telling words stand that neither has.
    pub(crate) alone: Vec<Range<usize>>,
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
        let texts: Vec<&str> = ask.request.statements.iter().map(|statement| statement.text.as_str()).collect();
        let grounding = Grounding::of_sentences(&texts);
        let supported_from = Model::shipped(grounding.form()).threshold(THRESHOLD_SET);
        Self { asked, told, known, ask: grounding, supported_from, judges }
    }

    /// Whether the answer is of a size in which a sentence can stand alone.
    pub(crate) const fn judges(&self) -> bool {
        self.judges
    }

    /// The ties of the words at `range` of a claim.
    pub(crate) fn ties(&self, claim: &Claim, range: &Range<usize>) -> Ties {
        let mut ties = Ties { telling: 0, asked: 0, told: 0, content: 0, tied: 0, alone: Vec::new() };
        let mut seen: HashSet<&str> = HashSet::new();
        for (at, stem) in claim.stems.iter().filter(|(at, _)| range.start <= at.start && at.end <= range.end) {
            let stem = base_form(stem);
            // "To take place" says of nothing where it is.
            let before = claim.text[..at.start].trim_end().rsplit(' ').next().unwrap_or_default();
            let light = stem == "place" && ["take", "takes", "took", "taking"].contains(&before);
            if light || is_empty_word(stem) || !stem.chars().any(char::is_alphabetic) || !seen.insert(stem) {
                continue;
            }
            ties.content += 1;
            ties.tied += usize::from(self.is_asked(stem) || self.told(stem) > 1);
            if is_generic(stem) {
                continue;
            }
            ties.telling += 1;
            if self.is_asked(stem) {
                ties.asked += 1;
            } else if self.told.get(stem).is_some_and(|claims| *claims > 1) {
                ties.told += 1;
            } else {
                ties.alone.push(at.clone());
            }
        }
        ties
    }

    /// How many sentences of the answer have a stem.
    pub(crate) fn told(&self, stem: &str) -> usize {
        self.told.get(stem).copied().unwrap_or_default()
    }

    /// Whether the ask has a stem, a word that holds it, or one that can stand for it.
    pub(crate) fn is_asked(&self, stem: &str) -> bool {
        self.known.contains(stem) || self.asked.contains(stem)
    }

    /// Whether the ask supports a text, by the support score.
    pub(crate) fn supports(&self, text: &str) -> bool {
        match self.ask.support(text) {
            Evaluated::Value(support) => support.score >= self.supported_from,
            Evaluated::NotEvaluable(_) => true,
        }
    }
}

/// The stems of a text outside function words, irregular verbs folded.
pub(crate) fn folded(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    content_stems(text).into_iter().map(|(range, stem)| (range, base_form(&stem).to_owned()))
}

/// Whether a sentence leans on another one.
pub(crate) fn leans(text: &str) -> bool {
    LEANS.is_match(text)
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
    if OPEN.is_match(&claim.text) {
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

    /// A report of so many sentences about the ferry, with some more at its end.
    fn report(sentences: usize, more: &str) -> String {
        let own =
            ["The ferry crosses the river.", "Bicycles stand on the ferry.", "Fares pay for the crew of the ferry."];
        let mut text: Vec<String> =
            (0..sentences).map(|at| format!("{} Trip {at} follows.", own[at % own.len()])).collect();
        text.push(more.to_owned());
        text.join("\n\n")
    }

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

    #[test]
    fn ties_count_each_word_once() {
        with(&report(12, "Vineyards, vineyards and bicycles."), |kin, answer| {
            let claim = answer.claims.iter().find(|claim| claim.text.starts_with("Vineyards")).unwrap();
            let ties = kin.ties(claim, &(0..claim.text.len()));
            assert_eq!((ties.telling, ties.asked, ties.told), (2, 1, 0));
        });
    }
}
