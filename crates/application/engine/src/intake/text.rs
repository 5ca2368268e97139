//! From bytes to a document: UTF-8, with or without a byte order mark; UTF-16 with one; Word documents.

use std::borrow::Cow;

use steadfast_text::{BLOCKS_MAX, Document, Format, TextError};

use super::{File, docx, prompt_json};
use crate::EngineError;
use crate::limits::FILE_BYTES_MAX;

/// Files that hold text and are not read, by their first bytes, and what makes a text of them.
const CONVERTED: [(&[u8], &str, &str); 2] = [
    (b"%PDF", "a PDF", "`pdftotext -layout FILE FILE.txt`"),
    (b"{\\rtf", "an RTF document", "`soffice --headless --convert-to docx FILE`"),
];

/// The same for archives of an office, by a member that they hold.
const OFFICE: [(&str, &str, &str); 4] = [
    ("xl/workbook.xml", "a workbook of Excel", "`soffice --headless --convert-to csv FILE`"),
    (
        "ppt/presentation.xml",
        "a presentation of PowerPoint",
        "`soffice --headless --convert-to pdf FILE`, then `pdftotext`",
    ),
    ("content.xml", "a document of LibreOffice", "`soffice --headless --convert-to docx FILE`"),
    ("word/document.bin", "a Word document of another kind", "`soffice --headless --convert-to docx FILE`"),
];

/// Reads a file as its name says: Markdown, HTML or plain text; a Word document as Markdown. A byte order mark of UTF-8 stays, since spans count the
/// bytes of the file as it was given. `shown` is its name in messages.
///
/// # Errors
/// [`EngineError::NotText`] for zero bytes and what is no UTF-8 or UTF-16, with the place, and for files of an office that are not read;
/// [`EngineError::FileTooLarge`] and [`EngineError::TooManyBlocks`].
pub fn document(shown: &str, file: &File) -> Result<Document, EngineError> {
    let source = text(shown, file)?;
    let format = if docx::is_docx(&file.bytes) { Format::Markdown } else { Format::of_name(&file.name) };
    Document::read(&file.name, source.as_bytes(), format).map_err(|error| match error {
        TextError::TooLarge { bytes, .. } => {
            EngineError::FileTooLarge { file: shown.to_owned(), bytes: bytes as u64, limit_bytes: FILE_BYTES_MAX }
        }
        TextError::TooManyBlocks { .. } => {
            EngineError::TooManyBlocks { file: shown.to_owned(), blocks_max: BLOCKS_MAX }
        }
        other => EngineError::NotText { file: shown.to_owned(), what: other.to_string() },
    })
}

/// What a reader should know of a file whose text is not its bytes.
#[must_use]
pub fn note(file: &File) -> Option<String> {
    let what = if is_utf16(&file.bytes) {
        "UTF-16"
    } else if docx::is_docx(&file.bytes) {
        "a Word document"
    } else {
        return None;
    };
    Some(format!("{what}: places are bytes of its text in UTF-8"))
}

fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF])
}

/// The text of a file: of UTF-8 byte for byte, with its byte order mark; of UTF-16 and of a Word document what it says.
///
/// # Errors
/// Those of [`document`].
pub fn text<'a>(shown: &str, file: &'a File) -> Result<Cow<'a, str>, EngineError> {
    let bytes = file.bytes.as_slice();
    let refuse = |what: String| EngineError::NotText { file: shown.to_owned(), what };
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let (file, bytes) = (shown.to_owned(), bytes.len() as u64);
        return Err(EngineError::FileTooLarge { file, bytes, limit_bytes: FILE_BYTES_MAX });
    }
    if is_utf16(bytes) {
        return utf16(bytes).map(Cow::Owned).map_err(refuse);
    }
    if super::is_archive(bytes) {
        if docx::is_docx(bytes) {
            return docx::markdown(bytes).map(Cow::Owned).map_err(refuse);
        }
        let found = OFFICE.iter().find(|(member, ..)| super::archive::holds(bytes, member));
        if let Some((_, what, command)) = found {
            return Err(refuse(format!("it is {what}; {command} makes a text of it")));
        }
    }
    if let Some((_, what, command)) = CONVERTED.iter().find(|(first, ..)| bytes.starts_with(first)) {
        return Err(refuse(format!("it is {what}; {command} makes a text of it")));
    }
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(refuse(format!("byte {offset} is zero, so it is a binary file")));
    }
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
        let offset = error.valid_up_to();
        let line = bytes[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
        refuse(format!("byte {offset} (line {line}) is 0x{:02X}, which is no UTF-8 there", bytes[offset]))
    })
}

/// The text of UTF-16 with a byte order mark, which says in which order the bytes of a unit stand.
fn utf16(bytes: &[u8]) -> Result<String, String> {
    let is_little = bytes.starts_with(&[0xFF, 0xFE]);
    let units = bytes[2..].chunks(2).map(|pair| match *pair {
        [a, b] if is_little => u16::from_le_bytes([a, b]),
        [a, b] => u16::from_be_bytes([a, b]),
        // Half a unit is none.
        _ => 0xDC00,
    });
    let mut out = String::with_capacity(bytes.len());
    let mut at = 2;
    for decoded in char::decode_utf16(units) {
        match decoded {
            Ok('\0') => return Err(format!("byte {at} begins a zero, so it is a binary file")),
            Ok(c) => {
                out.push(c);
                at += 2 * c.len_utf16();
            }
            Err(_) => return Err(format!("byte {at} begins no character of UTF-16")),
        }
    }
    Ok(out)
}

/// Reads the prompt of a run, from JSON where it stands there.
///
/// # Errors
/// Those of [`document`], and [`EngineError::PromptFile`] for JSON of another form.
pub fn prompt_document(shown: &str, file: &File, is_json: bool) -> Result<Document, EngineError> {
    let document = document(shown, file)?;
    if is_json { prompt_json::document(shown, document.source.to_string()) } else { Ok(document) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expect: &str) {
        let file = File { name: "a.md".to_owned(), bytes: bytes.to_vec() };
        let said = match document("run/a.md", &file) {
            Ok(document) => document.source.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(said, expect);
        assert_eq!(text("run/a.md", &file).map_or_else(|error| error.to_string(), Cow::into_owned), expect);
    }

    #[test]
    fn too_many_blocks_are_refused_in_one_sentence() {
        let file = File { name: "list.md".to_owned(), bytes: "- a\n".repeat(BLOCKS_MAX + 1).into_bytes() };
        let error = document("run/list.md", &file).unwrap_err();
        assert_eq!(error.to_string(), format!("run/list.md: has more than {BLOCKS_MAX} paragraphs, items and cells"));
        assert_eq!(error.hint(), Some("give less at a time"));
    }

    #[test]
    fn what_is_text() {
        check(b"plain", "plain");
        check(b"", "");
        check("\u{FEFF}with mark".as_bytes(), "\u{FEFF}with mark");
        check("Smørrebrød 香港".as_bytes(), "Smørrebrød 香港");
        check(b"\xFF\xFEa\0\xE9\0", "aé");
        check(b"\xFE\xFF\0a\xD8\x3D\xDE\0", "a😀");
        check(b"\xFF\xFEa\0b", "run/a.md: is not text: byte 4 begins no character of UTF-16");
        check(b"\xFF\xFEa\0\0\0", "run/a.md: is not text: byte 4 begins a zero, so it is a binary file");
        check(b"%PDF-1.7", "run/a.md: is not text: it is a PDF; `pdftotext -layout FILE FILE.txt` makes a text of it");
        check(b"\x89PNG\r\n\x1a\n\0", "run/a.md: is not text: byte 8 is zero, so it is a binary file");
        check(b"one\ntwo\xE9\n", "run/a.md: is not text: byte 7 (line 2) is 0xE9, which is no UTF-8 there");
        check(b"cut \xE2\x82", "run/a.md: is not text: byte 4 (line 1) is 0xE2, which is no UTF-8 there");
    }
}
