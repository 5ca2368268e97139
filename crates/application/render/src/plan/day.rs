//! A day in its order: items, and between them what the notes take.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use steadfast_wire::plan::{Constraint, Kind, PlanItem};

use super::Sheet;
use crate::plain::{one_line, shorten};

/// Rows of a day that are shown at a time.
pub(super) const ROWS_MAX: usize = 200;

/// Longest time that is shown, where somebody's plan holds one that is none.
const TIME_CHARS_MAX: usize = 40;

/// What a row is.
#[derive(Clone, Copy)]
pub(super) enum What<'a> {
    /// An item, by its place in the plan.
    Item(usize, &'a PlanItem),
    /// Time that the notes take.
    Taken(&'a Constraint),
}

/// One row of a day.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) what: What<'a>,
    pub(super) start: Option<&'a str>,
    pub(super) end: Option<&'a str>,
}

impl<'a> What<'a> {
    /// What takes up a time: the name of an event, else the words of the notes.
    pub(super) fn named(constraint: &'a Constraint) -> &'a str {
        constraint.name.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or(&constraint.text)
    }
}

/// Items and taken times in the order of time; items without a time come last, in their order. Taken times are those of the days
/// that the plan touches and of today, and none that an item fills.
pub(super) fn day<'a>(sheet: &Sheet<'a>) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = sheet
        .items
        .iter()
        .enumerate()
        .map(|(at, item)| Row { what: What::Item(at, item), start: item.start.as_deref(), end: item.end.as_deref() })
        .collect();
    let ends = sheet.items.iter().flat_map(|item| item.start.iter().chain(&item.end)).map(String::as_str);
    let dates: std::collections::BTreeSet<&str> =
        ends.chain([sheet.current_time]).filter_map(|time| time.get(..DATE_BYTES)).collect();
    for constraint in &sheet.validation.constraints {
        if !matches!(constraint.kind, Kind::FixedEvent | Kind::Blocked) {
            continue;
        }
        let only = [(constraint.start.as_deref(), constraint.end.as_deref())];
        let first = constraint
            .readings
            .first()
            .map(|times| times.iter().map(|times| (times.start.as_deref(), times.end.as_deref())).collect::<Vec<_>>());
        for (start, end) in first.as_deref().unwrap_or(&only).iter().copied() {
            let touches = [start, end]
                .into_iter()
                .flatten()
                .any(|time| time.get(..DATE_BYTES).is_some_and(|it| dates.contains(it)));
            let filled = sheet.items.iter().any(|item| {
                item.start.as_deref() == start
                    && item.end.as_deref() == end
                    && item.constraint_ids.contains(&constraint.id)
            });
            if touches && !filled {
                rows.push(Row { what: What::Taken(constraint), start, end });
            }
        }
    }
    rows.sort_by_key(|row| {
        let start = row.start.or(row.end);
        (start.is_none(), start.map(instant))
    });
    rows
}

/// Bytes of "2026-01-26".
const DATE_BYTES: usize = 10;
/// Bytes of "2026-01-26T11:00:00".
const CIVIL_BYTES: usize = 19;

/// A time as a key of order: days of a journey by their number, instants by their minute, all else by its text.
fn instant(time: &str) -> (i64, &str) {
    let day = time.strip_prefix("Day ").and_then(|day| day.parse().ok());
    match day.or_else(|| utc_minute(time)) {
        Some(number) => (number, ""),
        None => (i64::MAX, time),
    }
}

/// Minutes since the epoch of "2026-01-26T11:00:00-05:00".
pub(super) fn utc_minute(time: &str) -> Option<i64> {
    civil_minute(time)?;
    Some(time.parse::<Timestamp>().ok()?.as_second().div_euclid(60))
}

/// The same by the clock on the wall, wherever that hangs.
pub(super) fn civil_minute(time: &str) -> Option<i64> {
    let wall = time.get(..CIVIL_BYTES).filter(|wall| wall.as_bytes()[DATE_BYTES] == b'T')?;
    let wall: DateTime = wall.parse().ok()?;
    Some(wall.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second().div_euclid(60))
}

/// A time as a reader of today says it: "11:00", with its date on another day, "Day 3".
pub(crate) fn clock(time: &str, today: &str) -> String {
    if civil_minute(time).is_none() {
        return shorten(&one_line(time), TIME_CHARS_MAX);
    }
    let (date, clock) = (&time[..DATE_BYTES], &time[11..16]);
    if today.get(..DATE_BYTES) == Some(date) { clock.to_owned() } else { format!("{date} {clock}") }
}

/// From when to when, as a reader of today says it.
pub(super) fn span(start: Option<&str>, end: Option<&str>, today: &str) -> String {
    match (start, end) {
        (Some(start), Some(end)) if start == end => clock(start, today),
        (Some(start), Some(end)) => {
            // The date of the end is said where it is another than that of the beginning.
            let base = if civil_minute(start).is_some() { start } else { today };
            format!("{}–{}", clock(start, today), clock(end, base))
        }
        (Some(start), None) => format!("from {}", clock(start, today)),
        (None, Some(end)) => format!("until {}", clock(end, today)),
        (None, None) => "no time".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{civil_minute, span, utc_minute};

    #[test]
    fn times_become_minutes() {
        assert_eq!(utc_minute("1970-01-01T00:00:00+00:00"), Some(0));
        assert_eq!(utc_minute("2026-01-26T11:00:00-05:00"), utc_minute("2026-01-26T16:00:00+00:00"));
        assert_eq!(utc_minute("2000-03-01T00:00:00+00:00"), Some(11_017 * 1440));
        assert_eq!(utc_minute("2024-02-29T00:01:00+00:00"), Some(19_782 * 1440 + 1));
        for none in
            ["", "Day 3", "11:00", "2026-01-26", "2026-01-26T11:00:00", "2026-01-26T11:00:00+å", "-2026-01-26T11:00"]
        {
            assert_eq!(utc_minute(none), None, "{none}");
        }
        assert!(civil_minute("2026-01-26T11:00:00").is_some());
    }

    #[track_caller]
    fn check(start: &str, end: &str, expect: &str) {
        let some = |text: &'static str| (!text.is_empty()).then_some(text);
        let (start, end) = (start.to_owned().leak(), end.to_owned().leak());
        assert_eq!(span(some(start), some(end), "2026-01-26T08:00:00-05:00"), expect);
    }

    #[test]
    fn times_are_said_as_a_reader_says_them() {
        check("2026-01-26T11:00:00-05:00", "2026-01-26T12:30:00-05:00", "11:00–12:30");
        check("2026-01-26T23:00:00-05:00", "2026-01-27T00:30:00-05:00", "23:00–2026-01-27 00:30");
        check("2026-01-27T23:00:00-05:00", "2026-01-27T23:30:00-05:00", "2026-01-27 23:00–23:30");
        check("2026-01-26T11:00:00-05:00", "", "from 11:00");
        check("", "2026-01-26T11:00:00-05:00", "until 11:00");
        check("Day 1", "Day 4", "Day 1–Day 4");
        check("Day 1", "Day 1", "Day 1");
        check("\u{1b}[31m", "", "from ⟨U+001B⟩[31m");
        check("", "", "no time");
    }
}
