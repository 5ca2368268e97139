//! Minutes planned against minutes there are, and which tasks are in the plan.
//!
//! Source: the contract for day plans, sections 5.2 and 5.4.

use crate::answer::{Item, Role};
use crate::checks::Case;
use crate::model::Rule;
use crate::window::touches;

/// Minutes planned and minutes there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Whether the notes state how much time there is.
    pub is_stated: bool,
    /// The free minutes that the notes state, and those of items that carry out their events; 0 where they state none.
    pub available_minutes: i64,
    /// The sum of all timeboxes.
    pub planned_minutes: i64,
}

impl Budget {
    /// Minutes planned beyond those there are; 0 where the notes state none.
    #[must_use]
    pub fn overflow_minutes(self) -> i64 {
        if self.is_stated { self.planned_minutes.saturating_sub(self.available_minutes).max(0) } else { 0 }
    }
}

/// The minutes of a plan.
#[must_use]
pub fn budget(case: &Case<'_>) -> Budget {
    let sum = |items: &mut dyn Iterator<Item = &Item>| {
        items.filter_map(Item::minutes).fold(0_i64, |sum, minutes| sum.saturating_add(minutes.max(0)))
    };
    let items = &case.answer.items;
    let is_stated = case.free.stated;
    // What the notes place outside free time takes nothing of it: their events, and breaks in time that is blocked for work.
    let outside = sum(&mut items.iter().filter(|item| match item.role {
        Role::Event => true,
        Role::Break => item.interval().is_some_and(|interval| {
            !touches(&case.free.windows, interval) && case.notes.constraints.iter().any(|it| is_block(&it.rule))
        }),
        _ => false,
    }));
    Budget {
        is_stated,
        available_minutes: if is_stated { case.free.minutes().saturating_add(outside) } else { 0 },
        planned_minutes: sum(&mut items.iter()),
    }
}

const fn is_block(rule: &Rule) -> bool {
    matches!(rule, Rule::Blocked { who: None, .. } | Rule::FixedEvent { .. })
}

/// For each task of the notes whether an item's `task` names it.
#[must_use]
pub fn coverage(case: &Case<'_>) -> Vec<bool> {
    let mut covered = vec![false; case.notes.tasks.len()];
    for item in &case.answer.items {
        for task in case.matcher.tasks(&item.stems).into_iter().chain(item.tasks.iter().copied()) {
            if let Some(covered) = covered.get_mut(task) {
                *covered = true;
            }
        }
    }
    covered
}
