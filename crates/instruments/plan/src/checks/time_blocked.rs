//! Work lies in time that the notes block, or during an event of the notes.
//!
//! Breaks may lie there, and so may what the time is blocked for. Time that is blocked for somebody else keeps out only what is
//! done with that person.
//!
//! Example: "don't book over lunch, 12 to 1", and the plan writes the report from 11:30 to 12:30.
//!
//! Source: the contract for day plans, section 5.1 (scheduling work during a blocked window).

use super::{Case, Check, Gate, Report, Run, quoted};
use crate::answer::Role;
use crate::model::{Constraint, Rule};
use crate::window::{holds, merged};

/// The check.
pub(super) const CHECK: Check = Check {
    id: "time-blocked",
    gate: Gate::Constraint,
    summary: "work lies in blocked time or during an event",
    run: Run::Constraint(judge),
};

fn judge(case: &Case<'_>, constraint: &Constraint, rule: &Rule, report: &mut Report) {
    let (who, when) = match rule {
        Rule::Blocked { who, when, .. } => (who.as_deref(), when),
        Rule::FixedEvent { when, .. } => (None, when),
        _ => return,
    };
    let is_event = matches!(rule, Rule::FixedEvent { .. });
    report.under(when, |times, report| {
        for item in &case.answer.items {
            let Some(interval) = item.interval() else { continue };
            if matches!(item.role, Role::Break | Role::Buffer) || who.is_some_and(|who| !item.is_with(who, case.notes))
            {
                continue;
            }
            let beside = |task: &usize| case.notes.excepted.iter().any(|(id, own)| *id == constraint.id && own == task);
            if !item.tasks.is_empty() && item.tasks.iter().all(beside) {
                continue;
            }
            let Some(blocked) = times.iter().find(|blocked| blocked.overlaps(interval)) else { continue };
            if item.role == Role::Event && carries_out(case, item, constraint, interval, times) {
                continue;
            }
            let what = who.map_or(String::new(), |who| format!("{who}: "));
            let (lies, reason) = if is_event { ("takes place during", "is fixed") } else { ("lies in", "is blocked") };
            report.broken(
                item.index,
                format!(
                    "{} {lies} {what}{}: {} {reason}.",
                    case.name(item),
                    quoted(constraint.text()),
                    case.times(*blocked)
                ),
            );
        }
    });
}

/// Whether the item is what the time is taken for. An event that lies where another event of its name is, as one of two
/// standups, is none of this one's business either.
fn carries_out(
    case: &Case<'_>,
    item: &crate::answer::Item,
    constraint: &Constraint,
    interval: crate::window::Interval,
    times: &[crate::window::Interval],
) -> bool {
    let is_own = item.events.iter().filter_map(|at| case.notes.constraints.get(*at)).any(|it| it.id == constraint.id);
    // What an event's item reaches beyond its time is the business of `event-moved`.
    is_own && (matches!(constraint.rule, Rule::FixedEvent { .. }) || holds(&merged(times.to_vec()), interval))
}
