//! The verdict again, without some of the incidents.

use steadfast_audit::Judged;
use steadfast_audit::ask::Contract;
use steadfast_audit::evaluation::{Examined, disqualifiers};
use steadfast_audit::incident::Incident;
use steadfast_audit::status;
use steadfast_audit::verdict::{self, Assessable};
use steadfast_evidence::{Evidence, Status};
use steadfast_wire::audit as wire;

use super::{disqualification, ids_of, risk, usable_because};

/// What the scores of an evaluation were computed of.
#[derive(Clone, Debug)]
pub struct Reckoning {
    /// In the order of the published incidents.
    incidents: Vec<Incident>,
    assessable: Assessable,
    contract: Contract,
    /// What became of the obligations before any incident was counted.
    before: Vec<Judged>,
    /// For each of them whether it was judged.
    assessed: Vec<bool>,
}

impl Reckoning {
    pub(crate) fn of(examined: &Examined) -> Self {
        let Examined { evaluation, before, answer: _, assessable } = examined;
        Self {
            incidents: evaluation.incidents.clone(),
            assessable: assessable.clone(),
            contract: evaluation.contract.clone(),
            before: before.clone(),
            assessed: evaluation.obligations.iter().map(|judged| judged.assessed).collect(),
        }
    }

    /// The verdict over the incidents for whose place in the list `counts` holds, by the functions of the verdict itself: with all of
    /// them it is the verdict.
    pub(crate) fn remaining(&self, counts: impl Fn(usize) -> bool) -> wire::Remaining {
        let numbered = self.incidents.iter().enumerate();
        let (counted, settled): (Vec<_>, Vec<_>) = numbered.partition(|(at, _)| counts(*at));
        let incidents: Vec<Incident> = counted.into_iter().map(|(_, own)| own.clone()).collect();
        let scores = verdict::score(&incidents, &self.assessable);
        let found = verdict::risk(&incidents, scores.overall);
        let disqualifiers: Vec<wire::Disqualification> =
            disqualifiers(&incidents).iter().map(|own| disqualification(own.why, own.incidents.len()).0).collect();
        let obligations = self.obligations(&incidents, settled.into_iter().map(|(_, own)| own));
        let usable = verdict::usable(!disqualifiers.is_empty(), found, &self.contract, &obligations);
        let ids = ids_of(&self.contract);
        let ids_where = |holds: &dyn Fn(&Judged) -> bool| {
            let those = obligations.iter().filter(|judged| holds(judged));
            those.filter_map(|judged| ids.get(judged.item).cloned()).collect()
        };
        wire::Remaining {
            incidents: incidents.len(),
            overall_fidelity_score: scores.overall,
            overall_drift_risk: risk(found),
            usable_as_is: usable.is_yes(),
            usable_because: usable_because(usable),
            disqualifiers,
            broken: ids_where(&|judged| matches!(judged.status, Status::Broken | Status::Weakened)),
            missing: ids_where(&Judged::is_missing),
        }
    }

    /// What became of the obligations with these incidents. What was judged stays judged where a person settled it, and what is missing
    /// with a person's leave stands against nothing.
    fn obligations<'a>(&self, incidents: &[Incident], settled: impl Iterator<Item = &'a Incident>) -> Vec<Judged> {
        let mut obligations = status::with_incidents(&self.before, incidents, &self.contract);
        for (judged, assessed) in obligations.iter_mut().zip(&self.assessed) {
            if *assessed && !judged.assessed && judged.status == Status::Unmentioned {
                judged.status = Status::Unclear;
            }
            judged.assessed |= assessed;
        }
        for incident in settled.filter(|own| matches!(own.finding.evidence, Evidence::Absence(_))) {
            let judged = incident.finding.obligation.and_then(|index| obligations.get_mut(index));
            if let Some(judged) = judged.filter(|judged| judged.status == Status::Unmentioned) {
                judged.status = Status::Unclear;
            }
        }
        obligations
    }
}
