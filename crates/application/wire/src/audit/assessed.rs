//! How much of an ask was judged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many obligations were judged: those that are kept, broken or weakened; those that must be and that nothing comes near; and those that
/// forbid something by name for which the whole answer was searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assessed {
    /// Obligations that were judged.
    pub n: usize,
    /// All obligations.
    pub of: usize,
    /// Those that were judged of the ones that must be kept.
    pub must_n: usize,
    /// All that must be kept.
    pub must_of: usize,
    /// How many of `n` were judged by whoever calls (`host`).
    #[serde(default)]
    pub by_host: usize,
}

impl Assessed {
    /// In words for a reader: "9 of 18 obligations, 7 of 12 that must be kept".
    #[must_use]
    pub fn words(&self) -> String {
        let noun = if self.of == 1 { "obligation" } else { "obligations" };
        let must = match self.must_of {
            0 => String::new(),
            of => format!(", {} of {of} that must be kept", self.must_n),
        };
        let by_host = if self.by_host == 0 { String::new() } else { format!(", {} by the host", self.by_host) };
        format!("{} of {} {noun}{must}{by_host}", self.n, self.of)
    }
}
