//! A report as one self-contained page.

use askama::Template;
use steadfast_wire::watch::{Trajectory, Watch};

use super::digest::{
    alerted_count, any_alert, extent, flags, gaps, ids, judged, made_with, name, no_mean, onset, problem, repeats,
    rests_on, score, shown_in_full, steps_of, trajectories, worst,
};
use super::drawing::{curve, small};
use crate::Error;
use crate::chart::{highest, stretches};
use crate::html::policy::policy;
use crate::plain::line;

/// The style of both pages.
pub(super) const CSS: &str =
    concat!(include_str!("../../templates/report.css"), include_str!("../../templates/watch.css"));

/// Trajectories that have a section of their own, those with alerts before others.
const SECTIONS_MAX: usize = 200;
/// Trajectories that stand in the overview.
const OVERVIEW_MAX: usize = 400;
/// Points of each of a curve's two lines, and of all curves' lines.
const POINTS_MAX: usize = 700;
const POINTS_OF_PAGE_MAX: usize = 40_000;
/// Rows of one table of steps, and of all of them.
const ROWS_MAX: usize = 500;
const ROWS_OF_PAGE_MAX: usize = 8_000;
/// Trajectories up to which every score of a short run is marked by itself.
const MARKED_TRAJECTORIES_MAX: usize = 30;
const LINES_SHOWN_MAX: usize = 60;
const INTENT_CHARS_MAX: usize = 400;
const GOAL_CHARS_MAX: usize = 200;
const MESSAGE_CHARS_MAX: usize = 400;

/// The values of `watch.html`.
#[derive(Template)]
#[template(path = "watch.html")]
struct Page {
    csp: String,
    css: &'static str,
    title: String,
    made_with: String,
    extent: String,
    summary: String,
    overview: Vec<Cell>,
    overview_more: usize,
    runs: Vec<Run>,
    runs_more: usize,
    duplicates: List,
    duplicate_count: usize,
    problems: Vec<(String, String)>,
    problem_count: usize,
}

/// The values of `watch_summary.html`.
#[derive(Template)]
#[template(path = "watch_summary.html")]
struct Summary {
    /// Whether the page has a glossary.
    help: bool,
    any_alert: bool,
    alerting: usize,
    alerted: String,
    alerted_names: Vec<(Option<String>, String)>,
    alerted_more: usize,
    rests_on: String,
    threshold: Option<String>,
    calibration: &'static str,
    trajectories: usize,
    judged: List,
}

/// Lines, and how many there are beyond them.
pub(super) struct List {
    pub(super) items: Vec<String>,
    pub(super) more: usize,
}

impl List {
    /// The first of `lines`.
    pub(super) fn of(mut lines: Vec<String>) -> Self {
        let more = lines.len().saturating_sub(LINES_SHOWN_MAX);
        lines.truncate(LINES_SHOWN_MAX);
        Self { items: lines, more }
    }
}

/// One trajectory in the overview.
struct Cell {
    anchor: Option<usize>,
    name: String,
    picture: String,
    mean: String,
    max: String,
    onset: Option<i64>,
    alerts: usize,
}

/// One trajectory in full.
pub(super) struct Run {
    number: usize,
    name: String,
    pub(super) intent: Option<String>,
    pub(super) steps: usize,
    pub(super) mean: String,
    pub(super) max: String,
    pub(super) goal_shift: String,
    pub(super) onset: String,
    pub(super) no_mean: Option<&'static str>,
    pub(super) alerts: Vec<(String, &'static str, String)>,
    pub(super) alerts_more: usize,
    pub(super) gaps: Vec<String>,
    pub(super) worst: Vec<(i64, String, String)>,
    pub(super) picture: Option<Picture>,
    rows: Vec<Row>,
    rows_note: String,
}

/// The curve, and which legends are due.
pub(super) struct Picture {
    pub(super) svg: String,
    pub(super) goal_changes: bool,
    pub(super) onset: bool,
    pub(super) alerts: bool,
    pub(super) gaps: bool,
    pub(super) note: String,
}

struct Row {
    step: i64,
    ids: String,
    distance: String,
    anchor_ids: String,
    echo: String,
    update: &'static str,
    goal: Option<String>,
    flags: String,
    marked: bool,
}

/// The report as one self-contained page without a script: who raises an alert, all trajectories as small curves, then each with
/// its drift curve, alerts, worst steps and a table of its steps. Text of runs is escaped.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(watch: &Watch) -> Result<String, Error> {
    let sections = shown_in_full(watch, SECTIONS_MAX);
    let share = |of_page: usize, least: usize, most: usize| (of_page / sections.len().max(1)).clamp(least, most);
    let limits = Limits {
        points_max: share(POINTS_OF_PAGE_MAX, 60, POINTS_MAX),
        rows_max: share(ROWS_OF_PAGE_MAX, 20, ROWS_MAX),
        with_marks: sections.len() <= MARKED_TRAJECTORIES_MAX,
    };
    let overview = if watch.trajectories.len() > 1 { shown_in_full(watch, OVERVIEW_MAX) } else { Vec::new() };
    let linked = |at: usize| {
        let own = &watch.trajectories[at];
        (sections.binary_search(&at).ok().map(|_| at + 1), name(&own.task_id, own.agent.as_deref()))
    };
    let cells = overview.iter().map(|at| {
        let own = &watch.trajectories[*at];
        let (anchor, name) = linked(*at);
        Cell {
            anchor,
            name,
            picture: small(own),
            mean: score(own.mean_ids),
            max: score(own.max_ids),
            onset: own.onset,
            alerts: own.alerts.len(),
        }
    });
    let page = Page {
        csp: policy(CSS, None),
        css: CSS,
        title: match watch.trajectories.as_slice() {
            [one] => name(&one.task_id, one.agent.as_deref()),
            all => trajectories(all.len()),
        },
        made_with: made_with(watch),
        extent: extent(watch),
        summary: summary(watch, false, &|at| linked(at).0.map(|number| format!("#run-{number}")))?,
        overview: cells.collect(),
        overview_more: if overview.is_empty() { 0 } else { watch.trajectories.len() - overview.len() },
        runs: sections.iter().map(|at| run(*at + 1, &watch.trajectories[*at], &limits)).collect(),
        runs_more: watch.trajectories.len() - sections.len(),
        duplicate_count: watch.duplicates.len(),
        duplicates: List::of(repeats(&watch.duplicates)),
        problems: watch.problems.iter().take(LINES_SHOWN_MAX).map(|it| problem(it, MESSAGE_CHARS_MAX)).collect(),
        problem_count: watch.problems.len(),
    };
    page.render().map_err(Error::Html)
}

/// Who raises an alert and what alerts rest on. `href` gives the address of a trajectory by its place, where it has one.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn summary(watch: &Watch, help: bool, href: &dyn Fn(usize) -> Option<String>) -> Result<String, Error> {
    let alerted: Vec<usize> =
        (0..watch.trajectories.len()).filter(|at| !watch.trajectories[*at].alerts.is_empty()).collect();
    let alone = watch.trajectories.len() == 1;
    let linked = |at: &usize| {
        let own = &watch.trajectories[*at];
        (href(*at), name(&own.task_id, own.agent.as_deref()))
    };
    let summary = Summary {
        help,
        any_alert: any_alert(watch),
        alerting: alerted.len(),
        alerted: alerted_count(watch),
        alerted_more: if alone { 0 } else { alerted.len().saturating_sub(LINES_SHOWN_MAX) },
        alerted_names: alerted.iter().take(if alone { 0 } else { LINES_SHOWN_MAX }).map(linked).collect(),
        rests_on: rests_on(&watch.alert),
        threshold: watch.alert.threshold.map(|threshold| score(Some(threshold))),
        calibration: watch.alert.calibration.label(),
        trajectories: watch.trajectories.len(),
        judged: List::of(judged(watch)),
    };
    summary.render().map_err(Error::Html)
}

/// What a section may hold.
pub(super) struct Limits {
    pub(super) points_max: usize,
    pub(super) rows_max: usize,
    pub(super) with_marks: bool,
}

pub(super) fn run(number: usize, own: &Trajectory, limits: &Limits) -> Run {
    let alerts = own.alerts.iter().take(LINES_SHOWN_MAX);
    let (rows, rows_note) = rows(own, limits.rows_max);
    Run {
        number,
        name: name(&own.task_id, own.agent.as_deref()),
        intent: own.initial_intent.as_ref().map(|intent| line(intent, INTENT_CHARS_MAX)),
        steps: own.steps.len(),
        mean: score(own.mean_ids),
        max: score(own.max_ids),
        goal_shift: score(own.goal_shift),
        onset: onset(own).unwrap_or_else(|| "none: no sustained change to higher goal distances".to_owned()),
        no_mean: no_mean(own),
        alerts: alerts
            .map(|alert| (steps_of(alert), alert.cause.label(), line(&alert.message, MESSAGE_CHARS_MAX)))
            .collect(),
        alerts_more: own.alerts.len().saturating_sub(LINES_SHOWN_MAX),
        gaps: gaps(own),
        worst: worst(own)
            .into_iter()
            .map(|(step, ids)| (step.step, score(Some(ids)), line(&step.goal, GOAL_CHARS_MAX)))
            .collect(),
        picture: (!own.steps.is_empty()).then(|| picture(number, own, limits)),
        rows,
        rows_note,
    }
}

/// The curve, and what has to be said beside it.
pub(super) fn picture(number: usize, own: &Trajectory, limits: &Limits) -> Picture {
    let curve = curve(own, &format!("curve-{number}"), limits.points_max, limits.with_marks);
    let note = if curve.steps_per_point > 1 {
        format!("A point stands for up to {} steps and shows the highest of their scores.", curve.steps_per_point)
    } else {
        String::new()
    };
    Picture {
        svg: curve.svg,
        goal_changes: curve.goal_changes,
        onset: own.onset.is_some(),
        alerts: !own.alerts.is_empty(),
        gaps: curve.gaps,
        note,
    }
}

/// The steps as rows, at most `rows_max`: of a long run those with the highest score of every stretch, and the onset.
fn rows(own: &Trajectory, rows_max: usize) -> (Vec<Row>, String) {
    if rows_max == 0 {
        return (Vec::new(), String::new());
    }
    let count = own.steps.len();
    let mut shown: Vec<usize> = stretches(count, rows_max)
        .filter_map(|stretch| highest(stretch.clone(), |at| ids(&own.steps[at])).or(Some(stretch.start)))
        .collect();
    if let Some(onset) = super::digest::onset_at(own)
        && let Err(before) = shown.binary_search(&onset)
    {
        // It takes the place of its neighbour, so that there are no more rows than there may be.
        let place = before.min(shown.len() - 1);
        shown[place] = onset;
        shown.sort_unstable();
    }
    let note = if shown.len() < count {
        format!(
            "{} of {count} steps: of every {} or so the one with the highest score. {} were left out; the JSON has all.",
            shown.len(),
            count.div_ceil(shown.len().max(1)),
            count - shown.len()
        )
    } else {
        String::new()
    };
    let mut before: Option<&str> = None;
    let rows = shown.into_iter().map(|at| {
        let step = &own.steps[at];
        // A goal that stays is written once.
        let goal = (before != Some(step.goal.as_str())).then(|| line(&step.goal, GOAL_CHARS_MAX));
        before = Some(&step.goal);
        Row {
            step: step.step,
            ids: score(step.ids),
            distance: score(step.goal_distance),
            anchor_ids: score(step.anchor_ids),
            echo: score(step.echo),
            update: step.update_type.map_or("", |update| update.label()),
            goal,
            flags: flags(step).join(", "),
            marked: own.alerts.iter().any(|it| (it.from_step..=it.to_step).contains(&step.step)),
        }
    });
    (rows.collect(), note)
}
