//! The shipped pairs, faithful and drifted, in other forms: which judgements of `audit` change with the form.
//!
//! Judged are every obligation's status, every incident and the verdict. The prediction of a row names what flipped.

use super::drift::ratio;
use super::{Reader, Set};
use crate::stability::{CHANGES, Telling, flips, judge};
use crate::stories::stories;
use crate::{Count, Files, MeasureError, Metric, Row};

/// The forms of [`CHANGES`], in their order.
const METRICS: &[Metric] = &[
    ratio("flips/white_space", None, None),
    ratio("flips/line_breaks", None, None),
    ratio("flips/carriage_returns", None, None),
    ratio("flips/sections", None, None),
    ratio("flips/file_names", None, None),
    ratio("flips/function_words", None, None),
    ratio("flips/bullets", None, None),
    ratio("flips/prose", None, None),
    ratio("flips/html", None, None),
];

/// What stands in a row where nothing flipped.
const SAME: &str = "same";

pub(super) const SET: Set = Set {
    name: "stability",
    about: "the same prompts and reports in other forms: judgements that change with the form (ships with the program)",
    metrics: METRICS,
    read: Reader::Rules(read),
};

fn read(_: &Files) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    for (group, story) in stories()?.iter().enumerate() {
        for (kind, report) in [("faithful", story.report.to_owned()), ("drifted", story.drifted())] {
            let telling =
                Telling::new("ask.txt".to_owned(), story.ask.to_owned(), vec![("report.md".to_owned(), report)]);
            let was = judge(&telling)?;
            for (metric, form) in CHANGES.iter().enumerate() {
                let Some(other) = (form.make)(&telling) else { continue };
                let (flipped, of) = flips(&was, &judge(&other)?);
                let counts = [flipped.len() as f64, of as f64, 0.0, 0.0];
                rows.push(Row {
                    id: format!("{}/{kind}/{}", story.name, form.name),
                    prediction: if flipped.is_empty() { SAME.to_owned() } else { flipped.join("; ") },
                    score: None,
                    label: SAME.to_owned(),
                    tuned: story.tuned,
                    group: Some(group),
                    counts: vec![Count { metric, counts }],
                });
            }
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::{CHANGES, METRICS};

    #[test]
    fn every_form_has_its_metric() {
        let metrics: Vec<&str> = METRICS.iter().filter_map(|metric| metric.name.strip_prefix("flips/")).collect();
        assert_eq!(metrics, CHANGES.iter().map(|form| form.name).collect::<Vec<_>>());
    }
}
