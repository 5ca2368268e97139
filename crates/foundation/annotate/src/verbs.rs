//! Verb forms that no table lists one by one.

use crate::lexicon::{Class, Classes, has};

/// Whether `low` is a common verb in the third person singular ("reduces", "relies").
pub(crate) fn is_third_person(low: &str) -> bool {
    let Some(stripped) = low.strip_suffix('s') else { return false };
    let base = |form: &str| has(Class::Verb, form) && !has(Class::NounVerb, form);
    base(stripped)
        || stripped.strip_suffix('e').is_some_and(base)
        || stripped.strip_suffix("ie").is_some_and(|root| base(&format!("{root}y")))
}

/// Whether `low` is a present participle of some verb ("ensuring"), by its ending.
pub(crate) fn is_participle(low: &str) -> bool {
    low.len() > 5
        && low.ends_with("ing")
        && !matches!(low, "during" | "nothing" | "something" | "anything" | "everything" | "evening" | "morning")
}

/// Whether `low`, of these classes, is a finite auxiliary: a modal, a form of "be", "have" or "do".
pub(crate) fn is_auxiliary(low: &str, classes: Classes) -> bool {
    classes.has(Class::Modal)
        || classes.has(Class::Auxiliary)
        || classes.has(Class::Be) && !matches!(low, "be" | "been" | "being" | "remain" | "become")
}
