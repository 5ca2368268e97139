//! One thing that the ask requires.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Basis, ObligationKind, Status};
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
    /// What became of it.
    pub status: Status,
    /// Words of the answer that keep or break it.
    pub answer_spans: Vec<Span>,
}
