//! How long something may be done on end: "never more than an hour of it in one go, then 15 minutes away from it".

use std::borrow::Cow;
use std::ops::Range;

use steadfast_evidence::Quote;
use steadfast_time::Expression;

use super::holds::minutes_of;
use super::lines::Line;
use super::words::{Word, words};
use super::{Reader, Spot};
use crate::checks::BREAK_MINUTES_MIN;
use crate::model::{Rule, Task, intent};

/// Words that say "on end".
const ON_END: [&[&str]; 14] = [
    &["in", "one", "go"],
    &["at", "one", "go"],
    &["at", "a", "go"],
    &["in", "a", "go"],
    &["in", "one", "sitting"],
    &["at", "a", "stretch"],
    &["in", "one", "stretch"],
    &["at", "a", "time"],
    &["at", "once"],
    &["on", "end"],
    &["in", "a", "row"],
    &["straight"],
    &["without", "a", "break"],
    &["without", "stopping"],
];

/// Words that make a length the most there may be.
const AT_MOST: [&[&str]; 9] = [
    &["max"],
    &["maximum"],
    &["at", "most"],
    &["no", "more", "than"],
    &["not", "more", "than"],
    &["never", "more", "than"],
    &["no", "longer", "than"],
    &["not", "longer", "than"],
    &["up", "to"],
];

/// Words between "at most" and the length, and between the length and "on end".
const BETWEEN_WORDS_MAX: usize = 2;
const BEFORE_END_WORDS_MAX: usize = 6;

/// Words that say of minutes that nothing of it is done in them.
const REST: [&str; 8] = ["off", "away", "break", "rest", "pause", "sit", "out", "breather"];

/// What a line says of how long something may be done on end.
pub(super) struct OnEnd {
    /// Its bytes of the line.
    range: Range<usize>,
    minutes_max: i64,
    rest: i64,
    /// The stems of all its words.
    stems: Vec<String>,
}

/// A statement of this kind, with the words that say it.
pub(super) struct Said {
    quote: Quote,
    own: OnEnd,
}

fn follows(words: &[Word], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, own)| word.low == *own)
}

/// What a line says of it, if anything.
fn on_end(text: &str, found: &[Expression]) -> Option<OnEnd> {
    let all = words(text);
    let timed = |word: &Word| found.iter().any(|it| it.span.contains(&word.range.start));
    let mut lengths = found.iter().filter_map(|it| Some((it.span.clone(), minutes_of(it)?)));
    let (span, minutes_max, end) = lengths.find_map(|(span, minutes)| {
        let first = all.iter().position(|word| word.range.start >= span.start)?;
        let next = all.iter().position(|word| word.range.start >= span.end).unwrap_or(all.len());
        // A reader of times takes "more than" along with the length.
        let bounds = (0..next).rev().take(next - first + BETWEEN_WORDS_MAX + 3).any(|at| {
            let phrase = AT_MOST.iter().find(|phrase| follows(&all[at..next], phrase));
            phrase.is_some_and(|phrase| first <= at + phrase.len() + BETWEEN_WORDS_MAX)
        });
        let bounds =
            bounds || all[next..].first().is_some_and(|word| matches!(word.low.as_str(), "max" | "maximum" | "tops"));
        let end = (next..all.len()).take(BEFORE_END_WORDS_MAX).find_map(|at| {
            let phrase = ON_END.iter().find(|phrase| follows(&all[at..], phrase))?;
            Some(at + phrase.len())
        })?;
        let another = found
            .iter()
            .any(|it| (span.end..all[end - 1].range.end).contains(&it.span.start) && minutes_of(it).is_some());
        (bounds && !another).then_some((span, minutes, end))
    })?;
    // "Then 10 off the screen": minutes without it.
    let sentence_end =
        |at: usize| text.get(at..).and_then(|rest| rest.find(['.', ';', '!'])).map_or(text.len(), |to| at + to);
    let from = all[end - 1].range.end;
    let until = sentence_end(from);
    let behind = || found.iter().filter(|it| from <= it.span.start && it.span.start < until);
    let rests =
        || all.iter().any(|word| (from..until).contains(&word.range.start) && REST.contains(&word.low.as_str()));
    let number = || {
        let bare = all[end..].iter().filter(|word| word.range.start < until && !timed(word));
        bare.filter_map(|word| word.low.parse::<i64>().ok()).find(|minutes| (1..=240).contains(minutes))
    };
    let rest = behind().find_map(minutes_of).or_else(|| rests().then(number).flatten());
    let start = text[..span.start].rfind(['.', ';', '!', ',', ':', '(']).map_or(0, |at| at + 1);
    let range = start..until;
    let stems = intent(text.get(range.clone())?);
    Some(OnEnd { range, minutes_max, rest: rest.unwrap_or(BREAK_MINUTES_MIN), stems })
}

/// The times and lengths of a line that stand elsewhere than in some bytes of it.
pub(super) fn without<'f>(found: &'f [Expression], range: Option<&Range<usize>>) -> Cow<'f, [Expression]> {
    match range {
        Some(range) => found.iter().filter(|it| !range.contains(&it.span.start)).cloned().collect(),
        None => Cow::Borrowed(found),
    }
}

impl<'a> Reader<'a> {
    /// Reads what a line says of it. The bytes that say so.
    pub(super) fn on_end(&mut self, line: &Line<'a>, found: &[Expression]) -> Option<Range<usize>> {
        let own = on_end(&line.text, found)?;
        let range = own.range.clone();
        let quote = self.quote(Spot { line, start: range.start, end: range.end })?;
        self.on_end.push(Said { quote, own });
        Some(range)
    }

    /// Says of which tasks it is, once all are known: those that it names, else the one that was named last before it.
    pub(super) fn settle_on_end(&mut self) {
        for Said { quote, own } in std::mem::take(&mut self.on_end) {
            let names = |task: &usize| self.notes.tasks[*task].intent.iter().any(|stem| own.stems.contains(stem));
            let mut tasks: Vec<usize> = (0..self.notes.tasks.len()).filter(names).collect();
            if tasks.is_empty() {
                let before = |(_, task): &(usize, &Task)| task.quote.span().start < quote.span().start;
                let last = self.notes.tasks.iter().enumerate().filter(before);
                tasks.extend(last.max_by_key(|(_, task)| task.quote.span().start).map(|(at, _)| at));
            }
            if !tasks.is_empty() {
                self.push(Rule::Run { tasks, minutes_max: own.minutes_max, rest: own.rest }, quote);
            }
        }
    }
}
