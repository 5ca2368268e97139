//! Something to do that is named by how long it takes: "frying will take two hours", "the rough-in itself is two hours".

use super::Reader;
use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::words::hits;
use crate::model::intent;

/// Longest name before the verb, in words.
const NAMED_WORDS_MAX: usize = 6;

/// Words before the name.
const HEADS: &[&str] = &["and", "but", "so", "then", "also", "plus", "oh", "uh", "um"];

/// Words between the verb and the length.
const BESIDE: &[&str] =
    &["about", "another", "around", "just", "like", "maybe", "only", "perhaps", "probably", "roughly", "some"];

/// Words that no name begins with, or that are no thing to do.
const NAMELESS: &[&str] = &[
    "it", "it's", "that", "that's", "this", "these", "those", "there", "he", "she", "they", "i", "we", "you", "which",
    "what", "who", "who's", "whose", "where", "when", "if", "because", "not", "no", "walk", "drive", "ride", "way",
    "commute", "journey", "trip", "train", "bus", "flight",
];

/// Words that may follow the length.
const BEHIND: &[&str] = &["if", "with", "because", "since", "as", "so", "at", "each", "there", "or", "in"];

impl<'a> Reader<'a> {
    /// Takes up how long a thing takes that the clause names as its subject, and the thing as a task where it is not known.
    pub(super) fn takes(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let Some((named, end)) = subject(clause) else { return false };
        let text = clause.text.get(named).unwrap_or_default();
        let stems = intent(text);
        if stems.is_empty() {
            return false;
        }
        let known = |task: &crate::model::Task| stems.iter().all(|stem| task.intent.contains(stem));
        if let Some(task) = self.notes.tasks.iter().rposition(known) {
            self.line_task = Some(task);
            self.lengths(line, clause, task);
            return true;
        }
        let rest = end..clause.text.len();
        self.task(line, clause, std::slice::from_ref(&rest)).is_some()
    }
}

/// The bytes of what is named before a verb and the one length of a clause, and where they end.
fn subject(clause: &Clause<'_>) -> Option<(std::ops::Range<usize>, usize)> {
    let [length] = &clause.when.lengths[..] else { return None };
    if !clause.when.stretches.is_empty() || clause.has(Cue::Not) || super::manner::tells_of_the_past(clause) {
        return None;
    }
    let at = clause.words.partition_point(|word| word.range.end <= length.span.start);
    let (before, behind) = (clause.words.get(..at)?, clause.words.get(at..)?);
    let heads = before.iter().take_while(|word| HEADS.contains(&word.low.as_str())).count();
    let beside = before.iter().rev().take_while(|word| BESIDE.contains(&word.low.as_str())).count();
    let said = before.get(heads..before.len().checked_sub(beside)?)?;
    let (verb, said) = said.split_last()?;
    let said = match verb.low.as_str() {
        "takes" | "is" | "are" | "needs" => said,
        // "Will take", "is going to be".
        "take" | "be" => {
            let led = said
                .iter()
                .rev()
                .take_while(|word| matches!(word.low.as_str(), "will" | "should" | "to" | "going" | "gonna" | "is"))
                .count();
            said.get(..said.len() - led).filter(|_| led > 0)?
        }
        _ => return None,
    };
    let next = behind.iter().find(|word| !clause.is_timed(word));
    let ends = next.is_none_or(|word| word.parted || BEHIND.contains(&word.low.as_str()));
    let plain =
        said.iter().all(|word| !word.parted && !clause.is_timed(word) && !NAMELESS.contains(&word.low.as_str()));
    let event = hits(said).iter().any(|hit| hit.cue == Cue::Event);
    let (first, last) = (said.first()?, said.last()?);
    (ends && plain && !event && said.len() <= NAMED_WORDS_MAX)
        .then_some((first.range.start..last.range.end, last.range.end))
}
