//! What chat models said of a day and its plan, in lines that every format shows in its own way.

use steadfast_wire::Span;
use steadfast_wire::plan::{Extraction, Generation, ModelView, Opinion, PlanMaker, Validity};

use super::day;
use crate::context::Index;
use crate::model::{Part, ends};
use crate::plain::{shorten, shown};

const QUOTE_CHARS_MAX: usize = 120;

/// The parts of a model view, those without a line left out. `today` is the time that the plan is for.
pub(super) fn parts(view: &ModelView, index: &Index<'_>, today: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some(generation) = &view.generation {
        parts.push(Part::new("Who made the plan", made(generation)));
    }
    if let Some(extraction) = &view.extraction {
        parts.push(Part::new("What a model reads beyond the rules (no part of the verdict)", read(extraction, index)));
        if let Some(other) = &extraction.alternative {
            let lines = other.plan.iter().map(|item| {
                let when = day::span(item.start.as_deref(), item.end.as_deref(), today);
                format!("{when} {} ({} minutes)", item.task, item.timebox_minutes)
            });
            parts.push(Part::new("A plan that would keep that too", lines.collect()));
        }
    }
    if let Some(opinion) = &view.opinion {
        parts.push(Part::new("What a model thinks of the plan (no part of the verdict)", thought(opinion)));
    }
    parts.extend(ends(&view.set_aside, &view.calls));
    parts.retain(|part| !part.lines.is_empty());
    parts
}

fn made(own: &Generation) -> Vec<String> {
    let mut lines = Vec::new();
    match own.made_by {
        PlanMaker::Model => {
            let sure =
                own.confidence.map_or_else(String::new, |it| format!("; it says its confidence is {}", it.name()));
            lines.push(format!("the model {}{sure}", own.model));
        }
        PlanMaker::BuiltIn => {
            let why = own.why.as_deref().unwrap_or("it gave none");
            lines.push(format!("the built-in planner: the model {} gave no plan ({why})", own.model));
        }
    }
    lines.extend(
        own.repair
            .map(|repair| format!("the first plan failed, and the model was asked to mend it: {}", repair.label())),
    );
    lines.extend(own.assumptions.iter().map(|it| format!("the model assumed: {it}")));
    lines.extend(own.questions.iter().map(|it| format!("the model would ask: {it}")));
    lines.extend(unread(own.unread_bytes));
    lines
}

fn unread(bytes: usize) -> Option<String> {
    (bytes > 0).then(|| format!("the last {bytes} bytes of the notes were shown to no model"))
}

fn read(own: &Extraction, index: &Index<'_>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for task in &own.tasks {
        lines.push(format!("task: {} ({})", task.task, quoted(&task.span, index)));
    }
    for constraint in &own.constraints {
        let place = constraint.span.as_ref().map_or_else(String::new, |span| quoted(span, index));
        let wish = if constraint.hard { "" } else { ", a wish" };
        lines.push(format!(
            "{} {}{wish}: {} ({place})",
            constraint.id,
            constraint.kind.label().to_lowercase(),
            constraint.meaning
        ));
    }
    for question in &own.questions {
        lines.push(format!("question: {} ({})", question.question, quoted(&question.span, index)));
    }
    if !own.tasks.is_empty() || !own.constraints.is_empty() {
        lines.push(match own.would_be {
            Validity::Pass => "the plan would pass with these too".to_owned(),
            Validity::Fail if own.alternative.is_some() => "the plan would fail with these".to_owned(),
            Validity::Fail => "the plan fails without these already".to_owned(),
        });
        lines.extend(own.findings.iter().map(|finding| format!("it would be found: {}", finding.message)));
    }
    if lines.is_empty() && own.nothing.is_empty() {
        lines.push(format!("nothing that could be taken, by the model {}", own.model));
    }
    lines.extend(own.nothing.iter().map(|why| format!("a part of the notes gave nothing: {why}")));
    lines.extend(unread(own.unread_bytes));
    lines
}

fn quoted(span: &Span, index: &Index<'_>) -> String {
    format!("“{}”, {}", shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX), index.place(span))
}

fn thought(own: &Opinion) -> Vec<String> {
    let mut lines = Vec::new();
    if own.self_judged {
        lines.push(format!("the model {} made this plan, and judges its own work", own.model));
    }
    for score in &own.scores {
        lines.push(format!(
            "{} {} of 5: {} (item {}, “{}”)",
            score.dimension,
            score.score,
            score.comment,
            score.item_index + 1,
            score.quote
        ));
    }
    match &own.why {
        Some(why) => lines.push(format!("the model {} gave none: {why}", own.model)),
        None if own.scores.is_empty() => lines.push(format!("nothing that could be taken, by the model {}", own.model)),
        None => {}
    }
    lines
}
