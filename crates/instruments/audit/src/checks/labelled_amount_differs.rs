//! An amount that the prompt gives to a thing stands behind the same thing with another value.
//!
//! Looked at are amounts of money, and numbers with two decimals as price lists have them, with the words right before them: "rye 1kg 5.40", "white £6.20". It is
//! an incident where a clause or a row of the report has the same words, and the first such amount behind them is another one that the prompt gives to nothing.
//!
//! Example: "white £6.20" against "green at £4.50 and white at £6.50".

use std::ops::Range;

use rust_decimal::Decimal;
use steadfast_annotate::{Quantity, Unit, content_stems, quantities};
use steadfast_evidence::{Evidence, Polarity, Quote, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};
use crate::matching::is_generic;
use crate::passages::rows;

/// The check's id.
pub(super) const ID: &str = "labelled-amount-differs";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "an amount that the prompt gives to a thing stands behind the same thing with another value",
    run,
};

/// Bytes between a label and its amount, at most.
const APART_BYTES_MAX: usize = 32;
/// Words of a label, at most: what is longer is a sentence.
const LABEL_WORDS_MAX: usize = 3;

/// A thing with its amount.
struct Labelled {
    stems: Vec<String>,
    amount: Decimal,
    range: Range<usize>,
}

/// Whether an obligation gives an amount to a thing.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    let said = item.obligation.source().text();
    item.polarity == Polarity::Do && !labelled(said, &quantities(said)).is_empty()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let given: Vec<Decimal> =
        quantities(&case.ask.text).iter().flat_map(|own| [own.low.normalize(), own.high.normalize()]).collect();
    let statements = &case.ask.request.statements;
    if statements.iter().all(|statement| labelled(&statement.text, &quantities(&statement.text)).is_empty()) {
        return Vec::new();
    }
    let sentences = case.answer.claims.iter().filter_map(|claim| {
        let quote = case.answer.quote(claim, &(0..claim.text.len()))?;
        Some((quote, claim.clone()))
    });
    let said: Vec<(Quote, Claim)> = sentences
        .chain(rows(case.answer))
        .filter(|(_, claim)| claim.is_of_the_plan() && !claim.stance.assumed && !claim.quantities.is_empty())
        .collect();
    let mut incidents: Vec<Incident> = Vec::new();
    let mut seen: Vec<(Vec<String>, Decimal)> = Vec::new();
    for statement in statements {
        for asked in labelled(&statement.text, &quantities(&statement.text)) {
            let key = (asked.stems.clone(), asked.amount);
            if seen.contains(&key) {
                continue;
            }
            seen.push(key);
            let other = |claim: &Claim| {
                let own = behind(claim, &asked.stems)?;
                let is_other = own.low.normalize() != asked.amount && !given.contains(&own.low.normalize());
                let has_asked = claim.quantities.iter().any(|other| other.low.normalize() == asked.amount);
                (is_other && !has_asked).then(|| own.range.clone())
            };
            let Some((quote, claim, range)) =
                said.iter().find_map(|(quote, claim)| Some((quote, claim, other(claim)?)))
            else {
                continue;
            };
            let wanted = statement.text.get(asked.range).unwrap_or_default().trim();
            let is_its = |item: &ContractItem| {
                let source = item.obligation.source();
                source.span().overlaps(statement.quote.span()) && source.text().contains(wanted)
            };
            let draft = incident(&CHECK, Severity::Major, 0.7, Evidence::Quote(quote.clone()))
                .at(case.answer, claim, &range)
                .source(&statement.quote)
                .because(format!("Asked: \"{wanted}\"; report: \"{}\".", claim.text[range.clone()].trim()))
                .repair("Put the amount of the prompt back, or say openly that it is changed and why.");
            incidents.push(match case.ask.obligations.iter().position(is_its) {
                Some(at) => draft.obligation(at).done(),
                None => draft.done(),
            });
        }
    }
    incidents
}

/// Whether a quantity is one amount as price lists have it.
fn is_amount(own: &Quantity, text: &str) -> bool {
    let is_priced = match own.unit {
        Unit::Money(_) => true,
        Unit::Plain | Unit::Label | Unit::Count(_) => text
            .get(own.number_range.clone())
            .and_then(|digits| digits.rsplit_once(['.', ',']))
            .is_some_and(|(_, cents)| cents.len() == 2),
        _ => false,
    };
    is_priced && own.low == own.high && own.per.is_none()
}

/// The amounts of a text with the words right before them, back to the amount or the mark before.
fn labelled(text: &str, quantities: &[Quantity]) -> Vec<Labelled> {
    let mut from = 0;
    let mut found = Vec::new();
    for own in quantities {
        if !is_amount(own, text) {
            continue;
        }
        let before = text.get(from..own.range.start).unwrap_or_default();
        let mark = before.rfind([',', ';', ':', '|', '\n', '(', '.']).map_or(0, |at| at + 1);
        let label = &before[mark..];
        let measured: Vec<&Quantity> = quantities.iter().filter(|other| other.range.end <= own.range.start).collect();
        let stems: Vec<String> = content_stems(label)
            .into_iter()
            .filter(|(range, _)| {
                let at = from + mark + range.start;
                !measured.iter().any(|other| other.range.contains(&at))
            })
            .map(|(_, stem)| stem)
            .collect();
        let telling = stems.iter().any(|stem| !is_generic(stem) && stem.len() > 2);
        if telling && stems.len() <= LABEL_WORDS_MAX && label.split_whitespace().count() <= LABEL_WORDS_MAX + 1 {
            found.push(Labelled { stems, amount: own.low.normalize(), range: from + mark..own.range.end });
        }
        from = own.range.end;
    }
    found
}

/// The first amount of a claim right behind a label.
fn behind<'a>(claim: &'a Claim, stems: &[String]) -> Option<&'a Quantity> {
    let last = stems.last()?;
    let ends = claim.stems.iter().enumerate().filter(|(_, (_, stem))| stem == last).filter_map(|(at, (range, _))| {
        let first = (at + 1).checked_sub(stems.len())?;
        let run = claim.stems.get(first..=at)?;
        run.iter().zip(stems).all(|((_, own), wanted)| own == wanted).then_some(range.end)
    });
    ends.filter_map(|end| {
        let own = claim.quantities.iter().find(|own| own.range.start >= end && is_amount(own, &claim.text))?;
        let between = claim.text.get(end..own.range.start)?;
        let is_near = between.len() <= APART_BYTES_MAX
            && !between.contains([';'])
            && !between.contains(", ")
            && !between.contains(" and ");
        is_near.then_some(own)
    })
    .next()
}
