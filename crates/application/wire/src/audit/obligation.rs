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
    /// The person who judged, by the name that they gave; absent where no person did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// Words of the answer that keep or break it.
    pub answer_spans: Vec<Span>,
    /// What code counted, where it is kept by a count: "168 words".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<String>,
    /// What the answer says nearest to it, the nearest first, at most five.
    pub passages: Vec<Passage>,
    /// Who read it in the ask.
    #[serde(default)]
    pub by: Origin,
    /// The person who confirmed that the ask says so; absent where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_by: Option<String>,
    /// Whether the contract of a chat model or of whoever calls leaves it out or reads it otherwise. It counts all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disputed: bool,
    /// What code says of it; absent where code judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_code: Option<CodeState>,
}

/// What code says of an obligation that somebody else settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodeState {
    /// What became of it.
    pub status: Status,
    /// Whether that was judged.
    pub assessed: bool,
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

    /// Whether somebody who reads both texts can decide on it: rules left it undecided, or found nothing near it.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        !self.assessed || self.is_missing()
    }

    /// The same for gates: what whoever calls found kept, and may be its own work, counts only where it is trusted.
    #[must_use]
    pub fn counted(&self, trusts_host: bool) -> CodeState {
        let kept = matches!(self.status, Status::Kept | Status::NothingFound);
        match self.by_code {
            Some(by_code) if kept && self.origin == Origin::host() && !trusts_host => by_code,
            _ => CodeState { status: self.status, assessed: self.assessed },
        }
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
