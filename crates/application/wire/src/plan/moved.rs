//! What became of an earlier plan when the rest of its day was planned anew.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Times;
use crate::vocabulary::names;

names! {
    /// What became of an item of the earlier plan.
    PlanChange {
        /// It is done: it stands as it stood.
        Kept = "kept", "done";
        /// It lies ahead, where it lay.
        Unchanged = "unchanged", "as it was";
        /// It lies ahead, at another time.
        Moved = "moved", "moved";
        /// It is planned no more.
        Dropped = "dropped", "dropped";
        /// It was not in the earlier plan.
        Added = "added", "added";
    }
}

/// An item of the earlier plan or of the new one, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanMove {
    /// What is to be done, or was.
    pub task: String,
    /// What became of it.
    pub change: PlanChange,
    /// Why, where there is more to say.
    pub why: Option<String>,
    /// When it lay in the earlier plan; `null` where it was not in it.
    pub from: Option<Times>,
    /// When it lies now; `null` where it is planned no more.
    pub to: Option<Times>,
}
