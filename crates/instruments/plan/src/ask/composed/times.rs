//! The times of pieces: which of them are of today, and what a bare number is where a piece tells of a time.

use std::ops::Range;

use jiff::Timestamp;
use steadfast_time::{Anchor, Expression, Reading, expressions};

use super::super::clauses::Clause;
use super::super::lines::Line;
use super::super::notation::clock_by_h;
use super::super::pieces::{Piece, Says};
use super::super::when::{Length, Shape, Stretch};
use super::super::words::{Word, words};
use super::named::low_is;
use crate::window::{Interval, minutes_after};

/// The times of a clause that say when something is today. Of a time and its correction ("at 2 no wait, 3") the correction.
pub(super) fn own_times<'c>(clause: &'c Clause<'_>) -> Vec<&'c Stretch> {
    let mut all: Vec<&Stretch> =
        clause.when.stretches.iter().filter(|it| it.today && !it.past && it.shape != Shape::Days).collect();
    if all.iter().any(|it| it.shape != Shape::Part) {
        all.retain(|it| it.shape != Shape::Part);
    }
    let corrects =
        |word: &&Word| low_is(&word.low, &["no", "wait", "actually", "sorry", "make", "rather", "er", "scratch"]);
    let at = clause.words.iter().rfind(corrects).map(|word| word.range.start);
    let last = at.and_then(|at| all.iter().position(|it| it.span.start > at)).filter(|last| *last > 0);
    match last {
        Some(last) => all.split_off(last),
        None => all,
    }
}

/// The hour from which on a time of the day that is over is one of the next day: notes of an evening speak of the night.
const EVENING_HOUR: i8 = 15;

/// When an evening begins, and what is done tonight.
const TONIGHT_HOUR: i8 = 18;

/// Settles the times of a clause by the day that is still to come: "in bed at 11:30" in the afternoon, "before midnight", "tonight … at 8".
pub(super) fn to_come(clause: &mut Clause<'_>, evening: bool, now: &jiff::Zoned) {
    let text = clause.text.to_lowercase();
    for stretch in clause.when.stretches.iter_mut().filter(|it| it.today && !it.past) {
        let shown = text.get(stretch.span.clone()).unwrap_or_default();
        let named =
            shown.contains("am") || shown.contains("a.m") || shown.contains('0') && shown.trim_start().starts_with('0');
        let hour = |at: Timestamp| at.to_zoned(now.time_zone().clone()).hour();
        for it in stretch.readings.iter_mut().flatten() {
            let by = |hours: i64| Interval::new(minutes_after(it.start, hours * 60), minutes_after(it.end, hours * 60));
            let (first, last) = (hour(it.start), hour(it.end));
            match stretch.shape {
                Shape::Part if shown.contains("tonight") && first > TONIGHT_HOUR => {
                    *it = Interval::new(minutes_after(it.start, i64::from(TONIGHT_HOUR - first) * 60), it.end);
                }
                Shape::Point | Shape::Range if evening && !named && (1..12).contains(&first) && last < 12 => {
                    *it = by(12)
                }
                Shape::Point | Shape::Range if it.end < now.timestamp() => {
                    let half = !named && first < 12 && minutes_after(it.start, 12 * 60) > now.timestamp() && first > 0;
                    if half {
                        *it = by(12);
                    } else if now.hour() >= EVENING_HOUR || last == 0 {
                        *it = by(24);
                    }
                }
                _ => {}
            }
        }
    }
}

/// An hour as notes write it: "7", "7ish", "7.30", "1815".
fn hour_of(low: &str) -> Option<String> {
    let low = low.strip_suffix("ish").unwrap_or(low);
    let digits = low.bytes().all(|byte| byte.is_ascii_digit());
    let (hour, rest) = match low.split_once([':', '.', 'h']) {
        Some((hour, "")) if low.ends_with('h') => (hour, "00"),
        Some(parts) => parts,
        None if digits && low.len() == 4 => low.split_at(2),
        None => (low, "00"),
    };
    let is = hour.parse::<u8>().is_ok_and(|hour| (1..=24).contains(&hour) || hour == 0 && low.len() == 4);
    (is && rest.len() == 2 && rest.parse::<u8>().is_ok_and(|rest| rest < 60))
        .then(|| if rest == "00" && hour.len() == 1 { hour.to_owned() } else { format!("{hour}:{rest}") })
}

/// "Closes 9h", "avant 6h30": an hour of the day, which would be a length beside something to do.
pub(super) fn is_clock_by_h(line: &Line<'_>, piece: &Piece, it: &Expression) -> bool {
    let says = matches!(piece.says, Says::By | Says::From | Says::Only | Says::Not | Says::Event | Says::Others);
    let shown = line.text.get(it.span.clone()).unwrap_or_default();
    says && clock_by_h(shown).is_some_and(|(hour, _)| hour > 6 || hour > 3 && !shown.ends_with('h'))
}

/// The time that a number, or the name of a part of the day, stands for in a piece that tells of a time and has none: "lines 8 to 4",
/// "somewhere around 7", "on console 1900-0700".
pub(super) fn bare_time(line: &Line<'_>, piece: &Piece, found: &[Expression], anchor: &Anchor) -> Option<Expression> {
    let lead = match piece.says {
        Says::By => "before",
        Says::From => "after",
        Says::Only | Says::Not | Says::Event | Says::Others => "at",
        _ => return None,
    };
    let length = |it: &Expression| matches!(it.readings.first(), Some(Reading::Duration { .. }));
    let within = |it: &&Expression| piece.range.contains(&it.span.start) && !is_clock_by_h(line, piece, it);
    let timed = found.iter().filter(within).any(|it| !length(it));
    let all = words(line.text.get(piece.range.clone())?);
    let free = |range: &Range<usize>| {
        !found.iter().filter(within).any(|it| it.span.contains(&(piece.range.start + range.start)))
    };
    let joins = |low: &str| low_is(low, &["to", "til", "till", "until", "and"]);
    let (text, span) = all.iter().enumerate().filter(|(_, word)| free(&word.range)).find_map(|(at, word)| {
        let ends = word.low.split_once(['-', '\u{2013}']);
        if let Some((first, second)) = ends.and_then(|(first, second)| Some((hour_of(first)?, hour_of(second)?))) {
            return Some((format!("from {first} to {second}"), word.range.clone()));
        }
        // "Interviews 10-11 and 1:30-2:30": a range may stand beside another.
        if timed {
            return None;
        }
        if low_is(&word.low, &["morning", "afternoon", "evening"]) {
            return Some((format!("in the {}", word.low), word.range.clone()));
        }
        let first = hour_of(&word.low)?;
        let second = all.get(at + 1).filter(|word| joins(&word.low)).and_then(|_| all.get(at + 2));
        Some(match second.and_then(|word| Some((word, hour_of(&word.low)?))) {
            Some((word, second)) => (format!("from {first} to {second}"), all[at].range.start..word.range.end),
            // "No spraying after 3": the word before it says on which side, whatever the scorer says.
            None => {
                let before = at.checked_sub(1).map_or("", |at| all[at].low.as_str());
                let lead = match before {
                    "after" | "past" | "from" => "after",
                    "before" | "b4" => "before",
                    "by" | "until" | "till" | "til" => before,
                    _ => lead,
                };
                (format!("{lead} {first}"), word.range.clone())
            }
        })
    })?;
    let mut own = expressions(&text, anchor).into_iter().next()?;
    own.span = piece.range.start + span.start..piece.range.start + span.end;
    if let Some(limit) = &mut own.limit {
        limit.span = own.span.start..own.span.start;
    }
    own.zone = None;
    own.parts.clear();
    Some(own)
}

/// The length that a piece tells which names its unit in another way: "45ish min", "20 minutos".
pub(super) fn bare_length(clause: &Clause<'_>) -> Option<Length> {
    let (at, number) = clause.words.iter().enumerate().find_map(|(at, word)| {
        let low = word.low.trim_end_matches("ish");
        Some((at, low.parse::<i64>().ok().filter(|own| (1..=600).contains(own))?))
    })?;
    let unit = clause.words.get(at + 1).map_or("", |word| word.low.as_str());
    let minutes = if unit.starts_with("min") || unit.is_empty() && number >= 5 {
        number
    } else if unit.starts_with('h') || unit.starts_with("or") {
        number * 60
    } else {
        return None;
    };
    Some(Length { span: clause.words[at].range.clone(), min: Some(minutes), max: Some(minutes), approximate: false })
}
