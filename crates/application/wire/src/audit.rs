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
pub use contract::{CONTRACT_SCHEMA_VERSION, Contract, ContractObligation, ContractSource, Reading, Unread, UnreadWhy};
pub use decided::{
    BaselineComparison, Decisions, EarlierEvaluation, EarlierIncident, EarlierSource, EarlierTotals, IncidentDecision,
    Remaining,
};
pub use evaluation::{ByCode, DimensionScores, Disqualifier, DriftEvaluation, PromptContract, Totals};
pub use gates::GateReport;
pub use incident::DriftIncident;
pub use names::{
    Basis, Dimension, Disqualification, DriftType, EntityRole, FoundBy, Judge, ObligationKind, Polarity, Risk, Role,
    Status, Strength, UsableBecause, Voice,
};
pub use not_evaluable::{NotEvaluable, NotEvaluableBecause, NotEvaluableReason};
pub use obligation::{CodeState, Obligation, Passage};
pub use origin::Origin;
pub use page::Page;
pub use proposal::{Proposal, Proposed, Relation, SetAside};
pub use provenance::{Check, LeftOut, Source};
pub use trail::{Stand, Trail, TrailPlace};
pub use undecided::{DecidedObligation, PassageInPlace, Undecided, UndecidedObligation, WholeText};

/// The version of this module's JSON. It grows by one in its first part where a member changes its meaning (none is
/// renamed or dropped), in its second where one is added.
pub const SCHEMA_VERSION: &str = "3.0";

/// What a `source_reference` says where the ask says nothing of the claim.
pub const NOT_IN_PROMPT: &str = "not in prompt";

/// What a field of the contract says where the ask does not state it.
pub const NOT_SPECIFIED: &str = "not specified";
