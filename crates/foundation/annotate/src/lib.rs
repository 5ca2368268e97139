//! English read in one place: a document is annotated once, and whoever judges it works on what was found, not on characters.
//!
//! [`annotate()`] gives an [`Annotated`]: sentences with their [tokens](Token), clauses, negations, modality, quantities and names, and
//! what governs each block: headings, the words that lead into its list, the head of its column. What words mean stands in the tables
//! of the [`lexicon`]. The readers of single sentences stand here as well, for callers that have no document.

mod acronyms;
mod annotated;
mod clauses;
mod compare;
mod counted;
mod currency;
mod irregular;
pub mod lexicon;
mod masked;
mod measure;
mod modality;
mod names;
mod negation;
mod number;
mod pattern;
mod quantity;
mod reader;
mod scorer;
mod stem;
mod verbs;
mod words;

pub use annotated::{
    Annotated, Clause, Governed, LEADS_MAX, SENTENCE_BYTES_MAX, SENTENCES_MAX, Sentence, annotate, annotate_within,
};
pub use clauses::Role;
pub use compare::{APPROXIMATE_TOLERANCE_PERCENT, STATED_TOLERANCE_PERMILLE_MAX, comparable};
pub use currency::Currency;
pub use irregular::base_form;
pub use masked::masked;
pub use modality::{Mark, MarkKind, Reading, Strength, modality};
pub use names::{Name, NameContext, NameKind, country_of, is_given_name, names};
pub use negation::{Negation, NegationKind, is_mention, is_negated, negations};
pub use pattern::{Pattern, pattern};
pub use quantity::{Bound, Counted, Quantity, Relation, Unit};
pub use reader::quantities;
pub use scorer::{AddFeature, Scorer};
pub use stem::{TermMatch, TermMatcher, content_stems, is_stop_word, stem, stems, stems_once};
pub use words::{Kind, Token, scan};
