//! Two audits held against each other.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Assessed, Dimension, Disqualification, DriftEvaluation, DriftIncident, Judge, Obligation, Risk, Source,
    UsableBecause,
};
use crate::number;
use crate::vocabulary::names;

/// The version of the JSON of [`AuditComparison`]. It grows as [`SCHEMA_VERSION`](super::SCHEMA_VERSION) does.
pub const COMPARISON_SCHEMA_VERSION: &str = "2.0";

names! {
    /// What became of an obligation from A to B, what a reader looks for first.
    ObligationChange {
        /// B breaks or weakens it and A does neither.
        NewlyBroken = "newly_broken", "Newly broken";
        /// Nothing in B comes near it; something in A does.
        NewlyUnmentioned = "newly_unmentioned", "Newly unmentioned";
        /// Both break or weaken it.
        StillBroken = "still_broken", "Still broken";
        /// Nothing in either comes near it.
        StillUnmentioned = "still_unmentioned", "Still unmentioned";
        /// B keeps it; A breaks or weakens it, or does not mention it.
        Repaired = "repaired", "Repaired";
        /// A breaks or weakens it; in B nothing is found that does, and nothing that keeps it.
        NoLongerBroken = "no_longer_broken", "No longer broken";
        /// Only B's prompt has it.
        OnlyB = "only_b", "Only in B";
        /// Only A's prompt has it.
        OnlyA = "only_a", "Only in A";
        /// One of the two audits could not judge it, and B does not break it.
        NotAssessed = "not_assessed", "Not assessed in both";
        /// In one of the two, or in both, it is unclear or nothing was found against it, and neither breaks it.
        Undecided = "undecided", "Undecided";
        /// Both keep it.
        KeptInBoth = "kept_in_both", "Kept in both";
    }
}

names! {
    /// Why a comparison says less than it seems to.
    Caveat {
        /// The prompts are not the same bytes.
        PromptsDiffer = "prompts_differ", "The two prompts are not the same bytes: obligations are matched by their words.";
        /// The rules are not of one version.
        RulesDiffer = "rules_differ", "The two audits were made by different versions of the rules: what changed may be the rules.";
        /// A lists a part of its incidents.
        AIsPartial = "a_is_partial", "A lists only a part of its incidents, so some that are called new may stand in it.";
        /// B lists a part of its incidents.
        BIsPartial = "b_is_partial", "B lists only a part of its incidents, so some that are called gone may stand in it.";
    }
}

/// Two audits held against each other, obligation by obligation and incident by incident. A is what was before, B what is now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditComparison {
    /// The version of this JSON, see [`COMPARISON_SCHEMA_VERSION`].
    pub schema_version: String,
    /// The one audit.
    pub a: ComparedAudit,
    /// The other.
    pub b: ComparedAudit,
    /// B's score less A's, two decimals.
    #[serde(serialize_with = "number::two_decimals")]
    pub score_delta: f64,
    /// Why the comparison says less than it seems to; empty where nothing does.
    pub caveats: Vec<Caveat>,
    /// The ten dimensions.
    pub dimensions: Vec<DimensionPair>,
    /// Every obligation of the two: by its change, then in the order of the prompt.
    pub obligations: Vec<ObligationPair>,
    /// The incidents of the two.
    pub incidents: ComparedIncidents,
    /// How many there are of each.
    pub counts: ComparisonCounts,
}

/// One of two audits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparedAudit {
    /// What it is called: the name of the file or folder that was given, or the id of a stored run.
    pub name: String,
    /// The version of the rules that judged.
    pub rules_version: String,
    /// Who judged.
    pub judge: Judge,
    /// How much of its prompt was judged.
    pub assessed: Assessed,
    /// Its overall score, 0 to 5, two decimals.
    #[serde(serialize_with = "number::two_decimals")]
    #[schemars(range(min = 0.0, max = 5.0))]
    pub score: f64,
    /// Its risk.
    pub risk: Risk,
    /// Whether it is usable as it is.
    pub usable_as_is: bool,
    /// Why it is usable as it is, or not.
    pub usable_because: UsableBecause,
    /// What disqualifies it.
    pub disqualifiers: Vec<Disqualification>,
    /// How many incidents it has.
    pub incidents: usize,
    /// Every file that was read, in the order in which it was read.
    pub sources: Vec<Source>,
}

impl ComparedAudit {
    /// What a comparison says of an evaluation that is called `name`.
    #[must_use]
    pub fn of(name: &str, own: &DriftEvaluation) -> Self {
        Self {
            name: name.to_owned(),
            rules_version: own.rules_version.clone(),
            judge: own.judge,
            assessed: own.assessed,
            score: own.overall_fidelity_score,
            risk: own.overall_drift_risk,
            usable_as_is: own.usable_as_is,
            usable_because: own.usable_because,
            disqualifiers: own.disqualifiers.iter().map(|found| found.condition).collect(),
            incidents: own.totals.incidents,
            sources: own.sources.clone(),
        }
    }
}

/// A dimension's scores; `null` where it was not assessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DimensionPair {
    /// Which.
    pub dimension: Dimension,
    /// A's score, 0 to 5.
    #[schemars(range(max = 5))]
    pub a: Option<u8>,
    /// B's score, 0 to 5.
    #[schemars(range(max = 5))]
    pub b: Option<u8>,
}

/// An obligation as the two audits have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObligationPair {
    /// What became of it.
    pub change: ObligationChange,
    /// As A has it; `null` where only B does.
    pub a: Option<Obligation>,
    /// As B has it; `null` where only A does.
    pub b: Option<Obligation>,
}

/// The incidents of two audits, each list most severe first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparedIncidents {
    /// Those that only B has.
    pub new: Vec<DriftIncident>,
    /// Those that only A has.
    pub gone: Vec<DriftIncident>,
    /// Those that both have.
    pub still: Vec<IncidentPair>,
}

/// An incident that both audits have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncidentPair {
    /// Whether it is the same fault of the same obligation in other words. Without, both have the same `id`, or both miss the same.
    pub reworded: bool,
    /// As A has it.
    pub a: DriftIncident,
    /// As B has it.
    pub b: DriftIncident,
}

/// How many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparisonCounts {
    /// Obligations by what became of them; every change is listed.
    pub obligations: BTreeMap<ObligationChange, usize>,
    /// Incidents that only B has.
    pub new_incidents: usize,
    /// Incidents that only A has.
    pub gone_incidents: usize,
    /// Incidents that both have.
    pub still_incidents: usize,
    /// Those of them that are told in other words.
    pub reworded_incidents: usize,
}
