//! A proposal.

use steadfast_evidence::{Origin, reason};

/// What is said of a criterion, of a claim, or of what the user forbade or demanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The quote meets the criterion.
    Met,
    /// The output leaves it unmet.
    Unmet,
    /// What was taken for a report on it is none.
    Unreported,
    /// Other words of the output contradict the claim, or those of a call do.
    Contradicted,
    /// A call bears the claim out.
    Supported,
    /// No call speaks of the claim.
    Unsupported,
    /// A call breaks what was forbidden or demanded. Without a quote: no call does what was demanded.
    Broken,
    /// It is kept.
    Kept,
}

/// What is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The criterion: its id, or its text.
    pub criterion: Option<String>,
    /// Words of the output that claim something.
    pub claim: Option<String>,
    /// Words of the user that forbid or demand something.
    pub asked: Option<String>,
    /// What is said of it.
    pub relation: Relation,
    /// The turn, from 1, whose calls hold the quote. Without one it stands in the output.
    pub turn: Option<usize>,
    /// Words of the output that say so, or of a call or what it gave back.
    pub quote: String,
    /// Why, for a reader.
    pub why: String,
}

/// What one origin proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// Who proposes it.
    pub by: Origin,
    /// What is proposed.
    pub proposals: Vec<Proposal>,
}

/// Why, on one line and cut.
pub(crate) fn why(own: &Proposal) -> String {
    reason(&own.why)
}
