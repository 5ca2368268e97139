//! What `review` publishes: the score of what an agent reports of its own work, what became of acceptance criteria, and which
//! claims code finds false.

mod names;
mod proposal;
mod report;
mod session;
mod undecided;

pub use names::{Matcher, Profile};
pub use proposal::{ReviewByCode, ReviewChat, ReviewProposal, ReviewProposed, ReviewSetAside};
pub use report::{
    CheckIn, Contradiction, Criterion, Dimensions, Flagged, FullPayload, Item, Labelled, NotCounted, Output,
    ReportedBy, Review, Tokens,
};
pub use session::{SessionAsk, SessionBreak, SessionClaim, SessionDeed, SessionEvidence, SessionRead};
pub use steadfast_review::CriterionStatus;
pub use steadfast_review::checks::ContradictionKind;
pub use steadfast_review::proposals::Relation as ReviewRelation;
pub use steadfast_review::session::{ClaimKind, ClaimState};
pub use steadfast_review::verdict::{Cap, Recommendation};
pub use undecided::{ReviewUndecided, UndecidedCall, UndecidedSentence};

/// The version of this module's JSON. It grows by one in its first part where a member changes its meaning (none is renamed or
/// dropped), in its second where one is added.
pub const SCHEMA_VERSION: &str = "1.5";

/// How tokens are estimated, as `tokens.estimate` says.
pub const TOKEN_ESTIMATE: &str = "characters / 4";
