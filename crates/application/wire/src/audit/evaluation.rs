//! The evaluation as a whole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Assessed, AuditChat, BaselineComparison, Check, Decisions, Dimension, Disqualification, DriftIncident, DriftType,
    EntityRole, GateReport, Judge, NOT_SPECIFIED, Obligation, Proposed, Reading, Risk, SCHEMA_VERSION, SetAside,
    Source, UsableBecause,
};
use crate::{Run, number};

/// How faithful an answer is to its ask: the seed's `DriftEvaluationResult`, and beside its fields what they rest on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriftEvaluation {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The version of the rules that judged.
    pub rules_version: String,
    /// How much of the ask was judged: score, risk and `usable_as_is` speak of that alone.
    pub assessed: Assessed,
    /// What the ask says, as the seed's contract.
    pub prompt_contract: PromptContract,
    /// The ten dimensions, whole numbers from 0 (failed) to 5 (excellent fidelity).
    pub dimension_scores: DimensionScores,
    /// Every incident, most severe first, in the order of the audit.
    pub drift_incidents: Vec<DriftIncident>,
    /// The weighted mean of the dimensions, 0 to 5, two decimals.
    #[serde(serialize_with = "number::two_decimals")]
    #[schemars(range(min = 0.0, max = 5.0))]
    pub overall_fidelity_score: f64,
    /// Critical if an incident has severity 4; else high below 2.5, medium below 3.5, else low.
    pub overall_drift_risk: Risk,
    /// Incidents of severity 4.
    pub critical_drift_count: usize,
    /// Incidents of TypeC.
    pub unsupported_claim_count: usize,
    /// Incidents of TypeB, and those that break a constraint, a ban or a non-goal.
    pub constraint_violation_count: usize,
    /// Incidents of TypeD.
    pub confidence_inflation_count: usize,
    /// No disqualifier, the risk is low or medium, nothing that must be kept is broken, weakened or missing, and at least `usable_share` of what
    /// must be kept was judged.
    pub usable_as_is: bool,
    /// Why it is usable as it is, or not.
    pub usable_because: UsableBecause,
    /// What was kept, a line each, with quotes.
    pub verdict_preserved_well: Vec<String>,
    /// What failed, a line each.
    pub verdict_major_failures: Vec<String>,
    /// What to do about it, a line each.
    pub verdict_recommended_actions: Vec<String>,
    /// What the ask obliges to, in the order of the ask.
    pub obligations: Vec<Obligation>,
    /// Why the answer is not usable whatever its score; empty where nothing disqualifies.
    pub disqualifiers: Vec<Disqualifier>,
    /// Dimensions on which ask and answer gave nothing to judge: shown as n/a, scored with the mean of the others.
    pub unassessed_dimensions: Vec<Dimension>,
    /// What was proposed and is not taken: code could not locate it, or refutes it. It counts nowhere.
    pub set_aside: Vec<SetAside>,
    /// Every file that was read, in the order in which it was read.
    pub sources: Vec<Source>,
    /// Who judged.
    pub judge: Judge,
    /// The reading of the ask that it rests on.
    #[serde(default)]
    pub reading: Reading,
    /// What was proposed, as it came, by whom: those who were asked first stand first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<Proposed>,
    /// The person who stands behind the proposals, the last where several do; absent where nobody does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_by: Option<String>,
    /// What a chat model was asked of what rules leave open; absent where none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<AuditChat>,
    /// Why calls of the chat model brought nothing: the verdict stands without what they were to settle. Absent where all brought a reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat_failed: Option<String>,
    /// The verdict by code alone: that of the report if nobody had proposed anything.
    #[serde(default)]
    pub by_code: ByCode,
    /// Share of the obligations that must be kept from which on a report that breaks none is usable as it is.
    #[serde(default = "usable_share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub usable_share: f64,
    /// Whether what whoever calls found kept makes the report usable and passes gates.
    #[serde(default)]
    pub trust_host: bool,
    /// The checks that exist, whether each ran, and how many incidents it gave.
    pub checks: Vec<Check>,
    /// How many incidents there are in all, before any `limit` or `min_severity`.
    pub totals: Totals,
    /// What people decided on its incidents; absent where they decided on none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisions: Option<Decisions>,
    /// How it stands against an earlier evaluation; absent where none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineComparison>,
    /// The gates that were asked for, and those that failed; absent where none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gates: Option<GateReport>,
    /// Where the next page of incidents begins; absent where these are all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// The run that it was stored as; absent where it is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

impl DriftEvaluation {
    /// Whether it is not usable as it is for nothing but that the host alone says what is kept: enough was assessed with its word.
    #[must_use]
    pub fn rests_on_host(&self) -> bool {
        let own = &self.assessed;
        let is_short = matches!(self.usable_because, UsableBecause::TooLittleAssessed);
        let (n, of) = if own.must_of > 0 { (own.must_n, own.must_of) } else { (own.n, own.of) };
        #[expect(clippy::cast_precision_loss, reason = "counts of obligations are far below 2^52")]
        let is_enough = n as f64 >= self.usable_share * of as f64;
        is_short && is_enough && own.by_host > 0 && !self.trust_host
    }
}

impl Default for DriftEvaluation {
    /// An evaluation that found nothing and assessed everything: a base for struct update syntax.
    fn default() -> Self {
        Self {
            schema_version: SCHEMA_VERSION.to_owned(),
            rules_version: String::new(),
            assessed: Assessed::default(),
            prompt_contract: PromptContract::default(),
            dimension_scores: DimensionScores::default(),
            drift_incidents: Vec::new(),
            overall_fidelity_score: 5.0,
            overall_drift_risk: Risk::Low,
            critical_drift_count: 0,
            unsupported_claim_count: 0,
            constraint_violation_count: 0,
            confidence_inflation_count: 0,
            usable_as_is: true,
            usable_because: UsableBecause::Yes,
            verdict_preserved_well: Vec::new(),
            verdict_major_failures: Vec::new(),
            verdict_recommended_actions: Vec::new(),
            obligations: Vec::new(),
            disqualifiers: Vec::new(),
            unassessed_dimensions: Vec::new(),
            set_aside: Vec::new(),
            sources: Vec::new(),
            judge: Judge::Rules,
            reading: Reading::default(),
            proposals: Vec::new(),
            confirmed_by: None,
            chat: None,
            chat_failed: None,
            by_code: ByCode::default(),
            usable_share: usable_share(),
            trust_host: false,
            checks: Vec::new(),
            totals: Totals::default(),
            decisions: None,
            baseline: None,
            gates: None,
            next_cursor: None,
            run: None,
        }
    }
}

/// The default of `usable_share`.
const fn usable_share() -> f64 {
    0.6
}

/// The verdict by code alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByCode {
    /// How much of the ask code judged.
    pub assessed: Assessed,
    /// How many incidents it found.
    pub incidents: usize,
    /// The overall score; `null` where code judged nothing.
    #[serde(serialize_with = "number::six_decimals")]
    pub overall_fidelity_score: Option<f64>,
    /// The risk; `null` where code judged nothing.
    pub overall_drift_risk: Option<Risk>,
    /// Whether the answer could be used as it is.
    pub usable_as_is: bool,
    /// Why.
    pub usable_because: UsableBecause,
}

impl Default for ByCode {
    /// The verdict of an evaluation that found nothing and assessed everything.
    fn default() -> Self {
        Self {
            assessed: Assessed::default(),
            incidents: 0,
            overall_fidelity_score: Some(5.0),
            overall_drift_risk: Some(Risk::Low),
            usable_as_is: true,
            usable_because: UsableBecause::Yes,
        }
    }
}

/// The seed's `PromptContract`. Texts are verbatim words of the ask; what it does not state is [`NOT_SPECIFIED`] or empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptContract {
    /// What the whole is for.
    pub core_intent: String,
    /// What is wrong today.
    pub primary_problem: String,
    /// What is to be made.
    pub proposed_solution: String,
    /// What is not to be attempted.
    pub non_goals: Vec<String>,
    /// Limits, bans and requirements.
    pub constraints: Vec<String>,
    /// Who buys, uses, runs, regulates, and where.
    pub core_entities: BTreeMap<EntityRole, String>,
    /// Wishes that may be left out.
    pub optional_features: Vec<String>,
    /// What the ask says it does not know.
    pub uncertainties: Vec<String>,
    /// How success is told.
    pub success_metrics: Vec<String>,
}

impl Default for PromptContract {
    /// The contract of an ask that states nothing.
    fn default() -> Self {
        Self {
            core_intent: NOT_SPECIFIED.to_owned(),
            primary_problem: NOT_SPECIFIED.to_owned(),
            proposed_solution: NOT_SPECIFIED.to_owned(),
            non_goals: Vec::new(),
            constraints: Vec::new(),
            core_entities: BTreeMap::new(),
            optional_features: Vec::new(),
            uncertainties: Vec::new(),
            success_metrics: Vec::new(),
        }
    }
}

/// Declares [`DimensionScores`] and its two accessors, so that no dimension can be forgotten in one of the three.
macro_rules! dimension_scores {
    ($( $field:ident: $dimension:ident; )+) => {
        /// The seed's `DimensionScores`: 5 excellent fidelity, 4 good, 3 mixed, 2 weak, 1 severe drift, 0 failed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct DimensionScores {
            $(
                #[doc = concat!("See [`Dimension::", stringify!($dimension), "`].")]
                #[serde(deserialize_with = "number::score")]
                #[schemars(range(max = 5))]
                pub $field: u8,
            )+
        }

        impl DimensionScores {
            /// The score of one dimension.
            #[must_use]
            pub const fn get(&self, dimension: Dimension) -> u8 {
                match dimension { $( Dimension::$dimension => self.$field, )+ }
            }

            /// Scores from what `score` gives for each dimension.
            pub fn from_fn(mut score: impl FnMut(Dimension) -> u8) -> Self {
                Self { $( $field: score(Dimension::$dimension), )+ }
            }
        }
    };
}

dimension_scores! {
    scope_fidelity: Scope;
    constraint_fidelity: Constraint;
    claim_strength_fidelity: ClaimStrength;
    evidence_grounding_fidelity: EvidenceGrounding;
    entity_fidelity: Entity;
    causal_fidelity: Causal;
    epistemic_fidelity: Epistemic;
    source_trace_fidelity: SourceTrace;
    structural_priority_fidelity: StructuralPriority;
    language_posture_fidelity: LanguagePosture;
}

impl Default for DimensionScores {
    /// All of them 5.
    fn default() -> Self {
        Self::from_fn(|_| 5)
    }
}

/// One reason why the answer is not usable as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disqualifier {
    /// Which of the conditions holds.
    pub condition: Disqualification,
    /// One sentence for a reader.
    pub explanation: String,
    /// The ids of the incidents that it rests on.
    pub incidents: Vec<String>,
}

/// Counts over all incidents, whatever part of them is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// All incidents.
    pub incidents: usize,
    /// By severity, 0 to 4; levels without an incident may be left out.
    pub by_severity: BTreeMap<u8, usize>,
    /// By type; types without an incident may be left out.
    pub by_type: BTreeMap<DriftType, usize>,
}

impl Totals {
    /// Counts `incidents`.
    #[must_use]
    pub fn of(incidents: &[DriftIncident]) -> Self {
        let mut totals = Self { incidents: incidents.len(), ..Self::default() };
        for incident in incidents {
            *totals.by_severity.entry(incident.severity).or_default() += 1;
            *totals.by_type.entry(incident.drift_type).or_default() += 1;
        }
        totals
    }
}
