//! What a clause says of something that was said before it: of the task of its line, or that it is otherwise.

use super::Reader;
use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::when::{Shape, Stretch};
use crate::list::List;
use crate::model::{Readings, Rule, Times, intent};
use crate::window::{Interval, minutes_after};

/// Words of somebody else.
pub(super) const OTHERS: &[&str] =
    &["he", "she", "they", "he's", "she's", "they're", "it", "everyone", "somebody", "someone", "who", "which"];

/// Words that undo what was said before them.
const UNDONE: &[&[&str]] = &[
    &["scratch", "that"],
    &["strike", "that"],
    &["scrap", "that"],
    &["never", "mind"],
    &["nevermind"],
    &["nvm"],
    &["forget", "that"],
    &["forget", "it"],
    &["ignore", "that"],
    &["no", "scratch"],
];

/// Ends of clauses that say that a task is none of today's, or somebody else's.
const OVER: &[&[&str]] = &[
    &["another", "day"],
    &["other", "day"],
    &["not", "me"],
    &["not", "mine"],
    &["not", "today"],
    &["not", "now"],
    &["next", "time"],
    &["no", "longer"],
    &["sorted"],
];

/// Words that begin a correction.
const CORRECTING: &[&str] =
    &["no", "wait", "actually", "sorry", "correction", "now", "oops", "rather", "mean", "edit", "update", "make"];

/// Words beside a corrected time.
const CORRECTED: List = List("corrected");

/// How one hears of another time.
const CALLING: &[&str] =
    &["called", "rang", "phoned", "texted", "emailed", "wrote", "messaged", "confirmed", "told", "said"];

/// Words of what was put at another time.
const MOVED: &[&str] =
    &["moved", "pushed", "shifted", "bumped", "rescheduled", "changed", "postponed", "delayed", "brought"];

/// Words of what does not take place.
const CALLED_OFF: &[&str] = &["cancelled", "canceled", "off", "dropped", "scrapped"];

/// So many events, or constraints, before a correction are looked at for what it corrects.
const LOOKED_BACK_MAX: usize = 64;

/// Words of an aside that tells where a time comes from, or how it was before.
const TELLING: List = List("telling");

/// What was stated last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    /// A task, and how many constraints there were before it.
    Task {
        /// Its place.
        task: usize,
        /// The constraints before it.
        constraints: usize,
    },
    /// An event, by its constraint.
    Event(usize),
}

/// "(about 3 hours, deadline 5pm)": how long a task takes, and by when it is due.
fn says_of_task(clause: &Clause<'_>) -> bool {
    !clause.when.lengths.is_empty() || clause.when.stretches.iter().any(|it| it.limit.is_some()) || clause.has(Cue::Due)
}

impl<'a> Reader<'a> {
    /// "(the card says 8:45)", "no wait, it's 4 not 3", "the review moved from 2 to 3", "scratch that".
    pub(super) fn corrects(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let low: Vec<&str> = clause.words.iter().map(|word| word.low.as_str()).collect();
        let timed: Vec<&Stretch> =
            clause.when.stretches.iter().filter(|it| !it.past && it.shape != Shape::Days).collect();
        if is_aside(clause)
            && (low.iter().any(|word| TELLING.contains(word))
                || clause.is_bare()
                    && self.line_event.or(self.line_task).is_some()
                    && (self.line_task.is_none() || !says_of_task(clause)))
        {
            return true;
        }
        if UNDONE.iter().any(|phrase| low.windows(phrase.len()).take(4).any(|window| window == *phrase)) {
            self.undone = match self.last_thing {
                Some(Thing::Event(at)) => self.event_name(at),
                _ => None,
            };
            self.undo();
            return true;
        }
        // "Scratch that, Lou can only do 5:45".
        if let (Some(name), Some(stretch)) = (self.undone.clone(), timed.first())
            && clause.verb().is_none()
        {
            let span = stretch.span.clone();
            self.undone = None;
            self.arrives(line, clause, &name, &span);
            return true;
        }
        // "…, otherwise tomorrow", "(Friday is fine too)": it may wait.
        let waits = low.iter().any(|word| matches!(*word, "fine" | "otherwise" | "okay" | "ok"))
            || low.first() == Some(&"can") && low.contains(&"also");
        let other_day = clause.when.stretches.iter().any(|it| it.shape == Shape::Days && !it.today && !it.past);
        if let (Some(task), true) = (self.line_task, waits && other_day && clause.verb().is_none_or(|at| at > 0)) {
            if let Some(task) = self.notes.tasks.get_mut(task) {
                task.priority = crate::model::Priority::Optional;
            }
            return true;
        }
        // "1:1 with Tom – he cancelled".
        let called_off = low.last().is_some_and(|word| word.starts_with("cancel")) && low.len() <= 3;
        if called_off && (self.line_task.is_some() || self.line_event.is_some()) {
            self.undo();
            return true;
        }
        // "– already paid", "– another day", "so not me".
        let elsewhere = clause.is_bare()
            && !clause.when.stretches.is_empty()
            && clause
                .when
                .stretches
                .iter()
                .all(|it| it.shape == Shape::Days && !it.today && !it.past && it.limit.is_none());
        let over = low.first() == Some(&"already")
            || OVER
                .iter()
                .any(|phrase| low.ends_with(phrase) && (low.len() <= phrase.len() + 2 || *phrase == ["not", "me"]))
            || elsewhere;
        if over && self.line_task.is_some() {
            self.undo();
            return true;
        }
        let verb = low
            .iter()
            .position(|word| MOVED.contains(word))
            .filter(|at| *at > 0 || is_aside(clause) || self.line_event.is_some());
        if let Some(verb) = verb {
            return self.moved(line, clause, verb);
        }
        let off = low.iter().position(|word| CALLED_OFF.contains(word)).filter(|at| *at > 0);
        if let Some(at) = off.filter(|at| {
            low[..*at].iter().any(|word| matches!(*word, "is" | "was" | "got" | "been"))
                || low[*at].starts_with("cancel")
        }) {
            let name = clause
                .words
                .get(..at)
                .map(|words| {
                    words
                        .iter()
                        .filter(|word| !clause.is_timed(word))
                        .map(|word| word.low.as_str())
                        .collect::<Vec<_>>()
                        .join(" ")
                })
                .unwrap_or_default();
            let stems = intent(&name);
            if !stems.is_empty() && clause.verb().is_none() {
                self.take_back(&stems);
                return true;
            }
        }
        // "No wait, it's 4 not 3", "now it's 10:30–11:15".
        let arrow = line.text.get(..clause.at).is_some_and(|before| before.trim_end().ends_with(['\u{2192}', '>']))
            && self.line_event.is_some();
        let opens =
            arrow || low.iter().take(3).any(|word| CORRECTING.contains(word)) || std::mem::take(&mut self.correcting);
        // "… but they called: it is 9:15".
        let called = self.line_event.is_some() && low.iter().any(|word| CALLING.contains(word));
        let opens = opens || called;
        let only = clause.words.iter().all(|word| {
            let low = word.low.as_str();
            clause.is_timed(word)
                || CORRECTED.contains(low)
                || (called && (CALLING.contains(&low) || OTHERS.contains(&low) || low == "but"))
        });
        if !(opens && only) || timed.is_empty() {
            self.correcting = opens && only && clause.when.lengths.is_empty() && self.line_event.is_some();
            return self.correcting;
        }
        let not = low.iter().position(|word| matches!(*word, "not" | "from"));
        let denied = |it: &Stretch| {
            not.is_some_and(|at| clause.words[at].range.end <= it.span.start && low.get(at) == Some(&"not"))
        };
        let Some(span) = timed.iter().find(|it| !denied(it)).map(|it| it.span.clone()) else { return false };
        if let Some(event) = self.last_event.filter(|_| self.told.is_none()) {
            self.put_at(clause, event, &span);
            return true;
        }
        if let Some(name) = self.told.take() {
            self.arrives(line, clause, &name, &span);
            return true;
        }
        false
    }

    pub(super) fn event_name(&self, at: usize) -> Option<String> {
        match &self.notes.constraints.get(at)?.rule {
            Rule::FixedEvent { name, .. } => Some(name.clone()),
            _ => None,
        }
    }

    /// The last task or event that was stated is none.
    fn undo(&mut self) {
        match self.last_thing.take() {
            Some(Thing::Task { task, constraints }) if task + 1 == self.notes.tasks.len() => {
                self.drop_task(task, constraints)
            }
            Some(Thing::Event(event)) => {
                self.void.insert(event);
                self.line_event = self.line_event.filter(|at| *at != event);
                self.last_event = self.last_event.filter(|at| *at != event);
            }
            _ => {}
        }
    }

    /// Takes back the last task, and what was stated of it after so many constraints.
    fn drop_task(&mut self, task: usize, constraints: usize) {
        self.notes.tasks.truncate(task);
        self.line_task = self.line_task.filter(|at| *at != task);
        self.references.retain(|it| it.task != task);
        self.waiting.retain(|it| it.task != Some(task));
        self.before_leaving.retain(|(at, ..)| *at != task);
        let names = |rule: &Rule| match rule {
            Rule::MustDo { task: of, .. } | Rule::Duration { task: of, .. } => *of == task,
            Rule::Deadline { task: of, .. } | Rule::NotBefore { task: of, .. } => *of == Some(task),
            Rule::Order { first, then, .. } => *first == task || *then == task,
            Rule::TaskTimes { tasks, .. } | Rule::Total { tasks, .. } => tasks.contains(&task),
            _ => false,
        };
        for (at, constraint) in self.notes.constraints.iter_mut().enumerate().skip(constraints) {
            let rule = if let Rule::Preference { wish } = &constraint.rule { wish } else { &constraint.rule };
            if names(rule) {
                // Nothing may name a task that is not there, though the constraint is left out only at the end.
                constraint.rule = Rule::Objective { tasks: Vec::new() };
                self.void.insert(at);
            }
        }
    }

    /// The events whose name has all of these stems, or is within them, do not take place.
    fn take_back(&mut self, stems: &[String]) {
        let named = self.events.iter().rev().take(LOOKED_BACK_MAX).filter(|(_, named)| alike(named, stems));
        let void: Vec<usize> = named.map(|(at, _)| *at).collect();
        self.void.extend(void);
    }

    /// "The review moved from 2 to 3": the last of the times is the one that holds.
    fn moved(&mut self, line: &Line<'a>, clause: &Clause<'_>, verb: usize) -> bool {
        let name: Vec<&str> = clause
            .words
            .get(..verb)
            .unwrap_or_default()
            .iter()
            .filter(|word| {
                !clause.is_timed(word)
                    && !matches!(
                        word.low.as_str(),
                        "is" | "was" | "has" | "have" | "been" | "got" | "they" | "now" | "the" | "be" | "but" | "and"
                    )
            })
            .map(|word| word.low.as_str())
            .collect();
        let name = name.join(" ");
        let stems = intent(&name);
        let known = if stems.is_empty() { self.line_event.or(self.last_event) } else { self.event_like(&stems) };
        let after = clause.words[verb].range.end;
        let times: Vec<&Stretch> =
            clause.when.stretches.iter().filter(|it| it.span.start >= after && !it.past).collect();
        let Some(last) = times.last() else { return stems.is_empty() && known.is_some() };
        if last.shape == Shape::Days {
            if !last.today {
                self.void.extend(known);
            }
            return known.is_some();
        }
        // "From 2 to 3" reads as a range: of that the end.
        let mut own = clause.clone();
        let from = clause.text.get(after..last.span.end).unwrap_or_default().to_lowercase();
        let ranged = last.shape == Shape::Range && from.trim_start().starts_with("from");
        let span = last.span.clone();
        own.when.stretches.retain(|it| it.span == span);
        for stretch in &mut own.when.stretches {
            stretch.limit = None;
            if ranged {
                stretch.shape = Shape::Point;
                for times in &mut stretch.readings {
                    for it in times.iter_mut() {
                        *it = Interval::new(it.end, it.end);
                    }
                }
            }
        }
        match known {
            Some(event) => self.put_at(&own, event, &span),
            None if !stems.is_empty() => self.take_place(line, &own, &name),
            None => return false,
        }
        true
    }

    fn event_like(&self, stems: &[String]) -> Option<usize> {
        let mut last = self.events.iter().rev().take(LOOKED_BACK_MAX).filter(|(at, _)| !self.void.contains(at));
        last.find(|(_, named)| alike(named, stems)).map(|(at, _)| *at)
    }

    /// Puts an event at another time; how long it lasts stays where the new time does not say it.
    fn put_at(&mut self, clause: &Clause<'_>, event: usize, span: &std::ops::Range<usize>) {
        let Some(stretch) = clause.when.stretches.iter().find(|it| it.span == *span) else { return };
        let Some(constraint) = self.notes.constraints.get_mut(event) else { return };
        let Rule::FixedEvent { when, .. } = &mut constraint.rule else { return };
        if let Some(readings) = as_long(when, stretch) {
            *when = readings;
            let text = constraint.text().to_owned();
            self.assume(format!("\"{}\" corrects the time of \"{text}\"", clause.text.trim()));
        }
    }
}

/// The times of a stretch; where it says no end, each lasts as long as `when` does.
pub(super) fn as_long(when: &Readings<Times>, stretch: &Stretch) -> Option<Readings<Times>> {
    let minutes = when.first().first().map_or(0, |it| it.minutes());
    let mut readings = Readings::of(stretch.readings.clone())?;
    readings.change(|it| {
        if it.start >= it.end {
            it.end = minutes_after(it.start, minutes);
        }
    });
    Some(readings)
}

/// Whether a clause is an aside in brackets.
pub(super) fn is_aside(clause: &Clause<'_>) -> bool {
    clause.text.trim_start().starts_with('(')
}

/// Whether what stands in brackets is an aside: it tells something by a verb.
pub(super) fn tells(words: &[super::words::Word]) -> bool {
    words.len() >= 2
        && words.iter().any(|word| {
            let low = word.low.as_str();
            TELLING.contains(low)
                || MOVED.contains(&low)
                || matches!(low, "he" | "she" | "they" | "he's" | "she's" | "they're")
                || matches!(low, "must" | "has" | "have" | "need" | "needs") && words.len() >= 3
        })
}

fn alike(a: &[String], b: &[String]) -> bool {
    !a.is_empty() && !b.is_empty() && (a.iter().all(|stem| b.contains(stem)) || b.iter().all(|stem| a.contains(stem)))
}
