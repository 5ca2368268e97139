//! The checks: one file for each, listed in [`ALL`].
//!
//! A check of a constraint judges one constraint at a time, so that a wish can be judged by the same code as the rule that it
//! would be. Where a time has several readings a breach is certain only if there is one under every reading.

mod apart_planned;
mod begun_early;
mod block_long;
mod break_missing;
mod coverage_low;
mod deadline_missed;
mod duration_broken;
mod event_moved;
mod excluded_planned;
mod invented_deadline;
mod invented_meeting;
mod invented_name;
mod item_count;
mod item_times;
mod items_overlap;
mod must_do_missing;
mod no_connection;
mod objective_missed;
mod order_reversed;
mod outside_availability;
mod person_elsewhere;
mod place_not_held;
mod preference_broken;
mod run_long;
mod start_past;
mod stay_broken;
mod time_blocked;
mod time_overflow;
mod timebox_min;
mod total_broken;
mod travel_short;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use steadfast_evidence::{Evaluated, Quote};
use steadfast_grounding::{Grounding, Model};

use crate::answer::{Answer, Item};
use crate::free::{Free, Reading, Settings, free};
use crate::matching::Matcher;
use crate::mentions::known_stems;
use crate::model::{Constraint, Notes, Readings, Rule, Said};
use crate::stops::{Stop, stops};
use crate::verdict::UNCHECKED_MAX;
use crate::window::{Interval, Window, clock};

/// What a check is given.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// What the notes say.
    pub notes: &'a Notes,
    /// The plan.
    pub answer: &'a Answer,
    /// What is taken for granted.
    pub settings: &'a Settings,
    /// Every constraint: those of the notes and those of the contract that bind this plan.
    pub constraints: &'a [Constraint],
    /// Time that is free under some reading.
    pub free: Free,
    /// Where the plan is, in the order of time.
    pub stops: Vec<Stop>,
    /// Finds tasks in words.
    pub matcher: Matcher,
    /// What the notes say of each task.
    pub said: Vec<Said>,
    /// Stems of all that the notes may be said to name.
    pub known: BTreeSet<String>,
    /// The notes as the support score reads them, once it is asked.
    grounding: OnceLock<Arc<Grounding<'static>>>,
}

/// What a finding counts for in the pass rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// A constraint that is violated.
    Constraint,
    /// More time planned than there is.
    Overflow,
    /// An invention.
    Invention,
    /// Too few tasks of the notes.
    Coverage,
    /// Advice: it never fails a plan.
    Advice,
}

/// One check.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its id; its section in `docs/plan-checks.md` and its cases have the same name.
    pub id: &'static str,
    /// What its findings count for.
    pub gate: Gate,
    /// What it looks for, in one line.
    pub summary: &'static str,
    /// Finds breaches.
    pub run: Run,
}

/// How a check is run.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// For each constraint; rules of other kinds are passed over.
    Constraint(fn(&Case<'_>, &Constraint, &Rule, &mut Report)),
    /// Once for the plan.
    Plan(fn(&Case<'_>, &mut Report)),
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The check's id.
    pub check: &'static str,
    /// One sentence for a person, with the words of the notes that it rests on.
    pub message: String,
    /// The constraint that is broken.
    pub constraint_id: Option<String>,
    /// The item that breaks it, by its place in the plan.
    pub item_index: Option<usize>,
    /// Whether it fails the plan.
    pub hard: bool,
    /// The words of the notes.
    pub ask_span: Option<Quote>,
}

/// One breach in the making.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The item, by its place in the plan.
    pub item: Option<usize>,
    /// One sentence.
    pub message: String,
    /// Whether it is one under every reading.
    pub certain: bool,
}

/// What a check reports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Breaches, in the order of the plan.
    pub breaches: Vec<Breach>,
    /// What could not be checked.
    pub unchecked: Vec<String>,
}

impl Report {
    /// Item `item` breaks it.
    pub(crate) fn broken(&mut self, item: impl Into<Option<usize>>, message: impl Into<String>) {
        self.breaches.push(Breach { item: item.into(), message: message.into(), certain: true });
    }

    /// It is unwelcome, but no breach.
    pub(crate) fn doubtful(&mut self, item: impl Into<Option<usize>>, message: impl Into<String>) {
        self.breaches.push(Breach { item: item.into(), message: message.into(), certain: false });
    }

    /// It could not be checked.
    pub(crate) fn unchecked(&mut self, what: impl Into<String>) {
        self.unchecked.push(what.into());
    }

    /// Judges every reading by itself. Certain is what is broken under all of them, whichever items break it; what is broken
    /// under some is reported as doubtful.
    pub(crate) fn under<T>(&mut self, readings: &Readings<T>, judge: impl Fn(&T, &mut Self)) {
        let mut reports: Vec<Self> = Vec::new();
        for reading in readings.iter() {
            let mut report = Self::default();
            judge(reading, &mut report);
            reports.push(report);
        }
        let certain = reports.iter().all(|report| report.breaches.iter().any(|breach| breach.certain));
        let broken = reports.iter_mut().find(|report| !report.breaches.is_empty());
        if let Some(report) = broken {
            for mut breach in report.breaches.drain(..) {
                if !certain && breach.certain {
                    breach.certain = false;
                    breach.message.push_str(" The notes can be read in another way, in which it does not.");
                }
                self.breaches.push(breach);
            }
        }
        for report in reports {
            for what in report.unchecked {
                if !self.unchecked.contains(&what) {
                    self.unchecked.push(what);
                }
            }
        }
    }
}

impl<'a> Case<'a> {
    /// What all checks of a plan are given.
    #[must_use]
    pub fn new(notes: &'a Notes, answer: &'a Answer, settings: &'a Settings, constraints: &'a [Constraint]) -> Self {
        Self {
            notes,
            answer,
            settings,
            constraints,
            free: free(notes, settings, Reading::Generous, false),
            stops: stops(notes, answer),
            matcher: Matcher::new(notes),
            said: notes.said(),
            known: known_stems(notes),
            grounding: OnceLock::new(),
        }
    }

    /// Whether the notes speak of `name`, which stands in `text`, in other words: the support score takes it for one of theirs, and nothing of it is without
    /// something in them that stands for it.
    pub(crate) fn says_otherwise(&self, text: &str, name: &str) -> bool {
        /// The set whose threshold tells names that are there from names that are not.
        const SET: &str = "entfa";
        let Some(start) = text.find(name) else { return false };
        let range = start..start + name.len();
        let grounding = self.grounding.get_or_init(|| {
            let lines: Vec<&str> = self.notes.lines.iter().map(String::as_str).collect();
            Arc::new(Grounding::of_sentences(&lines))
        });
        let Evaluated::Value(support) = grounding.support_part(text, range.clone()) else { return false };
        let stands = |own: &Range<usize>| own.end <= range.start || range.end <= own.start;
        support.score >= Model::shipped(grounding.form()).threshold(SET) && support.unsupported.iter().all(stands)
    }

    /// Whether breaking a constraint fails the plan.
    #[must_use]
    pub const fn is_hard(&self, constraint: &Constraint) -> bool {
        constraint.hard || (self.settings.preferences_hard && matches!(constraint.rule, Rule::Preference { .. }))
    }

    /// The items that carry out a task.
    pub(crate) fn items_of(&self, task: usize) -> impl Iterator<Item = &'a Item> {
        self.answer.items.iter().filter(move |item| item.tasks.contains(&task))
    }

    /// The words of a task.
    pub(crate) fn task(&self, task: usize) -> &'a str {
        self.notes.tasks.get(task).map_or("a task", |task| task.text.as_str())
    }

    /// An item as a person would name it: `item 2 "write the report" (11:30 to 12:30)`.
    pub(crate) fn name(&self, item: &Item) -> String {
        let mut name = format!("item {}", item.index + 1);
        if !item.task.trim().is_empty() {
            name.push_str(&format!(" {}", quoted(&item.task)));
        }
        if let Some(when) = item.when {
            name.push_str(&format!(" ({})", self.shown(when)));
        }
        name
    }

    /// A stretch of time in words.
    pub(crate) fn shown(&self, window: Window) -> String {
        match window {
            Window::Clock(interval) => self.times(interval),
            Window::Days(days) if days.first == days.last => format!("day {}", days.first),
            Window::Days(days) => format!("days {} to {}", days.first, days.last),
        }
    }

    /// An interval in the words of a clock: "11:30 to 12:30", "from 15:00", "until 9:00".
    pub(crate) fn times(&self, interval: Interval) -> String {
        let open = (interval.start == jiff::Timestamp::MIN, interval.end == jiff::Timestamp::MAX);
        match open {
            (true, true) => "always".to_owned(),
            (true, false) => format!("until {}", self.at(interval.end)),
            (false, true) => format!("from {}", self.at(interval.start)),
            (false, false) => format!("{} to {}", self.at(interval.start), self.at(interval.end)),
        }
    }

    /// An instant in the words of a clock.
    pub(crate) fn at(&self, at: jiff::Timestamp) -> String {
        clock(at, self.notes.now.time_zone(), self.notes.now.date())
    }

    /// Several intervals in words; of many the first three.
    pub(crate) fn all_times(&self, times: &[Interval]) -> String {
        let mut shown: Vec<String> = times.iter().take(TIMES_SHOWN_MAX).map(|interval| self.times(*interval)).collect();
        if times.len() > TIMES_SHOWN_MAX {
            shown.push("…".to_owned());
        }
        shown.join(", ")
    }
}

/// Intervals that a message names.
const TIMES_SHOWN_MAX: usize = 3;

/// Longest words that a message quotes, in characters.
const QUOTED_CHARS_MAX: usize = 120;

/// Words in quotation marks, one line, cut between two words where they are long.
pub(crate) fn quoted(words: &str) -> String {
    let mut shown = String::from("\"");
    let mut count = 0;
    for word in words.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        let length = word.chars().count() + 1;
        if count + length > QUOTED_CHARS_MAX {
            // A first word that is too long is cut in itself.
            shown.extend(word.chars().take(if count == 0 { QUOTED_CHARS_MAX } else { 0 }));
            shown.push('…');
            break;
        }
        if count > 0 {
            shown.push(' ');
        }
        shown.push_str(word);
        count += length;
    }
    shown.push('"');
    shown
}

/// A message as a sentence: its first letter a capital.
pub(crate) fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

/// "1 minute", "45 minutes".
pub(crate) fn counted(count: i64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Every check, in the order of the contract for day plans.
pub const ALL: &[Check] = &[
    items_overlap::CHECK,
    item_times::CHECK,
    start_past::CHECK,
    item_count::CHECK,
    timebox_min::CHECK,
    event_moved::CHECK,
    time_blocked::CHECK,
    deadline_missed::CHECK,
    begun_early::CHECK,
    outside_availability::CHECK,
    must_do_missing::CHECK,
    duration_broken::CHECK,
    order_reversed::CHECK,
    run_long::CHECK,
    excluded_planned::CHECK,
    preference_broken::CHECK,
    person_elsewhere::CHECK,
    place_not_held::CHECK,
    travel_short::CHECK,
    no_connection::CHECK,
    stay_broken::CHECK,
    total_broken::CHECK,
    objective_missed::CHECK,
    time_overflow::CHECK,
    invented_name::CHECK,
    invented_meeting::CHECK,
    invented_deadline::CHECK,
    apart_planned::CHECK,
    coverage_low::CHECK,
    block_long::CHECK,
    break_missing::CHECK,
];

pub use block_long::{BLOCK_MINUTES_MAX, BREAK_MINUTES_MIN};
pub use break_missing::BREAK_FROM_MINUTES;
pub use coverage_low::COVERAGE_TENTHS_MIN;
pub use item_count::{ITEMS_MAX, ITEMS_MIN};
pub use timebox_min::TIMEBOX_MINUTES_MIN;

/// Most breaches of one constraint that are reported; one is enough to fail a plan.
const BREACHES_MAX: usize = 20;

/// Every finding of a check.
#[must_use]
pub fn run(check: &Check, case: &Case<'_>, unchecked: &mut Vec<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |report: Report, constraint: Option<&Constraint>| {
        let hard = constraint.map_or(check.gate != Gate::Advice, |it| case.is_hard(it));
        findings.extend(report.breaches.into_iter().take(BREACHES_MAX).map(|breach| Finding {
            check: check.id,
            message: sentence(&breach.message),
            constraint_id: constraint.map(|it| it.id.clone()),
            item_index: breach.item,
            hard: hard && breach.certain,
            ask_span: constraint.and_then(|it| it.quote.clone()),
        }));
        for what in report.unchecked {
            if unchecked.len() < UNCHECKED_MAX && !unchecked.contains(&what) {
                unchecked.push(what);
            }
        }
    };
    match check.run {
        Run::Constraint(judge) => {
            for constraint in case.constraints {
                let mut report = Report::default();
                judge(case, constraint, &constraint.rule, &mut report);
                add(report, Some(constraint));
            }
        }
        Run::Plan(judge) => {
            let mut report = Report::default();
            judge(case, &mut report);
            add(report, None);
        }
    }
    findings
}
