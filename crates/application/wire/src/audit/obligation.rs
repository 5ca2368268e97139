//! One thing that the ask requires.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Basis, FoundBy, ObligationKind, Origin, Polarity, Status, Strength};
use crate::Span;

/// An obligation with the words of the ask that it rests on, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Obligation {
    /// Its name within this evaluation.
    pub id: String,
    /// What it obliges to.
    pub kind: ObligationKind,
    /// The obligation in a few words of the ask.
    pub text: String,
    /// Stated or implied.
    pub basis: Basis,
    /// The words of the ask.
    pub span: Span,
    /// How strongly the ask puts it.
    pub strength: Strength,
    /// Whether it is to be done or left alone.
    pub polarity: Polarity,
    /// What became of it.
    pub status: Status,
    /// Whether that was judged: what is unclear was not.
    pub assessed: bool,
    /// Who judged.
    pub origin: Origin,
    /// Words of the answer that keep or break it.
    pub answer_spans: Vec<Span>,
    /// What the answer says nearest to it, the nearest first, at most five.
    pub passages: Vec<Passage>,
}

impl Obligation {
    /// Whether the answer breaks it, or takes it up with less force than the ask.
    #[must_use]
    pub const fn is_broken(&self) -> bool {
        matches!(self.status, Status::Broken | Status::Weakened)
    }

    /// Whether it must be kept and is missing: it has words to look for, and nothing in the answer has one of them.
    #[must_use]
    pub const fn is_missing(&self) -> bool {
        matches!(self.status, Status::Unmentioned) && self.assessed
    }
}

/// A passage of the answer that comes near an obligation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// Its words.
    pub quote: String,
    /// Where it stands.
    pub span: Span,
    /// How it was found.
    pub found_by: FoundBy,
}
