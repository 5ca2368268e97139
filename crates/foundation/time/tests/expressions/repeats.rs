//! What repeats.

use crate::check;

#[test]
fn recurrences() {
    check("every 30 min", "every 30 min = every 30 minute");
    check("every hour", "every hour = every 1 hour");
    check("every half hour", "every half hour = every 30 minute");
    check("every 90 minutes", "every 90 minutes = every 90 minute");
    check(
        "every other Tuesday at 9",
        "every other Tuesday at 9 = every 2 week Tue at 09:00 | every 2 week Tue at 21:00",
    );
    check(
        "every Tuesday 9-10",
        "every Tuesday 9-10 = every 1 week Tue at 09:00..10:00 | every 1 week Tue at 21:00..22:00",
    );
    check(
        "every Monday, Wednesday and Friday at 7am",
        "every Monday, Wednesday and Friday at 7am = every 1 week Mon Wed Fri at 07:00",
    );
    check("daily", "daily = every 1 day");
    check("daily at 9:30", "daily at 9:30 = every 1 day at 09:30 | every 1 day at 21:30");
    check("weekly", "weekly = every 1 week");
    check("weekdays", "weekdays = every 1 week Mon Tue Wed Thu Fri");
    check(
        "weekdays at 8:30",
        "weekdays at 8:30 = every 1 week Mon Tue Wed Thu Fri at 08:30 | every 1 week Mon Tue Wed Thu Fri at 20:30",
    );
    check(
        "weekdays from 9 to 5",
        "weekdays from 9 to 5 = every 1 week Mon Tue Wed Thu Fri at 09:00..17:00 | every 1 week Mon Tue Wed Thu Fri at 21:00..05:00",
    );
    check("every weekday morning", "every weekday morning = every 1 week Mon Tue Wed Thu Fri morning");
    check("every morning", "every morning = every 1 day morning");
    check("each Friday afternoon", "each Friday afternoon = every 1 week Fri afternoon");
    check("Mondays and Thursdays", "Mondays and Thursdays = every 1 week Mon Thu");
    check("every two weeks", "every two weeks = every 2 week");
    check("every second Thursday", "every second Thursday = every 2 week Thu");
    check("every month", "every month = every 1 month");
    check("9am every weekday", "9am every weekday = every 1 week Mon Tue Wed Thu Fri at 09:00");
    check("at noon every day", "noon every day = every 1 day at 12:00");
    check("weekends", "weekends = every 1 week Sat Sun");
    check("fortnightly", "fortnightly = every 2 week");
    check("every day at 6", "every day at 6 = every 1 day at 06:00 | every 1 day at 18:00");
    check("every answer counts", "");
}
