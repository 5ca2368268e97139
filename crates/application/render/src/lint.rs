//! What is said of a prompt by itself: text, Markdown and a page.

use std::fmt::Write as _;

use askama::Template;
use steadfast_wire::Span;
use steadfast_wire::lint::{LintObligation, PromptLint};

use crate::context::Index;
use crate::digest::count_of;
use crate::html::Frame;
use crate::markdown::escape::line as escaped;
use crate::plain::{line, shorten, shown};
use crate::terminal::Style;
use crate::{Colour, Error, Form, Texts};

const CSS: &str = include_str!("../templates/report.css");

const LINES_MAX: usize = 100;
const LINE_CHARS_MAX: usize = 420;
const QUOTE_CHARS_MAX: usize = 160;

/// A heading and the lines under it, as every form shows them in its own way.
struct Part {
    title: String,
    none: &'static str,
    lines: Vec<Line>,
    more: usize,
}

/// A line: what is said, and the words of the prompt that it rests on.
struct Line {
    said: String,
    quotes: Vec<(String, String)>,
}

/// In a form; `None` for the forms of findings in a report, which a prompt has none of.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn drawn(lint: &PromptLint, texts: &Texts<'_>, form: Form, shade: Colour) -> Result<Option<String>, Error> {
    Ok(match form {
        Form::Text => Some(text(lint, texts, shade)),
        Form::Markdown => Some(markdown(lint, texts)),
        Form::Html => Some(html(lint, texts)?),
        Form::Junit | Form::Sarif => None,
    })
}

/// What was found, in a line.
#[must_use]
pub fn summary(lint: &PromptLint) -> String {
    let checkable = lint.obligations.iter().filter(|own| !own.checkable_by.is_empty()).count();
    format!(
        "{}: {checkable} can be checked; {}, {}, {} of which nothing is said",
        count_of(lint.obligations.len(), "obligation"),
        count_of(lint.contradictions.len(), "contradiction"),
        count_of(lint.vague.len(), "vague word"),
        count_of(lint.unsaid.len(), "thing"),
    )
}

fn parts(lint: &PromptLint, index: &Index<'_>) -> [Part; 5] {
    let quote = |span: &Span| (shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX), index.place(span));
    let obligation = |own: &LintObligation| Line {
        said: if own.checkable_by.is_empty() {
            own.kind.label().to_owned()
        } else {
            format!("{}, by {}", own.kind.label(), own.checkable_by.join(", "))
        },
        quotes: vec![quote(&own.span)],
    };
    let (checkable, read): (Vec<_>, Vec<_>) = lint.obligations.iter().partition(|own| !own.checkable_by.is_empty());
    let contradictions = lint
        .contradictions
        .iter()
        .map(|own| Line { said: own.explanation.clone(), quotes: own.spans.iter().map(quote).collect() });
    let vague = lint.vague.iter().map(|own| Line {
        said: format!("“{}” leaves open {}", own.word, own.kind.label()),
        quotes: vec![quote(&own.span)],
    });
    let unsaid = lint.unsaid.iter().map(|own| Line { said: own.label().to_owned(), quotes: Vec::new() });
    [
        part("Contradictions", "None was found.", contradictions.collect()),
        part("Vague", "No vague word was found.", vague.collect()),
        part("Not said, so a planner will probably invent it", "Nothing that plans usually need.", unsaid.collect()),
        part("Can be checked in a report", "Nothing.", checkable.into_iter().map(obligation).collect()),
        part("Read, and left to a reader to judge", "Nothing.", read.into_iter().map(obligation).collect()),
    ]
}

fn part(title: &str, none: &'static str, mut lines: Vec<Line>) -> Part {
    let title = format!("{title} ({})", lines.len());
    let more = lines.len().saturating_sub(LINES_MAX);
    lines.truncate(LINES_MAX);
    Part { title, none, lines, more }
}

fn text(lint: &PromptLint, texts: &Texts<'_>, colour: Colour) -> String {
    let index = Index::new(texts);
    let mut out = summary(lint) + "\n";
    for part in parts(lint, &index) {
        let _ = writeln!(out, "\n{}", colour.paint(Style::Bold, &part.title));
        if part.lines.is_empty() {
            let _ = writeln!(out, "  {}", colour.paint(Style::Dim, part.none));
        }
        for own in &part.lines {
            let _ = writeln!(out, "  - {}", line(&own.said, LINE_CHARS_MAX));
            for (quote, place) in &own.quotes {
                let _ = writeln!(out, "    “{quote}” {}", colour.paint(Style::Dim, place));
            }
        }
        if part.more > 0 {
            let _ = writeln!(out, "  and {} more in the JSON", part.more);
        }
    }
    out
}

fn markdown(lint: &PromptLint, texts: &Texts<'_>) -> String {
    let index = Index::new(texts);
    let mut out = format!("# Prompt Lint\n\n{}\n", escaped(&summary(lint), LINE_CHARS_MAX));
    for part in parts(lint, &index) {
        let _ = writeln!(out, "\n## {}\n", part.title);
        if part.lines.is_empty() {
            let _ = writeln!(out, "{}", part.none);
        }
        for own in &part.lines {
            let _ = write!(out, "- {}", escaped(&own.said, LINE_CHARS_MAX));
            for (quote, place) in &own.quotes {
                let _ = write!(out, " — “{}” ({})", escaped(quote, LINE_CHARS_MAX), escaped(place, LINE_CHARS_MAX));
            }
            out.push('\n');
        }
        if part.more > 0 {
            let _ = writeln!(out, "- and {} more in the JSON", part.more);
        }
    }
    let _ = writeln!(out, "\n---\n\nRules version {}.", escaped(&lint.rules_version, 40));
    out
}

/// The values of `lint_part.html`.
#[derive(Template)]
#[template(path = "lint_part.html")]
struct Parts {
    parts: [Part; 5],
}

fn html(lint: &PromptLint, texts: &Texts<'_>) -> Result<String, Error> {
    let rules_version = line(&lint.rules_version, 40);
    let footer = format!(
        "Steadfast audit of a prompt alone · rules version {rules_version}. Every quote stands in the prompt at the line that is named."
    );
    let frame = Frame {
        css: CSS.trim_end(),
        kind: "Prompt lint",
        title: line(&lint.source.file, 90),
        beside: summary(lint),
        part: html_part(lint, texts)?,
        footer: &footer,
    };
    frame.render().map_err(Error::Html)
}

/// What stands below the heading of its page, for a page of somebody else's.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn html_part(lint: &PromptLint, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let parts = parts(lint, &index).map(|part| Part {
        lines: part.lines.into_iter().map(|own| Line { said: line(&own.said, LINE_CHARS_MAX), ..own }).collect(),
        ..part
    });
    Parts { parts }.render().map_err(Error::Html)
}
