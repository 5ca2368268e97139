//! Who judged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who found or judged something: `code` is the rules of this program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Origin(String);

impl Origin {
    /// The rules of this program.
    #[must_use]
    pub fn code() -> Self {
        Self("code".to_owned())
    }

    /// As it is spelled in JSON.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl Default for Origin {
    fn default() -> Self {
        Self::code()
    }
}
