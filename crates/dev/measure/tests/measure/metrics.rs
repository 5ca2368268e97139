//! Every metric of agreement equals that of scikit-learn or scipy on the same numbers (`scripts/metrics_reference.py`).

use serde::Deserialize;
use steadfast_measure::metrics::{auc, median, pearson, spearman};

#[derive(Deserialize)]
struct Case {
    scores: Vec<f64>,
    values: Vec<f64>,
    positive: Vec<bool>,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    auc: Option<f64>,
    pearson: Option<f64>,
    spearman: Option<f64>,
}

#[track_caller]
fn check(name: &str, case: usize, found: Option<f64>, expect: Option<f64>) {
    let equal = match (found, expect) {
        (Some(found), Some(expect)) => (found - expect).abs() < 1e-12,
        (found, expect) => found == expect,
    };
    assert!(equal, "{name} of case {case}: {found:?}, not {expect:?}");
}

#[test]
fn equal_to_scikit_learn_and_scipy() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../data/metrics_reference.json")).unwrap();
    assert_eq!(cases.len(), 150);
    for (at, case) in cases.iter().enumerate() {
        let values: Vec<(f64, f64)> = case.scores.iter().copied().zip(case.values.iter().copied()).collect();
        let scored: Vec<(f64, bool)> = case.scores.iter().copied().zip(case.positive.iter().copied()).collect();
        check("AUC", at, auc(&scored), case.expect.auc);
        check("Pearson", at, pearson(&values), case.expect.pearson);
        check("Spearman", at, spearman(&values), case.expect.spearman);
    }
}

#[test]
fn of_nothing_nothing_is_defined() {
    assert_eq!([auc(&[]), pearson(&[]), spearman(&[])], [None; 3]);
    assert_eq!([median(&[]), median(&[3.0, 1.0]), median(&[1.0, 5.0, 2.0])], [None, Some(2.0), Some(2.0)]);
}
