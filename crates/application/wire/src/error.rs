//! What can go wrong between a value and its JSON.

/// Why a value could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The value has no JSON form (a map key that is no string, say).
    #[error("cannot write JSON: {0}")]
    Write(#[source] serde_json::Error),
    /// The text is not JSON of this type; the message names line and column.
    #[error("cannot read JSON: {0}; hint: members are named as in the published schema, and no others are accepted")]
    Read(#[source] serde_json::Error),
    /// A cursor that this evaluation never gave out.
    #[error("no incident has the cursor {0:?}; hint: take `next_cursor` of the page before, with the same settings")]
    UnknownCursor(String),
}
