//! `--store`, `runs`, `tasks`, `backup` and `restore`, as a whole program.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use crate::common::{End, Place};
use serde_json::Value;
use steadfast_store::Store;

const NOTES: &str = "Today I must finish the board report (45 minutes). Dentist from 14:00 to 15:00.\n";
const PLAN: &str = "plan 2026-01-26.md --at 2026-01-26T09:00:00-05:00 --tz America/Toronto";

fn place() -> Place {
    Place::pair().with("2026-01-26.md", NOTES)
}

fn json(end: &End) -> Value {
    serde_json::from_str(&end.stdout).unwrap()
}

/// The answer without the member in which stored runs differ, and that member.
fn parted(end: &End) -> (Value, Value) {
    let mut answer = json(end);
    let run = answer.as_object_mut().unwrap().remove("run").unwrap();
    (answer, run)
}

fn listed(place: &Place) -> Vec<Value> {
    json(&place.steadfast("runs list --store s.db --json").status(0))["runs"].as_array().unwrap().clone()
}

#[test]
fn a_run_is_kept_and_its_answer_is_the_same_but_for_one_member() {
    let place = place();
    for command in [
        "audit prompt.txt report.md --json".to_owned(),
        format!("{PLAN} --json"),
        PLAN.replace("plan ", "plan constraints ") + " --json",
    ] {
        let without = place.steadfast(&command);
        let stored = place.steadfast(&format!("{command} --store s.db"));
        assert_eq!((stored.status, stored.stderr.as_str()), (without.status, without.stderr.as_str()), "{stored:?}");
        let (answer, run) = parted(&stored);
        assert_eq!(answer, json(&without));
        assert!(run["ms"]["total"].is_u64() && run["started"].as_str().unwrap().ends_with('Z'));
        let id = run["id"].as_str().unwrap();
        assert_eq!((id.len(), &id[14..15]), (36, "7"));
        let result = place.steadfast(&format!("runs show {id} --result --store s.db")).status(0);
        assert_eq!(result.stdout, without.stdout, "the stored result is the answer, byte for byte");
        let shown = json(&place.steadfast(&format!("runs show {id} --json --store s.db")).status(0));
        assert_eq!(shown["result"], json(&without));
        assert_eq!((&shown["run"]["id"], &shown["run"]["exit_status"]), (&run["id"], &without.status.into()));
    }
    assert_eq!(place.files(), ["2026-01-26.md", "prompt.txt", "report.md", "s.db"]);
    let verbs: Vec<Value> = listed(&place).iter().map(|run| run["verb"].clone()).collect();
    assert_eq!(verbs, ["plan constraints", "plan", "audit"]);
}

#[test]
fn what_was_asked_and_read_stands_with_a_run() {
    let place = place();
    place.steadfast("audit prompt.txt report.md --store s.db --fail-on risk=low --limit 0 -q").status(1);
    let runs = listed(&place);
    let run = &runs[0];
    assert_eq!((&run["exit_status"], &run["verb"]), (&1.into(), &"audit".into()));
    assert_eq!((&run["settings"]["fail_on_risk"], &run["settings"]["judge"]), (&"low".into(), &"rules".into()));
    assert!(run["verdict"].as_str().unwrap().starts_with("risk "));
    let names: Vec<&str> = run["inputs"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["prompt.txt", "report.md"]);
    assert_eq!(run["inputs"][0]["bytes"], crate::common::PROMPT.len());
    let text = serde_json::to_string(&runs).unwrap();
    assert!(!text.contains(place.root().to_str().unwrap()), "no path of the machine is kept");
    // The same input has the same hash, another has another.
    place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    let place = place.with("other.md", "# Seed library\n\nThe seed library opens within 2 months and costs 400 EUR.\n");
    place.steadfast("audit prompt.txt other.md --store s.db -q").status(0);
    let hashes: Vec<Value> = listed(&place).iter().map(|run| run["input_sha256"].clone()).collect();
    assert!(hashes[1] == hashes[2] && hashes[0] != hashes[1]);
}

#[test]
fn the_store_is_neither_input_nor_output() {
    let place = place().with("empty.md", "");
    let said = |end: End| {
        assert_eq!(end.status, 2, "{end:?}");
        end.stderr
    };
    for store in ["prompt.txt", "report.md", "./report.md"] {
        let stderr = said(place.steadfast(&format!("audit prompt.txt report.md --store {store}")));
        assert!(stderr.contains("cannot be both the store and an input"), "{stderr}");
    }
    said(place.steadfast("plan empty.md --store empty.md"));
    said(place.steadfast("watch empty.md --embedder lexical --store empty.md"));
    said(place.steadfast("audit prompt.txt report.md --store -"));
    said(place.steadfast("audit prompt.txt report.md --store s.db -o ./s.db"));
    said(place.steadfast("audit prompt.txt report.md --store s.db --out-dir s.db/.. -o s.db"));
    assert_eq!(place.files(), ["2026-01-26.md", "empty.md", "prompt.txt", "report.md"]);
    assert_eq!(place.read("empty.md"), "");
}

#[test]
fn only_the_members_that_are_asked_for_are_written() {
    let place = place();
    let whole = json(&place.steadfast("audit prompt.txt report.md --json --store s.db").status(0));
    let partly =
        json(&place.steadfast("audit prompt.txt report.md --json --fields overall_drift_risk,obligations").status(0));
    let names: Vec<&str> = partly.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["obligations", "overall_drift_risk"]);
    assert_eq!(
        (&partly["overall_drift_risk"], &partly["obligations"]),
        (&whole["overall_drift_risk"], &whole["obligations"])
    );

    let list = json(&place.steadfast("runs list --store s.db --json --fields id,verb").status(0));
    let row = list["runs"][0].as_object().unwrap();
    assert_eq!(row.keys().map(String::as_str).collect::<Vec<_>>(), ["id", "verb"]);
    assert_eq!((list["runs"].as_array().unwrap().len(), &row["id"]), (1, &whole["run"]["id"]));
    // What is kept is the whole.
    let id = row["id"].as_str().unwrap();
    let record = json(&place.steadfast(&format!("runs show {id} --store s.db --json --fields run,result")).status(0));
    assert_eq!(record["result"]["obligations"], whole["obligations"]);
    assert_eq!(record.as_object().unwrap().len(), 2);

    let end = place.steadfast("runs list --store s.db --json --fields id,nothing").status(2);
    assert!(end.stderr.starts_with("error: --fields names `nothing`: there are "), "{end:?}");
    assert!(end.stderr.contains(" id, "), "{end:?}");
    let end = place.steadfast("runs list --store s.db --fields id");
    end.refused(2, "error: --fields names members of the JSON\nhint: --json writes it");
    let end = place.steadfast("audit prompt.txt report.md --fields overall_drift_risk");
    end.refused(2, "error: --fields names members of the JSON\nhint: --json writes it");
}

#[test]
fn runs_are_listed_exported_and_deleted() {
    let place = place();
    for _ in 0..3 {
        place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    }
    place.steadfast(&format!("{PLAN} --store s.db -q"));
    let first = json(&place.steadfast("runs list --store s.db --json --limit 3").status(0));
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = json(&place.steadfast(&format!("runs list --store s.db --json --cursor {cursor}")).status(0));
    assert_eq!((first["runs"].as_array().unwrap().len(), rest["runs"].as_array().unwrap().len()), (3, 1));
    assert_eq!(rest.get("next_cursor"), None);
    let text = place.steadfast("runs list --store s.db").status(0).stdout;
    assert_eq!(text.lines().count(), 4, "{text}");
    let export = place.steadfast("runs export --store s.db --verb audit").status(0).stdout;
    let records: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 3);
    assert!(records.is_sorted_by_key(|record| record["run"]["id"].as_str().unwrap().to_owned()), "oldest first");
    assert!(records.iter().all(|record| record["result"]["overall_fidelity_score"].is_number()));
    place.steadfast("runs export --store s.db --verb audit -o runs.jsonl").status(0);
    assert_eq!(place.read("runs.jsonl"), export);
    assert_eq!(place.steadfast("runs export --store s.db -o s.db").status, 2);

    let id = |at: usize| records[at]["run"]["id"].as_str().unwrap().to_owned();
    let end = place.steadfast(&format!("runs delete {} none --store s.db", id(0)));
    end.refused(2, "error: no run `none` is stored\nhint: `steadfast runs list` names those that are");
    place.steadfast(&format!("runs delete {} {} --store s.db", id(0), id(1))).status(0);
    assert_eq!(listed(&place).len(), 2);
    assert_eq!(place.steadfast(&format!("runs show {} --store s.db", id(0))).status, 2);
    place
        .steadfast("runs list --store none.db")
        .refused(4, "error: none.db: no such file\nhint: `--store` names the file that an earlier run was given");
    assert_eq!(place.steadfast("runs delete x --store none.db").status, 4);
    assert!(!place.path("none.db").exists());
}

#[test]
fn a_copy_takes_the_place_of_what_came_after_it() {
    let place = place();
    place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    let end = place.steadfast("backup copy.db --store s.db").status(0);
    assert!(end.stdout.is_empty() && end.stderr.starts_with("note: copy.db holds 1 run, "), "{end:?}");
    place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    assert_eq!(listed(&place).len(), 2);
    // While somebody has it open, it is left alone.
    let open = Store::open_to_read(&place.path("s.db")).unwrap();
    place.steadfast("restore copy.db --store s.db").refused(
        4,
        "error: s.db: is open in another process, and was left as it is\nhint: end what has it open, then restore",
    );
    drop(open);
    let end = place.steadfast("restore copy.db --store s.db").status(0);
    assert!(end.stderr.contains("kept in s.db.before-restore-1"), "{end:?}");
    assert_eq!(listed(&place).len(), 1);
    place.steadfast("runs list --store s.db.before-restore-1 --json").status(0);
    let mut bytes = fs::read(place.path("copy.db")).unwrap();
    // The second page: a copy whose tables do not hang together. Damage within a value is not seen: SQLite keeps no checksums.
    bytes[4_096..6_096].fill(0x5a);
    fs::write(place.path("copy.db"), bytes).unwrap();
    assert_eq!(place.steadfast("restore copy.db --store s.db").status, 4);
    assert_eq!(listed(&place).len(), 1);
    assert_eq!(place.steadfast("backup report.md --store s.db").status, 4, "a report is not written over");
    assert_eq!(place.read("report.md"), crate::common::REPORT);
    let names = ["2026-01-26.md", "copy.db", "prompt.txt", "report.md", "s.db", "s.db.before-restore-1"];
    assert_eq!(place.files(), names);
}

#[test]
fn tasks_are_flagged_and_exported_with_what_made_them_candidates() {
    let place = place();
    let output =
        |task: &str, items: &str| format!("<npl-block type=\"check-in\" task-id=\"{task}\">\n{items}\n</npl-block>\n");
    let first = output("task-123", "- ✅ a\n- ✅ b\n- 🐛 c\n- ❓ d");
    for output in [&first, &output("task-123", "- ✅ a"), &output("task-9", "- 🐛 a")] {
        place.steadfast_with("review - --store s.db --json", output.as_bytes()).status(0);
    }

    assert_eq!(place.steadfast("tasks export --store s.db").status(0).stdout, "");
    place.steadfast("tasks flag task-123 good --tag auth --tag jwt --tag auth --store s.db").status(0);
    place.steadfast("tasks flag task-9 bad --store s.db").status(0);
    let export = place.steadfast("tasks export --store s.db").status(0).stdout;
    let lines: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    let line = &lines[0];
    assert_eq!((&line["task_id"], &line["quality"]), (&"task-123".into(), &"good".into()));
    assert_eq!(line["tags"], serde_json::json!(["auth", "jwt"]));
    assert_eq!(line["messages"][0]["content"], first.as_str());
    let because: Vec<&str> = line["because"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert!(because[0].starts_with("flagged good at ") && because[0].ends_with("Z: auth, jwt"), "{because:?}");
    assert!(because[1].ends_with(" scored 0.6125: review"), "{because:?}");
    let only = |arguments: &str| {
        place.steadfast(&format!("tasks export --store s.db {arguments}")).status(0).stdout.lines().count()
    };
    assert_eq!((only("--quality bad"), only("--tag jwt"), only("--tag jwt --tag x")), (1, 1, 0));
    assert_eq!(place.steadfast("tasks export --store s.db --quality unsure").status, 2);

    place.steadfast("tasks flag task-9 unsure --store s.db").status(0);
    assert_eq!(only(""), 1);
    place
        .steadfast("tasks flag none good --store s.db")
        .refused(2, "error: no task `none` is stored\nhint: `steadfast tasks list` names those that are");
    place
        .steadfast("tasks flag task-9 fine --store s.db")
        .refused(2, "error: `fine` is no quality\nhint: a quality is `good`, `bad` or `unsure`");
    let shown = json(&place.steadfast("tasks show task-123 --store s.db --json").status(0));
    assert_eq!(shown["messages"][1]["quality_flag"], "good");
    let text = place.steadfast("tasks list --store s.db").status(0).stdout;
    assert!(text.contains("task-123") && text.lines().count() == 2, "{text}");
    place.steadfast("tasks delete task-9 --store s.db").status(0);
    assert_eq!(place.steadfast("tasks show task-9 --store s.db").status, 2);
}
