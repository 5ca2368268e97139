//! The sets on support, on a few rows written by hand.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use steadfast_measure::calibrate::grounding;
use steadfast_measure::{Files, Means, MeasureError, Row, measure, sets};
use steadfast_wire::measure::Figure;

fn read(set: &str, files: &[(&str, &str)]) -> Result<(Vec<Figure>, Vec<Row>), MeasureError> {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    let (measured, rows) = measure(sets::named(set).unwrap(), &Files(files), &Means::default())?;
    Ok((measured.rows, rows))
}

#[track_caller]
fn check(figures: &[Figure], metric: &str, value: Option<f64>, n: usize) {
    let figure = figures.iter().find(|figure| figure.metric == metric).unwrap_or_else(|| panic!("no metric {metric}"));
    assert_eq!((figure.value, figure.n), (value, n), "{metric}");
}

const DOCS: &str = r#"{"doc_id": "d1", "domain": "garden", "doc": "The gardener planted 12 roses in March. They grew well. The wall is old."}"#;

fn pair(id: &str, summary: &str, label: u8, edits: &str) -> String {
    format!(
        r#"{{"id": "{id}", "summary": "{summary}", "label": {label}, "original_summary": "The gardener planted 12 roses in March.", "edit_types": [{edits}], "doc_id": "d1", "domain": "garden"}}"#
    )
}

#[test]
fn summedits() {
    let pairs = [
        pair("og", "The gardener planted 12 roses in March.", 1, ""),
        pair("a", "In March the gardener planted 12 roses.", 1, ""),
        pair("b", "The gardener planted 40 roses in March.", 0, r#""entity_modification""#),
        pair("c", "The gardener never planted 12 roses in March.", 0, r#""negation_insertion_removal""#),
    ]
    .join("\n");
    let (figures, rows) = read("summedits", &[("docs.jsonl", DOCS), ("pairs.jsonl", &pairs)]).unwrap();
    check(&figures, "balanced_accuracy/original", Some(1.0), 4);
    check(&figures, "recall/entity_modification", Some(1.0), 1);
    check(&figures, "recall/negation_insertion_removal", Some(1.0), 1);
    check(&figures, "recall/antonym_swap", None, 0);
    check(&figures, "false_alarm_rate", Some(0.0), 1);
    check(&figures, "balanced_accuracy/original/minilm", None, 0);
    assert_eq!(rows.len(), 8);
    assert_eq!((rows[0].id.as_str(), rows[1].id.as_str()), ("og/original", "og/document"));
    assert!(rows.iter().all(|row| row.tuned == rows[0].tuned && row.group == Some(0)), "one document is one group");

    let error =
        |pairs: &str| read("summedits", &[("docs.jsonl", DOCS), ("pairs.jsonl", pairs)]).unwrap_err().to_string();
    assert!(error(&pair("x", "Roses.", 2, "")).starts_with("pairs.jsonl:1: the label 2"));
    assert!(error(&pair("x", "Roses.", 1, "").replace("d1", "d2")).contains("the document `d2` of `x` is not there"));
    assert!(error("").contains("none of its files is there"));
}

#[test]
fn entfa() {
    let file = r#"[{"source": "Ada Winter opened the bridge in Bergen on Monday.", "reference": "", "prediction": "Ada Winter opened a bridge in Chicago.",
        "entities": [{"start": 0, "end": 10, "label": "Non-hallucinated", "type": "PERSON", "ent": "Ada Winter"},
                     {"start": 30, "end": 37, "label": "Intrinsic Hallucination", "type": "GPE", "ent": "Chicago"}]}]"#;
    let (figures, rows) = read("entfa", &[("test.json", file)]).unwrap();
    check(&figures, "f1", Some(1.0), 2);
    assert_eq!(rows[1].prediction, "invented");
    let moved = file.replace("\"start\": 30", "\"start\": 31");
    let error = read("entfa", &[("test.json", &moved)]).unwrap_err().to_string();
    assert_eq!(error, "test.json:0:31: `Chicago` does not stand at 31 to 37");
    let far = file.replace("\"end\": 37", "\"end\": 4000");
    assert!(read("entfa", &[("test.json", &far)]).unwrap_err().to_string().contains("30 to 4000"));
    let error = read("entfa", &[("test.json", &file.replace("Intrinsic", "Strange"))]).unwrap_err().to_string();
    assert!(error.contains("`Strange Hallucination` is no label"), "{error}");
}

#[test]
fn wice() {
    let claim = |label: &str, text: &str, supporting: &str, tokens: &str| {
        format!(
            r#"{{"label": "{label}", "supporting_sentences": {supporting}, "claim": "{text}", "evidence": ["The bridge was opened in 1932.", "It has four arches.", "Ferries stopped."], "meta": {{"id": "{label}", "claim_title": "Bridge"}}{tokens}}}"#
        )
    };
    let claims = [
        claim("supported", "The bridge was opened in 1932.", "[[0], [1, 2]]", ""),
        claim("not_supported", "Visitors pay nine kroner.", "[]", ""),
    ];
    let tokens = r#", "claim_tokens": ["The", "bridge", "has", "seven", "towers", "."], "non_supported_spans": [false, false, false, true, true, false]"#;
    let partly = claim("partially_supported", "The bridge has seven towers.", "[[1]]", tokens);
    let files = [("claim_dev.jsonl", claims.join("\n")), ("non_supported_tokens_dev.jsonl", partly.clone())];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let (figures, _) = read("wice", &files).unwrap();
    check(&figures, "auc/supported", Some(1.0), 2);
    check(&figures, "recall_at_10", Some(1.0), 1);
    check(&figures, "token_f1", Some(1.0), 1);
    let short = partly.replace("[false, false, false, true, true, false]", "[false]");
    assert!(read("wice", &[("a.jsonl", &short)]).unwrap_err().to_string().contains("not every word"));
    let error = read("wice", &[("a.jsonl", &claim("maybe", "x", "[]", ""))]).unwrap_err().to_string();
    assert_eq!(error, "a.jsonl:1: `maybe` is no label");
}

#[test]
fn begin() {
    let head = "model_name\tdata_source\tknowledge\tmessage\tresponse\tbegin_label";
    let row = |response: &str, label: &str| format!("m\ts\tRoses need sun and water.\thi\t{response}\t{label}");
    let rows = [
        head.to_owned(),
        row("Roses need sun.", "Fully attributable"),
        row("Tulips hate rain.", "Not fully attributable"),
        row("I do not know.", "Generic"),
    ]
    .join("\r\n");
    let (figures, rows_read) = read("begin", &[("dev.tsv", &rows)]).unwrap();
    check(&figures, "auc", Some(1.0), 3);
    assert!(rows_read.iter().all(|row| row.group == Some(0)));
    let error = |rows: &str| read("begin", &[("dev.tsv", rows)]).unwrap_err().to_string();
    assert_eq!(error(&rows.replace("Generic", "Odd")), "dev.tsv:4: `Odd` is no label");
    assert_eq!(error(&rows.replace("knowledge\t", "known\t")), "dev.tsv:1: there is no column `knowledge`");
    assert_eq!(error(&format!("{head}\nshort")), "dev.tsv:2: `` is no label");
}

#[test]
fn a_fit_names_the_set_that_is_not_there() {
    let error = grounding::calibrate(&BTreeMap::new(), None, "0").unwrap_err().to_string();
    assert!(error.starts_with("summedits: none of its files is there"), "{error}");
}
