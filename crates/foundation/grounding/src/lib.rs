//! How well a passage of the answer is supported by the ask: features that can be read, and a probability that was fitted.
//!
//! [`Grounding`] reads the ask once: its sentences, their words by stems, how rare each is. [`Grounding::support`] aligns each sentence
//! of a passage with the sentences of the ask that share most with it ([`Aligned`]), compares the two word by word, and counts what
//! speaks for support and against it ([`FEATURES`]). A [`Model`], the coefficients of a logistic regression in a file that
//! anyone can read, makes one probability of them ([`Support::score`]). `docs/grounding.md` says what it is good and bad at.
//!
//! What is absent: no verdict, no threshold of its own. What a score means for a kind of question stands in [`Model::thresholds`].

mod align;
mod ask;
mod compare;
mod features;
mod lexicon;
mod model;
mod passage;
mod roles;
mod words;

pub use align::Aligned;
pub use ask::{ASK_SENTENCES_MAX, Grounding, SENTENCE_WORDS_MAX};
pub use features::{FEATURES, Feature, Form, Sign};
pub use lexicon::{listed_with, opposed, related};
pub use model::{Model, Threshold};
pub use passage::{PASSAGE_SENTENCES_MAX, Support};
