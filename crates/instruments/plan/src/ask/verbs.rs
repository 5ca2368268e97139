//! Verbs by which people tell themselves what to do.

use steadfast_annotate::lexicon::{Class, has};

/// Whether a word, in small letters, is such a verb in its base form.
pub(crate) fn is_task_verb(low: &str) -> bool {
    has(Class::TaskVerb, low)
}
