//! What the notes allow a task: when it may be done, where, after what. Read cautiously, what is planned within these limits
//! keeps the constraint under each reading; read generously, what does not fit into them fits under no reading.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::free::{Reading, Settings, admitted, binding, pick, taken};
use crate::matching::{same_person, same_place};
use crate::model::{Constraint, Extent, Notes, Readings, Rule, Times};
use crate::window::{Interval, Window, merged, shared, without};

/// When and where a task may be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// When, merged: within the free time that was given.
    pub windows: Vec<Interval>,
    /// Where.
    pub place: Option<String>,
    /// Tasks that come before.
    pub after: Vec<usize>,
    /// Of those the ones after which it has to wait, and for how many minutes.
    pub gaps: Vec<(usize, i64)>,
    /// The constraints that limit it, by their place in the notes.
    pub constraints: Vec<usize>,
}

impl Limits {
    /// How many minutes it has to wait after another task.
    #[must_use]
    pub fn gap_after(&self, first: usize) -> i64 {
        self.gaps.iter().filter(|(task, _)| *task == first).map(|(_, minutes)| *minutes).max().unwrap_or_default()
    }
}

/// The limits of every task within `free`.
#[must_use]
pub fn limits(
    notes: &Notes,
    settings: &Settings,
    free: &[Interval],
    reading: Reading,
    with_wishes: bool,
) -> Vec<Limits> {
    let generous = reading == Reading::Generous;
    let wishes = with_wishes || settings.preferences_hard;
    let mut all: Vec<Limits> = notes
        .tasks
        .iter()
        .map(|task| Limits {
            windows: free.to_vec(),
            place: task.place.clone(),
            after: Vec::new(),
            gaps: Vec::new(),
            constraints: Vec::new(),
        })
        .collect();
    // What some constraints do not bind has the time that the others leave.
    let excepted: BTreeSet<usize> = notes.excepted.iter().map(|(_, task)| *task).collect();
    for task in excepted {
        let lifted = |own: &&Constraint| !notes.excepted.iter().any(|(id, of)| *of == task && *id == own.id);
        let constraints = notes.constraints.iter().filter(lifted).cloned().collect();
        let others = Notes { constraints, ..notes.clone() };
        if let Some(limits) = all.get_mut(task) {
            limits.windows = crate::free::free(&others, settings, reading, with_wishes).windows;
        }
    }
    let mut met: Vec<bool> = vec![false; notes.tasks.len()];
    for (at, constraint) in notes.constraints.iter().enumerate() {
        let Some(rule) = binding(constraint, wishes) else { continue };
        match rule {
            Rule::Deadline { task: Some(task), by } => {
                keep(&mut all, *task, at, &[Interval::until(pick(by, generous))]);
            }
            Rule::NotBefore { task: Some(task), from } => {
                keep(&mut all, *task, at, &[Interval::from(pick(from, !generous))]);
            }
            Rule::MustDo { task, within } => {
                keep(&mut all, *task, at, &[within.unwrap_or(Interval::ALWAYS)]);
            }
            Rule::Duration { task, .. } => keep(&mut all, *task, at, &[Interval::ALWAYS]),
            Rule::Run { tasks, .. } => tasks.iter().for_each(|task| keep(&mut all, *task, at, &[Interval::ALWAYS])),
            Rule::Order { first, then, gap } => {
                keep(&mut all, *first, at, &[Interval::ALWAYS]);
                keep(&mut all, *then, at, &[Interval::ALWAYS]);
                if let Some(limits) = all.get_mut(*then).filter(|_| first != then) {
                    limits.after.push(*first);
                    limits.gaps.extend((*gap > 0).then_some((*first, *gap)));
                }
            }
            Rule::TaskTimes { tasks, when, only } => {
                for task in tasks {
                    if *only {
                        keep(&mut all, *task, at, &admitted(when, reading));
                    } else {
                        drop_times(&mut all, *task, at, &taken(when, reading));
                    }
                }
            }
            Rule::Availability { who: Some(who), when } => {
                for task in tasks_with(notes, who) {
                    keep(&mut all, task, at, &admitted(when, reading));
                }
            }
            Rule::Blocked { who: Some(who), when, .. } => {
                for task in tasks_with(notes, who) {
                    drop_times(&mut all, task, at, &taken(when, reading));
                }
            }
            Rule::Exclusion { intent, who, place, when } => {
                for task in excluded(notes, intent, who.as_deref(), place.as_deref()) {
                    let times = when.as_ref().map_or(vec![Interval::ALWAYS], |when| taken(when, reading));
                    drop_times(&mut all, task, at, &times);
                }
            }
            Rule::Presence { who: None, place, when, extent: Extent::Throughout } => {
                // What has to be done elsewhere is not done while the planner has to be here.
                let times = presence(when, !generous);
                for task in 0..notes.tasks.len() {
                    if all[task].place.as_deref().is_some_and(|own| !same_place(own, place)) {
                        drop_times(&mut all, task, at, &times);
                    }
                }
            }
            Rule::Presence { who: Some(who), place, when, .. } => {
                let times = presence(when, generous);
                for task in tasks_with(notes, who) {
                    let limits = &mut all[task];
                    if met[task] && limits.place.as_ref() != Some(place) {
                        continue;
                    }
                    if met[task] {
                        // The same place again: one more time to meet.
                        let again = shared(free, &times);
                        limits.windows = merged([limits.windows.clone(), again].concat());
                        limits.constraints.push(at);
                    } else {
                        met[task] = true;
                        limits.place = Some(place.clone());
                        keep(&mut all, task, at, &times);
                    }
                }
            }
            _ => {}
        }
    }
    all
}

/// Where the notes say that the planner is first, and until when.
#[must_use]
pub fn origin(notes: &Notes) -> Option<(Timestamp, &str)> {
    let starts = notes.constraints.iter().filter(|it| it.hard).filter_map(|constraint: &Constraint| {
        let Rule::Presence { who: None, place, when, extent: Extent::Throughout } = &constraint.rule else {
            return None;
        };
        let mut clock = when.iter().flatten().filter_map(|window| match window {
            Window::Clock(interval) if interval.start == interval.end => Some(interval.end),
            _ => None,
        });
        clock.next().map(|end| (end, place.as_str()))
    });
    starts.min()
}

fn keep(all: &mut [Limits], task: usize, constraint: usize, times: &[Interval]) {
    if let Some(limits) = all.get_mut(task) {
        limits.windows = shared(&limits.windows, times);
        limits.constraints.push(constraint);
    }
}

fn drop_times(all: &mut [Limits], task: usize, constraint: usize, times: &[Interval]) {
    if let Some(limits) = all.get_mut(task) {
        limits.windows = without(&limits.windows, times);
        limits.constraints.push(constraint);
    }
}

/// Times by the clock, in every reading or, generously, in any.
fn presence(when: &Readings<Vec<Window>>, generous: bool) -> Times {
    let clock = |windows: &Vec<Window>| -> Times {
        let times = windows.iter().filter_map(|window| match window {
            Window::Clock(interval) => Some(*interval),
            Window::Days(_) => None,
        });
        merged(times.collect())
    };
    if generous {
        return merged(when.iter().flat_map(clock).collect());
    }
    let mut readings = when.iter().map(clock);
    let first = readings.next().unwrap_or_default();
    readings.fold(first, |all, times| shared(&all, &times))
}

/// Tasks that are done with `person`.
fn tasks_with<'a>(notes: &'a Notes, person: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_with = move |task: &crate::model::Task| {
        let named: Vec<String> = crate::model::intent(person);
        task.with.iter().any(|name| same_person(name, person))
            || (!named.is_empty() && named.iter().all(|stem| task.intent.contains(stem)))
    };
    notes.tasks.iter().enumerate().filter(move |(_, task)| is_with(task)).map(|(at, _)| at)
}

/// Tasks that an exclusion speaks of.
fn excluded<'a>(
    notes: &'a Notes,
    intent: &'a [String],
    who: Option<&'a str>,
    place: Option<&'a str>,
) -> impl Iterator<Item = usize> + 'a {
    let given = !intent.is_empty() || who.is_some() || place.is_some();
    let is_ruled_out = move |task: &crate::model::Task| {
        given
            && intent.iter().all(|stem| task.intent.contains(stem))
            && who.is_none_or(|who| task.with.iter().any(|name| same_person(name, who)))
            && place.is_none_or(|place| task.place.as_deref().is_some_and(|own| same_place(own, place)))
    };
    notes.tasks.iter().enumerate().filter(move |(_, task)| is_ruled_out(task)).map(|(at, _)| at)
}
