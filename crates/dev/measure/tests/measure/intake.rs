//! The sets of the intake of `pick`, on a few rows written by hand.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use steadfast_measure::{Files, Means, MeasureError, measure, sets};
use steadfast_wire::measure::Figure;

fn read(set: &str, rows: &str) -> Result<Vec<Figure>, MeasureError> {
    let files = Files([("own.jsonl".to_owned(), rows.as_bytes().to_vec())].into());
    Ok(measure(sets::named(set).unwrap(), &files, &Means::default())?.0.rows)
}

#[track_caller]
fn check(figures: &[Figure], metric: &str, value: Option<f64>, n: usize) {
    let figure = figures.iter().find(|figure| figure.metric == metric).unwrap_or_else(|| panic!("no metric {metric}"));
    assert_eq!((figure.value, figure.n), (value, n), "{metric}");
}

#[test]
fn taskbench() {
    let rows = r#"{"id": "1", "domain": "garden", "type": "single", "request": "Please water the roses."}
{"id": "2", "domain": "garden", "type": "chain", "request": "First dig the bed, then plant the beans, and finally water them and take a picture of the bed."}
{"id": "3", "domain": "garden", "type": "single", "request": "Read out this text: 'Dig, plant, then water, and finally harvest what has grown.'"}"#;
    let figures = read("taskbench", rows).unwrap();
    check(&figures, "auc", Some(1.0), 3);
    check(&figures, "accuracy", Some(1.0), 3);
    check(&figures, "auc/longer", Some(1.0), 3);
    let error =
        read("taskbench", r#"{"id": "1", "type": "tree", "request": "Water the roses."}"#).unwrap_err().to_string();
    assert!(error.starts_with("own.jsonl:1: ") && error.contains("`tree`"), "{error}");
}

#[test]
fn in3() {
    let rows = r#"{"category": "garden", "task": "Plan a trip to a garden for me", "vague": true, "missing_details": [
        {"description": "Budget", "importance": "2", "inquiry": "What may it cost?", "options": []},
        {"description": "Favourite flowers", "importance": "1", "inquiry": "Roses?", "options": []}]}
{"category": "garden", "task": "How many petals has a wild rose?", "vague": false, "missing_details": null}"#
        .replace("[\n", "[");
    let rows = rows.replace("},\n", "},");
    let figures = read("in3", &rows).unwrap();
    check(&figures, "auc", Some(1.0), 2);
}

#[test]
fn clariq() {
    let rows = r#"{"topic_id": "1", "request": "How many petals has a wild rose?", "clarification_need": 1}
{"topic_id": "2", "request": "Tell me about the history of roses in Persia", "clarification_need": 2}
{"topic_id": "3", "request": "Tell me about roses", "clarification_need": 4}"#;
    let figures = read("clariq", rows).unwrap();
    check(&figures, "spearman", Some(1.0), 3);
    let error =
        read("clariq", r#"{"topic_id": "1", "request": "Roses", "clarification_need": 9}"#).unwrap_err().to_string();
    assert!(error.starts_with("own.jsonl:1: "), "{error}");
}
