//! Gates: functions of a result, apart from it. Nothing is asked for, nothing fails. They pass over incidents that are accepted or contested.

use std::fmt;

use steadfast_wire::audit::{Disqualification, DriftEvaluation, DriftIncident, Risk};

use crate::calls::GateSet;
use crate::runs::Asked;

/// What a result must be to pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gates {
    /// Fails below this overall score, 0 to 5.
    pub fail_below: Option<f64>,
    /// Fails at this risk or worse.
    pub fail_on_risk: Option<Risk>,
    /// Fails when anything disqualifies.
    pub fail_on_disqualified: bool,
    /// Fails when an incident of severity 1 or more is new, and not settled.
    pub fail_on_new: bool,
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
        /// Whether it is the score without what is settled.
        remaining: bool,
    },
    /// The risk is the one that was named, or worse.
    Risk {
        /// The risk.
        risk: Risk,
        /// What was named.
        fail_on: Risk,
        /// Whether it is the risk without what is settled.
        remaining: bool,
    },
    /// Something disqualifies.
    Disqualified(Vec<Disqualification>),
    /// Incidents are new: their ids.
    New(Vec<String>),
}

/// Ids of incidents that a failure names.
const NAMED_MAX: usize = 3;

/// What is said of figures that leave out what is settled.
const fn without(remaining: bool) -> &'static str {
    if remaining { " without what is accepted or contested" } else { "" }
}

impl fmt::Display for GateFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Score { score, fail_below, remaining } => {
                write!(f, "the score is {score:.2}{} (--fail-below {fail_below})", without(*remaining))
            }
            Self::Risk { risk, fail_on, remaining } => {
                write!(f, "the risk is {risk}{} (--fail-on risk={fail_on})", without(*remaining))
            }
            Self::New(ids) => {
                let noun = if ids.len() == 1 { "incident is" } else { "incidents are" };
                let named = ids.iter().take(NAMED_MAX).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = if ids.len() > NAMED_MAX { ", …" } else { "" };
                write!(f, "{} {noun} new: {named}{more} (--fail-on new)", ids.len())
            }
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
        let remaining = evaluation.decisions.as_ref().map(|decisions| &decisions.remaining);
        let score = remaining.map_or(evaluation.overall_fidelity_score, |own| own.overall_fidelity_score);
        // Compared as published: two decimals.
        let score = (score * 100.0).round() / 100.0;
        if let Some(fail_below) = self.fail_below.filter(|fail_below| score < *fail_below) {
            failures.push(GateFailure::Score { score, fail_below, remaining: remaining.is_some() });
        }
        let risk = remaining.map_or(evaluation.overall_drift_risk, |own| own.overall_drift_risk);
        if let Some(fail_on) = self.fail_on_risk.filter(|fail_on| rank(risk) >= rank(*fail_on)) {
            failures.push(GateFailure::Risk { risk, fail_on, remaining: remaining.is_some() });
        }
        let disqualifiers = match remaining {
            Some(own) => own.disqualifiers.clone(),
            None => evaluation.disqualifiers.iter().map(|it| it.condition).collect(),
        };
        if self.fail_on_disqualified && !disqualifiers.is_empty() {
            failures.push(GateFailure::Disqualified(disqualifiers));
        }
        let new: Vec<String> =
            evaluation.drift_incidents.iter().filter(|own| is_new(own)).map(|own| own.id.clone()).collect();
        if self.fail_on_new && !new.is_empty() {
            failures.push(GateFailure::New(new));
        }
        failures
    }
}

impl GateSet<DriftEvaluation> for Gates {
    fn settings(&self, asked: Asked) -> Asked {
        asked
            .with("fail_below", self.fail_below)
            .with("fail_on_risk", self.fail_on_risk.map(Risk::name))
            .with("fail_on_disqualified", self.fail_on_disqualified)
            .with("fail_on_new", self.fail_on_new)
    }

    fn failures(&self, evaluation: &DriftEvaluation) -> Vec<String> {
        self.failures(evaluation).iter().map(ToString::to_string).collect()
    }
}

fn is_new(incident: &DriftIncident) -> bool {
    incident.new == Some(true) && incident.severity > 0 && !incident.is_settled()
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
    use steadfast_wire::audit::{Decisions, Disqualifier, Remaining};

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
    fn what_is_settled_is_passed_over() {
        let remaining = |overall_fidelity_score, overall_drift_risk, disqualifiers: &[Disqualification]| Remaining {
            incidents: 1,
            overall_fidelity_score,
            overall_drift_risk,
            usable_as_is: false,
            disqualifiers: disqualifiers.to_vec(),
        };
        let gates = Gates {
            fail_below: Some(3.0),
            fail_on_risk: Some(Risk::High),
            fail_on_disqualified: true,
            ..Gates::default()
        };
        let said = |remaining: Remaining| {
            let disqualifier = Disqualifier {
                condition: Disqualification::NonGoal,
                explanation: String::new(),
                incidents: Vec::new(),
            };
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
            gates.failures(&evaluation).iter().map(ToString::to_string).collect::<Vec<_>>()
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
        assert_eq!(Gates::default().failures(&evaluation), []);
        let gates = Gates { fail_on_disqualified: true, ..Gates::default() };
        assert_eq!(
            gates.failures(&evaluation)[0].to_string(),
            "disqualified: A non-goal is pursued (--fail-on disqualified)"
        );
    }
}
