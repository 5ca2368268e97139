//! Charts of a comparison: scores by step with their spread, and each task in both arms.

use steadfast_wire::watch::{Comparison, PairedTask};

use super::words::{Spread, StepRow, quartiles, signed, task};
use crate::chart::{Anchor, Frame, Mark, Scale, Svg, step_ticks, tick_label};
use crate::plain::shorten;
use crate::watch::digest::score;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 284.0;
/// Room for the numbers of the upright axis.
const LEFT: f64 = 50.0;
/// Height of a task in the chart of pairs: its name, and its line below.
const ROW: f64 = 42.0;
const TICKS_MAX: usize = 8;
/// Steps up to which every mean is marked by itself.
const MARKED_STEPS_MAX: usize = 40;
const TASK_CHARS_MAX: usize = 44;

/// One arm's spread at a step.
type Arm = fn(&StepRow) -> Option<Spread>;

/// The means of both arms by step, with their spread as bands.
pub(super) fn by_step(comparison: &Comparison, rows: &[StepRow]) -> String {
    let frame = Frame { left: LEFT, right: WIDTH - 14.0, top: 12.0, bottom: HEIGHT - 56.0 };
    let (places, up) = (frame.positions(rows.len()), frame.scores_up());
    let spread = if quartiles(comparison) { "quartiles" } else { "least and greatest score" };
    let means = format!("Mean {} in A and {} in B.", score(comparison.mean_a), score(comparison.mean_b));
    let description = format!(
        "Mean Intent Drift Score over {} tasks by step, on a scale from 0 to 1, with the {spread} as a band. {means} The numbers stand in the table below.",
        comparison.curves.len()
    );
    let mut svg = Svg::new("by-step", "chart", (WIDTH, HEIGHT), "Scores by step in both arms", &description);
    frame.draw_scores_up(&mut svg);
    for at in step_ticks(rows.len(), TICKS_MAX) {
        let x = places.at(at as f64);
        svg.line("tick-mark", (x, frame.bottom), (x, frame.bottom + 4.0));
        svg.text("tick", Anchor::Middle, (x, frame.bottom + 25.0), &rows[at].from.to_string());
    }
    svg.text("axis", Anchor::End, (frame.right, frame.bottom + 50.0), "step, counted from 0");
    svg.text("axis", Anchor::Start, (frame.left, frame.bottom + 50.0), "IDS, lower is better");
    let arms: [(Arm, &str, &str, &str, Mark, &str); 2] = [
        (|row| row.a, "spread-a", "arm-a", "mark-a", Mark::Circle, "A"),
        (|row| row.b, "spread-b", "arm-b", "mark-b", Mark::Square, "B"),
    ];
    for (arm, band, ..) in arms {
        let points = rows.iter().enumerate().map(|(at, row)| {
            let own = arm(row)?;
            Some((places.at(at as f64), up.at(own.low), up.at(own.high)))
        });
        svg.area(band, &points.collect::<Vec<_>>());
    }
    for (arm, _, path, point, mark, name) in arms {
        let mean = |at: usize, row: &StepRow| arm(row).map(|own| (places.at(at as f64), up.at(own.mean)));
        svg.polyline(path, rows.iter().enumerate().map(|(at, row)| mean(at, row)));
        if rows.len() <= MARKED_STEPS_MAX {
            for (at, row) in rows.iter().enumerate() {
                if let (Some(place), Some(own)) = (mean(at, row), arm(row)) {
                    svg.mark(point, mark, place, &format!("{name}, step {}: {:.3}", row.from, own.mean));
                }
            }
        }
    }
    svg.finish()
}

/// Each task as a line between its scores in both arms.
pub(super) fn by_task(pairs: &[&PairedTask]) -> String {
    let frame = Frame { left: 16.0, right: WIDTH - 16.0, top: 34.0, bottom: 34.0 + pairs.len() as f64 * ROW };
    let across = Scale::new((0.0, 1.0), (frame.left, frame.right));
    let lower = pairs.iter().filter(|pair| pair.delta < 0.0).count();
    let description = format!(
        "{} tasks, each with its mean Intent Drift Score in A and in B on a scale from 0 to 1; B is lower on {lower}. The numbers stand in the table below.",
        pairs.len()
    );
    let size = (WIDTH, frame.bottom + 10.0);
    let mut svg = Svg::new("by-task", "chart", size, "Each task in both arms", &description);
    for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = across.at(value);
        svg.line("grid", (x, frame.top - 8.0), (x, frame.bottom));
        svg.text("tick", Anchor::Middle, (x, 18.0), &tick_label(value));
    }
    for (at, pair) in pairs.iter().enumerate() {
        let top = frame.top + at as f64 * ROW;
        let y = top + 30.0;
        let (a, b) = (across.at(pair.a_mean_ids), across.at(pair.b_mean_ids));
        let name = shorten(&task(&pair.task_id), TASK_CHARS_MAX);
        svg.text("label", Anchor::Start, (frame.left + 4.0, top + 16.0), &name);
        svg.text("tick", Anchor::End, (frame.right - 4.0, top + 16.0), &format!("B − A {}", signed(pair.delta)));
        svg.line("grid", (frame.left, y), (frame.right, y));
        svg.line("between", (a, y), (b, y));
        svg.mark("mark-a", Mark::Circle, (a, y), &format!("A: {:.3}", pair.a_mean_ids));
        svg.mark("mark-b", Mark::Square, (b, y), &format!("B: {:.3}", pair.b_mean_ids));
    }
    svg.finish()
}
