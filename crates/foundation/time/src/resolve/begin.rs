//! Where an expression can begin: a look at one token and the next, so that most of a text is passed over at once.

use super::cue;
use super::dates::{month_word, weekday_word, weekdays_word};
use super::lex::Lex;
use super::numbers::unit_word;
use crate::durations::unit_from_word;
use crate::numeral::ordinal;
use crate::scan::Kind;

/// Figures that stand among nothing but figures begin nothing: so many tokens after them are looked at.
const FIGURES_AHEAD_MAX: usize = 3;

/// Articles and prepositions may stand before each other: "in the next", so many of them.
const LEADS_MAX: usize = 3;

/// Whether an expression can begin with the token at `at`.
pub(crate) fn begins(lex: &Lex<'_, '_>, at: usize) -> bool {
    let Some(token) = lex.tokens.get(at) else { return false };
    let joined = |kind: Kind| matches!(kind, Kind::Digits | Kind::Word);
    match token.kind {
        Kind::Mark(mark) => matches!(mark, '\'' | '’' | '½' | '¼' | '¾' | '+'),
        // What is glued to a word before it is the end of that word.
        Kind::Word if lex.glued(at) && at > 0 && joined(lex.tokens.list[at - 1].kind) => false,
        Kind::Word => can_begin(lex.word(at)) && goes_on(lex, at),
        Kind::Digits => {
            // "the 18th/19th century": an ordinal counts whatever it is glued to.
            let suffix = lex.glued(at + 1) && !lex.word(at + 1).is_empty();
            if !suffix && cue::is_embedded(lex, at) {
                return false;
            }
            let figures = |at: usize| matches!(lex.tokens.get(at).map(|token| token.kind), None | Some(Kind::Digits));
            !(figures(at.wrapping_sub(1)) && (1..=FIGURES_AHEAD_MAX).all(|ahead| figures(at + ahead)))
        }
        Kind::Opaque => true,
    }
}

/// Whether the word at `at`, if it only leads to what follows, is followed by what can be of an expression.
fn goes_on(lex: &Lex<'_, '_>, at: usize) -> bool {
    for place in at..at + LEADS_MAX {
        if !leads(lex.word(place)) {
            return true;
        }
        let next = lex.word(place + 1);
        if next.is_empty() {
            return place + 1 < lex.tokens.list.len();
        }
        if !(can_begin(next) || is_inner(next) || unit_from_word(next).is_some()) {
            return false;
        }
    }
    true
}

/// Words that begin an expression only together with the next one.
fn leads(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "all"
            | "another"
            | "at"
            | "between"
            | "during"
            | "each"
            | "every"
            | "for"
            | "from"
            | "in"
            | "once"
            | "same"
            | "some"
            | "the"
            | "this"
            | "up"
            | "within"
            | "new"
            | "good"
            | "no"
            | "not"
    )
}

/// Words that stand inside an expression and begin none.
fn is_inner(word: &str) -> bool {
    matches!(
        word,
        "about"
            | "additional"
            | "after"
            | "alternate"
            | "and"
            | "approximately"
            | "around"
            | "aughts"
            | "before"
            | "calendar"
            | "consecutive"
            | "extra"
            | "fifties"
            | "fortnight"
            | "forties"
            | "further"
            | "her"
            | "his"
            | "least"
            | "long"
            | "most"
            | "my"
            | "nineties"
            | "noughties"
            | "eighties"
            | "of"
            | "on"
            | "or"
            | "other"
            | "our"
            | "per"
            | "roughly"
            | "seventies"
            | "short"
            | "sixties"
            | "solid"
            | "straight"
            | "tens"
            | "thirties"
            | "to"
            | "twenties"
            | "weekday"
            | "work"
            | "workday"
            | "your"
            | "midnight"
    )
}

/// Whether an expression can begin with this word (in lower case). Most words of a text cannot, and are passed over at once.
fn can_begin(word: &str) -> bool {
    let short = word.len() <= LETTERS_MAX;
    short
        && (is_joining_and_shifting_words(word)
            || is_number(word)
            || ordinal(word).is_some()
            || weekday_word(word).is_some()
            || weekdays_word(word).is_some()
            || month_word(word).is_some()
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

/// Numbers, and words that count.
fn is_number(word: &str) -> bool {
    unit_word(word).is_some_and(|_| !matches!(word, "o" | "oh"))
        || matches!(word, "hundred" | "dozen" | "half" | "quarter" | "couple" | "few" | "several")
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
            | "eow"
            | "eom"
            | "eoq"
            | "eoy"
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
            | "noonish"
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
            | "no"
            | "not"
            | "max"
            | "maximum"
            | "minimum"
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
