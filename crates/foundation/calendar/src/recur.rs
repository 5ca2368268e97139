//! Rules by which events recur (RFC 5545, section 3.3.10). They are counted in times by the clock, so that an event at nine stays at nine when clocks change.

mod days;
mod rule;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};

use self::rule::Frequency;
pub(crate) use self::rule::Rule;
use crate::{CalendarError, FILE_RECURRENCES_MAX, RECURRENCES_MAX};

/// What was counted in a file so far.
#[derive(Debug, Default)]
pub(crate) struct Budget(Cell<usize>);

impl Budget {
    fn spend(&self, steps: usize) -> Result<(), CalendarError> {
        self.0.set(self.0.get().saturating_add(steps));
        if self.0.get() > FILE_RECURRENCES_MAX {
            return Err(CalendarError::TooMany { what: "recurrences before that day", limit: FILE_RECURRENCES_MAX });
        }
        Ok(())
    }
}

/// The times of an event that begins at `start` and recurs by a rule, up to `end`, in their order; `start` is the first of them, by the rule or not.
pub(crate) fn recurrences(
    start: DateTime,
    rule: &Rule,
    end: DateTime,
    line: usize,
    budget: &Budget,
) -> Result<Vec<DateTime>, CalendarError> {
    let until = rule.until.map_or(end, |until| until.min(end));
    let days = rule.days.completed(rule.frequency, start.date());
    let time = rule.time(start.time());
    let mut out = vec![start];
    let mut found = Vec::new();
    let mut next = Some(period(rule, start.date()));
    while let Some(first) = next.filter(|first| *first <= until.date()) {
        if rule.count.is_some_and(|count| out.len() >= count) {
            break;
        }
        found.clear();
        days.between(first, last(rule, first), &mut found);
        if let Some(positions) = &rule.positions {
            let (mut at, of) = (0, found.len());
            found.retain(|_| {
                at += 1;
                positions.has(at, of)
            });
        }
        // A period in which nothing recurs costs as much as one in which it recurs once.
        budget.spend(found.len().max(1))?;
        for at in found.iter().map(|date| date.to_datetime(time)).filter(|at| *at > start) {
            if at > until || rule.count.is_some_and(|count| out.len() >= count) {
                return Ok(out);
            }
            if out.len() == RECURRENCES_MAX {
                return Err(CalendarError::at(
                    line,
                    format!("recurs more than {RECURRENCES_MAX} times before that day"),
                ));
            }
            out.push(at);
        }
        next = following(rule, first);
    }
    Ok(out)
}

/// The first day of the period of a rule that a day lies in.
fn period(rule: &Rule, date: Date) -> Date {
    match rule.frequency {
        Frequency::Daily => date,
        Frequency::Weekly => {
            let since = date.weekday().since(rule.days.week_start);
            later(date, -i64::from(since)).unwrap_or(date)
        }
        Frequency::Monthly => date.first_of_month(),
        Frequency::Yearly => date.first_of_year(),
    }
}

/// The last day of the period that begins on a day.
fn last(rule: &Rule, first: Date) -> Date {
    match rule.frequency {
        Frequency::Daily => first,
        Frequency::Weekly => later(first, 6).unwrap_or(Date::MAX),
        Frequency::Monthly => first.last_of_month(),
        Frequency::Yearly => first.last_of_year(),
    }
}

/// The first day of the next period that counts; nothing where the calendar ends before it.
fn following(rule: &Rule, first: Date) -> Option<Date> {
    match rule.frequency {
        Frequency::Daily => later(first, rule.interval),
        Frequency::Weekly => later(first, rule.interval * 7),
        Frequency::Monthly => {
            let months = i64::from(first.year()) * 12 + i64::from(first.month()) - 1 + rule.interval;
            let month = i8::try_from(months.rem_euclid(12) + 1).ok()?;
            Date::new(i16::try_from(months.div_euclid(12)).ok()?, month, 1).ok()
        }
        Frequency::Yearly => Date::new(i16::try_from(i64::from(first.year()) + rule.interval).ok()?, 1, 1).ok(),
    }
}

fn later(date: Date, days: i64) -> Option<Date> {
    date.checked_add(SignedDuration::from_hours(24 * days)).ok()
}
