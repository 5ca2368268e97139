//! From bytes to a document: UTF-8, with or without a byte order mark, and nothing else.

use steadfast_text::{Document, Format, TextError};

use super::{File, prompt_json};
use crate::EngineError;
use crate::limits::FILE_BYTES_MAX;

/// Reads a file as its name says: Markdown, HTML or plain text. A byte order mark stays, since spans count the bytes of
/// the file as it was given. `shown` is its name in messages.
///
/// # Errors
/// [`EngineError::NotText`] for zero bytes, UTF-16 and invalid UTF-8, with the place; [`EngineError::FileTooLarge`].
pub fn document(shown: &str, file: &File) -> Result<Document, EngineError> {
    let refuse = |what: String| EngineError::NotText { file: shown.to_owned(), what };
    if file.bytes.starts_with(&[0xFF, 0xFE]) || file.bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(refuse("it is UTF-16, by its first two bytes".to_owned()));
    }
    Document::read(&file.name, &file.bytes, Format::of_name(&file.name)).map_err(|error| match error {
        TextError::NotUtf8 { offset, .. } => {
            let line = file.bytes[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
            refuse(format!("byte {offset} (line {line}) is 0x{:02X}, which is no UTF-8 there", file.bytes[offset]))
        }
        TextError::Binary { offset, .. } => refuse(format!("byte {offset} is zero, so it is a binary file")),
        TextError::TooLarge { bytes, .. } => {
            EngineError::FileTooLarge { file: shown.to_owned(), bytes: bytes as u64, limit_bytes: FILE_BYTES_MAX }
        }
        other => refuse(other.to_string()),
    })
}

/// The text of a file, byte for byte: a byte order mark stays.
///
/// # Errors
/// Those of [`document`].
pub fn text<'a>(shown: &str, file: &'a File) -> Result<&'a str, EngineError> {
    let (file, bytes) = (shown.to_owned(), file.bytes.as_slice());
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(EngineError::FileTooLarge { file, bytes: bytes.len() as u64, limit_bytes: FILE_BYTES_MAX });
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(EngineError::NotText { file, what: "it is UTF-16, by its first two bytes".to_owned() });
    }
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(EngineError::NotText { file, what: format!("byte {offset} is zero, so it is a binary file") });
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let offset = error.valid_up_to();
        let line = bytes[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
        EngineError::NotText {
            file,
            what: format!("byte {offset} (line {line}) is 0x{:02X}, which is no UTF-8 there", bytes[offset]),
        }
    })
}

/// Reads the prompt of a run, from JSON where it stands there.
///
/// # Errors
/// Those of [`document`], and [`EngineError::PromptFile`] for JSON of another form.
pub fn prompt_document(shown: &str, file: &File, is_json: bool) -> Result<Document, EngineError> {
    let document = document(shown, file)?;
    if is_json { prompt_json::document(shown, document.source) } else { Ok(document) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expect: &str) {
        let file = File { name: "a.md".to_owned(), bytes: bytes.to_vec() };
        let said = match document("run/a.md", &file) {
            Ok(document) => document.source,
            Err(error) => error.to_string(),
        };
        assert_eq!(said, expect);
        assert_eq!(text("run/a.md", &file).map_or_else(|error| error.to_string(), str::to_owned), expect);
    }

    #[test]
    fn what_is_text() {
        check(b"plain", "plain");
        check(b"", "");
        check("\u{FEFF}with mark".as_bytes(), "\u{FEFF}with mark");
        check("Smørrebrød 香港".as_bytes(), "Smørrebrød 香港");
        check(b"\xFF\xFEa\0", "run/a.md: is not text: it is UTF-16, by its first two bytes");
        check(b"\x89PNG\r\n\x1a\n\0", "run/a.md: is not text: byte 8 is zero, so it is a binary file");
        check(b"one\ntwo\xE9\n", "run/a.md: is not text: byte 7 (line 2) is 0xE9, which is no UTF-8 there");
        check(b"cut \xE2\x82", "run/a.md: is not text: byte 4 (line 1) is 0xE2, which is no UTF-8 there");
    }
}
