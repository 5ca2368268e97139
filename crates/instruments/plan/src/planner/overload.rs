//! The proof that not everything fits: some tasks must all lie between two points in time, and need more minutes than are free
//! there. Nothing is guessed in it: a task of unknown length counts with the shortest timebox, ambiguous times are read in the most
//! generous way, and tasks may be interrupted at will.

use std::collections::BTreeSet;

use crate::checks::{TIMEBOX_MINUTES_MIN, counted};
use crate::free::{Reading, Settings, free};
use crate::limits::limits;
use crate::model::Notes;
use crate::plan::Overload;
use crate::window::{Interval, clock, minutes_after, shared, total_minutes};

/// Longest chain of tasks that is followed.
const CHAIN_MAX: usize = 4;

/// Points in time from which on is counted.
const STARTS_MAX: usize = 64;

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
    // What comes after something begins no earlier than that can be over.
    for _ in 0..CHAIN_MAX {
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
            let within = Interval::new(start, hull.end);
            let there = total_minutes(&shared(&free.windows, &[within]));
            let has = free.minutes_max.map_or(there, |max| there.min(max).max(0));
            let missing = needed.saturating_sub(has);
            if missing > 0 && proof.as_ref().is_none_or(|best| missing > best.needed_minutes - best.free_minutes) {
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
