//! Rules by which events recur. They are counted in times by the clock, so that an event at nine stays at nine when clocks change.

use std::cell::Cell;

use chrono::{DateTime as Counted, TimeZone as _};
use jiff::civil::DateTime;
use rrule::{RRule, RRuleSet, Tz, Unvalidated};

use crate::lines::Line;
use crate::values::Stamp;
use crate::{CalendarError, FILE_RECURRENCES_MAX, RECURRENCES_MAX, RULE_BYTES_MAX};

/// Steps in which the library looks for a next recurrence at most.
const STEPS_MAX: usize = 100_000;

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

/// A rule by which an event recurs, in times by the clock.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    rule: RRule<Unvalidated>,
    until: Option<DateTime>,
    /// After how many it ends.
    count: Option<usize>,
    /// Days of one step of it, at least.
    step_days: i64,
}

impl Rule {
    /// Reads the rule of a line. `local` makes a time by the clock of an end, as the event counts it.
    pub(crate) fn read(
        line: &Line,
        local: impl Fn(Stamp) -> Result<DateTime, CalendarError>,
    ) -> Result<Self, CalendarError> {
        let wrong = |what: &str| line.wrong(format!("RRULE `{}` {what}", line.shown()));
        if line.value.len() > RULE_BYTES_MAX {
            return Err(wrong(&format!("holds more than {RULE_BYTES_MAX} bytes")));
        }
        let (mut until, mut most, mut step_days) = (None, None, 1);
        let mut parts = Vec::new();
        for part in line.value.split(';').filter(|part| !part.trim().is_empty()) {
            let Some((name, value)) = part.split_once('=') else { return Err(wrong("is no rule")) };
            match name.trim().to_ascii_uppercase().as_str() {
                "UNTIL" => {
                    let stamp = Stamp::read(value).ok_or_else(|| wrong("ends at no time"))?;
                    until = Some(local(stamp)?);
                }
                "FREQ" => {
                    step_days = match value.trim().to_ascii_uppercase().as_str() {
                        "DAILY" => 1,
                        "WEEKLY" => 7,
                        "MONTHLY" => 28,
                        "YEARLY" => 365,
                        _ => return Err(wrong("recurs more than once a day, which is not read")),
                    };
                    parts.push(format!("FREQ={}", value.trim()));
                }
                name @ ("BYHOUR" | "BYMINUTE" | "BYSECOND") if value.contains(',') => {
                    return Err(wrong(&format!("recurs more than once a day, by {name}, which is not read")));
                }
                name => {
                    if name == "COUNT" {
                        most = value.trim().parse().ok();
                    }
                    parts.push(format!("{name}={}", value.trim()));
                }
            }
        }
        let rule = parts.join(";").parse().map_err(|_| wrong("is no rule of RFC 5545"))?;
        Ok(Self { rule, until, count: most, step_days })
    }
}

/// The times of an event that begins at `start` and recurs by a rule, up to `end`, in their order; `start` is one of them.
pub(crate) fn recurrences(
    start: DateTime,
    rule: &Rule,
    end: DateTime,
    line: usize,
    budget: &Budget,
) -> Result<Vec<DateTime>, CalendarError> {
    let beyond = || CalendarError::at(line, "lies beyond what can be counted");
    let from = counted(start).ok_or_else(beyond)?;
    let until = rule.until.map_or(end, |until| until.min(end));
    let mut out = vec![start];
    if until < start {
        return Ok(out);
    }
    let valid = rule
        .rule
        .clone()
        .validate(from)
        .map_err(|error| CalendarError::at(line, format!("cannot recur so: {error}")))?;
    let set = RRuleSet::new(from).rrule(valid).limit();
    let until = counted(until).ok_or_else(beyond)?;
    let (mut last, mut count, mut found) = (from, 0, set.into_iter());
    loop {
        let Some(at) = found.next() else {
            // One that has not come to its end and finds nothing more looked as far as the library does.
            budget.spend(if rule.count == Some(count) { 1 } else { STEPS_MAX })?;
            break;
        };
        let steps = (at - last).num_days() / rule.step_days;
        budget.spend(usize::try_from(steps).unwrap_or_default().min(STEPS_MAX) + 1)?;
        last = at;
        if at > until {
            break;
        }
        if count == RECURRENCES_MAX {
            return Err(CalendarError::at(line, format!("recurs more than {RECURRENCES_MAX} times before that day")));
        }
        count += 1;
        let seconds = at.timestamp() - from.timestamp();
        let at = start.checked_add(jiff::SignedDuration::from_secs(seconds)).map_err(|_| beyond())?;
        if at != start {
            out.push(at);
        }
    }
    Ok(out)
}

/// A time by the clock as the rules count it: as if it were in UTC.
fn counted(at: DateTime) -> Option<Counted<Tz>> {
    let two = |number: i8| u32::try_from(number).ok();
    let (month, day) = (two(at.month())?, two(at.day())?);
    let (hour, minute, second) = (two(at.hour())?, two(at.minute())?, two(at.second())?);
    Tz::UTC.with_ymd_and_hms(i32::from(at.year()), month, day, hour, minute, second).single()
}
