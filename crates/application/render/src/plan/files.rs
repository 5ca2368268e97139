//! A plan as files that other programs read: events of a calendar, and task lines of notes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::Timestamp;
use sha2::{Digest, Sha256};
use steadfast_wire::plan::{PlanChange, PlanFile, PlanResponse, Status};

use super::day::{span, utc_minute};
use crate::markdown::escape::escape;
use crate::plain::one_line;

/// Bytes of a line of a calendar, without its end (RFC 5545, section 3.1).
const CALENDAR_LINE_BYTES_MAX: usize = 75;

/// Characters of what an event is called, and of what is said of it.
const TEXT_CHARS_MAX: usize = 1_000;

/// A plan as a file, and how many of its items have no times and so no place in it.
#[must_use]
pub fn file(response: &PlanResponse, file: PlanFile) -> (String, usize) {
    match file {
        PlanFile::Ics => ics(response),
        PlanFile::Tasks => (tasks(response), 0),
    }
}

/// The media type of such a file.
#[must_use]
pub const fn file_media(file: PlanFile) -> &'static str {
    match file {
        PlanFile::Ics => "text/calendar",
        PlanFile::Tasks => "text/markdown",
    }
}

/// A plan as an iCalendar file: an event for each item that has times, in UTC, tentative where the plan is rejected. An item has the same UID in every plan of the
/// day that holds it, so that a later plan moves the event instead of adding one; the stamp is the plan's current time. Also gives how many items have no times.
fn ics(response: &PlanResponse) -> (String, usize) {
    let mut out = String::new();
    let day = response.current_time.get(..10).unwrap_or_default();
    let stamp = utc_minute(&response.current_time).map(utc).unwrap_or_default();
    let status = if response.status == Status::Recommended { "CONFIRMED" } else { "TENTATIVE" };
    for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Steadfast//steadfast plan//EN", "METHOD:PUBLISH"] {
        fold(&mut out, line);
    }
    let mut left_out = 0;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for item in &response.plan {
        let task = one_line(&item.task);
        let count = seen.entry(task.clone()).or_default();
        *count += 1;
        let minutes = |time: Option<&String>| time.and_then(|time| utc_minute(time));
        let (Some(start), Some(end)) = (minutes(item.start.as_ref()), minutes(item.end.as_ref())) else {
            left_out += 1;
            continue;
        };
        let hash = Sha256::digest(format!("{day}\n{task}\n{count}"));
        let uid: String = hash.iter().take(16).fold(String::new(), |mut uid, byte| {
            let _ = write!(uid, "{byte:02x}");
            uid
        });
        let place = item.place.as_ref().map(|place| format!("LOCATION:{}", escaped(place)));
        let lines = [
            "BEGIN:VEVENT".to_owned(),
            format!("UID:{uid}@steadfast"),
            format!("DTSTAMP:{stamp}"),
            format!("DTSTART:{}", utc(start)),
            format!("DTEND:{}", utc(end)),
            format!("SUMMARY:{}", escaped(&item.task)),
            format!("DESCRIPTION:{}", escaped(&item.why)),
            format!("STATUS:{status}"),
        ];
        lines.into_iter().chain(place).chain(["END:VEVENT".to_owned()]).for_each(|line| fold(&mut out, &line));
    }
    fold(&mut out, "END:VCALENDAR");
    (out, left_out)
}

/// A plan as task lines of Markdown in the order of the day, "- [ ] 09:00–09:45 Write the report"; what an earlier plan had done is checked off.
fn tasks(response: &PlanResponse) -> String {
    let mut out = String::new();
    let today = response.current_time.as_str();
    let mut line = |mark: &str, start: Option<&str>, end: Option<&str>, task: &str| {
        let when = span(start, end, today);
        let gap = if when.is_empty() { "" } else { " " };
        let _ = writeln!(out, "- [{mark}] {when}{gap}{}", escape(&one_line(task)));
    };
    for own in response.moved.iter().flatten().filter(|own| own.change == PlanChange::Kept) {
        let ends = own.to.as_ref().map(|times| (times.start.as_deref(), times.end.as_deref())).unwrap_or_default();
        line("x", ends.0, ends.1, &own.task);
    }
    for item in &response.plan {
        line(" ", item.start.as_deref(), item.end.as_deref(), &item.task);
    }
    out
}

/// Minutes since the epoch as a calendar writes them: "20260126T143000Z".
fn utc(minutes: i64) -> String {
    let at = Timestamp::from_second(minutes.saturating_mul(60)).unwrap_or_default();
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// A text as a calendar writes it, on one line.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in one_line(text).chars().take(TEXT_CHARS_MAX) {
        if matches!(character, '\\' | ';' | ',') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// Adds a line, folded where it is long.
fn fold(out: &mut String, line: &str) {
    let mut room = CALENDAR_LINE_BYTES_MAX;
    for character in line.chars() {
        if character.len_utf8() > room {
            out.push_str("\r\n ");
            room = CALENDAR_LINE_BYTES_MAX - 1;
        }
        room -= character.len_utf8();
        out.push(character);
    }
    out.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_written_in_utc() {
        let said = |time: &str| utc_minute(time).map(utc).unwrap_or_default();
        assert_eq!(said("2026-01-26T09:30:00-05:00"), "20260126T143000Z");
        assert_eq!(said("2024-02-29T23:59:00+00:00"), "20240229T235900Z");
        assert_eq!(said("1969-12-31T23:00:00-01:00"), "19700101T000000Z");
        assert_eq!(said("2026-03-01T00:30:00+01:00"), "20260228T233000Z");
    }

    #[test]
    fn long_lines_are_folded_between_characters() {
        let mut out = String::new();
        fold(&mut out, &format!("SUMMARY:{}", "é".repeat(80)));
        let lines: Vec<&str> = out.trim_end().split("\r\n").collect();
        assert!(lines.iter().all(|line| line.len() <= CALENDAR_LINE_BYTES_MAX), "{lines:?}");
        assert_eq!(lines.join("").replace(' ', ""), format!("SUMMARY:{}", "é".repeat(80)));
        assert_eq!(escaped("a, b; c\\\nd"), "a\\, b\\; c\\\\ d");
    }
}
