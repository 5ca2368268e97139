//! Forms of the same things that people write, in no order.

use crate::check;

#[test]
fn as_people_write() {
    check("1 1/2 hours", "1 1/2 hours = 1h30m");
    check("10 minutes before 3", "10 minutes before 3 = 02:50 | 14:50");
    check("12:30pm-1pm", "12:30pm-1pm = 12:30..13:00");
    check("1st jan 2016 8pm", "1st jan 2016 8pm = 2016-01-01T20:00");
    check("1½ hours", "1½ hours = 1h30m");
    check("2 and a half days", "2 and a half days = 2d12h");
    check("2 sundays from now", "2 sundays from now = 2026-02-01");
    check("2016-09-12 3pm - 5pm", "2016-09-12 3pm - 5pm = 2016-09-12T15:00..2016-09-12T17:00");
    check("21st of last month", "21st of last month = 2025-12-21");
    check(
        "3 - 5pm Tuesday",
        "3 - 5pm Tuesday = 2026-01-27T15:00..2026-01-27T17:00 | 2026-01-20T15:00..2026-01-20T17:00",
    );
    check("3rd of this month", "3rd of this month = 2026-01-03");
    check("5 PM EST", "5 PM EST = 17:00 @EST");
    check("5 days later", "5 days later = 2026-01-26");
    check("5 minutes ago", "5 minutes ago = 2026-01-21T10:55");
    check("5 to seven in the evening", "5 to seven in the evening = 17:00..19:00");
    check("5.30pm", "5.30pm = 17:30");
    check("5pm thu", "5pm thu = 2026-01-22T17:00 | 2026-01-15T17:00");
    check("6:30 in the morning to 9 at night", "6:30 in the morning to 9 at night = 06:30..21:00");
    check("7, this evening", "7, this evening = 2026-01-21T19:00");
    check("7:30 - 8:30 am", "7:30 - 8:30 am = 07:30..08:30");
    check("7:30ish", "7:30ish = 07:30 | 19:30 ~");
    check("7ish pm", "7ish pm = 19:00 ~");
    check("8 o'clock tonight", "8 o'clock tonight = 2026-01-21T20:00");
    check("8 to 10 this evening", "8 to 10 this evening = 2026-01-21T20:00..2026-01-21T22:00");
    check("8-10 tonight", "8-10 tonight = 2026-01-21T20:00..2026-01-21T22:00");
    check("8am CET", "8am CET = 08:00 @CET");
    check("9 in the morning", "9 in the morning = 09:00");
    check(
        "9:30-11:00 Thursday",
        "9:30-11:00 Thursday = 2026-01-22T09:30..2026-01-22T11:00 | 2026-01-22T21:30..2026-01-22T23:00 | 2026-01-15T09:30..2026-01-15T11:00 | 2026-01-15T21:30..2026-01-15T23:00",
    );
    check("9am-noon", "9am-noon = 09:00..12:00");
    check("@ 5:30pm", "5:30pm = 17:30");
    check("Friday all day", "Friday = 2026-01-23 | 2026-01-16 ; all day = 1d");
    check("Friday by 5pm", "<by> Friday by 5pm = 2026-01-23T17:00 | 2026-01-16T17:00");
    check("Friday night", "Friday night = night 2026-01-23 | night 2026-01-16");
    check("I'll be back in the afternoon at 7", "in the afternoon at 7 = 19:00");
    check("I'll be out this Jan", "this Jan = 2026-01-01..=2026-01-31");
    check("I'll go back on the 15th at 8pm", "the 15th at 8pm = 2026-02-15T20:00 | 2026-01-15T20:00");
    check("Jan. 2, 3pm", "Jan. 2, 3pm = 2027-01-02T15:00 | 2026-01-02T15:00");
    check(
        "Mon-Fri 9-5",
        "Mon-Fri 9-5 = every 1 week Mon Tue Wed Thu Fri at 09:00..17:00 | every 1 week Mon Tue Wed Thu Fri at 21:00..05:00",
    );
    check("Monday mornings", "Monday mornings = every 1 week Mon morning");
    check("Monday to Friday", "Monday to Friday = 2026-01-26..=2026-01-30 | 2026-01-19..=2026-01-23");
    check(
        "Monday to Friday at 9",
        "Monday to Friday at 9 = every 1 week Mon Tue Wed Thu Fri at 09:00 | every 1 week Mon Tue Wed Thu Fri at 21:00",
    );
    check(
        "Mon–Thu from 10 to 4",
        "Mon–Thu from 10 to 4 = every 1 week Mon Tue Wed Thu at 10:00..16:00 | every 1 week Mon Tue Wed Thu at 22:00..04:00",
    );
    check("October the 3rd", "October the 3rd = 2026-10-03 | 2025-10-03");
    check("Sat & Sun", "Sat = 2026-01-24 | 2026-01-17 ; Sun = 2026-01-25 | 2026-01-18");
    check(
        "Thursday from 9:30 to 11:00",
        "Thursday from 9:30 to 11:00 = 2026-01-22T09:30..2026-01-22T11:00 | 2026-01-22T21:30..2026-01-22T23:00 | 2026-01-15T09:30..2026-01-15T11:00 | 2026-01-15T21:30..2026-01-15T23:00",
    );
    check("Tue–Thu", "Tue–Thu = 2026-01-27..=2026-01-29 | 2026-01-20..=2026-01-22");
    check("a day and a half", "a day and a half = 1d12h");
    check("a few days", "a few days = 3d ~");
    check("a quarter past noon", "a quarter past noon = 12:15");
    check("a week from next Friday", "a week from next Friday = 2026-01-30 | 2026-02-06");
    check("all day Friday", "all day = 1d ; Friday = 2026-01-23 | 2026-01-16");
    check("around noon", "noon = 12:00 ~");
    check("at 5:30 p.m.", "5:30 p.m. = 17:30");
    check("at 5th 4pm", "5th 4pm = 2026-02-05T16:00 | 2026-01-05T16:00");
    check("at five thirty", "five thirty = 05:30 | 17:30");
    check("at five-thirty", "five-thirty = 05:30 | 17:30");
    check("at half 7 in the evening", "half 7 in the evening = 19:30");
    check("at half seven", "half seven = 07:30 | 19:30");
    check("at quarter of 5", "quarter of 5 = 04:45 | 16:45");
    check("before Friday noon", "<before> Friday noon = 2026-01-23T12:00 | 2026-01-16T12:00");
    check("beginning of the month", "beginning of the month = 2026-01-01..=2026-01-15");
    check("between 10 am and noon", "between 10 am and noon = 10:00..12:00");
    check("between 9:30pm and 11", "between 9:30pm and 11 = 21:30..23:00");
    check("by 5pm on Friday", "<by> 5pm on Friday = 2026-01-23T17:00 | 2026-01-16T17:00");
    check("by end of year", "<by> end of year = 2026-07-01..=2026-12-31");
    check("by noon tomorrow", "<by> noon tomorrow = 2026-01-22T12:00");
    check("by the end of next month", "<by> end of next month = 2026-02-15..=2026-02-28");
    check("end of month", "end of month = 2026-01-16..=2026-01-31");
    check("fifteen minutes to noon", "fifteen minutes to noon = 11:45");
    check("first Monday in May", "first Monday in May = 2026-05-04 | 2025-05-05");
    check("first half of next year", "first half of next year = 2027-01-01..=2027-06-30");
    check("from 11:30am until 2", "from 11:30am until 2 = 11:30..14:00");
    check(
        "from 9:30 - 11:00 on Thursday",
        "from 9:30 - 11:00 on Thursday = 2026-01-22T09:30..2026-01-22T11:00 | 2026-01-22T21:30..2026-01-22T23:00 | 2026-01-15T09:30..2026-01-15T11:00 | 2026-01-15T21:30..2026-01-15T23:00",
    );
    check("from 9am until noon tomorrow", "from 9am until noon tomorrow = 2026-01-22T09:00..2026-01-22T12:00");
    check("from noon until 3", "from noon until 3 = 12:00..15:00");
    check("from two to five in the afternoon", "from two to five in the afternoon = 14:00..17:00");
    check("half a year", "half a year = 6mo");
    check("half past noon", "half past noon = 12:30");
    check("i'll go back on sunday", "sunday = 2026-01-25 | 2026-01-18");
    check("in 1 month 21 days", "in 1 month 21 days = 2026-03-14");
    check("in the evening on 1st Jan", "in the evening on 1st Jan = evening 2027-01-01 | evening 2026-01-01");
    check("in the next half hour", "the next half hour = 2026-01-21T11:00..2026-01-21T11:30");
    check("last July", "last July = 2025-07-01..=2025-07-31");
    check("last couple of weeks", "last couple of weeks = 2026-01-07..=2026-01-20");
    check("last weekend of July", "last weekend of July = 2026-07-25..=2026-07-26 | 2025-07-26..=2025-07-27");
    check("late tonight", "late tonight = late night 2026-01-21");
    check("mid of August", "mid of August = 2026-08-08..=2026-08-23 | 2025-08-08..=2025-08-23");
    check(
        "midnight on Friday",
        "midnight on Friday = 2026-01-23T00:00 | 2026-01-24T00:00 | 2026-01-16T00:00 | 2026-01-17T00:00",
    );
    check("next 20 minutes", "next 20 minutes = 2026-01-21T11:00..2026-01-21T11:20");
    check("next two months", "next two months = 2026-01-22..=2026-03-21");
    check("noon to 2", "noon to 2 = 12:00..14:00");
    check("noon tomorrow", "noon tomorrow = 2026-01-22T12:00");
    check("noon-2pm", "noon-2pm = 12:00..14:00");
    check("on the morning of May 5", "morning of May 5 = morning 2026-05-05 | morning 2025-05-05");
    check("previous few years", "previous few years = 2023-01-21..=2026-01-20 ~");
    check("right now", "right now = 2026-01-21T11:00");
    check("second half of 2016", "second half of 2016 = 2016-07-01..=2016-12-31");
    check("set an alarm for six forty pm", "six forty pm = 18:40");
    check("shortly after 5", "<after> 5 = 05:00 | 17:00");
    check("the 60s", "the 60s = 2060-01-01..=2069-12-31 | 1960-01-01..=1969-12-31");
    check("the afternoon of March 3", "afternoon of March 3 = afternoon 2026-03-03 | afternoon 2025-03-03");
    check("the coming weekend", "coming weekend = 2026-01-24..=2026-01-25 | 2026-01-31..=2026-02-01");
    check("the day before yesterday 8am", "the day before yesterday 8am = 2026-01-19T08:00");
    check("the end of the day", "end of the day = endofday");
    check("the first week of March", "the first week of March = 2026-03-02..=2026-03-08 | 2025-03-03..=2025-03-09");
    check("the last day of October 2015", "the last day of October 2015 = 2015-10-31");
    check("the past 2 weeks", "the past 2 weeks = 2026-01-07..=2026-01-20");
    check("the past hour", "the past hour = 2026-01-21T10:00..2026-01-21T11:00");
    check("the third tuesday of september 2014", "the third tuesday of september 2014 = 2014-09-16");
    check("the week after next", "the week after next = 2026-02-02..=2026-02-08");
    check("the whole weekend", "weekend = 2026-01-24..=2026-01-25");
    check("thirty six hours", "thirty six hours = 36h");
    check("this evening at seven", "this evening at seven = 2026-01-21T19:00");
    check("this morning between 8 and 9", "this morning between 8 and 9 = 2026-01-21T08:00..2026-01-21T09:00");
    check("this past weekend", "this past weekend = 2026-01-17..=2026-01-18");
    check("this summer", "this summer = 2026-06-01..=2026-08-31 | 2025-06-01..=2025-08-31 (WhichSeason)");
    check("three hrs and 20 mins", "three hrs and 20 mins = 3h20m");
    check("tomorrow early morning", "tomorrow early morning = early morning 2026-01-22");
    check("tomorrow noon", "tomorrow noon = 2026-01-22T12:00");
    check(
        "tuesday 3 to 5pm",
        "tuesday 3 to 5pm = 2026-01-27T15:00..2026-01-27T17:00 | 2026-01-20T15:00..2026-01-20T17:00",
    );
    check("twelve noon", "twelve noon = 12:00");
    check("twenty min past eight pm", "twenty min past eight pm = 20:20");
    check("two thirty pm tomorrow", "two thirty pm tomorrow = 2026-01-22T14:30");
    check("until 2:00pm", "<until> 2:00pm = 14:00");
    check("10 August 88 AD", "10 August 88 AD = 0088-08-10");
    check("44 BC", "");
    check("15 March 44 BC", "15 March 44 BC = -000043-03-15");
    check("between Jan 22 and now", "between Jan 22 and now = 2025-01-22..=2026-01-21");
    check("from 9am to now", "from 9am to now = 2026-01-21T09:00..2026-01-21T11:00");
    check("June 10 - 31, 2022", "June 10 - 31, 2022 =  (NoSuchTime)");
    check("right now.", "right now = 2026-01-21T11:00");
    check("between 2014-2018.", "between 2014-2018 = 2014-01-01..=2018-12-31");
    check("two and half hours", "two and half hours = 2h30m");
    check(
        "You meet Emily for 15 minutes from 10:15AM to 10:30AM.",
        "15 minutes = 15m ; from 10:15AM to 10:30AM = 10:15..10:30",
    );
    check("open 24/7", "");
    check("looking at one thing at a time", "");
    check("be back at one", "one = 01:00 | 13:00");
    check("the first 20 customers", "");
    check("on the 25th 8pm", "the 25th 8pm = 2026-01-25T20:00 | 2025-12-25T20:00");
    check("bi-weekly sync", "bi-weekly = every 2 week");
    check("semi-annually", "");
    check("a good friday for us", "friday = 2026-01-23 | 2026-01-16");
    check("Friday at 24:00", "Friday at 24:00 = 2026-01-24T00:00 | 2026-01-17T00:00");
    check(
        "3/4 at 5",
        "3/4 at 5 = 2026-03-04T05:00 | 2026-03-04T17:00 | 2025-03-04T05:00 | 2025-03-04T17:00 | 2026-04-03T05:00 | 2026-04-03T17:00 | 2025-04-03T05:00 | 2025-04-03T17:00 (DayOrMonthFirst)",
    );
    check("on or before Jan 30", "<by> Jan 30 = 2026-01-30 | 2025-01-30");
    check("on or after Friday", "<from> Friday = 2026-01-23 | 2026-01-16");
    check("each two days", "each two days = every 2 day");
    check("once a week", "once a week = every 1 week");
    check("change the appointment to 4", "4 = 04:00 | 16:00");
    check("1pm mountain timezone", "1pm mountain timezone = 13:00 @mountain timezone");
}

#[test]
fn figures_of_two_senses() {
    check("until 2030", "<until> 2030 = 2030-01-01..=2030-12-31 | 20:30 (YearOrTime)");
    check("in 2027", "2027 = 2027-01-01..=2027-12-31");
    check("from 2015 to 2018", "from 2015 to 2018 = 2015-01-01..=2018-12-31");
    check("1 hour 30", "1 hour 30 = 1h30m");
    check("2 hrs 15, then rest", "2 hrs 15 = 2h15m");
    check("1 hour 30 people", "1 hour = 1h");
    check("1 hour 30 minutes", "1 hour 30 minutes = 1h30m");
}
