//! A comparison as one self-contained page.

use askama::Template;
use steadfast_wire::watch::{Comparison, PairedTask, Side};

use super::drawing;
use super::words::{
    Outcome, StepRow, arm, by_step, delta, lower, outcome, quartiles, sentences, signed, spread_cells, task, unpaired,
};
use crate::html::Frame;
use crate::plain::line;
use crate::rows::rows_of;
use crate::watch::digest::{problem, repeats, score};
use crate::watch::html::{CSS, List};
use crate::{Error, OnePage, Pages};

/// Points of each line by step, and rows of its table.
const STEPS_MAX: usize = 300;
/// Tasks that are drawn: those with the greatest differences where there are more.
const TASKS_DRAWN_MAX: usize = 60;
const PAIRS_SHOWN_MAX: usize = 500;
const LINES_SHOWN_MAX: usize = 60;
const MESSAGE_CHARS_MAX: usize = 400;

/// The values of `watch_compare_part.html`.
#[derive(Template)]
#[template(path = "watch_compare_part.html")]
struct Part {
    help: bool,
    shown: bool,
    outcome: String,
    sentences: Vec<String>,
    mean_a: String,
    mean_b: String,
    delta: String,
    interval: Option<(String, String)>,
    by_step: Option<String>,
    spread: &'static str,
    step_note: String,
    steps: Vec<(String, [String; 3], [String; 3])>,
    by_task: Option<String>,
    task_note: String,
    pairs: Vec<Pair>,
    pairs_pages: String,
    duplicates: List,
    duplicate_count: usize,
    unpaired: List,
    problems: Vec<(String, String)>,
    problem_count: usize,
}

struct Pair {
    task: String,
    a: String,
    b: String,
    delta: String,
    lower: &'static str,
}

/// The comparison as one self-contained page without a script: what came of it, the statistics in words, scores by step with their
/// spread, each task in both arms, and what was left out. Text of runs is escaped.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(comparison: &Comparison) -> Result<String, Error> {
    let (embedder, version) = (line(&comparison.embedder, 80), line(&comparison.embedding_version, 160));
    let pairs = if comparison.n == 1 { "pair" } else { "pairs" };
    let frame = Frame {
        css: CSS,
        kind: "Intent drift of two arms",
        title: format!("{} and {}", arm(comparison, Side::A), arm(comparison, Side::B)),
        beside: format!(
            "{} {pairs} of runs on the same task; both arms scored with embedder {embedder} ({version})",
            comparison.n
        ),
        part: drawn(comparison, false, &OnePage)?,
        footer: "Steadfast watch. The mean of a run leaves out its first step; the charts show every step. A difference is held to be more than chance where its two-sided probability lies below 0.05.",
    };
    frame.render().map_err(Error::Html)
}

/// What stands on that page below its title, for a page that has a glossary.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn part(comparison: &Comparison, pages: &dyn Pages) -> Result<String, Error> {
    drawn(comparison, true, pages)
}

fn drawn(comparison: &Comparison, help: bool, pages: &dyn Pages) -> Result<String, Error> {
    let shown = rows_of(pages, "tasks", "pairs", PAIRS_SHOWN_MAX, comparison.pairs.len());
    let rows = by_step(comparison, STEPS_MAX);
    let (sure, said) = outcome(comparison);
    let tasks = drawn_tasks(comparison);
    let part = Part {
        help,
        shown: sure == Outcome::Shown,
        outcome: said,
        sentences: sentences(comparison),
        mean_a: score(comparison.mean_a),
        mean_b: score(comparison.mean_b),
        delta: delta(comparison).map_or_else(|| "n/a".to_owned(), signed),
        interval: comparison.bootstrap_ci.map(|[from, until]| (signed(from), signed(until))),
        by_step: (!rows.is_empty()).then(|| drawing::by_step(comparison, &rows)),
        spread: if quartiles(comparison) { "middle half of the tasks" } else { "from the least to the greatest" },
        step_note: step_note(&rows),
        steps: rows.iter().map(step_row).collect(),
        by_task: (!tasks.is_empty()).then(|| drawing::by_task(&tasks)),
        task_note: if tasks.len() < comparison.pairs.len() {
            format!("The {} tasks with the greatest differences, of {}.", tasks.len(), comparison.pairs.len())
        } else {
            String::new()
        },
        pairs: comparison.pairs.iter().skip(shown.from).take(PAIRS_SHOWN_MAX).map(pair).collect(),
        pairs_pages: shown.html()?,
        duplicate_count: comparison.duplicates_dropped.len(),
        duplicates: List::of(repeats(&comparison.duplicates_dropped)),
        unpaired: List::of(comparison.unpaired.iter().map(|it| unpaired(it, MESSAGE_CHARS_MAX)).collect()),
        problems: comparison.problems.iter().take(LINES_SHOWN_MAX).map(|it| problem(it, MESSAGE_CHARS_MAX)).collect(),
        problem_count: comparison.problems.len(),
    };
    part.render().map_err(Error::Html)
}

fn pair(own: &PairedTask) -> Pair {
    Pair {
        task: task(&own.task_id),
        a: score(Some(own.a_mean_ids)),
        b: score(Some(own.b_mean_ids)),
        delta: signed(own.delta),
        lower: lower(own),
    }
}

/// The pairs that are drawn, in their order.
fn drawn_tasks(comparison: &Comparison) -> Vec<&PairedTask> {
    let mut drawn: Vec<(usize, &PairedTask)> = comparison.pairs.iter().enumerate().collect();
    if drawn.len() > TASKS_DRAWN_MAX {
        drawn.sort_by(|(_, one), (_, other)| other.delta.abs().total_cmp(&one.delta.abs()));
        drawn.truncate(TASKS_DRAWN_MAX);
        drawn.sort_unstable_by_key(|(at, _)| *at);
    }
    drawn.into_iter().map(|(_, pair)| pair).collect()
}

fn step_note(rows: &[StepRow]) -> String {
    let most = rows.iter().map(|row| row.to - row.from + 1).max().unwrap_or(1);
    if most > 1 {
        format!("A point stands for up to {most} steps and shows the mean of their scores.")
    } else {
        String::new()
    }
}

fn step_row(row: &StepRow) -> (String, [String; 3], [String; 3]) {
    let steps = if row.from == row.to { row.from.to_string() } else { format!("{}–{}", row.from, row.to) };
    (steps, spread_cells(row.a), spread_cells(row.b))
}
