//! What a verdict is made of: obligations that quote the ask, findings that quote the answer or name what they looked for
//! in vain, and the verdict that code computes from them; and by which version of the rules.

mod arithmetic;
mod evaluated;
mod finding;
mod obligation;
mod origin;
mod proposal;
mod quote;
mod rules;
mod vocabulary;

pub use arithmetic::{Statement, StatementKind, contradictions, stated_arithmetic};
pub use evaluated::{Evaluated, Reason};
pub use finding::{Absence, Confidence, Evidence, Finding, Severity};
pub use obligation::{Basis, Obligation, Polarity, Status, Strength};
pub use origin::Origin;
pub use proposal::{
    PROPOSALS_MAX, PROPOSED_QUOTE_BYTES_MAX, PROPOSED_QUOTE_BYTES_MIN, WHY_CHARS_MAX, find_words, is_whole, quotable,
    reason, shown,
};
pub use quote::{FileId, Quote};
pub use rules::RULES_VERSION;
