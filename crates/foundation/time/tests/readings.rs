//! Dates with both readings, roles and windows; durations with their bounds and bytes.

#![expect(clippy::unwrap_used, reason = "a test stops where its input does not read")]

use steadfast_time::{
    Bound, DateGrain, DateReading, DateRole, DateValue, DurationReading, DurationUnit, ProjectPoint, ProjectUnit,
    dates, durations,
};

fn date(text: &str) -> DateReading {
    let found = dates(text);
    assert_eq!(found.len(), 1, "in {text:?}: {found:?}");
    found.into_iter().next().unwrap()
}

fn duration(text: &str) -> DurationReading {
    let found = durations(text);
    assert_eq!(found.len(), 1, "in {text:?}: {found:?}");
    found.into_iter().next().unwrap()
}

#[track_caller]
fn window(text: &str, expect: &str) {
    let DateValue::Window(window) = date(text).value else { panic!("a window in {text:?}") };
    assert_eq!(format!("{}..{}", window.first, window.last), expect, "in {text:?}");
}

#[test]
fn windows_include_both_days() {
    window("February 2028", "2028-02-01..2028-02-29");
    window("Q4 2026", "2026-10-01..2026-12-31");
    window("by 2030", "2030-01-01..2030-12-31");
    window("from 2026 to 2029", "2026-01-01..2029-12-31");
    window("November–February 2027", "2026-11-01..2027-02-28");
    window("late March 2026", "2026-03-22..2026-03-31");
    window("the end of 2026", "2026-12-31..2026-12-31");
    window("the start of Q2 2026", "2026-04-01..2026-04-01");
}

#[test]
fn day_and_month_in_either_order_keep_both_readings() {
    let reading = date("due 03/04/2026");
    let DateValue::Window(first) = reading.value else { panic!("a window") };
    let Some(DateValue::Window(second)) = reading.alternative else { panic!("a second reading") };
    assert_eq!(first.first.to_string(), "2026-04-03");
    assert_eq!(second.first.to_string(), "2026-03-04");
    assert_eq!(date("due 13/04/2026").alternative, None);
    assert_eq!(date("due 04/13/2026").alternative, None);
    assert_eq!(date("due 04/04/2026").alternative, None);
}

#[test]
fn roles() {
    let check = |text: &str, role: DateRole| assert_eq!(date(text).role, role, "in {text:?}");
    check("by Q3 2027", DateRole::By);
    check("no later than March 2026", DateRole::By);
    check("before 2026-03-10", DateRole::Before);
    check("since 1998", DateRole::From);
    check("after June 2026", DateRole::After);
    check("in 2026", DateRole::On);
}

#[test]
fn grains() {
    let check = |text: &str, grain: DateGrain| assert_eq!(date(text).grain, grain, "in {text:?}");
    check("2026-03-10", DateGrain::Day);
    check("March 2026", DateGrain::Month);
    check("Q3 2026", DateGrain::Quarter);
    check("late 2026", DateGrain::Part);
    check("in 2026", DateGrain::Year);
    check("the 2030s", DateGrain::Decade);
    check("Week 3", DateGrain::Week);
}

#[test]
fn points_of_a_project() {
    let check = |text: &str, unit: ProjectUnit, low: u32, high: u32| {
        assert_eq!(date(text).value, DateValue::Project(ProjectPoint { unit, low, high }), "in {text:?}");
    };
    check("by month 16", ProjectUnit::Month, 16, 16);
    check("months 9–16", ProjectUnit::Month, 9, 16);
    check("Week 3", ProjectUnit::Week, 3, 3);
    check("Year 2", ProjectUnit::Year, 2, 2);
    check("Day 1 to Day 5", ProjectUnit::Day, 1, 5);
}

#[test]
fn what_is_no_date() {
    for text in [
        "you may go",
        "march on",
        "a second",
        "v2026.1",
        "Article 2026",
        "2026 hubs",
        "it took 18–20 months",
        "$2026",
        "12/25",
        "1,998",
        "2026%",
        "Cyberpunk 2077",
        "RTX 4090",
        "3 days 4 hours",
        "in 2000 hubs",
        "May we",
        "may 5",
        "2026-13-45",
        "32/01/2026",
        "per month 5",
        "10:30",
        "mid",
        "late",
        "the end",
        "spring",
        "1.2.2026.4",
    ] {
        assert_eq!(dates(text), [], "in {text:?}");
    }
}

#[test]
fn parts_of_a_duration() {
    let text = "It must end within about 45–55 shooting days.";
    let reading = duration(text);
    assert_eq!(&text[reading.range.clone()], "within about 45–55 shooting days");
    assert_eq!(&text[reading.number_range.clone()], "45–55");
    assert_eq!(&text[reading.modifier.clone().unwrap()], "shooting");
    assert_eq!((reading.bound, reading.approximate, reading.unit), (Bound::AtMost, true, DurationUnit::Day));
    assert_eq!(duration("over 3 years").bound, Bound::Exact);
    assert_eq!(duration("more than 3 years").bound, Bound::AtLeast);
}

#[test]
fn what_is_no_duration() {
    for text in [
        "a second opinion",
        "per month",
        "month 16",
        "Week 3",
        "a year",
        "5 minutiae",
        "v2 days",
        "three quarters of it",
        "half",
        "the day",
        "COVID-19 days",
        "weeks",
        "5 second thoughts",
        "20 person-days",
        "1.2.3 years",
    ] {
        assert_eq!(durations(text), [], "in {text:?}");
    }
}
