//! A plan's proof as JUnit XML.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use steadfast_wire::plan::Finding;

use super::Sheet;
use crate::context::Index;
use crate::digest::count_of;
use crate::plain::{line, shorten, shown};
use crate::{Error, Texts};

const NAME_CHARS_MAX: usize = 120;
const MESSAGE_CHARS_MAX: usize = 400;
/// A test case's text names so many findings and counts the rest.
const FINDINGS_IN_A_CASE_MAX: usize = 20;

/// The proof as JUnit XML. The suite `constraints` has a test case for each constraint: it fails where a finding breaks it for
/// certain. The suite `checks` has one for each check that found something which breaks no constraint (an invention, too much
/// work), and one that is skipped for each thing that could not be checked. What does not fail the plan fails no case.
///
/// # Errors
/// [`Error::Junit`] where the XML cannot be written.
pub fn junit(sheet: &Sheet<'_>, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let mut of_constraint: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    let mut of_check: BTreeMap<&str, Vec<&Finding>> = BTreeMap::new();
    for finding in &sheet.validation.findings {
        match &finding.constraint_id {
            Some(id) => of_constraint.entry(id).or_default().push(finding),
            None => of_check.entry(&finding.check).or_default().push(finding),
        }
    }
    let mut constraints = TestSuite::new("constraints");
    for constraint in &sheet.validation.constraints {
        let found = of_constraint.remove(constraint.id.as_str()).unwrap_or_default();
        let name = format!("{} {}", line(&constraint.id, NAME_CHARS_MAX), line(&constraint.text, NAME_CHARS_MAX));
        let mut case = TestCase::new(name, status(&found, constraint.kind.name(), &index));
        case.set_classname(format!("constraint.{}", constraint.kind));
        constraints.add_test_case(case);
    }
    let mut checks = TestSuite::new("checks");
    // Findings of constraints that are not listed are not lost.
    for (check, found) in of_check.into_iter().chain(of_constraint) {
        let name = line(check, NAME_CHARS_MAX);
        let mut case = TestCase::new(name.as_str(), status(&found, &name, &index));
        case.set_classname("check");
        checks.add_test_case(case);
    }
    for (number, what) in sheet.validation.unchecked.iter().enumerate() {
        let mut skipped = TestCaseStatus::skipped();
        skipped.set_message(line(what, MESSAGE_CHARS_MAX));
        let mut case = TestCase::new(format!("unchecked {}", number + 1), skipped);
        case.set_classname("unchecked");
        checks.add_test_case(case);
    }
    let mut report = Report::new("steadfast plan");
    report.add_test_suites([constraints, checks]);
    report.to_string().map_err(Error::Junit)
}

fn status(found: &[&Finding], kind: &str, index: &Index<'_>) -> TestCaseStatus {
    let hard: Vec<&&Finding> = found.iter().filter(|finding| finding.hard).collect();
    let Some(first) = hard.first() else { return TestCaseStatus::success() };
    let mut failure = TestCaseStatus::non_success(NonSuccessKind::Failure);
    failure.set_message(line(&first.message, MESSAGE_CHARS_MAX)).set_type(kind);
    let mut detail = String::new();
    for finding in hard.iter().take(FINDINGS_IN_A_CASE_MAX) {
        let _ =
            writeln!(detail, "{}: {}", line(&finding.check, NAME_CHARS_MAX), line(&finding.message, MESSAGE_CHARS_MAX));
        if let Some(span) = &finding.ask_span {
            let quote = shorten(&shown(&span.file, &span.quote), MESSAGE_CHARS_MAX);
            let _ = writeln!(detail, "  notes: “{quote}” ({})", index.place(span));
        }
    }
    if hard.len() > FINDINGS_IN_A_CASE_MAX {
        let _ = writeln!(detail, "and {}", count_of(hard.len() - FINDINGS_IN_A_CASE_MAX, "more finding"));
    }
    failure.set_description(detail);
    failure
}
