//! A column of a table has a figure beyond the limit that the prompt sets for what the column counts.
//!
//! A limit is an obligation that something counted is at most or at least so many for each of something ("max 400 lines per module"). A column belongs to
//! it where its head names what is counted. Each of its figures is held against the limit, but for rows of totals.
//!
//! Example: "max 400 lines per module" against a table with the column "lines" and the cell "517".

use std::sync::LazyLock;

use rust_decimal::Decimal;
use steadfast_annotate::{Bound, Unit, content_stems, quantities, stem};
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};
use crate::numbers::numbers;
use crate::passages::Passages;
use crate::pattern::{Pattern, hit};

/// The check's id.
pub(super) const ID: &str = "column-over-limit";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::B,
    summary: "a table has a figure beyond the limit that the prompt sets for each",
    run,
};

static EACH: Pattern = LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:per|each|every|a|an)\b").ok());
static MAX: Pattern = LazyLock::new(|| {
    steadfast_annotate::pattern(r"(?i)\b(?:max(?:imum)?|at most|no more than|up to|under|below)\b").ok()
});
static TOTAL: Pattern =
    LazyLock::new(|| steadfast_annotate::pattern(r"(?i)\b(?:total|sum|all|before|previous(?:ly)?|old)\b").ok());

/// Whether an obligation sets a limit for each of something.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    limit(item.obligation.source().text()).is_some()
}

/// How many are allowed, and the stem of what is counted.
fn limit(said: &str) -> Option<(Decimal, String)> {
    let each = hit(&EACH, said).then(|| quantities(said))?;
    each.into_iter().find_map(|own| match &own.unit {
        Unit::Count(counted) if own.bound == Bound::AtMost || hit(&MAX, said) => Some((own.high, stem(&counted.stem))),
        _ => None,
    })
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let mut incidents = Vec::new();
    for (at, item) in case.ask.obligations.iter().enumerate() {
        let source = item.obligation.source();
        let Some((most, counted)) = limit(source.text()) else { continue };
        for (index, artefact) in case.answer.artefacts.iter().enumerate() {
            let document = &artefact.document;
            let text = |cell: &usize| document.blocks.get(*cell).map_or("", |block| block.text.plain.as_str());
            for table in document.tables.iter().filter(|table| table.has_header) {
                let Some(head) = table.rows.first() else { continue };
                let heads = |cell: &usize| {
                    !hit(&TOTAL, text(cell)) && content_stems(text(cell)).iter().any(|(_, own)| *own == counted)
                };
                let Some(column) = head.iter().position(heads) else { continue };
                let over = table.rows[1..]
                    .iter()
                    .filter(|row| row.first().is_some_and(|first| !hit(&TOTAL, text(first))))
                    .find_map(|row| {
                        let cell = row.get(column)?;
                        // "Tue 6 Oct" counts nothing.
                        let is_word = |own: &str| own.chars().any(char::is_alphabetic) && own != counted;
                        let counts = !content_stems(text(cell)).iter().any(|(_, own)| is_word(own));
                        let figure = numbers(text(cell)).first().copied().filter(|figure| counts && *figure > most)?;
                        Some((row, *cell, figure))
                    });
                let Some((row, cell, figure)) = over else { continue };
                let claim = case.answer.claims_in(index, cell).first().and_then(|own| case.answer.claims.get(*own));
                let Some((claim, quote)) = claim.and_then(|claim| Some((claim, Passages::row(artefact, row)?))) else {
                    continue;
                };
                incidents.push(
                    incident(&CHECK, Severity::Moderate, 0.85, Evidence::Quote(quote))
                        .at(case.answer, claim, &(0..claim.text.len()))
                        .source(source)
                        .obligation(at)
                        .because(format!("At most {most} are asked for; the report has {figure}."))
                        .repair("Bring it within the limit, or say openly that it is not.")
                        .done(),
                );
            }
        }
    }
    incidents
}
