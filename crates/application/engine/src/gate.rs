//! Gates: functions of a result, apart from it. Nothing is asked for, nothing fails.

use std::fmt;

use steadfast_wire::audit::{Disqualification, DriftEvaluation, Risk};

/// What a result must be to pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gates {
    /// Fails below this overall score, 0 to 5.
    pub fail_below: Option<f64>,
    /// Fails at this risk or worse.
    pub fail_on_risk: Option<Risk>,
    /// Fails when anything disqualifies.
    pub fail_on_disqualified: bool,
}

/// A gate that a result did not pass.
#[derive(Clone, Debug, PartialEq)]
pub enum GateFailure {
    /// The score is below the one that was asked for.
    Score {
        /// The score.
        score: f64,
        /// What was asked for.
        fail_below: f64,
    },
    /// The risk is the one that was named, or worse.
    Risk {
        /// The risk.
        risk: Risk,
        /// What was named.
        fail_on: Risk,
    },
    /// Something disqualifies.
    Disqualified(Vec<Disqualification>),
}

impl fmt::Display for GateFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score { score, fail_below } => {
                write!(f, "the score is {score:.2} (--fail-below {fail_below})")
            }
            Self::Risk { risk, fail_on } => write!(f, "the risk is {risk} (--fail-on risk={fail_on})"),
            Self::Disqualified(conditions) => {
                f.write_str("disqualified: ")?;
                for (index, condition) in conditions.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "; " };
                    write!(f, "{separator}{}", condition.label())?;
                }
                f.write_str(" (--fail-on disqualified)")
            }
        }
    }
}

impl Gates {
    /// The gates that `evaluation` does not pass, in a fixed order.
    #[must_use]
    pub fn failures(&self, evaluation: &DriftEvaluation) -> Vec<GateFailure> {
        let mut failures = Vec::new();
        // Compared as published: two decimals.
        let score = (evaluation.overall_fidelity_score * 100.0).round() / 100.0;
        if let Some(fail_below) = self.fail_below.filter(|fail_below| score < *fail_below) {
            failures.push(GateFailure::Score { score, fail_below });
        }
        let risk = evaluation.overall_drift_risk;
        if let Some(fail_on) = self.fail_on_risk.filter(|fail_on| rank(risk) >= rank(*fail_on)) {
            failures.push(GateFailure::Risk { risk, fail_on });
        }
        if self.fail_on_disqualified && !evaluation.disqualifiers.is_empty() {
            failures.push(GateFailure::Disqualified(evaluation.disqualifiers.iter().map(|it| it.condition).collect()));
        }
        failures
    }
}

const fn rank(risk: Risk) -> u8 {
    match risk {
        Risk::Low => 0,
        Risk::Medium => 1,
        Risk::High => 2,
        Risk::Critical => 3,
    }
}

#[cfg(test)]
mod tests {
    use steadfast_wire::audit::Disqualifier;

    use super::*;

    #[track_caller]
    fn check(gates: &Gates, score: f64, risk: Risk, expect: &[&str]) {
        let evaluation =
            DriftEvaluation { overall_fidelity_score: score, overall_drift_risk: risk, ..DriftEvaluation::default() };
        let said: Vec<String> = gates.failures(&evaluation).iter().map(ToString::to_string).collect();
        assert_eq!(said, expect);
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
    fn a_disqualifier_fails_only_when_asked() {
        let disqualifier =
            Disqualifier { condition: Disqualification::NonGoal, explanation: String::new(), incidents: Vec::new() };
        let evaluation = DriftEvaluation { disqualifiers: vec![disqualifier], ..DriftEvaluation::default() };
        assert_eq!(Gates::default().failures(&evaluation), []);
        let gates = Gates { fail_on_disqualified: true, ..Gates::default() };
        assert_eq!(
            gates.failures(&evaluation)[0].to_string(),
            "disqualified: A non-goal is pursued (--fail-on disqualified)"
        );
    }
}
