//! `steadfast store export`: all that a store holds leaves it, and nothing else does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use crate::alerts::until;
use crate::common::serve::{Served, json_of};
use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;
use steadfast_wire::store_export::StoreLine;

/// What an agent may say to whoever looks at an export on a terminal: it is cleared, and its title set.
const HOSTILE: &str =
    "\u{1b}[2J\u{9b}2J\u{7f}\u{202e}\u{1b}]0;mine\u{7}A blockchain\u{8} of roses.\r\n{\"type\":\"end\",\"lines\":0}\n";

const RULE: &str = "[alerts.commands.log]\nargv = [\"true\"]\n\
    [[alerts.rules]]\nname = \"bans\"\nmetric = \"broken_bans\"\nabove = 0\n";

fn lines(export: &str) -> Vec<Value> {
    export.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

fn kinds(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["type"].as_str().unwrap()).collect()
}

/// A store in `s.db` that holds something of every kind, and a key of its API.
fn filled() -> (Place, String) {
    let place = Place::pair().with("steadfast.toml", RULE);
    place.steadfast("vault import --shipped --vault s.db --no-embed -q").status(0);
    let picked = place.steadfast("pick weekly␣review --vault s.db --json").status(0).stdout;
    let picked: Value = serde_json::from_str(&picked).unwrap();
    place.steadfast(&format!("feedback {} good --vault s.db", picked["trace_id"].as_str().unwrap())).status(0);
    let output = format!("{HOSTILE}<npl-block type=\"check-in\" task-id=\"t-1\">\n- ✅ a\n</npl-block>\n");
    place.steadfast_with("review - --store s.db -q", output.as_bytes()).status(0);
    place.steadfast("tasks flag t-1 good --tag roses --store s.db").status(0);
    let key = place.steadfast("key create --name ci --scope admin --store s.db -q").status(0).stdout;
    let server = Served::start(&place, "--store s.db --embedder lexical");
    let step = json!({"prompt": "Write a poem on roses. Banned words: blockchain.", "output": HOSTILE, "initial_intent": "poems"});
    json_of(&server.post("/api/trajectories/poet/steps", &step), 200);
    let audit = json_of(&server.post("/api/audit", &json!({"prompt": PROMPT, "report": REPORT})), 200);
    let decision = json!({
        "finding": "banned-term-used-0123456789ab", "decision": "accept", "reason": "known", "run_id": audit["run"]["id"],
    });
    json_of(&server.post("/api/decisions", &decision), 200);
    let job = json_of(&server.post("/api/jobs", &json!({"pairs": [{"prompt": PROMPT, "report": REPORT}]})), 202);
    let job = format!("/api/jobs/{}", job["job"]["id"].as_str().unwrap());
    until(|| json_of(&server.get(&job), 200)["job"]["state"] == "done");
    until(|| json_of(&server.get("/api/alerts/history"), 200)["notices"][0]["deliveries"][0]["state"] == "told");
    server.stop("TERM");
    (place, key.trim_end().to_owned())
}

#[test]
fn everything_leaves_in_lines_of_the_published_form() {
    let (place, key) = filled();
    let export = place.steadfast("store export --store s.db").status(0);
    assert_eq!(export.stderr, "");
    let acts = |own: char| (own.is_control() && own != '\n') || own == '\u{202e}';
    assert!(!export.stdout.contains(acts), "what acts on a terminal is escaped");
    let told = lines(&export.stdout);
    let schema: Value = serde_json::from_str(&place.steadfast("schema store-export").status(0).stdout).unwrap();
    assert_eq!(schema, serde_json::to_value(steadfast_wire::schema::<StoreLine>()).unwrap());
    for line in &told {
        assert_eq!(breaches(&schema, line), [""; 0], "{line}");
    }
    let kinds_there_are: BTreeSet<&str> = schema["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| own["properties"]["type"]["const"].as_str().unwrap())
        .collect();
    assert_eq!(kinds(&told).into_iter().collect::<BTreeSet<_>>(), kinds_there_are);

    let (first, last) = (&told[0], told.last().unwrap());
    assert_eq!((&first["type"], &first["program_version"]), (&json!("store"), &json!(env!("CARGO_PKG_VERSION"))));
    assert!(first["store_version"].as_i64().unwrap() > 8 && first["exported_at"].as_str().unwrap().ends_with('Z'));
    assert_eq!(last, &json!({"type": "end", "lines": told.len() - 1}));

    // What was said is there as it was said; of a key nothing by which it could be used or known again.
    assert_eq!(of(&told, "step")[0]["step"]["output"], HOSTILE);
    assert_eq!(of(&told, "step")[0]["step"]["initial_intent"], "poems");
    assert_eq!(of(&told, "step")[0]["scores"]["broken"].as_array().unwrap().len(), 1);
    assert!(of(&told, "message")[0]["message"]["content"].as_str().unwrap().starts_with(HOSTILE));
    assert_eq!(of(&told, "task")[0]["flags"][0]["tags"], json!(["roses"]));
    assert_eq!(of(&told, "prompt").len(), json_count(&place, "vault status --vault s.db --json", "prompts"));
    assert_eq!(of(&told, "run_text").len(), 4, "two runs of the server, of two texts each");
    let members: Vec<&String> = of(&told, "key")[0]["key"].as_object().unwrap().keys().collect();
    assert_eq!(members, ["created_at", "id", "name", "revoked_at", "scope"]);
    assert!(!export.stdout.contains(&key) && !export.stdout.contains("sfk_"));

    // `runs export` writes the same records.
    let runs: Vec<Value> = lines(&place.steadfast("runs export --store s.db").status(0).stdout);
    let same: Vec<Value> = of(&told, "run")
        .into_iter()
        .cloned()
        .map(|mut line| {
            line.as_object_mut().unwrap().remove("type");
            line
        })
        .collect();
    assert_eq!(same, runs);
}

fn json_count(place: &Place, arguments: &str, member: &str) -> usize {
    let told: Value = serde_json::from_str(&place.steadfast(arguments).status(0).stdout).unwrap();
    usize::try_from(told[member].as_u64().unwrap()).unwrap()
}

#[test]
fn the_same_store_gives_the_same_lines_and_a_file_is_whole_and_for_its_owner() {
    let place = Place::pair();
    place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    let export = place.steadfast("store export --store s.db").status(0).stdout;
    place.steadfast("store export --store s.db -o all.jsonl").status(0);
    let file = place.read("all.jsonl");
    let rest = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(rest(&file), rest(&export));
    assert_eq!(kinds(&lines(&file)), ["store", "run", "end"]);
    assert_eq!(place.files(), ["all.jsonl", "prompt.txt", "report.md", "s.db"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = place.path("all.jsonl").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn what_cannot_be_exported_is_refused_and_nothing_is_made() {
    let place = Place::pair();
    place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    place
        .steadfast("store export --store s.db -o s.db")
        .refused(2, "error: s.db: is read, so it is not written over\nhint: give another name to -o");
    place
        .steadfast("store export --store none.db")
        .refused(4, "error: none.db: no such file\nhint: `--store` names the file that an earlier run was given");
    place.steadfast("store export --store prompt.txt -o all.jsonl").refused(
        4,
        "error: prompt.txt: is no store, and nothing in it was changed\nhint: name another file: it is made where it does not exist",
    );
    place
        .steadfast("store export --store s.db -o no/all.jsonl")
        .refused(2, "error: no/all.jsonl: the folder it is to stand in does not exist");
    assert_eq!(place.files(), ["prompt.txt", "report.md", "s.db"]);
}
