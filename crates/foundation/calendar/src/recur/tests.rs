use std::collections::BTreeSet;

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Weekday, date};
use proptest::prelude::*;

use super::{Budget, Rule, recurrences};
use crate::lines::lines;
use crate::values::Stamp;
use crate::{CalendarError, FILE_RECURRENCES_MAX};

fn read(rule: &str) -> Result<Rule, CalendarError> {
    let line = lines(&format!("RRULE:{rule}")).unwrap().remove(0);
    Rule::read(&line, |stamp| match stamp {
        Stamp::Day(date) => Ok(date.at(23, 59, 59, 0)),
        Stamp::Local(at) | Stamp::Utc(at) => Ok(at),
    })
}

fn times(start: DateTime, rule: &str, end: DateTime) -> Vec<DateTime> {
    recurrences(start, &read(rule).unwrap(), end, 1, &Budget::default()).unwrap()
}

/// Days as the tables write them: `1997-09: 2-5 9; 1998-01: 1`.
fn days(text: &str) -> Vec<Date> {
    let mut out = Vec::new();
    for month in text.split(';') {
        let (month, days) = month.split_once(':').unwrap();
        let (year, month) = month.trim().split_once('-').unwrap();
        for day in days.split_whitespace() {
            let (first, last) = day.split_once('-').unwrap_or((day, day));
            for day in first.parse::<i8>().unwrap()..=last.parse().unwrap() {
                out.push(date(year.parse().unwrap(), month.parse().unwrap(), day));
            }
        }
    }
    out
}

/// An event at nine recurs on these days, and up to the last of them on no others.
#[track_caller]
fn check(rule: &str, expect: &str) {
    let expect = days(expect);
    let (first, last) = (expect[0].at(9, 0, 0, 0), expect[expect.len() - 1]);
    // What has an end of its own finds it.
    let ends = ["COUNT", "UNTIL"].iter().any(|part| rule.contains(part));
    let end = if ends { date(2040, 1, 1) } else { last };
    let found = times(first, rule, end.at(23, 59, 59, 0));
    assert_eq!(found, expect.iter().map(|day| day.at(9, 0, 0, 0)).collect::<Vec<_>>(), "{rule}");
}

/// The examples of section 3.8.5.3 that recur at most once a day.
#[test]
fn examples_of_the_rfc() {
    for (rule, expect) in [
        ("FREQ=DAILY;COUNT=10", "1997-09: 2-11"),
        ("FREQ=DAILY;UNTIL=19971224T000000Z", "1997-09: 2-30; 1997-10: 1-31; 1997-11: 1-30; 1997-12: 1-23"),
        (
            "FREQ=DAILY;INTERVAL=2",
            "1997-09: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; 1997-10: 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; \
             1997-11: 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29; 1997-12: 1 3",
        ),
        ("FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09: 2 12 22; 1997-10: 2 12"),
        (
            "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
            "1998-01: 1-31; 1999-01: 1-31; 2000-01: 1-31",
        ),
        ("FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "1998-01: 1-31; 1999-01: 1-31; 2000-01: 1-31"),
        ("FREQ=WEEKLY;COUNT=10", "1997-09: 2 9 16 23 30; 1997-10: 7 14 21 28; 1997-11: 4"),
        (
            "FREQ=WEEKLY;UNTIL=19971224T000000Z",
            "1997-09: 2 9 16 23 30; 1997-10: 7 14 21 28; 1997-11: 4 11 18 25; 1997-12: 2 9 16 23",
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
            "1997-09: 2 16 30; 1997-10: 14 28; 1997-11: 11 25; 1997-12: 9 23; 1998-01: 6 20; 1998-02: 3 17",
        ),
        ("FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", "1997-09: 2 4 9 11 16 18 23 25 30; 1997-10: 2"),
        ("FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "1997-09: 2 4 9 11 16 18 23 25 30; 1997-10: 2"),
        (
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
            "1997-09: 1 3 5 15 17 19 29; 1997-10: 1 3 13 15 17 27 29 31; 1997-11: 10 12 14 24 26 28; \
             1997-12: 8 10 12 22",
        ),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997-09: 2 4 16 18 30; 1997-10: 2 14 16"),
        (
            "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
            "1997-09: 5; 1997-10: 3; 1997-11: 7; 1997-12: 5; 1998-01: 2; 1998-02: 6; 1998-03: 6; 1998-04: 3; \
             1998-05: 1; 1998-06: 5",
        ),
        ("FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "1997-09: 5; 1997-10: 3; 1997-11: 7; 1997-12: 5"),
        (
            "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
            "1997-09: 7 28; 1997-11: 2 30; 1998-01: 4 25; 1998-03: 1 29; 1998-05: 3 31",
        ),
        (
            "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
            "1997-09: 22; 1997-10: 20; 1997-11: 17; 1997-12: 22; 1998-01: 19; 1998-02: 16",
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09: 28; 1997-10: 29; 1997-11: 28; 1997-12: 29; 1998-01: 29; 1998-02: 26"),
        (
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
            "1997-09: 2 15; 1997-10: 2 15; 1997-11: 2 15; 1997-12: 2 15; 1998-01: 2 15",
        ),
        (
            "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
            "1997-09: 30; 1997-10: 1 31; 1997-11: 1 30; 1997-12: 1 31; 1998-01: 1 31; 1998-02: 1",
        ),
        ("FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "1997-09: 10-15; 1999-03: 10-13"),
        (
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
            "1997-09: 2 9 16 23 30; 1997-11: 4 11 18 25; 1998-01: 6 13 20 27; 1998-03: 3 10 17 24 31",
        ),
        (
            "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
            "1997-06: 10; 1997-07: 10; 1998-06: 10; 1998-07: 10; 1999-06: 10; 1999-07: 10; 2000-06: 10; \
             2000-07: 10; 2001-06: 10; 2001-07: 10",
        ),
        (
            "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
            "1997-03: 10; 1999-01: 10; 1999-02: 10; 1999-03: 10; 2001-01: 10; 2001-02: 10; 2001-03: 10; \
             2003-01: 10; 2003-02: 10; 2003-03: 10",
        ),
        (
            "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
            "1997-01: 1; 1997-04: 10; 1997-07: 19; 2000-01: 1; 2000-04: 9; 2000-07: 18; 2003-01: 1; 2003-04: 10; \
             2003-07: 19; 2006-01: 1",
        ),
        ("FREQ=YEARLY;BYDAY=20MO", "1997-05: 19; 1998-05: 18; 1999-05: 17"),
        ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "1997-05: 12; 1998-05: 11; 1999-05: 17"),
        ("FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "1997-03: 13 20 27; 1998-03: 5 12 19 26; 1999-03: 4 11 18 25"),
        (
            "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
            "1997-06: 5 12 19 26; 1997-07: 3 10 17 24 31; 1997-08: 7 14 21 28; 1998-06: 4 11 18 25; \
             1998-07: 2 9 16 23 30; 1998-08: 6 13 20 27; 1999-06: 3 10 17 24; 1999-07: 1 8 15 22 29; \
             1999-08: 5 12 19 26",
        ),
        // The first day of this one is excepted by the example.
        (
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            "1997-09: 2; 1998-02: 13; 1998-03: 13; 1998-11: 13; 1999-08: 13; 2000-10: 13",
        ),
        (
            "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
            "1997-09: 13; 1997-10: 11; 1997-11: 8; 1997-12: 13; 1998-01: 10; 1998-02: 7; 1998-03: 7; 1998-04: 11; \
             1998-05: 9; 1998-06: 13",
        ),
        ("FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1996-11: 5; 2000-11: 7; 2004-11: 2"),
        ("FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09: 4; 1997-10: 7; 1997-11: 6"),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            "1997-09: 29; 1997-10: 30; 1997-11: 27; 1997-12: 30; 1998-01: 29; 1998-02: 26; 1998-03: 30",
        ),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08: 5 10 19 24"),
        ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08: 5 17 19 31"),
        ("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01: 15 30; 2007-02: 15; 2007-03: 15 30"),
    ] {
        check(rule, expect);
    }
}

#[test]
fn what_a_rule_leaves_open_is_as_the_event_begins() {
    check("FREQ=YEARLY", "2020-02: 29; 2024-02: 29; 2028-02: 29");
    check("FREQ=MONTHLY;COUNT=4", "2026-01: 31; 2026-03: 31; 2026-05: 31; 2026-07: 31");
    check("FREQ=YEARLY;BYMONTH=2,3;COUNT=3", "2026-01: 30; 2026-03: 30; 2027-03: 30");
    // The day of the week, of these weeks of the year.
    check("FREQ=YEARLY;BYWEEKNO=1,20;COUNT=4", "2026-05: 13; 2027-01: 6; 2027-05: 19; 2028-01: 5");
    check("FREQ=WEEKLY;BYMONTH=3;COUNT=6", "2026-01: 26; 2026-03: 2 9 16 23 30");
}

#[test]
fn a_start_that_the_rule_does_not_name_counts_as_the_first() {
    check("FREQ=WEEKLY;BYDAY=MO;COUNT=3", "2026-01: 27; 2026-02: 2 9");
    check("FREQ=DAILY;COUNT=1", "2026-01: 27");
    check("FREQ=DAILY;COUNT=0", "2026-01: 27");
    check("FREQ=DAILY;UNTIL=20250101", "2026-01: 27");
}

#[test]
fn days_of_the_week_with_a_number_and_without_stand_side_by_side() {
    check("FREQ=MONTHLY;BYDAY=MO,1TU,-1SU;COUNT=7", "2026-01: 26; 2026-02: 2 3 9 16 22 23");
    check("FREQ=YEARLY;BYDAY=53TH,-53SU", "2026-12: 31; 2028-01: 2; 2032-12: 30");
}

#[test]
fn positions_count_in_the_whole_period() {
    // Of Wednesday and Friday the first is before it begins.
    check("FREQ=WEEKLY;BYDAY=WE,FR;BYSETPOS=1;COUNT=3", "2026-01: 29; 2026-02: 4 11");
    check("FREQ=WEEKLY;BYDAY=WE,FR;BYSETPOS=2;COUNT=3", "2026-01: 29 30; 2026-02: 6");
    check("FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1", "2026-01: 1; 2026-12: 31; 2027-01: 1; 2027-12: 31");
    check("FREQ=DAILY;BYSETPOS=-1;COUNT=3", "2026-01: 29-31");
}

#[test]
fn a_rule_can_say_the_time_of_day() {
    let at = date(2026, 1, 26).at(9, 30, 0, 0);
    let found = times(at, "FREQ=DAILY;BYHOUR=8;BYMINUTE=5;BYSECOND=60", date(2026, 1, 28).at(8, 5, 58, 0));
    assert_eq!(found, [at, date(2026, 1, 27).at(8, 5, 59, 0)]);
    let found = times(at, "FREQ=DAILY;BYHOUR=10", date(2026, 1, 27).at(9, 0, 0, 0));
    assert_eq!(found, [at, date(2026, 1, 26).at(10, 30, 0, 0)]);
}

#[test]
fn what_is_no_rule_is_refused() {
    for rule in [
        "",
        "COUNT=3",
        "FREQ=SOMETIMES",
        "FREQ=DAILY;FREQ=DAILY",
        "FREQ=DAILY;BYDAY=",
        "FREQ=DAILY;BYDAY=é",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;INTERVAL=-1",
        "FREQ=DAILY;COUNT=x",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=YEARLY;BYMONTH=13",
        "FREQ=YEARLY;BYMONTH=-1",
        "FREQ=YEARLY;BYYEARDAY=-367",
        "FREQ=YEARLY;BYWEEKNO=54",
        "FREQ=YEARLY;BYDAY=54MO",
        "FREQ=YEARLY;BYDAY=0MO",
        "FREQ=MONTHLY;BYSETPOS=0",
        "FREQ=MONTHLY;BYSETPOS=367",
        "FREQ=DAILY;BYHOUR=24",
        "FREQ=DAILY;WKST=1MO",
        "FREQ=DAILY;BYEASTER=1",
    ] {
        let said = read(rule).unwrap_err().to_string();
        assert_eq!(said, format!("line 1: RRULE `{rule}` is no rule of RFC 5545"));
    }
    for (rule, part) in [
        ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY"),
        ("FREQ=MONTHLY;BYYEARDAY=1", "BYYEARDAY"),
        ("FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO"),
        ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY with a number"),
        ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", "BYWEEKNO beside BYDAY with a number"),
    ] {
        let said = read(rule).unwrap_err().to_string();
        assert!(said.contains(&format!(" has {part}, which RFC 5545 does not allow with FREQ=")), "{said}");
    }
    for rule in ["FREQ=HOURLY", "FREQ=MINUTELY;INTERVAL=90", "FREQ=DAILY;BYHOUR=9,10"] {
        let said = read(rule).unwrap_err().to_string();
        assert!(said.contains(" recurs more than once a day"), "{said}");
    }
}

/// What a rule costs that never comes true, up to a day twenty years later.
#[test]
fn a_rule_that_never_comes_true_costs_its_periods() {
    let (start, end) = (date(2006, 1, 26).at(9, 0, 0, 0), date(2026, 1, 25).at(9, 0, 0, 0));
    for (rule, steps) in [
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 21),
        ("FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31", 241),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", 7305),
        ("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=7", 1044),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=366,-366", 241),
        ("FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=100", 21),
        ("FREQ=DAILY;INTERVAL=2147483648", 1),
        ("FREQ=MONTHLY;INTERVAL=99999999999999999999999999", 1),
        ("FREQ=YEARLY;INTERVAL=2147483648;COUNT=99999999999999999999999999", 1),
    ] {
        let budget = Budget::default();
        assert_eq!(recurrences(start, &read(rule).unwrap(), end, 1, &budget).unwrap(), [start], "{rule}");
        assert_eq!(budget.0.get(), steps, "{rule}");
    }
}

#[test]
fn the_calendar_has_an_end() {
    let (first, last) = (date(-9999, 1, 1).at(0, 0, 0, 0), date(9999, 12, 31).at(23, 59, 59, 0));
    for rule in ["FREQ=DAILY", "FREQ=WEEKLY;WKST=WE", "FREQ=MONTHLY", "FREQ=YEARLY;BYWEEKNO=1,52,53,-53;BYDAY=MO,SU"] {
        assert_eq!(times(last, rule, last), [last], "{rule}");
        assert_eq!(times(first, &format!("{rule};COUNT=2"), last).len(), 2, "{rule}");
    }
}

const DAYS: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/// Parts of rules, each of which goes with every frequency that it stands beside.
fn rules() -> impl Strategy<Value = (&'static str, i64, Option<usize>, usize, String)> {
    let any = || {
        prop_oneof![
            Just(String::new()),
            "BYMONTH=([1-9]|1[0-2])(,([1-9]|1[0-2])){0,3}",
            "BYDAY=(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU)){0,3}(;BYSETPOS=-?[1-9](,-?[1-9])?)?",
            "BYMONTH=([1-9]|1[0-2]);BYDAY=(MO|TU|WE|TH|FR|SA|SU)",
        ]
    };
    let monthly = prop_oneof![any(), "BYMONTHDAY=-?([1-9]|[12][0-9]|3[01])", "BYDAY=-?[1-5](MO|TU|FR|SU)(,TU)?"];
    let yearly = prop_oneof![
        any(),
        "BYYEARDAY=-?([1-9]|[1-9][0-9]|[12][0-9][0-9]|36[0-6])",
        "BYWEEKNO=-?([1-9]|[1-4][0-9]|5[0-3])(;BYDAY=(MO|SU),TH)?",
        "BYMONTHDAY=-?3[01]",
        "BYDAY=-?([1-9]|[1-4][0-9]|5[0-3])(MO|TU|FR|SU)(,TU)?(;BYMONTH=[1-9])?",
    ];
    let parts = prop_oneof![
        any().prop_map(|parts| ("DAILY", parts)),
        any().prop_map(|parts| ("WEEKLY", parts)),
        monthly.prop_map(|parts| ("MONTHLY", parts)),
        yearly.prop_map(|parts| ("YEARLY", parts)),
    ];
    (parts, 1..40_i64, prop::option::of(1..50_usize), 0..7_usize).prop_map(
        |((frequency, parts), interval, count, week_start)| {
            let mut rule = format!("FREQ={frequency};INTERVAL={interval};WKST={}", DAYS[week_start]);
            if let Some(count) = count {
                rule += &format!(";COUNT={count}");
            }
            (frequency, interval, count, week_start, format!("{rule};{parts}"))
        },
    )
}

fn dates() -> impl Strategy<Value = Date> {
    (0..40_000_i32).prop_map(|days| date(1950, 1, 1).checked_add(days.days()).unwrap())
}

proptest! {
    #[test]
    fn times_are_in_order_and_within_bounds(
        (frequency, interval, count, week_start, rule) in rules(), first in dates(), span in 0..9_000_i32,
    ) {
        let (start, end) = (first.at(9, 0, 0, 0), first.checked_add(span.days()).unwrap().at(9, 0, 0, 0));
        let budget = Budget::default();
        let found = recurrences(start, &read(&rule).unwrap(), end, 1, &budget).unwrap();
        prop_assert_eq!(found[0], start);
        prop_assert!(found.windows(2).all(|two| two[0] < two[1]), "{} {:?}", rule, found);
        prop_assert!(found.iter().all(|at| *at <= end && at.time() == start.time()));
        prop_assert!(count.is_none_or(|count| found.len() <= count));
        // No more than a step a period and one a time, but for those of the first and the last period.
        let days = match frequency { "DAILY" => 1, "WEEKLY" => 7, "MONTHLY" => 28, _ => 365 };
        let periods = usize::try_from(i64::from(span) / (days * interval)).unwrap() + 2;
        prop_assert!(budget.0.get() <= (periods + found.len() + 2 * 366).min(FILE_RECURRENCES_MAX));
        // Each lies so many periods after the first that the interval goes into it.
        let week_start = i64::try_from(week_start).unwrap();
        let monday = date(1900, 1, 1);
        let since = |at: Date| i64::from(monday.until(at).unwrap().get_days());
        let period = |at: Date| match frequency {
            "DAILY" => since(at),
            "WEEKLY" => (since(at) + 7 - week_start) / 7,
            "MONTHLY" => i64::from(at.year()) * 12 + i64::from(at.month()),
            _ => i64::from(at.year()),
        };
        for at in &found {
            prop_assert_eq!((period(at.date()) - period(first)) % interval, 0, "{} {}", rule, at);
        }
    }

    /// A later end takes nothing away, and what it adds comes after.
    #[test]
    fn an_end_only_cuts_off((.., rule) in rules(), first in dates(), span in 0..9_000_i32, more in 0..2_000_i32) {
        let start = first.at(9, 0, 0, 0);
        let end = |days: i32| first.checked_add(days.days()).unwrap().at(9, 0, 0, 0);
        let all = times(start, &rule, end(span + more));
        let cut: Vec<DateTime> = all.iter().copied().filter(|at| *at <= end(span)).collect();
        prop_assert_eq!(times(start, &rule, end(span)), cut);
    }

    /// Weeks that begin on Monday are those of ISO 8601, from the year's beginning and from its end.
    #[test]
    fn weeks_are_those_of_the_iso_calendar(week in 1..=53_i8, from_end in any::<bool>(), year in 1950..2060_i16) {
        let first = date(year, 1, 1);
        let number = if from_end { -week } else { week };
        let rule = format!("FREQ=YEARLY;BYWEEKNO={number};BYDAY=MO,TU,WE,TH,FR,SA,SU");
        let found = times(first.at(0, 0, 0, 0), &rule, date(year + 3, 12, 31).at(0, 0, 0, 0));
        let is_in = |day: &Date| {
            let own = day.iso_week_date();
            own.week() == if from_end { own.weeks_in_year() + 1 - week } else { week }
        };
        let days = first.series(1.day()).take_while(|day| day.year() <= year + 3);
        let expect: BTreeSet<Date> = days.filter(is_in).chain([first]).collect();
        prop_assert_eq!(found.iter().map(|at| at.date()).collect::<BTreeSet<_>>(), expect);
    }

    /// What is said with numbers of days of the week is what counting them in the month finds.
    #[test]
    fn numbered_days_of_the_week_are_counted_in_the_month(number in 1..=5_i8, from_end in any::<bool>(), day in 0..7_i8, first in dates()) {
        let week_day = Weekday::from_monday_zero_offset(day).unwrap();
        let signed = if from_end { -number } else { number };
        let rule = format!("FREQ=MONTHLY;BYDAY={signed}{}", DAYS[usize::try_from(day).unwrap()]);
        let found = times(first.at(9, 0, 0, 0), &rule, first.checked_add(3.years()).unwrap().at(9, 0, 0, 0));
        let last = first.checked_add(3.years()).unwrap();
        let months = first.first_of_month().series(1.month()).take_while(|month| *month <= last);
        let expect = months.filter_map(|month| month.nth_weekday_of_month(signed, week_day).ok());
        let expect: BTreeSet<Date> = expect.filter(|at| *at > first && *at <= last).chain([first]).collect();
        prop_assert_eq!(found.iter().map(|at| at.date()).collect::<BTreeSet<_>>(), expect);
    }
}
