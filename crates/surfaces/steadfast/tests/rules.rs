//! Rules that are pinned: the version before the current one judges as it did, whoever asks and at whatever door, and says so.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "common/mcp.rs"]
mod session;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::serve::{Served, json_of};
use common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use session::{NEW, Session};

const NOW: &str = "2026.11.5";
const BEFORE: &str = "2026.11.4";

/// A ban that the report keeps, and says so behind the banned word: the current rules take that for a denial, those before them for a use.
const ASK: &str = "Plan the survey of the town hall roof by the building office in May. Ladders and a carpenter are there. Banned words: drone, sensor.\n";
const ANSWER: &str = "# Survey of the roof\n\nThe building office surveys the town hall roof in May with ladders and a carpenter.\n\nDrones are not used.\n";

fn place() -> Place {
    Place::empty().with("prompt.txt", ASK).with("report.md", ANSWER)
}

fn example(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples").join(name)).unwrap()
}

#[track_caller]
fn audit(place: &Place, arguments: &str) -> Value {
    serde_json::from_str(&place.steadfast(&format!("audit {arguments} --json")).status(0).stdout).unwrap()
}

/// The ids of the incidents.
fn ids(evaluation: &Value) -> BTreeSet<String> {
    let incidents = evaluation["drift_incidents"].as_array().unwrap().iter();
    incidents.map(|own| own["id"].as_str().unwrap().to_owned()).collect()
}

/// The evaluation without the member that says by which rules.
fn unsaid(mut evaluation: Value) -> Value {
    evaluation.as_object_mut().unwrap().remove("rules_version");
    evaluation
}

/// What a change of rules moved, and that it moved nothing else.
#[test]
fn the_rules_before_the_current_ones_judge_as_they_did() {
    let place = place();
    let now = audit(&place, "prompt.txt report.md");
    assert_eq!((&now["rules_version"], ids(&now).len(), &now["usable_as_is"]), (&json!(NOW), 0, &json!(true)));
    let before = audit(&place, &format!("prompt.txt report.md --rules {BEFORE}"));
    assert_eq!((&before["rules_version"], &before["usable_as_is"]), (&json!(BEFORE), &json!(false)));
    let [incident] = before["drift_incidents"].as_array().unwrap().as_slice() else { panic!("{before}") };
    assert_eq!(
        (&incident["check"], &incident["output_claim"]),
        (&json!("banned-term-used"), &json!("Drones are not used."))
    );

    // Whoever pins the current version gets the current bytes.
    let pinned = place.steadfast(&format!("--rules {NOW} audit prompt.txt report.md --json")).status(0);
    assert_eq!(pinned.stdout, place.steadfast("audit prompt.txt report.md --json").status(0).stdout);

    // The example reports hold nothing that was changed.
    for (ask, report, incidents) in [
        ("audit/prompt.txt", "audit/faithful.md", 0),
        ("audit/prompt.txt", "audit/drifted.md", EXAMPLE_INCIDENTS),
        ("story/ask.txt", "story/report.md", STORY_INCIDENTS),
    ] {
        let place = Place::empty().with("prompt.txt", example(ask)).with("report.md", example(report));
        let now = audit(&place, "prompt.txt report.md");
        let before = audit(&place, &format!("prompt.txt report.md --rules {BEFORE}"));
        assert_eq!(ids(&now).len(), incidents, "{report}");
        assert_eq!((&now["rules_version"], &before["rules_version"]), (&json!(NOW), &json!(BEFORE)));
        assert_eq!(unsaid(now), unsaid(before), "{report}");
    }
}

const EXAMPLE_INCIDENTS: usize = 21;
const STORY_INCIDENTS: usize = 12;

#[test]
fn other_verbs_say_by_which_rules_as_well() {
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
        for version in [BEFORE, NOW] {
            let end = place.steadfast(&format!("{verb} --rules {version}"));
            assert!(statuses.contains(&end.status), "{verb}: {end:?}");
            let told: Value = serde_json::from_str(&end.stdout).unwrap();
            assert_eq!(told["rules_version"], version, "{verb}");
        }
    }
    // Two reports that are audited to be compared are judged by the rules that are asked for; a saved result keeps its own.
    let end =
        place.steadfast(&format!("audit compare --prompt prompt.txt report.md report.md --json --rules {BEFORE}"));
    let compared: Value = serde_json::from_str(&end.status(0).stdout).unwrap();
    assert_eq!((&compared["a"]["rules_version"], &compared["b"]["rules_version"]), (&json!(BEFORE), &json!(BEFORE)));
    place.steadfast("audit prompt.txt report.md --json -o saved.json").status(0);
    let end =
        place.steadfast(&format!("audit compare --prompt prompt.txt saved.json report.md --json --rules {BEFORE}"));
    let compared: Value = serde_json::from_str(&end.status(0).stdout).unwrap();
    assert_eq!((&compared["a"]["rules_version"], &compared["b"]["rules_version"]), (&json!(NOW), &json!(BEFORE)));
    assert_eq!(compared["caveats"], json!(["rules_differ"]));
}

#[test]
fn a_version_that_is_not_there_is_refused() {
    let place = place();
    for version in ["2026.11.3", "2026.11.6", "latest"] {
        let said = format!(
            "error: there are no rules {version} in this program: it judges by {NOW} and {BEFORE}\nhint: the CHANGELOG says which release judges by \
             which rules, and results name theirs in `rules_version`"
        );
        place.steadfast(&format!("audit prompt.txt report.md --rules {version}")).refused(2, &said);
    }
    let said =
        format!("error: --rules {BEFORE}: `measure` and `demo` know the rules {NOW} alone\nhint: leave `--rules` out");
    place.steadfast(&format!("measure list --rules {BEFORE}")).refused(2, &said);
}

#[test]
fn a_server_judges_by_the_rules_that_are_asked_for() {
    let place = place();
    let server = Served::start(&place, "--store s.db");
    let body = |rules: &str| json!({"prompt": ASK, "report": ANSWER, "rules": rules});
    for (rules, incidents) in [(BEFORE, 1), (NOW, 0)] {
        let mut told = json_of(&server.post("/api/audit", &body(rules)), 200);
        let run = told.as_object_mut().unwrap().remove("run").unwrap();
        assert_eq!((&told["rules_version"], ids(&told).len()), (&json!(rules), incidents));
        assert_eq!(told, audit(&place, &format!("prompt.txt report.md --rules {rules}")), "HTTP and the command line");
        let kept = json_of(&server.get(&format!("/api/runs/{}", run["id"].as_str().unwrap())), 200);
        assert_eq!(kept["run"]["rules_version"], rules);
    }
    let detail = format!("there are no rules 2026.11.3 in this program: it judges by {NOW} and {BEFORE}");
    assert_eq!(json_of(&server.post("/api/audit", &body("2026.11.3")), 422)["detail"], detail);

    let pairs = json!([{"prompt": ASK, "report": ANSWER}]);
    assert_eq!(
        json_of(&server.post("/api/jobs", &json!({"pairs": pairs, "rules": "2026.11.3"})), 422)["detail"],
        detail
    );
    let job = json_of(&server.post("/api/jobs", &json!({"pairs": pairs, "rules": BEFORE})), 202);
    let id = job["job"]["id"].as_str().unwrap();
    // The events end with the job.
    assert_eq!(server.get(&format!("/api/jobs/{id}/events")).status, 200);
    let job = json_of(&server.get(&format!("/api/jobs/{id}")), 200);
    let run = job["results"][0]["run_id"].as_str().unwrap();
    assert_eq!(json_of(&server.get(&format!("/api/runs/{run}")), 200)["run"]["rules_version"], BEFORE);

    // Of an archive the address says it, and only of one.
    let run = Place::run();
    let members: Vec<(String, Vec<u8>)> = ["001-2-plan.txt", "025-2-summary.md"]
        .map(|name| (name.to_owned(), run.read(&format!("run/{name}")).into_bytes()))
        .into();
    let archive = common::zipped(&members);
    let told = server.post_as(&format!("/api/audit?rules={BEFORE}"), "application/zip", &archive);
    assert_eq!(json_of(&told, 200)["rules_version"], BEFORE);
    let told =
        json_of(&server.post(&format!("/api/audit?rules={BEFORE}"), &json!({"prompt": PROMPT, "report": REPORT})), 422);
    assert_eq!(told["detail"], "`rules` is a parameter for zip archives");
    server.stop("TERM");

    // A server that is pinned judges all by these rules, unless a call says otherwise.
    let server = Served::start(&place, &format!("--no-store --rules {BEFORE}"));
    let plain = json!({"prompt": ASK, "report": ANSWER});
    assert_eq!(json_of(&server.post("/api/audit", &plain), 200)["rules_version"], BEFORE);
    assert_eq!(json_of(&server.post("/api/audit", &body(NOW)), 200)["rules_version"], NOW);
    let review = json!({"output": "<npl-reflection>\n- ✅ Reads the file\n</npl-reflection>\n"});
    assert_eq!(json_of(&server.post("/api/review", &review), 200)["rules_version"], BEFORE);
    server.stop("TERM");
}

#[test]
fn tools_judge_by_the_rules_that_are_asked_for() {
    let place = place();
    let mut session = Session::start(&place, &["--no-store", "--rules", BEFORE], NEW);
    let told = session.call("audit", json!({"prompt": ASK, "report": ANSWER}));
    assert_eq!(told["result"]["structuredContent"]["rules_version"], BEFORE, "{told}");
    let told = session.call("audit", json!({"prompt": ASK, "report": ANSWER, "rules": NOW}));
    assert_eq!(told["result"]["structuredContent"]["rules_version"], NOW, "{told}");
    let told = session.call("audit", json!({"prompt": ASK, "report": ANSWER, "rules": "1"}));
    assert_eq!(told["result"]["isError"], true);
    assert!(told.to_string().contains(&format!("it judges by {NOW} and {BEFORE}")), "{told}");
    session.end();
}
