//! `steadfast-measure calibrate pick` and `pick_tasks`, on a vault written for these tests and on what ships.

use std::fmt::Write as _;

use crate::common::Place;
use serde_json::Value;
use steadfast_testkit::schema::breaches;
use steadfast_wire::pick::OperatingPoints;

#[test]
fn thresholds_are_fitted_written_and_read_again() {
    let mut vault = String::new();
    for thing in ["meeting", "garden", "budget", "poem", "novel", "invoice", "recipe", "contract"] {
        let _ = writeln!(
            vault,
            "{{\"id\": \"{thing}\", \"name\": \"{thing}\", \"description\": \"Write about the {thing} for readers\", \
             \"text\": \"You write of a {thing}. Say what matters of the {thing}.\"}}"
        );
    }
    let place = Place::empty()
        .with("data/prompt_vaults/fabric_patterns.jsonl", vault)
        .with("data/in3/train.jsonl", "{\"task\": \"Fix it\", \"vague\": true}\n");
    let fit = "calibrate pick --data data -q --name mine";
    place.measure(&format!("{fit} -o mine.json")).status(0);
    let file: Value = serde_json::from_str(&place.read("mine.json")).unwrap();
    let schema = serde_json::to_value(steadfast_wire::schema::<OperatingPoints>()).unwrap();
    assert_eq!(breaches(&schema, &file), [""; 0]);
    assert_eq!(place.measure(fit).status(0).stdout, place.read("mine.json"), "the same again");
    // `pick --operating-point` reads what was written.
    assert!(steadfast_engine::vault::points("mine.json", &place.read("mine.json")).is_ok());

    place
        .measure("calibrate pick --data data --abstain-max 2")
        .refused(2, "error: `--abstain-max 2` is no share\nhint: a share lies in 0 to 1");
    let end = place.measure("calibrate pick --data own -q").status(2);
    assert!(end.stderr.starts_with("error: no labelled tasks are there"), "{}", end.stderr);
}

#[test]
fn the_shipped_tasks_are_measured_without_any_data() {
    let place = Place::empty();
    let end = place.measure("pick_tasks --json -q").status(0);
    let found: Value = serde_json::from_str(&end.stdout).unwrap();
    let rows = found["rows"].as_array().unwrap();
    let value = |metric: &str| rows.iter().find(|row| row["metric"] == metric).unwrap();
    assert_eq!(value("mode_accuracy")["n"], 130);
    // The tasks are hard for words: what a search for their words lists first is seldom right.
    assert!(value("hit_at_1/bm25")["value"].as_f64().unwrap() <= 0.6);
    place
        .measure("cranfield")
        .refused(2, "error: no labelled data is given\nhint: `--data DIR` is the folder that holds `SET/`");
}
