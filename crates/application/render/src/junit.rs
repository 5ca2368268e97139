//! JUnit XML for continuous integration.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use steadfast_wire::Span;
use steadfast_wire::audit::{DriftEvaluation, DriftIncident, Obligation, Status};

use crate::context::Index;
use crate::decided;
use crate::plain::{one_line, shorten, shown};
use crate::standing::Standing;
use crate::{Error, Texts};

const NAME_CHARS_MAX: usize = 120;
const QUOTE_CHARS_MAX: usize = 400;
/// A test case's text names so many incidents and counts the rest.
const INCIDENTS_IN_A_CASE_MAX: usize = 20;
/// Reasons that a skipped case tells.
const REASONS_MAX: usize = 5;

/// The report as JUnit XML. The suite `obligations` has a test case for each obligation: those that are kept pass, broken and weakened
/// ones fail with both quotes, all others are skipped with the reason. The suite `checks` has one for each check: it fails where the
/// check found drift (severity 1 or more), and is skipped where the check did not run. What is accepted or contested fails nothing: a
/// case that holds nothing else is skipped, with the reasons.
///
/// # Errors
/// [`Error::Junit`] where the XML cannot be written.
pub fn junit(evaluation: &DriftEvaluation, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let mut report = Report::new("steadfast audit");
    let mut obligations = TestSuite::new("obligations");
    let mut checks = TestSuite::new("checks");
    obligations.add_test_cases(obligation_cases(evaluation, &index));
    checks.add_test_cases(check_cases(evaluation, &index));
    report.add_test_suites([obligations, checks]);
    report.to_string().map_err(Error::Junit)
}

fn obligation_cases(evaluation: &DriftEvaluation, index: &Index<'_>) -> Vec<TestCase> {
    let cases = evaluation.obligations.iter().map(|obligation| {
        let text = shorten(&one_line(&obligation.text), NAME_CHARS_MAX);
        let state = Standing::of(obligation);
        let status = match state {
            // What whoever calls found kept, and may be its own work, passes only where it is trusted.
            Standing::Kept if obligation.counted(evaluation.trust_host).status != Status::Kept => {
                let asked = quote(&obligation.span, index);
                skipped(format!("{}, by a host that is not trusted: {asked}", state.row().label))
            }
            Standing::Kept => TestCaseStatus::success(),
            Standing::Broken | Standing::Weakened => {
                if let Some(why) = settled(obligation, evaluation) {
                    return case_of_obligation(obligation, &text, skipped(why));
                }
                let mut failure = TestCaseStatus::non_success(NonSuccessKind::Failure);
                failure.set_message(format!("{}: {text}", state.row().name)).set_type(obligation.kind.name());
                let mut detail = format!("asked:  {}\n", quote(&obligation.span, index));
                for span in &obligation.answer_spans {
                    let _ = writeln!(detail, "report: {}", quote(span, index));
                }
                failure.set_description(detail);
                failure
            }
            Standing::Missing
            | Standing::Unclear
            | Standing::NothingFound
            | Standing::Unmentioned
            | Standing::NotAssessed => {
                let asked = quote(&obligation.span, index);
                skipped(format!("{} ({}): {asked}", state.row().label, state.row().meaning))
            }
        };
        case_of_obligation(obligation, &text, status)
    });
    cases.collect()
}

fn case_of_obligation(obligation: &Obligation, text: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(format!("{} {text}", shorten(&one_line(&obligation.id), NAME_CHARS_MAX)), status);
    case.set_classname(format!("obligation.{}", obligation.kind));
    case
}

fn skipped(why: String) -> TestCaseStatus {
    let mut skipped = TestCaseStatus::skipped();
    skipped.set_message(why);
    skipped
}

/// Why a broken obligation fails nothing: all incidents that break it are settled. An obligation that is broken by the words by which
/// another one is has their incidents.
fn settled(obligation: &Obligation, evaluation: &DriftEvaluation) -> Option<String> {
    let own = |incident: &&DriftIncident| incident.obligation.as_ref() == Some(&obligation.id);
    let shares = |incident: &&DriftIncident| {
        let overlaps = |a: &Span, b: &Span| a.file == b.file && a.start < b.end && b.start < a.end;
        incident
            .output_span
            .as_ref()
            .is_some_and(|span| obligation.answer_spans.iter().any(|other| overlaps(span, other)))
    };
    let mut breaks: Vec<&DriftIncident> = evaluation.drift_incidents.iter().filter(own).collect();
    if breaks.is_empty() {
        breaks = evaluation.drift_incidents.iter().filter(shares).collect();
    }
    (!breaks.is_empty() && breaks.iter().all(|incident| incident.is_settled())).then(|| reasons(&breaks))
}

fn reasons(incidents: &[&DriftIncident]) -> String {
    let mut reasons: Vec<String> = incidents.iter().map(|own| decided::words(own, QUOTE_CHARS_MAX)).collect();
    reasons.dedup();
    let more = reasons.len().saturating_sub(REASONS_MAX);
    reasons.truncate(REASONS_MAX);
    if more > 0 {
        reasons.push(format!("and {more} more"));
    }
    reasons.join("; ")
}

fn check_cases(evaluation: &DriftEvaluation, index: &Index<'_>) -> Vec<TestCase> {
    let mut found: BTreeMap<&str, Vec<&DriftIncident>> = BTreeMap::new();
    for check in &evaluation.checks {
        found.entry(&check.id).or_default();
    }
    for incident in &evaluation.drift_incidents {
        found.entry(&incident.check).or_default().push(incident);
    }
    let cases = found.into_iter().map(|(id, incidents)| {
        let check = evaluation.checks.iter().find(|check| check.id == id);
        let (settled, drift): (Vec<_>, Vec<_>) =
            incidents.into_iter().filter(|incident| incident.severity > 0).partition(|incident| incident.is_settled());
        let status = if let Some(first) = drift.first() {
            let mut failure = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let worst = drift.iter().map(|incident| incident.severity).max().unwrap_or(0);
            let count = crate::digest::count_of(drift.len(), "incident");
            failure.set_message(format!("{count}, worst severity {worst}"));
            failure.set_type(first.drift_type.name());
            failure.set_description(detail(&drift, index));
            failure
        } else if !settled.is_empty() {
            skipped(reasons(&settled))
        } else {
            TestCaseStatus::success()
        };
        let mut case = TestCase::new(shorten(&one_line(id), NAME_CHARS_MAX), status);
        let first = drift.first().or(settled.first());
        let drift_type = check.map(|check| check.drift_type).or(first.map(|incident| incident.drift_type));
        case.set_classname(drift_type.map_or_else(|| "check".to_owned(), |drift_type| format!("check.{drift_type}")));
        case
    });
    cases.collect()
}

fn detail(incidents: &[&DriftIncident], index: &Index<'_>) -> String {
    let mut out = String::new();
    for incident in incidents.iter().take(INCIDENTS_IN_A_CASE_MAX) {
        let explanation = shorten(&one_line(&incident.explanation), QUOTE_CHARS_MAX);
        let _ = writeln!(out, "severity {}: {explanation}", incident.severity);
        let asked = incident.source_span.as_ref().map_or_else(|| "not in prompt".to_owned(), |span| quote(span, index));
        let _ = writeln!(out, "  asked:  {asked}");
        if let Some(span) = &incident.output_span {
            let label = if incident.absent { "nearest:" } else { "report:" };
            let _ = writeln!(out, "  {label} {}", quote(span, index));
        }
    }
    if incidents.len() > INCIDENTS_IN_A_CASE_MAX {
        let _ = writeln!(out, "and {} more", incidents.len() - INCIDENTS_IN_A_CASE_MAX);
    }
    out
}

fn quote(span: &Span, index: &Index<'_>) -> String {
    let quote = shorten(&shown(&span.file, &span.quote), QUOTE_CHARS_MAX);
    format!("“{quote}” ({})", index.place(span))
}
