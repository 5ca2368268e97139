//! A plan of the planner's own.

use jiff::tz::TimeZone;

use crate::answer::{Given, Item, Role, written};
use crate::window::{Interval, Moment};

/// One item of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanItem {
    /// What is to be done, in the words of the notes.
    pub task: String,
    /// Why, quoting the notes.
    pub why: String,
    /// For how many minutes.
    pub timebox_minutes: i64,
    /// When; as long as its timebox.
    pub when: Interval,
    /// With whom.
    pub with: Vec<String>,
    /// Where.
    pub place: Option<String>,
    /// The ids of the constraints that bear on it.
    pub constraint_ids: Vec<String>,
    /// The tasks that it carries out.
    pub tasks: Vec<usize>,
    /// What it is for.
    pub role: Role,
}

impl PlanItem {
    /// An item of a plan that was read, where it has times.
    #[must_use]
    pub fn of(item: &Item) -> Option<Self> {
        let when = item.interval()?;
        Some(Self {
            task: item.task.clone(),
            why: item.why.clone(),
            timebox_minutes: item.timebox_minutes.unwrap_or_else(|| when.minutes()),
            when,
            with: item.with.clone(),
            place: item.place.clone(),
            constraint_ids: Vec::new(),
            tasks: item.tasks.clone(),
            role: item.role,
        })
    }

    /// The item as the plain values that a plan is checked from: our own plans are read like anybody's.
    #[must_use]
    pub fn given(&self, zone: &TimeZone) -> Given {
        Given {
            task: Some(self.task.clone()),
            why: Some(self.why.clone()),
            timebox_minutes: Some(self.timebox_minutes),
            start: Some(written(Moment::At(self.when.start), zone)),
            end: Some(written(Moment::At(self.when.end), zone)),
            with: self.with.clone(),
            place: self.place.clone(),
        }
    }
}

steadfast_evidence::vocabulary! {
    /// How sure the planner is of its plan. It decides nothing.
    Confidence {
        /// A question stands.
        Low = "low", "low";
        /// Neither of the others.
        Medium = "medium", "medium";
        /// A fifth of the free time is left, and every task is in the plan.
        High = "high", "high";
    }
}

/// Why not everything fits: the tasks that must lie between two points in time need more minutes than are free there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overload {
    /// Minutes that these tasks need at least.
    pub needed_minutes: i64,
    /// Minutes that are free there, under the most generous reading.
    pub free_minutes: i64,
    /// Between these two.
    pub within: Interval,
    /// The tasks that must lie there.
    pub tasks: Vec<usize>,
    /// What to drop or move: tasks that the best partial plan leaves out.
    pub drop: Vec<usize>,
    /// The proof in one sentence.
    pub proof: String,
}

/// Whether everything fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// The plan holds every task but optional ones.
    Feasible,
    /// It is proved that no plan can.
    Infeasible(Overload),
    /// The planner found none that does, and has no proof that there is none.
    Unproven,
}

/// A plan, and what was settled in making it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its items, in the order of time.
    pub items: Vec<PlanItem>,
    /// What was settled without asking.
    pub assumptions: Vec<String>,
    /// What must be asked.
    pub questions: Vec<String>,
    /// How sure the planner is.
    pub confidence: Confidence,
    /// Tasks that are not in it.
    pub left_out: Vec<usize>,
    /// Whether everything fits.
    pub feasibility: Feasibility,
}

impl Plan {
    /// The items as plain values.
    #[must_use]
    pub fn given(&self, zone: &TimeZone) -> Vec<Given> {
        self.items.iter().map(|item| item.given(zone)).collect()
    }
}
