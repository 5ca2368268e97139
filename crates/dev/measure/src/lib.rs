//! How well a part of Steadfast does on labelled data by others: sets, metrics, intervals.
//!
//! A set reads files and gives [`Row`]s: one for each example, with what was predicted, what the label says and what it counts
//! for each metric. [`measure`] sums the counts: a figure for each metric over all rows, over the part that rules were tuned on and
//! over the part kept aside, with a 95 % interval by bootstrap over rows. The data itself is no part of the project: whoever
//! calls gives the files.

mod better;
pub mod calibrate;
pub mod detectors;
mod error;
mod figure;
mod files;
pub mod metrics;
pub mod mutate;
mod row;
pub mod sets;

pub use better::lower_is_better;
pub use detectors::{DETECTORS, Detector};
pub use error::MeasureError;
pub use figure::{BOOTSTRAP_RESAMPLES, Metric, Statistic};
pub use files::{Files, SET_BYTES_MAX};
pub use row::{Count, Row};
pub use sets::{Reader, SETS, Set, Uses};

use steadfast_embed::Embedder;
use steadfast_engine::File;
use steadfast_grounding::Form;
use steadfast_wire::measure::{Figure, Measurement};

/// What sets are measured with, beside their files.
#[derive(Clone, Copy, Default)]
pub struct Means<'a> {
    /// What makes vectors, where there is any.
    pub embedder: Option<&'a dyn Embedder>,
    /// The files of the vault that ships with the program, for sets that bring none of their own.
    pub prompts: &'a [File],
    /// The tasks that ship with the program, a line each, for sets that are of them.
    pub tasks: &'a str,
}

impl<'a> Means<'a> {
    /// The embedder of a set that cannot be measured without.
    ///
    /// # Errors
    ///
    /// [`MeasureError::NoEmbedder`] where there is none.
    fn needed(&self, set: &'static str) -> Result<&'a dyn Embedder, MeasureError> {
        self.embedder.ok_or(MeasureError::NoEmbedder { set })
    }
}

/// Measures one set on the files that are there. Sets that [use an embedder](Uses::Embedder) ask for the vectors of all
/// texts of a row before they score it, and for each of them again while they do: give one that remembers.
///
/// # Errors
///
/// [`MeasureError`] where no file of the set is there or one is not of the set's form, and where an embedder or a vault is needed and there is
/// none.
pub fn measure(set: &Set, files: &Files, means: &Means<'_>) -> Result<(Measurement, Vec<Row>), MeasureError> {
    let embedder = means.embedder.filter(|embedder| match set.read.uses {
        Uses::Rules => false,
        Uses::Embedder | Uses::Vault => true,
        // Coefficients were fitted with the vectors of one model: those of another embedder say nothing to them.
        Uses::Model => embedder.name() == Form::Minilm.name(),
    });
    let rows = (set.read.read)(files, &Means { embedder, ..*means })?;
    let is_known = |count: &&Count| set.metrics.iter().any(|metric| metric.name == count.metric);
    if let Some(count) = rows.iter().flat_map(|row| &row.counts).find(|count| !is_known(count)) {
        let what = format!("a row counts for `{}`, which is no metric of the set", count.metric);
        return Err(MeasureError::Form { file: set.name.to_owned(), what });
    }
    let figures: Vec<Figure> = set.metrics.iter().map(|metric| figure::figure(set.name, metric, &rows)).collect();
    let embedder = embedder.map(|embedder| embedder.name().to_owned());
    Ok((Measurement { rows: figures, embedder, ..Measurement::default() }, rows))
}

#[cfg(test)]
mod tests {
    use super::{Count, Files, Means, Reader, Row, Set, Uses, measure};

    #[test]
    fn what_counts_for_no_metric_is_refused() {
        let read = |_: &Files, _: &Means<'_>| {
            let counts = vec![Count { metric: "acuracy", counts: [1.0, 1.0, 0.0, 0.0] }];
            let (id, prediction, label) = ("1".to_owned(), String::new(), String::new());
            Ok(vec![Row { id, prediction, score: None, label, tuned: true, group: None, counts }])
        };
        let reader = Reader { uses: Uses::Rules, within: None, read };
        let set = Set { name: "any", about: "", metrics: &[], read: reader };
        let error = measure(&set, &Files::default(), &Means::default()).unwrap_err();
        assert_eq!(error.to_string(), "any: a row counts for `acuracy`, which is no metric of the set");
    }
}
