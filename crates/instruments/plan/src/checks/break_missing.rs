//! 240 minutes or more are planned, and there is no break.
//!
//! A break is an item of its own, or 10 free minutes between two items.
//!
//! Source: the contract for day plans, section 5.5. Advice: it never fails a plan.

use super::block_long::{has_break_between, in_order};
use super::{Case, Check, Gate, Report, Run, counted};
use crate::answer::{Item, Role};

/// From so many minutes on a break is needed.
pub const BREAK_FROM_MINUTES: i64 = 240;

/// The check.
pub(super) const CHECK: Check = Check {
    id: "break-missing",
    gate: Gate::Advice,
    summary: "240 minutes or more without any break",
    run: Run::Plan(judge),
};

fn judge(case: &Case<'_>, report: &mut Report) {
    let items = in_order(case);
    let minutes = items.iter().filter_map(|item| item.minutes()).fold(0_i64, i64::saturating_add);
    if minutes < BREAK_FROM_MINUTES {
        return;
    }
    let is_break = |item: &&Item| matches!(item.role, Role::Break | Role::Buffer);
    let gap = items.windows(2).any(|pair| match (pair[0].interval(), pair[1].interval()) {
        (Some(before), Some(after)) => has_break_between(case, before, after),
        _ => false,
    });
    if !items.iter().any(is_break) && !gap {
        let mut sum = 0_i64;
        let late = items.iter().find(|item| {
            sum = sum.saturating_add(item.minutes().unwrap_or_default());
            sum >= BREAK_FROM_MINUTES
        });
        report.broken(
            late.map(|item| item.index),
            format!("{} are planned without a break.", counted(minutes, "minute")),
        );
    }
}
