//! One place where the answer departs from the ask.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DriftType, IncidentDecision, Origin, Trail, Voice};
use crate::{Span, number};

/// The seed's `DriftIncident`, and beside its fields where both texts stand. Repetitions of one fault are one incident.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriftIncident {
    /// A fingerprint of check, obligation and normalised quote; it does not depend on the place in the list.
    pub id: String,
    /// The id of the check that found it.
    pub check: String,
    /// Who found it.
    pub origin: Origin,
    /// The person who found it, by the name that they gave; absent where no person did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The seed's type.
    pub drift_type: DriftType,
    /// 0 no drift, 1 minor, 2 moderate, 3 major, 4 critical.
    #[serde(deserialize_with = "number::severity")]
    #[schemars(range(max = 4))]
    pub severity: u8,
    /// The titles of the sections that the claim stands in, outermost first, joined by ` › `.
    pub section: String,
    /// Verbatim text of the ask, or `not in prompt`.
    pub source_reference: String,
    /// Verbatim text of the answer; for an absence that of the nearest passage, empty where there is none.
    pub output_claim: String,
    /// Why this is drift, in one sentence.
    pub explanation: String,
    /// How sure the check is that a reader would agree, 0 to 1, two decimals.
    #[serde(serialize_with = "number::two_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
    /// Where `source_reference` stands; `null` where it is `not in prompt`.
    pub source_span: Option<Span>,
    /// Where `output_claim` stands; `null` for an absence that nothing comes near to.
    pub output_span: Option<Span>,
    /// Whether the fault is that something is missing.
    pub absent: bool,
    /// Other places of the same fault.
    pub also_at: Vec<Span>,
    /// What to do about it.
    pub repair_action: String,
    /// In what voice the passage speaks.
    pub voice: Voice,
    /// The first artefact, in the run's order, that holds the fault; `null` for an absence.
    pub introduced_in: Option<String>,
    /// Where the wrong figure or banned term stands in the run's artefacts, and where the figure of the ask stands; absent for other incidents,
    /// and where the answer is one file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trail: Option<Trail>,
    /// The id of the obligation that it breaks, if it breaks one.
    pub obligation: Option<String>,
    /// What somebody decided on it; absent where nobody did, or took it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<IncidentDecision>,
    /// Whether the evaluation that `--baseline` names did not have it; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<bool>,
}
