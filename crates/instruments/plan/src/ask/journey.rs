//! Ways, links, stays and who is where: what requests for a day among friends or a journey over cities state.

use std::ops::Range;

use super::clauses::Clause;
use super::cues::Cue;
use super::lines::Line;
use super::people::{run, text_of};
use super::when::Shape;
use super::words::{Hit, Word, hits, words};
use super::{Reader, Spot};
use crate::model::{Extent, Link, Readings, Rule, Unit};
use crate::window::{Days, Window};

/// Minutes of a day.
const DAY_MINUTES: i64 = 24 * 60;

impl<'a> Reader<'a> {
    /// Lines that are tables of ways or lists of links: "North Beach to Presidio: 17", "Porto and Geneva, from Oslo to Split".
    pub(super) fn journey_line(&mut self, line: &Line<'a>) -> bool {
        let words = words(&line.text);
        if words.len() < 3 {
            return false;
        }
        let own = hits(&words);
        let above = hits(&super::words::words(&line.under));
        let has = |hits: &[Hit], cue: Cue| hits.iter().any(|hit| hit.cue == cue);
        if (has(&own, Cue::Links) || has(&above, Cue::Links)) && self.links(line, &words) {
            return true;
        }
        self.way(line, &words, &own, has(&above, Cue::Ways))
    }

    /// "A to B: 24", "A to B takes 24 minutes", "between A and B: 20 min".
    fn way(&mut self, line: &Line<'a>, words: &[Word], hits: &[Hit], listed: bool) -> bool {
        let Some((first, joint, second)) = pair(words, 0) else { return false };
        let both = words[joint].low == "and";
        let between = first.start.checked_sub(1).is_some_and(|at| words[at].low == "between");
        if both && !between {
            return false;
        }
        let rest = words.get(second.end..).unwrap_or_default();
        let Some(figure) = rest.iter().position(|word| word.low.bytes().all(|byte| byte.is_ascii_digit())) else {
            return false;
        };
        let Ok(count) = rest[figure].low.parse::<i64>() else { return false };
        let unit = rest.get(figure + 1).map_or("", |word| word.low.as_str());
        let minutes = match unit {
            "h" | "hr" | "hrs" | "hour" | "hours" => count.saturating_mul(60),
            _ => count,
        };
        let said = matches!(unit, "min" | "mins" | "minutes" | "minute" | "h" | "hr" | "hrs" | "hour" | "hours");
        let colon =
            line.text.get(words[second.end - 1].range.end..).is_some_and(|text| text.trim_start().starts_with(':'));
        let told = hits.iter().any(|hit| hit.cue == Cue::Ways);
        let alone = rest.len() <= figure + 2 && figure <= 2;
        if !(listed && alone || said && (told || colon && alone)) || minutes > DAY_MINUTES {
            return false;
        }
        let (from, to) = (text_of(&line.text, words, &first), text_of(&line.text, words, &second));
        let spot = Spot { line, start: 0, end: line.text.len() };
        self.state(spot, Rule::Travel { from, to, minutes, both_ways: both }, false);
        true
    }

    /// A list of links. Both ends of each are names.
    fn links(&mut self, line: &Line<'a>, words: &[Word]) -> bool {
        let mut links: Vec<Link> = Vec::new();
        let mut at = 0;
        let mut span: Option<Range<usize>> = None;
        while let Some((first, joint, second)) = pair(words, at) {
            let to = words[joint].low == "to";
            let link = Link {
                from: text_of(&line.text, words, &first),
                to: text_of(&line.text, words, &second),
                both_ways: !to,
            };
            let (start, end) = (words[first.start].range.start, words[second.end - 1].range.end);
            span = Some(span.map_or(start..end, |span| span.start..end));
            links.push(link);
            at = second.end;
        }
        let Some(span) = span else { return false };
        let spot = Spot { line, start: span.start, end: span.end };
        self.state(spot, Rule::Connection { links }, false);
        true
    }

    /// What a clause states of a journey or of who is where.
    pub(super) fn journey(&mut self, line: &Line<'a>, clause: &Clause<'_>) -> bool {
        let spot = Spot { line, start: clause.at, end: clause.at + clause.text.len() };
        if let Some(days) = counted_days(&clause.words) {
            if let Some(place) = self.city(clause, 0) {
                // Who is to be met "between day 2 and day 4" is met for certain only by who is there all the while.
                let loose = clause.text.contains("some time")
                    || clause.text.contains("some point")
                    || clause.text.contains("sometime");
                let extent = if loose { Extent::Within } else { Extent::Throughout };
                let when = Readings::unique(vec![Window::Days(days)]);
                self.state(spot, Rule::Presence { who: None, place, when, extent }, false);
                return true;
            }
            return true;
        }
        if let Some(count) = whole_days(clause) {
            if let Some(hit) = clause.hit(Cue::Stay).filter(|_| !clause.has(Cue::Total))
                && let Some(place) = self.city(clause, hit.words.end).or_else(|| self.city(clause, 0))
            {
                let (least, most) = (clause.has(Cue::Least), clause.has(Cue::AtMost));
                let rule =
                    Rule::Stay { place, days_min: (!most).then_some(count), days_max: (!least).then_some(count) };
                self.state(spot, rule, false);
                return true;
            }
            if clause.has(Cue::Total)
                && (clause.has(Cue::Stay)
                    || clause
                        .words
                        .iter()
                        .any(|word| matches!(word.low.as_str(), "cities" | "countries" | "towns" | "places")))
            {
                self.state(
                    spot,
                    Rule::Total { unit: Unit::Days, tasks: Vec::new(), min: Some(count), max: Some(count) },
                    false,
                );
                return true;
            }
        }
        self.presence(clause, spot)
    }

    /// "Carol will be at Nob Hill from 9 to 3", "you arrive at the station at 9:00".
    fn presence(&mut self, clause: &Clause<'_>, spot: Spot<'_, '_>) -> bool {
        let (hit, arrives) = match (clause.hit(Cue::Arrive), clause.hit(Cue::Present)) {
            (Some(hit), _) => (hit, true),
            (None, Some(hit)) => (hit, false),
            _ => return false,
        };
        let Some(stretch) =
            clause.when.stretches.iter().find(|it| !it.past && matches!(it.shape, Shape::Point | Shape::Range))
        else {
            return false;
        };
        let Some(place) = self.city(clause, hit.words.end.saturating_sub(1)) else { return false };
        let subject = clause.words.get(..hit.words.start).unwrap_or_default();
        let who = self.people.among(clause.text, subject).into_iter().next();
        let zone = self.notes.now.time_zone();
        let windows = |times: &crate::model::Times| times.iter().map(|it| Window::Clock(*it)).collect::<Vec<_>>();
        let when = if stretch.limit.is_some() {
            stretch.times(zone).and_then(|times| Readings::of(times.iter().map(windows).collect()))
        } else {
            Readings::of(stretch.readings.iter().map(windows).collect())
        };
        let Some(when) = when else { return false };
        let point = stretch.shape == Shape::Point && stretch.limit.is_none();
        if who.is_some() && point {
            return false;
        }
        // Where the planner works all the morning is no event, and where one arrives is where ways begin.
        if who.is_none() && point && !arrives {
            return false;
        }
        self.person.clone_from(&who);
        let extent = if who.is_some() { Extent::Within } else { Extent::Throughout };
        self.state(spot, Rule::Presence { who, place, when, extent }, false);
        true
    }

    /// The first name from a word on that is nobody's and stands in no time.
    fn city(&self, clause: &Clause<'_>, from: usize) -> Option<String> {
        let mut at = from;
        while at < clause.words.len() {
            let run = run(&clause.words, at);
            if !run.is_empty() {
                let timed = clause.is_timed(&clause.words[run.start]);
                let before = run.start.checked_sub(1).map_or("", |at| clause.words[at].low.as_str());
                let placed =
                    matches!(before, "in" | "at" | "to" | "visit" | "visiting" | "explore" | "the" | "from" | "near");
                if !timed
                    && placed
                    && (self.people.person(clause.text, &clause.words, &run).is_none()
                        || matches!(before, "in" | "at" | "visit"))
                {
                    return Some(text_of(clause.text, &clause.words, &run));
                }
            }
            at = run.end.max(at + 1);
        }
        None
    }
}

/// Two names joined by "to", "and" or a dash, from word `from` on: the first, the word that joins, the second.
fn pair(words: &[Word], from: usize) -> Option<(Range<usize>, usize, Range<usize>)> {
    let mut at = from;
    while at < words.len() {
        let first = run(words, at);
        if first.is_empty() {
            at += 1;
            continue;
        }
        let joint = first.end;
        if words.get(joint).is_some_and(|word| matches!(word.low.as_str(), "to" | "and") && !word.parted) {
            let second = run(words, joint + 1);
            if !second.is_empty() {
                return Some((first, joint, second));
            }
        }
        at = first.end;
    }
    None
}

/// "Day 9", "day 9 and day 14", "days 3-5", "day 1 to day 4".
fn counted_days(words: &[Word]) -> Option<Days> {
    let at = words.iter().enumerate().find(|(at, word)| {
        matches!(word.low.as_str(), "day" | "days")
            && words.get(at + 1).is_some_and(|next| next.low.starts_with(|c: char| c.is_ascii_digit()))
    })?;
    let number = |word: Option<&Word>| -> Option<i64> { word?.low.parse().ok() };
    let mut next = at.0 + 1;
    if let Some((first, last)) = words.get(next)?.low.split_once('-') {
        return Some(Days { first: first.parse().ok()?, last: last.parse().ok()? });
    }
    let first = number(words.get(next))?;
    next += 1;
    if words.get(next).is_some_and(|word| matches!(word.low.as_str(), "to" | "and" | "through" | "until" | "till")) {
        let from = if words.get(next + 1).is_some_and(|word| matches!(word.low.as_str(), "day" | "days")) {
            next + 2
        } else {
            next + 1
        };
        if let Some(last) = number(words.get(from)) {
            return Some(Days { first, last });
        }
    }
    // "Day 3 – 5": a dash between two words.
    if let Some(last) = number(words.get(next)).filter(|last| *last > first && words[next].parted) {
        return Some(Days { first, last });
    }
    Some(Days { first, last: first })
}

/// The whole days of the first length of a clause that is counted in days.
fn whole_days(clause: &Clause<'_>) -> Option<i64> {
    clause.when.lengths.iter().find_map(|length| {
        let minutes = length.min.or(length.max)?;
        let shown = clause.text.get(length.span.clone())?.to_lowercase();
        (minutes >= DAY_MINUTES
            && minutes % DAY_MINUTES == 0
            && shown.contains("day")
            && shown.bytes().any(|byte| byte.is_ascii_digit()))
        .then_some(minutes / DAY_MINUTES)
    })
}
