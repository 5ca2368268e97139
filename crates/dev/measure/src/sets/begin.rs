//! Responses of dialogue models to a message, and the knowledge that they were given: is the response fully attributable to it?

use super::drift::{metric, scored};
use super::support::{Ask, Case, Corpus, Models, judge, scores};
use super::{Reader, Set, Uses};
use crate::{Files, Means, MeasureError, Metric, Row, Statistic};

/// Where the set stands in the file of coefficients.
pub(crate) const RESPONSE: &str = "begin";

/// The columns that are read.
const COLUMNS: [&str; 3] = ["knowledge", "response", "begin_label"];

pub(super) const SET: Set = Set {
    name: "begin",
    about: "responses in dialogues: is each attributable to the knowledge that was given",
    metrics: &[metric("auc", Statistic::Auc, Some(0.94), None), metric("auc/minilm", Statistic::Auc, None, None)],
    read: Reader::of(Uses::Model, read),
};

pub(crate) fn corpus(files: &Files) -> Result<Corpus, MeasureError> {
    let mut corpus = Corpus::default();
    for (name, bytes) in files.ending(".tsv") {
        let form = |line: usize, what: String| MeasureError::Form { file: format!("{name}:{line}"), what };
        let text = std::str::from_utf8(bytes).map_err(|error| form(1, error.to_string()))?;
        let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let head: Vec<&str> = lines.next().map(|(head, _)| head.split('\t').collect()).unwrap_or_default();
        let mut places = [0; COLUMNS.len()];
        for (place, column) in places.iter_mut().zip(COLUMNS) {
            let at = head.iter().position(|own| own.trim_start_matches('\u{FEFF}') == column);
            *place = at.ok_or_else(|| form(1, format!("there is no column `{column}`")))?;
        }
        for (line, number) in lines {
            let cells: Vec<&str> = line.split('\t').collect();
            let [knowledge, response, label] = places.map(|place| cells.get(place).copied().unwrap_or_default());
            let supported = match label {
                "Fully attributable" => true,
                "Not fully attributable" | "Generic" => false,
                other => return Err(form(number, format!("`{other}` is no label"))),
            };
            let group = corpus.group(knowledge);
            if corpus.asks.len() == group {
                corpus.asks.push(Ask::Text(knowledge.to_owned()));
            }
            corpus.cases.push(Case {
                id: format!("{name}:{number}"),
                part: RESPONSE,
                ask: group,
                group,
                passage: response.to_owned(),
                range: None,
                supported,
            });
        }
    }
    if corpus.cases.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "*.tsv".to_owned() });
    }
    Ok(corpus)
}

fn read(files: &Files, means: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let corpus = corpus(files)?;
    let models = Models::shipped(means.embedder);
    let judged = judge(&corpus, means.embedder);
    let rows = judged.iter().map(|seen| {
        let scores = scores(&models, seen);
        let count = |(score, metric): (&f64, &Metric)| scored(metric.name, *score, seen.case.supported);
        Row {
            id: seen.case.id.clone(),
            prediction: scores.first().map(|score| format!("{score:.4}")).unwrap_or_default(),
            score: scores.first().copied(),
            label: if seen.case.supported { "attributable" } else { "not attributable" }.to_owned(),
            tuned: seen.tuned,
            group: Some(seen.case.group),
            counts: scores.iter().zip(SET.metrics).map(count).collect(),
        }
    });
    Ok(rows.collect())
}
