//! A model beside the rules: whatever it says, the verdict is the rules' to the byte.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use steadfast_dialogue::{Role, Speaker, tokens_estimate};
use steadfast_engine::chat::{
    Asking, CONTEXT_TOKENS_DEFAULT, Call, CallFailure, ChatModel, ChatModels, Completion, Entropy, Finish,
};
use steadfast_engine::{AuditInput, AuditOutcome, AuditRequest, EngineError, File, Heeded, audit};
use steadfast_testkit::obedient::{self, Order, Spot, injections};
use steadfast_testkit::schema::breaches;
use steadfast_wire::audit::{DriftEvaluation, Judge, ModelPart, ModelView};
use steadfast_wire::{from_json, schema, to_json};

const PROMPT: &str = "\
Build a community boat house on the north shore for the members of our rowing club. The budget is 80,000 EUR. Do not use steel. \
It must open by May 2027. We may add a small café later. Members pay for it by yearly fees; no grants.

Success means that 60 boats can be stored.
";

const REPORT: &str = "\
# Boat house

## Summary

The boat house stores 60 boats on the north shore. The frame is made of steel for strength. The budget is 120,000 EUR.

## Operations

The club runs a café from the first day. A grant of the regional council was approved in March 2026. Work goes on through the winter.

## Questions

Who keeps the keys of the boat house?
";

struct Counting(AtomicUsize);

impl Entropy for Counting {
    fn bytes(&self) -> [u8; 16] {
        let count = self.0.fetch_add(1, Ordering::Relaxed) as u128;
        count.to_be_bytes()
    }
}

/// Answers by a function of what it is asked, and keeps what it was asked.
struct Fake<F> {
    answer: F,
    asked: Mutex<Vec<Call>>,
    window_tokens: usize,
}

impl<F: Fn(&Call) -> Result<String, String> + Send + Sync> ChatModel for Fake<F> {
    fn name(&self) -> &str {
        "fake"
    }

    fn context_tokens(&self) -> usize {
        self.window_tokens
    }

    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
        self.asked.lock().unwrap().push(call.clone());
        let answer = (self.answer)(call);
        Box::pin(async move {
            let text = answer.map_err(|why| CallFailure { why, attempts: 3 })?;
            Ok(Completion { text, finish: Finish::Stop, prompt_tokens: Some(7), reply_tokens: Some(3), attempts: 1 })
        })
    }
}

const ROLES: [Role; 3] = [Role::AuditContract, Role::AuditIncidents, Role::AuditScores];

fn fake<F: Fn(&Call) -> Result<String, String> + Send + Sync + 'static>(
    answer: F,
    window_tokens: usize,
) -> (Arc<Fake<F>>, ChatModels) {
    let model = Arc::new(Fake { answer, asked: Mutex::default(), window_tokens });
    let desk = ROLES.iter().fold(ChatModels::new(Arc::new(Counting(AtomicUsize::new(0)))), |desk, role| {
        desk.with(*role, Arc::<Fake<F>>::clone(&model) as Arc<dyn ChatModel>)
    });
    (model, desk)
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

fn run(
    prompt: &str,
    (name, report): (&str, &str),
    judge: Judge,
    desk: Option<&ChatModels>,
) -> Result<AuditOutcome, EngineError> {
    let file = |name: &str, text: &str| File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    let input = AuditInput::Pair { prompt: file("prompt.txt", prompt), reports: vec![file(name, report)] };
    wait(audit(AuditRequest { input, judge, heeded: Heeded::default(), context: Vec::new() }, desk, None))
}

/// The evaluation without what a model may move, as it is written.
fn verdict(outcome: &AuditOutcome) -> String {
    let evaluation =
        DriftEvaluation { judge: Judge::Rules, model_view: None, set_aside: Vec::new(), ..outcome.evaluation.clone() };
    to_json(&evaluation).unwrap()
}

fn view(outcome: &AuditOutcome) -> &ModelView {
    outcome.evaluation.model_view.as_ref().unwrap()
}

/// A reply of the right form for each call, with these incidents.
fn well_formed(call: &Call, incidents: &[[&str; 4]]) -> String {
    match call.role {
        Role::AuditContract => r#"{"core_intent": "Build a community boat house", "primary_problem": "not specified", "proposed_solution": "",
            "non_goals": [], "constraints": ["Do not use steel", "Do not use glass"], "core_entities": [{"role": "user", "name": "members of our rowing club"}],
            "optional_features": [], "uncertainties": [], "success_metrics": []}"#
            .to_owned(),
        Role::AuditIncidents => {
            let list: Vec<String> = incidents
                .iter()
                .map(|[drift_type, severity, source, claim]| {
                    format!(
                        "{{\"drift_type\": \"{drift_type}\", \"severity\": {severity}, \"section\": \"\", \"source_reference\": {source:?}, \"output_claim\": {claim:?}, \"explanation\": \"So it is.\"}}"
                    )
                })
                .collect();
            format!("{{\"drift_incidents\": [{}]}}", list.join(", "))
        }
        _ => {
            let scores: String = [
                "scope", "constraint", "claim_strength", "evidence_grounding", "entity", "causal", "epistemic", "source_trace",
                "structural_priority", "language_posture",
            ]
            .iter()
            .map(|name| format!("\"{name}_fidelity\": 5, "))
            .collect();
            format!(
                "{{{scores}\"overall_fidelity_score\": 5.0, \"overall_drift_risk\": \"low\", \"critical_drift_count\": 0, \"unsupported_claim_count\": 0, \
                 \"constraint_violation_count\": 0, \"confidence_inflation_count\": 0, \"usable_as_is\": true, \"verdict_preserved_well\": [], \
                 \"verdict_major_failures\": [], \"verdict_recommended_actions\": [], \"questions\": [\"Who owns the shore?\"]}}"
            )
        }
    }
}

const STEEL: [&str; 4] = ["TypeB", "4", "Do not use steel", "The frame is made of steel for strength."];
const WINTER: [&str; 4] = ["TypeA", "4", "not in prompt", "Work goes on through the winter."];

#[test]
fn a_model_is_asked_for_only_where_there_is_one() {
    let without = run(PROMPT, ("report.md", REPORT), Judge::Model, None).unwrap_err();
    assert_eq!(without, EngineError::NoModel { judge: "model".to_owned() });
    let half = ChatModels::new(Arc::new(Counting(AtomicUsize::new(0))));
    let without = run(PROMPT, ("report.md", REPORT), Judge::Both, Some(&half)).unwrap_err();
    assert_eq!(without, EngineError::NoChatModel { role: "audit.contract".to_owned() });
    let (model, desk) = fake(|call| Ok(well_formed(call, &[])), CONTEXT_TOKENS_DEFAULT);
    let rules = run(PROMPT, ("report.md", REPORT), Judge::Rules, Some(&desk)).unwrap();
    assert!(rules.evaluation.model_view.is_none() && model.asked.lock().unwrap().is_empty());
}

#[test]
fn what_is_located_stands_apart_with_what_would_follow() {
    let (model, desk) = fake(
        |call| Ok(well_formed(call, &[STEEL, WINTER, ["TypeC", "3", "not in prompt", "A bridge is built."]])),
        CONTEXT_TOKENS_DEFAULT,
    );
    let rules = run(PROMPT, ("report.md", REPORT), Judge::Rules, None).unwrap();
    let both = run(PROMPT, ("report.md", REPORT), Judge::Both, Some(&desk)).unwrap();
    assert_eq!(verdict(&both), verdict(&rules));
    assert_eq!(both.evaluation.judge, Judge::Both);
    let seen = view(&both);
    assert_eq!(seen.model, "fake");
    let fields: Vec<(&str, &str)> =
        seen.contract.iter().map(|item| (item.field.name(), item.span.quote.as_str())).collect();
    assert_eq!(
        fields,
        [
            ("core_intent", "Build a community boat house"),
            ("constraints", "Do not use steel"),
            ("core_entities", "members of our rowing club")
        ]
    );
    let rule = rules.evaluation.drift_incidents.iter().find(|own| own.output_claim.contains("steel")).unwrap();
    let listed: Vec<(&str, u8, &str)> = seen
        .drift_incidents
        .iter()
        .map(|own| (own.drift_type.name(), own.severity, own.output_claim.as_str()))
        .collect();
    // A rule found the first as well, the second stands alone.
    assert_eq!(listed, [("TypeB", rule.severity, STEEL[3]), ("TypeA", 2, WINTER[3])]);
    assert_eq!(seen.adjusted.len(), usize::from(rule.severity != 4) + 1);
    let agreement = seen.agreement.as_ref().unwrap();
    assert_eq!(agreement.rules_found_by_model, agreement.both.len());
    assert!(agreement.both.iter().any(|pair| pair.rules == rule.id && pair.model == seen.drift_incidents[0].id));
    assert_eq!(agreement.model_only, [seen.drift_incidents[1].id.clone()]);
    assert_eq!(agreement.rules_only.len() + agreement.rules_found_by_model, rules.evaluation.drift_incidents.len());
    let aside: Vec<(&str, &str)> =
        both.evaluation.set_aside.iter().map(|own| (own.text.as_str(), own.reason.as_str())).collect();
    assert_eq!(
        aside,
        [
            ("Do not use glass", "its words do not stand in the prompt"),
            ("A bridge is built.", "its words do not stand in the report")
        ]
    );
    let (would_be, own) = (seen.scores_would_be.as_ref().unwrap(), seen.claimed.as_ref().unwrap());
    assert!(would_be.dimension_scores.scope_fidelity <= rules.evaluation.dimension_scores.scope_fidelity);
    assert!(would_be.overall_fidelity_score <= rules.evaluation.overall_fidelity_score);
    assert_eq!(would_be.critical_drift_count, rules.evaluation.critical_drift_count);
    assert!(own.usable_as_is && own.dimension_scores.unwrap().scope_fidelity == 5);
    assert_eq!((seen.questions.as_slice(), seen.not_judged.len()), (&["Who owns the shore?".to_owned()][..], 0));
    let roles: Vec<&str> = seen.calls.iter().map(|call| call.role.as_str()).collect();
    assert_eq!(roles, ["audit.contract", "audit.incidents", "audit.scores"]);
    assert_eq!(model.asked.lock().unwrap().len(), 3);
    let json = to_json(&both.evaluation).unwrap();
    assert_eq!(from_json::<DriftEvaluation>(&json).unwrap(), both.evaluation);
    let schema = serde_json::to_value(schema::<ModelView>()).unwrap();
    let written: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(breaches(&schema, &written["model_view"]), Vec::<String>::new());
    // The same without agreement.
    let alone = run(PROMPT, ("report.md", REPORT), Judge::Model, Some(&desk)).unwrap();
    assert_eq!(verdict(&alone), verdict(&rules));
    assert_eq!(view(&alone), &ModelView { agreement: None, ..seen.clone() });
}

#[test]
fn the_verdict_is_the_rules_whatever_an_obedient_judge_is_told() {
    let (mut obeyed, mut moved, mut told) = (0, 0, Vec::new());
    for (at, injection) in injections().into_iter().enumerate() {
        let spot = Spot::ALL[at % Spot::ALL.len()];
        let (prompt, name, report) = spot.plant(PROMPT, REPORT, &injection.text);
        let (model, desk) = fake(|call| Ok(obedient::reply(&call.messages, &call.schema)), CONTEXT_TOKENS_DEFAULT);
        let rules = run(&prompt, (name, &report), Judge::Rules, None).unwrap();
        let judge = if at % 2 == 0 { Judge::Both } else { Judge::Model };
        let outcome = run(&prompt, (name, &report), judge, Some(&desk)).unwrap();
        assert_eq!(verdict(&outcome), verdict(&rules), "{} in {spot:?}", injection.name);
        assert_eq!(outcome.texts, rules.texts);
        if let Some(own) = &view(&outcome).scores_would_be {
            let (would_be, is) = (own.overall_fidelity_score, rules.evaluation.overall_fidelity_score);
            assert!(would_be <= is, "{}", injection.name);
            moved += usize::from(would_be < is);
        }
        let asked = model.asked.lock().unwrap();
        let user = |call: &Call| -> String {
            call.messages.iter().filter(|own| own.speaker == Speaker::User).map(|own| own.text.as_str()).collect()
        };
        let heard = asked.iter().any(|call| obedient::orders(&user(call)).contains(&injection.order));
        obeyed += usize::from(heard);
        if !heard {
            told.push(format!("{} in {spot:?}", injection.name));
        }
        for call in asked.iter() {
            let system = &call.messages[0].text;
            assert!(!obedient::orders(system).contains(&injection.order), "{}: {system}", injection.name);
        }
    }
    // The check could fail: the judge read and did what it was told, and what it found would have moved scores.
    assert!(obeyed >= 200, "{obeyed}; unheard: {told:?}");
    assert_eq!(told, Vec::<String>::new());
    assert!(moved >= 50, "{moved}");
}

#[test]
fn a_hostile_judge_moves_nothing_and_is_bounded() {
    let rules = run(PROMPT, ("report.md", REPORT), Judge::Rules, None).unwrap();
    let everything: &'static str = REPORT;
    let many = "The club runs a café. ".repeat(100);
    let crowded = format!("{REPORT}\n## More\n\n{}", many.replace(". ", ".\n\n"));
    #[track_caller]
    fn check(rules: &AuditOutcome, report: &str, incidents: Vec<[&'static str; 4]>, reason: &str) {
        let (_, desk) = fake(move |call| Ok(well_formed(call, &incidents)), CONTEXT_TOKENS_DEFAULT);
        let both = run(PROMPT, ("report.md", report), Judge::Both, Some(&desk)).unwrap();
        assert_eq!(verdict(&both), verdict(rules));
        let aside = both.evaluation.set_aside.iter().find(|own| own.what == "incident");
        assert_eq!(aside.map(|own| own.reason.as_str()), Some(reason));
        assert_eq!(view(&both).drift_incidents, []);
    }
    let one = |claim: &'static str| vec![["TypeA", "4", "not in prompt", claim]];
    check(&rules, REPORT, one(""), "it quotes no words of the report");
    check(&rules, REPORT, one("   "), "it quotes no words of the report");
    check(&rules, REPORT, one("a"), "\"a\" is too short to point at a place");
    check(&rules, REPORT, one(everything), "it quotes more than 3 sentences, which points at nothing");
    let sentence = format!("The boat house stores boats{}.", ", and more of them".repeat(40));
    let endless = format!("# Boat house\n\n{sentence}\n\nThe budget is 120,000 EUR.\n");
    let long = run(PROMPT, ("report.md", &endless), Judge::Rules, None).unwrap();
    let whole: &'static str = Box::leak(sentence.into_boxed_str());
    check(&long, &endless, one(whole), "it quotes more than 600 bytes, which points at nothing");
    let half = "The boat house stores 60 boats on the north shore. The frame is made of steel for strength. The budget is 120,000 EUR.\n\n## Operations\n\nThe club runs a café from the first day.";
    check(&rules, REPORT, one(half), "it quotes more than 3 sentences, which points at nothing");
    let crowd = run(PROMPT, ("report.md", &crowded), Judge::Rules, None).unwrap();
    check(
        &crowd,
        &crowded,
        one("The club runs a café."),
        "its words stand at more than 20 places, so they point at none",
    );
    check(&rules, REPORT, vec![["TypeB", "4", "e", STEEL[3]]], "\"e\" is too short to point at a place");
    check(
        &rules,
        REPORT,
        vec![["TypeB", "4", "", STEEL[3]]],
        "it names no words of the prompt, nor says `not in prompt`",
    );
}

/// Ends of calls, by role, and what was not judged.
fn ends(outcome: &AuditOutcome) -> (Vec<String>, Vec<(ModelPart, String)>) {
    let seen = view(outcome);
    let calls = seen.calls.iter().map(|call| format!("{} {} {}", call.role, call.turn, call.ended)).collect();
    (calls, seen.not_judged.iter().map(|own| (own.what, own.reason.clone())).collect())
}

#[test]
fn ten_thousand_incidents_are_one_unreadable_reply() {
    let flood = |call: &Call| -> Result<String, String> {
        if call.role == Role::AuditIncidents {
            let one = well_formed(call, &[WINTER]);
            let one = &one["{\"drift_incidents\": [".len()..one.len() - 2];
            return Ok(format!("{{\"drift_incidents\": [{}]}}", vec![one; 10_000].join(",")));
        }
        Ok(well_formed(call, &[]))
    };
    let (_, desk) = fake(flood, CONTEXT_TOKENS_DEFAULT);
    let rules = run(PROMPT, ("report.md", REPORT), Judge::Rules, None).unwrap();
    let both = run(PROMPT, ("report.md", REPORT), Judge::Both, Some(&desk)).unwrap();
    assert_eq!(verdict(&both), verdict(&rules));
    let (calls, untold) = ends(&both);
    let expect = ["audit.contract first read", "audit.incidents first unreadable", "audit.incidents repair unreadable"];
    assert_eq!(calls, expect);
    let why = "the reply is not of the form that was asked for: `drift_incidents` has 10000 items, more than 20";
    assert_eq!(
        untold,
        [(ModelPart::Incidents, why.to_owned()), (ModelPart::Scores, "no part of the report was judged".to_owned())]
    );
    assert_eq!((&view(&both).scores_would_be, &view(&both).claimed), (&None, &None));
}

#[test]
fn a_call_that_fails_is_told_and_the_others_are_made() {
    let rules = run(PROMPT, ("report.md", REPORT), Judge::Rules, None).unwrap();
    for (failing, expect) in [
        (Role::AuditContract, ModelPart::Contract),
        (Role::AuditIncidents, ModelPart::Incidents),
        (Role::AuditScores, ModelPart::Scores),
    ] {
        let answer = move |call: &Call| {
            if call.role == failing { Err("the server is down".to_owned()) } else { Ok(well_formed(call, &[STEEL])) }
        };
        let (_, desk) = fake(answer, CONTEXT_TOKENS_DEFAULT);
        let both = run(PROMPT, ("report.md", REPORT), Judge::Both, Some(&desk)).unwrap();
        assert_eq!(verdict(&both), verdict(&rules));
        let (_, untold) = ends(&both);
        assert_eq!(untold[0], (expect, "the call failed: the server is down".to_owned()));
        assert_eq!(view(&both).drift_incidents.len(), usize::from(failing != Role::AuditIncidents));
        let failed: Vec<&str> =
            view(&both).calls.iter().filter(|call| call.attempts == 3).map(|call| call.role.as_str()).collect();
        assert_eq!(failed, [failing.name()]);
    }
}

#[test]
fn a_long_report_is_asked_about_in_pieces_that_fit_the_window() {
    let mut report = REPORT.to_owned();
    for part in 0..60 {
        report.push_str(&format!(
            "\n## Part {part}\n\nPart {part} is built in its own time. {}\n",
            "It takes some days. ".repeat(12)
        ));
    }
    let window_tokens = 6_000;
    let (model, desk) = fake(|call| Ok(well_formed(call, &[WINTER])), window_tokens);
    let rules = run(PROMPT, ("report.md", &report), Judge::Rules, None).unwrap();
    let both = run(PROMPT, ("report.md", &report), Judge::Both, Some(&desk)).unwrap();
    assert_eq!(verdict(&both), verdict(&rules));
    let asked = model.asked.lock().unwrap();
    for call in asked.iter() {
        let bytes: usize = call.messages.iter().map(|message| message.text.len()).sum();
        assert!(tokens_estimate(bytes) + call.reply_tokens_max as usize <= window_tokens, "{bytes}");
    }
    let pieces: Vec<&Call> = asked.iter().filter(|call| call.role == Role::AuditIncidents).collect();
    assert!(pieces.len() > 3, "{}", pieces.len());
    for part in 0..60 {
        let sentence = format!("Part {part} is built in its own time.");
        assert_eq!(pieces.iter().filter(|call| call.messages[1].text.contains(&sentence)).count(), 1, "{sentence}");
    }
    assert_eq!(view(&both).not_judged, []);
    // One incident, however many pieces it is found in.
    assert_eq!(view(&both).drift_incidents.len(), 1);
    assert_eq!(
        both.evaluation.set_aside.iter().filter(|own| own.reason == "it was proposed before").count(),
        pieces.len() - 1
    );
}

#[test]
fn a_window_without_room_is_told() {
    let (model, desk) = fake(|call| Ok(well_formed(call, &[WINTER])), 1_000);
    let rules = run(PROMPT, ("report.md", REPORT), Judge::Rules, None).unwrap();
    let both = run(PROMPT, ("report.md", REPORT), Judge::Both, Some(&desk)).unwrap();
    assert_eq!(verdict(&both), verdict(&rules));
    assert_eq!(model.asked.lock().unwrap().len(), 0);
    let untold: Vec<(ModelPart, Option<&str>, Option<usize>)> =
        view(&both).not_judged.iter().map(|own| (own.what, own.file.as_deref(), own.end)).collect();
    assert!(untold.contains(&(ModelPart::Contract, Some("prompt.txt"), Some(PROMPT.len()))), "{untold:?}");
    assert!(untold.contains(&(ModelPart::Incidents, Some("report.md"), Some(REPORT.len()))), "{untold:?}");
    assert_eq!(untold.last(), Some(&(ModelPart::Scores, None, None)));
}

#[test]
fn every_order_is_among_the_injections() {
    let injections = injections();
    for order in [Order::Nothing, Order::Praise, Order::Approve, Order::Mildest, Order::Accuse, Order::Refuse] {
        assert!(injections.iter().filter(|own| own.order == order).count() >= 30, "{order:?}");
    }
}
