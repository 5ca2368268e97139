//! What becomes of a model's proposals: located and shown apart, or set aside with the reason.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use steadfast_audit::ask::EntityRole;
use steadfast_audit::evaluation::incident_quote;
use steadfast_audit::exchange::{ItemKind, Part, Piece, Proposal, ProposedIncident, ProposedItem, type_name};
use steadfast_audit::incident::DriftType;
use steadfast_audit::view::{self, SEVERITY_ALONE_MAX, View};
use steadfast_audit::{Examined, Source, examine};
use steadfast_evidence::{Evaluated, FileId, Quote};
use steadfast_text::{Document, Format, Span};

const PROMPT: &str = "\
Plan:
Build a boat house for our rowing club on the north shore. The budget is 80,000 EUR. Do not use steel.
We may add a café later. Members pay yearly fees; no grants.

Today's date:
2026-Mar-03
";

const REPORT: &str = "\
# Boat house

## Summary

The frame is made of **steel** for strength. The budget is 120,000 EUR. The boat house stands on the north shore.
A harbour museum is opened beside it. A harbour museum is opened beside it.

## Assumptions

The soil is dry and firm everywhere.

## Out of scope

- A diving tower for guests

## Expert review

The plan ignores the winter storms. You should build a second slipway.

## Alternative paths

A floating house could be moored in the bay.

## Open questions

Who keeps the keys of the boat house?

## Request

> Other clubs built their houses of brick.

```
let tower = build_tower();
```

## Again

A harbour museum is opened beside it. The club will certainly add a café.
";

/// What is left of what a model proposed.
fn view(examined: &Examined, proposal: Proposal) -> View {
    view::view(examined, proposal, "a model")
}

fn examined(report: &[(&str, &str)]) -> Examined {
    let source = |file: usize, name: &str, text: &str| Source {
        file: FileId(u32::try_from(file).unwrap()),
        name: name.to_owned(),
        document: Document::from_str_as(text, Format::of_name(name)),
    };
    let files = report.iter().enumerate().map(|(at, (name, text))| source(at + 1, name, text)).collect();
    match examine(&source(0, "plan.txt", PROMPT), files) {
        Evaluated::Value(examined) => examined,
        Evaluated::NotEvaluable(reason) => panic!("{reason}"),
    }
}

fn proposed(drift_type: DriftType, severity: u8, source: &str, claim: &str) -> ProposedIncident {
    ProposedIncident {
        piece: 0,
        drift_type,
        severity,
        section: "any".to_owned(),
        source_reference: source.to_owned(),
        output_claim: claim.to_owned(),
        explanation: "So it is.".to_owned(),
    }
}

fn viewed(incidents: Vec<ProposedIncident>) -> View {
    view(&examined(&[("report.md", REPORT)]), Proposal { incidents, ..Proposal::default() })
}

/// `expect` is the reason where it is set aside, else the type, the severity and the words.
#[track_caller]
fn check(drift_type: DriftType, severity: u8, source: &str, claim: &str, expect: &str) {
    let view = viewed(vec![proposed(drift_type, severity, source, claim)]);
    let got = match (view.incidents.as_slice(), view.set_aside.as_slice()) {
        ([own], []) => format!(
            "{} {} {}",
            type_name(own.drift_type),
            own.finding.severity.level(),
            incident_quote(own).map_or("", Quote::text)
        ),
        ([], [aside]) => {
            assert_eq!(aside.what, "incident");
            aside.reason.clone()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(got, expect, "{claim}");
}

/// An artefact that keeps the budget, so that something is judged.
const KEPT: (&str, &str) = ("kept.md", "# Money\n\nThe budget of 80,000 EUR is kept.");

const NOT: &str = "not in prompt";
use DriftType::{A, B, C, D, H, J};

#[test]
fn words_of_the_report_are_looked_up() {
    check(A, 2, NOT, "The boat house stands on the north shore.", "TypeA 2 The boat house stands on the north shore.");
    check(A, 1, NOT, "\n The  boat house stands on ", "TypeA 1 The boat house stands on");
    check(
        B,
        1,
        "Do not use steel",
        "The frame is made of steel for strength.",
        "TypeB 3 The frame is made of **steel** for strength.",
    );
    check(A, 2, NOT, "A bridge is built.", "its words do not stand in the report");
    check(A, 2, NOT, "the frame is made of", "its words do not stand in the report");
    check(A, 2, NOT, "oat house stands on the north", "its words do not stand in the report");
    check(A, 2, NOT, "", "it quotes no words of the report");
    check(A, 2, NOT, "frame", "\"frame\" is too short to point at a place");
    check(
        A,
        2,
        NOT,
        "We may add a café later.",
        "its words stand in the prompt alone, which says nothing of the report",
    );
    check(
        A,
        2,
        NOT,
        "A diving tower for guests",
        "it stands in a list of what is left out or banned, so it is not done",
    );
    check(
        A,
        2,
        NOT,
        "let tower = build_tower();",
        "nothing is claimed where it stands (code, or text without a sentence)",
    );
    check(A, 0, NOT, "The boat house stands on the north shore.", "the model itself calls it no drift");
}

#[test]
fn words_of_the_prompt_are_looked_up() {
    let claim = "The boat house stands on the north shore.";
    check(B, 2, "", claim, "it names no words of the prompt, nor says `not in prompt`");
    check(B, 2, "Not in prompt", claim, "its `source_reference` does not stand in the prompt");
    check(B, 2, "Do not use glass", claim, "its `source_reference` does not stand in the prompt");
    check(B, 2, "2026-Mar-03", claim, "its `source_reference` does not stand in the prompt");
    check(B, 2, "a", claim, "\"a\" is too short to point at a place");
    check(A, 2, " not in prompt ", claim, "TypeA 2 The boat house stands on the north shore.");
}

#[test]
fn voices_that_cannot_drift_are_set_aside() {
    check(A, 2, NOT, "The plan ignores the winter storms.", "it is said as criticism, which cannot drift");
    check(A, 2, NOT, "You should build a second slipway.", "TypeA 2 You should build a second slipway.");
    check(
        A,
        2,
        NOT,
        "A floating house could be moored in the bay.",
        "it is said as an option that was not chosen, which cannot drift",
    );
    check(A, 2, NOT, "Who keeps the keys of the boat house?", "it is said as a question, which cannot drift");
    check(
        A,
        2,
        NOT,
        "Other clubs built their houses of brick.",
        "it is said as something about other projects, which cannot drift",
    );
    check(
        C,
        2,
        NOT,
        "The soil is dry and firm everywhere.",
        "it stands under a heading or label that marks it as assumed",
    );
    check(A, 2, NOT, "The soil is dry and firm everywhere.", "TypeA 2 The soil is dry and firm everywhere.");
}

#[test]
fn type_and_severity_are_set_by_code() {
    // A model's severity is cut, a rule's at the same place is taken.
    check(A, 4, NOT, "A harbour museum is opened beside it.", "TypeA 2 A harbour museum is opened beside it.");
    let budget = "The budget is 120,000 EUR.";
    check(C, 1, "The budget is 80,000 EUR.", budget, "TypeC 3 The budget is 120,000 EUR.");
    check(J, 4, NOT, "The boat house stands on the north shore.", "TypeJ 2 The boat house stands on the north shore.");
    // Its letter goes where the evidence gives another.
    check(
        C,
        4,
        "Do not use steel",
        "A harbour museum is opened beside it.",
        "TypeB 2 A harbour museum is opened beside it.",
    );
    check(
        H,
        4,
        NOT,
        "A harbour museum is opened beside it.",
        "its type says that words of the prompt are changed, and it quotes none",
    );
    check(B, 4, NOT, budget, "its type says that words of the prompt are changed, and it quotes none");
    let view = viewed(vec![proposed(D, 4, "We may add a café later", "The club will certainly add a café.")]);
    assert_eq!((view.incidents[0].drift_type, view.proposed[0]), (D, (D, 4)));
}

#[test]
fn repetitions_are_one_with_their_places() {
    let museum = "A harbour museum is opened beside it.";
    let view = viewed(vec![proposed(A, 3, NOT, museum), proposed(A, 1, NOT, museum), proposed(C, 1, NOT, museum)]);
    assert_eq!(view.incidents.iter().map(|own| own.drift_type).collect::<Vec<_>>(), [A, C]);
    assert_eq!(view.incidents[0].finding.also_at.len(), 2);
    assert_eq!(view.set_aside.iter().map(|own| own.reason.as_str()).collect::<Vec<_>>(), ["it was proposed before"]);
}

#[test]
fn words_are_looked_for_in_the_piece_first() {
    let examined = examined(&[
        ("a.md", "# A\n\nA museum is opened here."),
        ("b.md", "# B\n\nWell. A museum is opened here."),
        KEPT,
    ]);
    let place = |parts: Vec<Part>| {
        let proposal = Proposal {
            incidents: vec![proposed(A, 2, NOT, "A museum is opened here.")],
            pieces: vec![Piece { parts, blank: false }],
            ..Proposal::default()
        };
        let view = view(&examined, proposal);
        let quote = incident_quote(&view.incidents[0]).unwrap();
        (quote.file().0, quote.span().start, view.incidents[0].section.clone(), view.incidents[0].finding.also_at.len())
    };
    let whole = Span::new(0, 99);
    assert_eq!(place(vec![Part { text: 1, span: whole }]), (2, 11, vec!["B".to_owned()], 1));
    assert_eq!(place(vec![Part { text: 0, span: whole }]), (1, 5, vec!["A".to_owned()], 1));
    // Not there, so anywhere.
    assert_eq!(place(vec![Part { text: 1, span: Span::new(0, 9) }]), (1, 5, vec!["A".to_owned()], 1));
    assert_eq!(place(Vec::new()).0, 1);
}

#[test]
fn what_repeats_the_prompt_is_no_evidence() {
    let words = "Build a boat house for our rowing club on the north shore.";
    let again = format!("# R\n\nA pier is built of oak.\n\n{words}\n");
    let examined = examined(&[("report.md", &again), KEPT]);
    let view = view(&examined, Proposal { incidents: vec![proposed(A, 2, NOT, words)], ..Proposal::default() });
    assert_eq!(view.set_aside[0].reason, "the report says it in the prompt's own words");
}

#[test]
fn items_of_the_contract_are_looked_up_in_the_prompt() {
    let item = |kind: ItemKind, text: &str| ProposedItem { kind, text: text.to_owned() };
    let contract = vec![
        item(ItemKind::Constraint, "Do not  use steel"),
        item(ItemKind::Constraint, "Do not use steel"),
        item(ItemKind::Constraint, "Do not use glass"),
        item(ItemKind::Entity(EntityRole::Customer), "our rowing club"),
        item(ItemKind::NonGoal, "a"),
        item(ItemKind::CoreIntent, "2026-Mar-03"),
    ];
    let found = view(&examined(&[("report.md", REPORT)]), Proposal { contract, ..Proposal::default() });
    let items: Vec<(ItemKind, &str, bool)> =
        found.contract.iter().map(|own| (own.kind, own.quote.text(), own.obligation.is_some())).collect();
    assert_eq!(items[0], (ItemKind::Constraint, "Do not use steel", true));
    assert_eq!((items.len(), items[1].1), (2, "our rowing club"));
    let reasons: Vec<(&str, &str)> =
        found.set_aside.iter().map(|own| (own.text.as_str(), own.reason.as_str())).collect();
    assert_eq!(
        reasons,
        [
            ("Do not use glass", "its words do not stand in the prompt"),
            ("a", "\"a\" is too short to point at a place"),
            ("2026-Mar-03", "its words do not stand in the prompt"),
        ]
    );
}

#[test]
fn agreement_is_of_places() {
    let examined = examined(&[("report.md", REPORT)]);
    let incidents = vec![
        proposed(B, 2, "Do not use steel", "is made of steel"),
        proposed(A, 2, NOT, "A harbour museum is opened beside it."),
    ];
    let found = view(&examined, Proposal { incidents, ..Proposal::default() });
    let rules = &examined.evaluation.incidents;
    let steel = rules.iter().position(|own| incident_quote(own).unwrap().text().contains("steel")).unwrap();
    assert!(found.agreement.both.contains(&(steel, 0)), "{:?}", found.agreement);
    assert!(!found.agreement.rules_only.contains(&steel));
    assert_eq!(found.agreement.rules_only.len() + 1, rules.len());
    // The museum may be a finding of the rules as well; then it is no finding of the model alone.
    let shared = found.agreement.both.iter().any(|(_, own)| *own == 1);
    assert_eq!(found.agreement.model_only.contains(&1), !shared);
}

const TYPES: [DriftType; 10] = [A, B, C, D, DriftType::E, DriftType::F, DriftType::G, H, DriftType::I, J];

fn a_proposal() -> impl Strategy<Value = ProposedIncident> {
    let claims: Vec<String> = REPORT.split_inclusive(['.', '\n', '?']).map(|text| text.trim().to_owned()).collect();
    let sources: Vec<String> = PROMPT
        .split_inclusive(['.', '\n'])
        .map(|text| text.trim().to_owned())
        .chain([NOT.to_owned(), NOT.to_owned(), "nowhere at all".to_owned()])
        .collect();
    (0..10_usize, 0..5_u8, prop::sample::select(claims), prop::sample::select(sources), 0..9_usize, 0..40_usize)
        .prop_map(|(drift_type, severity, claim, source, from, length)| {
            let cut: String = claim.chars().skip(from).take(length + 20).collect();
            proposed(TYPES[drift_type], severity, &source, &cut)
        })
}

proptest! {
    #[test]
    fn no_proposal_betters_anything_and_every_quote_stands_there(incidents in prop::collection::vec(a_proposal(), 0..30)) {
        let examined = examined(&[("report.md", REPORT)]);
        let given = incidents.len();
        let found = view(&examined, Proposal { incidents, ..Proposal::default() });
        let own = &examined.evaluation;
        prop_assert_eq!(found.incidents.len() + found.set_aside.len(), given);
        prop_assert!(found.would_be.scores.overall <= own.scores.overall);
        for (would, is) in found.would_be.scores.dimensions.iter().zip(own.scores.dimensions) {
            prop_assert!(*would <= is);
        }
        prop_assert!(found.would_be.risk >= own.risk);
        prop_assert!(own.usable.is_yes() || !found.would_be.usable_as_is);
        prop_assert_eq!(found.would_be.counts.critical_drift >= own.counts.critical_drift, true);
        let report = &examined.answer.artefacts[0].document;
        for incident in &found.incidents {
            let quote = incident_quote(incident).unwrap();
            prop_assert_eq!(report.quote(quote.span()), quote.text());
            prop_assert!(incident.voice.can_drift());
            let agreed = found.agreement.both.iter().any(|(_, at)| std::ptr::eq(&found.incidents[*at], incident));
            prop_assert!(agreed || incident.finding.severity <= SEVERITY_ALONE_MAX);
            if let Some(source) = &incident.finding.source {
                prop_assert!(PROMPT.contains(source.text()));
            }
        }
        prop_assert_eq!(found.agreement.model_only.len(), (0..found.incidents.len()).filter(|at| found.agreement.both.iter().all(|(_, own)| own != at)).count());
    }
}
