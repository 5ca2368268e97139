//! Lists of words of notes and plans, from the table `notes.tsv` of the lexicon.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use steadfast_annotate::lexicon::family;
use steadfast_steps::flat;

static LISTS: LazyLock<HashMap<&str, BTreeSet<&str>>> = LazyLock::new(|| {
    flat(0, || {
        let mut all: HashMap<_, BTreeSet<_>> = HashMap::new();
        for (form, list) in family("notes") {
            all.entry(list).or_default().insert(form);
        }
        all
    })
});

/// A list by its name: the rest of the class of its words, behind "notes.".
#[derive(Clone, Copy)]
pub(crate) struct List(pub(crate) &'static str);

impl List {
    /// Its words.
    pub(crate) fn words(self) -> &'static BTreeSet<&'static str> {
        &LISTS[self.0]
    }

    /// Whether a word in small letters is one of them.
    pub(crate) fn contains(self, low: &str) -> bool {
        self.words().contains(low)
    }
}
