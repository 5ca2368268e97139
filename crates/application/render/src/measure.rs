//! Figures on labelled data, as one page and as a document.

mod markdown;

pub use markdown::{About, Constant, Detector, markdown};

use askama::Template;
use steadfast_wire::measure::{Figure, Measurement};

use crate::Error;
use crate::chart::{Scale, Svg};
use crate::html::policy::policy;
use crate::plain::line;

const CSS: &str = concat!(include_str!("../templates/report.css"), include_str!("../templates/watch.css"));

/// Figures of a page, at most.
const FIGURES_MAX: usize = 2_000;
const NAME_CHARS_MAX: usize = 120;
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
