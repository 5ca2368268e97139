//! The inputs of `watch`, form by form, and hostile ones.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hostile;
mod messages;
mod sessions;
mod spans;
mod steps;

use steadfast_wire::watch::{GivenStep, Misread, StepReader};

/// All that a file gives, and its reader.
fn read_all(bytes: &[u8]) -> (Vec<Result<GivenStep, Misread>>, StepReader) {
    let mut reader = StepReader::new("run.jsonl");
    let mut read = reader.push(bytes);
    read.extend(reader.finish());
    (read, reader)
}

/// One line for a step (`task agent step | prompt | output`, with what is there of intent and parent) or for a problem.
fn shown(read: &Result<GivenStep, Misread>) -> String {
    let step = match read {
        Ok(step) => step,
        Err(problem) => return format!("! {problem}"),
    };
    let or = |it: Option<&str>| it.map_or_else(|| "-".to_owned(), |it| format!("{it:?}"));
    let number = step.step.map_or_else(|| "-".to_owned(), |it| it.to_string());
    let mut line = format!("{} {} {number} | ", step.task_id, step.agent.as_deref().unwrap_or("-"));
    line += &format!("{} | {}", or(step.prompt.as_deref()), or(step.output.as_deref()));
    if let Some(intent) = &step.initial_intent {
        line += &format!(" | intent {intent:?}");
    }
    if let Some(parent) = &step.parent {
        line += &format!(" | below {parent}");
    }
    line
}

/// Holds what a file gives against lines of [`shown`], and the same of all ways to cut it in two.
#[track_caller]
fn check(file: &str, expect: &[&str]) {
    let (read, _) = read_all(file.as_bytes());
    let lines: Vec<String> = read.iter().map(shown).collect();
    assert_eq!(lines, expect);
    for at in (0..file.len()).step_by(1 + file.len() / 97) {
        let mut reader = StepReader::new("run.jsonl");
        let mut cut = reader.push(&file.as_bytes()[..at]);
        cut.extend(reader.push(&file.as_bytes()[at..]));
        cut.extend(reader.finish());
        assert!(cut == read, "cut at {at}");
    }
}
