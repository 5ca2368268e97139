//! From what the instrument found to the types that are published.

use jiff::Timestamp;
use steadfast_evidence::{Quote, RULES_VERSION};
use steadfast_plan as own;
use steadfast_plan::answer::{form, written as moment_written};
use steadfast_plan::model::{Constraint, Notes, Readings, Rule};
use steadfast_plan::window::{Interval, Moment, Window};
use steadfast_wire::plan as wire;

use super::Read;
use super::meaning::meaning;

/// The instrument's variant.
pub(super) const fn own_variant(variant: wire::Variant) -> own::Variant {
    match variant {
        wire::Variant::V1Naive => own::Variant::V1Naive,
        wire::Variant::V2Constraints => own::Variant::V2Constraints,
        wire::Variant::V3Validator => own::Variant::V3Validator,
        wire::Variant::V4Repair => own::Variant::V4Repair,
    }
}

const fn variant(variant: own::Variant) -> wire::Variant {
    match variant {
        own::Variant::V1Naive => wire::Variant::V1Naive,
        own::Variant::V2Constraints => wire::Variant::V2Constraints,
        own::Variant::V3Validator => wire::Variant::V3Validator,
        own::Variant::V4Repair => wire::Variant::V4Repair,
    }
}

/// The response.
pub(super) fn response(read: &Read, planned: &own::Planned) -> wire::PlanResponse {
    let plan = &planned.plan;
    let (feasible, overload) = match &plan.feasibility {
        own::Feasibility::Feasible => (Some(true), None),
        own::Feasibility::Infeasible(proof) => (Some(false), Some(overload(&read.notes, proof))),
        own::Feasibility::Unproven => (None, None),
    };
    wire::PlanResponse {
        schema_version: wire::SCHEMA_VERSION.to_owned(),
        rules_version: Some(RULES_VERSION.to_owned()),
        status: planned.standing,
        feasible,
        overload,
        plan: planned_items(planned),
        assumptions: read.assumptions(&plan.assumptions),
        questions: questions(read, &plan.questions),
        open_questions: open_questions(read),
        read_confidence: read.notes.read_confidence(),
        unread: unread(read),
        not_planned: not_planned(read),
        proposed: read.proposed.clone(),
        confidence: plan.confidence,
        validation: validation(read, &planned.validation),
        current_time: read.current_time(),
        timezone: read.timezone.clone(),
        trace: planned
            .trace
            .iter()
            .map(|step| wire::TraceSpan {
                span: step.span.to_owned(),
                input: step.input.clone(),
                output: step.output.clone(),
            })
            .collect(),
        debug: wire::Debug { variant: variant(planned.variant), context_preview: read.preview() },
        moved: None,
        model_view: None,
        run: None,
    }
}

/// The items as they were checked, with the constraints that the planner named for them.
fn planned_items(planned: &own::Planned) -> Vec<wire::PlanItem> {
    let made = &planned.plan.items;
    let is_whole = made.len() == planned.items.len();
    let item = |(at, given): (usize, &own::Given)| wire::PlanItem {
        task: given.task.clone().unwrap_or_default(),
        timebox_minutes: given.timebox_minutes.unwrap_or_default(),
        why: given.why.clone().unwrap_or_default(),
        start: given.start.clone(),
        end: given.end.clone(),
        with: given.with.clone(),
        place: given.place.clone(),
        constraint_ids: made.get(at).filter(|_| is_whole).map(|item| item.constraint_ids.clone()).unwrap_or_default(),
    };
    planned.items.iter().enumerate().map(item).collect()
}

/// Somebody's items as they were read: times that could be read are written as our own are.
pub(super) fn read_items(read: &Read, given: &[own::Given]) -> Vec<wire::PlanItem> {
    let answer = own::answer::read(&read.notes, given, form(given));
    let item = |item: &own::Item| {
        let (start, end) = item.when.map_or((None, None), |when| ends(when, &read.notes));
        wire::PlanItem {
            task: item.task.clone(),
            timebox_minutes: item.minutes().unwrap_or_default(),
            why: item.why.clone(),
            start,
            end,
            with: item.with.clone(),
            place: item.place.clone(),
            constraint_ids: Vec::new(),
        }
    };
    answer.items.iter().map(item).collect()
}

/// Writes the times of somebody's items as our own are written; what cannot be read stays as it was given.
pub(super) fn write_times(read: &Read, given: &[own::Given], items: &mut [wire::PlanItem]) {
    for (item, read) in items.iter_mut().zip(read_items(read, given)) {
        if read.start.is_some() || read.end.is_some() {
            (item.start, item.end) = (read.start, read.end);
        }
    }
}

fn overload(notes: &Notes, proof: &own::Overload) -> wire::Overload {
    let named = |tasks: &[usize]| {
        tasks.iter().filter_map(|task| notes.tasks.get(*task)).map(|task| task.text.clone()).collect::<Vec<_>>()
    };
    let (start, end) = ends(Window::Clock(proof.within), notes);
    wire::Overload {
        needed_minutes: proof.needed_minutes,
        free_minutes: proof.free_minutes,
        drop: named(&proof.drop),
        start,
        end,
        tasks: named(&proof.tasks),
        proof: proof.proof.clone(),
    }
}

/// What came of checking.
pub(super) fn validation(read: &Read, own: &own::Validation) -> wire::Validation {
    let metrics = &own.metrics;
    wire::Validation {
        rules_version: None,
        status: own.status,
        errors: own.errors.clone(),
        metrics: wire::Metrics {
            constraints_declared: metrics.constraints_declared,
            constraints_violated: metrics.constraints_violated,
            time_available_minutes: metrics.time_available_minutes,
            time_planned_minutes: metrics.time_planned_minutes,
            time_overflow_minutes: metrics.time_overflow_minutes,
            hallucination_flags: metrics.hallucination_flags,
            human_feasibility_flags: metrics.human_feasibility_flags,
            // A member of the contract, which is a number there: the pass rule reads the same off it.
            context_coverage_ratio: metrics.context_coverage_ratio.unwrap_or(1.0),
            context_coverage_assessed: metrics.context_coverage_ratio.is_some(),
        },
        constraints: constraints(read, &own.constraints),
        findings: own
            .findings
            .iter()
            .map(|finding| wire::Finding {
                check: finding.check.to_owned(),
                message: finding.message.clone(),
                constraint_id: finding.constraint_id.clone(),
                item_index: finding.item_index,
                hard: finding.hard,
                ask_span: finding.ask_span.as_ref().map(|quote| span(read, quote)),
            })
            .collect(),
        unchecked: own.unchecked.clone(),
        assumptions: Vec::new(),
        questions: Vec::new(),
        proposed: None,
        run: None,
    }
}

/// Constraints, in their order.
pub(super) fn constraints(read: &Read, own: &[Constraint]) -> Vec<wire::Constraint> {
    own.iter().map(|it| constraint(read, it)).collect()
}

fn constraint(read: &Read, constraint: &Constraint) -> wire::Constraint {
    let notes = &read.notes;
    let readings: Vec<Vec<wire::Times>> = windows(&constraint.rule)
        .into_iter()
        .map(|windows| {
            let times = windows.into_iter().map(|window| {
                let (start, end) = ends(window, notes);
                wire::Times { start, end }
            });
            times.collect()
        })
        .collect();
    let (start, end) = readings.first().map_or((None, None), |first| outer(first));
    let says_more = readings.len() > 1 || readings.first().is_some_and(|first| first.len() > 1);
    let wishes_bind = read.settings.preferences_hard && matches!(constraint.rule, Rule::Preference { .. });
    wire::Constraint {
        id: constraint.id.clone(),
        kind: constraint.kind(),
        text: constraint.text().to_owned(),
        meaning: meaning(notes, &constraint.rule),
        span: constraint.quote.as_ref().map(|quote| span(read, quote)),
        start,
        end,
        readings: if says_more { readings } else { Vec::new() },
        hard: constraint.hard || wishes_bind,
        tasks: Vec::new(),
        first: Vec::new(),
        then: Vec::new(),
        minutes_min: None,
        minutes_max: None,
        name: named(&constraint.rule),
        except: Vec::new(),
        by: None,
    }
}

/// What an event, or what blocks a time, is called.
fn named(rule: &Rule) -> Option<String> {
    match rule {
        Rule::FixedEvent { name, .. } => Some(name.clone()),
        Rule::Blocked { name, .. } => name.clone(),
        _ => None,
    }
}

/// From the first beginning to the last end of times that stand in their order.
fn outer(times: &[wire::Times]) -> (Option<String>, Option<String>) {
    let start = times.first().and_then(|first| first.start.clone());
    let end = times.last().and_then(|last| last.end.clone());
    (start, end)
}

/// The times of a rule, one list for each reading, each in its order.
fn windows(rule: &Rule) -> Vec<Vec<Window>> {
    fn intervals(when: &Readings<Vec<Interval>>) -> Vec<Vec<Window>> {
        when.iter().map(|times| times.iter().copied().map(Window::Clock).collect()).collect()
    }
    let mut readings = match rule {
        Rule::FixedEvent { when, .. } | Rule::Blocked { when, .. } | Rule::Availability { when, .. } => intervals(when),
        Rule::Exclusion { when: Some(when), .. } | Rule::TaskTimes { when, .. } => intervals(when),
        Rule::Deadline { by, .. } => by.iter().map(|by| vec![Window::Clock(Interval::until(*by))]).collect(),
        Rule::NotBefore { from, .. } => from.iter().map(|from| vec![Window::Clock(Interval::from(*from))]).collect(),
        Rule::MustDo { within: Some(within), .. } => vec![vec![Window::Clock(*within)]],
        Rule::Presence { when, .. } => when.iter().cloned().collect(),
        Rule::Preference { wish } => return windows(wish),
        _ => Vec::new(),
    };
    for reading in &mut readings {
        reading.sort_unstable();
        reading.dedup();
    }
    readings
}

/// Beginning and end of a stretch as they are written; `None` for a side that is open.
fn ends(window: Window, notes: &Notes) -> (Option<String>, Option<String>) {
    match window {
        Window::Clock(interval) => (
            (interval.start > Timestamp::MIN).then(|| written(interval.start, notes)),
            (interval.end < Timestamp::MAX).then(|| written(interval.end, notes)),
        ),
        Window::Days(days) => {
            let day = |day| Some(moment_written(Moment::Day(day), notes.now.time_zone()));
            (day(days.first), day(days.last))
        }
    }
}

/// An instant as it is written: RFC 3339 with the zone's offset.
pub(super) fn written(at: Timestamp, notes: &Notes) -> String {
    moment_written(Moment::At(at), notes.now.time_zone())
}

/// What is to be done, in its order.
pub(super) fn tasks(read: &Read, own: &[own::Task]) -> Vec<wire::Task> {
    let said = read.notes.said();
    let task = |(at, task): (usize, &own::Task)| wire::Task {
        task: task.text.clone(),
        span: span(read, &task.quote),
        id: task_id(at),
        quote: task.quote.text().to_owned(),
        minutes: said.get(at).and_then(|said| said.minutes_min.or(said.minutes_max)),
        must: said.get(at).is_some_and(|said| said.must_do),
        optional: said.get(at).is_some_and(|said| said.is_optional()),
    };
    own.iter().enumerate().map(task).collect()
}

pub(super) fn span(read: &Read, quote: &Quote) -> steadfast_wire::Span {
    steadfast_wire::Span {
        file: read.name_of(quote.file()).to_owned(),
        start: quote.span().start,
        end: quote.span().end,
        quote: quote.text().to_owned(),
    }
}

/// What constraints of a reading call a task.
fn task_id(task: usize) -> String {
    format!("t{}", task + 1)
}

/// What a rule is about, as a reading names it.
#[derive(Default, PartialEq, Eq)]
struct Parts {
    tasks: Vec<String>,
    first: Vec<String>,
    then: Vec<String>,
    minutes: (Option<i64>, Option<i64>),
}

fn parts(rule: &Rule) -> Parts {
    let ids = |tasks: &[usize]| tasks.iter().map(|task| task_id(*task)).collect::<Vec<_>>();
    let of = |tasks: Vec<String>| Parts { tasks, ..Parts::default() };
    match rule {
        Rule::Preference { wish } => parts(wish),
        Rule::Deadline { task, .. } | Rule::NotBefore { task, .. } => {
            of(task.iter().map(|task| task_id(*task)).collect())
        }
        Rule::MustDo { task, .. } => of(ids(&[*task])),
        Rule::Duration { task, minutes_min, minutes_max } => {
            Parts { minutes: (*minutes_min, *minutes_max), ..of(ids(&[*task])) }
        }
        Rule::Order { first, then, gap } => Parts {
            first: ids(&[*first]),
            then: ids(&[*then]),
            minutes: ((*gap > 0).then_some(*gap), None),
            ..Parts::default()
        },
        Rule::TaskTimes { tasks, .. } | Rule::Objective { tasks } => of(ids(tasks)),
        Rule::Total { tasks, min, max, .. } => Parts { minutes: (*min, *max), ..of(ids(tasks)) },
        Rule::Run { tasks, minutes_max, rest } => {
            Parts { minutes: (Some(*rest), Some(*minutes_max)), ..of(ids(tasks)) }
        }
        _ => Parts::default(),
    }
}

/// The constraints of notes as a reading has them, each with the tasks that it is about.
pub(super) fn reading(read: &Read, notes: &Notes) -> Vec<wire::Constraint> {
    notes.constraints.iter().map(|own| of_reading(read, own)).collect()
}

fn of_reading(read: &Read, own: &Constraint) -> wire::Constraint {
    let published = constraint(read, own);
    let Parts { tasks, first, then, minutes } = parts(&own.rule);
    let except = read.notes.excepted.iter().filter(|(id, _)| *id == own.id).map(|(_, task)| task_id(*task)).collect();
    let by = if Notes::is_answered(own) { "person" } else { &read.by };
    wire::Constraint {
        tasks,
        first,
        then,
        minutes_min: minutes.0,
        minutes_max: minutes.1,
        except,
        by: Some(by.to_owned()),
        ..published
    }
}

/// What is nothing to plan today.
pub(super) fn set_apart(read: &Read) -> Vec<wire::SetApart> {
    let apart = |it: &own::open::Apart| wire::SetApart {
        quote: it.quote.text().to_owned(),
        span: Some(span(read, &it.quote)),
        aside: it.reason,
    };
    read.notes.apart.iter().map(apart).collect()
}

/// The same and what is not understood and asked nowhere, a line each.
pub(super) fn not_planned(read: &Read) -> Vec<String> {
    let why = |aside: wire::Aside| match aside {
        wire::Aside::NotToday => "not for today",
        wire::Aside::NotMine => "somebody else's",
        wire::Aside::Chatter => "nothing to plan",
    };
    let apart = set_apart(read).into_iter().map(|own| format!("“{}”: {}", own.quote.trim(), why(own.aside)));
    // Of the others a question asks.
    let is_asked = |quote: &Quote| read.notes.open.iter().any(|it| it.quote == *quote);
    let unread = read.notes.unread.iter().filter(|own| !is_asked(&own.quote));
    let why = |own: &own::open::Unread| if own.must { format!("not understood: {}", own.why) } else { own.why.clone() };
    apart.chain(unread.map(|own| format!("“{}”: {}", own.quote.text().trim(), why(own)))).collect()
}

/// What is not understood.
pub(super) fn unread(read: &Read) -> Vec<wire::Unread> {
    let unread = |it: &own::open::Unread| wire::Unread {
        quote: it.quote.text().to_owned(),
        span: Some(span(read, &it.quote)),
        why: it.why.clone(),
    };
    read.notes.unread.iter().map(unread).collect()
}

/// Everything that must be asked, in words: questions that can be answered with their ids and choices.
pub(super) fn questions(read: &Read, own: &[String]) -> Vec<String> {
    let open = read.notes.open.iter().map(|it| {
        let choices: Vec<String> =
            (1..).zip(&it.choices).map(|(number, own)| format!("{number}: {}", own.text)).collect();
        format!("{} ({}): {}", it.text, it.id, choices.join("; "))
    });
    open.chain(own.iter().cloned()).collect()
}

/// Questions whose answers become part of the reading.
pub(super) fn open_questions(read: &Read) -> Vec<wire::OpenQuestion> {
    let question = |it: &own::open::OpenQuestion| wire::OpenQuestion {
        id: it.id.clone(),
        text: it.text.clone(),
        span: span(read, &it.quote),
        choices: it.choices.iter().map(|own| own.text.clone()).collect(),
        default: None,
        changes_plan: it.changes_plan,
    };
    read.notes.open.iter().map(question).collect()
}

/// Whether a constraint of a reading that was handed in says what code read.
pub(super) fn is_as_read(given: &wire::ReadingConstraint, own: &Constraint, notes: &Notes) -> bool {
    let own_parts = parts(&own.rule);
    let first_reading = windows(&own.rule).into_iter().next().unwrap_or_default();
    let times: Vec<wire::Times> = first_reading
        .into_iter()
        .map(|window| {
            let (start, end) = ends(window, notes);
            wire::Times { start, end }
        })
        .collect();
    let (start, end) = outer(&times);
    own.kind() == given.kind
        && own.text() == given.text
        && own.hard == given.hard
        && (&start, &end) == (&given.start, &given.end)
        && (&own_parts.tasks, &own_parts.first, &own_parts.then) == (&given.tasks, &given.first, &given.then)
        && own_parts.minutes == (given.minutes_min, given.minutes_max)
}
