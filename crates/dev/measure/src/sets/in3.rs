//! Tasks for an assistant, vague or not.
//!
//! `auc` is that of the ambiguity score against vague; `auc/shorter` and `auc/longer` (words) are what it is compared with.

use serde::Deserialize;
use steadfast_pick::intake;

use super::drift::{auc, scored, words};
use super::{Reader, Set, Uses};
use crate::files::examples;
use crate::row::is_tuned;
use crate::{Files, Means, MeasureError, Row};

pub(super) const SET: Set = Set {
    name: "in3",
    about: "whether a task is vague",
    metrics: &[auc("auc", None), auc("auc/shorter", Some(0.37)), auc("auc/longer", None)],
    read: Reader::of(Uses::Rules, read),
};

#[derive(Deserialize)]
struct Task {
    task: String,
    vague: bool,
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let tasks = examples::<Task>(files, SET.name, ".jsonl")?;
    Ok(tasks.into_iter().map(|(index, place, task)| judge(place, &task, is_tuned(index))).collect())
}

fn judge(id: String, task: &Task, tuned: bool) -> Row {
    let spec = intake::read(&task.task);
    let length = words(&task.task);
    let counts = vec![
        scored("auc", spec.ambiguity_score, task.vague),
        scored("auc/shorter", -length, task.vague),
        scored("auc/longer", length, task.vague),
    ];
    let missing: Vec<&str> = spec.missing.iter().map(|missing| missing.what.as_str()).collect();
    Row {
        id,
        prediction: missing.join("; "),
        score: Some(spec.ambiguity_score),
        label: if task.vague { "vague" } else { "clear" }.to_owned(),
        tuned,
        group: None,
        counts,
    }
}
