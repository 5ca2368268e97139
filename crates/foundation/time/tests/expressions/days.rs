//! Days, stretches of days, and what is counted from now.

use crate::{at, check, check_at};

#[test]
fn relative_days_and_weekdays() {
    check("today", "today = 2026-01-21");
    check("tomorrow", "tomorrow = 2026-01-22");
    check("yesterday", "yesterday = 2026-01-20");
    check("the day after tomorrow", "the day after tomorrow = 2026-01-23");
    check("the day before yesterday", "the day before yesterday = 2026-01-19");
    check("Monday", "Monday = 2026-01-26 | 2026-01-19");
    check("Wednesday", "Wednesday = 2026-01-21 | 2026-01-28 | 2026-01-14");
    check("next Tue", "next Tue = 2026-01-27");
    check("next Friday", "next Friday = 2026-01-23 | 2026-01-30");
    check("this Friday", "this Friday = 2026-01-23");
    check("this Monday", "this Monday = 2026-01-26 | 2026-01-19");
    check("last Wed", "last Wed = 2026-01-14");
    check("last Friday", "last Friday = 2026-01-16");
    check("on Sat", "Sat = 2026-01-24 | 2026-01-17");
    check("he sat down", "");
    check("the sun is out", "");
    check("Friday next week", "Friday next week = 2026-01-30");
    check("Tuesday of last week", "Tuesday of last week = 2026-01-13");
    check("this week Friday", "this week Friday = 2026-01-23");
    check("Monday week", "Monday week = 2026-02-02");
    check("Monday, 26 January", "Monday, 26 January = 2026-01-26");
    check("Monday 4 March 2026", "Monday 4 March 2026 = 2026-03-04 (WrongWeekday)");
}

#[test]
fn days_of_a_month() {
    check("Thursday the 22nd", "Thursday the 22nd = 2026-01-22");
    check("Friday the 13th", "Friday the 13th = 2026-02-13");
    check("the 15th of next month", "the 15th of next month = 2026-02-15");
    check(
        "on the 25th at 4",
        "the 25th at 4 = 2026-01-25T04:00 | 2026-01-25T16:00 | 2025-12-25T04:00 | 2025-12-25T16:00",
    );
    check("on 25", "25 = 2026-01-25 | 2025-12-25");
    check("the first Friday of February", "the first Friday of February = 2026-02-06 | 2025-02-07");
    check("the last Friday of March", "the last Friday of March = 2026-03-27 | 2025-03-28");
    check("second Monday of next month", "second Monday of next month = 2026-02-09");
    check("the last day of the month", "the last day of the month = 2026-01-31");
    check("4 March 2026", "4 March 2026 = 2026-03-04");
    check("March 4, 2026", "March 4, 2026 = 2026-03-04");
    check("Mar. 4", "Mar. 4 = 2026-03-04 | 2025-03-04");
    check("4th of March", "4th of March = 2026-03-04 | 2025-03-04");
    check("Jan first", "Jan first = 2027-01-01 | 2026-01-01");
    check("the tenth of September, two thousand", "the tenth of September, two thousand = 2000-09-10");
    check("May 5", "May 5 = 2026-05-05 | 2025-05-05");
    check("may 5th", "may 5th = 2026-05-05 | 2025-05-05");
    check("you may 5 times", "");
}

#[test]
fn dates_in_figures() {
    check("2026-03-04", "2026-03-04 = 2026-03-04");
    check("2026/3/4", "2026/3/4 = 2026-03-04");
    check("03/04", "03/04 = 2026-03-04 | 2025-03-04 | 2026-04-03 | 2025-04-03 (DayOrMonthFirst)");
    check("3/4/26", "3/4/26 = 2026-03-04 | 2026-04-03 (DayOrMonthFirst)");
    check("13/4/2026", "13/4/2026 = 2026-04-13");
    check("13.5.2026", "13.5.2026 = 2026-05-13");
    check("21-APR-26", "21-APR-26 = 2026-04-21");
    check("8/Oct/2026", "8/Oct/2026 = 2026-10-08");
    check("february22", "february22 = 2026-02-22 | 2025-02-22");
    check("Feb 29", "Feb 29 = 2028-02-29 | 2024-02-29");
    check("Feb 29, 2027", "Feb 29, 2027 =  (NoSuchTime)");
    check("Feb 30", "Feb 30 =  (NoSuchTime)");
    check("31/4/2026", "31/4/2026 =  (NoSuchTime)");
    check("02/29/2028", "02/29/2028 = 2028-02-29");
}

#[test]
fn weeks_months_and_years() {
    check("next week", "next week = 2026-01-26..=2026-02-01");
    check("this week", "this week = 2026-01-19..=2026-01-25");
    check("last month", "last month = 2025-12-01..=2025-12-31");
    check("next month", "next month = 2026-02-01..=2026-02-28");
    check("this year", "this year = 2026-01-01..=2026-12-31");
    check("next quarter", "next quarter = 2026-04-01..=2026-06-30");
    check("the weekend", "the weekend = 2026-01-24..=2026-01-25");
    check("next weekend", "next weekend = 2026-01-24..=2026-01-25 | 2026-01-31..=2026-02-01");
    check("end of the week", "end of the week = 2026-01-22..=2026-01-25");
    check("early next week", "early next week = 2026-01-26..=2026-01-28");
    check("mid March", "mid March = 2026-03-08..=2026-03-23 | 2025-03-08..=2025-03-23");
    check("late this month", "late this month = 2026-01-16..=2026-01-31");
    check("end of Q3 2026", "end of Q3 2026 = 2026-09-01..=2026-09-30");
    check("week 31", "week 31 = 2026-07-27..=2026-08-02");
    check("week of March 16", "week of March 16 = 2026-03-16..=2026-03-22 | 2025-03-10..=2025-03-16");
    check("Q3", "Q3 = 2026-07-01..=2026-09-30 | 2025-07-01..=2025-09-30");
    check("Q1 2027", "Q1 2027 = 2027-01-01..=2027-03-31");
    check("H1 2026", "H1 2026 = 2026-01-01..=2026-06-30");
    check("2026", "");
    check("in 2026", "2026 = 2026-01-01..=2026-12-31");
    check("the 1990s", "the 1990s = 1990-01-01..=1999-12-31");
    check("the 21st century", "the 21st century = 2000-01-01..=2099-12-31");
    check("summer of 2026", "summer of 2026 = 2026-06-01..=2026-08-31 (WhichSeason)");
    check("next spring", "next spring = 2026-03-01..=2026-05-31 (WhichSeason)");
    check("March", "");
    check("in March", "March = 2026-03-01..=2026-03-31 | 2025-03-01..=2025-03-31");
    check("march on", "");
    check("in May", "May = 2026-05-01..=2026-05-31 | 2025-05-01..=2025-05-31");
    check("may we go", "");
    check("March 2026", "March 2026 = 2026-03-01..=2026-03-31");
}

#[test]
fn ranges() {
    check("from 4 to 8 March", "from 4 to 8 March = 2026-03-04..=2026-03-08 | 2025-03-04..=2025-03-08");
    check("4 to 22 January 2027", "4 to 22 January 2027 = 2027-01-04..=2027-01-22");
    check("November 19 to 20", "November 19 to 20 = 2026-11-19..=2026-11-20 | 2025-11-19..=2025-11-20");
    check("Jan 30 – Feb 2", "Jan 30 – Feb 2 = 2026-01-30..=2026-02-02 | 2025-01-30..=2025-02-02");
    check("Monday to Wednesday", "Monday to Wednesday = 2026-01-26..=2026-01-28 | 2026-01-19..=2026-01-21");
    check(
        "from Monday through Friday",
        "from Monday through Friday = 2026-01-26..=2026-01-30 | 2026-01-19..=2026-01-23",
    );
    check("between 2 and 7 Feb", "between 2 and 7 Feb = 2026-02-02..=2026-02-07 | 2025-02-02..=2025-02-07");
    check("next week from Tuesday to Thursday", "next week from Tuesday to Thursday = 2026-01-27..=2026-01-29");
    check("rest of the week", "rest of the week = 2026-01-21..=2026-01-25");
    check("the month after next", "the month after next = 2026-03-01..=2026-03-31");
}

#[test]
fn counted_from_now() {
    check("in three days", "in three days = 2026-01-24");
    check("in two weeks", "in two weeks = 2026-02-04");
    check("3 days ago", "3 days ago = 2026-01-18");
    check("two weeks from now", "two weeks from now = 2026-02-04");
    check("two weeks from tomorrow", "two weeks from tomorrow = 2026-02-05");
    check("in 2 hours", "in 2 hours = 2026-01-21T13:00");
    check("20 minutes ago", "20 minutes ago = 2026-01-21T10:40");
    check("in half an hour", "in half an hour = 2026-01-21T11:30");
    check("2 days after Friday", "2 days after Friday = 2026-01-25 | 2026-01-18");
    check("2 hours before noon", "2 hours before noon = 10:00");
    check("within 5 hours", "within 5 hours = 2026-01-21T11:00..2026-01-21T16:00");
    check("within two weeks", "within two weeks = 2026-01-21..=2026-02-04");
    check("next 3 days", "next 3 days = 2026-01-22..=2026-01-24");
    check("the past few hours", "the past few hours = 2026-01-21T08:00..2026-01-21T11:00 ~");
    check("in a couple of days", "in a couple of days = 2026-01-23");
    check("two Mondays from now", "two Mondays from now = 2026-02-02");
    check("a year ago", "a year ago = 2025-01-21");
    check("six months from today", "six months from today = 2026-07-21");
    check("in 2 days' time", "in 2 days' time = 2026-01-23");
    check("for 3 days from tomorrow", "for 3 days from tomorrow = 2026-01-22..=2026-01-24");
    check("2 weeks starting 20 May", "2 weeks starting 20 May = 2026-05-20..=2026-06-02 | 2025-05-20..=2025-06-02");
    check("is it due now?", "<by> now = 2026-01-21T11:00");
    check("now we go", "");
    check("December 31, 2026 11pm - 1am", "December 31, 2026 11pm - 1am = 2026-12-31T23:00..2027-01-01T01:00");
}

#[test]
fn holidays() {
    check("Christmas", "Christmas = 2026-12-25 | 2025-12-25");
    check("Christmas Eve 2026", "Christmas Eve 2026 = 2026-12-24");
    check("on Christmas at noon", "Christmas at noon = 2026-12-25T12:00 | 2025-12-25T12:00");
    check("New Year's Eve", "New Year's Eve = 2026-12-31 | 2025-12-31");
    check("New Year's Day 2027", "New Year's Day 2027 = 2027-01-01");
    check("Easter", "Easter = 2026-04-05 | 2025-04-20");
    check("Easter Monday 2027", "Easter Monday 2027 = 2027-03-29");
    check("Good Friday", "Good Friday = 2026-04-03 | 2025-04-18");
    check("Thanksgiving", "Thanksgiving = 2026-11-26 | 2025-11-27 | 2026-10-12 | 2025-10-13 (WhichCountry)");
    check("Thanksgiving 2026", "Thanksgiving 2026 = 2026-11-26 | 2026-10-12 (WhichCountry)");
    check("Black Friday", "Black Friday = 2026-11-27 | 2025-11-28");
    check("Memorial Day", "Memorial Day = 2026-05-25 | 2025-05-26");
    check("Mother's Day", "Mother's Day = 2026-05-10 | 2025-05-11 | 2026-03-15 | 2025-03-30 (WhichCountry)");
    check("Halloween", "Halloween = 2026-10-31 | 2025-10-31");
    check("3 days before Christmas", "3 days before Christmas = 2026-12-22 | 2025-12-22");
    check("happy new year", "");
    check("labor camps", "");
    check("Christmas dinner", "Christmas = 2026-12-25 | 2025-12-25");
}

#[test]
fn working_days_pass_over_weekends() {
    check("in 3 working days", "in 3 working days = 2026-01-26");
    check("in 5 working days", "in 5 working days = 2026-01-28");
    check("in 10 business days", "in 10 business days = 2026-02-04");
    check("3 business days ago", "3 business days ago = 2026-01-16");
    check("within 6 working days", "within 6 working days = 2026-01-21..=2026-01-29");
    check("the next working day", "the next working day = 2026-01-22");
    let saturday = at("2026-01-24T11:00:00-05:00[America/Toronto]");
    check_at(&saturday, "in 1 working day", "in 1 working day = 2026-01-26");
    check_at(&saturday, "in 5 working days", "in 5 working days = 2026-01-30");
    check_at(&saturday, "1 working day ago", "1 working day ago = 2026-01-23");
    check_at(&saturday, "the next business day", "the next business day = 2026-01-26");
}

#[test]
fn days_that_share_a_month() {
    check("5 and 8 December 2027", "5 = 2027-12-05 ; 8 December 2027 = 2027-12-08");
    check(
        "7, 8 or 9 June",
        "7 = 2026-06-07 | 2025-06-07 ; 8 = 2026-06-08 | 2025-06-08 ; 9 June = 2026-06-09 | 2025-06-09",
    );
    check(
        "on the 5th and 8th of December",
        "the 5th = 2026-12-05 | 2025-12-05 ; 8th of December = 2026-12-08 | 2025-12-08",
    );
    check("Dec 5, 6 and 7", "Dec 5 = 2026-12-05 | 2025-12-05");
    check("the weekend of June 5", "the weekend of June 5 = 2026-06-06..=2026-06-07 | 2025-06-07..=2025-06-08");
}
