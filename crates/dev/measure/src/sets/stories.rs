//! The shipped stories: what `audit` finds of the drifts, what it finds in the faithful reports, what it says of the obligations.
//!
//! A drift is found where an incident's words, or words that it also stands at, overlap the drift's. Every incident on a faithful report
//! is a false one. A status is right where a broken obligation is called broken, and a kept one kept and not broken; of obligations that
//! rest on the same words one suffices.

use steadfast_audit::{Evaluation, Source, audit};
use steadfast_evidence::{Evaluated, Evidence, FileId, Status};
use steadfast_text::{Document, Format};

use super::drift::{ratio, share};
use super::{Reader, Set};
use crate::stories::{Story, stories};
use crate::{Count, Files, MeasureError, Metric, Row};

/// Types that the stories have, in the order of the metrics behind the first four.
const KINDS: [char; 7] = ['A', 'B', 'C', 'D', 'E', 'F', 'J'];

const METRICS: &[Metric] = &[
    ratio("recall", None, None),
    ratio("false_incidents_per_1000_words", None, None),
    ratio("status_accuracy", None, None),
    ratio("broken_called_kept", None, None),
    ratio("recall/A", None, None),
    ratio("recall/B", None, None),
    ratio("recall/C", None, None),
    ratio("recall/D", None, None),
    ratio("recall/E", None, None),
    ratio("recall/F", None, None),
    ratio("recall/J", None, None),
];

pub(super) const SET: Set = Set {
    name: "stories",
    about: "in-house: hand-written reports that drift from their ask: recall by type, false incidents, statuses (ships with the program)",
    metrics: METRICS,
    read: Reader::Rules(read),
};

fn read(_: &Files) -> Result<Vec<Row>, MeasureError> {
    let mut rows = Vec::new();
    for (group, story) in stories()?.iter().enumerate() {
        rows.extend(of_story(group, story)?);
    }
    Ok(rows)
}

fn evaluate(story: &Story, report: &str) -> Result<Evaluation, MeasureError> {
    let source = |file: u32, name: &str, text: &str| Source {
        file: FileId(file),
        name: name.to_owned(),
        document: Document::from_str_as(text, Format::Markdown),
    };
    match audit(&source(0, "ask.txt", story.ask), vec![source(1, "report.md", report)]) {
        Evaluated::Value(evaluation) => Ok(evaluation),
        Evaluated::NotEvaluable(reason) => {
            Err(MeasureError::Form { file: story.name.to_owned(), what: reason.to_string() })
        }
    }
}

fn of_story(group: usize, story: &Story) -> Result<Vec<Row>, MeasureError> {
    let drifted = story.drifted();
    let (faithful, found) = (evaluate(story, story.report)?, evaluate(story, &drifted)?);
    let words = story.report.split_whitespace().count();
    let false_checks: Vec<&str> = faithful.incidents.iter().map(|incident| incident.finding.check).collect();
    let row = |id: String, prediction: String, label: &str, counts: Vec<Count>| Row {
        id,
        prediction,
        score: None,
        label: label.to_owned(),
        tuned: story.tuned,
        group: Some(group),
        counts,
    };
    let of_words = Count { metric: 1, counts: [false_checks.len() as f64 * 1_000.0, words as f64, 0.0, 0.0] };
    let mut rows = vec![row(format!("{}/faithful", story.name), false_checks.join(", "), "", vec![of_words])];
    for (at, drift) in story.drifts.iter().enumerate() {
        // Every drift stands once in the drifted report: `stories` was read.
        let start = drifted.find(drift.to).unwrap_or_default();
        let end = start + drift.to.len();
        let checks: Vec<&str> = found
            .incidents
            .iter()
            .filter(|incident| {
                let own = match &incident.finding.evidence {
                    Evidence::Quote(quote) => Some(quote),
                    Evidence::Absence(_) => None,
                };
                own.into_iter()
                    .chain(&incident.finding.also_at)
                    .any(|quote| quote.span().start < end && start < quote.span().end)
            })
            .map(|incident| incident.finding.check)
            .collect();
        let hit = !checks.is_empty();
        let mut counts = vec![share(0, hit)];
        if let Some(kind) = KINDS.iter().position(|kind| *kind == drift.kind) {
            counts.push(share(4 + kind, hit));
        }
        let mut prediction = checks.join(", ");
        if let Some(words) = drift.breaks {
            let (kept, broken) = (statuses(story, &faithful, words), statuses(story, &found, words));
            counts.push(share(2, kept.contains(&Status::Kept) && !kept.contains(&Status::Broken)));
            counts.push(share(2, broken.contains(&Status::Broken)));
            counts.push(share(3, broken.contains(&Status::Kept) && !broken.contains(&Status::Broken)));
            prediction = format!("{prediction} | {kept:?} | {broken:?}");
        }
        rows.push(row(
            format!("{}/{}", story.name, at + 1),
            prediction,
            &format!("{}: {}", drift.kind, drift.to),
            counts,
        ));
    }
    Ok(rows)
}

/// What the audit says of the obligations that rest on `words` of the ask.
fn statuses(story: &Story, evaluation: &Evaluation, words: &str) -> Vec<Status> {
    let start = story.ask.find(words).unwrap_or_default();
    let end = start + words.len();
    let obligations = &evaluation.contract.obligations;
    evaluation
        .obligations
        .iter()
        .filter(|judged| {
            let span = obligations[judged.item].obligation.source().span();
            span.start < end && start < span.end
        })
        .map(|judged| judged.status)
        .collect()
}
