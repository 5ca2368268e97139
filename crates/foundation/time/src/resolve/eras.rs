//! Stretches of days that have a name: seasons, decades, centuries.

use jiff::civil::Date;

use super::cal::{Cal, Grain, Spec};
use super::cue;
use super::days::shift_word;
use super::lex::Lex;
use super::numbers::{ordinal, year};
use super::periods::years;
use crate::expression::{Anchor, Diagnostic};

/// Seasons of the northern half of the world, by whole months; of the southern the other half-year.
pub(crate) fn season(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor, shift: i32) -> Option<(Cal, usize)> {
    let word = lex.word(at);
    let (from, to) = match word {
        "spring" => (3, 5),
        "summer" => (6, 8),
        "winter" => (12, 2),
        _ => (9, 11),
    };
    let shifted = shift_word(lex.before(at, 1)).is_some();
    let mut next = at + 1;
    next += usize::from(lex.is(next, "of"));
    let spec = |year: i16| {
        let cal = Cal::new(Spec::Months(from, to), Grain::Many);
        cal.at_or_after(Date::new(year, if word == "winter" { 12 } else { 1 }, 1).ok()?)
    };
    let fixed = |days: Vec<(Date, Date)>, end: usize| {
        let mut cal = Cal::new(Spec::Fixed(days), Grain::Many);
        cal.why = Some(Diagnostic::WhichSeason);
        Some((cal, end))
    };
    if let Some((year, end)) = year(lex, next).filter(|(_, end)| !cue::goes_on(lex, *end)) {
        let mut days = vec![spec(year)?];
        if word == "winter" {
            days.push(spec(year - 1)?);
        }
        return fixed(days, end);
    }
    let led = matches!(
        lex.before(at, 1),
        "in" | "the" | "by" | "until" | "since" | "during" | "mid" | "early" | "late" | "before" | "after"
    );
    // "fall" and "spring" are verbs.
    // "the fall of Rome", "the Winter Games", "Summer School"
    let title = lex.capital(at) && lex.capital(at + 1) && lex.near(at + 1) && !cue::is_time_word(lex, at + 1);
    if lex.is(at + 1, "of") || title && !shifted {
        return None;
    }
    // "the winter coat"
    let named = led && (lex.before(at, 1) != "the" || cue::clause_ends(lex, at + 1));
    if !shifted && !named && (led || matches!(word, "fall" | "spring") || !cue::clause_ends(lex, at + 1)) {
        return None;
    }
    let here = Cal::new(Spec::Months(from, to), Grain::Many);
    let coming = here.at_or_after(anchor.today())?;
    let past = here.at_or_before(anchor.today())?;
    match shift {
        1 => fixed(vec![coming], at + 1),
        -1 => fixed(vec![past], at + 1),
        _ => fixed(vec![coming, past], at + 1),
    }
}

/// "the 1970s", "the '40s", "the 70's", "the seventies", "the nineteen seventies", "the noughties".
pub(crate) fn decade(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let the = usize::from(lex.is(at, "the"));
    let quote = usize::from(lex.apostrophe(at + the));
    let place = at + the + quote;
    if let Some(digits) = lex.tokens.digits(place).filter(|digits| matches!(digits.len(), 2 | 4)) {
        // "1990s" needs no article; "90s" does.
        let year = digits.parse().is_ok_and(|year| (1700..2100).contains(&year));
        let led = quote == 1 && matches!(lex.before(at, 1), "early" | "mid" | "late" | "in");
        if the == 0 && !year && !led || the == 0 && lex.is(place + 2, "of") {
            return None;
        }
        let apostrophe = usize::from(lex.apostrophe(place + 1));
        let s = place + 1 + apostrophe;
        let value: i32 = digits.parse().ok().filter(|value| value % 10 == 0)?;
        if !lex.is(s, "s") || !lex.glued(s) {
            return None;
        }
        return of_decade(value, digits.len() == 4, anchor).map(|cal| (cal, s + 1));
    }
    if the == 0 {
        return None;
    }
    let (century, next) = match lex.word(place) {
        "eighteen" => (Some(1800), place + 1),
        "nineteen" => (Some(1900), place + 1),
        "twenty" => (Some(2000), place + 1),
        "two" if lex.is(place + 1, "thousand") => (Some(2000), place + 2 + usize::from(lex.is(place + 2, "and"))),
        "two" if lex.is(place + 1, "thousands") => return of_decade(2000, true, anchor).map(|cal| (cal, place + 2)),
        _ => (None, place),
    };
    let next = if century.is_some() { lex.past_hyphen(next) } else { next };
    let value = match lex.word(next) {
        "noughties" | "aughts" if century.is_none() => return of_decade(2000, true, anchor).map(|cal| (cal, next + 1)),
        "tens" => 10,
        "twenties" => 20,
        "thirties" => 30,
        "forties" => 40,
        "fifties" => 50,
        "sixties" => 60,
        "seventies" => 70,
        "eighties" => 80,
        "nineties" => 90,
        "hundreds" if century.is_some() => 0,
        _ => return None,
    };
    if value == 10 && century.is_none() {
        return None;
    }
    of_decade(century.unwrap_or(0) + value, century.is_some(), anchor).map(|cal| (cal, next + 1))
}

fn of_decade(value: i32, whole: bool, anchor: &Anchor) -> Option<Cal> {
    if whole {
        return years(value, value + 9);
    }
    let this = i32::from(anchor.today().year()).div_euclid(100) * 100;
    let days = [this + value, this - 100 + value].into_iter().filter_map(|first| match years(first, first + 9)?.spec {
        Spec::Fixed(days) => days.first().copied(),
        _ => None,
    });
    let mut cal = Cal::new(Spec::Fixed(days.collect()), Grain::Many);
    cal.why = Some(Diagnostic::ComingOrPast);
    Some(cal)
}

/// "the 21st century": the years that begin with 20, as is usual.
pub(crate) fn century(lex: &Lex<'_, '_>, at: usize) -> Option<(Cal, usize)> {
    let place = at + usize::from(lex.is(at, "the"));
    let (number, next) = ordinal(lex, place)?;
    let next = lex.past_hyphen(next);
    if !lex.is(next, "century") {
        return None;
    }
    let first = (i32::try_from(number).ok()? - 1) * 100;
    years(first.max(1), first + 99).map(|cal| (cal, next + 1))
}
