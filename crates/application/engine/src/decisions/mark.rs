//! What people decided, put beside the incidents of an evaluation. The verdict stays what it is: an accepted incident is still an incident.

use std::collections::BTreeMap;

use steadfast_wire::audit::{Decisions, IncidentDecision};
use steadfast_wire::decisions::{Decision, DecisionKind};

use super::held;
use crate::limits::FINDINGS_MAX;
use crate::store::DecisionStore;
use crate::{AuditOutcome, EngineError};

/// The day as of which decisions hold or have expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsOf {
    /// The day, `2026-03-31`.
    pub date: String,
    /// How it was found, where it was not given.
    pub assumption: Option<String>,
}

impl AsOf {
    /// A day that was given.
    ///
    /// # Errors
    /// [`EngineError::Decision`] where it is none.
    pub fn given(date: &str) -> Result<Self, EngineError> {
        super::day(date)?;
        Ok(Self { date: date.to_owned(), assumption: None })
    }

    /// The day of a moment that a clock says, RFC 3339 in UTC.
    #[must_use]
    pub fn clock(moment: &str) -> Self {
        let date = moment.split('T').next().unwrap_or_default().to_owned();
        let assumption = format!("No date is given: the clock of the machine says {date}.");
        Self { date, assumption: Some(assumption) }
    }
}

/// Marks each incident that somebody decided on, and says what remains without those that are settled. Of several decisions on one
/// incident the one that was made last holds; of two of one moment that of the store that stands first.
///
/// # Errors
/// [`EngineError::Store`] where the decisions cannot be read.
pub fn mark(outcome: &mut AuditOutcome, stores: &[&dyn DecisionStore], as_of: &AsOf) -> Result<(), EngineError> {
    let incidents = &mut outcome.evaluation.drift_incidents;
    let mut found: BTreeMap<String, Decision> = BTreeMap::new();
    for store in stores {
        let ids: Vec<&str> = incidents.iter().map(|incident| incident.id.as_str()).collect();
        for ids in ids.chunks(FINDINGS_MAX) {
            for (id, decision) in held(*store, ids, &as_of.date)? {
                if found.get(&id).is_none_or(|other| other.created_at < decision.created_at) {
                    found.insert(id, decision);
                }
            }
        }
    }
    found.retain(|_, decision| decision.decision != DecisionKind::Withdrawn);
    if found.is_empty() {
        return Ok(());
    }
    for incident in incidents.iter_mut() {
        incident.decision = found.remove(&incident.id).map(|own| IncidentDecision {
            kind: own.decision,
            reason: own.reason,
            until: own.until,
            expired: own.expired,
            decided_at: own.created_at,
            author: own.author,
        });
    }
    let incidents = &outcome.evaluation.drift_incidents;
    let count = |wanted: &dyn Fn(&IncidentDecision) -> bool| {
        incidents.iter().filter(|incident| incident.decision.as_ref().is_some_and(wanted)).count()
    };
    let ends = count(&|own| own.until.is_some()) > 0;
    let remaining = outcome.reckoning.remaining(|at| incidents.get(at).is_none_or(|incident| !incident.is_settled()));
    outcome.evaluation.decisions = Some(Decisions {
        accepted: count(&|own| own.kind == DecisionKind::Accept && !own.expired),
        contested: count(&|own| own.kind == DecisionKind::Contest && !own.expired),
        expired: count(&|own| own.expired),
        as_of: ends.then(|| as_of.date.clone()),
        assumption: as_of.assumption.clone().filter(|_| ends),
        remaining,
    });
    Ok(())
}
