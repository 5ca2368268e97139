//! The verdict again, without some of the incidents.

use steadfast_audit::evaluation::{Examined, disqualifiers};
use steadfast_audit::incident::Incident;
use steadfast_audit::verdict::{self, Assessable, Risk};
use steadfast_wire::audit as wire;

use super::{disqualification, risk};

/// What the scores of an evaluation were computed of.
#[derive(Clone, Debug, PartialEq)]
pub struct Reckoning {
    /// In the order of the published incidents.
    incidents: Vec<Incident>,
    assessable: Assessable,
}

impl Reckoning {
    pub(crate) fn of(examined: &Examined) -> Self {
        Self { incidents: examined.evaluation.incidents.clone(), assessable: examined.assessable.clone() }
    }

    /// The verdict over the incidents for whose place in the list `counts` holds, by the functions of the verdict itself: with all of
    /// them it is the verdict.
    pub(crate) fn remaining(&self, counts: impl Fn(usize) -> bool) -> wire::Remaining {
        let numbered = self.incidents.iter().enumerate();
        let incidents: Vec<Incident> = numbered.filter(|(at, _)| counts(*at)).map(|(_, own)| own.clone()).collect();
        let scores = verdict::score(&incidents, &self.assessable);
        let found = verdict::risk(&incidents, scores.overall);
        let disqualifiers: Vec<wire::Disqualification> =
            disqualifiers(&incidents).iter().map(|own| disqualification(own.why, own.incidents.len()).0).collect();
        wire::Remaining {
            incidents: incidents.len(),
            overall_fidelity_score: scores.overall,
            overall_drift_risk: risk(found),
            usable_as_is: disqualifiers.is_empty() && found <= Risk::Medium,
            disqualifiers,
        }
    }
}
