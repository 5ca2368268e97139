//! What notes require, without a plan.

use askama::Template;
use steadfast_wire::plan::{Constraint, Constraints};

use super::day::clock;
use super::html::{CSS, ConstraintRow, List, list, stated};
use super::model::parts;
use super::page::constraint_list;
use crate::context::Index;
use crate::digest::count_of;
use crate::html::Frame;
use crate::model::Part;
use crate::page::Page;
use crate::plain::{line, shorten, shown};
use crate::terminal::Style;
use crate::{Colour, Error, Texts};

/// Constraints that text and page show; the JSON has all.
pub const CONSTRAINTS_SHOWN_MAX: usize = 400;

const TASKS_SHOWN_MAX: usize = 100;
const LINE_CHARS_MAX: usize = 240;
const QUOTE_CHARS_MAX: usize = 120;

/// The constraints as a list for a terminal.
#[must_use]
pub fn text(constraints: &Constraints, texts: &Texts<'_>, colour: Colour) -> String {
    write(Page::terminal(colour, TASKS_SHOWN_MAX), constraints, &Index::new(texts))
}

/// The constraints as Markdown.
#[must_use]
pub fn markdown(constraints: &Constraints, texts: &Texts<'_>) -> String {
    write(Page::markdown("What the Notes Require", TASKS_SHOWN_MAX, usize::MAX), constraints, &Index::new(texts))
}

fn write(mut page: Page, constraints: &Constraints, index: &Index<'_>) -> String {
    page.fact(&page.words(&summary(constraints)));
    if page.is_markdown() {
        constraint_list(&mut page.out, &constraints.constraints, index);
        page.out.push('\n');
    } else {
        let all = &constraints.constraints;
        for constraint in all.iter().take(CONSTRAINTS_SHOWN_MAX) {
            let soft = if constraint.hard { "" } else { " (soft)" };
            let kind = page.marked(Style::Bold, &format!("{}{soft}", constraint.kind.label()));
            page.fact(&format!("\n{kind}: {}", line(&constraint.meaning, LINE_CHARS_MAX)));
            if let Some(span) = &constraint.span {
                let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
                page.fact(&format!("  “{quote}” {}", page.place(&index.place(span))));
            }
        }
        if all.len() > CONSTRAINTS_SHOWN_MAX {
            page.fact(&format!("\nand {} more", all.len() - CONSTRAINTS_SHOWN_MAX));
        }
    }
    for Part { title, lines } in beside(constraints, index) {
        let lines: Vec<String> = lines.iter().map(|text| line(text, LINE_CHARS_MAX)).collect();
        page.lines(Style::Bold, title, &lines);
    }
    page.out
}

/// What stands beside the constraints, without what is empty.
fn beside(constraints: &Constraints, index: &Index<'_>) -> Vec<Part> {
    let tasks = constraints.tasks.iter().map(|task| task.task.clone()).collect();
    let mut all = vec![
        Part::new("Tasks", tasks),
        Part::new("Questions", constraints.questions.clone()),
        Part::new("Assumptions", constraints.assumptions.clone()),
    ];
    all.extend(constraints.model_view.iter().flat_map(|view| parts(view, index)));
    all.retain(|part| !part.lines.is_empty());
    all
}

/// "12 constraints and 4 tasks, read at …".
fn summary(constraints: &Constraints) -> String {
    format!(
        "{} and {}, read at {}, {}",
        count_of(constraints.constraints.len(), "constraint"),
        count_of(constraints.tasks.len(), "task"),
        clock(&constraints.current_time, ""),
        line(&constraints.timezone, 80)
    )
}

/// The values of `constraints_part.html`.
#[derive(Template)]
#[template(path = "constraints_part.html")]
struct Table {
    constraints: Vec<ConstraintRow>,
    more: usize,
    lists: Vec<List>,
}

/// The constraints as one self-contained page.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html(constraints: &Constraints, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let all: Vec<&Constraint> = constraints.constraints.iter().collect();
    let (rows, more) = stated(&all, &index);
    let part = Table {
        constraints: rows,
        more,
        lists: beside(constraints, &index).iter().map(|part| list(part.title, &part.lines)).collect(),
    };
    let frame = Frame {
        css: CSS,
        kind: "Constraints",
        title: "What the notes require".to_owned(),
        beside: summary(constraints),
        part: part.render().map_err(Error::Html)?,
        footer: "Steadfast plan. Every constraint stands in the notes at the place that is named.",
    };
    frame.render().map_err(Error::Html)
}
