//! What is sent, and what is remembered from one call to the next: forms, failures, what was spent, what was said.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod sites;

use std::sync::Arc;
use std::time::Duration;

use common::{KEY, MODEL, Stage, WHOLE, kind};
use serde_json::{Value, json};
use sites::{Site, run};
use steadfast_chat::{FileTape, Mode, Waits};
use steadfast_dialogue::{Field, Form, Nothing, Passage, Request, Role, Schema};
use steadfast_engine::chat::{Budget, CallLog, Cost, Ended, Limit, Limits, Prices, Recording, Rehearsal, Replay, Tape};
use steadfast_testkit::fake_chat::{Act, Dialect, FakeChat, Say, behaviour, http, stream};
use steadfast_wire::settings::ServerKind;

const EVENTS: &[(&str, &str)] = &[("content-type", "text/event-stream")];
/// A question as small as can be, in a role.
fn small(role: Role) -> Site {
    let score = Field::new("score", "how good", Form::Integer { min: 0, max: 5 });
    let why = Field::new("why", "the reason", Form::Text { characters_max: 200 });
    let request = Request {
        role,
        instructions: "Read the notes.".to_owned(),
        passages: vec![Passage { label: "notes", text: sites::JUDGED.to_owned() }],
        schema: Schema::new("opinion", vec![score, why]),
        reply_tokens_max: 500,
    };
    Site {
        request,
        good: r#"{"score": 3, "why": "because"}"#.to_owned(),
        is_capped: false,
        ten_thousand: "",
        reserved: 2,
    }
}

/// It in the first role.
fn place() -> Site {
    small(Role::Audit)
}

fn stage(server: &FakeChat, dialect: Dialect) -> Stage {
    Stage::new(&server.url, kind(dialect), Waits::default())
}

/// Goes through the exchange of the first site.
fn ask(stage: &Stage) -> CallLog {
    run(&place(), &sites::desk(&stage.model, stage.desk())).remove(0)
}

fn failed(log: &CallLog) -> &str {
    match &log.ended {
        Ended::Without(Nothing::Failed(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_openai_server_is_asked_so() {
    let server = FakeChat::new(behaviour("a right stream").unwrap(), &place().good).unwrap();
    ask(&stage(&server, Dialect::OpenAi));
    let asked = server.asked().remove(0);
    assert_eq!(asked.path, "/v1/chat/completions");
    for (name, value) in [
        ("authorization", format!("Bearer {KEY}")),
        ("content-type", "application/json".to_owned()),
        ("accept", "text/event-stream, application/json".to_owned()),
        ("accept-encoding", "identity".to_owned()),
    ] {
        assert_eq!(asked.header(name), Some(value.as_str()));
    }
    let mut body = asked.body;
    let messages = body["messages"].take();
    assert_eq!((&messages[0]["role"], &messages[1]["role"]), (&json!("system"), &json!("user")));
    assert!(messages[1]["content"].as_str().unwrap().starts_with(&format!("<<<notes {}>>>\n", "0".repeat(32))));
    let schema = body["response_format"]["json_schema"]["schema"].take();
    assert_eq!((&schema["additionalProperties"], &schema["required"]), (&json!(false), &json!(["score", "why"])));
    assert_eq!(
        body,
        json!({
            "model": MODEL,
            "messages": null,
            "max_tokens": 500,
            "stream": true,
            "stream_options": {"include_usage": true},
            "response_format": {"type": "json_schema", "json_schema": {"name": "opinion", "strict": true, "schema": null}},
        })
    );
}

#[test]
fn an_anthropic_server_is_asked_so() {
    let server = FakeChat::new(behaviour("the schema refused").unwrap(), &place().good).unwrap();
    ask(&stage(&server, Dialect::Anthropic));
    let [first, mut second] = <[_; 2]>::try_from(server.asked()).unwrap();
    assert_eq!(first.path, "/v1/messages");
    for (name, value) in [("x-api-key", KEY), ("anthropic-version", "2023-06-01")] {
        assert_eq!(first.header(name), Some(value));
    }
    assert_eq!(first.header("authorization"), None);
    let mut body = first.body;
    assert!(body["system"].take().as_str().unwrap().starts_with("Read the notes."));
    let messages = body["messages"].take();
    assert_eq!((messages.as_array().unwrap().len(), &messages[0]["role"]), (1, &json!("user")));
    let schema = body["output_config"]["format"]["schema"].take();
    assert_eq!(schema["required"], json!(["score", "why"]));
    assert_eq!(
        body,
        json!({
            "model": MODEL,
            "max_tokens": 500,
            "system": null,
            "messages": null,
            "stream": true,
            "output_config": {"format": {"type": "json_schema", "schema": null}},
        })
    );
    assert_eq!(second.body["tools"][0]["input_schema"].take(), schema);
    assert_eq!(second.body["tool_choice"], json!({"type": "tool", "name": "opinion"}));
    assert_eq!(second.body.get("output_config"), None);
}

#[test]
fn a_form_that_was_found_is_remembered_for_server_and_model() {
    let server = FakeChat::new(behaviour("the schema refused").unwrap(), &place().good).unwrap();
    let stage = stage(&server, Dialect::OpenAi);
    assert_eq!(stage.modes.proved(stage.server.origin(), MODEL), None);
    assert_eq!((ask(&stage).attempts, ask(&stage).attempts), (2, 1));
    assert_eq!(stage.modes.proved(stage.server.origin(), MODEL), Some(Mode::JsonObject));
    assert_eq!(stage.modes.proved(stage.server.origin(), "another"), None);
    let modes: Vec<String> = server.asked().iter().map(|asked| asked.mode().to_owned()).collect();
    assert_eq!(modes, ["json_schema", "json_object", "json_object"]);
}

#[test]
fn a_form_that_was_taken_once_is_not_left_for_any_400() {
    let error = |message: &str| {
        let body = json!({"error": {"message": message}}).to_string();
        Act::Send(http("400 Bad Request", &[("content-type", "application/json")], body.as_bytes()))
    };
    let server = FakeChat::acting(move |asked, count| match count {
        1 => error("maximum context length is 8192 tokens"),
        2 => error("response_format is not supported any more"),
        _ => Act::Send(http("200 OK", EVENTS, stream(asked, &Say::words(&place().good)).as_bytes())),
    })
    .unwrap();
    let stage = stage(&server, Dialect::OpenAi);
    ask(&stage);
    let log = ask(&stage);
    assert_eq!(
        (failed(&log).split_once(": ").unwrap().1, log.attempts),
        ("status 400: maximum context length is 8192 tokens", 1)
    );
    assert_eq!(ask(&stage).attempts, 2);
    let modes: Vec<String> = server.asked().iter().map(|asked| asked.mode().to_owned()).collect();
    assert_eq!(modes, ["json_schema", "json_schema", "json_schema", "json_object"]);
}

#[test]
fn where_every_form_is_refused_nothing_is_remembered() {
    let server = FakeChat::new(behaviour("400").unwrap(), &place().good).unwrap();
    let stage = stage(&server, Dialect::OpenAi);
    for _ in 0..2 {
        assert_eq!(ask(&stage).attempts, 3);
    }
    assert_eq!(server.asked()[3].mode(), "json_schema");
}

#[test]
fn a_server_that_fails_again_and_again_is_not_asked_for_a_while() {
    let server = FakeChat::new(behaviour("a storm of 500").unwrap(), &place().good).unwrap();
    let stage = stage(&server, Dialect::OpenAi);
    for _ in 0..2 {
        assert_eq!(ask(&stage).attempts, 3);
    }
    let log = ask(&stage);
    assert_eq!(log.attempts, 0);
    assert_eq!(failed(&log), format!("{} has failed several times in a row and is left alone for 30 s", server.url));
    assert_eq!(server.asked().len(), 6);
    // Another model at the same server is left alone as well.
    let surroundings = steadfast_engine::chat::Surroundings {
        clock: Arc::<common::Virtual>::clone(&stage.clock),
        entropy: Arc::new(common::Least),
        budget: None,
    };
    let other = stage.server.model("other", None, surroundings, WHOLE);
    let log = run(&place(), &sites::desk(&other, stage.desk())).remove(0);
    assert_eq!((log.attempts, server.asked().len()), (0, 6));
}

const PRICES: Prices = Prices { question_per_million: 1.0, reply_per_million: 2.0 };

fn spending(server: &FakeChat, limits: Limits) -> (Stage, Arc<Budget>) {
    let budget = Arc::new(Budget::new(limits, None, Arc::new(common::Virtual::default())));
    let stage =
        Stage::spending(&server.url, ServerKind::Openai, Waits::default(), Some(PRICES), Some(Arc::clone(&budget)));
    (stage, budget)
}

fn ask_within(stage: &Stage, budget: &Arc<Budget>) -> CallLog {
    let desk = sites::desk(&stage.model, stage.desk()).with_budget(Arc::clone(budget));
    run(&place(), &desk).remove(0)
}

#[test]
fn what_does_not_fit_the_budget_is_not_sent() {
    let server = FakeChat::new(behaviour("a right stream").unwrap(), &place().good).unwrap();
    let run = |tokens| Limits { run: Limit { tokens: Some(tokens), micros: None }, ..Limits::default() };
    let (stage, budget) = spending(&server, run(500));
    let log = ask_within(&stage, &budget);
    let Ended::Without(Nothing::OverBudget(why)) = &log.ended else { panic!("{:?}", log.ended) };
    assert!(why.ends_with("and of the 500 for the run 0 are spent"), "{why}");
    assert_eq!((log.attempts, server.asked().len()), (0, 0));
    let (stage, budget) = spending(&server, run(2_000));
    assert!(matches!(ask_within(&stage, &budget).ended, Ended::Read(_)));
    // 11 and 7, as the server counted.
    assert_eq!(budget.spent(), Cost { tokens: 18, micros: 11 + 14 });
}

#[test]
fn what_a_server_counts_beyond_measure_or_not_at_all_is_estimated() {
    for name in ["usage beyond measure", "usage below nothing", "no usage"] {
        let server = FakeChat::new(behaviour(name).unwrap(), &place().good).unwrap();
        let (stage, budget) = spending(&server, Limits::default());
        ask_within(&stage, &budget);
        let said = server.asked()[0].body["messages"].clone();
        let bytes: usize = said.as_array().unwrap().iter().map(|one| one["content"].as_str().unwrap().len()).sum();
        let tokens = (bytes.div_ceil(3) + place().good.len().div_ceil(3)) as u64;
        assert_eq!(budget.spent().tokens, tokens, "{name}");
    }
}

#[test]
fn what_a_server_began_and_did_not_end_is_counted_and_what_it_refused_is_not() {
    let spent = |name: &str| {
        let server = FakeChat::new(behaviour(name).unwrap(), &place().good).unwrap();
        let (stage, budget) = spending(&server, Limits::default());
        let log = ask_within(&stage, &budget);
        (budget.spent().tokens, log)
    };
    for name in ["refused", "a storm of 500", "429 for ever", "401"] {
        assert_eq!(spent(name).0, 0, "{name}");
    }
    let (tokens, log) = spent("reset mid-body");
    assert!(tokens > 3 * 100 && log.attempts == 3, "{tokens}");
}

#[test]
fn what_was_recorded_is_replayed_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let server = FakeChat::new(behaviour("an unknown field, mended").unwrap(), &place().good).unwrap();
    let live = stage(&server, Dialect::OpenAi);
    let tape: Arc<dyn Tape> = Arc::new(FileTape::open(&path).unwrap());
    let desk = Recording::desk(sites::desk(&live.model, live.desk()), &tape);
    let recorded = run(&place(), &desk);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!((text.lines().count(), server.asked().len()), (2, 2));
    for secret in [KEY, &sites::JUDGED[..24], server.url.as_str()] {
        assert!(!text.contains(secret), "{secret}");
    }
    let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!((&line["role"], &line["model"]), (&json!("audit"), &json!(MODEL)));
    let replay = Replay::read("calls.jsonl", &text).unwrap().desk(Arc::new(common::Least));
    assert_eq!(run(&place(), &replay), recorded);
    assert_eq!(server.asked().len(), 2);
    let other = run(&small(Role::PlanJudge), &replay).remove(0);
    assert!(failed(&other).starts_with("calls.jsonl has no record of this question of `plan.judge`"));
}

#[test]
fn a_dry_run_sends_nothing() {
    let server = FakeChat::new(behaviour("a right stream").unwrap(), &place().good).unwrap();
    let stage = stage(&server, Dialect::OpenAi);
    let rehearsal = Rehearsal::default();
    let log = run(&place(), &rehearsal.desk(sites::desk(&stage.model, stage.desk()))).remove(0);
    assert_eq!(failed(&log), "nothing was sent: it is a dry run");
    let planned = rehearsal.planned();
    assert_eq!((planned.len(), planned[0].server.as_str(), planned[0].model.as_str()), (1, server.url.as_str(), MODEL));
    assert!(planned[0].question_tokens > 100 && server.asked().is_empty());
}

#[test]
fn waits_are_five_thirty_twenty_and_a_hundred_and_twenty_seconds() {
    let Waits { connect, first_byte, idle, whole } = Waits::default();
    assert_eq!([connect, first_byte, idle, whole].map(|wait: Duration| wait.as_secs()), [5, 30, 20, 120]);
}
