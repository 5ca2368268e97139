//! Validation: every check, the metrics, and whether the plan passes. Functions of the findings alone.
//!
//! Source: the contract for day plans, sections 3.1, 5 and 6.

use steadfast_evidence::{Evaluated, Reason};

use crate::answer::{Answer, Form, Given, form, read};
use crate::budget::{budget, coverage};
use crate::checks::{ALL, Case, Finding, Gate, run};
use crate::free::Settings;
use crate::model::{Clause, Constraint, Notes, Rule};

steadfast_evidence::vocabulary! {
    /// Whether a plan passes validation (section 6 of the contract for day plans).
    #[schemars(rename = "Validity")]
    Status {
        /// It does.
        Pass = "pass", "Pass";
        /// It does not.
        Fail = "fail", "Fail";
    }
}

/// The metrics of section 3.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// Constraints that bind this plan: those of the notes and of the contract.
    pub constraints_declared: usize,
    /// Those that are certainly broken, wishes left out.
    pub constraints_violated: usize,
    /// Minutes that the notes leave, 0 where they state none or leave none.
    pub time_available_minutes: i64,
    /// Minutes of all timeboxes.
    pub time_planned_minutes: i64,
    /// Minutes planned beyond those available.
    pub time_overflow_minutes: i64,
    /// Inventions.
    pub hallucination_flags: usize,
    /// Advice.
    pub human_feasibility_flags: usize,
    /// Tasks in the plan over tasks of the notes, 0 to 1; `None` where the notes hold no task or the plan is a list of events.
    pub context_coverage_ratio: Option<f64>,
}

/// What came of checking a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// Whether it passes.
    pub status: Status,
    /// Why it does not: the messages of hard findings.
    pub errors: Vec<String>,
    /// The metrics.
    pub metrics: Metrics,
    /// Every constraint that binds the plan, those of the contract last.
    pub constraints: Vec<Constraint>,
    /// Every finding, in the order of checks.
    pub findings: Vec<Finding>,
    /// What could not be checked, and why.
    pub unchecked: Vec<String>,
}

impl Validation {
    /// How many findings fail the plan.
    #[must_use]
    pub fn hard_count(&self) -> usize {
        self.findings.iter().filter(|finding| finding.hard).count()
    }
}

/// Most lines of what was not checked.
pub const UNCHECKED_MAX: usize = 200;

/// Checks somebody's plan. What it claims to be follows from its items.
#[must_use]
pub fn check(notes: &Notes, items: &[Given], settings: &Settings) -> Evaluated<Validation> {
    validate(notes, &read(notes, items, form(items)), settings)
}

/// Checks a plan against its notes. Notes without a task or constraint cannot be kept or broken.
#[must_use]
pub fn validate(notes: &Notes, answer: &Answer, settings: &Settings) -> Evaluated<Validation> {
    if notes.tasks.is_empty() && notes.constraints.is_empty() {
        return Evaluated::NotEvaluable(Reason("the notes hold neither a task nor a constraint".to_owned()));
    }
    let mut constraints = notes.constraints.clone();
    constraints.extend(contract(answer.form));
    let case = Case::new(notes, answer, settings, &constraints);
    let mut unchecked = answer.unchecked.clone();
    unchecked.extend(without_times(&case));
    let mut findings = Vec::new();
    for check in ALL {
        findings.extend(run(check, &case, &mut unchecked));
    }
    let metrics = metrics(&case, &findings);
    let status = if passes(&metrics) { Status::Pass } else { Status::Fail };
    let mut errors: Vec<String> = Vec::new();
    for finding in findings.iter().filter(|finding| finding.hard) {
        if !errors.contains(&finding.message) && errors.len() < ERRORS_MAX {
            errors.push(finding.message.clone());
        }
    }
    unchecked.truncate(UNCHECKED_MAX);
    Evaluated::Value(Validation { status, errors, metrics, findings, unchecked, constraints })
}

/// Most messages in `errors`; `findings` has all.
pub const ERRORS_MAX: usize = 100;

/// The pass rule, section 6 of the contract. Coverage binds where there is one.
#[must_use]
pub fn passes(metrics: &Metrics) -> bool {
    metrics.constraints_violated == 0
        && metrics.hallucination_flags == 0
        && (metrics.time_available_minutes <= 0 || metrics.time_overflow_minutes == 0)
        && metrics.context_coverage_ratio.is_none_or(|ratio| ratio >= COVERAGE_MIN)
}

/// Smallest coverage of a plan that passes.
pub const COVERAGE_MIN: f64 = 0.7;

/// The clauses of the contract that bind a plan of this form, as constraints.
#[must_use]
pub fn contract(form: Form) -> Vec<Constraint> {
    let clauses = Clause::ALL.into_iter().filter(|clause| form == Form::Plan || clause.binds_events());
    let constraint = |clause: Clause| Constraint {
        id: clause.id().to_owned(),
        rule: Rule::Contract(clause),
        quote: None,
        hard: true,
    };
    clauses.map(constraint).collect()
}

fn metrics(case: &Case<'_>, findings: &[Finding]) -> Metrics {
    let gate = |id: &str| ALL.iter().find(|check| check.id == id).map(|check| check.gate);
    let mut violated: Vec<&str> = findings
        .iter()
        .filter(|finding| finding.hard && gate(finding.check) == Some(Gate::Constraint))
        .filter_map(|finding| finding.constraint_id.as_deref())
        .collect();
    violated.sort_unstable();
    violated.dedup();
    let count = |wanted: Gate| findings.iter().filter(|it| gate(it.check) == Some(wanted)).count();
    let budget = budget(case);
    // Where no minute is left the rule for overflow is silent: what is planned then exceeds the stated availability.
    let none_left = budget.is_stated && budget.available_minutes <= 0 && budget.overflow_minutes() > 0;
    let covered = coverage(case);
    let counts = |task: usize, is_covered: bool| is_covered || case.said[task].is_optional();
    let in_plan = covered.iter().enumerate().filter(|(task, own)| counts(*task, **own)).count();
    let has_coverage = case.answer.form == Form::Plan && !covered.is_empty();
    Metrics {
        constraints_declared: case.constraints.len(),
        constraints_violated: violated.len().max(usize::from(none_left)),
        time_available_minutes: budget.available_minutes,
        time_planned_minutes: budget.planned_minutes,
        time_overflow_minutes: budget.overflow_minutes(),
        hallucination_flags: count(Gate::Invention),
        human_feasibility_flags: count(Gate::Advice),
        context_coverage_ratio: has_coverage.then(|| ratio(in_plan, covered.len())),
    }
}

fn ratio(part: usize, all: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(all)
}

/// What cannot be checked for want of times.
fn without_times(case: &Case<'_>) -> Vec<String> {
    let timed = |constraint: &Constraint| {
        matches!(
            constraint.rule,
            Rule::FixedEvent { .. }
                | Rule::Blocked { .. }
                | Rule::Deadline { .. }
                | Rule::NotBefore { .. }
                | Rule::Availability { .. }
                | Rule::Travel { .. }
        )
    };
    let constraints = case.notes.constraints.iter().filter(|constraint| timed(constraint)).count();
    let items: Vec<&crate::answer::Item> = case.answer.items.iter().filter(|item| item.when.is_none()).collect();
    if items.is_empty() {
        return Vec::new();
    }
    let what = if constraints == 0 {
        String::new()
    } else {
        format!("; {constraints} constraints on times were not held against it")
    };
    items.iter().map(|item| format!("{} has no start and end{what}", case.name(item))).collect()
}
