//! Stretches of days: weeks, months, quarters, seasons, years, decades, centuries.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use super::cal::{Cal, Grain, Side, Spec, in_week, iso_week, week_of};
use super::cue;
use super::dates::month_at;
use super::days::{days_at, shift_word, side_at};
use super::eras::{century, decade, season};
use super::lex::Lex;
use super::numbers::{ordinal, small, spoken, year};
use crate::expression::{Anchor, Diagnostic};

/// A stretch of days at `at`, and where it ends.
pub(crate) fn period_at(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    lex.nested(|| period_of(lex, at, anchor))
}

fn period_of(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let the = usize::from(lex.is(at, "the"));
    let place = at + the;
    let word = lex.word(place);
    if the == 0
        && let Some(found) = month_period(lex, at, anchor)
    {
        return Some(found);
    }
    match word {
        "early" | "mid" | "late" | "beginning" | "start" | "middle" | "end" => {
            // "the end of March": the article is not part of it.
            if the == 1 {
                return None;
            }
            let (side, next) = side_at(lex, place)?;
            if !lex.near(next) {
                return None;
            }
            let (cal, end) =
                unit_after_the(lex, next, anchor).or_else(|| period_at(lex, next, anchor)).or_else(|| {
                    let (year, end) = year(lex, next).filter(|(_, end)| !cue::goes_on(lex, *end))?;
                    Some((whole_year(year)?, end))
                })?;
            (cal.side.is_none() && cal.grain != Grain::Day)
                .then_some((Cal { side: Some(side), sure: true, ..cal }, end))
        }
        "rest" | "remainder" | "balance" => rest_of(lex, place, anchor).filter(|_| the == 0),
        "week" | "w" | "month" => week_like(lex, place, anchor).or_else(|| unit_end(lex, at, anchor)),
        "year" if the == 0 && unit_end(lex, at, anchor).is_some() => unit_end(lex, at, anchor),
        "year" => {
            let (year, end) = named_year(lex, place + 1)?;
            Some((whole_year(year)?, end))
        }
        "weekend"
            if the == 1 || matches!(lex.before(at, 1), "my" | "our" | "your" | "on" | "over" | "whole" | "entire") =>
        {
            after_next(lex, place, anchor)
                .or_else(|| weekend_of(lex, place, anchor))
                .or_else(|| unit_shifted(lex, place, 0, anchor))
        }
        "q" | "h" => quarter(lex, place, anchor),
        "spring" | "summer" | "autumn" | "fall" | "winter" => season(lex, place, anchor, 0),
        "quarter" => after_next(lex, place, anchor).or_else(|| unit_end(lex, at, anchor)),
        "eow" | "eom" | "eoq" | "eoy" if the == 0 => {
            let unit = match word {
                "eow" => "week",
                "eom" => "month",
                "eoq" => "quarter",
                _ => "year",
            };
            let (cal, end) = unit_of(unit, at, 0, anchor)?;
            Some((Cal { side: Some(Side::Last), ..cal }, end))
        }
        "later" | "earlier" => {
            let shift = shift_word(lex.word(place + 1)).filter(|shift| *shift == 0)?;
            let (cal, end) = unit_shifted(lex, place + 2, shift, anchor)?;
            let Spec::Fixed(days) = &cal.spec else { return None };
            let (first, last) = *days.first()?;
            let today = anchor.today();
            let side = if word == "later" { (today, last) } else { (first, today) };
            Some((Cal::days(side.0, side.1, Grain::Many), end))
        }
        _ => shifted(lex, at, anchor)
            .or_else(|| decade(lex, at, anchor))
            .or_else(|| century(lex, at))
            .or_else(|| figures_year(lex, at, anchor)),
    }
}

/// "this week", "next month", "last year's", "the coming weekend", "next June" is read elsewhere.
fn shifted(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let place = at + usize::from(lex.is(at, "the"));
    // "the month after next", "the week after the next"
    if let Some(found) = after_next(lex, place, anchor) {
        return Some(found);
    }
    // "this coming week", "this past weekend"
    let place = place + usize::from(place == at && lex.is(at, "this") && is_this_word(lex.word(at + 1)));
    let shift = shift_word(lex.word(place))?;
    if !lex.near(place + 1) {
        return None;
    }
    if matches!(lex.word(place + 1), "spring" | "summer" | "autumn" | "fall" | "winter") {
        return season(lex, place + 1, anchor, shift);
    }
    if lex.word(place + 1) == "q" {
        return None;
    }
    let the = lex.is(at, "the");
    if the && matches!(lex.word(place), "same" | "coming" | "current" | "following") {
        return None;
    }
    if the && shift != 1 && !matches!(lex.word(place + 1), "decade" | "century") && lex.is(place, "past") {
        return None;
    }
    let (cal, end) = unit_shifted(lex, place + 1, shift, anchor)?;
    // "next year's third quarter"
    if lex.apostrophe(end) && lex.is(end + 1, "s") && cal.grain == Grain::Year {
        let (number, next) = ordinal(lex, end + 2)?;
        let next = lex.past_hyphen(next);
        let Spec::Fixed(days) = &cal.spec else { return None };
        let year = days.first()?.0.year();
        let length = match lex.word(next) {
            "quarter" => 3,
            "half" => 6,
            _ => return None,
        };
        return Some((part_of_year(year, number, length)?, next + 1));
    }
    Some((cal, end))
}

/// What may follow "this" and says no more than it: "this coming week".
fn is_this_word(word: &str) -> bool {
    matches!(word, "coming" | "upcoming" | "past")
}

/// "by month end", "year-end": the last part of the running one.
fn unit_end(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let place = lex.past_hyphen(at + 1);
    let led = matches!(lex.before(at, 1), "by" | "at" | "before" | "until" | "till" | "for" | "after");
    if !led || !lex.is(place, "end") || !lex.near(place) || !cue::clause_ends(lex, place + 1) {
        return None;
    }
    let (cal, _) = unit_shifted(lex, at, 0, anchor)?;
    Some((Cal { side: Some(Side::Last), ..cal }, place + 1))
}

/// The unit at `at`, shifted from the one that holds the anchor: "week" with 1 is the next week.
pub(crate) fn unit_shifted(lex: &Lex<'_, '_>, at: usize, shift: i32, anchor: &Anchor) -> Option<(Cal, usize)> {
    unit_of(lex.word(at), at, shift, anchor)
}

fn unit_of(word: &str, at: usize, shift: i32, anchor: &Anchor) -> Option<(Cal, usize)> {
    let today = anchor.today();
    let end = at + 1;
    let fixed = |first: Date, last: Date, grain: Grain| Some((Cal::days(first, last, grain), end));
    match word {
        "week" | "wk" => {
            let (first, last) = week_of(today.checked_add(shift.weeks()).ok()?, anchor.week_start)?;
            fixed(first, last, Grain::Week)
        }
        "weekend" => weekend(anchor, shift).map(|cal| (cal, end)),
        "month" | "mo" => {
            let first = today.first_of_month().checked_add(shift.months()).ok()?;
            fixed(first, first.last_of_month(), Grain::Month)
        }
        "quarter" | "qtr" => {
            let first = Date::new(today.year(), (today.month() - 1) / 3 * 3 + 1, 1).ok()?;
            let first = first.checked_add((shift * 3).months()).ok()?;
            fixed(first, first.checked_add(2.months()).ok()?.last_of_month(), Grain::Quarter)
        }
        "year" => Some((whole_year(today.year().checked_add(i16::try_from(shift).ok()?)?)?, end)),
        "decade" => {
            let first = i32::from(today.year()).div_euclid(10) * 10 + shift * 10;
            years(first, first + 9).map(|cal| (cal, end))
        }
        "century" => {
            let first = i32::from(today.year()).div_euclid(100) * 100 + shift * 100;
            years(first, first + 99).map(|cal| (cal, end))
        }
        _ => None,
    }
}

/// "weekend of 5 June", "weekend of the 5th": the one of the week that holds the day.
fn weekend_of(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let place = at + 2;
    let (day, end) =
        days_at(lex, place, anchor).filter(|(day, _)| lex.is(at + 1, "of") && day.is_day()).or_else(|| {
            let (day, end) = ordinal(lex, place + 1).filter(|_| lex.is(at + 1, "of") && lex.is(place, "the"))?;
            Some((Cal::new(Spec::DayOfMonth(i8::try_from(day).ok()?), Grain::Day), end))
        })?;
    let (days, why) = day.candidates(anchor);
    let weekend = |day: Date| {
        let saturday = in_week(day, Weekday::Saturday, Weekday::Monday)?;
        Some((saturday, saturday.tomorrow().ok()?))
    };
    let mut cal = Cal::new(Spec::Fixed(days.iter().filter_map(|(day, _)| weekend(*day)).collect()), Grain::Week);
    cal.why = why.first().copied();
    Some((cal, end))
}

/// Saturday and Sunday: of this week, or of another.
fn weekend(anchor: &Anchor, shift: i32) -> Option<Cal> {
    let today = anchor.today();
    let monday = i32::from(jiff::civil::Weekday::Monday.until(today.weekday()));
    let this = today.checked_add((5 - monday).days()).ok()?;
    let first = this.checked_add(shift.weeks()).ok()?;
    let mut days = vec![(first, first.tomorrow().ok()?)];
    // On a weekday "next weekend" can be the coming one.
    if shift == 1 && today < this {
        days.insert(0, (this, this.tomorrow().ok()?));
    }
    let mut cal = Cal::new(Spec::Fixed(days), Grain::Week);
    cal.why = (shift == 1 && today < this).then_some(Diagnostic::WhichWeek);
    Some(cal)
}

/// "the week after next", "the month after the next"
fn after_next(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    if !lex.is(at + 1, "after") {
        return None;
    }
    let the = usize::from(lex.is(at + 2, "the"));
    if !lex.is(at + 2 + the, "next") || !cue::clause_ends(lex, at + 3 + the) {
        return None;
    }
    let (mut cal, _) = unit_shifted(lex, at, 2, anchor)?;
    cal.why = None;
    Some((cal, at + 3 + the))
}

/// "of the week", after "end": the running one.
fn unit_after_the(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    // "end of month", "end of year"; "end of week 31" is read by its number.
    let the = usize::from(lex.is(at, "the"));
    let plain = the == 0 && lex.is(at.wrapping_sub(1), "of") && cue::clause_ends_hard(lex, at + 1);
    (the == 1 || plain).then(|| unit_shifted(lex, at + the, 0, anchor))?
}

/// "rest of the week", "rest of my month", "rest this year": from today on.
fn rest_of(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let mut place = at + 1;
    place += usize::from(lex.is(place, "of"));
    place +=
        usize::from(matches!(lex.word(place), "the" | "this" | "my" | "our" | "current" | "his" | "her" | "their"));
    if place == at + 1 {
        return None;
    }
    let (cal, end) = unit_shifted(lex, place, 0, anchor)?;
    let Spec::Fixed(days) = &cal.spec else { return None };
    let (first, last) = *days.first()?;
    Some((Cal::days(anchor.today().max(first), last, Grain::Many), end))
}

/// "week 31", "week of the 18th", "the week starting 4 February", "w/c 4 Feb", "month of June".
fn week_like(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let word = lex.word(at);
    if let Some(found) = after_next(lex, at, anchor) {
        return Some(found);
    }
    if word == "week"
        && let Some((number, end)) = small(lex, at + 1).filter(|(number, _)| (1..=53).contains(number))
        && lex.near(at + 1)
        && !cue::counts(lex, end)
    {
        let (year, end) = match year(lex, end + usize::from(lex.is(end, "of"))) {
            Some((year, end)) => (year, end),
            None => (anchor.today().year(), end),
        };
        let (first, last) = iso_week(year, i8::try_from(number).ok()?)?;
        return Some((Cal::days(first, last, Grain::Week).unsure(), end));
    }
    let of = at + 1;
    let mut place = match lex.word(of) {
        "of" | "starting" | "beginning" | "commencing" if word != "w" => of + 1,
        _ if word == "w" && lex.mark(of) == Some('/') && matches!(lex.word(of + 1), "c" | "b") => of + 2,
        _ => return None,
    };
    place += usize::from(matches!(lex.word(place), "on" | "from"));
    if word == "month" {
        if let Some(found) = month_period(lex, place, anchor) {
            return Some(found);
        }
        let (cal, end) = days_at(lex, place, anchor).filter(|(cal, _)| cal.is_day())?;
        let (days, _) = cal.candidates(anchor);
        let months = days.iter().map(|(day, _)| (day.first_of_month(), day.last_of_month())).collect();
        return Some((Cal::new(Spec::Fixed(months), Grain::Month), end));
    }
    let the = usize::from(lex.is(place, "the"));
    let (cal, end) = days_at(lex, place, anchor).filter(|(cal, _)| cal.is_day()).or_else(|| {
        // "the week of the 18th": "of" leads the day.
        let (day, end) = ordinal(lex, place + the).filter(|_| the == 1)?;
        Some((Cal::new(Spec::DayOfMonth(i8::try_from(day).ok()?), Grain::Day), end))
    })?;
    let (days, why) = cal.candidates(anchor);
    let weeks: Vec<_> = days.iter().filter_map(|(day, _)| week_of(*day, anchor.week_start)).collect();
    let mut week = Cal::new(Spec::Fixed(weeks), Grain::Week);
    week.why = why.first().copied();
    Some((week, end))
}

/// "March", "March 2026", "2026 March", "June next year".
fn month_period(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    // "32 August 2014" is no August.
    let no_day = |number: u32| number == 0 || number > 31;
    if at > 0 && lex.near(at) && lex.number(at - 1, 2).is_some_and(no_day) {
        return None;
    }
    if let Some((year, next)) = year(lex, at).filter(|(_, next)| !cue::goes_on(lex, *next)) {
        let comma = usize::from(lex.mark(next) == Some(','));
        let (month, end) = month_at(lex, next + comma).filter(|_| lex.near(next + comma))?;
        let capital = lex.capital(next + comma) || !matches!(lex.word(next + comma), "may" | "march");
        return capital.then(|| Some((whole_month(year, month)?, end)))?;
    }
    let (month, next) = month_at(lex, at)?;
    let abbreviated = lex.mark(next.wrapping_sub(1)) == Some('.');
    let mut place = next;
    place += usize::from(lex.mark(place) == Some(',') || lex.is(place, "of") || lex.dash(place) && lex.glued(place));
    if lex.near(place)
        && let Some((year, end)) = year(lex, place).filter(|(_, end)| !cue::goes_on(lex, *end))
        && !(lex.mark(end) == Some(':') && lex.glued(end))
    {
        return Some((whole_month(year, month)?, end));
    }
    // "May 88 CE" is not of the last century.
    if matches!(lex.tokens.word(next + 1), "AD" | "CE" | "BC" | "BCE")
        && let Some(figures) = lex.number(next, 4).and_then(|figures| i16::try_from(figures).ok())
    {
        let year = if lex.word(next + 1).starts_with('b') { 1 - figures } else { figures };
        return Some((whole_month(year, month)?, next + 2));
    }
    // "August 99", "Aug '96"
    let quote = usize::from(lex.apostrophe(next) && lex.glued(next + 1));
    if let Some(digits) = lex.tokens.digits(next + quote).filter(|digits| digits.len() == 2 && lex.near(next))
        && let Ok(two) = digits.parse::<u32>()
        && (quote == 1 || two >= 60)
        && !cue::goes_on(lex, next + quote + 1)
    {
        let year = super::numbers::century_of(two, anchor.today().year())?;
        return Some((whole_month(year, month)?, next + quote + 1));
    }
    if lex.is(next, "of")
        && let Some(shift) = shift_word(lex.word(next + 1))
        && lex.is(next + 2, "year")
    {
        let year = anchor.today().year().checked_add(i16::try_from(shift).ok()?)?;
        return Some((whole_month(year, month)?, next + 3));
    }
    if let Some(shift) = shift_word(lex.word(next))
        && lex.is(next + 1, "year")
        && lex.near(next)
    {
        let year = anchor.today().year().checked_add(i16::try_from(shift).ok()?)?;
        return Some((whole_month(year, month)?, next + 2));
    }
    let end = if abbreviated && !cue::goes_on_in_line(lex, next) { next - 1 } else { next };
    let cal = Cal::new(Spec::Months(month, month), Grain::Month);
    // "may", "march", "mar" and the like are words, and "April", "June" names: they want a word before them, or another month.
    let capital = lex.capital(at);
    let month = |place: usize| lex.capital(place) && month_at(lex, place).is_some();
    let joins = |place: usize| cue::joint(lex, place) || matches!(lex.word(place), "and" | "or");
    let beside = capital
        && (joins(end) && month(end + 1) && lex.near(end + 1)
            || at > 1 && joins(at - 1) && month(at - 2) && lex.near(at));
    let hyphen = usize::from(at > 0 && lex.past_hyphen(at - 1) == at);
    let led = beside
        || matches!(
            lex.before(at - hyphen, 1),
            "in" | "of"
                | "since"
                | "until"
                | "till"
                | "by"
                | "from"
                | "to"
                | "through"
                | "during"
                | "for"
                | "between"
                | "before"
                | "after"
                | "and"
                | "this"
                | "late"
                | "early"
                | "mid"
                | "out"
                | "on"
        );
    let word = lex.word(at);
    let verb = matches!(word, "may" | "march" | "mar" | "dec" | "jan" | "sep");
    let name = matches!(word, "april" | "june" | "may" | "august" | "jan");
    if verb && !capital || verb && !led && matches!(word, "may" | "march") || !capital && !led && word.len() == 3 {
        return None;
    }
    // "May I", "June said"
    if (name || word.len() == 3) && !led && !cue::clause_ends(lex, end) || lex.apostrophe(end) && word != "december" {
        return None;
    }
    Some((cal.unsure_of(led), end))
}

fn whole_month(year: i16, month: i8) -> Option<Cal> {
    let first = Date::new(year, month, 1).ok()?;
    Some(Cal::days(first, first.last_of_month(), Grain::Month))
}

/// A whole year.
pub(crate) fn whole_year(year: i16) -> Option<Cal> {
    Some(Cal::days(Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?, Grain::Year))
}

/// From the first year to the last, both included.
pub(crate) fn years(first: i32, last: i32) -> Option<Cal> {
    let first = Date::new(i16::try_from(first).ok()?, 1, 1).ok()?;
    Some(Cal::days(first, Date::new(i16::try_from(last).ok()?, 12, 31).ok()?, Grain::Many))
}

fn part_of_year(year: i16, number: u32, months: i8) -> Option<Cal> {
    let number = i8::try_from(number).ok().filter(|number| *number >= 1 && *number <= 12 / months)?;
    let from = (number - 1) * months + 1;
    let last = Date::new(year, from + months - 1, 1).ok()?.last_of_month();
    let grain = if months == 3 { Grain::Quarter } else { Grain::Many };
    Some(Cal::days(Date::new(year, from, 1).ok()?, last, grain))
}

/// "Q3", "Q3 2026", "H1 2026", "Q3 this year".
fn quarter(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let months: i8 = if lex.is(at, "q") { 3 } else { 6 };
    let number = lex.number(at + 1, 1).filter(|number| lex.glued(at + 1) && (1..=4).contains(number))?;
    if cue::goes_on(lex, at + 2) || !lex.capital(at) {
        return None;
    }
    let mut next = at + 2;
    next += usize::from(lex.is(next, "of") || matches!(lex.mark(next), Some(',' | '-' | '/')));
    if let Some((year, end)) = year(lex, next).filter(|(_, end)| lex.near(next) && !cue::goes_on(lex, *end)) {
        return Some((part_of_year(year, number, months)?, end));
    }
    if let Some(shift) = shift_word(lex.word(next))
        && lex.is(next + 1, "year")
    {
        let year = anchor.today().year().checked_add(i16::try_from(shift).ok()?)?;
        return Some((part_of_year(year, number, months)?, next + 2));
    }
    // A year before it is not part of what stands here: see `figures_year`.
    let from = (i8::try_from(number).ok()? - 1) * 3 + 1;
    (months == 3).then(|| (Cal::new(Spec::Months(from, from + 2), Grain::Quarter), at + 2))
}

fn named_year(lex: &Lex<'_, '_>, at: usize) -> Option<(i16, usize)> {
    if let Some(found) = year(lex, at) {
        return (!cue::goes_on(lex, found.1)).then_some(found);
    }
    // "year two hundred and sixty seven"
    let (hundreds, next) = spoken(lex, at).filter(|(hundreds, next)| *hundreds <= 9 && lex.is(*next, "hundred"))?;
    let place = next + 1 + usize::from(lex.is(next + 1, "and"));
    let (rest, end) = spoken(lex, place).unwrap_or((0, next + 1));
    Some((i16::try_from(hundreds * 100 + rest).ok()?, end))
}

/// Whether a number of four figures is a year by what stands before it: a preposition, or another year that it ends a range of.
fn year_led(lex: &Lex<'_, '_>, at: usize) -> bool {
    let first = matches!(lex.before(at, 1), "by" | "until" | "before" | "after" | "from" | "between" | "since" | "in");
    let second = at >= 3
        && (cue::joint(lex, at - 1) || lex.is(at - 1, "and"))
        && (year(lex, at - 2).is_some() || month_at(lex, at - 2).is_some())
        && matches!(lex.before(at, 3), "from" | "between" | "in" | "since");
    // "between May 2015 and 2018"
    let third = at >= 4 && (cue::joint(lex, at - 1) || lex.is(at - 1, "and")) && {
        let month = month_at(lex, at - 3).is_some() || month_at(lex, at - 2).is_some();
        month && matches!(lex.before(at, 4), "from" | "between")
    };
    first || second || third
}

/// Months and years in figures: "2026-03", "3/2026", "2015.3", "2016 the third quarter", "2016 H2", "in 2026".
fn figures_year(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let _ = anchor;
    if cue::is_embedded(lex, at) {
        return None;
    }
    let figures = lex.tokens.digits(at);
    if let Some(digits) = figures {
        let mark = lex.mark(at + 1).filter(|mark| matches!(mark, '-' | '/' | '.'));
        // Even or glued to one side: "2016 -11".
        if let (Some(mark), Some(other)) = (mark, lex.tokens.digits(at + 2))
            && !cue::goes_on(lex, at + 3)
            && !(lex.glued(at + 3) && lex.mark(at + 3) == Some(':'))
        {
            let tight = lex.glued(at + 1) && lex.glued(at + 2);
            let month = |digits: &str| digits.parse::<i8>().ok().filter(|month| (1..=12).contains(month));
            let year = |digits: &str| digits.parse::<i16>().ok().filter(|year| (1900..=2100).contains(year));
            let led = matches!(lex.before(at, 1), "in" | "since" | "by" | "until" | "from" | "out" | "of" | "during");
            let fine = mark == '/' || tight && mark == '-' || led && mark != '.' || led && tight;
            let found = match (digits.len(), other.len()) {
                (4, 1 | 2) if fine => year(digits).zip(month(other)),
                (1 | 2, 4) if fine => year(other).zip(month(digits)),
                _ => None,
            };
            if let Some((year, month)) = found {
                return Some((whole_month(year, month)?.unsure_of(mark != '.'), at + 3));
            }
        }
    }
    let (value, end) = year(lex, at)?;
    if cue::goes_on(lex, end) {
        return None;
    }
    let the = usize::from(lex.is(end, "the"));
    if let Some((number, next)) = ordinal(lex, end + the)
        && let next = lex.past_hyphen(next)
        && matches!(lex.word(next), "quarter" | "half")
    {
        let months = if lex.is(next, "quarter") { 3 } else { 6 };
        return Some((part_of_year(value, number, months)?, next + 1));
    }
    if matches!(lex.word(end), "q" | "h")
        && let Some(number) = lex.number(end + 1, 1).filter(|_| lex.glued(end + 1))
    {
        let months = if lex.is(end, "q") { 3 } else { 6 };
        return Some((part_of_year(value, number, months)?, end + 2));
    }
    let led = matches!(lex.before(at, 1), "in" | "since" | "during" | "year" | "throughout")
        || figures.is_some() && year_led(lex, at);
    let likely = figures.is_none() || (1900..=2100).contains(&value);
    let ends = cue::clause_ends(lex, end) || lex.dash(end) && year(lex, end + 1).is_some();
    (led && likely && ends).then(|| Some((whole_year(value)?, end)))?
}
