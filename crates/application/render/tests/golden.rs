//! Every format of the hand-written evaluation, as it is written today.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{example, texts};
use steadfast_render::{Colour, Links, html, junit, markdown, sarif, text};
use steadfast_wire::audit::{
    Agreement, DimensionScores, DriftEvaluation, Judge, ModelClaim, ModelPart, ModelView, NotJudged, Risk, WouldBe,
};
use steadfast_wire::model::{CallEnded, CallTurn, ModelCall, NeutralisedCount};

/// The example with a model's view beside it.
fn with_a_view() -> DriftEvaluation {
    let mut evaluation = example();
    let mut incident = evaluation.drift_incidents[0].clone();
    incident.check = "model".to_owned();
    incident.severity = 2;
    incident.explanation = "The model says so.".to_owned();
    evaluation.judge = Judge::Both;
    evaluation.model_view = Some(ModelView {
        model: "small-model".to_owned(),
        drift_incidents: vec![incident],
        scores_would_be: Some(WouldBe {
            dimension_scores: DimensionScores::default(),
            overall_fidelity_score: 1.9,
            overall_drift_risk: Risk::Critical,
            critical_drift_count: 1,
            unsupported_claim_count: 0,
            constraint_violation_count: 0,
            confidence_inflation_count: 0,
            usable_as_is: false,
        }),
        agreement: Some(Agreement {
            rules_found_by_model: 1,
            model_only: vec!["model-1".to_owned()],
            ..Agreement::default()
        }),
        questions: vec!["Who pays?".to_owned()],
        claimed: Some(ModelClaim {
            overall_fidelity_score: 4.5,
            overall_drift_risk: "low".to_owned(),
            usable_as_is: true,
            ..ModelClaim::default()
        }),
        calls: vec![ModelCall {
            role: "audit.incidents".to_owned(),
            model: "small-model".to_owned(),
            turn: CallTurn::First,
            ended: CallEnded::Failed,
            why: Some("the call failed: refused".to_owned()),
            attempts: 3,
            prompt_tokens: None,
            reply_tokens: None,
            neutralised: NeutralisedCount { invisible: 2, reserved: 1 },
        }],
        not_judged: vec![NotJudged {
            what: ModelPart::Incidents,
            file: Some("report.md".to_owned()),
            start: Some(0),
            end: Some(120),
            reason: "the call failed: refused".to_owned(),
        }],
        ..ModelView::default()
    });
    evaluation
}

#[test]
fn a_models_view_stands_apart_from_all_else() {
    let (without, with) = (example(), with_a_view());
    let section = |of: &dyn Fn(&DriftEvaluation) -> String| {
        let (without, with) = (of(&without), of(&with));
        let at = with.find("Another Judge's View").unwrap();
        let before = with[..at].lines().count();
        assert_eq!(
            with.lines().take(before - 1).collect::<Vec<_>>(),
            without.lines().take(before - 1).collect::<Vec<_>>()
        );
        with[at..].to_owned()
    };
    insta::assert_snapshot!("view_as_markdown", section(&|it| markdown(it, &texts())));
    insta::assert_snapshot!("view_as_text", section(&|it| text(it, &texts(), Colour::Off)));
    let page = html(&with, &texts(), &Links::default()).unwrap();
    let from = page.find("<section id=\"model-view\">").unwrap();
    let to = from + page[from..].find("</section>").unwrap();
    insta::assert_snapshot!("view_as_html", &page[from..to]);
    assert!(!html(&without, &texts(), &Links::default()).unwrap().contains("model-view\">"));
    // What machines act on is the rules' alone.
    assert_eq!(junit(&with, &texts()).unwrap(), junit(&without, &texts()).unwrap());
    assert_eq!(sarif(&with, &texts()).unwrap(), sarif(&without, &texts()).unwrap());
}

#[test]
fn as_markdown() {
    insta::assert_snapshot!(markdown(&example(), &texts()));
}

#[test]
fn as_text() {
    insta::assert_snapshot!(text(&example(), &texts(), Colour::Off));
}

#[test]
fn as_junit() {
    insta::assert_snapshot!(junit(&example(), &texts()).unwrap());
}

#[test]
fn as_sarif() {
    insta::assert_snapshot!(sarif(&example(), &texts()).unwrap());
}

#[test]
fn as_html() {
    let links = Links { base: Some("run/".to_owned()) };
    insta::assert_snapshot!(html(&example(), &texts(), &links).unwrap());
}
