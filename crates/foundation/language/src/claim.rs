//! How strongly a sentence claims that one thing acts on another, on a scale that was fitted on labelled sentences.
//!
//! Beside [`modality`](crate::modality), which says *where* a sentence is hedged, this says how strong it is as a whole: four kinds
//! from no relation to causal (Sumner et al., BMJ 2014), and a certainty from 1 to 6. Every feature is a word class or a shape that can
//! be read in the sentence, and every coefficient stands in a file of plain text.

mod cues;
mod features;
mod likelihood;
mod scale;

pub use features::claim_features;
pub use likelihood::likelihood;
pub use scale::{CERTAINTY_RANGE, ClaimScale, ScaleError};

/// What a sentence says of a relation, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimKind {
    /// None: a need, a method, a count, a description.
    None,
    /// That things go together: "is associated with", "is higher in".
    Correlational,
    /// That one may act on the other: "may reduce".
    Conditional,
    /// That one acts on the other: "reduces".
    Causal,
}

impl ClaimKind {
    /// Every kind, weakest first.
    pub const ALL: [Self; 4] = [Self::None, Self::Correlational, Self::Conditional, Self::Causal];

    /// Its name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Correlational => "correlational",
            Self::Conditional => "conditional",
            Self::Causal => "causal",
        }
    }
}

/// How strong a sentence is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClaimReading {
    /// How likely each kind is, in the order of [`ClaimKind::ALL`]; together 1.
    pub shares: [f64; 4],
    /// How certain the writer is of what the sentence says, 1 to 6.
    pub certainty: f64,
}

/// Which features a sentence has, in the order of [`claim_features`].
#[must_use]
pub fn claim_features_of(sentence: &str) -> Vec<bool> {
    features::read(sentence)
}
