//! The verdict again, without some of the incidents.

use steadfast_audit::Judged;
use steadfast_audit::evaluation::{Conclusion, Examined, disqualifiers};
use steadfast_audit::incident::Incident;
use steadfast_audit::status;
use steadfast_audit::verdict;
use steadfast_evidence::{Evidence, Origin, Status};
use steadfast_wire::audit as wire;

use super::disqualification;

/// What the scores of an evaluation were computed of.
#[derive(Clone, Debug)]
pub struct Reckoning {
    examined: Box<Examined>,
}

impl Reckoning {
    pub(crate) const fn of(examined: Box<Examined>) -> Self {
        Self { examined }
    }

    /// The verdict over the incidents for whose place in the list `counts` holds, by the functions of the verdict itself: with all of
    /// them it is the verdict.
    pub(crate) fn remaining(&self, counts: impl Fn(usize) -> bool) -> wire::Remaining {
        let Examined { evaluation, assessable, .. } = &*self.examined;
        let numbered = evaluation.incidents.iter().enumerate();
        let (counted, settled): (Vec<_>, Vec<_>) = numbered.partition(|(at, _)| counts(*at));
        let incidents: Vec<Incident> = counted.into_iter().map(|(_, own)| own.clone()).collect();
        let scores = verdict::score(&incidents, assessable);
        let found = verdict::risk(&incidents, scores.overall);
        let disqualifiers: Vec<wire::Disqualification> =
            disqualifiers(&incidents).iter().map(|own| disqualification(own.why, own.incidents.len()).0).collect();
        let before = self.obligations(&incidents, settled.into_iter().map(|(_, own)| own));
        let Conclusion { counted, usable, .. } = self.examined.conclude(before, !disqualifiers.is_empty(), found);
        let ids_where = |holds: &dyn Fn(&Judged) -> bool| {
            let those = counted.iter().filter(|judged| holds(judged));
            those.filter_map(|judged| Some(evaluation.contract.obligations.get(judged.item)?.id.clone())).collect()
        };
        wire::Remaining {
            incidents: incidents.len(),
            overall_fidelity_score: scores.overall,
            overall_drift_risk: found,
            usable_as_is: usable.is_yes(),
            usable_because: usable,
            disqualifiers,
            broken: ids_where(&|judged| matches!(judged.status, Status::Broken | Status::Weakened)),
            missing: ids_where(&Judged::is_missing),
        }
    }

    /// What became of the obligations with these incidents. What was judged stays judged where a person settled it, and what is missing
    /// with a person's leave stands against nothing.
    fn obligations<'a>(&self, incidents: &[Incident], settled: impl Iterator<Item = &'a Incident>) -> Vec<Judged> {
        let Examined { evaluation, before, .. } = &*self.examined;
        let mut obligations = status::with_incidents(before, incidents, &evaluation.contract);
        // What somebody finds kept is settled by that again.
        let is_found_kept =
            |own: &Judged| own.origin != Origin::Code && matches!(own.status, Status::Kept | Status::NothingFound);
        let assessed = evaluation.obligations.iter().map(|own| own.assessed && !is_found_kept(own));
        for (judged, assessed) in obligations.iter_mut().zip(assessed) {
            if assessed && !judged.assessed && judged.status == Status::Unmentioned {
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
