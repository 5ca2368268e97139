//! Quantities, modality, negation, names and stems.

mod acronyms;
mod clauses;
mod cues;
mod gazetteer;
mod irregular;
mod modality;
mod names;
mod negation;
mod pattern;
mod register;
mod stem;
mod verbs;
mod words;

pub use acronyms::{AcronymDefinition, acronym_definitions};
pub use gazetteer::is_given_name;
pub use irregular::{base_form, verb_forms};
pub use modality::{Mark, MarkKind, Reading, Strength, modality, strength_at};
pub use names::{Name, NameContext, NameKind, country_of, names};
pub use negation::{Negation, NegationKind, is_mention, is_negated, negations};
pub use pattern::pattern;
pub use register::{Promotion, PromotionKind, promotional, promotional_density};
pub use stem::{STOP_WORDS, TermForm, TermMatch, TermMatcher, content_stems, same_term, stem};

mod compare;
mod counted;
mod currency;
mod measure;
mod number;
mod quantity;
mod reader;

pub use compare::{APPROXIMATE_TOLERANCE_PERCENT, STATED_TOLERANCE_PERMILLE_MAX, comparable, normal_form};
pub use currency::Currency;
pub use quantity::{Bound, Counted, Quantity, Relation, Unit, quantities};
