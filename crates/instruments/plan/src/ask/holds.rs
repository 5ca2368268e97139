//! Whether a rule holds a time or a length that the notes name: then these are accounted for. And where in the notes tasks and constraints stand.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Time;
use steadfast_text::Span;
use steadfast_time::{Expression, Reading};

use crate::list::List;
use crate::model::{Constraint, Notes, Readings, Rule, Times, intent};

/// Longest quote of a constraint, in bytes: a line is cut where it is longer.
pub(super) const QUOTE_BYTES_MAX: usize = 8_192;

/// The clock times that an expression may name.
pub(super) fn clocks(expression: &Expression) -> Vec<Time> {
    let mut all = Vec::new();
    for reading in &expression.readings {
        match reading {
            Reading::Time(time) => all.push(*time),
            Reading::TimeRange { start, end } => all.extend([*start, *end]),
            Reading::DateTime(at) => all.push(at.time()),
            Reading::DateTimeRange { start, end } => all.extend(start.iter().chain(end).map(|at| at.time())),
            _ => {}
        }
    }
    all
}

/// The minutes that an expression says something takes.
pub(super) fn minutes_of(expression: &Expression) -> Option<i64> {
    let length = super::when::length(expression)?;
    length.max.or(length.min).filter(|minutes| (1..24 * 60).contains(minutes))
}

/// Whether a rule begins or ends at a time of the clock.
pub(super) fn holds_clock(rule: &Rule, time: Time, zone: &jiff::tz::TimeZone) -> bool {
    let is = |at: Timestamp| {
        at > Timestamp::MIN && at < Timestamp::MAX && {
            let own = at.to_zoned(zone.clone()).time();
            (own.hour(), own.minute()) == (time.hour(), time.minute())
        }
    };
    let any = |when: &Readings<Times>| when.iter().flatten().any(|own| is(own.start) || is(own.end));
    match rule {
        Rule::FixedEvent { when, .. }
        | Rule::Blocked { when, .. }
        | Rule::Availability { when, .. }
        | Rule::TaskTimes { when, .. }
        | Rule::Exclusion { when: Some(when), .. } => any(when),
        Rule::Deadline { by, .. } => by.iter().any(|at| is(*at)),
        Rule::NotBefore { from, .. } => from.iter().any(|at| is(*at)),
        Rule::Preference { wish } => holds_clock(wish, time, zone),
        Rule::Presence { when, .. } => when.iter().flatten().any(|own| match own {
            crate::window::Window::Clock(own) => is(own.start) || is(own.end),
            crate::window::Window::Days(_) => true,
        }),
        Rule::Travel { .. } | Rule::Connection { .. } | Rule::Stay { .. } => true,
        _ => false,
    }
}

/// Whether a rule is of so many minutes, or of a multiple of them.
pub(super) fn holds_minutes(rule: &Rule, minutes: i64) -> bool {
    match rule {
        Rule::Duration { minutes_min, minutes_max, .. } => {
            // "Three of them, 20 min each": a multiple.
            let holds = |own: &Option<i64>| own.is_some_and(|own| own > 0 && own % minutes == 0);
            holds(minutes_min) || holds(minutes_max)
        }
        Rule::FixedEvent { when, .. } | Rule::Blocked { when, .. } => {
            when.iter().flatten().any(|own| own.minutes() == minutes)
        }
        Rule::Total { min, max, .. } => *min == Some(minutes) || *max == Some(minutes),
        Rule::Run { minutes_max, rest, .. } => *minutes_max == minutes || *rest == minutes,
        Rule::Travel { minutes: own, .. } => *own == minutes,
        Rule::Stay { .. } | Rule::Connection { .. } | Rule::Presence { .. } => true,
        Rule::Preference { wish } => holds_minutes(wish, minutes),
        _ => false,
    }
}

/// Where tasks and constraints stand, in the order of the file.
pub(super) struct Index {
    pub(super) tasks: Vec<(Span, usize)>,
    pub(super) constraints: Vec<(Span, usize)>,
    /// Where the stems of tasks and events stand, the first and the last time.
    pub(super) named: HashMap<String, [Span; 2]>,
}

impl Index {
    pub(super) fn new(notes: &Notes) -> Self {
        let mut tasks: Vec<(Span, usize)> =
            notes.tasks.iter().enumerate().map(|(at, task)| (task.quote.span(), at)).collect();
        let quoted = |(at, own): (usize, &Constraint)| Some((own.quote.as_ref()?.span(), at));
        let mut constraints: Vec<(Span, usize)> = notes.constraints.iter().enumerate().filter_map(quoted).collect();
        tasks.sort_unstable_by_key(|(span, at)| (span.start, *at));
        constraints.sort_unstable_by_key(|(span, at)| (span.start, *at));
        let mut named: HashMap<String, [Span; 2]> = HashMap::new();
        let mut name = |stems: &[String], span: Span| {
            for stem in stems {
                named.entry(stem.clone()).and_modify(|spans| spans[1] = span).or_insert([span; 2]);
            }
        };
        for task in &notes.tasks {
            name(&task.intent, task.quote.span());
        }
        for (rule, quote) in notes.constraints.iter().filter_map(|own| Some((&own.rule, own.quote.as_ref()?))) {
            if let Rule::FixedEvent { name: event, .. } = rule {
                name(&intent(event), quote.span());
            }
        }
        Self { tasks, constraints, named }
    }

    /// Those of a list that share a byte with a span.
    pub(super) fn at(list: &[(Span, usize)], span: Span) -> impl Iterator<Item = usize> + '_ {
        let first = list.partition_point(|(own, _)| own.start + QUOTE_BYTES_MAX < span.start);
        let last = list.partition_point(|(own, _)| own.start < span.end);
        list.get(first..last).unwrap_or_default().iter().filter(move |(own, _)| span.start < own.end).map(|(_, at)| *at)
    }
}

/// Words that put things in order.
pub(super) const ORDER: List = List("order");

/// Words that rule out, and words that make something depend on something else.
pub(super) const DENIAL: List = List("denial");
