//! Notes as a model reads them.

use proptest::prelude::*;
use steadfast_dialogue::{Answer, Exchange, Nothing, Role, Step};
use steadfast_evidence::{Evaluated, FileId};
use steadfast_plan::exchange::{
    Answered, Extracted, Extraction, KINDS, PART_BYTES_MAX, PARTS_MAX, TakenReading, is_of_the_model, take_reading,
};
use steadfast_plan::{Kind, Notes, Settings, Standing, Variant, check, run};

use crate::exchange::{NOTES, answer, done, read, sent};

fn reply(parts: &[(&str, serde_json::Value)]) -> serde_json::Value {
    let mut all = serde_json::json!({"tasks": [], "constraints": [], "set_apart": [], "questions": []});
    for (name, list) in parts {
        all[name] = list.clone();
    }
    let fill = |list: &mut serde_json::Value, defaults: serde_json::Value| {
        for record in list.as_array_mut().unwrap() {
            for (name, value) in defaults.as_object().unwrap() {
                record.as_object_mut().unwrap().entry(name.clone()).or_insert_with(|| value.clone());
            }
        }
    };
    fill(
        &mut all["tasks"],
        serde_json::json!({"name": "", "minutes": 0, "must": false, "optional": false, "whole": false}),
    );
    fill(
        &mut all["constraints"],
        serde_json::json!({
            "tasks": [], "first": [], "then": [], "start": "", "end": "", "minutes_min": 0, "minutes_max": 0, "name": "",
            "except": [], "soft": false
        }),
    );
    all
}

#[test]
fn an_extraction_asks_for_each_part_and_says_what_it_did_not_read() {
    let line = format!("- {}\n", "x".repeat(1_021));
    let of = |parts: usize| line.repeat(parts * PART_BYTES_MAX / line.len());
    let (_, own) = read(NOTES);
    for (notes, parts, unread) in
        [(of(1), 1, 0), (of(2), 2, 0), (of(PARTS_MAX), PARTS_MAX, 0), (of(PARTS_MAX) + "- y\n", PARTS_MAX, 3)]
    {
        let mut exchange = Extraction::new(&notes, &own.now, &[], usize::MAX, u32::MAX);
        let mut said = None;
        let mut asked = String::new();
        let mut count = 0;
        let found = loop {
            match exchange.next(said.take()) {
                Step::Done(found) => break found,
                Step::Send(request) => {
                    count += 1;
                    assert_eq!((request.role, request.passages.len()), (Role::PlanExtract, 1));
                    assert!(request.passages[0].text.len() <= PART_BYTES_MAX && !request.instructions.contains("xxx"));
                    assert!(
                        request.instructions.contains("The day is Monday, 2026-01-26."),
                        "{}",
                        request.instructions
                    );
                    asked.push_str(&request.passages[0].text);
                    said = if count == 2 {
                        Some(Answer::Nothing(Nothing::Unfinished))
                    } else {
                        let order = serde_json::json!([{"id": "c1", "kind": "order", "quote": "b", "first": ["t1"], "then": ["t1"]}]);
                        let own = reply(&[
                            ("tasks", serde_json::json!([{"id": "t1", "quote": " a "}])),
                            ("constraints", order),
                        ]);
                        answer(&request, &own)
                    };
                }
            }
        };
        assert_eq!((count, found.unread_bytes), (parts, unread));
        assert!(notes.starts_with(&asked) && notes[asked.len()..].trim().len() == unread);
        let nothing = usize::from(parts > 1);
        assert_eq!((found.nothing.len(), found.reading.tasks.len()), (nothing, parts - nothing));
        assert_eq!((found.reading.tasks[0].id.as_str(), found.reading.tasks[0].words.quote.as_str()), ("t1", "a"));
        // Each part names its own.
        let last = found.reading.constraints.last().unwrap();
        let wanted = if parts > 2 { format!("t1.{parts}") } else { "t1".to_owned() };
        assert_eq!((&last.first, &last.then), (&vec![wanted.clone()], &vec![wanted]));
    }
    assert_eq!(done(Extraction::new(" \n", &own.now, &[], usize::MAX, u32::MAX).next(None)), Extracted::default());
}

#[test]
fn an_answer_is_shown_to_the_model_beside_the_notes() {
    let (_, own) = read(NOTES);
    let told =
        Answered { quote: "five-ish".to_owned(), question: "Is that a limit?".to_owned(), answer: "no".to_owned() };
    let request = sent(Extraction::new(NOTES, &own.now, &[told], usize::MAX, u32::MAX).next(None));
    let [_, answers] = request.passages.as_slice() else { panic!("{:?}", request.passages) };
    assert_eq!((answers.label, answers.text.as_str()), ("answers", "- of \"five-ish\": Is that a limit? no\n"));
    assert!(request.instructions.contains("is not asked again") && !request.instructions.contains("five-ish"));
}

#[test]
fn a_model_may_state_what_a_reading_that_is_handed_in_may() {
    for kind in KINDS {
        assert!(Kind::ALL.iter().any(|own| own.name() == *kind), "{kind}");
    }
}

const DAY: &str = "\
- Write the report, 90 min, before 3pm
- Call Ana
- Standup 9:30-9:45
- half an hour for the invoices, bank shuts at ten to four
- Lea says the gate can wait
";

/// What is taken of a reply about notes, with these answers.
fn extracted_of(
    text: &str,
    parts: &[(&str, serde_json::Value)],
    answers: &[(&str, &str)],
) -> (Notes, Result<TakenReading, String>) {
    let (document, own) = read(text);
    let mut exchange = Extraction::new(text, &own.now, &[], usize::MAX, u32::MAX);
    let request = sent(exchange.next(None));
    let found = done(exchange.next(answer(&request, &reply(parts))));
    let mut taken = take_reading(FileId(0), &document, &own, found);
    if let Ok(taken) = &mut taken {
        let answers: Vec<(String, String)> =
            answers.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect();
        taken.settle(&Settings::default(), &answers).unwrap();
    }
    (own, taken)
}

fn all_tasks() -> serde_json::Value {
    serde_json::json!([
        {"id": "t1", "quote": "Write the report", "minutes": 90},
        {"id": "t2", "quote": "Call Ana"},
        {"id": "t3", "quote": "half an hour for the invoices", "name": "invoices", "minutes": 30},
    ])
}

fn apart() -> serde_json::Value {
    serde_json::json!([{"quote": "the gate can wait", "as": "not_today"}])
}

/// Why each part of a reading is set aside, or asked about, that gives the report this length and that constraint.
#[track_caller]
fn check_aside(minutes: i64, constraint: serde_json::Value, wanted: &[&str]) {
    let mut tasks = all_tasks();
    tasks[0]["minutes"] = minutes.into();
    let parts = [("tasks", tasks), ("constraints", serde_json::json!([constraint])), ("set_apart", apart())];
    let (_, taken) = extracted_of(DAY, &parts, &[]);
    let taken = taken.unwrap();
    let aside = taken.aside.iter().map(|own| own.reason.clone());
    let asked =
        taken.notes.open.iter().filter(|own| own.text.starts_with("The model reads")).map(|own| own.text.clone());
    assert_eq!(aside.chain(asked).collect::<Vec<_>>(), wanted, "{constraint}");
}

#[test]
fn a_reading_is_taken_as_far_as_quotes_stand_and_figures_bear_it_out() {
    let due = |end: &str| serde_json::json!({"id": "c1", "kind": "deadline", "quote": "before 3pm", "tasks": ["t1"], "end": end});
    let bank = |end: &str| serde_json::json!({"id": "c1", "kind": "availability", "quote": "bank shuts at ten to four", "tasks": ["t3"], "end": end});
    check_aside(90, due("15:00"), &[]);
    check_aside(90, due("03:00"), &[]);
    check_aside(
        90,
        due("16:25"),
        &["The model reads \"before 3pm\" as deadline, and no figure of the notes says 16:25. Is it meant so?"],
    );
    check_aside(100, due("15:00"), &["no figure beside its words says 100 minutes"]);
    check_aside(90, due("noonish"), &["\"noonish\" is no time as HH:MM"]);
    check_aside(90, bank("15:50"), &[]);
    check_aside(
        90,
        bank("18:37"),
        &[
            "The model reads \"bank shuts at ten to four\" as availability, and no figure of the notes says 18:37. Is it meant so?",
        ],
    );
    let mut pony = due("15:00");
    pony["quote"] = "before the pony".into();
    check_aside(90, pony, &["\"before the pony\" does not stand in the notes"]);
    let mut nobody = due("15:00");
    nobody["tasks"] = serde_json::json!(["t9"]);
    check_aside(90, nobody, &["there is no task `t9`"]);
}

#[test]
fn what_rules_require_and_the_plan_would_break_is_asked_and_answers_settle_it() {
    let standup = serde_json::json!([{"id": "c1", "kind": "fixed_event", "quote": "Standup 9:30-9:45", "start": "09:30", "end": "09:45", "name": "Standup"}]);
    let whole = [("tasks", all_tasks()), ("constraints", standup), ("set_apart", apart())];
    let (_, taken) = extracted_of(DAY, &whole, &[]);
    let notes = taken.unwrap().notes;
    assert_eq!(notes.constraints[0].id, "m1");
    assert!(notes.open.is_empty() && !notes.needs_answer(), "{:?}", notes.open);
    // Without the standup a plan would lie over it.
    let short = [("tasks", all_tasks()), ("set_apart", apart())];
    let (own, taken) = extracted_of(DAY, &short, &[]);
    let taken = taken.unwrap();
    let [question] = taken.notes.open.as_slice() else { panic!("{:?}", taken.notes.open) };
    assert_eq!(question.text, "Rules read \"Standup 9:30-9:45\" as fixed event, the model does not. Is it meant so?");
    assert!(taken.notes.needs_answer() && !is_of_the_model(question));
    assert_eq!(taken.disputed[0].text(), "Standup 9:30-9:45");
    let (_, yes) = extracted_of(DAY, &short, &[(&question.id, "yes")]);
    let yes = yes.unwrap().notes;
    assert!(!yes.needs_answer() && Notes::is_answered(yes.constraints.last().unwrap()));
    let (_, no) = extracted_of(DAY, &short, &[(&question.id, "2")]);
    let no = no.unwrap();
    assert!(!no.notes.needs_answer() && no.disputed.is_empty());
    // A task of which the model says nothing is asked about.
    assert!(own.tasks.iter().any(|task| task.text == "Call Ana"));
    let mut tasks = all_tasks();
    tasks.as_array_mut().unwrap().remove(1);
    let (_, taken) = extracted_of(DAY, &[("tasks", tasks), whole[1].clone(), ("set_apart", apart())], &[]);
    let asked: Vec<String> = taken.unwrap().notes.open.iter().map(|own| own.text.clone()).collect();
    assert_eq!(asked, ["The model says nothing of \"Call Ana\". Is it to be done?"]);
}

#[test]
fn what_a_model_asks_is_open_and_a_reading_that_is_not_whole_does_not_stand() {
    let ask = |question: &str, quote: &str, choices: &[&str]| serde_json::json!({"question": question, "quote": quote, "choices": choices});
    let questions = serde_json::json!([
        ask("Which Ana?", "Call Ana", &["Ana Souza", "Ana Lima"]),
        ask("Tell me more.", "Lea says", &["a", "b"]),
        ask("When?", "the pony", &["a", "b"]),
    ]);
    let (_, taken) =
        extracted_of(DAY, &[("tasks", all_tasks()), ("set_apart", apart()), ("questions", questions)], &[]);
    let taken = taken.unwrap();
    let asked: Vec<&str> =
        taken.notes.open.iter().filter(|own| is_of_the_model(own)).map(|own| own.text.as_str()).collect();
    assert_eq!(asked, ["Which Ana?"]);
    let reasons: Vec<&str> = taken.aside.iter().map(|own| own.reason.as_str()).collect();
    assert_eq!(reasons, ["it is no question", "its quote does not stand in the notes"]);
    let many: Vec<serde_json::Value> =
        (0..20).map(|at| serde_json::json!({"id": format!("t{at}"), "quote": "Call Ana"})).collect();
    let (_, none) = extracted_of(DAY, &[("tasks", many.into())], &[]);
    assert_eq!(none.unwrap_err(), "its list of tasks is full, so more may be missing");
    let (_, none) = extracted_of(DAY, &[("set_apart", apart())], &[]);
    assert_eq!(none.unwrap_err(), "it has neither a task nor a constraint with words of the notes");
}

proptest! {
    /// Whichever parts a model leaves out, no plan is recommended that breaks what rules read there. A length that no figure beside the words says does not hold.
    #[test]
    fn what_a_model_leaves_out_is_kept_or_asked(left_out in prop::collection::vec(any::<bool>(), 6), minutes in prop::sample::select(vec![90_i64, 15, 20, 45, 60, 100, 120])) {
        let mut tasks = all_tasks();
        tasks[0]["minutes"] = minutes.into();
        let constraints = serde_json::json!([
            {"id": "c1", "kind": "fixed_event", "quote": "Standup 9:30-9:45", "start": "09:30", "end": "09:45"},
            {"id": "c2", "kind": "deadline", "quote": "before 3pm", "tasks": ["t1"], "end": "15:00"},
        ]);
        let mut keep = left_out.iter().map(|own| !own);
        let mut some = |list: &serde_json::Value| -> serde_json::Value {
            list.as_array().unwrap().iter().filter(|_| keep.next().unwrap_or(true)).cloned().collect()
        };
        let parts = [("tasks", some(&tasks)), ("constraints", some(&constraints)), ("set_apart", some(&apart()))];
        let (own, taken) = extracted_of(DAY, &parts, &[]);
        let settings = Settings::default();
        // Without anything the reading of rules stands.
        if let Ok(taken) = taken
            && let Evaluated::Value(planned) = run(&taken.notes, &settings, Variant::V4Repair)
            && planned.standing == Standing::Recommended
        {
            let Evaluated::Value(by_rules) = check(&own, &planned.items, &settings) else { panic!("not evaluable") };
            let of_notes = |id: &String| own.constraints.iter().any(|it| it.id == *id);
            let broken: Vec<&String> =
                by_rules.findings.iter().filter(|it| it.hard).filter_map(|it| it.constraint_id.as_ref()).collect();
            let mended = broken.iter().all(|id| !of_notes(id) || left_out.iter().take(5).all(|own| !own));
            prop_assert!(mended, "{:?}", by_rules.errors);
        }
    }
}

#[test]
fn what_one_of_code_s_readings_alone_has_is_not_asked_about() {
    let (document, own) = read(DAY);
    assert!(own.tasks.iter().any(|task| task.text == "Call Ana"));
    let asked = |other: Notes| {
        let own = Notes { other: Some(Box::new(other)), ..own.clone() };
        let mut tasks = all_tasks();
        tasks.as_array_mut().unwrap().remove(1);
        let mut exchange = Extraction::new(DAY, &own.now, &[], usize::MAX, u32::MAX);
        let request = sent(exchange.next(None));
        let found = done(exchange.next(answer(&request, &reply(&[("tasks", tasks), ("set_apart", apart())]))));
        let mut taken = take_reading(FileId(0), &document, &own, found).unwrap();
        taken.settle(&Settings::default(), &[]).unwrap();
        taken.notes.open.iter().any(|own| own.text.contains("\"Call Ana\""))
    };
    assert!(asked(own.clone()));
    let without = own.tasks.iter().filter(|task| task.text != "Call Ana").cloned().collect();
    assert!(!asked(Notes { tasks: without, constraints: Vec::new(), ..own.clone() }));
}
