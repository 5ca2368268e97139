//! An incident in place: the texts of both sides with its words marked.

use askama::Template;
use steadfast_wire::Span;
use steadfast_wire::audit::DriftIncident;

use super::places::Places;
use crate::context::Index;
use crate::plain::shown_block;
use crate::{Error, Links, Texts};

/// What is shown of a text on either side of the words.
const WINDOW_BYTES: usize = 40_000;

#[derive(Template)]
#[template(path = "in_place.html")]
struct InPlace {
    sides: Vec<Side>,
}

/// One side.
struct Side {
    anchor: &'static str,
    title: &'static str,
    place: String,
    cut_before: bool,
    pieces: Vec<Piece>,
    cut_after: bool,
    /// Why there is no text.
    without: &'static str,
    quote: String,
}

/// A piece of a text.
struct Piece {
    text: String,
    /// How it is marked; empty where it is not.
    mark: &'static str,
}

/// Both texts of an incident, each with its words and the other places of the same fault marked, as one piece of HTML. The words have the
/// anchors `in-prompt` and `in-report`.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn in_place(incident: &DriftIncident, texts: &Texts<'_>) -> Result<String, Error> {
    let (index, links) = (Index::new(texts), Links { base: None });
    let places = Places { index: &index, links: &links };
    let report = if incident.absent { "The report: missing, nearest passage" } else { "The report" };
    let sides = vec![
        side("in-prompt", "The prompt", incident.source_span.as_ref(), &[], texts, &places, "Not in prompt.")?,
        side(
            "in-report",
            report,
            incident.output_span.as_ref(),
            &incident.also_at,
            texts,
            &places,
            "Nothing comes near to it.",
        )?,
    ];
    InPlace { sides }.render().map_err(Error::Html)
}

/// Where spans begin, as `file:line` where the line is known: each place once, with how often it is meant.
#[must_use]
pub fn places(spans: &[Span], texts: &Texts<'_>) -> Vec<String> {
    let index = Index::new(texts);
    let times = |count: usize| if count > 1 { format!(" ({count} times)") } else { String::new() };
    index.places(spans).into_iter().map(|(span, count)| format!("{}{}", index.place(span), times(count))).collect()
}

fn side(
    anchor: &'static str,
    title: &'static str,
    span: Option<&Span>,
    also: &[Span],
    texts: &Texts<'_>,
    places: &Places<'_>,
    nowhere: &'static str,
) -> Result<Side, Error> {
    let bare = |without, quote, place| Side {
        anchor,
        title,
        place,
        cut_before: false,
        pieces: Vec::new(),
        cut_after: false,
        without,
        quote,
    };
    let Some(span) = span else { return Ok(bare(nowhere, String::new(), String::new())) };
    let place = places.html(span)?;
    let text = texts.files.get(span.file.as_str()).copied();
    let Some(text) = text.filter(|text| text.get(span.start..span.end) == Some(span.quote.as_str())) else {
        let quote = shown_block(&span.quote);
        return Ok(bare("The text of this file was not kept with the run; these are the words.", quote, place));
    };
    let from = text.floor_char_boundary(span.start.saturating_sub(WINDOW_BYTES));
    let to = text.ceil_char_boundary((span.end + WINDOW_BYTES).min(text.len()));
    let others = also.iter().filter(|other| other.file == span.file && from <= other.start && other.end <= to);
    let others = others.filter(|other| other.end <= span.start || span.end <= other.start);
    let mut marks: Vec<(usize, usize, &'static str)> = others.map(|other| (other.start, other.end, "also")).collect();
    marks.push((span.start, span.end, "own"));
    marks.sort_unstable();
    let mut pieces = Vec::new();
    let mut at = from;
    let mut push = |text: &str, mark| {
        if !text.is_empty() {
            pieces.push(Piece { text: shown_block(text), mark });
        }
    };
    for (start, end, mark) in marks {
        // Places that overlap another, or lie between characters, cannot be marked by themselves.
        let (Some(before), Some(own)) = (text.get(at..start), text.get(start..end)) else { continue };
        push(before, "");
        push(own, mark);
        at = end;
    }
    push(&text[at..to], "");
    Ok(Side { cut_before: from > 0, cut_after: to < text.len(), pieces, ..bare("", String::new(), place) })
}
