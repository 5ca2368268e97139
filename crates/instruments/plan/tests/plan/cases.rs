//! The case tables: each says what a check must find in a plan, or that it must find nothing. Notes and plans are in the
//! notation of `notation`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use steadfast_evidence::Evaluated;
use steadfast_plan::{answer, checks, validate};
use steadfast_testkit::cases::{Case, Expected, read};

use crate::notation::{Asked, notes, plan};

/// The line of the plan that an item is, and whether a finding that names no item is expected by the words that it rests on.
fn fault(case: &Case) -> Option<String> {
    let Asked { notes, settings } = notes(&case.ask);
    let (form, items) = plan(&case.answer);
    let lines: Vec<&str> =
        case.answer.lines().filter(|line| !line.trim().is_empty() && line.trim() != "events").collect();
    let answer = answer::read(&notes, &items, form);
    let Evaluated::Value(validation) = validate(&notes, &answer, &settings) else {
        return Some("is not evaluable".to_owned());
    };
    if !checks::ALL.iter().any(|check| check.id == case.check) {
        return Some("no such check".to_owned());
    }
    // Cases whose notes speak of a doubtful reading look at soft findings too.
    let counts = |finding: &&checks::Finding| {
        finding.hard
            || matches!(checks::ALL.iter().find(|it| it.id == finding.check), Some(it) if it.gate == checks::Gate::Advice)
    };
    let found: Vec<&checks::Finding> =
        validation.findings.iter().filter(|finding| finding.check == case.check).filter(counts).collect();
    if case.expect.is_empty() {
        return found.first().map(|finding| format!("finds: {}", finding.message));
    }
    let missing = case.expected().find(|wanted| {
        !found.iter().any(|finding| match wanted {
            Expected::Quote(words) => {
                finding.item_index.and_then(|at| lines.get(at)).is_some_and(|line| line.contains(words))
            }
            Expected::Absence(words) => {
                finding.message.contains(words)
                    || finding.ask_span.as_ref().is_some_and(|quote| quote.text().contains(words))
            }
        })
    })?;
    let all: Vec<String> =
        validation.findings.iter().map(|it| format!("{} ({}): {}", it.check, it.hard, it.message)).collect();
    Some(format!("does not find {missing:?}; it finds {all:#?}"))
}

#[test]
fn every_case_holds() {
    let mut faults = String::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for case in read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")).unwrap_or_default() {
        *counts.entry(case.check.clone()).or_default() += 1;
        match (fault(&case), case.missed.is_empty()) {
            (None, false) => _ = writeln!(faults, "{}: \"{}\" is managed now", case.check, case.name),
            (Some(fault), true) => _ = writeln!(faults, "{}: \"{}\" {fault} ({})", case.check, case.name, case.note),
            _ => {}
        }
    }
    assert!(faults.is_empty(), "{faults}");
    for check in checks::ALL {
        assert!(counts.contains_key(check.id), "{} has no cases", check.id);
    }
}
