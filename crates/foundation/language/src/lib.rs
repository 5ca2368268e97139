//! What other crates read of English, from `annotate`.

pub use steadfast_annotate::{
    APPROXIMATE_TOLERANCE_PERCENT, AcronymDefinition, Bound, Counted, Currency, Mark, MarkKind, Name, NameContext,
    NameKind, Negation, NegationKind, Promotion, PromotionKind, Quantity, Reading, Relation,
    STATED_TOLERANCE_PERMILLE_MAX, Strength, TermForm, TermMatch, TermMatcher, Unit, acronym_definitions, base_form,
    comparable, content_stems, country_of, is_given_name, is_mention, is_negated, is_stop_word, modality, names,
    negations, normal_form, pattern, promotional, promotional_density, quantities, same_term, stem, strength_at,
    verb_forms,
};
