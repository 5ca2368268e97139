//! A proposal.

use steadfast_evidence::{Origin, reason};

steadfast_evidence::vocabulary! {
    /// What is said of a criterion, of a claim, or of what the user forbade or demanded.
    #[schemars(rename = "ReviewRelation")]
    Relation {
        /// The quote meets the criterion.
        Met = "met", "meets";
        /// The output leaves the criterion unmet.
        Unmet = "unmet", "leaves unmet";
        /// What was taken for a report on the criterion is none.
        Unreported = "unreported", "does not report";
        /// A call contradicts the claim, or without `turn` other words of the output do.
        Contradicted = "contradicted", "contradicts";
        /// A call bears the claim out.
        Supported = "supported", "bears out";
        /// No call speaks of the claim.
        Unsupported = "unsupported", "does not speak of";
        /// A call breaks what the user forbade or demanded. Without `turn` and `quote`: no call does what was demanded.
        Broken = "broken", "breaks";
        /// It is kept.
        Kept = "kept", "keeps";
    }
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
