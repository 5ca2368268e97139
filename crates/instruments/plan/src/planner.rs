//! The planner that needs no model: a scheduler over free windows, fixed events, deadlines, durations, priorities and breaks.
//!
//! Tasks become at most seven units (small ones are batched, see [`Unit`]), whose best order is found by exact search. First all
//! wishes are kept and tasks of unknown length get [`ESTIMATES_MINUTES`]' first; where not all tasks fit, estimates shrink, then
//! wishes go, then tasks are left out, the least important first. All ambiguous times are read in the least favourable way.

mod fill;
mod overload;
mod units;
mod words;

use std::collections::BTreeSet;

use crate::answer::Role;
use crate::checks::{BLOCK_MINUTES_MAX, BREAK_FROM_MINUTES, ITEMS_MAX, TIMEBOX_MINUTES_MIN, quoted};
use crate::free::{Free, Reading, Settings, free, taken};
use crate::limits::{Limits, limits, origin};
use crate::model::{Notes, Rule, Said};
use crate::places::Places;
use crate::plan::{Confidence, Feasibility, Plan, PlanItem};
use crate::search::{Ground, JOBS_MAX, Job, best};
use crate::window::{Interval, holds, merged, minutes_after, total_minutes, without};

pub use overload::overload;
pub use units::Unit;

/// Minutes of a task of which the notes do not say how long it takes: first the first, then the others where time is short.
pub const ESTIMATES_MINUTES: [i64; 3] = [30, 15, TIMEBOX_MINUTES_MIN];

/// Minutes of a break that the planner makes.
pub const BREAK_MINUTES: i64 = 15;

/// Most tasks that are planned; more are left out with a question.
pub const TASKS_MAX: usize = 200;

/// Free time at which confidence is high, in percent of all free time.
const SLACK_PERCENT_MIN: i64 = 20;

/// What one attempt rests on.
pub(crate) struct Attempt<'a> {
    pub(crate) notes: &'a Notes,
    /// The time that may be planned, and all that is taken from it.
    pub(crate) free: Free,
    /// What the notes allow each task.
    pub(crate) limits: Vec<Limits>,
    /// Minutes that each task gets.
    pub(crate) minutes: Vec<i64>,
    /// Items that stand.
    pub(crate) kept: &'a [PlanItem],
    /// Events of the notes, merged.
    pub(crate) busy: Vec<Interval>,
    /// What the notes say of each task.
    pub(crate) said: &'a [Said],
}

/// What came of an attempt.
struct Outcome {
    items: Vec<PlanItem>,
    left_out: Vec<usize>,
    worth: i64,
    level: usize,
    wishes: bool,
}

/// Makes a plan.
#[must_use]
pub fn plan(notes: &Notes, settings: &Settings) -> Plan {
    plan_around(notes, settings, &[])
}

/// Makes a plan around items that stand; they are taken as they are.
#[must_use]
pub fn plan_around(notes: &Notes, settings: &Settings, kept: &[PlanItem]) -> Plan {
    let events = notes.constraints.iter().filter_map(|it| match &it.rule {
        Rule::FixedEvent { when, .. } => Some(taken(when, Reading::Cautious)),
        _ => None,
    });
    let busy = merged(events.flatten().collect());
    let said = notes.said();
    let mut chosen: Option<Outcome> = None;
    for wishes in [true, false] {
        let free = whole_minutes(free(notes, settings, Reading::Cautious, wishes));
        let limits = limits(notes, settings, &free.windows, Reading::Cautious, wishes);
        for level in 0..ESTIMATES_MINUTES.len() {
            let minutes = said.iter().map(|said| estimate(*said, level)).collect();
            let attempt = Attempt {
                notes,
                free: free.clone(),
                limits: limits.clone(),
                minutes,
                kept,
                busy: busy.clone(),
                said: &said,
            };
            let outcome = attempt.run(level, wishes);
            let better = chosen.as_ref().is_none_or(|best| outcome.worth > best.worth);
            let complete = outcome.left_out.is_empty();
            if better {
                chosen = Some(outcome);
            }
            if complete {
                break;
            }
        }
        let complete = chosen.as_ref().is_some_and(|best| best.left_out.iter().all(|task| said[*task].is_optional()));
        if complete {
            break;
        }
    }
    finish(notes, settings, &said, chosen)
}

/// The minutes that a task gets: what the notes say, the longest of it where there is time; else an estimate.
fn estimate(said: Said, level: usize) -> i64 {
    let guess = ESTIMATES_MINUTES.get(level).copied().unwrap_or(TIMEBOX_MINUTES_MIN);
    let guess = said.minutes_likely.map_or(guess, |likely| if level == 0 { likely } else { likely.min(guess) });
    let minutes = match (said.minutes_min, said.minutes_max) {
        (Some(min), Some(max)) if level == 0 => max.max(min),
        (Some(min), _) => min,
        (None, Some(max)) => guess.min(max),
        (None, None) => guess,
    };
    minutes.clamp(TIMEBOX_MINUTES_MIN, TASK_MINUTES_MAX)
}

/// Most minutes of one task that are reckoned with: what is longer fits nowhere.
const TASK_MINUTES_MAX: i64 = 100_000;

/// Free time from whole minute to whole minute.
fn whole_minutes(mut free: Free) -> Free {
    for window in &mut free.windows {
        let second = window.start.as_second().rem_euclid(60);
        let part = second != 0 || window.start.subsec_nanosecond() != 0;
        if part && let Ok(start) = jiff::Timestamp::from_second(window.start.as_second() - second) {
            window.start = minutes_after(start, 1);
        }
        if let Ok(end) = jiff::Timestamp::from_second(window.end.as_second() - window.end.as_second().rem_euclid(60)) {
            window.end = end;
        }
    }
    free.windows.retain(|window| !window.is_empty());
    free
}

impl Attempt<'_> {
    fn run(&self, level: usize, wishes: bool) -> Outcome {
        let done: BTreeSet<usize> = self.kept.iter().flat_map(|item| item.tasks.iter().copied()).collect();
        let mut tasks: Vec<usize> = (0..self.notes.tasks.len()).filter(|task| !done.contains(task)).collect();
        let mut left_out = self.without_room(&mut tasks);
        let mut found = Vec::new();
        while !tasks.is_empty() {
            let (units, over) = self.units(&tasks);
            found = self.search(&units);
            let placed: BTreeSet<usize> = found.iter().flat_map(|(unit, _)| unit.tasks.iter().copied()).collect();
            let complete = |task: &usize| placed.contains(task) && !over.contains(task) && self.is_whole(*task, &found);
            if tasks.iter().all(complete) {
                break;
            }
            // The least important of those that found no place goes; the others may find one without it.
            let lost = tasks.iter().copied().filter(|task| !complete(task));
            let Some(drop) = lost.min_by_key(|task| (self.said[*task].worth(), -self.minutes[*task], *task)) else {
                break;
            };
            tasks.retain(|task| *task != drop);
            left_out.push(drop);
            found.clear();
        }
        let tried: Vec<usize> = left_out.iter().rev().copied().take(RETRIES_MAX).collect();
        for task in tried {
            let mut more = tasks.clone();
            more.push(task);
            more.sort_unstable();
            let (units, over) = self.units(&more);
            if !over.is_empty() || !self.fits_total(&more) {
                continue;
            }
            let again = self.search(&units);
            if again.len() == units.len() {
                left_out.retain(|other| *other != task);
                tasks = more;
                found = again;
            }
        }
        left_out.sort_unstable();
        let worth = tasks.iter().chain(&done).map(|task| self.said[*task].worth()).sum();
        Outcome { items: self.items(&found), left_out, worth, level, wishes }
    }

    /// Takes out what cannot be planned whatever the order: more tasks than are planned at all, tasks without a window that
    /// holds them, and the least important where all minutes together are not enough.
    fn without_room(&self, tasks: &mut Vec<usize>) -> Vec<usize> {
        let mut left_out = Vec::new();
        tasks.retain(|task| {
            let longest = self.limits[*task].windows.iter().map(|window| window.minutes()).max().unwrap_or_default();
            let piece = self.minutes[*task].min(BLOCK_MINUTES_MAX);
            let fits = longest >= if self.is_whole_task(*task) { self.minutes[*task] } else { piece };
            if !fits {
                left_out.push(*task);
            }
            fits
        });
        let mut by_worth = tasks.clone();
        by_worth.sort_by_key(|task| (self.said[*task].worth(), -self.minutes[*task], std::cmp::Reverse(*task)));
        for task in by_worth {
            if tasks.len() <= TASKS_MAX && self.fits_total(tasks) {
                break;
            }
            tasks.retain(|other| *other != task);
            left_out.push(task);
        }
        left_out
    }

    /// Whether the minutes of these tasks and of what stands are there at all.
    fn fits_total(&self, tasks: &[usize]) -> bool {
        let own: i64 = tasks.iter().map(|task| self.minutes[*task]).sum();
        let kept: Vec<Interval> = self.kept.iter().map(|item| item.when).collect();
        let room = total_minutes(&without(&self.free.windows, &merged(kept)));
        let standing: i64 =
            self.kept.iter().filter(|item| item.role != Role::Event).map(|item| item.timebox_minutes).sum();
        let rest = if own + standing >= BREAK_FROM_MINUTES { BREAK_MINUTES } else { 0 };
        own <= room && self.free.minutes_max.is_none_or(|max| own + standing + rest <= max)
    }

    /// Whether a task must be done in one piece.
    fn is_whole_task(&self, task: usize) -> bool {
        let task = &self.notes.tasks[task];
        task.in_one_go || !task.with.is_empty()
    }

    /// Whether all parts of a task found a place.
    fn is_whole(&self, task: usize, found: &[(Unit, Interval)]) -> bool {
        let parts = || found.iter().filter(|(unit, _)| unit.tasks.contains(&task));
        parts().next().is_some_and(|(unit, _)| parts().count() >= unit.part.map_or(1, |(_, of)| of))
    }

    /// The units at their times, in the best order.
    fn search(&self, units: &[Unit]) -> Vec<(Unit, Interval)> {
        let mut places = Places::default();
        let ways = places.ways(self.notes);
        let kept: Vec<Interval> = self.kept.iter().map(|item| item.when).collect();
        let taken = merged(kept);
        let mut jobs: Vec<Job> = units
            .iter()
            .map(|unit| Job {
                minutes: unit.minutes,
                windows: without(&unit.windows, &taken),
                place: unit.place.as_deref().map(|place| places.number(place)),
                after: unit.after.clone(),
                worth: unit.worth,
            })
            .collect();
        for item in self.kept.iter().take(JOBS_MAX.saturating_sub(units.len())) {
            let last = jobs.len();
            jobs.push(Job {
                minutes: item.when.minutes(),
                windows: vec![item.when],
                place: item.place.as_deref().map(|place| places.number(place)),
                after: Vec::new(),
                worth: 1_000_000,
            });
            // What stands keeps its order to what is planned around it.
            for (at, unit) in units.iter().enumerate() {
                let needs = |task: &usize| self.limits[*task].after.iter().any(|first| item.tasks.contains(first));
                if unit.tasks.iter().any(needs) {
                    jobs[at].after.push(last);
                }
            }
            let firsts = item.tasks.iter().flat_map(|task| &self.limits[*task].after);
            let firsts: BTreeSet<usize> = firsts.copied().collect();
            let before =
                units.iter().enumerate().filter(|(_, unit)| unit.tasks.iter().any(|task| firsts.contains(task)));
            jobs[last].after = before.map(|(at, _)| at).collect();
        }
        let start = origin(self.notes);
        let now = self.notes.now.timestamp();
        let ground = Ground {
            start: start.map_or(now, |(at, _)| at.max(now)),
            origin: start.map(|(_, place)| places.number(place)),
            ways,
            unknown_minutes: Some(0),
            run_minutes_max: Some(BLOCK_MINUTES_MAX),
            break_minutes: BREAK_MINUTES,
            busy: self.busy.clone(),
        };
        let placed = best(&jobs, &ground).unwrap_or_default();
        let mut found: Vec<(Unit, Interval)> =
            placed.into_iter().filter_map(|placed| Some((units.get(placed.job)?.clone(), placed.when))).collect();
        self.important_first(&mut found);
        found
    }

    /// Of two units that follow on each other the more important goes first, where nothing speaks against it.
    fn important_first(&self, found: &mut [(Unit, Interval)]) {
        let weight = |unit: &Unit| unit.tasks.iter().map(|task| self.said[*task].worth()).max().unwrap_or_default();
        for end in (1..found.len()).rev() {
            for at in 0..end {
                let ((a, first), (b, second)) = (&found[at], &found[at + 1]);
                let needs = |task: &usize| self.limits[*task].after.iter().any(|it| a.tasks.contains(it));
                let bound = a.part.is_some() || b.part.is_some() || a.place.is_some() || b.place.is_some();
                if bound || first.end != second.start || weight(a) >= weight(b) || b.tasks.iter().any(needs) {
                    continue;
                }
                let middle = minutes_after(first.start, b.minutes);
                let (early, late) = (Interval::new(first.start, middle), Interval::new(middle, second.end));
                if holds(&b.windows, early) && holds(&a.windows, late) {
                    found.swap(at, at + 1);
                    found[at].1 = early;
                    found[at + 1].1 = late;
                }
            }
        }
    }

    /// The items of a plan: what stands, what was placed, breaks, and what completes three.
    fn items(&self, found: &[(Unit, Interval)]) -> Vec<PlanItem> {
        let mut items: Vec<PlanItem> = self.kept.to_vec();
        items.extend(found.iter().map(|(unit, when)| self.item(unit, *when)));
        items.sort_by_key(|item| item.when);
        self.fill(&mut items);
        items
    }
}

/// Tasks that were left out and are tried once more in the end.
const RETRIES_MAX: usize = 8;

/// Most items that are units: one place is kept for a break where one is needed.
pub(crate) fn slots(kept: usize, minutes: i64) -> usize {
    let breaks = usize::from(minutes >= BREAK_FROM_MINUTES);
    ITEMS_MAX.saturating_sub(kept + breaks)
}

/// Adds what was assumed, what must be asked, and whether everything fits.
fn finish(notes: &Notes, settings: &Settings, said: &[Said], outcome: Option<Outcome>) -> Plan {
    let outcome =
        outcome.unwrap_or(Outcome { items: Vec::new(), left_out: Vec::new(), worth: 0, level: 0, wishes: true });
    let mut assumptions = notes.assumptions.clone();
    let mut questions = notes.questions.clone();
    let free = free(notes, settings, Reading::Cautious, false);
    if !free.stated
        && let (Some(first), Some(last)) = (free.windows.first(), free.windows.last())
    {
        let zone = notes.now.time_zone();
        let clock = |at| crate::window::clock(at, zone, notes.now.date());
        assumptions.push(format!(
            "The notes state no time for work: it is planned between {} and {}.",
            clock(first.start),
            clock(last.end)
        ));
    }
    let guessed: Vec<usize> = outcome
        .items
        .iter()
        .flat_map(|item| item.tasks.iter().copied())
        .filter(|task| said[*task].minutes_min.is_none() && said[*task].minutes_likely.is_none())
        .collect();
    if !guessed.is_empty() {
        let minutes = ESTIMATES_MINUTES.get(outcome.level).copied().unwrap_or(TIMEBOX_MINUTES_MIN);
        assumptions.push(format!(
            "{minutes} minutes are set for what has no duration in the notes: {}.",
            words::listed(notes, &guessed)
        ));
    }
    if !outcome.wishes {
        assumptions.push("Not every wish of the notes can be granted: all of the tasks come first.".to_owned());
    }
    let required = outcome.left_out.iter().any(|task| !said[*task].is_optional());
    if !outcome.left_out.is_empty() {
        let listed = words::listed(notes, &outcome.left_out);
        questions
            .push(format!("There is no room for {listed}: what can be dropped, moved to another day or done shorter?"));
    }
    let feasibility = if required {
        overload(notes, settings, &outcome.left_out).map_or(Feasibility::Unproven, Feasibility::Infeasible)
    } else {
        Feasibility::Feasible
    };
    let planned: i64 = outcome.items.iter().map(|item| item.timebox_minutes).sum();
    let slack = (free.minutes() - planned).saturating_mul(100) >= free.minutes().saturating_mul(SLACK_PERCENT_MIN);
    let confidence = if !questions.is_empty() || notes.needs_answer() {
        Confidence::Low
    } else if slack && outcome.left_out.is_empty() {
        Confidence::High
    } else {
        Confidence::Medium
    };
    Plan { items: outcome.items, assumptions, questions, confidence, left_out: outcome.left_out, feasibility }
}

/// A task as messages name it.
pub(crate) fn named(notes: &Notes, task: usize) -> String {
    notes.tasks.get(task).map_or_else(String::new, |task| quoted(&task.text))
}
