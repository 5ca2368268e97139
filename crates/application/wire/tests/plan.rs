//! The JSON of plans: the contract's own members, strictness, schemas, somebody's plan.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;
use steadfast_wire::plan::{
    Bench, Confidence, Constraint, Constraints, Finding, GivenPlan, Kind, PlanResponse, Preferences, Status,
    Validation, Validity, Variant,
};
use steadfast_wire::request::Plan;
use steadfast_wire::{from_json, schema, to_json};

const EXAMPLE: &str = include_str!("data/plan.json");
const BENCH: &str = include_str!("data/bench.json");

/// The response of section 3.1 of the contract for day plans, as it stands there.
const CONTRACT: &str = r#"{
  "plan": [{"task": "string", "timebox_minutes": 0, "why": "string"}],
  "assumptions": ["string"],
  "questions": ["string"],
  "confidence": "low | medium | high",
  "validation": {
    "status": "pass | fail",
    "errors": ["Planned 240 minutes of work but only 180 minutes available after 3 PM cutoff"],
    "metrics": {
      "constraints_declared": 0,
      "constraints_violated": 0,
      "time_available_minutes": 0,
      "time_planned_minutes": 0,
      "time_overflow_minutes": 0,
      "hallucination_flags": 0,
      "human_feasibility_flags": 0,
      "context_coverage_ratio": 0.0
    }
  },
  "debug": {"variant": "string", "context_preview": "string"}
}"#;

/// Every member of `wanted` stands in `own`, with a value of the same type.
#[track_caller]
fn holds(own: &Value, wanted: &Value, at: &str) {
    match (own, wanted) {
        (Value::Object(own), Value::Object(wanted)) => {
            for (name, wanted) in wanted {
                let own = own.get(name).unwrap_or_else(|| panic!("{at}.{name} is missing"));
                holds(own, wanted, &format!("{at}.{name}"));
            }
        }
        (Value::Array(own), Value::Array(wanted)) => own.iter().for_each(|it| holds(it, &wanted[0], at)),
        (Value::Number(own), Value::Number(wanted)) => assert_eq!(own.is_f64(), wanted.is_f64(), "{at}"),
        (Value::String(_), Value::String(_)) => {}
        _ => panic!("{at}: {own} is not of the type of {wanted}"),
    }
}

#[test]
fn the_contract_reads_what_is_written() {
    let own: PlanResponse = from_json(EXAMPLE).unwrap();
    holds(&serde_json::to_value(&own).unwrap(), &serde_json::from_str(CONTRACT).unwrap(), "response");
}

#[test]
fn what_is_read_is_written_byte_for_byte() {
    assert_eq!(to_json(&from_json::<PlanResponse>(EXAMPLE).unwrap()).unwrap(), EXAMPLE);
    assert_eq!(to_json(&from_json::<Bench>(BENCH).unwrap()).unwrap(), BENCH);
}

#[test]
fn coverage_is_a_number_always() {
    let mut own: PlanResponse = from_json(EXAMPLE).unwrap();
    for (ratio, expect) in [(1.0, "1.0"), (2.0 / 3.0, "0.666667"), (0.0, "0.0"), (-0.0, "0.0")] {
        own.validation.metrics.context_coverage_ratio = ratio;
        let json = to_json(&own).unwrap();
        assert!(json.contains(&format!("\"context_coverage_ratio\": {expect},")), "{ratio}");
    }
}

#[track_caller]
fn refused(request: Value, expect: &str) {
    let error = from_json::<Plan>(&request.to_string()).unwrap_err().to_string();
    assert!(error.contains(expect), "{error}");
}

#[test]
fn requests_are_read_strictly() {
    let request: Plan = from_json(
        r#"{"context": "call Ana", "current_time": "2026-01-25T11:00:00-05:00", "timezone": "America/Toronto"}"#,
    )
    .unwrap();
    assert_eq!((request.variant, request.preferences), (None, None));
    let base = json!({"context": "x", "current_time": "y", "timezone": "z"});
    let with = |name: &str, value: Value| {
        let mut request = base.clone();
        request[name] = value;
        request
    };
    refused(with("variant", json!("v5")), "unknown variant `v5`");
    refused(with("preferences", json!("firm")), "unknown variant `firm`");
    refused(with("extra", json!(1)), "unknown field `extra`");
    refused(with("context", json!(null)), "invalid type");
    refused(json!({"current_time": "y"}), "missing field `context`");
    refused(json!([]), "invalid length");
}

#[track_caller]
fn reads(json: &str, expect: &str) {
    let said = match GivenPlan::read(json) {
        Ok(plan) => {
            let items = plan.items.iter().map(|item| {
                let task = item.task.as_deref().unwrap_or("-");
                let minutes = item.timebox_minutes.map_or("-".to_owned(), |minutes| minutes.to_string());
                format!("{task} {minutes} {}", item.with.join("+")).trim_end().to_owned()
            });
            items.collect::<Vec<_>>().join("; ")
        }
        Err(error) => format!("{}:{}: {}", error.line, error.column, error.message),
    };
    assert_eq!(said, expect);
}

#[test]
fn somebodys_plan_is_read_in_three_forms() {
    reads(CONTRACT, "string 0");
    reads(EXAMPLE, "Write the board report 90; Lunch 60; Call Ana 30 Ana");
    reads(r#"[{"task": "a", "timebox_minutes": 5}]"#, "a 5");
    reads(
        r#"[{"with": "Ana", "start": "10:00"}, {"with": ["Ana", "Ben"]}, {"with": null}]"#,
        "- - Ana; - - Ana+Ben; - -",
    );
    reads("\u{feff} [\n]", "");
    reads(r#"{"plan": [], "model_view": {"calls": 1}, "run": {"id": 1}}"#, "");
}

#[test]
fn what_is_no_plan_is_told_by_line_and_column() {
    reads("", "1:1: EOF while parsing a value");
    reads("no", "1:2: expected ident");
    reads(
        "[{\"task\": \"a\"},\n {\"tusk\": 1}]",
        "2:8: unknown field `tusk`, expected one of `task`, `why`, `timebox_minutes`, `start`, `end`, `with`, `place`, `constraint_ids`",
    );
    reads("[{\"timebox_minutes\": 1.5}]", "1:24: invalid type: floating point `1.5`, expected i64");
    reads("[{\"timebox_minutes\": 99999999999999999999}]", "1:41: invalid type: floating point `1e+20`, expected i64");
    reads("[{\"with\": 3}]", "1:11: invalid type: integer `3`, expected a name or a list of names");
    reads("[{\"task\": \"a\", \"task\": \"b\"}]", "1:21: duplicate field `task`");
    reads("{\"items\": []}", "1:13: missing field `plan`");
    reads("{}", "1:2: missing field `plan`");
    reads("3", "1:1: invalid type: integer `3`, expected a sequence");
    reads(&"[".repeat(10_000), "1:1: invalid type: sequence, expected an item, which is an object");
}

#[test]
fn vocabularies_are_spelled_as_published() {
    let joined = |names: Vec<&str>| names.join(" ");
    assert_eq!(
        joined(Variant::ALL.iter().map(|it| it.name()).collect()),
        "v1_naive v2_constraints v3_validator v4_repair"
    );
    assert_eq!(joined(Preferences::ALL.iter().map(|it| it.name()).collect()), "soft hard");
    assert_eq!(joined(Confidence::ALL.iter().map(|it| it.name()).collect()), "low medium high");
    assert_eq!(joined(Status::ALL.iter().map(|it| it.name()).collect()), "recommended needs_answer rejected");
    assert_eq!(joined(Validity::ALL.iter().map(|it| it.name()).collect()), "pass fail");
    assert_eq!(
        joined(Kind::ALL.iter().map(|it| it.name()).collect()),
        "fixed_event blocked deadline not_before availability must_do duration order exclusion preference presence travel \
         connection stay total objective contract"
    );
}

/// Every object of a schema is closed, and `value` has no member that its schema does not name.
#[track_caller]
fn closed<T: schemars::JsonSchema>(value: Option<&Value>) {
    let schema = serde_json::to_value(schema::<T>()).unwrap();
    assert_eq!(schema["additionalProperties"], false);
    for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
        assert!(definition["type"] != "object" || definition["additionalProperties"] == false, "{name}");
    }
    for name in value.and_then(Value::as_object).into_iter().flat_map(|it| it.keys()) {
        assert!(schema["properties"].get(name).is_some(), "{name}");
    }
}

#[test]
fn schemas_are_closed_and_name_every_member() {
    let example: Value = serde_json::from_str(EXAMPLE).unwrap();
    closed::<PlanResponse>(Some(&example));
    closed::<Validation>(Some(&example["validation"]));
    closed::<Finding>(Some(&example["validation"]["findings"][0]));
    closed::<Constraint>(Some(&example["validation"]["constraints"][0]));
    closed::<Plan>(None);
    closed::<Constraints>(None);
    closed::<Bench>(Some(&serde_json::from_str(BENCH).unwrap()));
}

#[test]
fn examples_keep_to_their_schemas() {
    let plan = serde_json::to_value(schema::<PlanResponse>()).unwrap();
    assert_eq!(breaches(&plan, &serde_json::from_str(EXAMPLE).unwrap()), [""; 0]);
    let bench = serde_json::to_value(schema::<Bench>()).unwrap();
    let example: Value = serde_json::from_str(BENCH).unwrap();
    assert_eq!(breaches(&bench, &example), [""; 0]);

    let spoiled = |path: &str, value: Value| {
        let mut example = example.clone();
        *example.pointer_mut(path).unwrap() = value;
        breaches(&bench, &example)
    };
    assert_eq!(spoiled("/days", json!(-1)), ["$.days: -1 lies below 0"]);
    assert_eq!(spoiled("/variants/0/pass_rate", json!(1.5)), ["$.variants[0].pass_rate: 1.5 lies above 1.0"]);
    assert_eq!(spoiled("/rows/0/problems", json!(["x", 1])), ["$.rows[0].problems[1]: 1 is not of type \"string\""]);
    assert_eq!(spoiled("/rows/0/variant", json!("v5")).len(), 1);
    assert_eq!(spoiled("/reader", json!({})).len(), 5);
}

#[test]
fn what_models_said_is_read_as_it_is_written_and_held_to_the_schema() {
    let own: Value = serde_json::from_str(EXAMPLE).unwrap();
    let span = own["validation"]["constraints"][0]["span"].clone();
    let view = json!({
        "extraction": {
            "model": "m",
            "stands": true,
            "why": null,
            "tasks": [{"task": "call Ana", "span": span, "id": "t1", "quote": "board report, 90 min", "minutes": 90, "must": false, "optional": false}],
            "constraints": [own["validation"]["constraints"][0]],
            "disputed": [own["validation"]["constraints"][0]],
            "unread_bytes": 0
        },
        "generation": {
            "model": "m",
            "made_by": "built-in",
            "why": "the call failed: refused",
            "repair": "no_better",
            "assumptions": [],
            "questions": [],
            "confidence": null,
            "unread_bytes": 12
        },
        "opinion": {
            "model": "m",
            "self_judged": true,
            "scores": [{
                "dimension": "realism", "score": 5, "quote": "call", "item_index": 0, "field": "task", "comment": "so"
            }],
            "why": null
        },
        "set_aside": [{"what": "task", "text": "buy a pony", "reason": "its quote does not stand in the notes"}],
        "calls": [{
            "role": "plan.extract",
            "model": "m",
            "turn": "repair",
            "ended": "over_budget",
            "why": "the call was not made: 3 tokens are left",
            "attempts": 0,
            "prompt_tokens": null,
            "reply_tokens": 7,
            "neutralised": {"invisible": 1, "reserved": 0}
        }]
    });
    let with = |view: &Value| {
        let mut with = own.clone();
        with["model_view"] = view.clone();
        with
    };
    let read: PlanResponse = from_json(&with(&view).to_string()).unwrap();
    let written: Value = serde_json::from_str(&to_json(&read).unwrap()).unwrap();
    assert_eq!(written["model_view"], view);
    let schema = serde_json::to_value(schema::<PlanResponse>()).unwrap();
    assert_eq!(breaches(&schema, &written), [""; 0]);
    for (at, value) in [
        ("/generation/made_by", json!("me")),
        ("/generation/repair", json!("taken back")),
        ("/opinion/scores/0/more", json!(1)),
        ("/calls/0/ended", json!("well")),
        ("/calls/0/neutralised", json!(3)),
        ("/set_aside/0/reason", json!(null)),
    ] {
        let mut spoiled = view.clone();
        let (parent, member) = at.rsplit_once('/').unwrap();
        spoiled.pointer_mut(parent).unwrap()[member] = value;
        assert!(from_json::<PlanResponse>(&with(&spoiled).to_string()).is_err(), "{at}");
    }
}
