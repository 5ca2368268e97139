//! What could not be read of a log, and where.

use std::fmt;

/// Characters that a message has at most, since it may quote what it is about.
const MESSAGE_CHARS_MAX: usize = 300;

/// What could not be read: where and why. `file:line:column: message` is how it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The line, from 1.
    pub line: usize,
    /// The byte in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Misread {}

impl Misread {
    /// A problem of a whole record.
    pub(crate) fn of(line: usize, message: impl Into<String>) -> Self {
        Self { line, column: 1, message: clipped(&message.into()) }
    }

    /// What the parser says of a text that begins on `line`.
    pub(crate) fn parser(line: usize, error: &serde_json::Error) -> Self {
        let (below, column) = (error.line(), error.column());
        let said = error.to_string();
        let message = clipped(said.strip_suffix(&format!(" at line {below} column {column}")).unwrap_or(&said));
        Self { line: line + below.saturating_sub(1), column: column.max(1), message }
    }

    /// Bytes that are no UTF-8, in a text that begins on `line`.
    pub(crate) fn encoding(line: usize, bytes: &[u8], error: std::str::Utf8Error) -> Self {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let row = before.iter().filter(|it| **it == b'\n').count();
        let start = before.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
        let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
        let message = format!("byte 0x{byte:02x} is no UTF-8");
        Self { line: line + row, column: before.len() - start + 1, message }
    }
}

fn clipped(message: &str) -> String {
    match message.char_indices().nth(MESSAGE_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}
