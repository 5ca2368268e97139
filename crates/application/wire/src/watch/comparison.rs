//! The comparison of two arms.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Duplicate, Problem, Winner};
use crate::{Run, number};

/// Two arms on the same tasks. A lower mean score is better. Means are rounded to six decimals and everything else is computed
/// from them as they stand here, in double precision, so that anyone can compute it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The version of this JSON.
    pub schema_version: String,
    /// What made vectors of the texts, for both arms.
    pub embedder: String,
    /// The embedder down to its weights.
    pub embedding_version: String,
    /// The first arm, as it was named.
    pub a: String,
    /// The second.
    pub b: String,
    /// The tasks that both arms have, in the order of A.
    pub pairs: Vec<PairedTask>,
    /// The mean of `a_mean_ids`.
    pub mean_a: Option<f64>,
    /// The mean of `b_mean_ids`.
    pub mean_b: Option<f64>,
    /// On how many tasks B has the lower mean.
    pub wins_b: usize,
    /// How many pairs count.
    pub n: usize,
    /// The paired t test of `delta` against 0, two-sided.
    pub paired_t: PairedT,
    /// The Wilcoxon signed-rank test of `delta`, two-sided.
    pub wilcoxon: Wilcoxon,
    /// Cohen's d of paired data: the mean of `delta` over its standard deviation.
    pub cohens_d: Option<f64>,
    /// The 95 % interval of the mean of `delta`, by bootstrap over pairs.
    pub bootstrap_ci: Option<[f64; 2]>,
    /// How that interval was drawn.
    pub bootstrap: Bootstrap,
    /// Pairs that are identical in both arms to one that counts: left out before anything was computed.
    pub duplicates_dropped: Vec<Duplicate>,
    /// Trajectories that have no partner, or no mean.
    pub unpaired: Vec<Unpaired>,
    /// The scores by step of each pair, for drawing.
    pub curves: Vec<TaskCurve>,
    /// What could not be read or scored, and where.
    pub problems: Vec<Problem>,
    /// The run that it was stored as; absent where it is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// One task in both arms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairedTask {
    /// The task.
    pub task_id: String,
    /// The mean score in A.
    #[serde(serialize_with = "number::share")]
    pub a_mean_ids: f64,
    /// The mean score in B.
    #[serde(serialize_with = "number::share")]
    pub b_mean_ids: f64,
    /// B − A: below 0 where B drifts less.
    #[serde(serialize_with = "number::share")]
    pub delta: f64,
    /// The arm with the lower mean.
    pub winner: Winner,
}

/// A paired t test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairedT {
    /// The statistic; `null` for fewer than two pairs, or where all differences are equal.
    pub t: Option<f64>,
    /// Its two-sided probability.
    pub p: Option<f64>,
}

/// A Wilcoxon signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wilcoxon {
    /// The smaller of the two rank sums; `null` where all differences are 0.
    pub w: Option<f64>,
    /// Its two-sided probability.
    pub p: Option<f64>,
    /// Whether the probability is exact; else it is the normal approximation.
    pub exact: bool,
}

/// How a bootstrap was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bootstrap {
    /// Resamples.
    pub resamples: u32,
    /// The generator's seed.
    pub seed: u64,
}

/// Which arm something stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// A trajectory that is in no pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unpaired {
    /// The arm.
    pub side: Side,
    /// The task.
    pub task_id: String,
    /// Why.
    pub reason: String,
}

/// The scores of one task by step, `null` where a step has none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskCurve {
    /// The task.
    pub task_id: String,
    /// The scores in A, in the order of its steps.
    pub a: Vec<Option<f64>>,
    /// The scores in B.
    pub b: Vec<Option<f64>>,
}
