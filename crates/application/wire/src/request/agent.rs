//! The name of an agent.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bytes of the name of an agent or a trajectory.
pub const AGENT_BYTES_MAX: usize = 512;

/// The name of an agent: 1 to 512 bytes without control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("minLength" = 1, "maxLength" = 512))]
pub struct AgentName(String);

impl AgentName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that cannot be the name of an agent: its length in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadAgentName {
    /// Bytes of the text.
    pub bytes: usize,
}

impl fmt::Display for BadAgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the name of an agent has 1 to {AGENT_BYTES_MAX} bytes and no control characters; this one has {} bytes",
            self.bytes
        )
    }
}

impl std::error::Error for BadAgentName {}

impl TryFrom<String> for AgentName {
    type Error = BadAgentName;

    fn try_from(name: String) -> Result<Self, BadAgentName> {
        let bytes = name.len();
        let is_bad = name.is_empty() || bytes > AGENT_BYTES_MAX || name.contains(char::is_control);
        if is_bad { Err(BadAgentName { bytes }) } else { Ok(Self(name)) }
    }
}

impl From<AgentName> for String {
    fn from(name: AgentName) -> Self {
        name.0
    }
}

impl FromStr for AgentName {
    type Err = BadAgentName;

    fn from_str(name: &str) -> Result<Self, BadAgentName> {
        Self::try_from(name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_neither_empty_nor_long_nor_of_several_lines() {
        for name in ["a", "support-eu", "<b>& \"Öz\"", &"x".repeat(AGENT_BYTES_MAX)] {
            assert_eq!(name.parse::<AgentName>().ok().map(|own| own.as_str().to_owned()).as_deref(), Some(name));
        }
        for none in ["", "a\nb", "a\u{85}b", "\u{1b}[31m", &"x".repeat(AGENT_BYTES_MAX + 1)] {
            assert!(none.parse::<AgentName>().is_err(), "{none:?}");
        }
    }
}
