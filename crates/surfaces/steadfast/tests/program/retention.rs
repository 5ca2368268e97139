//! How long things are kept, as a whole program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Place;
use crate::common::serve::{Served, json_of};
use serde_json::{Value, json};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn what_is_young_stays_and_a_dry_run_deletes_nothing() {
    let place = Place::pair();
    place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    for more in ["--dry-run", ""] {
        let end = place.steadfast(&format!("store prune --older-than 1 --store s.db --json {more}")).status(0);
        let told = json(&end.stdout);
        assert_eq!((&told["runs"], &told["dry_run"]), (&json!(0), &json!(!more.is_empty())), "{told}");
    }
    let runs = json(&place.steadfast("runs list --store s.db --json").status(0).stdout);
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_pruned_is_refused() {
    let place = Place::pair();
    place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    for days in ["0", "36501"] {
        place.steadfast(&format!("store prune --older-than {days} --store s.db")).refused(
            2,
            &format!("error: {days} days are no time to keep something\nhint: things are kept for 1 to 36,500 days"),
        );
    }
    let missing = place.steadfast("store prune --older-than 1 --store none.db");
    assert_eq!((missing.status, place.path("none.db").exists()), (4, false), "{}", missing.stderr);
}

#[test]
fn a_server_with_days_starts_and_shows_them() {
    let place = Place::empty().with("steadfast.toml", "[privacy]\nretain_days = 30\ncapture = \"hash\"\n");
    let server = Served::start(&place, "--store s.db --embedder lexical");
    json_of(
        &server.post("/api/audit", &json!({"prompt": crate::common::PROMPT, "report": crate::common::REPORT})),
        200,
    );
    let page = server.get("/settings").text();
    for told in ["privacy.retain_days", "privacy.capture", "30"] {
        assert!(page.contains(told), "{told}: {page}");
    }
    server.stop("TERM");
}

#[test]
fn weeks_tell_the_share_of_runs_that_break_something_by_agent_and_check() {
    let steps = |agent: &str, output: &str| {
        format!(
            "{{\"task_id\":\"t\",\"step\":0,\"agent\":\"{agent}\",\"prompt\":\"Write a poem. Banned words: blockchain.\",\"output\":\"{output}\"}}\n"
        )
    };
    let place = Place::pair()
        .with("broken.md", "# Seed library\n\nThe seed library opens within 9 months and costs 500 EUR.\n")
        .with("poet.jsonl", steps("poet", "Roses are red, on a blockchain.") + &steps("other", "Roses are red."));
    for report in ["report.md", "broken.md"] {
        place.steadfast(&format!("audit prompt.txt {report} --store s.db -q")).status(0);
    }
    place.steadfast("watch poet.jsonl --embedder lexical --store s.db -q").status(0);
    let told =
        json(&place.steadfast("store summary --weeks 2 --tz Europe/Berlin --store s.db --json").status(0).stdout);
    assert_eq!((&told["timezone"], &told["unread"]), (&json!("Europe/Berlin"), &json!(0)), "{told}");
    let weeks = told["weeks"].as_array().unwrap();
    assert_eq!((weeks.len(), &weeks[0]["all"]), (2, &json!({"runs": 0, "broken": 0, "share": 0.0})));
    let now = &weeks[1];
    assert_eq!(now["all"], json!({"runs": 4, "broken": 2, "share": 0.5}), "{now}");
    let agents = now["agents"].as_array().unwrap();
    let names: Vec<&Value> = agents.iter().map(|own| &own["agent"]).collect();
    assert_eq!(names, [&Value::Null, &json!("other"), &json!("poet")]);
    assert_eq!((&agents[0]["runs"], &agents[0]["broken"]), (&json!(2), &json!(1)));
    assert_eq!(agents[2]["checks"], json!([{"check": "banned", "broken": 1, "share": 1.0}]));

    let text = place.steadfast("store summary --weeks 1 --store s.db").status(0).stdout;
    assert!(text.contains("2 of 4 runs, 50.0 %") && text.contains("  poet: 1 of 1, 100.0 %\n    banned "), "{text}");
    let page = place.steadfast("store summary --weeks 1 --format md --store s.db").status(0).stdout;
    assert!(page.contains("| poet | `banned` | 1 | 1 | 100.0 % |"), "{page}");
    place
        .steadfast("store summary --weeks 0 --store s.db")
        .refused(2, "error: 0 weeks cannot be summed up\nhint: a summary is of 1 to 520 weeks");
    assert_eq!(place.steadfast("store summary --tz Mars/Base --store s.db").status, 2);
}
