//! What notes say that is not understood: it is asked, answered, and corrected by a reading that is handed in.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{End, Place};
use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;

const NOTES: &str = "- write the report, 60 min\n- buy stamps, 15 min\n- cousin is moving at noon, told him no\n";
const WHEN: &str = "--at 2026-01-26T08:00 --tz America/Toronto";

fn place() -> Place {
    Place::empty().with("notes.md", NOTES)
}

fn parsed(end: &End) -> Value {
    serde_json::from_str(&end.stdout).unwrap()
}

#[test]
fn what_is_not_understood_is_asked_and_answered() {
    let place = place();
    let end = place.steadfast(&format!("plan notes.md {WHEN} --json")).status(1);
    assert!(end.stderr.contains("the plan needs an answer"), "{}", end.stderr);
    let plan = parsed(&end);
    assert_eq!((&plan["status"], &plan["validation"]["status"]), (&json!("needs_answer"), &json!("pass")));
    let question = &plan["open_questions"][0];
    assert_eq!(question["span"]["quote"], "cousin is moving at noon, told him no");
    assert!(plan["questions"][0].as_str().unwrap().contains(question["id"].as_str().unwrap()));
    assert!(plan["read_confidence"].as_f64().unwrap() < 1.0);
    let id = question["id"].as_str().unwrap();
    let choices = question["choices"].as_array().unwrap();
    let number = choices.iter().position(|own| own == "somebody else's").unwrap() + 1;
    let plan = parsed(&place.steadfast(&format!("plan notes.md {WHEN} --answer {id}={number} --json")).status(0));
    assert_eq!((&plan["status"], &plan["open_questions"]), (&json!("recommended"), &json!([])));
    place.steadfast(&format!("plan notes.md {WHEN} --answer {id}=99")).status(2);
    place.steadfast(&format!("plan notes.md {WHEN} --answer q1=1")).status(2);
    place.steadfast(&format!("plan notes.md {WHEN} --answer {id}")).status(2);
}

#[test]
fn a_reading_is_written_edited_and_taken_back() {
    let place = place();
    let reading = parsed(&place.steadfast(&format!("plan constraints notes.md {WHEN} --json")).status(0));
    assert_eq!(reading["unread"][0]["quote"], "cousin is moving at noon, told him no");
    assert_eq!(reading["source"]["sha256"].as_str().unwrap().len(), 64);
    let published = steadfast_wire::schemas::published("plan-reading").unwrap();
    let schema = serde_json::to_value((published.schema)()).unwrap();
    assert!(breaches(&schema, &reading).is_empty(), "{:?}", breaches(&schema, &reading));
    // As it was read it says the same again.
    let place = place.with("same.json", reading.to_string());
    let same =
        parsed(&place.steadfast(&format!("plan constraints notes.md {WHEN} --constraints same.json --json")).status(0));
    assert_eq!((&same["tasks"], &same["unread"]), (&reading["tasks"], &reading["unread"]));
    place.steadfast(&format!("plan notes.md {WHEN} --constraints same.json")).status(1);
    let mut edited = reading.clone();
    edited["unread"] = json!([]);
    edited["constraints"].as_array_mut().unwrap().push(json!({
        "id": "k", "kind": "availability", "quote": "buy stamps", "tasks": ["t2"],
        "start": "2026-01-26T14:00:00-05:00", "end": "2026-01-26T16:00:00-05:00",
    }));
    let place = place.with("edited.json", edited.to_string());
    let plan = parsed(&place.steadfast(&format!("plan notes.md {WHEN} --constraints edited.json --json")).status(0));
    let stamps = plan["plan"].as_array().unwrap().iter().find(|own| own["task"] == "buy stamps").unwrap();
    assert!(stamps["start"].as_str().unwrap() >= "2026-01-26T14:00:00-05:00", "{stamps}");
    edited["constraints"][0]["text"] = json!("write the book");
    let place = place.with("wrong.json", edited.to_string());
    let end = place.steadfast(&format!("plan notes.md {WHEN} --constraints wrong.json")).status(2);
    assert!(end.stderr.contains("\"write the book\" does not stand in the notes"), "{}", end.stderr);
}
