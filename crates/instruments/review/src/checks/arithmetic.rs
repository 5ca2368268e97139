//! Figures that do not add up: sums, products, totals, percentages, differences, one quantity stated otherwise in two places.
//!
//! "Total | $1,181,000" over rows that make 1,281,000. What counts as a statement, and how far it may be off, is the business of
//! `evidence`; everything that it finds in the output is shown here.

use steadfast_evidence::{FileId, Origin, Quote, StatementKind};
use steadfast_text::Document;

use super::{Contradiction, ContradictionKind};

/// The id of this check.
pub const ID: &str = "arithmetic";

pub(super) fn check(document: &Document) -> Vec<Contradiction> {
    steadfast_evidence::contradictions(FileId(0), document)
        .into_iter()
        .map(|found| Contradiction {
            origin: Origin::Code,
            kind: match found.kind {
                StatementKind::Sum => ContradictionKind::Sum,
                StatementKind::Product => ContradictionKind::Product,
                StatementKind::TableTotal => ContradictionKind::TableTotal,
                StatementKind::PercentageOf => ContradictionKind::Percentage,
                StatementKind::Difference => ContradictionKind::Difference,
                StatementKind::Restated => ContradictionKind::Restated,
            },
            claim: found.claim.text().to_owned(),
            stated: float(&found.stated.to_string()),
            computed: float(&found.computed.to_string()),
            unit: found.unit,
            spans: found.places.iter().map(Quote::span).collect(),
            message: found.message,
            refuted_by: Vec::new(),
        })
        .collect()
}

/// A decimal number as the nearest float.
fn float(decimal: &str) -> f64 {
    decimal.parse().unwrap_or(f64::NAN)
}
