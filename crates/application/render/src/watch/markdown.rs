//! A report as Markdown.

use std::fmt::Write as _;

use steadfast_wire::watch::{Problem, Trajectory, Watch};

use super::digest::{
    alerted, extent, gaps, judged, made_with, name, no_mean, onset, onset_at, problem, repeats, rests_on, score,
    scores, shown_in_full, steps_of, trajectories, worst,
};
use crate::chart::Sparkline;
use crate::markdown::MARKDOWN_BYTES_MAX;
use crate::markdown::escape::{code, escape, line};

const SPARKLINE_CHARS_MAX: usize = 60;
/// Rows of the table of all trajectories.
const ROWS_SHOWN_MAX: usize = 200;
/// Trajectories that have a section of their own, those with alerts before others.
const TRAJECTORIES_SHOWN_MAX: usize = 60;
/// Alerts of a trajectory, and lines of any list, that are shown.
const LINES_SHOWN_MAX: usize = 20;
/// The table of all trajectories, the sections, and the lists each end before the report has so many bytes.
const TABLE_END_BYTES: usize = MARKDOWN_BYTES_MAX / 2;
const SECTIONS_END_BYTES: usize = MARKDOWN_BYTES_MAX * 3 / 4;
const LISTS_END_BYTES: usize = MARKDOWN_BYTES_MAX - 4_000;
const INTENT_CHARS_MAX: usize = 240;
const GOAL_CHARS_MAX: usize = 140;
const MESSAGE_CHARS_MAX: usize = 300;

/// The report as Markdown: who raises an alert, all trajectories as a table, then each with its scores as a line of blocks, alerts
/// and worst steps. Less than [`MARKDOWN_BYTES_MAX`] bytes; text of runs is escaped.
#[must_use]
pub fn markdown(watch: &Watch) -> String {
    let mut out = String::from("# Intent Drift\n\n");
    let _ = writeln!(out, "**{}**\n", escape(&alerted(watch)));
    let _ = writeln!(out, "{}. {}\n", extent(watch), escape(&rests_on(&watch.alert)));
    table(&mut out, watch);
    sections(&mut out, watch);
    let steps = watch.chat.as_ref().map_or(0, |chat| chat.steps.len());
    let judged: Vec<String> = judged(watch).iter().map(|it| escape(it)).collect();
    listed(&mut out, "Steps That a Chat Model Judged", steps, &judged);
    let duplicates: Vec<String> = repeats(&watch.duplicates).iter().map(|it| escape(it)).collect();
    listed(&mut out, "Duplicates, Counted Once", watch.duplicates.len(), &duplicates);
    listed(&mut out, "Problems", watch.problems.len(), &problems(&watch.problems));
    let _ = writeln!(out, "---\n\nScored with {}.", escape(&made_with(watch)));
    out
}

/// What could not be read or scored, a line each.
pub(super) fn problems(problems: &[Problem]) -> Vec<String> {
    let lines = problems.iter().map(|it| {
        let (place, message) = problem(it, MESSAGE_CHARS_MAX);
        format!("{}: {}", code(&place), escape(&message))
    });
    lines.collect()
}

/// Lines that tell of `count` things, under a heading; nothing where there are none.
pub(super) fn listed(out: &mut String, title: &str, count: usize, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "## {title} ({count})\n");
    let mut shown = 0;
    for line in lines.iter().take(LINES_SHOWN_MAX) {
        if out.len() + line.len() > LISTS_END_BYTES {
            break;
        }
        let _ = writeln!(out, "- {line}");
        shown += 1;
    }
    if lines.len() > shown {
        let _ = writeln!(out, "- and {} more in the JSON", lines.len() - shown);
    }
    out.push('\n');
}

fn table(out: &mut String, watch: &Watch) {
    if watch.trajectories.is_empty() {
        return;
    }
    out.push_str(
        "| Trajectory | Steps | Mean IDS | Max IDS | Goal shift | Onset | Alerts |\n|---|---|---|---|---|---|---|\n",
    );
    let mut shown = 0;
    for own in shown_in_full(watch, ROWS_SHOWN_MAX).into_iter().map(|at| &watch.trajectories[at]) {
        if out.len() > TABLE_END_BYTES {
            break;
        }
        shown += 1;
        let onset = own.onset.map_or_else(|| "none".to_owned(), |step| format!("step {step}"));
        let alerts = if own.alerts.is_empty() { "none".to_owned() } else { format!("**{}**", own.alerts.len()) };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {onset} | {alerts} |",
            escape(&name(&own.task_id, own.agent.as_deref())),
            own.steps.len(),
            score(own.mean_ids),
            score(own.max_ids),
            score(own.goal_shift),
        );
    }
    if watch.trajectories.len() > shown {
        let _ = writeln!(out, "\nand {} more in the JSON", watch.trajectories.len() - shown);
    }
    out.push('\n');
}

/// Trajectories in their order, as many as there is room for; those that raise an alert come before others.
fn sections(out: &mut String, watch: &Watch) {
    let mut candidates = shown_in_full(watch, TRAJECTORIES_SHOWN_MAX);
    candidates.sort_by_key(|at| watch.trajectories[*at].alerts.is_empty());
    let mut room = SECTIONS_END_BYTES.saturating_sub(out.len());
    let mut kept = Vec::new();
    for at in candidates {
        let mut text = String::new();
        section(&mut text, &watch.trajectories[at]);
        if text.len() <= room {
            room -= text.len();
            kept.push((at, text));
        }
    }
    kept.sort_unstable_by_key(|(at, _)| *at);
    kept.iter().for_each(|(_, text)| out.push_str(text));
    if watch.trajectories.len() > kept.len() {
        let hidden = trajectories(watch.trajectories.len() - kept.len());
        let _ = writeln!(out, "{hidden} more: curves and alerts stand in the JSON and on the HTML page.\n");
    }
}

fn section(out: &mut String, own: &Trajectory) {
    let _ = writeln!(out, "## {}\n", escape(&name(&own.task_id, own.agent.as_deref())));
    match &own.initial_intent {
        Some(intent) => {
            let _ = writeln!(out, "**Initial intent:** “{}”\n", line(intent, INTENT_CHARS_MAX));
        }
        None => out.push_str("**Initial intent:** not known\n\n"),
    }
    curve(out, own);
    if let Some(why) = no_mean(own) {
        let _ = writeln!(out, "No mean: {why}.\n");
    }
    let mut lines = Vec::new();
    if let Some(onset) = onset(own) {
        lines.push(format!("**Onset:** {}", escape(&onset)));
    }
    lines.extend(own.alerts.iter().take(LINES_SHOWN_MAX).map(|alert| {
        format!("**Alert, {}, {}:** {}", steps_of(alert), alert.cause.label(), line(&alert.message, MESSAGE_CHARS_MAX))
    }));
    if own.alerts.len() > LINES_SHOWN_MAX {
        lines.push(format!("and {} more alerts in the JSON", own.alerts.len() - LINES_SHOWN_MAX));
    }
    let mut before = None;
    for (at, (step, ids)) in worst(own).into_iter().enumerate() {
        let goal = line(&step.goal, GOAL_CHARS_MAX);
        let goal = match goal.as_str() {
            _ if before == Some(&step.goal) => "the same goal".to_owned(),
            "" => "no goal".to_owned(),
            goal => format!("the goal “{goal}”"),
        };
        before = Some(&step.goal);
        let label = if at == 0 { "**Highest score:** " } else { "" };
        lines.push(format!("{label}step {} with {ids:.3} against {goal}", step.step));
    }
    lines.extend(gaps(own));
    for line in &lines {
        let _ = writeln!(out, "- {line}");
    }
    if !lines.is_empty() {
        out.push('\n');
    }
}

/// The scores as blocks within a fence: there every character has one width.
fn curve(out: &mut String, own: &Trajectory) {
    let values: Vec<Option<f64>> = scores(own).collect();
    if values.is_empty() {
        return;
    }
    let blocks = Sparkline::new(&values, SPARKLINE_CHARS_MAX);
    let _ = writeln!(out, "```text\nids 0 {} 1", blocks.cells);
    if let (Some(at), Some(step)) = (onset_at(own), own.onset) {
        let _ = writeln!(out, "{:width$}^ onset, step {step}", "", width = 6 + blocks.cell_of(at));
    }
    out.push_str("```\n\n");
    if blocks.positions_per_cell() > 1 {
        let per_cell = blocks.positions_per_cell();
        let _ = writeln!(out, "A block stands for up to {per_cell} steps and shows their maximum.\n");
    }
}
