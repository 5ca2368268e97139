//! Figures of the ask: the obligation that rests on one, and how late a date is.

use steadfast_annotate::{Quantity, Unit};
use steadfast_ask::{Figure, Rule};
use steadfast_time::DateValue;

use crate::ask::Contract;

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
            Some(asked.last.until(stated.last).map_or(0, |span| i64::from(span.get_days())))
        }
        _ => None,
    }
}
