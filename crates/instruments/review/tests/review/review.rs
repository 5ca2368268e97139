//! Whole reviews: criteria, false claims, caps, summaries.

use steadfast_evidence::Evaluated;
use steadfast_review::checks::{Contradiction, ContradictionKind};
use steadfast_review::summary::tokens;
use steadfast_review::verdict::{Cap, Recommendation};
use steadfast_review::{CriterionStatus, Review, Settings, review};

const CHECK_IN: &str = "<npl-block type=\"check-in\" task-id=\"task-123\">
acceptance_criteria:
  - ✅ Implements JWT authentication
  - ✅ Includes unit tests
  - 🐛 Rate limiting has race condition
  - ❓ OAuth scope needs clarification
status: in_progress
next_steps:
  - Fix rate limiting
  - Clarify OAuth with control agent
</npl-block>
";

fn plain(output: &str) -> Review {
    review(output, &Settings::default())
}

fn reflected(body: &str, report: &str) -> Review {
    plain(&format!("{body}\n\n<npl-block type=\"reflection\">\n{report}\n</npl-block>\n"))
}

#[test]
fn the_check_in_of_the_document() {
    let got = plain(CHECK_IN);
    assert_eq!(got.score, Evaluated::Value(0.6125));
    assert_eq!(got.recommendation, Recommendation::Review);
    let statuses: Vec<_> = got.criteria.iter().map(|it| it.status).collect();
    use CriterionStatus::{Met, Unmet, Unreported};
    assert_eq!(statuses, [Met, Met, Unmet, Unmet]);
    assert_eq!(got.capped_by, [Cap::OpenBug, Cap::CriterionUnmet]);
    assert_eq!(got.summary, None);

    let criteria = [
        "Users authenticate with JWT",
        "Unit tests are included",
        "Rate limiting",
        "OAuth scopes",
        "API documentation",
    ];
    let criteria = criteria.map(str::to_owned);
    let got = review(CHECK_IN, &Settings { criteria: &criteria, ..Settings::default() });
    let statuses: Vec<_> = got.criteria.iter().map(|it| (it.status, it.by.as_ref().and_then(|by| by.item))).collect();
    assert_eq!(statuses, [(Met, Some(0)), (Met, Some(1)), (Unmet, Some(2)), (Unmet, Some(3)), (Unreported, None)]);
}

#[test]
fn a_lone_good_item_is_approved_and_caps_hold_it_back() {
    assert_eq!(plain("<npl-ref>✅ a</npl-ref>").recommendation, Recommendation::Approve);
    let ten = "- ✅ good\n".repeat(10);
    let got = plain(&format!("<npl-ref>\n{ten}- 🐛 bad\n</npl-ref>"));
    assert!(matches!(got.score, Evaluated::Value(score) if score >= 0.8));
    assert_eq!((got.recommendation, got.capped_by), (Recommendation::Review, vec![Cap::OpenBug]));
    let got = plain(&format!("<npl-ref>\n{ten}- 🐛 none found\n</npl-ref>"));
    assert_eq!((got.recommendation, got.capped_by), (Recommendation::Approve, vec![]));
}

#[test]
fn nothing_to_score_is_not_evaluable() {
    for output in
        ["", "Done.", "<npl-block type=\"reflection\">\nCorrectness: fine\n</npl-block>", "<npl-ref>\n❌ a\n</npl-ref>"]
    {
        let got = plain(output);
        assert!(matches!(got.score, Evaluated::NotEvaluable(_)), "{output}");
        assert_eq!((got.recommendation, got.capped_by), (Recommendation::Review, vec![Cap::NotEvaluable]), "{output}");
    }
}

#[track_caller]
fn found(got: &Review, kind: ContradictionKind) -> &Contradiction {
    let found = got.contradictions.iter().find(|it| it.kind == kind);
    found.unwrap_or_else(|| panic!("{:#?}", got.contradictions))
}

#[test]
fn totals_that_do_not_add_up_refute_a_claim_of_consistency() {
    let table = "| Item | Cost |\n|---|---|\n| Rent | $40,000 |\n| Staff | $75,000 |\n| Travel | $12,000 |\n| **Total** | **$117,000** |\n";
    let got = reflected(table, "✅ Numbers are internally consistent\n✅ All totals verified");
    let total = found(&got, ContradictionKind::TableTotal);
    assert_eq!((total.stated, total.computed), (117_000.0, 127_000.0));
    let claim = found(&got, ContradictionKind::ConsistencyClaim);
    assert_eq!((claim.stated, claim.computed, claim.refuted_by.as_slice()), (117_000.0, 127_000.0, &[0][..]));
    assert!(claim.claim.contains("internally consistent"), "{claim:?}");
    assert_eq!(got.capped_by, [Cap::Contradiction]);
    assert_eq!(got.recommendation, Recommendation::Review);

    // Denied, or about something else, or with nothing wrong: no claim is refuted.
    for report in ["✅ The totals do not match yet", "✅ The tests are correct"] {
        let got = reflected(table, report);
        assert!(got.contradictions.iter().all(|it| it.kind != ContradictionKind::ConsistencyClaim), "{report}");
    }
    assert_eq!(reflected(&table.replace("117", "127"), "✅ Numbers are internally consistent").contradictions, []);
}

#[test]
fn tests_are_counted_in_the_log() {
    let log = "```\n===== 4 passed, 1 failed in 0.12s =====\n```\n";
    let got = reflected(log, "✅ All 5 tests pass");
    let claim = found(&got, ContradictionKind::TestCount);
    assert_eq!((claim.stated, claim.computed), (5.0, 4.0));
    assert_eq!(reflected(log, "✅ 4 of 5 tests pass\n🐛 One test fails").contradictions, []);
    let log = "```\ntest result: ok. 5 passed; 0 failed\n```\n";
    assert_eq!(reflected(log, "✅ All 5 tests pass").contradictions, []);
    assert_eq!(found(&reflected(log, "✅ All 6 tests pass"), ContradictionKind::TestCount).computed, 5.0);
    assert_eq!(reflected("No log here.", "✅ All 6 tests pass").contradictions, []);
    assert_eq!(
        reflected(
            "No log here.\n\n```\n1 passed, 4 failed\n```\nFixed:\n\n```\n5 passed\n```\n",
            "✅ All 5 tests pass"
        )
        .contradictions,
        []
    );
}

#[test]
fn sections_and_lists_are_counted() {
    let body = "# Report\n\n## One\n\na\n\n## Two\n\nb\n\n## Three\n\nc\n";
    assert_eq!(reflected(body, "✅ All 3 sections present").contradictions, []);
    assert_eq!(reflected(body, "✅ All 4 sections present").contradictions, [], "with the title they are four");
    let claim = reflected(body, "✅ All 12 required sections present");
    assert_eq!(found(&claim, ContradictionKind::SectionCount).stated, 12.0);
    assert_eq!(reflected("No headings.", "✅ All 12 sections present").contradictions, []);

    let got = reflected("Three issues remain:\n\n- a\n- b\n- c\n- d\n", "✅ a");
    let claim = found(&got, ContradictionKind::ListCount);
    assert_eq!((claim.stated, claim.computed), (3.0, 4.0));
    for fine in [
        "Four issues remain:",
        "We fixed three bugs in these files:",
        "At least three issues remain:",
        "Three days of work went into:",
    ] {
        assert_eq!(reflected(&format!("{fine}\n\n- a\n- b\n- c\n- d\n"), "✅ a").contradictions, [], "{fine}");
    }
}

#[test]
fn criteria_are_counted() {
    let output = format!("All acceptance criteria are met.\n\n{CHECK_IN}");
    let got = plain(&output);
    let claim = found(&got, ContradictionKind::CriteriaCount);
    assert_eq!((claim.stated, claim.computed), (4.0, 2.0));
    assert_eq!(plain(&format!("2 of 4 criteria met.\n\n{CHECK_IN}")).contradictions, []);
}

#[test]
fn code_that_is_not_what_it_says_is_a_warning() {
    let got = reflected("```json\n{\"a\": 1,}\n```\n\n```json\n{\"a\": ...}\n```\n\n```toml\na = \n```\n", "✅ a");
    assert_eq!(got.misannounced.len(), 2, "{:?}", got.misannounced);
    assert_eq!(got.recommendation, Recommendation::Approve);
}

#[test]
fn a_summary_keeps_its_budget_and_begins_with_what_was_found() {
    let prose = "The parser reads every record of the file and checks each field against the schema. ".repeat(400);
    let output = format!(
        "{prose}\n\n<npl-block type=\"check-in\">\nacceptance_criteria:\n- 🔒 Tokens leak into logs\n- 🐛 Parser crashes\n- ✅ Docs\nnext_steps:\n- Mend the parser\n</npl-block>"
    );
    let got = plain(&output);
    assert_eq!(got.recommendation, Recommendation::RequestRevision);
    let summary = got.summary.as_deref().unwrap_or_default();
    assert!(tokens(summary) <= 400, "{}", tokens(summary));
    assert_eq!(got.tokens.returned, tokens(summary));
    let order: Vec<usize> = [
        "🔒 Tokens leak",
        "🐛 Parser crashes",
        "not met: Tokens",
        "Mend the parser",
        "The parser reads",
        "tokens kept back",
    ]
    .iter()
    .map(|text| summary.find(text).unwrap_or_else(|| panic!("{text} is not in\n{summary}")))
    .collect();
    assert!(order.is_sorted(), "{summary}");
    assert_eq!(plain(&output), got);
}
