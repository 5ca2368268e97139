//! The figures of the answer, read as those of the ask are, and how two of them are compared.

use jiff::civil::Date;
use steadfast_annotate::{Quantity, Unit};
use steadfast_ask::{Figure, Role, Rule};
use steadfast_time::DateValue;

use crate::answer::{Answer, Claim};
use crate::ask::Contract;

/// A figure of one claim.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The figure, with ranges in the claim's text.
    pub quantity: Quantity,
    /// What it is the figure of.
    pub role: Role,
    /// Stems of the words that say what it is the figure of, sorted, each once.
    pub subject: Vec<String>,
    /// Whether the claim rejects it.
    pub denied: bool,
}

impl Stated {
    /// The words of the figure.
    #[must_use]
    pub fn quantity_text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.quantity.range.clone()).unwrap_or_default()
    }
}

/// The figures of a claim, each with its role. The label or lead-in that the claim stands under speaks for it too.
#[must_use]
pub fn stated(claim: &Claim, answer: &Answer) -> Vec<Stated> {
    if claim.quantities.is_empty() {
        return Vec::new();
    }
    let label = claim.places.first().map_or(String::new(), |place| answer.label(place));
    steadfast_ask::figures_of(&claim.text, claim.quantities.clone(), &label)
        .into_iter()
        .map(|found| Stated {
            quantity: found.quantity,
            role: found.role,
            subject: found.subject,
            denied: found.denied,
        })
        .collect()
}

/// The obligation that rests on a figure of the ask.
#[must_use]
pub fn obligation(contract: &Contract, figure: &Figure) -> Option<usize> {
    let index = contract.request.figures.iter().position(|own| std::ptr::eq(own, figure))?;
    let span = figure.quote.span();
    let stated = contract.obligations.iter().position(|item| {
        item.demand
            .and_then(|demand| contract.request.demands.get(demand))
            .is_some_and(|demand| matches!(demand.kind.rule, Rule::Figure { figure } if figure == index))
    });
    // A figure inside a requirement that says more obliges by that requirement.
    stated.or_else(|| {
        contract
            .obligations
            .iter()
            .position(|item| item.demand.is_some() && item.obligation.source().span().contains(span))
    })
}

/// How many days after the date `asked` the date `stated` lies; `None` where one of them is no date of the calendar.
#[must_use]
pub fn days_late(stated: &Quantity, asked: &Quantity) -> Option<i64> {
    match (&stated.unit, &asked.unit) {
        (Unit::Date(DateValue::Window(stated)), Unit::Date(DateValue::Window(asked))) => {
            Some(days_between(asked.last, stated.last))
        }
        _ => None,
    }
}

/// Days from `from` to `to`.
#[must_use]
pub fn days_between(from: Date, to: Date) -> i64 {
    from.until(to).map_or(0, |span| i64::from(span.get_days()))
}
