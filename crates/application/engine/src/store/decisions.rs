//! The port to what people decided on findings.

use super::{Stamps, StoreFailure};

/// What somebody decided on a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDecision {
    /// Its UUIDv7.
    pub id: String,
    /// The finding, by its fingerprint: the `id` of an incident.
    pub finding: String,
    /// The check that found it.
    pub check: String,
    /// The run in which it was seen, while that is kept.
    pub run_id: Option<String>,
    /// What was decided, by its name.
    pub decision: String,
    /// Why.
    pub reason: String,
    /// Who decided, as far as that is known.
    pub author: Option<String>,
    /// The last day on which it holds, `2026-03-31`; `None` where it has no end.
    pub until: Option<String>,
    /// When it was decided: RFC 3339 in UTC.
    pub created_at: String,
}

/// Which decisions are listed, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionPage {
    /// Only those on this finding.
    pub finding: Option<String>,
    /// Only those on findings of this check.
    pub check: Option<String>,
    /// Only the last one on each finding.
    pub latest_only: bool,
    /// Only those that come after the decision of this id, in the order of the list.
    pub after: Option<String>,
    /// At most so many.
    pub limit: usize,
}

/// How often the last decision on findings of a check is of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionCount {
    /// The check.
    pub check: String,
    /// The kind of decision, by its name.
    pub decision: String,
    /// How many findings.
    pub count: u64,
}

/// Decisions on findings. Nothing is written over: the last one on a finding holds.
pub trait DecisionStore: Stamps + Send + Sync {
    /// Keeps a decision, and waits for the disk. `false` where the run that it names is not there.
    ///
    /// # Errors
    /// [`StoreFailure`] where it cannot be written.
    fn add_decision(&self, decision: StoredDecision) -> Result<bool, StoreFailure>;

    /// The last decision on each of these findings, in their order.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn latest_decisions(&self, findings: &[&str]) -> Result<Vec<Option<StoredDecision>>, StoreFailure>;

    /// Decisions of a page.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn decisions(&self, page: &DecisionPage) -> Result<Vec<StoredDecision>, StoreFailure>;

    /// How many findings of each check were last decided on in which way, by check and decision.
    ///
    /// # Errors
    /// [`StoreFailure`] where they cannot be read.
    fn decision_counts(&self) -> Result<Vec<DecisionCount>, StoreFailure>;
}
