//! `steadfast review` as a whole program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Place;
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

#[test]
fn whoever_understands_says_what_meets_a_criterion() {
    let output = "The export writes one file for each month. I did not run the slow suite.\n\n<npl-reflection>\n\
                  ✅ Every test passes\n✅ Docs describe the flag\n</npl-reflection>\n";
    let proposals = serde_json::json!([
        {"criterion": "criterion-1", "relation": "met", "quote": "The export writes one file for each month."},
        {"claim": "Every test passes", "relation": "contradicted", "quote": "I did not run the slow suite.", "why": "Not every test ran."},
        {"criterion": "criterion-1", "relation": "met", "quote": "Words that stand nowhere"},
    ]);
    let published = steadfast_wire::schemas::published("review-proposals").unwrap();
    assert_eq!(breaches(&serde_json::to_value((published.schema)()).unwrap(), &proposals), [""; 0]);
    let place = Place::empty()
        .with("out.md", output)
        .with("criteria.txt", "Exports are split by calendar month\n")
        .with("all.json", proposals.to_string())
        .with("met.json", serde_json::json!([proposals[0]]).to_string())
        .with("bad.json", "[{\"relation\": \"fine\"}]");
    let plain = json(&place.steadfast("review out.md --criteria criteria.txt --json").status(0).stdout);
    assert_eq!(
        (&plain["criteria"][0]["status"], &plain["recommendation"]),
        (&Value::from("unreported"), &Value::from("review"))
    );
    assert!(plain.get("proposed").is_none());

    let own =
        json(&place.steadfast("review out.md --criteria criteria.txt --proposals all.json --json").status(0).stdout);
    let criterion = &own["criteria"][0];
    assert_eq!(
        (&criterion["status"], &criterion["origin"], &criterion["by_code"], &criterion["reported_by"]["matched"]),
        (&Value::from("met"), &Value::from("host"), &Value::from("unreported"), &Value::from("proposed"))
    );
    assert_eq!(
        (&own["contradictions"][0]["kind"], &own["contradictions"][0]["origin"]),
        (&Value::from("quoted"), &Value::from("host"))
    );
    assert_eq!(own["capped_by"], serde_json::json!(["criterion_unreported", "contradiction"]));
    assert_eq!(own["proposed"]["by_code"]["capped_by"], serde_json::json!(["criterion_unreported"]));
    assert_eq!(own["proposed"]["set_aside"][0]["reason"], "its words do not stand in the output");
    place.steadfast("review out.md --criteria criteria.txt --proposals all.json --fail-on contradiction -q").status(1);
    let text = place.steadfast("review out.md --criteria criteria.txt --proposals all.json").status(0).stdout;
    assert!(
        text.contains(
            "Proposals by the host: 1 criterion settled, 1 claim contradicted, 1 set aside. By code alone: review."
        ),
        "{text}"
    );

    // What a host finds met lifts a cap only where it is trusted; a person signs.
    let met = "review out.md --criteria criteria.txt --proposals met.json --json";
    let recommended =
        |more: &str| json(&place.steadfast(&format!("{met} {more}")).status(0).stdout)["recommendation"].clone();
    assert_eq!(
        (recommended(""), recommended("--trust-host"), recommended("--confirm Ann␣Lee")),
        ("review".into(), "approve".into(), "approve".into())
    );
    let signed = json(&place.steadfast(&format!("{met} --confirm Ann␣Lee")).status(0).stdout);
    assert_eq!(
        (&signed["proposed"]["by"], &signed["proposed"]["person"]),
        (&Value::from("person"), &Value::from("Ann Lee"))
    );

    let end = place.steadfast("review out.md --proposals bad.json").status(2);
    assert!(end.stderr.contains("are no proposals"), "{}", end.stderr);
    place.steadfast("review out.md --confirm Ann").status(2);
    place.steadfast_with("review - --proposals -", b"x").status(2);
}

/// A session in Claude Code's form: the ask, each command with its output and whether it failed, and the report.
fn session(ask: &str, commands: &[(&str, &str, bool)], report: &str) -> String {
    let line = |kind: &str, at: usize, content: Value| {
        let message = serde_json::json!({"id": format!("m{at}"), "role": kind, "content": content});
        serde_json::json!({"type": kind, "sessionId": "s", "uuid": format!("{kind}{at}"), "message": message})
            .to_string()
    };
    let mut lines = vec![line("user", 0, ask.into())];
    for (at, (command, output, failed)) in commands.iter().enumerate() {
        let id = format!("t{at}");
        let call = serde_json::json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
        let result =
            serde_json::json!([{"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}]);
        lines.extend([line("assistant", at + 1, call), line("user", at + 1, result)]);
    }
    lines.push(line("assistant", commands.len() + 1, serde_json::json!([{"type": "text", "text": report}])));
    lines.join("\n")
}

const FAILING: &[(&str, &str, bool)] = &[
    ("pytest -q", "12 passed in 0.1s", false),
    ("pytest -q", "Exit code 1\n3 failed, 9 passed in 0.1s", true),
    ("git commit -qm x", "", false),
];

#[test]
fn a_report_is_held_against_its_session() {
    let log = session("Fix the parser. Don't commit.", FAILING, "All 12 tests pass. The build is green.");
    let place = Place::empty().with("s.jsonl", &log);
    let got = json(&place.steadfast("review --session s.jsonl --json").status(0).stdout);
    assert_eq!(got["report"], "All 12 tests pass. The build is green.");
    assert_eq!(got["ask"], serde_json::json!([{"text": "Fix the parser. Don't commit.", "turn": 1}]));
    assert_eq!(got["deeds"][1]["exit"], 1);
    let claims = got["claims"].as_array().unwrap();
    let short: Vec<_> = claims.iter().map(|it| (it["kind"].as_str().unwrap(), it["state"].as_str().unwrap())).collect();
    assert_eq!(short, [("tests", "contradicted"), ("build", "not_checkable")]);
    assert_eq!(
        claims[0]["evidence"],
        serde_json::json!([{"turn": 3, "line": 4, "quote": "3 failed, 9 passed in 0.1s"}])
    );
    assert_eq!(claims[0]["span"]["quote"], "All 12 tests pass.");
    assert_eq!(got["breaks"][0]["obligation"], "Don't commit");
    assert_eq!((&got["breaks"][0]["turn"], &got["breaks"][0]["call"]), (&4.into(), &"git commit -qm x".into()));
    assert_eq!(got["capped_by"], serde_json::json!(["claim_contradicted", "ask_broken", "not_evaluable"]));
    assert_eq!(got["score"], Value::Null);
    for format in ["text", "md", "html", "junit", "sarif"] {
        let drawn = place.steadfast(&format!("review --session s.jsonl --format {format}")).status(0).stdout;
        assert!(drawn.contains("the last one says 9 passed, 3 failed"), "{format}: {drawn}");
    }
}

/// Proposals of somebody who read the session of [`what_rules_leave_open_of_a_session_is_decided`].
const SESSION_PROPOSALS: &str = r#"[
  {"claim": "The export takes 40 ms", "relation": "contradicted", "turn": 3, "quote": "export: 55 ms", "why": "It took longer."},
  {"claim": "I ran the linter and it is clean", "relation": "supported", "turn": 3, "quote": "export: 55 ms", "why": "It ran."},
  {"asked": "Keep the tone of the readme", "relation": "broken", "turn": 2, "quote": "echo WOW", "why": "It shouts."},
  {"asked": "Don't commit", "relation": "kept", "why": "Nothing is committed."},
  {"asked": "Be quick", "relation": "broken", "turn": 2, "quote": "echo WOW", "why": "It is slow."}
]"#;

#[test]
fn what_rules_leave_open_of_a_session_is_decided() {
    let done = &[("echo WOW >> README.md", "", false), ("python bench.py", "export: 55 ms", false), FAILING[2]];
    let log = session(
        "Speed up the export. Keep the tone of the readme. Don't commit.",
        done,
        "The export takes 40 ms. I ran the linter and it is clean.",
    );
    let place = Place::empty().with("s.jsonl", &log).with("p.json", SESSION_PROPOSALS);
    let open = place.steadfast("review undecided --session s.jsonl").status(0).stdout;
    let open: Value = serde_json::from_str(&open).unwrap();
    assert_eq!(open["asked"][0]["turn"], 1);
    assert_eq!(open["report"], "The export takes 40 ms. I ran the linter and it is clean.");
    let sentences = open["sentences"].as_array().unwrap();
    assert_eq!(sentences[0]["quote"], "The export takes 40 ms.");
    assert_eq!(sentences[0]["nearest"][0]["lines"], serde_json::json!(["export: 55 ms"]));
    assert_eq!((&sentences[1]["kind"], &sentences[1]["state"]), (&"lint".into(), &"unsupported".into()));
    assert_eq!(open["calls"][1], "3.1  Bash  python bench.py  exit 0\n    | export: 55 ms");
    assert!(open.get("next_cursor").is_none() && open["of"] == 6, "{open}");
    place.steadfast("review undecided --session s.jsonl --cursor 6").status(2);
    place.steadfast("review undecided").status(2);
    place.steadfast("review undecided --session - -").status(2);

    let got = json(&place.steadfast("review --session s.jsonl --proposals p.json --json").status(0).stdout);
    let claims = got["claims"].as_array().unwrap();
    let own = |at: usize| (claims[at]["kind"].as_str(), claims[at]["state"].as_str(), claims[at]["origin"].as_str());
    assert_eq!(own(0), (Some("stated"), Some("contradicted"), Some("host")));
    assert_eq!(own(1), (Some("lint"), Some("supported"), Some("host")));
    assert_eq!(claims[1]["by_code"], "unsupported");
    let breaks = got["breaks"].as_array().unwrap();
    assert_eq!(breaks.iter().map(|it| it["origin"].as_str().unwrap()).collect::<Vec<_>>(), ["code", "host"]);
    let aside = got["proposed"]["set_aside"].as_array().unwrap();
    let reasons: Vec<&str> = aside.iter().map(|it| it["reason"].as_str().unwrap()).collect();
    let nowhere = "the words that it says are asked do not stand in what the user typed";
    assert_eq!(reasons, ["code finds it broken", nowhere]);
    let by_code = &got["proposed"]["by_code"];
    assert_eq!(
        (&by_code["contradicted"], &by_code["unsupported"], &by_code["broken"]),
        (&0.into(), &1.into(), &1.into())
    );
    // What a host bears out passes no gate, unless it is trusted; what it finds fails them.
    for (gate, trusted, status) in [
        ("contradicted", "", 1),
        ("unsupported", "", 1),
        ("unsupported", " --trust-host", 0),
        ("unsupported", " --confirm Ann", 0),
    ] {
        let line = format!("review --session s.jsonl --proposals p.json --fail-on {gate} -q{trusted}");
        place.steadfast(&line).status(status);
    }
    place.steadfast("review --session s.jsonl --fail-on contradicted -q").status(0);
    for format in ["text", "md", "html", "junit", "sarif"] {
        let line = format!("review --session s.jsonl --proposals p.json --format {format}");
        let drawn = place.steadfast(&line).status(0).stdout.replace("&#32;", " ");
        assert!(drawn.contains("It took longer.") && drawn.contains("by the host"), "{format}: {drawn}");
    }
}

#[test]
fn gates_fail_where_no_score_can_be_given() {
    let log = session("Fix the parser. Don't commit.", FAILING, "All 12 tests pass. I ran the linter and it is clean.");
    let place = Place::empty().with("s.jsonl", &log);
    for gate in ["contradicted", "unsupported", "broken"] {
        place.steadfast(&format!("review --session s.jsonl --fail-on {gate} -q")).status(1);
    }
    let honest = session("Fix the parser.", &FAILING[1..2], "3 tests still fail.");
    let place = Place::empty()
        .with("s.jsonl", &honest)
        .with("prose.md", "No block.")
        .with("log.txt", "3 failed, 9 passed in 0.1s\n");
    for gate in ["contradicted", "unsupported", "broken"] {
        place.steadfast(&format!("review --session s.jsonl --fail-on {gate} -q")).status(0);
    }
    // Nothing decided and no gate that failed.
    place.steadfast("review prose.md --session s.jsonl -q").status(3);
    place.steadfast("review prose.md --evidence log.txt --fail-on contradicted -q").status(3);
}

#[test]
fn logs_and_diffs_are_evidence() {
    let diff =
        "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-x = 1\n+x = 2  # TODO: check\n+y = 3\n";
    let place = Place::empty()
        .with("report.md", "All 12 tests pass, and no TODOs are left.\n")
        .with("run/test.log", "3 failed, 9 passed in 0.1s\n")
        .with("run/change.diff", diff);
    let end = place.steadfast("review report.md --evidence run --json --fail-on contradicted").status(1);
    let got = json(&end.stdout);
    let claims = got["claims"].as_array().unwrap();
    let short: Vec<_> = claims.iter().map(|it| (it["kind"].as_str().unwrap(), it["state"].as_str().unwrap())).collect();
    assert_eq!(short, [("tests", "contradicted"), ("todos", "contradicted")]);
    assert!(got.get("deeds").is_none() && got.get("breaks").is_none());
}

#[test]
fn what_was_left_alone_and_how_many_tests_passed_is_compared() {
    let diff = "diff --git a/billing/tax.py b/billing/tax.py\n--- a/billing/tax.py\n+++ b/billing/tax.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n\
        diff --git a/billing/lines.py b/billing/lines.py\n--- a/billing/lines.py\n+++ b/billing/lines.py\n@@ -1 +1 @@\n-y = 1\n+y = 2\n";
    let place = Place::empty().with("run/change.diff", diff).with("run/test.log", "60 passed, 1 skipped in 4.20s\n");
    let states = |report: &str| {
        std::fs::write(place.path("report.md"), format!("{report}\n")).unwrap();
        let got: Value =
            serde_json::from_str(&place.steadfast("review report.md --evidence run --json").stdout).unwrap();
        let claims = got["claims"].as_array().unwrap();
        claims.iter().map(|it| it["state"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for touched in [
        "I did not touch `billing/tax.py`.",
        "I did not touch billing/tax.py.",
        "I didn't change the file billing/tax.py.",
        "billing/tax.py was not changed.",
        "Only `billing/lines.py` was changed.",
        "No test was skipped or deleted. 61 tests passed.",
    ] {
        assert_eq!(states(touched).first().map(String::as_str), Some("contradicted"), "{touched}");
        assert!(!states(touched).contains(&"supported".to_owned()), "{touched}");
    }
    assert_eq!(states("I did not touch billing/rates.py."), ["supported"]);
    assert_eq!(states("60 tests passed, 1 was skipped."), ["supported"]);
    assert_eq!(states("61 tests passed."), ["not_checkable"]);
    // What else stands between is beyond what is compared.
    assert_eq!(states("I did not touch the rounding in billing/tax.py."), [""; 0]);
}

#[test]
fn what_cannot_be_reviewed_with_a_session_is_refused() {
    let place = Place::empty()
        .with("none.jsonl", "{\"a\": 1}")
        .with("silent.jsonl", session("Fix it.", &[], "").replace("[{\"text\":\"\",\"type\":\"text\"}]", "[]"));
    let end = place.steadfast("review --session none.jsonl").status(2);
    assert!(end.stderr.contains("none.jsonl: 1:1: no session log that is known"), "{end:?}");
    let end = place.steadfast("review --session silent.jsonl").status(2);
    assert!(end.stderr.contains("the agent says nothing in it"), "{end:?}");
    place.steadfast("review --threshold 0.5").status(2);
    place.steadfast("review - --session -").status(2);
}

#[test]
fn criteria_are_read_from_what_was_asked() {
    let output = "<npl-block type=\"reflection\">\n✅ Verified: all tests pass\n🐛 Bug: the CSV export does not hold a header\n</npl-block>\n";
    let place = Place::empty()
        .with("ask.md", "Add a CSV export. All tests must pass. The export must hold a header.\n")
        .with("out.md", output);
    place.steadfast("review criteria ask.md -o criteria.json").status(0);
    let document: Value = serde_json::from_str(&place.read("criteria.json")).unwrap();
    assert_eq!(place.read("criteria.json"), place.steadfast("audit contract ask.md").status(0).stdout);
    let quotes: Vec<&str> =
        document["obligations"].as_array().unwrap().iter().map(|own| own["quote"].as_str().unwrap()).collect();
    let got = json(&place.steadfast("review out.md --criteria criteria.json --json").status(0).stdout);
    let criteria = got["criteria"].as_array().unwrap();
    assert_eq!(criteria.iter().map(|own| own["text"].as_str().unwrap()).collect::<Vec<_>>(), quotes);
    let status = |words: &str| {
        let own = criteria.iter().find(|own| own["text"].as_str().unwrap().contains(words)).unwrap();
        own["status"].as_str().unwrap().to_owned()
    };
    assert_eq!((status("tests must pass"), status("header")), ("met".to_owned(), "unmet".to_owned()));
    let place = place.with("bad.json", "{\"obligations\": 3}");
    let end = place.steadfast("review out.md --criteria bad.json").status(2);
    assert!(end.stderr.contains("bad.json"), "{}", end.stderr);
}

#[test]
fn what_a_range_of_commits_changed_is_evidence() {
    let place =
        Place::empty().with("lib.rs", "pub fn one() -> u8 {\n    1\n}\n").with("out.md", "I added tests for `one`.\n");
    let git = |arguments: &[&str]| {
        let done = std::process::Command::new("git")
            .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(place.root())
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "lib.rs"]);
    git(&["commit", "-qm", "Begin"]);
    let tests = "pub fn one() -> u8 {\n    1\n}\n\n#[test]\nfn one_is_one() {\n    assert_eq!(one(), 1);\n}\n";
    std::fs::write(place.path("lib.rs"), tests).unwrap();
    git(&["commit", "-qam", "Test"]);
    let state = |range: &str, status: i32| {
        let end = place.steadfast(&format!("review out.md --evidence git:{range} --json --fail-on contradicted"));
        json(&end.status(status).stdout)["claims"][0]["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state("HEAD~1..HEAD", 0), "supported");
    assert_eq!(state("HEAD..HEAD~1", 1), "contradicted");
    let end = place.steadfast("review out.md --evidence git:none..HEAD").status(2);
    assert!(end.stderr.contains("git:none..HEAD"), "{}", end.stderr);
}
