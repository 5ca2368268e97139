//! What the sets on the intake of `pick` share.

use crate::{Count, Metric, Statistic};

/// An area under the ROC curve.
pub(super) const fn auc(name: &'static str, floor: Option<f64>) -> Metric {
    Metric { name, statistic: Statistic::Auc, floor, published: None }
}

/// A score, and whether the row is positive.
pub(super) const fn scored(metric: usize, score: f64, positive: bool) -> Count {
    Count { metric, counts: [score, if positive { 1.0 } else { 0.0 }, 0.0, 0.0] }
}

/// Words of a text, quoted ones too.
pub(super) fn words(text: &str) -> f64 {
    text.split_whitespace().count() as f64
}
