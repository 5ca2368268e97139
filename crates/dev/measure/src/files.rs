//! The files of a set, as whoever opened them gives them.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use crate::MeasureError;

/// All files of a set together, in bytes.
pub const SET_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// The files of one set by their names in its folder; of a file in a folder within it by its path there, with `/` between the parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(pub BTreeMap<String, Vec<u8>>);

impl Files {
    /// The files whose names end in `ending`, in the order of their names.
    pub fn ending<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = (&'a str, &'a [u8])> {
        self.0
            .iter()
            .filter(move |(name, _)| name.ends_with(ending))
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// The file of that name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }
}

/// The value that a whole file holds as JSON.
///
/// # Errors
///
/// [`MeasureError::Form`] with line and column where it is none of this type.
pub(crate) fn json<T: DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<T, MeasureError> {
    serde_json::from_slice(without_mark(bytes))
        .map_err(|error| MeasureError::Form { file: name.to_owned(), what: error.to_string() })
}

/// The values of a file with one JSON value a line; empty lines are passed over.
///
/// # Errors
///
/// [`MeasureError::Form`] with the line where one is none of this type.
pub(crate) fn json_lines<T: DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<Vec<T>, MeasureError> {
    Ok(placed_json_lines(name, bytes)?.into_iter().map(|(_, value)| value).collect())
}

/// The same, each value with its place: `file:line`.
///
/// # Errors
///
/// [`MeasureError::Form`] with the line where one is none of this type.
pub(crate) fn placed_json_lines<T: DeserializeOwned>(
    name: &str,
    bytes: &[u8],
) -> Result<Vec<(String, T)>, MeasureError> {
    without_mark(bytes)
        .split(|byte| *byte == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(at, line)| {
            let place = format!("{name}:{}", at + 1);
            match serde_json::from_slice(line) {
                Ok(value) => Ok((place, value)),
                Err(error) => Err(MeasureError::Form { file: place, what: error.to_string() }),
            }
        })
        .collect()
}

/// The values of all files of JSON lines whose names end so, each with its number in its file, and its place: `file:line`.
///
/// # Errors
///
/// [`MeasureError::NoFile`] where there is none, and [`MeasureError::Form`] with the line where one is none of this type.
pub(crate) fn examples<T: DeserializeOwned>(
    files: &Files,
    set: &'static str,
    ending: &str,
) -> Result<Vec<(usize, String, T)>, MeasureError> {
    let mut all = Vec::new();
    for (name, bytes) in files.ending(ending) {
        let placed = placed_json_lines(name, bytes)?.into_iter().enumerate();
        all.extend(placed.map(|(number, (place, value))| (number, place, value)));
    }
    if all.is_empty() { Err(MeasureError::NoFile { set, looked_for: format!("*{ending}") }) } else { Ok(all) }
}

/// The bytes without a byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}
