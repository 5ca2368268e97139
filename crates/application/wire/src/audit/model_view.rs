//! What a chat model says of a report, apart from the verdict.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DimensionScores, DriftIncident, DriftType, EntityRole, Risk};
use crate::model::ModelCall;
use crate::vocabulary::names;
use crate::{Span, number};

/// What a model added and code located: same fields, its own list, no part in any count or score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelView {
    /// The model's name, as it was asked for; several, where roles have models of their own, are joined by `, `.
    pub model: String,
    /// What it read in the ask and code found there.
    #[serde(default)]
    pub contract: Vec<ModelContractItem>,
    /// What it added; type and severity are set by code, severity at most 2 unless a rule finds the same place.
    pub drift_incidents: Vec<DriftIncident>,
    /// Incidents whose type or severity the model proposed otherwise.
    #[serde(default)]
    pub adjusted: Vec<Adjusted>,
    /// What would follow if the model's incidents counted, computed here; `null` where no part of the report was judged.
    #[serde(default)]
    pub scores_would_be: Option<WouldBe>,
    /// Where rules and the model point at the same words; `null` where only one of them was asked for.
    #[serde(default)]
    pub agreement: Option<Agreement>,
    /// Questions that it would ask the user.
    pub questions: Vec<String>,
    /// The model's own totals, for comparison only.
    pub claimed: Option<ModelClaim>,
    /// Every call, in order.
    #[serde(default)]
    pub calls: Vec<ModelCall>,
    /// What the model was not asked about or gave nothing for.
    #[serde(default)]
    pub not_judged: Vec<NotJudged>,
}

names! {
    /// The fields of the seed's `PromptContract`.
    ContractField {
        /// What the whole is for.
        CoreIntent = "core_intent", "Intent";
        /// What is wrong today.
        PrimaryProblem = "primary_problem", "Problem";
        /// What is to be made.
        ProposedSolution = "proposed_solution", "Solution";
        /// What is not to be attempted.
        NonGoals = "non_goals", "Non-goal";
        /// Limits, bans and requirements.
        Constraints = "constraints", "Constraint";
        /// Who or what takes part.
        CoreEntities = "core_entities", "Entity";
        /// Wishes that may be left out.
        OptionalFeatures = "optional_features", "Optional";
        /// What the ask says it does not know.
        Uncertainties = "uncertainties", "Uncertainty";
        /// How success is told.
        SuccessMetrics = "success_metrics", "Metric";
    }
}

/// An item of the contract that a model read in the ask, with the words that stand there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelContractItem {
    /// The field of the contract that the model put it in.
    pub field: ContractField,
    /// The part that it plays, for an entity.
    pub role: Option<EntityRole>,
    /// The words of the ask.
    pub span: Span,
    /// The id of the obligation that rules read in these words, if they read one.
    pub obligation: Option<String>,
}

/// What a model proposed of an incident before code set its type and severity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Adjusted {
    /// The incident's id.
    pub incident: String,
    /// The type that the model proposed.
    pub proposed_type: DriftType,
    /// The severity that the model proposed.
    #[serde(deserialize_with = "number::severity")]
    #[schemars(range(max = 4))]
    pub proposed_severity: u8,
}

/// The verdict that would follow from the incidents of rules and model together, by the same functions. It is never used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WouldBe {
    /// The ten dimensions.
    pub dimension_scores: DimensionScores,
    /// The weighted mean, two decimals.
    #[serde(serialize_with = "number::two_decimals")]
    #[schemars(range(min = 0.0, max = 5.0))]
    pub overall_fidelity_score: f64,
    /// The risk.
    pub overall_drift_risk: Risk,
    /// Incidents of severity 4.
    pub critical_drift_count: usize,
    /// Incidents of TypeC.
    pub unsupported_claim_count: usize,
    /// Incidents of TypeB, and those that break a constraint, a ban or a non-goal.
    pub constraint_violation_count: usize,
    /// Incidents of TypeD.
    pub confidence_inflation_count: usize,
    /// Whether the answer could be used as it is.
    pub usable_as_is: bool,
}

/// Where rules and a model agree: they point at the same words of the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// How many incidents of the rules the model found as well.
    pub rules_found_by_model: usize,
    /// Pairs of an incident of the rules and one of the model.
    pub both: Vec<AgreedPair>,
    /// Ids of incidents of the rules that the model did not find.
    pub rules_only: Vec<String>,
    /// Ids of incidents of the model that no rule found.
    pub model_only: Vec<String>,
}

/// Two incidents at the same words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgreedPair {
    /// The id of the rules' incident.
    pub rules: String,
    /// The id of the model's.
    pub model: String,
}

/// Totals that a model claimed for itself. Never used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelClaim {
    /// Its `dimension_scores`.
    #[serde(default)]
    pub dimension_scores: Option<DimensionScores>,
    /// Its `overall_fidelity_score`.
    pub overall_fidelity_score: f64,
    /// Its `overall_drift_risk`, in its own spelling.
    pub overall_drift_risk: String,
    /// Its `critical_drift_count`.
    #[serde(default)]
    pub critical_drift_count: usize,
    /// Its `unsupported_claim_count`.
    #[serde(default)]
    pub unsupported_claim_count: usize,
    /// Its `constraint_violation_count`.
    #[serde(default)]
    pub constraint_violation_count: usize,
    /// Its `confidence_inflation_count`.
    #[serde(default)]
    pub confidence_inflation_count: usize,
    /// Its `usable_as_is`.
    pub usable_as_is: bool,
    /// Its `verdict_preserved_well`.
    #[serde(default)]
    pub verdict_preserved_well: Vec<String>,
    /// Its `verdict_major_failures`.
    #[serde(default)]
    pub verdict_major_failures: Vec<String>,
    /// Its `verdict_recommended_actions`.
    #[serde(default)]
    pub verdict_recommended_actions: Vec<String>,
}

names! {
    /// One of the three calls of a model's judgement.
    ModelPart {
        /// What the ask obliges to.
        Contract = "contract", "the contract";
        /// Where the answer departs from it.
        Incidents = "incidents", "incidents";
        /// Scores and a verdict.
        Scores = "scores", "scores";
    }
}

/// Something that a model gave nothing for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotJudged {
    /// Which of the calls.
    pub what: ModelPart,
    /// The file, where it is about a part of one.
    pub file: Option<String>,
    /// First byte of that part.
    pub start: Option<usize>,
    /// One past its last byte.
    pub end: Option<usize>,
    /// Why.
    pub reason: String,
}

/// Something that a model proposed and code could not locate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetAside {
    /// What was proposed: `obligation` or `incident`.
    pub what: String,
    /// The model's own words.
    pub text: String,
    /// Why it was set aside.
    pub reason: String,
}
