//! The version of the rules: every result names it, and the example reports are judged by it as the documents say.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use crate::common::Place;
use serde_json::Value;

const VERSION: &str = "2026.11.29.6";

const ASK: &str = "Plan the survey of the town hall roof by the building office in May. Ladders and a carpenter are there. Banned words: drone, sensor.\n";
const ANSWER: &str = "# Survey of the roof\n\nThe building office surveys the town hall roof in May with ladders and a carpenter.\n\nDrones are not used.\n";

fn place() -> Place {
    Place::empty().with("prompt.txt", ASK).with("report.md", ANSWER)
}

fn example(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples").join(name)).unwrap()
}

#[track_caller]
fn audit(place: &Place) -> Value {
    serde_json::from_str(&place.steadfast("audit prompt.txt report.md --json").status(0).stdout).unwrap()
}

#[test]
fn example_reports_have_the_incidents_that_documents_count() {
    for (ask, report, incidents) in [
        ("audit/prompt.txt", "audit/faithful.md", 0),
        ("audit/prompt.txt", "audit/drifted.md", 11),
        ("story/ask.txt", "story/report.md", 3),
    ] {
        let evaluation = audit(&Place::empty().with("prompt.txt", example(ask)).with("report.md", example(report)));
        assert_eq!(evaluation["drift_incidents"].as_array().unwrap().len(), incidents, "{report}");
        assert_eq!(evaluation["rules_version"], VERSION);
    }
}

#[test]
fn a_denial_behind_a_banned_word_is_no_use_of_it() {
    let evaluation = audit(&place());
    assert_eq!(evaluation["drift_incidents"].as_array().unwrap().len(), 0);
    let banned = evaluation["obligations"].as_array().unwrap().iter().find(|own| own["kind"] == "banned").unwrap();
    assert_ne!(banned["status"], "broken");
    assert_ne!(evaluation["usable_because"], "broken");
}

#[test]
fn every_verb_names_the_version() {
    let place = place().with("notes.md", "- [ ] write the board report (90 min)\n- busy 12:00-13:00\n").with(
        "steps.jsonl",
        "{\"task_id\":\"bread\",\"step\":0,\"prompt\":\"Keep bread fresh.\",\"output\":\"A clay pot.\"}\n",
    );
    let place = place.with("output.md", "<npl-reflection>\n- ✅ Reads the file\n</npl-reflection>\n");
    let at = "--at 2026-01-26T08:00:00-05:00 --tz America/Toronto";
    for (verb, statuses) in [
        (format!("plan notes.md {at} --json"), [0, 1]),
        (format!("plan constraints notes.md {at} --json"), [0, 0]),
        ("watch steps.jsonl --embedder lexical --json".to_owned(), [0, 0]),
        ("review output.md --json".to_owned(), [0, 0]),
        ("audit prompt.txt --json".to_owned(), [0, 0]),
    ] {
        let end = place.steadfast(&verb);
        assert!(statuses.contains(&end.status), "{verb}: {end:?}");
        let result: Value = serde_json::from_str(&end.stdout).unwrap();
        assert_eq!(result["rules_version"], VERSION, "{verb}");
    }
    let end = place.steadfast("audit compare --prompt prompt.txt report.md report.md --json");
    let compared: Value = serde_json::from_str(&end.status(0).stdout).unwrap();
    assert_eq!((&compared["a"]["rules_version"], &compared["b"]["rules_version"]), (&VERSION.into(), &VERSION.into()));
}
