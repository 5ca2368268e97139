//! What somebody who understands notes proposes of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Kind;
use crate::model::Aside;

/// What notes ask beside what code reads in them, and what of code's reading is wrong. Code looks up every quote, reads it by itself, and takes what it can stand
/// for: that binds plans. Nothing that code reads is dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanProposals {
    /// What is to be done and was not read.
    #[serde(default)]
    pub tasks: Vec<TaskProposal>,
    /// What is required and was not read.
    #[serde(default)]
    pub constraints: Vec<ConstraintProposal>,
    /// What was read and is not meant so.
    #[serde(default)]
    pub contested: Vec<Contested>,
}

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskProposal {
    /// The words of the notes, verbatim.
    pub quote: String,
}

/// Something required.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConstraintProposal {
    /// Its kind; not `contract`, which no notes state.
    pub kind: Kind,
    /// The words of the notes, verbatim: a whole clause.
    pub quote: String,
    /// Those of them that say when; empty where none do.
    #[serde(default)]
    pub times: String,
}

/// A constraint that code reads and somebody contests. It binds all the same, and is asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contested {
    /// Its id, as `plan constraints` names it.
    pub constraint: String,
    /// Why, in one sentence for a reader; at most 400 characters are kept.
    #[serde(default)]
    pub why: String,
}

/// What became of proposals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanProposed {
    /// The tasks that were taken, in the words of the notes.
    pub tasks: Vec<String>,
    /// The constraints that were taken, by their ids, which begin with `m`.
    pub constraints: Vec<String>,
    /// The constraints of code that are contested; each is asked about in `questions`.
    pub contested: Vec<Contested>,
    /// What was not taken, and why.
    pub set_aside: Vec<Aside>,
}
