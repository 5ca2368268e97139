//! A reply as it comes together, whatever the protocol.

use steadfast_engine::chat::{Completion, Fault, FaultKind, Finish};

use crate::guard::Guard;
use crate::words::Told;

/// More tokens than any model reads or writes: a count above it is none.
pub(crate) const TOKENS_MAX: u64 = 10_000_000;

/// What goes wrong while a reply is read, before it is known whose words may be passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// What came is no answer.
    Protocol(String),
    /// The server says that it failed.
    Told(Told),
}

impl From<String> for Wrong {
    fn from(what: String) -> Self {
        Self::Protocol(what)
    }
}

/// A reply so far.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// What it says.
    pub(crate) text: String,
    guard: Guard,
    /// What it says as the input of a tool.
    pub(crate) tool: String,
    tool_guard: Guard,
    /// Why it stopped, once that is said.
    pub(crate) finish: Option<Finish>,
    /// Whether the model, or what filters it, refused.
    pub(crate) refused: bool,
    /// Tokens of the question, as counted there.
    pub(crate) prompt_tokens: Option<u64>,
    /// Tokens of the reply, as counted there.
    pub(crate) reply_tokens: Option<u64>,
    /// Whether there was a reply at all, be it empty.
    pub(crate) begun: bool,
    /// Whether the server said that this is all.
    pub(crate) ended: bool,
}

impl Reply {
    /// Adds words.
    pub(crate) fn say(&mut self, piece: &str) -> Result<(), Wrong> {
        self.text.push_str(piece);
        Ok(self.guard.push(&self.text, piece)?)
    }

    /// Adds to the input of a tool.
    pub(crate) fn call(&mut self, piece: &str) -> Result<(), Wrong> {
        self.tool.push_str(piece);
        Ok(self.tool_guard.push(&self.tool, piece)?)
    }

    /// How many bytes have come.
    pub(crate) const fn bytes(&self) -> usize {
        self.text.len() + self.tool.len()
    }

    /// The reply as it is at its end.
    pub(crate) fn completion(self) -> Completion {
        let finish = if self.refused { Finish::Declined } else { self.finish.unwrap_or(Finish::Unsaid) };
        Completion {
            text: if self.tool.is_empty() { self.text } else { self.tool },
            finish,
            prompt_tokens: self.prompt_tokens,
            reply_tokens: self.reply_tokens,
            attempts: 1,
        }
    }
}

/// A count of tokens, if it can be one.
pub(crate) fn count(value: Option<&serde_json::Value>) -> Option<u64> {
    value.and_then(serde_json::Value::as_u64).filter(|count| *count <= TOKENS_MAX)
}

/// Words in the kinds of errors that pass: another attempt may go better.
const PASSING: &[&str] = &[
    "overloaded",
    "rate_limit",
    "server_error",
    "api_error",
    "timeout",
    "unavailable",
    "429",
    "500",
    "502",
    "503",
    "529",
];

/// The fault that an error within a reply is.
pub(crate) fn fault(told: &Told, words: &str, origin: &str) -> Fault {
    let kind = if PASSING.iter().any(|word| told.code.contains(word)) { FaultKind::Busy } else { FaultKind::Wrong };
    let words = if words.is_empty() { "no words" } else { words };
    Fault::new(kind, format!("{origin}: an error instead of a reply: {words}"))
}
