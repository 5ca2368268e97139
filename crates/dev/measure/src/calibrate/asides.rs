//! The coefficients by which `plan` tells which lines of a list are nothing to plan today, fitted on notes whose clauses are labelled.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jiff::Timestamp;
use serde::Deserialize;
use steadfast_plan::ask::{COLUMNS, ScoredLine, scored_lines, shares};
use steadfast_plan::open::Aside;
use steadfast_text::{Document, Format, Span};

use super::{Fitted, HeldOut};
use crate::files::{json, json_lines};
use crate::{Files, MeasureError};

/// The folder that is read.
pub const FOLDERS: [&str; 1] = ["notes"];
/// Notes whose tasks and events are labelled, with which the reader of notes is tested: what names one of them must be heeded.
const TUNED: &str = include_str!("../../../../instruments/plan/cases/notes/tuned.jsonl");
/// What a line of those counts: they are many, and none of them is nothing to plan.
const HEEDED_WEIGHT: f64 = 0.2;
/// A folder of this name holds notes that nothing is fitted on.
const KEPT: &str = "kept";
/// What is taken off each coefficient in proportion to it.
const RIDGE: f64 = 1.0;
/// Lines that a feature stands in, at least.
const LINES_MIN: usize = 3;
/// Steps of the descent.
const STEPS: usize = 600;
/// Its first step.
const RATE: f64 = 0.02;
/// The probabilities from which on a line is counted as nothing to plan.
const THRESHOLDS: [f64; 5] = [0.5, 0.6, 0.7, 0.75, 0.8];

#[derive(Deserialize)]
struct Note {
    id: String,
    at: String,
    tz: String,
    notes: String,
}

#[derive(Deserialize)]
struct Label {
    note: String,
    quote: String,
    kind: String,
}

/// Notes with the words of what they name.
#[derive(Deserialize)]
struct Named {
    at: String,
    tz: String,
    notes: String,
    tasks: Vec<Words>,
    events: Vec<Words>,
}

#[derive(Deserialize)]
struct Words {
    #[serde(default)]
    words: String,
}

/// A line with what it is.
struct Case {
    note: usize,
    features: Vec<String>,
    column: usize,
    weight: f64,
}

/// Fits the coefficients on all notes that are there.
///
/// # Errors
/// [`MeasureError`] where no notes are there or a file is not of its form.
pub fn calibrate(data: &BTreeMap<String, Files>) -> Result<Fitted, MeasureError> {
    let (notes, cases) = cases(data.get(FOLDERS[0]).unwrap_or(&Files::default()))?;
    let names = names(&cases);
    let places: BTreeMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let rows: Vec<Vec<usize>> = cases
        .iter()
        .map(|case| case.features.iter().filter_map(|name| places.get(name.as_str()).copied()).collect())
        .collect();
    let wanted = cases.iter().filter(|case| case.column > 0).count();
    let mut counts = [(0_usize, 0_usize); THRESHOLDS.len()];
    for held in 0..notes {
        let others: Vec<usize> = (0..cases.len()).filter(|at| cases[*at].note != held).collect();
        let own = solve(&rows, &cases, &others, names.len());
        for at in (0..cases.len()).filter(|at| cases[*at].note == held) {
            let apart = 1.0 - shares(rows[at].iter().map(|place| &own[*place]))[0];
            for (count, threshold) in counts.iter_mut().zip(THRESHOLDS) {
                if apart >= threshold {
                    count.0 += 1;
                    count.1 += usize::from(cases[at].column > 0);
                }
            }
        }
    }
    let all: Vec<usize> = (0..cases.len()).collect();
    let own = solve(&rows, &cases, &all, names.len());
    let mut coefficients = String::new();
    for (name, weights) in names.iter().zip(&own) {
        let values: Vec<String> = weights.iter().map(|weight| format!("{weight:.3}")).collect();
        let _ = writeln!(coefficients, "{name}\t{}", values.join("\t"));
    }
    let held_out = counts.iter().zip(THRESHOLDS).map(|((taken, right), threshold)| HeldOut {
        threshold,
        found: *right as f64 / wanted.max(1) as f64,
        right: *right as f64 / (*taken).max(1) as f64,
        false_per_1000_words: None,
    });
    let told = format!("{} lines, {notes} labelled notes; on notes that were held out", cases.len());
    Ok(Fitted { files: vec![("asides", coefficients)], told: vec![told], held_out: held_out.collect() })
}

/// The lines of all notes, in the order of their files, and how many notes there are.
fn cases(files: &Files) -> Result<(usize, Vec<Case>), MeasureError> {
    let (mut number, mut cases) = (0, Vec::new());
    for (name, bytes) in files.ending("notes.json") {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let clauses = if folder.is_empty() { "clauses.jsonl".to_owned() } else { format!("{folder}/clauses.jsonl") };
        if folder.split('/').any(|part| part == KEPT) {
            continue;
        }
        let Some(labels) = files.named(&clauses) else { continue };
        let labels: Vec<Label> = json_lines(&clauses, labels)?;
        for note in json::<Vec<Note>>(name, bytes)? {
            let wrong = || MeasureError::Form { file: name.to_owned(), what: format!("`{}` has no time", note.id) };
            let at: Timestamp = note.at.parse().map_err(|_| wrong())?;
            let now = at.in_tz(&note.tz).map_err(|_| wrong())?;
            let document = Document::from_str_as(&note.notes, Format::Markdown);
            let placed = placed(&note, &labels);
            for line in scored_lines(&document, &now) {
                if let Some(column) = column(&line, &placed) {
                    cases.push(Case { note: number, features: line.features, column, weight: 1.0 });
                }
            }
            number += 1;
        }
    }
    if cases.is_empty() {
        return Err(MeasureError::NoFile { set: "asides", looked_for: "notes/*/clauses.jsonl".to_owned() });
    }
    cases.extend(heeded()?);
    Ok((number, cases))
}

/// The lines of the reader's own cases that name something to do or an event. They belong to none of the notes that are held out.
fn heeded() -> Result<Vec<Case>, MeasureError> {
    let mut cases = Vec::new();
    for own in json_lines::<Named>("tuned.jsonl", TUNED.as_bytes())? {
        let now = own.at.parse::<Timestamp>().ok().and_then(|at| at.in_tz(&own.tz).ok());
        let Some(now) = now else { continue };
        let document = Document::from_str_as(&own.notes, Format::Markdown);
        for line in scored_lines(&document, &now) {
            let text = own.notes.get(line.span.range()).unwrap_or_default().to_lowercase();
            let names = |it: &Words| !it.words.is_empty() && text.contains(&it.words.to_lowercase());
            if own.tasks.iter().chain(&own.events).any(names) {
                cases.push(Case { note: usize::MAX, features: line.features, column: 0, weight: HEEDED_WEIGHT });
            }
        }
    }
    Ok(cases)
}

/// Where the labelled clauses of a note stand, one after the other.
fn placed<'l>(note: &Note, labels: &'l [Label]) -> Vec<(Span, &'l str)> {
    let mut from = 0;
    let mut out = Vec::new();
    for label in labels.iter().filter(|label| label.note == note.id) {
        let after = note.notes.get(from..).and_then(|rest| rest.find(&label.quote)).map(|at| from + at);
        let Some(start) = after.or_else(|| note.notes.find(&label.quote)) else { continue };
        let end = start + label.quote.len();
        out.push((Span::new(start, end), label.kind.as_str()));
        from = start;
    }
    out
}

/// What a line is by its labelled clauses: something to heed where one of them is. `None` where it has none.
fn column(line: &ScoredLine, placed: &[(Span, &str)]) -> Option<usize> {
    let reason = |kind: &str| match kind {
        "not_today" | "done_or_cancelled" => Some(Aside::NotToday),
        "not_mine" | "others_event" => Some(Aside::NotMine),
        "chatter" | "heading" | "header" => Some(Aside::Chatter),
        _ => None,
    };
    let own = placed.iter().filter(|(span, _)| span.start < line.span.end && line.span.start < span.end);
    own.filter_map(|(_, kind)| COLUMNS.iter().position(|column| *column == reason(kind))).min()
}

/// The features that enough lines have, sorted.
fn names(cases: &[Case]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in cases {
        for name in case.features.iter().map(String::as_str).collect::<BTreeSet<&str>>() {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= LINES_MIN).map(|(name, _)| name.to_owned()).collect()
}

/// Softmax regression by gradient descent with momentum, of the rows `of`.
fn solve(rows: &[Vec<usize>], cases: &[Case], of: &[usize], width: usize) -> Vec<[f64; COLUMNS.len()]> {
    let mut own = vec![[0.0; COLUMNS.len()]; width];
    let mut speed = vec![[0.0; COLUMNS.len()]; width];
    for _ in 0..STEPS {
        let mut slope: Vec<[f64; COLUMNS.len()]> =
            own.iter().map(|weights| weights.map(|weight| weight * RIDGE)).collect();
        for at in of {
            let mut off = shares(rows[*at].iter().map(|place| &own[*place]));
            off[cases[*at].column] -= 1.0;
            for place in &rows[*at] {
                for (slope, off) in slope[*place].iter_mut().zip(off) {
                    *slope += off * cases[*at].weight;
                }
            }
        }
        for ((weights, speed), slope) in own.iter_mut().zip(&mut speed).zip(&slope) {
            for ((weight, speed), slope) in weights.iter_mut().zip(speed.iter_mut()).zip(slope) {
                *speed = 0.8 * *speed - RATE * slope;
                *weight += *speed;
            }
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(folder: &str) -> BTreeMap<String, Files> {
        let (mut notes, mut labels) = (Vec::new(), String::new());
        for number in 0..12 {
            let id = format!("n{number}");
            let text = format!("- call shop {number}\n- bins: Bob does them\n- book room {number}");
            notes.push(serde_json::json!({"id": id, "at": "2026-01-26T08:00:00Z", "tz": "UTC", "notes": text}));
            let clauses = [(format!("call shop {number}"), "task"), ("bins: Bob does them".to_owned(), "not_mine")];
            for (quote, kind) in clauses.iter().chain([&(format!("book room {number}"), "task")]) {
                let _ = writeln!(labels, "{}", serde_json::json!({"note": id, "quote": quote, "kind": kind}));
            }
        }
        let notes = serde_json::Value::from(notes).to_string();
        let named = [("notes.json", notes), ("clauses.jsonl", labels)];
        let files = named.into_iter().map(|(name, text)| (format!("{folder}/{name}"), text.into_bytes()));
        [(FOLDERS[0].to_owned(), Files(files.collect()))].into()
    }

    #[test]
    fn lines_of_others_are_told_from_tasks_on_notes_that_were_held_out() {
        let fit = calibrate(&data("dev")).unwrap();
        assert!(fit.told[0].ends_with(" lines, 12 labelled notes; on notes that were held out"), "{:?}", fit.told);
        let held = &fit.held_out[0];
        assert!(held.found > 0.99 && held.right > 0.99, "{held:?}");
        let names: Vec<&str> = fit.files[0].1.lines().filter_map(|line| line.split('\t').next()).collect();
        assert!(names.is_sorted() && names.contains(&"bias"));
        assert_eq!(fit, calibrate(&data("dev")).unwrap(), "the same notes give the same coefficients");
    }

    #[test]
    fn notes_that_are_kept_aside_are_not_read() {
        assert!(matches!(calibrate(&data("kept")), Err(MeasureError::NoFile { .. })));
    }
}
