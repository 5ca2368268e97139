//! The settings file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use steadfast_wire::settings::Settings;

use super::variable;
use crate::exit::Failure;
use crate::input;

/// The name that is looked for in the working folder.
pub(crate) const NAME: &str = "steadfast.toml";

/// Largest settings file, in bytes.
const BYTES_MAX: u64 = 1 << 20;

/// A settings file that was read, if there is one.
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingsFile {
    /// What it says.
    pub(crate) settings: Settings,
    /// Where it was, as it was named; `None` where there is none.
    pub(crate) path: Option<PathBuf>,
}

impl SettingsFile {
    /// A path that the file names: relative to its own folder.
    pub(crate) fn beside(&self, path: &str) -> PathBuf {
        self.path.as_deref().and_then(Path::parent).map_or_else(|| PathBuf::from(path), |folder| folder.join(path))
    }

    /// What the file is called in messages.
    pub(crate) fn name(&self) -> String {
        self.path.as_deref().map_or_else(|| NAME.to_owned(), |path| path.display().to_string())
    }
}

/// Reads the settings file: that of the flag, else of `STEADFAST_CONFIG`, which must be there; else that of the working folder, if it is.
pub(crate) fn read(flag: Option<PathBuf>) -> Result<SettingsFile, Failure> {
    let named = flag.or_else(|| variable("STEADFAST_CONFIG"));
    let path = named.clone().unwrap_or_else(|| PathBuf::from(NAME));
    let text = match text(&path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => return Ok(SettingsFile::default()),
        Err(error) => return Err(input::unreadable(&path, &error)),
    };
    Ok(SettingsFile { settings: parsed(&path, &text)?, path: Some(path) })
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let bytes = File::open(path)?.take(BYTES_MAX + 1).read_to_string(&mut text)?;
    if bytes as u64 > BYTES_MAX {
        return Err(io::Error::other(format!("holds more than {BYTES_MAX} bytes")));
    }
    Ok(text)
}

/// What a file says, or the line at which it says what cannot be. The line itself is not repeated: a key may stand there by mistake.
fn parsed(path: &Path, text: &str) -> Result<Settings, Failure> {
    toml::from_str(text).map_err(|error| {
        refused(path, text, &error)
            .hint("`steadfast schema settings` has every setting; keys stand in a variable (`key_env`) or a file of their own (`key_file`)")
    })
}

/// Characters that are told of what the parser says: it repeats names and values of the file.
const SAID_CHARS_MAX: usize = 400;

/// Why a file of TOML is refused, with the line.
pub(crate) fn refused(path: &Path, text: &str, error: &toml::de::Error) -> Failure {
    let place = error.span().map_or_else(String::new, |span| {
        let before = &text.as_bytes()[..span.start.min(text.len())];
        format!(":{}", before.iter().filter(|byte| **byte == b'\n').count() + 1)
    });
    let said = error.message().replace('\n', "; ");
    let said = match said.char_indices().nth(SAID_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &said[..end]),
        None => said,
    };
    Failure::usage(format!("{}{place}: {said}", path.display()))
}
