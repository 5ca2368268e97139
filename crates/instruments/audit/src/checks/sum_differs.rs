//! A table of the report names a total that its rows do not add up to.
//!
//! A total is a row whose first cell says "total" or "sum". The figures above it in its column, down from the header or from another total, are added
//! up; a column with a cell that is no plain figure is left alone, and so is one whose total is that of some of its rows. Where the prompt gives
//! the total, the incident is held against that.
//!
//! Example: five rows of 500, 450, 500, 450 and 250 and "Total | 2,200".

use std::sync::LazyLock;

use rust_decimal::Decimal;
use steadfast_evidence::{Evidence, Quote, Severity};
use steadfast_text::Span;

use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};
use crate::numbers::numbers;
use crate::pattern::{Pattern, hit};

/// The check's id.
pub(super) const ID: &str = "sum-differs";

/// The check.
pub(super) const CHECK: Check =
    Check { id: ID, drift_type: DriftType::B, summary: "a table names a total that its rows do not add up to", run };

static TOTAL: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)^\W*(?:(?:grand|overall|sub-?)[ -]?)?(?:total|sum)\b|\b(?:total|sum)\W*$").ok()
});
/// Rows that a total needs at least.
const ROWS_MIN: usize = 2;

/// Whether an obligation gives a number that may be a total, or asks that something adds up.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    let said = item.obligation.source().text();
    hit(&ADDS_UP, said) || !numbers(said).is_empty()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for (index, artefact) in case.answer.artefacts.iter().enumerate() {
        let document = &artefact.document;
        for table in document.tables.iter().filter(|table| table.has_header) {
            let text = |block: usize| document.blocks.get(block).map_or("", |block| block.text.plain.as_str());
            let first = |row: &Vec<usize>| row.first().map_or("", |block| text(*block));
            if let Some((sum, total, row, item)) = asked_sum(case, &numbers_of(table, &text)) {
                let row = &table.rows[row];
                let ends = row
                    .first()
                    .zip(row.last())
                    .and_then(|(first, last)| Some((document.blocks.get(*first)?, document.blocks.get(*last)?)));
                let claim = row
                    .last()
                    .and_then(|cell| case.answer.by_block.get(&(index, *cell)))
                    .and_then(|own| case.answer.claims.get(*own.first()?));
                let quote = ends.and_then(|(first, last)| {
                    Quote::cut(artefact.file, document, Span::new(first.span.start, last.span.end))
                });
                if let (Some(claim), Some(quote)) = (claim, quote) {
                    incidents.push(
                        incident(&CHECK, Severity::Moderate, 0.8, Evidence::Quote(quote))
                            .at(case.answer, claim, &(0..claim.text.len()))
                            .source(case.ask.obligations[item].obligation.source())
                            .obligation(item)
                            .because(format!("The rows add up to {sum}; the prompt and the report say {total}."))
                            .repair("Correct the rows or the total.")
                            .done(),
                    );
                }
                continue;
            }
            let mut begin = 1;
            for (at, row) in table.rows.iter().enumerate().skip(1) {
                if !hit(&TOTAL, first(row)) {
                    continue;
                }
                let rows = &table.rows[begin..at];
                begin = at + 1;
                if rows.len() < ROWS_MIN {
                    continue;
                }
                for (column, cell) in row.iter().enumerate().skip(1) {
                    let figure = |block: Option<&usize>| match numbers(text(*block?)).as_slice() {
                        [one] => Some((*one, text(*block?).contains(['%', '–', '−', '-', '/', '<', '~']))),
                        _ => None,
                    };
                    let Some((total, false)) = figure(Some(cell)) else { continue };
                    let parts: Option<Vec<(Decimal, bool)>> = rows.iter().map(|row| figure(row.get(column))).collect();
                    let Some(parts) = parts.filter(|parts| parts.iter().all(|(_, marked)| !marked)) else { continue };
                    let sum = parts.iter().try_fold(Decimal::ZERO, |sum, (part, _)| sum.checked_add(*part));
                    // A total that is rounded differs by no more than half of its last digit for each row.
                    let slack = Decimal::new(5, total.scale() + 1) * Decimal::from(parts.len());
                    let Some(sum) = sum.filter(|sum| (*sum - total).abs() > slack) else { continue };
                    let Some((from, to)) = document.blocks.get(rows[rows.len() - 1][0]).zip(document.blocks.get(*cell))
                    else {
                        continue;
                    };
                    let Some(quote) = Quote::cut(artefact.file, document, Span::new(from.span.start, to.span.end))
                    else {
                        continue;
                    };
                    let Some(claim) =
                        case.answer.by_block.get(&(index, *cell)).and_then(|own| case.answer.claims.get(*own.first()?))
                    else {
                        continue;
                    };
                    let source = asked(case, total);
                    let draft = incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
                        .at(case.answer, claim, &(0..claim.text.len()))
                        .because(format!("The rows add up to {sum}; the report says {total}."))
                        .repair("Correct the rows or the total.");
                    incidents.push(match source {
                        Some((item, quote)) => draft.source(&quote).obligation(item).done(),
                        None => draft.done(),
                    });
                    break;
                }
            }
        }
    }
    incidents
}

/// The figures of each column of a table without a total, behind the first; nothing for a column with anything else.
fn numbers_of<'a>(table: &steadfast_text::Table, text: &impl Fn(usize) -> &'a str) -> Vec<Vec<Decimal>> {
    let rows = &table.rows[1..];
    if rows.len() < ROWS_MIN || rows.iter().any(|row| row.first().is_some_and(|cell| hit(&TOTAL, text(*cell)))) {
        return Vec::new();
    }
    let columns = rows.iter().map(Vec::len).min().unwrap_or_default();
    (1..columns)
        .filter_map(|column| {
            rows.iter()
                .map(|row| match numbers(text(row[column])).as_slice() {
                    [one] => Some(*one),
                    _ => None,
                })
                .collect()
        })
        .collect()
}

/// Where the prompt asks that something adds up: a column whose sum comes near a figure of the prompt that the report has too, and is another.
fn asked_sum(case: &Case<'_>, columns: &[Vec<Decimal>]) -> Option<(Decimal, Decimal, usize, usize)> {
    let item = case.ask.obligations.iter().position(|item| hit(&ADDS_UP, item.obligation.source().text()))?;
    let given = numbers(&case.ask.text.replace('\n', " ; "));
    for column in columns {
        let sum = column.iter().try_fold(Decimal::ZERO, |sum, part| sum.checked_add(*part))?;
        let near = |total: &&Decimal| {
            **total != sum && (**total - sum).abs() * Decimal::TEN <= sum && **total >= Decimal::ONE_HUNDRED
        };
        let said = |total: &&Decimal| case.answer.claims.iter().any(|claim| numbers(&claim.text).contains(total));
        if given.contains(&sum) {
            continue;
        }
        if let Some(total) = given.iter().filter(near).find(said) {
            return Some((sum, *total, column.len(), item));
        }
    }
    None
}

static ADDS_UP: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\badds? up\b|\b(?:sum|total)s? (?:must|has to|have to)\b").ok());

/// The obligation that gives the total, or asks that something adds up.
fn asked(case: &Case<'_>, total: Decimal) -> Option<(usize, Quote)> {
    let obligations = case.ask.obligations.iter().enumerate();
    let own = obligations.map(|(at, item)| (at, item.obligation.source()));
    own.clone()
        .find(|(_, source)| hit(&ADDS_UP, source.text()))
        .or_else(|| own.clone().find(|(_, source)| numbers(source.text()).contains(&total.normalize())))
        .map(|(at, source)| (at, source.clone()))
}
