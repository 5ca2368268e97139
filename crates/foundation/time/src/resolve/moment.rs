//! One moment as it is said: a day, a part of a day, a clock time, in whatever order, with a zone.

use jiff::ToSpan as _;
use jiff::civil::{Date, Time};

use super::cal::{Cal, Days, Spec};
use super::clock::{Clock, clock_at};
use super::cue;
use super::dates::{weekday_at, weekday_word};
use super::days::days_at;
use super::lex::Lex;
use super::parts;
use super::zones::zone_at;
use crate::day_part::{Edge, PartName};
use crate::expression::{Anchor, Diagnostic, Limit, LimitWord, READINGS_MAX, Reading, Zone};

/// A moment has at most this many pieces.
const PIECES_MAX: usize = 5;

/// Something at some tokens.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) first: usize,
    pub(crate) end: usize,
    pub(crate) it: T,
}

/// A moment as it is said.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) first: usize,
    pub(crate) end: usize,
    pub(crate) cal: Option<At<Cal>>,
    pub(crate) part: Option<At<parts::Said>>,
    pub(crate) clock: Option<At<Clock>>,
    pub(crate) zone: Option<Zone>,
    /// A limit inside: "tomorrow before 4pm".
    pub(crate) limit: Option<LimitWord>,
    pub(crate) approximate: bool,
    /// A bare number that nothing inside supports.
    pub(crate) unsupported: bool,
}

/// What joins two pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Link {
    None,
    Comma,
    At,
    On,
    For,
    Limit,
    Glue,
    /// "Sunday's": what follows belongs to the day, and is no time because of it.
    Own,
}

/// A moment at `at`. A bare number is taken for a clock time where `partner` says that it is the end of a range.
pub(crate) fn moment_at(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor, partner: bool) -> Option<Moment> {
    let mut moment = Moment {
        first: at,
        end: at,
        cal: None,
        part: None,
        clock: None,
        zone: None,
        limit: None,
        approximate: false,
        unsupported: false,
    };
    for _ in 0..PIECES_MAX {
        let empty = moment.end == at;
        let (place, link, limit, about) = if empty { (at, Link::None, None, false) } else { link_at(lex, moment.end) };
        if !empty && !lex.near(place) {
            break;
        }
        if empty && let Some(next) = end_of_day(lex, place, &mut moment, anchor) {
            moment.end = next;
            break;
        }
        if let Some(next) = part_piece(lex, place, &mut moment, link) {
            moment.end = next;
            continue;
        }
        if let Some(next) = cal_piece(lex, place, &mut moment, link, anchor) {
            moment.end = next;
            continue;
        }
        if let Some(next) = clock_piece(lex, place, &mut moment, link, partner, about) {
            moment.approximate |= about;
            if let Some(limit) = limit {
                moment.limit = Some(limit);
            }
            moment.end = next;
            if let Some((zone, end)) = zone_at(lex, next, link == Link::Glue) {
                moment.zone = Some(zone);
                moment.end = end;
            }
            continue;
        }
        break;
    }
    if moment.end == at {
        return edged(lex, at, anchor);
    }
    // "Wed Oct 26 15:50:06 2016"
    if let (Some(cal), Some(clock)) = (&mut moment.cal, &moment.clock)
        && clock.first > cal.first
        && let Spec::InMonth(month, day, _) = cal.it.spec
        && let Some(digits) = lex.tokens.digits(moment.end).filter(|digits| digits.len() == 4 && lex.near(moment.end))
        && let Ok(year) = digits.parse::<i16>()
        && (1900..=2100).contains(&year)
    {
        cal.it = Cal { weekday: cal.it.weekday, ..Cal::ymd(year, month, day) };
        moment.end += 1;
    }
    if let Some(clock) = &moment.clock {
        moment.approximate |= clock.it.approximate;
        moment.unsupported = clock.it.bare && moment.part.is_none();
    }
    Some(moment)
}

/// "early Friday morning", "late on Monday evening": the edge stands before the day.
fn edged(lex: &Lex<'_, '_>, at: usize, anchor: &Anchor) -> Option<Moment> {
    let edge = match lex.word(at) {
        "early" => Edge::Early,
        "late" => Edge::Late,
        _ => return None,
    };
    let place = at + 1 + usize::from(lex.is(at + 1, "on"));
    // What stands there is a day: no edge again, so this goes no deeper.
    let mut moment = days_at(lex, place, anchor).and_then(|_| moment_at(lex, place, anchor, false))?;
    let part = moment.part.as_mut().filter(|part| part.it.part.edge.is_none())?;
    if moment.cal.is_none() || moment.clock.is_some() {
        return None;
    }
    part.it.part.edge = Some(edge);
    moment.first = at;
    Some(moment)
}

/// What joins the piece before `at` to the next: the place of the next, the link, a limit, and "around".
fn link_at(lex: &Lex<'_, '_>, at: usize) -> (usize, Link, Option<LimitWord>, bool) {
    let mut place = at;
    let mut link = Link::None;
    let mut limit = None;
    if lex.mark(place) == Some(',') {
        place += 1;
        link = Link::Comma;
    } else if lex.glued(place)
        && lex.glued(place + 1)
        && (matches!(lex.mark(place), Some('-' | '.' | '–')) || lex.is(place, "t"))
    {
        return (place + 1, Link::Glue, None, false);
    }
    // "Sun. 9am"
    let short = at > 0 && lex.word(at - 1).len() <= 5 && weekday_word(lex.word(at - 1)).is_some();
    if short && lex.mark(place) == Some('.') && lex.glued(place) && lex.tokens.digits(place + 1).is_some() {
        return (place + 1, Link::None, None, false);
    }
    // "tomorrow's 9am call"
    if lex.apostrophe(place) && lex.glued(place) && lex.is(place + 1, "s") && lex.glued(place + 1) {
        return (place + 2, Link::Own, None, false);
    }
    let of = |place: usize, kind: Limit| LimitWord { limit: kind, span: lex.tokens.range(place, place + 1) };
    match lex.word(place) {
        "at" => {
            place += 1;
            link = Link::At;
        }
        "on" | "of" => {
            place += 1;
            link = Link::On;
        }
        "for" => {
            place += 1;
            link = Link::For;
        }
        "before" | "after" | "by" | "until" | "till" => {
            let kind = match lex.word(place) {
                "before" => Limit::Before,
                "after" => Limit::After,
                "by" => Limit::By,
                _ => Limit::Until,
            };
            limit = Some(of(place, kind));
            place += 1;
            link = Link::Limit;
        }
        _ if lex.mark(place) == Some('@') => {
            place += 1;
            link = Link::At;
        }
        _ => {}
    }
    let about = matches!(lex.word(place), "about" | "around" | "approximately" | "roughly")
        || matches!(lex.mark(place), Some('~' | '≈'));
    (place + usize::from(about), link, limit, about)
}

/// "end of tomorrow", "end of the Sunday": the last part of a day that is named.
fn end_of_day(lex: &Lex<'_, '_>, at: usize, moment: &mut Moment, anchor: &Anchor) -> Option<usize> {
    if !lex.is(at, "end") || !lex.is(at + 1, "of") {
        return None;
    }
    let place = at + 2 + usize::from(lex.is(at + 2, "the"));
    let (cal, end) = days_at(lex, place, anchor).filter(|(cal, _)| cal.is_day() && lex.near(place))?;
    let part = crate::day_part::DayPart { name: PartName::EndOfDay, edge: None };
    moment.cal = Some(At { first: place, end, it: cal });
    moment.part = Some(At { first: at, end: at + 1, it: parts::Said { part, shift: None, sure: true } });
    Some(end)
}

fn part_piece(lex: &Lex<'_, '_>, place: usize, moment: &mut Moment, link: Link) -> Option<usize> {
    if moment.part.is_some() || !matches!(link, Link::None | Link::Comma | Link::On | Link::At | Link::Own) {
        return None;
    }
    let empty = moment.end == moment.first;
    let bare_half = || {
        // "Feb 5 AM", "tuesday PM"
        let name = match lex.tokens.word(place) {
            "AM" => PartName::Morning,
            "PM" => PartName::Afternoon,
            _ => return None,
        };
        let part = crate::day_part::DayPart { name, edge: None };
        Some((parts::Said { part, shift: None, sure: false }, place + 1))
    };
    let (said, end) = parts::part_at(lex, place)
        .or_else(|| parts::mid_word(lex, place))
        .or_else(|| bare_half().filter(|_| moment.cal.is_some() && moment.clock.is_none()))?;
    if !empty {
        let day = moment.cal.as_ref().is_none_or(|cal| cal.it.is_day());
        let clash = said.shift.is_some() && moment.cal.is_some();
        // "5, lunch with Bob": a part of a day after a comma wants more than its name.
        let loose = link == Link::Comma && !(said.sure || said.shift.is_some())
            // "noon lunch", "9am lunch", "Monday lunch with": a meal is a thing to do as well.
            || said.part.name == PartName::Lunch && !lex.any(end - 1).ends_with("time");
        // "at night", not "at evening"
        let at_night = link == Link::At && !matches!(said.part.name, PartName::Night | PartName::Lunch);
        // "one night", "three nights"
        let counted = link == Link::None
            && moment.clock.as_ref().is_some_and(|clock| clock.it.bare)
            && said.shift.is_none()
            && !matches!(lex.word(place), "in" | "during")
            && (lex.is(place - 1, "one") || lex.word(end - 1).ends_with('s'));
        if !day || clash || loose || at_night || counted {
            return None;
        }
        if moment.clock.is_some() && matches!(said.part.name, PartName::EndOfDay | PartName::CloseOfBusiness) {
            return None;
        }
        if link == Link::On && said.shift.is_none() {
            return None;
        }
    }
    moment.part = Some(At { first: place, end, it: said });
    Some(end)
}

fn cal_piece(lex: &Lex<'_, '_>, place: usize, moment: &mut Moment, link: Link, anchor: &Anchor) -> Option<usize> {
    if moment.cal.is_some() || moment.part.as_ref().is_some_and(|part| part.it.shift.is_some()) {
        return None;
    }
    if !matches!(link, Link::None | Link::Comma | Link::On) {
        return None;
    }
    let (cal, end) = days_at(lex, place, anchor)?;
    if moment.end > moment.first {
        // "7 of 12", "8pm, 3/4": what comes after a time must be a day.
        if !cal.is_day() || !(cal.sure || link == Link::On) {
            return None;
        }
        if moment.part.as_ref().is_some_and(|part| !part.it.sure) && moment.clock.is_none() && link == Link::None {
            return None;
        }
        // "… to 17:00, Tuesday from 9:00": the day belongs to the times that follow it.
        let leads = matches!(lex.word(end), "during" | "from" | "between" | "at") || lex.mark(end) == Some(':');
        // "Tue - 11:00 am"
        let clock_next = || clock_at(lex, end + 1).is_some_and(|(clock, _)| clock.strong);
        let leads =
            leads || cue::joint(lex, end) && weekday_at(lex, end + 1).is_some() || lex.dash(end) && clock_next();
        let timed = clock_at(lex, end).is_some_and(|(clock, next)| clock.strong || cue::joint(lex, next));
        if link == Link::Comma && (leads || timed) {
            return None;
        }
    }
    moment.cal = Some(At { first: place, end, it: cal });
    Some(end)
}

fn clock_piece(
    lex: &Lex<'_, '_>,
    place: usize,
    moment: &mut Moment,
    link: Link,
    partner: bool,
    about: bool,
) -> Option<usize> {
    if moment.clock.is_some() || moment.cal.as_ref().is_some_and(|cal| !cal.it.is_day()) {
        return None;
    }
    // "lunch at noon" names a meal and a time.
    let meal = |part: &At<parts::Said>| part.it.part.name == PartName::Lunch && part.end == part.first + 1;
    if moment.part.as_ref().is_some_and(|part| meal(part) && lex.is(part.first, "lunch")) {
        return None;
    }
    let (mut clock, end) = clock_at(lex, place)?;
    let empty = moment.end == moment.first;
    if matches!(link, Link::On)
        || link == Link::For && clock.bare
        || matches!(link, Link::Glue | Link::Own) && !clock.strong
    {
        return None;
    }
    if clock.bare {
        // "the end of Day 7"
        let ending = moment.part.as_ref().is_some_and(|part| part.it.part.name == PartName::EndOfDay);
        if cue::counts(lex, end) || ending && link == Link::None {
            return None;
        }
        // "Dec 5, 6 and 7" names days.
        let ranged = range_follows(lex, end) && !(link == Link::Comma && lex.is(end, "and"));
        let part = moment.part.is_some() && !about || about && moment.part.is_some();
        let by_day = moment.cal.is_some() && (about || matches!(link, Link::At | Link::Limit));
        let part_follows = matches!(lex.word(end), "tonight" | "tonite")
            || lex.mark(end) == Some(',') && matches!(lex.word(end + 1), "tonight" | "this") && {
                parts::part_at(lex, end + 1).is_some()
            }
            || parts::part_at(lex, end).is_some_and(|(said, _)| said.sure && lex.near(end));
        let supported = ranged || part || by_day || part_follows || link == Link::At;
        if !empty && !supported {
            return None;
        }
        // Hours after noon without minutes want more than "at".
        if clock.wants_partner() && !partner && !ranged && !cue::clause_ends_hard(lex, end) {
            return None;
        }
        if by_day || part_follows || link == Link::At && !empty {
            clock.bare = false;
        }
    }
    // "2026-01-25T10:00", "2026-01-25 10:00": who writes the date so counts 24 hours.
    let iso = moment.cal.as_ref().is_some_and(|cal| {
        cal.end == cal.first + 5
            && lex.tokens.digits(cal.first).is_some_and(|year| year.len() == 4)
            && lex.dash(cal.first + 1)
    });
    let colon = lex.mark(place + 1) == Some(':');
    clock.either &= !(iso && colon && matches!(link, Link::Glue | Link::None));
    moment.clock = Some(At { first: place, end, it: clock });
    Some(end)
}

/// Whether the second end of a range of clock times follows at `end`.
fn range_follows(lex: &Lex<'_, '_>, end: usize) -> bool {
    (cue::joint(lex, end) || lex.is(end, "and"))
        && clock_at(lex, end + 1).is_some_and(|(_, after)| !cue::counts(lex, after))
}

impl Moment {
    /// Whether it says a clock time and nothing else.
    pub(crate) fn is_time(&self) -> bool {
        self.clock.is_some() && self.cal.is_none() && self.shift().is_none()
    }

    fn shift(&self) -> Option<i32> {
        self.part.as_ref().and_then(|part| part.it.shift)
    }

    /// The days on which it lies, if it says any, and why there is more than one.
    pub(crate) fn days(&self, anchor: &Anchor) -> Option<(Vec<Days>, Vec<Diagnostic>)> {
        if let Some(cal) = &self.cal {
            return Some(cal.it.candidates(anchor));
        }
        let day = anchor.today().checked_add(self.shift()?.days()).ok()?;
        Some((vec![(day, day)], Vec::new()))
    }

    /// The clock times that it can be, each with the days by which it lies after the day that is said ("tonight at 1").
    /// `part` is the part of the day that holds, its own or that of the other end of a range.
    pub(crate) fn times(&self, part: Option<parts::Said>) -> Vec<(Time, i32)> {
        let Some(clock) = &self.clock else { return Vec::new() };
        let clock = clock.it;
        let late = |time: Time| i32::from(time.hour() < 6);
        let Some(said) = self.part.as_ref().map(|part| part.it).or(part) else {
            return clock.times().into_iter().map(|time| (time, 0)).collect();
        };
        let night_day = |times: Vec<Time>| times.into_iter().map(|time| (time, late(time))).collect();
        let half = |after_noon: bool| clock.with_half(after_noon).times();
        match said.part.name {
            PartName::Morning => half(false).into_iter().map(|time| (time, 0)).collect(),
            PartName::Afternoon => half(true).into_iter().map(|time| (time, 0)).collect(),
            PartName::Lunch => half(clock.hour != 11).into_iter().map(|time| (time, 0)).collect(),
            PartName::Evening => night_day(half(clock.hour != 12)),
            PartName::Night => night_day(half((5..12).contains(&clock.hour))),
            PartName::BusinessHours if clock.either && clock.hour >= 9 && clock.hour < 12 => {
                half(false).into_iter().map(|time| (time, 0)).collect()
            }
            _ => clock.times().into_iter().map(|time| (time, 0)).collect(),
        }
    }

    /// All that it can mean by itself, and why that is more than one thing.
    pub(crate) fn readings(&self, anchor: &Anchor) -> (Vec<Reading>, Vec<Diagnostic>) {
        let mut why = Vec::new();
        let days = self.days(anchor).map(|(days, more)| {
            why.extend(more);
            days
        });
        let times = self.times(None);
        if times.len() > 1 {
            why.push(Diagnostic::BeforeOrAfterNoon);
        }
        let mut readings = Vec::new();
        match (days, &self.clock, &self.part) {
            (Some(days), Some(clock), part) => {
                let midnight = clock.it.midnight && part.is_none();
                if midnight {
                    why.push(Diagnostic::WhichMidnight);
                }
                let over = i32::from(clock.it.hour == 24);
                for (day, _) in days {
                    let day = day.checked_add(over.days()).unwrap_or(day);
                    for (time, shift) in &times {
                        let night = part.is_some() || midnight;
                        readings.extend(on_day(day, *time, 0).filter(|_| !night || midnight || *shift == 0));
                        if night && (*shift > 0 || midnight) {
                            readings.extend(on_day(day, *time, 1));
                        }
                    }
                }
            }
            (Some(days), None, Some(part)) => {
                readings.extend(days.iter().map(|(day, _)| Reading::DayPart { part: part.it.part, date: Some(*day) }));
            }
            (Some(days), None, None) => {
                let single = self.cal.as_ref().is_some_and(|cal| cal.it.is_day());
                readings.extend(days.iter().map(|(first, last)| {
                    if single {
                        Reading::Date(*first)
                    } else {
                        Reading::DateRange { first: Some(*first), last: Some(*last) }
                    }
                }));
            }
            (None, Some(_), _) => readings.extend(times.iter().map(|(time, _)| Reading::Time(*time))),
            (None, None, Some(part)) => readings.push(Reading::DayPart { part: part.it.part, date: None }),
            (None, None, None) => {}
        }
        distinct(&mut readings);
        (readings, why)
    }
}

fn on_day(day: Date, time: Time, more: i32) -> Option<Reading> {
    Some(Reading::DateTime(day.checked_add(more.days()).ok()?.to_datetime(time)))
}

/// Each reading once, and not too many.
pub(crate) fn distinct(readings: &mut Vec<Reading>) {
    let mut kept: Vec<Reading> = Vec::with_capacity(readings.len());
    for reading in readings.drain(..) {
        if !kept.contains(&reading) && kept.len() < READINGS_MAX {
            kept.push(reading);
        }
    }
    *readings = kept;
}
