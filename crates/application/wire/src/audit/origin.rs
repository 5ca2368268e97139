//! Who judged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who found or judged something: `code` is the rules of this program, `chat:NAME` a chat model, `host` the agent or script that calls, `person` a person.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Origin(String);

/// What stands before the name of a chat model.
const CHAT: &str = "chat:";

impl Origin {
    /// The rules of this program.
    #[must_use]
    pub fn code() -> Self {
        Self("code".to_owned())
    }

    /// A chat model, by its name.
    #[must_use]
    pub fn chat(name: &str) -> Self {
        Self(format!("{CHAT}{name}"))
    }

    /// The agent or script that calls.
    #[must_use]
    pub fn host() -> Self {
        Self("host".to_owned())
    }

    /// A person.
    #[must_use]
    pub fn person() -> Self {
        Self("person".to_owned())
    }

    /// The name of the chat model, where it is one.
    #[must_use]
    pub fn chat_name(&self) -> Option<&str> {
        self.0.strip_prefix(CHAT)
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
