//! The closed vocabularies of `review`, spelled as they are published.

use crate::vocabulary::names;

names! {
    /// How the house uses 🐛 and 🔒.
    Profile {
        /// As the task-evals document does: a bug, a vulnerability.
        Seed = "seed", "bugs and security items stand";
        /// As "fixed" and "addressed".
        Fixed = "fixed", "bugs and security items are mended";
    }
}

names! {
    /// What found the item that reports on a criterion.
    Matcher {
        /// The criterion is the item, as a check-in lists it.
        Listed = "listed", "listed by the agent";
        /// Words that both share.
        Words = "words", "by words";
        /// An embedder.
        Embedder = "embedder", "by embedding";
        /// Somebody proposed it who understands both.
        Proposed = "proposed", "proposed";
    }
}
