//! The proof that not everything fits: some tasks must all lie between two points in time, and need more minutes than are free
//! there. Nothing is guessed in it: a task of unknown length counts with the shortest timebox, ambiguous times are read in the most
//! generous way, and tasks may be interrupted at will.

use std::collections::BTreeSet;

use crate::checks::{TIMEBOX_MINUTES_MIN, counted, quoted};
use crate::clash::{clash, is_meant};
use crate::free::{Reading, Settings, free};
use crate::limits::limits;
use crate::model::{Notes, Rule};
use crate::plan::Overload;
use crate::window::{Interval, clock, minutes_after, shared, total_minutes};

/// Longest chain of tasks that is followed.
const CHAIN_MAX: usize = 4;

/// Points in time from which on is counted.
const STARTS_MAX: usize = 64;

/// Proves that somebody would have to be at two events at once: of a reading that was handed in, or where it was answered that both are theirs.
pub(super) fn double_booked(notes: &Notes) -> Option<Overload> {
    let (a, b) = clash(notes)?;
    let [a, b] = [a, b].map(|at| &notes.constraints[at]);
    if !(notes.handed_in || b.quote.as_ref().is_some_and(|quote| is_meant(notes, quote))) {
        return None;
    }
    let (Rule::FixedEvent { name, when, .. }, Rule::FixedEvent { name: other, when: then, .. }) = (&a.rule, &b.rule)
    else {
        return None;
    };
    let (when, then) = (*when.first().first()?, *then.first().first()?);
    let within = Interval::new(when.start.min(then.start), when.end.max(then.end));
    let at = |at| clock(at, notes.now.time_zone(), notes.now.date());
    let shown = |name: &str, when: Interval| format!("{} ({} to {})", quoted(name), at(when.start), at(when.end));
    Some(Overload {
        needed_minutes: when.minutes() + then.minutes(),
        free_minutes: within.minutes(),
        within,
        tasks: Vec::new(),
        drop: Vec::new(),
        proof: format!("{} and {} are at the same time: nobody is at both.", shown(name, when), shown(other, then)),
    })
}

/// Proves that the tasks do not all fit; of several proofs the one with most minutes missing. `drop` is what the best partial plan
/// leaves out.
#[must_use]
pub fn overload(notes: &Notes, settings: &Settings, drop: &[usize]) -> Option<Overload> {
    let early = settings.from_now(notes);
    let settings = early.as_ref().unwrap_or(settings);
    let free = free(notes, settings, Reading::Generous, false);
    let all = limits(notes, settings, &free.windows, Reading::Generous, false);
    let said = notes.said();
    // A task, the stretch that holds all its windows, and what it needs.
    let mut needs: Vec<(usize, Interval, i64)> = (0..notes.tasks.len())
        .filter(|task| !said[*task].is_optional())
        .map(|task| {
            let minutes = said[task].minutes_min.unwrap_or_default().max(TIMEBOX_MINUTES_MIN);
            let windows = &all[task].windows;
            let hull = match (windows.first(), windows.last()) {
                (Some(first), Some(last)) => Interval::new(first.start, last.end),
                _ => Interval::new(notes.now.timestamp(), notes.now.timestamp()),
            };
            (task, hull, minutes)
        })
        .collect();
    // What comes after something begins no earlier than that can be over; and what comes before is over while there is time for what comes after.
    for _ in 0..CHAIN_MAX {
        let begins: Vec<(usize, jiff::Timestamp)> =
            needs.iter().map(|(task, hull, minutes)| (*task, minutes_after(hull.end, -*minutes))).collect();
        for (task, hull, _) in &mut needs {
            let thens = begins.iter().filter(|(then, _)| all[*then].after.contains(task));
            let latest = thens.map(|(then, begin)| minutes_after(*begin, -all[*then].gap_after(*task))).min();
            hull.end = latest.map_or(hull.end, |begin| begin.min(hull.end));
        }
        let ends: Vec<(usize, jiff::Timestamp)> =
            needs.iter().map(|(task, hull, minutes)| (*task, minutes_after(hull.start, *minutes))).collect();
        for (task, hull, _) in &mut needs {
            let firsts = ends.iter().filter(|(first, _)| all[*task].after.contains(first));
            let earliest = firsts.map(|(first, end)| minutes_after(*end, all[*task].gap_after(*first))).max();
            hull.start = earliest.map_or(hull.start, |end| end.max(hull.start));
        }
    }
    needs.sort_by_key(|(task, hull, _)| (hull.end, *task));
    let starts: BTreeSet<_> = needs.iter().map(|(_, hull, _)| hull.start).collect();
    // Of two proofs that lack as much the one over more of the day: its ends are likelier such as the notes say.
    let rank = |own: &Overload| (own.needed_minutes - own.free_minutes, own.within.minutes());
    let mut proof: Option<Overload> = None;
    for start in starts.into_iter().take(STARTS_MAX) {
        let mut needed = 0_i64;
        let mut tasks = Vec::new();
        for (task, hull, minutes) in &needs {
            if hull.start < start {
                continue;
            }
            needed = needed.saturating_add(*minutes);
            tasks.push(*task);
            let within = Interval::new(start, hull.end.max(start));
            let there = total_minutes(&shared(&free.windows, &[within]));
            let has = free.minutes_max.map_or(there, |max| there.min(max).max(0));
            let missing = needed.saturating_sub(has);
            if missing > 0 && proof.as_ref().is_none_or(|best| rank(best) < (missing, within.minutes())) {
                proof = Some(Overload {
                    needed_minutes: needed,
                    free_minutes: has,
                    within,
                    tasks: tasks.clone(),
                    drop: drop.to_vec(),
                    proof: String::new(),
                });
            }
        }
    }
    proof.map(|mut proof| {
        proof.proof = sentence(notes, &proof);
        proof
    })
}

fn sentence(notes: &Notes, proof: &Overload) -> String {
    let at = |at| clock(at, notes.now.time_zone(), notes.now.date());
    let what = super::words::listed(notes, &proof.tasks);
    let (needed, has) = (counted(proof.needed_minutes, "minute"), proof.free_minutes);
    if proof.within.is_empty() {
        return format!("Needs {needed}, has {has}: the notes leave no time for {what}.");
    }
    format!("Needs {needed}, has {has} between {} and {}: {what}.", at(proof.within.start), at(proof.within.end))
}
