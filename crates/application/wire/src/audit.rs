//! What `audit` publishes: the seed's `DriftEvaluationResult`, and beside its fields the evidence for each of them.

mod assessed;
mod chat;
mod comparison;
mod contract;
mod decided;
mod evaluation;
mod gates;
mod incident;
mod names;
mod not_evaluable;
mod obligation;
mod origin;
mod page;
mod proposal;
mod provenance;
mod trail;
mod undecided;

pub use assessed::Assessed;
pub use chat::{AuditChat, Candidate, NotJudged, Unconfirmed};
pub use comparison::{
    AuditComparison, COMPARISON_SCHEMA_VERSION, Caveat, ComparedAudit, ComparedIncidents, ComparisonCounts,
    DimensionPair, IncidentPair, ObligationChange, ObligationPair,
};
pub use contract::{CONTRACT_SCHEMA_VERSION, Contract, ContractObligation, ContractSource, Reading, Unread};
pub use decided::{
    BaselineComparison, Decisions, EarlierEvaluation, EarlierIncident, EarlierSource, EarlierTotals, IncidentDecision,
    Remaining,
};
pub use evaluation::{ByCode, DimensionScores, Disqualifier, DriftEvaluation, PromptContract, Totals};
pub use gates::GateReport;
pub use incident::DriftIncident;
pub use names::{Disqualification, Judge, ObligationKind, Role};
pub use not_evaluable::{NotEvaluable, NotEvaluableBecause};
pub use obligation::{CodeState, Obligation, Passage};
pub use origin::Origin;
pub use page::Page;
pub use proposal::{Proposal, Proposed, SetAside};
pub use provenance::{Check, LeftOut, Source};
pub use steadfast_audit::ask::EntityRole;
pub use steadfast_audit::evaluation::WhyNot as NotEvaluableReason;
pub use steadfast_audit::incident::DriftType;
pub use steadfast_audit::passages::FoundBy;
pub use steadfast_audit::proposals::Relation;
pub use steadfast_audit::trail::Stand;
pub use steadfast_audit::unread::Why as UnreadWhy;
pub use steadfast_audit::verdict::{Dimension, Risk, Usable as UsableBecause};
pub use steadfast_audit::voice::Voice;
pub use steadfast_evidence::{Basis, Polarity, Status, Strength};
pub use trail::{Trail, TrailPlace};
pub use undecided::{DecidedObligation, PassageInPlace, Undecided, UndecidedObligation, WholeText};

/// The version of this module's JSON. It grows by one in its first part where a member changes its meaning (none is
/// renamed or dropped), in its second where one is added.
pub const SCHEMA_VERSION: &str = "3.0";

/// What a `source_reference` says where the ask says nothing of the claim.
pub const NOT_IN_PROMPT: &str = "not in prompt";

/// What a field of the contract says where the ask does not state it.
pub const NOT_SPECIFIED: &str = "not specified";
