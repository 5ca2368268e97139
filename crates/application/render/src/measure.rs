//! Figures on labelled data, as one page and as a document.

mod markdown;

pub use markdown::{About, Constant, Detector, markdown};

use askama::Template;
use steadfast_wire::measure::{Figure, Measurement};
use steadfast_wire::mutate::{Change, Mutations};

use crate::Error;
use crate::chart::{Scale, Svg};
use crate::html::policy::policy;
use crate::plain::line;

const CSS: &str = concat!(include_str!("../templates/report.css"), include_str!("../templates/watch.css"));

/// Figures of a page, at most.
const FIGURES_MAX: usize = 2_000;
const NAME_CHARS_MAX: usize = 120;
const CLAIM_CHARS_MAX: usize = 400;
/// Width and height of a drawn figure in its own units.
const SIZE: (f64, f64) = (160.0, 18.0);

/// The values of `measure.html`.
#[derive(Template)]
#[template(path = "measure.html")]
struct Page {
    csp: String,
    css: &'static str,
    embedder: Option<String>,
    sets: Vec<SetOf>,
    missing: Vec<String>,
    left_out: usize,
    compared: Option<usize>,
    regressions: Vec<Vec<String>>,
}

/// The values of `mutations.html`.
#[derive(Template)]
#[template(path = "mutations.html")]
struct MutationsPage {
    csp: String,
    css: &'static str,
    about: String,
    sets: Vec<SetOf>,
    operators: Vec<Vec<String>>,
    false_incidents: Vec<Vec<String>>,
    missed: Vec<Vec<String>>,
    left_out: usize,
}

struct SetOf {
    name: String,
    time: Option<String>,
    figures: Vec<Row>,
}

struct Row {
    metric: String,
    svg: String,
    values: Vec<String>,
}

/// The figures of a measurement as one self-contained page without a script. A figure from 0 to 1 is drawn with its interval, the floor and what
/// others report; every drawing has its numbers beside it.
///
/// # Errors
///
/// [`Error::Html`] where the template fails.
pub fn html(measurement: &Measurement) -> Result<String, Error> {
    let time = |set: &str| {
        let own = measurement.run.as_ref()?.times.iter().find(|own| own.set == set)?;
        Some(format!("{} rows, {} ms a row", own.rows, own.ms_per_row.map_or_else(none, |it| format!("{it:.2}"))))
    };
    let sets = sets_of(&measurement.rows, &time);
    let regressions = measurement.baseline.iter().flat_map(|it| &it.regressions).take(FIGURES_MAX);
    let page = Page {
        csp: policy(CSS, None),
        css: CSS,
        embedder: measurement.embedder.as_deref().map(|name| line(name, NAME_CHARS_MAX)),
        sets,
        missing: measurement.missing.iter().take(FIGURES_MAX).map(|name| line(name, NAME_CHARS_MAX)).collect(),
        left_out: measurement.rows.len().saturating_sub(FIGURES_MAX),
        compared: measurement.baseline.as_ref().map(|it| it.compared),
        regressions: regressions
            .map(|it| {
                vec![
                    line(&it.set, NAME_CHARS_MAX),
                    line(&it.metric, NAME_CHARS_MAX),
                    number(it.was),
                    number(it.now),
                    number(it.tolerance),
                ]
            })
            .collect(),
    };
    page.render().map_err(Error::Html)
}

/// What is found of changes that are known, as one self-contained page without a script: the figures, what was found by operator, what was found
/// in faithful reports, and what was missed, with both wordings.
///
/// # Errors
///
/// [`Error::Html`] where the template fails.
pub fn mutations_html(report: &Mutations) -> Result<String, Error> {
    let operators = report.operators.iter().map(|it| {
        vec![
            it.drift_type.letter().to_owned(),
            line(&it.operator, NAME_CHARS_MAX),
            line(&it.about, NAME_CHARS_MAX),
            format!("{} of {}", it.found, it.cases),
            format!("{} of {}", it.kept_found, it.kept_cases),
        ]
    });
    let false_incidents = report.false_incidents.iter().take(FIGURES_MAX).map(|it| {
        vec![
            line(&it.pair, NAME_CHARS_MAX),
            it.check.as_deref().map_or_else(none, |check| line(check, NAME_CHARS_MAX)),
            it.output_claim.as_deref().map_or_else(none, |claim| line(claim, CLAIM_CHARS_MAX)),
        ]
    });
    let told = |changes: &[Change], of: fn(&Change) -> &String| {
        let texts: Vec<&str> = changes.iter().map(|change| of(change).trim()).filter(|text| !text.is_empty()).collect();
        if texts.is_empty() { none() } else { line(&texts.join(" … "), CLAIM_CHARS_MAX) }
    };
    let missed = report.missed.iter().take(FIGURES_MAX).map(|it| {
        vec![
            it.drift_type.letter().to_owned(),
            line(&it.operator, NAME_CHARS_MAX),
            line(&it.pair, NAME_CHARS_MAX),
            told(&it.changes, |change| &change.was),
            told(&it.changes, |change| &change.is),
            it.source_reference.as_deref().map_or_else(none, |words| line(words, CLAIM_CHARS_MAX)),
        ]
    });
    let page = MutationsPage {
        csp: policy(CSS, None),
        css: CSS,
        about: format!(
            "{} drifted reports of {} faithful pairs, seed {}, at most {} of a pair by one operator, judged by {}.",
            report.cases, report.pairs, report.seed, report.per_operator, report.judge
        ),
        sets: sets_of(&report.rows, &|_| None),
        operators: operators.collect(),
        false_incidents: false_incidents.collect(),
        missed: missed.collect(),
        left_out: report.missed.len().saturating_sub(FIGURES_MAX)
            + report.false_incidents.len().saturating_sub(FIGURES_MAX),
    };
    page.render().map_err(Error::Html)
}

/// Figures by set, in their order.
fn sets_of(figures: &[Figure], time: &dyn Fn(&str) -> Option<String>) -> Vec<SetOf> {
    let mut sets: Vec<SetOf> = Vec::new();
    for figure in figures.iter().take(FIGURES_MAX) {
        let name = line(&figure.set, NAME_CHARS_MAX);
        if sets.last().is_none_or(|last| last.name != name) {
            sets.push(SetOf { time: time(&figure.set), name, figures: Vec::new() });
        }
        if let Some(last) = sets.last_mut() {
            last.figures.push(row(figure));
        }
    }
    sets
}

fn none() -> String {
    "–".to_owned()
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(none, |value| format!("{value:.3}"))
}

fn row(figure: &Figure) -> Row {
    let interval = figure.ci95.map_or_else(none, |[low, high]| format!("{low:.3} to {high:.3}"));
    Row {
        metric: line(&figure.metric, NAME_CHARS_MAX),
        svg: drawing(figure),
        values: vec![
            number(figure.value),
            interval,
            figure.n.to_string(),
            number(figure.tuned),
            number(figure.kept),
            number(figure.floor),
            number(figure.published),
        ],
    }
}

/// A bar from 0 to 1 with the interval as a line, and strokes for the floor and what others report. Nothing where a value lies outside.
fn drawing(figure: &Figure) -> String {
    let shares = [figure.value, figure.floor, figure.published];
    let Some(value) = figure.value.filter(|_| shares.iter().flatten().all(|it| (0.0..=1.0).contains(it))) else {
        return String::new();
    };
    let (width, height) = SIZE;
    let x = Scale::new((0.0, 1.0), (1.0, width - 1.0));
    let mut svg = Svg::ornament("figure", SIZE);
    svg.rect("axis", (x.at(0.0), height - 1.0), (x.at(1.0) - x.at(0.0), 1.0));
    svg.rect("ids-fill", (x.at(0.0), 5.0), (x.at(value) - x.at(0.0), height - 10.0));
    if let Some([low, high]) = figure.ci95 {
        svg.line("ids", (x.at(low.clamp(0.0, 1.0)), height / 2.0), (x.at(high.clamp(0.0, 1.0)), height / 2.0));
    }
    for (own, class) in [(figure.floor, "threshold"), (figure.published, "anchor")] {
        if let Some(own) = own {
            svg.strokes(class, [x.at(own)], (1.0, height - 1.0));
        }
    }
    svg.finish()
}
