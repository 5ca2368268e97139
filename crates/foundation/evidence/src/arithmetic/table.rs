//! Totals in tables: of columns, of rows, and of rows that hold several pairs of label and figure.

use steadfast_annotate::{Pattern, Unit};
use steadfast_text::{Document, Table};

use super::figure::{Figure, addable_bare};
use super::found::{Found, Place};
use super::series::{self, Role, Row};
use super::{StatementKind, pattern};

/// Words in a header that say the column is not added up.
static NOT_ADDED: Pattern = pattern(concat!(
    r"(?i)(?-u:\b)(?:rates?|unit|per|each|avg|average|mean|median|year|date|no|id|rank|priority|score|index|",
    r"probability|likelihood|risk|growth|margin|roi|irr|min|max|page|phase|level|version|ratio|cumulative|running|balance|target)(?-u:\b)|#|/"
));
static QUANTITY: Pattern = pattern(
    r"(?i)^\W*(?:qty|quantity|units|number|count|amount of units|pcs|pieces|volume|heads?|headcount|months|hours|days|weeks|nights)(?-u:\b)",
);
static UNIT_PRICE: Pattern = pattern(
    r"(?i)(?-u:\b)(?:unit (?:price|cost)|price per|cost per|price|rate|per unit|each|(?:hourly|daily|monthly|weekly) (?:rate|cost|salary|fee|rent)|cost/(?:unit|month|hour|day))(?-u:\b)|/\s?unit",
);
static LINE_TOTAL: Pattern = pattern(
    r"(?i)^\W*(?:(?:line|row|sub-?|extended|overall|grand)\s*)?(?:total|sum|amount|extended)(?:\s+(?:cost|price|amount|budget|value|spend))?\s*(?:\([^()]*\))?\W*$",
);

fn is(pattern: &Pattern, text: &str) -> bool {
    text.len() <= 120 && pattern.is_match(text)
}

/// What one cell holds.
struct Cell<'a> {
    block: usize,
    text: &'a str,
    /// The one figure that the cell states, asides in brackets left out.
    figure: Option<&'a Figure>,
}

impl Cell<'_> {
    /// Nothing, a dash, "n/a".
    fn empty(&self) -> bool {
        let text = self.text.trim();
        text.is_empty()
            || text.chars().all(|c| matches!(c, '-' | '–' | '—' | '−' | '.' | '/' | ' '))
            || matches!(text.to_ascii_lowercase().as_str(), "n/a" | "na" | "none" | "nil" | "x")
    }
}

/// Whether `at` lies in brackets of `text`.
pub(super) fn bracketed(text: &str, at: usize) -> bool {
    let mut depth = 0usize;
    for byte in text.as_bytes().iter().take(at) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    depth > 0
}

/// The most bytes of a cell or item that states one figure.
pub(super) const STATED_BYTES_MAX: usize = 160;

/// The one figure that `text` states: the only one outside of brackets, with at most `words_max` words beside it.
pub(super) fn only_figure<'a>(text: &str, figures: &'a [Figure], words_max: usize) -> Option<&'a Figure> {
    if text.len() > STATED_BYTES_MAX {
        return None;
    }
    let mut outside = figures.iter().filter(|figure| !bracketed(text, figure.range.start));
    let figure = outside.next()?;
    if outside.next().is_some() {
        return None;
    }
    let before = text.get(..figure.range.start)?;
    let after = text.get(figure.range.end..)?;
    let after = after.split(['(', '[']).next().unwrap_or_default();
    let words =
        before.split_whitespace().chain(after.split_whitespace()).filter(|w| w.chars().any(char::is_alphanumeric));
    (words.count() <= words_max && !before.contains(':')).then_some(figure)
}

pub(super) fn read(document: &Document, table: &Table, figures: &[Vec<Figure>]) -> Vec<Found> {
    let grid: Vec<Vec<Cell<'_>>> = table
        .rows
        .iter()
        .map(|row| {
            row.iter()
                .filter_map(|index| {
                    let block = document.blocks.get(*index)?;
                    let own = figures.get(*index)?;
                    let text = block.text.plain.as_str();
                    Some(Cell { block: *index, text, figure: only_figure(text, own, 3) })
                })
                .collect()
        })
        .collect();
    let header: Vec<&str> = match grid.first() {
        Some(first) if table.has_header => first.iter().map(|cell| cell.text).collect(),
        _ => Vec::new(),
    };
    // A header that holds figures is a row like the others: the file has no line under it to say so.
    let header_counts = !header.is_empty()
        && grid.first().is_some_and(|first| first.iter().skip(1).any(|c| c.figure.is_some_and(Figure::is_money)));
    let body = if table.has_header && !header_counts { grid.get(1..).unwrap_or_default() } else { grid.as_slice() };
    let header = if header_counts { Vec::new() } else { header };
    if in_pairs(&header, body) {
        return pairs(document, body);
    }
    let mut out = columns(document, &header, body);
    out.extend(lines(document, &header, body));
    out
}

fn bold(document: &Document, cell: &Cell<'_>) -> bool {
    document.blocks.get(cell.block).is_some_and(|block| {
        let span = block.text.source_span(0..block.text.plain.len());
        let before = document.source.get(..span.start).unwrap_or_default();
        before.ends_with("**") || before.ends_with("__") || before.ends_with("<strong>") || before.ends_with("<b>")
    })
}

fn whole(document: &Document, block: usize) -> Option<Place> {
    let len = document.blocks.get(block)?.text.plain.len();
    Some(Place { block, range: 0..len })
}

/// Whether rows hold label and figure, label and figure.
fn in_pairs(header: &[&str], body: &[Vec<Cell<'_>>]) -> bool {
    let paired = |row: &Vec<Cell<'_>>| {
        let row: Vec<_> = row.iter().filter(|cell| !cell.empty()).collect();
        row.len() >= 4
            && row.len().is_multiple_of(2)
            && row.chunks_exact(2).all(|pair| pair[0].figure.is_none() && pair[1].figure.is_some())
    };
    let doubled = header.len() >= 4
        && header.len().is_multiple_of(2)
        && header
            .chunks_exact(2)
            .all(|pair| pair[0].eq_ignore_ascii_case(header[0]) && pair[1].eq_ignore_ascii_case(header[1]));
    doubled || header.is_empty() && body.iter().any(paired)
}

/// Rows of several pairs: every figure after a cell without one is a row of its own.
fn pairs(document: &Document, body: &[Vec<Cell<'_>>]) -> Vec<Found> {
    let mut rows = Vec::new();
    for row in body {
        let mut cells = row.iter().filter(|cell| !cell.empty()).peekable();
        while let Some(label) = cells.next() {
            if label.figure.is_some() {
                // A note such as "blended rate ~$8,700/mo".
                continue;
            }
            let Some(value) = cells.next_if(|cell| cell.figure.is_some()) else { continue };
            rows.push(Row {
                role: series::role(label.text),
                figure: value.figure,
                unknown: false,
                prominent: false,
                place: whole(document, value.block),
            });
        }
    }
    series::check(&rows, StatementKind::TableTotal)
}

fn columns(document: &Document, header: &[&str], body: &[Vec<Cell<'_>>]) -> Vec<Found> {
    let mut out = Vec::new();
    let width = body.iter().map(Vec::len).max().unwrap_or_default();
    // The label of a row: its first cell that is not empty, or the next where the first is a bare number.
    let label = |row: &Vec<Cell<'_>>| -> (usize, Role) {
        for (index, cell) in row.iter().enumerate() {
            if cell.empty() {
                continue;
            }
            let role = series::role(cell.text);
            if role != Role::Item || cell.figure.is_none() {
                return (index, role);
            }
            if index >= 1 {
                break;
            }
        }
        (0, Role::Item)
    };
    let labels: Vec<(usize, Role)> = body.iter().map(label).collect();
    if !labels.iter().any(|(_, role)| matches!(role, Role::Total | Role::Subtotal)) {
        return out;
    }
    let prices = header.iter().any(|text| is(&QUANTITY, text));
    for column in 1..width {
        let title = header.get(column).copied().unwrap_or_default();
        let percent_total = |row: &Vec<Cell<'_>>| {
            row.get(column)
                .and_then(|cell| cell.figure)
                .is_some_and(|f| f.is_percent() && f.nominal.low == rust_decimal::Decimal::ONE_HUNDRED)
        };
        let rows: Vec<Row<'_>> = body
            .iter()
            .zip(&labels)
            .filter_map(|(row, (at, role))| {
                let cell = row.get(column)?;
                if *at >= column {
                    return None;
                }
                let numbered = row.first().is_some_and(|first| {
                    let mark = first.text.split_whitespace().next().unwrap_or_default().trim_end_matches('.');
                    !mark.is_empty() && mark.chars().all(|c| c.is_ascii_digit())
                });
                Some(Row {
                    role: *role,
                    figure: cell.figure,
                    unknown: cell.figure.is_none() && !cell.empty(),
                    prominent: numbered || row.get(*at).is_some_and(|label| bold(document, label)),
                    place: whole(document, cell.block),
                })
            })
            .collect();
        let percents = rows.iter().filter_map(|row| row.figure).all(Figure::is_percent);
        let skip = if percents {
            // Shares make the whole; growth rates do not.
            !body.iter().zip(&labels).any(|(row, (_, role))| *role == Role::Total && percent_total(row))
        } else {
            is(&NOT_ADDED, title) && !is(&LINE_TOTAL, title) && !is(&PERIOD, title) || prices && is(&UNIT_PRICE, title)
        };
        if skip || rows.iter().filter_map(|row| row.figure).any(|f| f.quantity.per.is_some() && !f.is_money()) {
            continue;
        }
        let mixed = rows.iter().filter_map(|row| row.figure).any(|f| matches!(f.unit(), Unit::Plain))
            && rows.iter().filter_map(|row| row.figure).any(Figure::is_money);
        if mixed && scaled(title) {
            continue;
        }
        out.extend(series::check(&rows, StatementKind::TableTotal));
    }
    out
}

/// Whether a header gives the scale of its column ("USD thousands", "€M").
fn scaled(title: &str) -> bool {
    let lower = title.to_lowercase();
    lower.contains("thousand")
        || lower.contains("million")
        || lower.contains("000")
        || lower.contains('k')
        || lower.contains('m')
}

/// Totals at the end of rows, and quantity × price = amount.
fn lines(document: &Document, header: &[&str], body: &[Vec<Cell<'_>>]) -> Vec<Found> {
    let mut out = Vec::new();
    let Some(total) = header.iter().rposition(|text| is(&LINE_TOTAL, text)) else {
        return out;
    };
    let quantity: Vec<usize> = (0..header.len()).filter(|i| *i != total && is(&QUANTITY, header[*i])).collect();
    let price: Vec<usize> = (0..header.len()).filter(|i| *i != total && is(&UNIT_PRICE, header[*i])).collect();
    let product = match (quantity.as_slice(), price.as_slice()) {
        ([quantity], [price]) if quantity != price => Some((*quantity, *price)),
        _ => None,
    };
    let columns: Vec<usize> = (1..total).collect();
    for row in body {
        let Some(stated) = row.get(total).and_then(|cell| cell.figure) else { continue };
        if let Some((quantity, price)) = product {
            let factors = row.get(quantity).and_then(|c| c.figure).zip(row.get(price).and_then(|c| c.figure));
            let Some((quantity, price)) = factors else { continue };
            if !addable_bare(price.unit(), stated.unit())
                || quantity.is_money()
                || quantity.is_percent()
                || stated.is_percent()
            {
                continue;
            }
            let Some((wide, nominal)) = quantity.interval.mul(price.interval).zip(quantity.nominal.mul(price.nominal))
            else {
                continue;
            };
            let holds = wide.meets(stated.as_result());
            let exact = stated.exact_bound() && quantity.exact_bound() && price.exact_bound();
            if !holds && !exact {
                continue;
            }
            let mut found = Found::new(StatementKind::TableTotal, stated, nominal, &[quantity, price], holds);
            found.claim = whole(document, stated.block).unwrap_or(found.claim);
            out.push(found);
            continue;
        }
        // A row of years or phases and their total: every column between the label and the total is added.
        if !quantity.is_empty() || !price.is_empty() || columns.len() < 2 || columns.iter().any(|i| is_part(header[*i]))
        {
            continue;
        }
        let mut rows: Vec<Row<'_>> = Vec::new();
        for index in &columns {
            let Some(cell) = row.get(*index) else { continue };
            rows.push(Row {
                role: Role::Item,
                figure: cell.figure,
                unknown: cell.figure.is_none() && !cell.empty(),
                prominent: false,
                place: None,
            });
        }
        rows.push(Row {
            role: Role::Total,
            figure: Some(stated),
            unknown: false,
            prominent: false,
            place: whole(document, stated.block),
        });
        if rows.iter().any(|row| row.unknown) || rows.iter().filter_map(|row| row.figure).any(Figure::is_percent) {
            continue;
        }
        out.extend(series::check(&rows, StatementKind::TableTotal));
    }
    out
}

/// Whether a header says that its column is a part, a share or a rate rather than a term.
fn is_part(title: &str) -> bool {
    is(&LINE_TOTAL, title) || title.contains('%') || is(&NOT_ADDED, title) && !is(&PERIOD, title)
}

static PERIOD: Pattern = pattern(r"(?i)^\W*(?:(?:year|phase|quarter|month|q|y|fy|h)\W?\s?\d{1,4}|\d{4})\W*$");
