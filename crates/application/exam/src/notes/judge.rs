//! What a plan breaks of the labels: the judge that comes with the labelled notes (`validate.py`), in Rust. Times are minutes.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::{Constraint, Note};

/// Minutes after the current time beyond which no plan goes.
const HORIZON_MINUTES: i64 = 60 * 30;

/// Minutes between two stretches of work that make a break, where the notes do not say.
const BREAK_MINUTES: i64 = 5;

/// A task of the labels in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its name.
    pub task: String,
    /// From when, in minutes since the epoch.
    pub start: i64,
    /// Until when.
    pub end: i64,
}

/// What is broken.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Broken {
    /// A constraint, by its place.
    Constraint(usize),
    /// What holds for every plan.
    Invariant(&'static str),
}

/// Whole minutes since the epoch.
#[must_use]
pub fn minutes(at: Timestamp) -> i64 {
    at.as_second().div_euclid(60)
}

/// What the items break; wishes are counted with `wishes`.
#[must_use]
pub fn violations(note: &Note, items: &[Placed], wishes: bool) -> BTreeSet<Broken> {
    let mut broken = BTreeSet::new();
    let at = note.at.parse::<Timestamp>().map_or(0, minutes);
    let known = |name: &str| {
        let apart = |own: &Constraint| own.sets_apart() && own.task.as_deref() == Some(name);
        note.tasks.iter().any(|task| task.name == name) || note.constraints.iter().any(apart)
    };
    for (place, item) in items.iter().enumerate() {
        let mut invariant = |is_broken: bool, name| {
            if is_broken {
                broken.insert(Broken::Invariant(name));
            }
        };
        invariant(item.end <= item.start, "empty");
        invariant(item.start < at, "past");
        invariant(!known(&item.task), "unknown task");
        invariant(item.end > at + HORIZON_MINUTES, "beyond");
        let later = items.iter().skip(place + 1);
        invariant(later.clone().any(|other| item.start < other.end && other.start < item.end), "double_booked");
    }
    for (place, constraint) in note.constraints.iter().enumerate() {
        if is_broken(constraint, items, wishes) {
            broken.insert(Broken::Constraint(place));
        }
    }
    broken
}

fn is_broken(own: &Constraint, items: &[Placed], wishes: bool) -> bool {
    let (start, end) = (own.start_iso.map(minutes), own.end_iso.map(minutes));
    let (low, high) = (start.unwrap_or(i64::MIN), end.unwrap_or(i64::MAX));
    let task = own.task.as_deref();
    let mine = |item: &&Placed| task == Some(item.task.as_str());
    let among = |names: &[String], item: &Placed| names.contains(&item.task);
    let of = |name: &str| items.iter().filter(|item| item.task == name).collect::<Vec<_>>();
    match own.kind.as_str() {
        "fixed_event" | "blocked" | "travel" if own.kind != "travel" || start.is_some() => {
            let kept_out = |item: &&Placed| !mine(item) && !own.allow.iter().any(|it| it == "*" || *it == item.task);
            let meets = |item: &Placed| match end {
                None => item.start <= low && low < item.end,
                Some(end) => item.start < end && low < item.end,
            };
            let moved = |item: &Placed| (item.start - low).abs() > own.tolerance_minutes;
            items.iter().filter(kept_out).any(meets)
                || (own.kind == "fixed_event" && items.iter().filter(mine).any(moved))
        }
        "travel" => {
            let way = own.minutes.unwrap_or_default();
            let near = |item: &Placed, other: &Placed| other.start < item.end + way && item.start - way < other.end;
            let others = |item: &Placed| items.iter().filter(|it| !mine(it)).any(|other| near(item, other));
            items.iter().filter(mine).any(others)
        }
        "deadline" => items.iter().filter(mine).any(|item| item.end > high),
        "not_before" => items.iter().filter(|item| task.is_none() || mine(item)).any(|item| item.start < low),
        "availability" => items
            .iter()
            .filter(|item| mine(item) || (task.is_none() && !among(&own.except, item)))
            .any(|item| item.start < low || item.end > high),
        "must_do" => items.iter().filter(mine).count() == 0,
        "duration" => {
            let parts: Vec<i64> = items.iter().filter(mine).map(|item| item.end - item.start).collect();
            let sum: i64 = parts.iter().sum();
            if parts.is_empty() {
                return false;
            }
            let off = if own.each {
                parts.iter().any(|part| own.minutes.is_some_and(|minutes| *part != minutes))
            } else {
                own.minutes.is_some_and(|minutes| sum != minutes)
                    || own.min_minutes.is_some_and(|min| sum < min)
                    || own.max_minutes.is_some_and(|max| sum > max)
            };
            off || (!own.split && !own.each && parts.len() > 1)
        }
        "order" => {
            own.first.iter().flat_map(|first| own.then.iter().map(move |then| (first, then))).any(|(first, then)| {
                let (first, then) = (of(first), of(then));
                match (first.iter().map(|item| item.end).max(), then.iter().map(|item| item.start).min()) {
                    (None, Some(_)) => own.requires.unwrap_or(true),
                    (Some(end), Some(start)) => {
                        let gap = start - end;
                        gap < own.gap_min || own.gap_max.is_some_and(|max| gap > max)
                    }
                    _ => false,
                }
            })
        }
        "exclusion" => {
            let tasks = own.tasks.as_deref().unwrap_or_default();
            if let Some(max) = own.max_run {
                return runs_long(tasks, items, max, own.break_minutes.unwrap_or(BREAK_MINUTES));
            }
            if let Some(one_of) = &own.one_of {
                return one_of.iter().filter(|name| !of(name).is_empty()).count() > 1;
            }
            items.iter().filter(|item| among(tasks, item)).any(|item| item.start < high && low < item.end)
        }
        "total" => {
            let counted = |item: &&Placed| own.tasks.as_ref().is_none_or(|tasks| among(tasks, item));
            let sum: i64 = items.iter().filter(counted).map(|item| item.end - item.start).sum();
            let minutes = own.minutes.unwrap_or_default();
            if own.op.as_deref() == Some("max") { sum > minutes } else { sum < minutes }
        }
        "not_today" | "noise" => items.iter().filter(mine).count() > 0,
        "preference" => wishes && items.iter().filter(mine).any(|item| item.start < low || item.end > high),
        _ => false,
    }
}

/// Whether work on some tasks goes on for longer than it may without a break.
fn runs_long(tasks: &[String], items: &[Placed], max: i64, pause: i64) -> bool {
    let mut work: Vec<(i64, i64)> =
        items.iter().filter(|item| tasks.contains(&item.task)).map(|item| (item.start, item.end)).collect();
    work.sort_unstable();
    let mut run: Option<(i64, i64)> = None;
    work.into_iter().any(|(start, end)| {
        run = Some(match run {
            Some((from, until)) if start - until < pause => (from, end),
            _ => (start, end),
        });
        run.is_some_and(|(from, until)| until - from > max)
    })
}
