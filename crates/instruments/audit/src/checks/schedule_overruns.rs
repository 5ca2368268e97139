//! The answer takes longer than the ask allows: its schedule as a whole, a phase, or a milestone; or the prose says so.
//!
//! The whole is held against the total duration that the ask states, else against its latest deadline. A task is held
//! against a deadline or a phase of the ask whose words it shares (two content words, or all where there are fewer). Durations
//! are compared in days, months as 30.4375; what lies within the tolerances below is no incident.
//!
//! Example: the ask says "open within 9 months"; a schedule of 15 months is an incident.

use std::sync::LazyLock;

use steadfast_annotate::Unit;
use steadfast_ask::{Figure, Role};
use steadfast_evidence::{Evidence, Quote, Severity};

use super::{Case, Check, incident};
use crate::figures;
use crate::incident::{DriftType, Incident};
use crate::pattern::{Pattern, hit};
use crate::same_figure;
use crate::schedule::{Schedule, Task, days_between};

/// The check's id.
pub(super) const ID: &str = "schedule-overruns";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "the schedule is longer than the ask allows",
    on_by_default: false,
    run,
};

/// The whole may be this many times as long as the total that the ask states …
const TOTAL_RATIO_MAX: f64 = 1.1;
/// … and this many times as long as its latest deadline, which need not be the end of everything.
const DEADLINE_RATIO_MAX: f64 = 1.5;
/// A task may be this many times as long as the phase of the ask, or as late as its milestone.
const TASK_RATIO_MAX: f64 = 1.25;
/// A task may always be this many days late.
const TASK_DAYS_LATE_MAX: f64 = 21.0;
/// A date may be this many days after the date that the ask gives.
const DATE_DAYS_LATE_MAX: i64 = 7;
/// From this ratio on an overrun is critical.
const RATIO_CRITICAL: f64 = 1.5;

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for schedule in case.schedules {
        incidents.extend(whole(case, schedule));
        incidents.extend(tasks(case, schedule));
    }
    incidents.extend(prose(case));
    incidents
}

/// The obligation that rests on a figure, if there is one.
fn obligation(case: &Case<'_>, figure: &Figure) -> Option<usize> {
    figures::obligation(case.ask, figure)
}

/// How long the ask gives the whole, in days, with the figure that says so and how much more is tolerated.
fn allowed<'a>(case: &Case<'a>) -> Option<(&'a Figure, f64, f64)> {
    let figures = || case.ask.request.figures.iter().filter(|figure| !figure.denied);
    let longest = |role: Role| {
        figures()
            .filter(|figure| figure.role == role && !is_kind_of_week(case, figure))
            .filter_map(|figure| {
                Some((figure, figures::days_from_start(figure, case.ask.request.today.map(|(day, _)| day))?))
            })
            // Of equal ones the first: it is where the prompt says what it is about.
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
    };
    longest(Role::DurationTotal)
        .map(|(figure, days)| (figure, days, TOTAL_RATIO_MAX))
        .or_else(|| longest(Role::Deadline).map(|(figure, days)| (figure, days, DEADLINE_RATIO_MAX)))
        .filter(|(_, days, _)| *days > 0.0)
}

/// "A four-day week" is no length of the whole, nor is "a two-hour session".
fn is_kind_of_week(case: &Case<'_>, figure: &Figure) -> bool {
    let text = same_figure::statement_of(case.ask, figure);
    let after = text.get(figure.quantity.range.end..).unwrap_or_default().trim_start_matches([' ', '-']).to_lowercase();
    ["week", "day", "shift", "session", "night"].iter().any(|unit| after.starts_with(unit))
}

/// Words that make a date the end of something, where it stands behind a colon.
static ENDS: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:delivery|completion|opening|hand-?over|launch|go-live|deadline|due|finish|ready)\b[^;.]{0,60}[:|]\s*$").ok()
});

fn whole(case: &Case<'_>, schedule: &Schedule) -> Option<Incident> {
    let (figure, allowed, ratio_max) = allowed(case)?;
    let (first, last) = (schedule.first()?, schedule.last()?);
    // From the day of the ask, if the schedule begins later than that.
    let start = case.ask.begin().min(first.start);
    // A prompt without a day, and a schedule with dates: it begins with its first task.
    let start =
        if case.ask.request.today.is_none() && days_between(start, first.start) > 1_830 { first.start } else { start };
    let days = days_between(start, last.end) + 1;
    let ratio = days as f64 / allowed;
    if ratio <= ratio_max || days as f64 - allowed <= TASK_DAYS_LATE_MAX {
        return None;
    }
    let severity = if ratio >= RATIO_CRITICAL { Severity::Critical } else { Severity::Major };
    let quote = quote(case, schedule, last)?;
    Some(
        with_obligation(incident(&CHECK, severity, 0.95, Evidence::Quote(quote)), obligation(case, figure))
            .source(&figure.quote)
            .because(format!(
                "The prompt gives \"{}\"; the schedule runs from {start} to {} ({}; its last task is \"{}\").",
                figure.quote.text(),
                last.end,
                figures::months(days),
                last.name,
            ))
            .repair("Fit the schedule into the time that the prompt gives, or say openly that it does not fit.")
            .done(),
    )
}

/// Whether a schedule as a whole takes longer than the ask allows.
pub(super) fn overruns(case: &Case<'_>, schedule: &Schedule) -> bool {
    whole(case, schedule).is_some()
}

fn tasks(case: &Case<'_>, schedule: &Schedule) -> Vec<Incident> {
    let mut incidents = Vec::new();
    let today = case.ask.request.today.map(|(day, _)| day);
    for figure in case.ask.request.figures.iter().filter(|figure| !figure.denied) {
        let Some(allowed) = figures::days_from_start(figure, today) else { continue };
        let found = schedule.tasks.iter().filter(|task| task.depth > 0 && figures::names_same(task, figure, case.ask));
        let late = found.filter_map(|task| {
            let (taken, what) = match figure.role {
                Role::Deadline => {
                    let first = schedule.first()?.start;
                    let begin = case.ask.begin();
                    let anchor = if today.is_none() && days_between(begin, first) > 1_830 { first } else { begin };
                    let begins = figures::is_about_beginning(figure, case.ask);
                    let day = if begins { task.start } else { task.end };
                    (days_between(anchor, day), if begins { "begins" } else { "ends" })
                }
                Role::DurationPart => (days_between(task.start, task.end) + 1, "takes"),
                _ => return None,
            };
            let over = taken as f64 / allowed > TASK_RATIO_MAX && taken as f64 - allowed > TASK_DAYS_LATE_MAX;
            over.then_some((task, taken, what))
        });
        // The topmost of them says it for those below.
        let Some((task, taken, what)) = late.min_by_key(|(task, taken, _)| (task.depth, std::cmp::Reverse(*taken)))
        else {
            continue;
        };
        let Some(quote) = quote(case, schedule, task) else { continue };
        let ratio = taken as f64 / allowed;
        let severity = if ratio >= RATIO_CRITICAL { Severity::Major } else { Severity::Moderate };
        let how = match what {
            "takes" => format!("takes {}", figures::months(taken)),
            _ => format!(
                "{what} on {}, {} after the start",
                if what == "begins" { task.start } else { task.end },
                figures::months(taken)
            ),
        };
        incidents.push(
            with_obligation(incident(&CHECK, severity, 0.85, Evidence::Quote(quote)), obligation(case, figure))
                .source(&figure.quote)
                .because(format!(
                    "The prompt gives \"{}\"; in the schedule \"{}\" {how}.",
                    figure.quote.text(),
                    task.name
                ))
                .repair(format!("Move \"{}\" to where the prompt wants it.", task.name))
                .done(),
        );
    }
    incidents
}

/// What the plan says of its own length, and of the milestones of the ask, in prose.
fn prose(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents: Vec<Incident> = Vec::new();
    let today = case.ask.request.today.map(|(day, _)| day);
    let total = allowed(case);
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed) {
        for mut stated in figures::stated(claim, case.answer) {
            let before = claim.text.get(..stated.quantity.range.start).unwrap_or_default();
            if stated.role == Role::Other && matches!(stated.quantity.unit, Unit::Date(_)) && hit(&ENDS, before) {
                stated.role = Role::Deadline;
                stated.subject = claim.stems.iter().map(|(_, stem)| stem.clone()).collect();
            }
            let found = match (stated.role, &total) {
                (Role::DurationTotal, Some((figure, allowed, ratio_max))) if !stated.denied => {
                    figures::days_of(&stated.quantity, today)
                        .filter(|days| days / allowed > *ratio_max && days - allowed > TASK_DAYS_LATE_MAX)
                        .map(|days| (*figure, days / allowed))
                }
                (Role::Deadline, _) if !stated.denied => case
                    .ask
                    .request
                    .figures
                    .iter()
                    .filter(|figure| figure.role == Role::Deadline && !figure.denied)
                    .filter(|figure| figures::shared(&stated.subject, &figure.subject) > 0)
                    .find_map(|figure| {
                        if let Some(late) = figures::days_late(&stated.quantity, &figure.quantity) {
                            return (late > DATE_DAYS_LATE_MAX).then_some((figure, RATIO_CRITICAL));
                        }
                        if !figures::same_subject(&stated.subject, &figure.subject) {
                            return None;
                        }
                        let allowed = figures::days_from_start(figure, today)?;
                        let days = figures::days_of(&stated.quantity, today)?;
                        (days / allowed > TASK_RATIO_MAX && days - allowed > TASK_DAYS_LATE_MAX)
                            .then_some((figure, days / allowed))
                    }),
                _ => None,
            };
            let Some((figure, ratio)) = found else { continue };
            let Some(quote) = case.answer.quote(claim, &stated.quantity.range) else { continue };
            let severity = if ratio >= RATIO_CRITICAL { Severity::Major } else { Severity::Moderate };
            incidents.push(
                with_obligation(incident(&CHECK, severity, 0.75, Evidence::Quote(quote)), obligation(case, figure))
                    .at(case.answer, claim, &stated.quantity.range)
                    .source(&figure.quote)
                    .because(format!(
                        "The prompt gives \"{}\"; the report says \"{}\".",
                        figure.quote.text(),
                        stated.quantity_text(&claim.text)
                    ))
                    .repair("Keep the time that the prompt gives, or say openly that it does not fit.")
                    .done(),
            );
        }
    }
    incidents
}

fn with_obligation(draft: super::Draft, obligation: Option<usize>) -> super::Draft {
    match obligation {
        Some(index) => draft.obligation(index),
        None => draft,
    }
}

fn quote(case: &Case<'_>, schedule: &Schedule, task: &Task) -> Option<Quote> {
    let artefact = case.answer.artefacts.get(schedule.artefact)?;
    Quote::cut(artefact.file, &artefact.document, task.span)
}
