//! The English tests of chrono, one assertion a line: `{"text", "ref", "start": {…}, "end": {…}, "match", "expect_none"}`.
//!
//! # How a reading is written in the notation of the set
//!
//! A result has a start and perhaps an end, each with the fields that the test looks at. Of a reading those fields are compared
//! that it says: a date has no hour, a clock time no day. A stretch of days begins with its first day, a length ends so long
//! after the reference. A part of the day has one hour, see [`hour_of`]. A stretch that a length makes of now ("within an hour",
//! "next 2 weeks") is the one moment at its far end.

use jiff::civil::{Date, DateTime, Time, date};
use jiff::tz::TimeZone;
use serde_json::Value;
use steadfast_time::{Anchor, DayPart, Expression, PartName, PartRole, Reading, expressions};

use super::spans::{METRICS, Tally};
use super::{Reader, Set, Uses};
use crate::files::examples;
use crate::row::is_tuned;
use crate::{Files, Means, MeasureError, Row};

pub(super) const SET: Set = Set {
    name: "chrono_en",
    about: "time expressions of another engine's tests: spans and values",
    metrics: METRICS,
    read: Reader::of(Uses::Rules, read),
};

/// A start or end: the day and the clock time that a reading says.
#[derive(Clone, Copy, Default)]
struct Side {
    day: Option<Date>,
    time: Option<Time>,
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    for (index, place, row) in examples::<Value>(files, SET.name, ".jsonl")? {
        rows.extend(score(&row, place, is_tuned(index))?);
    }
    Ok(rows)
}

/// A row, where the test says something that can be compared.
fn score(row: &Value, id: String, tuned: bool) -> Result<Option<Row>, MeasureError> {
    let reference = row["ref"].as_str().and_then(|it| it.parse::<DateTime>().ok());
    let negative = row["expect_none"].as_bool() == Some(true);
    let Some(reference) = reference.or_else(|| negative.then(|| date(2012, 8, 10).at(12, 0, 0, 0))) else {
        return Ok(None);
    };
    let form = |what: String| MeasureError::Form { file: id.clone(), what };
    let input = row["text"].as_str().ok_or_else(|| form("has no member `text`".to_owned()))?;
    let anchor = Anchor::new(reference.to_zoned(TimeZone::UTC).map_err(|error| form(error.to_string()))?);
    let all: Vec<_> = expressions(input, &anchor).into_iter().filter(|it| !it.readings.is_empty()).collect();
    let wanted = row["match"].as_str();
    if !negative && wanted.is_none() {
        return Ok(None);
    }
    let mut tally = Tally { wanted: usize::from(!negative), found: all.len(), negative, ..Tally::default() };
    if let Some(hit) = all.iter().find(|it| !negative && input.get(it.span.clone()) == wanted) {
        let fits = |(start, end): (Side, Side)| matches(&row["start"], start) && matches(&row["end"], end);
        let right = hit.readings.iter().filter_map(|reading| sides(reading, hit, &anchor)).any(fits);
        (tally.exact, tally.valued, tally.right) = (1, 1, usize::from(right));
    }
    let found: Vec<&str> = all.iter().filter_map(|it| input.get(it.span.clone())).collect();
    Ok(Some(tally.row(id, tuned, found.join(" | "), wanted.unwrap_or_default().to_owned())))
}

fn hour_of(part: DayPart) -> i8 {
    match part.name {
        PartName::Morning => 6,
        PartName::Lunch => 12,
        PartName::Afternoon => 15,
        PartName::Evening => 20,
        PartName::Night => 22,
        PartName::BusinessHours => 9,
        PartName::EndOfDay | PartName::CloseOfBusiness => 17,
    }
}

fn sides(reading: &Reading, expression: &Expression, anchor: &Anchor) -> Option<(Side, Side)> {
    let none = Side::default();
    let day = |day: Option<Date>| Side { day, time: None };
    let time = |time: Time| Side { day: None, time: Some(time) };
    let both = |at: DateTime| Side { day: Some(at.date()), time: Some(at.time()) };
    let from_now = expression.parts.iter().any(|part| part.role == PartRole::Length)
        && !expression.parts.iter().any(|part| part.role == PartRole::Start);
    let today = anchor.today();
    Some(match reading {
        Reading::DateRange { first: Some(first), last: Some(last) } if from_now => {
            (day(Some(if *last >= today { *last } else { *first })), none)
        }
        Reading::DateTimeRange { start: Some(start), end: Some(end) } if from_now => {
            (both(if *start == anchor.now.datetime() { *end } else { *start }), none)
        }
        Reading::Time(at) => (time(*at), none),
        Reading::TimeRange { start, end } => (time(*start), time(*end)),
        Reading::Date(at) => (day(Some(*at)), none),
        Reading::DateRange { first, last } => (day(*first), day(*last)),
        Reading::DateTime(at) => (both(*at), none),
        Reading::DateTimeRange { start, end } => (start.map_or(none, both), end.map_or(none, both)),
        Reading::Duration { max, .. } => {
            let span = (*max)?.span()?;
            (both(anchor.now.checked_add(span).ok()?.datetime()), none)
        }
        Reading::DayPart { part, date } => {
            (Side { day: *date, time: Some(jiff::civil::time(hour_of(*part), 0, 0, 0)) }, none)
        }
        Reading::Recurrence(_) => return None,
    })
}

/// Whether a side has the fields that the test looks at, as far as the reading says them.
fn matches(fields: &Value, side: Side) -> bool {
    let Some(fields) = fields.as_object() else { return true };
    let number = |name: &str| fields.get(name).and_then(Value::as_i64);
    let full = fields.get("date").and_then(Value::as_str).and_then(|it| it.parse::<DateTime>().ok());
    let day_fits = side.day.is_none_or(|day| {
        number("year").is_none_or(|it| it == i64::from(day.year()))
            && number("month").is_none_or(|it| it == i64::from(day.month()))
            && number("day").is_none_or(|it| it == i64::from(day.day()))
            && full.is_none_or(|it| it.date() == day)
    });
    let time_fits = side.time.is_none_or(|time| {
        number("hour").is_none_or(|it| it == i64::from(time.hour()))
            && number("minute").is_none_or(|it| it == i64::from(time.minute()))
            && number("second").is_none_or(|it| it == i64::from(time.second()))
            && full.is_none_or(|it| it.hour() == time.hour() && it.minute() == time.minute())
    });
    let asked = !fields.is_empty() && (number("year").is_some() || number("hour").is_some() || full.is_some());
    day_fits && time_fits && !(asked && side.day.is_none() && side.time.is_none())
}
