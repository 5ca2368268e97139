//! The planner that needs no model: a scheduler over free windows, fixed events, deadlines, durations, priorities and breaks.
//!
//! Tasks become at most seven units (small ones are batched, see [`Unit`]), whose best order is found by exact search. First all
//! wishes are kept and tasks of unknown length get [`ESTIMATES_MINUTES`]' first; where not all tasks fit, estimates shrink, then
//! wishes go, then tasks are left out, the least important first. All ambiguous times are read in the least favourable way.

mod fill;
mod overload;
mod together;
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
use crate::search::{Gap, Ground, JOBS_MAX, Job, best};
use crate::window::{Interval, holds, merged, minutes_after, total_minutes, without};

use together::{Run, bounded_by_totals};

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
    /// Tasks that a total counts.
    pub(crate) counted: &'a BTreeSet<usize>,
    /// Whether a place among the items is kept for a break.
    pub(crate) keeps_break: bool,
    /// What may not be done for long on end.
    pub(crate) runs: &'a [Run],
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
    let plan = planned(notes, settings, kept);
    let lacks = |plan: &Plan| {
        let said = notes.said();
        plan.left_out.iter().filter(|task| !said[**task].is_optional()).count()
    };
    match settings.from_now(notes).filter(|_| lacks(&plan) > 0) {
        Some(early) => {
            let other = planned(notes, &early, kept);
            if lacks(&other) < lacks(&plan) { other } else { plan }
        }
        None => plan,
    }
}

fn planned(notes: &Notes, settings: &Settings, kept: &[PlanItem]) -> Plan {
    let events = notes.constraints.iter().filter_map(|it| match &it.rule {
        Rule::FixedEvent { when, .. } => Some(taken(when, Reading::Cautious)),
        _ => None,
    });
    let busy = merged(events.flatten().collect());
    let said = notes.said();
    let totals = notes.constraints.iter().filter_map(|own| match &own.rule {
        Rule::Total { tasks, .. } => Some(tasks),
        _ => None,
    });
    let counted: BTreeSet<usize> = totals.flatten().copied().collect();
    let runs = Run::all(notes);
    let mut chosen: Option<Outcome> = None;
    for wishes in [true, false] {
        let free = whole_minutes(free(notes, settings, Reading::Cautious, wishes));
        let limits = limits(notes, settings, &free.windows, Reading::Cautious, wishes);
        for level in 0..ESTIMATES_MINUTES.len() {
            let mut minutes: Vec<i64> = said.iter().map(|said| estimate(*said, level)).collect();
            bounded_by_totals(notes, &said, &mut minutes);
            let mut attempt = Attempt {
                notes,
                free: free.clone(),
                limits: limits.clone(),
                minutes,
                kept,
                busy: busy.clone(),
                said: &said,
                counted: &counted,
                keeps_break: true,
                runs: &runs,
            };
            let mut outcome = attempt.run(level, wishes);
            if !outcome.left_out.is_empty() {
                // A rest may lie in a gap of the plan; what is to be done needs an item.
                attempt.keeps_break = false;
                let without = attempt.run(level, wishes);
                outcome = if without.worth > outcome.worth { without } else { outcome };
            }
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
        let mut parted: BTreeSet<usize> = BTreeSet::new();
        while !tasks.is_empty() {
            let (units, over) = self.units(&tasks, &parted);
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
            found.clear();
            let may_part = !self.is_whole_task(drop) && self.minutes[drop] >= PARTED_FROM_MINUTES;
            if may_part && !self.said[drop].is_optional() && parted.insert(drop) {
                continue;
            }
            // What comes after it goes with it.
            let mut gone = vec![drop];
            while let Some(first) = gone.pop() {
                tasks.retain(|task| *task != first);
                left_out.push(first);
                gone.extend(tasks.iter().copied().filter(|task| self.limits[*task].after.contains(&first)));
                gone.sort_unstable();
                gone.dedup();
            }
        }
        let tried: Vec<usize> = left_out.iter().rev().copied().take(RETRIES_MAX).collect();
        for task in tried {
            let mut more = tasks.clone();
            more.push(task);
            more.sort_unstable();
            let (units, over) = self.units(&more, &parted);
            if !over.is_empty() || !self.fits_total(&more) || !self.within_totals(&more, task) {
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
            let all: i64 = self.limits[*task].windows.iter().map(|window| window.minutes()).sum();
            let minutes = self.minutes[*task];
            let may_part = !self.is_whole_task(*task) && minutes >= PARTED_FROM_MINUTES;
            let fits = longest >= minutes || may_part && all >= minutes;
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
        // What some tasks may take together is not spent on what is optional.
        let mut optional: Vec<usize> = tasks.iter().copied().filter(|task| self.said[*task].is_optional()).collect();
        optional.sort_by_key(|task| (self.minutes[*task], *task));
        while let Some(task) = optional.pop() {
            if !self.within_totals(tasks, task) {
                tasks.retain(|other| *other != task);
                left_out.push(task);
            }
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
            gaps: self.gaps(units),
            // What stands is not moved: it waits for no rest, and what is planned beside it does.
            rests: self.runs.iter().map(|run| self.rest(run, units)).collect(),
        };
        let placed = best(&jobs, &ground).unwrap_or_default();
        let mut found: Vec<(Unit, Interval)> =
            placed.into_iter().filter_map(|placed| Some((units.get(placed.job)?.clone(), placed.when))).collect();
        self.earlier(&mut found);
        self.important_first(&mut found);
        found
    }

    /// From when on something optional lies best of which the notes say no time: meals at their hours, all else in the afternoon.
    fn wished_from(&self, unit: &Unit) -> Option<jiff::Timestamp> {
        const AFTERNOON: i8 = 13;
        const MEALS: [(&str, i8); 4] = [("breakfast", 7), ("lunch", 12), ("dinner", 18), ("supper", 18)];
        let is_free = unit.tasks.iter().all(|task| self.said[*task].is_optional())
            && unit.windows == self.free.windows
            && unit.after.is_empty();
        let meal = |(name, _): &&(&str, i8)| {
            unit.tasks.iter().any(|task| self.notes.tasks[*task].text.to_lowercase().contains(name))
        };
        let hour = MEALS.iter().find(meal).map_or(AFTERNOON, |(_, hour)| *hour);
        let at = self.notes.now.date().at(hour, 0, 0, 0).to_zoned(self.notes.now.time_zone().clone()).ok()?;
        is_free.then(|| at.timestamp())
    }

    /// Moves what could be done sooner into the time that is left free before it: the search ends the day as soon as it can, and does not mind
    /// where in the day the rest lies.
    fn earlier(&self, found: &mut [(Unit, Interval)]) {
        if found.iter().any(|(unit, _)| unit.place.is_some()) {
            return;
        }
        let taken: Vec<Interval> = self.kept.iter().map(|item| item.when).collect();
        for at in 0..found.len() {
            let (unit, when) = &found[at];
            let waits = |first: &usize| unit.tasks.iter().map(|task| self.limits[*task].gap_after(*first)).max();
            let before = |own: &Unit| {
                let is_part = own.part.is_some() && own.tasks == unit.tasks && own.part < unit.part;
                let firsts = unit.tasks.iter().flat_map(|task| &self.limits[*task].after);
                let gap = firsts.filter(|first| own.tasks.contains(first)).filter_map(waits).max();
                gap.or(is_part.then_some(0))
            };
            let others = || found.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, own)| own);
            let kept = self.kept.iter().filter_map(|item| {
                let firsts = unit.tasks.iter().flat_map(|task| &self.limits[*task].after);
                let gap = firsts.filter(|first| item.tasks.contains(first)).filter_map(waits).max();
                gap.map(|gap| minutes_after(item.when.end, gap))
            });
            let awaited = others().filter_map(|(own, when)| Some(minutes_after(when.end, before(own)?)));
            let from = awaited.chain(kept).max().unwrap_or(jiff::Timestamp::MIN);
            // A rest from what may not be done for long lies on both sides of it.
            let with_rest = |tasks: &[usize], when: Interval| {
                let runs = self.runs.iter().filter(|run| run.is_of(tasks) && run.is_of(&unit.tasks));
                let rest = runs.map(|run| run.rest).max().unwrap_or_default();
                Interval::new(minutes_after(when.start, -rest), minutes_after(when.end, rest))
            };
            let standing = self.kept.iter().map(|item| with_rest(&item.tasks, item.when));
            let standing = merged(standing.chain(others().map(|(own, when)| with_rest(&own.tasks, *when))).collect());
            let free = without(&unit.windows, &standing);
            let wished = self.wished_from(unit);
            let sooner = free.into_iter().find_map(|window| {
                let start = window.start.max(from).max(wished.unwrap_or(from));
                let moved = Interval::new(start, minutes_after(start, unit.minutes));
                (moved.end <= window.end && (wished.is_some() || moved.start < when.start)).then_some(moved)
            });
            let Some(sooner) = sooner else { continue };
            let strain = |times: Vec<Interval>| longest_run(times, &self.busy);
            let now = strain(taken.iter().copied().chain(found.iter().map(|(_, when)| *when)).collect());
            let then = others().map(|(_, when)| *when).chain([sooner]).chain(taken.iter().copied());
            if strain(then.collect()) <= now.max(BLOCK_MINUTES_MAX) {
                found[at].1 = sooner;
            }
        }
        found.sort_by_key(|(_, when)| *when);
    }

    /// What has to wait after what, by the places of units and, behind them, of what stands.
    fn gaps(&self, units: &[Unit]) -> Vec<Gap> {
        let jobs: Vec<&[usize]> = units
            .iter()
            .map(|unit| unit.tasks.as_slice())
            .chain(self.kept.iter().map(|item| item.tasks.as_slice()))
            .take(JOBS_MAX)
            .collect();
        let mut gaps = Vec::new();
        for (then, tasks) in jobs.iter().enumerate() {
            let waits = tasks.iter().filter_map(|task| self.limits.get(*task)).flat_map(|limits| &limits.gaps);
            for (task, minutes) in waits {
                let firsts = jobs.iter().enumerate().filter(|(at, own)| *at != then && own.contains(task));
                gaps.extend(firsts.map(|(first, _)| Gap { first, then, minutes: *minutes }));
            }
        }
        gaps
    }

    /// Of two units that follow on each other the more important goes first, where nothing speaks against it.
    fn important_first(&self, found: &mut [(Unit, Interval)]) {
        let weight = |unit: &Unit| unit.tasks.iter().map(|task| self.said[*task].worth()).max().unwrap_or_default();
        for end in (1..found.len()).rev() {
            for at in 0..end {
                let ((a, first), (b, second)) = (&found[at], &found[at + 1]);
                let needs = |task: &usize| self.limits[*task].after.iter().any(|it| a.tasks.contains(it));
                let waits = |unit: &Unit| {
                    let of = |task: &usize| self.limits[*task].gaps.iter();
                    let is_awaited = |own: &Limits| own.gaps.iter().any(|(first, _)| unit.tasks.contains(first));
                    unit.tasks.iter().flat_map(of).next().is_some() || self.limits.iter().any(is_awaited)
                };
                let rests = |unit: &Unit| self.runs.iter().any(|run| run.is_of(&unit.tasks));
                let bound = [a, b]
                    .into_iter()
                    .any(|unit| unit.part.is_some() || unit.place.is_some() || waits(unit) || rests(unit));
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

/// Minutes of the longest work on end: work without a gap that a break fits into beside events.
fn longest_run(mut times: Vec<Interval>, busy: &[Interval]) -> i64 {
    times.sort_unstable();
    let (mut longest, mut run): (i64, Option<Interval>) = (0, None);
    for time in times {
        let rests = |last: Interval| {
            let gap = without(&[Interval::new(last.end, time.start)], busy);
            gap.iter().any(|part| part.minutes() >= BREAK_MINUTES)
        };
        run = Some(match run {
            Some(last) if !rests(last) => Interval::new(last.start, last.end.max(time.end)),
            _ => time,
        });
        longest = longest.max(run.map_or(0, Interval::minutes));
    }
    longest
}

/// Minutes from which on a task is done in two parts where it finds no place in one piece.
const PARTED_FROM_MINUTES: i64 = 60;

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
        let cap = if outcome.items.len() >= ITEMS_MAX {
            format!(" (a plan has at most {ITEMS_MAX} items)")
        } else {
            String::new()
        };
        questions.push(format!(
            "There is no room for {listed}{cap}: what can be dropped, moved to another day or done shorter?"
        ));
    }
    let feasibility = if let Some(proof) = overload::double_booked(notes) {
        Feasibility::Infeasible(proof)
    } else if required {
        overload(notes, settings, &outcome.left_out).map_or(Feasibility::Unproven, Feasibility::Infeasible)
    } else {
        Feasibility::Feasible
    };
    let planned: i64 = outcome.items.iter().map(|item| item.timebox_minutes).sum();
    let slack = (free.minutes() - planned).saturating_mul(100) >= free.minutes().saturating_mul(SLACK_PERCENT_MIN);
    let confidence = if !questions.is_empty() || notes.needs_answer() {
        Confidence::Low
    } else if slack && outcome.left_out.is_empty() && !notes.disputed {
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
