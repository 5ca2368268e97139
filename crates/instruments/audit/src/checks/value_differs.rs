//! A passage that says what an obligation says has another value for it: a count, an amount, a length of time, a share, a date, a time of
//! day.
//!
//! Looked at are the [passages](crate::passages) nearest to an obligation that has a value. One speaks of the same thing where it has
//! most of the obligation's words, its subject and its unit among them. It is an incident where each of its values of that kind
//! breaks the obligation's bound, none of them stands in the prompt, and no other passage near the obligation keeps it.
//!
//! Example: "weighing of waste in 64 households" against "a study with 164 households, in which waste was weighed".

use std::collections::{BTreeSet, HashSet};

use rust_decimal::Decimal;
use steadfast_annotate::{Bound, Unit, base_form, content_stems, quantities};
use steadfast_evidence::{Evidence, FileId, Quote, Severity};
use steadfast_steps::spend;

use super::{Case, Check, Draft, incident};
use crate::answer::Claim;
use crate::ask::{ContractItem, Kind};
use crate::incident::{DriftType, Incident};
use crate::numbers;
use crate::passages::{Passage, whole, words_of};
use crate::same_figure::{has_foreign_modifier, is_vague, relation};
use crate::value::{self, Amount, Outcome, Value};

/// The check's id.
pub(super) const ID: &str = "value-differs";

/// The check.
pub(super) const CHECK: Check = Check {
    id: ID,
    drift_type: DriftType::C,
    summary: "a passage that says what an obligation says has another value for it",
    run,
};

/// Share of the obligation's weighted words that the passage has, at least: where the report has the asked number elsewhere, and where it does not.
const SHARE_MIN: f64 = 0.5;
const SHARE_ABSENT_MIN: f64 = 0.3;
/// Share from which on the passage says the obligation in its own words, but for the value.
const SHARE_SAME_MIN: f64 = 0.85;
/// Share from which on a passage that keeps the value speaks for it.
const SHARE_KEPT_MIN: f64 = 0.25;
/// Words of the obligation that the passage has, at least.
const HITS_MIN: usize = 2;

fn run(case: &Case<'_>) -> Vec<Incident> {
    let given = Given::of(case.ask.request.statements.iter().map(|statement| statement.text.as_str()));
    let numbers: Vec<Decimal> = case.answer.claims.iter().flat_map(|claim| numbers::numbers(&claim.text)).collect();
    let claims = case.answer.claims.iter();
    let all: Vec<Value> = claims.flat_map(|claim| value::read(&claim.text, &claim.quantities)).collect();
    let mut incidents = Vec::new();
    for ((at, item), near) in case.ask.obligations.iter().enumerate().zip(&case.near) {
        let source = item.obligation.source();
        let asked = value::of_obligation(item);
        let hits = HITS_MIN.min(words_of(item).len());
        for value in asked.iter().filter(|value| is_alone(value, &asked) && !is_told(source.text(), value)) {
            let mut broken: Vec<(&Passage, Claim, Value)> = Vec::new();
            let mut kept: Vec<FileId> = Vec::new();
            for passage in near {
                let Some(claim) = whole(case.answer, passage) else { continue };
                let stated = value::read(&claim.text, &claim.quantities);
                // Spending less keeps a budget; another budget is another figure.
                let is_budget = item.obligation.kind == Kind::Budget && claim.text.to_lowercase().contains("budget");
                let bound = if is_budget { Bound::Exact } else { value.bound };
                let value = &Value { bound, ..value.clone() };
                let same_base = |own: &&Value| is_each(source.text(), value) == is_each(&claim.text, own);
                let mut comparable = value::outcomes(value, stated.iter().filter(same_base)).into_iter().peekable();
                let Some((first, _)) = comparable.peek().map(|(own, outcome)| ((*own).clone(), *outcome)) else {
                    continue;
                };
                let is_broken = |(own, outcome): (&Value, Outcome)| {
                    let taxed = matches!((value.net, own.net), (Some(one), Some(other)) if one != other);
                    // A limit that is passed is passed by a sum as well.
                    let derived = value.bound == Bound::Exact
                        && matches!(&own.amount, Amount::Quantity(stated) if given.adds_up_to(stated.high));
                    // Where all else is said in the same words, another number that the prompt gives for something else is no excuse.
                    let same_words = passage.share >= SHARE_SAME_MIN && passage.hits >= HITS_MIN;
                    outcome == Outcome::Breaks && (taxed || !derived && (same_words || !given.has(own)))
                };
                let row = passage.claims.len() > 1 && value.bound != Bound::Exact && passage.share >= SHARE_MIN;
                let breaks = if row { comparable.any(is_broken) } else { comparable.all(is_broken) };
                // A row says by when of what its own first cell names.
                let dates_itself = passage.claims.len() > 1
                    && matches!(value.amount, Amount::Date(..) | Amount::Yearless(..))
                    && value.bound != Bound::Exact
                    && !shares_a_word(item, value, passage.quote.text());
                if dates_itself {
                    continue;
                }
                if !breaks {
                    kept.extend((passage.share >= SHARE_KEPT_MIN).then(|| passage.quote.file()));
                } else if value.net.is_some() && first.net.is_some()
                    || is_of_it(
                        passage,
                        hits,
                        is_absent(&all, &numbers, value),
                        is_slip(value, &first, passage.hits)
                            || passage.hits > 0
                                && counts_the_same(&value.amount, &first.amount)
                                && !foreign(&claim, &first, source.text()),
                    ) && claim.is_of_the_plan()
                        && !claim.stance.assumed
                {
                    broken.push((passage, claim, first));
                }
            }
            // In a run one artefact may be right where another is wrong; within one the right words speak for it.
            broken.retain(|(passage, ..)| !kept.contains(&passage.quote.file()));
            if broken.is_empty()
                && is_absent(&all, &numbers, value)
                && let Some((claim, slip)) = slip(case, value, &given)
                && let Some(quote) = case.answer.quote(claim, &(0..claim.text.len()))
            {
                let said = claim.text.get(slip).unwrap_or_default().trim();
                let wanted = source.text().get(value.range.clone()).unwrap_or_default().trim();
                incidents.push(told(case, at, (claim, quote), wanted, said).done());
                break;
            }
            let Some((passage, claim, first)) = broken.first() else { continue };
            let said = claim.text.get(first.range.clone()).unwrap_or_default().trim();
            let wanted = source.text().get(value.range.clone()).unwrap_or_default().trim();
            let others = broken.iter().skip(1).map(|(passage, ..)| passage.quote.clone());
            let draft = told(case, at, (claim, passage.quote.clone()), wanted, said);
            incidents.push(draft.also(others).done());
            break;
        }
    }
    incidents
}

/// Whether a text has one of the words of an obligation, but for those of its value.
fn shares_a_word(item: &ContractItem, value: &Value, text: &str) -> bool {
    let stems = |text: &str| content_stems(text).into_iter().map(|(_, stem)| base_form(&stem).to_owned());
    let source = item.obligation.source().text();
    let own: Vec<String> = stems(source.get(value.range.clone()).unwrap_or_default()).collect();
    let words = words_of(item);
    stems(text)
        .any(|stem| words.contains(&stem) && !own.contains(&stem) && !stem.contains(|c: char| c.is_ascii_digit()))
}

/// Whether a value is one that was copied with a slip: a span with one end of it, or a date with its day or its month, where the passage has a word of the
/// obligation or both say by when.
fn is_slip(asked: &Value, own: &Value, hits: usize) -> bool {
    let due = asked.bound == Bound::AtMost && own.bound == Bound::AtMost;
    asked.amount.shares_part(&own.amount) && (asked.amount.is_span() || hits > 0 || due)
}

/// An incident at a claim, of the obligation at that place.
fn told(case: &Case<'_>, at: usize, (claim, quote): (&Claim, Quote), wanted: &str, said: &str) -> Draft {
    incident(&CHECK, Severity::Major, 0.75, Evidence::Quote(quote))
        .at(case.answer, claim, &(0..claim.text.len()))
        .source(case.ask.obligations[at].obligation.source())
        .obligation(at)
        .because(format!("Asked: \"{wanted}\"; report: \"{said}\"."))
        .repair("Put the value of the prompt back, or say openly that it is changed and why.")
}

/// The one value of the report that is a slip away from one that stands nowhere in it, wherever it is said. Of two there is no telling which is meant.
fn slip<'a>(case: &Case<'a>, asked: &Value, given: &Given) -> Option<(&'a Claim, std::ops::Range<usize>)> {
    let mut found =
        case.answer.claims.iter().filter(|claim| claim.is_of_the_plan() && !claim.stance.assumed).flat_map(|claim| {
            let stated = value::read(&claim.text, &claim.quantities);
            let is_slip = |own: &Value| {
                spend(COMPARISON_STEPS);
                is_slip(asked, own, 0)
                    && !given.has(own)
                    && value::compare(&Value { bound: Bound::Exact, ..asked.clone() }, own) == Some(Outcome::Breaks)
            };
            stated.into_iter().filter(is_slip).map(move |own| (claim, own)).collect::<Vec<_>>()
        });
    let (claim, own) = found.next()?;
    found.all(|(_, other)| other.amount == own.amount).then_some((claim, own.range))
}

/// Steps for a comparison of two values.
const COMPARISON_STEPS: usize = 32;

/// Whether an amount of money is for each of something: "46 euros an adult" is no sum for all of them.
fn is_each(text: &str, value: &Value) -> bool {
    let is_money = matches!(&value.amount, Amount::Quantity(own) if matches!(own.unit, Unit::Money(_)));
    let after = text.get(value.range.end..).unwrap_or_default().trim_start();
    is_money && ["a ", "an ", "per ", "each", "/", "every "].iter().any(|word| after.starts_with(word))
}

/// Whether a passage speaks of the thing of an obligation: it has most of its words, or enough of them where the asked number stands nowhere, or
/// its value is of the same things then, or a slip away from the one that is asked for.
fn is_of_it(passage: &Passage, hits: usize, absent: bool, counts: bool) -> bool {
    let least = if absent { SHARE_ABSENT_MIN } else { SHARE_MIN };
    passage.hits >= hits && passage.share >= least || absent && counts
}

/// Whether the value that is asked for stands nowhere in the report; `stated` are its values, `numbers` all its numbers. Of counts the bare number
/// counts as well.
fn is_absent(stated: &[Value], numbers: &[Decimal], asked: &Value) -> bool {
    if let Amount::Quantity(own) = &asked.amount
        && matches!(own.unit, Unit::Count(_))
        && (numbers.contains(&own.low.normalize()) || numbers.contains(&own.high.normalize()))
    {
        return false;
    }
    spend(COMPARISON_STEPS * stated.len());
    let exact = Value { bound: Bound::Exact, ..asked.clone() };
    !stated.iter().any(|own| value::compare(&exact, own) == Some(Outcome::Keeps))
}

/// Whether the report counts things of another kind: "import lines" are no lines.
fn foreign(claim: &Claim, stated: &Value, asked: &str) -> bool {
    matches!(&stated.amount, Amount::Quantity(own) if has_foreign_modifier(claim, own, asked))
}

/// Whether a value only tells when something holds, or about how much there is.
fn is_told(said: &str, value: &Value) -> bool {
    let before = said.get(..value.range.start).unwrap_or_default().to_lowercase();
    ["if ", "when ", "once "].iter().any(|word| before.starts_with(word)) && !before.contains(',')
        || value.about
            && value.bound == Bound::Exact
            && matches!(&value.amount, Amount::Quantity(own) if matches!(own.unit, Unit::Count(_)))
}

/// Whether both are counts of things of one name, or one measure.
fn counts_the_same(asked: &Amount, stated: &Amount) -> bool {
    match (asked, stated) {
        (Amount::Quantity(asked), Amount::Quantity(stated)) => match (&asked.unit, &stated.unit) {
            (Unit::Count(one), Unit::Count(_)) => !is_vague(&one.stem) && relation(stated, asked).is_some(),
            (Unit::Measure(one), Unit::Measure(other)) => one == other,
            // The same amount, and what it is without in the other.
            (Unit::Money(_), Unit::Money(_)) => asked.high == stated.high,
            _ => false,
        },
        (Amount::Level(_), Amount::Level(_)) | (Amount::Hours(..), Amount::Hours(..)) => true,
        _ => false,
    }
}

/// The values that the prompt gives anywhere, and its bare numbers: "(about 40)" gives 40 persons.
struct Given {
    /// Exact ones, each once.
    values: Vec<Value>,
    numbers: BTreeSet<Decimal>,
}

impl Given {
    fn of<'a>(statements: impl Iterator<Item = &'a str>) -> Self {
        let mut given = Self { values: Vec::new(), numbers: BTreeSet::new() };
        let mut seen = HashSet::new();
        for statement in statements {
            let quantities = quantities(statement);
            let exact = value::read(statement, &quantities).into_iter().filter(|value| value.bound == Bound::Exact);
            // What is written alike is worth the same.
            let written = |value: &Value| (statement.get(value.range.clone()).unwrap_or_default(), value.about);
            given.values.extend(exact.filter(|value| seen.insert(written(value))));
            let bare = quantities.iter().filter(|own| matches!(own.unit, Unit::Plain | Unit::Count(_)));
            given.numbers.extend(bare.flat_map(|quantity| [quantity.low, quantity.high]));
        }
        given
    }

    /// Whether a number is the sum of two that the prompt gives, none of them small.
    fn adds_up_to(&self, sum: Decimal) -> bool {
        const LOOKED_AT_MAX: usize = 64;
        let large: Vec<&Decimal> =
            self.numbers.iter().filter(|own| **own >= Decimal::TEN).take(LOOKED_AT_MAX).collect();
        large
            .iter()
            .enumerate()
            .any(|(at, one)| large[at + 1..].iter().any(|other| one.checked_add(**other) == Some(sum)))
    }

    fn has(&self, own: &Value) -> bool {
        let number = match &own.amount {
            Amount::Quantity(quantity) if matches!(quantity.unit, Unit::Count(_)) => Some(quantity.high),
            _ => None,
        };
        number.is_some_and(|number| self.numbers.contains(&number)) || {
            spend(COMPARISON_STEPS * self.values.len());
            let keeps = |one: &Value| value::compare(one, own) == Some(Outcome::Keeps);
            self.values.iter().any(|one| !covers_days(&one.amount) && keeps(one))
        }
    }
}

/// Days from one to another: a day between them is not given.
fn covers_days(amount: &Amount) -> bool {
    match amount {
        Amount::Date(first, last) => first != last,
        Amount::Yearless(first, last) => first != last,
        _ => false,
    }
}

/// Whether an obligation has no other value of a kind: "from six sections to five" has two, "weekly, every Thursday" one.
fn is_alone(value: &Value, all: &[Value]) -> bool {
    all.iter().all(|other| other.amount == value.amount || value::compare(value, other).is_none())
}
