//! A review as JUnit XML.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use steadfast_wire::review::{CriterionStatus, Review};

use super::digest::{TEXT_CHARS_MAX, criterion, findings, verdict};
use crate::context::Index;
use crate::plain::line;
use crate::{Error, Texts};

const NAME_CHARS_MAX: usize = 120;
/// Cases of one suite; the rest stand in the JSON.
const CASES_MAX: usize = 2_000;

/// The review as JUnit XML. The suite `criteria` has a case for each acceptance criterion: it fails where it is not met, and is in
/// error where no item reports on it. The suite `report` has a failing case for each false claim and each 🐛 or 🔒 that stands,
/// and one for the review as a whole, which is skipped where there is nothing to score.
///
/// # Errors
/// [`Error::Junit`] where the XML cannot be written.
pub fn junit(review: &Review, texts: &Texts<'_>) -> Result<String, Error> {
    let index = Index::new(texts);
    let failing = |kind, what: &str, message: &str| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_message(line(message, TEXT_CHARS_MAX)).set_type(what);
        status
    };
    let mut criteria = TestSuite::new("criteria");
    for own in review.criteria.iter().take(CASES_MAX) {
        let message = criterion(own);
        let status = match own.status {
            CriterionStatus::Met => TestCaseStatus::success(),
            CriterionStatus::Unmet => failing(NonSuccessKind::Failure, "criterion_unmet", &message),
            CriterionStatus::Unreported => failing(NonSuccessKind::Error, "criterion_unreported", &message),
        };
        let mut case = TestCase::new(line(&own.text, NAME_CHARS_MAX), status);
        case.set_classname("criterion");
        criteria.add_test_case(case);
    }
    let mut report = TestSuite::new("report");
    let whole = match &review.not_evaluable {
        Some(why) => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(line(why, TEXT_CHARS_MAX));
            skipped
        }
        None => TestCaseStatus::success(),
    };
    let mut case = TestCase::new(line(&verdict(review), NAME_CHARS_MAX), whole);
    case.set_classname("review");
    report.add_test_case(case);
    let hard = findings(review).into_iter().filter(|it| it.hard && !it.rule.starts_with("criterion"));
    for own in hard.take(CASES_MAX) {
        let place = own.spans.first().map_or_else(String::new, |span| format!(" ({})", index.place(span)));
        let message = format!("{}{place}", line(&own.message, TEXT_CHARS_MAX));
        let mut case =
            TestCase::new(line(&own.message, NAME_CHARS_MAX), failing(NonSuccessKind::Failure, own.rule, &message));
        case.set_classname(own.rule);
        report.add_test_case(case);
    }
    let mut out = Report::new("steadfast review");
    out.add_test_suites([criteria, report]);
    out.to_string().map_err(Error::Junit)
}
