//! What is said of a prompt by itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Span;
use crate::audit::{Basis, ObligationKind, Source};
use crate::vocabulary::names;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

names! {
    /// Why two asks cannot both be met.
    ContradictionKind {
        /// Two limits or values of one thing.
        Limits = "limits", "Limits that exclude each other";
        /// A thing is asked for and ruled out.
        AskedAndBanned = "asked_and_banned", "Asked for and ruled out";
        /// Something is due before it begins, or before the day of the prompt.
        Dates = "dates", "Dates that exclude each other";
    }
}

names! {
    /// What a vague word leaves open.
    VagueKind {
        /// No date and no length of time.
        When = "when", "when";
        /// No figure.
        HowMuch = "how_much", "how much";
        /// Nothing by which it could be told.
        HowWell = "how_well", "how well";
        /// Compared with nothing.
        ThanWhat = "than_what", "than what, and by how much";
        /// Whoever plans decides whether it binds.
        Loophole = "loophole", "whether it binds";
        /// A list without an end.
        OpenEnd = "open_end", "what else belongs to it";
    }
}

names! {
    /// What a prompt says nothing of.
    Unsaid {
        /// What may be spent.
        Budget = "budget", "how much may be spent";
        /// By when, or how long.
        Deadline = "deadline", "by when, or how long it takes";
        /// Where.
        Place = "place", "where";
        /// For whom.
        Customer = "customer", "for whom: no customer, buyer or user";
        /// Who runs it.
        Operator = "operator", "who runs it";
        /// Where the money comes from.
        Funding = "funding", "where the money comes from";
        /// How success is measured.
        Metric = "metric", "how success is measured";
        /// What is not to be done.
        NonGoal = "non_goal", "what is not to be done";
    }
}

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
