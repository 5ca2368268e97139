//! Work lies outside the time that the notes make available, or is planned where no minute of it is free.
//!
//! Breaks and events of the notes may lie outside. Somebody else's availability binds only what is done with that person.
//!
//! Example: "I have from 2 to 5 today", and the plan begins at 13:00.
//!
//! Source: the contract for day plans, section 5.1 (exceeding stated availability).

use super::{Case, Check, Gate, Report, Run, counted, quoted};
use crate::model::{Constraint, Rule};
use crate::window::{holds, merged};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "outside-availability",
    gate: Gate::Constraint,
    summary: "work lies outside the available time",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    if let Rule::TaskTimes { tasks, when, only: true } = rule {
        report.under(when, |times, report| {
            let times = merged(times.clone());
            let bound = |item: &&crate::answer::Item| item.tasks.iter().any(|task| tasks.contains(task));
            for item in case.answer.items.iter().filter(bound) {
                if item.interval().is_some_and(|interval| !holds(&times, interval)) {
                    let (name, all) = (case.name(item), case.all_times(&times));
                    let message = format!("{name} lies outside its time, {all} ({}).", quoted(constraint.text()));
                    report.broken(item.index, message);
                }
            }
        });
        return;
    }
    let Rule::Availability { who, when } = rule else { return };
    report.under(when, |times, report| {
        let times = merged(times.clone());
        for item in case.answer.items.iter().filter(|item| item.is_work()) {
            let bound = who.as_deref().is_none_or(|who| item.is_with(who, case.notes));
            let beside = |task: &usize| case.notes.excepted.iter().any(|(id, own)| *id == constraint.id && own == task);
            if !item.tasks.is_empty() && item.tasks.iter().all(beside) {
                continue;
            }
            let outside = |interval| !holds(&times, interval);
            if bound && item.interval().is_some_and(outside) {
                let whose = who.as_ref().map_or(String::new(), |who| format!("{who}: "));
                report.broken(
                    item.index,
                    format!(
                        "{} lies outside the available time, {}{} ({}).",
                        case.name(item),
                        whose,
                        case.all_times(&times),
                        quoted(constraint.text())
                    ),
                );
            }
        }
    });
    if who.is_none() && case.free.stated && case.free.minutes() == 0 {
        let untimed = |item: &&crate::answer::Item| item.is_work() && item.when.is_none();
        let minutes: i64 = case
            .answer
            .items
            .iter()
            .filter(untimed)
            .filter_map(crate::answer::Item::minutes)
            .fold(0, |sum, minutes| sum.saturating_add(minutes.max(0)));
        if minutes > 0 {
            report.broken(
                None,
                format!(
                    "the plan has {} of work, but no minute is free ({}).",
                    counted(minutes, "minute"),
                    quoted(constraint.text())
                ),
            );
        }
    }
}
