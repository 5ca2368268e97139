//! Lines of day notes.

use crate::check;

#[test]
fn day_notes() {
    check(
        "Finish the report by Friday 5pm, then 30 min break at 10:30, and call at 11am for 15 minutes.",
        "<by> Friday 5pm = 2026-01-23T17:00 | 2026-01-16T17:00 ; 30 min = 30m ; 10:30 = 10:30 | 22:30 ; 11am for 15 minutes = 11:00..11:15",
    );
    check(
        "School pick-up 3:15pm (leave by 2:45). Soccer practice 5:30–6:30. Dinner at 7, kids' bedtime 8:30.",
        "3:15pm = 15:15 ; <by> 2:45 = 02:45 | 14:45 ; 5:30–6:30 = 05:30..06:30 | 17:30..18:30 ; 7 = 07:00 | 19:00 ; 8:30 = 08:30 | 20:30",
    );
    check(
        "I have a dentist appointment at 2pm today that takes 1.5 hours and a call with Sarah from 4-5.",
        "2pm today = 2026-01-21T14:00 ; 1.5 hours = 1h30m ; from 4-5 = 04:00..05:00 | 16:00..17:00",
    );
    check(
        "Need 2h for slides before the 3 PM cutoff. Can't do anything between 12 and 1. Gym after work (6ish).",
        "2h = 2h ; <before> 3 PM = 15:00 ; between 12 and 1 = 00:00..01:00 | 12:00..13:00 ; 6ish = 06:00 | 18:00 ~",
    );
    check(
        "Submit expense report (due today), 20 mins. Email Tom re: Q3 budget - by noon. Read 30 pages.",
        "<by> today = 2026-01-21 ; 20 mins = 20m ; Q3 = 2026-07-01..=2026-09-30 | 2025-07-01..=2025-09-30 ; <by> noon = 12:00",
    );
    check(
        "Focus block 9-11, lunch 12-12:30, 1:1 with Ana at 1:30, standup daily 9:15.",
        "9-11 = 09:00..11:00 | 21:00..23:00 ; 12-12:30 = 00:00..00:30 | 12:00..12:30 ; 1:30 = 01:30 | 13:30 ; daily 9:15 = every 1 day at 09:15 | every 1 day at 21:15",
    );
    check(
        "Available windows: 8:00-9:00, 10:15-12:00, 15:00-17:30.",
        "8:00-9:00 = 08:00..09:00 | 20:00..21:00 ; 10:15-12:00 = 10:15..12:00 | 22:15..00:00 ; 15:00-17:30 = 15:00..17:30",
    );
    check(
        "Not before 10am. No meetings after 4. Back at my desk by 1:15.",
        "<from> 10am = 10:00 ; <after> 4 = 04:00 | 16:00 ; <by> 1:15 = 01:15 | 13:15",
    );
    check(
        "Train leaves at 17:42, arrives 18:55; taxi takes 10-15 min.",
        "17:42 = 17:42 ; 18:55 = 18:55 ; 10-15 min = 10m to 15m",
    );
    check(
        "Flight 123 departs 6:45 AM Thu from gate 12; boarding 40 minutes before.",
        "6:45 AM Thu = 2026-01-22T06:45 | 2026-01-15T06:45 ; 40 minutes = 40m",
    );
    check("Groceries x 5, 2 litres of milk, 12 eggs; 3 emails; 1 call; 5k run (30 min)", "30 min = 30m");
    check(
        "Prep for tomorrow's 9am board meeting: ~45 min. Review PR #1234 (15m).",
        "tomorrow's 9am = 2026-01-22T09:00 ; 45 min = 45m ~ ; 15m = 15m",
    );
    check(
        "Budget is $1,500 for 2026, up 12% from 2025; sprint 14 ends Jan 30.",
        "<from> 2025 = 2025-01-01..=2025-12-31 ; Jan 30 = 2026-01-30 | 2025-01-30",
    );
    check(
        "Call mom at 7 or 8 tonight. Movie at 9. Bed by 11.",
        "7 = 07:00 | 19:00 ; 8 tonight = 2026-01-21T20:00 ; 9 = 09:00 | 21:00 ; <by> 11 = 11:00 | 23:00",
    );
    check(
        "Working 9 to 5 with an hour for lunch at noon.",
        "9 to 5 = 09:00..17:00 | 21:00..05:00 ; an hour = 1h ; noon = 12:00",
    );
    check(
        "Meeting moved from 2 to 3:30. Rescheduled to Thursday at 10.",
        "3:30 = 03:30 | 15:30 ; Thursday at 10 = 2026-01-22T10:00 | 2026-01-22T22:00 | 2026-01-15T10:00 | 2026-01-15T22:00",
    );
    check(
        "Sarah will be at the cafe from 11:30AM to 12:15PM. Travel time 20 minutes.",
        "from 11:30AM to 12:15PM = 11:30..12:15 ; 20 minutes = 20m",
    );
    check("Time now: 11:00. Hard stop at 17:00.", "11:00 = 11:00 | 23:00 ; 17:00 = 17:00");
    check("Wake 6:30, leave 7:45, drop-off 8:10", "6:30 = 06:30 | 18:30 ; 7:45 = 07:45 | 19:45 ; 8:10 = 08:10 | 20:10");
    check("I'm out 1-2 and 4-4:30", "1-2 = 01:00..02:00 | 13:00..14:00 ; 4-4:30 = 04:00..04:30 | 16:00..16:30");
    check("block 2-4pm for writing; 4:30-5 admin", "2-4pm = 14:00..16:00 ; 4:30-5 = 04:30..05:00 | 16:30..17:00");
    check("deadline 5pm EST (2pm PST)", "<by> 5pm EST = 17:00 @EST ; 2pm PST = 14:00 @PST");
    check(
        "The shop is open Mon–Sat 10am–6pm, Sun 12–5",
        "Mon–Sat 10am–6pm = every 1 week Mon Tue Wed Thu Fri Sat at 10:00..18:00 ; Sun 12–5 = 2026-01-25T00:00..2026-01-25T05:00 | 2026-01-25T12:00..2026-01-25T17:00 | 2026-01-18T00:00..2026-01-18T05:00 | 2026-01-18T12:00..2026-01-18T17:00",
    );
    check(
        "Tuesday and Thursday at 9",
        "Tuesday = 2026-01-27 | 2026-01-20 ; Thursday at 9 = 2026-01-22T09:00 | 2026-01-22T21:00 | 2026-01-15T09:00 | 2026-01-15T21:00",
    );
    check(
        "1st draft by the 23rd, final by Jan 28th noon",
        "<by> the 23rd = 2026-01-23 | 2025-12-23 ; <by> Jan 28th noon = 2026-01-28T12:00 | 2025-01-28T12:00",
    );
}

#[test]
fn notes_with_markup() {
    check("**9:30–10:00** standup", "9:30–10:00 = 09:30..10:00 | 21:30..22:00");
    check("- **at 5** call", "5 = 05:00 | 17:00");
    check("**March 4, 2026**", "March 4, 2026 = 2026-03-04");
    check("*tomorrow at 5*", "tomorrow at 5 = 2026-01-22T05:00 | 2026-01-22T17:00");
    check("[x] 9:30 call", "9:30 = 09:30 | 21:30");
    check("- [ ] dentist 3pm", "3pm = 15:00");
    check("~~10:30 call~~", "10:30 = 10:30 | 22:30");
    check("`9:30`", "9:30 = 09:30 | 21:30");
    check("| 9:00 | Standup |", "9:00 = 09:00 | 21:00");
    check("> at 5 we go", "5 = 05:00 | 17:00");
    check(
        "**Monday:** 9-10 standup, 2-3pm review",
        "Monday = 2026-01-26 | 2026-01-19 ; 9-10 = 09:00..10:00 | 21:00..22:00 ; 2-3pm = 14:00..15:00",
    );
    check("## Tuesday, 27 January", "Tuesday, 27 January = 2026-01-27");
    check("# 2026-01-26", "2026-01-26 = 2026-01-26");
    check("\"at 5\"", "5 = 05:00 | 17:00");
    check("'at 5'", "5 = 05:00 | 17:00");
    check("(at 5)", "5 = 05:00 | 17:00");
    check("5*3 at 2*3", "");
    check("Deadline: Friday, 5pm", "Friday, 5pm = 2026-01-23T17:00 | 2026-01-16T17:00");
    check("9:30 - Standup", "9:30 = 09:30 | 21:30");
    check("9:30: Standup", "9:30 = 09:30 | 21:30");
    check("09:00 Standup", "09:00 = 09:00");
    check("9am: standup", "9am = 09:00");
    check("9am – standup", "9am = 09:00");
    check("9–10am: standup", "9–10am = 09:00..10:00");
    check("at 5:", "5 = 05:00 | 17:00");
    check("Time: 3:30 PM - 4:30 PM (EST)", "3:30 PM - 4:30 PM (EST) = 15:30..16:30 @(EST)");
    check("15h30-16h30", "15h30-16h30 = 15:30..16:30");
    check("3.30-4.30pm", "3.30-4.30pm = 15:30..16:30");
    check("Lunch: 12-1", "12-1 = 00:00..01:00 | 12:00..13:00");
    check("meeting (9-10)", "9-10 = 09:00..10:00 | 21:00..22:00");
    check("- 9-10 | a\n- 9:30 b", "9-10 = 09:00..10:00 | 21:00..22:00 ; 9:30 = 09:30 | 21:30");
}
