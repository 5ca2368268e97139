//! From what a reader of statements found to the statement.

use std::ops::Range;

use rust_decimal::Decimal;
use steadfast_text::Document;

use super::figure::{Figure, Interval, unit_name};
use super::{Statement, StatementKind};
use crate::{FileId, Quote};

/// The most terms that a statement quotes; the rest count, but are not listed.
pub(super) const TERMS_MAX: usize = 40;

/// A piece of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) block: usize,
    pub(super) range: Range<usize>,
}

impl Place {
    pub(super) fn of(figure: &Figure) -> Self {
        Self { block: figure.block, range: figure.range.clone() }
    }

    pub(super) fn quote(&self, file: FileId, document: &Document) -> Option<Quote> {
        let block = document.blocks.get(self.block)?;
        Quote::cut(file, document, block.text.source_span(self.range.clone()))
    }
}

/// A statement of one document before its quotes are cut.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) kind: StatementKind,
    /// The passage that states the result: from the figure to the words that say what it is.
    pub(super) claim: Place,
    /// The figure of the claim.
    pub(super) stated_at: Place,
    pub(super) stated: Interval,
    pub(super) computed: Interval,
    pub(super) unit: String,
    /// At most [`TERMS_MAX`].
    pub(super) terms: Vec<Place>,
    /// How many terms there are.
    pub(super) count: usize,
    pub(super) holds: bool,
}

impl Found {
    /// A statement whose claim is the figure alone.
    pub(super) fn new(
        kind: StatementKind,
        stated: &Figure,
        computed: Interval,
        terms: &[&Figure],
        holds: bool,
    ) -> Self {
        Self {
            kind,
            claim: Place::of(stated),
            stated_at: Place::of(stated),
            stated: stated.nominal,
            computed,
            unit: unit_name(stated.unit()),
            terms: terms.iter().take(TERMS_MAX).map(|term| Place::of(term)).collect(),
            count: terms.len(),
            holds,
        }
    }

    pub(super) fn into_statement(self, file: FileId, document: &Document) -> Option<Statement> {
        let claim = self.claim.quote(file, document)?;
        let figure = self.stated_at.quote(file, document)?;
        let count = self.count;
        let terms: Vec<Quote> = self.terms.iter().filter_map(|term| term.quote(file, document)).collect();
        let stated = middle(self.stated);
        let computed = middle(self.computed);
        let made = show_interval(self.computed, &self.unit);
        let words = figure.text().split_whitespace().collect::<Vec<_>>().join(" ");
        let message = match (self.kind, self.holds) {
            (_, true) => format!("\"{words}\" agrees with the {made} that {count} figures make"),
            (StatementKind::Sum | StatementKind::TableTotal, false) => {
                format!("\"{words}\" is stated as the total, but the {count} terms make {made}")
            }
            (StatementKind::Product, false) => {
                format!("\"{words}\" is stated as the product, but the {count} factors make {made}")
            }
            (StatementKind::PercentageOf, false) => {
                format!("\"{words}\" is stated, but the percentages make {made}")
            }
            (StatementKind::Difference, false) => {
                format!("\"{words}\" is stated as the change, but the figures lie {made} apart")
            }
            (StatementKind::Restated, false) => {
                format!("\"{words}\" is stated here, {made} elsewhere")
            }
        };
        let mut places = vec![claim.clone()];
        for quote in &terms {
            if !places.contains(quote) && places.len() < 12 {
                places.push(quote.clone());
            }
        }
        Some(Statement {
            kind: self.kind,
            claim,
            stated,
            computed,
            unit: self.unit,
            terms,
            places,
            message,
            holds: self.holds,
        })
    }
}

/// The middle of an interval.
pub(super) fn middle(interval: Interval) -> Decimal {
    if interval.low == interval.high {
        return interval.low.normalize();
    }
    interval.low.checked_add(interval.high).map_or(interval.low, |sum| (sum / Decimal::TWO).normalize())
}

/// An interval for a reader: "USD 1,281,000", "3 to 4 weeks".
pub(super) fn show_interval(interval: Interval, unit: &str) -> String {
    let number = if interval.low == interval.high {
        show(interval.low)
    } else {
        format!("{} to {}", show(interval.low), show(interval.high))
    };
    match unit {
        "" => number,
        "%" => format!("{number} %"),
        "$" => format!("${number}"),
        _ if unit.chars().all(|c| c.is_ascii_uppercase()) => format!("{unit} {number}"),
        _ => format!("{number} {unit}"),
    }
}

/// A number with its thousands parted, at most two decimals.
fn show(value: Decimal) -> String {
    let text = value.round_dp(2).normalize().to_string();
    let (sign, rest) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(whole, part)| (whole, Some(part)));
    let mut out = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(part) = fraction {
        out.push('.');
        out.push_str(part);
    }
    out
}
