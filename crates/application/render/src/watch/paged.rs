//! A report in pages, for runs of any length: the list of trajectories, one trajectory, its steps.

use askama::Template;
use steadfast_wire::watch::{Step, Trajectory, Watch};

use super::digest::{flags, name, problem, repeats, score};
use super::drawing::small;
use super::html::{Limits, List, Picture, Run, picture, run};
use crate::Error;
use crate::plain::{block, line};

/// Trajectories of one page of the list.
pub const TRAJECTORIES_OF_PAGE_MAX: usize = 100;
/// Steps of one page of a trajectory.
pub const STEPS_OF_PAGE_MAX: usize = 50;
/// Points of a curve: a run of any length is drawn in as many.
const POINTS_MAX: usize = 700;
const PROBLEMS_MAX: usize = 60;
const LINE_CHARS_MAX: usize = 200;
const MESSAGE_CHARS_MAX: usize = 400;
/// Characters of an instruction or output that a page of steps holds.
const TEXT_CHARS_MAX: usize = 8_000;

/// The values of `watch_list.html`.
#[derive(Template)]
#[template(path = "watch_list.html")]
struct Rows {
    rows: Vec<Row>,
    from: usize,
    count: usize,
}

struct Row {
    href: String,
    name: String,
    parent: String,
    intent: String,
    steps: usize,
    picture: String,
    mean: String,
    max: String,
    shift: String,
    onset: Option<i64>,
    alerts: usize,
}

/// A page of the list of trajectories: those from `from` on, at most [`TRAJECTORIES_OF_PAGE_MAX`]. `href` gives the address of a
/// trajectory by its place.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn trajectories(watch: &Watch, from: usize, href: &dyn Fn(usize) -> String) -> Result<String, Error> {
    let all = watch.trajectories.iter().enumerate().skip(from).take(TRAJECTORIES_OF_PAGE_MAX);
    let rows = all.map(|(at, own)| Row {
        href: href(at),
        name: name(&own.task_id, own.agent.as_deref()),
        parent: own.parent.as_ref().map_or_else(String::new, |parent| line(parent, LINE_CHARS_MAX)),
        intent: own.initial_intent.as_ref().map_or_else(String::new, |intent| line(intent, LINE_CHARS_MAX)),
        steps: own.steps.len(),
        picture: small(own),
        mean: score(own.mean_ids),
        max: score(own.max_ids),
        shift: score(own.goal_shift),
        onset: own.onset,
        alerts: own.alerts.len(),
    });
    Rows { rows: rows.collect(), from, count: watch.trajectories.len() }.render().map_err(Error::Html)
}

/// The values of `watch_rest.html`.
#[derive(Template)]
#[template(path = "watch_rest.html")]
struct Rest {
    duplicates_are: &'static str,
    duplicates: List,
    duplicate_count: usize,
    problems: Vec<(String, String)>,
    problem_count: usize,
}

/// What stands below the trajectories: what was counted once, and what could not be read. Empty where there is nothing.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn rest(watch: &Watch) -> Result<String, Error> {
    let rest = Rest {
        duplicates_are: "Duplicates, counted once",
        duplicate_count: watch.duplicates.len(),
        duplicates: List::of(repeats(&watch.duplicates)),
        problems: watch.problems.iter().take(PROBLEMS_MAX).map(|it| problem(it, MESSAGE_CHARS_MAX)).collect(),
        problem_count: watch.problems.len(),
    };
    rest.render().map_err(Error::Html)
}

/// The values of `watch_trajectory.html`.
#[derive(Template)]
#[template(path = "watch_trajectory.html")]
struct One {
    run: Run,
}

/// One trajectory without its steps: what its scores come to, its alerts, its curve with the onset marked, the highest scores.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn trajectory(own: &Trajectory) -> Result<String, Error> {
    let limits = Limits { points_max: POINTS_MAX, rows_max: 0, with_marks: true };
    One { run: run(1, own, &limits) }.render().map_err(Error::Html)
}

/// The values of `watch_curve.html`.
#[derive(Template)]
#[template(path = "watch_curve.html")]
struct Alone {
    picture: Picture,
}

/// The curve of steps alone, while the trajectory goes on. `number` tells curves of one page apart.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn live_curve(number: usize, own: &Trajectory) -> Result<String, Error> {
    let limits = Limits { points_max: POINTS_MAX, rows_max: 0, with_marks: true };
    Alone { picture: picture(number, own, &limits) }.render().map_err(Error::Html)
}

/// The texts of a step, where they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepText<'a> {
    /// The instruction.
    pub prompt: Option<&'a str>,
    /// The output.
    pub output: Option<&'a str>,
}

/// The values of `watch_steps.html`.
#[derive(Template)]
#[template(path = "watch_steps.html")]
struct Steps {
    rows: Vec<StepRow>,
    from: usize,
    texts: bool,
}

struct StepRow {
    step: i64,
    ids: String,
    width: String,
    distance: String,
    anchor_ids: String,
    echo: String,
    update: &'static str,
    shifts: bool,
    goal: Option<String>,
    flags: Vec<String>,
    broken: Vec<[String; 3]>,
    onset: bool,
    alerts: Vec<String>,
    prompt: Option<Text>,
    output: Option<Text>,
}

/// A text as a page holds it: its first words, all that is shown, and how many characters are left out.
struct Text {
    first: String,
    all: String,
    left_out: usize,
    chars: usize,
}

impl Text {
    fn of(text: &str) -> Self {
        let (all, left_out) = block(text, TEXT_CHARS_MAX);
        Self { first: line(text, LINE_CHARS_MAX), all, left_out, chars: text.chars().count() }
    }
}

/// A page of the steps of a trajectory: those from the place `from` on, at most [`STEPS_OF_PAGE_MAX`], each with its goal, its scores,
/// bans that it breaks, and its texts folded. `texts` gives those of a step by its place.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn steps<'a>(own: &Trajectory, from: usize, texts: &dyn Fn(usize) -> StepText<'a>) -> Result<String, Error> {
    let mut before: Option<&str> = from.checked_sub(1).and_then(|at| own.steps.get(at)).map(|step| step.goal.as_str());
    let mut rows = Vec::new();
    for (at, step) in own.steps.iter().enumerate().skip(from).take(STEPS_OF_PAGE_MAX) {
        // A goal that stays is written once on a page.
        let goal = (at == from || before != Some(step.goal.as_str())).then(|| line(&step.goal, MESSAGE_CHARS_MAX));
        before = Some(&step.goal);
        rows.push(row(own, step, goal, texts(at)));
    }
    let texts = rows.iter().any(|row| row.output.is_some() || row.prompt.is_some());
    Steps { rows, from, texts }.render().map_err(Error::Html)
}

fn row(own: &Trajectory, step: &Step, goal: Option<String>, text: StepText<'_>) -> StepRow {
    use steadfast_wire::watch::UpdateType;
    let ids = step.ids.filter(|ids| ids.is_finite());
    StepRow {
        step: step.step,
        ids: score(step.ids),
        width: format!("{:.0}", ids.unwrap_or_default().clamp(0.0, 1.0) * 100.0),
        distance: score(step.goal_distance),
        anchor_ids: score(step.anchor_ids),
        echo: score(step.echo),
        update: step.update_type.map_or("", |update| update.label()),
        shifts: matches!(step.update_type, Some(UpdateType::HighDriftRisk | UpdateType::MajorShift)),
        goal,
        flags: if step.broken.is_empty() { flags(step) } else { flags(step).split_off(1) },
        broken: step
            .broken
            .iter()
            .take(8)
            .map(|own| [&own.term, &own.ban, &own.quote].map(|text| line(text, LINE_CHARS_MAX)))
            .collect(),
        onset: own.onset == Some(step.step),
        alerts: own
            .alerts
            .iter()
            .filter(|alert| (alert.from_step..=alert.to_step).contains(&step.step))
            .map(|alert| alert.cause.label().to_owned())
            .collect(),
        prompt: text.prompt.map(Text::of),
        output: text.output.map(Text::of),
    }
}
