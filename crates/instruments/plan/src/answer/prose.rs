//! Somebody's plan in prose or as a list: what takes place when, where and with whom, as plain values.
//!
//! Each sentence that states a time, or days of a journey, is an item. Ways between places ("travel to the station in 10
//! minutes", "fly from Oslo to Porto") are no items: where one arrives is where the next item takes place.

use std::ops::Range;

use jiff::Zoned;
use steadfast_time::{Anchor, expressions};

use super::{Given, ITEMS_MAX, written};
use crate::ask::clauses::Clause;
use crate::ask::people::{People, run, text_of};
use crate::ask::verbs::is_task_verb;
use crate::ask::when::{Clock, Shape};
use crate::ask::words::{Word, words};
use crate::free::Settings;
use crate::window::Moment;

/// Words of going somewhere or waiting.
const ON_THE_WAY: &[&str] = &[
    "travel", "fly", "flight", "drive", "walk", "take", "commute", "transfer", "ride", "wait", "depart", "leave",
    "head", "arrive", "start", "train",
];

/// Reads the items of a plan in `text`, as of `now`. At most [`ITEMS_MAX`] and one are read, so that [`super::read`] can tell that there
/// are more.
#[must_use]
pub fn items(text: &str, now: &Zoned, settings: &Settings) -> Vec<Given> {
    let anchor = Anchor::new(now.clone());
    let mut people = People::default();
    let plain: String = text.chars().map(|c| if matches!(c, '*' | '#' | '`' | '|' | '_') { ' ' } else { c }).collect();
    for line in plain.lines() {
        people.learn(line, &words(line));
    }
    let clock = Clock { now, hours: None, counts_to_24: true, waking: (settings.waking_from, settings.waking_until) };
    let mut out = Vec::new();
    let mut here: Option<String> = None;
    for line in plain.lines() {
        let found = expressions(line, &anchor);
        for range in steadfast_text::sentences(line) {
            if out.len() > ITEMS_MAX {
                return out;
            }
            let clause = Clause::read(line, range, &found, &clock);
            item(&clause, &people, now, &mut here, &mut out);
        }
    }
    out
}

fn item(clause: &Clause<'_>, people: &People, now: &Zoned, here: &mut Option<String>, out: &mut Vec<Given>) {
    let place = place(clause, people);
    let days = days(clause);
    let verb = clause.words.iter().find(|word| word.low.chars().any(char::is_alphabetic) && !is_filler(&word.low));
    let moves = verb.is_some_and(|word| ON_THE_WAY.contains(&word.low.as_str()));
    let stretch = clause.when.stretches.iter().find(|it| it.shape == Shape::Range || it.shape == Shape::Point);
    if moves
        && !(days.is_some()
            && clause.words.iter().any(|word| matches!(word.low.as_str(), "visit" | "stay" | "explore")))
    {
        *here = place.or_else(|| here.take());
        return;
    }
    let mut given = Given { with: people.among(clause.text, &clause.words), place, ..Given::default() };
    if let Some(days) = days {
        given.start = Some(days);
    } else if let Some(interval) = stretch.and_then(|it| it.readings.first()).and_then(|times| times.first()) {
        let zone = now.time_zone();
        given.start = Some(written(Moment::At(interval.start), zone));
        if interval.start < interval.end {
            given.end = Some(written(Moment::At(interval.end), zone));
        } else {
            given.timebox_minutes = clause.when.lengths.iter().find_map(|length| length.min);
        }
        given.place = given.place.or_else(|| here.clone());
    } else {
        return;
    }
    let task = task(clause);
    given.task = (!task.is_empty()).then_some(task);
    out.push(given);
}

/// Words before the verb that say nothing of what is done.
fn is_filler(low: &str) -> bool {
    matches!(
        low,
        "you"
            | "i"
            | "we"
            | "then"
            | "day"
            | "days"
            | "next"
            | "and"
            | "the"
            | "from"
            | "to"
            | "at"
            | "on"
            | "am"
            | "pm"
            | "finally"
            | "first"
    )
}

/// "Day 3" or "Day 1-4", as [`super::Given::start`] has it.
fn days(clause: &Clause<'_>) -> Option<String> {
    let at = clause.words.iter().position(|word| matches!(word.low.as_str(), "day" | "days"))?;
    let first = clause.words.get(at + 1)?;
    if !first.low.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let next = clause.words.get(at + 2);
    let dashed = next.filter(|next| {
        let gap = clause.text.get(first.range.end..next.range.start).unwrap_or_default();
        next.low.bytes().all(|byte| byte.is_ascii_digit()) && gap.contains(['-', '\u{2013}', '\u{2014}'])
    });
    Some(dashed.map_or(format!("Day {}", first.low), |next| format!("Day {}-{}", first.low, next.low)))
}

/// The last name after a word of place that is nobody's.
fn place(clause: &Clause<'_>, people: &People) -> Option<String> {
    let mut found = None;
    let mut at = 0;
    while at < clause.words.len() {
        if clause.words.get(at).is_some_and(|word| is_task_verb(&word.low)) {
            at += 1;
            continue;
        }
        let run: Range<usize> = run(&clause.words, at);
        let before = at.checked_sub(1).and_then(|at| clause.words.get(at)).map_or("", |word: &Word| word.low.as_str());
        let placed = matches!(before, "at" | "in" | "to" | "visit" | "explore" | "visiting" | "the");
        let timed = clause.words.get(at).is_some_and(|word| clause.is_timed(word));
        if !run.is_empty() && placed && !timed && people.person(clause.text, &clause.words, &run).is_none() {
            found = Some(text_of(clause.text, &clause.words, &run));
        }
        at = run.end.max(at + 1);
    }
    found
}

/// The words of an item without its times.
fn task(clause: &Clause<'_>) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in clause.words.iter().filter(|word| !clause.is_timed(word)) {
        words.extend(clause.text.get(word.range.clone()));
    }
    while words.first().is_some_and(|word| {
        is_filler(&word.to_lowercase()) || word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    }) {
        words.remove(0);
    }
    while words.last().is_some_and(|word| {
        matches!(word.to_lowercase().as_str(), "for" | "from" | "at" | "to" | "until" | "on" | "by")
    }) {
        words.pop();
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let now: Zoned = "2026-01-26T08:00:00-05:00[America/Toronto]".parse().unwrap();
        let shown: Vec<String> = items(text, &now, &Settings::default())
            .into_iter()
            .map(|it| {
                let part =
                    |text: Option<String>| text.unwrap_or_default().replace("2026-01-26T", "").replace(":00-05:00", "");
                format!(
                    "{}-{} {} @{} {}",
                    part(it.start),
                    part(it.end),
                    it.task.unwrap_or_default(),
                    part(it.place),
                    it.with.join(",")
                )
            })
            .collect();
        assert_eq!(shown, expect, "{text}");
    }

    #[test]
    fn plans_in_prose_are_read() {
        check(
            "- 9:00-10:30 write the report\n- 10:30-10:45 break",
            &["09:00-10:30 write the report @ ", "10:30-10:45 break @ "],
        );
        check(
            "You start at Old Port at 9:00AM. You travel to Kew Park in 12 minutes and arrive at 9:12AM. You meet Nils for 40 minutes from \
             10:00AM to 10:40AM.",
            &["10:00-10:40 meet Nils @Kew Park Nils"],
        );
        check(
            "**Day 1-4:** Visit Bergen for 4 days.\n**Day 4:** Fly from Bergen to Turku.\n**Day 4-7:** Visit Turku for 4 days.",
            &["Day 1-4- Visit Bergen @Bergen ", "Day 4-7- Visit Turku @Turku "],
        );
        check("Nothing is planned.", &[]);
    }
}
