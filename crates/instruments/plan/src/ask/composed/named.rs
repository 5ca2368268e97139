//! What pieces name.

use super::super::clauses::Clause;
use super::super::pieces::Piece;
use super::super::when::Shape;
use crate::window::Interval;

/// A piece with its clause.
pub(super) struct Part<'l> {
    pub(super) line: usize,
    pub(super) piece: Piece,
    pub(super) clause: Clause<'l>,
}

/// What a piece names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Task(usize),
    /// An event of one's own, by its constraint.
    Event(usize),
    /// Somebody else's time.
    Others,
}

/// Something that is named.
pub(super) struct Named {
    pub(super) what: What,
    pub(super) stems: Vec<String>,
    /// When it takes place, where that is plain. A moment begins and ends with it.
    pub(super) when: Vec<Interval>,
    /// Whether the notes say when it is over.
    pub(super) ends: bool,
    /// The piece that names it.
    pub(super) part: usize,
}

/// Whether a word is one of some.
pub(super) fn low_is(word: &str, among: &[&str]) -> bool {
    among.contains(&word)
}

/// Whether a time of today stands in a clause.
pub(super) fn is_timed(clause: &Clause<'_>) -> bool {
    clause.when.stretches.iter().any(|it| it.today && !it.past && it.shape != Shape::Days)
}
