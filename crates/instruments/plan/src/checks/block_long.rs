//! More than 180 minutes of work without a break.
//!
//! Items follow on each other if less than 10 minutes lie between them; what takes place in between by the notes is no break. A
//! task that the notes want done in one go may be longer.
//!
//! Example: work from 9:00 to 12:30.
//!
//! Source: the contract for day plans, section 5.5. Advice: it never fails a plan.

use super::{Case, Check, Gate, Report, Run, counted};
use crate::answer::{Item, Role};
use crate::free::{Reading, taken};
use crate::model::Rule;
use crate::window::{Interval, merged, total_minutes, without};

/// Most minutes of work on end.
pub const BLOCK_MINUTES_MAX: i64 = 180;
/// Shortest break, in minutes.
pub const BREAK_MINUTES_MIN: i64 = 10;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "block-long",
    gate: Gate::Advice,
    summary: "more than 180 minutes of work on end",
    run: Run::Plan(judge),
};

/// The free gaps of a plan that are long enough for a break: between timed items, events of the notes taken out.
pub(super) fn has_break_between(case: &Case<'_>, before: Interval, after: Interval) -> bool {
    let gap = Interval::new(before.end, after.start);
    if gap.minutes() < BREAK_MINUTES_MIN {
        return false;
    }
    let events = case.notes.constraints.iter().filter_map(|it| match &it.rule {
        Rule::FixedEvent { when, .. } => Some(taken(when, Reading::Generous)),
        _ => None,
    });
    let rest = without(&[gap], &merged(events.flatten().collect()));
    rest.iter().any(|part| part.minutes() >= BREAK_MINUTES_MIN) && total_minutes(&rest) >= BREAK_MINUTES_MIN
}

/// The items in the order of time where all have times, else in the order of the plan.
pub(super) fn in_order<'a>(case: &Case<'a>) -> Vec<&'a Item> {
    let mut items: Vec<&Item> = case.answer.items.iter().filter(|item| item.days().is_none()).collect();
    if items.iter().all(|item| item.interval().is_some()) {
        items.sort_by_key(|item| (item.interval(), item.index));
    }
    items
}

fn judge(case: &Case<'_>, report: &mut Report) {
    let mut run: Vec<&Item> = Vec::new();
    let end = |run: &mut Vec<&Item>, report: &mut Report| {
        let minutes = run.iter().filter_map(|item| item.minutes()).fold(0_i64, i64::saturating_add);
        let asked = run
            .iter()
            .any(|item| item.tasks.iter().filter_map(|task| case.notes.tasks.get(*task)).any(|task| task.in_one_go));
        if let (true, Some(first)) = (minutes > BLOCK_MINUTES_MAX && !asked, run.first()) {
            report.broken(
                first.index,
                format!("{} of work on end, beginning with {}.", counted(minutes, "minute"), case.name(first)),
            );
        }
        run.clear();
    };
    for item in in_order(case) {
        let rested = run.last().and_then(|last| Some((last.interval()?, item.interval()?)));
        if rested.is_some_and(|(before, after)| has_break_between(case, before, after)) {
            end(&mut run, report);
        }
        if matches!(item.role, Role::Break | Role::Buffer) {
            end(&mut run, report);
        } else {
            run.push(item);
        }
    }
    end(&mut run, report);
}
