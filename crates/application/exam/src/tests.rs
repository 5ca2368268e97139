//! Exams of models that know the labels, that say nothing, and that change their minds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use steadfast_dialogue::Role;
use steadfast_engine::chat::{Asking, Call, CallFailure, ChatModel, ChatModels, Completion, Entropy, Finish};
use steadfast_testkit::wait;
use steadfast_wire::chat::ExamPart;

use crate::material::{self, Pair};
use crate::pairs::{Drift, Place};
use crate::{Sat, Sitting, role, sit};

struct Counting(AtomicUsize);

impl Entropy for Counting {
    fn bytes(&self) -> [u8; 16] {
        (self.0.fetch_add(1, Ordering::Relaxed) as u128).to_be_bytes()
    }
}

/// Answers by a function of the question and of how many came before it.
struct Fake<F> {
    answer: F,
    asked: AtomicUsize,
}

impl<F: Fn(&str, usize) -> Result<String, String> + Send + Sync> ChatModel for Fake<F> {
    fn name(&self) -> &str {
        "fake"
    }

    fn ask<'a>(&'a self, call: &'a Call) -> Asking<'a> {
        let question: String = call.messages.iter().map(|message| message.text.as_str()).collect();
        let answer = (self.answer)(&question, self.asked.fetch_add(1, Ordering::Relaxed));
        // Of the whole nobody lists anything beside what is said of obligations.
        let answer = answer.map(|text| match call.schema.name {
            "departures" => json!({"departures": []}).to_string(),
            _ => text,
        });
        Box::pin(async move {
            let text = answer.map_err(|why| CallFailure { why, attempts: 3 })?;
            Ok(Completion { text, finish: Finish::Stop, prompt_tokens: Some(7), reply_tokens: Some(3), attempts: 1 })
        })
    }
}

fn examined<F: Fn(&str, usize) -> Result<String, String> + Send + Sync + 'static>(
    part: ExamPart,
    (cases, repeats): (usize, usize),
    answer: F,
) -> Sat {
    let models = ChatModels::new(Arc::new(Counting(AtomicUsize::new(0))))
        .with(role(part), Arc::new(Fake { answer, asked: AtomicUsize::new(0) }));
    let sitting = Sitting { part, cases, repeats, parallel: 3, ends_when_silent: true };
    wait(sit(&models, &sitting, &|_, _| {})).unwrap()
}

fn value(sat: &Sat, name: &str) -> Option<f64> {
    sat.figures.iter().find(|own| own.name == name).unwrap().value
}

fn rules(sat: &Sat, name: &str) -> f64 {
    sat.figures.iter().find(|own| own.name == name).unwrap().rules.unwrap()
}

/// What somebody who knows the labels says of the drifted report: every drift that stands in it.
fn oracle(pair: &Pair) -> Value {
    let of = |drift: &Drift| {
        let Place::Said(span) = drift.place else { return None };
        let asked = drift.obligation.map_or("", |own| &pair.prompt[own.start..own.end]);
        let relation = if asked.is_empty() { "invented" } else { "broken" };
        let quote = pair.drifted[span.start..span.end].lines().next()?;
        Some(json!({"obligation": "", "asked": asked, "relation": relation, "quote": quote, "why": "It differs."}))
    };
    pair.labels.drifts.iter().filter_map(of).collect()
}

/// The first lines of a report, by which a question about it is known.
fn is_about(question: &str, report: &str) -> bool {
    report.lines().filter(|line| line.len() > 20).take(3).all(|line| question.contains(line))
}

/// Answers about the drifted reports by the labels, and about the faithful ones with nothing.
fn knowing(question: &str) -> String {
    let pairs = material::pairs(4);
    let of = pairs.iter().find(|pair| question.contains(pair.prompt.trim()) && is_about(question, pair.drifted));
    json!({"proposals": of.map_or(json!([]), oracle)}).to_string()
}

#[test]
fn a_judge_that_knows_the_labels_passes_and_one_that_says_nothing_does_not() {
    let sat = examined(ExamPart::Audit, (4, 2), |question, _| Ok(knowing(question)));
    let (found, right) = (value(&sat, "drifts_found").unwrap(), value(&sat, "findings_right").unwrap());
    assert!(found > 0.8 && right > 0.95, "{:?}", sat.figures);
    assert_eq!((value(&sat, "false_per_1000_words"), value(&sat, "flips")), (Some(0.0), Some(0.0)));
    assert!(sat.has_passed() && sat.calls >= 16 && sat.failed_calls == 0, "{sat:?}");
    assert_eq!((sat.cases, sat.prompt_tokens), (4, 7 * sat.calls as u64));

    let silent = examined(ExamPart::Audit, (4, 1), |_, _| Ok(json!({"proposals": []}).to_string()));
    assert_eq!(value(&silent, "drifts_found").unwrap(), rules(&silent, "drifts_found"));
    assert!(!silent.has_passed() && !silent.is_silent, "{silent:?}");
    assert_eq!(value(&silent, "findings_right"), None);
    // Nothing was judged twice.
    assert_eq!(value(&silent, "flips"), None);
}

#[test]
fn a_judge_that_changes_its_mind_flips() {
    let sat = examined(ExamPart::Audit, (4, 2), |question, asked| {
        Ok(if asked < 20 { knowing(question) } else { json!({"proposals": []}).to_string() })
    });
    assert!(value(&sat, "flips").unwrap() > 0.0, "{:?}", sat.figures);
}

#[test]
fn where_nothing_comes_the_exam_ends_and_is_not_passed() {
    for part in ExamPart::ALL {
        let sat = examined(*part, (40, 3), |_, _| Err("refused".to_owned()));
        assert!(sat.is_silent && !sat.has_passed() && sat.cases == 5 && sat.figures.is_empty(), "{sat:?}");
        assert!(sat.calls == sat.failed_calls && sat.first_failure.as_deref() == Some("the call failed: refused"));
    }
}

#[test]
fn a_reader_of_notes_is_measured_beside_rules() {
    let replies = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data");
    let reply = |id: &str| {
        ["notes_plain", "notes_wide"]
            .iter()
            .find_map(|set| std::fs::read_to_string(format!("{replies}/{set}/kept/replies/{id}.json")).ok())
    };
    let known: Vec<(String, String)> =
        material::notes(12).into_iter().filter_map(|note| Some((reply(&note.id)?, note.notes))).collect();
    let taken = known.len() as f64 / 12.0;
    let sat = examined(ExamPart::Plan, (12, 1), move |question, _| {
        let reply = known.iter().find(|(_, notes)| is_about(question, notes));
        reply.map(|(reply, _)| reply.clone()).ok_or_else(|| "no reply is recorded".to_owned())
    });
    assert!(taken >= 0.5);
    assert_eq!(value(&sat, "readings_taken"), Some(taken));
    assert!(value(&sat, "outcome_right").unwrap() > rules(&sat, "outcome_right"), "{:?}", sat.figures);
    // Without a reading the plan is that of rules.
    let none = examined(ExamPart::Plan, (4, 1), |_, _| {
        Ok(json!({"tasks": [], "constraints": [], "set_apart": [], "questions": []}).to_string())
    });
    assert_eq!(value(&none, "readings_taken"), Some(0.0));
    assert_eq!(none.figures.iter().find(|own| own.name == "readings_taken").unwrap().met, Some(false));
    assert_eq!(value(&none, "outcome_right").unwrap(), rules(&none, "outcome_right"));
    assert!(!none.has_passed() && Role::PlanExtract == role(ExamPart::Plan));
}
