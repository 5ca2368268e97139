//! Requests that one tool meets, or a chain or graph of several: does one step do?
//!
//! `auc` is that of the multi-step score against chain or graph; `accuracy` that of `requires_multistep`. `auc/longer` (words) and `auc/longer_unquoted`
//! (words outside quotation marks) are what it is compared with.

use serde::Deserialize;
use steadfast_pick::intake;

use super::drift::{auc, metric, one_if, scored, words};
use super::{Reader, Set, Uses};
use crate::files::examples;
use crate::row::is_tuned;
use crate::{Count, Files, Means, MeasureError, Row, Statistic};

pub(super) const SET: Set = Set {
    name: "taskbench",
    about: "whether a request takes one step or several",
    metrics: &[
        auc("auc", Some(0.886)),
        metric("accuracy", Statistic::Balanced, None, None),
        auc("auc/longer", None),
        auc("auc/longer_unquoted", None),
    ],
    read: Reader::of(Uses::Rules, read),
};

#[derive(Deserialize)]
struct Request {
    id: String,
    r#type: String,
    request: String,
}

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    for (index, place, request) in examples::<Request>(files, SET.name, ".jsonl")? {
        let several = match request.r#type.as_str() {
            "single" => false,
            "chain" | "dag" => true,
            other => return Err(MeasureError::Form { file: place, what: format!("`{other}` is no type of request") }),
        };
        rows.push(judge(request, several, is_tuned(index)));
    }
    Ok(rows)
}

fn judge(request: Request, several: bool, tuned: bool) -> Row {
    let spec = intake::read(&request.request);
    let right = one_if(spec.requires_multistep == several);
    let counts = if several { [right, 1.0, 0.0, 0.0] } else { [0.0, 0.0, right, 1.0] };
    Row {
        id: request.id,
        prediction: if spec.requires_multistep { "several" } else { "single" }.to_owned(),
        score: Some(spec.multistep_score),
        label: request.r#type,
        tuned,
        group: None,
        counts: vec![
            scored("auc", spec.multistep_score, several),
            Count { metric: "accuracy", counts },
            scored("auc/longer", words(&request.request), several),
            scored("auc/longer_unquoted", words(&unquoted(&request.request)), several),
        ],
    }
}

/// The text without what stands between plain quotation marks: from one that follows a space to one before a space or a mark.
fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open: Option<char> = None;
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = chars.peek().is_none_or(|next| !next.is_alphanumeric());
        match open {
            Some(mark) if c == mark && ends => open = None,
            Some(_) => {}
            None if matches!(c, '\'' | '"') && !before.is_alphanumeric() => open = Some(c),
            None => out.push(c),
        }
        before = c;
    }
    out
}
