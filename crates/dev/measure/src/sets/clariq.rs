//! Search requests, each with how much it needs a clarifying question: 1 (not) to 4 (much).
//!
//! `spearman` is that of the ambiguity score with the need; `…/shorter` and `…/longer` (words) are what it is compared with.

use serde::Deserialize;
use steadfast_pick::intake;

use super::drift::{metric, words};
use super::{Reader, Set, Uses};
use crate::files::examples;
use crate::row::is_tuned;
use crate::{Count, Files, Means, MeasureError, Row, Statistic};

pub(super) const SET: Set = Set {
    name: "clariq",
    about: "how much a request needs a clarifying question",
    metrics: &[
        metric("spearman", Statistic::Spearman, Some(0.40), None),
        metric("spearman/shorter", Statistic::Spearman, None, None),
        metric("spearman/longer", Statistic::Spearman, None, None),
    ],
    read: Reader::of(Uses::Rules, read),
};

#[derive(Deserialize)]
struct Topic {
    topic_id: String,
    request: String,
    clarification_need: f64,
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    for (index, place, topic) in examples::<Topic>(files, SET.name, ".jsonl")? {
        if !(1.0..=4.0).contains(&topic.clarification_need) {
            let what = format!("a need of {} is not from 1 to 4", topic.clarification_need);
            return Err(MeasureError::Form { file: place, what });
        }
        rows.push(judge(topic, is_tuned(index)));
    }
    Ok(rows)
}

fn judge(topic: Topic, tuned: bool) -> Row {
    let spec = intake::read(&topic.request);
    let need = topic.clarification_need;
    let count = |metric, value| Count { metric, counts: [value, need, 0.0, 0.0] };
    let length = words(&topic.request);
    let missing: Vec<&str> = spec.missing.iter().map(|missing| missing.what.as_str()).collect();
    Row {
        id: topic.topic_id,
        prediction: missing.join("; "),
        score: Some(spec.ambiguity_score),
        label: need.to_string(),
        tuned,
        group: None,
        counts: vec![
            count("spearman", spec.ambiguity_score),
            count("spearman/shorter", -length),
            count("spearman/longer", length),
        ],
    }
}
