//! Lengths of time.

use crate::check;

#[test]
fn lengths() {
    check("30 min", "30 min = 30m");
    check("30-45 min", "30-45 min = 30m to 45m");
    check("30–45 min", "30–45 min = 30m to 45m");
    check("1 to 2 hours", "1 to 2 hours = 1h to 2h");
    check("2 or 3 days", "2 or 3 days = 2d to 3d");
    check("an hour and a half of writing", "an hour and a half = 1h30m");
    check("takes an hour", "an hour = 1h");
    check("half an hour", "half an hour = 30m");
    check("half a day", "half a day = 12h");
    check("a half-hour call", "a half-hour = 30m");
    check("half day", "half day = 12h");
    check("two and a half hours", "two and a half hours = 2h30m");
    check("1h30", "1h30 = 1h30m");
    check("2h15min", "2h15min = 2h15m");
    check("1.5 hours", "1.5 hours = 1h30m");
    check("1.5h", "1.5h = 1h30m");
    check("45min", "45min = 45m");
    check("90-minute block", "90-minute = 1h30m");
    check("3 business days", "3 business days = 3d");
    check("2 hours and 15 minutes", "2 hours and 15 minutes = 2h15m");
    check("1 hour, 20 min", "1 hour, 20 min = 1h20m");
    check("1h 30m", "1h 30m = 1h30m");
    check("3m 49s", "3m 49s = 3m49s");
}

#[test]
fn minutes_by_one_letter_want_a_cue() {
    check("(20m)", "20m = 20m");
    check("wait for 20m", "20m = 20m");
}

#[test]
fn ranges_and_bounds() {
    check("2 weeks to 3 months", "2 weeks to 3 months = 14d to 3mo");
    check("30 min to 1 hour", "30 min to 1 hour = 30m to 1h");
    check("an hour or two", "an hour or two = 1h to 2h ~");
    check("about 2 hours", "2 hours = 2h ~");
    check("less than an hour", "less than an hour = 0s to 1h");
    check("more than 3 days", "more than 3 days = 3d to …");
    check("at least 20 minutes", "at least 20 minutes = 20m to …");
    check("up to 2 hours", "up to 2 hours = 0s to 2h");
}

#[test]
fn lengths_without_a_figure() {
    check("a couple of hours", "a couple of hours = 2h");
    check("several minutes", "several minutes = 3m ~");
    check("another week", "another week = 7d");
    check("all day", "all day = 1d");
    check("a quarter of an hour", "a quarter of an hour = 15m");
    check("three quarters of an hour", "three quarters of an hour = 45m");
    check("twenty-five minutes", "twenty-five minutes = 25m");
    check("1 year 1 month 21 days", "1 year 1 month 21 days = 13mo21d");
    check("a fortnight", "a fortnight = 14d");
    check("for a week", "a week = 7d");
}

#[test]
fn what_is_no_length() {
    check("twice a week", "");
    check("$50 an hour", "");
    check("3.5 seconds", "3.5 seconds = 3s500ms");
    check("5 second thoughts", "");
    check("a second opinion", "");
    check("15 hrs.", "15 hrs = 15h");
    check("half the day", "");
    check("2 working days", "2 working days = 2d");
}
