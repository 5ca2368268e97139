//! Rules by which events recur. They are counted in times by the clock, so that an event at nine stays at nine when clocks change.

use chrono::{DateTime as Counted, TimeZone as _};
use jiff::civil::DateTime;
use rrule::{RRule, RRuleSet, Tz, Unvalidated};

use crate::lines::Line;
use crate::values::Stamp;
use crate::{CalendarError, RECURRENCES_MAX};

/// A rule by which an event recurs, in times by the clock.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    rule: RRule<Unvalidated>,
    until: Option<DateTime>,
}

impl Rule {
    /// Reads the rule of a line. `local` makes a time by the clock of an end, as the event counts it.
    pub(crate) fn read(
        line: &Line,
        local: impl Fn(Stamp) -> Result<DateTime, CalendarError>,
    ) -> Result<Self, CalendarError> {
        let wrong = |what: &str| line.wrong(format!("RRULE `{}` {what}", line.shown()));
        let mut until = None;
        let mut parts = Vec::new();
        for part in line.value.split(';').filter(|part| !part.trim().is_empty()) {
            let Some((name, value)) = part.split_once('=') else { return Err(wrong("is no rule")) };
            match name.trim().to_ascii_uppercase().as_str() {
                "UNTIL" => {
                    let stamp = Stamp::read(value).ok_or_else(|| wrong("ends at no time"))?;
                    until = Some(local(stamp)?);
                }
                "FREQ"
                    if !["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
                        .contains(&value.trim().to_ascii_uppercase().as_str()) =>
                {
                    return Err(wrong("recurs more than once a day, which is not read"));
                }
                name @ ("BYHOUR" | "BYMINUTE" | "BYSECOND") if value.contains(',') => {
                    return Err(wrong(&format!("recurs more than once a day, by {name}, which is not read")));
                }
                name => parts.push(format!("{name}={}", value.trim())),
            }
        }
        let rule = parts.join(";").parse().map_err(|_| wrong("is no rule of RFC 5545"))?;
        Ok(Self { rule, until })
    }
}

/// The times of an event that begins at `start` and recurs by a rule, up to `end`, in their order; `start` is one of them.
pub(crate) fn recurrences(
    start: DateTime,
    rule: &Rule,
    end: DateTime,
    line: usize,
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
    for (count, at) in (&set).into_iter().enumerate() {
        if at > until {
            break;
        }
        if count == RECURRENCES_MAX {
            return Err(CalendarError::at(line, format!("recurs more than {RECURRENCES_MAX} times before that day")));
        }
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
