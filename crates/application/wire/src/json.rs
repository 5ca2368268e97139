//! The one way from a value to its bytes and back.

use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;

use crate::Error;

/// The JSON of `value`: indented by two spaces, members in the order of the type, one newline at the end. Control
/// characters of judged text are escaped as JSON asks; everything else stands as it is, in UTF-8.
///
/// # Errors
/// [`Error::Write`] where the value has no JSON form; no type of this crate is without one.
pub fn to_json<T: Serialize>(value: &T) -> Result<String, Error> {
    let mut text = serde_json::to_string_pretty(value).map_err(Error::Write)?;
    text.push('\n');
    Ok(text)
}

/// The JSON of `value` on one line, with a newline at its end: a record of a JSON lines file.
///
/// # Errors
/// [`Error::Write`] where the value has no JSON form; no type of this crate is without one.
pub fn to_json_line<T: Serialize>(value: &T) -> Result<String, Error> {
    let mut text = serde_json::to_string(value).map_err(Error::Write)?;
    text.push('\n');
    Ok(text)
}

/// Reads a value from its JSON. Members that the type does not know are refused.
///
/// # Errors
/// [`Error::Read`] with line and column where the text is not JSON of this type.
pub fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(Error::Read)
}

/// JSON that is not of a type, and the place of what is wrong with it.
#[derive(Debug)]
pub struct Malformed {
    /// What is wrong, with line and column.
    pub error: serde_json::Error,
    /// The JSON Pointer (RFC 6901) of the place, where what is wrong is a value and not the syntax.
    pub pointer: Option<String>,
}

/// Reads a value from its JSON, as [`from_json`] does, and says where in it something is wrong.
///
/// # Errors
/// [`Malformed`]
pub fn from_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, Malformed> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let pointer = Some(pointer(error.path()));
        Malformed { error: error.into_inner(), pointer }
    });
    let read = read?;
    reader.end().map_err(|error| Malformed { error, pointer: None })?;
    Ok(read)
}

/// The JSON Pointer of a place.
fn pointer(path: &serde_path_to_error::Path) -> String {
    let mut pointer = String::new();
    for segment in path.iter() {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => {
                pointer.push('/');
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

/// The JSON Schema (draft 2020-12) of a type.
#[must_use]
pub fn schema<T: JsonSchema>() -> Schema {
    schemars::schema_for!(T)
}

/// Whether a file that begins so is a result that was saved, and not steps: our JSON begins with its version.
#[must_use]
pub fn begins_a_result(beginning: &[u8]) -> bool {
    let rest = beginning.strip_prefix("\u{feff}".as_bytes()).unwrap_or(beginning).trim_ascii_start();
    rest.strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\"schema_version\""))
}
