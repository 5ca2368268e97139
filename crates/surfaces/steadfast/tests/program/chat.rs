//! `steadfast chat check` and the settings file, against a fake server on the loopback address.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use crate::common::{End, Place};
use serde_json::{Value, json};
use steadfast_testkit::fake_chat::{FakeChat, behaviour};
use steadfast_testkit::schema::breaches;
use steadfast_wire::audit::DriftEvaluation;
use steadfast_wire::chat::{ChatCheck, ChatExam, DryRun};
use steadfast_wire::settings::Settings;

const KEY: &str = "sk-canary-51c9-never-shown";
const READY: &str = r#"{"ready": true}"#;

fn server(name: &str) -> FakeChat {
    FakeChat::new(behaviour(name).unwrap(), READY).unwrap()
}

/// The program in `place`, whose home that is, with no variable of ours but these.
#[track_caller]
fn run(place: &Place, arguments: &str, variables: &[(&str, &str)]) -> End {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("STEADFAST") || name.starts_with("XDG")) {
        command.env_remove(name);
    }
    for name in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"] {
        command.env_remove(name);
    }
    for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(proxy);
    }
    let output = command
        .args(arguments.split_whitespace())
        .current_dir(place.root())
        .env("HOME", place.path("home"))
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let end = End {
        status: output.status.code().unwrap(),
        stdout: text(output.stdout).replace("\r\n", "\n"),
        stderr: text(output.stderr),
    };
    assert!(!end.stdout.contains("canary") && !end.stderr.contains("canary"), "{end:?}");
    end
}

fn settings(server: &FakeChat, more: &str) -> String {
    format!(
        "[chat.servers.own]\nkind = \"openai\"\nurl = \"{}\"\nkey_env = \"OWN_KEY\"\n\n[chat.roles]\ndefault = \"own/m\"\n{more}",
        server.url
    )
}

fn place(server: &FakeChat, more: &str) -> Place {
    Place::empty().with("steadfast.toml", settings(server, more))
}

const WITH_KEY: &[(&str, &str)] = &[("OWN_KEY", KEY)];

/// The line of the latency has another number each time.
fn without_latency(text: &str) -> String {
    let line = |line: &str| match line
        .split_once("latency:  ")
        .and_then(|(before, rest)| Some((before, rest.split_once(" ms")?.1)))
    {
        Some((before, rest)) => format!("{before}latency:  N ms{rest}"),
        None => line.to_owned(),
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn a_model_that_answers_is_told_with_its_form_and_tokens() {
    let server = server("the schema refused");
    let place = place(&server, "\"plan.judge\" = \"own/n/large\"\n");
    let end = run(&place, "chat check", WITH_KEY).status(0);
    let wanted = format!(
        "\
own/m: answers
  server:   {url}
  roles:    audit, plan.extract, plan.generate, review, watch, pick.intake, pick.rank
  form:     json_object
  latency:  N ms, attempts 2
  tokens:   11 asked, 7 replied
own/n/large: answers
  server:   {url}
  roles:    plan.judge
  form:     json_object
  latency:  N ms, attempts 2
  tokens:   11 asked, 7 replied
",
        url = server.url
    );
    assert_eq!(without_latency(&end.stdout), wanted);
    assert_eq!(end.stderr, "");
    let asked = server.asked();
    assert_eq!(asked[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!((&asked[0].body["model"], &asked[2].body["model"]), (&json!("m"), &json!("n/large")));
    // What was found is kept for later runs, and nothing else is.
    assert_eq!(place.files(), ["home/.cache/steadfast/chat-modes.json", "steadfast.toml"]);
}

#[test]
fn the_json_keeps_to_its_schema_and_tells_a_judge_of_itself() {
    let server = server("a right stream");
    let place = place(&server, "");
    let end = run(&place, "chat check --json", WITH_KEY).status(0);
    let check: Value = serde_json::from_str(&end.stdout).unwrap();
    let schema = serde_json::to_value(steadfast_wire::schema::<ChatCheck>()).unwrap();
    assert_eq!(breaches(&schema, &check), [""; 0]);
    assert_eq!((&check["usable"], &check["self_judged"]), (&json!(true), &json!("own/m")));
    assert_eq!((&check["models"][0]["mode"], &check["models"][0]["attempts"]), (&json!("json_schema"), &json!(1)));
    let apart = self::place(&server, "\"plan.judge\" = \"own/other\"\n");
    let check: Value = serde_json::from_str(&run(&apart, "chat check --json", WITH_KEY).stdout).unwrap();
    assert_eq!(check["self_judged"], Value::Null);
}

#[test]
fn a_model_that_does_not_answer_ends_with_four() {
    for (name, why) in [
        ("401", "status 401: no such key"),
        ("HTML with 200", "the answer is `text/html`, neither a stream of events nor JSON"),
        ("an error that repeats what was sent", "status 403: its words repeat what was sent, and are left out"),
    ] {
        let server = server(name);
        let end = run(&place(&server, ""), "chat check", WITH_KEY).status(4);
        let wanted = format!(
            "error: 1 of 1 models gave no reply that can be used, the first: own/m: the call failed: {}: {why}\n",
            server.url
        );
        assert_eq!(end.stderr, wanted);
        assert!(end.stdout.starts_with("own/m: gives no reply that can be used\n"), "{}", end.stdout);
    }
}

#[test]
fn settings_that_cannot_be_are_refused_with_their_place() {
    let server = server("a right stream");
    let refused = |settings: &str| {
        let end = run(&Place::empty().with("steadfast.toml", settings), "chat check", WITH_KEY).status(2);
        end.stderr.lines().next().unwrap().to_owned()
    };
    let own = self::settings(&server, "");
    for (settings, message) in [
        (own.replace("key_env", "key"), "error: steadfast.toml:4: unknown field `key`, expected one of `kind`"),
        (
            own.replace("\"OWN_KEY\"", "\"OWN_KEY\"\nkey_file = \"k\""),
            "error: steadfast.toml: `chat.servers.own`: has both",
        ),
        (own.replace("OWN_KEY", "NO_SUCH_KEY"), "error: `chat.servers.own`: the variable NO_SUCH_KEY is not set"),
        (own.replace("openai", "closedai"), "error: steadfast.toml:2: unknown variant `closedai`"),
        (own.replace("default", "defaults"), "error: steadfast.toml: `chat.roles.defaults`: is no role"),
        (own.replace("own/m", "m"), "error: steadfast.toml: `chat.roles.default`: `m` names no model"),
        (own.replace("own/m", "other/m"), "error: steadfast.toml: `chat.roles.default`: `other` is no server"),
        (
            own.replace(&server.url, "http://models.example:8000"),
            "error: `chat.servers.own`: http://models.example:8000: a key is not sent over http to another machine",
        ),
        (
            own.replace(&server.url, "ftp://a"),
            "error: `chat.servers.own`: ftp://a: is not fetched: only http and https are",
        ),
        (own.clone() + "[chat.budget]\ntokens_per_day = -1\n", "error: steadfast.toml:9: invalid value: integer `-1`"),
        (
            own.clone() + "[chat.budget]\nmoney_per_run = 0.5\n",
            "error: `chat.budget` limits money, and `own/m` has no prices",
        ),
        (
            own.clone() + "[chat.servers.own.timeouts]\nidle_s = 0\n",
            "error: steadfast.toml: `chat.servers.own.timeouts.idle_s`: lies above 0 and at most at 3600",
        ),
        (own + "[exports]\n", "error: steadfast.toml:8: unknown field `exports`, expected one of `chat`, "),
        ("[chat".to_owned(), "error: steadfast.toml:1: "),
        (String::new(), "error: no chat model is set"),
    ] {
        let said = refused(&settings);
        assert!(said.starts_with(message), "{said}\nwanted {message}");
    }
    assert!(server.asked().is_empty());
    // A key that stands where it must not is not repeated.
    refused(&self::settings(&server, &format!("key = \"{KEY}\"\n")));
    refused(&format!("{KEY}\n"));
    let end = run(&Place::empty(), "chat check --config none.toml", &[]).status(2);
    assert!(end.stderr.starts_with("error: none.toml: "), "{}", end.stderr);
}

#[test]
fn flags_go_before_the_environment_and_that_before_the_file() {
    let (one, two, three) = (server("a right stream"), server("a right stream"), server("a right stream"));
    let place = place(&one, "").with("other/config.toml", settings(&two, ""));
    run(&place, "chat check", WITH_KEY).status(0);
    assert_eq!([&one, &two, &three].map(|server| server.asked().len()), [1, 0, 0]);
    run(&place, "chat check", &[("OWN_KEY", KEY), ("STEADFAST_CONFIG", "other/config.toml")]).status(0);
    assert_eq!([&one, &two, &three].map(|server| server.asked().len()), [1, 1, 0]);
    let variables = [("OWN_KEY", KEY), ("STEADFAST_CHAT_URL", three.url.as_str()), ("STEADFAST_CHAT_MODEL", "e")];
    run(&place, "chat check --config other/config.toml", &variables).status(0);
    assert_eq!([&one, &two, &three].map(|server| server.asked().len()), [1, 1, 1]);
    assert_eq!((three.asked()[0].header("authorization"), &three.asked()[0].body["model"]), (None, &json!("e")));
    run(&place, "chat check --chat-model own/f", &variables).status(0);
    assert_eq!([&one, &two, &three].map(|server| server.asked().len()), [2, 1, 1]);
    assert_eq!(one.asked()[1].body["model"], json!("f"));
}

#[test]
fn a_key_under_its_usual_name_is_told_how_to_be_used_and_sent_nowhere() {
    for (name, server) in [("ANTHROPIC_API_KEY", "anthropic"), ("OPENAI_API_KEY", "openai")] {
        let end = run(&Place::empty(), "chat check", &[(name, KEY)]).status(2);
        let hint = end.stderr.lines().nth(1).unwrap();
        assert!(hint.starts_with(&format!("hint: {name} is set, and this would use it")), "{hint}");
        assert!(hint.ends_with(&format!("`steadfast chat check --chat-model {server}/MODEL`")), "{hint}");
        // Who is named needs no settings, and no other model is asked.
        let named = format!("chat check --dry-run --chat-model {server}/large");
        let end = run(&Place::empty(), &named, &[(name, KEY)]).status(0);
        assert!(end.stdout.starts_with(&format!("audit: large at https://api.{server}.com, about ")), "{}", end.stdout);
        let end = run(&Place::empty(), &format!("chat check --chat-model {server}/large"), &[]).status(2);
        assert!(end.stderr.starts_with(&format!("error: `chat.servers.{server}`: the variable {name} is not set")));
    }
    let without = run(&Place::empty(), "chat check", &[("ANTHROPIC_API_KEY", ""), ("OPENAI_API_KEY", "")]).status(2);
    assert!(without.stderr.contains("hint: name a server and a model"), "{}", without.stderr);
    let end = run(&Place::empty(), "chat check --dry-run --chat-model ollama/qwen3:8b", &[]).status(0);
    assert!(end.stdout.starts_with("audit: qwen3:8b at http://localhost:11434, about "), "{}", end.stdout);
}

#[test]
fn a_key_may_stand_in_a_file_beside_the_settings() {
    let server = server("a right stream");
    let text = settings(&server, "").replace("key_env = \"OWN_KEY\"", "key_file = \"keys/own\"");
    let place = Place::empty().with("config/steadfast.toml", text).with("config/keys/own", format!("{KEY}\n"));
    run(&place, "chat check --config config/steadfast.toml", &[]).status(0);
    assert_eq!(server.asked()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
}

#[test]
fn a_dry_run_sends_nothing_and_needs_no_key() {
    let server = server("a right stream");
    let place = place(&server, "\"plan.judge\" = \"own/other\"\n");
    let end = run(&place, "chat check --dry-run", &[]).status(0);
    assert!(end.stdout.starts_with(&format!("audit: m at {}, about ", server.url)), "{}", end.stdout);
    assert!(end.stdout.contains("--- system\nThis is a test of the connection."), "{}", end.stdout);
    assert!(end.stdout.contains("\n2 calls, about "), "{}", end.stdout);
    let run: Value = serde_json::from_str(&run(&place, "chat check --dry-run --json", &[]).status(0).stdout).unwrap();
    let schema = serde_json::to_value(steadfast_wire::schema::<DryRun>()).unwrap();
    assert_eq!(breaches(&schema, &run), [""; 0]);
    assert!(server.asked().is_empty());
    assert_eq!(place.files(), ["steadfast.toml"]);
}

#[test]
fn what_was_recorded_is_replayed_and_holds_no_key() {
    let server = server("a right stream");
    let place = place(&server, "");
    run(&place, "chat check --chat-record calls.jsonl", WITH_KEY).status(0);
    let text = place.read("calls.jsonl");
    assert!(text.lines().count() == 1 && !text.contains("canary") && !text.contains("127.0.0.1"), "{text}");
    run(&place, "chat check --chat-replay calls.jsonl", &[]).status(0);
    assert_eq!(server.asked().len(), 1);
    let place = place.with("other.jsonl", text.replace("\"key\":\"", "\"key\":\"0"));
    let end = run(&place, "chat check --chat-replay other.jsonl", &[]).status(4);
    assert!(end.stderr.contains("other.jsonl has no record of this question of `audit` to `m`"), "{}", end.stderr);
    let place = place.with("broken.jsonl", "{}\n");
    let end = run(&place, "chat check --chat-replay broken.jsonl", &[]).status(2);
    assert!(end.stderr.starts_with("error: broken.jsonl:1: is no recorded call: "), "{}", end.stderr);
}

#[test]
fn a_day_is_counted_from_one_run_to_the_next() {
    let server = server("a right stream");
    // A question of about 200 tokens and a reply of at most 1,000 fit once, not beside the 18 that are spent.
    let probe: Value =
        serde_json::from_str(&run(&place(&server, ""), "chat check --dry-run --json", &[]).status(0).stdout).unwrap();
    let whole = probe["question_tokens"].as_u64().unwrap() + probe["reply_tokens_max"].as_u64().unwrap();
    let place = place(&server, &format!("[chat.budget]\ntokens_per_day = {}\n", whole + 17));
    run(&place, "chat check", WITH_KEY).status(0);
    let account: Value = serde_json::from_str(&place.read("home/.local/state/steadfast/chat-spent.json")).unwrap();
    assert_eq!(account["tokens"], 18);
    let end = run(&place, "chat check", WITH_KEY).status(4);
    assert!(
        end.stderr.contains(&format!(
            "the call was not made: it may take {whole} tokens, and of the {} for the day 18 are spent",
            whole + 17
        )),
        "{}",
        end.stderr
    );
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn the_example_of_the_documentation_is_taken() {
    let document = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/chat.md")).unwrap();
    let example = document.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let place = Place::empty().with("steadfast.toml", example);
    let end = run(&place, "chat check --dry-run", &[]).status(0);
    assert!(end.stdout.contains("plan.judge: large at https://models.example, about "), "{}", end.stdout);
    // Every setting that there is stands in it.
    let value: toml::Table = toml::from_str(example).unwrap();
    let value = serde_json::to_value(value).unwrap();
    let schema = serde_json::to_value(steadfast_wire::schema::<Settings>()).unwrap();
    assert_eq!(breaches(&schema, &value), [""; 0]);
    let names = schema.to_string();
    for name in ["key_file", "tokens_field", "temperature", "connect_s", "first_byte_s", "idle_s", "whole_s", "account"]
    {
        assert!(names.contains(&format!("\"{name}\"")) && example.contains(&format!("{name} = ")), "{name}");
    }
}

/// A judge of nothing sits the exam, does not pass it, and results that rest on it say so.
#[test]
fn a_model_that_does_not_pass_the_exam_is_named_with_its_mark() {
    let silent = json!({"proposals": []}).to_string();
    let server = FakeChat::new(behaviour("a right stream").unwrap(), &silent).unwrap();
    let prompt = "Write a plan for a tool library. The budget is 5,000 euro. It opens within 9 months.\n";
    let report = "# Tool library\n\nThe tool library opens within 12 months. The budget is 5,000 euro.\n";
    let place = place(&server, "").with("prompt.txt", prompt).with("report.md", report);
    let audit = || run(&place, "audit prompt.txt report.md --judge both --json", WITH_KEY).status(0).stdout;
    let unexamined: DriftEvaluation = serde_json::from_str(&audit()).unwrap();
    assert_eq!(unexamined.chat.unwrap().exam, None);
    let text = run(&place, "audit prompt.txt report.md --judge both", WITH_KEY).status(0).stdout;
    assert!(text.contains("Of the model m: it has sat no exam with these rules"), "{text}");

    let end = run(&place, "chat exam --part audit --repeats 1 --json", WITH_KEY).status(1);
    let exam: Value = serde_json::from_str(&end.stdout).unwrap();
    let schema = serde_json::to_value(steadfast_wire::schema::<ChatExam>()).unwrap();
    assert_eq!(breaches(&schema, &exam), [""; 0]);
    let part = &exam["parts"][0];
    assert_eq!(
        (&exam["passed"], &part["mark"]["cases"], &part["failed_calls"]),
        (&json!(false), &json!(40), &json!(0))
    );
    assert_eq!((&part["name"], &part["model"], &part["server"]), (&json!("own"), &json!("m"), &json!(server.url)));
    let found = &part["mark"]["figures"][0];
    assert_eq!(
        (&found["name"], &found["met"], &found["value"]),
        (&json!("drifts_found"), &json!(false), &found["rules"])
    );

    let examined: DriftEvaluation = serde_json::from_str(&audit()).unwrap();
    let mark = examined.chat.unwrap().exam.unwrap();
    assert_eq!((serde_json::to_value(&mark).unwrap(), mark.passed), (part["mark"].clone(), false));
    let text = run(&place, "audit prompt.txt report.md --judge both", WITH_KEY).status(0).stdout;
    assert!(text.contains("Of the model m: it did NOT pass the exam of 20"), "{text}");
    // Another model at the same server has sat none.
    let other =
        run(&place, "audit prompt.txt report.md --judge both --chat-model own/other", WITH_KEY).status(0).stdout;
    assert!(other.contains("Of the model other: it has sat no exam"), "{other}");
}

#[test]
fn an_exam_says_what_it_would_ask_and_ends_where_nothing_comes() {
    let server = server("401");
    let place = place(&server, "");
    let end = run(&place, "chat exam --dry-run --cases 3 --repeats 2 --json", &[]).status(0);
    let rehearsed: DryRun = serde_json::from_str(&end.stdout).unwrap();
    let of = |role: &str| rehearsed.calls.iter().filter(|call| call.role == role).count();
    assert!(of("audit") >= 12 && of("plan.extract") == 6 && server.asked().is_empty(), "{}", of("audit"));

    let end = run(&place, "chat exam --part plan --cases 9 --repeats 1", WITH_KEY).status(4);
    assert!(
        end.stdout.starts_with(
            "plan: own/m: NOT passed\n  ended after 5 notes: nothing came, so nothing is said of it\n  5 calls, "
        ),
        "{}",
        end.stdout
    );
    let error = end.stderr.lines().last().unwrap();
    assert!(error.starts_with("error: own/m gave no reply that can be used: the call failed: "), "{error}");
    // A mark of nothing is not kept, and neither is one of a few cases.
    assert!(!place.files().iter().any(|file| file.contains("chat-exams")), "{:?}", place.files());
    let end = run(&place, "chat exam --cases 0", WITH_KEY).status(2);
    assert!(end.stderr.contains("0 is not in 1..=156"), "{}", end.stderr);
    let end = run(&Place::empty(), "chat exam", &[]).status(2);
    assert!(end.stderr.starts_with("error: no chat model is set"), "{}", end.stderr);
}
