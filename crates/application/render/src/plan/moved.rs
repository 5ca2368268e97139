//! What became of an earlier plan, in lines.

use steadfast_wire::plan::{PlanChange, PlanMove, Times};

use super::day::span;
use crate::plain::one_line;

/// What the lines stand under.
pub(super) const TITLE: &str = "What became of the earlier plan";

/// A line for each item: "moved 10:00–10:45 → 13:00–13:45: write the report".
pub(super) fn lines(moved: &[PlanMove], today: &str) -> Vec<String> {
    let when = |times: &Times| span(times.start.as_deref(), times.end.as_deref(), today);
    let line = |own: &PlanMove| {
        let times = match (own.change, &own.from, &own.to) {
            (PlanChange::Moved, Some(from), Some(to)) => format!("{} → {}", when(from), when(to)),
            (_, _, Some(times)) | (_, Some(times), None) => when(times),
            _ => String::new(),
        };
        let why = own.why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        one_line(&format!("{} {times}: {}{why}", own.change.label(), own.task))
    };
    moved.iter().map(line).collect()
}
