//! What `steadfast-measure mutate` gives: reports made to drift, and what a judge finds of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::audit::DriftType;
use crate::measure::Figure;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// What a judge finds of changes that are known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mutations {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// Who judged: `rules`, or `answers` of somebody else.
    pub judge: String,
    /// The seed that the cases follow from.
    pub seed: u64,
    /// Drifted reports of one pair by one operator, at most.
    pub per_operator: usize,
    /// Faithful pairs of prompt and report.
    pub pairs: usize,
    /// Drifted reports.
    pub cases: usize,
    /// A figure for each metric: of `mutate`, and of `summedits` beside it where its data is there.
    pub rows: Vec<Figure>,
    /// What was found of each operator's changes.
    pub operators: Vec<OfOperator>,
    /// What was found in the faithful reports.
    pub false_incidents: Vec<FalseIncident>,
    /// Changes that were not found.
    pub missed: Vec<Missed>,
    /// Of answers by somebody else: quotes that stand nowhere in the report that they speak of.
    pub not_located: usize,
}

/// What was found of one operator's changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfOperator {
    /// The type of drift that it makes.
    pub drift_type: DriftType,
    /// Its name.
    pub operator: String,
    /// What it does.
    pub about: String,
    /// Its changes.
    pub cases: usize,
    /// Those that were found.
    pub found: usize,
    /// Its changes to pairs that are kept aside.
    pub kept_cases: usize,
    /// Those of them that were found.
    pub kept_found: usize,
}

/// An incident on a faithful report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FalseIncident {
    /// The pair.
    pub pair: String,
    /// The check that raised it; `null` in answers of somebody else.
    pub check: Option<String>,
    /// The type that it was given.
    pub drift_type: Option<DriftType>,
    /// The words of the report; `null` for what is said to be absent.
    pub output_claim: Option<String>,
}

/// A change that was not found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Missed {
    /// The case.
    pub id: String,
    /// The pair.
    pub pair: String,
    /// Whether rules were tuned on the pair.
    pub tuned: bool,
    /// The type of the drift.
    pub drift_type: DriftType,
    /// What made it.
    pub operator: String,
    /// What was changed.
    pub changes: Vec<Change>,
    /// The words of the prompt that it goes against; `null` where it rests on nothing there.
    pub source_reference: Option<String>,
}

/// Words that stand in the place of others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// First byte in the drifted report.
    pub start: usize,
    /// One past the last byte in the drifted report; the same as `start` for what was taken away.
    pub end: usize,
    /// What the faithful report says there; empty for what was added.
    pub was: String,
    /// What the drifted report says; empty for what was taken away.
    pub is: String,
}

/// A line of `steadfast-measure mutate --write`: a report with a known change, or a faithful one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutationCase {
    /// What answers name. It tells nothing of the change.
    pub id: String,
    /// The pair.
    pub pair: String,
    /// Whether rules were tuned on the pair.
    pub tuned: bool,
    /// The type of the drift; `null` for the faithful report.
    pub drift_type: Option<DriftType>,
    /// What made it; `null` for the faithful report.
    pub operator: Option<String>,
    /// The prompt.
    pub prompt: String,
    /// The report.
    pub report: String,
    /// What was changed.
    pub changes: Vec<Change>,
    /// The words of the prompt that it goes against.
    pub source_reference: Option<String>,
}

/// A line of `steadfast-measure mutate --questions`: what a judge is to see, and no more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MutationQuestion {
    /// What the answer names.
    pub id: String,
    /// The prompt.
    pub prompt: String,
    /// The report.
    pub report: String,
}
