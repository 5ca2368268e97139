//! Units: what becomes one item. Small tasks are batched, long ones are parted.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{Attempt, PARTED_FROM_MINUTES, slots};
use crate::checks::{BLOCK_MINUTES_MAX, ITEMS_MAX};
use crate::window::{Interval, shared};

/// What becomes one item: a task, a part of one, or several tasks in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The tasks, in the order in which they are done.
    pub tasks: Vec<usize>,
    /// Minutes of all of them.
    pub minutes: i64,
    /// When all of them may be done.
    pub windows: Vec<Interval>,
    /// Where.
    pub place: Option<String>,
    /// Units that come before, by their place in the list.
    pub after: Vec<usize>,
    /// What doing it is worth.
    pub worth: i64,
    /// Which part of how many.
    pub part: Option<(usize, usize)>,
}

impl Attempt<'_> {
    /// The tasks as units, no more than there are places for items; and the tasks for which no place was left.
    pub(super) fn units(&self, tasks: &[usize], parted: &BTreeSet<usize>) -> (Vec<Unit>, Vec<usize>) {
        let minutes: i64 = tasks.iter().map(|task| self.minutes[*task]).sum();
        let standing: i64 = self.kept.iter().map(|item| item.timebox_minutes).sum();
        let slots = slots(self.kept.len(), if self.keeps_break { minutes + standing } else { 0 });
        let mut units: Vec<Unit> = Vec::new();
        for task in self.ordered(tasks) {
            self.push(&mut units, task, parted.contains(&task));
        }
        self.batch(&mut units, slots);
        let mut over = Vec::new();
        while units.len() > slots {
            let least = units.iter().enumerate().min_by_key(|(at, unit)| (unit.worth, std::cmp::Reverse(*at)));
            let Some((at, _)) = least else { break };
            let lost = units.remove(at);
            units.retain(|unit| !unit.tasks.iter().any(|task| lost.tasks.contains(task)));
            over.extend(lost.tasks);
        }
        self.link(&mut units);
        (units, over)
    }

    /// Tasks so that what comes before stands before, else by how late they may be done, else as in the notes.
    fn ordered(&self, tasks: &[usize]) -> Vec<usize> {
        let here: BTreeSet<usize> = tasks.iter().copied().collect();
        let end = |task: usize| self.limits[task].windows.last().map_or(Timestamp::MAX, |window| window.end);
        let mut waiting: BTreeMap<usize, usize> = BTreeMap::new();
        let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for task in tasks {
            let firsts: BTreeSet<usize> =
                self.limits[*task].after.iter().copied().filter(|first| here.contains(first)).collect();
            waiting.insert(*task, firsts.len());
            for first in firsts {
                next.entry(first).or_default().push(*task);
            }
        }
        let mut ready: BTreeSet<(Timestamp, usize)> =
            tasks.iter().filter(|task| waiting.get(task) == Some(&0)).map(|task| (end(*task), *task)).collect();
        let mut ordered = Vec::with_capacity(tasks.len());
        while let Some((_, task)) = ready.pop_first() {
            ordered.push(task);
            for after in next.get(&task).into_iter().flatten() {
                if let Some(count) = waiting.get_mut(after) {
                    *count -= 1;
                    if *count == 0 {
                        ready.insert((end(*after), *after));
                    }
                }
            }
        }
        // Orders in a circle cannot all be kept: those tasks stand as in the notes.
        let seen: BTreeSet<usize> = ordered.iter().copied().collect();
        ordered.extend(tasks.iter().copied().filter(|task| !seen.contains(task)));
        ordered
    }

    /// A task as one unit, or as parts where it is longer than work on end may be.
    fn push(&self, units: &mut Vec<Unit>, task: usize, parted: bool) {
        let limits = &self.limits[task];
        let minutes = self.minutes[task];
        let unit = |minutes: i64, part| Unit {
            tasks: vec![task],
            minutes,
            windows: limits.windows.clone(),
            place: limits.place.clone(),
            after: Vec::new(),
            worth: self.said[task].worth(),
            part,
        };
        let longest = limits.windows.iter().map(|window| window.minutes()).max().unwrap_or_default();
        let fits = minutes <= longest || minutes < PARTED_FROM_MINUTES;
        let run = self.runs.iter().filter(|run| run.is_of(&[task])).map(|run| run.minutes_max).min();
        if let Some(max) = run.filter(|max| minutes > *max && !self.is_whole_task(task)) {
            let parts = even(minutes, max);
            let of = parts.len();
            units.extend(parts.into_iter().enumerate().map(|(at, own)| unit(own, Some((at + 1, of)))));
            return;
        }
        if self.is_whole_task(task) || minutes <= BLOCK_MINUTES_MAX && fits && !parted {
            units.push(unit(minutes, None));
            return;
        }
        if minutes <= BLOCK_MINUTES_MAX {
            let parts = if minutes > longest { pieces(&limits.windows, minutes) } else { halves(minutes) };
            let of = parts.len();
            units.extend(parts.into_iter().enumerate().map(|(at, own)| unit(own, Some((at + 1, of)))));
            return;
        }
        let parts = even(minutes, BLOCK_MINUTES_MAX);
        let of = parts.len();
        units.extend(parts.into_iter().enumerate().map(|(at, own)| unit(own, Some((at + 1, of)))));
    }

    /// Says which unit comes after which.
    fn link(&self, units: &mut [Unit]) {
        let mut of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, unit) in units.iter().enumerate() {
            for task in &unit.tasks {
                of.entry(*task).or_default().push(at);
            }
        }
        for (at, unit) in units.iter_mut().enumerate() {
            let mut after: BTreeSet<usize> = BTreeSet::new();
            for task in &unit.tasks {
                for first in &self.limits[*task].after {
                    // Only what stands before: where orders go in a circle, one of them is not kept.
                    after.extend(of.get(first).into_iter().flatten().copied().filter(|other| *other < at));
                }
            }
            if unit.part.is_some_and(|(part, _)| part > 1) && at > 0 {
                after.insert(at - 1);
            }
            unit.after = after.into_iter().collect();
        }
    }

    /// What it costs to do two neighbours in one go: their minutes, and those that they wait. `None` where they cannot be.
    fn merge_cost(&self, a: &Unit, b: &Unit) -> Option<i64> {
        let waits = || b.tasks.iter().any(|task| a.tasks.iter().any(|first| self.limits[*task].gap_after(*first) > 0));
        let minutes = a.minutes + b.minutes;
        let places = a.place.is_none() && b.place.is_none() || a.place == b.place;
        let is_optional = |unit: &Unit| unit.tasks.iter().all(|task| self.said[*task].is_optional());
        // A total of some tasks counts their items whole.
        let counted = |unit: &Unit| unit.tasks.iter().any(|task| self.counted.contains(task));
        let fits = a.part.is_none()
            && b.part.is_none()
            && places
            && minutes <= BLOCK_MINUTES_MAX
            && counted(a) == counted(b)
            && is_optional(a) == is_optional(b)
            && !waits()
            && !self.runs.iter().any(|run| run.is_of(&a.tasks) || run.is_of(&b.tasks));
        let both = if fits { shared(&a.windows, &b.windows) } else { Vec::new() };
        if !both.iter().any(|window| window.minutes() >= minutes) {
            return None;
        }
        let first = |windows: &[Interval]| windows.first().map(|window| window.start);
        // What waits for another loses the time between.
        let begins = [first(&a.windows), first(&b.windows)].into_iter().flatten().min();
        let delay = begins.zip(first(&both)).map_or(0, |(one, both)| crate::window::minutes_between(one, both));
        Some(minutes + delay)
    }

    /// Does neighbours in one go, those that cost least first, until there are so many units or none can be.
    fn batch(&self, units: &mut Vec<Unit>, slots: usize) {
        let cost = |units: &[Unit], at: usize| self.merge_cost(units.get(at)?, units.get(at + 1)?);
        let mut costs: Vec<Option<i64>> = (0..units.len()).map(|at| cost(units, at)).collect();
        while units.len() > slots {
            let least = costs.iter().enumerate().filter_map(|(at, cost)| Some(((*cost)?, at))).min();
            let Some((_, at)) = least else { break };
            let second = units.remove(at + 1);
            merge(&mut units[at], second);
            costs.remove(at + 1);
            costs[at] = cost(units, at);
            if at > 0 {
                costs[at - 1] = cost(units, at - 1);
            }
        }
    }
}

/// Minutes of the shortest part of a task.
const PART_MINUTES_MIN: i64 = 15;

/// Most parts into which a task is cut to fit.
const PARTS_MAX: usize = 3;

/// As few parts of a task as there must be for none to be longer than `max`, about as long as each other; no more than a plan has items and one.
fn even(minutes: i64, max: i64) -> Vec<i64> {
    let parts = usize::try_from((minutes - 1) / max + 1).unwrap_or(1).min(ITEMS_MAX + 1);
    let mut rest = minutes;
    (0..parts)
        .map(|part| {
            let left = i64::try_from(parts - part).unwrap_or(1);
            let own = (rest + left - 1) / left;
            rest -= own;
            own
        })
        .collect()
}

/// Two parts of a task.
fn halves(minutes: i64) -> Vec<i64> {
    vec![minutes - minutes / 2, minutes / 2]
}

/// Parts of a task that fits into no window in one piece: the longest window first, in the order of time. One piece, where it does not fit in parts
/// either.
fn pieces(windows: &[Interval], minutes: i64) -> Vec<i64> {
    let mut longest: Vec<&Interval> = windows.iter().collect();
    longest.sort_by_key(|window| (-window.minutes(), window.start));
    let (mut rest, mut parts): (i64, Vec<(Timestamp, i64)>) = (minutes, Vec::new());
    for window in longest.into_iter().take(PARTS_MAX) {
        let mut own = window.minutes().min(rest);
        // What is left must be worth a part of its own.
        if rest > own && rest - own < PART_MINUTES_MIN {
            own -= PART_MINUTES_MIN - (rest - own);
        }
        if own < PART_MINUTES_MIN || rest == 0 {
            break;
        }
        parts.push((window.start, own));
        rest -= own;
    }
    if rest > 0 {
        return vec![minutes];
    }
    parts.sort_unstable();
    parts.into_iter().map(|(_, minutes)| minutes).collect()
}

fn merge(unit: &mut Unit, second: Unit) {
    unit.windows = shared(&unit.windows, &second.windows);
    unit.minutes += second.minutes;
    unit.worth += second.worth;
    unit.tasks.extend(second.tasks);
}
