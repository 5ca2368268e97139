//! Natural Plan: requests in prose for a meeting, a day of meetings, a journey, and plans that models made for them, labelled.
//!
//! Rows are told apart by their members, not by their files: a request with machine-readable constraints (`constraints`, `prompt_0shot`),
//! a request with its golden slot (`task`, `golden`), a plan with its label (`id`, `task`, `plan`, `valid`). Requests and plans are read and
//! checked by the code that serves `steadfast plan check`; of a request's preamble for chat models only what follows "TASK:" is read.
//! A plan belongs to the part, tuned or kept aside, of its request.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, Zoned};
use serde_json::Value;
use steadfast_evidence::{Evaluated, FileId};
use steadfast_plan::free::{Reading, free};
use steadfast_plan::window::{holds, merged, without};
use steadfast_plan::{Given, Interval, Notes, Rule, Settings, Status, check};
use steadfast_text::{Document, Format};

use super::drift::{metric, one_if, ratio, share};
use super::{Reader, Set, Uses};
use crate::files::json_lines;
use crate::row::is_tuned;
use crate::{Count, Files, Means, MeasureError, Row, Statistic};

pub(super) const SET: Set = Set {
    name: "natural_plan",
    about: "verdicts on plans for requests in prose, and the constraints that are read in these",
    metrics: &[
        metric("balanced_accuracy/calendar", Statistic::Balanced, Some(0.964), None),
        metric("soft_preferences/calendar", Statistic::Balanced, None, None),
        metric("balanced_accuracy/meeting", Statistic::Balanced, Some(0.967), None),
        metric("balanced_accuracy/trip", Statistic::Balanced, Some(0.986), None),
        metric("undisputed/meeting", Statistic::Balanced, None, None),
        metric("undisputed/trip", Statistic::Balanced, None, None),
        ratio("interval_f1", None, None),
        ratio("golden_slot_free", None, None),
    ],
    read: Reader::of(Uses::Rules, read),
};

/// A request with what is known of it.
struct Request {
    text: String,
    constraints: Value,
    tuned: bool,
    /// The notes read with wishes hard and soft.
    notes: [Notes; 2],
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut requests: BTreeMap<String, Request> = BTreeMap::new();
    let (mut plans, mut rows) = (Vec::new(), Vec::new());
    for (name, bytes) in files.ending(".jsonl") {
        for (index, row) in json_lines::<Value>(name, bytes)?.into_iter().enumerate() {
            let id = text(&row["id"]).to_owned();
            let tuned = is_tuned(index);
            if let (Some(prompt), true) = (row["prompt_0shot"].as_str(), row["constraints"].is_object()) {
                let text = own_words(prompt).to_owned();
                let notes = [true, false].map(|hard| noted(&text, &settings(hard)));
                let request = Request { constraints: row["constraints"].clone(), tuned, notes, text };
                rows.extend(intervals(&id, &request));
                requests.insert(id, request);
            } else if let (Some(task), Some(golden)) = (row["task"].as_str(), row["golden"].as_str()) {
                rows.extend(golden_slot(&id, task, golden, tuned));
            } else if row["valid"].is_boolean() {
                plans.push((format!("{name}:{}", index + 1), row));
            }
        }
    }
    for (place, row) in &plans {
        let Some(request) = requests.get(text(&row["id"])) else { continue };
        rows.push(verdict(place, row, request));
    }
    if rows.is_empty() {
        return Err(MeasureError::NoFile {
            set: SET.name,
            looked_for: "*.jsonl with requests, plans or slots".to_owned(),
        });
    }
    Ok(rows)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The request itself, without what is said to a chat model around it.
fn own_words(prompt: &str) -> &str {
    let from = prompt.rfind("TASK:").map_or(0, |at| at + "TASK:".len());
    let rest = &prompt[from..];
    rest.split("SOLUTION:").next().unwrap_or(rest)
}

fn settings(preferences_hard: bool) -> Settings {
    Settings { preferences_hard, ..Settings::default() }
}

/// The days of these requests have no date: a Monday stands for theirs.
fn now() -> Option<Zoned> {
    date(2024, 1, 1).to_zoned(TimeZone::UTC).ok()
}

fn noted(text: &str, settings: &Settings) -> Notes {
    let document = Document::from_str_as(text, Format::Plain);
    let now = now().unwrap_or_else(|| Timestamp::UNIX_EPOCH.to_zoned(TimeZone::UTC));
    steadfast_plan::ask::read(FileId(0), &document, &now, settings)
}

/// So many hours after the beginning of a weekday.
fn at(weekday: &str, hours: f64) -> Option<Timestamp> {
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let day = days.iter().position(|day| *day == weekday.trim().to_lowercase())?;
    let minutes = i64::try_from(day).ok()? * 24 * 60 + (hours * 60.0).round() as i64;
    now()?.timestamp().checked_add(minutes.minutes()).ok()
}

/// "9:30" as hours.
fn hours(clock: &str) -> Option<f64> {
    let (hour, minute) = clock.trim().split_once(':')?;
    Some(hour.parse::<f64>().ok()? + minute.parse::<f64>().ok()? / 60.0)
}

fn interval(weekday: &str, from: f64, until: f64) -> Option<Interval> {
    Some(Interval::new(at(weekday, from)?, at(weekday, until)?))
}

/// Busy intervals that are read against those that the set gives, merged on both sides; meetings alone have them.
fn intervals(id: &str, request: &Request) -> Option<Row> {
    let ranges = request.constraints["disallowed_ranges"].as_array()?;
    let wanted: Vec<Interval> = ranges
        .iter()
        .filter_map(|range| interval(text(&range["day"]), range["start"].as_f64()?, range["end"].as_f64()?))
        .collect();
    let days: BTreeSet<&str> = ranges.iter().map(|range| text(&range["day"])).collect();
    let whole = merged(days.iter().filter_map(|day| interval(day, 0.0, 24.0)).collect());
    let mut busy = Vec::new();
    for constraint in &request.notes[0].constraints {
        match bare(&constraint.rule) {
            Rule::Blocked { when, .. } | Rule::FixedEvent { when, .. } => busy.extend(when.first().iter().copied()),
            Rule::Availability { when, .. } => busy.extend(without(&whole, &merged(when.first().clone()))),
            _ => {}
        }
    }
    let (wanted, busy) = (merged(wanted), merged(busy));
    let shared = wanted.iter().filter(|interval| busy.contains(interval)).count();
    let counts = [2.0 * shared as f64, (wanted.len() + busy.len()) as f64, 0.0, 0.0];
    Some(Row {
        id: id.to_owned(),
        prediction: format!("{} busy intervals", busy.len()),
        score: None,
        label: format!("{} busy intervals, {shared} of them read", wanted.len()),
        tuned: request.tuned,
        group: None,
        counts: vec![Count { metric: "interval_f1", counts }],
    })
}

fn bare(rule: &Rule) -> &Rule {
    match rule {
        Rule::Preference { wish } => wish,
        rule => rule,
    }
}

/// Whether the golden slot lies in the time that is free for everybody.
fn golden_slot(id: &str, task: &str, golden: &str, tuned: bool) -> Option<Row> {
    let settings = settings(true);
    let notes = noted(own_words(task), &settings);
    let (weekday, clock) = golden.rsplit("time: ").next()?.split_once(", ")?;
    let (from, until) = clock.split_once(" - ")?;
    let slot = interval(weekday, hours(from)?, hours(until)?)?;
    let mut windows = free(&notes, &settings, Reading::Generous, true).windows;
    for constraint in &notes.constraints {
        if let Rule::Blocked { who: Some(_), when, .. } = bare(&constraint.rule) {
            windows = without(&windows, &merged(when.first().clone()));
        }
    }
    let free = holds(&merged(windows), slot);
    Some(Row {
        id: id.to_owned(),
        prediction: if free { "free" } else { "not free" }.to_owned(),
        score: None,
        label: golden.to_owned(),
        tuned,
        group: None,
        counts: vec![share("golden_slot_free", free)],
    })
}

/// The verdict on somebody's plan against its label.
fn verdict(place: &str, row: &Value, request: &Request) -> Row {
    let valid = row["valid"].as_bool() == Some(true);
    let items = items(row);
    let passes = |hard: bool| {
        let readable = items.iter().any(|item| item.start.as_deref().is_some_and(|start| !start.trim().is_empty()));
        let notes = &request.notes[usize::from(!hard)];
        readable
            && matches!(check(notes, &items, &settings(hard)), Evaluated::Value(validation) if validation.status == Status::Pass)
    };
    let passed = passes(true);
    let count = |metric: &'static str, passed: bool| {
        let counts = [one_if(valid && passed), one_if(valid), one_if(!valid && !passed), one_if(!valid)];
        Count { metric, counts }
    };
    let disputed = disputed(row, request);
    let counts = match text(&row["task"]) {
        "calendar" => {
            vec![count("balanced_accuracy/calendar", passed), count("soft_preferences/calendar", passes(false))]
        }
        "meeting" => with_undisputed(
            count("balanced_accuracy/meeting", passed),
            count("undisputed/meeting", passed),
            disputed.is_none(),
        ),
        _ => with_undisputed(
            count("balanced_accuracy/trip", passed),
            count("undisputed/trip", passed),
            disputed.is_none(),
        ),
    };
    let mut label = if valid { "valid" } else { "invalid" }.to_owned();
    if let Some(why) = disputed {
        label = format!("{label} (disputed: {why})");
    }
    Row {
        id: format!("{place} {}", text(&row["id"])),
        prediction: if passed { "pass" } else { "fail" }.to_owned(),
        score: None,
        label,
        tuned: request.tuned,
        group: None,
        counts,
    }
}

fn with_undisputed(all: Count, undisputed: Count, is_undisputed: bool) -> Vec<Count> {
    if is_undisputed { vec![all, undisputed] } else { vec![all] }
}

/// The items of a plan as plain values. A calendar's slot names its day apart.
fn items(row: &Value) -> Vec<Given> {
    let own = |value: &Value| value.as_str().map(str::to_owned);
    let plan = &row["plan"];
    if let Some(itinerary) = plan["itinerary"].as_array() {
        return itinerary
            .iter()
            .map(|item| Given {
                start: own(&item["start_time"]).or_else(|| own(&item["day_range"])),
                end: own(&item["end_time"]),
                place: own(&item["location"]).or_else(|| own(&item["place"])),
                with: own(&item["person"]).into_iter().collect(),
                ..Given::default()
            })
            .collect();
    }
    let moment = |clock: &Value| {
        let at = hours(text(clock)).and_then(|hours| at(text(&plan["day"]), hours));
        at.map(|at| at.to_string()).or_else(|| own(clock))
    };
    vec![Given { start: moment(&plan["start_time"]), end: moment(&plan["end_time"]), ..Given::default() }]
}

/// Why a label may be disputed, from what the set itself says of the request: somebody or something is named that it does not
/// name, a stay is shorter than it asks, a time cannot be read, days are miscounted.
fn disputed(row: &Value, request: &Request) -> Option<&'static str> {
    let itinerary = row["plan"]["itinerary"].as_array()?;
    let constraints = &request.constraints;
    if let Some(people) = constraints["people_to_meet"].as_array() {
        for item in itinerary {
            let Some(person) = people.iter().find(|person| person["name"] == item["person"]) else {
                return Some("names somebody whom the request does not");
            };
            let (Some(from), Some(until)) = (hours(text(&item["start_time"])), hours(text(&item["end_time"]))) else {
                return Some("a time cannot be read");
            };
            let least = person["min_meeting_duration"].as_f64().unwrap_or_default();
            if ((until - from) * 60.0).round() < least {
                return Some("stays below the stated minimum");
            }
        }
        return None;
    }
    let mut last = 0;
    for item in itinerary {
        if !request.text.contains(text(&item["place"])) {
            return Some("names a place that the request does not");
        }
        let Some((from, until)) = days(text(&item["day_range"])) else { return Some("a time cannot be read") };
        last = last.max(until);
        let stated = constraints["city_length"].as_array().into_iter().flatten();
        let asked = stated.filter(|city| city["city"] == item["place"]).find_map(|city| city["days"].as_i64());
        if asked.is_some_and(|asked| until - from + 1 != asked) {
            return Some("days are miscounted");
        }
    }
    (constraints["trip_length"].as_i64() != Some(last)).then_some("days are miscounted")
}

/// "Day 3-5" as its first and last day.
fn days(range: &str) -> Option<(i64, i64)> {
    let rest = range.trim().strip_prefix("Day")?.trim();
    let (from, until) = rest.split_once('-').unwrap_or((rest, rest));
    Some((from.trim().parse().ok()?, until.trim().parse().ok()?))
}
