//! Why a call has no result.

use steadfast_wire::audit::NotEvaluable;

use super::{EngineError, ErrorKind};

/// Why a call has no result. The caller sees it in the form of its door.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// What it means for the caller.
    pub kind: ErrorKind,
    /// What and where.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// What stands in the place of the answer, where the use case has such a thing.
    pub answer: Option<Box<NotEvaluable>>,
}

impl Refusal {
    /// Something in what was given.
    #[must_use]
    pub fn input(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Input, message: message.into(), hint: None, answer: None }
    }

    /// Something outside the server, or the server itself.
    #[must_use]
    pub fn external(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::External, message: message.into(), hint: None, answer: None }
    }

    /// The program itself: what a door says of it is its own matter.
    #[must_use]
    pub fn fault(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Fault, message: message.into(), hint: None, answer: None }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        Self {
            kind: error.kind(),
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            answer: error.answer().cloned().map(Box::new),
        }
    }
}
