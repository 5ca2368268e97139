//! Drift curves as SVG.

use steadfast_wire::watch::{AlertCause, Step, Trajectory, UpdateType};

use super::digest::{ids, name, onset_at, score, worst};
use crate::chart::{Anchor, Frame, Mark, Scale, Svg, highest, step_ticks, stretches};
use crate::digest::count_of;

/// Width and height of a drift curve in its own units, without the lanes of alerts.
const SIZE: (f64, f64) = (720.0, 284.0);
/// Room for the numbers of the upright axis.
const LEFT: f64 = 50.0;
/// Height of a lane of alerts.
const LANE: f64 = 22.0;
/// Steps up to which every score is marked by itself.
const MARKED_STEPS_MAX: usize = 60;
const TICKS_MAX: usize = 8;
const SMALL: (f64, f64) = (180.0, 44.0);
const SMALL_POINTS_MAX: usize = 90;

/// A drift curve, with what must be said beside it.
pub(crate) struct Curve {
    /// The picture.
    pub(crate) svg: String,
    /// How many steps a point stands for at most.
    pub(crate) steps_per_point: usize,
    /// Whether a legend for each of these is due: goal changes, onset, alerts, gaps.
    pub(crate) goal_changes: bool,
    pub(crate) gaps: bool,
}

/// The instruction changed the goal here.
const fn changes_goal(step: &Step) -> bool {
    matches!(step.update_type, Some(UpdateType::HighDriftRisk | UpdateType::MajorShift))
}

/// The curve of one trajectory: scores against the current goal and against the initial intent, alerts in lanes above, goal changes
/// as strokes below. `points_max` bounds the points of each line; of steps that share one the highest score is drawn.
pub(crate) fn curve(own: &Trajectory, id: &str, points_max: usize, with_marks: bool) -> Curve {
    let causes: Vec<AlertCause> =
        AlertCause::ALL.iter().copied().filter(|cause| own.alerts.iter().any(|it| it.cause == *cause)).collect();
    let lanes = causes.len() as f64 * LANE;
    let frame = Frame { left: LEFT, right: SIZE.0 - 14.0, top: 12.0 + lanes, bottom: SIZE.1 - 56.0 + lanes };
    let count = own.steps.len();
    let places = frame.positions(count);
    let place = |at: usize| places.at(at as f64);
    let up = frame.scores_up();
    let title = format!("Drift curve of {}", name(&own.task_id, own.agent.as_deref()));
    let mut svg = Svg::new(id, "chart", (SIZE.0, SIZE.1 + lanes), &title, &description(own));

    alerts(&mut svg, own, &causes, &frame, places);
    frame.draw_scores_up(&mut svg);
    axis(&mut svg, own, &frame, places);

    let thinned = |value: &dyn Fn(usize) -> Option<f64>| -> Vec<Option<(f64, f64)>> {
        stretches(count, points_max)
            .map(|stretch| {
                let at = highest(stretch, value)?;
                Some((place(at), up.at(value(at)?)))
            })
            .collect()
    };
    svg.polyline("anchor", thinned(&|at| own.steps[at].anchor_ids.filter(|it| it.is_finite())));
    svg.polyline("distance", thinned(&|at| own.steps[at].goal_distance.filter(|it| it.is_finite())));
    svg.polyline("ids", thinned(&|at| ids(&own.steps[at])));
    if with_marks && count <= MARKED_STEPS_MAX {
        for (at, step) in own.steps.iter().enumerate() {
            if let Some(ids) = ids(step) {
                let words = format!("step {}: {ids:.3}", step.step);
                svg.mark("ids-mark", Mark::Circle, (place(at), up.at(ids)), &words);
            }
        }
    }
    // Of marks that would cover one another the first stands.
    let strokes = |apart: f64, held: &dyn Fn(&Step) -> bool| {
        let mut places: Vec<f64> = Vec::new();
        for (at, step) in own.steps.iter().enumerate() {
            if held(step) && places.last().is_none_or(|last| place(at) - last >= apart) {
                places.push(place(at));
            }
        }
        places
    };
    let changes = strokes(1.0, &changes_goal);
    let gaps = strokes(9.0, &|step| ids(step).is_none());
    let goal_changes = !changes.is_empty();
    svg.strokes("change", changes, (frame.bottom + 2.0, frame.bottom + 10.0));
    for x in &gaps {
        svg.mark("gap", Mark::Circle, (*x, frame.bottom), "");
    }
    if let (Some(at), Some(step)) = (onset_at(own), own.onset) {
        let x = place(at);
        svg.line("onset", (x, frame.top - 4.0), (x, frame.bottom));
        let (anchor, beside) =
            if x > (frame.left + frame.right) / 2.0 { (Anchor::End, -7.0) } else { (Anchor::Start, 7.0) };
        svg.text("onset-of", anchor, (x + beside, frame.top + 12.0), &format!("onset, step {step}"));
    }
    Curve {
        svg: svg.finish(),
        steps_per_point: count.div_ceil(count.min(points_max).max(1)),
        goal_changes,
        gaps: !gaps.is_empty(),
    }
}

/// Alerts as bars in a lane for each cause, and as a shade over the plot.
fn alerts(svg: &mut Svg, own: &Trajectory, causes: &[AlertCause], frame: &Frame, places: Scale) {
    if causes.is_empty() {
        return;
    }
    let mut numbers: Vec<(i64, usize)> = own.steps.iter().enumerate().map(|(at, step)| (step.step, at)).collect();
    numbers.sort_unstable();
    let last = own.steps.len().saturating_sub(1);
    let position = |number: i64| numbers.get(numbers.partition_point(|it| it.0 < number)).map_or(last, |it| it.1);
    for (lane, cause) in causes.iter().enumerate() {
        let top = 6.0 + lane as f64 * LANE;
        let mut reached = f64::MIN;
        for (at, alert) in own.alerts.iter().filter(|it| it.cause == *cause).enumerate() {
            let from = places.at(position(alert.from_step) as f64);
            let until = places.at(position(alert.to_step) as f64).max(from);
            // One step is no width, and must be seen.
            let (left, right) = ((from - 2.0).max(frame.left), (until + 2.0).min(frame.right));
            if right <= reached {
                continue;
            }
            let left = left.max(reached);
            reached = right;
            svg.rect("band", (left, top), (right - left, frame.bottom - top));
            svg.rect("alert", (left, top), (right - left, 4.0));
            if at == 0 {
                let (anchor, x) =
                    if left > (frame.left + frame.right) / 2.0 { (Anchor::End, right) } else { (Anchor::Start, left) };
                svg.text("alert-of", anchor, (x, top + 17.0), &format!("alert: {}", cause.label()));
            }
        }
    }
}

/// The axis of steps, with the numbers that the input gives them.
fn axis(svg: &mut Svg, own: &Trajectory, frame: &Frame, places: Scale) {
    let y = frame.bottom + 25.0;
    for at in ticks(own) {
        let x = places.at(at as f64);
        svg.line("tick-mark", (x, frame.bottom), (x, frame.bottom + 4.0));
        svg.text("tick", Anchor::Middle, (x, y), &own.steps[at].step.to_string());
    }
    svg.text("axis", Anchor::End, (frame.right, y + 25.0), "step");
    svg.text("axis", Anchor::Start, (frame.left, y + 25.0), "0 on the goal, 1 farthest from it");
}

/// Positions that are named: round step numbers where they follow one another, else round positions.
fn ticks(own: &Trajectory) -> Vec<usize> {
    let all = step_ticks(own.steps.len(), TICKS_MAX);
    let every = all.get(1).copied().unwrap_or(1) as i64;
    let one_by_one = own.steps.windows(2).all(|pair| pair[0].step.checked_add(1) == Some(pair[1].step));
    if !one_by_one {
        return all;
    }
    let round = (0..own.steps.len()).filter(|at| own.steps[*at].step.rem_euclid(every) == 0);
    let round: Vec<usize> = round.collect();
    if round.is_empty() { all } else { round }
}

/// What is to be seen, in words.
fn description(own: &Trajectory) -> String {
    let mut words = format!(
        "Intent Drift Score by step, {}, on a scale from 0 to 1. Mean {}, maximum {}.",
        count_of(own.steps.len(), "step"),
        score(own.mean_ids),
        score(own.max_ids)
    );
    if let Some((step, ids)) = worst(own).first() {
        words.push_str(&format!(" The highest score is {ids:.3} at step {}.", step.step));
    }
    match own.onset {
        Some(step) => words.push_str(&format!(" Scores rise for good at step {step}.")),
        None => words.push_str(" There is no sustained rise."),
    }
    if !own.alerts.is_empty() {
        words.push_str(&format!(" {} shown above the curve.", count_of(own.alerts.len(), "alert")));
    }
    words
}

/// The scores alone, for the overview.
pub(super) fn small(own: &Trajectory) -> String {
    let frame = Frame { left: 2.0, right: SMALL.0 - 2.0, top: 3.0, bottom: SMALL.1 - 3.0 };
    let (places, up) = (frame.positions(own.steps.len()), frame.scores_up());
    let mut svg = Svg::ornament("small-chart", SMALL);
    svg.line("grid", (frame.left, frame.bottom), (frame.right, frame.bottom));
    let points = stretches(own.steps.len(), SMALL_POINTS_MAX).map(|stretch| {
        let at = highest(stretch, |at| ids(&own.steps[at]))?;
        Some((places.at(at as f64), up.at(ids(&own.steps[at])?)))
    });
    svg.polyline("ids", points);
    if let Some(at) = onset_at(own) {
        let x = places.at(at as f64);
        svg.line("onset", (x, 0.0), (x, SMALL.1));
    }
    svg.finish()
}
