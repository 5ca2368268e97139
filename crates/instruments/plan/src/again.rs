//! Planning the rest of a day: notes without what is done.

use std::collections::BTreeSet;

use crate::model::{Constraint, Notes, Rule};

/// The notes without these tasks, by their places in [`Notes::tasks`], and without what is said of them alone. Ids of constraints stay.
#[must_use]
pub fn without_tasks(notes: &Notes, done: &BTreeSet<usize>) -> Notes {
    let mut places: Vec<Option<usize>> = Vec::with_capacity(notes.tasks.len());
    let mut left = 0;
    for at in 0..notes.tasks.len() {
        places.push((!done.contains(&at)).then_some(left));
        left += usize::from(!done.contains(&at));
    }
    let constraints = notes.constraints.iter().filter_map(|own| {
        let rule = moved(&own.rule, &places)?;
        Some(Constraint { rule, ..own.clone() })
    });
    Notes {
        tasks: notes
            .tasks
            .iter()
            .enumerate()
            .filter(|(at, _)| !done.contains(at))
            .map(|(_, task)| task.clone())
            .collect(),
        constraints: constraints.collect(),
        excepted: notes
            .excepted
            .iter()
            .filter_map(|(id, task)| Some((id.clone(), places.get(*task).copied()??)))
            .collect(),
        ..notes.clone()
    }
}

/// A rule with tasks at their new places; `None` where nothing of it is left.
pub(crate) fn moved(rule: &Rule, places: &[Option<usize>]) -> Option<Rule> {
    let place = |task: usize| places.get(task).copied().flatten();
    // Of all work it stays so.
    let of = |task: Option<usize>| task.map_or(Some(None), |task| place(task).map(Some));
    let some = |tasks: &[usize]| {
        let left: Vec<usize> = tasks.iter().filter_map(|task| place(*task)).collect();
        (!left.is_empty()).then_some(left)
    };
    Some(match rule {
        Rule::Deadline { task, by } => Rule::Deadline { task: of(*task)?, by: by.clone() },
        Rule::NotBefore { task, from } => Rule::NotBefore { task: of(*task)?, from: from.clone() },
        Rule::MustDo { task, within } => Rule::MustDo { task: place(*task)?, within: *within },
        Rule::Duration { task, minutes_min, minutes_max } => {
            Rule::Duration { task: place(*task)?, minutes_min: *minutes_min, minutes_max: *minutes_max }
        }
        Rule::Order { first, then, gap } => Rule::Order { first: place(*first)?, then: place(*then)?, gap: *gap },
        Rule::Preference { wish } => Rule::Preference { wish: Box::new(moved(wish, places)?) },
        Rule::Objective { tasks } if tasks.is_empty() => rule.clone(),
        Rule::Objective { tasks } => Rule::Objective { tasks: some(tasks)? },
        Rule::TaskTimes { tasks, when, only } => {
            Rule::TaskTimes { tasks: some(tasks)?, when: when.clone(), only: *only }
        }
        Rule::Run { tasks, minutes_max, rest } if !tasks.is_empty() => {
            Rule::Run { tasks: some(tasks)?, minutes_max: *minutes_max, rest: *rest }
        }
        Rule::Total { unit, tasks, min, max } if !tasks.is_empty() => {
            Rule::Total { unit: *unit, tasks: some(tasks)?, min: *min, max: *max }
        }
        other => other.clone(),
    })
}
