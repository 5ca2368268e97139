//! Notes with what was read in them marked in place.

use askama::Template;
use steadfast_wire::plan::{Constraint, Finding};

use crate::plain::{block, line, one_line, shorten};
use crate::{Error, Texts};

/// Characters of the notes that are shown; what follows is counted.
pub const NOTES_CHARS_MAX: usize = 60_000;

/// Constraints that are marked; the JSON has all.
const CONSTRAINTS_MAX: usize = 400;
const MEANING_CHARS_MAX: usize = 300;

/// The values of `plan_marked.html`.
#[derive(Template)]
#[template(path = "plan_marked.html")]
struct Marked {
    files: Vec<File>,
    rows: Vec<Row>,
    rows_more: usize,
}

struct File {
    name: String,
    pieces: Vec<Piece>,
    left_out: usize,
}

/// A stretch of the notes, and the constraints whose words it belongs to.
struct Piece {
    text: String,
    /// Rows, from 1; the first of them is where the mark leads.
    rows: Vec<usize>,
    /// Whether it is the first piece of that row: there the row leads back to.
    first: bool,
    says: String,
    broken: bool,
    soft: bool,
}

/// A constraint beside the notes.
struct Row {
    number: usize,
    kind: &'static str,
    meaning: String,
    soft: bool,
    broken: bool,
    marked: bool,
}

/// The notes with the words of every constraint marked, and the constraints beside them: what each was understood as, whether it binds,
/// and whether the plan breaks it. A mark leads to its constraint and back. Notes whose text is not there are left out.
///
/// # Errors
/// [`Error::Html`] where the template fails.
pub fn marked(constraints: &[Constraint], findings: &[Finding], texts: &Texts<'_>) -> Result<String, Error> {
    let stated: Vec<&Constraint> = constraints.iter().filter(|own| own.span.is_some()).collect();
    let shown: Vec<&Constraint> = stated.iter().copied().take(CONSTRAINTS_MAX).collect();
    let broken =
        |own: &Constraint| findings.iter().any(|it| it.hard && it.constraint_id.as_deref() == Some(own.id.as_str()));
    let mut rows: Vec<Row> = shown
        .iter()
        .enumerate()
        .map(|(at, own)| Row {
            number: at + 1,
            kind: own.kind.label(),
            meaning: line(&own.meaning, MEANING_CHARS_MAX),
            soft: !own.hard,
            broken: broken(own),
            marked: false,
        })
        .collect();
    let mut files = Vec::new();
    for (name, text) in &texts.files {
        if !shown.iter().any(|own| own.span.as_ref().is_some_and(|span| span.file == *name)) {
            continue;
        }
        let pieces = pieces(name, text, &shown, &mut rows);
        let left_out = text.chars().count().saturating_sub(NOTES_CHARS_MAX);
        files.push(File { name: shorten(&one_line(name), 160), pieces, left_out });
    }
    Marked { files, rows, rows_more: stated.len() - shown.len() }.render().map_err(Error::Html)
}

/// The text in stretches that belong to the same constraints throughout.
fn pieces(name: &str, text: &str, shown: &[&Constraint], rows: &mut [Row]) -> Vec<Piece> {
    let end = text.char_indices().nth(NOTES_CHARS_MAX).map_or(text.len(), |(at, _)| at);
    let spans: Vec<(usize, usize, usize)> = shown
        .iter()
        .enumerate()
        .filter_map(|(row, own)| {
            let span = own.span.as_ref().filter(|span| span.file == name)?;
            let stands = text.get(span.start..span.end) == Some(span.quote.as_str()) && span.end <= end;
            (stands && span.start < span.end).then_some((span.start, span.end, row))
        })
        .collect();
    let mut edges: Vec<usize> = spans.iter().flat_map(|(start, end, _)| [*start, *end]).chain([0, end]).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut pieces = Vec::new();
    for edge in edges.windows(2) {
        let [from, until] = [edge[0], edge[1]];
        let mut held: Vec<(usize, usize)> = spans
            .iter()
            .filter(|(start, end, _)| *start <= from && until <= *end)
            .map(|(start, end, row)| (end - start, *row))
            .collect();
        // The shortest words are the most telling: the mark leads to their constraint.
        held.sort_unstable();
        let first = held.first().is_some_and(|(_, row)| !std::mem::replace(&mut rows[*row].marked, true));
        let says: Vec<String> =
            held.iter().map(|(_, row)| format!("{}: {}", rows[*row].kind, rows[*row].meaning)).collect();
        pieces.push(Piece {
            text: block(&text[from..until], NOTES_CHARS_MAX).0,
            first,
            says: says.join("; "),
            broken: held.iter().any(|(_, row)| rows[*row].broken),
            soft: held.iter().all(|(_, row)| rows[*row].soft),
            rows: held.into_iter().map(|(_, row)| row + 1).collect(),
        });
    }
    pieces
}
