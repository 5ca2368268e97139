//! The notes ask for as many of something as possible, and the plan holds fewer than can be done.
//!
//! How many can be done is found by exact search over at most 12 tasks, with their times, places, ways and order, under the least
//! favourable reading of every ambiguous time. Tasks of unknown length cannot be counted: then it is not checked.
//!
//! Example: "meet as many friends as possible"; three can be met, the plan meets two.
//!
//! Source: the rules of `docs/plan.md` (objective).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::model::{Constraint, Rule};
use crate::objective::{TASKS_MAX, most};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "objective-missed",
    gate: Gate::Constraint,
    summary: "fewer are done than can be done",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let Rule::Objective { tasks } = rule else { return };
    let tasks: Vec<usize> = if tasks.is_empty() { (0..case.notes.tasks.len()).collect() } else { tasks.clone() };
    let done = tasks.iter().filter(|task| case.items_of(**task).next().is_some()).count();
    if done == tasks.len() {
        return;
    }
    let said = quoted(constraint.text());
    match most(case.notes, case.settings, &tasks) {
        None => report.unchecked(format!(
            "whether as many are done as possible ({said}) is not checked: there are more than {TASKS_MAX}, or how long they \
             take is not said"
        )),
        Some(possible) if done < possible.len() => {
            let example: Vec<String> = possible.iter().map(|task| quoted(case.task(*task))).collect();
            report.broken(
                None,
                format!("the plan does {done}; {} can be done: {} ({said}).", possible.len(), example.join(", ")),
            );
        }
        Some(_) => {}
    }
}
