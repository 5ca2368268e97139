//! How the variants of the planner do on days whose truth is known.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Confidence, Status, Variant};
use crate::number;

/// Every variant over the same days (sections 8, 10 and 11 of the contract for day plans).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bench {
    /// The version of this JSON.
    pub schema_version: String,
    /// How many days.
    pub days: usize,
    /// Those of them written by hand.
    pub canonical_days: usize,
    /// Those of them on which everything can be done.
    pub feasible_days: usize,
    /// Those on which it cannot, by the generator's own arithmetic.
    pub infeasible_days: usize,
    /// What the reader of notes makes of the days.
    pub reader: BenchReader,
    /// The comparison, a row each.
    pub variants: Vec<BenchVariant>,
    /// Every day with every variant; the days written by hand once more inside long notes.
    pub rows: Vec<BenchRow>,
}

/// What the reader of notes makes of the days, against what the generator knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchReader {
    /// Days of which all is right.
    pub right: usize,
    /// Days whose free time is right to the minute.
    pub free_time_right: usize,
    /// Days whose tasks are right: none missing, none too many.
    pub tasks_right: usize,
    /// Days whose lengths, deadlines, beginnings and must-dos are right.
    pub limits_right: usize,
    /// What is wrong, by day.
    pub wrong: Vec<BenchMisread>,
}

/// What is wrong with the reading of one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchMisread {
    /// The day.
    pub day: String,
    /// What is wrong, a line each.
    pub problems: Vec<String>,
}

/// One variant over all days.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchVariant {
    /// The variant.
    pub variant: Variant,
    /// Feasible days whose plan is recommended: it passes the program's own validation.
    pub passed: usize,
    /// Their share of the feasible days.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub pass_rate: f64,
    /// Feasible days whose plan is recommended and holds what the generator knows.
    pub true_passed: usize,
    /// Their share of the feasible days.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub true_pass_rate: f64,
    /// Days whose plan is recommended although it does not hold what the generator knows: the fault that matters most.
    pub wrongly_recommended: usize,
    /// Infeasible days that are rejected.
    pub infeasible_rejected: usize,
    /// Infeasible days that are rejected with a proof that not everything fits. A day that is rejected without one, or with one that
    /// rests on a misreading, is rejected by luck: see `reader`.
    pub infeasible_proved: usize,
    /// Feasible days of which it is said to be proved that not everything fits.
    pub falsely_proved: usize,
    /// Constraints that the plans break, by the program's own validation.
    pub constraints_violated: usize,
    /// Days with such a constraint.
    pub days_with_violations: usize,
    /// Days on which more is planned than there is time, by the program's own validation.
    pub overflow_days: usize,
    /// Inventions, by the program's own validation.
    pub hallucination_flags: usize,
    /// How sure the planner was, and how often it was right.
    pub confidence: Vec<BenchConfidence>,
    /// Days on which it was sure and wrong, or unsure and right.
    pub confidence_mismatches: usize,
    /// The known ways to fail.
    pub failure_modes: BenchFailureModes,
}

/// How often plans of one confidence are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchConfidence {
    /// How sure the planner was.
    pub confidence: Confidence,
    /// Days with it.
    pub days: usize,
    /// Those whose plan holds what the generator knows.
    pub right: usize,
}

/// The known ways to fail (section 11 of the contract for day plans), in days, by what the generator knows, of whatever plan was
/// made, recommended or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchFailureModes {
    /// Work is planned at times that are not there, or beyond them.
    pub time_hallucination: usize,
    /// Inside twenty pages of unrelated notes the plan or its verdict is another (of the days written by hand).
    pub context_collapse: usize,
    /// High confidence in a plan that does not hold what the generator knows.
    pub overconfidence: usize,
    /// Two things at once, more than 180 minutes on end, or 240 without a break.
    pub humanly_impossible: usize,
}

/// One day with one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchRow {
    /// The day.
    pub day: String,
    /// Whether its notes stand inside twenty pages of others.
    pub in_long_notes: bool,
    /// Whether everything can be done on it.
    pub feasible: bool,
    /// The variant.
    pub variant: Variant,
    /// Whether the plan is recommended.
    pub status: Status,
    /// How sure the planner is.
    pub confidence: Confidence,
    /// Whether the outcome is right: a recommended plan that holds what the generator knows, or an infeasible day that is rejected.
    pub right: bool,
    /// What is wrong with the plan by what the generator knows, a line each; in long notes, how it differs.
    pub problems: Vec<String>,
}
