//! A prompt by itself: which checks look at its asks, what excludes each other, what is vague, what is not said.

use std::collections::BTreeSet;
use std::path::Path;

use steadfast_audit::lint::{Lint, Unsaid, lint};
use steadfast_audit::{Source, audit, checks};
use steadfast_evidence::{Evaluated, FileId};
use steadfast_testkit::cases::read;
use steadfast_text::{Document, Format};

fn source(file: u32, name: &str, text: &str, format: Format) -> Source {
    Source { file: FileId(file), name: name.to_owned(), document: Document::from_str_as(text, format) }
}

fn linted(prompt: &str) -> Lint {
    match lint(&source(0, "prompt.txt", prompt, Format::Plain)) {
        Evaluated::Value(lint) => lint,
        Evaluated::NotEvaluable(reason) => panic!("{prompt:?}: {}", reason.0),
    }
}

/// What is said that a check looks at is what the checks look at: in every case an incident that breaks an obligation comes from a check
/// that the lint of the prompt names for it.
#[test]
fn what_can_be_checked_is_what_checks_look_at() {
    let mut wrong: BTreeSet<String> = BTreeSet::new();
    for case in read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")).unwrap() {
        let prompt = source(0, "prompt.txt", &case.ask, Format::Plain);
        let report = if case.files.is_empty() {
            vec![source(1, "report.md", &case.answer, Format::Markdown)]
        } else {
            let files = case.files.iter().zip(1..);
            files.map(|((name, text), at)| source(at, name, text, Format::of_name(name))).collect()
        };
        let Evaluated::Value(evaluation) = audit(&prompt, report) else { continue };
        let lint = linted(&case.ask);
        for incident in &evaluation.incidents {
            let Some(item) = incident.finding.obligation else { continue };
            if !lint.checkable_by[item].contains(&incident.finding.check) {
                let obligation = &evaluation.contract.obligations[item].obligation;
                wrong.insert(format!(
                    "{} {:?}: {}",
                    incident.finding.check,
                    obligation.kind,
                    obligation.source().text()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_checks_that_are_named_exist() {
    let lint = linted(
        "Plan a fair in Bonn for 300 guests. Budget: 5,000 EUR. It must open by 6 June 2026. Do not use blockchain. Banned words: \
         DAO. Optionally add a tombola. The hall might be free.",
    );
    for check in lint.checkable_by.iter().flatten() {
        assert!(checks::ALL.iter().any(|own| own.id == *check), "{check}");
    }
}

#[track_caller]
fn vague(prompt: &str, expect: &str) {
    let found: Vec<String> = linted(prompt).vague.iter().map(|own| own.word.clone()).collect();
    assert_eq!(found.join(" | "), expect, "{prompt:?}");
}

#[test]
fn words_without_a_figure_are_vague() {
    vague("Open the library as soon as possible.", "as soon as possible");
    vague("Open the library within 3 months.", "");
    vague("Answer letters promptly, within 2 days.", "");
    vague("The shelves must be user-friendly and the rent low-cost.", "user-friendly | low-cost");
    vague("Hire several guides where possible.", "several | where possible");
    vague("Hire 12 guides.", "");
    vague("Sell seeds, tools, etc.", "etc");
    vague("Make it cheaper.", "cheaper");
    // What somebody else says, what is banned, what is told of today.
    vague("The sign must say \"as soon as possible\" in red letters.", "");
    vague("Plan a fair. Banned words: innovative, robust, modern.", "");
    vague("Plan a fair. Currently many people wait for months.", "");
    vague("Plan a fair. Is it cheap enough?", "");
    // A name.
    vague("Plan a fair at the Modern Art Museum.", "");
}

#[track_caller]
fn contradictions(prompt: &str, expect: &[[&str; 2]]) {
    let found: Vec<[String; 2]> =
        linted(prompt).contradictions.iter().map(|own| [0, 1].map(|at| own.quotes[at].text().to_owned())).collect();
    assert_eq!(found, expect, "{prompt:?}");
}

#[test]
fn limits_that_exclude_each_other() {
    contradictions(
        "Plan a fair. Loans must be kept for at most 6 weeks. The hall is small. Loans must be kept for at least 8 weeks.",
        &[["Loans must be kept for at most 6 weeks", "Loans must be kept for at least 8 weeks"]],
    );
    for fine in [
        "Plan a fair. Loans must be kept for at least 6 weeks. The hall is small. Loans must be kept for at most 8 weeks.",
        "Plan a fair. Loans must be kept for at most 6 weeks. Loans must be kept for at most 8 weeks.",
        "Plan a fair. Tents must hold at most 6 guests. Boats must hold at least 8 guests.",
        "Plan a fair. Budget: 500 EUR. The tents must cost at most 200 EUR.",
    ] {
        contradictions(fine, &[]);
    }
}

#[test]
fn what_is_asked_for_and_ruled_out() {
    let found = linted("Plan a fair. You must use a fog machine at the gate. Do not use a fog machine.");
    assert_eq!(found.contradictions.len(), 1, "{:?}", found.contradictions);
    for fine in [
        "Plan a fair. The gate must work without a fog machine. Do not use a fog machine.",
        "Plan a fair. You must use a water machine at the gate. Do not use a fog machine.",
        "Plan a fair. The aim is not to retrofit the pumps. The crew must map the pumps.",
    ] {
        contradictions(fine, &[]);
    }
}

#[test]
fn what_is_due_before_it_can_be() {
    let past = "Plan:\nPlan a fair. It must open by 6 June 2025.\n\nToday's date:\n2026-Mar-10\n\nProject start ASAP\n";
    contradictions(past, &[["It must open by 6 June 2025.", "2026-Mar-10"]]);
    contradictions(&past.replace("6 June 2025", "6 June 2026"), &[]);
    let late = "Plan a fair. The project starts on 1 July 2026. It must be done by 6 June 2026.";
    contradictions(late, &[["The project starts on 1 July 2026.", "It must be done by 6 June 2026."]]);
    contradictions(&late.replace("6 June 2026", "6 June 2027"), &[]);
}

#[test]
fn what_is_not_said() {
    let all = linted("Plan a fair.").unsaid;
    assert_eq!(
        all,
        [
            Unsaid::Budget,
            Unsaid::Deadline,
            Unsaid::Place,
            Unsaid::Customer,
            Unsaid::Operator,
            Unsaid::Funding,
            Unsaid::Metric,
            Unsaid::NonGoal
        ]
    );
    let rest = linted("Plan a fair in Bonn, run by the allotment club. Budget: 5,000 EUR. It must open by 6 June 2026. Do not sell beer.").unsaid;
    for said in [Unsaid::Budget, Unsaid::Deadline, Unsaid::Place, Unsaid::Operator, Unsaid::NonGoal] {
        assert!(!rest.contains(&said), "{rest:?}");
    }
}
