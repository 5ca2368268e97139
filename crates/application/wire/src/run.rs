//! What changes from run to run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The run that an answer was stored as: the one member that is not the same for the same input. It is there only where the run is
/// stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Its UUIDv7.
    pub id: String,
    /// When it began: RFC 3339 in UTC.
    pub started: String,
    /// How long each part took, in milliseconds; `total` is all of it up to storing.
    pub ms: BTreeMap<String, u64>,
}
