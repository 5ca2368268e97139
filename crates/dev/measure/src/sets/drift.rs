//! What sets share.

use steadfast_embed::Embedder;
use steadfast_watch::distance::{Stems, counted_sentences, goal_distance};
use steadfast_watch::divergence::is_empty;
use steadfast_watch::{UpdateType, Vectored, compute_ids};

use crate::{Count, Metric, Statistic};

/// A metric with what a few lines of rules and what others reach.
pub(super) const fn metric(
    name: &'static str,
    statistic: Statistic,
    floor: Option<f64>,
    published: Option<f64>,
) -> Metric {
    Metric { name, statistic, floor, published }
}

pub(crate) const fn ratio(name: &'static str, floor: Option<f64>, published: Option<f64>) -> Metric {
    metric(name, Statistic::Ratio, floor, published)
}

pub(super) const fn auc(name: &'static str, floor: Option<f64>) -> Metric {
    metric(name, Statistic::Auc, floor, None)
}

/// Words of a text, quoted ones too.
pub(super) fn words(text: &str) -> f64 {
    text.split_whitespace().count() as f64
}

/// 1 where it is so.
pub(super) fn one_if(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

/// One case that is right or not.
pub(crate) fn share(metric: &'static str, right: bool) -> Count {
    Count { metric, counts: [one_if(right), 1.0, 0.0, 0.0] }
}

/// A score, and whether the row is positive.
pub(super) fn scored(metric: &'static str, score: f64, positive: bool) -> Count {
    Count { metric, counts: [score, one_if(positive), 0.0, 0.0] }
}

/// An update as it is published.
pub(super) const fn named(update: UpdateType) -> &'static str {
    match update {
        UpdateType::Initial => "initial",
        UpdateType::Refinement => "refinement",
        UpdateType::HighDriftRisk => "high_drift_risk",
        UpdateType::MajorShift => "major_shift",
    }
}

/// A goal that outputs are compared with.
pub(super) struct Goal {
    vectored: Vectored,
    stems: Stems,
}

impl Goal {
    pub(super) fn new(text: &str, embedder: &dyn Embedder) -> Self {
        Self { vectored: Vectored::new(text, embedder), stems: Stems::new(text) }
    }

    /// The instrument's goal distance of an output.
    pub(super) fn distance(&self, output: &str, embedder: &dyn Embedder) -> f64 {
        goal_distance(output, &self.vectored, &self.stems, embedder)
    }

    /// The instrument's Intent Drift Score of an output.
    pub(super) fn ids(&self, output: &str, embedder: &dyn Embedder) -> f64 {
        compute_ids(output, &self.vectored.text, embedder)
    }
}

/// Asks at once for the vectors that the instrument will ask for, output by output, so that an embedder with many threads and a memory
/// makes them side by side.
pub(super) fn prepare<'a>(
    embedder: &dyn Embedder,
    instructions: impl IntoIterator<Item = &'a str>,
    outputs: impl IntoIterator<Item = &'a str>,
) {
    let mut texts: Vec<&str> = instructions.into_iter().collect();
    for output in outputs.into_iter().filter(|output| !is_empty(output)) {
        texts.push(output);
        texts.extend(counted_sentences(output).into_iter().map(|range| &output[range]));
    }
    drop(embedder.embed(&texts));
}
