//! The figures of a small set.

use std::collections::BTreeMap;

use serde_json::json;

use super::read;
use crate::{Files, Means};

#[test]
fn a_small_set_is_judged() {
    let plan = |start: &str, end: &str| json!({"items": [{"task": "call Ana", "start": start, "end": end, "timebox_minutes": 30, "why": "it is due"}]});
    let good = plan("2026-01-26T09:00:00+00:00", "2026-01-26T09:30:00+00:00");
    let mut wrong = plan("2026-01-26T16:00:00+00:00", "2026-01-26T16:30:00+00:00");
    wrong["breaks"] = json!({"constraint": 1, "kind": "deadline"});
    let notes = json!([{
        "id": "x", "at": "2026-01-26T08:00:00+00:00", "tz": "UTC", "notes": "- call Ana before 4pm, 30 min\n",
        "tasks": [{"name": "call Ana", "quote": "call Ana", "minutes": 30}],
        "constraints": [
            {"kind": "duration", "quote": "30 min", "task": "call Ana", "minutes": 30},
            {"kind": "deadline", "quote": "before 4pm", "task": "call Ana", "end": "16:00", "end_iso": "2026-01-26T16:00:00+00:00"},
        ],
        "good_plan": good, "wrong_plans": [wrong],
    }]);
    let files = BTreeMap::from([("dev/notes.json".to_owned(), notes.to_string().into_bytes())]);
    let rows = read(&Files(files), &Means::default()).unwrap();
    assert!(rows.iter().all(|row| row.tuned));
    let sum = |metric: &str| {
        let counts = rows.iter().flat_map(|row| &row.counts).filter(|count| count.metric == metric);
        counts.fold((0.0, 0.0), |sum, count| (sum.0 + count.counts[0], sum.1 + count.counts[1]))
    };
    assert_eq!((sum("constraints_right"), sum("invalid_rejected")), ((2.0, 2.0), (1.0, 1.0)));
    // A plan of one item is none of three to seven, whatever it keeps.
    assert_eq!(sum("valid_accepted/reading"), (0.0, 1.0));
}
