//! Why a file cannot be read as a calendar.

/// Why a file cannot be read as a calendar, with the line (from 1) where one is to blame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalendarError {
    /// It holds more bytes than are read.
    #[error("holds {bytes} bytes, more than the limit of {} MiB", crate::CALENDAR_BYTES_MAX / (1024 * 1024))]
    TooLarge {
        /// Its length.
        bytes: usize,
    },
    /// It holds more than is read.
    #[error("holds more than {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many are read.
        limit: usize,
    },
    /// A line cannot be read.
    #[error("line {line}: {what}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// It has none of what begins every calendar.
    #[error("is no calendar: it has no line `BEGIN:VCALENDAR`")]
    NoCalendar,
}

impl CalendarError {
    pub(crate) fn at(line: usize, what: impl Into<String>) -> Self {
        Self::Line { line, what: what.into() }
    }
}
