//! The set of prompt vaults, on a few rows written by hand, with the embedder that needs no model.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use steadfast_embed::Lexical;
use steadfast_measure::{Files, Means, MeasureError, Row, measure, sets};
use steadfast_wire::measure::Figure;

const VAULT: &str = concat!(
    r#"{"id": "a", "name": "week", "description": "Plan the days of my week", "tags": ["TIME"], "text": "List what must be done, then put it into days of a week."}"#,
    "\n",
    r#"{"id": "b", "name": "minutes", "description": "Minutes of a meeting", "tags": [], "text": "From notes of a meeting write decisions, owners and dates."}"#,
    "\n",
    r#"{"id": "c", "name": "poem", "description": "Verses", "tags": [], "text": "Write about the sea."}"#,
);

const NEEDS: &str = r#"{"qid": "q", "query": "verses on the sea, and minutes", "relevant": ["c", "b"]}"#;

fn read(named: &[(&str, &str)]) -> Result<(Vec<Figure>, Vec<Row>), MeasureError> {
    let files = Files(named.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect());
    let (measurement, rows) = measure(
        sets::named("prompt_vaults").unwrap(),
        &files,
        &Means { embedder: Some(&Lexical), ..Means::default() },
    )?;
    Ok((measurement.rows, rows))
}

#[test]
fn a_prompt_is_looked_for_by_its_description_in_its_text_alone() {
    let (figures, rows) = read(&[("fabric_patterns.jsonl", VAULT), ("fabric_queries.jsonl", NEEDS)]).unwrap();
    let value = |metric: &str| figures.iter().find(|figure| figure.metric == metric).unwrap().value.unwrap();
    assert_eq!((rows.len(), rows[0].id.as_str(), rows[0].label.as_str()), (4, "fabric_patterns.jsonl a", "a"));
    // "Verses" stands in no text: words alone find two of three.
    assert_eq!(value("hit_at_1/fabric/bm25"), 2.0 / 3.0);
    assert_eq!(value("recall_at_5/fabric_queries"), 1.0);
    assert_eq!(value("mrr/fabric_queries/bm25"), 1.0);
    assert!(value("mrr/all") > 0.5 && value("mrr/fabric/over_bm25") >= 0.0);
    let all = figures.iter().find(|figure| figure.metric == "mrr/all").unwrap();
    assert_eq!(all.n, 4);
    let copilot = figures.iter().find(|figure| figure.metric == "mrr/copilot").unwrap();
    assert_eq!((copilot.value, copilot.n, copilot.floor), (None, 0, Some(0.861)));
}

#[test]
fn what_is_not_of_the_form_is_told_with_its_line() {
    let error = read(&[("fabric_patterns.jsonl", "{\"id\": \"a\"}\n")]).unwrap_err().to_string();
    assert!(error.starts_with("fabric_patterns.jsonl:1: "), "{error}");
    assert!(read(&[("other.jsonl", VAULT)]).is_err());
}
