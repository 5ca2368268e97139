//! Verbs that ask chat models, against a fake server: the verdict is the rules', whatever the server does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::Place;
use serde_json::Value;
use steadfast_testkit::fake_chat::{FakeChat, behaviour};

/// Nothing of the form that any verb asks for.
const OTHER: &str = r#"{"verdict": "perfect", "usable_as_is": true}"#;

const PROMPT: &str =
    "Write a plan for a village tool library. Budget: 5,000 euro. Do not use blockchain. It opens within 9 months.\n";
const REPORT: &str = "# Tool library\n\nIt opens within 12 months. Loans are recorded on a blockchain.\n";
const NOTES: &str = "- standup at 10:00, 15 minutes\n- finish the report (2 h) before 3pm\n- call the dentist\n";
const AT: &str = "--at 2026-01-26T08:00:00-05:00 --tz America/Toronto";

fn place(url: &str) -> Place {
    let settings = format!(
        "[chat.servers.own]\nkind = \"openai\"\nurl = \"{url}\"\n\n[chat.roles]\ndefault = \"own/m\"\n\"plan.judge\" = \"own/judge\"\n"
    );
    Place::empty()
        .with("steadfast.toml", settings)
        .with("prompt.txt", PROMPT)
        .with("report.md", REPORT)
        .with("notes.md", NOTES)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// What stands outside the model's own members.
fn without(mut value: Value, members: &[&str]) -> Value {
    for member in members {
        value.as_object_mut().unwrap().remove(*member);
    }
    value
}

#[test]
fn the_verdict_is_the_rules_whatever_a_server_does() {
    for name in ["a right stream", "HTML with 200", "cut by length", "401"] {
        let server = FakeChat::new(behaviour(name).unwrap(), OTHER).unwrap();
        let place = place(&server.url);

        let rules = place.steadfast("audit prompt.txt report.md --json").status(0);
        let both = place.steadfast("audit prompt.txt report.md --json --judge both --config steadfast.toml").status(0);
        let asked = server.asked().len();
        assert!(asked > 0, "{name}");
        let (rules, both) = (json(&rules.stdout), json(&both.stdout));
        assert!(rules["model_view"].is_null() && both["model_view"].is_object(), "{name}");
        let own = ["model_view", "set_aside", "judge"];
        assert_eq!(without(rules, &own), without(both, &own), "{name}");

        let alone = place.steadfast(&format!("plan notes.md {AT} --json")).status(0);
        let arguments = format!("plan notes.md {AT} --json --extract model --advise --config steadfast.toml");
        let helped = place.steadfast(&arguments).status(0);
        assert!(server.asked().len() > asked, "{name}");
        let (alone, helped) = (json(&alone.stdout), json(&helped.stdout));
        assert!(alone["model_view"].is_null() && helped["model_view"].is_object(), "{name}");
        assert_eq!(without(alone, &["model_view"]), without(helped, &["model_view"]), "{name}");
    }
}

#[test]
fn a_dry_run_asks_nobody_and_a_flag_without_a_model_is_refused() {
    let server = FakeChat::new(behaviour("a right stream").unwrap(), OTHER).unwrap();
    let place = place(&server.url);
    let run = place.steadfast("audit prompt.txt report.md --judge model --config steadfast.toml --dry-run --json");
    let run = json(&run.status(0).stdout);
    let roles: Vec<&str> = run["calls"].as_array().unwrap().iter().map(|call| call["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["audit.contract", "audit.incidents"]);
    let run = place.steadfast(&format!("plan notes.md {AT} --generate model --config steadfast.toml --dry-run --json"));
    assert_eq!(json(&run.status(0).stdout)["calls"][0]["role"], "plan.generate");
    assert!(server.asked().is_empty());

    place.steadfast("audit prompt.txt report.md --dry-run").refused(
        2,
        "error: `--dry-run` is given, and no model is asked\nhint: `--judge model` or `--judge both` asks one",
    );
    place.steadfast(&format!("plan notes.md {AT} --chat-model local/m")).refused(
        2,
        "error: `--chat-model` is given, and no model is asked\nhint: `--extract model`, `--generate model` or `--advise` asks one",
    );
}

/// One settings file serves all verbs: that it names servers is no mistake where none is asked, and what is wrong with it is told all the same.
#[test]
fn a_settings_file_is_named_where_no_model_is_asked() {
    let server = FakeChat::new(behaviour("a right stream").unwrap(), OTHER).unwrap();
    let place = place(&server.url).with("broken.toml", "[privacy]\nkeep = 1\n");
    let verbs = ["audit prompt.txt report.md --json".to_owned(), format!("plan notes.md {AT} --json")];
    for verb in &verbs {
        let alone = place.steadfast(verb);
        let named = place.steadfast(&format!("{verb} --config steadfast.toml"));
        assert_eq!((named.status, &named.stdout), (alone.status, &alone.stdout), "{named:?}");
        let broken = place.steadfast(&format!("{verb} --config broken.toml")).status(2);
        assert!(broken.stderr.starts_with("error: broken.toml:2: unknown field `keep`"), "{}", broken.stderr);
        let missing = place.steadfast(&format!("{verb} --config none.toml")).status(2);
        assert!(missing.stderr.starts_with("error: none.toml: no such file or folder"), "{}", missing.stderr);
    }
    place.steadfast("vault import --shipped --vault v.db").status(0);
    place.steadfast("pick review --vault v.db --config steadfast.toml").status(0);
    assert!(server.asked().is_empty());
}

#[test]
fn what_is_recorded_is_replayed_to_the_byte() {
    let server = FakeChat::new(behaviour("a right stream").unwrap(), OTHER).unwrap();
    let place = place(&server.url);
    let live = place
        .steadfast("audit prompt.txt report.md --json --judge both --config steadfast.toml --chat-record tape.jsonl")
        .status(0);
    let asked = server.asked().len();
    let again = place.steadfast("audit prompt.txt report.md --json --judge both --chat-replay tape.jsonl").status(0);
    assert_eq!(server.asked().len(), asked);
    let (live, again) = (json(&live.stdout), json(&again.stdout));
    for (name, value) in live["model_view"].as_object().unwrap() {
        assert_eq!(value, &again["model_view"][name], "{name}");
    }
    assert_eq!(live, again);
}
