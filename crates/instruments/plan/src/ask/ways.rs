//! How far something is, said beside it: "dentist 13:00–13:45, 20 min on foot", "(15 min drive)", "half an hour by bus each way".

use std::ops::Range;

use super::Reader;
use super::clauses::Clause;
use super::lines::Line;
use super::statement::spot;
use super::when::Length;
use super::words::{Word, words};
use crate::list::List;
use crate::model::{Readings, Rule, Times};
use crate::window::{Interval, minutes_after};

/// The longest way that is read, in minutes.
const WAY_MINUTES_MAX: i64 = 12 * 60;

/// A way to what a clause speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// How long it takes.
    pub(crate) minutes: i64,
    /// Whether the way back takes as long; "to get there" is the way there alone.
    pub(crate) back: bool,
    /// Its bytes in the clause, with the words that make it a way.
    pub(crate) span: Range<usize>,
}

const VEHICLES: List = List("vehicle");

/// Words that name a way where something has its time before them: "13:00 (20 min walk)".
const MOVING: &[&str] =
    &["walk", "drive", "ride", "walking", "driving", "cycling", "commute", "travel", "journey", "trip"];

/// The ways of a clause. A length is one where it is said by what means, how far away, or that it is meant for each way; what is only
/// named like one ("a 20 min walk") is one after a comma or a bracket, where it is not what is to be done itself.
pub(crate) fn ways(text: &str, words: &[Word], lengths: &[Length]) -> Vec<Way> {
    lengths.iter().filter_map(|length| way(text, words, length)).collect()
}

fn way(text: &str, words: &[Word], length: &Length) -> Option<Way> {
    let minutes = length.max.or(length.min).filter(|minutes| (1..=WAY_MINUTES_MAX).contains(minutes))?;
    let from = words.partition_point(|word| word.range.start < length.span.end);
    let before = text.get(..length.span.start).unwrap_or_default().trim_end();
    let opened = before.ends_with([',', '(', '[', ';']);
    let mut at = from;
    let (mut sure, mut moves, mut there) = (false, false, false);
    while let Some(word) = words.get(at).filter(|word| at == from || !word.parted) {
        let next = words.get(at + 1).filter(|word| !word.parted).map(|word| word.low.as_str());
        let taken = match (word.low.as_str(), next) {
            ("on", Some("foot")) | ("each" | "either" | "both" | "every", Some("way" | "ways" | "direction")) => {
                sure = true;
                2
            }
            ("one", Some("way")) => {
                (sure, there) = (true, true);
                2
            }
            ("by", Some(means)) if VEHICLES.contains(means) => {
                sure = true;
                2
            }
            ("to", Some("get")) if words.get(at + 2).is_some_and(|word| word.low == "there") => {
                (sure, there) = (true, true);
                3
            }
            ("from", Some("home" | "here" | "work" | "school")) if sure || moves => 2,
            ("from", Some("the" | "my" | "our")) if sure || moves => 3,
            ("away", _) => {
                sure = true;
                1
            }
            ("there", _) if moves => {
                (sure, there) = (true, true);
                1
            }
            (moving, _) if MOVING.contains(&moving) => {
                moves = true;
                1
            }
            (means, Some(moving)) if VEHICLES.contains(means) && MOVING.contains(&moving) => {
                moves = true;
                2
            }
            _ => break,
        };
        at = (at + taken).min(words.len());
    }
    let end = at.checked_sub(1).filter(|last| *last >= from).and_then(|last| words.get(last))?.range.end;
    (sure || (moves && opened)).then_some(Way { minutes, back: !there, span: length.span.start..end })
}

/// The ways of a clause without a time of its own that are as long there as back: "20 min each way", not "20 min on foot".
pub(super) fn there_and_back(clause: &Clause<'_>) -> Vec<Way> {
    let said = |way: &Way| clause.text.get(way.span.clone()).is_some_and(|text| text.to_lowercase().contains(" way"));
    if !clause.text.contains("way") {
        return Vec::new();
    }
    let all = ways(clause.text, &clause.words, &clause.when.lengths);
    all.into_iter().filter(|way| way.back && said(way)).collect()
}

/// The ways of a piece that tells something of an event: "40 min drive" at its head is one as well.
pub(super) fn ways_of_piece(clause: &Clause<'_>) -> Vec<Way> {
    let after = format!(", {}", clause.text);
    let moved = |way: Way| Way { span: way.span.start - 2..way.span.end - 2, ..way };
    let words = words(&after);
    let lengths: Vec<Length> = clause
        .when
        .lengths
        .iter()
        .map(|own| Length { span: own.span.start + 2..own.span.end + 2, ..own.clone() })
        .collect();
    ways(&after, &words, &lengths).into_iter().map(moved).collect()
}

impl Reader<'_> {
    /// Keeps the time of the ways to the event `event`, named `name`, free: nobody works on the way.
    pub(super) fn on_the_way(&mut self, line: &Line<'_>, clause: &Clause<'_>, event: usize, name: &str) {
        for way in &clause.when.ways {
            let Some(Rule::FixedEvent { when, .. }) = self.notes.constraints.get(event).map(|it| &it.rule) else {
                return;
            };
            let round = |it: &Interval| {
                let there = Interval::new(minutes_after(it.start, -way.minutes), it.start);
                let back = way.back.then(|| Interval::new(it.end, minutes_after(it.end, way.minutes)));
                [Some(there), back]
            };
            let readings: Vec<Times> =
                when.iter().map(|times| times.iter().flat_map(round).flatten().collect()).collect();
            let Some(when) = Readings::of(readings) else { continue };
            let shown = clause.text.get(way.span.clone()).unwrap_or_default();
            if way.back {
                self.assume(format!("\"{shown}\" is taken for the way to {name} and for the way back"));
            }
            self.state(
                spot(line, clause),
                Rule::Blocked { name: Some(format!("way to {name}")), who: None, when },
                false,
            );
        }
    }
}
