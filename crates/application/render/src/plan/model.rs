//! What chat models said of a day and its plan, in lines that every format shows in its own way.

use steadfast_wire::Span;
use steadfast_wire::plan::{Constraint, Extraction, Generation, ModelView, Opinion, PlanMaker};

use crate::context::Index;
use crate::exam;
use crate::model::{Part, ends};
use crate::plain::{shorten, shown};

const QUOTE_CHARS_MAX: usize = 120;

/// The parts of a model view, those without a line left out.
pub(super) fn parts(view: &ModelView, index: &Index<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some(generation) = &view.generation {
        parts.push(Part::new("Who made the plan", made(generation)));
    }
    if let Some(extraction) = &view.extraction {
        parts.push(Part::new("Who read the notes", read(extraction)));
        let disputed = extraction.disputed.iter().map(|own| constraint(own, index)).collect();
        parts.push(Part::new("What rules read otherwise, and the plan does not keep", disputed));
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

fn read(own: &Extraction) -> Vec<String> {
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (tasks, constraints) = (own.tasks.len(), own.constraints.len());
    let line = match &own.why {
        None => {
            let (tasks, constraints) = (counted(tasks, "task"), counted(constraints, "constraint"));
            format!("the model {}: {tasks}, {constraints}, each with words of the notes", own.model)
        }
        Some(why) => format!("rules: the reading of the model {} cannot stand for the notes ({why})", own.model),
    };
    vec![line, format!("of the model {}: {}", own.model, exam::sentence(own.exam.as_ref()))]
}

fn constraint(own: &Constraint, index: &Index<'_>) -> String {
    let place = own.span.as_ref().map_or_else(String::new, |span| format!(" ({})", quoted(span, index)));
    format!("{}: {}{place}", own.kind.label().to_lowercase(), own.meaning)
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
