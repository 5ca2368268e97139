//! What an item says: the task in the words of the notes, and why, with what the notes say of it.

use super::{Attempt, Unit};
use crate::answer::Role;
use crate::checks::quoted;
use crate::model::{Constraint, Notes, Priority, Rule};
use crate::plan::PlanItem;
use crate::window::{Interval, clock};

/// Tasks that a list names; of more the number is said.
const LISTED_MAX: usize = 8;

/// Minutes of what is called small together.
const SMALL_MINUTES_MAX: i64 = 60;

/// Constraints that a `why` quotes.
const QUOTES_MAX: usize = 3;

/// Tasks in a list: `"a", "b" and 3 more`.
pub(super) fn listed(notes: &Notes, tasks: &[usize]) -> String {
    let mut seen = std::collections::BTreeSet::new();
    let once: Vec<usize> = tasks.iter().copied().filter(|task| seen.insert(*task)).collect();
    let shown: Vec<String> = once.iter().take(LISTED_MAX).map(|task| super::named(notes, *task)).collect();
    match once.len().saturating_sub(LISTED_MAX) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

impl Attempt<'_> {
    /// The item of a unit.
    pub(super) fn item(&self, unit: &Unit, when: Interval) -> PlanItem {
        let names: Vec<&str> = unit.tasks.iter().map(|task| self.notes.tasks[*task].text.trim()).collect();
        let mut task = names.join("; ");
        if let Some((part, of)) = unit.part {
            task.push_str(&format!(" (part {part} of {of})"));
        }
        let mut with: Vec<String> = Vec::new();
        let mut ids: Vec<String> = Vec::new();
        for task in &unit.tasks {
            for name in &self.notes.tasks[*task].with {
                if !with.contains(name) {
                    with.push(name.clone());
                }
            }
            let bearing = self.limits[*task].constraints.iter().filter_map(|at| self.notes.constraints.get(*at));
            for constraint in bearing {
                if !ids.contains(&constraint.id) {
                    ids.push(constraint.id.clone());
                }
            }
        }
        PlanItem {
            why: self.why(unit),
            task,
            timebox_minutes: unit.minutes,
            when,
            with,
            place: unit.place.clone(),
            constraint_ids: ids,
            tasks: unit.tasks.clone(),
            role: Role::Work,
        }
    }

    fn why(&self, unit: &Unit) -> String {
        if let [task] = unit.tasks[..] {
            let said = quoted(self.notes.tasks[task].quote.text());
            let mut parts = vec![format!("The notes say {said}")];
            if self.notes.tasks[task].priority >= Priority::High {
                parts.push("it comes first".to_owned());
            }
            parts.extend(self.reasons(task).take(QUOTES_MAX));
            return format!("{}.", parts.join("; "));
        }
        let small = if unit.minutes <= SMALL_MINUTES_MAX { "small " } else { "" };
        let mut parts = vec![format!("{} {small}things in one go", unit.tasks.len())];
        parts.extend(unit.tasks.iter().flat_map(|task| self.reasons(*task)).take(QUOTES_MAX));
        format!("{}.", parts.join("; "))
    }

    /// What binds a task, each with the words of the notes unless they are the task's own.
    fn reasons(&self, task: usize) -> impl Iterator<Item = String> {
        let own = self.notes.tasks[task].quote.text();
        let bearing = self.limits[task].constraints.iter().filter_map(|at| self.notes.constraints.get(*at));
        bearing.filter_map(move |constraint| {
            let what = self.reason(task, constraint)?;
            let words = constraint.text();
            Some(if words == own { what } else { format!("{what} ({})", quoted(words)) })
        })
    }

    fn reason(&self, task: usize, constraint: &Constraint) -> Option<String> {
        let notes = self.notes;
        let at = |at| clock(at, notes.now.time_zone(), notes.now.date());
        let rule = match &constraint.rule {
            Rule::Preference { wish } => wish,
            rule => rule,
        };
        Some(match rule {
            Rule::Deadline { by, .. } => format!("it is due by {}", at(crate::free::pick(by, false))),
            Rule::NotBefore { from, .. } => format!("it can begin at {}", at(crate::free::pick(from, true))),
            Rule::MustDo { .. } => "it must be done".to_owned(),
            Rule::Order { first, then, .. } if *then == task => {
                format!("it comes after {}", super::named(notes, *first))
            }
            Rule::Order { then, .. } => format!("{} waits for it", super::named(notes, *then)),
            Rule::Presence { who: Some(who), place, .. } => format!("{who} is at {place}"),
            Rule::Blocked { who: Some(who), .. } | Rule::Availability { who: Some(who), .. } => {
                format!("{who} has time then")
            }
            _ => return None,
        })
    }
}
