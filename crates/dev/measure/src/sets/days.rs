//! Days as people note them: whether a plan that the program recommends is right, and whether it says so where it cannot tell.
//!
//! Notes with their labels lie in `notes.json`, here or in the folders `dev` and `kept`; those of `kept` are kept aside. What is right is what `steadfast_exam::notes` says.
//!
//! Beside `notes.json` a folder `readings` may hold what somebody who was asked read in a note (`ID.json`, as `steadfast plan --constraints` takes it): the set
//! `days_host` counts the plans that come of these. A folder `replies` may hold what a chat model replied to the request of `plan --extract model`
//! (`ID.json`, the reply as it came): `days_chat` and its like count what comes of these.

mod person;
mod reading;
#[cfg(test)]
mod tests;

use steadfast_dialogue::{Answer, Exchange, Step};
use steadfast_engine::plan_as_read;
use steadfast_evidence::{Evaluated, FileId};
use steadfast_exam::notes::{Item, Note, Plan, outcome, read_by_rules, settings};
use steadfast_plan::document::read_given;
use steadfast_plan::exchange::{Extracted, Extraction, TakenReading, is_of_the_model, take_reading};
use steadfast_plan::open::OpenQuestion;
use steadfast_plan::{Finding, Given, Notes, Status, Validation, check};
use steadfast_text::{Document, Span};
use steadfast_wire::plan::PlanReading;

use super::drift::{metric, one_if, ratio, share};
use super::{Reader, Set, Uses};
use crate::files::json;
use crate::{Count, Files, Means, MeasureError, Row, Statistic};
use reading::{is_lost, is_read, is_right, paired};

pub(super) const SET: Set = Set {
    name: "days",
    about: "days as people note them: whether what is recommended is right, what is asked, what is read, and verdicts on valid and invalid plans",
    metrics: &[
        ratio("recommended_right", None, None),
        ratio("right_outcome", None, None),
        ratio("right_outcome/answered", None, None),
        ratio("needs_answer", None, None),
        ratio("questions_per_note", None, None),
        ratio("questions_that_matter", None, None),
        metric("lost_tasks", Statistic::Sum, None, None),
        ratio("valid_accepted", None, None),
        ratio("invalid_rejected", None, None),
        ratio("constraints_right", None, None),
        ratio("right_outcome/reading", None, None),
        ratio("valid_accepted/reading", None, None),
        ratio("invalid_rejected/reading", None, None),
    ],
    read: Reader::within("notes", Uses::Rules, read),
};

/// Notes of an ordinary day, as people write them who try a planner for the first time.
pub(super) const PLAIN: Set = Set {
    name: "days_plain",
    about: "ordinary notes of a few lines, without tricks: the same figures as of `days`",
    read: Reader::within("notes_plain", Uses::Rules, read),
    ..SET
};

/// Notes of all kinds by fifteen more writers: most of them ordinary, some dictated, copied or in two languages.
pub(super) const WIDE: Set = Set {
    name: "days_wide",
    about: "346 notes by fifteen writers, most of them ordinary: the same figures as of `days`",
    read: Reader::within("notes_wide", Uses::Rules, read),
    ..SET
};

/// The metrics of sets that chat models read: all but the last, those of a reading that is right.
const CHAT_METRICS: &[crate::Metric] = SET.metrics.split_at(SET.metrics.len() - 3).0;

/// The notes of `days` of which a chat model's reply is recorded.
pub(super) const CHAT: Set = Set {
    name: "days_chat",
    about: "the notes of `days` as a chat model reads them (`replies/*.json`, `plan --extract model`): the same figures",
    metrics: CHAT_METRICS,
    read: Reader::within("notes", Uses::Rules, read_chat),
};

/// Those of `days_plain`.
pub(super) const PLAIN_CHAT: Set = Set {
    name: "days_plain_chat",
    about: "the notes of `days_plain` as a chat model reads them: the same figures",
    read: Reader::within("notes_plain", Uses::Rules, read_chat),
    ..CHAT
};

/// Those of `days_wide`.
pub(super) const WIDE_CHAT: Set = Set {
    name: "days_wide_chat",
    about: "the notes of `days_wide` of which a chat model's reply is recorded: the same figures",
    read: Reader::within("notes_wide", Uses::Rules, read_chat),
    ..CHAT
};

/// The notes of `days`, where somebody was asked: what their readings make.
pub(super) const HOST: Set = Set {
    name: "days_host",
    about: "the notes of `days` of which an agent corrected the reading (`readings/*.json`): the same figures",
    metrics: &[
        ratio("recommended_right", None, None),
        ratio("right_outcome", None, None),
        ratio("needs_answer", None, None),
        ratio("valid_accepted", None, None),
        ratio("invalid_rejected", None, None),
    ],
    read: Reader::within("notes", Uses::Rules, read_host),
};

/// The file of notes in a folder.
const NOTES: &str = "notes.json";

/// Notes in this folder are kept aside.
const KEPT: &str = "kept/";

fn read(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let (mut rows, mut group) = (Vec::new(), 0);
    for (name, bytes) in files.ending(NOTES) {
        for note in json::<Vec<Note>>(name, bytes)? {
            rows.extend(judged(&note, group, !name.starts_with(KEPT)));
            group += 1;
        }
    }
    if rows.is_empty() {
        return Err(MeasureError::NoFile { set: SET.name, looked_for: NOTES.to_owned() });
    }
    Ok(rows)
}

fn read_chat(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let (mut rows, mut group) = (Vec::new(), 0);
    for (name, bytes) in files.ending(NOTES) {
        let folder = name.strip_suffix(NOTES).unwrap_or_default();
        for note in json::<Vec<Note>>(name, bytes)? {
            let file = format!("{folder}replies/{}.json", note.id);
            let Some(reply) = files.0.get(&file) else { continue };
            let wrong = |what: String| MeasureError::Form { file: file.clone(), what };
            let reply = std::str::from_utf8(reply).map_err(|error| wrong(error.to_string()))?;
            let (own, document) = read_by_rules(&note);
            let extracted = replied(&note, &own, reply).map_err(wrong)?;
            let tuned = !name.starts_with(KEPT);
            match take_reading(FileId(0), &document, &own, extracted) {
                Ok(taken) => {
                    let notes = settled(&taken, &[]).map_err(wrong)?;
                    let answers = differences(&note, &taken).map_err(wrong)?;
                    rows.extend(as_read(&note, &notes, &settled(&taken, &answers).map_err(wrong)?, group, tuned));
                }
                Err(_) => rows.extend(as_read(&note, &own, &answered(&note, &document, &own), group, tuned)),
            }
            group += 1;
        }
    }
    if rows.is_empty() {
        return Err(MeasureError::NoFile { set: CHAT.name, looked_for: "replies/*.json".to_owned() });
    }
    Ok(rows)
}

/// What is left of a model's reading with these answers.
fn settled(taken: &TakenReading, answers: &[(String, String)]) -> Result<Notes, String> {
    let mut taken = taken.clone();
    taken.settle(&settings(), answers).map_err(|error| error.to_string())?;
    Ok(taken.notes)
}

/// The answers of whoever labelled the notes to what code reads in them and the model does not. What the model itself asks stays open: an answer would be one more request.
fn differences(note: &Note, taken: &TakenReading) -> Result<Vec<(String, String)>, String> {
    let mut answers: Vec<(String, String)> = Vec::new();
    for _ in 0..ROUNDS_MAX {
        let notes = settled(taken, &answers)?;
        let pairs = paired(note, &notes);
        let asked = notes.open.iter().filter(|own| !is_of_the_model(own));
        // The first choice of each says yes, the other no.
        let is_meant = |own: &OpenQuestion| person::answer(note, &notes, &pairs, own) == Some(0);
        let next: Vec<(String, String)> =
            asked.map(|own| (own.id.clone(), if is_meant(own) { "1" } else { "2" }.to_owned())).collect();
        if next.is_empty() {
            break;
        }
        answers.extend(next);
    }
    Ok(answers)
}

/// What a model read that replied so to what `plan --extract model` asks.
fn replied(note: &Note, own: &Notes, reply: &str) -> Result<Extracted, String> {
    let mut exchange = Extraction::new(&note.notes, &own.now, &[], usize::MAX, u32::MAX);
    let Step::Send(request) = exchange.next(None) else { return Err("nothing is asked".to_owned()) };
    let read = request.schema.read(reply).map_err(|faults| format!("{faults:?}"))?;
    match exchange.next(Some(Answer::Record(read.record))) {
        Step::Done(extracted) => Ok(extracted),
        Step::Send(_) => Err("the notes are too long for one request".to_owned()),
    }
}

fn read_host(files: &Files, _: &Means<'_>) -> Result<Vec<Row>, MeasureError> {
    let (mut rows, mut group) = (Vec::new(), 0);
    for (name, bytes) in files.ending(NOTES) {
        let folder = name.strip_suffix(NOTES).unwrap_or_default();
        for note in json::<Vec<Note>>(name, bytes)? {
            let file = format!("{folder}readings/{}.json", note.id);
            let Some(reading) = files.0.get(&file) else { continue };
            rows.extend(judged_with(&note, json(&file, reading)?, group, !name.starts_with(KEPT)));
            group += 1;
        }
    }
    if rows.is_empty() {
        return Err(MeasureError::NoFile { set: HOST.name, looked_for: "readings/*.json".to_owned() });
    }
    Ok(rows)
}

/// The rows of notes with a reading that somebody handed in.
fn judged_with(note: &Note, reading: PlanReading, group: usize, tuned: bool) -> Vec<Row> {
    let (notes, document) = read_by_rules(note);
    let row = row_of(note, group, tuned);
    let label = if note.good_plan.is_some() { "feasible" } else { "infeasible" };
    let mut rows = Vec::new();
    match plan_as_read(&note.id, &document, &notes, reading) {
        Ok(notes) => {
            let own = outcome(note, &notes);
            let mut counts =
                vec![share("right_outcome", own.is_right), share("needs_answer", own.name == "needs answer")];
            if own.name == "recommended" {
                counts.push(share("recommended_right", own.is_right));
            }
            rows.push(row("outcome", format!("{}: {}", own.name, own.why), label, counts));
            verdicts(note, &notes, ["valid_accepted", "invalid_rejected"], "", &row, &mut rows);
        }
        Err(refused) => {
            rows.push(row("outcome", refused.to_string(), label, vec![share("right_outcome", false)]));
        }
    }
    rows
}

/// Makes rows of a note.
fn row_of(note: &Note, group: usize, tuned: bool) -> impl Fn(&str, String, &str, Vec<Count>) -> Row {
    move |what, prediction, label, counts| Row {
        id: format!("{} {what}", note.id),
        prediction,
        score: None,
        label: label.to_owned(),
        tuned,
        group: Some(group),
        counts,
    }
}

/// Times that questions are asked and answered, at most.
const ROUNDS_MAX: usize = 4;

/// The notes with the answers that whoever labelled them gives.
fn answered(note: &Note, document: &Document, notes: &Notes) -> Notes {
    let mut notes = notes.clone();
    for _ in 0..ROUNDS_MAX {
        let pairs = paired(note, &notes);
        let answers: Vec<(String, String)> = notes
            .open
            .iter()
            .filter_map(|own| Some((own.id.clone(), (person::answer(note, &notes, &pairs, own)? + 1).to_string())))
            .collect();
        // One at a time: the first answer may settle what the others are about.
        let Some(first) = answers.into_iter().next() else { break };
        if steadfast_plan::ask::answer(FileId(0), document, &settings(), &mut notes, &[first]).is_err() {
            break;
        }
    }
    notes
}

fn given(items: &[Item]) -> Vec<Given> {
    items
        .iter()
        .map(|item| Given {
            task: Some(item.task.clone()),
            why: Some(item.why.clone()),
            timebox_minutes: Some(item.timebox_minutes),
            start: Some(item.start.clone()),
            end: Some(item.end.clone()),
            ..Given::default()
        })
        .collect()
}

fn validated(notes: &Notes, plan: &Plan) -> Option<Validation> {
    match check(notes, &given(&plan.items), &settings()) {
        Evaluated::Value(validation) => Some(validation),
        Evaluated::NotEvaluable(_) => None,
    }
}

/// Whether a finding is about what a wrong plan breaks.
fn is_about(note: &Note, notes: &Notes, pairs: &[Option<usize>], plan: &Plan, finding: &Finding) -> bool {
    let Some(breaks) = &plan.breaks else { return false };
    if let Some(invariant) = &breaks.invariant {
        let id = finding.constraint_id.as_deref().unwrap_or_default();
        return if invariant == "past" {
            id == "contract-past"
        } else {
            id == "contract-overlap" || id.starts_with('c')
        };
    }
    let Some(gold) = breaks.constraint.and_then(|at| note.constraints.get(at)) else { return false };
    let quote = note.span(&gold.quote);
    let overlap = |own: Span| own.start < quote.end && quote.start < own.end;
    let constraint = finding.constraint_id.as_ref().and_then(|id| notes.constraints.iter().find(|own| own.id == *id));
    if let Some(own) = constraint {
        return own.quote.as_ref().is_some_and(|quote| overlap(quote.span())) || is_read(note, &own.rule, pairs, gold);
    }
    // What is left out is found by coverage, and what nobody asked for as an invention.
    finding.ask_span.as_ref().map_or(gold.kind == "must_do" || gold.sets_apart(), |own| overlap(own.span()))
}

/// The rows of notes that are read so, and so with answers.
fn as_read(note: &Note, notes: &Notes, answered: &Notes, group: usize, tuned: bool) -> Vec<Row> {
    let pairs = paired(note, notes);
    let row = row_of(note, group, tuned);
    let mut rows = Vec::new();
    let own = outcome(note, notes);
    let with_answers = outcome(note, answered);
    let recommended = own.name == "recommended";
    let mut counts = vec![
        share("right_outcome", own.is_right),
        share("right_outcome/answered", with_answers.is_right),
        share("needs_answer", own.name == "needs answer"),
        Count { metric: "questions_per_note", counts: [notes.open.len() as f64, 1.0, 0.0, 0.0] },
    ];
    counts.extend(notes.open.iter().map(|own| share("questions_that_matter", own.changes_plan)));
    if recommended {
        counts.push(share("recommended_right", own.is_right));
    }
    let label = if note.good_plan.is_some() { "feasible" } else { "infeasible" };
    rows.push(row("outcome", format!("{}: {}", own.name, own.why), label, counts));
    for (at, task) in note.tasks.iter().enumerate() {
        let lost = !task.optional && is_lost(note, notes, at);
        let count = Count { metric: "lost_tasks", counts: [one_if(lost), 0.0, 0.0, 0.0] };
        let prediction = if lost { "lost" } else { "accounted for" };
        rows.push(row(&format!("task {}", at + 1), prediction.to_owned(), &task.quote, vec![count]));
    }
    for (at, gold) in note.constraints.iter().enumerate() {
        if let Some(right) = is_right(note, notes, &pairs, gold) {
            let prediction = if right { "right" } else { "wrong" };
            let label = format!("{} \"{}\"", gold.kind, gold.quote);
            rows.push(row(
                &format!("constraint {}", at + 1),
                prediction.to_owned(),
                &label,
                vec![share("constraints_right", right)],
            ));
        }
    }
    verdicts(note, notes, ["valid_accepted", "invalid_rejected"], "", &row, &mut rows);
    rows
}

fn judged(note: &Note, group: usize, tuned: bool) -> Vec<Row> {
    let (notes, document) = read_by_rules(note);
    let mut rows = as_read(note, &notes, &answered(note, &document, &notes), group, tuned);
    let row = row_of(note, group, tuned);
    let label = if note.good_plan.is_some() { "feasible" } else { "infeasible" };
    match read_given(FileId(0), &document, &notes, &person::reading(note)) {
        Ok(reading) => {
            let own = outcome(note, &reading);
            let counts = vec![share("right_outcome/reading", own.is_right)];
            rows.push(row("reading outcome", format!("{}: {}", own.name, own.why), label, counts));
            verdicts(
                note,
                &reading,
                ["valid_accepted/reading", "invalid_rejected/reading"],
                "reading ",
                &row,
                &mut rows,
            );
        }
        Err(refused) => {
            rows.push(row("reading outcome", refused.join("; "), label, vec![share("right_outcome/reading", false)]))
        }
    }
    rows
}

/// Makes a row of an id, a prediction, a label and counts.
type Rows<'a> = dyn Fn(&str, String, &str, Vec<Count>) -> Row + 'a;

/// What the program says of the plans that come with the labels, under one reading of the notes.
fn verdicts(note: &Note, notes: &Notes, metrics: [&'static str; 2], what: &str, row: &Rows<'_>, rows: &mut Vec<Row>) {
    let pairs = paired(note, notes);
    if let Some(plan) = &note.good_plan {
        let validation = validated(notes, plan);
        let passes = validation.as_ref().is_some_and(|own| own.status == Status::Pass);
        let why = validation.map(|own| own.errors.join("; ")).unwrap_or_default();
        rows.push(row(&format!("{what}good plan"), why, "valid", vec![share(metrics[0], passes)]));
    }
    for (at, plan) in note.wrong_plans.iter().enumerate() {
        let validation = validated(notes, plan);
        let about = |own: &Validation| own.findings.iter().any(|it| it.hard && is_about(note, notes, &pairs, plan, it));
        let found = validation.as_ref().is_some_and(|own| own.status == Status::Fail && about(own));
        let why = validation.map(|own| own.errors.join("; ")).unwrap_or_default();
        let broken = plan.breaks.as_ref().and_then(|own| note.constraints.get(own.constraint?));
        let label = broken.map_or_else(|| "invalid".to_owned(), |own| format!("{} \"{}\"", own.kind, own.quote));
        rows.push(row(&format!("{what}wrong plan {}", at + 1), why, &label, vec![share(metrics[1], found)]));
    }
}
