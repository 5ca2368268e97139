//! More days and times of days, as people write them.

use crate::check;

#[test]
fn days_and_times_on_them() {
    check("I'll go back on 12", "12 = 2026-02-12 | 2026-01-12");
    check("I'll go back 12 jan", "12 jan = 2027-01-12 | 2026-01-12");
    check("I'll go back jan/1", "jan/1 = 2027-01-01 | 2026-01-01");
    check("I'll go back Jan. 12, 2016", "Jan. 12, 2016 = 2016-01-12");
    check("I'll go back 08/12, 2015", "08/12, 2015 = 2015-08-12 | 2015-12-08 (DayOrMonthFirst)");
    check("I'll go back 11/12,16", "11/12,16 = 2016-11-12 | 2016-12-11 (DayOrMonthFirst)");
    check("I'll go back 22 of June", "22 of June = 2026-06-22 | 2025-06-22");
    check("I'll go back twenty eight of June", "twenty eight of June = 2026-06-28 | 2025-06-28");
    check("I'll go back April 22 2016", "April 22 2016 = 2016-04-22");
    check("I'll go back next week Wednesday", "next week Wednesday = 2026-01-28");
    check("I'll go back next week on Friday", "next week on Friday = 2026-01-30");
    check("I'll go back on Friday this week", "Friday this week = 2026-01-23");
    check("I'll go back Tuesday 27th", "Tuesday 27th = 2026-01-27");
    check("I'll go back Saturday 2nd", "Saturday 2nd = 2026-02-02 | 2026-01-02 (WrongWeekday)");
    check("I'll go back Wednesday 22 of january", "Wednesday 22 of january = 2026-01-22 | 2025-01-22 (WrongWeekday)");
    check("I'll go back Wednesday 22nd January", "Wednesday 22nd January = 2026-01-22 | 2025-01-22 (WrongWeekday)");
    check("I went back the twenty second", "");
    check("I'll go back for the 21st.", "the 21st = 2026-01-21 | 2026-02-21 | 2025-12-21");
    check("I'll go back for the 27th of this month", "the 27th of this month = 2026-01-27");
    check("are you free two days from yesterday", "two days from yesterday = 2026-01-22");
    check("are you free two days after tomorrow", "two days after tomorrow = 2026-01-24");
    check("2 weeks before yesterday", "2 weeks before yesterday = 2026-01-06");
    check("three days from Monday", "three days from Monday = 2026-01-29 | 2026-01-22");
    check("I'll be back wednesday 10/25", "wednesday 10/25 = 2026-10-25 | 2025-10-25 (WrongWeekday)");
    check("wed, 25 oct 2017", "wed, 25 oct 2017 = 2017-10-25");
    check("Sunday, Jan 21, 2018", "Sunday, Jan 21, 2018 = 2018-01-21");
    check(
        "on Sunday twenty first of January two thousand and eighteen",
        "Sunday twenty first of January two thousand and eighteen = 2018-01-21",
    );
    check("March third", "March third = 2026-03-03 | 2025-03-03");
    check("3 march", "3 march = 2026-03-03 | 2025-03-03");
    check("third of march", "third of march = 2026-03-03 | 2025-03-03");
    check("the 3rd of march 2018", "the 3rd of march 2018 = 2018-03-03");
    check("1991 march 2", "1991 march 2 = 1991-03-02");
    check("sept. 16", "sept. 16 = 2026-09-16 | 2025-09-16");
    check("sep 16", "sep 16 = 2026-09-16 | 2025-09-16");
    check("2/3/2018", "2/3/2018 = 2018-02-03 | 2018-03-02 (DayOrMonthFirst)");
    check("2018.2.3", "2018.2.3 = 2018-02-03");
    check("2-3-18", "2-3-18 = 2018-02-03 | 2018-03-02 (DayOrMonthFirst)");
    check("16 Nov. 2016", "16 Nov. 2016 = 2016-11-16");
    check("16-nov-2016", "16-nov-2016 = 2016-11-16");
    check(
        "I'll go back June 22nd at 5",
        "June 22nd at 5 = 2026-06-22T05:00 | 2026-06-22T17:00 | 2025-06-22T05:00 | 2025-06-22T17:00",
    );
    check("last day of next month", "last day of next month = 2026-02-28");
    check("fourth Sunday of next month", "fourth Sunday of next month = 2026-02-22");
    check("first day of the year", "first day of the year = 2026-01-01");
    check("a week from today", "a week from today = 2026-01-28");
    check("a month from tomorrow", "a month from tomorrow = 2026-02-22");
    check("a couple of days ago", "a couple of days ago = 2026-01-19");
    check("few weeks later", "few weeks later = 2026-02-11 ~");
    check("several days ago", "several days ago = 2026-01-18 ~");
    check("1 and a half days ago", "1 and a half days ago = 2026-01-19T23:00");
    check("some days later", "some days later = 2026-01-24 ~");
    check("3 days before now", "3 days before now = 2026-01-18");
    check("4 days earlier", "4 days earlier = 2026-01-17");
    check("in a few days", "in a few days = 2026-01-24 ~");
    check("in a week", "in a week = 2026-01-28");
    check("in two and a half weeks", "in two and a half weeks = 2026-02-07T23:00");
    check("tonight 7:30", "tonight 7:30 = 2026-01-21T19:30");
    check("tonight 9 pm", "tonight 9 pm = 2026-01-21T21:00");
    check("today at 5 in the afternoon", "today at 5 in the afternoon = 2026-01-21T17:00");
    check("today 5pm", "today 5pm = 2026-01-21T17:00");
    check("seven pm tomorrow", "seven pm tomorrow = 2026-01-22T19:00");
    check("tomorrow at seven thirty", "tomorrow at seven thirty = 2026-01-22T07:30 | 2026-01-22T19:30");
    check("5pm the day after tomorrow", "5pm the day after tomorrow = 2026-01-23T17:00");
    check("Monday at noon", "Monday at noon = 2026-01-26T12:00 | 2026-01-19T12:00");
    check("this morning 8", "this morning 8 = 2026-01-21T08:00");
    check("8 this morning", "8 this morning = 2026-01-21T08:00");
    check("7 pm this friday", "7 pm this friday = 2026-01-23T19:00");
    check("9 o'clock pm on Sunday", "9 o'clock pm on Sunday = 2026-01-25T21:00 | 2026-01-18T21:00");
    check("eight pm on 15th", "eight pm on 15th = 2026-02-15T20:00 | 2026-01-15T20:00");
    check("Oct 5th 2016 at 8:00", "Oct 5th 2016 at 8:00 = 2016-10-05T08:00 | 2016-10-05T20:00");
    check("October 5 , 8 pm", "October 5 , 8 pm = 2026-10-05T20:00 | 2025-10-05T20:00");
    check("5 october for 8am", "5 october for 8am = 2026-10-05T08:00 | 2025-10-05T08:00");
    check("on oct 14 for 8:00:31am", "oct 14 for 8:00:31am = 2026-10-14T08:00:31 | 2025-10-14T08:00:31");
    check("2016-12-16 12:23:59", "2016-12-16 12:23:59 = 2016-12-16T12:23:59");
    check("2016-12-16T12:23", "2016-12-16T12:23 = 2016-12-16T12:23");
    check("2016-12-16 at 4pm", "2016-12-16 at 4pm = 2016-12-16T16:00");
    check("the 16th, 4pm", "the 16th, 4pm = 2026-02-16T16:00 | 2026-01-16T16:00");
    check("at the end of tomorrow", "end of tomorrow = endofday 2026-01-22");
    check("the end of today", "end of today = endofday 2026-01-21");
    check(
        "at 4 on the 5th",
        "4 on the 5th = 2026-02-05T04:00 | 2026-02-05T16:00 | 2026-01-05T04:00 | 2026-01-05T16:00",
    );
    check(
        "20 minutes past 8 on friday",
        "20 minutes past 8 on friday = 2026-01-23T08:20 | 2026-01-23T20:20 | 2026-01-16T08:20 | 2026-01-16T20:20",
    );
    check("in 20 min", "in 20 min = 2026-01-21T11:20");
    check("within two hours", "within two hours = 2026-01-21T11:00..2026-01-21T13:00");
    check("within 30 mins", "within 30 mins = 2026-01-21T11:00..2026-01-21T11:30");
    check("in the next two hours", "the next two hours = 2026-01-21T11:00..2026-01-21T13:00");
    check("an hour later", "an hour later = 2026-01-21T12:00");
    check("2 hours from now", "2 hours from now = 2026-01-21T13:00");
    check("for the next 30 min", "the next 30 min = 2026-01-21T11:00..2026-01-21T11:30");
    check("half hour ago", "half hour ago = 2026-01-21T10:30");
    check("I'll go back in an hour and a half", "in an hour and a half = 2026-01-21T12:30");
}

#[test]
fn ranges_and_parts_of_days() {
    check("I'll go back 12 jan", "12 jan = 2027-01-12 | 2026-01-12");
    check("3 march", "3 march = 2026-03-03 | 2025-03-03");
    check("you have 3 march on", "");
    check("5 may be enough", "");
    check("twenty eight of June", "twenty eight of June = 2026-06-28 | 2025-06-28");
    check("Wednesday 22nd January", "Wednesday 22nd January = 2026-01-22 | 2025-01-22 (WrongWeekday)");
    check("Friday 30 January", "Friday 30 January = 2026-01-30");
    check("2016-12-16 12:23:59", "2016-12-16 12:23:59 = 2016-12-16T12:23:59");
    check("3 days before now", "3 days before now = 2026-01-18");
    check("the twenty second", "");
    check("I'll be out from 5 until six pm", "from 5 until six pm = 17:00..18:00");
    check("I'll be out between 5 pm and 6 in the afternoon", "between 5 pm and 6 in the afternoon = 17:00..18:00");
    check("I'll be out from 8am till 9pm", "from 8am till 9pm = 08:00..21:00");
    check("I'll be out 4pm to 5 pm", "4pm to 5 pm = 16:00..17:00");
    check("I'll be out 4pm-5:30pm", "4pm-5:30pm = 16:00..17:30");
    check("I'll be out between four and five", "between four and five = 04:00..05:00 | 16:00..17:00");
    check("I'll be out from 3 to 4 this afternoon", "from 3 to 4 this afternoon = 2026-01-21T15:00..2026-01-21T16:00");
    check(
        "I'll be out 8am-9am on Monday",
        "8am-9am on Monday = 2026-01-26T08:00..2026-01-26T09:00 | 2026-01-19T08:00..2026-01-19T09:00",
    );
    check("from twenty to eight to nine", "from twenty to eight to nine = 07:40..09:00 | 19:40..21:00");
    check("from half past 8 to quarter to 9", "from half past 8 to quarter to 9 = 08:30..08:45 | 20:30..20:45");
    check(
        "from a quarter past seven until half past nine in the evening",
        "from a quarter past seven until half past nine in the evening = 19:15..21:30",
    );
    check("1:30 to 3:30 pm", "1:30 to 3:30 pm = 13:30..15:30");
    check("from 13:00 to 3pm", "from 13:00 to 3pm = 13:00..15:00");
    check("11pm till midnight", "11pm till midnight = 23:00..00:00");
    check("midnight to noon", "midnight to noon = 00:00..12:00");
    check("from 12pm to 1am", "from 12pm to 1am = 12:00..01:00");
    check("from 12 to 2", "from 12 to 2 = 00:00..02:00 | 12:00..14:00");
    check("between 12:30 and 1", "between 12:30 and 1 = 00:30..01:00 | 12:30..13:00");
    check("from 1 pm to 2 pm today", "from 1 pm to 2 pm today = 2026-01-21T13:00..2026-01-21T14:00");
    check(
        "today from 1 to 2",
        "today from 1 to 2 = 2026-01-21T01:00..2026-01-21T02:00 | 2026-01-21T13:00..2026-01-21T14:00",
    );
    check("from 1 to 2pm tomorrow", "from 1 to 2pm tomorrow = 2026-01-22T13:00..2026-01-22T14:00");
    check(
        "between 2 and 3 on Friday",
        "between 2 and 3 on Friday = 2026-01-23T02:00..2026-01-23T03:00 | 2026-01-23T14:00..2026-01-23T15:00 | 2026-01-16T02:00..2026-01-16T03:00 | 2026-01-16T14:00..2026-01-16T15:00",
    );
    check("next Tuesday from 9am till 10am", "next Tuesday from 9am till 10am = 2026-01-27T09:00..2026-01-27T10:00");
    check(
        "on Monday, 9 to 10",
        "Monday, 9 to 10 = 2026-01-26T09:00..2026-01-26T10:00 | 2026-01-26T21:00..2026-01-26T22:00 | 2026-01-19T09:00..2026-01-19T10:00 | 2026-01-19T21:00..2026-01-19T22:00",
    );
    check(
        "Monday 9am to Tuesday 5pm",
        "Monday 9am to Tuesday 5pm = 2026-01-26T09:00..2026-01-27T17:00 | 2026-01-19T09:00..2026-01-20T17:00",
    );
    check(
        "from Monday 9am to Tuesday 5pm",
        "from Monday 9am to Tuesday 5pm = 2026-01-26T09:00..2026-01-27T17:00 | 2026-01-19T09:00..2026-01-20T17:00",
    );
    check(
        "from Jan 5 8am until Jan 7 6pm",
        "from Jan 5 8am until Jan 7 6pm = 2027-01-05T08:00..2027-01-07T18:00 | 2026-01-05T08:00..2026-01-07T18:00",
    );
    check("from today 5pm to tomorrow 9am", "from today 5pm to tomorrow 9am = 2026-01-21T17:00..2026-01-22T09:00");
    check("5pm today - 9am tomorrow", "5pm today - 9am tomorrow = 2026-01-21T17:00..2026-01-22T09:00");
    check("Feb 3rd 3-4pm", "Feb 3rd 3-4pm = 2026-02-03T15:00..2026-02-03T16:00 | 2025-02-03T15:00..2025-02-03T16:00");
    check(
        "3-4pm on Feb 3rd",
        "3-4pm on Feb 3rd = 2026-02-03T15:00..2026-02-03T16:00 | 2025-02-03T15:00..2025-02-03T16:00",
    );
    check(
        "3/5 from 3 to 4pm",
        "3/5 from 3 to 4pm = 2026-03-05T15:00..2026-03-05T16:00 | 2025-03-05T15:00..2025-03-05T16:00 | 2026-05-03T15:00..2026-05-03T16:00 | 2025-05-03T15:00..2025-05-03T16:00 (DayOrMonthFirst)",
    );
    check(
        "2017-11-15 from 2 to 4",
        "2017-11-15 from 2 to 4 = 2017-11-15T02:00..2017-11-15T04:00 | 2017-11-15T14:00..2017-11-15T16:00",
    );
    check(
        "Friday morning from 8 to 9",
        "Friday morning from 8 to 9 = 2026-01-23T08:00..2026-01-23T09:00 | 2026-01-16T08:00..2026-01-16T09:00",
    );
    check(
        "Friday morning between 8 and 9",
        "Friday morning between 8 and 9 = 2026-01-23T08:00..2026-01-23T09:00 | 2026-01-16T08:00..2026-01-16T09:00",
    );
    check("early Friday morning", "early Friday morning = early morning 2026-01-23 | early morning 2026-01-16");
    check(
        "in the early morning of Friday",
        "in the early morning of Friday = early morning 2026-01-23 | early morning 2026-01-16",
    );
    check("this late afternoon", "this late afternoon = late afternoon 2026-01-21");
    check("tomorrow in the afternoon", "tomorrow in the afternoon = afternoon 2026-01-22");
    check("in the afternoon tomorrow", "in the afternoon tomorrow = afternoon 2026-01-22");
    check("in the afternoon of next Monday", "in the afternoon of next Monday = afternoon 2026-01-26");
    check("late night", "late night = late night");
    check("mid-afternoon", "mid-afternoon = mid afternoon");
    check("midafternoon", "midafternoon = mid afternoon");
    check("this noon", "noon = 12:00");
    check("at lunchtime", "lunchtime = lunch");
    check("by tonight", "<by> tonight = night 2026-01-21");
    check("early tonight", "early tonight = early night 2026-01-21");
    check("next hour", "next hour = 2026-01-21T11:00..2026-01-21T12:00");
    check("next 1 hour", "next 1 hour = 2026-01-21T11:00..2026-01-21T12:00");
    check("past 24 hours", "past 24 hours = 2026-01-20T11:00..2026-01-21T11:00");
    check("last 30 minutes", "last 30 minutes = 2026-01-21T10:30..2026-01-21T11:00");
    check("previous 2 hrs", "previous 2 hrs = 2026-01-21T09:00..2026-01-21T11:00");
    check("last few minutes", "last few minutes = 2026-01-21T10:57..2026-01-21T11:00 ~");
    check("the following hour", "the following hour = 2026-01-21T11:00..2026-01-21T12:00");
    check("the next couple of hours", "the next couple of hours = 2026-01-21T11:00..2026-01-21T13:00");
    check("rest of today", "rest of today = 2026-01-21T11:00..2026-01-22T00:00");
    check("for the rest of the day", "rest of the day = 2026-01-21T11:00..2026-01-22T00:00");
    check("rest of my day", "rest of my day = 2026-01-21T11:00..2026-01-22T00:00");
    check("before the end of the day", "<before> end of the day = endofday");
    check("from now until 5pm", "from now until 5pm = 2026-01-21T11:00..2026-01-21T17:00");
    check("from 9 on", "<from> 9 = 09:00 | 21:00");
    check(
        "9 to 5, Monday to Friday",
        "9 to 5, Monday to Friday = every 1 week Mon Tue Wed Thu Fri at 09:00..17:00 | every 1 week Mon Tue Wed Thu Fri at 21:00..05:00",
    );
    check("from 9:30 AM for an hour", "from 9:30 AM for an hour = 09:30..10:30");
    check("at 2pm for half an hour", "2pm for half an hour = 14:00..14:30");
    check("starting at 9 for 2 hours", "9 for 2 hours = 09:00..11:00 | 21:00..23:00");
}

#[test]
fn what_repeats_and_edges() {
    check("from twenty to eight to nine", "from twenty to eight to nine = 07:40..09:00 | 19:40..21:00");
    check(
        "9 to 5, Monday to Friday",
        "9 to 5, Monday to Friday = every 1 week Mon Tue Wed Thu Fri at 09:00..17:00 | every 1 week Mon Tue Wed Thu Fri at 21:00..05:00",
    );
    check(
        "10-11 every Tuesday at work",
        "10-11 every Tuesday = every 1 week Tue at 10:00..11:00 | every 1 week Tue at 22:00..23:00",
    );
    check(
        "meeting 10-11 every Tuesday",
        "10-11 every Tuesday = every 1 week Tue at 10:00..11:00 | every 1 week Tue at 22:00..23:00",
    );
    check(
        "from 9 to 5 on weekdays",
        "from 9 to 5 on weekdays = every 1 week Mon Tue Wed Thu Fri at 09:00..17:00 | every 1 week Mon Tue Wed Thu Fri at 21:00..05:00",
    );
    check("from now until 5pm", "from now until 5pm = 2026-01-21T11:00..2026-01-21T17:00");
    check("from now until Friday", "from now until Friday = 2026-01-21T11:00..2026-01-24T00:00");
    check("early Friday morning", "early Friday morning = early morning 2026-01-23 | early morning 2026-01-16");
    check("late on Monday evening", "late on Monday evening = late evening 2026-01-26 | late evening 2026-01-19");
    check("early early early", "");
    check("8pm, Friday", "8pm, Friday = 2026-01-23T20:00 | 2026-01-16T20:00");
    check("lunch 12-1 daily", "12-1 daily = every 1 day at 00:00..01:00 | every 1 day at 12:00..13:00");
}
