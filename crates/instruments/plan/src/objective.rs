//! How many tasks can be done at all.

use crate::free::{Reading, Settings, free, taken};
use crate::limits::{limits, origin};
use crate::model::{Notes, Rule};
use crate::places::Places;
use crate::search::{Ground, JOBS_MAX, Job, best};
use crate::window::{Interval, merged, without};

/// Most tasks over which is searched.
pub const TASKS_MAX: usize = JOBS_MAX;

/// The largest set of `tasks` that can be done by one person, in the order in which they can be done, under the least
/// favourable reading of every time. `None` where there are more than [`TASKS_MAX`] that could be done at all, or the notes do
/// not say how long one takes.
#[must_use]
pub fn most(notes: &Notes, settings: &Settings, tasks: &[usize]) -> Option<Vec<usize>> {
    let own = free(notes, settings, Reading::Cautious, false);
    let base = if own.stated { own.windows } else { unblocked(notes) };
    let all = limits(notes, settings, &base, Reading::Cautious, false);
    let said = notes.said();
    let mut places = Places::default();
    let ways = places.ways(notes);
    let start = origin(notes);
    let from = start.map_or(notes.now.timestamp(), |(at, _)| at.max(notes.now.timestamp()));
    let mut jobs: Vec<Job> = Vec::new();
    let mut of: Vec<usize> = Vec::new();
    for task in tasks {
        let limits = all.get(*task)?;
        let minutes = said.get(*task)?.minutes_min?;
        let job = Job {
            minutes,
            windows: limits.windows.clone(),
            place: limits.place.as_deref().map(|place| places.number(place)),
            after: limits.after.clone(),
            worth: 1,
        };
        if crate::search::earliest(&job, from).is_some() {
            jobs.push(job);
            of.push(*task);
        }
    }
    // What must come before is done in time only if it is one of the jobs; anything else is taken as done.
    for job in &mut jobs {
        job.after = job.after.iter().filter_map(|task| of.iter().position(|other| other == task)).collect();
    }
    let origin = start.map(|(_, place)| places.number(place));
    let ground = Ground {
        start: from,
        origin,
        ways,
        unknown_minutes: None,
        run_minutes_max: None,
        break_minutes: 0,
        gaps: Vec::new(),
        rests: Vec::new(),
        busy: Vec::new(),
    };
    let placed = best(&jobs, &ground)?;
    Some(placed.into_iter().filter_map(|placed| of.get(placed.job).copied()).collect())
}

/// All of time from now on but what is blocked.
fn unblocked(notes: &Notes) -> Vec<Interval> {
    let mut blocked = Vec::new();
    for constraint in notes.constraints.iter().filter(|constraint| constraint.hard) {
        if let Rule::Blocked { who: None, when, .. } | Rule::FixedEvent { when, .. } = &constraint.rule {
            blocked.extend(taken(when, Reading::Cautious));
        }
    }
    without(&[Interval::from(notes.now.timestamp())], &merged(blocked))
}
