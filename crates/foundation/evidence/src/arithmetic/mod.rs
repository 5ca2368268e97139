//! Stated arithmetic: what a document says of its own figures, done again.
//!
//! A *statement* is a claim that can be recomputed from other figures of the same text: a sum or a product in prose, the
//! total of a table or a list, a percentage of a stated amount, a difference, or one quantity stated in two places.
//!
//! # Tolerance
//!
//! Every figure is an interval. Let `u` be the worth of its last stated digit (`$1.05M`: 10,000; `$880K`: 1,000;
//! `20 %`: 1; `€21,000`: 1). Then the half-width `h` of the interval is
//!
//! | figure | `h` |
//! |---|---|
//! | money, percentages, decimals, anything with a magnitude (K, million) | `u / 2` |
//! | whole counts and whole durations ("12 engineers", "4 weeks") | 0 |
//! | marked as approximate ("~", "about") | `max(u / 2, 10 % of the value)` |
//!
//! and a range `a–b` is `[a − h(a), b + h(b)]`. Intervals are added, subtracted and multiplied as such, so each term
//! contributes its own half digit. A statement *holds* if the interval that was stated and the interval that was computed
//! share a point. The result of a product, a percentage or a difference may besides be rounded to its last digit that is
//! not zero (half of it, at most 1 % of the value): "12 × $8,333 = $100,000" holds. Figures of different units or
//! currencies are never compared.

mod budget;
mod figure;
mod found;
mod list;
mod passage;
mod prose;
mod restated;
mod series;
mod share;
mod table;

use rust_decimal::Decimal;
use steadfast_annotate::Pattern;
use steadfast_steps::Regex;
use steadfast_text::Document;

use crate::{FileId, Quote};

/// What kind of claim it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementKind {
    /// Terms and their sum, in prose or in a list ("3 + 4 = 7", "a, b and c, 12 in total").
    Sum,
    /// Factors and their product ("3 × 4 weeks = 12 weeks", "12 engineers at $100k = $1.2M").
    Product,
    /// A row or column of a table and its total.
    TableTotal,
    /// A percentage of a stated amount ("20 % of €3.8M (€760K)"), or percentages that are said to make the whole.
    PercentageOf,
    /// Two figures and how far they lie apart ("from 120 to 90, a reduction of 25 %").
    Difference,
    /// One quantity that is stated more than once.
    Restated,
}

/// A claim about figures that was recomputed, whether or not it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What kind of claim it is.
    pub kind: StatementKind,
    /// The words that state the result.
    pub claim: Quote,
    /// The figure that is stated; the middle of a range.
    pub stated: Decimal,
    /// The figure that the terms make; for [`StatementKind::Restated`] the figure stated elsewhere. The middle of a range.
    pub computed: Decimal,
    /// The unit of both: a currency's code ("USD"), "%", "weeks"; empty for a bare number.
    pub unit: String,
    /// What the computed figure was made of, in the order of the text.
    pub terms: Vec<Quote>,
    /// Every place that a reader must see: the claim first, then the passages of the terms.
    pub places: Vec<Quote>,
    /// One sentence for a reader: what is stated, what the terms make.
    pub message: String,
    /// Whether the stated and the computed figure agree within the precision that the text itself states.
    pub holds: bool,
}

/// Every claim about figures in one document that can be recomputed, in the order of the text.
#[must_use]
pub fn stated_arithmetic(file: FileId, document: &Document) -> Vec<Statement> {
    let figures = figure::figures(document);
    let mut found: Vec<found::Found> = Vec::new();
    for (index, block) in document.blocks.iter().enumerate() {
        found.extend(prose::read(index, block, figures.get(index).map_or(&[], Vec::as_slice)));
    }
    for table in &document.tables {
        found.extend(table::read(document, table, &figures));
    }
    found.extend(list::read(document, &figures));
    found.sort_by_key(|found| (found.claim.block, found.claim.range.start, found.kind));
    let mut out: Vec<Statement> = found.into_iter().filter_map(|found| found.into_statement(file, document)).collect();
    out.extend(restated::read(file, document, &figures));
    out
}

/// The claims of one document that do not hold.
#[must_use]
pub fn contradictions(file: FileId, document: &Document) -> Vec<Statement> {
    stated_arithmetic(file, document).into_iter().filter(|statement| !statement.holds).collect()
}

/// A pattern of this crate's own.
const fn pattern(source: &'static str) -> Pattern {
    Pattern::with(source, Regex::new)
}
