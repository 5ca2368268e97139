//! What speaks for support and against it.

/// Which evidence a score rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Words alone.
    Lexical,
    /// Words, and the cosines of the model's vectors of sentences.
    Minilm,
}

impl Form {
    /// What files and outputs call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lexical => "lexical",
            Self::Minilm => "minilm",
        }
    }

    /// Its features: those of [`FEATURES`] that it has.
    #[must_use]
    pub fn features(self) -> &'static [Feature] {
        match self {
            Self::Lexical => &FEATURES[..LEXICAL],
            Self::Minilm => FEATURES,
        }
    }
}

/// A feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name in the file of coefficients.
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// Which way it may count.
    pub sign: Sign,
}

/// Which way a feature may count: a fit keeps to it, so that no coefficient says the opposite of what its feature means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// For support alone.
    For,
    /// Against it alone.
    Against,
    /// What it means depends on the others: how long the passage is.
    Either,
}

const fn feature(name: &'static str, about: &'static str) -> Feature {
    Feature { name, about, sign: Sign::For }
}

const fn against(name: &'static str, about: &'static str) -> Feature {
    Feature { name, about, sign: Sign::Against }
}

const fn either(name: &'static str, about: &'static str) -> Feature {
    Feature { name, about, sign: Sign::Either }
}

/// Features that need no vectors.
const LEXICAL: usize = 17;

/// All features in the order of their values, each from 0 to 1; the last ones need vectors. Counts n stand as n / (n + 1). "Closest" are
/// the one or two sentences of the ask that share most with a sentence; changes count the more, the closer the two are.
pub const FEATURES: &[Feature] = &[
    feature("three", "share of the content that the best three sentences hold, of the sentence that has least of it"),
    feature("window", "the same in the best five consecutive sentences"),
    feature(
        "pairs",
        "share of neighbouring content words that are neighbours in the ask; of one word alone whether the ask holds it",
    ),
    feature("novel_related", "content words that the ask does not hold, but a word that can stand for them"),
    feature(
        "words_covered",
        "share of the words, neither names nor numbers, that the ask holds; 1 where there are none",
    ),
    against("names_novel", "words of names that the ask does not hold"),
    feature("names_covered", "share of the words of names that the ask holds; 1 where there are none"),
    against("numbers_novel", "numbers that the ask does not hold"),
    against("capitalised_novel", "capitalised words, no names by any rule, that the ask does not hold"),
    either("length", "content words, by tens"),
    against("negation", "negations whose words stand on the other side without one"),
    against("opposed", "words that contradict one of the closest sentences"),
    against("turned", "verbs whose doer and object changed places"),
    against("modality", "steps of strength above or below the closest sentences, of seven"),
    feature("reworded", "words put for words that can stand for them"),
    against("names_changed", "names put for other words"),
    against("added", "words of contrast, and words such as \"only\" or \"except\", that came or went"),
    feature("cosine", "cosine of a sentence and the most similar of the aligned ones, the mean over sentences"),
    feature("cosine_least", "the same of the sentence that has least of it"),
    against(
        "cosine_close",
        "how much of the cosine the closest sentences are short of 1, the more, the closer the words are",
    ),
];

/// A count from 0 up as a number below 1.
pub(crate) fn damped(count: f64) -> f64 {
    count / (count + 1.0)
}
