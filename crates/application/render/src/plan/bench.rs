//! How the variants of the planner compare.

use std::fmt::Write as _;

use askama::Template;
use steadfast_wire::plan::{Bench, BenchRow, BenchVariant};

use super::html::CSS;
use crate::html::Frame;
use crate::plain::line;
use crate::terminal::Style;
use crate::{Colour, Error};

/// Days with faults that the text shows; page and JSON have all.
const DAYS_SHOWN_MAX: usize = 20;

const LINE_CHARS_MAX: usize = 240;

/// The figures of every variant, a row each: what it is, and its value for each of them.
fn figures(bench: &Bench) -> Vec<(&'static str, Vec<String>)> {
    let row = |name: &'static str, value: &dyn Fn(&BenchVariant) -> String| {
        (name, bench.variants.iter().map(value).collect::<Vec<_>>())
    };
    let of = |part: usize, all: usize| format!("{part} of {all}");
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let mut rows = vec![
        row("pass rate", &|it| percent(it.pass_rate)),
        row("true pass rate", &|it| percent(it.true_pass_rate)),
        row("feasible days passed", &|it| of(it.passed, bench.feasible_days)),
        row("passed and right", &|it| of(it.true_passed, bench.feasible_days)),
        row("infeasible days rejected", &|it| of(it.infeasible_rejected, bench.infeasible_days)),
        row("of them with a proof", &|it| it.infeasible_proved.to_string()),
        row("feasible, “proved” not to be", &|it| it.falsely_proved.to_string()),
        row("wrongly recommended", &|it| it.wrongly_recommended.to_string()),
        row("constraints violated", &|it| it.constraints_violated.to_string()),
        row("days with violations", &|it| of(it.days_with_violations, bench.days)),
        row("days with time overflow", &|it| of(it.overflow_days, bench.days)),
        row("hallucination flags", &|it| it.hallucination_flags.to_string()),
    ];
    for (at, name) in
        ["right of low confidence", "right of medium confidence", "right of high confidence"].into_iter().enumerate()
    {
        rows.push(row(name, &|it| it.confidence.get(at).map_or_else(String::new, |own| of(own.right, own.days))));
    }
    rows.extend([
        row("confidence mismatches", &|it| it.confidence_mismatches.to_string()),
        row("time hallucination", &|it| of(it.failure_modes.time_hallucination, bench.days)),
        row("context collapse", &|it| of(it.failure_modes.context_collapse, bench.canonical_days)),
        row("overconfidence", &|it| of(it.failure_modes.overconfidence, bench.days)),
        row("humanly impossible", &|it| of(it.failure_modes.humanly_impossible, bench.days)),
    ]);
    rows
}

fn summary(bench: &Bench) -> String {
    format!(
        "{} days, {} of them written by hand; everything can be done on {}, not on {}",
        bench.days, bench.canonical_days, bench.feasible_days, bench.infeasible_days
    )
}

fn reader(bench: &Bench) -> String {
    let reader = &bench.reader;
    format!(
        "The reader gets {} of {} days right: free time on {}, tasks on {}, their limits on {}",
        reader.right, bench.days, reader.free_time_right, reader.tasks_right, reader.limits_right
    )
}

/// What went wrong, day by day.
fn wrong(bench: &Bench) -> impl Iterator<Item = &BenchRow> {
    bench.rows.iter().filter(|row| if row.in_long_notes { !row.problems.is_empty() } else { !row.right })
}

/// "zones-3, v4_repair, rejected, in long notes".
fn title(row: &BenchRow) -> String {
    let place = if row.in_long_notes { ", in long notes" } else { "" };
    format!("{}, {}, {}{place}", row.day, row.variant, row.status)
}

/// The comparison as a table for a terminal, and the days that the last variant or the reader got wrong.
#[must_use]
pub fn text(bench: &Bench, colour: Colour) -> String {
    const NAME_WIDTH: usize = 28;
    const WIDTH: usize = 16;
    let mut out = format!("{}\n\n", summary(bench));
    let heads: String = bench.variants.iter().map(|it| format!("{:>WIDTH$}", it.variant.name())).collect();
    let _ = writeln!(out, "{}", colour.paint(Style::Bold, &format!("{:<NAME_WIDTH$}{heads}", "")));
    for (name, values) in figures(bench) {
        let values: String = values.iter().map(|value| format!("{value:>WIDTH$}")).collect();
        let _ = writeln!(out, "{name:<NAME_WIDTH$}{values}");
    }
    let last = bench.variants.last().map(|it| it.variant);
    let rows: Vec<&BenchRow> = wrong(bench).filter(|row| Some(row.variant) == last).collect();
    section(&mut out, "Days that it got wrong", colour, rows.iter().map(|row| (title(row), &row.problems)));
    let _ = writeln!(out, "\n{}", reader(bench));
    let misread = bench.reader.wrong.iter().map(|it| (it.day.clone(), &it.problems));
    section(&mut out, "Days that were misread", colour, misread);
    out
}

fn section<'a>(out: &mut String, name: &str, colour: Colour, days: impl Iterator<Item = (String, &'a Vec<String>)>) {
    let days: Vec<_> = days.collect();
    if days.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, name));
    for (day, problems) in days.iter().take(DAYS_SHOWN_MAX) {
        let _ = writeln!(out, "  {day}");
        for problem in *problems {
            let _ = writeln!(out, "    - {}", line(problem, LINE_CHARS_MAX));
        }
    }
    if days.len() > DAYS_SHOWN_MAX {
        let _ = writeln!(out, "  and {} more in the JSON", days.len() - DAYS_SHOWN_MAX);
    }
}

/// Days, and what is wrong with each.
type Days = Vec<(String, Vec<String>)>;

/// The values of `bench_part.html`.
#[derive(Template)]
#[template(path = "bench_part.html")]
struct Part {
    reader: String,
    variants: Vec<&'static str>,
    figures: Vec<(&'static str, Vec<String>)>,
    lists: Vec<(&'static str, Days)>,
}

/// The comparison as one self-contained page without a script.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(bench: &Bench) -> Result<String, Error> {
    let wrong = wrong(bench).map(|row| (title(row), row.problems.clone())).collect();
    let misread = bench.reader.wrong.iter().map(|it| (it.day.clone(), it.problems.clone())).collect();
    let part = Part {
        reader: reader(bench),
        variants: bench.variants.iter().map(|it| it.variant.name()).collect(),
        figures: figures(bench),
        lists: vec![("Days that were misread", misread), ("Days that a variant got wrong", wrong)],
    };
    let frame = Frame {
        css: CSS,
        kind: "Bench of day plans",
        title: "How the variants of the planner compare".to_owned(),
        beside: summary(bench),
        part: part.render().map_err(Error::Html)?,
        footer: "Steadfast plan bench. What must hold is known from the generator of the days, not from the reader of their notes.",
    };
    frame.render().map_err(Error::Html)
}
