//! Exact search over the orders in which jobs can be done.
//!
//! Jobs are done one after another, each in one piece in one of its windows, with the way from the place before. To finish
//! earlier is never worse, so for each set of jobs done and each place where it may end only the earliest end is kept (Held
//! and Karp 1962, over sets of at most [`JOBS_MAX`]). Where work on end is limited, a few states are kept that trade time for rest.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::window::{Interval, minutes_after, minutes_between, without};

/// Most jobs of one search: 2¹² sets of 13 places.
pub const JOBS_MAX: usize = 12;

/// Most gaps of one search.
pub const GAPS_MAX: usize = 4;

/// A job begins no sooner than so many minutes after another has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The job that comes before.
    pub first: usize,
    /// The job that waits.
    pub then: usize,
    /// How long it waits.
    pub minutes: i64,
}

/// Most rests of one search.
pub const RESTS_MAX: usize = 2;

/// So many minutes without any of these jobs lie between two of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The jobs.
    pub jobs: Vec<usize>,
    /// How long.
    pub minutes: i64,
}

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
    /// Events, merged, during which nobody rests.
    pub busy: Vec<Interval>,
    /// What has to wait after what; of more than [`GAPS_MAX`] the first.
    pub gaps: Vec<Gap>,
    /// Rests from some jobs; of more than [`RESTS_MAX`] the first.
    pub rests: Vec<Rest>,
}

/// A job at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The job.
    pub job: usize,
    /// When.
    pub when: Interval,
}

/// One way to do a set of jobs.
#[derive(Clone, Copy, Debug)]
struct State {
    end: Timestamp,
    /// When the work on end that ends here began; with no limit on it, the end.
    run: Timestamp,
    /// How often work on end exceeds its limit.
    strains: u32,
    /// The job done last, and when.
    last: Placed,
    /// When what waits may begin, gap by gap.
    waits: [Timestamp; GAPS_MAX],
    /// When one of the jobs of a rest may begin again, rest by rest.
    rested: [Timestamp; RESTS_MAX],
    /// The place before it, and which of the states there.
    before: (usize, usize),
}

impl State {
    /// Whether it is as good as `other` in every respect.
    fn is_as_good(&self, other: &Self) -> bool {
        let waits = || self.waits.iter().zip(&other.waits).all(|(own, other)| own <= other);
        let rested = || self.rested.iter().zip(&other.rested).all(|(own, other)| own <= other);
        self.end <= other.end && self.strains <= other.strains && self.run >= other.run && waits() && rested()
    }
}

/// States kept for one set of jobs and one place: enough to weigh breaks against time.
const STATES_MAX: usize = 8;

/// The jobs whose worth together is greatest, at their times, in the order of time; among equals those with the fewest strains, then
/// those that end first. At most [`JOBS_MAX`] jobs are looked at; `None` where there are more.
#[must_use]
pub fn best(jobs: &[Job], ground: &Ground) -> Option<Vec<Placed>> {
    if jobs.len() > JOBS_MAX {
        return None;
    }
    let sets = 1_usize << jobs.len();
    // Place 0 is the origin, place n+1 the place of job n.
    let places = jobs.len() + 1;
    let mut table: Vec<Vec<State>> = vec![Vec::new(); sets * places];
    let mut winner: Option<(i64, u32, Timestamp, usize, usize, usize)> = None;
    for set in 0..sets {
        let worth: i64 = (0..jobs.len()).filter(|job| set >> job & 1 == 1).map(|job| jobs[job].worth).sum();
        for place in 0..places {
            let mut states: Vec<Option<State>> = table[set * places + place].iter().copied().map(Some).collect();
            if set == 0 && place == 0 {
                states.push(None);
            }
            for (index, state) in states.into_iter().enumerate() {
                if let Some(state) = state {
                    let is_better = winner.is_none_or(|(best, strains, end, ..)| {
                        worth > best || worth == best && (state.strains, state.end) < (strains, end)
                    });
                    if is_better {
                        winner = Some((worth, state.strains, state.end, set, place, index));
                    }
                }
                for (next, job) in jobs.iter().enumerate() {
                    let is_ready = job.after.iter().all(|first| set >> first & 1 == 1);
                    if set >> next & 1 == 1 || !is_ready {
                        continue;
                    }
                    let reached = if job.place.is_some() { next + 1 } else { place };
                    for found in steps(jobs, ground, state, (place, index), next) {
                        keep(&mut table[(set | 1 << next) * places + reached], found);
                    }
                }
            }
        }
    }
    let mut placed = Vec::new();
    if let Some((.., mut set, mut place, mut index)) = winner {
        while let Some(state) = table[set * places + place].get(index) {
            placed.push(state.last);
            set &= !(1 << state.last.job);
            (place, index) = state.before;
        }
        placed.reverse();
    }
    Some(placed)
}

/// Keeps a state unless one that is as good is there.
fn keep(states: &mut Vec<State>, found: State) {
    if states.iter().any(|known| known.is_as_good(&found)) {
        return;
    }
    states.retain(|known| !found.is_as_good(known));
    states.push(found);
    if states.len() > STATES_MAX {
        // The one that ends first may be the only one to leave room for the rest; of the others those with the least strain.
        states.sort_by_key(|state| (state.end, state.strains));
        states[1..].sort_by_key(|state| (state.strains, state.end));
        states.truncate(STATES_MAX);
    }
}

/// Does `next` after what was done: as early as possible, and after a break.
fn steps(
    jobs: &[Job],
    ground: &Ground,
    state: Option<State>,
    before: (usize, usize),
    next: usize,
) -> impl Iterator<Item = State> {
    let job = &jobs[next];
    let here = if before.0 == 0 { ground.origin } else { jobs[before.0 - 1].place };
    let way = match (here, job.place) {
        (Some(from), Some(to)) if from != to => ground.ways.get(&(from, to)).copied().or(ground.unknown_minutes),
        _ => Some(0),
    };
    let end = state.map_or(ground.start, |state| state.end);
    let waits = state.map_or([Timestamp::MIN; GAPS_MAX], |state| state.waits);
    let gaps = || ground.gaps.iter().take(GAPS_MAX).enumerate();
    let rested = state.map_or([Timestamp::MIN; RESTS_MAX], |state| state.rested);
    let rests = || ground.rests.iter().take(RESTS_MAX).enumerate().filter(|(_, rest)| rest.jobs.contains(&next));
    let awaited = gaps().filter(|(_, gap)| gap.then == next).map(|(at, _)| waits[at]);
    let awaited = awaited.chain(rests().map(|(at, _)| rested[at])).max();
    let from = way.map(|way| minutes_after(end, way)).map(|from| awaited.map_or(from, |awaited| from.max(awaited)));
    let made = |at: Timestamp| {
        let when = Interval::new(at, minutes_after(at, job.minutes));
        let (mut run, mut strains) = (at, 0);
        if let Some(state) = state {
            strains = state.strains;
            if !is_rest(ground, Interval::new(state.end, at)) {
                run = state.run;
                let worked = minutes_between(run, when.end);
                strains += u32::from(ground.run_minutes_max.is_some_and(|max| worked > max));
            }
        }
        let run = if ground.run_minutes_max.is_some() { run } else { when.end };
        let mut waits = waits;
        for (at, gap) in gaps().filter(|(_, gap)| gap.first == next) {
            waits[at] = minutes_after(when.end, gap.minutes);
        }
        let mut rested = rested;
        for (at, rest) in rests() {
            rested[at] = minutes_after(when.end, rest.minutes);
        }
        State { end: when.end, run, strains, last: Placed { job: next, when }, waits, rested, before }
    };
    let early = from.and_then(|from| earliest(job, from)).map(made);
    // A rest that an event takes up begins after it.
    let busy = ground.busy.iter().take_while(|event| event.start <= end).filter(|event| event.end > end).last();
    let rest = minutes_after(busy.map_or(end, |event| event.end), ground.break_minutes);
    let late = from
        .filter(|_| ground.run_minutes_max.is_some() && state.is_some())
        .and_then(|from| earliest(job, from.max(rest)))
        .map(made);
    early.into_iter().chain(late)
}

/// Whether a gap holds a break: free minutes, not those of events.
fn is_rest(ground: &Ground, gap: Interval) -> bool {
    gap.minutes() >= ground.break_minutes
        && without(&[gap], &ground.busy).iter().any(|part| part.minutes() >= ground.break_minutes)
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
