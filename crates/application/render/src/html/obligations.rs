//! What the prompt obliges to, broken first.

use std::collections::BTreeMap;

use askama::Template;
use steadfast_wire::Span;
use steadfast_wire::audit::{Basis, DriftEvaluation, Obligation, Status};

use super::incidents::{Incidents, Link};
use super::places::Places;
use crate::digest;
use crate::plain::{one_line, shorten, shown};
use crate::rows::rows_of;
use crate::{Error, Pages};

/// What all obligations of one status may take of the page.
const GROUP_BYTES_MAX: usize = 40_000;
/// Obligations of one status on a page that has others.
const ON_A_PAGE: usize = 100;
const QUOTE_CHARS_MAX: usize = 260;
const ANSWERS_MAX: usize = 3;
const LINKS_MAX: usize = 6;

/// The obligations of one status.
pub(super) struct Group {
    pub(super) label: &'static str,
    pub(super) class: &'static str,
    pub(super) meaning: &'static str,
    pub(super) count: usize,
    pub(super) open: bool,
    pub(super) rows: String,
    pub(super) hidden: usize,
    /// The way to its other pages, as HTML.
    pub(super) pages: String,
}

struct Quote {
    quote: String,
    place: String,
}

#[derive(Template)]
#[template(path = "obligation.html")]
struct Row {
    anchor: String,
    kind: &'static str,
    implied: bool,
    text: String,
    ask: Quote,
    answers: Vec<Quote>,
    more: usize,
    incidents: Vec<Link>,
}

/// The anchor of an obligation, by its place in the list.
pub(super) fn anchor(at: usize) -> String {
    format!("obligation-{}", at + 1)
}

/// The obligations by their status; those of one status alone where it is said. Where there are other `pages`, each has so many of them; where
/// there are none, as many as the one page holds.
pub(super) fn groups(
    evaluation: &DriftEvaluation,
    incidents: &Incidents<'_>,
    places: &Places<'_>,
    only: Option<Status>,
    pages: Option<&dyn Pages>,
) -> Result<Vec<Group>, Error> {
    let numbered = evaluation.obligations.iter().enumerate();
    let numbers: BTreeMap<&str, usize> = numbered.map(|(at, obligation)| (obligation.id.as_str(), at)).collect();
    let mut groups = Vec::new();
    for status in Status::ALL.iter().filter(|status| only.is_none_or(|only| only == **status)) {
        let obligations = digest::obligations(evaluation, *status);
        if obligations.is_empty() {
            continue;
        }
        let mut rows = String::new();
        let mut shown = 0;
        let paged = pages.map(|pages| rows_of(pages, status.name(), "obligations", ON_A_PAGE, obligations.len()));
        let from = paged.as_ref().map_or(0, |paged| paged.from);
        let (rows_max, bytes_max) =
            if paged.is_some() { (ON_A_PAGE, usize::MAX) } else { (usize::MAX, GROUP_BYTES_MAX) };
        for obligation in obligations.iter().skip(from).take(rows_max) {
            let at = numbers.get(obligation.id.as_str()).copied().unwrap_or(0);
            let html = row(at, obligation, incidents, places)?;
            if rows.len() + html.len() > bytes_max {
                break;
            }
            rows.push_str(&html);
            shown += 1;
        }
        groups.push(Group {
            label: status.label(),
            class: status.name(),
            meaning: match status {
                Status::Broken => "the report breaks it",
                Status::Unmentioned => "the report does not speak of it",
                Status::NotAssessed => "it could not be judged",
                Status::Kept => "the report keeps it",
            },
            count: obligations.len(),
            open: matches!(status, Status::Broken) || only.is_some() || from > 0,
            rows,
            hidden: if paged.is_some() { 0 } else { obligations.len() - shown },
            pages: paged.map(|paged| paged.html()).transpose()?.unwrap_or_default(),
        });
    }
    Ok(groups)
}

fn row(at: usize, obligation: &Obligation, incidents: &Incidents<'_>, places: &Places<'_>) -> Result<String, Error> {
    let answers: Result<Vec<_>, _> =
        obligation.answer_spans.iter().take(ANSWERS_MAX).map(|span| quote(span, places)).collect();
    let mut links = incidents.of_obligation(&obligation.id);
    links.truncate(LINKS_MAX);
    let ask = quote(&obligation.span, places)?;
    let text = shorten(&one_line(&obligation.text), QUOTE_CHARS_MAX);
    let row = Row {
        anchor: anchor(at),
        kind: obligation.kind.label(),
        implied: matches!(obligation.basis, Basis::Implied),
        // What only repeats the quote is not said twice.
        text: if ask.quote.contains(&text) { String::new() } else { text },
        ask,
        answers: answers?,
        more: obligation.answer_spans.len().saturating_sub(ANSWERS_MAX),
        incidents: links,
    };
    row.render().map_err(Error::Html)
}

fn quote(span: &Span, places: &Places<'_>) -> Result<Quote, Error> {
    Ok(Quote { quote: shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX), place: places.html(span)? })
}
