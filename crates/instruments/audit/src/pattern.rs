//! Patterns of this crate, each compiled once.

use std::sync::LazyLock;

use steadfast_steps::Regex;

/// A pattern that is compiled once; `None` never occurs, for they are all tested.
pub(crate) type Pattern = LazyLock<Option<Regex>>;

/// Whether a pattern matches.
pub(crate) fn hit(pattern: &Pattern, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}
