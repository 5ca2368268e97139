//! Phrases of estimation, each with what probabilities people take it to mean, in percent.
//!
//! A CSV file has a phrase a column and a person a line. `spearman` is the rank correlation of a phrase's likelihood with the median of
//! the answers, `spearman/answers` with each answer, `spearman/modality` that of the level of the phrase's modality with the
//! median. A phrase that is not known counts as even. A file with answers that are no percentages (how many "dozens" are, say) is
//! passed over.

use std::collections::BTreeMap;

use steadfast_language::{likelihood, modality};

use super::{Reader, Set};
use crate::metrics::median;
use crate::row::{is_group_tuned, words_of};
use crate::{Count, Files, MeasureError, Metric, Row, Statistic};

pub(super) const SET: Set = Set {
    name: "probability_words",
    about: "what probability people take a phrase to mean",
    metrics: &[spearman("spearman"), spearman("spearman/answers"), spearman("spearman/modality")],
    read: Reader::Rules(read),
};

const fn spearman(name: &'static str) -> Metric {
    Metric { name, statistic: Statistic::Spearman, floor: None, published: None }
}

/// A phrase of which nothing is known.
const UNKNOWN: f64 = 0.5;

fn read(files: &Files) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    for (name, bytes) in files.ending(".csv") {
        let people = super::csv_rows::<BTreeMap<String, f64>>(name, bytes)?;
        let mut answers: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (phrase, answer) in people.into_iter().flat_map(|(_, person)| person) {
            answers.entry(phrase).or_default().push(answer);
        }
        if !answers.values().flatten().all(|answer| (0.0..=100.0).contains(answer)) {
            continue;
        }
        rows.extend(answers.iter().filter_map(|(phrase, answers)| judge(phrase, answers)));
    }
    if rows.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: "*.csv of percentages".to_owned() });
    }
    for (at, row) in rows.iter_mut().enumerate() {
        row.group = Some(at);
    }
    Ok(rows)
}

fn judge(phrase: &str, answers: &[f64]) -> Option<Row> {
    let middle = median(answers)?;
    let found = likelihood(phrase).unwrap_or(UNKNOWN);
    let level = f64::from(modality(phrase).strength.level());
    let count = |metric, value, answer| Count { metric, counts: [value, answer, 0.0, 0.0] };
    let mut counts = vec![count(0, found, middle), count(2, level, middle)];
    counts.extend(answers.iter().map(|answer| count(1, found, *answer)));
    Some(Row {
        id: phrase.to_owned(),
        prediction: format!("{found:.2}"),
        score: Some(found),
        label: format!("{middle}"),
        tuned: is_group_tuned(&words_of(phrase)),
        group: None,
        counts,
    })
}
