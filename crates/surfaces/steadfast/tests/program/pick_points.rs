//! Operating points of files, several against each other, and their results, as a whole program. Words and metadata alone decide.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use crate::common::{End, Place};
use serde_json::Value;
use steadfast_testkit::schema::breaches;
use steadfast_wire::pick::VaultResults;

const VAULT: &str = concat!(
    "{\"prompt_id\":\"minutes\",\"stage\":\"execute\",\"title\":\"Minutes\",\"prompt_text\":\"Write minutes of a meeting from notes.\"}\n",
    "{\"prompt_id\":\"poem\",\"stage\":\"execute\",\"title\":\"Poem\",\"prompt_text\":\"Write a poem about the sea.\"}\n",
);

fn point(name: &str, t_single: f64) -> String {
    format!(
        "{{\"schema_version\": \"1\", \"name\": \"{name}\", \"points\": [{{\"t_ambiguity\": 0.9, \"t_single\": {t_single}, \
         \"t_chain\": 0.9, \"delta\": 0.1}}]}}"
    )
}

fn vault() -> Place {
    let place = Place::empty()
        .with("own/v.jsonl", VAULT)
        .with("low.json", point("low", 0.0))
        .with("high.json", point("high", 1.0))
        .with("other-low.json", point("low", 0.1));
    place.steadfast("vault import own --vault v.db --no-embed -q").status(0);
    place
}

/// Tasks that are clear and different.
fn tasks(count: usize) -> String {
    let mut text = String::new();
    for at in 0..count {
        let _ = writeln!(text, "{{\"qid\":\"{at}\",\"query\":\"Write minutes of meeting number {at} of the board\"}}");
    }
    text
}

fn lines(end: &End) -> Vec<Value> {
    end.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn results(place: &Place) -> Value {
    let end = place.steadfast("vault results --vault v.db --json").status(0);
    let found: Value = serde_json::from_str(&end.stdout).unwrap();
    let schema = serde_json::to_value(steadfast_wire::schema::<VaultResults>()).unwrap();
    assert_eq!(breaches(&schema, &found), [""; 0]);
    found
}

#[test]
fn tasks_are_shared_out_and_feedback_tells_the_points_apart() {
    let place = vault();
    let end = place.steadfast("vault results --vault v.db").status(0);
    assert_eq!(end.stdout, "nothing was picked yet\n");
    let pick = "pick --tasks - --vault v.db -q --operating-point low.json --operating-point high.json";
    let picked = lines(&place.steadfast_with(pick, tasks(40).as_bytes()).status(0));
    let name = |it: &Value| it["scores"]["thresholds"]["operating_point"].as_str().unwrap().to_owned();
    let low: Vec<&Value> = picked.iter().filter(|it| name(it) == "low").collect();
    assert!((10..=30).contains(&low.len()), "{} of 40", low.len());
    assert!(picked.iter().all(|it| it["mode"] == if name(it) == "low" { "single" } else { "clarify" }));
    // The same task gets the same point, alone as well.
    assert_eq!(lines(&place.steadfast_with(pick, tasks(1).as_bytes()))[0]["trace_id"], picked[0]["trace_id"]);

    for (at, own) in low.iter().take(4).enumerate() {
        let trace = own["trace_id"].as_str().unwrap();
        // The last word counts.
        place.steadfast(&format!("feedback {trace} bad --vault v.db -q")).status(0);
        if at > 0 {
            place.steadfast(&format!("feedback {trace} good --vault v.db -q")).status(0);
        }
    }
    let found = results(&place);
    let points = found["points"].as_array().unwrap();
    assert_eq!((&points[0]["operating_point"], &points[1]["operating_point"]), (&"high".into(), &"low".into()));
    assert_eq!((&points[1]["good"], &points[1]["bad"], &points[1]["share_good"]), (&3.into(), &1.into(), &0.75.into()));
    assert_eq!((&points[1]["single"], &points[0]["single"]), (&low.len().into(), &0.into()));
    // Wilson's interval of 3 of 4.
    let ends: Vec<f64> = points[1]["ci95"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
    assert!((ends[0] - 0.300_642).abs() < 1e-6 && (ends[1] - 0.954_413).abs() < 1e-6, "{ends:?}");
    assert_eq!(found["comparisons"][0]["verdict"], "not enough: nothing was said of what high picked");
    let end = place.steadfast("vault results --vault v.db").status(0);
    assert!(end.stdout.contains("good 3, bad 1: 0.75 [0.30, 0.95]"), "{}", end.stdout);
}

#[test]
fn one_name_for_different_thresholds_is_never_mixed() {
    let place = vault();
    place.steadfast("pick x --vault v.db --operating-point low.json --operating-point other-low.json -q").refused(
        2,
        "error: two operating points are called `low`: what they pick could not be told apart\nhint: give each a `name` of its own",
    );
    for file in ["low.json", "other-low.json"] {
        let pick = format!("pick --tasks - --vault v.db -q --operating-point {file}");
        place.steadfast_with(&pick, tasks(3).as_bytes()).status(0);
    }
    let found = results(&place);
    let names: Vec<&str> =
        found["points"].as_array().unwrap().iter().map(|it| it["operating_point"].as_str().unwrap()).collect();
    assert!(
        names.len() == 2 && names.iter().all(|name| name.starts_with("low (")) && names[0] != names[1],
        "{names:?}"
    );
}

#[test]
fn a_file_that_cannot_be_used_is_refused_with_its_place() {
    let place = vault()
        .with("bad.json", "{\"schema_version\": \"1\",\n\"name\": 5}")
        .with("nan.json", point("x", 0.5).replace("0.1", "1e999"))
        .with("words.json", point("w", 0.5).replace("[{", "[{\"vectors\": true, "));
    let hint = "hint: `steadfast-measure calibrate pick -o FILE` writes such a file; `default` and `seed` are operating points too";
    let refused = |file: &str, said: &str| {
        let call = format!("pick x --vault v.db -q --operating-point {file}");
        place.steadfast(&call).refused(2, &format!("error: {said}\n{hint}"));
    };
    refused("bad.json", "bad.json:2:9: invalid type: integer `5`, expected a string");
    refused("nan.json", "nan.json:1:116: number out of range");
    refused("words.json", "operating point `w` has no thresholds for words alone, by which this vault is searched");
    assert_eq!(place.steadfast("pick x --vault v.db -q --operating-point none.json").status, 2);
}
