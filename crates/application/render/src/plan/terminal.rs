//! A plan for terminals.

use std::fmt::Write as _;

use steadfast_wire::plan::Finding;

use super::day::{ROWS_MAX, What, clock, day, span};
use super::digest::{counts, findings, is_good, verdict};
use super::model::parts;
use super::{Origin, Sheet, moved};
use crate::context::Index;
use crate::digest::count_of;
use crate::plain::{line, shorten, shown};
use crate::terminal::Style;
use crate::{Colour, Texts};

/// Findings, and lines of any other list, that are shown.
const LINES_SHOWN_MAX: usize = 12;
const LINE_CHARS_MAX: usize = 240;
/// Characters of a question with its answers: what is cut off cannot be chosen.
const QUESTION_CHARS_MAX: usize = 2_000;
const TASK_CHARS_MAX: usize = 120;
const QUOTE_CHARS_MAX: usize = 120;

/// The plan as a summary for a terminal: the verdict, what fails it, the day with what the notes take of it, the counts, what was
/// assumed and what must be asked. Control characters of notes are shown, so none reaches the terminal.
#[must_use]
pub fn text(sheet: &Sheet<'_>, texts: &Texts<'_>, colour: Colour) -> String {
    let index = Index::new(texts);
    let mut out = String::new();
    head(&mut out, sheet, colour);
    let (hard, soft) = (findings(sheet, true), findings(sheet, false));
    listed(&mut out, "Why it fails", Style::Bad, &hard, &index, colour);
    rows(&mut out, sheet, &index, colour);
    let _ = writeln!(out, "\n{}", counts(&sheet.validation.metrics).join(" · "));
    listed(&mut out, "Worth knowing", Style::Warn, &soft, &index, colour);
    lines_of(&mut out, moved::TITLE, &moved::lines(sheet.moved, sheet.current_time), colour);
    for (title, lines, chars) in [
        ("Questions", sheet.questions, QUESTION_CHARS_MAX),
        ("Not planned", sheet.set_apart, LINE_CHARS_MAX),
        ("Assumptions", sheet.assumptions, LINE_CHARS_MAX),
        ("Not checked", sheet.validation.unchecked.as_slice(), LINE_CHARS_MAX),
    ] {
        lines_within(&mut out, title, lines, chars, colour);
    }
    for part in sheet.model_view.iter().flat_map(|view| parts(view, &index)) {
        lines_of(&mut out, part.title, &part.lines, colour);
    }
    out
}

fn head(out: &mut String, sheet: &Sheet<'_>, colour: Colour) {
    let style = if is_good(sheet) { Style::Good } else { Style::Bad };
    let verdict = colour.paint(style, verdict(sheet));
    let now = format!("{}, {}", clock(sheet.current_time, ""), line(sheet.timezone, 80));
    match sheet.origin {
        Origin::Made { confidence, variant, overload, .. } => {
            // How sure the planner is says something of a plan that may be used.
            let sure = if is_good(sheet) { format!(" · confidence {confidence}") } else { String::new() };
            let _ = writeln!(out, "{verdict}{sure} · {variant} · {now}");
            if let Some(overload) = overload {
                let _ = writeln!(out, "\n{}", colour.paint(Style::Bad, "Not everything fits"));
                let _ = writeln!(out, "  {}", line(&overload.proof, 2 * LINE_CHARS_MAX));
                for task in overload.drop.iter().take(LINES_SHOWN_MAX) {
                    let _ = writeln!(out, "  - move or drop: {}", line(task, TASK_CHARS_MAX));
                }
                more(out, overload.drop.len());
            }
        }
        Origin::Given { file } => {
            let _ = writeln!(out, "{verdict} · {} · {now}", line(file, QUOTE_CHARS_MAX));
        }
    }
}

fn listed(out: &mut String, title: &str, style: Style, findings: &[&Finding], index: &Index<'_>, colour: Colour) {
    if findings.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", colour.paint(style, title));
    for finding in findings.iter().take(LINES_SHOWN_MAX) {
        let place = finding.ask_span.as_ref().map_or_else(String::new, |span| {
            let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
            format!("\n    notes: “{quote}” {}", colour.paint(Style::Dim, &index.place(span)))
        });
        let _ = writeln!(out, "  - {}{place}", line(&finding.message, LINE_CHARS_MAX));
    }
    more(out, findings.len());
}

fn more(out: &mut String, count: usize) {
    if count > LINES_SHOWN_MAX {
        let _ = writeln!(out, "  and {} more", count - LINES_SHOWN_MAX);
    }
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
                let task = line(&item.task, TASK_CHARS_MAX);
                let task = if task.is_empty() { "(no task named)".to_owned() } else { task };
                let mut beside = vec![count_of(usize::try_from(item.timebox_minutes).unwrap_or(0), "minute")];
                if !item.with.is_empty() {
                    beside.push(format!("with {}", line(&item.with.join(", "), TASK_CHARS_MAX)));
                }
                beside.extend(item.place.iter().map(|place| format!("at {}", line(place, TASK_CHARS_MAX))));
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
                    let why = colour.paint(Style::Dim, &line(&item.why, LINE_CHARS_MAX));
                    let _ = writeln!(out, "  {:<width$}     {why}", "");
                }
            }
            What::Taken(constraint) => {
                let place = constraint.span.as_ref().map_or_else(String::new, |span| index.place(span));
                let what = format!(
                    "{}: {}",
                    constraint.kind.label().to_lowercase(),
                    line(What::named(constraint), QUOTE_CHARS_MAX)
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

fn lines_of(out: &mut String, title: &str, lines: &[String], colour: Colour) {
    lines_within(out, title, lines, LINE_CHARS_MAX, colour);
}

fn lines_within(out: &mut String, title: &str, lines: &[String], chars: usize, colour: Colour) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, title));
    for text in lines.iter().take(LINES_SHOWN_MAX) {
        let _ = writeln!(out, "  - {}", line(text, chars));
    }
    more(out, lines.len());
}
