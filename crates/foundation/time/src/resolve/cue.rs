//! What stands around a number or a word and says whether it is a time.

use super::clock::half_at;
use super::dates::{month_word, weekday_word};
use super::lex::Lex;
use super::numbers::small;
pub(crate) use super::vocabulary::{article, is_street, is_unit, leads_day, leads_length, occupies};
use super::vocabulary::{at_word, is_function, is_open, is_plural, is_time_noun, schedules};
use crate::durations::unit_from_word;
use crate::scan::Kind;

/// So many marks may stand between a word and what it is said of: ":** (".
const MARKS_MAX: usize = 5;

/// How many words after a number are looked at for what it counts.
const COUNTED_WORDS_MAX: usize = 3;

/// Whether digits at `at` belong to a name, a path, a price or another number.
pub(crate) fn is_embedded(lex: &Lex<'_, '_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let spaced = !lex.glued(at);
    match lex.tokens.list[before].kind {
        Kind::Mark('$' | '€' | '£' | '¥' | '₹' | '№' | '§') => true,
        Kind::Mark('#') => !spaced,
        // "+1 555 123", "- 9-10 standup" is a list
        Kind::Mark('+') => !spaced,
        _ if spaced => matches!(lex.word(before), "usd" | "eur" | "gbp" | "isbn" | "tel" | "phone" | "fax"),
        Kind::Word => !matches!(lex.word(before), "t"),
        Kind::Opaque | Kind::Digits => true,
        // "2*3", but "**9:30**" is set in bold.
        Kind::Mark('*') => before > 0 && lex.glued(before) && lex.mark(before - 1).is_none(),
        // "2026-12-05/2026-12-08"
        Kind::Mark('/') => {
            let timed = |at: usize| lex.tokens.digits(at).is_some() || lex.is(at, "z");
            !(before > 0 && timed(before - 1) && iso_day(lex, at))
        }
        Kind::Mark('\\' | '_' | '&' | '=' | '^' | '%') => true,
        Kind::Mark('.' | ',' | ':' | '\'' | '’') => {
            before > 0
                && lex.glued(before)
                && (matches!(lex.tokens.list[before - 1].kind, Kind::Digits | Kind::Opaque)
                    || lex.mark(before) == Some(':') && lex.glued(before - 1)
                    || lex.mark(before) == Some('.') && month_word(lex.word(before - 1)).is_none())
        }
        Kind::Mark('-' | '‑') => {
            before > 0
                && lex.glued(before)
                && match lex.tokens.list[before - 1].kind {
                    Kind::Word => {
                        let word = lex.word(before - 1);
                        let time = matches!(word, "am" | "pm" | "m" | "a" | "p" | "h" | "noon" | "clock" | "midnight");
                        !time && month_word(word).is_none() && weekday_word(word).is_none()
                    }
                    Kind::Opaque | Kind::Mark(')' | ']') => true,
                    _ => false,
                }
        }
        Kind::Mark(_) => false,
    }
}

/// Whether a day as ISO 8601 writes it stands at `at`: "2026-12-05".
pub(crate) fn iso_day(lex: &Lex<'_, '_>, at: usize) -> bool {
    let figures = |at: usize, length: usize| lex.tokens.digits(at).is_some_and(|digits| digits.len() == length);
    figures(at, 4)
        && figures(at + 2, 2)
        && figures(at + 4, 2)
        && (1..=4).all(|ahead| lex.glued(at + ahead))
        && lex.dash(at + 1)
        && lex.dash(at + 3)
}

/// Whether the number that ends before `end` goes on as another: "2,000", "3.5", "20%", "5kg", "4th".
pub(crate) fn goes_on(lex: &Lex<'_, '_>, end: usize) -> bool {
    if !lex.glued(end) {
        return matches!(lex.mark(end), Some('%' | '°' | '€' | '$' | '£' | '×' | '±'));
    }
    match lex.tokens.get(end).map(|token| token.kind) {
        Some(Kind::Mark('%' | '°' | '$' | '€' | '£' | '/' | '+' | '^')) => true,
        // "5*x", but "**at 5**" ends there.
        Some(Kind::Mark('*' | '_' | '=')) => {
            lex.glued(end + 1) && lex.mark(end + 1).is_none() && end + 1 < lex.tokens.list.len()
        }
        Some(Kind::Mark('.' | ',' | '\'' | '’' | ':')) => {
            lex.glued(end + 1)
                && (lex.tokens.digits(end + 1).is_some()
                    || lex.mark(end) == Some(':') && { !lex.word(end + 1).is_empty() })
        }
        Some(Kind::Mark('-' | '‑')) => lex.glued(end + 1) && !lex.word(end + 1).is_empty() && !lex.capital(end + 1),
        Some(Kind::Mark(_)) | None => false,
        Some(_) => half_at(lex, end).is_none(),
    }
}

/// Whether anything stands after `end` on the same line.
pub(crate) fn goes_on_in_line(lex: &Lex<'_, '_>, end: usize) -> bool {
    end < lex.tokens.list.len() && lex.tokens.gap(end) != crate::scan::Gap::Line
}

/// "4:3", "a score of 2:10", "16:10 display": no clock.
pub(crate) fn is_ratio(lex: &Lex<'_, '_>, at: usize, end: usize) -> bool {
    let about = |word: &str| {
        matches!(
            word,
            "ratio"
                | "ratios"
                | "scale"
                | "score"
                | "scored"
                | "won"
                | "lost"
                | "beat"
                | "odds"
                | "aspect"
                | "version"
                | "verse"
                | "verses"
                | "psalm"
                | "psalms"
                | "genesis"
                | "exodus"
                | "romans"
                | "corinthians"
                | "chapter"
                | "proportion"
                | "split"
                | "mix"
                | "dilution"
                | "win"
                | "display"
                | "screen"
                | "resolution"
                | "vertical"
                | "format"
                | "ar"
                | "rom"
                | "acts"
                | "proverbs"
                | "isaiah"
                | "ecclesiastes"
                | "leviticus"
                | "deuteronomy"
                | "hebrews"
                | "ephesians"
        )
    };
    (1..=3).any(|back| about(lex.before(at, back))) && !at_word(lex.before(at, 1))
        || about(lex.word(end)) && lex.near(end) && !at_word(lex.before(at, 1))
}

/// Words that say "roughly" before a time, and where they begin.
pub(crate) fn approximate_before(lex: &Lex<'_, '_>, at: usize) -> Option<usize> {
    let sign = at > 0 && matches!(lex.mark(at - 1), Some('~' | '≈'));
    // "~~struck out~~"
    let struck = sign && at > 1 && lex.mark(at - 2) == Some('~') && lex.glued(at - 1);
    let about = matches!(lex.before(at, 1), "about" | "around" | "approximately" | "roughly" | "circa" | "approx")
        || sign && !struck;
    about.then(|| at - 1)
}

/// The word before `at` on the same line, past a few marks; empty if there is none.
pub(crate) fn word_before<'l>(lex: &'l Lex<'_, '_>, at: usize) -> &'l str {
    let mut place = at;
    while place > 0 && at - place < MARKS_MAX && goes_on_in_line(lex, place) && lex.mark(place - 1).is_some() {
        place -= 1;
    }
    if goes_on_in_line(lex, place) { lex.before(place, 1) } else { "" }
}

/// Whether a word right before `at` says that a time follows.
pub(crate) fn is_before(lex: &Lex<'_, '_>, at: usize) -> bool {
    let place = approximate_before(lex, at).unwrap_or(at);
    let word = lex.before(place, 1);
    if place > 0 && lex.mark(place - 1) == Some('@') {
        return true;
    }
    match word {
        // "located at 12 Arnold Grove"
        "at" if matches!(lex.before(place, 2), "located" | "address" | "lives" | "lived" | "living" | "based") => false,
        // "0 until 10" counts.
        "until" if place > 1 && lex.tokens.digits(place - 2).is_some() => false,
        "at" | "until" | "till" | "til" | "since" | "before" | "after" => !changes(lex, place - 1),
        // "free from 2", "from 2 on"
        "from" => {
            let after = at + 1;
            let open = matches!(lex.word(after), "on" | "onwards" | "onward");
            open || is_open(lex.before(place, 2)) && clause_ends(lex, after)
        }
        // "divided by two", "two by two"
        "by" => {
            let shifted = (2..=4).any(|back| shifts(lex.before(place, back)));
            !changes(lex, place - 1)
                && !shifted
                && lex.before(place, 2) != "divided"
                && (place < 2 || small(lex, place - 2).is_none())
        }
        // "no later than 5"
        "than" => matches!(lex.before(place, 2), "earlier" | "later" | "sooner"),
        // "at 3 or 4"
        "or" => {
            matches!(lex.before(place, 3), "at" | "by" | "until" | "till" | "before" | "after" | "around" | "about")
                && small(lex, place - 2).is_some_and(|(hour, next)| hour <= 12 && next == place - 1)
        }
        // "moved to 5", "set an alarm for seven"; "book a table for 4" is for people
        "for" if seats(lex.before(place, 2)) => false,
        // "set the limit to 10", but "set the alarm to 7"
        "to" => (2..=4).any(|back| schedules(lex.before(place, back)) && lex.before(place, back) != "set"),
        "for" => (2..=4).any(|back| schedules(lex.before(place, back))),
        _ => place < at && schedules(word),
    }
}

/// Whether the words before `at` speak of a quantity that changes or is rated: "fell from 5 to 7", "valued at 5".
pub(crate) fn changes(lex: &Lex<'_, '_>, at: usize) -> bool {
    const STEMS: &[&str] = &[
        "increas",
        "decreas",
        "reduc",
        "grew",
        "grow",
        "rise",
        "rose",
        "rising",
        "fell",
        "fall",
        "drop",
        "multipl",
        "divid",
        "cut",
        "improv",
        "scal",
        "exceed",
        "rank",
        "rate",
        "rating",
        "level",
        "scor",
        "valu",
        "price",
        "pricing",
        "cap",
        "peak",
        "remain",
        "aged",
        "lost",
        "won",
        "beat",
        "factor",
        "temperatur",
        "version",
        "outnumber",
        "led",
        "trail",
        "climb",
        "jump",
        "shr",
        "slip",
        "edg",
    ];
    (1..=3).any(|back| {
        let word = lex.before(at, back);
        !word.is_empty() && STEMS.iter().any(|stem| word.starts_with(stem))
    })
}

/// Whether the words before `at` speak of numbers: "count from 1 to 5".
pub(crate) fn numbering(lex: &Lex<'_, '_>, at: usize) -> bool {
    (1..=3).any(|back| is_numbering(lex.before(at, back)))
}

/// What is laid or booked for so many people.
fn seats(word: &str) -> bool {
    matches!(
        word,
        "table" | "tables" | "seats" | "tickets" | "rooms" | "party" | "dinner" | "lunch" | "breakfast" | "reservation"
    )
}

/// Words of moving something by so much: "increment by 1".
fn shifts(word: &str) -> bool {
    ["increment", "decrement", "shift", "offset", "advanc", "extend", "delay", "exceed", "outscor", "mov"]
        .iter()
        .any(|stem| word.starts_with(stem))
}

/// "count from 1 to 5", "numbers between 1 and 9"
fn is_numbering(word: &str) -> bool {
    matches!(
        word,
        "range"
            | "ranges"
            | "ranging"
            | "ranged"
            | "vary"
            | "varies"
            | "varying"
            | "count"
            | "counting"
            | "counted"
            | "number"
            | "numbers"
            | "integer"
            | "integers"
            | "digits"
            | "random"
    )
}

/// Whether a bare number that ends before `end` counts or measures what follows: "at 5 locations", "after 2 more failures",
/// "by 3 percent".
pub(crate) fn counts(lex: &Lex<'_, '_>, end: usize) -> bool {
    if goes_on(lex, end) {
        return true;
    }
    // "six - year - old"
    if lex.dash(end) && (is_unit(lex.word(end + 1)) || unit_from_word(lex.word(end + 1)).is_some()) {
        return true;
    }
    let mut capitals = 0;
    for ahead in 0..COUNTED_WORDS_MAX {
        let place = end + ahead;
        let word = lex.word(place);
        // "by 5 15-word points"
        if ahead == 0 && lex.tokens.digits(place).is_some() && lex.dash(place + 1) && !lex.word(place + 2).is_empty() {
            return true;
        }
        if word.is_empty() || !lex.near(place) {
            return false;
        }
        if is_unit(word) || is_street(word) && (capitals > 0 || ahead == 0) && lex.capital(place) {
            return true;
        }
        // "5 of them"
        if ahead == 0
            && word == "of"
            && matches!(
                lex.word(place + 1),
                "them"
                    | "us"
                    | "you"
                    | "the"
                    | "these"
                    | "those"
                    | "my"
                    | "our"
                    | "their"
                    | "his"
                    | "her"
                    | "its"
                    | "your"
                    | "which"
            )
        {
            return true;
        }
        // "until 5 were left", "until one is left": what is counted is not said.
        let lasts = matches!(lex.before(end, 2), "until" | "till" | "since" | "before" | "after");
        let many = matches!(word, "were" | "are" | "have" | "had");
        if ahead == 0 && lasts && (many || lex.is(end - 1, "one") && matches!(word, "is" | "was")) {
            return true;
        }
        // "at one of the sites", "between 16 and 21 in age"
        let of_all = word == "of" && lex.is(end - 1, "one") || word == "in" && is_measure(lex.word(place + 1));
        if ahead == 0 && of_all {
            return true;
        }
        // "shot down by two F-22 fighters"
        let model = lex.mark(place + 1) == Some('-') && lex.glued(place + 1) && lex.capital(place);
        if model && weekday_word(word).is_none() && month_word(word).is_none() {
            return true;
        }
        if ahead == 0 && word == "or" && matches!(lex.word(place + 1), "more" | "less" | "fewer") {
            return true;
        }
        // "2 or 3 people"
        if ahead == 0 && matches!(word, "or" | "to" | "and") && !lex.is(end - 1, "h") {
            return small(lex, place + 1).is_some_and(|(_, next)| {
                next > place + 1 && lex.near(place + 1) && next - place <= 3 && counts_after(lex, next)
            });
        }
        if is_function(word) || is_time_word(lex, place) {
            return false;
        }
        if lex.capital(place) {
            capitals += 1;
            continue;
        }
        if is_plural(word) {
            return true;
        }
    }
    false
}

/// What is counted or measured "in" something: "in age".
fn is_measure(word: &str) -> bool {
    matches!(word, "age" | "number" | "size" | "length" | "width" | "height" | "total" | "weight")
}

fn counts_after(lex: &Lex<'_, '_>, end: usize) -> bool {
    let two = || lex.glued(end) && lex.tokens.digits(end + 1).is_some_and(|digits| digits.len() == 2);
    let clock = lex.mark(end) == Some(':') || half_at(lex, end).is_some() || lex.mark(end) == Some('.') && two();
    !clock && goes_on(lex, end) || is_unit(lex.word(end)) || is_plural(lex.word(end)) && lex.near(end)
}

pub(crate) fn is_time_word(lex: &Lex<'_, '_>, at: usize) -> bool {
    weekday_word(lex.word(at)).is_some()
        || month_word(lex.word(at)).is_some()
        || matches!(lex.word(at), "next" | "am" | "pm" | "morning" | "evening" | "night" | "afternoon" | "o" | "oclock")
}

/// Whether a clause ends at `at`, or goes on with a small word: what stands before is no adjective of what follows.
pub(crate) fn clause_ends(lex: &Lex<'_, '_>, at: usize) -> bool {
    let Some(token) = lex.tokens.get(at) else { return true };
    if !lex.near(at) {
        return true;
    }
    match token.kind {
        Kind::Mark('-' | '‑' | '/' | '%' | '°' | '&' | '\'' | '’') => !lex.glued(at),
        Kind::Mark(_) => true,
        Kind::Word => {
            !lex.glued(at)
                && (is_function(lex.word(at)) || is_time_word(lex, at) || lex.capital(at) || is_time_noun(lex.word(at)))
        }
        Kind::Digits | Kind::Opaque => true,
    }
}

/// Whether a clause ends at `at` with a mark or the line, not with a word.
pub(crate) fn clause_ends_hard(lex: &Lex<'_, '_>, at: usize) -> bool {
    match lex.tokens.get(at).map(|token| token.kind) {
        None => true,
        Some(Kind::Mark(_)) => clause_ends(lex, at),
        Some(_) => !goes_on_in_line(lex, at),
    }
}

/// Whether the word before `at` puts something on a day: "on", "by", "until".
pub(crate) fn places_day(lex: &Lex<'_, '_>, at: usize) -> bool {
    matches!(
        lex.before(at, 1),
        "on" | "by"
            | "until"
            | "till"
            | "since"
            | "before"
            | "after"
            | "from"
            | "through"
            | "due"
            | "this"
            | "next"
            | "last"
            | "every"
            | "in"
    )
}

/// Whether a word or mark at `at` joins the ends of a range.
pub(crate) fn joint(lex: &Lex<'_, '_>, at: usize) -> bool {
    lex.dash(at) || matches!(lex.word(at), "to" | "until" | "till" | "til" | "through" | "thru")
}
