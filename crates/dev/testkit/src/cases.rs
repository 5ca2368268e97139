//! The case tables of an instrument: an ask, an answer, and what a check must find in it.
//!
//! A table is a TOML file of `[[case]]` entries in an instrument's folder `cases/`:
//!
//! ```
//! # use steadfast_testkit::cases::parse;
//! let cases = parse(
//!     r#"
//!     [[case]]
//!     check = "banned-term-used"
//!     name = "a banned word in a heading"
//!     ask = "Plan a fair. Banned words: synergy."
//!     answer = "Synergy at the fair\n\nThere are stalls."
//!     expect = ["Synergy"]
//!     "#,
//! )?;
//! assert_eq!(cases[0].expect, ["Synergy"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;

/// One file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Its cases, in the order of the file; a table has at least the word `case`.
    pub case: Vec<Case>,
}

/// One row of a case table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The check's id.
    pub check: String,
    /// What the case shows; unique within its check.
    pub name: String,
    /// The prompt.
    pub ask: String,
    /// The report, where it is one file.
    #[serde(default)]
    pub answer: String,
    /// The artefacts by name, where it is a run.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// What the check must point at; empty where it must stay silent. See [`Case::expected`].
    pub expect: Vec<String>,
    /// Why.
    #[serde(default)]
    pub note: String,
    /// Why the rules do not manage the case yet; empty for those that they do.
    #[serde(default)]
    pub missed: String,
}

/// What a check must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected<'a> {
    /// These words of the answer.
    Quote(&'a str),
    /// That the answer says nothing of what these words of the ask say (`absent: ` and the words).
    Absence(&'a str),
}

impl Case {
    /// What the check must find, in the order of the table.
    pub fn expected(&self) -> impl Iterator<Item = Expected<'_>> {
        self.expect.iter().map(|words| match words.strip_prefix("absent: ") {
            Some(absent) => Expected::Absence(absent),
            None => Expected::Quote(words),
        })
    }
}

/// Why case tables cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A folder or a file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is no case table.
    #[error("{}: {source}", path.display())]
    NoTable {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
}

/// The cases of one table.
///
/// # Errors
/// Where the text is no TOML, a case lacks a member or has one that is not known.
pub fn parse(text: &str) -> Result<Vec<Case>, toml::de::Error> {
    toml::from_str::<Table>(text).map(|table| table.case)
}

/// The cases of all `*.toml` files in `folder`, in the order of the files' names.
///
/// # Errors
/// [`Error::Unreadable`] where the folder or a file in it cannot be read, [`Error::NoTable`] for the first file that is no
/// case table.
pub fn read(folder: &Path) -> Result<Vec<Case>, Error> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::Unreadable { path, source }
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
        cases.extend(parse(&text).map_err(|source| Error::NoTable { path, source: Box::new(source) })?);
    }
    Ok(cases)
}
