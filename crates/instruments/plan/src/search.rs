//! Exact search over the orders in which jobs can be done.
//!
//! Jobs are done one after another, each in one piece in one of its windows, with the way from the place before. To finish
//! earlier is never worse, so for each set of jobs done and each place where it may end only the earliest end is kept (Held
//! and Karp 1962, over sets of at most [`JOBS_MAX`]).

use std::collections::HashMap;

use jiff::Timestamp;

use crate::window::{Interval, minutes_after};

/// Most jobs of one search: 2¹² sets of 13 places.
pub const JOBS_MAX: usize = 12;

/// Something to be done in one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// How long it takes.
    pub minutes: i64,
    /// When it may be done, merged.
    pub windows: Vec<Interval>,
    /// Where, by a number of the caller's.
    pub place: Option<usize>,
    /// Jobs that must be done before.
    pub after: Vec<usize>,
    /// What doing it is worth.
    pub worth: i64,
}

/// Where and when it begins, and how long ways take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// Nothing is done before.
    pub start: Timestamp,
    /// Where it begins.
    pub origin: Option<usize>,
    /// Minutes from place to place; a way that is not named takes `unknown_minutes`.
    pub ways: HashMap<(usize, usize), i64>,
    /// How long an unknown way takes; `None`: it cannot be gone.
    pub unknown_minutes: Option<i64>,
    /// Work on end is interrupted for `break_minutes` before it exceeds this; `None`: never.
    pub run_minutes_max: Option<i64>,
    /// Shortest gap that ends work on end.
    pub break_minutes: i64,
}

/// A job at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The job.
    pub job: usize,
    /// When.
    pub when: Interval,
}

/// The best that is known for a set of jobs and a place.
#[derive(Clone, Copy, Debug)]
struct State {
    end: Timestamp,
    /// When the work on end that ends here began.
    run: Timestamp,
    /// The job done last, when, and the place before it.
    last: Placed,
    before: usize,
}

/// The jobs whose worth together is greatest, at their times, in the order of time; among equals those that end first. At most
/// [`JOBS_MAX`] jobs are looked at; `None` where there are more.
#[must_use]
pub fn best(jobs: &[Job], ground: &Ground) -> Option<Vec<Placed>> {
    if jobs.len() > JOBS_MAX {
        return None;
    }
    let sets = 1_usize << jobs.len();
    // Place 0 is the origin, place n+1 the place of job n.
    let places = jobs.len() + 1;
    let mut table: Vec<Option<State>> = vec![None; sets * places];
    let mut winner: Option<(i64, Timestamp, usize, usize)> = None;
    for set in 0..sets {
        for place in 0..places {
            let state = table[set * places + place];
            if set == 0 && place > 0 || set > 0 && state.is_none() {
                continue;
            }
            if let Some(state) = state {
                let worth = (0..jobs.len()).filter(|job| set >> job & 1 == 1).map(|job| jobs[job].worth).sum();
                let better = winner.is_none_or(|(best, end, ..)| worth > best || (worth == best && state.end < end));
                if better {
                    winner = Some((worth, state.end, set, place));
                }
            }
            for (next, job) in jobs.iter().enumerate() {
                let is_ready = job.after.iter().all(|first| set >> first & 1 == 1);
                if set >> next & 1 == 1 || !is_ready {
                    continue;
                }
                let Some(found) = step(jobs, ground, state, place, next) else { continue };
                let reached = if job.place.is_some() { next + 1 } else { place };
                let slot = &mut table[(set | 1 << next) * places + reached];
                if slot.is_none_or(|known| (found.end, found.last.job) < (known.end, known.last.job)) {
                    *slot = Some(found);
                }
            }
        }
    }
    let mut placed = Vec::new();
    if let Some((_, _, mut set, mut place)) = winner {
        while let Some(state) = table[set * places + place] {
            placed.push(state.last);
            set &= !(1 << state.last.job);
            place = state.before;
            if set == 0 {
                break;
            }
        }
        placed.reverse();
    }
    Some(placed)
}

/// Does `next` after what was done, as early as possible.
fn step(jobs: &[Job], ground: &Ground, state: Option<State>, place: usize, next: usize) -> Option<State> {
    let job = &jobs[next];
    let here = if place == 0 { ground.origin } else { jobs[place - 1].place };
    let way = match (here, job.place) {
        (Some(from), Some(to)) if from != to => ground.ways.get(&(from, to)).copied().or(ground.unknown_minutes)?,
        _ => 0,
    };
    let end = state.map_or(ground.start, |state| state.end);
    let from = minutes_after(end, way);
    let mut at = earliest(job, from)?;
    let mut run = at;
    if let Some(state) = state {
        let rested = |at: Timestamp| crate::window::minutes_between(state.end, at) >= ground.break_minutes;
        if !rested(at) {
            run = state.run;
            let worked = crate::window::minutes_between(run, minutes_after(at, job.minutes));
            if ground.run_minutes_max.is_some_and(|max| worked > max) {
                at = earliest(job, minutes_after(state.end, ground.break_minutes).max(from))?;
                run = at;
            }
        }
    }
    let when = Interval::new(at, minutes_after(at, job.minutes));
    Some(State { end: when.end, run, last: Placed { job: next, when }, before: place })
}

/// The first time from `from` on at which a job can be done in one piece.
#[must_use]
pub fn earliest(job: &Job, from: Timestamp) -> Option<Timestamp> {
    let first = job.windows.partition_point(|window| window.end <= from);
    job.windows.iter().skip(first).find_map(|window| {
        let start = window.start.max(from);
        (minutes_after(start, job.minutes) <= window.end).then_some(start)
    })
}
