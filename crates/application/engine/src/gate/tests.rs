use serde_json::{Value, json};
use steadfast_wire::audit::{
    Basis, Decisions, Disqualification, Disqualifier, ObligationKind, Origin, Polarity, Remaining, Status,
    UsableBecause,
};

use super::*;

#[track_caller]
fn check(gates: &Gates, score: f64, risk: Risk, expect: &[&str]) {
    let evaluation =
        DriftEvaluation { overall_fidelity_score: score, overall_drift_risk: risk, ..DriftEvaluation::default() };
    assert_eq!(gates.failures(&evaluation), expect);
}

#[test]
fn gates_are_asked_for_by_name() {
    for condition in steadfast_wire::request::AUDIT_CONDITIONS {
        let gates = Gates::asked(&[condition.to_owned()], None).unwrap();
        assert_eq!(gates.names(), [condition]);
    }
    let risks = ["risk=high", "risk=medium", "risk=critical"].map(str::to_owned);
    assert_eq!(Gates::asked(&risks, Some(3.5)).unwrap().names(), ["risk=medium", "score<3.5"]);
    for condition in ["", "alert", "risk=", "risk=worst", "Broken"] {
        let refused = Gates::asked(&[condition.to_owned()], None).unwrap_err();
        assert_eq!(refused.message, format!("an audit cannot fail on `{condition}`"));
    }
    for score in [-0.1, 5.01, f64::NAN] {
        assert!(Gates::asked(&[], Some(score)).is_err(), "{score}");
    }
}

#[test]
fn nothing_asked_nothing_fails() {
    check(&Gates::default(), 0.0, Risk::Critical, &[]);
}

#[test]
fn a_score_at_the_threshold_passes() {
    let gates = Gates { fail_below: Some(3.5), ..Gates::default() };
    check(&gates, 3.5, Risk::Low, &[]);
    check(&gates, 3.496, Risk::Low, &[]);
    check(&gates, 3.49, Risk::Low, &["the score is 3.49 (--fail-below 3.5)"]);
}

#[test]
fn a_risk_fails_at_its_level_and_beyond() {
    let gates = Gates { fail_on_risk: Some(Risk::High), ..Gates::default() };
    check(&gates, 3.0, Risk::Medium, &[]);
    check(&gates, 2.0, Risk::High, &["the risk is high (--fail-on risk=high)"]);
    check(&gates, 4.0, Risk::Critical, &["the risk is critical (--fail-on risk=high)"]);
}

#[test]
fn what_is_settled_is_passed_over() {
    let remaining = |overall_fidelity_score, overall_drift_risk, disqualifiers: &[Disqualification]| Remaining {
        incidents: 1,
        overall_fidelity_score,
        overall_drift_risk,
        usable_as_is: false,
        usable_because: UsableBecause::Broken,
        disqualifiers: disqualifiers.to_vec(),
        broken: Vec::new(),
        missing: Vec::new(),
    };
    let gates =
        Gates { fail_below: Some(3.0), fail_on_risk: Some(Risk::High), fail_on_disqualified: true, ..Gates::default() };
    let said = |remaining: Remaining| {
        let disqualifier =
            Disqualifier { condition: Disqualification::NonGoal, explanation: String::new(), incidents: Vec::new() };
        let evaluation = DriftEvaluation {
            overall_fidelity_score: 1.0,
            overall_drift_risk: Risk::Critical,
            disqualifiers: vec![disqualifier],
            decisions: Some(Decisions {
                accepted: 1,
                contested: 0,
                expired: 0,
                as_of: None,
                assumption: None,
                remaining,
            }),
            ..DriftEvaluation::default()
        };
        gates.failures(&evaluation)
    };
    assert_eq!(said(remaining(3.0, Risk::Medium, &[])), <[&str; 0]>::default());
    assert_eq!(
        said(remaining(2.0, Risk::High, &[Disqualification::NonGoal])),
        [
            "the score is 2.00 without what is accepted or contested (--fail-below 3)",
            "the risk is high without what is accepted or contested (--fail-on risk=high)",
            "disqualified: A non-goal is pursued (--fail-on disqualified)",
        ]
    );
}

#[test]
fn a_disqualifier_fails_only_when_asked() {
    let disqualifier =
        Disqualifier { condition: Disqualification::NonGoal, explanation: String::new(), incidents: Vec::new() };
    let evaluation = DriftEvaluation { disqualifiers: vec![disqualifier], ..DriftEvaluation::default() };
    assert_eq!(Gates::default().failures(&evaluation), [""; 0]);
    let gates = Gates { fail_on_disqualified: true, ..Gates::default() };
    assert_eq!(gates.failures(&evaluation)[0], "disqualified: A non-goal is pursued (--fail-on disqualified)");
}

/// An evaluation of obligations as `strength status assessed`.
fn of(rows: &[(Strength, Status, bool)]) -> DriftEvaluation {
    let obligations = rows.iter().enumerate().map(|(at, (strength, status, assessed))| Obligation {
        id: format!("constraint-{}", at + 1),
        kind: ObligationKind::Constraint,
        text: String::new(),
        basis: Basis::Explicit,
        span: steadfast_wire::Span { file: String::new(), start: 0, end: 0, quote: String::new() },
        strength: *strength,
        polarity: Polarity::Do,
        status: *status,
        assessed: *assessed,
        origin: Origin::code(),
        person: None,
        answer_spans: Vec::new(),
        measured: None,
        passages: Vec::new(),
        by: Origin::code(),
        confirmed_by: None,
        disputed: false,
        by_code: None,
    });
    let count = |holds: &dyn Fn(&(Strength, Status, bool)) -> bool| rows.iter().filter(|row| holds(row)).count();
    let assessed = Assessed {
        n: count(&|row| row.2),
        of: rows.len(),
        must_n: count(&|row| row.2 && row.0 == Strength::Must),
        must_of: count(&|row| row.0 == Strength::Must),
        by_host: 0,
    };
    DriftEvaluation { obligations: obligations.collect(), assessed, ..DriftEvaluation::default() }
}

#[track_caller]
fn check_states(rows: &[(Strength, Status, bool)], expect: &[&str]) {
    let gates = Gates { fail_on_broken: true, fail_on_missing: true, fail_on_unassessed: true, ..Gates::default() };
    let said = gates.failures(&of(rows));
    assert_eq!(said, expect);
    assert_eq!(Gates::default().failures(&of(rows)), [""; 0]);
}

#[test]
fn states_fail_by_name() {
    use Status::{Broken, Kept, NothingFound, Unclear, Unmentioned, Weakened};
    use Strength::{May, Must, Should};
    check_states(&[(Must, Kept, true), (Should, Unmentioned, false), (Should, Unclear, false)], &[]);
    check_states(
        &[(Should, Broken, true), (Must, Weakened, true)],
        &["2 obligations are broken or weakened: constraint-1, constraint-2 (--fail-on broken)"],
    );
    check_states(
        &[(Must, Unmentioned, true)],
        &["1 obligation that must be kept is missing: constraint-1 (--fail-on missing)"],
    );
    // Three of five are enough.
    let of_five = [(Must, Kept, true), (Must, Kept, true), (Must, NothingFound, true), (Must, NothingFound, false)];
    check_states(&[&of_five[..], &[(Must, Unclear, false)]].concat(), &[]);
    check_states(
        &[&of_five[1..], &[(Must, Unclear, false); 3]].concat(),
        &[
            "2 of 6 obligations that must be kept were assessed, not constraint-3, constraint-4, constraint-5, … (--fail-on unassessed)",
        ],
    );
    // Where nothing must be kept, all obligations count.
    check_states(
        &[(May, Unclear, false), (Should, Kept, true)],
        &["1 of 2 obligations were assessed, not constraint-1 (--fail-on unassessed)"],
    );
}

#[test]
fn what_is_settled_is_neither_broken_nor_missing() {
    let gates = Gates { fail_on_broken: true, fail_on_missing: true, ..Gates::default() };
    let remaining = Remaining {
        incidents: 1,
        overall_fidelity_score: 5.0,
        overall_drift_risk: Risk::Low,
        usable_as_is: false,
        usable_because: UsableBecause::Broken,
        disqualifiers: Vec::new(),
        broken: vec!["constraint-1".to_owned()],
        missing: Vec::new(),
    };
    let decisions = Decisions { accepted: 1, contested: 1, expired: 0, as_of: None, assumption: None, remaining };
    let rows = [(Strength::Must, Status::Broken, true); 2];
    let missing = (Strength::Must, Status::Unmentioned, true);
    let evaluation = DriftEvaluation { decisions: Some(decisions), ..of(&[&rows[..], &[missing]].concat()) };
    let said = gates.failures(&evaluation);
    assert_eq!(said, ["1 obligation is broken or weakened: constraint-1 (--fail-on broken)"]);
}

/// An incident of a severity, new or not.
fn incident(id: &str, severity: u8, new: Option<bool>, decision: &Value) -> DriftIncident {
    let incident = json!({
        "id": id, "check": "number", "origin": "code", "drift_type": "TypeC", "severity": severity, "section": "", "source_reference": "",
        "output_claim": "", "explanation": "", "confidence": 0.9, "source_span": null, "output_span": null, "absent": false, "also_at": [],
        "repair_action": "", "voice": "asserted", "introduced_in": null, "obligation": null, "decision": decision, "new": new,
    });
    serde_json::from_value(incident).unwrap()
}

#[test]
fn only_what_is_new_weighs_and_is_open_fails_as_new() {
    let open = Value::Null;
    let settled = json!({"kind": "accept", "reason": "", "until": null, "expired": false, "decided_at": "2026-01-25T09:00:00Z", "author": "Ana"});
    let said = |drift_incidents: Vec<DriftIncident>| {
        let gates = Gates { fail_on_new: true, ..Gates::default() };
        let evaluation = DriftEvaluation { drift_incidents, ..DriftEvaluation::default() };
        assert_eq!(Gates::default().failures(&evaluation), [""; 0]);
        gates.failures(&evaluation)
    };
    let passes = [
        incident("a", 0, Some(true), &open),
        incident("b", 4, Some(false), &open),
        incident("c", 4, None, &open),
        incident("d", 4, Some(true), &settled),
    ];
    assert_eq!(said(passes.to_vec()), <[&str; 0]>::default());
    let one = incident("e", 1, Some(true), &open);
    assert_eq!(said([&passes[..], std::slice::from_ref(&one)].concat()), ["1 incident is new: e (--fail-on new)"]);
    assert_eq!(said(vec![one; 3]), ["3 incidents are new: e, e, e (--fail-on new)"]);
}

#[test]
fn what_was_asked_stands_in_the_report_and_in_the_settings() {
    let broken = of(&[(Strength::Must, Status::Broken, true)]);
    let gates = Gates::asked(&["broken".to_owned(), "risk=high".to_owned()], Some(3.5)).unwrap();
    let report = gates.of(&DriftEvaluation { overall_fidelity_score: 4.0, ..broken.clone() }).unwrap();
    assert_eq!(
        (report.passed, report.asked),
        (false, ["broken", "risk=high", "score<3.5"].map(str::to_owned).to_vec())
    );
    assert_eq!(report.failures, ["1 obligation is broken or weakened: constraint-1 (--fail-on broken)"]);
    let report = Gates::asked(&["missing".to_owned()], None).unwrap().of(&broken).unwrap();
    assert!(report.passed && report.failures.is_empty());
    assert_eq!(Gates::default().of(&broken), None);

    let settings = gates.settings(Asked::default()).settings;
    let of = |name: &str| serde_json::to_value(&settings[name]).unwrap();
    assert_eq!(of("fail_below"), 3.5);
    assert_eq!(of("fail_on_risk"), "high");
    assert_eq!((of("fail_on_broken"), of("fail_on_missing")), (true.into(), false.into()));
}

#[test]
fn nothing_that_can_be_evaluated_fails_only_as_unassessed() {
    let answer = NotEvaluable {
        not_evaluable: serde_json::from_value(json!({"reason": "nothing_judged", "detail": ""})).unwrap(),
        reading: None,
        assessed: Assessed { n: 0, of: 1, must_n: 0, must_of: 1, by_host: 0 },
        sources: Vec::new(),
        obligations: of(&[(Strength::Must, Status::Unclear, false)]).obligations,
        chat: None,
        chat_failed: None,
        gates: None,
    };
    let asked = |condition: &str| Gates::asked(&[condition.to_owned()], None).unwrap().of_nothing(&answer);
    let report = asked("unassessed").unwrap();
    assert_eq!(
        (report.passed, report.failures),
        (
            false,
            vec![
                "0 of 1 obligations that must be kept were assessed, not constraint-1 (--fail-on unassessed)"
                    .to_owned()
            ]
        )
    );
    assert!(asked("broken").unwrap().passed);
    assert_eq!(Gates::default().of_nothing(&answer), None);
}

#[test]
fn where_nothing_is_asked_nothing_was_assessed() {
    check_states(&[], &["0 of 0 obligations were assessed (--fail-on unassessed)"]);
}

#[test]
fn what_whoever_calls_found_kept_counts_as_judged_only_where_it_is_trusted() {
    use Strength::{Must, Should};
    let gates = Gates { fail_on_unassessed: true, ..Gates::default() };
    let mut evaluation = of(&[(Must, Status::Kept, true), (Should, Status::Unclear, false)]);
    evaluation.obligations[0].origin = Origin::host();
    evaluation.obligations[0].by_code = Some(CodeState { status: Status::Unclear, assessed: false });
    let said = |evaluation: &DriftEvaluation| gates.failures(evaluation);
    // What may be left open is not named where something must be kept.
    assert_eq!(
        said(&evaluation),
        ["0 of 1 obligations that must be kept were assessed, not constraint-1 (--fail-on unassessed)"]
    );
    assert_eq!(said(&DriftEvaluation { trust_host: true, ..evaluation.clone() }), <[&str; 0]>::default());
    evaluation.obligations[0].strength = Should;
    evaluation.assessed = Assessed { n: 1, of: 2, must_n: 0, must_of: 0, by_host: 1 };
    assert_eq!(
        said(&evaluation),
        ["0 of 2 obligations were assessed, not constraint-1, constraint-2 (--fail-on unassessed)"]
    );
}
