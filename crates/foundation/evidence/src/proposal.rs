//! The limits of what somebody proposes of a text, the same for every instrument.

/// Proposals of one origin that are read, at most.
pub const PROPOSALS_MAX: usize = 2_000;
/// Characters of a reason that are kept.
pub const WHY_CHARS_MAX: usize = 400;
/// A quote of more points at nothing, in bytes.
pub const PROPOSED_QUOTE_BYTES_MAX: usize = 600;
/// Letters and digits of a quote, in bytes, at least.
pub const PROPOSED_QUOTE_BYTES_MIN: usize = 4;
