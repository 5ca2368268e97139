//! The words that the readers know, from the tables in `lexicon/`: what a form is (its class), and what it stands for (its lemma).
//!
//! A table has five columns: form, lemma (empty where it is the form), class, source, licence. It is sorted by class, form and lemma.
//! A class is one of [`Class`], which tokens carry, or belongs to a family ("modality.hedge.likely.adverb"), whose reader takes the
//! rest of the name as what the form means.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

/// The tables. `names` and `quantity` heed case; the others are in lower case.
const TABLES: &[&str] = &[
    include_str!("../lexicon/ask.tsv"),
    include_str!("../lexicon/function.tsv"),
    include_str!("../lexicon/modality.tsv"),
    include_str!("../lexicon/names.tsv"),
    include_str!("../lexicon/negation.tsv"),
    include_str!("../lexicon/notes.tsv"),
    include_str!("../lexicon/quantity.tsv"),
    include_str!("../lexicon/spelling.tsv"),
    include_str!("../lexicon/tongues.tsv"),
    include_str!("../lexicon/verbs.tsv"),
];

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A class of words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Class {
            $($(#[$doc])* $name,)*
        }

        impl Class {
            /// Every class.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Its name in the tables.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

classes! {
    /// Abbreviations after which a sentence goes on ("dr", "e.g").
    Abbreviation = "abbreviation",
    /// What may follow a predicate, but no adjective before its noun.
    AfterPredicate = "after-predicate",
    /// Words that nobody spells so in Britain; the lemma is the British spelling.
    AmericanOnly = "american-only",
    /// Finite forms of "have" and "do".
    Auxiliary = "auxiliary",
    /// Plurals without an s, and nouns that are counted in their bare form.
    BarePlural = "bare-plural",
    /// Forms of "be", "remain" and "become".
    Be = "be",
    /// British spellings; the lemma is the American one.
    British = "british",
    /// Words that nobody spells so in the United States; the lemma is the American spelling where it shows by itself.
    BritishOnly = "british-only",
    /// Verbs whose object's infinitive is what they bring about ("enables users to pay").
    Causing = "causing",
    /// Hundredths of a currency.
    CoinWord = "coin-word",
    /// Verbs, as often nouns, that say what comes of a lack or a failure.
    Consequence = "consequence",
    /// Conjunctions that join equals.
    Coordinator = "coordinator",
    /// Words that end the run of adjectives and nouns after a number.
    CountedStop = "counted-stop",
    /// Countries, their adjectives and people; the lemma is the country.
    Country = "country",
    /// Codes of currencies. Those that are English words in capitals (ALL, TOP, CUP) are left out.
    CurrencyCode = "currency-code",
    /// Signs of currencies.
    CurrencySign = "currency-sign",
    /// Names of currencies after an amount.
    CurrencyWord = "currency-word",
    /// Adjectives that open a sentence before a name and are no part of it.
    Describing = "describing",
    /// Determiners and possessives.
    Determiner = "determiner",
    /// Letters directly before a dollar sign.
    DollarPrefix = "dollar-prefix",
    /// Words that say nothing of what a figure is the figure of.
    FigureEmpty = "figure-empty",
    /// "should be ready": the writer reckons with it.
    ForeseenQuality = "foreseen-quality",
    /// "should take": the writer reckons with it.
    ForeseenVerb = "foreseen-verb",
    /// Words that name roles, documents, phases, methods, times: a phrase of nothing else is no name.
    Generic = "generic",
    /// Heads of roles, documents and bodies: what stands before them only says which.
    GenericHead = "generic-head",
    /// Given names, in their case.
    GivenName = "given-name",
    /// Forms of irregular verbs; the lemma is the base. Left out are forms that more often are another word ("found").
    Irregular = "irregular",
    /// Irregular plurals; the lemma is the singular.
    IrregularPlural = "irregular-plural",
    /// Nouns that a number after them names ("phase 2").
    LabelNoun = "label-noun",
    /// Nouns that a number after them names, unless it counts what follows ("team 5 engineers").
    LabelNounAlso = "label-noun-also",
    /// Units of measure, of one word or two; the lemma is the symbol.
    Measure = "measure",
    /// Units only directly behind their number ("5t").
    MeasureAttached = "measure-attached",
    /// Words that say that what stands in quotes beside them is meant as words.
    Metaword = "metaword",
    /// Modal auxiliaries, whole and contracted.
    Modal = "modal",
    /// Words inside of names ("of", "von").
    NameLink = "name-link",
    /// Words that follow "the word" without being meant.
    NoTerm = "no-term",
    /// Base verbs that are as often nouns: an order only where what follows shows it.
    NounVerb = "noun-verb",
    /// Words before an order that are no part of it.
    Opener = "opener",
    /// Verbs of requests that are as often nouns.
    OrderNounVerb = "order-noun-verb",
    /// Verbs that open a request.
    OrderVerb = "order-verb",
    /// Words that make a capitalised phrase an organisation, in their case.
    Organisation = "organisation",
    /// Cities, states, regions and continents with their adjectives.
    Place = "place",
    /// First words of names of places.
    PlaceBeginning = "place-beginning",
    /// Last words of names of places.
    PlaceEnding = "place-ending",
    /// Prepositions that a gerund may follow.
    Preposition = "preposition",
    /// Pronouns that can be subjects.
    Pronoun = "pronoun",
    /// What "to" plus a verb belongs to: no purpose of its own.
    Raising = "raising",
    /// Short forms with one meaning in plans; the lemma is what they stand for.
    ShortForm = "short-form",
    /// Words too common to tell two texts apart.
    Stop = "stop",
    /// Subordinating conjunctions.
    Subordinator = "subordinator",
    /// Verbs by which people tell themselves what to do, in their base form.
    TaskVerb = "task-verb",
    /// Titles before names of persons.
    Title = "title",
    /// Names of languages; the lemma is the code of ISO 639-1.
    Tongue = "tongue",
    /// Words that tell a language from others of its script; the lemma is its code.
    TongueWord = "tongue-word",
    /// Verbs in their base form that plans, requests and reports begin orders and purposes with.
    Verb = "verb",
    /// Organisation words that a generic body has as well ("Steering Committee").
    WeakOrganisation = "weak-organisation",
}

/// A set of classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes(u128);

impl Classes {
    /// Whether the set holds `class`.
    #[must_use]
    pub const fn has(self, class: Class) -> bool {
        self.0 >> class as u32 & 1 == 1
    }
}

/// One line of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The word or phrase.
    pub form: &'static str,
    /// What it stands for; the form itself where the table has none.
    pub lemma: &'static str,
    /// Its class.
    pub class: &'static str,
}

/// The hash of Fowler, Noll and Vo: the keys are those of the tables, so nobody can choose them to collide.
#[derive(Default)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

struct Lexicon {
    of: HashMap<&'static str, Classes, BuildHasherDefault<Fnv>>,
    /// For each class its forms, sorted, with their lemmas.
    by_class: Vec<Vec<(&'static str, &'static str)>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut of: HashMap<&'static str, Classes, BuildHasherDefault<Fnv>> = HashMap::default();
    let mut by_class = vec![Vec::new(); Class::ALL.len()];
    let mut class = Class::ALL[0];
    for entry in entries() {
        // Lines of one class stand together.
        if entry.class != class.name() {
            let Some(known) = Class::ALL.iter().find(|known| known.name() == entry.class) else { continue };
            class = *known;
        }
        of.entry(entry.form).or_default().0 |= 1 << class as u32;
        by_class[class as usize].push((entry.form, entry.lemma));
    }
    Lexicon { of, by_class }
});

/// Every entry of every table.
pub fn entries() -> impl Iterator<Item = Entry> {
    TABLES.iter().flat_map(|table| table.lines().skip(1)).filter_map(|line| {
        let mut cells = line.split('\t');
        let (form, lemma, class) = (cells.next()?, cells.next()?, cells.next()?);
        Some(Entry { form, lemma: if lemma.is_empty() { form } else { lemma }, class })
    })
}

/// The classes of a form, as it is written in the tables.
#[must_use]
pub fn classes(form: &str) -> Classes {
    LEXICON.of.get(form).copied().unwrap_or_default()
}

/// Whether a form is of a class.
#[must_use]
pub fn has(class: Class, form: &str) -> bool {
    classes(form).has(class)
}

/// The forms of a class, sorted, each with its lemma.
#[must_use]
pub fn forms(class: Class) -> &'static [(&'static str, &'static str)] {
    &LEXICON.by_class[class as usize]
}

/// The lemma of a form of a class; of several the first.
#[must_use]
pub fn lemma(class: Class, form: &str) -> Option<&'static str> {
    let all = forms(class);
    let (own, lemma) = all.get(all.partition_point(|(own, _)| *own < form))?;
    (*own == form).then_some(*lemma)
}

/// The forms of a family, each with what the rest of its class says.
pub fn family(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    entries().filter_map(move |entry| Some((entry.form, entry.class.strip_prefix(name)?.strip_prefix('.')?)))
}

/// The one of `all` that a part of a class's name means.
pub(crate) fn meant<T: Copy + Debug>(all: &[T], name: Option<&str>) -> Option<T> {
    let name = name?;
    all.iter().copied().find(|one| format!("{one:?}").eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::{Class, classes, entries, forms, has, lemma};

    #[test]
    fn every_entry_is_of_a_known_class() {
        for entry in entries() {
            // Families of classes whose names say what a form means.
            let family =
                ["modality", "negation", "notes"].iter().any(|family| entry.class.split('.').next() == Some(family));
            assert!(family || Class::ALL.iter().any(|class| class.name() == entry.class), "{entry:?}");
        }
        for class in Class::ALL {
            assert!(!forms(*class).is_empty() && forms(*class).is_sorted(), "{class:?}");
        }
    }

    #[test]
    fn forms_and_lemmas() {
        assert!(has(Class::Modal, "won't") && !has(Class::Modal, "Won't") && !has(Class::Verb, "won't"));
        assert_eq!(lemma(Class::Country, "Danish"), Some("Denmark"));
        assert_eq!(lemma(Class::Measure, "square metres"), Some("m²"));
        assert_eq!(lemma(Class::Irregular, "unheard-of"), None);
        assert_eq!(classes(""), super::Classes::default());
    }
}
