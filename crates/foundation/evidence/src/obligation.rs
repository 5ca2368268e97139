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

/// What became of an obligation in the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// The answer keeps it, and says so.
    Kept,
    /// The answer breaks it.
    Broken,
    /// The answer does not speak of it.
    Unmentioned,
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
