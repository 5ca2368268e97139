//! The words with which an expression can begin.

/// Whether an expression can begin with this word (in lower case). Most words of a text cannot, and are passed over at once.
pub(crate) fn can_begin(word: &str) -> bool {
    let short = word.len() <= LETTERS_MAX;
    short
        && (is_joining_and_shifting_words(word)
            || is_numbers(word)
            || is_ordinals(word)
            || is_weekdays_and_months(word)
            || is_days_and_stretches_of_days(word)
            || is_times_and_parts_of_a_day(word)
            || is_lengths_and_what_repeats(word)
            || is_holidays(word))
}

/// The longest word below has so many letters.
const LETTERS_MAX: usize = 12;

/// Joining and shifting words.
fn is_joining_and_shifting_words(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "all"
            | "another"
            | "at"
            | "between"
            | "bi"
            | "coming"
            | "current"
            | "during"
            | "each"
            | "every"
            | "for"
            | "from"
            | "in"
            | "last"
            | "next"
            | "once"
            | "past"
            | "previous"
            | "rest"
            | "remainder"
            | "same"
            | "some"
            | "the"
            | "this"
            | "up"
            | "upcoming"
            | "following"
            | "within"
    )
}

/// Numbers.
fn is_numbers(word: &str) -> bool {
    matches!(
        word,
        "zero"
            | "one"
            | "two"
            | "three"
            | "four"
            | "five"
            | "six"
            | "seven"
            | "eight"
            | "nine"
            | "ten"
            | "eleven"
            | "twelve"
            | "thirteen"
            | "fourteen"
            | "fifteen"
            | "sixteen"
            | "seventeen"
            | "eighteen"
            | "nineteen"
            | "twenty"
            | "thirty"
            | "forty"
            | "fourty"
            | "fifty"
            | "sixty"
            | "seventy"
            | "eighty"
            | "ninety"
            | "hundred"
            | "dozen"
            | "half"
            | "quarter"
            | "couple"
            | "few"
            | "several"
    )
}

/// Ordinals.
fn is_ordinals(word: &str) -> bool {
    matches!(
        word,
        "first"
            | "second"
            | "third"
            | "fourth"
            | "fifth"
            | "sixth"
            | "seventh"
            | "eighth"
            | "ninth"
            | "tenth"
            | "eleventh"
            | "twelfth"
            | "twelveth"
            | "thirteenth"
            | "fourteenth"
            | "fifteenth"
            | "sixteenth"
            | "seventeenth"
            | "eighteenth"
            | "nineteenth"
            | "twentieth"
            | "thirtieth"
    )
}

/// Weekdays and months.
fn is_weekdays_and_months(word: &str) -> bool {
    matches!(
        word,
        "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
            | "mon"
            | "tue"
            | "tues"
            | "wed"
            | "weds"
            | "thu"
            | "thur"
            | "thurs"
            | "fri"
            | "sat"
            | "sun"
            | "mondays"
            | "tuesdays"
            | "wednesdays"
            | "thursdays"
            | "fridays"
            | "saturdays"
            | "sundays"
            | "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "jan"
            | "feb"
            | "mar"
            | "apr"
            | "jun"
            | "jul"
            | "aug"
            | "sep"
            | "sept"
            | "oct"
            | "nov"
            | "dec"
    )
}

/// Days and stretches of days.
fn is_days_and_stretches_of_days(word: &str) -> bool {
    matches!(
        word,
        "today"
            | "tdy"
            | "tomorrow"
            | "tmr"
            | "tmrw"
            | "tmrow"
            | "tomorow"
            | "tommorow"
            | "tommorrow"
            | "yesterday"
            | "day"
            | "week"
            | "w"
            | "month"
            | "year"
            | "weekend"
            | "q"
            | "h"
            | "spring"
            | "summer"
            | "autumn"
            | "fall"
            | "winter"
            | "early"
            | "mid"
            | "late"
            | "beginning"
            | "start"
            | "middle"
            | "end"
            | "balance"
            | "later"
            | "earlier"
            | "now"
    )
}

/// Times and parts of a day.
fn is_times_and_parts_of_a_day(word: &str) -> bool {
    matches!(
        word,
        "noon"
            | "midday"
            | "noontime"
            | "midnight"
            | "tonight"
            | "tonite"
            | "eod"
            | "cob"
            | "eob"
            | "close"
            | "morning"
            | "mornings"
            | "afternoon"
            | "afternoons"
            | "evening"
            | "evenings"
            | "night"
            | "nights"
            | "nite"
            | "lunch"
            | "lunchtime"
            | "dinnertime"
            | "business"
            | "working"
            | "office"
            | "midmorning"
            | "midafternoon"
            | "midevening"
    )
}

/// Lengths and what repeats.
fn is_lengths_and_what_repeats(word: &str) -> bool {
    matches!(
        word,
        "full"
            | "whole"
            | "entire"
            | "less"
            | "fewer"
            | "shorter"
            | "more"
            | "longer"
            | "greater"
            | "daily"
            | "nightly"
            | "hourly"
            | "weekly"
            | "biweekly"
            | "fortnightly"
            | "monthly"
            | "quarterly"
            | "yearly"
            | "annually"
            | "weekdays"
            | "workdays"
            | "weekends"
    )
}

/// Holidays.
fn is_holidays(word: &str) -> bool {
    matches!(
        word,
        "christmas"
            | "xmas"
            | "boxing"
            | "new"
            | "valentine"
            | "valentines"
            | "halloween"
            | "easter"
            | "good"
            | "thanksgiving"
            | "black"
            | "memorial"
            | "labor"
            | "labour"
            | "independence"
            | "veterans"
            | "columbus"
            | "presidents"
            | "mother"
            | "mothers"
            | "father"
            | "fathers"
    )
}
