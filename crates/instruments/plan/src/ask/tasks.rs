//! Tasks: their words without times and marks, how much they matter, with whom and where.

use std::ops::Range;

use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::people::{run, text_of};
use super::{Reader, Spot, TASKS_MAX};
use crate::model::{Priority, Rule, Task, intent};
use crate::window::Interval;

/// Words that are cut from the ends of a task's name.
const ENDS: &[&str] = &[
    "by", "at", "on", "for", "and", "from", "until", "till", "before", "after", "is", "are", "be", "then", "but", "so",
    "about", "around", "takes", "take", "approx", "also", "the", "a", "between", "or", "needs", "due", "ca", "with",
    "of", "min", "minimum", "to", "in", "this", "that",
];

/// Words that are cut from its head.
const HEADS: &[&str] = &[
    "i",
    "we",
    "you",
    "and",
    "then",
    "but",
    "so",
    "also",
    "please",
    "to",
    "ok",
    "okay",
    "just",
    "still",
    "really",
    "now",
    "next",
    "finally",
    "oh",
    "is",
    "on",
    "at",
    "by",
    "from",
    "of",
    "for",
    "or",
    "be",
    "i'll",
    "we'll",
    "there's",
    "there",
    "plus",
    "afterwards",
    "i've",
    "have",
    "got",
    "again",
    "task",
];

impl<'a> Reader<'a> {
    /// The name of what a clause speaks of: its words without times, lengths and marks; `also` are further bytes to leave out.
    pub(super) fn name_of(&self, clause: &Clause<'_>, also: &[Range<usize>]) -> String {
        let mut cut: Vec<Range<usize>> = also.to_vec();
        cut.extend(clause.when.spans.iter().cloned());
        let verb = clause.verb().unwrap_or(usize::MAX);
        for hit in &clause.hits {
            let marks =
                matches!(hit.cue, Cue::Urgent | Cue::Optional | Cue::Low | Cue::OneGo | Cue::Least | Cue::AtMost)
                    || (hit.cue == Cue::High && hit.words.len() > 1)
                    || (matches!(hit.cue, Cue::Need | Cue::Must | Cue::Wish | Cue::High | Cue::Due)
                        && hit.words.end <= verb
                        && verb != usize::MAX)
                    || (matches!(hit.cue, Cue::Need | Cue::Must | Cue::Wish | Cue::Due)
                        && (hit.words.start == 0 || hit.words.end == clause.words.len()))
                    || (hit.cue == Cue::Must && hit.words.len() > 1);
            if marks && let Some(span) = span_of(clause, &hit.words) {
                cut.push(span);
            }
        }
        cut.sort_by_key(|range| (range.start, range.end));
        let mut name = String::new();
        let mut at = 0;
        for range in cut {
            if range.start > at {
                name.push_str(clause.text.get(at..range.start).unwrap_or_default());
                name.push(' ');
            }
            at = at.max(range.end);
        }
        name.push_str(clause.text.get(at..).unwrap_or_default());
        tidied(&name)
    }

    /// Puts down a task. One without a word that says anything is none.
    pub(super) fn task(&mut self, line: &Line<'a>, clause: &Clause<'_>, also: &[Range<usize>]) -> Option<usize> {
        let text = self.name_of(clause, also);
        let stems = intent(&text);
        if stems.is_empty() {
            return None;
        }
        if self.notes.tasks.len() >= TASKS_MAX {
            self.ask(format!("the notes hold more than {TASKS_MAX} tasks: which of those after them matter?"));
            return None;
        }
        let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        let quote = self.quote(spot)?;
        let task = Task {
            quote,
            intent: stems,
            priority: priority(line, clause),
            with: self.with(clause),
            place: self.place(clause),
            in_one_go: clause.has(Cue::OneGo),
            text,
        };
        self.places.extend(task.place.clone());
        self.notes.tasks.push(task);
        let index = self.notes.tasks.len() - 1;
        self.line_task = Some(index);
        self.lengths(line, clause, index);
        self.must_do(line, clause, index);
        Some(index)
    }

    /// A mark that stands apart from its task: "…, must do today", "…, urgent".
    pub(super) fn mark(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let said = priority(line, clause);
        if let Some(task) = self.notes.tasks.get_mut(task) {
            if said != Priority::Normal {
                task.priority = said;
            }
            task.in_one_go |= clause.has(Cue::OneGo);
        }
        self.must_do(line, clause, task);
    }

    fn must_do(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let musts = clause.has(Cue::Must) && (clause.has(Cue::Today) || is_absolute(clause));
        let under = line.under.contains("must") && !clause.has(Cue::Optional);
        if musts || under {
            let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
            let zone = self.notes.now.time_zone();
            let now = self.notes.now.timestamp();
            let today = Interval::new(super::when::day_start(now, zone), super::when::day_end(now, zone));
            self.state(spot, Rule::MustDo { task, within: Some(today) }, false);
        }
    }

    /// What a clause says of how long a task takes.
    pub(super) fn lengths(&mut self, line: &Line<'a>, clause: &Clause<'_>, task: usize) {
        let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        for length in
            clause.when.lengths.iter().filter(|it| it.min.max(it.max).is_some_and(|minutes| minutes < DAY_MINUTES))
        {
            let (mut min, mut max) = (length.min, length.max);
            let loose = length.approximate
                || clause
                    .words
                    .iter()
                    .any(|word| matches!(word.low.as_str(), "so" | "ish" | "roughly" | "ca" | "approx"));
            if min == max && (clause.has(Cue::Least) || loose) {
                max = None;
            } else if min == max && clause.has(Cue::AtMost) {
                min = None;
            }
            if min.is_some() || max.is_some() {
                self.state(spot, Rule::Duration { task, minutes_min: min, minutes_max: max }, false);
            }
        }
    }

    /// With whom something is done: people after a word that says so.
    pub(super) fn with(&mut self, clause: &Clause<'_>) -> Vec<String> {
        let arranged = clause.has(Cue::Arrange);
        let mut out: Vec<String> = Vec::new();
        let mut open = false;
        let mut at = 0;
        while at < clause.words.len() {
            let word = &clause.words[at];
            match word.low.as_str() {
                "with" | "w" | "meet" | "see" | "call" | "ring" | "phone" | "visit" | "join" | "meeting" | "1:1"
                | "sync" | "interview" | "facetime" => {
                    open = true;
                }
                "for" | "between" if arranged => open = true,
                "about" | "to" | "from" | "on" | "at" | "re" => open = false,
                _ => {}
            }
            let run = run(&clause.words, at);
            if open && !run.is_empty() {
                if let Some(person) = self.people.person(clause.text, &clause.words, &run) {
                    if !out.contains(&person) {
                        out.push(person);
                    }
                } else {
                    let first = run.start..run.start + 1;
                    let person = self.people.person(clause.text, &clause.words, &first);
                    out.extend(person.filter(|person| !out.contains(person)));
                }
            }
            at = run.end.max(at + 1);
        }
        if let Some(person) = out.last() {
            self.person = Some(person.clone());
        }
        out
    }

    /// Where something is: a name after "at", "in" or "@" that is nobody's.
    pub(super) fn place(&self, clause: &Clause<'_>) -> Option<String> {
        for (at, word) in clause.words.iter().enumerate() {
            let is_at = matches!(word.low.as_str(), "at" | "in") || clause.text[..word.range.start].ends_with('@');
            if !is_at {
                continue;
            }
            let from = if matches!(word.low.as_str(), "at" | "in") { at + 1 } else { at };
            let from = if clause.words.get(from).is_some_and(|word| word.low == "the" && !word.capital) {
                from + 1
            } else {
                from
            };
            let run = run(&clause.words, from);
            let timed = clause.words.get(from).is_some_and(|word| clause.is_timed(word));
            if !run.is_empty() && !timed && self.people.person(clause.text, &clause.words, &run).is_none() {
                return Some(text_of(clause.text, &clause.words, &run));
            }
        }
        None
    }
}

/// Minutes of a day.
const DAY_MINUTES: i64 = 24 * 60;

fn is_absolute(clause: &Clause<'_>) -> bool {
    clause.hits.iter().any(|hit| {
        hit.cue == Cue::Must
            && clause.words.get(hit.words.clone()).is_some_and(|words| {
                let phrase: Vec<&str> = words.iter().map(|word| word.low.as_str()).collect();
                !matches!(
                    phrase[..],
                    ["must"]
                        | ["have", "to"]
                        | ["has", "to"]
                        | ["critical"]
                        | ["has", "to", "be"]
                        | ["definitely"]
                        | ["absolutely"]
                )
            })
    })
}

fn priority(line: &Line<'_>, clause: &Clause<'_>) -> Priority {
    let shouted = clause.text.contains("!!");
    if clause.has(Cue::Optional) || clause.text.trim_end().ends_with('?') {
        Priority::Optional
    } else if clause.has(Cue::Low) {
        Priority::Low
    } else if clause.has(Cue::Urgent) || shouted {
        Priority::Urgent
    } else if clause.has(Cue::High) || line.under.contains("priorit") {
        Priority::High
    } else {
        Priority::Normal
    }
}

/// The bytes of some words of a clause.
pub(super) fn span_of(clause: &Clause<'_>, words: &Range<usize>) -> Option<Range<usize>> {
    let words = clause.words.get(words.clone())?;
    Some(words.first()?.range.start..words.last()?.range.end)
}

/// A name without stray marks and words at its ends, its white space single.
fn tidied(name: &str) -> String {
    let mut words: Vec<&str> =
        name.split_whitespace().filter(|word| word.chars().any(|c| c.is_alphanumeric() || c == '&')).collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('\u{2019}', "'");
    while words.len() > 1 && words.last().is_some_and(|word| ENDS.contains(&bare(word).as_str())) {
        words.pop();
    }
    let heads = words
        .iter()
        .take(words.len().saturating_sub(1))
        .take_while(|word| HEADS.contains(&bare(word).as_str()))
        .count();
    let joined = words.get(heads..).unwrap_or_default().join(" ");
    let text =
        joined.trim_matches(|c: char| c.is_whitespace() || ",;:.-\u{2013}\u{2014}!~*(/|>".contains(c) || c == '?');
    let opens = text.matches('(').count();
    if opens < text.matches(')').count() { text.trim_end_matches(')').to_owned() } else { text.to_owned() }
}
