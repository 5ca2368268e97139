//! The case tables, written by hand: each says what a check must point at, or that it must stay silent. A case that the rules do
//! not manage says so in `missed`, and fails here as soon as they do.

use std::fmt::Write as _;
use std::path::Path;

use steadfast_review::answer::read as read_report;
use steadfast_review::ask::criteria_of;
use steadfast_review::checks::{code, document};
use steadfast_review::{Settings, review};
use steadfast_testkit::cases::{Case, Expected, read};
use steadfast_text::Span;

/// Where a check points, claim first.
fn found(case: &Case) -> Vec<Vec<Span>> {
    let output = case.answer.as_str();
    if case.check == code::ID {
        return code::check(&document(output, &read_report(output))).into_iter().map(|it| vec![it.span]).collect();
    }
    let criteria = criteria_of(&case.ask);
    let found = review(output, &Settings { criteria: &criteria, ..Settings::default() });
    found.contradictions.into_iter().filter(|it| it.kind.check() == case.check).map(|it| it.spans).collect()
}

/// What is wrong with the case's outcome, if anything.
fn fault(case: &Case) -> Option<String> {
    let found = found(case);
    let quotes: Vec<&str> = found.iter().flatten().map(|span| &case.answer[span.range()]).collect();
    if case.expect.is_empty() {
        return (!found.is_empty()).then(|| format!("points at {quotes:?}"));
    }
    let missing = case.expected().find(|wanted| match wanted {
        Expected::Quote(words) => !quotes.iter().any(|quote| quote.contains(words)),
        Expected::Absence(_) => true,
    })?;
    Some(format!("does not point at {missing:?}, but at {quotes:?}"))
}

#[test]
fn every_case_comes_out_as_the_tables_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut faults = String::new();
    for case in read(&folder).unwrap() {
        match (fault(&case), case.missed.is_empty()) {
            (Some(fault), true) => writeln!(faults, "{} \"{}\": {fault}", case.check, case.name).unwrap(),
            (None, false) => writeln!(faults, "{} \"{}\": is managed now", case.check, case.name).unwrap(),
            _ => {}
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}
