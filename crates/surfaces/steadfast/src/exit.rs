//! How the program ends.

use std::fmt;
use std::process::ExitCode;

use steadfast_engine::{EngineError, ErrorKind};
use steadfast_wire::audit::NotEvaluable;

/// The exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Passed, or nothing was asked to fail on.
    Passed = 0,
    /// A gate failed.
    Gate = 1,
    /// Arguments, files or settings cannot be used.
    Usage = 2,
    /// There is nothing to evaluate.
    NotEvaluable = 3,
    /// A model, the store, the disk or the program failed.
    External = 4,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

impl From<ErrorKind> for Status {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Input | ErrorKind::NotFound | ErrorKind::Memory => Self::Usage,
            ErrorKind::NotEvaluable => Self::NotEvaluable,
            ErrorKind::External | ErrorKind::Full | ErrorKind::Fault => Self::External,
        }
    }
}

/// Why a command ended without a result.
#[derive(Debug)]
pub struct Failure {
    /// How the program ends.
    pub status: Status,
    /// What and where.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// What stands in the place of the result, where the command has such a thing.
    pub answer: Option<Box<NotEvaluable>>,
}

impl Failure {
    /// Something in arguments, files or settings.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { status: Status::Usage, message: message.into(), hint: None, answer: None }
    }

    /// Something outside the program.
    pub fn external(message: impl Into<String>) -> Self {
        Self { status: Status::External, message: message.into(), hint: None, answer: None }
    }

    /// The same with what to do about it.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        steadfast_engine::calls::Refusal::from(error).into()
    }
}

impl From<steadfast_store::StoreError> for Failure {
    fn from(error: steadfast_store::StoreError) -> Self {
        Self::external(error.to_string()).hint(error.hint())
    }
}

impl From<steadfast_render::Error> for Failure {
    fn from(error: steadfast_render::Error) -> Self {
        Self::external(error.to_string())
    }
}

impl From<steadfast_wire::Error> for Failure {
    fn from(error: steadfast_wire::Error) -> Self {
        Self::external(error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
