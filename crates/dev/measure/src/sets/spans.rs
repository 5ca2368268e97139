//! What sets of time expressions share: spans found against spans wanted.

use super::drift::{metric, one_if, ratio};
use crate::{Count, Metric, Row, Statistic};

/// The metrics of every set of time expressions: F1 over exact spans, the share of right values on matched spans, and how many
/// texts without a time expression have one found in them.
pub(super) const METRICS: &[Metric] = &[
    ratio("span_f1", None, None),
    ratio("value_accuracy", None, None),
    metric("false_hits", Statistic::Sum, None, None),
];

/// What one text counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) wanted: usize,
    pub(super) found: usize,
    pub(super) exact: usize,
    pub(super) valued: usize,
    pub(super) right: usize,
    /// Whether the label says that there is none.
    pub(super) negative: bool,
}

impl Tally {
    pub(super) fn row(&self, id: String, tuned: bool, prediction: String, label: String) -> Row {
        let count = |metric, over, under| Count { metric, counts: [over, under, 0.0, 0.0] };
        let mut counts = Vec::new();
        if self.negative {
            counts.push(count("false_hits", one_if(self.found > 0), 1.0));
        }
        counts.push(count("span_f1", 2.0 * self.exact as f64, (self.found + self.wanted) as f64));
        if self.valued > 0 {
            counts.push(count("value_accuracy", self.right as f64, self.valued as f64));
        }
        Row { id, prediction, score: None, label, tuned, group: None, counts }
    }
}
