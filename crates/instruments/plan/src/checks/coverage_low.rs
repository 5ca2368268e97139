//! A planner's answer carries out less than seven tenths of the tasks of the notes.
//!
//! A task counts as in the plan if an item's `task` names it by most of its content words, compared as stems; `why` does not count.
//! A bare list of events is not bound by it; which tasks it lacks is said all the same.
//!
//! Example: of four tasks the plan holds two.
//!
//! Source: the contract for day plans, section 5.4.

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::answer::Form;
use crate::budget::coverage;

/// Smallest share of the tasks that a plan may hold, in tenths.
pub const COVERAGE_TENTHS_MIN: usize = 7;

/// Tasks that the message names.
const TASKS_SHOWN_MAX: usize = 5;

/// What is said of a list of events.
const UNBOUND: &str = "the plan is a list of events: item count, timeboxes and coverage of the tasks are not checked";

/// The check.
pub(super) const CHECK: Check = Check {
    id: "coverage-low",
    gate: Gate::Coverage,
    summary: "the plan leaves out more than three tenths of the tasks",
    run: Run::Plan(judge),
};

fn judge(case: &Case<'_>, report: &mut Report) {
    if case.notes.tasks.is_empty() {
        if case.answer.form == Form::Plan {
            report.unchecked("the notes hold no task, so coverage is not checked");
        } else {
            report.unchecked(UNBOUND);
        }
        return;
    }
    let covered = coverage(case);
    // What is done only if there is time is missed by nobody.
    let missing = |task: &usize| !covered[*task] && !case.said[*task].is_optional();
    let gone: Vec<usize> = (0..covered.len()).filter(missing).collect();
    let (all, count) = (covered.len(), covered.len() - gone.len());
    let mut names: Vec<String> = gone.iter().map(|task| quoted(case.task(*task))).collect();
    let rest = names.len().saturating_sub(TASKS_SHOWN_MAX);
    names.truncate(TASKS_SHOWN_MAX);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let said = format!("the plan holds {count} of {all} tasks; missing are {}{more}", names.join(", "));
    if case.answer.form == Form::Events {
        report.unchecked(if gone.is_empty() { UNBOUND.to_owned() } else { format!("{UNBOUND}; {said}") });
    } else if count * 10 < all * COVERAGE_TENTHS_MIN {
        report.broken(None, format!("{said}."));
    }
}
