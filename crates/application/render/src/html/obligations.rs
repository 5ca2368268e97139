//! What the prompt obliges to, by what became of it.

use std::collections::BTreeMap;

use askama::Template;
use steadfast_wire::Span;
use steadfast_wire::audit::{Basis, DriftEvaluation, Obligation, Strength};

use super::incidents::{Incidents, Link};
use super::places::Places;
use crate::decided;
use crate::digest;
use crate::plain::{one_line, shorten, shown};
use crate::rows::rows_of;
use crate::standing::Standing;
use crate::{Error, Pages};

/// What all obligations in one state may take of the page, and what those may that are unclear: they stand with what is near to them.
const GROUP_BYTES_MAX: usize = 14_000;
const NEAR_BYTES_MAX: usize = 34_000;
/// Obligations in one state on a page that has others.
const ON_A_PAGE: usize = 100;
const QUOTE_CHARS_MAX: usize = 260;
/// So many that nobody decided yet are shown at once.
const OPEN_MAX: usize = 8;
const ANSWERS_MAX: usize = 3;
const PASSAGES_MAX: usize = 3;
const LINKS_MAX: usize = 6;
const ID_CHARS_MAX: usize = 80;

/// The obligations in one state.
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
    id: String,
    kind: &'static str,
    strength: &'static str,
    by: String,
    implied: bool,
    text: String,
    ask: Quote,
    /// What code counted; the words that it was counted from are not shown then.
    measured: String,
    answers: Vec<Quote>,
    more: usize,
    /// What comes nearest to one that is unclear, and how it was found.
    nearest: &'static str,
    near: Vec<(Quote, &'static str)>,
    incidents: Vec<Link>,
}

/// The anchor of an obligation, by its place in the list.
pub(super) fn anchor(at: usize) -> String {
    format!("obligation-{}", at + 1)
}

/// The obligations by their state; those in one state alone where it is said. Where there are other `pages`, each has so many of them; where
/// there are none, as many as the one page holds.
pub(super) fn groups(
    evaluation: &DriftEvaluation,
    incidents: &Incidents<'_>,
    places: &Places<'_>,
    only: Option<Standing>,
    pages: Option<&dyn Pages>,
) -> Result<Vec<Group>, Error> {
    let numbered = evaluation.obligations.iter().enumerate();
    let numbers: BTreeMap<&str, usize> = numbered.map(|(at, obligation)| (obligation.id.as_str(), at)).collect();
    let mut groups = Vec::new();
    for state in Standing::ALL.iter().copied().filter(|state| only.is_none_or(|only| only == *state)) {
        let obligations = digest::obligations(evaluation, state);
        if obligations.is_empty() {
            continue;
        }
        let mut rows = String::new();
        let mut shown = 0;
        let paged = pages.map(|pages| rows_of(pages, state.row().name, "obligations", ON_A_PAGE, obligations.len()));
        let from = paged.as_ref().map_or(0, |paged| paged.from);
        let group_bytes_max = if state.row().nearest.is_some() { NEAR_BYTES_MAX } else { GROUP_BYTES_MAX };
        let (rows_max, bytes_max) =
            if paged.is_some() { (ON_A_PAGE, usize::MAX) } else { (usize::MAX, group_bytes_max) };
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
            label: state.row().label,
            class: state.row().name,
            meaning: state.row().meaning,
            count: obligations.len(),
            open: matches!(state, Standing::Broken | Standing::Weakened | Standing::Missing)
                || state.row().nearest.is_some() && obligations.len() <= OPEN_MAX
                || only.is_some()
                || from > 0,
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
    let nearest = Standing::of(obligation).row().nearest;
    let passages = if nearest.is_some() { obligation.passages.as_slice() } else { &[] };
    let near: Result<Vec<_>, Error> = passages
        .iter()
        .take(PASSAGES_MAX)
        .map(|passage| Ok((quote(&passage.span, places)?, passage.found_by.label())))
        .collect();
    let mut links = incidents.of_obligation(&obligation.id);
    links.truncate(LINKS_MAX);
    let ask = quote(&obligation.span, places)?;
    let text = shorten(&one_line(&obligation.text), QUOTE_CHARS_MAX);
    let measured = obligation.measured.as_deref().map(one_line).unwrap_or_default();
    let row = Row {
        anchor: anchor(at),
        id: shorten(&one_line(&obligation.id), ID_CHARS_MAX),
        kind: obligation.kind.label(),
        by: decided::by(&obligation.origin, obligation.person.as_deref()),
        strength: match obligation.strength {
            Strength::Must => "",
            Strength::Should => "wanted",
            Strength::May => "optional",
        },
        implied: matches!(obligation.basis, Basis::Implied),
        // What only repeats the quote is not said twice.
        text: if ask.quote.contains(&text) { String::new() } else { text },
        ask,
        answers: if measured.is_empty() { answers? } else { Vec::new() },
        measured,
        more: obligation.answer_spans.len().saturating_sub(ANSWERS_MAX),
        nearest: nearest.unwrap_or_default(),
        near: near?,
        incidents: links,
    };
    row.render().map_err(Error::Html)
}

fn quote(span: &Span, places: &Places<'_>) -> Result<Quote, Error> {
    Ok(Quote { quote: shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX), place: places.html(span)? })
}
