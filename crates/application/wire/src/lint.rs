//! What is said of a prompt by itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Span;
use crate::audit::{Basis, ObligationKind, Source};

pub use steadfast_audit::lint::{ContradictionKind, Unsaid, VagueKind};

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// A prompt by itself, before anybody plans by it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptLint {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The version of the rules by which it was read.
    pub rules_version: String,
    /// The prompt.
    pub source: Source,
    /// What it obliges to, in its order.
    pub obligations: Vec<LintObligation>,
    /// Asks that cannot all be met, in its order.
    pub contradictions: Vec<Contradiction>,
    /// Words that leave open how much, how well or when, in its order.
    pub vague: Vec<Vague>,
    /// What it says nothing of: whoever plans will probably make it up.
    pub unsaid: Vec<Unsaid>,
}

/// An obligation of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LintObligation {
    /// Its name, as an audit of a report against this prompt gives it.
    pub id: String,
    /// What it obliges to.
    pub kind: ObligationKind,
    /// The obligation in a few words of the prompt.
    pub text: String,
    /// Stated or implied.
    pub basis: Basis,
    /// The words of the prompt.
    pub span: Span,
    /// The checks of an audit that look at it; empty where it is read and nothing can break it but a reader's judgement.
    pub checkable_by: Vec<String>,
}

/// Two places of a prompt that cannot both hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    /// Why.
    pub kind: ContradictionKind,
    /// One sentence for a reader.
    pub explanation: String,
    /// The two places, in the order of the prompt.
    pub spans: [Span; 2],
}

/// A vague word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Vague {
    /// What it leaves open.
    pub kind: VagueKind,
    /// The word, as it stands.
    pub word: String,
    /// The sentence that it stands in.
    pub span: Span,
}
