//! Days and stretches of days as they are said: weekdays, relative days, weeks, months, quarters, years.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use super::cal::{Cal, Days, Grain, Side, Spec, in_week, iso_week, week_of};
use super::cue;
use super::dates::{day_of_month, figures, month_at, named_date, one_word, weekday_at};
use super::holidays::holiday_at;
use super::lex::Lex;
use super::numbers::{ordinal, small};
use super::periods;
use crate::expression::{Anchor, Diagnostic};
use crate::scan::Kind;

/// Days at `at`, and where their expression ends.
pub(crate) fn days_at(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    lex.nested(|| days_of(lex, at, anchor))
}

fn days_of(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    match lex.tokens.get(at)?.kind {
        Kind::Digits => figures(lex, at, anchor)
            .or_else(|| named_date(lex, at, anchor))
            .or_else(|| year_first(lex, at, anchor))
            .or_else(|| ordinal_of(lex, at, anchor))
            .or_else(|| day_of_month(lex, at, anchor))
            .or_else(|| periods::period_at(lex, at, anchor)),
        Kind::Word => words(lex, at, anchor),
        Kind::Opaque => one_word(lex, at, anchor),
        Kind::Mark(_) => periods::period_at(lex, at, anchor),
    }
}

fn words(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    if let Some((weekday, end, sure)) = weekday_at(lex, at) {
        return with_weekday(lex, at, weekday, end, sure, anchor);
    }
    if let Some(found) = relative_day(lex, at, anchor).or_else(|| holiday(lex, at, anchor)) {
        return Some(found);
    }
    if lex.is(at, "the") {
        return day_of_month(lex, at, anchor)
            .filter(|(_, end)| !lex.is(*end, "of"))
            .or_else(|| ordinal_of(lex, at, anchor))
            .or_else(|| periods::period_at(lex, at, anchor));
    }
    named_date(lex, at, anchor)
        .or_else(|| modified(lex, at, anchor))
        .or_else(|| ordinal_of(lex, at, anchor))
        .or_else(|| periods::period_at(lex, at, anchor))
        .or_else(|| day_of_month(lex, at, anchor))
}

/// "2018 March 18"
fn year_first(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let (year, next) = super::numbers::year(lex, at)?;
    let (month, place) = month_at(lex, next)?;
    let (day, end) = ordinal(lex, place).or_else(|| lex.number(place, 2).map(|day| (day, place + 1)))?;
    let _ = anchor;
    (!cue::goes_on(lex, end)).then(|| (Cal::ymd(year, month, i8::try_from(day).unwrap_or(0)), end))
}

/// "Christmas", "Easter Monday 2027", "next Thanksgiving" is read as the coming one.
fn holiday(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let (rules, next) = holiday_at(lex, at)?;
    let place = next + usize::from(matches!(lex.word(next), "of" | "in") || lex.mark(next) == Some(','));
    let year = super::numbers::year(lex, place).filter(|(_, end)| lex.near(place) && !cue::goes_on(lex, *end));
    let shifted = shift_word(lex.word(next)).filter(|_| lex.is(next + 1, "year"));
    let (year, end) = match (year, shifted) {
        (Some((year, end)), _) => (year, end),
        (_, Some(shift)) => (anchor.today().year().checked_add(i16::try_from(shift).ok()?)?, next + 2),
        _ => return Some((Cal::new(Spec::Holiday(rules), Grain::Day), next)),
    };
    let days: Vec<(Date, Date)> = rules.iter().filter_map(|rule| rule.day(year)).map(|day| (day, day)).collect();
    let mut cal = Cal::new(Spec::Fixed(days), Grain::Day);
    cal.why = (rules.len() > 1).then_some(Diagnostic::WhichCountry);
    Some((cal, end))
}

/// "today", "tomorrow", "the day after tomorrow", "the next day".
fn relative_day(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let today = anchor.today();
    let shifted = |days: i32, end: usize| Some((Cal::day(today.checked_add(days.days()).ok()?), end));
    let the = usize::from(lex.is(at, "the"));
    let place = at + the;
    let day = lex.is(place, "day");
    match lex.word(place) {
        "later" | "earlier" if lex.is(place + 1, "today") && the == 0 && lex.near(place + 1) => shifted(0, place + 2),
        // "tomorrow week"
        "today" | "tomorrow" if lex.is(place + 1, "week") && the == 0 && cue::clause_ends(lex, place + 2) => {
            shifted(7 + i32::from(lex.is(place, "tomorrow")), at + 2)
        }
        "today" | "tdy" if the == 0 => shifted(0, at + 1),
        "tomorrow" | "tmr" | "tmrw" | "tmrow" | "tomorow" | "tommorow" | "tommorrow" if the == 0 => shifted(1, at + 1),
        "yesterday" if the == 0 => shifted(-1, at + 1),
        "day" if day && lex.is(place + 1, "after") && is_tomorrow(lex.word(place + 2)) => shifted(2, place + 3),
        "day" if day && lex.is(place + 1, "before") && lex.is(place + 2, "yesterday") => shifted(-2, place + 3),
        "next" | "following" if lex.is(place + 1, "day") => shifted(1, place + 2),
        "next" | "following"
            if matches!(lex.word(place + 1), "business" | "working")
                && lex.is(place + 2, "day")
                && cue::clause_ends(lex, place + 3) =>
        {
            let ahead = match today.weekday() {
                Weekday::Friday => 3,
                Weekday::Saturday => 2,
                _ => 1,
            };
            shifted(ahead, place + 3)
        }
        "last" | "previous" if lex.is(place + 1, "day") && !lex.is(place + 2, "of") => shifted(-1, place + 2),
        "this" | "current" | "same" if lex.is(place + 1, "day") => shifted(0, place + 2),
        _ => None,
    }
}

fn is_tomorrow(word: &str) -> bool {
    matches!(word, "tomorrow" | "tmr" | "tmrw")
}

/// The weekday of the week that holds `date`.
fn weekday_in(anchor: &Anchor, weekday: Weekday, weeks: i32) -> Option<Date> {
    in_week(anchor.today(), weekday, anchor.week_start)?.checked_add(weeks.weeks()).ok()
}

/// A weekday, with a date or a week beside it: "Monday, 4 March", "Friday the 13th", "Tuesday of next week".
fn with_weekday(
    lex: &Lex<'_, '_>,
    at: usize,
    weekday: Weekday,
    end: usize,
    sure: bool,
    anchor: &Anchor,
) -> Option<(Cal, usize)> {
    let short = lex.word(at).len() <= 5;
    let stop = short && lex.mark(end) == Some('.') && lex.glued(end);
    let after = end + usize::from(stop);
    let bracket = lex.mark(after) == Some('(');
    let mark = bracket || matches!(lex.mark(after), Some(',' | '-'));
    let place = after + usize::from(mark);
    if lex.near(place) {
        if let Some((date, last)) = dated(lex, place, anchor) {
            let last = if bracket && lex.mark(last) == Some(')') { last + 1 } else { last };
            return Some((Cal { weekday: Some(weekday), sure: true, ..date }, last));
        }
        // "Friday next week", "Tuesday of last week"
        let week = place + usize::from(matches!(lex.word(place), "of" | "in"));
        let week = week + usize::from(lex.is(week, "the"));
        if !bracket
            && lex.is(week + 1, "week")
            && let Some(weeks) = shift_word(lex.word(week))
        {
            return Some((Cal::day(weekday_in(anchor, weekday, weeks)?), week + 2));
        }
        // "Monday week"
        if lex.is(place, "week") && !mark && cue::clause_ends(lex, place + 1) {
            let (day, _) = Cal::new(Spec::Weekday(weekday), Grain::Day).at_or_after(anchor.today())?;
            return Some((Cal::day(day.checked_add(1.week()).ok()?), place + 1));
        }
    }
    let cal = Cal::new(Spec::Weekday(weekday), Grain::Day);
    // A plural is a habit: read where recurrences are.
    Some((if sure { cal } else { cal.unsure() }, end))
}

/// A date beside a weekday: all forms, and a bare day of the month after "the".
fn dated(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    if lex.tokens.digits(at).is_some() {
        return figures(lex, at, anchor)
            .or_else(|| named_date(lex, at, anchor))
            .or_else(|| year_first(lex, at, anchor))
            .or_else(|| {
                let (day, end) = ordinal(lex, at)?;
                let day = i8::try_from(day).ok()?;
                cue::clause_ends(lex, end).then(|| (Cal::new(Spec::DayOfMonth(day), Grain::Day), end))
            });
    }
    if lex.tokens.get(at)?.kind == Kind::Opaque {
        return one_word(lex, at, anchor);
    }
    let the = usize::from(lex.is(at, "the"));
    if let Some(found) = named_date(lex, at + the, anchor) {
        return Some(found);
    }
    if the == 0 {
        return None;
    }
    let (day, end) = ordinal(lex, at + 1).or_else(|| small(lex, at + 1))?;
    let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
    cue::clause_ends(lex, end).then(|| (Cal::new(Spec::DayOfMonth(day), Grain::Day), end))
}

/// How many units "this", "next", "last" shift.
pub(crate) fn shift_word(word: &str) -> Option<i32> {
    Some(match word {
        "this" | "current" | "same" => 0,
        "next" | "coming" | "following" | "upcoming" => 1,
        "last" | "previous" | "past" => -1,
        _ => return None,
    })
}

/// "this Friday", "next Tue", "last Wed", "this week Friday", "next June".
fn modified(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    // "this coming Friday", "this past Monday"
    if lex.is(at, "this") && matches!(lex.word(at + 1), "coming" | "upcoming" | "past" | "next" | "last") {
        return modified(lex, at + 1, anchor).filter(|_| lex.near(at + 1));
    }
    let shift = shift_word(lex.word(at))?;
    let place = at + 1;
    if !lex.near(place) {
        return None;
    }
    if lex.is(place, "week") {
        let joint = place + 1;
        let comma = joint + usize::from(lex.mark(joint) == Some(',') || lex.is(joint, "on"));
        if let Some((weekday, end, sure)) = weekday_at(lex, comma).filter(|_| lex.near(comma))
            && (sure || lex.is(joint, "on"))
            && !(cue::joint(lex, end) && weekday_at(lex, end + 1).is_some())
        {
            return Some((Cal::day(weekday_in(anchor, weekday, shift)?), end));
        }
        return None;
    }
    if let Some((weekday, end, _)) = weekday_at(lex, place) {
        if let Some((cal, last)) = with_weekday(lex, place, weekday, end, true, anchor)
            && (cal.weekday.is_some() || last > end)
        {
            return Some((cal, last));
        }
        return Some((shifted_weekday(lex.word(at), weekday, anchor)?, end));
    }
    // "this may be"
    let verb = |end: usize| {
        matches!(lex.word(place), "may" | "march") && !lex.capital(place) && !cue::clause_ends_hard(lex, end)
    };
    if let Some((month, end)) =
        month_at(lex, place).filter(|(_, end)| !verb(*end) && named_date(lex, place, anchor).is_none())
    {
        let today = anchor.today();
        let here = Cal::new(Spec::Months(month, month), Grain::Month);
        let first = match shift {
            0 => here.at_or_after(Date::new(today.year(), 1, 1).ok()?)?,
            1 => here.at_or_after(today.tomorrow().ok()?)?,
            _ => here.at_or_before(today.first_of_month().yesterday().ok()?)?,
        };
        let mut all = vec![first];
        // "next June" in March: this year's or the next one's.
        let other = match shift {
            1 if first.0.year() == today.year() => here.at_or_after(Date::new(today.year() + 1, 1, 1).ok()?),
            -1 if first.0.year() == today.year() => here.at_or_before(Date::new(today.year() - 1, 12, 31).ok()?),
            _ => None,
        };
        all.extend(other);
        let mut cal = Cal::new(Spec::Fixed(all), Grain::Month);
        cal.why = other.map(|_| Diagnostic::ComingOrPast);
        return Some((cal, end));
    }
    // "last Christmas", "next 4 July"; "this 4 March": the date alone says it
    let (open, end) = holiday(lex, place, anchor).or_else(|| named_date(lex, place, anchor))?;
    let today = anchor.today();
    let rules: Vec<Spec> = match &open.spec {
        Spec::Holiday(rules) => (0..rules.len()).map(|rule| Spec::Holiday(&rules[rule..=rule])).collect(),
        spec @ Spec::InMonth(..) => vec![spec.clone()],
        _ => return None,
    };
    let near = |spec: Spec| {
        let cal = Cal::new(spec, Grain::Day);
        match shift {
            0 => cal.at_or_after(Date::new(today.year(), 1, 1).ok()?),
            1 => cal.at_or_after(today.tomorrow().ok()?),
            _ => cal.at_or_before(today.yesterday().ok()?),
        }
    };
    let why = (rules.len() > 1).then_some(Diagnostic::WhichCountry);
    let days: Vec<Days> = rules.into_iter().filter_map(near).collect();
    Some((Cal { why, ..Cal::new(Spec::Fixed(days), Grain::Day) }, end))
}

/// The days that "this", "next" or "last" and a weekday can mean.
fn shifted_weekday(word: &str, weekday: Weekday, anchor: &Anchor) -> Option<Cal> {
    let today = anchor.today();
    let plain = Cal::new(Spec::Weekday(weekday), Grain::Day);
    let mut days = Vec::new();
    match word {
        "this" | "current" => {
            let here = weekday_in(anchor, weekday, 0)?;
            days.push(here);
            // On Saturday "this Friday" is over, or six days ahead.
            if here < today {
                days.insert(0, plain.at_or_after(today)?.0);
            }
        }
        "next" | "following" => {
            let coming = plain.at_or_after(today.tomorrow().ok()?)?.0;
            let week = weekday_in(anchor, weekday, 1)?;
            days.push(coming);
            days.push(week);
        }
        "coming" | "upcoming" => days.push(plain.at_or_after(today.tomorrow().ok()?)?.0),
        _ => {
            let recent = plain.at_or_before(today.yesterday().ok()?)?.0;
            days.push(recent);
            days.push(weekday_in(anchor, weekday, -1)?);
        }
    }
    days.dedup();
    let mut cal = Cal::new(Spec::Fixed(days.iter().map(|day| (*day, *day)).collect()), Grain::Day);
    cal.why = (days.len() > 1).then_some(Diagnostic::WhichWeek);
    Some(cal)
}

/// "the first Friday of July", "second Monday of next month", "20th of next month", "the third week of this month",
/// "the last day of the month".
fn ordinal_of(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Cal, usize)> {
    let the = usize::from(lex.is(at, "the"));
    let place = at + the;
    let (number, next) = if lex.is(place, "last") {
        (0, place + 1)
    } else {
        let (number, next) = ordinal(lex, place)?;
        (number, next + usize::from(lex.dash(next) && lex.glued(next)))
    };
    if !lex.near(next) {
        return None;
    }
    if let Some((weekday, end, _)) = weekday_at(lex, next).filter(|_| number <= 5) {
        let day = |first: Date| {
            let nth = if number == 0 { -1 } else { i8::try_from(number).ok()? };
            first.nth_weekday_of_month(nth, weekday).ok()
        };
        if let Some((months, last, grain)) = of_period(lex, end, anchor) {
            if grain != Grain::Month {
                return None;
            }
            let days: Vec<(Date, Date)> =
                months.into_iter().filter_map(|(first, _)| day(first)).map(|d| (d, d)).collect();
            let mut cal = Cal::new(Spec::Fixed(days), Grain::Day);
            if matches!(&cal.spec, Spec::Fixed(days) if days.is_empty()) {
                cal.spec = Spec::Nowhere;
            }
            return Some((cal, last));
        }
        // "first Sunday": of this month; "last Sunday" is another thing.
        if number == 0 || !cue::clause_ends(lex, end) {
            return None;
        }
        let cal = day(anchor.today().first_of_month()).map_or(Cal::new(Spec::Nowhere, Grain::Day), Cal::day);
        let one_of =
            matches!(lex.before(at, 1), "my" | "his" | "her" | "our" | "your" | "their" | "a" | "every" | "each");
        return (!one_of).then_some((cal, end));
    }
    // "31st of this month", "20th of next month"
    if number > 0 && lex.is(next, "of") && !matches!(lex.word(next + 1), "a" | "an" | "all") {
        let (months, last, grain) = of_period(lex, next, anchor)?;
        if grain != Grain::Month {
            return None;
        }
        let day = i8::try_from(number).ok()?;
        let days: Vec<(Date, Date)> = months
            .into_iter()
            .filter_map(|(first, _)| Date::new(first.year(), first.month(), day).ok())
            .map(|day| (day, day))
            .collect();
        let spec = if days.is_empty() { Spec::Nowhere } else { Spec::Fixed(days) };
        return Some((Cal::new(spec, Grain::Day), last));
    }
    let unit = lex.word(next);
    let (months, last, grain) = match unit {
        "week" | "weekend" | "day" | "quarter" | "half" | "month" => of_period(lex, next + 1, anchor)?,
        _ => return None,
    };
    let nth = |(first, end): (Date, Date)| -> Option<(Date, Date)> {
        let back = i32::try_from(number).ok()? - 1;
        match unit {
            "day" if number == 0 => Some((end, end)),
            "day" => {
                let day = first.checked_add(back.days()).ok()?;
                Some((day, day))
            }
            // The first week is the one with the first Thursday, as in ISO 8601.
            "weekend" if grain == Grain::Month => {
                let nth = if number == 0 { -1 } else { i8::try_from(number).ok()? };
                let saturday = first.nth_weekday_of_month(nth, Weekday::Saturday).ok()?;
                Some((saturday, saturday.tomorrow().ok()?))
            }
            "week" if grain == Grain::Year && number > 0 => iso_week(first.year(), i8::try_from(number).ok()?),
            "week" if number == 0 => {
                let (start, last) = week_of(end, anchor.week_start)?;
                let middle = start.checked_add(3.days()).ok()?;
                if middle <= end { Some((start, last)) } else { week_of(start.yesterday().ok()?, anchor.week_start) }
            }
            "week" => {
                let (start, _) = week_of(first, anchor.week_start)?;
                let skip = i32::from(start.checked_add(3.days()).ok()? < first);
                let start = start.checked_add((back + skip).weeks()).ok()?;
                Some((start, start.checked_add(6.days()).ok()?))
            }
            // "the second half of August"
            "half" if grain == Grain::Month && matches!(number, 1 | 2) => {
                let middle = Date::new(first.year(), first.month(), 15).ok()?;
                Some(if number == 1 { (first, middle) } else { (middle.tomorrow().ok()?, end) })
            }
            "quarter" | "half" | "month" if grain == Grain::Year => {
                let length = match unit {
                    "quarter" => 3,
                    "half" => 6,
                    _ => 1,
                };
                let back = if number == 0 { 12 / length - 1 } else { back };
                let from = i8::try_from(back * length + 1).ok().filter(|from| (1..=12).contains(from))?;
                let to = from + i8::try_from(length).ok()? - 1;
                Some((Date::new(first.year(), from, 1).ok()?, Date::new(first.year(), to, 1).ok()?.last_of_month()))
            }
            _ => None,
        }
    };
    let days: Vec<(Date, Date)> = months.into_iter().filter_map(nth).collect();
    if days.is_empty() {
        return None;
    }
    let grain = match unit {
        "day" => Grain::Day,
        "week" | "weekend" => Grain::Week,
        "month" => Grain::Month,
        "quarter" => Grain::Quarter,
        _ => Grain::Many,
    };
    Some((Cal::new(Spec::Fixed(days), grain), last))
}

/// A month, quarter or year after "of" or "in" (or nothing): its candidates, where it ends, and its length.
fn of_period(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<(Vec<Days>, usize, Grain)> {
    let of = usize::from(matches!(lex.word(at), "of" | "in"));
    let place = at + of;
    let (cal, end) = periods::period_at(lex, place, anchor)
        .or_else(|| modified(lex, place, anchor))
        .or_else(|| {
            // "of the month", "of the year"
            let the = usize::from(lex.is(place, "the"));
            periods::unit_shifted(lex, place + the, 0, anchor).filter(|_| the == 1 && of == 1)
        })
        .or_else(|| {
            let (year, end) = super::numbers::year(lex, place).filter(|(_, end)| !cue::goes_on(lex, *end))?;
            (of == 1 || lex.is(at.wrapping_sub(1), "quarter") || lex.is(at.wrapping_sub(1), "half"))
                .then(|| Some((periods::whole_year(year)?, end)))?
        })?;
    if !matches!(cal.grain, Grain::Month | Grain::Year | Grain::Quarter) || cal.side.is_some() {
        return None;
    }
    let (days, _) = cal.candidates(anchor);
    (!days.is_empty()).then_some((days, end, cal.grain))
}

/// "early", "mid", "late", "end of", "beginning of" before a stretch of days: which side, and where the stretch begins.
pub(crate) fn side_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Side, usize)> {
    let (side, wants_of) = match lex.word(at) {
        "early" => (Side::First, false),
        "mid" => (Side::Middle, false),
        "late" => (Side::Last, false),
        "beginning" | "start" => (Side::First, true),
        "middle" => (Side::Middle, true),
        "end" => (Side::Last, true),
        _ => return None,
    };
    let mut next = lex.past_hyphen(at + 1);
    if lex.mark(next) == Some('-') {
        next += 1;
    }
    let of = usize::from(matches!(lex.word(next), "of" | "in"));
    if wants_of && of == 0 && lex.word(at) != "end" && lex.word(at) != "start" {
        return None;
    }
    Some((side, next + of))
}

impl Cal {
    pub(crate) fn unsure_of(mut self, sure: bool) -> Self {
        self.sure = sure;
        self
    }
}
