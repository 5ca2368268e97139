//! `plan` with models beside the rules: what they say never moves what code says.

use std::sync::Arc;

use serde_json::{Value, json};
use steadfast_dialogue::Role;
use steadfast_engine::chat::ChatModels;
use steadfast_engine::{
    EngineError, ErrorKind, File, NotesRequest, PlanAssistance, context_file, plan, plan_assisted, plan_check,
    plan_constraints,
};
use steadfast_testkit::wait;
use steadfast_wire::model::CallEnded;
use steadfast_wire::plan::{
    ModelView, PlanMaker, PlanProposals, PlanReading, PlanResponse, Preferences, RepairOutcome, Status, Validation,
    Validity, Variant,
};
use steadfast_wire::{from_json, to_json};

use crate::fakes::{Script, Scripted, desk, whole_reading};

pub(crate) const NOTES: &str = "\
# Monday

Free 9:00 to 17:00.

- Standup 9:30-9:45
- Lunch 12:00-13:00, keep it free
- Write the board report, 90 minutes, by 15:00
- Call Ana Souza about the budget, not before 10:00
- Fix the garden gate (45 minutes)
- Send the invoices, must go out today
- Print the board report after writing it
- Bring Rex to the vet before 16:00, takes 30 minutes
- No gym today
";

pub(crate) const ROLES: &[Role] = &[Role::PlanExtract, Role::PlanGenerate, Role::PlanJudge];

fn request(notes: &str) -> NotesRequest {
    NotesRequest {
        notes: context_file(notes.as_bytes().to_vec()),
        calendars: Vec::new(),
        current_time: "2026-01-26T08:00:00-05:00".to_owned(),
        timezone: "America/Toronto".to_owned(),
        preferences: Preferences::Soft,
        assumptions: Vec::new(),
        proposals: None,
        reading: None,
        answers: Vec::new(),
    }
}

pub(crate) const fn assistance(
    desk: Option<Arc<ChatModels>>,
    extract: bool,
    generate: bool,
    advise: bool,
) -> PlanAssistance {
    PlanAssistance { desk, extract, generate, advise }
}

pub(crate) fn assisted(notes: &str, variant: Variant, assistance: PlanAssistance) -> PlanResponse {
    let response = wait(plan_assisted(request(notes), variant, assistance)).unwrap().response;
    // What is published can be read again.
    let json = to_json(&response).unwrap();
    assert_eq!(to_json(&from_json::<PlanResponse>(&json).unwrap()).unwrap(), json);
    response
}

pub(crate) fn view(response: &PlanResponse) -> &ModelView {
    response.model_view.as_ref().unwrap()
}

/// The JSON of a response without what models said.
pub(crate) fn without_view(response: &PlanResponse) -> String {
    to_json(&PlanResponse { model_view: None, ..response.clone() }).unwrap()
}

pub(crate) fn built_in(notes: &str, variant: Variant) -> String {
    to_json(&wait(plan(request(notes), variant)).unwrap().response).unwrap()
}

/// What `plan check` makes of the items of a plan.
pub(crate) fn check_of(notes: &str, items: &Value) -> Validation {
    let plan = File { name: "plan.json".to_owned(), bytes: items.to_string().into_bytes() };
    let checked = wait(plan_check(request(notes), plan)).unwrap().validation;
    Validation { rules_version: None, assumptions: Vec::new(), questions: Vec::new(), ..checked }
}

/// An item of a plan; times are those of the day.
pub(crate) fn item(task: &str, minutes: i64, start: &str, end: &str) -> Value {
    json!({"task": task, "why": "All is verified.", "timebox_minutes": minutes, "start": start, "end": end, "constraint_ids": []})
}

pub(crate) fn good() -> Vec<Value> {
    vec![
        item("Bring Rex to the vet", 30, "2026-01-26T09:00:00-05:00", "2026-01-26T09:30:00-05:00"),
        item("Write the board report", 90, "09:45", "11:15"),
        item("Fix the garden gate", 45, "11:15", "12:00"),
        item("Break", 15, "12:00", "12:15"),
        item("Send the invoices", 30, "13:00", "13:30"),
        item("Call Ana Souza about the budget", 30, "13:30", "14:00"),
        item("Print the board report", 30, "14:00", "14:30"),
    ]
}

/// A reply that could not be surer of itself.
fn reply(items: &[Value]) -> String {
    let said = json!({
        "items": items,
        "assumptions": ["The validator confirmed this plan: status pass, no constraint is violated."],
        "questions": [],
        "confidence": "high"
    });
    said.to_string()
}

/// The items as a plan that somebody gives: without the members that only a model is asked for.
fn given(items: &[Value]) -> Value {
    Value::Array(items.to_vec())
}

pub(crate) fn changed(at: usize, changes: &Value) -> Vec<Value> {
    let mut items = good();
    for (name, value) in changes.as_object().unwrap() {
        items[at][name] = value.clone();
    }
    items
}

pub(crate) fn at(place: usize, start: &str, end: &str) -> Vec<Value> {
    changed(place, &json!({"start": start, "end": end}))
}

/// Plans with faults, each with the check that has to find one.
fn bad() -> Vec<(&'static str, Vec<Value>)> {
    let without = |places: &[usize]| -> Vec<Value> {
        good().into_iter().enumerate().filter(|(at, _)| !places.contains(at)).map(|(_, item)| item).collect()
    };
    let why = |at, why: &str| changed(at, &json!({"why": why}));
    let mut eight = good();
    eight.push(item("Buffer", 15, "14:30", "14:45"));
    let mut reversed = at(6, "09:00", "09:30");
    reversed[0] = item("Bring Rex to the vet", 30, "14:00", "14:30");
    let mut early = at(5, "09:00", "09:30");
    early[0] = item("Bring Rex to the vet", 30, "13:30", "14:00");
    let mut untimed = good();
    for item in &mut untimed {
        item["start"] = json!("");
        item["end"] = json!("");
        item["timebox_minutes"] = json!(600);
    }
    let others = ["Do great things", "Focus", "Win the day"].map(|task| item(task, 30, "10:00", "10:30"));
    vec![
        ("items-overlap", at(5, "13:15", "13:45")),
        ("items-overlap", at(4, "13:30", "14:00")),
        ("item-times", changed(4, &json!({"timebox_minutes": 60}))),
        ("item-times", at(4, "13:30", "13:00")),
        ("item-times", at(4, "noonish", "13:30")),
        ("start-past", at(0, "07:00", "07:30")),
        ("start-past", at(0, "2026-01-25T09:00:00-05:00", "2026-01-25T09:30:00-05:00")),
        ("item-count", without(&[0, 1, 2, 3, 4])),
        ("item-count", eight),
        ("item-count", Vec::new()),
        ("timebox-min", changed(4, &json!({"timebox_minutes": 3}))),
        ("timebox-min", changed(4, &json!({"timebox_minutes": 0}))),
        ("timebox-min", changed(4, &json!({"timebox_minutes": -30}))),
        ("time-blocked", at(4, "12:15", "12:45")),
        ("time-blocked", at(1, "09:30", "11:00")),
        ("event-moved", changed(3, &json!({"task": "Standup", "start": "14:30", "end": "14:45"}))),
        ("deadline-missed", at(1, "14:30", "16:00")),
        ("deadline-missed", at(0, "16:00", "16:30")),
        ("begun-early", early),
        ("outside-availability", at(4, "17:00", "17:30")),
        ("outside-availability", at(0, "08:15", "08:45")),
        ("must-do-missing", without(&[4])),
        ("duration-broken", changed(1, &json!({"timebox_minutes": 30, "end": "10:15"}))),
        ("duration-broken", changed(2, &json!({"timebox_minutes": 15, "end": "11:30"}))),
        ("order-reversed", reversed),
        ("excluded-planned", changed(3, &json!({"task": "Gym", "start": "14:30", "end": "14:45"}))),
        ("invented-name", changed(5, &json!({"task": "Call Ana Souza about the budget with Priya Varga"}))),
        ("invented-name", why(5, "It was Zoltan who asked for it.")),
        ("invented-meeting", why(1, "It is needed for the investor meeting.")),
        ("invented-deadline", why(2, "It is due by 4:07 pm.")),
        ("coverage-low", without(&[0, 5, 6])),
        ("coverage-low", others.to_vec()),
        ("time-overflow", untimed),
    ]
}

#[test]
fn plan_never_passes_what_code_fails() {
    let bad = bad();
    assert!(bad.len() >= 30);
    for (check, items) in bad {
        let wanted = check_of(NOTES, &given(&items));
        assert_eq!(wanted.status, Validity::Fail, "{check}");
        assert!(wanted.findings.iter().any(|it| it.hard && it.check == check), "{check}: {:#?}", wanted.findings);
        for variant in Variant::ALL.iter().copied() {
            let model = Scripted::new("sure", &[(Role::PlanGenerate, vec![Ok(reply(&items))])]);
            let desk = desk(Arc::<Scripted>::clone(&model), &[Role::PlanGenerate]);
            let made = assisted(NOTES, variant, assistance(Some(desk), false, true, false));
            assert_eq!((made.status, &made.validation), (Status::Rejected, &wanted), "{check} {variant}");
            let generation = view(&made).generation.as_ref().unwrap();
            assert_eq!(generation.made_by, PlanMaker::Model);
            // Only the last variant asks for a repair; the same again is none.
            let repairs = usize::from(variant == Variant::V4Repair);
            assert_eq!(model.asked.lock().unwrap().len(), 1 + repairs);
            assert_eq!(generation.repair, (repairs == 1).then_some(RepairOutcome::NoBetter));
            assert!(!made.assumptions.iter().any(|it| it.contains("validator")));
        }
    }
}

fn generating(script: Script) -> (PlanResponse, Arc<Scripted>) {
    let model = Scripted::new("planner", &[(Role::PlanGenerate, script)]);
    let desk = desk(Arc::<Scripted>::clone(&model), &[Role::PlanGenerate]);
    (assisted(NOTES, Variant::V4Repair, assistance(Some(desk), false, true, false)), model)
}

#[test]
fn a_good_plan_is_recommended_and_a_bad_one_is_mended_once() {
    let (made, model) = generating(vec![Ok(reply(&good()))]);
    assert_eq!((made.status, made.feasible), (Status::Recommended, Some(true)), "{:#?}", made.validation.errors);
    assert_eq!(made.validation, check_of(NOTES, &given(&good())));
    assert_eq!(made.plan[1].start.as_deref(), Some("2026-01-26T09:45:00-05:00"));
    assert_eq!(model.asked.lock().unwrap().len(), 1);
    let generation = view(&made).generation.clone().unwrap();
    assert_eq!((generation.model.as_str(), generation.repair, generation.why), ("planner", None, None));
    assert_eq!(generation.assumptions.len(), 1);
    let steps: Vec<&str> = made.trace.iter().map(|step| step.span.as_str()).collect();
    assert_eq!(steps, ["extract", "plan", "validate"]);

    let first = at(4, "12:15", "12:45");
    let (made, model) = generating(vec![Ok(reply(&first)), Ok(reply(&good()))]);
    assert_eq!(
        (made.status, view(&made).generation.as_ref().unwrap().repair),
        (Status::Recommended, Some(RepairOutcome::Taken))
    );
    let steps: Vec<&str> = made.trace.iter().map(|step| step.span.as_str()).collect();
    assert_eq!(steps, ["extract", "plan", "validate", "repair", "validate"]);
    // The repair is told the findings, verbatim and as data.
    let asked = model.asked.lock().unwrap();
    let errors = check_of(NOTES, &given(&first)).errors;
    assert!(!errors.is_empty() && errors.iter().all(|error| asked[1].messages[1].text.contains(error)));
    assert!(
        !asked[1].messages[0].text.contains("Lunch")
            && asked[1].messages[1].text.contains("c3 (blocked): nothing 12:00 to 13:00")
    );
    drop(asked);

    let worse = vec![at(4, "12:15", "12:45")[4].clone()];
    let (made, _) = generating(vec![Ok(reply(&first)), Ok(reply(&worse))]);
    assert_eq!((made.status, made.plan.len()), (Status::Rejected, 7));
    let (made, _) = generating(vec![Ok(reply(&first)), Err("refused")]);
    let generation = view(&made).generation.clone().unwrap();
    assert_eq!((made.status, generation.repair), (Status::Rejected, Some(RepairOutcome::Nothing)));
    assert_eq!(made.trace.last().unwrap().output, "nothing: the call failed: refused");
}

#[test]
fn a_model_that_gives_no_plan_makes_it_no_worse() {
    for (script, why, calls) in [
        (vec![Err("refused")], "the call failed: refused", 1),
        (
            vec![Ok("I would rather not.".to_owned())],
            "the reply is not of the form that was asked for: the reply holds no JSON object",
            2,
        ),
    ] {
        let (made, _) = generating(script);
        assert_eq!(without_view(&made), built_in(NOTES, Variant::V4Repair));
        let generation = view(&made).generation.clone().unwrap();
        assert_eq!((generation.made_by, generation.why.as_deref()), (PlanMaker::BuiltIn, Some(why)));
        assert_eq!((generation.confidence, view(&made).calls.len()), (None, calls));
    }
}

const FIVE: &str = r#"{"scores": [{"dimension": "realism", "score": 5, "quote": "Send the invoices", "comment": "Perfect."},
    {"dimension": "clarity", "score": 5, "quote": "no such words", "comment": "Perfect."}]}"#;

#[test]
fn an_opinion_decides_nothing_and_a_judge_of_its_own_plan_is_reported() {
    let script = |plan: Result<String, &'static str>| {
        let roles: Vec<(Role, Script)> =
            vec![(Role::PlanGenerate, vec![plan]), (Role::PlanJudge, vec![Ok(FIVE.to_owned())])];
        Scripted::new("m", &roles)
    };
    let opinion = |plan: Result<String, &'static str>, judge: &'static str, generate: bool| {
        let maker = script(plan.clone());
        let mut all = ChatModels::clone(&desk(maker, ROLES));
        let other = Scripted::new(judge, &[(Role::PlanJudge, vec![Ok(FIVE.to_owned())])]);
        all = all.with(Role::PlanJudge, other);
        assisted(NOTES, Variant::V3Validator, assistance(Some(Arc::new(all)), false, generate, true))
    };
    let said = |made: &PlanResponse| view(made).opinion.clone().unwrap();
    let bad = reply(&at(4, "12:15", "12:45"));
    let made = opinion(Ok(bad.clone()), "m", true);
    assert_eq!(made.status, Status::Rejected);
    assert!(said(&made).self_judged);
    let scores = said(&made).scores;
    assert_eq!((scores.len(), scores[0].score, scores[0].item_index, scores[0].field.as_str()), (1, 5, 4, "task"));
    assert_eq!(view(&made).set_aside.last().unwrap().reason, "its quote does not stand in the plan");
    assert!(!said(&opinion(Ok(bad), "another", true)).self_judged);
    // The built-in planner's plan is nobody's own.
    assert!(!said(&opinion(Err("down"), "m", true)).self_judged);
    assert!(!said(&opinion(Err("down"), "m", false)).self_judged);
    let none = opinion(Ok(reply(&[])), "m", true);
    assert_eq!((said(&none).why.as_deref(), said(&none).scores.len()), (Some("the plan is empty"), 0));
}

const ROUND_ABOUT: &str = "\
- Write the report by 15:00
- Call Ana

You know. I was thinking we'd wrap up around five-ish, and honestly nothing happens before ten because the office is shut.
The vet said to bring Rex in before noon. Before I forget: invoices.
";

#[test]
fn what_a_caller_reads_binds_the_plan_and_drops_nothing() {
    let proposals: PlanProposals = serde_json::from_value(json!({
        "tasks": [{"quote": "bring Rex in"}, {"quote": "buy a pony"}],
        "constraints": [
            {"kind": "blocked", "quote": "nothing happens before ten", "times": "before ten"},
            {"kind": "deadline", "quote": "bring Rex in before noon"},
        ],
        "contested": [{"constraint": "m1", "why": "Only what code reads can be contested."}],
    }))
    .unwrap();
    let plain = wait(plan(request(ROUND_ABOUT), Variant::V4Repair)).unwrap().response;
    let asked = NotesRequest { proposals: Some(proposals), ..request(ROUND_ABOUT) };
    let made = wait(plan(asked, Variant::V4Repair)).unwrap().response;
    let proposed = made.proposed.clone().unwrap();
    assert_eq!(
        (proposed.tasks, proposed.constraints),
        (vec!["bring Rex in".to_owned()], vec!["m1".to_owned(), "m2".to_owned()])
    );
    let reasons: Vec<&str> = proposed.set_aside.iter().map(|own| own.reason.as_str()).collect();
    assert_eq!(reasons, ["its quote does not stand in the notes", "code reads no constraint of that id in the notes"]);
    // It binds: nothing stands before ten, and all of code's own constraints are there as they were.
    assert!(
        plain.plan.iter().any(|item| item.start.as_deref().is_some_and(|start| start < "2026-01-26T10:00:00-05:00"))
    );
    assert!(
        made.plan.iter().all(|item| item.start.as_deref().is_none_or(|start| start >= "2026-01-26T10:00:00-05:00"))
    );
    let own: Vec<_> = made.validation.constraints.iter().filter(|own| !own.id.starts_with('m')).cloned().collect();
    assert_eq!(own, plain.validation.constraints);
    assert!(made.plan.iter().any(|item| item.task.contains("Rex")));
}

fn extracting(notes: &str, reply: &Value, variant: Variant) -> PlanResponse {
    let model = Scripted::new("reader", &[(Role::PlanExtract, vec![Ok(reply.to_string())])]);
    assisted(notes, variant, assistance(Some(desk(model, &[Role::PlanExtract])), true, false, false))
}

/// What a model reads in notes.
fn reading(tasks: &[Value], constraints: &[Value], apart: &[&str], questions: &[Value]) -> Value {
    let apart: Vec<Value> = apart.iter().map(|quote| json!({"quote": quote})).collect();
    whole_reading(&json!({"tasks": tasks, "constraints": constraints, "set_apart": apart, "questions": questions}))
}

/// A reading of [`ROUND_ABOUT`] that is right.
fn round_about(questions: &[Value]) -> Value {
    reading(
        &[
            json!({"id": "t1", "quote": "Write the report"}),
            json!({"id": "t2", "quote": "Call Ana"}),
            json!({"id": "t3", "quote": "bring Rex in", "name": "bring Rex in"}),
            json!({"id": "t4", "quote": "invoices"}),
            json!({"id": "t5", "quote": "buy a pony"}),
        ],
        &[
            json!({"id": "c1", "kind": "deadline", "quote": "by 15:00", "tasks": ["t1"], "end": "15:00"}),
            json!({"id": "c2", "kind": "blocked", "quote": "nothing happens before ten", "end": "10:00"}),
            json!({"id": "c3", "kind": "deadline", "quote": "before noon", "tasks": ["t3"], "end": "12:00"}),
            json!({"id": "c4", "kind": "availability", "quote": "wrap up around five-ish", "end": "17:00"}),
        ],
        &[],
        questions,
    )
}

#[test]
fn what_a_model_reads_is_what_the_plan_is_proved_against() {
    let made = extracting(ROUND_ABOUT, &round_about(&[]), Variant::V4Repair);
    assert_eq!(made.status, Status::Recommended, "{:?}", made.open_questions);
    let extraction = view(&made).extraction.clone().unwrap();
    assert_eq!((extraction.model.as_str(), extraction.stands, &extraction.why), ("reader", true, &None));
    let constraints: Vec<(&str, &str)> =
        extraction.constraints.iter().map(|it| (it.id.as_str(), it.meaning.as_str())).collect();
    assert_eq!(constraints[1], ("m2", "nothing until 10:00"), "{constraints:?}");
    let ids: Vec<&str> =
        made.validation.constraints.iter().map(|it| it.id.as_str()).filter(|id| id.starts_with('m')).collect();
    assert_eq!(ids, ["m1", "m2", "m3", "m4"]);
    for own in &extraction.constraints {
        let span = own.span.as_ref().unwrap();
        assert_eq!(&ROUND_ABOUT[span.start..span.end], span.quote);
        assert_eq!(own.by.as_deref(), Some("chat:reader"));
    }
    assert!(
        made.plan
            .iter()
            .any(|item| item.task.contains("Rex") && item.end.as_deref() <= Some("2026-01-26T12:00:00-05:00"))
    );
    assert!(
        made.plan.iter().all(|item| item.start.as_deref() >= Some("2026-01-26T10:00:00-05:00")),
        "{:#?}",
        made.plan
    );
    let aside: Vec<(&str, &str)> =
        view(&made).set_aside.iter().map(|it| (it.text.as_str(), it.reason.as_str())).collect();
    assert_eq!(aside, [("task `t5`", "\"buy a pony\" does not stand in the notes")]);
    let call = &view(&made).calls[0];
    assert_eq!((call.role.as_str(), call.ended, call.attempts), ("plan.extract", CallEnded::Read, 1));
    assert_eq!((call.prompt_tokens, call.reply_tokens), (Some(100), Some(20)));
}

#[test]
fn what_a_model_reads_is_a_document_that_is_taken_back() {
    let reply = round_about(&[]).to_string();
    let model = Scripted::new("reader", &[(Role::PlanExtract, vec![Ok(reply)])]);
    let asked = assistance(Some(desk(model, &[Role::PlanExtract])), true, false, false);
    let listed = wait(plan_constraints(request(ROUND_ABOUT), asked)).unwrap().constraints;
    let extraction = listed.model_view.clone().unwrap().extraction.unwrap();
    assert_eq!((&extraction.constraints, extraction.stands), (&listed.constraints, true));
    assert!(listed.constraints.iter().all(|own| own.by.as_deref() == Some("chat:reader")));
    let reading: PlanReading = from_json(&to_json(&listed).unwrap()).unwrap();
    let again = NotesRequest { reading: Some(reading), ..request(ROUND_ABOUT) };
    let made = wait(plan(again, Variant::V4Repair)).unwrap().response;
    let by_model = extracting(ROUND_ABOUT, &round_about(&[]), Variant::V4Repair);
    assert_eq!((made.status, &made.plan), (by_model.status, &by_model.plan));
    // Without a model it is what rules read, and nothing is said of one.
    let rules = wait(plan_constraints(request(ROUND_ABOUT), PlanAssistance::default())).unwrap().constraints;
    assert!(rules.model_view.is_none() && rules.constraints != listed.constraints);
    let nobody = wait(plan_constraints(request(ROUND_ABOUT), assistance(None, true, false, false))).unwrap_err();
    assert!(matches!(nobody, EngineError::NoDesk { .. }), "{nobody}");
}

#[test]
fn without_a_reading_of_all_the_notes_that_of_rules_stands() {
    let model = Scripted::new("reader", &[(Role::PlanExtract, vec![Err("down")])]);
    let made =
        assisted(NOTES, Variant::V4Repair, assistance(Some(desk(model, &[Role::PlanExtract])), true, false, false));
    let extraction = view(&made).extraction.clone().unwrap();
    assert!(!extraction.stands && extraction.tasks.is_empty());
    assert_eq!(extraction.why.as_deref(), Some("of a part of the notes no reading came: the call failed: down"));
    assert_eq!(without_view(&made), built_in(NOTES, Variant::V4Repair));
}

#[test]
fn what_a_model_leaves_out_is_asked_and_an_answer_settles_it() {
    let nothing = reading(&[json!({"id": "t1", "quote": "Fix the garden gate", "minutes": 45})], &[], &[], &[]);
    let made = extracting(NOTES, &nothing, Variant::V4Repair);
    assert_eq!(made.status, Status::NeedsAnswer);
    assert_eq!(made.open_questions.len(), 3);
    let first = &made.open_questions[0];
    let script = vec![Ok(nothing.to_string())];
    let model = Scripted::new("reader", &[(Role::PlanExtract, script)]);
    let answers = vec![steadfast_wire::plan::PlanAnswer { id: first.id.clone(), answer: "yes".to_owned() }];
    let asked = assistance(Some(desk(model, &[Role::PlanExtract])), true, false, false);
    let answered =
        wait(plan_assisted(NotesRequest { answers, ..request(NOTES) }, Variant::V4Repair, asked)).unwrap().response;
    assert!(answered.open_questions.iter().all(|own| own.id != first.id));
    let unknown = vec![steadfast_wire::plan::PlanAnswer { id: "m9".to_owned(), answer: "yes".to_owned() }];
    let model = Scripted::new("reader", &[(Role::PlanExtract, vec![Ok(nothing.to_string())])]);
    let asked = assistance(Some(desk(model, &[Role::PlanExtract])), true, false, false);
    let error =
        wait(plan_assisted(NotesRequest { answers: unknown, ..request(NOTES) }, Variant::V4Repair, asked)).unwrap_err();
    assert_eq!(error.to_string(), "answers: the notes leave no question `m9` open");
}

#[test]
fn what_a_model_asks_is_answered_by_asking_it_once_more() {
    let question =
        json!({"question": "Is five-ish a limit?", "quote": "around five-ish", "choices": ["it is", "it is not"]});
    let first = round_about(&[question]);
    let asked = extracting(ROUND_ABOUT, &first, Variant::V4Repair);
    assert_eq!((asked.status, asked.open_questions.len()), (Status::NeedsAnswer, 1));
    let script = vec![Ok(first.to_string()), Ok(round_about(&[]).to_string())];
    let model = Scripted::new("reader", &[(Role::PlanExtract, script)]);
    let answers =
        vec![steadfast_wire::plan::PlanAnswer { id: asked.open_questions[0].id.clone(), answer: "2".to_owned() }];
    let with = assistance(Some(desk(Arc::<Scripted>::clone(&model), &[Role::PlanExtract])), true, false, false);
    let made = wait(plan_assisted(NotesRequest { answers, ..request(ROUND_ABOUT) }, Variant::V4Repair, with))
        .unwrap()
        .response;
    assert_eq!(made.status, Status::Recommended);
    let shown = model.asked.lock().unwrap()[1].messages[1].text.clone();
    assert!(shown.contains("of \"around five-ish\": Is five-ish a limit? it is not"), "{shown}");
}

#[test]
fn a_page_is_read_as_its_reader_sees_it() {
    let page = "<html><body><ul><li>Write the report by 15:00</li><li>Call Ana</li></ul><p>Honestly <b>nothing</b> happens \
                before ten because the office is shut.</p></body></html>";
    let said = reading(
        &[json!({"id": "t1", "quote": "Write the report"}), json!({"id": "t2", "quote": "Call Ana"})],
        &[json!({"id": "c1", "kind": "blocked", "quote": "nothing happens before ten", "end": "10:00"})],
        &[],
        &[],
    );
    let model = Scripted::new("reader", &[(Role::PlanExtract, vec![Ok(said.to_string())])]);
    let desk = desk(Arc::<Scripted>::clone(&model), &[Role::PlanExtract]);
    let made = assisted(page, Variant::V4Repair, assistance(Some(desk), true, false, false));
    assert!(!model.asked.lock().unwrap()[0].messages[1].text.contains("<li>"));
    let extraction = view(&made).extraction.clone().unwrap();
    let span = extraction.constraints[0].span.clone().unwrap();
    assert_eq!(&page[span.start..span.end], "nothing</b> happens before ten");
}

#[test]
fn a_model_is_not_asked_to_read_notes_of_which_a_reading_is_handed_in() {
    let model = Scripted::new("reader", &[]);
    let asked = assistance(Some(desk(model, &[Role::PlanExtract])), true, false, false);
    let with = NotesRequest { reading: Some(steadfast_wire::plan::PlanReading::default()), ..request(NOTES) };
    let error = wait(plan_assisted(with, Variant::V4Repair, asked)).unwrap_err();
    assert_eq!((error.clone(), error.kind()), (EngineError::TwoReadings, ErrorKind::Input));
    assert!(error.hint().unwrap().contains("--constraints"));
}

#[test]
fn who_asks_for_a_model_without_one_is_told() {
    let none = |extract, generate, advise| {
        let asked = assistance(None, extract, generate, advise);
        let error = wait(plan_assisted(request(NOTES), Variant::V4Repair, asked)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
        (error.to_string(), error.hint().unwrap_or_default().to_owned())
    };
    let told = |option: &str, hint: &str| {
        (format!("no chat model is configured, and `{option}` needs one"), format!("`{hint}` needs none"))
    };
    assert_eq!(none(true, true, true), told("--extract model", "--extract rules"));
    assert_eq!(none(false, true, false), told("--generate model", "--generate built-in"));
    assert_eq!(none(false, false, true), told("--advise", "steadfast plan"));
    let model = Scripted::new("m", &[]);
    let some = assistance(Some(desk(model, &[Role::PlanExtract])), true, true, false);
    let error = wait(plan_assisted(request(NOTES), Variant::V4Repair, some)).unwrap_err();
    assert_eq!(error, EngineError::NoChatModel { role: "plan.generate".to_owned() });
    // Nothing asked: nothing is there.
    let asked = assistance(None, false, false, false);
    let made = wait(plan_assisted(request(NOTES), Variant::V4Repair, asked)).unwrap().response;
    assert_eq!(to_json(&made).unwrap(), built_in(NOTES, Variant::V4Repair));
    // Notes without anything to plan are no matter for a model.
    let model = Scripted::new("m", &[]);
    let some = assistance(Some(desk(model, ROLES)), true, true, true);
    let error = wait(plan_assisted(request("Hello."), Variant::V4Repair, some)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotEvaluable);
}
