//! One labelled example, judged.

/// What one example counts for one metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// Which metric, by its place in [`crate::Set::metrics`].
    pub metric: usize,
    /// What is summed over rows: see [`crate::Statistic`] for the meaning of each.
    pub counts: [f64; 4],
}

/// One labelled example, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Which example: file and place, or the id that the set gives it.
    pub id: String,
    /// What was predicted, in a few words.
    pub prediction: String,
    /// A score beside it, where there is one.
    pub score: Option<f64>,
    /// What the label says.
    pub label: String,
    /// Whether rules were tuned on it; the others are kept aside.
    pub tuned: bool,
    /// Rows with the same number hang together (the steps of one run, say): the bootstrap draws all of them or none. `None`: the
    /// row stands alone.
    pub group: Option<usize>,
    /// What it counts.
    pub counts: Vec<Count>,
}

/// Rules are tuned on the examples at even places of a file, the others are kept aside.
#[must_use]
pub(crate) const fn is_tuned(index: usize) -> bool {
    index.is_multiple_of(2)
}
