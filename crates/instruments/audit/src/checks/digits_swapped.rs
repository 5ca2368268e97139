//! A number of the prompt returns with its digits in another order.
//!
//! Digits that change places are the commonest error of copying numbers. Looked at are counts, amounts, measures and times of day that the prompt
//! states and the report nowhere repeats. It is an incident where a value of the same kind stands in the report that the prompt nowhere gives and
//! that has the same digits in another order: three digits or more, or two where both count the same things or are told in words that both have.
//!
//! Example: "continue all year (44,200 euros)" against "the cost is 42,400 euros a year".

use std::collections::{HashMap, HashSet};

use rust_decimal::Decimal;
use steadfast_annotate::{Bound, Unit, content_stems, quantities};
use steadfast_ask::Statement;
use steadfast_evidence::{Evidence, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::ContractItem;
use crate::incident::{DriftType, Incident};
use crate::matching::is_generic;
use crate::numbers;
use crate::value::{self, Amount, Outcome, Value};

/// The check's id.
pub(super) const ID: &str = "digits-swapped";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "a number of the prompt returns with its digits in another order",
    run,
};

/// Digits from which on the same digits in another order are no chance.
const DIGITS_TELLING_MIN: usize = 3;
/// Content words that prompt and report share around numbers of fewer digits.
const COMMON_MIN: usize = 2;
/// Values of the prompt with the same digits that are compared, at most.
const ALIKE_MAX: usize = 16;
/// Incidents at most.
const FOUND_MAX: usize = 8;

/// A value with its digits.
struct Written {
    value: Value,
    digits: String,
}

/// Whether an obligation states a value whose digits can change places.
pub(crate) fn looks_at(item: &ContractItem) -> bool {
    let said = item.obligation.source().text();
    !written(said, &value::read(said, &quantities(said))).is_empty()
}

fn run(case: &Case<'_>) -> Vec<Incident> {
    let stated: HashSet<Decimal> = case.answer.claims.iter().flat_map(|claim| numbers::numbers(&claim.text)).collect();
    let given: HashSet<Decimal> =
        case.ask.request.statements.iter().flat_map(|statement| numbers::numbers(&statement.text)).collect();
    let mut asked: HashMap<String, Vec<(&Statement, Written)>> = HashMap::new();
    for statement in &case.ask.request.statements {
        for own in written(&statement.text, &value::read(&statement.text, &quantities(&statement.text))) {
            if !repeats(&stated, &statement.text, &own.value) {
                let alike = asked.entry(sorted(&own.digits)).or_default();
                if alike.len() < ALIKE_MAX {
                    alike.push((statement, own));
                }
            }
        }
    }
    let mut found = Vec::new();
    for claim in case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !asked.is_empty()) {
        for own in written(&claim.text, &value::read(&claim.text, &claim.quantities)) {
            if repeats(&given, &claim.text, &own.value) {
                continue;
            }
            let swapped = |(statement, asked): &&(&Statement, Written)| is_swapped(statement, asked, claim, &own);
            let Some((statement, asked)) = asked.get(&sorted(&own.digits)).and_then(|all| all.iter().find(swapped))
            else {
                continue;
            };
            found.extend(told(case, statement, &asked.value, claim, &own.value));
            if found.len() == FOUND_MAX {
                return found;
            }
        }
    }
    found
}

fn told(case: &Case<'_>, statement: &Statement, asked: &Value, claim: &Claim, own: &Value) -> Option<Incident> {
    let wanted = statement.text.get(asked.range.clone())?.trim();
    let said = claim.text.get(own.range.clone())?.trim();
    let range = 0..claim.text.len();
    let quote = case.answer.quote(claim, &range)?;
    let is_its = |source: &steadfast_evidence::Quote| {
        source.span().overlaps(statement.quote.span()) && source.text().contains(wanted)
    };
    let obligation = case.ask.obligations.iter().position(|item| is_its(item.obligation.source()));
    let draft = incident(&CHECK, Severity::Major, 0.85, Evidence::Quote(quote))
        .at(case.answer, claim, &range)
        .source(&statement.quote)
        .because(format!("The prompt has \"{wanted}\"; the report has the same digits in another order: \"{said}\"."))
        .repair("Put the number of the prompt back, or say openly that it is another one.");
    Some(match obligation {
        Some(at) => draft.obligation(at).done(),
        None => draft.done(),
    })
}

fn is_swapped(statement: &Statement, asked: &Written, claim: &Claim, own: &Written) -> bool {
    let exact = Value { bound: Bound::Exact, ..asked.value.clone() };
    let stated = Value { bound: Bound::Exact, ..own.value.clone() };
    if asked.digits == own.digits || value::compare(&exact, &stated) != Some(Outcome::Breaks) {
        return false;
    }
    let telling = asked.digits.trim_end_matches('0').len() >= DIGITS_TELLING_MIN;
    telling && !matches!(asked.value.amount, Amount::Clock(_)) || is_count(&asked.value) || {
        let common =
            content_stems(&statement.text).into_iter().filter(|(_, stem)| !is_generic(stem) && claim.has_stem(stem));
        common.count() >= COMMON_MIN
    }
}

fn is_count(value: &Value) -> bool {
    matches!(&value.amount, Amount::Quantity(own) if matches!(own.unit, Unit::Count(_)))
}

/// The values of a text that have two digits or more that are not all the same.
fn written(text: &str, values: &[Value]) -> Vec<Written> {
    let is_looked_at = |value: &&Value| match &value.amount {
        Amount::Quantity(own) => own.low == own.high,
        Amount::Clock(_) | Amount::Share(_) => true,
        _ => false,
    };
    let digits = |value: &Value| -> String {
        text.get(value.range.clone()).unwrap_or_default().chars().filter(char::is_ascii_digit).collect()
    };
    values
        .iter()
        .filter(is_looked_at)
        .map(|value| Written { digits: digits(value), value: value.clone() })
        .filter(|own| own.digits.len() > 1 && own.digits.bytes().any(|digit| digit != own.digits.as_bytes()[0]))
        .collect()
}

/// Whether the numbers of the other text have all of this value's.
fn repeats(others: &HashSet<Decimal>, text: &str, value: &Value) -> bool {
    let own = text.get(value.range.clone()).map(numbers::numbers).unwrap_or_default();
    own.iter().all(|number| others.contains(number))
}

fn sorted(digits: &str) -> String {
    let mut digits: Vec<u8> = digits.bytes().collect();
    digits.sort_unstable();
    String::from_utf8(digits).unwrap_or_default()
}
