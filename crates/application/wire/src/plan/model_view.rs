//! What chat models said of a day and its plan, and what code made of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Confidence, Constraint, Task};
use crate::chat::ExamMark;
use crate::model::{Aside, ModelCall};
use crate::vocabulary::names;

/// What chat models were asked of a day and its plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelView {
    /// What a model read in the notes; `null` where none was asked.
    pub extraction: Option<Extraction>,
    /// How the plan came about; `null` where no model was asked for one.
    pub generation: Option<Generation>,
    /// What a model thinks of the plan; `null` where none was asked.
    pub opinion: Option<Opinion>,
    /// What was proposed and not taken.
    pub set_aside: Vec<Aside>,
    /// Every call, in order.
    pub calls: Vec<ModelCall>,
}

/// The notes as a model reads them, as far as code locates its words in them and their figures bear it out. Where `stands` is true it is what the plan is made
/// of and proved against, in the place of what rules read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extraction {
    /// Who was asked.
    pub model: String,
    /// What `chat exam` says of it; absent where it has sat no exam with these rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exam: Option<ExamMark>,
    /// Whether the plan rests on it.
    pub stands: bool,
    /// Why it does not; `null` where it does.
    pub why: Option<String>,
    /// What is to be done.
    pub tasks: Vec<Task>,
    /// What is required. Ids of what the model read begin with `m`.
    pub constraints: Vec<Constraint>,
    /// What rules require of the notes, the model does not, and the plan of its reading would break. Each is asked about in `open_questions`, at most three at once.
    pub disputed: Vec<Constraint>,
    /// Bytes of the notes that no model saw.
    pub unread_bytes: usize,
}

names! {
    /// Who made a plan.
    PlanMaker {
        /// A chat model.
        Model = "model", "a chat model";
        /// The planner of this program.
        BuiltIn = "built-in", "the built-in planner";
    }
}

names! {
    /// What came of a repair that a model was asked for.
    RepairOutcome {
        /// It is better, and stands.
        Taken = "taken", "taken";
        /// It is no better: the first plan stands.
        NoBetter = "no_better", "no better than the first";
        /// No plan came: the first one stands.
        Nothing = "nothing", "nothing came";
    }
}

/// How a plan came about that a model was asked for. It was read as plain values and checked like anybody's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Who was asked.
    pub model: String,
    /// Whose plan it is: where the model gave none, the built-in planner's.
    pub made_by: PlanMaker,
    /// Why the model gave none.
    pub why: Option<String>,
    /// What came of the repair; `null` where none was asked for.
    pub repair: Option<RepairOutcome>,
    /// What the model says it assumed.
    pub assumptions: Vec<String>,
    /// What it would ask.
    pub questions: Vec<String>,
    /// How sure it says it is; `null` where it gave no plan.
    pub confidence: Option<Confidence>,
    /// Bytes of the notes that it did not see. What code read there it was told.
    pub unread_bytes: usize,
}

/// What a model thinks of a plan. It decides nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    /// Who was asked.
    pub model: String,
    /// Whether it judges a plan of its own: the same model made it.
    pub self_judged: bool,
    /// The scores whose words stand in the plan.
    pub scores: Vec<OpinionScore>,
    /// Why there is none.
    pub why: Option<String>,
}

/// One score, and the words of the plan that it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpinionScore {
    /// What is judged: `specificity`, `realism`, `alignment`, `prioritisation` or `clarity`.
    pub dimension: String,
    /// 0 to 5.
    #[schemars(range(min = 0, max = 5))]
    pub score: i64,
    /// Words of the plan.
    pub quote: String,
    /// The item that they stand in, by its place in the plan.
    pub item_index: usize,
    /// The member of the item that they stand in: `task` or `why`.
    pub field: String,
    /// One sentence of the model.
    pub comment: String,
}
