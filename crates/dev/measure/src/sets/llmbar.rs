//! An instruction and two outputs, of which one follows it: the one with the smaller goal distance should be it.
//!
//! `accuracy/<subset>` is that of the goal distance, equal ones counting half; `…/ids` that of the Intent Drift Score; `…/shorter` that of the trivial rule
//! that the shorter output, in characters, is the right one.

use serde::Deserialize;
use steadfast_embed::Embedder;

use super::drift::{Goal, one_if, prepare, ratio};
use super::{Reader, Set, Uses};
use crate::files::examples;
use crate::row::is_tuned;
use crate::{Count, Files, Means, MeasureError, Row};

/// The subsets, in the order of the metrics.
const SUBSETS: [&str; 10] =
    ["natural", "neighbor", "gptinst", "gptout", "manual", "normal", "constraint", "negation", "base_9", "base_10"];
/// Metrics of one subset.
const METRICS: usize = 3;

pub(super) const SET: Set = Set {
    name: "llmbar",
    about: "which of two outputs follows the instruction",
    metrics: &[
        ratio("accuracy/natural", None, None),
        ratio("accuracy/natural/ids", None, None),
        ratio("accuracy/natural/shorter", None, None),
        ratio("accuracy/neighbor", Some(0.64), None),
        ratio("accuracy/neighbor/ids", None, None),
        ratio("accuracy/neighbor/shorter", None, None),
        ratio("accuracy/gptinst", None, None),
        ratio("accuracy/gptinst/ids", None, None),
        ratio("accuracy/gptinst/shorter", None, None),
        ratio("accuracy/gptout", None, None),
        ratio("accuracy/gptout/ids", None, None),
        ratio("accuracy/gptout/shorter", None, None),
        ratio("accuracy/manual", None, None),
        ratio("accuracy/manual/ids", None, None),
        ratio("accuracy/manual/shorter", None, None),
        ratio("accuracy/normal", None, None),
        ratio("accuracy/normal/ids", None, None),
        ratio("accuracy/normal/shorter", None, None),
        ratio("accuracy/constraint", None, None),
        ratio("accuracy/constraint/ids", None, None),
        ratio("accuracy/constraint/shorter", None, None),
        ratio("accuracy/negation", Some(0.27), None),
        ratio("accuracy/negation/ids", None, None),
        ratio("accuracy/negation/shorter", None, None),
        ratio("accuracy/base_9", None, None),
        ratio("accuracy/base_9/ids", None, None),
        ratio("accuracy/base_9/shorter", None, None),
        ratio("accuracy/base_10", None, None),
        ratio("accuracy/base_10/ids", None, None),
        ratio("accuracy/base_10/shorter", None, None),
    ],
    read: Reader::of(Uses::Embedder, read),
};

#[derive(Deserialize)]
struct Pair {
    id: String,
    subset: String,
    input: String,
    output_1: String,
    output_2: String,
    label: u8,
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let embedder = means.needed(SET.name)?;
    let mut rows = Vec::new();
    let mut seen = [0; SUBSETS.len()];
    for (index, place, pair) in examples::<Pair>(files, SET.name, ".jsonl")? {
        if index == 0 {
            seen = [0; SUBSETS.len()];
        }
        let last = pair.subset.rsplit('/').next().unwrap_or_default().to_lowercase();
        let Some(subset) = SUBSETS.iter().position(|subset| *subset == last) else {
            return Err(MeasureError::Form { file: place, what: format!("`{}` is no subset", pair.subset) });
        };
        if !(1..=2).contains(&pair.label) {
            return Err(MeasureError::Form { file: place, what: format!("the label {} is not 1 or 2", pair.label) });
        }
        rows.push(judge(&pair, subset, is_tuned(seen[subset]), embedder));
        seen[subset] += 1;
    }
    Ok(rows)
}

fn judge(pair: &Pair, subset: usize, tuned: bool, embedder: &dyn Embedder) -> Row {
    let outputs = [pair.output_1.as_str(), pair.output_2.as_str()];
    prepare(embedder, [], outputs);
    let goal = Goal::new(&pair.input, embedder);
    let distances = outputs.map(|output| goal.distance(output, embedder));
    let ids = outputs.map(|output| goal.ids(output, embedder));
    let lengths = outputs.map(|output| output.chars().count() as f64);
    // How much further the second one is: above 0 the first is taken.
    let further = |of: [f64; 2]| of[1] - of[0];
    let right = |of: [f64; 2]| match further(of) {
        0.0 => 0.5,
        further => one_if((further > 0.0) == (pair.label == 1)),
    };
    let count =
        |at: usize, of| Count { metric: SET.metrics[subset * METRICS + at].name, counts: [right(of), 1.0, 0.0, 0.0] };
    let distance = further(distances);
    let prediction = match distance {
        0.0 => "either",
        further if further > 0.0 => "1",
        _ => "2",
    };
    Row {
        id: pair.id.clone(),
        prediction: prediction.to_owned(),
        score: Some(distance),
        label: pair.label.to_string(),
        tuned,
        group: None,
        counts: vec![count(0, distances), count(1, ids), count(2, lengths)],
    }
}
