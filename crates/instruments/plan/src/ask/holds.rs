//! Whether a rule holds a time or a length that the notes name: then these are accounted for.

use jiff::Timestamp;
use jiff::civil::Time;
use steadfast_time::{Expression, Reading};

use crate::model::{Readings, Rule, Times};

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
        Rule::Travel { minutes: own, .. } => *own == minutes,
        Rule::Stay { .. } | Rule::Connection { .. } | Rule::Presence { .. } => true,
        Rule::Preference { wish } => holds_minutes(wish, minutes),
        _ => false,
    }
}
