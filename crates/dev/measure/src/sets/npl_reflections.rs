//! Outputs with reflections in prose: a listing for reading, no figure. `--rows` has a row for each claim that code finds false.

use steadfast_review::{Settings, review};

use super::{Reader, Set, Uses};
use crate::{Files, Means, MeasureError, Row};

pub(super) const SET: Set = Set {
    name: "npl_reflections",
    about: "claims of reflections that code finds false: a listing, no figure",
    metrics: &[],
    read: Reader::of(Uses::Rules, read),
};

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    let mut seen = false;
    for (name, bytes) in files.ending(".md") {
        seen = true;
        let text = std::str::from_utf8(bytes)
            .map_err(|error| MeasureError::Form { file: name.to_owned(), what: error.to_string() })?;
        let found = review(text, &Settings::default());
        rows.extend(found.contradictions.iter().map(|own| Row {
            id: own.spans.first().map_or_else(|| name.to_owned(), |span| format!("{name}:{}", span.start)),
            prediction: format!(
                "{:?}: stated {}, computed {} {}: {}",
                own.kind, own.stated, own.computed, own.unit, own.message
            ),
            score: None,
            label: String::new(),
            tuned: false,
            group: None,
            counts: Vec::new(),
        }));
    }
    if seen { Ok(rows) } else { Err(MeasureError::NoFile { set: SET.name, looked_for: "*.md".to_owned() }) }
}
