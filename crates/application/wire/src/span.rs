//! Where a piece of text stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Verbatim text of a file and where it stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The file's name, relative to the folder or zip that was given, with `/` between its parts; as in `sources`.
    pub file: String,
    /// First byte, in bytes of the file as it was given.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text from `start` to `end`, as it stands in the file.
    pub quote: String,
}
