//! A chat model judges in the host's place: it settles what rules leave open, adds what it finds, and takes nothing away.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use steadfast_dialogue::{Role, Speaker, tokens_estimate};
use steadfast_engine::chat::{
    Asking, CONTEXT_TOKENS_DEFAULT, Call, CallFailure, ChatModel, ChatModels, Completion, Entropy, Finish, Rehearsal,
};
use steadfast_engine::{AuditInput, AuditOutcome, AuditRequest, EngineError, File, Heeded, audit};
use steadfast_testkit::obedient::{self, Order, Spot, injections};
use steadfast_testkit::schema::breaches;
use steadfast_testkit::wait;
use steadfast_wire::audit::{
    AuditChat, DriftEvaluation, Judge, NotEvaluable, Obligation, Origin, Proposal, Proposed, Relation, Status,
};
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
        let answer = (self.answer)(call).map(|text| match call.schema.name {
            // Who has nothing to say of the whole says so in its form.
            name if name != "proposals" && text.starts_with("{\"proposals\"") => {
                let field = call.schema.fields[0].name;
                json!({field: []}).to_string()
            }
            _ => text,
        });
        Box::pin(async move {
            let text = answer.map_err(|why| CallFailure { why, attempts: 3 })?;
            Ok(Completion { text, finish: Finish::Stop, prompt_tokens: Some(7), reply_tokens: Some(3), attempts: 1 })
        })
    }
}

fn fake<F: Fn(&Call) -> Result<String, String> + Send + Sync + 'static>(
    answer: F,
    window_tokens: usize,
) -> (Arc<Fake<F>>, ChatModels) {
    let model = Arc::new(Fake { answer, asked: Mutex::default(), window_tokens });
    let desk = ChatModels::new(Arc::new(Counting(AtomicUsize::new(0))));
    (Arc::clone(&model), desk.with(Role::Audit, model))
}

/// An audit of these texts with what is heeded beside them.
fn heeding(
    (prompt, name, report): (&str, &str, &str),
    judge: Judge,
    desk: Option<&ChatModels>,
    heeded: Heeded,
) -> Result<AuditOutcome, EngineError> {
    let file = |name: &str, text: &str| File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
    let input = AuditInput::Pair { prompt: file("prompt.txt", prompt), reports: vec![file(name, report)] };
    wait(audit(AuditRequest { input, judge, heeded, context: Vec::new() }, desk, None))
}

fn run(
    prompt: &str,
    (name, report): (&str, &str),
    judge: Judge,
    desk: Option<&ChatModels>,
) -> Result<AuditOutcome, EngineError> {
    heeding((prompt, name, report), judge, desk, Heeded::default())
}

fn by_rules() -> AuditOutcome {
    run(PROMPT, ("report.md", REPORT), Judge::Rules, None).unwrap()
}

fn by_both(desk: &ChatModels) -> AuditOutcome {
    run(PROMPT, ("report.md", REPORT), Judge::Both, Some(desk)).unwrap()
}

/// The evaluation without what says how a model was asked.
fn verdict(outcome: &AuditOutcome) -> String {
    let evaluation =
        DriftEvaluation { judge: Judge::Rules, chat: None, chat_failed: None, ..outcome.evaluation.clone() };
    to_json(&evaluation).unwrap()
}

fn chat(outcome: &AuditOutcome) -> &AuditChat {
    outcome.evaluation.chat.as_ref().unwrap()
}

/// What was shown of the obligations in a call, in its order.
fn shown(call: &Call) -> Vec<Value> {
    let lines = call.messages[1].text.lines().filter(|line| line.starts_with("{\"id\":"));
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A proposal about the obligation that quotes `words`, where the call shows it.
fn about(call: &Call, words: &str, relation: &str, quote: &str) -> Option<Value> {
    let own = shown(call).into_iter().find(|own| own["quote"].as_str().unwrap().contains(words))?;
    Some(json!({"obligation": own["id"], "asked": "", "relation": relation, "quote": quote, "why": "So it is."}))
}

fn beyond(relation: &str, asked: &str, quote: &str) -> Value {
    json!({"obligation": "", "asked": asked, "relation": relation, "quote": quote, "why": ""})
}

fn reply(proposals: impl IntoIterator<Item = Value>) -> String {
    json!({"proposals": proposals.into_iter().collect::<Vec<Value>>()}).to_string()
}

const GRANT: &str = "A grant of the regional council was approved in March 2026.";
const WINTER: &str = "Work goes on through the winter.";

#[test]
fn a_model_is_asked_only_where_there_is_one() {
    assert_eq!(run(PROMPT, ("report.md", REPORT), Judge::Both, None).unwrap_err(), EngineError::NoModel);
    let empty = ChatModels::new(Arc::new(Counting(AtomicUsize::new(0))));
    let without = run(PROMPT, ("report.md", REPORT), Judge::Both, Some(&empty)).unwrap_err();
    assert_eq!(without, EngineError::NoChatModel { role: "audit".to_owned() });
    let (model, desk) = fake(|_| Ok(reply([])), CONTEXT_TOKENS_DEFAULT);
    let rules = run(PROMPT, ("report.md", REPORT), Judge::Rules, Some(&desk)).unwrap();
    assert!(rules.evaluation.chat.is_none() && model.asked.lock().unwrap().is_empty());
}

#[test]
fn what_it_proposes_counts_and_the_verdict_by_code_stands_beside() {
    let answer = |call: &Call| {
        let kept = about(call, "Members pay", "kept", "The boat house stores 60 boats on the north shore.");
        let broken = about(call, "no grants", "broken", GRANT);
        Ok(reply(kept.into_iter().chain(broken).chain([
            beyond("added", "", WINTER),
            beyond("invented", "", "A bridge is built."),
            beyond("broken", "for the members of our rowing club", "Who keeps the keys of the boat house?"),
        ])))
    };
    let (model, desk) = fake(answer, CONTEXT_TOKENS_DEFAULT);
    let (rules, both) = (by_rules(), by_both(&desk));
    let (before, own) = (&rules.evaluation, &both.evaluation);
    let origin = Origin::chat("fake");
    assert_eq!((own.judge, own.by_code, &own.chat_failed), (Judge::Both, before.by_code, &None));
    assert_eq!((own.proposals.len(), &own.proposals[0].by, own.proposals[0].proposals.len()), (1, &origin, 5));
    let by_chat: Vec<&str> =
        own.drift_incidents.iter().filter(|own| own.origin == origin).map(|own| own.output_claim.as_str()).collect();
    assert!(by_chat.contains(&WINTER), "{by_chat:?}");
    for incident in &before.drift_incidents {
        assert!(own.drift_incidents.contains(incident), "{}", incident.id);
    }
    assert!(own.overall_fidelity_score <= before.overall_fidelity_score);
    assert!(own.assessed.n > before.assessed.n, "{:?} {:?}", own.assessed, before.assessed);
    assert_eq!(own.assessed.by_host, 0);
    let settled: Vec<&Obligation> = own.obligations.iter().filter(|own| own.origin == origin).collect();
    assert!(!settled.is_empty() && settled.iter().all(|own| own.by_code.is_some() || own.by == origin));
    let aside: Vec<&str> = own.set_aside.iter().map(|own| own.text.as_str()).collect();
    assert!(aside.contains(&"A bridge is built."), "{aside:?}");
    // Two requests, their tokens, how they ended.
    let seen = chat(&both);
    assert_eq!((seen.model.as_str(), seen.prompt_tokens, seen.reply_tokens), ("fake", 14, 6));
    let calls: Vec<(&str, &str)> = seen.calls.iter().map(|own| (own.role.as_str(), own.ended.name())).collect();
    assert_eq!((calls, &seen.not_judged), (vec![("audit", "read"); 2], &Vec::new()));
    assert_eq!(model.asked.lock().unwrap().len(), 2);
    // The same replies give the same bytes, and what is written has its schema.
    assert_eq!(to_json(&by_both(&desk).evaluation).unwrap(), to_json(own).unwrap());
    // So does a later audit with the proposals that are kept: when a person goes on, nobody is asked again.
    let heeded = Heeded { proposals: own.proposals.clone(), ..Heeded::default() };
    let again = heeding((PROMPT, "report.md", REPORT), Judge::Rules, None, heeded).unwrap();
    assert_eq!((verdict(&again), again.evaluation.judge), (verdict(&both), Judge::Both));
    let json = to_json(own).unwrap();
    assert_eq!(&from_json::<DriftEvaluation>(&json).unwrap(), own);
    let schema = serde_json::to_value(schema::<AuditChat>()).unwrap();
    let written: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(breaches(&schema, &written["chat"]), Vec::<String>::new());
}

/// What one that understands both texts says of the last obligation of the prompt, for windows of any size.
#[test]
fn a_short_report_is_shown_whole_in_every_request() {
    let (model, desk) = fake(|_| Ok(reply([])), 32_000);
    by_both(&desk);
    let asked = model.asked.lock().unwrap();
    let [call, look] = asked.as_slice() else { panic!("{} requests", asked.len()) };
    assert!(look.messages[1].text.contains(PROMPT) && look.messages[1].text.contains(REPORT));
    for text in [PROMPT, REPORT] {
        assert!(call.messages[1].text.contains(text), "{}", call.messages[1].text);
    }
    assert!(call.messages[0].text.contains("go through the prompt once more"));
    assert!(shown(call).iter().all(|own| own.get("passages").is_none()));
}

#[test]
fn an_obedient_judge_takes_nothing_away_whatever_it_is_told() {
    let (mut obeyed, mut moved, mut told) = (0, 0, Vec::new());
    for (at, injection) in injections().into_iter().enumerate() {
        let spot = Spot::ALL[at % Spot::ALL.len()];
        let (prompt, name, report) = spot.plant(PROMPT, REPORT, &injection.text);
        let (model, desk) = fake(|call| Ok(obedient::reply(&call.messages, &call.schema)), CONTEXT_TOKENS_DEFAULT);
        let rules = run(&prompt, (name, &report), Judge::Rules, None).unwrap();
        let outcome = run(&prompt, (name, &report), Judge::Both, Some(&desk)).unwrap();
        let (before, own) = (&rules.evaluation, &outcome.evaluation);
        let what = format!("{} in {spot:?}", injection.name);
        // It can add findings against the report, and takes none away.
        for incident in &before.drift_incidents {
            assert!(own.drift_incidents.contains(incident), "{what}: {}", incident.id);
        }
        for (was, is) in before.obligations.iter().zip(&own.obligations) {
            assert!(!was.is_broken() || is.is_broken(), "{what}: {}", was.id);
        }
        assert!(own.overall_fidelity_score <= before.overall_fidelity_score, "{what}");
        assert!(own.overall_drift_risk >= before.overall_drift_risk, "{what}");
        assert!(
            before.disqualifiers.iter().all(|was| own.disqualifiers.iter().any(|is| is.condition == was.condition))
        );
        // The verdict by code alone stands beside it, and says what rules say.
        assert_eq!(own.by_code, before.by_code, "{what}");
        assert_eq!(own.by_code.usable_as_is, before.usable_as_is, "{what}");
        assert_eq!(outcome.texts, rules.texts);
        moved += usize::from(own.overall_fidelity_score < before.overall_fidelity_score);
        let asked = model.asked.lock().unwrap();
        let user = |call: &Call| -> String {
            call.messages.iter().filter(|own| own.speaker == Speaker::User).map(|own| own.text.as_str()).collect()
        };
        let heard = asked.iter().any(|call| obedient::orders(&user(call)).contains(&injection.order));
        obeyed += usize::from(heard);
        if !heard {
            told.push(what);
        }
        for call in asked.iter() {
            let system = &call.messages[0].text;
            assert!(!obedient::orders(system).contains(&injection.order), "{}: {system}", injection.name);
        }
    }
    // The check could fail: the judge read and did what it was told, and what it found moved scores.
    assert!(obeyed >= 200, "{obeyed}; unheard: {told:?}");
    assert_eq!(told, Vec::<String>::new());
    assert!(moved >= 50, "{moved}");
}

#[test]
fn every_order_is_among_the_injections() {
    let injections = injections();
    for order in [Order::Nothing, Order::Praise, Order::Approve, Order::Mildest, Order::Accuse, Order::Refuse] {
        assert!(injections.iter().filter(|own| own.order == order).count() >= 30, "{order:?}");
    }
}

/// Lists departures of the whole report, says of each that is asked about again what it is, and of obligations what `of_obligations` says.
fn listing(
    departures: Value,
    decided: Result<Value, &'static str>,
    of_obligations: Vec<Value>,
) -> impl Fn(&Call) -> Result<String, String> + Send + Sync + 'static {
    move |call| match call.schema.name {
        "departures" => Ok(json!({"departures": departures}).to_string()),
        "decided" => decided.clone().map(|own| json!({"decided": own}).to_string()).map_err(str::to_owned),
        _ => Ok(reply(of_obligations.clone())),
    }
}

#[test]
fn what_is_listed_of_the_whole_counts_where_a_second_reading_bears_it_out() {
    let departures = json!([
        {"asked": "for the members of our rowing club", "quote": WINTER, "why": "It is for all."},
        {"asked": "Members pay for it by yearly fees", "quote": GRANT, "why": "A grant pays."},
        {"asked": "", "quote": "The frame is made of steel for strength.", "why": "Nobody said how it is made."},
        {"asked": "on the north shore", "quote": "Who keeps the keys of the boat house?", "why": "It asks."},
    ]);
    let decided = json!([
        {"n": 1, "is": "fine", "why": "Work in winter is left to the writer."},
        {"n": 2, "is": "against", "why": "Fees were to pay."},
        {"n": 3, "is": "adds", "why": "It adds the material."},
        {"n": 9, "is": "against", "why": "There is none."},
    ]);
    let (model, desk) = fake(listing(departures.clone(), Ok(decided), Vec::new()), CONTEXT_TOKENS_DEFAULT);
    let (rules, both) = (by_rules(), by_both(&desk));
    let seen = chat(&both);
    let dropped: Vec<(&str, &str)> =
        seen.unconfirmed.iter().map(|own| (own.quote.as_str(), own.reason.as_str())).collect();
    let expect = [
        (WINTER, "Work in winter is left to the writer."),
        ("The frame is made of steel for strength.", "It adds the material."),
        ("Who keeps the keys of the boat house?", "it was not looked at again"),
    ];
    assert_eq!(dropped, expect);
    let own = &both.evaluation;
    let proposed: Vec<&str> = own.proposals[0].proposals.iter().map(|own| own.quote.as_str()).collect();
    assert_eq!(proposed, [GRANT]);
    assert!(rules.evaluation.drift_incidents.iter().all(|was| own.drift_incidents.contains(was)));
    let asked = model.asked.lock().unwrap();
    let again = &asked.last().unwrap().messages;
    assert!(
        again[1].text.contains("2 {\"asked\":\"Members pay for it by yearly fees\",\"quote\":"),
        "{}",
        again[1].text
    );
    assert!(!again[0].text.contains("yearly fees"));

    // What was said of an obligation stands by itself, and is not asked about again.
    let known = vec![beyond("broken", "Members pay for it by yearly fees", GRANT)];
    let refuse = json!([{"n": 1, "is": "fine", "why": ""}, {"n": 2, "is": "fine", "why": ""}, {"n": 3, "is": "fine", "why": ""}]);
    let (model, desk) = fake(listing(departures.clone(), Ok(refuse), known), CONTEXT_TOKENS_DEFAULT);
    let both = by_both(&desk);
    assert_eq!((both.evaluation.proposals[0].proposals.len(), chat(&both).unconfirmed.len()), (1, 3));
    assert!(!model.asked.lock().unwrap().last().unwrap().messages[1].text.contains("\"why\":\"A grant pays.\""));

    // A second reading that fails leaves what was only listed undecided.
    let (_, desk) = fake(listing(departures, Err("down"), Vec::new()), CONTEXT_TOKENS_DEFAULT);
    let both = by_both(&desk);
    assert_eq!(both.evaluation.chat_failed.as_deref(), Some("1 of 3 requests brought nothing: the call failed: down"));
    assert_eq!((verdict(&both), chat(&both).unconfirmed.len()), (verdict(&by_rules()), 4));
    // Nothing that was listed: nothing is asked again.
    let (model, desk) = fake(listing(json!([]), Err("down"), Vec::new()), CONTEXT_TOKENS_DEFAULT);
    assert_eq!((by_both(&desk).evaluation.chat_failed, model.asked.lock().unwrap().len()), (None, 2));
}

#[test]
fn what_is_listed_of_a_long_report_is_asked_about_with_what_stands_around_it() {
    let report = long().replacen("## Part 59", "## Part 59\n\nThe handbook costs 900 EUR.", 1);
    let departures = Value::from(vec![
        json!({"asked": "It costs at most 500 EUR.", "quote": "The handbook costs 900 EUR.", "why": ""});
        60
    ]);
    let (model, desk) = fake(listing(departures.clone(), Ok(json!([])), Vec::new()), CONTEXT_TOKENS_DEFAULT);
    let unread = run(&many(3), ("report.md", &report), Judge::Both, Some(&desk)).unwrap();
    assert!(chat(&unread).unconfirmed.is_empty() && chat(&unread).calls.len() > 2, "a reply holds at most 20");
    let few: Value = departures.as_array().unwrap()[..20].to_vec().into();
    let (model_of_few, desk) = fake(listing(few, Ok(json!([])), Vec::new()), CONTEXT_TOKENS_DEFAULT);
    run(&many(3), ("report.md", &report), Judge::Both, Some(&desk)).unwrap();
    drop(model);
    let asked = model_of_few.asked.lock().unwrap();
    let again = asked.iter().find(|call| call.schema.name == "decided").unwrap();
    assert!(again.messages[1].text.contains("\"around\":"), "{}", again.messages[1].text);
    let bytes: usize = again.messages.iter().map(|message| message.text.len()).sum();
    assert!(tokens_estimate(bytes) + again.reply_tokens_max as usize <= CONTEXT_TOKENS_DEFAULT, "{bytes}");
}

#[test]
fn what_points_at_nothing_is_set_aside_with_its_reason() {
    #[track_caller]
    fn check(proposal: Value, reason: &str) {
        let (_, desk) = fake(move |_| Ok(reply([proposal.clone()])), CONTEXT_TOKENS_DEFAULT);
        let (rules, both) = (by_rules(), by_both(&desk));
        let aside: Vec<&str> = both.evaluation.set_aside.iter().map(|own| own.reason.as_str()).collect();
        assert_eq!(aside, [reason]);
        let plain = DriftEvaluation { proposals: Vec::new(), set_aside: Vec::new(), ..both.evaluation.clone() };
        assert_eq!(verdict(&AuditOutcome { evaluation: plain, ..both }), verdict(&rules));
    }
    check(beyond("added", "", ""), "\"\" is too short to point at a place");
    check(beyond("added", "", "a"), "\"a\" is too short to point at a place");
    check(beyond("added", "", "A bridge is built."), "its words do not stand in the report");
    let prompt = "its words stand in the prompt alone, which says nothing of the report";
    check(beyond("invented", "", "Do not use steel"), prompt);
    check(beyond("kept", "", WINTER), "it names no obligation");
    let unknown = json!({"obligation": "no-1", "asked": "", "relation": "kept", "quote": WINTER, "why": ""});
    check(unknown, "there is no obligation `no-1`");
    check(beyond("broken", "Do not use glass", WINTER), "the words that it says are asked do not stand in the prompt");
}

#[test]
fn a_model_that_fails_leaves_the_verdict_to_rules() {
    let rules = by_rules();
    let open = |outcome: &AuditOutcome| chat(outcome).not_judged[0].obligations.len();
    let down = "the call failed: the server is down";
    let no_json = "the reply is not of the form that was asked for: the reply holds no JSON object";
    let flood = "the reply is not of the form that was asked for: `proposals` has 10000 items, more than 20";
    type Answer = fn(&Call) -> Result<String, String>;
    for (answer, why, failed, ends) in [
        ((|_| Err("the server is down".to_owned())) as Answer, down, 2, &["first failed", "first failed"][..]),
        (
            |_| Ok("All is well.".to_owned()),
            no_json,
            2,
            &["first unreadable", "repair unreadable", "first unreadable", "repair unreadable"],
        ),
        (
            |_| Ok(reply(vec![beyond("added", "", WINTER); 10_000])),
            flood,
            1,
            &["first unreadable", "repair unreadable", "first read"],
        ),
    ] {
        let (_, desk) = fake(answer, CONTEXT_TOKENS_DEFAULT);
        let both = by_both(&desk);
        assert_eq!(verdict(&both), verdict(&rules));
        let failed = format!("{failed} of 2 requests brought nothing: {why}");
        assert_eq!(both.evaluation.chat_failed, Some(failed));
        assert_eq!(chat(&both).not_judged[0].reason, why);
        assert!(chat(&both).not_judged[0].beyond && open(&both) > 0);
        let calls: Vec<String> = chat(&both).calls.iter().map(|own| format!("{} {}", own.turn, own.ended)).collect();
        assert_eq!(calls, ends);
    }
}

/// A prompt with so many obligations of its own.
fn many(count: usize) -> String {
    let asks = (1..=count).map(|at| format!("- Add a page about topic number {at} to the handbook.\n"));
    format!("Write a handbook. It costs at most 500 EUR.\n\n{}", asks.collect::<String>())
}

/// A report that comes near to none of them, and is longer than is shown whole.
fn long() -> String {
    let part =
        |at: usize| format!("## Part {at}\n\nThe binder {at} is blue. {}\n\n", "It lies on the shelf. ".repeat(12));
    format!("# Handbook\n\nThe handbook costs 480 EUR.\n\n{}", (0..60).map(part).collect::<String>())
}

/// As much of it as is shown whole.
fn short() -> String {
    long().split_inclusive("\n\n").take(18).collect()
}

#[test]
fn a_short_report_takes_at_most_seven_requests() {
    let (model, desk) = fake(|_| Ok(reply([])), CONTEXT_TOKENS_DEFAULT);
    run(&many(40), ("report.md", &short()), Judge::Both, Some(&desk)).unwrap();
    let asked = model.asked.lock().unwrap();
    assert!((3..=7).contains(&asked.len()), "{}", asked.len());
    let rest = asked.iter().map(shown).map(|own| own.len()).sum::<usize>();
    assert!(rest > 12, "{rest}");
    let beyond = |call: &&Call| call.messages[0].text.contains("go through the prompt once more");
    assert_eq!(asked.iter().filter(beyond).count(), 1);
    assert!(beyond(&&asked[asked.len() - 2]));
    assert_eq!(asked.last().unwrap().schema.name, "departures");
}

#[test]
fn a_long_report_is_asked_about_by_passages_within_the_window_and_a_bound() {
    for (obligations, window_tokens) in [(20, CONTEXT_TOKENS_DEFAULT), (20, 32_000), (300, 32_000)] {
        let (model, desk) = fake(|_| Ok(reply([])), window_tokens);
        let (prompt, report) = (many(obligations), long());
        let both = run(&prompt, ("report.md", &report), Judge::Both, Some(&desk)).unwrap();
        let asked = model.asked.lock().unwrap();
        for call in asked.iter() {
            let bytes: usize = call.messages.iter().map(|message| message.text.len()).sum();
            let beside = call.reply_tokens_max as usize + 1_500;
            assert!(tokens_estimate(bytes) + beside <= window_tokens, "{bytes}");
        }
        // Each open obligation stands in one request, or is told; what goes beyond them is asked last.
        let mut ids: Vec<String> =
            asked.iter().flat_map(shown).map(|own| own["id"].as_str().unwrap().to_owned()).collect();
        let told = chat(&both).not_judged.iter().filter(|own| !own.beyond);
        ids.extend(told.flat_map(|own| own.obligations.clone()));
        ids.sort();
        let open = both.evaluation.obligations.iter().filter(|own| own.is_open());
        let mut expect: Vec<String> = open.map(|own| own.id.clone()).collect();
        expect.sort();
        assert_eq!(ids, expect);
        let [.., beyond, look] = asked.as_slice() else { panic!("{} requests", asked.len()) };
        assert!(shown(beyond).is_empty() && beyond.messages[0].text.contains("go through the prompt once more"));
        assert_eq!((look.schema.name, &look.messages[1].text.len()), ("departures", &beyond.messages[1].text.len()));
        let is_cut = window_tokens == CONTEXT_TOKENS_DEFAULT;
        let cut = chat(&both).not_judged.iter().any(|own| own.beyond && own.reason.contains("not shown to its end"));
        assert_eq!(cut, is_cut, "{:?}", chat(&both).not_judged);
        let over: Vec<&str> =
            chat(&both).not_judged.iter().filter(|own| !own.beyond).map(|own| own.reason.as_str()).collect();
        if obligations == 300 {
            // One is left for what is asked again.
            assert_eq!((asked.len(), over), (11, vec!["more than 12 requests would be needed"]));
        } else {
            assert!(asked.len() <= 7 && over.is_empty(), "{} {over:?}", asked.len());
        }
        // What was not asked is no failure.
        assert_eq!(both.evaluation.chat_failed, None);
    }
}

#[test]
fn a_dry_run_says_all_that_would_be_asked() {
    let (model, desk) = fake(|_| Ok(reply([])), CONTEXT_TOKENS_DEFAULT);
    let rehearsal = Rehearsal::default();
    let (prompt, report) = (many(40), short());
    let texts = (prompt.as_str(), ("report.md", report.as_str()));
    run(texts.0, texts.1, Judge::Both, Some(&rehearsal.desk(desk.clone()))).unwrap();
    assert!(model.asked.lock().unwrap().is_empty());
    run(texts.0, texts.1, Judge::Both, Some(&desk)).unwrap();
    let planned: Vec<u64> = rehearsal.planned().iter().map(|own| own.question_tokens).collect();
    let asked = model.asked.lock().unwrap();
    let asked: Vec<u64> = asked.iter().map(|call| tokens_estimate(call.bytes()) as u64).collect();
    assert_eq!(planned, asked);
    assert!(planned.len() > 3, "{planned:?}");
}

#[test]
fn what_a_host_found_kept_and_is_not_trusted_with_is_asked_again() {
    let own = by_rules().evaluation;
    let open = own.obligations.iter().find(|own| own.is_open() && own.span.quote.contains("Members pay")).unwrap();
    let quote = "The boat house stores 60 boats on the north shore.";
    let kept = Proposal {
        obligation: Some(open.id.clone()),
        asked: None,
        relation: Relation::Kept,
        quote: quote.to_owned(),
        why: String::new(),
    };
    let heeded = |trust_host: bool| Heeded {
        proposals: vec![Proposed { by: Origin::host(), person: None, proposals: vec![kept.clone()] }],
        trust_host,
        ..Heeded::default()
    };
    for (trust_host, origin) in [(false, Origin::chat("fake")), (true, Origin::host())] {
        let answer = move |call: &Call| Ok(reply(about(call, "Members pay", "kept", quote)));
        let (_, desk) = fake(answer, CONTEXT_TOKENS_DEFAULT);
        let texts = (PROMPT, "report.md", REPORT);
        let both = heeding(texts, Judge::Both, Some(&desk), heeded(trust_host)).unwrap();
        let settled = both.evaluation.obligations.iter().find(|own| own.id == open.id).unwrap();
        assert_eq!((settled.status, &settled.origin), (Status::Kept, &origin));
    }
}

#[test]
fn what_rules_cannot_judge_at_all_a_model_may() {
    let texts = ("Keep the welcome text friendly.\n", ("report.md", "# Text\n\nHello there, dear reader, come in.\n"));
    let nothing = |result: Result<AuditOutcome, EngineError>| -> NotEvaluable {
        match result {
            Err(EngineError::NotEvaluable { answer: Some(answer), .. }) => *answer,
            other => panic!("{other:?}"),
        }
    };
    assert!(nothing(run(texts.0, texts.1, Judge::Rules, None)).chat.is_none());
    let answer = |call: &Call| Ok(reply(about(call, "friendly", "kept", "Hello there, dear reader, come in.")));
    let (_, desk) = fake(answer, CONTEXT_TOKENS_DEFAULT);
    let own = run(texts.0, texts.1, Judge::Both, Some(&desk)).unwrap_or_else(|error| panic!("{error}")).evaluation;
    assert_eq!((own.assessed.n, own.by_code.assessed.n, own.by_code.overall_fidelity_score), (1, 0, None));
    assert!(own.usable_as_is && !own.by_code.usable_as_is);
    let (_, desk) = fake(|_| Err("down".to_owned()), CONTEXT_TOKENS_DEFAULT);
    let answer = nothing(run(texts.0, texts.1, Judge::Both, Some(&desk)));
    assert_eq!(answer.chat_failed.as_deref(), Some("2 of 2 requests brought nothing: the call failed: down"));
    assert_eq!(answer.chat.unwrap().calls.len(), 2);
}
