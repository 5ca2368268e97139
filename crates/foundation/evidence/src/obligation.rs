//! What the ask requires, each with the words that say so.

use crate::Quote;

/// Whether the ask says it in so many words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The quoted words state it.
    Explicit,
    /// It follows from the quoted words.
    Implied,
}

/// How strongly the ask puts an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strength {
    /// It comes on top, or is left to choice.
    May,
    /// It is wanted, and may give way.
    Should,
    /// It has to hold.
    Must,
}

/// Whether the ask wants something done or left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Polarity {
    /// It is to be done, or to hold.
    Do,
    /// It is not to be done, or not to be used.
    Not,
}

/// What became of an obligation in the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// The answer keeps it, and says so.
    Kept,
    /// The answer breaks it.
    Broken,
    /// The answer takes it up, with less force than the ask.
    Weakened,
    /// Few of its words stand in the answer, or none.
    Unmentioned,
    /// Something in the answer comes near it, and code cannot tell whether it keeps or breaks it.
    Unclear,
    /// Nothing in the answer speaks against what the ask forbids.
    NothingFound,
    /// It could not be judged.
    NotAssessed,
}

/// One thing that the ask requires. It cannot be built without the words of the ask that it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation<K> {
    /// What kind of obligation it is; each instrument has its own kinds.
    pub kind: K,
    /// The obligation in a few words of the ask ("banned: blockchain").
    pub text: String,
    /// Stated or implied.
    pub basis: Basis,
    source: Quote,
}

impl<K> Obligation<K> {
    /// An obligation of `kind` that rests on `source`.
    pub fn new(kind: K, text: impl Into<String>, basis: Basis, source: Quote) -> Self {
        Self { kind, text: text.into(), basis, source }
    }

    /// The words of the ask that it rests on.
    #[must_use]
    pub const fn source(&self) -> &Quote {
        &self.source
    }
}
