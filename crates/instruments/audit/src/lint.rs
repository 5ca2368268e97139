//! A prompt by itself, before anybody plans by it: which of its asks a check looks at, which exclude each other, which are vague, and what
//! it says nothing of, so that whoever plans has to make it up.
//!
//! It reads the same contract as the audit, so what is said here of an obligation is what an audit would hold a report against.

mod contradictions;
mod vague;

use steadfast_annotate::{Pattern, quantities};
use steadfast_ask::{Role, Rule};
use steadfast_evidence::{Evaluated, Quote, Reason};

use crate::ask::{self, Contract, ContractItem, EntityRole, Kind};
use crate::checks::{self, banned_thing};
use crate::evaluation::Source;
use crate::form;
use crate::{run, value};

pub use contradictions::{Contradiction, ContradictionKind};
pub use vague::{Vague, VagueKind};

/// A street of a name: "14 Weaver Street".
static ADDRESS: Pattern =
    Pattern::new(r"\b\p{Lu}\w+ (?:Street|Road|Lane|Avenue|Square|Boulevard|Way|Park|Campus|Quay)\b");

/// What is said of a prompt.
#[derive(Clone, Debug)]
pub struct Lint {
    /// What was read in it.
    pub contract: Contract,
    /// For each of [`Contract::obligations`] the checks that look at it; none where it can only be read.
    pub checkable_by: Vec<Vec<&'static str>>,
    /// Asks that cannot all be met.
    pub contradictions: Vec<Contradiction>,
    /// Words that leave open how much, how well or when, in the order of the prompt.
    pub vague: Vec<Vague>,
    /// What it says nothing of.
    pub unsaid: Vec<Unsaid>,
}

steadfast_evidence::vocabulary! {
    /// What a prompt says nothing of.
    Unsaid {
        /// What may be spent.
        Budget = "budget", "how much may be spent";
        /// By when, or how long.
        Deadline = "deadline", "by when, or how long it takes";
        /// Where.
        Place = "place", "where";
        /// For whom.
        Customer = "customer", "for whom: no customer, buyer or user";
        /// Who runs it.
        Operator = "operator", "who runs it";
        /// Where the money comes from.
        Funding = "funding", "where the money comes from";
        /// How success is measured.
        Metric = "metric", "how success is measured";
        /// What is not to be done.
        NonGoal = "non_goal", "what is not to be done";
    }
}

/// Reads a prompt by itself. Not evaluable where it says nothing that could be read.
#[must_use]
pub fn lint(prompt: &Source) -> Evaluated<Lint> {
    let body = run::body(&prompt.document);
    let not = |what: &str| Evaluated::NotEvaluable(Reason(format!("{}: {what}", prompt.name)));
    if prompt.document.quote(body).trim().is_empty() {
        return not("the prompt is empty");
    }
    let contract = ask::read(prompt.file, &prompt.document, body);
    if contract.request.statements.is_empty() {
        return not("the prompt holds no sentence that could be read");
    }
    Evaluated::Value(Lint {
        checkable_by: contract.obligations.iter().map(|item| checkable_by(&contract, item)).collect(),
        contradictions: contradictions::find(&contract),
        vague: vague::find(&contract),
        unsaid: unsaid(&contract),
        contract,
    })
}

/// The checks that look at an obligation, by its kind and by what it says; the cases of the checks hold this table to them.
fn checkable_by(contract: &Contract, item: &ContractItem) -> Vec<&'static str> {
    let rule = item.demand.and_then(|demand| contract.request.demands.get(demand)).map(|demand| &demand.kind.rule);
    let text = item.obligation.source().text();
    let mut found: Vec<&'static str> = match (item.obligation.kind, rule) {
        (_, Some(Rule::Ban { .. })) => vec!["banned-term-used", "banned-list-contested"],
        (_, Some(Rule::Avoid { what, .. })) => {
            let mut found = vec!["banned-list-contested"];
            if banned_thing(what).is_some() {
                found.push("banned-term-used");
            }
            found
        }
        (_, Some(Rule::Hedge { .. })) => vec!["assumption-hardened"],
        (_, Some(Rule::Figure { .. })) => vec!["figure-erased"],
        (Kind::Constraint, Some(Rule::Require { .. })) => vec!["requirement-denied"],
        (Kind::Entity(EntityRole::Customer | EntityRole::Buyer | EntityRole::User), _) => vec!["customer-replaced"],
        (Kind::Solution, _) => vec!["mechanism-replaced"],
        _ => Vec::new(),
    };
    let kind = item.obligation.kind;
    let has_value = !value::read(text, &quantities(text)).is_empty();
    let more = [
        (kind == Kind::Intent && has_value, "figure-erased"),
        (form::demands(text, contract.sentence_of(item)).is_some(), "form-differs"),
    ];
    let by_words = checks::LOOKS_AT.iter().map(|(check, looks_at)| (looks_at(item), *check));
    for (_, check) in more.into_iter().chain(by_words).filter(|(looks, _)| *looks) {
        if !found.contains(&check) {
            found.push(check);
        }
    }
    found.retain(|id| checks::ALL.iter().any(|check| check.id == *id));
    found
}

fn unsaid(contract: &Contract) -> Vec<Unsaid> {
    let has = |wanted: &dyn Fn(Kind) -> bool| contract.obligations.iter().any(|item| wanted(item.obligation.kind));
    let figure = |wanted: &[Role]| contract.request.figures.iter().any(|own| !own.denied && wanted.contains(&own.role));
    let mut demands = contract.request.demands.iter();
    let rules_out = demands.any(|own| matches!(own.kind.rule, Rule::Ban { .. } | Rule::Avoid { .. }));
    let said = [
        (Unsaid::Budget, has(&|kind| kind == Kind::Budget) || figure(&[Role::BudgetTotal, Role::BudgetPart])),
        (Unsaid::Deadline, has(&|kind| kind == Kind::Deadline) || figure(&[Role::Deadline, Role::DurationTotal])),
        (
            Unsaid::Place,
            has(&|kind| matches!(kind, Kind::Place | Kind::Entity(EntityRole::Place)))
                || ADDRESS.is_match(&contract.text),
        ),
        (
            Unsaid::Customer,
            has(&|kind| matches!(kind, Kind::Entity(EntityRole::Customer | EntityRole::Buyer | EntityRole::User))),
        ),
        (Unsaid::Operator, has(&|kind| kind == Kind::Entity(EntityRole::Operator))),
        (Unsaid::Funding, !contract.funding.is_empty()),
        (Unsaid::Metric, has(&|kind| kind == Kind::Metric) || figure(&[Role::Target])),
        (Unsaid::NonGoal, rules_out),
    ];
    said.into_iter().filter(|(_, said)| !said).map(|(what, _)| what).collect()
}

/// A place of the prompt with the obligation that rests on it.
fn quote_of(item: &ContractItem) -> &Quote {
    item.obligation.source()
}
