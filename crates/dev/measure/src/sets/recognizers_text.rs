//! The English date-time cases of Recognizers-Text: `{"Input", "Context": {"ReferenceDateTime"}, "Results": [{"Text", "Type",
//! "Start", "Length", "Value": {"Timex", "FutureResolution", "PastResolution"}}]}`.
//!
//! A file judges one extractor or parser alone, of the type in its name: only expressions of that type count, and of an
//! expression of another type those parts (its day, its clock time, its length) that are of it.
//!
//! # How a reading is written in the notation of the set
//!
//! * dates `2016-11-07`, times `15:30:00`, both with a blank between; a duration in seconds, a month of 30 and a year of 365
//!   days; a day that is in no calendar is written as a date that does not exist.
//! * the end of a range of days is the day after the last one, but where the text names the end itself ("4 to 22"), it is that
//!   day, or the first day of a stretch that is named as the end.
//! * a range that ends with a day, where the text names no end, ends in its last second.
//! * parts of the day have fixed hours, see [`window`]; a middle ("mid-morning") is one moment.
//! * every value has a future and a past resolution; they are equal where the text leaves nothing open. A value is right if
//!   both are among the readings.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Time, time};
use jiff::tz::TimeZone;
use serde::Deserialize;
use steadfast_time::{Anchor, DayPart, Diagnostic, Edge, Expression, Length, PartName, PartRole, Reading, expressions};

use super::spans::{METRICS, Tally};
use super::{Reader, Set, Uses};
use crate::files::json;
use crate::row::is_tuned;
use crate::{Files, Means, MeasureError, Row};

pub(super) const SET: Set = Set {
    name: "recognizers_text",
    about: "time expressions of an engine's own test cases: spans and values",
    metrics: METRICS,
    read: Reader::of(Uses::Rules, read),
};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Case {
    input: String,
    context: Option<Context>,
    results: Vec<Expected>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Context {
    reference_date_time: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Expected {
    text: String,
    #[serde(default)]
    start: Option<usize>,
    value: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Value {
    #[serde(default)]
    future_resolution: BTreeMap<String, Option<String>>,
    #[serde(default)]
    past_resolution: BTreeMap<String, Option<String>>,
}

type Resolution = BTreeMap<String, String>;

const TYPES: &[(&str, &str)] = &[
    ("Date", "date"),
    ("Time", "time"),
    ("DatePeriod", "daterange"),
    ("TimePeriod", "timerange"),
    ("DateTime", "datetime"),
    ("DateTimePeriod", "datetimerange"),
    ("Duration", "duration"),
];

/// A found span with all values that it can have.
struct Hit {
    start: usize,
    end: usize,
    values: Vec<Resolution>,
    nowhere: bool,
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    for (name, kind) in TYPES {
        for role in ["Extractor", "Parser"] {
            let wanted = format!("DateTime_{name}{role}.json");
            for (file, bytes) in files.ending(&wanted) {
                let cases: Vec<Case> = json(file, bytes)?;
                for (index, case) in cases.iter().enumerate() {
                    rows.push(score(case, kind, format!("{file}:{index}"), is_tuned(index))?);
                }
            }
        }
    }
    if rows.is_empty() {
        let looked_for = "DateTime_{Date,Time,…}{Extractor,Parser}.json".to_owned();
        return Err(MeasureError::NoFile { set: SET.name, looked_for });
    }
    Ok(rows)
}

fn anchor(case: &Case, id: &str) -> Result<Anchor, MeasureError> {
    let reference = case.context.as_ref().and_then(|context| context.reference_date_time.as_deref());
    let at = reference.unwrap_or("2024-11-07T00:00:00").parse::<DateTime>();
    let at = at.and_then(|at| at.to_zoned(TimeZone::UTC));
    at.map(Anchor::new).map_err(|error| MeasureError::Form { file: id.to_owned(), what: error.to_string() })
}

fn score(case: &Case, kind: &str, id: String, tuned: bool) -> Result<Row, MeasureError> {
    let anchor = anchor(case, &id)?;
    let hits = hits(&expressions(&case.input, &anchor), kind, &anchor);
    let mut tally =
        Tally { found: hits.len(), wanted: case.results.len(), negative: case.results.is_empty(), ..Tally::default() };
    for expected in &case.results {
        let want = span(&case.input, expected);
        let Some(hit) = hits.iter().find(|hit| (hit.start, hit.end) == want) else { continue };
        tally.exact += 1;
        let Some(value) = &expected.value else { continue };
        let (future, past) = (resolution(&value.future_resolution), resolution(&value.past_resolution));
        if future.is_empty() && past.is_empty() {
            continue;
        }
        tally.valued += 1;
        let nowhere = hit.nowhere && (is_nowhere(&future) || is_nowhere(&past));
        tally.right += usize::from(nowhere || hit.values.contains(&future) && hit.values.contains(&past));
    }
    let shown = |values: Vec<&str>| values.join(" | ");
    let prediction = shown(hits.iter().filter_map(|hit| case.input.get(hit.start..hit.end)).collect());
    let label = shown(case.results.iter().map(|expected| expected.text.as_str()).collect());
    Ok(tally.row(id, tuned, prediction, label))
}

fn resolution(map: &BTreeMap<String, Option<String>>) -> Resolution {
    map.iter().filter_map(|(key, value)| Some((key.clone(), value.clone()?))).collect()
}

fn is_nowhere(resolution: &Resolution) -> bool {
    resolution.values().any(|value| value.starts_with("0001-01-01") || value.parse::<Date>().is_err())
}

/// The bytes of an expected result; its start counts characters, and where that is wrong, the text is looked up.
fn span(input: &str, expected: &Expected) -> (usize, usize) {
    let lower = input.to_lowercase();
    let text = expected.text.to_lowercase();
    let byte = expected.start.and_then(|start| input.char_indices().nth(start)).map(|(byte, _)| byte);
    let start = byte
        .filter(|byte| lower.get(*byte..).is_some_and(|rest| rest.starts_with(&text)))
        .or_else(|| lower.find(&text))
        .unwrap_or(usize::MAX / 2);
    (start, start + text.len())
}

fn hits(all: &[Expression], kind: &str, anchor: &Anchor) -> Vec<Hit> {
    let mut hits = Vec::new();
    for expression in all {
        let nowhere = expression.diagnostics.contains(&Diagnostic::NoSuchTime);
        let own = expression.readings.first().map(kind_of).or((nowhere).then_some("date"));
        if own == Some(kind) {
            hits.push(Hit {
                start: expression.span.start,
                end: expression.span.end,
                values: expression.readings.iter().filter_map(|it| written(it, expression, anchor)).collect(),
                nowhere,
            });
            continue;
        }
        for part in &expression.parts {
            let role = matches!(part.role, PartRole::Day | PartRole::Clock | PartRole::Length);
            if role && part.readings.first().map(kind_of) == Some(kind) {
                hits.push(Hit {
                    start: part.span.start,
                    end: part.span.end,
                    values: part.readings.iter().filter_map(|it| written(it, expression, anchor)).collect(),
                    nowhere: false,
                });
            }
        }
    }
    hits
}

/// The type that the set gives a reading.
fn kind_of(reading: &Reading) -> &'static str {
    match reading {
        Reading::Time(_) => "time",
        Reading::TimeRange { .. } => "timerange",
        Reading::Date(_) => "date",
        Reading::DateRange { .. } => "daterange",
        Reading::DateTime(_) => "datetime",
        Reading::DateTimeRange { .. } => "datetimerange",
        Reading::Duration { .. } => "duration",
        Reading::Recurrence(_) => "set",
        Reading::DayPart { part, date } => match (part.name, part.edge, date) {
            (PartName::EndOfDay, _, _) => "datetime",
            (_, Some(Edge::Mid), None) => "time",
            (_, _, None) => "timerange",
            (_, _, Some(_)) => "datetimerange",
        },
    }
}

fn pairs(entries: &[(&str, String)]) -> Resolution {
    entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
}

fn clock(time: Time) -> String {
    time.strftime("%H:%M:%S").to_string()
}

fn moment(at: DateTime) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// The hours that the set gives a part of the day; the early and late ends are its halves.
fn window(part: DayPart) -> (Time, Time) {
    let (from, to) = match part.name {
        PartName::Morning => (8, 12),
        PartName::Lunch => (11, 13),
        PartName::Afternoon => (12, 16),
        PartName::Evening => (16, 20),
        PartName::Night => (20, 24),
        PartName::BusinessHours => (8, 18),
        PartName::EndOfDay | PartName::CloseOfBusiness => (17, 24),
    };
    let middle = (from + to) / 2;
    let (from, to) = match part.edge {
        Some(Edge::Early) => (from, middle),
        Some(Edge::Late) => (middle, to),
        _ => (from, to),
    };
    let end = if to == 24 { time(23, 59, 59, 0) } else { time(to, 0, 0, 0) };
    (time(from, 0, 0, 0), end)
}

fn seconds(length: Length) -> f64 {
    let (years, months) = (length.months / 12, length.months % 12);
    let days = f64::from(years) * 365.0 + f64::from(months) * 30.0 + f64::from(length.days);
    days * 86_400.0 + length.clock.as_secs_f64()
}

/// A reading in the notation of the set.
fn written(reading: &Reading, expression: &Expression, anchor: &Anchor) -> Option<Resolution> {
    let end_part = expression.parts.iter().find(|part| part.role == PartRole::End);
    Some(match reading {
        Reading::Time(at) => pairs(&[("time", clock(*at))]),
        Reading::TimeRange { start, end } => pairs(&[("startTime", clock(*start)), ("endTime", clock(*end))]),
        Reading::Date(date) => pairs(&[("date", date.to_string())]),
        Reading::DateRange { first, last } => {
            let mut entries = Vec::new();
            if let Some(first) = first {
                entries.push(("startDate", first.to_string()));
            }
            if let Some(last) = last {
                let end = match end_part {
                    None => last.checked_add(1.day()).ok()?,
                    Some(part) => part
                        .readings
                        .iter()
                        .find_map(|own| match own {
                            Reading::DateRange { first: Some(first), last: Some(end) } if end == last => Some(*first),
                            Reading::DateRange { first: Some(first), last: Some(end) }
                                if end.month() == last.month() && end.day() == last.day() =>
                            {
                                Some(first.with().year(last.year()).build().ok()?)
                            }
                            _ => None,
                        })
                        .unwrap_or(*last),
                };
                entries.push(("endDate", end.to_string()));
            }
            pairs(&entries)
        }
        Reading::DateTime(at) => pairs(&[("dateTime", moment(*at))]),
        Reading::DateTimeRange { start, end } => {
            let mut entries = Vec::new();
            if let Some(start) = start {
                entries.push(("startDateTime", moment(*start)));
            }
            if let Some(end) = end {
                // A range that ends with the day is written up to its last second.
                let whole = end.time() == Time::midnight() && end_part.is_none();
                let end = if whole { end.checked_sub(1.second()).ok()? } else { *end };
                entries.push(("endDateTime", moment(end)));
            }
            pairs(&entries)
        }
        Reading::Duration { min, max } => {
            let value = seconds(max.unwrap_or(*min));
            pairs(&[("duration", format!("{value}"))])
        }
        Reading::DayPart { part, date } => {
            let (from, to) = window(*part);
            match (part.name, part.edge, date) {
                (PartName::EndOfDay, _, date) => {
                    let day = date.unwrap_or(anchor.today());
                    pairs(&[("dateTime", moment(day.at(23, 59, 59, 0)))])
                }
                (_, Some(Edge::Mid), None) => {
                    let hour = (i16::from(from.hour()) + i16::from(to.hour())) / 2;
                    pairs(&[("time", clock(time(hour as i8, 0, 0, 0)))])
                }
                (_, _, None) => pairs(&[("startTime", clock(from)), ("endTime", clock(to))]),
                (_, _, Some(day)) => pairs(&[
                    ("startDateTime", moment(day.to_datetime(from))),
                    ("endDateTime", moment(day.to_datetime(to))),
                ]),
            }
        }
        Reading::Recurrence(_) => return None,
    })
}
