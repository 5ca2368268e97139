//! What was understood of a task, and what was picked for it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ModelView, PickMode, RetrievalSource, RiskLevel, Stage};
use crate::{Run, number};

/// What is understood of a task: section 4.2, and what it leaves open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskSpec {
    /// A UUID: that of the selection.
    pub task_id: String,
    /// The task in the user's words.
    pub raw_query: String,
    /// What is to be done. Never empty.
    pub intent: String,
    /// What it is about. Never empty.
    pub task_type: String,
    /// The field that it belongs to; `null` where none shows.
    pub domain_hint: Option<String>,
    /// What must hold, in the user's words.
    pub constraints: Vec<String>,
    /// What is to come out of it; `null` where it is not said.
    pub deliverable: Option<String>,
    /// How much harm a wrong result does.
    pub risk_level: RiskLevel,
    /// The words of the task that the level of risk rests on.
    pub risk_words: Vec<String>,
    /// The stages that it needs, in their order.
    pub stages: Vec<Stage>,
    /// Whether one step is not enough.
    pub requires_multistep: bool,
    /// How likely more than one step is, 0 to 1.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub multistep_score: f64,
    /// How much of what a task of this kind needs is missing, 0 to 1.
    #[serde(serialize_with = "number::share")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub ambiguity_score: f64,
    /// What is missing, the most needed first.
    pub missing: Vec<Missing>,
}

/// Something that a task of its kind needs and does not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// What it is.
    pub what: String,
    /// The question that asks for it.
    pub question: String,
    /// Whether nothing sensible can be done without it.
    pub required: bool,
}

/// What speaks for a prompt in its place, each in 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// max(0, cosine) of task and prompt; 0 where there are no vectors.
    #[serde(serialize_with = "number::share")]
    pub dense_sim: f64,
    /// BM25, by that of the best prompt for this task.
    #[serde(serialize_with = "number::share")]
    pub bm25_sim: f64,
    /// How far intent, task type and domain are those of the task.
    #[serde(serialize_with = "number::share")]
    pub metadata_match: f64,
    /// How well it serves the stage.
    #[serde(serialize_with = "number::share")]
    pub stage_fit: f64,
    /// What feedback made of it.
    #[serde(serialize_with = "number::share")]
    pub quality_prior: f64,
    /// How new it is.
    #[serde(serialize_with = "number::share")]
    pub freshness: f64,
    /// What it loses.
    #[serde(serialize_with = "number::share")]
    pub penalties: f64,
}

/// A prompt that was picked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectedPrompt {
    /// The prompt.
    pub prompt_id: String,
    /// The stage that it serves.
    pub stage: Stage,
    /// Its place, from 1.
    pub rank: usize,
    /// Why it was picked, from its evidence.
    pub why: String,
    /// Why the chat model that chose it did, in its words; absent where rules chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Its evidence.
    pub evidence: Evidence,
    /// Its score there, 0 to 1.
    #[serde(serialize_with = "number::share")]
    pub score: f64,
}

/// What else would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fallback {
    /// One prompt, or a chain.
    pub mode: PickMode,
    /// The prompts, in their order; the five best candidates where something is asked.
    pub prompt_ids: Vec<String>,
}

/// How well a prompt serves each stage, 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageFit {
    /// Find out what is wanted.
    #[serde(serialize_with = "number::share")]
    pub clarify: f64,
    /// Say how it will be done.
    #[serde(serialize_with = "number::share")]
    pub plan: f64,
    /// Do it.
    #[serde(serialize_with = "number::share")]
    pub execute: f64,
    /// Check what was done.
    #[serde(serialize_with = "number::share")]
    pub verify: f64,
    /// Learn from it.
    #[serde(serialize_with = "number::share")]
    pub reflect: f64,
}

/// A prompt that a task may want: section 4.3, and its score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The prompt.
    pub prompt_id: String,
    /// What people call it; `null` where nobody said.
    pub title: Option<String>,
    /// max(0, cosine) of task and prompt.
    #[serde(serialize_with = "number::share")]
    pub dense_sim: f64,
    /// BM25, by that of the best prompt for this task.
    #[serde(serialize_with = "number::share")]
    pub bm25_sim: f64,
    /// How far intent, task type and domain are those of the task.
    #[serde(serialize_with = "number::share")]
    pub metadata_match: f64,
    /// What feedback made of it.
    #[serde(serialize_with = "number::share")]
    pub quality_prior: f64,
    /// How new it is.
    #[serde(serialize_with = "number::share")]
    pub freshness: f64,
    /// How well it serves each stage.
    pub stage_fit: StageFit,
    /// Where it came from.
    pub retrieval_sources: Vec<RetrievalSource>,
    /// The better candidate that says nearly the same; `null` where there is none.
    pub duplicate_of: Option<String>,
    /// Its score, 0 to 1.
    #[serde(serialize_with = "number::share")]
    pub score: f64,
}

/// What speaks for a chain, each in 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChainScore {
    /// The prompts, in their order.
    pub prompt_ids: Vec<String>,
    /// The score.
    #[serde(serialize_with = "number::share")]
    pub score: f64,
    /// The mean score of its prompts.
    #[serde(serialize_with = "number::share")]
    pub avg_prompt_score: f64,
    /// The share of the stages that the task needs which it serves.
    #[serde(serialize_with = "number::share")]
    pub workflow_coverage: f64,
    /// How well neighbours follow each other.
    #[serde(serialize_with = "number::share")]
    pub transition_coherence: f64,
    /// How little its prompts repeat each other.
    #[serde(serialize_with = "number::share")]
    pub non_redundancy: f64,
    /// How much better its prompts are than the next best.
    #[serde(serialize_with = "number::share")]
    pub confidence_margin: f64,
}

/// Thresholds, as they were in force.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// The operating point that they come from.
    pub operating_point: String,
    /// From this ambiguity on the task is asked about.
    pub t_ambiguity: f64,
    /// A single prompt is chosen from this score on.
    pub t_single: f64,
    /// A chain is chosen from this score on.
    pub t_chain: f64,
    /// A chain has to be better than a single prompt by this much.
    pub delta: f64,
}

/// The scores that decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PickScores {
    /// The best single prompt's; `null` where there is none.
    #[serde(serialize_with = "number::six_decimals")]
    pub single: Option<f64>,
    /// The best chain; `null` where there is none.
    pub chain: Option<ChainScore>,
    /// What they were held against.
    pub thresholds: Thresholds,
}

/// A state that was passed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LogStep {
    /// The state, as section 7 writes it.
    pub state: String,
    /// What came of it: `done`, `clarify`, `replan`, `give_up`, `low_confidence`.
    pub event: String,
    /// Why, a line each.
    pub why: Vec<String>,
    /// What was compared, thresholds among it.
    pub values: std::collections::BTreeMap<String, f64>,
}

/// The origin of what rules chose.
pub const RULES: &str = "rules";

fn rules() -> String {
    RULES.to_owned()
}

/// What rules alone pick, where a chat model chose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PickedByRules {
    /// One prompt, a chain, or a question.
    pub mode: PickMode,
    /// How likely this choice is right, 0 to 1.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// The prompts, in their order.
    pub prompt_ids: Vec<String>,
}

/// What was picked: section 4.4, and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinalOutput {
    /// The version of this JSON.
    pub schema_version: String,
    /// The version of the rules that it was made by; absent in results of programs that did not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_version: Option<String>,
    /// What the task is found by, where it was given one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qid: Option<String>,
    /// One prompt, a chain, or a question.
    pub mode: PickMode,
    /// How likely the choice is right, 0 to 1: fitted to what rules choose, so `null` where a chat model chose.
    #[serde(serialize_with = "number::six_decimals")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// Who chose: `rules`, or `chat:NAME` where a chat model was asked to and its reply was taken.
    #[serde(default = "rules")]
    pub origin: String,
    /// What rules alone pick; absent where they chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_rules: Option<PickedByRules>,
    /// A UUID.
    pub task_id: String,
    /// The prompts, in their order; none where something is asked.
    pub selected_prompts: Vec<SelectedPrompt>,
    /// What else would do.
    pub fallback: Fallback,
    /// What has to be asked, the most needed first.
    pub clarification_questions: Vec<String>,
    /// What feedback on this selection names.
    pub trace_id: String,
    /// What was understood of the task.
    pub task_spec: TaskSpec,
    /// The scores that decided.
    pub scores: PickScores,
    /// The states that were passed.
    pub log: Vec<LogStep>,
    /// Whether vectors were used; without them words and metadata alone speak.
    pub vectors: bool,
    /// Candidates, best first: all of them with `--explain`, the five best where something is asked, else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<Candidate>>,
    /// What a chat model said of the task and of the candidates, and what came of it; absent where none was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_view: Option<ModelView>,
    /// The run that it was stored as; absent where it is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// What was said of a selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// The version of this JSON.
    pub schema_version: String,
    /// The selection.
    pub trace_id: String,
    /// Whether it was good.
    pub good: bool,
    /// The prompts that it is said of.
    pub prompt_ids: Vec<String>,
}
