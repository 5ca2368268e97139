//! Ranges of moments: "9:30-10", "from 4pm today to 5pm tomorrow", "Monday to Friday", "4 to 8 March".

use jiff::civil::{Date, Time};

use super::build::Found;
use super::cal::{Cal, Days, Grain, Spec};
use super::clock::Clock;
use super::cue;
use super::dates::{is_fraction, is_numbered, month_at, weekday_at, weekday_word};
use super::days::shift_word;
use super::lex::Lex;
use super::moment::{At, Moment, distinct, moment_at};
use super::numbers::{ordinal, small};
use super::periods;
use crate::expression::{Anchor, Diagnostic, PartRole, Reading};

/// A range at `at` without "from" or "between"; `one` is the moment there, if there is one.
pub(crate) fn plain_range_at(lex: &Lex<'_, '_>, at: usize, one: Option<&Moment>, anchor: &Anchor) -> Option<Found> {
    // What "from" does not make a range of is none without it either.
    if matches!(lex.before(at, 1), "from" | "between") {
        return None;
    }
    day_numbers(lex, at, at, false, false, anchor).or_else(|| range_of(lex, at, one?.clone(), false, false, anchor))
}

/// A range at `at`: with "from" or "between" there, or without.
pub(crate) fn range_at(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    let between = lex.is(at, "between");
    let led = between || lex.is(at, "from");
    let first = at + usize::from(led);
    // "moved from 2 to 3:30" lasts neither.
    let moved = lex.is(at, "from")
        && matches!(
            lex.before(at, 1),
            "moved" | "rescheduled" | "changed" | "pushed" | "shifted" | "postponed" | "move"
        );
    if led && (!lex.near(first) || moved || cue::changes(lex, at)) {
        return None;
    }
    if let Some(found) = day_numbers(lex, at, first, led, between, anchor) {
        return Some(found);
    }
    let one = if led && lex.is(first, "now") {
        now(first, true, anchor)
    } else {
        moment_at(lex, past_about(lex, first), anchor, true)?
    };
    range_of(lex, at, one, led, between, anchor)
}

fn past_about(lex: &Lex<'_, '_>, at: usize) -> usize {
    at + usize::from(matches!(lex.word(at), "about" | "around" | "approximately"))
}

/// The range that begins with the moment `one`.
pub(crate) fn range_of(
    lex: &Lex<'_, '_>,
    at: usize,
    one: Moment,
    led: bool,
    between: bool,
    anchor: &Anchor,
) -> Option<Found> {
    let joint = one.end;
    if one.limit.is_some() {
        return None;
    }
    // "tomorrow between 8am and 2pm", "next week from Tuesday to Thursday"
    if one.clock.is_none() && !led {
        let comma = joint + usize::from(lex.mark(joint) == Some(','));
        if matches!(lex.word(comma), "from" | "between" | "during") && lex.near(comma) {
            return inside(lex, at, &one, comma, anchor);
        }
    }
    let and = between && lex.is(joint, "and");
    // ISO 8601 parts the ends of an interval with a stroke.
    let stroke = lex.mark(joint) == Some('/')
        && lex.glued(joint)
        && lex.glued(joint + 1)
        && cue::iso_day(lex, one.first)
        && cue::iso_day(lex, joint + 1);
    if !(and || stroke || cue::joint(lex, joint)) || !lex.near(joint) {
        return None;
    }
    let mut place = joint + 1;
    place += usize::from(lex.is(place, "to") && lex.dash(joint));
    let place = past_about(lex, place);
    if !lex.near(place) || lex.dash(joint) && lex.dash(place) {
        return None;
    }
    let dash_even = !lex.dash(joint) || lex.glued(joint) == lex.glued(joint + 1) || one.cal.is_some();
    if !dash_even {
        return None;
    }
    let other = match moment_at(lex, place, anchor, true) {
        None if lex.is(place, "now") && !lex.capital(place) => now(place, one.clock.is_some(), anchor),
        other => other?,
    };
    if other.limit.is_some() || one.clock.is_none() && one.part.is_none() && other.clock.is_some() {
        return None;
    }
    if !plausible(lex, at, &one, &other, led) {
        return None;
    }
    combine(lex, at, &one, &other, anchor)
}

/// "now" as the end of a range: this minute, or today.
fn now(at: usize, clock: bool, anchor: &Anchor) -> Moment {
    let time = anchor.now.time();
    let part = |value: i8| u32::from(value.unsigned_abs());
    let time_now = Clock::fixed(part(time.hour()), part(time.minute()), part(time.second()));
    let end = at + 1;
    Moment {
        first: at,
        end,
        cal: Some(At { first: at, end, it: Cal::day(anchor.today()) }),
        part: None,
        clock: clock.then_some(At { first: at, end, it: time_now }),
        zone: None,
        limit: None,
        approximate: false,
        unsupported: false,
    }
}

/// Whether two moments that a word or dash joins are a range of times and not of anything else.
fn plausible(lex: &Lex<'_, '_>, at: usize, one: &Moment, other: &Moment, led: bool) -> bool {
    let bare = |moment: &Moment| moment.clock.as_ref().is_some_and(|clock| clock.it.bare);
    let strong = |moment: &Moment| moment.clock.as_ref().is_some_and(|clock| !clock.it.bare);
    let weak_day = |moment: &Moment| moment.cal.as_ref().is_some_and(|cal| !cal.it.sure) && moment.clock.is_none();
    let figures = |moment: &Moment| lex.mark(moment.first + 1) == Some('/') && !is_fraction(lex, moment.first);
    let dates = figures(one) && figures(other) && cue::clause_ends(lex, other.end);
    if weak_day(one) && weak_day(other) && !led && !dates {
        return false;
    }
    if one.clock.is_some() != other.clock.is_some() {
        // "Jan 5 to 8pm" is no range; "today 5pm to Friday" has ends of two kinds.
        return one.cal.is_some() && other.cal.is_some() || one.cal.is_some() && other.part.is_some();
    }
    if !bare(one) && !bare(other) {
        return true;
    }
    if bare(one) && cue::is_embedded(lex, one.first) {
        return false;
    }
    // "from three to one reporter"
    if bare(other) && lex.is(other.first, "one") && !cue::clause_ends(lex, other.end) {
        return false;
    }
    // "phase 1 through 6"
    if is_numbered(lex, at) {
        return false;
    }
    // "from 1-1000"
    let figures = |moment: &Moment| lex.tokens.digits(moment.first).map_or(0, str::len);
    if bare(one)
        && bare(other)
        && figures(one) < 3
        && figures(other) == 4
        && one.clock.as_ref().is_some_and(|it| it.it.minute == 0)
    {
        return false;
    }
    // "at 5-3": a score
    let hour = |moment: &Moment| moment.clock.as_ref().map_or(0, |clock| clock.it.hour);
    let hours = (hour(other) % 12 + 12 - hour(one) % 12) % 12;
    if matches!(lex.before(at, 1), "at" | "out")
        && lex.dash(one.end)
        && bare(one)
        && bare(other)
        && (hours == 0 || hours > 9)
    {
        return false;
    }
    let supported = strong(one)
        || strong(other)
        || one.cal.is_some()
        || other.cal.is_some()
        || one.part.is_some()
        || other.part.is_some();
    // "Lunch: 12-1", "meeting (9-10)", "**Monday:** 9-10"
    let before = cue::word_before(lex, at);
    let cued =
        led && !cue::changes(lex, at) && !cue::numbering(lex, at) || cue::is_before(lex, at) || cue::occupies(before);
    let on_day = weekday_word(before).is_some() || matches!(before, "weekdays" | "daily" | "weekday");
    // "15h30-16h30" is no length.
    let hours_named = [one, other]
        .iter()
        .all(|moment| moment.clock.as_ref().is_some_and(|clock| clock.it.hour >= 7 && lex.is(clock.first + 1, "h")));
    // "9 to 5, Monday to Friday", "10-11 every Tuesday"
    let after = other.end + usize::from(lex.mark(other.end) == Some(','));
    let followed = weekday_at(lex, after).is_some_and(|(_, _, sure)| sure)
        || matches!(lex.word(after), "every" | "daily" | "weekdays" | "each");
    let listed = || lex.dash(one.end) && lex.begins_line(at) && lex.is_timed();
    let hours = [one, other].iter().all(|moment| {
        moment.clock.as_ref().is_none_or(|clock| clock.it.hour <= 23 && (clock.it.hour > 0 || supported))
    });
    hours && (supported || cued || on_day || hours_named || followed || listed()) && !cue::counts(lex, other.end)
}

/// The readings of a range with these ends.
fn combine(lex: &Lex<'_, '_>, at: usize, one: &Moment, other: &Moment, anchor: &Anchor) -> Option<Found> {
    let mut found = Found::new(at, other.end);
    let (one_own, _) = one.readings(anchor);
    let (other_own, other_why) = other.readings(anchor);
    let mut readings = Vec::new();
    let part = other.part.as_ref().map(|part| part.it);
    let starts = one.times(part);
    let ends = other.times(None);
    let days_one = one.days(anchor);
    let days_other = other.days(anchor);
    if one.clock.is_some() && other.clock.is_some() {
        let pairs = pairs(&starts, &ends);
        let cal = |moment: &Moment| moment.cal.as_ref().map(|cal| cal.it.clone());
        match (&days_one, &days_other) {
            (None, None) => {
                readings.extend(pairs.iter().map(|(start, end)| Reading::TimeRange { start: *start, end: *end }));
            }
            (Some(days), None) | (None, Some(days)) => {
                found.why.extend(days.1.iter().copied());
                for (day, _) in &days.0 {
                    readings.extend(pairs.iter().filter_map(|(start, end)| on_day(*day, *start, *end)));
                }
            }
            (Some(first), Some(_)) => {
                found.why.extend(first.1.iter().copied());
                for (from, to) in day_pairs(&first.0, cal(one), cal(other), days_other.as_ref()) {
                    for (start, _) in &starts {
                        for (end, _) in &ends {
                            let (start, end) = (from.to_datetime(*start), to.to_datetime(*end));
                            if start < end {
                                readings.push(Reading::DateTimeRange { start: Some(start), end: Some(end) });
                            }
                        }
                    }
                }
            }
        }
        let open = if days_one.is_some() && days_other.is_some() { starts.len() * ends.len() } else { pairs.len() };
        if open > 1 {
            found.why.push(Diagnostic::BeforeOrAfterNoon);
        }
    } else if one.part.is_some() || other.part.is_some() || one.clock.is_some() || other.clock.is_some() {
        readings = mixed(&one_own, &other_own);
        found.why.extend(other_why);
    } else {
        let (days, why) = one.days(anchor)?;
        let (one_cal, other_cal) = (&one.cal.as_ref()?.it, &other.cal.as_ref()?.it);
        readings = day_ranges(&days, one_cal, other_cal, anchor);
        if one_cal.is_open() && other_cal.is_open() || one_cal.why.is_some() {
            found.why.extend(why);
        }
    }
    distinct(&mut readings);
    if readings.is_empty() {
        return None;
    }
    found.readings = readings;
    found.zone = other.zone.clone().or_else(|| one.zone.clone());
    found.approximate = one.approximate || other.approximate;
    found.part(lex, PartRole::Start, one.first, one.end, one_own);
    found.part(lex, PartRole::End, other.first, other.end, other_own);
    Some(found)
}

/// Each start with the first end after it, and no start that is farther from its end than another one.
fn pairs(starts: &[(Time, i32)], ends: &[(Time, i32)]) -> Vec<(Time, Time)> {
    let seconds = |time: Time| i32::from(time.hour()) * 3600 + i32::from(time.minute()) * 60 + i32::from(time.second());
    let far = |start: Time, end: Time| match (seconds(end) - seconds(start)).rem_euclid(86_400) {
        0 => 86_400,
        far => far,
    };
    let mut found = Vec::new();
    for (start, _) in starts {
        for (end, _) in ends {
            let here = far(*start, *end);
            let nearest = ends.iter().all(|(other, _)| far(*start, *other) >= here)
                && starts.iter().all(|(other, _)| far(*other, *end) >= here);
            if nearest {
                found.push((*start, *end));
            }
        }
    }
    found
}

fn on_day(day: Date, start: Time, end: Time) -> Option<Reading> {
    let last = if end > start { day } else { day.tomorrow().ok()? };
    Some(Reading::DateTimeRange { start: Some(day.to_datetime(start)), end: Some(last.to_datetime(end)) })
}

/// The days on which a range can begin and end.
fn day_pairs(
    first: &[Days],
    one: Option<Cal>,
    other: Option<Cal>,
    others: Option<&(Vec<Days>, Vec<Diagnostic>)>,
) -> Vec<(Date, Date)> {
    let mut pairs = Vec::new();
    match (one, other) {
        (Some(one), Some(other)) if one.is_open() && !other.is_open() => {
            if let Some((to, _)) = other.at_or_before(Date::MAX)
                && let Some((from, _)) = one.at_or_before(to)
            {
                pairs.push((from, to));
            }
        }
        (_, Some(other)) => {
            pairs.extend(first.iter().filter_map(|(from, _)| Some((*from, other.at_or_after(*from)?.0))));
        }
        (_, None) => {
            for (from, _) in first {
                pairs.extend(others.iter().flat_map(|others| &others.0).map(|(to, _)| (*from, *to)));
            }
        }
    }
    pairs.retain(|(from, to)| from <= to);
    pairs
}

/// Ranges of whole days, both ends included.
fn day_ranges(days: &[Days], one: &Cal, other: &Cal, anchor: &Anchor) -> Vec<Reading> {
    let range = |first: Date, last: Date| {
        (first <= last).then_some(Reading::DateRange { first: Some(first), last: Some(last) })
    };
    if !other.is_open() {
        let (others, _) = other.candidates(anchor);
        return others
            .iter()
            .flat_map(|(to, last)| {
                if one.is_open() {
                    one.at_or_before(*to).and_then(|(first, _)| range(first, *last)).into_iter().collect::<Vec<_>>()
                } else {
                    days.iter().filter_map(|(first, _)| range(*first, *last)).collect()
                }
            })
            .collect();
    }
    days.iter()
        .filter_map(|(first, _)| {
            let (_, last) = other.at_or_after(*first)?;
            range(*first, last)
        })
        .collect()
}

/// Ranges whose ends are of two kinds: "Monday afternoon to Tuesday", "9am to lunch".
fn mixed(one: &[Reading], other: &[Reading]) -> Vec<Reading> {
    let start = |reading: &Reading| match reading {
        Reading::DateTime(at) => Some(*at),
        Reading::Date(date) => Some(date.to_datetime(Time::midnight())),
        Reading::DayPart { part, date: Some(date) } => Some(date.to_datetime(part.window().0)),
        _ => None,
    };
    let end = |reading: &Reading| match reading {
        Reading::DateTime(at) => Some(*at),
        Reading::Date(date) => Some(date.tomorrow().ok()?.to_datetime(Time::midnight())),
        Reading::DayPart { part, date: Some(date) } => {
            let (from, to) = part.window();
            Some(if to > from { *date } else { date.tomorrow().ok()? }.to_datetime(to))
        }
        _ => None,
    };
    let mut found = Vec::new();
    for from in one.iter().filter_map(start) {
        for to in other.iter().filter_map(end) {
            if from < to {
                found.push(Reading::DateTimeRange { start: Some(from), end: Some(to) });
            }
        }
    }
    found
}

/// A range inside days: "Friday afternoon between 1 and 4", "this week between Wednesday and Friday".
fn inside(lex: &Lex<'_, '_>, at: usize, outer: &Moment, place: usize, anchor: &Anchor) -> Option<Found> {
    let between = lex.is(place, "between");
    let one = moment_at(lex, place + 1, anchor, true)?;
    let joint = one.end;
    if !(between && lex.is(joint, "and") || cue::joint(lex, joint)) {
        return None;
    }
    let mut other = moment_at(lex, joint + 1, anchor, true)?;
    if one.cal.as_ref().is_some_and(|cal| matches!(cal.it.spec, Spec::Weekday(_)))
        && one.clock.is_none()
        && let Some(At { it: week, .. }) = outer.cal.as_ref().filter(|cal| cal.it.grain == Grain::Week)
        && let Some(last) = other.cal.as_ref()
    {
        let (weeks, why) = week.candidates(anchor);
        let mut found = Found::new(at, other.end);
        let cal = one.cal.as_ref()?;
        for (first, _) in weeks {
            let (from, _) = cal.it.at_or_after(first)?;
            let (to, _) = last.it.at_or_after(from)?;
            found.readings.push(Reading::DateRange { first: Some(from), last: Some(to) });
        }
        found.why = why;
        let own = |moment: &Moment| moment.readings(anchor).0;
        found.part(lex, PartRole::Start, one.first, one.end, own(&one));
        found.part(lex, PartRole::End, other.first, other.end, own(&other));
        return Some(found);
    }
    if one.clock.is_none()
        || one.cal.is_some()
        || other.cal.is_some()
        || outer.cal.as_ref().is_some_and(|cal| !cal.it.is_day())
    {
        return None;
    }
    other.part = other.part.or_else(|| outer.part.clone());
    let mut start = one;
    start.cal.clone_from(&outer.cal);
    start.part = start.part.or_else(|| outer.part.clone());
    combine(lex, at, &start, &other, anchor)
}

/// Days of one month: "4 to 22 January 1995", "between 4 and 22 this month", "November 19 to 20", "Oct 26 - 28, 2026".
fn day_numbers(lex: &Lex<'_, '_>, at: usize, first: usize, led: bool, between: bool, anchor: &Anchor) -> Option<Found> {
    let joined = |place: usize| cue::joint(lex, place) || between && lex.is(place, "and");
    let day = |place: usize| {
        let the = usize::from(lex.is(place, "the"));
        let (day, end) = ordinal(lex, place + the).or_else(|| small(lex, place + the))?;
        let fits = !cue::is_embedded(lex, place + the) || lex.dash(place.wrapping_sub(1));
        Some((i8::try_from(day).ok().filter(|day| (1..=31).contains(day) && fits)?, end))
    };
    let finish = |month: Days, one: (i8, usize, usize), two: (i8, usize, usize), end: usize, open: bool| {
        let on = |day: i8| Date::new(month.0.year(), month.0.month(), day).ok();
        let range = |one: Date, two: Date| Reading::DateRange { first: Some(one), last: Some(two) };
        let mut found = Found::new(at, end);
        let spec = Spec::InMonth(month.0.month(), one.0, two.0);
        if one.0 > two.0 {
            return None;
        }
        if open {
            let (days, why) = Cal::new(spec, Grain::Many).candidates(anchor);
            found.readings = days.iter().map(|(first, last)| range(*first, *last)).collect();
            found.why = why;
        } else {
            // "June 10 - 31" is in no calendar: found, without a reading.
            found.readings.extend(on(one.0).zip(on(two.0)).map(|(one, two)| range(one, two)));
        }
        let dates = |days: i8| -> Vec<Reading> {
            found
                .readings
                .iter()
                .filter_map(|it| match it {
                    Reading::DateRange { first: Some(date), .. } => {
                        Some(Reading::Date(Date::new(date.year(), date.month(), days).ok()?))
                    }
                    _ => None,
                })
                .collect()
        };
        let (own_one, own_two) = (dates(one.0), dates(two.0));
        found.part(lex, PartRole::Start, one.1, one.2, own_one);
        found.part(lex, PartRole::End, two.1, two.2, own_two);
        Some(found)
    };
    if let Some((month, next)) = month_at(lex, first).filter(|_| led || lex.capital(first) || !lex.is(first, "may")) {
        // "November 19 to 20", "Feb between 2-7", "November 15th through the 19th"
        let inner = usize::from(matches!(lex.word(next), "between" | "from"));
        let place = next + inner;
        let (one, one_end) = day(place)?;
        let anded = joined(one_end) || lex.is(next, "between") && lex.is(one_end, "and");
        if !anded || !lex.near(one_end) {
            return None;
        }
        let (two, end) = day(one_end + 1).filter(|(_, end)| {
            month_at(lex, *end).is_none_or(|_| !lex.near(*end)) && !cue::goes_on(lex, *end) && !is_half(lex, *end)
        })?;
        let comma = end + usize::from(lex.mark(end) == Some(','));
        let year = super::numbers::year(lex, comma).filter(|(_, last)| lex.near(comma) && !cue::goes_on(lex, *last));
        let (base, last) = match year {
            Some((year, last)) => (Date::new(year, month, 1).ok()?, last),
            None => (Date::new(anchor.today().year(), month, 1).ok()?, end),
        };
        return finish((base, base), (one, place, one_end), (two, one_end + 1, end), last, year.is_none());
    }
    let (one, one_end) = day(first)?;
    if !joined(one_end) || !lex.near(one_end) {
        return None;
    }
    let (two, two_end) = match month_at(lex, one_end + 1) {
        // "from 02 to April 07"
        Some((_, next)) if led => {
            let (two, end) = day(next)?;
            let base = Date::new(anchor.today().year(), month_at(lex, one_end + 1)?.0, 1).ok()?;
            let fits = !cue::goes_on(lex, end) && !is_half(lex, end);
            return fits.then(|| finish((base, base), (one, first, one_end), (two, one_end + 1, end), end, true))?;
        }
        Some(_) => return None,
        None => day(one_end + 1)?,
    };
    let of = two_end + usize::from(matches!(lex.word(two_end), "of" | "in") || lex.mark(two_end) == Some(','));
    if !lex.near(of) {
        return None;
    }
    if let Some(shift) = shift_word(lex.word(of))
        && lex.is(of + 1, "month")
    {
        let (cal, end) = periods::unit_shifted(lex, of + 1, shift, anchor)?;
        let month = *cal.candidates(anchor).0.first()?;
        return finish(month, (one, first, one_end), (two, one_end + 1, two_end), end, false);
    }
    let (month, next) = month_at(lex, of).filter(|_| lex.capital(of) || led || !lex.is(of, "may"))?;
    // "from 5 to 6 of April 22" is of clock times on that day.
    if small(lex, next).is_some_and(|(_, end)| lex.near(next) && !cue::goes_on(lex, end))
        && super::numbers::year(lex, next).is_none()
    {
        return None;
    }
    let comma = next + usize::from(lex.mark(next) == Some(','));
    let year = super::numbers::year(lex, comma).filter(|(_, last)| lex.near(comma) && !cue::goes_on(lex, *last));
    let (base, end) = match year {
        Some((year, last)) => (Date::new(year, month, 1).ok()?, last),
        None => (Date::new(anchor.today().year(), month, 1).ok()?, next),
    };
    finish((base, base), (one, first, one_end), (two, one_end + 1, two_end), end, year.is_none())
}

/// Whether what follows makes a clock time of a number: "November 19 to 8pm".
fn is_half(lex: &Lex<'_, '_>, at: usize) -> bool {
    super::clock::half_at(lex, at).is_some() || lex.mark(at) == Some(':') && lex.glued(at)
}
