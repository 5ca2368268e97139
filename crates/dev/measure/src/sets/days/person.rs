//! What a person who wrote the notes would say of them: a reading made of the labels, and answers to what is asked.

use steadfast_exam::notes::{Constraint, Note};
use steadfast_plan::document::{GivenConstraint, GivenReading, GivenTask, Words};
use steadfast_plan::open::{Aside, Effect, OpenQuestion};
use steadfast_plan::{Kind, Notes};
use steadfast_text::Span;

use super::reading::is_read;

/// Minutes of an event without an end.
const EVENT_MINUTES: i64 = 30;

/// The reading that the labels make.
pub(super) fn reading(note: &Note) -> GivenReading {
    let words = |quote: &str| Words { quote: quote.to_owned(), span: Some(note.span(quote)) };
    let tasks = note.tasks.iter().map(|task| GivenTask {
        id: task.name.clone(),
        words: words(&task.quote),
        name: Some(task.name.clone()),
        optional: task.optional,
        ..GivenTask::default()
    });
    let apart = note.constraints.iter().filter(|own| own.sets_apart());
    let apart =
        apart.map(|own| (words(&own.quote), if own.kind == "noise" { Aside::NotMine } else { Aside::NotToday }));
    let constraints = note.constraints.iter().enumerate().filter_map(|(at, own)| {
        let given = constraint(note, own)?;
        Some(GivenConstraint { id: format!("c{}", at + 1), words: words(&own.quote), ..given })
    });
    GivenReading {
        tasks: tasks.collect(),
        constraints: constraints.collect(),
        apart: apart.collect(),
        unread: Vec::new(),
    }
}

/// A constraint of the labels as a reading has it. `None` where a reading cannot say it.
fn constraint(note: &Note, own: &Constraint) -> Option<GivenConstraint> {
    let (kind, soft) = match own.kind.as_str() {
        "fixed_event" => (Kind::FixedEvent, false),
        "blocked" | "travel" if own.start_iso.is_some() => (Kind::Blocked, false),
        "deadline" => (Kind::Deadline, false),
        "not_before" => (Kind::NotBefore, false),
        "availability" => (Kind::Availability, false),
        "must_do" => (Kind::MustDo, false),
        "duration" => (Kind::Duration, false),
        "order" => (Kind::Order, false),
        "exclusion" if own.tasks.is_some() => (Kind::Exclusion, false),
        "total" => (Kind::Total, false),
        "preference" if own.task.is_some() && (own.start_iso.is_some() || own.end_iso.is_some()) => {
            (Kind::Preference, true)
        }
        _ => return None,
    };
    let known = |name: &&String| note.tasks.iter().any(|task| task.name == **name);
    let mine = own.task.iter().chain(own.tasks.iter().flatten()).filter(known);
    let mut tasks: Vec<String> = Vec::new();
    for name in mine.filter(|_| kind != Kind::Order) {
        if !tasks.contains(name) {
            tasks.push(name.clone());
        }
    }
    let text = |at: jiff::Timestamp| at.to_string();
    let off = own.tolerance_minutes;
    let moved = |at: jiff::Timestamp, by: i64| steadfast_plan::window::minutes_after(at, by);
    let end = match kind {
        Kind::FixedEvent => own.end_iso.or_else(|| Some(moved(own.start_iso?, EVENT_MINUTES))),
        _ => own.end_iso,
    };
    let all = own.allow.iter().any(|name| name == "*");
    let (min, max) = match kind {
        Kind::Total if own.op.as_deref() == Some("max") => (None, own.minutes),
        Kind::Total => (own.minutes, None),
        Kind::Duration if own.each => (own.minutes, None),
        Kind::Order => ((own.gap_min > 0).then_some(own.gap_min), None),
        Kind::Exclusion if own.max_run.is_some() => (own.break_minutes, own.max_run),
        Kind::Duration => (own.minutes.or(own.min_minutes), own.minutes.or(own.max_minutes)),
        _ => (None, None),
    };
    Some(GivenConstraint {
        kind: Some(kind),
        tasks,
        first: own.first.clone(),
        then: own.then.clone(),
        start: own.start_iso.map(|at| text(moved(at, -off))),
        end: end.map(|at| text(moved(at, off))),
        minutes_min: min,
        minutes_max: max,
        name: own.name.clone(),
        soft,
        excepted: note
            .tasks
            .iter()
            .map(|task| &task.name)
            .filter(|name| all || own.allow.contains(name) || own.except.contains(name))
            .cloned()
            .collect(),
        ..GivenConstraint::default()
    })
}

/// The answer that whoever labelled the notes would give, by the number of the choice. `None` where none of the choices is right.
pub(super) fn answer(note: &Note, read: &Notes, pairs: &[Option<usize>], question: &OpenQuestion) -> Option<usize> {
    let span = question.quote.span();
    let overlap = |own: Span| own.start < span.end && span.start < own.end;
    let here = |own: &&Constraint| overlap(note.span(&own.quote));
    let stated = || read.constraints.iter().filter(|own| own.quote.as_ref().is_some_and(|quote| quote.span() == span));
    let means = |effect: &Effect| match effect {
        Effect::Rules(rules) | Effect::Instead(rules) | Effect::NoTask(rules) => {
            rules.iter().all(|rule| note.constraints.iter().any(|own| is_read(note, rule, pairs, own)))
        }
        Effect::Task(_) => note
            .tasks
            .iter()
            .enumerate()
            .any(|(at, task)| overlap(note.span(&task.quote)) && !pairs.contains(&Some(at))),
        // What is required there is right, or else what is to be done.
        Effect::Keep if stated().next().is_some() => {
            stated().all(|own| note.constraints.iter().any(|gold| is_read(note, &own.rule, pairs, gold)))
        }
        Effect::Keep | Effect::NothingMore => {
            read.tasks.iter().zip(pairs).any(|(own, gold)| gold.is_some() && overlap(own.quote.span()))
        }
        Effect::Apart(_) | Effect::NotSaid => false,
    };
    let asked = question.choices.iter().position(|choice| means(&choice.effect));
    let required = note.constraints.iter().filter(here).any(|own| !own.sets_apart() && own.kind != "ambiguous")
        || note.tasks.iter().any(|task| overlap(note.span(&task.quote)));
    let reason = note.constraints.iter().filter(here).find(|own| own.sets_apart()).map(|own| own.kind.as_str());
    let wanted = if reason == Some("not_today") { Aside::NotToday } else { Aside::Chatter };
    let apart = || {
        let of = |reason| question.choices.iter().position(|choice| choice.effect == Effect::Apart(reason));
        of(wanted).or_else(|| question.choices.iter().position(|choice| matches!(choice.effect, Effect::Apart(_))))
    };
    asked.or_else(|| (!required).then(apart).flatten())
}
