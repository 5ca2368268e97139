//! Verbs whose forms no stemmer folds into one.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use crate::lexicon::{self, Class};
use crate::stem::stem;

/// The stems of a verb's forms, that of its base first, by each of them.
static FORMS: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    let mut of_base: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (form, base) in lexicon::forms(Class::Irregular) {
        of_base.entry(base).or_default().push(form);
    }
    for (base, others) in of_base {
        let mut forms: Vec<String> = Vec::new();
        // A stemmer may cut some forms and leave others.
        for form in [base].into_iter().chain(others).flat_map(|word| [stem(word), stem(&format!("{word}s"))]) {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        for form in &forms {
            all.insert(form.clone(), forms.clone());
        }
    }
    all
});

/// A stem, of an irregular verb's form that of its base: "bought" is "buy".
#[must_use]
pub fn base_form(stem: &str) -> &str {
    FORMS.get(stem).and_then(|forms| forms.first()).map_or(stem, String::as_str)
}

/// A stem and the stems of the other forms of its verb.
pub fn verb_forms(stem: &str) -> impl Iterator<Item = &str> {
    let known = FORMS.get(stem);
    let alone = if known.is_none() { Some(stem) } else { None };
    known.into_iter().flatten().map(String::as_str).chain(alone)
}

#[cfg(test)]
mod tests {
    use super::{base_form, verb_forms};
    use crate::lexicon::{self, Class};
    use crate::stem::stem;

    #[test]
    fn forms_of_one_verb_are_one() {
        for (form, base) in [("bought", "buy"), ("chosen", "choose"), ("rewritten", "rewrite"), ("sold", "sell")] {
            assert_eq!(base_form(&stem(form)), stem(base), "{form}");
        }
        assert_eq!(base_form("hous"), "hous");
        assert_eq!(verb_forms("hous").collect::<Vec<_>>(), ["hous"]);
        assert!(verb_forms("bought").eq(["buy", "bought"]));
    }

    #[test]
    fn no_form_is_of_two_verbs() {
        for (form, base) in lexicon::forms(Class::Irregular) {
            assert_eq!(base_form(&stem(form)), base_form(&stem(base)), "{form}");
        }
    }
}
