//! A report for terminals, and a step for those who look on.

use std::fmt::Write as _;

use steadfast_wire::watch::{Problem, Step, StepRecord, Trajectory, Watch};

use super::digest::{
    alerted, any_alert, extent, flags, gaps, ids, judged, made_with, name, no_mean, onset, onset_at, problem, repeats,
    rests_on, score, scores, shown_in_full, steps_of, worst,
};
use crate::Colour;
use crate::chart::{Sparkline, bar};
use crate::plain::line;
use crate::terminal::Style;

/// Characters of a sparkline: what stands before and after it keeps the line within 80 columns.
const SPARKLINE_CHARS_MAX: usize = 60;
/// Trajectories that are shown in full, those with alerts before others.
const TRAJECTORIES_SHOWN_MAX: usize = 200;
/// Alerts of a trajectory, and lines of any list, that are shown.
const LINES_SHOWN_MAX: usize = 12;
const INTENT_CHARS_MAX: usize = 160;
const GOAL_CHARS_MAX: usize = 100;
const MESSAGE_CHARS_MAX: usize = 300;
/// The bar of a step while a run is followed.
const BAR_CHARS: usize = 8;
const NAME_CHARS_MAX: usize = 40;

/// The report as a summary for a terminal: who raises an alert, then every trajectory with its scores as a line of blocks on the
/// scale 0 to 1, means, onset, alerts and worst steps; duplicates, problems and what alerts rest on. Control characters of runs are
/// shown, so none reaches the terminal.
#[must_use]
pub fn text(watch: &Watch, colour: Colour) -> String {
    let style = if any_alert(watch) { Style::Bad } else { Style::Good };
    let mut out = format!("{}\n{}\n", colour.paint(style, &alerted(watch)), extent(watch));
    let shown = shown_in_full(watch, TRAJECTORIES_SHOWN_MAX);
    for at in &shown {
        trajectory(&mut out, &watch.trajectories[*at], colour);
    }
    let hidden = watch.trajectories.len() - shown.len();
    if hidden > 0 {
        let _ = writeln!(out, "\nand {hidden} more trajectories in the JSON");
    }
    let steps = watch.chat.as_ref().map_or(0, |chat| chat.steps.len());
    listed(&mut out, "Steps that a chat model judged", steps, &judged(watch), colour);
    listed(&mut out, "Duplicates, counted once", watch.duplicates.len(), &repeats(&watch.duplicates), colour);
    listed(&mut out, "Problems", watch.problems.len(), &problems(&watch.problems), colour);
    let _ = writeln!(out, "\n{}", rests_on(&watch.alert));
    let _ = writeln!(out, "{}", colour.paint(Style::Dim, &format!("Scored with {}", made_with(watch))));
    out
}

/// What could not be read or scored, a line each.
pub(super) fn problems(problems: &[Problem]) -> Vec<String> {
    let lines = problems.iter().map(|it| {
        let (place, message) = problem(it, MESSAGE_CHARS_MAX);
        format!("{place}: {message}")
    });
    lines.collect()
}

/// Lines that tell of `count` things, under a heading; nothing where there are none.
pub(super) fn listed(out: &mut String, title: &str, count: usize, lines: &[String], colour: Colour) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{} ({count})", colour.paint(Style::Bold, title));
    for line in lines.iter().take(LINES_SHOWN_MAX) {
        let _ = writeln!(out, "  - {line}");
    }
    if lines.len() > LINES_SHOWN_MAX {
        let _ = writeln!(out, "  and {} more in the JSON", lines.len() - LINES_SHOWN_MAX);
    }
}

fn trajectory(out: &mut String, own: &Trajectory, colour: Colour) {
    let steps = if own.steps.len() == 1 { "1 step".to_owned() } else { format!("{} steps", own.steps.len()) };
    let mark = if own.alerts.is_empty() { String::new() } else { format!(" {}", colour.paint(Style::Bad, "[alert]")) };
    let title = colour.paint(Style::Bold, &name(&own.task_id, own.agent.as_deref()));
    let _ = writeln!(out, "\n▸ {title} · {steps}{mark}");
    let intent = own.initial_intent.as_ref().map_or_else(
        || colour.paint(Style::Dim, "(not known)"),
        |intent| format!("“{}”", line(intent, INTENT_CHARS_MAX)),
    );
    let _ = writeln!(out, "  intent  {intent}");
    curve(out, own, colour);
    let why = no_mean(own).map_or_else(String::new, |why| format!(" ({why})"));
    let _ = writeln!(
        out,
        "  mean {}{why} · max {} · goal shift {}",
        score(own.mean_ids),
        score(own.max_ids),
        score(own.goal_shift)
    );
    let onset = onset(own).unwrap_or_else(|| "none: no sustained change to higher goal distances".to_owned());
    let _ = writeln!(out, "  onset   {onset}");
    for alert in own.alerts.iter().take(LINES_SHOWN_MAX) {
        let what = colour.paint(Style::Bad, &format!("alert   {}, {}", steps_of(alert), alert.cause.label()));
        let _ = writeln!(out, "  {what}: {}", line(&alert.message, MESSAGE_CHARS_MAX));
    }
    if own.alerts.len() > LINES_SHOWN_MAX {
        let _ = writeln!(out, "  and {} more alerts in the JSON", own.alerts.len() - LINES_SHOWN_MAX);
    }
    let mut before = None;
    for (at, (step, ids)) in worst(own).into_iter().enumerate() {
        let label = if at == 0 { "worst" } else { "" };
        let goal = if before == Some(&step.goal) { "the same goal".to_owned() } else { goal(step, colour) };
        before = Some(&step.goal);
        let _ = writeln!(out, "  {label:<7} step {:<5} {ids:.3} against {goal}", step.step);
    }
    let gaps = gaps(own);
    if !gaps.is_empty() {
        let _ = writeln!(out, "  {}", colour.paint(Style::Warn, &gaps.join(" · ")));
    }
}

fn goal(step: &Step, colour: Colour) -> String {
    let goal = line(&step.goal, GOAL_CHARS_MAX);
    if goal.is_empty() { colour.paint(Style::Dim, "(no goal)") } else { format!("the goal “{goal}”") }
}

/// The scores as blocks, with the onset marked under them.
fn curve(out: &mut String, own: &Trajectory, colour: Colour) {
    let values: Vec<Option<f64>> = scores(own).collect();
    if values.is_empty() {
        return;
    }
    let line = Sparkline::new(&values, SPARKLINE_CHARS_MAX);
    let _ = writeln!(out, "  ids   0 {} 1", line.cells);
    if let (Some(at), Some(onset)) = (onset_at(own), own.onset) {
        let before = line.cell_of(at);
        let label = format!("onset, step {onset}");
        let mark = if before > SPARKLINE_CHARS_MAX / 2 {
            format!("{:>width$}^", format!("{label} "), width = before)
        } else {
            format!("{:>before$}^ {label}", "")
        };
        let _ = writeln!(out, "          {}", colour.paint(Style::Bad, &mark));
    }
    let per_cell = line.positions_per_cell();
    let mut notes = Vec::new();
    if per_cell > 1 {
        notes.push(format!("a block stands for up to {per_cell} steps and shows their maximum"));
    }
    if line.cells.contains('·') {
        notes.push("· no score".to_owned());
    }
    if !notes.is_empty() {
        let _ = writeln!(out, "          {}", colour.paint(Style::Dim, &notes.join("; ")));
    }
}

/// One step on one line, for runs that are followed while they go on: step, score with a bar, score against the initial intent, what
/// the instruction did to the goal, task and agent. It ends in a newline.
#[must_use]
pub fn step_line(record: &StepRecord, colour: Colour) -> String {
    let step = &record.scores;
    let name = line(&name(&record.task_id, record.agent.as_deref()), NAME_CHARS_MAX);
    let update = step.update_type.map_or("", |update| update.label());
    let flags: String =
        flags(step).iter().map(|flag| format!(" {}", colour.paint(Style::Warn, &format!("[{flag}]")))).collect();
    format!(
        "step {:>4}  ids {:>5} ▕{}▏  distance {:>5}  anchor {:>5}  {update:<15}  {}{flags}\n",
        step.step,
        score(step.ids),
        bar(ids(step), BAR_CHARS),
        score(step.goal_distance),
        score(step.anchor_ids),
        colour.paint(Style::Bold, &name),
    )
}
