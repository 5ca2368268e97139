//! What can be wrong with what is asked for, and with the queue.

/// Why something is not exported. No message holds a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// A name that no exporter has.
    #[error("`{given}` is no exporter")]
    Unknown {
        /// What was given.
        given: String,
    },
    /// A setting that is missing or cannot be used.
    #[error("{exporter}: {why}")]
    Setting {
        /// The exporter.
        exporter: &'static str,
        /// What is wrong. It names the setting, never its value where that may be secret.
        why: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// The queue holds all that it may.
    #[error("the queue is full: it holds {entries} entries of {bytes} bytes")]
    Full {
        /// Its entries, failed ones included.
        entries: u64,
        /// Their bytes.
        bytes: u64,
    },
    /// A trace larger than what the queue takes.
    #[error("a trace of {bytes} bytes is not taken: the limit is {limit_bytes} bytes")]
    TooLarge {
        /// Its bytes.
        bytes: u64,
        /// The limit.
        limit_bytes: u64,
    },
    /// Another program holds the queue or a file, and does not let go of it.
    #[error("{what} is held by another program")]
    Busy {
        /// What.
        what: &'static str,
    },
    /// The disk.
    #[error("{what}: {why}")]
    Io {
        /// What was written or read, without the folders of the machine.
        what: String,
        /// What the system says.
        why: String,
    },
    /// What has no JSON form, or no client: a fault of ours.
    #[error("{what}")]
    Internal {
        /// What.
        what: String,
    },
}

impl ExportError {
    /// What to do about it, where something can be said.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unknown { .. } => Some("exporters are `jsonl:FILE`, `opik` and `otlp`"),
            Self::Setting { hint, .. } => Some(hint),
            Self::Full { .. } => {
                Some("`steadfast export flush` sends what waits, `steadfast export status` says what stands in the way")
            }
            Self::Busy { .. } => Some("try again once the other program has ended"),
            Self::TooLarge { .. } | Self::Io { .. } | Self::Internal { .. } => None,
        }
    }

    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, why: error.to_string() }
    }
}
