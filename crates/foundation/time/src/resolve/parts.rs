//! Parts of a day: "in the morning", "late afternoon", "tonight", "EOD".

use super::cue;
use super::lex::Lex;
use crate::day_part::{DayPart, Edge, PartName};

/// A part of a day as it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) part: DayPart,
    /// How many days from today, where the words say it: "tonight" 0, "last night" -1.
    pub(crate) shift: Option<i32>,
    /// Whether it is a time without anything beside it.
    pub(crate) sure: bool,
}

/// A part of a day at `at`, and where it ends.
pub(crate) fn part_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Said, usize)> {
    let found = |name: PartName, shift: Option<i32>, end: usize, sure: bool| {
        Some((Said { part: DayPart { name, edge: None }, shift, sure }, end))
    };
    if let (Some(edge), next) = edge_at(lex, at)
        && matches!(lex.word(next), "tonight" | "tonite")
    {
        let part = DayPart { name: PartName::Night, edge: Some(edge) };
        return Some((Said { part, shift: Some(0), sure: true }, next + 1));
    }
    match lex.word(at) {
        "tonight" | "tonite" | "2nite" => return found(PartName::Night, Some(0), at + 1, true),
        "eod" => return found(PartName::EndOfDay, None, at + 1, true),
        "cob" | "eob" if lex.tokens.word(at).bytes().all(|byte| byte.is_ascii_uppercase()) => {
            return found(PartName::CloseOfBusiness, None, at + 1, true);
        }
        "close" | "end" if lex.is(at + 1, "of") => {
            let the = usize::from(matches!(lex.word(at + 2), "the" | "my"));
            let place = at + 2 + the;
            return match lex.word(place) {
                "business" | "play" | "work" => found(PartName::CloseOfBusiness, None, place + 1, true),
                "day" | "today" if lex.is(at, "end") && !lex.dash(place + 1) => {
                    let shift = lex.is(place, "today").then_some(0);
                    found(PartName::EndOfDay, shift, place + 1, true)
                }
                _ => None,
            };
        }
        // "this morning", "last night"
        "this" | "last" | "previous" if lex.near(at + 1) => {
            let (edge, place) = edge_at(lex, at + 1);
            let (name, end) = name_at(lex, place)?;
            let shift = match (lex.is(at, "this"), name) {
                (true, _) => 0,
                (false, PartName::Night | PartName::Evening) => -1,
                _ => return None,
            };
            return Some((Said { part: DayPart { name, edge }, shift: Some(shift), sure: true }, end));
        }
        _ => {}
    }
    // "in the morning", "during the night"
    let mut place = at;
    let leads = matches!(lex.word(at), "in" | "during") && matches!(lex.word(at + 1), "the");
    let led = leads || lex.is(at, "in") && (lex.word(at + 1).ends_with("ings") || lex.word(at + 1).ends_with("noons"));
    if leads {
        place += 2;
    } else if led {
        place += 1;
    }
    let (edge, place) = edge_at(lex, place);
    let (name, end) = name_at(lex, place)?;
    // "mid-night" is a clock time.
    if edge == Some(Edge::Mid) && name == PartName::Night {
        return None;
    }
    if !lex.near(place) && place > at {
        return None;
    }
    // "a morning person", "the afternoon was": alone a part of a day is a time after few words only.
    let before = lex.before(at, 1);
    let placed = matches!(before, "at" | "by" | "before" | "after" | "until" | "till" | "since" | "during");
    // "soup for lunch" says what, not when.
    let wider = matches!(before, "for" | "on" | "every" | "each") && name != PartName::Lunch;
    // "Morning: deep work", but "Lunch: 12-1" is a thing to do
    let heading = name != PartName::Lunch && lex.capital(at) && lex.mark(end) == Some(':') && lex.glued(end);
    // "in the night sky"
    let scenery = matches!(lex.word(end), "sky" | "air" | "light" | "sun" | "breeze" | "mist") && lex.near(end);
    let sure = led && !scenery
        || heading
        || (edge.is_some() || placed || wider) && cue::clause_ends(lex, end)
        || matches!(name, PartName::BusinessHours)
        || name == PartName::Lunch && lex.any(end - 1).ends_with("time");
    Some((Said { part: DayPart { name, edge }, shift: None, sure }, end))
}

/// "early", "mid-", "late" and the place after it.
fn edge_at(lex: &Lex<'_, '_>, at: usize) -> (Option<Edge>, usize) {
    let edge = match lex.word(at) {
        "early" => Edge::Early,
        "mid" | "middle" => Edge::Mid,
        "late" => Edge::Late,
        _ => return (None, at),
    };
    (Some(edge), lex.past_hyphen(at + 1))
}

fn name_at(lex: &Lex<'_, '_>, at: usize) -> Option<(PartName, usize)> {
    let end = at + 1;
    Some(match lex.word(at) {
        "morning" | "mornings" => (PartName::Morning, end),
        "afternoon" | "afternoons" => (PartName::Afternoon, end),
        "evening" | "evenings" => (PartName::Evening, end),
        "night" | "nights" | "nite" => (PartName::Night, end),
        "lunchtime" => (PartName::Lunch, end),
        "lunch" => (PartName::Lunch, end + usize::from(lex.is(end, "time"))),
        "dinnertime" => (PartName::Evening, end),
        "business" | "working" | "office" if lex.is(end, "hours") => (PartName::BusinessHours, end + 1),
        _ => return None,
    })
}

/// "midmorning", "midafternoon" in one word.
pub(crate) fn mid_word(lex: &Lex<'_, '_>, at: usize) -> Option<(Said, usize)> {
    let name = match lex.word(at) {
        "midmorning" => PartName::Morning,
        "midafternoon" => PartName::Afternoon,
        "midevening" => PartName::Evening,
        _ => return None,
    };
    let part = DayPart { name, edge: Some(Edge::Mid) };
    Some((Said { part, shift: None, sure: true }, at + 1))
}
