//! A plan as Markdown.

use std::fmt::Write as _;

use steadfast_wire::Span;
use steadfast_wire::plan::{Constraint, Finding};

use super::day::{ROWS_MAX, What, clock, day, span};
use super::digest::{counts, findings, verdict};
use super::model::parts;
use super::{Origin, Sheet, moved};
use crate::Texts;
use crate::context::Index;
use crate::markdown::escape::{code, escape, line};
use crate::plain::{one_line, shorten, shown};

/// Findings, constraints, and lines of any other list, that are shown.
const LINES_SHOWN_MAX: usize = 40;
const LINE_CHARS_MAX: usize = 300;
const TASK_CHARS_MAX: usize = 160;
const QUOTE_CHARS_MAX: usize = 160;

/// The plan as Markdown: the verdict, what fails it, the day as a table with what the notes take of it, counts, constraints,
/// assumptions and questions. Text of notes and plans is escaped.
#[must_use]
pub fn markdown(sheet: &Sheet<'_>, texts: &Texts<'_>) -> String {
    let index = Index::new(texts);
    let mut out = String::new();
    head(&mut out, sheet);
    findings_of(&mut out, "Why It Fails", &findings(sheet, true), &index);
    table(&mut out, sheet, &index);
    findings_of(&mut out, "Worth Knowing", &findings(sheet, false), &index);
    list(&mut out, moved::TITLE, &moved::lines(sheet.moved, sheet.current_time));
    list(&mut out, "Questions", sheet.questions);
    list(&mut out, "Not Planned", sheet.set_apart);
    list(&mut out, "Assumptions", sheet.assumptions);
    list(&mut out, "Not Checked", &sheet.validation.unchecked);
    for part in sheet.model_view.iter().flat_map(|view| parts(view, &index)) {
        list(&mut out, part.title, &part.lines);
    }
    constraint_list(&mut out, &sheet.validation.constraints, &index);
    out
}

fn head(out: &mut String, sheet: &Sheet<'_>) {
    let title = match sheet.origin {
        Origin::Made { .. } => "Day Plan".to_owned(),
        Origin::Given { file } => format!("Check of {}", line(file, TASK_CHARS_MAX)),
    };
    let _ = writeln!(out, "# {title}\n");
    let _ = writeln!(out, "**Status:** {}  ", verdict(sheet));
    let _ = writeln!(
        out,
        "**Validation:** {} ({})  ",
        sheet.validation.status,
        counts(&sheet.validation.metrics).join(", ")
    );
    if let Origin::Made { confidence, variant, .. } = sheet.origin {
        let _ = writeln!(out, "**Confidence:** {confidence}, made by {}  ", code(variant));
    }
    let _ = writeln!(out, "**Read:** {}, {}\n", clock(sheet.current_time, ""), line(sheet.timezone, TASK_CHARS_MAX));
    if let Origin::Made { overload: Some(overload), .. } = sheet.origin {
        let _ = writeln!(out, "**Not everything fits.** {}\n", line(&overload.proof, 2 * LINE_CHARS_MAX));
        for task in overload.drop.iter().take(LINES_SHOWN_MAX) {
            let _ = writeln!(out, "- Move or drop: {}", line(task, TASK_CHARS_MAX));
        }
        out.push('\n');
    }
}

fn findings_of(out: &mut String, title: &str, findings: &[&Finding], index: &Index<'_>) {
    if findings.is_empty() {
        return;
    }
    let _ = writeln!(out, "## {title} ({})\n", findings.len());
    for finding in findings.iter().take(LINES_SHOWN_MAX) {
        let _ = write!(out, "- {} {}", code(&one_line(&finding.check)), line(&finding.message, LINE_CHARS_MAX));
        if let Some(span) = &finding.ask_span {
            let _ = write!(out, " Notes: {}", quote(span, index));
        }
        out.push('\n');
    }
    more(out, findings.len());
    out.push('\n');
}

fn more(out: &mut String, count: usize) {
    if count > LINES_SHOWN_MAX {
        let _ = writeln!(out, "- and {} more", count - LINES_SHOWN_MAX);
    }
}

/// A quote and where it stands.
pub(super) fn quote(span: &Span, index: &Index<'_>) -> String {
    let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
    format!("“{}” ({})", escape(&quote), code(&index.place(span)))
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

/// Lines under a heading; nothing where there are none.
pub(super) fn list(out: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "## {title}\n");
    for text in lines.iter().take(LINES_SHOWN_MAX) {
        let _ = writeln!(out, "- {}", line(text, LINE_CHARS_MAX));
    }
    more(out, lines.len());
    out.push('\n');
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
    for (constraint, span) in stated.iter().take(LINES_SHOWN_MAX) {
        let soft = if constraint.hard { "" } else { " (soft)" };
        let meaning = line(&constraint.meaning, LINE_CHARS_MAX);
        let _ = writeln!(out, "| {}{soft} | {meaning} | {} |", constraint.kind.label(), quote(span, index));
    }
    if stated.len() > LINES_SHOWN_MAX {
        let _ = writeln!(out, "\nand {} more in the JSON", stated.len() - LINES_SHOWN_MAX);
    }
}
