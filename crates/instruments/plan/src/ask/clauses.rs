//! A line in clauses: what says one thing each.

use std::ops::Range;

use steadfast_time::Expression;

use super::cues::Cue;
use super::parts::{LOOK_AHEAD_WORDS, is_somebody};
use super::verbs::is_task_verb;
use super::when::{Clock, Stretch, When};
use super::words::{Hit, Word, hits, words};
use crate::list::List;
use crate::model::{Readings, Times};

/// Most times of one clause that are read: nobody says more in one breath.
pub(crate) const EXPRESSIONS_MAX: usize = 500;

/// A clause of a line.
#[derive(Clone, Debug)]
pub(crate) struct Clause<'a> {
    /// Its text.
    pub(crate) text: &'a str,
    /// Where it begins in the line.
    pub(crate) at: usize,
    /// Its words.
    pub(crate) words: Vec<Word>,
    /// Its phrases.
    pub(crate) hits: Vec<Hit>,
    /// Its times.
    pub(crate) when: When,
    /// Whether it goes on with "then".
    pub(crate) then: bool,
}

impl<'a> Clause<'a> {
    /// Reads a part of a line. `found` are the expressions of the whole line.
    pub(crate) fn read(line: &'a str, range: Range<usize>, found: &[Expression], clock: &Clock<'_>) -> Self {
        let text = line.get(range.clone()).unwrap_or_default();
        let words = words(text);
        let first = found.partition_point(|it| it.span.start < range.start);
        let own: Vec<Expression> = found
            .iter()
            .skip(first)
            .take_while(|it| it.span.start < range.end)
            .take(EXPRESSIONS_MAX)
            .map(|it| shifted(it, range.start))
            .collect();
        let when = clock.read(text, &words, &own);
        let hits = hits(&words);
        let mut own = Self { text, at: range.start, words, hits, when, then: false };
        let then = |word: &Word| matches!(word.low.as_str(), "then" | "afterwards" | "next") && !own.is_timed(word);
        own.then = own.words.iter().take(2).any(then);
        own
    }

    /// Whether it holds a phrase of this kind outside its times.
    pub(crate) fn has(&self, cue: Cue) -> bool {
        self.hit(cue).is_some()
    }

    /// The first phrase of this kind.
    pub(crate) fn hit(&self, cue: Cue) -> Option<&Hit> {
        self.hits.iter().find(|hit| hit.cue == cue && !self.in_time(hit))
    }

    /// Whether a phrase is part of a time ("after 3").
    pub(crate) fn in_time(&self, hit: &Hit) -> bool {
        let Some(first) = self.words.get(hit.words.start) else { return false };
        // "Working hours are 9 to 5": the words that state hours, though they name a part of the day as well.
        !matches!(hit.cue, Cue::Today | Cue::Hours | Cue::Due)
            && self.when.spans.iter().any(|it| it.start <= first.range.start && first.range.end <= it.end)
    }

    /// Whether a word stands in a time or a length.
    pub(crate) fn is_timed(&self, word: &Word) -> bool {
        let at = self.when.spans.partition_point(|span| span.end <= word.range.start);
        self.when.spans.get(at).is_some_and(|span| span.start < word.range.end)
    }

    /// Whether it says nothing but times, lengths and the words that join them.
    pub(crate) fn is_bare(&self) -> bool {
        // "1–3 while she naps": the reason says nothing of the time.
        let reason =
            self.words.iter().skip(1).position(|word| matches!(word.low.as_str(), "while" | "because" | "since"));
        let said = self.words.iter().take(reason.map_or(self.words.len(), |at| at + 1));
        said.clone().next().is_some()
            && said
                .clone()
                .all(|word| self.is_timed(word) || JOINING.contains(&word.low.as_str()) || word.low.len() < 2)
    }

    /// The word at which something is to be done begins: the verb of a request, after what leads up to it.
    pub(crate) fn verb(&self) -> Option<usize> {
        let mut at = self.after_condition().max(self.after_speaker());
        while let Some(word) = self.words.get(at) {
            if self.is_timed(word) || LEADING.contains(&word.low) {
                at += 1;
                continue;
            }
            // Phrases stand in the order of their first words.
            let first = self.hits.partition_point(|hit| hit.words.start < at);
            let mut here = self.hits[first..].iter().take_while(|hit| hit.words.start == at);
            if let Some(hit) = here.find(|hit| is_lead(hit.cue)) {
                at = hit.words.end;
                continue;
            }
            // "Please have the count ready": whatever is asked for.
            let asked =
                at.checked_sub(1).is_some_and(|at| matches!(self.words[at].low.as_str(), "please" | "pls" | "plz"))
                    && !matches!(word.low.as_str(), "no" | "not" | "don't" | "the" | "a" | "my" | "be" | "note");
            // "Post office open until 5".
            let names = word.low == "post" && self.words.get(at + 1).is_some_and(|next| next.low == "office");
            return ((is_task_verb(&word.low) && !names || asked) && !is_somebody(self.text, &self.words, at))
                .then_some(at);
        }
        None
    }
}

impl Clause<'_> {
    /// The word after the name of who speaks: "Kofi: please …".
    fn after_speaker(&self) -> usize {
        let speaks = self.words.first().is_some_and(|word| word.capital && !word.is_figure())
            && self.words.get(1).is_some_and(|word| word.parted)
            && self
                .words
                .first()
                .and_then(|word| self.text.get(word.range.end..))
                .is_some_and(|rest| rest.starts_with(':'));
        usize::from(speaks)
    }

    /// The word after what only says when ("after the call, …"): after the first comma, or else the first verb that is not
    /// part of what is named. 0 where the clause begins otherwise.
    fn after_condition(&self) -> usize {
        let opens = self.hits.first().is_some_and(|hit| {
            hit.words.start == 0 && matches!(hit.cue, Cue::After | Cue::Before) && !self.in_time(hit)
        });
        // "If there is daylight left, fix the gutter".
        let if_any = self.words.first().is_some_and(|word| matches!(word.low.as_str(), "if" | "while" | "since"));
        if if_any {
            let comma = self.words.iter().enumerate().skip(2).take(LOOK_AHEAD_WORDS).find(|(_, word)| word.parted);
            return comma.map_or(0, |(at, _)| at);
        }
        if !opens {
            return 0;
        }
        let rest = || self.words.iter().enumerate().skip(2).take(LOOK_AHEAD_WORDS);
        // "After work print the essay, 10 minutes".
        let held = (1..3).find(|at| self.words.get(*at).is_some_and(|word| super::other_days::is_held(&word.low)));
        let acts = held.filter(|at| self.words.get(at + 1).is_some_and(|word| !word.parted && is_task_verb(&word.low)));
        if let Some(at) = acts {
            return at + 1;
        }
        let comma = rest().find(|(_, word)| word.parted).map(|(at, _)| at);
        comma.or_else(|| rest().skip(1).find(|(_, word)| is_task_verb(&word.low)).map(|(at, _)| at)).unwrap_or(0)
    }
}

const fn is_lead(cue: Cue) -> bool {
    matches!(cue, Cue::Need | Cue::Must | Cue::Urgent | Cue::High | Cue::Low | Cue::Optional | Cue::Wish)
}

/// Words that may stand before what is to be done.
const LEADING: List = List("before-deed");

/// Words that join times and say nothing by themselves.
pub(super) const JOINING: &[&str] = &[
    "and", "or", "on", "at", "from", "to", "between", "during", "before", "after", "until", "till", "by", "the",
    "also", "about", "around", "either", "here", "local", "time", "there", "then", "for", "again", "ca", "approx",
    "circa", "in", "roughly", "so",
];

fn shifted(it: &Expression, by: usize) -> Expression {
    let mut own = it.clone();
    let shift = |span: &Range<usize>| span.start.saturating_sub(by)..span.end.saturating_sub(by);
    own.span = shift(&it.span);
    if let Some(limit) = &mut own.limit {
        limit.span = shift(&limit.span);
    }
    if let Some(zone) = &mut own.zone {
        zone.span = shift(&zone.span);
    }
    own
}

/// All stretches of a clause that are not over, as the readings of one time: each of the first with each of the next.
pub(super) fn together(
    clause: &Clause<'_>,
    times: impl Fn(&Stretch) -> Option<Readings<Times>>,
) -> Option<Readings<Times>> {
    let mut readings: Vec<Times> = Vec::new();
    for stretch in clause.when.stretches.iter().filter(|it| !it.past) {
        let each: Vec<Times> = times(stretch)?.iter().cloned().collect();
        readings = if readings.is_empty() { each } else { product(readings, &each) };
    }
    readings.retain(|times| !times.is_empty());
    Readings::of(readings)
}

/// Most readings of one statement.
const READINGS_MAX: usize = 8;

/// Each reading of `a` with each of `b`.
pub(super) fn product(mut a: Vec<Times>, b: &[Times]) -> Vec<Times> {
    if let [only] = b {
        for times in &mut a {
            times.extend(only);
        }
        return a;
    }
    let pairs = a.iter().flat_map(|first| b.iter().map(|then| [first.clone(), then.clone()].concat()));
    pairs.take(READINGS_MAX).collect()
}
