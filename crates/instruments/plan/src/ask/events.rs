//! Times as notes write them, events at their times, and how long they last where nothing is said.

use jiff::civil::time;
use steadfast_time::{Anchor, DayPart, Expression, Part, PartName, PartRole, Reading};

use super::clauses::Clause;
use super::cues::Cue;
use super::words::words;

/// The expressions of a line: those of prose, and beside them what only notes write, a bare range at the end of what it belongs
/// to ("lunch with Ana 12–1") and the parts of a day without an article ("over lunch", "ideally mornings").
pub(super) fn times(text: &str, anchor: &Anchor) -> Vec<Expression> {
    let mut found = super::times_of(text, anchor);
    let mut more: Vec<Expression> = Vec::new();
    let all = words(text);
    let free = |start: usize, end: usize, found: &[Expression]| {
        let at = found.partition_point(|it| it.span.end <= start);
        found.get(at).is_none_or(|it| {
            let from = it.limit.as_ref().map_or(it.span.start, |limit| limit.span.start.min(it.span.start));
            from >= end
        })
    };
    for (at, word) in all.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| all.get(at)).map_or("", |word| word.low.as_str());
        let part = match word.low.as_str() {
            "lunch" | "lunchtime"
                if matches!(before, "over" | "during" | "through" | "at" | "after" | "before" | "until" | "post") =>
            {
                Some(PartName::Lunch)
            }
            "mornings" | "morning" if !matches!(before, "good") => Some(PartName::Morning),
            "afternoons" | "afternoon" => Some(PartName::Afternoon),
            "evenings" => Some(PartName::Evening),
            _ => None,
        };
        let span = word.range.clone();
        if let Some(name) = part.filter(|_| free(span.start, span.end, &found)) {
            let limit = limit_of(before, at.checked_sub(1).and_then(|at| all.get(at)));
            let reading = Reading::DayPart { part: DayPart { name, edge: None }, date: None };
            more.push(expression(span, vec![reading], limit, Vec::new()));
        }
    }
    for (start, end, first, last) in bare_ranges(text) {
        if free(start, end, &found) {
            let readings = range_readings(first, last);
            let parts = Vec::new();
            if !readings.is_empty() {
                more.push(expression(start..end, readings, None, parts));
            }
        }
    }
    if !more.is_empty() {
        found.extend(more);
        found.sort_by_key(|it| (it.span.start, it.span.end));
        let mut end = 0;
        found.retain(|it| {
            let keeps = it.span.start >= end;
            if keeps {
                end = it.span.end;
            }
            keeps
        });
    }
    found
}

fn limit_of(before: &str, word: Option<&super::words::Word>) -> Option<steadfast_time::LimitWord> {
    use steadfast_time::Limit;
    let limit = match before {
        "after" | "post" => Limit::After,
        "before" => Limit::Before,
        "until" => Limit::Until,
        _ => return None,
    };
    Some(steadfast_time::LimitWord { limit, span: word?.range.clone() })
}

fn expression(
    span: std::ops::Range<usize>,
    readings: Vec<Reading>,
    limit: Option<steadfast_time::LimitWord>,
    parts: Vec<(std::ops::Range<usize>, PartRole)>,
) -> Expression {
    let parts = parts.into_iter().map(|(span, role)| Part { span, role, readings: Vec::new() }).collect();
    Expression { span, readings, limit, zone: None, approximate: false, diagnostics: Vec::new(), parts }
}

type Clock = (i8, i8);

/// "12–1", "9:30-11" where nothing follows that makes a count of it: start, end, and the two clock times.
fn bare_ranges(text: &str) -> Vec<(usize, usize, Clock, Clock)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        let glued = text[..start].chars().next_back().is_some_and(|c| c.is_alphanumeric() || "$€£#.:/+-–_".contains(c));
        let Some((first, next)) = clock(text, at) else {
            at += bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            continue;
        };
        at = next;
        let dash =
            ["-", "\u{2013}", "\u{2014}"].iter().find_map(|dash| text[at..].strip_prefix(dash).map(|_| dash.len()));
        let Some(dash) = dash else { continue };
        let Some((last, end)) = clock(text, at + dash) else { continue };
        let after = text[end..].trim_start_matches(' ');
        let counts = after.starts_with(|c: char| c.is_alphanumeric() || "%$€£/-–:.°".contains(c))
            && !after.starts_with(". ")
            && after != ".";
        let colon = text[start..end].contains(':');
        let follows = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let unit = matches!(
            follows,
            "min"
                | "mins"
                | "minutes"
                | "minute"
                | "h"
                | "hr"
                | "hrs"
                | "hours"
                | "hour"
                | "day"
                | "days"
                | "weeks"
                | "week"
                | "pages"
                | "people"
                | "x"
                | "times"
                | "items"
                | "of"
                | "am"
                | "pm"
                | "km"
                | "k"
                | "m"
                | "kids"
                | "players"
                | "years"
                | "year"
                | "months"
        );
        if !glued && !unit && (!counts || colon || end == text.len()) {
            out.push((start, end, first, last));
        }
        at = end;
    }
    out
}

/// A clock time without am or pm that begins at `at`, and where it ends.
fn clock(text: &str, at: usize) -> Option<(Clock, usize)> {
    let bytes = text.as_bytes();
    let digits = bytes.get(at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=2).contains(&digits) {
        return None;
    }
    let hour: i8 = text.get(at..at + digits)?.parse().ok()?;
    let mut end = at + digits;
    let mut minute = 0;
    let colon = bytes.get(end) == Some(&b':') || bytes.get(end) == Some(&b'.');
    if colon && bytes.get(end + 1..end + 3).is_some_and(|two| two.iter().all(u8::is_ascii_digit)) {
        minute = text.get(end + 1..end + 3)?.parse().ok()?;
        end += 3;
    }
    let longer = bytes.get(end).is_some_and(u8::is_ascii_digit);
    (hour <= 24 && minute < 60 && !longer && (hour < 24 || minute == 0)).then_some(((hour, minute), end))
}

fn range_readings(first: Clock, last: Clock) -> Vec<Reading> {
    let minute = |(hour, minute): Clock| i32::from(hour) * 60 + i32::from(minute);
    let (from, to) = (minute(first), minute(last));
    if first.0 == 0 || first.0 > 12 || last.0 > 12 {
        return reading(from, to).into_iter().collect();
    }
    // The end is the next time that the clock shows so after the start.
    let from = from % 720;
    let length = (to - from).rem_euclid(720);
    if length == 0 {
        return Vec::new();
    }
    [from, from + 720].into_iter().filter_map(|from| reading(from, from + length)).collect()
}

fn reading(from: i32, to: i32) -> Option<Reading> {
    let at = |minute: i32| {
        let minute = minute.rem_euclid(1440);
        Some(time(i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?, 0, 0))
    };
    (from != to).then_some(Reading::TimeRange { start: at(from)?, end: at(to)? })
}

/// How long things last of which nothing is said, in minutes.
const USUAL_MINUTES: &[(&[&str], i64)] = &[
    (&["standup", "stand-up", "scrum", "daily"], 15),
    (
        &[
            "call",
            "sync",
            "1:1",
            "1-1",
            "one-on-one",
            "check-in",
            "checkin",
            "catch-up",
            "catchup",
            "interview",
            "coffee",
            "pick-up",
            "pickup",
            "pick",
            "drop-off",
            "dropoff",
            "drop",
            "delivery",
            "collect",
        ],
        30,
    ),
];

/// What all else lasts.
const USUAL_MINUTES_ELSE: i64 = 60;

/// How long an event of these words usually lasts, in minutes.
pub(super) fn usual_minutes(clause: &Clause<'_>) -> i64 {
    let known = clause.words.iter().find_map(|word| {
        USUAL_MINUTES.iter().find(|(names, _)| names.contains(&word.low.as_str())).map(|(_, minutes)| *minutes)
    });
    known.unwrap_or(USUAL_MINUTES_ELSE)
}

/// Whether the words name something that takes place.
pub(super) fn names_event(clause: &Clause<'_>) -> bool {
    clause.has(Cue::Event)
}
