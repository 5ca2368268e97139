//! A passage that says what an obligation says has another value for it: a count, an amount, a length of time, a share, a date, a time of
//! day.
//!
//! Looked at are the [passages](crate::passages) nearest to an obligation that has a value. One speaks of the same thing where it has
//! most of the obligation's words, its subject and its unit among them. It is an incident where each of its values of that kind
//! breaks the obligation's bound, none of them stands in the prompt, and no other passage near the obligation keeps it.
//!
//! Example: "weighing of waste in 64 households" against "a study with 164 households, in which waste was weighed".

use rust_decimal::Decimal;
use steadfast_annotate::{Bound, quantities};
use steadfast_evidence::{Evidence, FileId, Severity};

use super::{Case, Check, incident};
use crate::answer::Claim;
use crate::ask::Kind;
use crate::incident::{DriftType, Incident};
use crate::passages::{Passage, whole, words_of};
use crate::value::{self, Amount, Outcome, Value};

/// The check's id.
pub(super) const ID: &str = "value-differs";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "a passage that says what an obligation says has another value for it",
    on_by_default: true,
    run,
};

/// Share of the obligation's weighted words that the passage has, at least.
const SHARE_MIN: f64 = 0.5;
/// Share from which on a passage that keeps the value speaks for it.
const SHARE_KEPT_MIN: f64 = 0.25;
/// Words of the obligation that the passage has, at least.
const HITS_MIN: usize = 2;

fn run(case: &Case<'_>) -> Vec<Incident> {
    let given = Given::of(case.ask.request.statements.iter().map(|statement| statement.text.as_str()));
    let mut incidents = Vec::new();
    for ((at, item), near) in case.ask.obligations.iter().enumerate().zip(&case.near) {
        let source = item.obligation.source();
        let asked = value::of_obligation(item);
        let hits = HITS_MIN.min(words_of(item).len());
        for value in asked.iter().filter(|value| is_alone(value, &asked)) {
            let mut broken: Vec<(&Passage, Claim, Value)> = Vec::new();
            let mut kept: Vec<FileId> = Vec::new();
            for passage in near {
                let Some(claim) = whole(case.answer, passage) else { continue };
                let stated = value::read(&claim.text, &claim.quantities);
                // Spending less keeps a budget; another budget is another figure.
                let is_budget = item.obligation.kind == Kind::Budget && claim.text.to_lowercase().contains("budget");
                let bound = if is_budget { Bound::Exact } else { value.bound };
                let value = &Value { bound, ..value.clone() };
                let mut comparable =
                    stated.iter().filter_map(|own| Some((own, value::compare(value, own)?))).peekable();
                let Some((first, _)) = comparable.peek().map(|(own, outcome)| ((*own).clone(), *outcome)) else {
                    continue;
                };
                let breaks = comparable.all(|(own, outcome)| outcome == Outcome::Breaks && !given.has(own));
                if !breaks {
                    kept.extend((passage.share >= SHARE_KEPT_MIN).then(|| passage.quote.file()));
                } else if passage.share >= SHARE_MIN
                    && passage.hits >= hits
                    && claim.is_of_the_plan()
                    && !claim.stance.assumed
                {
                    broken.push((passage, claim, first));
                }
            }
            // In a run one artefact may be right where another is wrong; within one the right words speak for it.
            broken.retain(|(passage, ..)| !kept.contains(&passage.quote.file()));
            let Some((passage, claim, first)) = broken.first() else { continue };
            let said = claim.text.get(first.range.clone()).unwrap_or_default().trim();
            let wanted = source.text().get(value.range.clone()).unwrap_or_default().trim();
            incidents.push(
                incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(passage.quote.clone()))
                    .at(case.answer, claim, &(0..claim.text.len()))
                    .also(broken.iter().skip(1).map(|(passage, ..)| passage.quote.clone()))
                    .source(source)
                    .obligation(at)
                    .because(format!("Asked: \"{wanted}\"; report: \"{said}\"."))
                    .repair("Put the value of the prompt back, or say openly that it is changed and why.")
                    .done(),
            );
            break;
        }
    }
    incidents
}

/// The values that the prompt gives anywhere, and its bare numbers: "(about 40)" gives 40 persons.
struct Given {
    values: Vec<Value>,
    numbers: Vec<Decimal>,
}

impl Given {
    fn of<'a>(statements: impl Iterator<Item = &'a str>) -> Self {
        let mut given = Self { values: Vec::new(), numbers: Vec::new() };
        for statement in statements {
            let quantities = quantities(statement);
            given.values.extend(value::read(statement, &quantities));
            given.numbers.extend(quantities.iter().flat_map(|quantity| [quantity.low, quantity.high]));
        }
        given
    }

    fn has(&self, own: &Value) -> bool {
        let number = match &own.amount {
            Amount::Quantity(quantity) => Some(quantity.high),
            _ => None,
        };
        number.is_some_and(|number| self.numbers.contains(&number))
            || self
                .values
                .iter()
                .any(|one| one.bound == Bound::Exact && value::compare(one, own) == Some(Outcome::Keeps))
    }
}

/// Whether an obligation has no other value of a kind: "from six sections to five" has two.
fn is_alone(value: &Value, all: &[Value]) -> bool {
    all.iter().filter(|other| value::compare(value, other).is_some()).count() <= 1
}
