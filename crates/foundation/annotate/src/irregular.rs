//! Verbs whose forms no stemmer folds into one.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lexicon::{self, Class};
use crate::stem::stem;

/// The stem of a verb's base, by that of each of its forms.
static BASES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut forms = lexicon::forms(Class::Irregular).to_vec();
    forms.sort_by_key(|(_, base)| *base);
    // A stemmer may cut some forms and leave others.
    let stems = |word: &str, base: &str| [word.to_owned(), format!("{word}s")].map(|word| (stem(&word), stem(base)));
    forms.iter().flat_map(|(form, base)| [stems(base, base), stems(form, base)].into_iter().flatten()).collect()
});

/// A stem, of an irregular verb's form that of its base: "bought" is "buy".
#[must_use]
pub fn base_form(stem: &str) -> &str {
    BASES.get(stem).map_or(stem, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::base_form;
    use crate::lexicon::{self, Class};
    use crate::stem::stem;

    #[test]
    fn forms_of_one_verb_are_one() {
        for (form, base) in [("bought", "buy"), ("chosen", "choose"), ("rewritten", "rewrite"), ("sold", "sell")] {
            assert_eq!(base_form(&stem(form)), stem(base), "{form}");
        }
        assert_eq!(base_form("hous"), "hous");
    }

    #[test]
    fn no_form_is_of_two_verbs() {
        for (form, base) in lexicon::forms(Class::Irregular) {
            assert_eq!(base_form(&stem(form)), base_form(&stem(base)), "{form}");
        }
    }
}
