//! `steadfast review` as a whole program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::Place;
use serde_json::Value;
use steadfast_testkit::schema::breaches;
use steadfast_wire::review::Review;

const CHECK_IN: &str = "<npl-block type=\"check-in\" task-id=\"task-123\">
acceptance_criteria:
  - ✅ Implements JWT authentication
  - ✅ Includes unit tests
  - 🐛 Rate limiting has race condition
  - ❓ OAuth scope needs clarification
status: in_progress
next_steps:
  - Fix rate limiting
  - Clarify OAuth with control agent
</npl-block>
";

fn place() -> Place {
    Place::empty().with("out.md", CHECK_IN)
}

fn json(stdout: &str) -> Value {
    let schema = serde_json::to_value(steadfast_wire::schema::<Review>()).unwrap();
    let value = serde_json::from_str(stdout).unwrap();
    assert_eq!(breaches(&schema, &value), [""; 0]);
    value
}

#[test]
fn the_check_in_of_the_document() {
    let end = place().steadfast("review out.md --json").status(0);
    let got = json(&end.stdout);
    assert_eq!(got["score"], 0.6125);
    assert_eq!(got["recommendation"], "review");
    assert_eq!(got["full_payload"], CHECK_IN);
    assert!(got.get("summary").is_none());
    assert_eq!(got["task_id"], "task-123");
    assert_eq!(got["check_in"]["status"], "in_progress");
    assert_eq!(got["categories"]["verified"], 2);
    assert_eq!(got["capped_by"], serde_json::json!(["open_bug", "criterion_unmet"]));
    let items = got["items"].as_array().unwrap();
    assert_eq!(items.len(), 4);
    for item in items {
        let span = &item["span"];
        let place = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
        assert_eq!(CHECK_IN[place("start")..place("end")], *span["quote"].as_str().unwrap());
    }
    assert_eq!(got["tokens"]["estimate"], "characters / 4");
}

#[test]
fn criteria_are_matched() {
    let place =
        place().with("criteria.txt", "- Users authenticate with JWT\n- Unit tests are included\n- API documentation\n");
    let end = place.steadfast("review out.md --criteria criteria.txt --json").status(0);
    let got = json(&end.stdout);
    let statuses: Vec<&str> =
        got["criteria"].as_array().unwrap().iter().map(|it| it["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["met", "met", "unreported"]);
    assert_eq!(got["criteria"][0]["item"], 0);
    let end = place.steadfast("review out.md --criteria criteria.txt --fail-on criteria").status(1);
    assert!(end.stderr.contains("1 of 3 criteria"), "{}", end.stderr);
}

#[test]
fn nothing_to_score_has_its_own_status() {
    let place = Place::empty().with("plain.md", "Done.\n");
    let end = place.steadfast("review plain.md --json").status(3);
    let got = json(&end.stdout);
    assert_eq!((&got["score"], &got["recommendation"]), (&Value::Null, &Value::from("review")));
    assert!(end.stderr.contains("nothing can be evaluated"), "{}", end.stderr);
    assert_eq!(place.steadfast("review plain.md --pass-through").status(0).stdout, "Done.\n");
}

#[test]
fn what_is_passed_through_is_untouched() {
    let place = place();
    let end = place.steadfast("review out.md --pass-through --json -o review.json").status(0);
    assert_eq!(end.stdout, CHECK_IN);
    assert!(end.stderr.contains("task-123: review, score 0.61"), "{}", end.stderr);
    assert_eq!(json(&place.read("review.json"))["score"], 0.6125);
}

#[test]
fn a_low_score_returns_a_summary() {
    let place = Place::empty().with("out.md", "<npl-ref>\n- 🔒 Keys in the log\n</npl-ref>\n");
    let end = place.steadfast("review out.md --json").status(0);
    let got = json(&end.stdout);
    assert_eq!(got["recommendation"], "request_revision");
    assert!(got["summary"].as_str().unwrap().contains("Keys in the log"));
    assert!(got.get("full_payload").is_none());
    place.steadfast("review out.md --fail-on recommendation=request_revision").status(1);
    place.steadfast("review out.md --fail-below 0.5").status(1);
    place.steadfast("review out.md --threshold 1.5").status(2);
}

#[test]
fn every_format_is_written() {
    let place = place();
    for (format, holds) in [
        ("text", "score 0.61"),
        ("md", "# Review"),
        ("html", "<!DOCTYPE html>"),
        ("junit", "<testsuites"),
        ("sarif", "\"version\": \"2.1.0\""),
    ] {
        let end = place.steadfast(&format!("review out.md --format {format}")).status(0);
        assert!(end.stdout.contains(holds), "{format}: {}", end.stdout);
        assert_eq!(place.steadfast(&format!("review out.md --format {format}")).stdout, end.stdout);
    }
}

#[test]
fn the_convention_scores_itself() {
    let end = Place::empty().steadfast("review convention").status(0);
    let place = Place::empty().with("out.md", end.stdout);
    let got = json(&place.steadfast("review out.md --json").stdout);
    assert_eq!(got["check_in"]["status"], "in_progress");
}
