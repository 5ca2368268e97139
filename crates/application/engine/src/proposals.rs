//! What proposals of all instruments have in common: the file that they come in, and who makes them.

use steadfast_evidence::Origin;
use steadfast_wire::audit as wire;

use crate::EngineError;
use crate::intake::File;

/// The text of a file of proposals.
pub(crate) fn text(file: &File) -> Result<&str, EngineError> {
    let text = std::str::from_utf8(&file.bytes).map_err(|error| refused(file, format!("is not UTF-8: {error}")))?;
    Ok(text.trim_start_matches('\u{feff}'))
}

/// What is said of a file that holds no proposals.
pub(crate) fn refused(file: &File, what: String) -> EngineError {
    EngineError::ProposalsFile { file: file.name.clone(), what }
}

/// Who found something, as it is published.
pub(crate) fn origin(own: &Origin) -> wire::Origin {
    match own {
        Origin::Code => wire::Origin::code(),
        Origin::Chat(name) => wire::Origin::chat(name),
        Origin::Host => wire::Origin::host(),
        Origin::Person(_) => wire::Origin::person(),
    }
}

/// The first bytes of a text, up to the end of a word: what is quoted of a part of a word stands nowhere.
pub(crate) fn cut(text: &str, bytes_max: usize) -> String {
    let head = &text[..text.floor_char_boundary(bytes_max)];
    let ends_in_a_word = text[head.len()..].starts_with(char::is_alphanumeric);
    let whole = head.rfind(char::is_whitespace).filter(|_| ends_in_a_word).and_then(|at| head.get(..at));
    whole.unwrap_or(head).trim_end().to_owned()
}
