//! What was picked, as text and as a page; how an operating point of `pick` was fitted, as one with charts; and what a chat model said of a task, as text.

mod filled;
mod interval;
mod page;
mod part;
mod terminal;
mod view;

use askama::Template;
use steadfast_wire::pick::{OperatingPoints, PointFit, PointThresholds, SetFigures};

use crate::Error;
use crate::chart::{Anchor, Frame, Mark, Scale, Svg, tick_label};
use crate::html::policy::policy;
use crate::plain::line;

pub use filled::filled_markdown;
pub use interval::interval;
pub use page::html;
pub use part::{Around, part};
pub use terminal::text;
pub use view::view_text;

const CSS: &str = concat!(include_str!("../templates/report.css"), include_str!("../templates/watch.css"));

/// Operating points of a page: a file has two.
const POINTS_MAX: usize = 8;
const NAME_CHARS_MAX: usize = 120;
/// Width and height of a chart in its own units.
const SIZE: (f64, f64) = (720.0, 300.0);

/// The values of `calibration.html`.
#[derive(Template)]
#[template(path = "calibration.html")]
struct Page {
    csp: String,
    css: &'static str,
    name: String,
    points: Vec<Point>,
}

struct Point {
    title: &'static str,
    embedder: String,
    thresholds: Vec<(&'static str, String)>,
    fit: Option<Fit>,
    curve_svg: String,
    curve: Vec<(String, String)>,
}

struct Fit {
    objective: String,
    facts: Vec<(&'static str, String)>,
    sets: Vec<Vec<String>>,
    folds: Vec<Vec<String>>,
    trade_off_svg: String,
    trade_off: Vec<Vec<String>>,
    risk_svg: String,
    risk: Vec<(String, String)>,
}

/// How operating points were fitted, as one self-contained page without a script: every chart has its numbers in a table.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn calibration_html(points: &OperatingPoints) -> Result<String, Error> {
    let page = Page {
        csp: policy(CSS, None),
        css: CSS,
        name: line(&points.name, NAME_CHARS_MAX),
        points: points.points.iter().take(POINTS_MAX).enumerate().map(|(at, own)| point(own, at)).collect(),
    };
    page.render().map_err(Error::Html)
}

fn three(value: f64) -> String {
    format!("{value:.3}")
}

fn point(own: &PointThresholds, at: usize) -> Point {
    let embedder = own.fit.as_ref().and_then(|fit| fit.embedder.as_deref());
    let curve: Vec<(f64, f64)> = own.curve.iter().map(|it| (it.score, it.confidence)).collect();
    Point {
        title: match own.vectors {
            Some(true) => "With vectors",
            Some(false) => "By words alone",
            None => "For every vault",
        },
        embedder: embedder.map_or_else(|| "no embedder".to_owned(), |name| line(name, NAME_CHARS_MAX)),
        thresholds: vec![
            ("t_ambiguity", three(own.t_ambiguity)),
            ("t_single", three(own.t_single)),
            ("t_chain", three(own.t_chain)),
            ("delta", three(own.delta)),
        ],
        curve_svg: chart(
            &format!("curve-{at}"),
            ("What a score is worth", "confidence", "score"),
            &[Series { class: "ids", mark: Some("ids-mark"), points: curve }],
        ),
        curve: own.curve.iter().map(|it| (three(it.score), three(it.confidence))).collect(),
        fit: own.fit.as_ref().map(|own| fit(own, at)),
    }
}

fn fit(own: &PointFit, at: usize) -> Fit {
    let confidence = &own.confidence;
    let set = |(fitted, held_out): (&SetFigures, &SetFigures)| {
        let share = |figures: &SetFigures, mode: usize| figures.modes.get(mode).map_or(0.0, |it| it.share);
        vec![
            line(&fitted.set, NAME_CHARS_MAX),
            line(&fitted.wants, NAME_CHARS_MAX),
            fitted.tasks.to_string(),
            three(fitted.success),
            three(held_out.success),
            three(share(held_out, 0)),
            three(share(held_out, 1)),
            three(share(held_out, 2)),
            held_out.success_answered.map_or_else(|| "–".to_owned(), three),
        ]
    };
    let trade: Vec<(f64, f64)> =
        own.trade_off.iter().filter_map(|it| Some((it.abstained, it.success_answered?))).collect();
    let asked: Vec<(f64, f64)> = own.trade_off.iter().map(|it| (it.abstained, it.asked)).collect();
    let risk: Vec<(f64, f64)> = own.risk_coverage.iter().map(|it| (it.coverage, it.risk)).collect();
    Fit {
        objective: line(&own.objective, 1_000),
        facts: vec![
            ("objective, fitted", three(own.fitted.objective)),
            ("objective, held out", three(own.held_out.objective)),
            ("clear tasks that may end in a question", three(own.abstain_max)),
            ("operating points tried", own.tried.to_string()),
            ("Brier score, before and after", format!("{:.3}, {:.3}", confidence.brier_before, confidence.brier_after)),
            (
                "calibration error, before and after",
                format!("{:.3}, {:.3}", confidence.ece_before, confidence.ece_after),
            ),
            ("program version", line(&own.program_version, NAME_CHARS_MAX)),
        ],
        sets: own.fitted.sets.iter().zip(&own.held_out.sets).map(set).collect(),
        folds: own
            .by_fold
            .iter()
            .enumerate()
            .map(|(number, it)| {
                let values = [it.t_ambiguity, it.t_single, it.t_chain, it.delta, it.fitted, it.held_out];
                let mut row = vec![(number + 1).to_string(), it.tasks.to_string()];
                row.extend(values.map(three));
                row
            })
            .collect(),
        trade_off_svg: chart(
            &format!("trade-off-{at}"),
            (
                "What asking costs and gains",
                "success of answered clear tasks (line); tasks that want a question and get one (dashes)",
                "clear tasks that end in a question",
            ),
            &[
                Series { class: "arm-a", mark: Some("mark-a"), points: trade },
                Series { class: "arm-b", mark: Some("mark-b"), points: asked },
            ],
        ),
        trade_off: own
            .trade_off
            .iter()
            .map(|it| {
                let success = it.success_answered.map_or_else(|| "–".to_owned(), three);
                vec![three(it.abstain_max), three(it.abstained), success, three(it.asked), three(it.objective)]
            })
            .collect(),
        risk_svg: chart(
            &format!("risk-{at}"),
            ("Risk over coverage", "risk", "coverage: the surest share of answered tasks"),
            &[Series { class: "ids", mark: Some("ids-mark"), points: risk }],
        ),
        risk: own.risk_coverage.iter().map(|it| (three(it.coverage), three(it.risk))).collect(),
    }
}

/// A line of a chart.
struct Series {
    class: &'static str,
    mark: Option<&'static str>,
    points: Vec<(f64, f64)>,
}

/// Lines over a square of shares: both axes go from 0 to 1.
fn chart(id: &str, (title, up, along): (&str, &str, &str), series: &[Series]) -> String {
    let frame = Frame { left: 50.0, right: SIZE.0 - 14.0, top: 12.0, bottom: SIZE.1 - 56.0 };
    let (across, upright) = (Scale::new((0.0, 1.0), (frame.left, frame.right)), frame.scores_up());
    let description = format!("{up}, against {along}; the numbers stand in the table below.");
    let mut svg = Svg::new(id, "chart", SIZE, title, &description);
    frame.draw_scores_up(&mut svg);
    for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = across.at(value);
        svg.line("tick-mark", (x, frame.bottom), (x, frame.bottom + 4.0));
        svg.text("tick", Anchor::Middle, (x, frame.bottom + 20.0), &tick_label(value));
    }
    svg.text("axis", Anchor::End, (frame.right, frame.bottom + 42.0), along);
    svg.text("axis", Anchor::Start, (frame.left, frame.bottom + 42.0), up);
    for own in series {
        let mut points: Vec<(f64, f64)> =
            own.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        svg.polyline(own.class, points.iter().map(|(x, y)| Some((across.at(*x), upright.at(*y)))));
        for (x, y) in points.iter().filter(|_| own.mark.is_some()) {
            let words = format!("{x:.3}: {y:.3}");
            svg.mark(own.mark.unwrap_or_default(), Mark::Circle, (across.at(*x), upright.at(*y)), &words);
        }
    }
    svg.finish()
}
