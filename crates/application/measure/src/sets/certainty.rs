//! Findings, each with how certain annotators took its writer to be, 1 to 6.
//!
//! `pearson` is the correlation of the fitted scale's certainty with the mean of the annotators, `pearson/modality` that of the level of
//! the main clause's modality (0 to 7), which was not fitted.

use serde::Deserialize;
use steadfast_language::{CERTAINTY_RANGE, ClaimScale, modality};

use super::{Reader, Set};
use crate::files::placed_json_lines;
use crate::row::{is_group_tuned, words_of};
use crate::{Count, Files, MeasureError, Metric, Row, Statistic};

pub(super) const SET: Set = Set {
    name: "certainty",
    about: "how certain the writer of a finding is of it",
    metrics: &[
        Metric { name: "pearson", statistic: Statistic::Pearson, floor: Some(0.56), published: Some(0.63) },
        Metric { name: "pearson/modality", statistic: Statistic::Pearson, floor: None, published: None },
    ],
    read: Reader::Rules(read),
};

#[derive(Deserialize)]
struct Line {
    finding: String,
    #[serde(rename = "sentence-level-certainty")]
    certainty: Option<f64>,
}

/// A finding and its certainty.
pub(crate) struct Finding {
    /// File and line.
    pub(crate) place: String,
    /// The sentence.
    pub(crate) text: String,
    /// The mean of its annotators.
    pub(crate) certainty: f64,
    /// Whether it lies in the tuning half.
    pub(crate) tuned: bool,
}

/// The findings of the files that are there; lines without a certainty of the sentence are passed over.
pub(crate) fn load(files: &Files) -> Result<Vec<Finding>, MeasureError> {
    let [low, high] = CERTAINTY_RANGE;
    let mut found = Vec::new();
    for (name, bytes) in files.ending(".jsonl") {
        for (place, line) in placed_json_lines::<Line>(name, bytes)? {
            let Some(certainty) = line.certainty else { continue };
            if !(low..=high).contains(&certainty) {
                let what = format!("a certainty of {certainty} is not from {low} to {high}");
                return Err(MeasureError::Form { file: place, what });
            }
            let tuned = is_group_tuned(&words_of(&line.finding));
            found.push(Finding { place, text: line.finding, certainty, tuned });
        }
    }
    if found.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "*.jsonl".to_owned() });
    }
    Ok(found)
}

fn read(files: &Files) -> Result<Vec<Row>, MeasureError> {
    let scale = ClaimScale::shipped();
    let rows = load(files)?.into_iter().map(|it| {
        let certainty = scale.read(&it.text).certainty;
        let level = f64::from(modality(&it.text).strength.level());
        let count = |metric, value| Count { metric, counts: [value, it.certainty, 0.0, 0.0] };
        Row {
            id: it.place,
            prediction: format!("{certainty:.2}"),
            score: Some(certainty),
            label: format!("{:.2}", it.certainty),
            tuned: it.tuned,
            group: None,
            counts: vec![count(0, certainty), count(1, level)],
        }
    });
    Ok(rows.collect())
}
