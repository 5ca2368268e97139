//! What became of an acceptance criterion, and who says so.

use steadfast_evidence::Origin;
use steadfast_text::Span;

use crate::answer::{Profile, Sign};

steadfast_evidence::vocabulary! {
    /// What became of an acceptance criterion.
    CriterionStatus {
        /// An item says that it is met.
        Met = "met", "met";
        /// An item reports on it otherwise.
        Unmet = "unmet", "not met";
        /// No item reports on it.
        Unreported = "unreported", "not reported";
    }
}

/// A criterion and what reports on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    /// The criterion.
    pub text: String,
    /// What became of it.
    pub status: CriterionStatus,
    /// Who says so.
    pub origin: Origin,
    /// What code says, where somebody else settled it.
    pub by_code: Option<CriterionStatus>,
    /// What reports on it.
    pub by: Option<ReportedBy>,
}

impl Criterion {
    /// What becomes of it for the verdict: what whoever calls finds met may be its own work, and counts only where it is trusted.
    #[must_use]
    pub fn counted(&self, trusts_host: bool) -> CriterionStatus {
        match self.by_code {
            Some(by_code) if self.origin == Origin::Host && self.status == CriterionStatus::Met && !trusts_host => {
                by_code
            }
            _ => self.status,
        }
    }
}

/// The item that reports on a criterion.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportedBy {
    /// Its index among the items with weights; `None` where its sign has none.
    pub item: Option<usize>,
    /// Its sign.
    pub mark: String,
    /// What it says.
    pub text: String,
    /// Where it stands, in bytes of the output.
    pub span: Span,
    /// How well it fits, 0 to 1; `None` where the criterion is the item itself.
    pub fit: Option<f64>,
    /// Whether words found it; else the embedder did.
    pub lexical: bool,
    /// Whether somebody proposed it.
    pub proposed: bool,
}

/// Whether an item says that what it speaks of is as it should be.
pub(crate) fn good(sign: Sign, profile: Profile) -> bool {
    sign.weight_tenths(profile) > 0
}
