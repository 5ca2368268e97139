//! What an error means for whoever called.

use super::EngineError;

/// What an error means for whoever called; a command line makes an exit status of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// What was given cannot be used: another argument or file is needed (exit status 2).
    Input,
    /// There is nothing to evaluate (exit status 3).
    NotEvaluable,
    /// What was asked for by its name is not there (exit status 2).
    NotFound,
    /// It takes more memory than the work on one request may (exit status 2).
    Memory,
    /// Something outside failed (exit status 4).
    External,
    /// There is no room for what is to be kept (exit status 4).
    Full,
    /// The program itself failed (exit status 4).
    Fault,
}

impl EngineError {
    /// What the error means for whoever called.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::NotEvaluable { .. } => ErrorKind::NotEvaluable,
            Self::NoRun(_)
            | Self::NoTask(_)
            | Self::NoSession(_)
            | Self::NotKept { .. }
            | Self::NoTrajectory { .. }
            | Self::NoJob { .. }
            | Self::NoKey { .. }
            | Self::NoSelection { .. }
            | Self::NoPromptKept { .. } => ErrorKind::NotFound,
            Self::Internal { .. } => ErrorKind::Fault,
            Self::Store { full: true, .. } => ErrorKind::Full,
            Self::TooMuchMemory { .. } => ErrorKind::Memory,
            Self::Model { .. }
            | Self::NoEmbedder { .. }
            | Self::Store { .. }
            | Self::ResultTooLarge { .. }
            | Self::ClockJumped { .. }
            | Self::Stopped => ErrorKind::External,
            _ => ErrorKind::Input,
        }
    }
}
