//! What repeats: "every 30 minutes", "every other Tuesday at 9", "daily", "weekdays", "on Mondays and Thursdays".

use jiff::civil::{Time, Weekday};
use rust_decimal::prelude::ToPrimitive as _;

use super::build::Found;
use super::clock::clock_at;
use super::cue;
use super::dates::{weekday_at, weekdays_word};
use super::lex::Lex;
use super::moment::{At, Moment, moment_at};
use super::numbers::{ordinal, small};
use super::parts;
use super::ranges::range_at;
use crate::day_part::DayPart;
use crate::durations::{DurationUnit, unit_from_word};
use crate::expression::{Anchor, Reading, Recurrence};
use crate::numeral::{Found as Numeral, numeral_at};

const WORKDAYS: [Weekday; 5] =
    [Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];

/// How often something repeats, without a time.
struct Rhythm {
    count: u32,
    unit: DurationUnit,
    weekdays: Vec<Weekday>,
    part: Option<DayPart>,
}

/// A recurrence at `at`, with the time that follows it.
pub(crate) fn recurrence_at(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Found> {
    let (rhythm, next) = rhythm_at(lex, at)?;
    let mut place = next;
    place += usize::from(lex.mark(place) == Some(','));
    let placed = place;
    place += usize::from(matches!(lex.word(place), "at" | "around" | "from" | "between" | "by"));
    let mut found = Found::new(at, next);
    if lex.near(placed) && rhythm.unit >= DurationUnit::Day {
        let lead = if matches!(lex.word(placed), "from" | "between") { placed } else { place };
        if let Some(range) = range_at(lex, lead, anchor)
            && range.readings.iter().all(|reading| matches!(reading, Reading::TimeRange { .. }))
        {
            let spans: Vec<_> = range
                .readings
                .iter()
                .filter_map(|reading| match reading {
                    Reading::TimeRange { start, end } => Some((Some(*start), Some(*end))),
                    _ => None,
                })
                .collect();
            found.end = range.end;
            found.why = range.why;
            found.zone = range.zone;
            found.readings = readings(&rhythm, None, spans);
            return Some(found);
        }
        if let Some(mut moment) = moment_at(lex, place, anchor, lex.is(placed, "at"))
            && moment.cal.is_none()
            && (moment.is_time() || moment.part.is_some() && moment.clock.is_none())
            && (!moment.unsupported || place > placed)
        {
            found.end = moment.end;
            // "each morning at 7" is before noon.
            if let (Some(part), true) = (rhythm.part, moment.is_time()) {
                let said = parts::Said { part, shift: None, sure: true };
                moment.part = Some(At { first: at, end: next, it: said });
            }
            return Some(with_time(&rhythm, &moment, found, anchor));
        }
    }
    found.readings = readings(&rhythm, None, vec![(None, None)]);
    Some(found)
}

fn with_time(rhythm: &Rhythm, moment: &Moment, mut found: Found, anchor: &Anchor) -> Found {
    let (own, why) = moment.readings(anchor);
    let times: Vec<_> = own
        .iter()
        .filter_map(|reading| match reading {
            Reading::Time(at) => Some((Some(*at), None)),
            _ => None,
        })
        .collect();
    let part = moment.part.as_ref().map(|part| part.it.part).filter(|_| times.is_empty());
    found.why = why;
    found.zone.clone_from(&moment.zone);
    found.approximate = moment.approximate;
    found.readings = readings(rhythm, part, if times.is_empty() { vec![(None, None)] } else { times });
    found
}

/// A time that a recurrence follows: "9am every weekday".
pub(crate) fn after_time(lex: &Lex<'_, '_>, moment: &Moment, anchor: &Anchor) -> Option<Found> {
    if moment.cal.is_some() || !lex.near(moment.end) {
        return None;
    }
    let place = moment.end + usize::from(lex.is(moment.end, "on"));
    let (rhythm, end) = rhythm_at(lex, place).filter(|(rhythm, _)| rhythm.unit >= DurationUnit::Day)?;
    Some(with_time(&rhythm, moment, Found::new(moment.first, end), anchor))
}

/// A range of times that a recurrence follows: "9 to 5, Monday to Friday", "10-11 every Tuesday".
pub(crate) fn after_range(lex: &Lex<'_, '_>, range: &Found) -> Option<Found> {
    let times: Option<Vec<_>> = range
        .readings
        .iter()
        .map(|reading| match reading {
            Reading::TimeRange { start, end } => Some((Some(*start), Some(*end))),
            _ => None,
        })
        .collect();
    let times = times.filter(|times| !times.is_empty())?;
    let place = range.end + usize::from(lex.mark(range.end) == Some(','));
    let place = place + usize::from(lex.is(place, "on"));
    if !lex.near(place) {
        return None;
    }
    let (rhythm, end) = weekday_range(lex, place)
        .or_else(|| rhythm_at(lex, place).filter(|(rhythm, _)| rhythm.unit >= DurationUnit::Day))?;
    let mut found = Found::new(range.first, end);
    found.readings = readings(&rhythm, None, times);
    found.why.clone_from(&range.why);
    found.zone.clone_from(&range.zone);
    Some(found)
}

fn readings(rhythm: &Rhythm, part: Option<DayPart>, times: Vec<(Option<Time>, Option<Time>)>) -> Vec<Reading> {
    times
        .into_iter()
        .map(|(at, until)| {
            Reading::Recurrence(Recurrence {
                count: rhythm.count,
                unit: rhythm.unit,
                weekdays: rhythm.weekdays.clone(),
                at,
                until,
                part: part.or(rhythm.part),
            })
        })
        .collect()
}

fn rhythm_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Rhythm, usize)> {
    let plain = |count: u32, unit: DurationUnit| Rhythm { count, unit, weekdays: Vec::new(), part: None };
    let on = |count: u32, weekdays: Vec<Weekday>| Rhythm { count, unit: DurationUnit::Week, weekdays, part: None };
    let word = lex.word(at);
    // "bi-weekly", and no other word that ends so
    if word == "bi" && lex.dash(at + 1) && matches!(lex.word(at + 2), "weekly" | "monthly") {
        let unit = if lex.is(at + 2, "weekly") { DurationUnit::Week } else { DurationUnit::Month };
        return Some((plain(2, unit), at + 3));
    }
    if word == "once" && matches!(lex.word(at + 1), "a" | "an" | "every" | "per") {
        let unit = unit_from_word(lex.word(at + 2)).filter(|unit| *unit >= DurationUnit::Minute)?;
        return Some((plain(1, unit), at + 3));
    }
    if lex.glued(at) && at > 0 && lex.dash(at - 1) {
        return None;
    }
    // "the Daily Mail"
    let name = lex.capital(at) && lex.before(at, 1) == "the" && lex.capital(at + 1) && lex.near(at + 1);
    match word {
        "daily" | "nightly" | "weekly" | "monthly" if name => return None,
        "daily" | "nightly" => return Some((plain(1, DurationUnit::Day), at + 1)),
        "hourly" => return Some((plain(1, DurationUnit::Hour), at + 1)),
        "weekly" => return Some((plain(1, DurationUnit::Week), at + 1)),
        "biweekly" | "fortnightly" => return Some((plain(2, DurationUnit::Week), at + 1)),
        "monthly" => return Some((plain(1, DurationUnit::Month), at + 1)),
        "quarterly" => return Some((plain(1, DurationUnit::Quarter), at + 1)),
        "yearly" | "annually" => return Some((plain(1, DurationUnit::Year), at + 1)),
        // "the last 3 weekends"
        "weekdays" | "workdays" | "weekends" if at > 0 && small(lex, at - 1).is_some() => return None,
        "weekdays" | "workdays" => return Some((on(1, WORKDAYS.to_vec()), at + 1)),
        "weekends" => return Some((on(1, vec![Weekday::Saturday, Weekday::Sunday]), at + 1)),
        "every" | "each" => {}
        _ => {
            if let Some(found) = weekday_mornings(lex, at).or_else(|| weekdays_to(lex, at)) {
                return Some(found);
            }
            let (_, end, _) = plural_weekday(lex, at)?;
            let (weekdays, end) = listed(lex, at, end);
            return Some((on(1, weekdays), end));
        }
    }
    let mut place = at + 1;
    if !lex.near(place) {
        return None;
    }
    let mut count = 1;
    if word == "every" || small(lex, place).is_some() {
        if matches!(lex.word(place), "other" | "alternate") {
            (count, place) = (2, place + 1);
        } else if let Some((number, next)) = ordinal(lex, place).filter(|(number, _)| *number > 1) {
            (count, place) = (number, next);
        } else if let Some((number, next)) = small(lex, place) {
            (count, place) = (number, next);
        } else if let Numeral::Number(numeral) = numeral_at(lex.tokens, place) {
            // "every half hour", "every 90 minutes"
            if lex.is(place, "half") {
                let next = lex.past_hyphen(place + 1);
                let next = next + usize::from(matches!(lex.word(next), "an" | "a"));
                return lex.is(next, "hour").then(|| (plain(30, DurationUnit::Minute), next + 1));
            }
            count = numeral.value.to_u32().filter(|_| numeral.value.fract().is_zero())?;
            place = numeral.end;
        } else if matches!(lex.word(place), "couple" | "few") {
            count = if lex.is(place, "few") { 3 } else { 2 };
            place += 1 + usize::from(lex.is(place + 1, "of"));
        }
    }
    if count == 0 {
        return None;
    }
    if let Some((_, end, _)) = weekday_at(lex, place).or_else(|| plural_weekday(lex, place)) {
        let (weekdays, end) = listed(lex, place, end);
        return Some((on(count, weekdays), end));
    }
    match lex.word(place) {
        "weekday" | "workday" => return Some((on(count, WORKDAYS.to_vec()), place + 1)),
        "weekend" => return Some((on(count, vec![Weekday::Saturday, Weekday::Sunday]), place + 1)),
        "business" | "working" if lex.is(place + 1, "day") => return Some((on(count, WORKDAYS.to_vec()), place + 2)),
        _ => {}
    }
    if let Some((said, end)) = parts::part_at(lex, place).filter(|(said, _)| said.shift.is_none())
        && !matches!(lex.word(place), "in" | "during" | "close" | "end")
    {
        let rhythm = Rhythm { count, unit: DurationUnit::Day, weekdays: Vec::new(), part: Some(said.part) };
        return Some((rhythm, end));
    }
    let unit = unit_from_word(lex.word(place)).filter(|unit| *unit > DurationUnit::Millisecond)?;
    // "each second answer", "every minute counts" is one all the same.
    let second = unit == DurationUnit::Second && !cue::clause_ends(lex, place + 1);
    (!second).then(|| (plain(count, unit), place + 1))
}

/// "Monday mornings"
fn weekday_mornings(lex: &Lex<'_, '_>, at: usize) -> Option<(Rhythm, usize)> {
    let (weekday, next, _) = weekday_at(lex, at)?;
    let (said, end) = parts::part_at(lex, next).filter(|(said, _)| said.shift.is_none())?;
    let plural = matches!(lex.word(end - 1), "mornings" | "afternoons" | "evenings" | "nights");
    let rhythm = Rhythm { count: 1, unit: DurationUnit::Week, weekdays: vec![weekday], part: Some(said.part) };
    plural.then_some((rhythm, end))
}

/// "Mon-Fri 9-5", "Monday to Friday at 9": days with a time are a habit, days alone a stretch.
fn weekdays_to(lex: &Lex<'_, '_>, at: usize) -> Option<(Rhythm, usize)> {
    let (rhythm, end) = weekday_range(lex, at)?;
    let place = end + usize::from(lex.mark(end) == Some(','));
    let timed = matches!(lex.word(place), "at" | "from" | "between") && clock_at(lex, place + 1).is_some()
        || clock_at(lex, place).is_some_and(|(clock, next)| lex.near(place) && (clock.strong || cue::joint(lex, next)));
    timed.then_some((rhythm, end))
}

/// "Monday to Friday", "Mon-Fri"
fn weekday_range(lex: &Lex<'_, '_>, at: usize) -> Option<(Rhythm, usize)> {
    let (first, joint, _) = weekday_at(lex, at)?;
    if !cue::joint(lex, joint) {
        return None;
    }
    let (last, end, _) = weekday_at(lex, joint + 1)?;
    let days = usize::from(first.until(last).unsigned_abs()) + 1;
    let weekdays = first.cycle_forward().take(days).collect();
    Some((Rhythm { count: 1, unit: DurationUnit::Week, weekdays, part: None }, end))
}

/// "Mondays": the weekday and where it ends.
fn plural_weekday(lex: &Lex<'_, '_>, at: usize) -> Option<(Weekday, usize, bool)> {
    weekdays_word(lex.word(at)).map(|weekday| (weekday, at + 1, true))
}

/// The weekdays of a list that begins at `at`, whose first ends at `end`: "Monday, Wednesday and Friday".
fn listed(lex: &Lex<'_, '_>, at: usize, end: usize) -> (Vec<Weekday>, usize) {
    let weekday = |place: usize| weekday_at(lex, place).or_else(|| plural_weekday(lex, place));
    let mut all: Vec<Weekday> = weekday(at).map(|found| found.0).into_iter().collect();
    let mut end = end;
    while all.len() < 7 {
        let mut place = end + usize::from(lex.mark(end) == Some(','));
        place += usize::from(matches!(lex.word(place), "and" | "or") || lex.mark(place) == Some('&'));
        if place == end || !lex.near(place) {
            break;
        }
        let Some((next, after, _)) = weekday(place) else { break };
        all.push(next);
        end = after;
    }
    (all, end)
}
