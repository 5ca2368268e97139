//! Verbs whose forms no stemmer folds into one.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::stem::stem;

/// Each line one verb, its base first. Left out are forms that more often are another word ("found", "bound", "fed").
const VERBS: &str = "\
arise arose arisen
become became
begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
deal dealt
draw drew drawn
drive drove driven
eat ate eaten
fall fell fallen
feel felt
fight fought
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
give gave given
grow grew grown
hear heard
hide hid hidden
hold held
keep kept
know knew known
lead led
lend lent
leave left
lose lost
make made
mean meant
meet met
overcome overcame
pay paid
rewrite rewrote rewritten
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold sale
send sent
shake shook shaken
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sit sat
sleep slept
speak spoke spoken
spend spent
stand stood
steal stole stolen
strike struck
sweep swept
swim swam swum
take took taken
teach taught
tell told
think thought
throw threw thrown
undergo underwent undergone
understand understood
undertake undertook undertaken
wake woke woken
wear wore worn
win won
withdraw withdrew withdrawn
write wrote written";

/// The stems of a verb's forms, that of its base first, by each of them.
static FORMS: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for line in VERBS.lines() {
        let mut forms: Vec<String> = Vec::new();
        // A stemmer may cut some forms and leave others.
        for form in line.split_whitespace().flat_map(|word| [stem(word), stem(&format!("{word}s"))]) {
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
    use std::collections::HashSet;

    use super::{FORMS, VERBS, base_form, verb_forms};
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
        let mut seen = HashSet::new();
        for line in VERBS.lines() {
            let own: HashSet<&String> = line.split_whitespace().flat_map(|word| &FORMS[&stem(word)]).collect();
            assert!(own.into_iter().all(|form| seen.insert(form.clone())), "{line}");
        }
    }
}
