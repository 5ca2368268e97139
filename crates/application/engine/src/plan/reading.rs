//! A reading of notes that was handed in, and answers to open questions.

use steadfast_evidence::FileId;
use steadfast_plan::document::{GivenConstraint, GivenReading, GivenTask, Words, read_given};
use steadfast_plan::model::Notes;
use steadfast_plan::{Settings, ask};
use steadfast_text::Document;
use steadfast_wire::plan as wire;
use steadfast_wire::plan::{PlanAnswer, PlanReading};

use crate::EngineError;
use crate::intake::File;
use crate::proposals::text;

/// Most answers that are taken.
const ANSWERS_MAX: usize = 100;

/// A reading, from the bytes of a file.
///
/// # Errors
/// [`EngineError::ReadingRefused`]
pub(crate) fn read_reading(file: &File) -> Result<PlanReading, EngineError> {
    steadfast_wire::from_json(text(file)?)
        .map_err(|error| EngineError::ReadingRefused { file: file.name.clone(), what: error.to_string() })
}

/// The notes as a reading has them. `own` is what code reads in them.
///
/// # Errors
/// [`EngineError::ReadingRefused`]
pub fn plan_as_read(name: &str, document: &Document, own: &Notes, given: PlanReading) -> Result<Notes, EngineError> {
    let words = |quote: String, span: Option<&steadfast_wire::Span>| {
        let at = span.map(|span| steadfast_text::Span::new(span.start, span.end));
        let quote = if quote.is_empty() { span.map(|span| span.quote.clone()).unwrap_or_default() } else { quote };
        Words { quote, span: at }
    };
    let task = |it: wire::ReadingTask| GivenTask {
        words: words(it.quote, it.span.as_ref()),
        id: it.id,
        name: it.task,
        minutes: it.minutes,
        must: it.must,
        optional: it.optional,
        whole: it.whole,
    };
    let constraint = |it: wire::ReadingConstraint| GivenConstraint {
        unchanged: is_unchanged(&it, own),
        words: words(it.text, it.span.as_ref()),
        kind: Some(it.kind),
        id: it.id,
        tasks: it.tasks,
        first: it.first,
        then: it.then,
        start: it.start,
        end: it.end,
        minutes_min: it.minutes_min,
        minutes_max: it.minutes_max,
        name: it.name,
        soft: !it.hard,
        excepted: it.except,
    };
    let given = GivenReading {
        tasks: given.tasks.into_iter().map(task).collect(),
        constraints: given.constraints.into_iter().map(constraint).collect(),
        apart: given.set_apart.into_iter().map(|it| (words(it.quote, it.span.as_ref()), it.aside)).collect(),
        unread: given.unread.into_iter().map(|it| (words(it.quote, it.span.as_ref()), it.why)).collect(),
    };
    read_given(FileId(0), document, own, &given)
        .map_err(|refused| EngineError::ReadingRefused { file: name.to_owned(), what: refused.join("; ") })
}

/// Whether a constraint stands as code read it: its id, kind, words, times, tasks and minutes.
fn is_unchanged(given: &wire::ReadingConstraint, own: &Notes) -> bool {
    let found = own.constraints.iter().find(|it| it.id == given.id);
    found.is_some_and(|it| super::publish::is_as_read(given, it, own))
}

/// Takes answers into the reading.
///
/// # Errors
/// [`EngineError::PlanAnswer`]
pub(super) fn answered(
    document: &Document,
    settings: &Settings,
    notes: &mut Notes,
    answers: Vec<PlanAnswer>,
) -> Result<(), EngineError> {
    if answers.len() > ANSWERS_MAX {
        return Err(EngineError::PlanAnswer(format!("{} are given; at most {ANSWERS_MAX} are taken", answers.len())));
    }
    let answers: Vec<(String, String)> = answers.into_iter().map(|own| (own.id, own.answer)).collect();
    ask::answer(FileId(0), document, settings, notes, &answers)
        .map_err(|error| EngineError::PlanAnswer(error.to_string()))
}
