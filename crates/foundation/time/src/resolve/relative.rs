//! Moments and ranges that a length makes: "in three days", "2 hours ago", "within 5 hours", "the next 3 days",
//! "from 9 for two hours".

use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::{Span, ToSpan as _};

use super::build::Found;
use super::cal::{Spec, in_week, week_of};
use super::cue;
use super::dates::{weekday_at, weekdays_word};
use super::lengths::{self, Said, length_at};
use super::lex::Lex;
use super::moment::{Moment, moment_at};
use super::numbers::small;
use crate::durations::{DurationUnit, unit_from_word};
use crate::expression::{Anchor, Diagnostic, PartRole, Reading};
use crate::length::Length;

/// Monday to Friday.
const WORKDAYS_PER_WEEK: i32 = 5;

/// A length as a reading.
pub(crate) fn duration(said: &Said) -> Reading {
    Reading::Duration { min: said.min, max: said.max }
}

/// An expression with a length at `at`, other than the length alone; `length` is the one that stands there, if there is one.
pub(crate) fn relative_at(
    lex: &Lex<'_, '_>,
    at: usize,
    length: Option<(Said, usize)>,
    anchor: &Anchor,
) -> Option<Found> {
    match lex.word(at) {
        "" if lex.mark(at) == Some('+') => plus_length(lex, at, anchor),
        "in" => in_length(lex, at, anchor),
        "within" => within(lex, at, anchor),
        "rest" | "remainder" => rest_of_day(lex, at, anchor),
        "for" => lasting(lex, at, at + 1, anchor),
        "next" | "past" | "last" | "previous" | "coming" | "upcoming" | "following" | "the" => {
            shifted(lex, at, anchor).or_else(|| beside(lex, at, anchor))
        }
        _ => weekdays_on(lex, at, anchor)
            .or_else(|| beside(lex, at, anchor))
            .or_else(|| from_length(lex, at, length?, anchor)),
    }
}

fn span_of(length: Length) -> Option<Span> {
    length.span()
}

/// `length` after (or before) now: a day if it counts days or more, else a moment.
fn from_now(anchor: &Anchor, said: &Said, back: bool) -> Option<Reading> {
    if said.is_long() {
        return Some(Reading::Date(day_after(anchor.today(), said, said.min, back)?));
    }
    Some(Reading::DateTime(moment_from_now(anchor, said.min, back)?))
}

/// The civil time at which a clock that runs from now on shows that `length` is over.
fn moment_from_now(anchor: &Anchor, length: Length, back: bool) -> Option<DateTime> {
    let span = span_of(length)?;
    let then = if back { anchor.now.checked_sub(span) } else { anchor.now.checked_add(span) };
    Some(then.ok()?.datetime())
}

fn day_from(day: Date, length: Length, back: bool) -> Option<Date> {
    let span = span_of(length)?;
    if back { day.checked_sub(span).ok() } else { day.checked_add(span).ok() }
}

/// The day that lies `length` of what is said after `day`, or before it: working days pass over Saturdays and Sundays.
fn day_after(day: Date, said: &Said, length: Length, back: bool) -> Option<Date> {
    if !said.working || length.months != 0 {
        return day_from(day, length, back);
    }
    // Five of them are a week; the rest goes one by one, from the working day before a free one.
    let step = if back { -1 } else { 1 };
    let free = |at: Date| matches!(at.weekday(), Weekday::Saturday | Weekday::Sunday);
    let mut at = day;
    while free(at) {
        at = at.checked_sub(step.days()).ok()?;
    }
    let weeks = Span::new().try_weeks(length.days / WORKDAYS_PER_WEEK * step).ok()?;
    at = at.checked_add(weeks).ok()?;
    let mut rest = length.days % WORKDAYS_PER_WEEK;
    while rest > 0 {
        at = at.checked_add(step.days()).ok()?;
        rest -= i32::from(!free(at));
    }
    Some(at)
}

/// "in three days", "in about 5 hours", "in less than an hour"
fn in_length(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    let about = usize::from(matches!(lex.word(at + 1), "about" | "around" | "approximately" | "roughly"));
    let place = at + 1 + about;
    let (said, end) = length_at(lex, place).filter(|_| lex.near(place))?;
    // "for the first time in four years" looks back.
    if matches!(lex.before(at, 1), "time" | "times" | "once" | "twice") && said.is_long() {
        return None;
    }
    // "in a second" is soon.
    if lex.is(place, "a") && said.unit <= DurationUnit::Second {
        return None;
    }
    // "in 2 days' time"
    let end = past_time(lex, end);
    // "in 5 minutes' walk of here"
    if lex.apostrophe(end) && lex.glued(end) {
        return None;
    }
    let reading = if said.max.is_some_and(|max| max == said.min) {
        from_now(anchor, &said, false)?
    } else {
        span_from_now(anchor, &said, false)?
    };
    let mut found = Found::new(at, end);
    found.readings.push(reading);
    found.approximate = about == 1 || said.approximate;
    found.limits = true;
    found.part(lex, PartRole::Length, place, end, vec![duration(&said)]);
    Some(found)
}

/// "+15 minutes" as a whole line or clause: so long from now.
fn plus_length(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    let (said, end) = length_at(lex, at + 1).filter(|_| lengths::is_signed(lex, at + 1))?;
    let exact = said.max.is_some_and(|max| max == said.min) && cue::clause_ends_hard(lex, end);
    let mut found = Found::new(at, end);
    found.readings.push(from_now(anchor, &said, false).filter(|_| exact)?);
    found.approximate = said.approximate;
    found.part(lex, PartRole::Length, at + 1, end, vec![duration(&said)]);
    Some(found)
}

/// "rest of the day": from now to midnight.
fn rest_of_day(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    let of = at + 1 + usize::from(lex.is(at + 1, "of"));
    let end = match (lex.word(of), lex.word(of + 1)) {
        ("today", _) if of > at + 1 => of + 1,
        ("the" | "this" | "my" | "our" | "current", "day") => of + 2,
        _ => return None,
    };
    let mut found = Found::new(at, end);
    let midnight = anchor.today().tomorrow().ok()?.to_datetime(Time::midnight());
    found.readings.push(Reading::DateTimeRange { start: Some(anchor.now.datetime()), end: Some(midnight) });
    Some(found)
}

fn past_time(lex: &Lex<'_, '_>, end: usize) -> usize {
    let mark = usize::from(lex.apostrophe(end) && lex.glued(end));
    let s = mark * usize::from(lex.is(end + mark, "s"));
    if lex.is(end + mark + s, "time") && lex.near(end + mark + s) { end + mark + s + 1 } else { end }
}

/// From the least to the most of a length that is bounded: "in 2 to 3 days".
fn span_from_now(anchor: &Anchor, said: &Said, back: bool) -> Option<Reading> {
    if said.is_long() {
        let near = day_after(anchor.today(), said, said.min, back);
        let far = said.max.and_then(|max| day_after(anchor.today(), said, max, back));
        return Some(if back {
            Reading::DateRange { first: far, last: near }
        } else {
            Reading::DateRange { first: near, last: far }
        });
    }
    let near = moment_from_now(anchor, said.min, back);
    let far = said.max.and_then(|max| moment_from_now(anchor, max, back));
    Some(if back {
        Reading::DateTimeRange { start: far, end: near }
    } else {
        Reading::DateTimeRange { start: near, end: far }
    })
}

/// "within 5 hours", "within the next 2 days", "within 2 weeks from today"
fn within(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    let mut place = at + 1;
    place += usize::from(lex.is(place, "the"));
    place += usize::from(matches!(lex.word(place), "next" | "upcoming" | "coming" | "following" | "about" | "around"));
    let (said, mut end) = length_at(lex, place).or_else(|| one_unit(lex, at + 1)).filter(|_| lex.near(place))?;
    let max = said.max?;
    let today = lex.is(end, "from") && matches!(lex.word(end + 1), "today" | "now");
    let of_now = lex.is(end, "of") && matches!(lex.word(end + 1), "today" | "now");
    if today || of_now {
        end += 2;
    } else if matches!(lex.word(end), "of" | "from" | "after") {
        // "within 3 days of signing" is counted from something else.
        return None;
    }
    let mut found = Found::new(at, end);
    let stated = if said.is_long() {
        let last = day_after(anchor.today(), &said, max, false)?;
        found.readings.push(Reading::DateRange { first: Some(anchor.today()), last: Some(last) });
        Reading::Date(last)
    } else {
        let last = moment_from_now(anchor, max, false)?;
        found.readings.push(Reading::DateTimeRange { start: Some(anchor.now.datetime()), end: Some(last) });
        Reading::DateTime(last)
    };
    found.part(lex, PartRole::Length, place, end, vec![duration(&said)]);
    found.part(lex, PartRole::End, end, end, vec![stated]);
    Some(found)
}

/// "the hour", "the week" after "within".
fn one_unit(lex: &Lex<'_, '_>, at: usize) -> Option<(Said, usize)> {
    let unit = match lex.word(at + 1) {
        "hour" => DurationUnit::Hour,
        "day" => DurationUnit::Day,
        "week" => DurationUnit::Week,
        "month" => DurationUnit::Month,
        "year" => DurationUnit::Year,
        _ => return None,
    };
    let length = lengths::length_of(rust_decimal::Decimal::ONE, unit).filter(|_| lex.is(at, "the"))?;
    let said = Said { min: length, max: Some(length), approximate: false, working: false, unit, sure: true };
    cue::clause_ends(lex, at + 2).then_some((said, at + 2))
}

/// What a length is counted from: "ago", "later", "from tomorrow", "before Friday".
fn from_length(lex: &Lex<'_, '_>, at: usize, (said, next): (Said, usize), anchor: &Anchor) -> Option<Found> {
    if !lex.near(next) {
        return None;
    }
    let exact = said.max.is_some_and(|max| max == said.min);
    let simple = |back: bool, end: usize| {
        let reading = if exact { from_now(anchor, &said, back)? } else { span_from_now(anchor, &said, back)? };
        let mut found = Found::new(at, end);
        found.readings.push(reading);
        found.approximate = said.approximate;
        found.limits = true;
        found.part(lex, PartRole::Length, at, next, vec![duration(&said)]);
        Some(found)
    };
    if let Some(found) = weeks_on(lex, at, next, &said, anchor) {
        return Some(found);
    }
    match lex.word(next) {
        "ago" => simple(true, next + 1),
        // "15 minutes out"
        "out" if cue::clause_ends_hard(lex, next + 1) => simple(false, next + 1),
        "earlier" if cue::clause_ends(lex, next + 1) && !lex.is(next + 1, "than") => simple(true, next + 1),
        "later" if !lex.is(next + 1, "than") => simple(false, next + 1),
        "before" if lex.is(next + 1, "now") => simple(true, next + 2),
        "after" if lex.is(next + 1, "now") => simple(false, next + 2),
        "hence" => simple(false, next + 1),
        "from" if lex.is(next + 1, "now") => simple(false, next + 2),
        "in" if lex.is(next + 1, "the") && lex.is(next + 2, "future") => simple(false, next + 3),
        "back" if cue::clause_ends(lex, next + 1) && matches!(lex.before(at, 1), "" | "about") => {
            simple(true, next + 1)
        }
        "starting" | "beginning" | "commencing" => lasting(lex, at, at, anchor),
        "from" | "after" | "before" => {
            let back = lex.is(next, "before");
            let moment = moment_at(lex, next + 1, anchor, false).filter(|moment| !moment.unsupported)?;
            // "15 minutes from 10:15 to 10:30" is a length and a range.
            let ranged = lex.is(next, "from") && cue::joint(lex, moment.end) && moment.clock.is_some();
            if ranged && moment_at(lex, moment.end + 1, anchor, true).is_some() {
                return None;
            }
            let readings = counted(&said, &moment, back, anchor)?;
            let mut found = Found::new(at, moment.end);
            (found.readings, found.why) = (readings, moment.readings(anchor).1);
            found.approximate = said.approximate;
            found.part(lex, PartRole::Length, at, next, vec![duration(&said)]);
            found.part(lex, PartRole::Day, moment.first, moment.end, moment.readings(anchor).0);
            if let Some(Reading::DateRange { last: Some(last), .. }) = found.readings.first() {
                let last = Reading::Date(*last);
                found.part(lex, PartRole::End, at, moment.end, vec![last]);
            }
            Some(found)
        }
        _ => None,
    }
}

/// "a week on Friday", "two weeks tomorrow", "a week ago Tuesday": whole weeks from a day that is named.
fn weeks_on(lex: &Lex<'_, '_>, at: usize, next: usize, said: &Said, anchor: &Anchor) -> Option<Found> {
    let weeks = said.min.days / 7;
    if said.unit != DurationUnit::Week || said.max != Some(said.min) || said.min != lengths::weeks(weeks) {
        return None;
    }
    let ago = lex.is(next, "ago");
    let place = next + usize::from(ago);
    let place = place + usize::from(lex.is(place, "on"));
    let today = anchor.today();
    let (start, end) = if let Some((weekday, end, _)) = weekday_at(lex, place).filter(|_| lex.near(place)) {
        // "two weeks on Monday" can have lasted so long by then.
        let told = ago || weeks == 1 && place > next;
        let start = if ago { today.nth_weekday(-1, weekday) } else { today.nth_weekday(1, weekday) };
        (start.ok().filter(|_| told)?, end)
    } else {
        let shift = match lex.word(place) {
            "today" => 0,
            "tomorrow" => 1,
            _ => return None,
        };
        (today.checked_add(shift.days()).ok().filter(|_| !ago && place == next)?, place + 1)
    };
    if !cue::clause_ends(lex, end) {
        return None;
    }
    let mut found = Found::new(at, end);
    found.readings.push(Reading::Date(day_from(start, said.min, ago)?));
    found.limits = true;
    found.part(lex, PartRole::Length, at, next, vec![duration(said)]);
    Some(found)
}

/// A length counted from every reading of a moment.
fn counted(said: &Said, moment: &Moment, back: bool, anchor: &Anchor) -> Option<Vec<Reading>> {
    let (readings, _) = moment.readings(anchor);
    let exact = said.max.is_some_and(|max| max == said.min);
    let mut found = Vec::new();
    for reading in readings {
        match reading {
            Reading::Date(day) if said.is_long() => {
                let at = |length: Length| day_after(day, said, length, back);
                found.push(if exact {
                    Reading::Date(at(said.min)?)
                } else if back {
                    Reading::DateRange { first: said.max.and_then(at), last: at(said.min) }
                } else {
                    Reading::DateRange { first: at(said.min), last: said.max.and_then(at) }
                });
            }
            Reading::DateTime(at) if exact => {
                let span = span_of(said.min)?;
                let then = if back { at.checked_sub(span) } else { at.checked_add(span) };
                found.push(Reading::DateTime(then.ok()?));
            }
            Reading::Time(at) if exact && !said.is_long() => {
                let then = if back { at.wrapping_sub(said.min.clock) } else { at.wrapping_add(said.min.clock) };
                found.push(Reading::Time(then));
            }
            _ => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}

/// "next 3 days", "the past few hours", "last 2 weeks", "next hour"
fn shifted(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    let place = at + usize::from(lex.is(at, "the"));
    let back = match lex.word(place) {
        "past" | "last" | "previous" => true,
        "next" | "coming" | "upcoming" | "following" => false,
        _ => return None,
    };
    let next = place + 1;
    if !lex.near(next) {
        return None;
    }
    // "next hour", "last minute" (an idiom as an adjective)
    let (said, end) = match unit_from_word(lex.word(next)) {
        Some(unit @ (DurationUnit::Hour | DurationUnit::Minute)) if !lex.word(next).ends_with('s') => {
            // "quite last minute"
            let idiom = unit == DurationUnit::Minute
                && lex.is(at, "last")
                && matches!(
                    lex.before(at, 1),
                    "quite" | "very" | "so" | "too" | "really" | "more" | "a" | "be" | "rather"
                );
            if !cue::clause_ends(lex, next + 1) || idiom {
                return None;
            }
            let length = lengths::length_of(rust_decimal::Decimal::ONE, unit)?;
            (Said { min: length, max: Some(length), approximate: false, working: false, unit, sure: true }, next + 1)
        }
        Some(_) => return None,
        None => length_at(lex, next).filter(|_| !matches!(lex.word(next), "a" | "an" | "all" | "another"))?,
    };
    let max = said.max?;
    // "half past 3 minutes" is nothing; "5 past 3 hours" neither.
    if lex.is(place, "past") && place > 0 && place == at && small(lex, place - 1).is_some() {
        return None;
    }
    let mut found = Found::new(at, end);
    let today = anchor.today();
    let reading = if said.is_long() {
        let (first, last) = if back {
            (day_after(today, &said, max, true)?, today.yesterday().ok()?)
        } else {
            (today.tomorrow().ok()?, day_after(today, &said, max, false)?)
        };
        Reading::DateRange { first: Some(first), last: Some(last) }
    } else {
        let now = anchor.now.datetime();
        let then = moment_from_now(anchor, max, back)?;
        let (start, end) = if back { (then, now) } else { (now, then) };
        Reading::DateTimeRange { start: Some(start), end: Some(end) }
    };
    found.readings.push(reading);
    found.approximate = said.approximate;
    found.part(lex, PartRole::Length, next, end, vec![duration(&said)]);
    Some(found)
}

/// "the day before 5 May", "the week after Easter", "the Friday before Christmas": a day or week next to one that is named.
fn beside(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    let the = usize::from(lex.is(at, "the"));
    let place = at + the;
    let (weekday, next) = match lex.word(place) {
        "day" | "week" if the == 1 => (None, place + 1),
        _ => weekday_at(lex, place).map(|(weekday, end, _)| (Some(weekday), end))?,
    };
    let after = lex.is(next, "after");
    if !(after || lex.is(next, "before")) || !lex.near(next) || !lex.near(next + 1) {
        return None;
    }
    let week = lex.is(place, "week");
    // "Thursday after next"
    if let Some(weekday) = weekday.filter(|_| after && lex.is(next + 1, "next") && cue::clause_ends(lex, next + 2)) {
        let today = anchor.today();
        let second = today.nth_weekday(2, weekday).ok()?;
        let mut found = Found::new(at, next + 2);
        let later = in_week(today, weekday, anchor.week_start)?.checked_add(2.weeks()).ok()?;
        found.readings.extend([Reading::Date(second), Reading::Date(later)]);
        found.why.extend((later != second).then_some(Diagnostic::WhichWeek));
        return Some(found);
    }
    let moment = moment_at(lex, next + 1, anchor, false)?;
    let days = moment.cal.as_ref().filter(|cal| cal.it.is_day() && cal.it.sure && moment.clock.is_none())?;
    // "Monday before Friday" is a limit; "the Friday before Christmas" has a date.
    if moment.part.is_some() || weekday.is_some() && (the == 0 || matches!(days.it.spec, Spec::Weekday(_))) {
        return None;
    }
    let step = if after { 1 } else { -1 };
    let mut found = Found::new(at, moment.end);
    let (named, why) = days.it.candidates(anchor);
    found.why = why;
    for (day, _) in named {
        found.readings.push(match weekday {
            Some(weekday) => Reading::Date(day.nth_weekday(step, weekday).ok()?),
            None if week => {
                let (first, last) = week_of(day.checked_add(step.weeks()).ok()?, anchor.week_start)?;
                Reading::DateRange { first: Some(first), last: Some(last) }
            }
            None => Reading::Date(day.checked_add(step.days()).ok()?),
        });
    }
    found.limits = true;
    found.part(lex, PartRole::Day, moment.first, moment.end, moment.readings(anchor).0);
    (!found.readings.is_empty()).then_some(found)
}

/// "two Mondays from now", "3 Fridays later"
fn weekdays_on(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    let (count, next) = small(lex, at).filter(|(count, _)| (1..=60).contains(count))?;
    let (weekday, end) = weekdays_word(lex.word(next))
        .map(|weekday| (weekday, next + 1))
        .or_else(|| weekday_at(lex, next).map(|(weekday, end, _)| (weekday, end)))?;
    let count = i32::try_from(count).ok()?;
    let today = anchor.today();
    let (day, end) = match (lex.word(end), lex.word(end + 1)) {
        ("from", "now") => (today.nth_weekday(count, weekday).ok()?, end + 2),
        ("later", _) => (today.nth_weekday(count, weekday).ok()?, end + 1),
        ("ago", _) => (today.nth_weekday(-count, weekday).ok()?, end + 1),
        _ => return None,
    };
    let mut found = Found::new(at, end);
    found.readings.push(Reading::Date(day));
    found.limits = true;
    Some(found)
}

/// "for 3 hours from 10 am", "for 3 days, from today", "2 weeks starting 20 May": the whole begins at `at`, the length at
/// `place`.
fn lasting(lex: &Lex<'_, '_>, at: usize, place: usize, anchor: &Anchor) -> Option<Found> {
    let (said, next) = length_at(lex, place).filter(|_| place == at || lex.near(place))?;
    let comma = next + usize::from(lex.mark(next) == Some(','));
    let mut start = match lex.word(comma) {
        "from" | "starting" | "beginning" | "commencing" => comma + 1,
        _ => return None,
    };
    start += usize::from(matches!(lex.word(start), "from" | "on" | "at"));
    let moment = moment_at(lex, start, anchor, true)?;
    // "for 15 minutes from 10:15 to 10:30": the range says more.
    if cue::joint(lex, moment.end) && moment_at(lex, moment.end + 1, anchor, true).is_some() {
        return None;
    }
    let mut found = from_start(lex, at, &moment, &said, moment.end, anchor)?;
    found.part(lex, PartRole::Length, place, next, vec![duration(&said)]);
    found.part(lex, PartRole::Start, moment.first, moment.end, moment.readings(anchor).0);
    Some(found)
}

/// "9 for two hours" after "from", "10:30 for 45 min", "14 Feb from 9:30 for 7 hours".
pub(crate) fn followed_by_length(lex: &Lex<'_, '_>, at: usize, moment: &Moment, anchor: &Anchor) -> Option<Found> {
    let joined = moment.clock.is_none() && moment.cal.as_ref().is_some_and(|cal| cal.it.is_day());
    if joined && let Some(found) = on_that_day(lex, at, moment, anchor) {
        return Some(found);
    }
    if !lex.is(moment.end, "for") || !lex.near(moment.end) {
        return None;
    }
    let about = usize::from(matches!(lex.word(moment.end + 1), "about" | "around"));
    let place = moment.end + 1 + about;
    let (said, end) = length_at(lex, place).filter(|_| lex.near(place))?;
    if moment.clock.is_none() && !said.is_long() {
        return None;
    }
    let mut found = from_start(lex, at, moment, &said, end, anchor)?;
    found.approximate |= about == 1;
    found.part(lex, PartRole::Start, moment.first, moment.end, moment.readings(anchor).0);
    found.part(lex, PartRole::Length, place, end, vec![duration(&said)]);
    Some(found)
}

/// "14 Feb from 9:30 for 7 hours", "14 Feb for 7 hours from 9:30"
fn on_that_day(lex: &Lex<'_, '_>, at: usize, day: &Moment, anchor: &Anchor) -> Option<Found> {
    let place = day.end;
    let (clock, length, end) = if lex.is(place, "from") {
        let clock = moment_at(lex, place + 1, anchor, true)?;
        if !lex.is(clock.end, "for") {
            return None;
        }
        let (length, end) = length_at(lex, clock.end + 1)?;
        (clock, length, end)
    } else if lex.is(place, "for") {
        let (length, next) = length_at(lex, place + 1)?;
        if !matches!(lex.word(next), "from" | "at" | "starting") {
            return None;
        }
        let start = next + 1 + usize::from(lex.is(next, "starting") && lex.is(next + 1, "at"));
        let clock = moment_at(lex, start, anchor, true)?;
        let end = clock.end;
        (clock, length, end)
    } else {
        return None;
    };
    if !clock.is_time() {
        return None;
    }
    let mut start = clock;
    start.cal.clone_from(&day.cal);
    start.part = start.part.or_else(|| day.part.clone());
    from_start(lex, at, &start, &length, end, anchor)
}

/// What lasts `said` from each reading of a moment on.
fn from_start(
    lex: &Lex<'_, '_>,
    at: usize,
    moment: &Moment,
    said: &Said,
    end: usize,
    anchor: &Anchor,
) -> Option<Found> {
    let _ = lex;
    let max = said.max?;
    let span = span_of(max)?;
    let (readings, why) = moment.readings(anchor);
    let mut found = Found::new(at, end);
    for reading in readings {
        found.readings.push(match reading {
            Reading::Time(start) if !said.is_long() && max.clock.as_secs() < 86_400 => {
                Reading::TimeRange { start, end: start.wrapping_add(max.clock) }
            }
            Reading::DateTime(start) => {
                Reading::DateTimeRange { start: Some(start), end: Some(start.checked_add(span).ok()?) }
            }
            Reading::Date(first) if said.is_long() => Reading::DateRange {
                first: Some(first),
                last: Some(first.checked_add(span).ok()?.checked_sub(1.day()).ok()?),
            },
            Reading::Date(first) => {
                let start = first.to_datetime(Time::midnight());
                Reading::DateTimeRange { start: Some(start), end: Some(start.checked_add(span).ok()?) }
            }
            _ => return None,
        });
    }
    found.why = why;
    found.zone.clone_from(&moment.zone);
    found.approximate = said.approximate || moment.approximate;
    (!found.readings.is_empty()).then_some(found)
}
