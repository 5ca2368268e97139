//! Tasks for an assistant, vague or not, and what is missing in the vague ones.
//!
//! `auc` is that of the ambiguity score against vague; `auc/shorter` and `auc/longer` (words) are what it is compared with.
//! `details_found` is the share of the missing details of importance 2 or 3 that one of the first [`ASKED_MAX`] entries of what is
//! missing asks for, `details_right` the share of those entries that ask for some detail, of whatever importance, both over vague tasks. An
//! entry asks for a detail when its name or question and the detail's description or inquiry share the stem of a word that says what
//! is asked for; words that every question has do not count. `…/always` is what asking the same
//! five questions of every task reaches.

use std::collections::BTreeSet;

use serde::Deserialize;
use steadfast_annotate::content_stems;
use steadfast_pick::intake;

use super::drift::ratio;
use super::intake::{auc, scored, words};
use super::{Reader, Set, Uses};
use crate::files::placed_json_lines;
use crate::row::is_tuned;
use crate::{Count, Files, Means, MeasureError, Row};

/// As many questions are put to a user at once.
const ASKED_MAX: usize = 5;
/// The same questions for every task: what its vague rows lack most often.
const ALWAYS: [&str; ASKED_MAX] = ["specific type", "preferences", "budget", "level of experience", "time"];

const AUC: usize = 0;
const SHORTER: usize = 1;
const LONGER: usize = 2;
const FOUND: usize = 3;
const FOUND_ALWAYS: usize = 4;
const RIGHT: usize = 5;
const RIGHT_ALWAYS: usize = 6;

pub(super) const SET: Set = Set {
    name: "in3",
    about: "whether a task is vague, and what is missing in it",
    metrics: &[
        auc("auc", None),
        auc("auc/shorter", Some(0.37)),
        auc("auc/longer", None),
        ratio("details_found", None, None),
        ratio("details_found/always", None, None),
        ratio("details_right", None, None),
        ratio("details_right/always", None, None),
    ],
    read: Reader::of(Uses::Rules, read),
};

#[derive(Deserialize)]
struct Task {
    task: String,
    vague: bool,
    #[serde(default)]
    missing_details: Option<Vec<Detail>>,
}

#[derive(Deserialize)]
struct Detail {
    description: String,
    #[serde(default)]
    importance: String,
    #[serde(default)]
    inquiry: String,
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    for (name, bytes) in files.ending(".jsonl") {
        let tasks = placed_json_lines::<Task>(name, bytes)?;
        rows.extend(tasks.into_iter().enumerate().map(|(index, (place, task))| judge(place, &task, is_tuned(index))));
    }
    if rows.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "*.jsonl".to_owned() });
    }
    Ok(rows)
}

fn judge(id: String, task: &Task, tuned: bool) -> Row {
    let spec = intake::read(&task.task);
    let length = words(&task.task);
    let mut counts = vec![
        scored(AUC, spec.ambiguity_score, task.vague),
        scored(SHORTER, -length, task.vague),
        scored(LONGER, length, task.vague),
    ];
    if task.vague {
        let said: Vec<String> =
            spec.missing.iter().take(ASKED_MAX).map(|it| format!("{} {}", it.what, it.question)).collect();
        let always = ALWAYS.map(str::to_owned);
        let details = task.missing_details.as_deref().unwrap_or_default();
        counts.extend(matched(details, &said, FOUND, RIGHT));
        counts.extend(matched(details, &always, FOUND_ALWAYS, RIGHT_ALWAYS));
    }
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

/// How many details are asked for, and how many questions ask for one.
fn matched(details: &[Detail], questions: &[String], found: usize, right: usize) -> [Count; 2] {
    let wanted: Vec<(BTreeSet<String>, bool)> = details
        .iter()
        .map(|detail| (stems(&format!("{} {}", detail.description, detail.inquiry)), detail.importance != "1"))
        .collect();
    let asked: Vec<BTreeSet<String>> = questions.iter().map(|question| stems(question)).collect();
    let meets = |one: &BTreeSet<String>, other: &BTreeSet<String>| !one.is_disjoint(other);
    let needed = wanted.iter().filter(|(_, needed)| *needed);
    let got = needed.clone().filter(|(detail, _)| asked.iter().any(|asked| meets(asked, detail))).count();
    let hits = asked.iter().filter(|asked| wanted.iter().any(|(detail, _)| meets(asked, detail))).count();
    [
        Count { metric: found, counts: [got as f64, needed.count() as f64, 0.0, 0.0] },
        Count { metric: right, counts: [hits as f64, asked.len() as f64, 0.0, 0.0] },
    ]
}

/// Stems of the words that say what is asked for.
fn stems(text: &str) -> BTreeSet<String> {
    /// Stems that any question has.
    const EVERY: &[&str] = &[
        "want",
        "need",
        "like",
        "would",
        "prefer",
        "use",
        "specif",
        "particular",
        "ani",
        "thing",
        "user",
        "task",
        "meant",
        "mean",
        "known",
        "know",
        "ask",
        "exact",
        "exactli",
        "someth",
        "look",
        "find",
        "interest",
        "includ",
        "good",
    ];
    content_stems(text).into_iter().map(|(_, stem)| stem).filter(|stem| !EVERY.contains(&stem.as_str())).collect()
}
