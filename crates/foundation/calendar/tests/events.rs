//! Events of a day, as the calendars of people have them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use jiff::civil::date;
use jiff::tz::TimeZoneDatabase;
use proptest::prelude::*;
use steadfast_calendar::{
    CALENDAR_BYTES_MAX, DEPTH_MAX, Day, EVENTS_MAX, EventsOfDay, LINES_MAX, RULE_BYTES_MAX, read,
};

/// Monday, 26 January 2026, in Toronto.
fn day(zones: &TimeZoneDatabase) -> Day {
    Day { date: date(2026, 1, 26), zone: zones.get("America/Toronto").unwrap() }
}

fn calendar(body: &str) -> String {
    format!("BEGIN:VCALENDAR\nVERSION:2.0\n{body}END:VCALENDAR\n").replace('\n', "\r\n")
}

fn event(body: &str) -> String {
    calendar(&format!("BEGIN:VEVENT\nUID:1\nSUMMARY:Standup\n{body}END:VEVENT\n"))
}

fn of(text: &str) -> EventsOfDay {
    let zones = TimeZoneDatabase::bundled();
    read(text, &day(&zones), &zones).unwrap()
}

/// The events of the day by the clock of Toronto, and what takes no time, in one line.
#[track_caller]
fn check(text: &str, expect: &str) {
    let zone = TimeZoneDatabase::bundled().get("America/Toronto").unwrap();
    let found = of(text);
    let clock = |at: jiff::Timestamp| at.to_zoned(zone.clone()).strftime("%d %H:%M").to_string();
    let events = found.events.iter().map(|it| format!("{} {}–{}", it.name, clock(it.start), clock(it.end)));
    let others = found.passed_over.iter().map(|it| format!("{}: {}", it.name, it.why.text()));
    assert_eq!(events.chain(others).collect::<Vec<_>>().join(" | "), expect);
}

#[track_caller]
fn refused(text: &str, expect: &str) {
    let zones = TimeZoneDatabase::bundled();
    assert_eq!(read(text, &day(&zones), &zones).unwrap_err().to_string(), expect);
}

#[test]
fn times_are_read_in_their_zones() {
    check(&event("DTSTART:20260126T143000Z\nDTEND:20260126T150000Z\n"), "Standup 26 09:30–26 10:00");
    check(&event("DTSTART:20260126T093000\nDURATION:PT15M\n"), "Standup 26 09:30–26 09:45");
    check(
        &event("DTSTART;TZID=Europe/Berlin:20260126T160000\nDTEND;TZID=Europe/Berlin:20260126T170000\n"),
        "Standup 26 10:00–26 11:00",
    );
    check(
        &event("DTSTART;TZID=\"/example.org/1/Europe/Berlin\":20260126T160000\nDTEND:20260126T160000Z\n"),
        "Standup 26 10:00–26 11:00",
    );
    check(&event("DTSTART:20260127T020000Z\nDTEND:20260127T070000Z\n"), "Standup 26 21:00–27 02:00");
    for other in
        ["DTSTART:20260127T143000Z\nDTEND:20260127T150000Z\n", "DTSTART:20260125T200000\nDTEND:20260126T000000\n"]
    {
        check(&event(other), "");
    }
}

#[test]
fn what_takes_no_time_is_told() {
    check(&event("DTSTART;VALUE=DATE:20260126\n"), "Standup: it is of the whole day");
    check(&event("DTSTART;VALUE=DATE:20260124\nDTEND;VALUE=DATE:20260127\n"), "Standup: it is of the whole day");
    check(&event("DTSTART;VALUE=DATE:20260124\nDTEND;VALUE=DATE:20260126\n"), "");
    check(&event("DTSTART;VALUE=DATE:20250126\nRRULE:FREQ=YEARLY\n"), "Standup: it is of the whole day");
    check(&event("DTSTART:20260126T093000\nDURATION:PT1H\nTRANSP:TRANSPARENT\n"), "Standup: it is marked as free");
    check(&event("DTSTART:20260126T093000\nDURATION:PT1H\nSTATUS:CANCELLED\n"), "Standup: it is cancelled");
    check(&event("DTSTART:20260126T093000\n"), "Standup: it ends when it begins");
}

#[test]
fn events_recur_by_the_clock_of_their_zone() {
    let weekly = "DTSTART;TZID=America/Toronto:20250707T093000\nDTEND;TZID=America/Toronto:20250707T094500\n";
    check(&event(&format!("{weekly}RRULE:FREQ=WEEKLY;BYDAY=MO,WE\n")), "Standup 26 09:30–26 09:45");
    check(&event(&format!("{weekly}RRULE:FREQ=WEEKLY;INTERVAL=2\n")), "");
    check(&event(&format!("{weekly}RRULE:FREQ=WEEKLY;UNTIL=20260126T143000Z\n")), "Standup 26 09:30–26 09:45");
    check(&event(&format!("{weekly}RRULE:FREQ=WEEKLY;UNTIL=20260125\n")), "");
    check(&event(&format!("{weekly}RRULE:FREQ=DAILY;COUNT=10\n")), "");
    check(
        &event("DTSTART:20250127T093000\nDURATION:PT1H\nRRULE:FREQ=MONTHLY;BYDAY=-1MO\n"),
        "Standup 26 09:30–26 10:30",
    );
    check(&event(&format!("{weekly}RDATE;TZID=America/Toronto:20260126T110000\n")), "Standup 26 11:00–26 11:15");
    check(
        &event(&format!("{weekly}RRULE:FREQ=WEEKLY\nEXDATE;TZID=America/Toronto:20260119T093000,20260126T093000\n")),
        "",
    );
    check(&event(&format!("{weekly}RRULE:FREQ=WEEKLY\nEXDATE;VALUE=DATE:20260126\n")), "");
}

/// A Sunday in Toronto: in March clocks go from 02:00 to 03:00, in November they go back.
fn on(text: &str, date: jiff::civil::Date) -> String {
    let zones = TimeZoneDatabase::bundled();
    let zone = zones.get("America/Toronto").unwrap();
    let found = read(text, &Day { date, zone: zone.clone() }, &zones).unwrap();
    let clock = |at: jiff::Timestamp| at.to_zoned(zone.clone()).strftime("%H:%M%:z").to_string();
    let events = found.events.iter().map(|it| format!("{}–{}", clock(it.start), clock(it.end)));
    events.chain(found.passed_over.iter().map(|it| it.why.text().to_owned())).collect::<Vec<_>>().join(" | ")
}

#[test]
fn events_last_as_long_as_is_said_where_clocks_change() {
    let (spring, autumn) = (date(2026, 3, 8), date(2026, 11, 1));
    let two_hours = "DURATION:PT2H\n";
    assert_eq!(on(&event(&format!("DTSTART:20260308T013000\n{two_hours}")), spring), "01:30-05:00–04:30-04:00");
    assert_eq!(on(&event(&format!("DTSTART:20261101T003000\n{two_hours}")), autumn), "00:30-04:00–01:30-05:00");
    // A day by the calendar ends at the same time by the clock.
    assert_eq!(on(&event("DTSTART:20260307T120000\nDURATION:P1D\n"), spring), "12:00-05:00–12:00-04:00");
    // What ends at a time by the clock ends at that.
    assert_eq!(on(&event("DTSTART:20260308T013000\nDTEND:20260308T033000\n"), spring), "01:30-05:00–03:30-04:00");
    // Clocks skip its beginning, and nearly all of it.
    assert_eq!(on(&event("DTSTART:20260308T023000\nDTEND:20260308T031500\n"), spring), "03:30-04:00–04:15-04:00");
    // The second half past one, said in UTC.
    assert_eq!(on(&event("DTSTART:20261101T013000\nDTEND:20261101T061500Z\n"), autumn), "01:30-04:00–01:15-05:00");
}

#[test]
fn a_short_name_of_a_zone_is_what_the_file_says_it_is() {
    let zone = OWN_ZONE.replace("TZID:Office", "TZID:EST").replace("-0600", "-0400").replace("-0700", "-0500");
    let own = "BEGIN:VEVENT\nDTSTART;TZID=EST:20260708T090000\nDURATION:PT1H\nEND:VEVENT\n";
    let july = date(2026, 7, 8);
    assert_eq!(on(&calendar(&format!("{zone}{own}")), july), "09:00-04:00–10:00-04:00");
    assert_eq!(on(&calendar(own), july), "10:00-04:00–11:00-04:00", "without a description it is the known one");
    let place = zone.replace("TZID:EST", "TZID:Europe/Berlin");
    let there = own.replace("TZID=EST", "TZID=Europe/Berlin");
    assert_eq!(on(&calendar(&format!("{place}{there}")), july), "03:00-04:00–04:00-04:00");
}

#[test]
fn an_occurrence_can_be_told_apart() {
    let master = "BEGIN:VEVENT\nUID:1\nSUMMARY:Standup\nDTSTART:20260105T093000\nDURATION:PT15M\nRRULE:FREQ=WEEKLY\nEND:VEVENT\n";
    let moved = "BEGIN:VEVENT\nUID:1\nSUMMARY:Standup\\, late\nRECURRENCE-ID:20260126T093000\nDTSTART:20260126T120000\nDURATION:PT30M\n";
    check(&calendar(&format!("{master}{moved}END:VEVENT\n")), "Standup, late 26 12:00–26 12:30");
    check(&calendar(&format!("{master}{moved}STATUS:CANCELLED\nEND:VEVENT\n")), "Standup, late: it is cancelled");
    let from_another_day = moved.replace("RECURRENCE-ID:20260126T", "RECURRENCE-ID:20260119T");
    check(
        &calendar(&format!("{master}{from_another_day}END:VEVENT\n")),
        "Standup 26 09:30–26 09:45 | Standup, late 26 12:00–26 12:30",
    );
}

const OWN_ZONE: &str = "BEGIN:VTIMEZONE\nTZID:Office\nBEGIN:STANDARD\nDTSTART:20071104T020000\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\n\
    TZOFFSETFROM:-0600\nTZOFFSETTO:-0700\nEND:STANDARD\nBEGIN:DAYLIGHT\nDTSTART:20070311T020000\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\n\
    TZOFFSETFROM:-0700\nTZOFFSETTO:-0600\nEND:DAYLIGHT\nEND:VTIMEZONE\n";

#[test]
fn a_zone_can_be_described_in_the_file() {
    let own = "BEGIN:VEVENT\nSUMMARY:Call\nDTSTART;TZID=Office:20260126T090000\nDTEND;TZID=Office:20260126T093000\nEND:VEVENT\n";
    check(&calendar(&format!("{OWN_ZONE}{own}")), "Call 26 11:00–26 11:30");
    let weekly = "BEGIN:VEVENT\nSUMMARY:Call\nDTSTART;TZID=Office:20250707T090000\nDURATION:PT30M\nRRULE:FREQ=WEEKLY\nEND:VEVENT\n";
    check(&calendar(&format!("{weekly}{OWN_ZONE}")), "Call 26 11:00–26 11:30");
    refused(&calendar(own), "line 5: its zone `Office` is neither known nor described in the file");
}

#[test]
fn names_stand_where_the_file_has_them() {
    let text = calendar(
        "BEGIN:VEVENT\nSUMMARY;LANGUAGE=en:Budget re\n view\nLOCATION:Room 2\nDTSTART:20260126T100000\nDTEND:20260126T110000\n\
        BEGIN:VALARM\nSUMMARY:not this\nEND:VALARM\nEND:VEVENT\nBEGIN:VEVENT\nDTSTART:20260126T120000\nDURATION:PT5M\nEND:VEVENT\n",
    );
    let found = of(&text);
    let first = &found.events[0];
    assert_eq!((first.name.as_str(), first.place.as_deref(), first.line), ("Budget review", Some("Room 2"), 3));
    assert_eq!(&text[first.span.clone()], "Budget re\r\n view");
    let second = &found.events[1];
    assert_eq!((second.name.as_str(), &text[second.span.clone()]), ("event without a name", "20260126T120000"));
}

#[test]
fn what_cannot_be_read_is_told_with_its_line() {
    refused("", "is no calendar: it has no line `BEGIN:VCALENDAR`");
    refused("BEGIN:VEVENT\nEND:VEVENT\n", "is no calendar: it has no line `BEGIN:VCALENDAR`");
    refused("notes: x\n", "is no calendar: it has no line `BEGIN:VCALENDAR`");
    refused("BEGIN:VCALENDAR\nBEGIN:VEVENT\n", "line 2: `VEVENT` begins here and does not end");
    refused("BEGIN:VCALENDAR\nEND:VEVENT\n", "line 2: ends `VEVENT`, but `VCALENDAR` of line 1 is open");
    refused(&calendar("BEGIN:VEVENT\nEND:VEVENT\n"), "line 3: the event that begins here has no DTSTART");
    refused(&event("DTSTART:tomorrow\n"), "line 6: DTSTART `tomorrow` is neither a date nor a time");
    refused(&event("DTSTART:20260126T100000\nDTEND:20260126T090000\n"), "line 7: the event ends before it begins");
    refused(&event("DTSTART:20260126T100000\nDURATION:-PT1H\n"), "line 7: DURATION `-PT1H` is no length of an event");
    refused(
        &event("DTSTART:20260126T100000\nRRULE:FREQ=HOURLY\n"),
        "line 7: RRULE `FREQ=HOURLY` recurs more than once a day, which is not read",
    );
    refused(
        &event("DTSTART:20260126T100000\nRRULE:FREQ=DAILY;BYDAY=XX\n"),
        "line 7: RRULE `FREQ=DAILY;BYDAY=XX` is no rule of RFC 5545",
    );
    refused(
        &event("DTSTART:20260126T100000\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260126T100000\n"),
        "line 7: changes all later occurrences (RANGE=THISANDFUTURE), which is not read",
    );
}

#[test]
fn there_are_limits() {
    let zones = TimeZoneDatabase::bundled();
    let long = format!("BEGIN:VCALENDAR\nX:{}\nEND:VCALENDAR\n", "x".repeat(CALENDAR_BYTES_MAX));
    let said = |text: &str| read(text, &day(&zones), &zones).unwrap_err().to_string();
    assert!(said(&long).ends_with("more than the limit of 8 MiB"));
    let one = "BEGIN:VEVENT\nDTSTART:20200101T100000\nEND:VEVENT\n";
    assert_eq!(said(&calendar(&one.repeat(EVENTS_MAX + 1))), "holds more than 20000 events");
    assert!(read(&calendar(&one.repeat(EVENTS_MAX)), &day(&zones), &zones).is_ok());
    let today = one.replace("20200101", "20260126");
    assert_eq!(said(&calendar(&today.repeat(201))), "holds more than 200 events of that day");
    let lines = |count: usize| format!("BEGIN:VCALENDAR\n{}END:VCALENDAR\n", "X:\n".repeat(count - 2));
    assert_eq!(said(&lines(LINES_MAX + 1)), "holds more than 500000 lines");
    assert!(read(&lines(LINES_MAX), &day(&zones), &zones).is_ok());
    let deep = |depth: usize| calendar(&format!("{}{}", "BEGIN:X\n".repeat(depth), "END:X\n".repeat(depth)));
    assert_eq!(said(&deep(DEPTH_MAX)), "line 18: lies within more than 16 others");
    assert!(read(&deep(DEPTH_MAX - 1), &day(&zones), &zones).is_ok());
    let rule = |bytes: usize| {
        let value = format!("FREQ=DAILY;BYMONTHDAY={}", "1,".repeat(bytes));
        event(&format!("DTSTART:20260101T100000\nRRULE:{}1\n", &value[..bytes - 1]))
    };
    assert!(read(&rule(RULE_BYTES_MAX), &day(&zones), &zones).is_ok());
    assert!(said(&rule(RULE_BYTES_MAX + 2)).ends_with("holds more than 1000 bytes"));
    // A rule that never comes true, by the thousand, and one that hardly ever does.
    for never in ["BYMONTH=2;BYMONTHDAY=30", "COUNT=9;BYMONTH=2;BYMONTHDAY=30", "BYMONTH=2;BYMONTHDAY=29;BYDAY=MO"] {
        let one =
            format!("BEGIN:VEVENT\nDTSTART:19700101T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;{never}\nEND:VEVENT\n");
        assert_eq!(said(&calendar(&one.repeat(EVENTS_MAX))), "holds more than 2000000 recurrences before that day");
    }
    // One that ends after so many costs no more than those.
    let one = "BEGIN:VEVENT\nDTSTART:20200101T100000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=9\nEND:VEVENT\n";
    assert!(read(&calendar(&one.repeat(EVENTS_MAX)), &day(&zones), &zones).is_ok());
    // The parts of a zone count as well.
    let part = "BEGIN:STANDARD\nDTSTART:19000101T020000\nRRULE:FREQ=DAILY\nTZOFFSETFROM:+0000\nTZOFFSETTO:+0100\nEND:STANDARD\n";
    let zone = format!("BEGIN:VTIMEZONE\nTZID:Own\n{}END:VTIMEZONE\n", part.repeat(100));
    let own = "BEGIN:VEVENT\nDTSTART;TZID=Own:20260126T100000\nEND:VEVENT\n";
    assert_eq!(said(&calendar(&format!("{zone}{own}"))), "holds more than 2000000 recurrences before that day");
    // Exceptions are looked up, not gone through.
    let exceptions = format!("EXDATE:{}20000101T100001", "20000101T100001,".repeat(100_000));
    let long = "DTSTART:19000101T100000\nDURATION:P19000D\nRRULE:FREQ=DAILY;UNTIL=20260126T230000\n";
    assert_eq!(said(&event(&format!("{long}{exceptions}\n"))), "holds more than 200 events of that day");
    let old = event("DTSTART:18000101T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY\n");
    assert_eq!(said(&old), "line 8: recurs more than 50000 times before that day");
}

proptest! {
    #[test]
    fn any_text_ends_in_order(body in "(BEGIN|END|DTSTART|DTEND|RRULE|EXDATE|TZID|DURATION|[A-Z]{1,3})[:;=](VEVENT|VTIMEZONE|STANDARD|20260126T100000Z?|FREQ=(DAILY|WEEKLY|YEARLY)(;(COUNT|INTERVAL|BYDAY|BYMONTH|BYSETPOS|BYWEEKNO)=-?[0-9MOTU,]{1,4}){0,2}|[ -~é]{0,12})\n") {
        let zones = TimeZoneDatabase::bundled();
        for start in ["20251201T100000", "00010101T000000", "99991231T235959"] {
            let _ = read(&event(&format!("DTSTART:{start}\nDURATION:PT1H\n{body}")), &day(&zones), &zones);
        }
        let _ = read(&event(&format!("DTSTART:20251201T100000\nDURATION:PT1H\n{body}")), &day(&zones), &zones);
        let _ = read(&calendar(&body), &day(&zones), &zones);
    }
}
