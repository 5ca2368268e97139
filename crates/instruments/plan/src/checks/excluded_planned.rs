//! The plan does what the notes rule out: something, with somebody, somewhere, at certain times.
//!
//! An item breaks it that is all of what is ruled out at once. Of several tasks in one item each clause is taken by itself.
//!
//! Example: "no calls before 10", and the plan calls the bank at 9:00.
//!
//! Source: the contract for day plans, section 5.1; the rules of `docs/plan.md` (an exclusion is a constraint).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::answer::Item;
use crate::matching::same_place;
use crate::model::{Constraint, Rule, vocabulary};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "excluded-planned",
    gate: Gate::Constraint,
    summary: "the plan does what the notes rule out",
    run: Run::Constraint(judge),
};

/// Whether an item says all the words. Of several tasks in one item each clause is taken by itself.
fn says_all(item: &Item, intent: &[String]) -> bool {
    if !intent.iter().all(|stem| item.stems.contains(stem)) {
        return false;
    }
    let in_clause = |clause: &str| {
        let stems = vocabulary(clause);
        intent.iter().all(|stem| stems.contains(stem))
    };
    item.tasks.len() < 2 || item.task.split([';', ',', '\n']).any(in_clause)
}

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    if let Rule::TaskTimes { tasks, when, only: false } = rule {
        report.under(when, |times, report| {
            for item in case.answer.items.iter().filter(|item| item.tasks.iter().any(|task| tasks.contains(task))) {
                if item.interval().is_some_and(|interval| times.iter().any(|time| time.overlaps(interval))) {
                    let message = format!("{} is ruled out then by {}.", case.name(item), quoted(constraint.text()));
                    report.broken(item.index, message);
                }
            }
        });
        return;
    }
    let Rule::Exclusion { intent, who, place, when } = rule else { return };
    if intent.is_empty() && who.is_none() && place.is_none() {
        return;
    }
    let is_ruled_out = |item: &&Item| {
        says_all(item, intent)
            && who.as_deref().is_none_or(|who| item.is_with(who, case.notes))
            && place.as_deref().is_none_or(|place| item.at.as_deref().is_some_and(|own| same_place(own, place)))
    };
    let items: Vec<&Item> = case.answer.items.iter().filter(is_ruled_out).collect();
    let broken = |item: &Item, report: &mut Report| {
        let message = format!("{} is ruled out by {}.", case.name(item), quoted(constraint.text()));
        report.broken(item.index, message);
    };
    let Some(when) = when else {
        for item in items {
            broken(item, report);
        }
        return;
    };
    report.under(when, |times, report| {
        for item in &items {
            if item.interval().is_some_and(|interval| times.iter().any(|time| time.overlaps(interval))) {
                broken(item, report);
            }
        }
    });
}
