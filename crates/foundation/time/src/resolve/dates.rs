//! Days by their date: "4 March 2026", "03/04", "Friday the 13th", "the 15th".

use jiff::civil::Weekday;

use super::cal::{Cal, Grain, Spec};
use super::clock::{clock_at, half_at};
use super::cue;
use super::lex::Lex;
use super::numbers::{century_of, ordinal, small, spoken, year};
use crate::expression::{Anchor, Diagnostic};
use crate::scan::Kind;

/// A list of days that share one month has at most so many more.
const LISTED_MAX: usize = 4;

/// The month that the word at `at` names, and where it ends (an abbreviation's full stop included).
pub(crate) fn month_at(lex: &Lex<'_, '_>, at: usize) -> Option<(i8, usize)> {
    let month = month_word(lex.word(at))?;
    let full = matches!(lex.word(at), "may" | "june" | "july");
    let short = !full && lex.word(at).len() <= 4 || lex.tokens.digits(at + 2).is_some() && lex.near(at + 2);
    Some((month, if short { lex.past_stop(at + 1) } else { at + 1 }))
}

/// The month (1 to 12) that a lower-case word names.
#[must_use]
pub fn month_word(word: &str) -> Option<i8> {
    Some(match word {
        "january" | "jan" => 1,
        "february" | "feb" => 2,
        "march" | "mar" => 3,
        "april" | "apr" => 4,
        "may" => 5,
        "june" | "jun" => 6,
        "july" | "jul" => 7,
        "august" | "aug" => 8,
        "september" | "sept" | "sep" => 9,
        "october" | "oct" => 10,
        "november" | "nov" => 11,
        "december" | "dec" => 12,
        _ => return None,
    })
}

/// The day of the week that a word names, in full or abbreviated.
#[must_use]
pub fn weekday_word(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "mon" => Weekday::Monday,
        "tuesday" | "tues" | "tue" => Weekday::Tuesday,
        "wednesday" | "weds" | "wed" => Weekday::Wednesday,
        "thursday" | "thurs" | "thur" | "thu" => Weekday::Thursday,
        "friday" | "fri" => Weekday::Friday,
        "saturday" | "sat" => Weekday::Saturday,
        "sunday" | "sun" => Weekday::Sunday,
        _ => return None,
    })
}

/// The day of the week that a plural names: "mondays".
pub(crate) fn weekdays_word(word: &str) -> Option<Weekday> {
    word.strip_suffix('s').filter(|name| name.ends_with("day")).and_then(weekday_word)
}

/// The weekday that the word at `at` names, where it ends, and whether it can hardly be anything else.
pub(crate) fn weekday_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Weekday, usize, bool)> {
    let word = lex.word(at);
    let weekday = weekday_word(word)?;
    // "he sat", "the sun", "to wed", "mon ami"
    let word_too = matches!(word, "sat" | "sun" | "wed" | "mon");
    let the = cue::article(lex.before(at, 1));
    // "Mon/Wed/Fri"
    let listed = |stroke: usize, other: usize| lex.mark(stroke) == Some('/') && weekday_word(lex.word(other)).is_some();
    if listed(at + 1, at + 2) || at > 1 && listed(at - 1, at - 2) {
        return Some((weekday, at + 1, lex.capital(at)));
    }
    // "Justin Sun"
    let surname =
        at > 0 && lex.capital(at - 1) && lex.near(at) && !lex.begins_line(at - 1) && !cue::is_time_word(lex, at - 1);
    if word_too && surname && !word.is_empty() {
        return Some((weekday, at + 1, false));
    }
    Some((weekday, at + 1, !word_too || lex.capital(at) && !the && cue::clause_ends(lex, at + 1)))
}

/// A day of the month at `at`, in digits, as an ordinal or in words.
fn day_at(lex: &Lex<'_, '_>, at: usize) -> Option<(i8, usize)> {
    let (day, end) = ordinal(lex, at).or_else(|| small(lex, at))?;
    let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
    Some((day, end))
}

/// A year after a day and month at `at`, past a comma or "of", and where it ends. Two figures only as "'16" or where no time
/// begins with them.
fn year_after(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor, two: bool) -> Option<(i16, usize)> {
    let glue = matches!(lex.mark(at), Some('-' | '/')) && lex.glued(at) && lex.glued(at + 1);
    let comma = glue || lex.mark(at) == Some(',') || lex.is(at, "of") || lex.is(at, "in");
    let place = at + usize::from(comma);
    if !lex.near(place) {
        return None;
    }
    // "88 AD", "345 BC" (the year before 1 is 0)
    if let Some(figures) = lex.number(place, 4).and_then(|figures| i16::try_from(figures).ok())
        && lex.near(place + 1)
        && figures > 0
    {
        match lex.tokens.word(place + 1) {
            "AD" | "CE" => return Some((figures, place + 2)),
            "BC" | "BCE" => return Some((1 - figures, place + 2)),
            _ => {}
        }
    }
    if let Some((year, end)) = year(lex, place).filter(|(_, end)| !cue::goes_on(lex, *end)) {
        // "4 March 2000 people": a number in words or figures that counts something is no year.
        return (!cue::counts(lex, end) || comma).then_some((year, end));
    }
    let quoted = lex.apostrophe(place) && lex.glued(place + 1);
    let place = place + usize::from(quoted);
    let figures = lex.tokens.digits(place).filter(|digits| digits.len() == 2)?;
    let plain = two && !lex.is(at, "of") && !lex.is(at, "in");
    let after = lex.any(place + 1);
    let time = matches!(after, ":" | "h" | "am" | "pm" | "a" | "p" | "th" | "st" | "nd" | "rd") || lex.dash(place + 1);
    if !(quoted || plain && !time) || cue::goes_on(lex, place + 1) || cue::counts(lex, place + 1) {
        return None;
    }
    let two: u32 = figures.parse().ok()?;
    // "5 May 12" can go on with a time; "5 May 96" cannot.
    if two <= 31 && !quoted && !comma && !lex.glued(place) {
        return None;
    }
    Some((century_of(two, anchor.today().year())?, place + 1))
}

fn yearless(month: i8, day: i8) -> Cal {
    // Every day that some year has.
    if jiff::civil::Date::new(2000, month, day).is_err() {
        return Cal::new(Spec::Nowhere, Grain::Day);
    }
    Cal::new(Spec::InMonth(month, day, day), Grain::Day)
}

/// "4 March 2026", "March 4", "4th of March", "15SEP", "may twenty-first", "the tenth of September, two thousand".
pub(crate) fn named_date(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    if let Some((month, next)) = month_at(lex, at) {
        return month_first(lex, at, month, next, anchor);
    }
    if cue::is_embedded(lex, at) {
        return None;
    }
    let (day, end) = day_at(lex, at)?;
    let mut place = end;
    if lex.mark(place) == Some('.') && lex.glued(place) {
        place += 1;
        // "1. May 27, 2019" is an item of a list.
        if lex.begins_line(at)
            && month_at(lex, place)
                .is_some_and(|(_, next)| day_at(lex, next).is_some() || lex.capital(next) && lex.near(next))
        {
            return None;
        }
    }
    let glue = matches!(lex.mark(place), Some('-' | '/' | ','));
    place += usize::from(glue);
    if lex.is(place, "day") && lex.is(place + 1, "of") {
        place += 1;
    }
    let of = lex.is(place, "of");
    place += usize::from(of);
    if !lex.near(place) {
        return None;
    }
    if let Some(date) = shared_month(lex, end, day, anchor) {
        return Some((date, end));
    }
    let (month, next) = month_at(lex, place)?;
    // "5 may be enough", "the 2 march on": words of another sense want a capital, an ordinal or a year.
    let figures = lex.tokens.digits(at).is_some();
    let word = matches!(lex.word(place), "may" | "march" | "mar");
    let alone = cue::clause_ends_hard(lex, next);
    let (date, end, dated) = match year_after(lex, next, anchor, true) {
        Some((year, end)) => (Cal::ymd(year, month, day), end, true),
        None => {
            let keep = if lex.mark(next.wrapping_sub(1)) == Some('.') && !lex.near(next) { next - 1 } else { next };
            (yearless(month, day), keep, false)
        }
    };
    let ordinal_day = ordinal(lex, at).is_some();
    // "12 May Street"
    if !dated && lex.capital(end) && lex.near(end) && cue::is_street(lex.word(end)) {
        return None;
    }
    if word && !lex.capital(place) && !(dated || of || ordinal_day || glue || alone) && figures {
        return None;
    }
    if !figures && !ordinal_day && !dated && !of {
        return None;
    }
    if word && !lex.capital(place) && !of && !dated && !figures && lex.is(at, "second") {
        return None;
    }
    Some((date, end))
}

/// The date of `day`, whose figures end at `end`, where the month stands at the end of a list: "5 and 8 December 2026", "the
/// 5th, 6th or 7th of May".
fn shared_month(lex: &Lex<'_, '_>, end: usize, first: i8, anchor: &Anchor) -> Option<Cal> {
    let mut place = end;
    for _ in 0..LISTED_MAX {
        let comma = usize::from(lex.mark(place) == Some(','));
        let joint =
            usize::from(matches!(lex.word(place + comma), "and" | "or") || lex.mark(place + comma) == Some('&'));
        let day = place + comma + joint;
        if comma + joint == 0 || !lex.near(place) || !lex.near(day) || lex.glued(day) {
            return None;
        }
        let the = usize::from(lex.is(day, "the"));
        let (_, next) = day_at(lex, day + the)?;
        let of = next + usize::from(lex.is(next, "of"));
        if let Some((month, after)) = month_at(lex, of).filter(|_| lex.near(of) && lex.capital(of)) {
            let year = year_after(lex, after, anchor, true);
            return Some(year.map_or_else(|| yearless(month, first), |(year, _)| Cal::ymd(year, month, first)));
        }
        place = next;
    }
    None
}

/// "March 4, 2026", "Oct/2", "Jan first", "May the eleventh".
fn month_first(lex: &Lex<'_, '_>, at: usize, month: i8, next: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let mut place = next;
    let joint = matches!(lex.mark(place), Some('-' | '/' | ','));
    place += usize::from(joint);
    let the = lex.is(place, "the");
    place += usize::from(the);
    if !lex.near(place) {
        return None;
    }
    let (day, end) = day_at(lex, place)?;
    let is_ordinal = ordinal(lex, place).is_some();
    let figures = lex.tokens.digits(place).is_some();
    // "may one day", "march two by two"
    let word = matches!(lex.word(at), "may" | "march") && !lex.capital(at);
    if word && !is_ordinal && !figures && end == place + 1 || word && lex.is(place, "second") && !the {
        return None;
    }
    // "March 2026", "March 20:00"
    if figures && !is_ordinal && (cue::goes_on(lex, end) || lex.mark(end) == Some(':') && lex.glued(end)) {
        return None;
    }
    // "May 5 people join"
    if figures && !is_ordinal && cue::counts(lex, end) {
        return None;
    }
    // "march, 5 of them"
    if lex.mark(next) == Some(',') && !is_ordinal && year_after(lex, end, anchor, false).is_none() {
        return None;
    }
    Some(match year_after(lex, end, anchor, lex.mark(end) == Some(',') || lex.glued(end)) {
        Some((year, end)) => (Cal::ymd(year, month, day), end),
        None => (yearless(month, day), end),
    })
}

/// A month's name and a day written as one word: "april22".
pub(crate) fn one_word(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    if lex.tokens.get(at)?.kind != Kind::Opaque {
        return None;
    }
    let whole = lex.any(at);
    if whole.starts_with(|it: char| it.is_ascii_digit()) {
        // "05Dec2026"
        let letters = whole.find(|it: char| !it.is_ascii_digit())?;
        let digits = letters + whole[letters..].find(|it: char| it.is_ascii_digit())?;
        let (day, year) = (whole[..letters].parse().ok()?, whole[digits..].parse().ok()?);
        let fits = letters <= 2 && whole.len() == digits + 4 && (1900..=2100).contains(&year);
        return Some((Cal::ymd(year, month_word(&whole[letters..digits]).filter(|_| fits)?, day), at + 1));
    }
    let letters = whole.find(|it: char| it.is_ascii_digit())?;
    let month = month_word(&whole[..letters])?;
    let day: i8 = whole[letters..].parse().ok().filter(|day| (1..=31).contains(day))?;
    Some(match year_after(lex, at + 1, anchor, false) {
        Some((year, end)) => (Cal::ymd(year, month, day), end),
        None => (yearless(month, day), at + 1),
    })
}

/// Dates in figures: "2026-03-04", "2026/sep/01", "03/04/26", "3/4", "13.5.2015", "8/Oct/2012".
pub(crate) fn figures(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let first = lex.tokens.digits(at)?;
    let mark = lex.mark(at + 1).filter(|mark| matches!(mark, '-' | '/' | '.' | '‑'))?;
    if first.len() > 4 || cue::is_embedded(lex, at) || is_numbered(lex, at) || !lex.glued(at + 1) || !lex.glued(at + 2)
    {
        return None;
    }
    let one = lex.number(at, 4)?;
    let second_month = month_at(lex, at + 2);
    let again = lex.mark(at + 3).filter(|next| *next == mark || matches!(next, ',' | '/'));
    let third = again.filter(|_| lex.glued(at + 3)).and_then(|_| {
        let figures = lex.tokens.digits(at + 4)?;
        let fits = lex.glued(at + 4) || lex.mark(at + 3) == Some(',');
        fits.then(|| Some((lex.number(at + 4, 4)?, figures.len())))?
    });
    let ends = |end: usize| !ends_badly(lex, end);
    if let Some((month, _)) = second_month {
        let (other, width) = third?;
        let end = at + 5;
        return match (first.len(), width) {
            (4, 1 | 2) if ends(end) => Some((ymd(one, i64::from(month), other), end)),
            (1 | 2, 4) if ends(end) => Some((ymd(other, i64::from(month), one), end)),
            (1 | 2, 2) if ends(end) => {
                let year = century_of(other, anchor.today().year())?;
                Some((ymd(year.unsigned_abs().into(), i64::from(month), one), end))
            }
            _ => None,
        };
    }
    let second = lex.tokens.digits(at + 2).filter(|digits| digits.len() <= 2)?;
    let two = lex.number(at + 2, 2)?;
    let Some((three, width)) = third else {
        // "3/4", "on 4-22"; "2015/3" is a month.
        if first.len() > 2 || !ends(at + 3) || again.is_some() && lex.tokens.digits(at + 4).is_some() {
            return None;
        }
        if matches!(mark, '.') || mark == '-' && lex.before(at, 1) != "on" {
            return None;
        }
        // "24/7" is always.
        if (one, two) == (24, 7) {
            return None;
        }
        let cal = swapped(one, two, None)?;
        let padded = first.len() == 2 && second.len() == 2;
        let clear = one > 12 || two > 12 || padded;
        return Some((if clear && mark == '/' { cal } else { cal.unsure() }, at + 3));
    };
    let end = at + 5;
    if !ends(end) {
        return None;
    }
    match (first.len(), width) {
        (4, 1 | 2) if (1000..3000).contains(&one) => {
            // "2018-7-6" has the month in the middle.
            Some((ymd(one, i64::from(two), three), end))
        }
        (1 | 2, 4) if (1000..3000).contains(&three) => Some((swapped(one, two, i16::try_from(three).ok())?, end)),
        (1 | 2, 2) if mark != '.' || second.len() == 2 => {
            Some((swapped(one, two, century_of(three, anchor.today().year()))?, end))
        }
        _ => None,
    }
}

/// Whether figures with a stroke at `at` are a fraction or mark in its usual form: "3/4", "5/8", "8/10".
pub(crate) fn is_fraction(lex: &Lex<'_, '_>, at: usize) -> bool {
    let padded = [at, at + 2].iter().any(|at| lex.tokens.digits(*at).is_some_and(|digits| digits.len() > 1));
    let parts = lex.number(at, 2).zip(lex.number(at + 2, 2));
    let mark = parts.is_some_and(|(one, two)| one <= two && two == 10);
    mark || !padded && parts.is_some_and(|(one, two)| one < two && (two <= 5 || two == 8))
}

/// Words that number what follows: "version 2.10", "part 1/2", "flight 7/8".
pub(crate) fn is_numbered(lex: &Lex<'_, '_>, at: usize) -> bool {
    let sign = usize::from(at > 0 && matches!(lex.mark(at - 1), Some('.' | '#' | ':')) && lex.glued(at - 1));
    matches!(
        lex.before(at - sign, 1),
        "version"
            | "versions"
            | "release"
            | "build"
            | "section"
            | "sections"
            | "sec"
            | "chapter"
            | "article"
            | "figure"
            | "fig"
            | "table"
            | "page"
            | "pages"
            | "part"
            | "parts"
            | "step"
            | "steps"
            | "slide"
            | "no"
            | "nr"
            | "number"
            | "ticket"
            | "issue"
            | "order"
            | "invoice"
            | "volume"
            | "vol"
            | "question"
            | "clause"
            | "paragraph"
            | "rule"
            | "item"
            | "score"
            | "rated"
            | "rating"
            | "ratio"
            | "phase"
            | "try"
            | "attempt"
            | "batch"
    )
}

/// Whether a date in figures that ends before `end` goes on as something else: "1/2/2024.5", "3/4-inch".
fn ends_badly(lex: &Lex<'_, '_>, end: usize) -> bool {
    if !lex.glued(end) {
        return cue::is_unit(lex.word(end)) || matches!(lex.mark(end), Some('%' | '=' | '+' | '*' | '×' | '÷'));
    }
    match lex.mark(end) {
        // "2026-12-05/2026-12-08"
        Some('/') => !cue::iso_day(lex, end + 1),
        Some('%' | '=' | '+' | '*' | '_') => true,
        Some('.' | ',' | ':' | '-') => {
            // "1/5-1/8"
            let range = lex.mark(end) == Some('-') && lex.mark(end + 2) == Some('/') && lex.glued(end + 2);
            let suffix = lex.mark(end) == Some('.') && !lex.word(end + 1).is_empty() && !lex.capital(end + 1);
            !range
                && lex.glued(end + 1)
                && (suffix || lex.tokens.digits(end + 1).is_some_and(|it| it.len() != 2) || {
                    !lex.word(end + 1).is_empty() && lex.mark(end) == Some('-')
                })
                && lex.mark(end + 2) != Some(':')
        }
        Some(_) => false,
        // "2016-12-16T12:23"
        None => end < lex.tokens.list.len() && !matches!(lex.word(end), "t"),
    }
}

fn ymd(year: u32, month: i64, day: u32) -> Cal {
    let small = |value: i64| i8::try_from(value).unwrap_or(0);
    Cal::ymd(i16::try_from(year).unwrap_or(0), small(month), small(i64::from(day)))
}

/// A day and a month in either order.
fn swapped(one: u32, two: u32, year: Option<i16>) -> Option<Cal> {
    if one == 0 || two == 0 || one > 31 || two > 31 {
        return None;
    }
    let (one, two) = (i8::try_from(one).ok()?, i8::try_from(two).ok()?);
    let month_first = |month: i8, day: i8| match year {
        Some(year) => Cal::ymd(year, month, day),
        None => yearless(month, day),
    };
    match (one <= 12, two <= 12) {
        (false, false) => None,
        (true, false) => Some(month_first(one, two)),
        (false, true) => Some(month_first(two, one)),
        (true, true) if one == two => Some(month_first(one, two)),
        (true, true) => Some(match year {
            None => Cal::new(Spec::Swapped(one, two), Grain::Day),
            Some(year) => {
                let dates = [(one, two), (two, one)].into_iter();
                let dates = dates.filter_map(|(month, day)| jiff::civil::Date::new(year, month, day).ok());
                let mut cal = Cal::new(Spec::Fixed(dates.map(|date| (date, date)).collect()), Grain::Day);
                cal.why = Some(Diagnostic::DayOrMonthFirst);
                cal
            }
        }),
    }
}

/// "the 15th", "15th", "the twenty first", and after "on" or "for the" a bare "15".
pub(crate) fn day_of_month(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let the = lex.is(at, "the");
    let place = at + usize::from(the);
    let of_month = |day: u32| i8::try_from(day).ok().map(|day| Cal::new(Spec::DayOfMonth(day), Grain::Day));
    if the
        && let Some((day, end)) = ordinal(lex, place)
        && let Some(date) = shared_month(lex, end, i8::try_from(day).ok()?, anchor)
    {
        return Some((date, end));
    }
    if let Some((day, end)) = ordinal(lex, place).filter(|(day, _)| *day <= 31) {
        let figures = lex.tokens.digits(place).is_some();
        let led =
            the && cue::leads_day(lex.before(at, 1)) || matches!(lex.before(at, 1), "on" | "by" | "until" | "since");
        // "the first prize", "25th anniversary": what follows is what is counted.
        // "the 25th Anniversary", "the first 20 customers"
        let counted = lex.tokens.digits(end).is_some() && clock_at(lex, end).is_none_or(|(clock, _)| clock.bare);
        let alone = cue::clause_ends(lex, end)
            && !counted
            && !(lex.capital(end) && lex.near(end) && !cue::is_time_word(lex, end));
        let fine = alone && (figures || led);
        return if fine { Some((of_month(day)?.unsure_unless(led || the && figures), end)) } else { None };
    }
    let (day, end) = if lex.tokens.digits(place).is_some() {
        small(lex, place)?
    } else if the {
        spoken(lex, place)?
    } else {
        return None;
    };
    // "the 3 PM cutoff"
    if half_at(lex, end).is_some() || lex.is(end, "o") || lex.is(end, "oclock") {
        return None;
    }
    let led = if the { cue::leads_day(lex.before(at, 1)) } else { lex.before(at, 1) == "on" };
    let fits = (1..=31).contains(&day)
        && led
        && !cue::counts(lex, end)
        && cue::clause_ends(lex, end)
        && !cue::goes_on(lex, end);
    if fits { Some((of_month(day)?.unsure(), end)) } else { None }
}

impl Cal {
    fn unsure_unless(mut self, sure: bool) -> Self {
        self.sure = sure;
        self
    }
}
