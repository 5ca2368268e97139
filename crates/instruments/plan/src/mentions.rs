//! What the words of a plan name: people and other names, meetings, deadlines. Whether the notes know them is asked here too.

mod deadlines;
mod meetings;
mod names;
mod words;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use steadfast_steps::flat;

use steadfast_annotate::content_stems;

pub use deadlines::{Due, Known, deadlines};
pub use meetings::unknown_meetings;
pub use names::unknown_names;

use crate::list::List;
use crate::model::{Notes, Rule, vocabulary};

/// Weekdays and months: the business of deadlines.
pub(crate) static CALENDAR: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    flat(0, || {
        vocabulary(
            "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september \
         october november december mon tue tues wed thu thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec",
        )
    })
});

/// Everything that the notes may be said to name, as stems.
#[must_use]
pub fn known_stems(notes: &Notes) -> BTreeSet<String> {
    let mut known = notes.vocabulary.clone();
    for task in &notes.tasks {
        known.extend(task.intent.iter().cloned());
        known.extend(stems(task.quote.text()));
        known.extend(meetings::nouns(&task.text));
    }
    for constraint in &notes.constraints {
        if let Rule::FixedEvent { name, .. } | Rule::Blocked { name: Some(name), .. } = &constraint.rule {
            known.extend(stems(name));
        }
    }
    known
}

pub(crate) fn stems(text: &str) -> Vec<String> {
    content_stems(text).into_iter().map(|(_, stem)| stem).collect()
}

/// Whether all words of a name are among the known ones.
#[must_use]
pub fn is_known(name: &str, known: &BTreeSet<String>) -> bool {
    stems(name).iter().all(|stem| known.contains(stem))
}

/// What people are called that nobody has to name.
const NOBODY: List = List("nobody");

/// What places are called that nobody has to name.
const ANYWHERE: List = List("anywhere");

/// Whether a name beside an item ("with", "place") says nothing.
#[must_use]
pub fn is_nobody(name: &str) -> bool {
    let low = name.trim().to_lowercase();
    low.is_empty() || NOBODY.contains(&low) || ANYWHERE.contains(&low)
}
