//! A report for terminals and as Markdown, and a step for those who look on.

use std::fmt::Write as _;

use steadfast_wire::watch::{Problem, StepRecord, Trajectory, Watch};

use super::digest::{
    alerted, any_alert, extent, flags, gaps, ids, judged, made_with, name, no_mean, onset, onset_at, problem, repeats,
    rests_on, score, scores, shown_in_full, steps_of, trajectories, worst,
};
use crate::Colour;
use crate::chart::{Sparkline, bar};
use crate::digest::count_of;
use crate::markdown::MARKDOWN_BYTES_MAX;
use crate::markdown::escape::escape;
use crate::page::Page;
use crate::plain::line;
use crate::terminal::Style;

/// Characters of a sparkline: what stands before and after it keeps the line within 80 columns.
const SPARKLINE_CHARS_MAX: usize = 60;
/// Trajectories that are shown in full, those with alerts before others: on a terminal, and with a section of Markdown.
const TRAJECTORIES_SHOWN_MAX: usize = 200;
const SECTIONS_MAX: usize = 60;
/// Rows of the table of all trajectories.
const ROWS_SHOWN_MAX: usize = 200;
/// Alerts of a trajectory, and lines of any list, that are shown on a terminal and in Markdown.
pub(super) const LINES_SHOWN_MAX: usize = 12;
pub(super) const LINES_MARKDOWN_MAX: usize = 20;
/// The table of all trajectories, the sections, and the lists each end before the Markdown has so many bytes.
const TABLE_END_BYTES: usize = MARKDOWN_BYTES_MAX / 2;
const SECTIONS_END_BYTES: usize = MARKDOWN_BYTES_MAX * 3 / 4;
pub(super) const LISTS_END_BYTES: usize = MARKDOWN_BYTES_MAX - 4_000;
const INTENT_CHARS_MAX: usize = 240;
const GOAL_CHARS_MAX: usize = 140;
const MESSAGE_CHARS_MAX: usize = 300;
/// The bar of a step while a run is followed.
const BAR_CHARS: usize = 8;
const NAME_CHARS_MAX: usize = 40;

/// The report as a summary for a terminal: who raises an alert, then every trajectory with its scores as a line of blocks on the
/// scale 0 to 1, means, onset, alerts and worst steps; duplicates, problems and what alerts rest on. Control characters of runs are
/// shown, so none reaches the terminal.
#[must_use]
pub fn text(watch: &Watch, colour: Colour) -> String {
    write(Page::terminal(colour, LINES_SHOWN_MAX), watch)
}

/// The report as Markdown: the same, with all trajectories as a table before them. Less than [`MARKDOWN_BYTES_MAX`] bytes; text of runs is escaped.
#[must_use]
pub fn markdown(watch: &Watch) -> String {
    write(Page::markdown("Intent Drift", LINES_MARKDOWN_MAX, LISTS_END_BYTES), watch)
}

fn write(mut page: Page, watch: &Watch) -> String {
    let style = if any_alert(watch) { Style::Bad } else { Style::Good };
    page.fact(&page.marked(style, &alerted(watch)));
    page.fact(&extent(watch));
    if page.is_markdown() {
        table(&mut page.out, watch);
        sections(&mut page, watch);
    } else {
        let shown = shown_in_full(watch, TRAJECTORIES_SHOWN_MAX);
        shown.iter().for_each(|at| trajectory(&mut page, &watch.trajectories[*at]));
        let hidden = watch.trajectories.len() - shown.len();
        if hidden > 0 {
            page.fact(&format!("\nand {hidden} more trajectories in the JSON"));
        }
    }
    let steps = watch.chat.as_ref().map_or(0, |chat| chat.steps.len());
    page.lines(Style::Bold, &format!("Steps that a chat model judged ({steps})"), &judged(watch));
    let count = watch.duplicates.len();
    page.lines(Style::Bold, &format!("Duplicates, counted once ({count})"), &repeats(&watch.duplicates));
    problems(&mut page, &watch.problems);
    page.end();
    page.fact(&page.words(&rests_on(&watch.alert)));
    page.fact(&page.aside(&format!("Scored with {}", made_with(watch))));
    page.out
}

/// What could not be read or scored.
pub(super) fn problems(page: &mut Page, problems: &[Problem]) {
    let items: Vec<String> = problems
        .iter()
        .map(|it| {
            let (place, message) = problem(it, MESSAGE_CHARS_MAX);
            page.words(&format!("{place}: {message}"))
        })
        .collect();
    page.listed(Style::Bold, &format!("Problems ({})", problems.len()), &items);
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
fn sections(page: &mut Page, watch: &Watch) {
    let mut candidates = shown_in_full(watch, SECTIONS_MAX);
    candidates.sort_by_key(|at| watch.trajectories[*at].alerts.is_empty());
    let mut room = SECTIONS_END_BYTES.saturating_sub(page.out.len());
    let mut kept = Vec::new();
    for at in candidates {
        let before = page.out.len();
        trajectory(page, &watch.trajectories[at]);
        let text = page.out.split_off(before);
        if text.len() <= room {
            room -= text.len();
            kept.push((at, text));
        }
    }
    kept.sort_unstable_by_key(|(at, _)| *at);
    kept.iter().for_each(|(_, text)| page.out.push_str(text));
    if watch.trajectories.len() > kept.len() {
        let hidden = trajectories(watch.trajectories.len() - kept.len());
        page.fact(&format!("{hidden} more: curves and alerts stand in the JSON and on the HTML page."));
    }
}

fn trajectory(page: &mut Page, own: &Trajectory) {
    let name = name(&own.task_id, own.agent.as_deref());
    if page.is_markdown() {
        page.title(Style::Bold, &name);
    } else {
        let mark =
            if own.alerts.is_empty() { String::new() } else { format!(" {}", page.marked(Style::Bad, "[alert]")) };
        let (title, steps) = (page.marked(Style::Bold, &name), count_of(own.steps.len(), "step"));
        page.fact(&format!("\n▸ {title} · {steps}{mark}"));
    }
    let intent = own.initial_intent.as_ref();
    let intent = intent.map(|intent| page.words(&format!("“{}”", line(intent, INTENT_CHARS_MAX))));
    page.named("intent", &intent.unwrap_or_else(|| page.aside("(not known)")));
    curve(page, own);
    let why = no_mean(own).map_or_else(String::new, |why| format!(" ({why})"));
    let (mean, max, shift) = (score(own.mean_ids), score(own.max_ids), score(own.goal_shift));
    page.named("mean", &format!("{mean}{why} · max {max} · goal shift {shift}"));
    let onset = onset(own).unwrap_or_else(|| "none: no sustained change to higher goal distances".to_owned());
    page.named("onset", &page.words(&onset));
    let shown = page.lines_max;
    for alert in own.alerts.iter().take(shown) {
        let what = page.marked(Style::Bad, &format!("{}, {}", steps_of(alert), alert.cause.label()));
        page.named("alert", &format!("{what}: {}", page.words(&line(&alert.message, MESSAGE_CHARS_MAX))));
    }
    page.more(own.alerts.len().saturating_sub(shown), " alerts in the JSON");
    let mut before = None;
    for (at, (step, ids)) in worst(own).into_iter().enumerate() {
        let goal = line(&step.goal, GOAL_CHARS_MAX);
        let goal = match goal.as_str() {
            _ if before == Some(&step.goal) => "the same goal".to_owned(),
            "" => page.aside("(no goal)"),
            goal => page.words(&format!("the goal “{goal}”")),
        };
        before = Some(&step.goal);
        let label = if at == 0 { "worst" } else { "" };
        page.named(label, &format!("step {:<5} {ids:.3} against {goal}", step.step));
    }
    let gaps = gaps(own);
    if !gaps.is_empty() {
        page.named("gaps", &page.marked(Style::Warn, &gaps.join(" · ")));
    }
    if page.is_markdown() {
        page.out.push('\n');
    }
}

/// The scores as blocks, with the onset marked under them.
fn curve(page: &mut Page, own: &Trajectory) {
    let values: Vec<Option<f64>> = scores(own).collect();
    if values.is_empty() {
        return;
    }
    let blocks = Sparkline::new(&values, SPARKLINE_CHARS_MAX);
    let mut lines = vec![(None, format!("ids   0 {} 1", blocks.cells))];
    if let (Some(at), Some(onset)) = (onset_at(own), own.onset) {
        let before = blocks.cell_of(at);
        let label = format!("onset, step {onset}");
        let mark = if before > SPARKLINE_CHARS_MAX / 2 {
            format!("{:>before$}^", format!("{label} "))
        } else {
            format!("{:>before$}^ {label}", "")
        };
        lines.push((Some(Style::Bad), format!("        {mark}")));
    }
    let per_cell = blocks.positions_per_cell();
    let mut notes = Vec::new();
    if per_cell > 1 {
        notes.push(format!("a block stands for up to {per_cell} steps and shows their maximum"));
    }
    if blocks.cells.contains('·') {
        notes.push("· no score".to_owned());
    }
    if !notes.is_empty() {
        lines.push((Some(Style::Dim), format!("        {}", notes.join("; "))));
    }
    page.block(&lines);
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
