//! Plans of several variants for the same notes, side by side.

use askama::Template;
use steadfast_wire::plan::PlanResponse;

use super::Sheet;
use super::day::span;
use super::digest::{coverage, findings, is_good};
use super::html::{Picture, picture_of};
use crate::Error;
use crate::plain::line;

/// Plans that stand side by side.
pub const VARIANTS_MAX: usize = 8;

const ITEMS_MAX: usize = 40;
const LINES_MAX: usize = 8;
const TEXT_CHARS_MAX: usize = 240;

/// The values of `plan_variants.html`.
#[derive(Template)]
#[template(path = "plan_variants.html")]
struct Page {
    columns: Vec<Column>,
    figures: Vec<(&'static str, &'static str, Vec<String>)>,
}

struct Column {
    name: &'static str,
    label: &'static str,
    good: bool,
    verdict: &'static str,
    href: String,
    picture: Option<Picture>,
    items: Vec<(String, String, bool)>,
    items_more: usize,
    failing: Vec<String>,
    failing_more: usize,
    trace: Vec<[String; 3]>,
}

/// The figures of several variants in a table, each with the word by which the glossary explains it, and below it their days. `href` gives the
/// address of a plan's own page, empty where it has none.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn variants(plans: &[&PlanResponse], href: &dyn Fn(&PlanResponse) -> String) -> Result<String, Error> {
    let plans = &plans[..plans.len().min(VARIANTS_MAX)];
    let row = |name, term, value: &dyn Fn(&PlanResponse) -> String| {
        (name, term, plans.iter().map(|plan| value(plan)).collect::<Vec<_>>())
    };
    let metric = |value: fn(&PlanResponse) -> String| value;
    let figures = vec![
        row(
            "Constraints broken",
            "constraint",
            &metric(|own| {
                let metrics = &own.validation.metrics;
                format!("{} of {}", metrics.constraints_violated, metrics.constraints_declared)
            }),
        ),
        row("Inventions", "hallucinations", &metric(|own| own.validation.metrics.hallucination_flags.to_string())),
        row("Minutes planned", "time-planned", &metric(|own| own.validation.metrics.time_planned_minutes.to_string())),
        row(
            "Minutes available",
            "time-available",
            &metric(|own| own.validation.metrics.time_available_minutes.to_string()),
        ),
        row(
            "Minutes too many",
            "time-overflow",
            &metric(|own| own.validation.metrics.time_overflow_minutes.to_string()),
        ),
        row("Coverage of the tasks", "coverage", &metric(|own| coverage(&own.validation.metrics))),
        row("Advice", "human-feasibility", &metric(|own| own.validation.metrics.human_feasibility_flags.to_string())),
        row("Questions", "questions", &metric(|own| own.questions.len().to_string())),
        row("Confidence of the planner", "plan-confidence", &metric(|own| own.confidence.name().to_owned())),
    ];
    let columns = plans.iter().map(|plan| column(plan, href(plan))).collect();
    Page { columns, figures }.render().map_err(Error::Html)
}

fn column(own: &PlanResponse, href: String) -> Column {
    let sheet = Sheet::from(own);
    let failing = findings(&sheet, true);
    Column {
        name: own.debug.variant.name(),
        label: own.debug.variant.label(),
        good: is_good(&sheet),
        verdict: own.status.label(),
        href,
        picture: picture_of(&sheet),
        items: own
            .plan
            .iter()
            .enumerate()
            .take(ITEMS_MAX)
            .map(|(at, item)| {
                let when = span(item.start.as_deref(), item.end.as_deref(), &own.current_time);
                let fails = failing.iter().any(|finding| finding.item_index == Some(at));
                (when, line(&item.task, TEXT_CHARS_MAX), fails)
            })
            .collect(),
        items_more: own.plan.len().saturating_sub(ITEMS_MAX),
        failing: failing.iter().take(LINES_MAX).map(|finding| line(&finding.message, TEXT_CHARS_MAX)).collect(),
        failing_more: failing.len().saturating_sub(LINES_MAX),
        trace: own
            .trace
            .iter()
            .filter(|step| step.span == "repair")
            .map(|step| [&step.span, &step.input, &step.output].map(|text| line(text, TEXT_CHARS_MAX)))
            .collect(),
    }
}
