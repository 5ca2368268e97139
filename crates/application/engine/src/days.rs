//! The shipped days: ten written by hand, and what is generated from them, each with what must hold.
//!
//! A day is a template (`template`): notes with slots, and beside them the truth in minutes of the day. [`days`] fills the slots
//! once as written and [`PERMUTATIONS`] times by dice that always fall alike. What must hold follows from the template's own
//! intervals (`truth`), never from the reader that is under test. [`bench`](fn@bench) runs every variant over them.

mod bench;
mod judge;
mod template;
mod truth;

use jiff::Zoned;

pub use bench::bench;
pub use truth::{Busy, Duty, Placed, Problem, ProblemKind, Span, Truth};

use crate::EngineError;
use crate::SplitMix;
use template::Template;

/// How often a day is changed: other times, names, order and words of urgency.
pub const PERMUTATIONS: usize = 5;

/// Characters of a page, for notes that are longer than a day's.
const PAGE_CHARS: usize = 3_000;

/// Pages of unrelated notes around a day.
const PAGES: usize = 20;

/// The days written by hand.
const TEMPLATES: &[(&str, &str)] = &[
    ("office", include_str!("days/data/office.txt")),
    ("parent", include_str!("days/data/parent.txt")),
    ("zones", include_str!("days/data/zones.txt")),
    ("overfull", include_str!("days/data/overfull.txt")),
    ("deadline", include_str!("days/data/deadline.txt")),
    ("corrected", include_str!("days/data/corrected.txt")),
    ("gaps", include_str!("days/data/gaps.txt")),
    ("windows", include_str!("days/data/windows.txt")),
    ("markdown", include_str!("days/data/markdown.txt")),
    ("evening", include_str!("days/data/evening.txt")),
];

/// Sentences that state nothing of any day.
const UNRELATED: &str = include_str!("days/data/unrelated.txt");

/// A day: notes, and what must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Day {
    /// Its name: that of the template, with the number of the permutation.
    pub id: String,
    /// Whether it stands as it was written by hand.
    pub canonical: bool,
    /// The notes.
    pub notes: String,
    /// The current time.
    pub now: Zoned,
    /// What must hold.
    pub truth: Truth,
}

impl Day {
    /// The same notes inside `PAGES` pages that have nothing to do with them; front matter stays at the head.
    #[must_use]
    pub fn in_long_notes(&self) -> String {
        let (matter, own) = match self.notes.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")) {
            Some((matter, own)) => (format!("---\n{matter}\n---\n"), own),
            None => (String::new(), self.notes.as_str()),
        };
        let half = unrelated(PAGES * PAGE_CHARS / 2);
        format!("{matter}# Reading notes\n\n{half}\n# Today\n\n{own}\n\n# More reading notes\n\n{half}")
    }
}

/// Paragraphs of unrelated sentences, of so many characters at least.
fn unrelated(chars: usize) -> String {
    let sentences: Vec<&str> = UNRELATED.lines().filter(|line| !line.is_empty()).collect();
    let mut out = String::new();
    let mut random = SplitMix::new(0xB00C);
    while out.len() < chars && !sentences.is_empty() {
        for _ in 0..5 {
            out.push_str(sentences[random.below(sentences.len())]);
            out.push(' ');
        }
        out.truncate(out.trim_end().len());
        out.push_str("\n\n");
    }
    out
}

/// All days, always the same and in the same order: each template as written, then its permutations.
///
/// # Errors
///
/// [`EngineError::Internal`] where a template cannot be read: a fault of the program.
pub fn days() -> Result<Vec<Day>, EngineError> {
    let mut days = Vec::new();
    for (at, (name, text)) in TEMPLATES.iter().enumerate() {
        let template = Template::read(name, text)?;
        days.push(template.day((*name).to_owned(), None)?);
        for number in 1..=PERMUTATIONS {
            let mut random = SplitMix::new((at * 1_000 + number) as u64);
            days.push(template.day(format!("{name}-{number}"), Some(&mut random))?);
        }
    }
    Ok(days)
}

#[cfg(test)]
pub(crate) mod tests {

    use std::collections::BTreeSet;

    use super::{Duty, PAGE_CHARS, PAGES, Placed, ProblemKind, Span, Truth, days};

    /// A plan that holds all of it, by trying every order; `None` where no order does. No duty is interrupted.
    pub(crate) fn schedule(truth: &Truth) -> Option<Vec<Placed>> {
        let mut open: Vec<&Duty> = truth.duties.iter().collect();
        let mut placed = Vec::new();
        place(&mut open, &truth.free(), &mut placed).then_some(placed)
    }

    /// Places all open duties, the next at its earliest.
    fn place(open: &mut Vec<&Duty>, free: &[Span], placed: &mut Vec<Placed>) -> bool {
        if open.is_empty() {
            return true;
        }
        for at in 0..open.len() {
            let duty = open.remove(at);
            for window in 0..free.len() {
                let from = free[window].0.max(duty.from.unwrap_or(0));
                let until = from + duty.minutes;
                if until > free[window].1 || duty.by.is_some_and(|by| until > by) {
                    continue;
                }
                let mut rest = free.to_vec();
                rest[window].0 = until;
                rest.push((free[window].0, from));
                rest.retain(|span| span.0 < span.1);
                placed.push(Placed { task: duty.key.clone(), span: (from, until) });
                if place(open, &rest, placed) {
                    return true;
                }
                placed.pop();
            }
            open.insert(at, duty);
        }
        false
    }

    #[test]
    fn there_are_sixty_days_all_distinct_and_always_the_same() {
        let all = days().unwrap();
        assert!(all.len() >= 60, "{}", all.len());
        let distinct: BTreeSet<&str> = all.iter().map(|day| day.notes.as_str()).collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(all, days().unwrap());
        assert_eq!(all.iter().filter(|day| day.canonical).count(), 10);
    }

    #[test]
    fn ten_days_or_more_cannot_be_done_and_all_others_have_a_schedule() {
        let all = days().unwrap();
        let mut infeasible = 0;
        for day in &all {
            match day.truth.overload() {
                Some((needed, free)) => {
                    assert!(needed > free, "{}", day.id);
                    assert!(schedule(&day.truth).is_none(), "{} has a schedule", day.id);
                    infeasible += 1;
                }
                None => {
                    let schedule = schedule(&day.truth).unwrap();
                    // The search makes no breaks: what nobody bears is advice and makes no plan wrong.
                    let mut problems = day.truth.problems(&schedule);
                    problems.retain(|problem| problem.kind != ProblemKind::Human);
                    assert_eq!(problems, [], "{}", day.id);
                }
            }
        }
        assert!(infeasible >= 10, "{infeasible}");
        let by_hand = all.iter().filter(|day| day.canonical && day.truth.overload().is_some()).count();
        assert!(by_hand >= 2, "{by_hand}");
    }

    #[test]
    fn every_slot_is_filled() {
        for day in days().unwrap() {
            assert!(!day.notes.contains(['{', '}']), "{}", day.notes);
            assert!(!day.notes.lines().any(|line| line.starts_with('~') && !line.starts_with("~~")), "{}", day.notes);
        }
    }

    #[test]
    fn long_notes_are_long_and_hold_the_day() {
        for day in days().unwrap().iter().filter(|day| day.canonical) {
            let long = day.in_long_notes();
            assert!(long.len() >= PAGES * PAGE_CHARS);
            assert!(long.contains(day.notes.lines().last().unwrap()));
        }
    }
}
