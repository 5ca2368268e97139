//! What the ask requires, each with the words that say so.

use crate::Quote;

crate::vocabulary! {
    /// Whether the ask says it in so many words.
    Basis {
        /// The quoted words state it.
        Explicit = "explicit", "stated";
        /// It follows from the quoted words.
        Implied = "implied", "implied";
    }
}

crate::vocabulary! {
    /// How strongly the ask puts an obligation.
    Strength {
        /// It has to hold.
        Must = "must", "must";
        /// It is wanted, and may give way.
        Should = "should", "should";
        /// It comes on top, or is left to choice.
        May = "may", "may";
    }
}

crate::vocabulary! {
    /// Whether the ask wants something done or left alone.
    Polarity {
        /// It is to be done, or to hold.
        Do = "do", "do";
        /// It is not to be done, or not to be used.
        Not = "not", "do not";
    }
}

crate::vocabulary! {
    /// What became of an obligation, worst first.
    Status {
        /// The answer breaks it.
        Broken = "broken", "Broken";
        /// The answer takes it up with less force than the ask.
        Weakened = "weakened", "Weakened";
        /// Few of its words stand in the answer, or none; it may be said in others.
        Unmentioned = "unmentioned", "Unmentioned";
        /// Something in the answer comes near it, and it is not decided whether that keeps or breaks it.
        Unclear = "unclear", "Unclear";
        /// Nothing in the answer was found against what the ask forbids. That it is kept is not said.
        NothingFound = "nothing_found", "Nothing found against it";
        /// It could not be judged.
        NotAssessed = "not_assessed", "Not assessed";
        /// Words of the answer keep it.
        Kept = "kept", "Kept";
    }
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
