//! Whose work a run is about.

use std::str::FromStr;

use crate::EngineError;
use crate::limits::LIVE_NAME_BYTES_MAX;

/// The name of an agent: 1 to [`LIVE_NAME_BYTES_MAX`] bytes without control characters, as in a trajectory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentName(String);

impl AgentName {
    /// A name that is given; where none is, there is none.
    ///
    /// # Errors
    /// [`EngineError::Steps`] where it is no name.
    pub fn given(name: Option<String>) -> Result<Option<Self>, EngineError> {
        name.as_deref().map(str::parse).transpose()
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AgentName {
    type Err = EngineError;

    fn from_str(name: &str) -> Result<Self, EngineError> {
        match wrong_name("the name of an agent", name) {
            None => Ok(Self(name.to_owned())),
            Some(what) => Err(EngineError::Steps { what }),
        }
    }
}

/// What is wrong with the name of a trajectory or an agent.
pub(crate) fn wrong_name(what: &str, given: &str) -> Option<String> {
    let bytes = given.len();
    let wrong = given.is_empty() || bytes > LIVE_NAME_BYTES_MAX || given.contains(char::is_control);
    wrong.then(|| {
        format!("{what} has 1 to {LIVE_NAME_BYTES_MAX} bytes and no control characters; this one has {bytes} bytes")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_neither_empty_nor_long_nor_of_several_lines() {
        for name in ["a", "support-eu", "<b>& \"Öz\"", &"x".repeat(LIVE_NAME_BYTES_MAX)] {
            assert_eq!(name.parse::<AgentName>().ok().map(|own| own.as_str().to_owned()).as_deref(), Some(name));
        }
        for none in ["", "a\nb", "a\u{85}b", "\u{1b}[31m", &"x".repeat(LIVE_NAME_BYTES_MAX + 1)] {
            assert!(none.parse::<AgentName>().is_err(), "{none:?}");
        }
        assert_eq!(AgentName::given(None).ok(), Some(None));
        assert!(AgentName::given(Some(String::new())).is_err());
    }
}
