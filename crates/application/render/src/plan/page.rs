//! A plan for terminals and as Markdown.

use std::fmt::Write as _;

use steadfast_wire::Span;
use steadfast_wire::plan::{Constraint, Finding};

use super::day::{ROWS_MAX, What, clock, day, span};
use super::digest::{counts, findings, is_good, verdict};
use super::model::parts;
use super::{Origin, Sheet, moved};
use crate::context::Index;
use crate::digest::count_of;
use crate::markdown::escape::{code, escape, line};
use crate::page::{Page, Sink};
use crate::plain::{self, one_line, shorten, shown};
use crate::terminal::Style;
use crate::{Colour, Texts};

/// Findings, and lines of any other list, that are shown on a terminal; in Markdown, of constraints as well.
const LINES_SHOWN_MAX: usize = 12;
const LINES_MARKDOWN_MAX: usize = 40;
const LINE_CHARS_MAX: usize = 300;
/// Characters of a question with its answers: what is cut off cannot be chosen.
const QUESTION_CHARS_MAX: usize = 2_000;
const TASK_CHARS_MAX: usize = 160;
const QUOTE_CHARS_MAX: usize = 160;

/// The plan as a summary for a terminal: the verdict, what fails it, the day with what the notes take of it, the counts, what was
/// assumed and what must be asked. Control characters of notes are shown, so none reaches the terminal.
#[must_use]
pub fn text(sheet: &Sheet<'_>, texts: &Texts<'_>, colour: Colour) -> String {
    write(Page::terminal(colour, LINES_SHOWN_MAX), sheet, &Index::new(texts))
}

/// The plan as Markdown: the same, with the day and the constraints as tables. Text of notes and plans is escaped.
#[must_use]
pub fn markdown(sheet: &Sheet<'_>, texts: &Texts<'_>) -> String {
    let title = match sheet.origin {
        Origin::Made { .. } => "Day Plan".to_owned(),
        Origin::Given { file } => format!("Check of {}", line(file, TASK_CHARS_MAX)),
    };
    write(Page::markdown(&title, LINES_MARKDOWN_MAX, usize::MAX), sheet, &Index::new(texts))
}

fn write(mut page: Page, sheet: &Sheet<'_>, index: &Index<'_>) -> String {
    head(&mut page, sheet);
    broken(&mut page, "Why it fails", Style::Bad, &findings(sheet, true), index);
    match page.sink {
        Sink::Terminal(colour) => rows(&mut page.out, sheet, index, colour),
        Sink::Markdown => table(&mut page.out, sheet, index),
    }
    let counts = counts(&sheet.validation.metrics).join(" · ");
    page.gap();
    page.fact(&if page.is_markdown() {
        format!("Validation: {} · {counts}", sheet.validation.status)
    } else {
        counts
    });
    broken(&mut page, "Worth knowing", Style::Warn, &findings(sheet, false), index);
    let moved = moved::lines(sheet.moved, sheet.current_time);
    for (title, lines, chars) in [
        (moved::TITLE, moved.as_slice(), LINE_CHARS_MAX),
        ("Questions", sheet.questions, QUESTION_CHARS_MAX),
        ("Not planned", sheet.set_apart, LINE_CHARS_MAX),
        ("Assumptions", sheet.assumptions, LINE_CHARS_MAX),
        ("Not checked", sheet.validation.unchecked.as_slice(), LINE_CHARS_MAX),
    ] {
        lines_within(&mut page, title, lines, chars);
    }
    for part in sheet.model_view.iter().flat_map(|view| parts(view, index)) {
        lines_within(&mut page, part.title, &part.lines, LINE_CHARS_MAX);
    }
    if page.is_markdown() {
        constraint_list(&mut page.out, &sheet.validation.constraints, index);
    }
    page.out
}

fn head(page: &mut Page, sheet: &Sheet<'_>) {
    let style = if is_good(sheet) { Style::Good } else { Style::Bad };
    let verdict = page.marked(style, verdict(sheet));
    let now = page.words(&format!("{}, {}", clock(sheet.current_time, ""), plain::line(sheet.timezone, 80)));
    match sheet.origin {
        Origin::Made { confidence, variant, overload, .. } => {
            // How sure the planner is says something of a plan that may be used.
            let sure = if is_good(sheet) { format!(" · confidence {confidence}") } else { String::new() };
            page.fact(&format!("{verdict}{sure} · {} · {now}", page.words(variant)));
            if let Some(overload) = overload {
                page.title(Style::Bad, "Not everything fits");
                let proof = page.words(&plain::line(&overload.proof, 2 * LINE_CHARS_MAX));
                page.fact(&format!("  {proof}"));
                let tasks =
                    overload.drop.iter().map(|task| format!("move or drop: {}", plain::line(task, TASK_CHARS_MAX)));
                page.items(&tasks.map(|task| page.words(&task)).collect::<Vec<_>>());
            }
        }
        Origin::Given { file } => {
            let file = page.words(&plain::line(file, QUOTE_CHARS_MAX));
            page.fact(&format!("{verdict} · {file} · {now}"));
        }
    }
}

/// Findings under a title, each with the words of the notes that it rests on.
fn broken(page: &mut Page, title: &str, style: Style, findings: &[&Finding], index: &Index<'_>) {
    let before = if page.is_markdown() { " Notes: " } else { "\n    notes: " };
    let items = findings.iter().map(|finding| {
        let check = if page.is_markdown() { code(&one_line(&finding.check)) + " " } else { String::new() };
        let message = check + &page.words(&plain::line(&finding.message, LINE_CHARS_MAX));
        let Some(span) = &finding.ask_span else { return message };
        let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
        format!("{message}{before}“{}” {}", page.words(&quote), page.place(&index.place(span)))
    });
    page.listed(style, title, &items.collect::<Vec<_>>());
}

fn lines_within(page: &mut Page, title: &str, lines: &[String], chars: usize) {
    let lines: Vec<String> = lines.iter().map(|own| plain::line(own, chars)).collect();
    page.lines(Style::Bold, title, &lines);
}

fn rows(out: &mut String, sheet: &Sheet<'_>, index: &Index<'_>, colour: Colour) {
    let all = day(sheet);
    let day = &all[..all.len().min(ROWS_MAX)];
    if day.is_empty() {
        let _ = writeln!(out, "\nThe plan is empty.");
        return;
    }
    let times: Vec<String> = day.iter().map(|row| span(row.start, row.end, sheet.current_time)).collect();
    let width = times.iter().map(|time| time.chars().count()).max().unwrap_or(0);
    out.push('\n');
    for (row, time) in day.iter().zip(&times) {
        match row.what {
            What::Item(at, item) => {
                let task = plain::line(&item.task, TASK_CHARS_MAX);
                let task = if task.is_empty() { "(no task named)".to_owned() } else { task };
                let mut beside = vec![count_of(usize::try_from(item.timebox_minutes).unwrap_or(0), "minute")];
                if !item.with.is_empty() {
                    beside.push(format!("with {}", plain::line(&item.with.join(", "), TASK_CHARS_MAX)));
                }
                beside.extend(item.place.iter().map(|place| format!("at {}", plain::line(place, TASK_CHARS_MAX))));
                let broken = sheet.validation.findings.iter().any(|it| it.hard && it.item_index == Some(at));
                let mark = if broken { colour.paint(Style::Bad, " [fails]") } else { String::new() };
                let beside = colour.paint(Style::Dim, &beside.join(", "));
                let _ = writeln!(
                    out,
                    "  {time:<width$}  {} {} ({beside}){mark}",
                    colour.paint(Style::Bold, &format!("{}.", at + 1)),
                    task
                );
                if !item.why.trim().is_empty() {
                    let why = colour.paint(Style::Dim, &plain::line(&item.why, LINE_CHARS_MAX));
                    let _ = writeln!(out, "  {:<width$}     {why}", "");
                }
            }
            What::Taken(constraint) => {
                let place = constraint.span.as_ref().map_or_else(String::new, |span| index.place(span));
                let what = format!(
                    "{}: {}",
                    constraint.kind.label().to_lowercase(),
                    plain::line(What::named(constraint), QUOTE_CHARS_MAX)
                );
                let _ =
                    writeln!(out, "  {time:<width$}  {}", colour.paint(Style::Dim, &format!("-- {what} ({place})")));
            }
        }
    }
    if all.len() > day.len() {
        let _ = writeln!(out, "  and {} more", all.len() - day.len());
    }
}

fn table(out: &mut String, sheet: &Sheet<'_>, index: &Index<'_>) {
    let all = day(sheet);
    let day = &all[..all.len().min(ROWS_MAX)];
    out.push_str("## The Plan\n\n");
    if day.is_empty() {
        out.push_str("It is empty.\n\n");
        return;
    }
    out.push_str("| When | What | Minutes | Why |\n|---|---|---|---|\n");
    for row in day {
        let when = escape(&span(row.start, row.end, sheet.current_time));
        match row.what {
            What::Item(at, item) => {
                let mut task = format!("{}\\. {}", at + 1, line(&item.task, TASK_CHARS_MAX));
                if !item.with.is_empty() {
                    let _ = write!(task, ", with {}", line(&item.with.join(", "), TASK_CHARS_MAX));
                }
                if let Some(place) = &item.place {
                    let _ = write!(task, ", at {}", line(place, TASK_CHARS_MAX));
                }
                if sheet.validation.findings.iter().any(|it| it.hard && it.item_index == Some(at)) {
                    task.push_str(" **(fails)**");
                }
                let _ = writeln!(
                    out,
                    "| {when} | {task} | {} | {} |",
                    item.timebox_minutes,
                    line(&item.why, LINE_CHARS_MAX)
                );
            }
            What::Taken(constraint) => {
                let place = constraint.span.as_ref().map_or_else(String::new, |span| code(&index.place(span)));
                let text = line(What::named(constraint), QUOTE_CHARS_MAX);
                let _ = writeln!(out, "| {when} | *{}: {text}* |  | {place} |", constraint.kind.label());
            }
        }
    }
    if all.len() > day.len() {
        let _ = writeln!(out, "\nand {} more", all.len() - day.len());
    }
    out.push('\n');
}

/// A quote and where it stands.
fn quote(span: &Span, index: &Index<'_>) -> String {
    let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
    format!("“{}” ({})", escape(&quote), code(&index.place(span)))
}

/// Constraints of the notes as a table.
pub(super) fn constraint_list(out: &mut String, constraints: &[Constraint], index: &Index<'_>) {
    let stated: Vec<_> = constraints.iter().filter_map(|it| it.span.as_ref().map(|span| (it, span))).collect();
    let _ = writeln!(out, "## Constraints of the Notes ({})\n", stated.len());
    if stated.is_empty() {
        out.push_str("None.\n");
        return;
    }
    out.push_str("| Kind | Understood as | The notes |\n|---|---|---|\n");
    for (constraint, span) in stated.iter().take(LINES_MARKDOWN_MAX) {
        let soft = if constraint.hard { "" } else { " (soft)" };
        let meaning = line(&constraint.meaning, LINE_CHARS_MAX);
        let _ = writeln!(out, "| {}{soft} | {meaning} | {} |", constraint.kind.label(), quote(span, index));
    }
    if stated.len() > LINES_MARKDOWN_MAX {
        let _ = writeln!(out, "\nand {} more in the JSON", stated.len() - LINES_MARKDOWN_MAX);
    }
}
