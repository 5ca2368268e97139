//! Zones, and the days on which the clocks change.

use jiff::civil::date;
use jiff::tz::TimeZone;
use steadfast_time::{LocalTime, Reading, expressions, resolve_in};

use crate::{anchor, at, check, check_at};

#[test]
fn zones() {
    check("3pm ET", "3pm ET = 15:00 @ET");
    check("15:00 CET", "15:00 CET = 15:00 @CET");
    check("9am Tokyo time", "9am Tokyo time = 09:00 @Tokyo time");
    check("9am New York time", "9am New York time = 09:00 @New York time");
    check("3pm UTC+5:45", "3pm UTC+5:45 = 15:00 @UTC+5:45");
    check("10:00 GMT-3", "10:00 GMT-3 = 10:00 | 22:00 @GMT-3");
    check("14:00Z", "14:00Z = 14:00 @Z");
    check("2026-01-25T10:00:00-05:00", "2026-01-25T10:00:00-05:00 = 2026-01-25T10:00 @-05:00");
    check("2026-01-25T10:00:00Z", "2026-01-25T10:00:00Z = 2026-01-25T10:00 @Z");
    check("9:30 Eastern time", "9:30 Eastern time = 09:30 | 21:30 @Eastern time");
    check("10am Pacific Standard Time", "10am Pacific Standard Time = 10:00 @Pacific Standard Time");
    check("8pm America/Sao_Paulo", "8pm America/Sao_Paulo = 20:00 @America/Sao_Paulo");
    check("7pm (IST)", "7pm (IST) = 19:00 @(IST) (WhichZone)");
    check("8:15 NPT tomorrow", "8:15 NPT tomorrow = 2026-01-22T08:15 | 2026-01-22T20:15 @NPT");
    check("between 3pm and 4pm PT", "between 3pm and 4pm PT = 15:00..16:00 @PT");
    check("10:30 pst today", "10:30 pst today = 2026-01-21T10:30 | 2026-01-21T22:30 @pst");
    check("9am lunch time", "9am lunch time = 09:00");
    check("March 8 2026 at 2:30am", "March 8 2026 at 2:30am = 2026-03-08T02:30 (Skipped)");
    check("Nov 1 2026 1:30am", "Nov 1 2026 1:30am = 2026-11-01T01:30 (Repeated)");
    check("2026-03-08 02:30 UTC", "2026-03-08 02:30 UTC = 2026-03-08T02:30 @UTC");
    check("5pm ACWST", "5pm ACWST = 17:00 @ACWST");
}

/// The zones of the one expression of `text`, by their offset from UTC in minutes on that winter day.
fn offsets(text: &str) -> Vec<i32> {
    let found = expressions(text, &anchor());
    let zone = found[0].zone.clone().unwrap();
    let day = date(2026, 1, 21).at(12, 0, 0, 0);
    zone.candidates.iter().map(|it| it.to_zoned(day).unwrap().offset().seconds() / 60).collect()
}

#[test]
fn offsets_of_zones() {
    assert_eq!(offsets("3pm ET"), [-300]);
    assert_eq!(offsets("3pm UTC+5:45"), [345]);
    assert_eq!(offsets("3pm NPT"), [345]);
    assert_eq!(offsets("3pm Kathmandu time"), [345]);
    assert_eq!(offsets("3pm Asia/Kathmandu"), [345]);
    assert_eq!(offsets("3pm Australia/Eucla"), [525]);
    assert_eq!(offsets("3pm Eucla time"), [525]);
    assert_eq!(offsets("3pm GMT-3"), [-180]);
    assert_eq!(offsets("7pm IST"), [330, 120, 60]);
    assert_eq!(offsets("2026-01-25T10:00:00-05:00"), [-300]);
}

#[test]
fn a_time_that_is_skipped_or_repeated_is_told() {
    let toronto = TimeZone::get("America/Toronto").unwrap();
    let skipped = resolve_in(date(2026, 3, 8).at(2, 30, 0, 0), &toronto).unwrap();
    let LocalTime::Skipped { before, after } = skipped else { panic!("{skipped:?}") };
    assert_eq!(before.to_string(), "2026-03-08T01:30:00-05:00[America/Toronto]");
    assert_eq!(after.to_string(), "2026-03-08T03:30:00-04:00[America/Toronto]");
    let repeated = resolve_in(date(2026, 11, 1).at(1, 30, 0, 0), &toronto).unwrap();
    let LocalTime::Repeated { first, second } = repeated else { panic!("{repeated:?}") };
    assert_eq!(first.to_string(), "2026-11-01T01:30:00-04:00[America/Toronto]");
    assert_eq!(second.to_string(), "2026-11-01T01:30:00-05:00[America/Toronto]");
    let plain = resolve_in(date(2026, 3, 8).at(3, 0, 0, 0), &toronto).unwrap();
    assert!(matches!(plain, LocalTime::Unique(_)), "{plain:?}");
    // Lord Howe Island shifts by half an hour.
    let howe = TimeZone::get("Australia/Lord_Howe").unwrap();
    assert!(matches!(resolve_in(date(2026, 4, 5).at(1, 45, 0, 0), &howe), Some(LocalTime::Repeated { .. })));
    assert!(matches!(resolve_in(date(2026, 10, 4).at(2, 15, 0, 0), &howe), Some(LocalTime::Skipped { .. })));
}

#[test]
fn the_zone_that_is_said_decides_what_is_skipped() {
    check("8 March 2026 at 2:30am UTC", "8 March 2026 at 2:30am UTC = 2026-03-08T02:30 @UTC");
    check(
        "29 March 2026 1:30am London time",
        "29 March 2026 1:30am London time = 2026-03-29T01:30 @London time (Skipped)",
    );
    let eucla = at("2026-01-21T11:00:00+08:45[Australia/Eucla]");
    check_at(&eucla, "March 8 2026 at 2:30am", "March 8 2026 at 2:30am = 2026-03-08T02:30");
}

#[test]
fn hours_from_now_are_hours_of_the_clock_that_runs() {
    // The night in which the clocks of Toronto go forward, and the one in which they go back.
    let spring = at("2026-03-08T00:30:00-05:00[America/Toronto]");
    check_at(&spring, "in 3 hours", "in 3 hours = 2026-03-08T04:30");
    let autumn = at("2026-11-01T00:30:00-04:00[America/Toronto]");
    check_at(&autumn, "in 3 hours", "in 3 hours = 2026-11-01T02:30");
    let kathmandu = at("2026-01-21T23:50:00+05:45[Asia/Kathmandu]");
    check_at(&kathmandu, "in 20 minutes", "in 20 minutes = 2026-01-22T00:10");
    check_at(&kathmandu, "tomorrow at 0:15", "tomorrow at 0:15 = 2026-01-22T00:15");
}

#[test]
fn midnight_is_crossed() {
    let evening = at("2026-12-31T21:00:00+08:45[Australia/Eucla]");
    check_at(&evening, "tonight at 1", "tonight at 1 = 2027-01-01T01:00");
    check_at(&evening, "from 11pm to 2am tonight", "from 11pm to 2am tonight = 2026-12-31T23:00..2027-01-01T02:00");
    check_at(&evening, "in 4 hours", "in 4 hours = 2027-01-01T01:00");
    check_at(&evening, "tomorrow", "tomorrow = 2027-01-01");
}

#[test]
fn leap_days() {
    let leap = at("2028-02-28T12:00:00Z[UTC]");
    check_at(&leap, "tomorrow", "tomorrow = 2028-02-29");
    check_at(&leap, "a year from tomorrow", "a year from tomorrow = 2029-02-28");
    check_at(&leap, "in 2 days", "in 2 days = 2028-03-01");
    check_at(&leap, "29 Feb", "29 Feb = 2028-02-29 | 2024-02-29");
    check_at(&leap, "end of the month", "end of the month = 2028-02-15..=2028-02-29");
    let plain = at("2026-02-28T12:00:00Z[UTC]");
    check_at(&plain, "tomorrow", "tomorrow = 2026-03-01");
    check_at(&plain, "29 Feb 2026", "29 Feb 2026 =  (NoSuchTime)");
}

#[test]
fn a_week_begins_when_the_anchor_says() {
    let mut sunday = anchor();
    sunday.week_start = jiff::civil::Weekday::Sunday;
    check_at(&sunday, "next week", "next week = 2026-01-25..=2026-01-31");
    check_at(&sunday, "this Sunday", "this Sunday = 2026-01-25 | 2026-01-18");
    let found = expressions("3pm", &sunday);
    assert!(matches!(found[0].readings[..], [Reading::Time(_)]));
}

/// The instants of the one expression of `text`, as a person in Toronto would be asked about them.
fn instants(text: &str) -> Vec<String> {
    let anchor = anchor();
    let found = expressions(text, &anchor);
    assert_eq!(found.len(), 1, "{found:?}");
    let shown = |it: &LocalTime| match it {
        LocalTime::Unique(at) => at.to_string(),
        LocalTime::Skipped { before, after } => format!("skipped: {before} or {after}"),
        LocalTime::Repeated { first, second } => format!("twice: {first} and {second}"),
    };
    found[0].local_times(&anchor).iter().map(shown).collect()
}

#[test]
fn a_time_that_comes_twice_keeps_both_of_its_instants() {
    assert_eq!(
        instants("Nov 1 2026 1:30am"),
        ["twice: 2026-11-01T01:30:00-04:00[America/Toronto] and 2026-11-01T01:30:00-05:00[America/Toronto]"]
    );
    assert_eq!(
        instants("25 October 2026, 02:30 (Berlin time)"),
        ["twice: 2026-10-25T02:30:00+02:00[Europe/Berlin] and 2026-10-25T02:30:00+01:00[Europe/Berlin]"]
    );
    assert_eq!(
        instants("1 November 2026 from 1:30am to 3am"),
        [
            "twice: 2026-11-01T01:30:00-04:00[America/Toronto] and 2026-11-01T01:30:00-05:00[America/Toronto]",
            "2026-11-01T03:00:00-05:00[America/Toronto]"
        ]
    );
}

#[test]
fn a_time_that_is_skipped_has_the_nearest_before_and_after_it() {
    assert_eq!(
        instants("March 8 2026 at 2:30am"),
        ["skipped: 2026-03-08T01:30:00-05:00[America/Toronto] or 2026-03-08T03:30:00-04:00[America/Toronto]"]
    );
    assert_eq!(instants("March 8 2026 at 3:30am"), ["2026-03-08T03:30:00-04:00[America/Toronto]"]);
    assert!(instants("at 2:30am").is_empty(), "a time without a day has no instant");
}
