//! Clock times, ranges of them and parts of a day.

use crate::check;

#[test]
fn times_in_words_and_figures() {
    check("half past two", "half past two = 02:30 | 14:30");
    check("a quarter to 5", "a quarter to 5 = 04:45 | 16:45");
    check("quarter past eight in the evening", "quarter past eight in the evening = 20:15");
    check("ten to six", "");
    check("20 minutes to three", "20 minutes to three = 02:40 | 14:40");
    check("at 10 past 9", "10 past 9 = 09:10 | 21:10");
    check("seven o'clock", "seven o'clock = 07:00 | 19:00");
    check("seven thirty pm", "seven thirty pm = 19:30");
    check("eight fifteen in the morning", "eight fifteen in the morning = 08:15");
    check("3pm", "3pm = 15:00");
    check("3 p.m. sharp", "3 p.m. = 15:00");
    check("7 P.M.", "7 P.M. = 19:00");
    check("9am", "9am = 09:00");
    check("at 9:30", "9:30 = 09:30 | 21:30");
    check("at 09:30", "09:30 = 09:30");
    check("13:45", "13:45 = 13:45");
    check("0:30", "0:30 = 00:30");
    check("24:00", "24:00 = 00:00");
    check("23:59:59", "23:59:59 = 23:59:59");
    check("at 1530", "1530 = 15:30");
    check("0745h", "0745h = 07:45");
    check("340pm", "340pm = 15:40");
    check("1140 a.m.", "1140 a.m. = 11:40");
    check("at 15h", "15h = 15:00");
    check("at 7h01", "7h01 = 07:01 | 19:01");
    check("at 8.30", "8.30 = 08:30 | 20:30");
    check("8.10 pm", "8.10 pm = 20:10");
    check("noon", "noon = 12:00");
    check("12 noon", "12 noon = 12:00");
    check("midnight", "midnight = 00:00");
    check("midday", "midday = 12:00");
    check("12am", "12am = 00:00");
    check("12pm", "12pm = 12:00");
    check("2ish", "2ish = 02:00 | 14:00 ~");
    check("around 6-ish", "6-ish = 06:00 | 18:00 ~");
    check("at about 5", "5 = 05:00 | 17:00 ~");
    check("5 in the afternoon", "5 in the afternoon = 17:00");
    check("at 12 in the night", "12 in the night = 00:00");
    check("12 at night", "12 at night = 00:00");
}

#[test]
fn times_of_a_day() {
    check("tonight at 8", "tonight at 8 = 2026-01-21T20:00");
    check("8 tonight", "8 tonight = 2026-01-21T20:00");
    check("tonight at 1", "tonight at 1 = 2026-01-22T01:00");
    check("tomorrow at midnight", "tomorrow at midnight = 2026-01-22T00:00 | 2026-01-23T00:00");
    check("tomorrow at 7", "tomorrow at 7 = 2026-01-22T07:00 | 2026-01-22T19:00");
    check("7pm on Friday", "7pm on Friday = 2026-01-23T19:00 | 2026-01-16T19:00");
    check("Friday 7pm", "Friday 7pm = 2026-01-23T19:00 | 2026-01-16T19:00");
    check("tomorrow morning at 9", "tomorrow morning at 9 = 2026-01-22T09:00");
    check("2026-01-25T10:00", "2026-01-25T10:00 = 2026-01-25T10:00");
    check("2026-01-25 14:30", "2026-01-25 14:30 = 2026-01-25T14:30");
}

#[test]
fn bare_numbers_with_a_cue() {
    check("call at 5, then leave", "5 = 05:00 | 17:00");
    check("meet at 12 for lunch", "12 = 00:00 | 12:00");
    check("pick up at 5:15 sharp", "5:15 = 05:15 | 17:15");
    check("dentist at 3", "3 = 03:00 | 15:00");
    check("@ 4", "4 = 04:00 | 16:00");
}

#[test]
fn ranges() {
    check("9:30-10", "9:30-10 = 09:30..10:00 | 21:30..22:00");
    check("9:30 to 10", "9:30 to 10 = 09:30..10:00 | 21:30..22:00");
    check("10-11:30", "10-11:30 = 10:00..11:30 | 22:00..23:30");
    check("from 9 to 5", "from 9 to 5 = 09:00..17:00 | 21:00..05:00");
    check("between 1 and 3pm", "between 1 and 3pm = 13:00..15:00");
    check("5 to 6pm", "5 to 6pm = 17:00..18:00");
    check("11 to 3am", "11 to 3am = 23:00..03:00");
    check("10pm to 6am", "10pm to 6am = 22:00..06:00");
    check("11:50pm–6:10am", "11:50pm–6:10am = 23:50..06:10");
    check("back-to-back 10-12 and 13:00", "10-12 = 10:00..12:00 | 22:00..00:00 ; 13:00 = 13:00");
    check("12 to 1:15", "12 to 1:15 = 00:00..01:15 | 12:00..13:15");
    check("I work 9–5", "9–5 = 09:00..17:00 | 21:00..05:00");
    check("open 9-5", "9-5 = 09:00..17:00 | 21:00..05:00");
    check(
        "Monday 11-4",
        "Monday 11-4 = 2026-01-26T11:00..2026-01-26T16:00 | 2026-01-26T23:00..2026-01-27T04:00 | 2026-01-19T11:00..2026-01-19T16:00 | 2026-01-19T23:00..2026-01-20T04:00",
    );
    check("from 2pm for 2 hours", "from 2pm for 2 hours = 14:00..16:00");
    check("at 3 for 45 minutes", "3 for 45 minutes = 03:00..03:45 | 15:00..15:45");
    check("for 3 hours from 10 am", "for 3 hours from 10 am = 10:00..13:00");
    check("14:00–15:30", "14:00–15:30 = 14:00..15:30");
}

#[test]
fn ranges_on_days() {
    check("from 4pm today to 5pm tomorrow", "from 4pm today to 5pm tomorrow = 2026-01-21T16:00..2026-01-22T17:00");
    check(
        "Friday between 1pm and 4pm",
        "Friday between 1pm and 4pm = 2026-01-23T13:00..2026-01-23T16:00 | 2026-01-16T13:00..2026-01-16T16:00",
    );
    check(
        "Friday afternoon between 1 and 4",
        "Friday afternoon between 1 and 4 = 2026-01-23T13:00..2026-01-23T16:00 | 2026-01-16T13:00..2026-01-16T16:00",
    );
    check(
        "tomorrow from 9 to 11:30",
        "tomorrow from 9 to 11:30 = 2026-01-22T09:00..2026-01-22T11:30 | 2026-01-22T21:00..2026-01-22T23:30",
    );
    check(
        "Monday during 9:00 to 11:30, 12:00 to 12:30",
        "Monday during 9:00 to 11:30 = 2026-01-26T09:00..2026-01-26T11:30 | 2026-01-26T21:00..2026-01-26T23:30 | 2026-01-19T09:00..2026-01-19T11:30 | 2026-01-19T21:00..2026-01-19T23:30 ; 12:00 to 12:30 = 00:00..00:30 | 12:00..12:30",
    );
    check(
        "16:30 to 17:00, Tuesday from 13:00 to 13:30",
        "16:30 to 17:00 = 16:30..17:00 ; Tuesday from 13:00 to 13:30 = 2026-01-27T13:00..2026-01-27T13:30 | 2026-01-20T13:00..2026-01-20T13:30",
    );
}

#[test]
fn parts_of_a_day() {
    check("in the morning", "in the morning = morning");
    check("late afternoon", "late afternoon = late afternoon");
    check("mid-morning", "mid-morning = mid morning");
    check("Thursday evening", "Thursday evening = evening 2026-01-22 | evening 2026-01-15");
    check("tomorrow night", "tomorrow night = night 2026-01-22");
    check("last night", "last night = night 2026-01-20");
    check("this morning", "this morning = morning 2026-01-21");
    check("EOD", "EOD = endofday");
    check("by end of day tomorrow", "<by> end of day tomorrow = endofday 2026-01-22");
    check("close of business", "close of business = closeofbusiness");
    check("during business hours", "business hours = businesshours");
    check("lunch at noon", "noon = 12:00");
    check("after lunch", "<after> lunch = lunch");
    check("before 5, lunch with Bob", "<before> 5 = 05:00 | 17:00");
    check(
        "- 9-10 standup\n- 10:30 call\n- 1-2 lunch",
        "9-10 = 09:00..10:00 | 21:00..22:00 ; 10:30 = 10:30 | 22:30 ; 1-2 = 01:00..02:00 | 13:00..14:00",
    );
    check("- 9-10 apples\n- call Bob", "");
    check("rest of the day", "rest of the day = 2026-01-21T11:00..2026-01-22T00:00");
}
