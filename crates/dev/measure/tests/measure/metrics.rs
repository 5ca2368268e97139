//! Every metric of agreement equals that of scikit-learn or scipy on the same numbers (`scripts/metrics_reference.py`).

use serde::Deserialize;
use steadfast_measure::metrics::{accuracy, auc, balanced_accuracy, f1, kappa, macro_f1, median, pearson, spearman};

#[derive(Deserialize)]
struct Case {
    found: Vec<f64>,
    label: Vec<f64>,
    scores: Vec<f64>,
    values: Vec<f64>,
    positive: Vec<bool>,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    accuracy: Option<f64>,
    balanced_accuracy: Option<f64>,
    macro_f1: Option<f64>,
    kappa: Option<f64>,
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
        let classes: Vec<(f64, f64)> = case.found.iter().copied().zip(case.label.iter().copied()).collect();
        let values: Vec<(f64, f64)> = case.scores.iter().copied().zip(case.values.iter().copied()).collect();
        let scored: Vec<(f64, bool)> = case.scores.iter().copied().zip(case.positive.iter().copied()).collect();
        check("accuracy", at, accuracy(&classes), case.expect.accuracy);
        check("balanced accuracy", at, balanced_accuracy(&classes), case.expect.balanced_accuracy);
        check("macro F1", at, macro_f1(&classes), case.expect.macro_f1);
        check("kappa", at, kappa(&classes), case.expect.kappa);
        check("AUC", at, auc(&scored), case.expect.auc);
        check("Pearson", at, pearson(&values), case.expect.pearson);
        check("Spearman", at, spearman(&values), case.expect.spearman);
    }
}

#[test]
fn of_nothing_nothing_is_defined() {
    assert_eq!([accuracy(&[]), balanced_accuracy(&[]), macro_f1(&[]), kappa(&[])], [None; 4]);
    assert_eq!([auc(&[]), pearson(&[]), spearman(&[]), median(&[]), f1(0, 0, 0)], [None; 5]);
    assert_eq!([median(&[3.0, 1.0]), median(&[1.0, 5.0, 2.0]), f1(1, 2, 2)], [Some(2.0), Some(2.0), Some(0.5)]);
}
