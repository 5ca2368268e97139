//! The judge of plans against hand-made labels.

use serde_json::{Value, json};

use super::{Broken, Note, Placed, violations};

/// Minutes of 2026-01-26T00:00 UTC since the epoch.
const DAY: i64 = 1_769_385_600 / 60;

fn note(constraint: &Value) -> Note {
    serde_json::from_value(json!({
        "id": "x", "at": "2026-01-26T08:00:00+00:00", "tz": "UTC", "notes": "a. b.",
        "tasks": [{"name": "a", "quote": "a", "minutes": 30}, {"name": "b", "quote": "b", "minutes": 30}],
        "constraints": [constraint], "good_plan": null, "wrong_plans": [],
    }))
    .unwrap()
}

/// Whether items, each a task with the minutes of the day at which it begins and ends, break a constraint.
#[track_caller]
fn check(constraint: &Value, items: &[(&str, i64, i64)], broken: bool) {
    let placed =
        |(task, start, end): &(&str, i64, i64)| Placed { task: (*task).to_owned(), start: DAY + start, end: DAY + end };
    let items: Vec<Placed> = items.iter().map(placed).collect();
    let found = violations(&note(constraint), &items, false);
    assert_eq!(found.contains(&Broken::Constraint(0)), broken, "{constraint} {found:?}");
}

#[test]
fn constraints_are_broken_at_their_edges() {
    let at = |hour: u32| format!("2026-01-26T{hour:02}:00:00+00:00");
    let event = json!({"kind": "fixed_event", "quote": "a", "start_iso": at(10), "end_iso": at(11), "allow": ["b"]});
    check(&event, &[("a", 540, 600), ("b", 610, 640)], false);
    check(&event, &[("a", 540, 601)], true);
    let due = json!({"kind": "deadline", "quote": "a", "task": "a", "end_iso": at(10)});
    check(&due, &[("a", 570, 600), ("b", 600, 700)], false);
    check(&due, &[("a", 571, 601)], true);
    let from = json!({"kind": "not_before", "quote": "a", "task": "a", "start_iso": at(10)});
    check(&from, &[("a", 600, 630)], false);
    check(&from, &[("a", 599, 629)], true);
    let only = json!({"kind": "availability", "quote": "a", "start_iso": at(9), "end_iso": at(10), "except": ["b"]});
    check(&only, &[("a", 540, 600), ("b", 800, 830)], false);
    check(&only, &[("a", 571, 601)], true);
    let length = json!({"kind": "duration", "quote": "a", "task": "a", "minutes": 30});
    check(&length, &[("a", 540, 570)], false);
    check(&length, &[("a", 540, 571)], true);
    check(&length, &[("a", 540, 555), ("a", 600, 615)], true);
    let split = json!({"kind": "duration", "quote": "a", "task": "a", "minutes": 30, "split": true});
    check(&split, &[("a", 540, 555), ("a", 600, 615)], false);
    let order = json!({"kind": "order", "quote": "a", "first": "a", "then": ["b"], "gap_min": 10});
    check(&order, &[("a", 540, 570), ("b", 580, 600)], false);
    check(&order, &[("a", 540, 570), ("b", 579, 600)], true);
    check(&order, &[("b", 579, 600)], true);
    let total = json!({"kind": "total", "quote": "a", "op": "max", "minutes": 60});
    check(&total, &[("a", 540, 570), ("b", 580, 610)], false);
    check(&total, &[("a", 540, 570), ("b", 580, 611)], true);
    let run = json!({"kind": "exclusion", "quote": "a", "tasks": ["a"], "max_run": 60, "break_minutes": 10});
    check(&run, &[("a", 540, 600), ("a", 610, 660)], false);
    check(&run, &[("a", 540, 600), ("a", 609, 660)], true);
    let must = json!({"kind": "must_do", "quote": "a", "task": "a"});
    check(&must, &[("a", 540, 570)], false);
    check(&must, &[("b", 540, 570)], true);
}

#[test]
fn what_holds_for_every_plan_is_named() {
    let items = [("a", 420, 430), ("c", 500, 560), ("b", 550, 500)];
    let placed = items.map(|(task, start, end)| Placed { task: task.to_owned(), start: DAY + start, end: DAY + end });
    let found = violations(&note(&json!({"kind": "ambiguous", "quote": "a"})), &placed, false);
    for name in ["past", "unknown task", "empty"] {
        assert!(found.contains(&Broken::Invariant(name)), "{name}: {found:?}");
    }
}
