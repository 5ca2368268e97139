//! What sets of time expressions share: spans found against spans wanted.

use crate::{Count, Metric, Row, Statistic};

const SPAN_F1: usize = 0;
const VALUE_ACCURACY: usize = 1;
const FALSE_HITS: usize = 2;

/// The metrics of every set of time expressions: F1 over exact spans, the share of right values on matched spans, and how many
/// texts without a time expression have one found in them.
pub(super) const METRICS: &[Metric] = &[
    Metric { name: "span_f1", statistic: Statistic::Ratio, floor: None, published: None },
    Metric { name: "value_accuracy", statistic: Statistic::Ratio, floor: None, published: None },
    Metric { name: "false_hits", statistic: Statistic::Sum, floor: None, published: None },
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
        let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        let count = |metric, over, under| Count { metric, counts: [over, under, 0.0, 0.0] };
        let mut counts = Vec::new();
        if self.negative {
            counts.push(count(FALSE_HITS, number(usize::from(self.found > 0)), 1.0));
        }
        counts.push(count(SPAN_F1, 2.0 * number(self.exact), number(self.found + self.wanted)));
        if self.valued > 0 {
            counts.push(count(VALUE_ACCURACY, number(self.right), number(self.valued)));
        }
        Row { id, prediction, score: None, label, tuned, group: None, counts }
    }
}
