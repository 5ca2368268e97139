//! How a model can be held to a form: found out by asking, and remembered for each server and model.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};
use steadfast_wire::settings::ServerKind;

/// The file in the cache folder.
const FILE: &str = "chat-modes.json";

/// Largest such file, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// How a model is held to a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By the schema, which the server enforces: `response_format` of type `json_schema`, or Anthropic's `output_config.format`.
    JsonSchema,
    /// By JSON alone, of any form: `response_format` of type `json_object`.
    JsonObject,
    /// By a tool that it must call, whose input has the form (Anthropic).
    Tool,
    /// By the words of the instructions alone.
    Prompt,
}

impl Mode {
    /// Its name in outputs and in the cache.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::JsonSchema => "json_schema",
            Self::JsonObject => "json_object",
            Self::Tool => "tool",
            Self::Prompt => "prompt",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::JsonSchema, Self::JsonObject, Self::Tool, Self::Prompt].into_iter().find(|mode| mode.name() == name)
    }

    /// What is tried where a server does not take this one.
    pub(crate) const fn below(self, kind: ServerKind) -> Option<Self> {
        match (self, kind) {
            (Self::JsonSchema, ServerKind::Openai) => Some(Self::JsonObject),
            (Self::JsonSchema, ServerKind::Anthropic) => Some(Self::Tool),
            (Self::JsonObject | Self::Tool, _) => Some(Self::Prompt),
            (Self::Prompt, _) => None,
        }
    }
}

/// What is known of the modes of servers and their models. One for all servers.
#[derive(Debug, Default)]
pub struct Modes {
    known: Mutex<BTreeMap<String, Known>>,
    file: Option<PathBuf>,
}

/// What is known of one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// In which mode it is asked.
    pub(crate) mode: Mode,
    /// Whether it has answered in it.
    pub(crate) proved: bool,
}

impl Modes {
    /// Nothing known, or what is kept in a cache folder. What cannot be read there is not known.
    #[must_use]
    pub fn new(folder: Option<&Path>) -> Self {
        let file = folder.map(|folder| folder.join(FILE));
        let known = file.as_deref().and_then(read).unwrap_or_default();
        Self { known: Mutex::new(known), file }
    }

    /// In which mode a model at a server is known to answer.
    #[must_use]
    pub fn proved(&self, origin: &str, model: &str) -> Option<Mode> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&key(origin, model)).filter(|known| known.proved).map(|known| known.mode)
    }

    /// Forgets what is known of a model, so that it is found out anew.
    pub fn forget(&self, origin: &str, model: &str) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(&key(origin, model));
    }

    pub(crate) fn get(&self, origin: &str, model: &str) -> Known {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&key(origin, model)).copied().unwrap_or(Known { mode: Mode::JsonSchema, proved: false })
    }

    /// The next attempt is made in this mode.
    pub(crate) fn try_next(&self, origin: &str, model: &str, mode: Mode) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(key(origin, model), Known { mode, proved: false });
    }

    /// The model answered in this mode.
    pub(crate) fn prove(&self, origin: &str, model: &str, mode: Mode) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Known { mode, proved: true };
        if known.insert(key(origin, model), now) != Some(now)
            && let Some(file) = &self.file
        {
            // What cannot be kept is found out again.
            drop(write(file, &known));
        }
    }
}

fn key(origin: &str, model: &str) -> String {
    format!("{origin} {model}")
}

fn read(file: &Path) -> Option<BTreeMap<String, Known>> {
    if fs::metadata(file).ok()?.len() > FILE_BYTES_MAX {
        return None;
    }
    let members: Map<String, Value> = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    let known =
        |(key, value): (String, Value)| Some((key, Known { mode: Mode::named(value.as_str()?)?, proved: true }));
    Some(members.into_iter().filter_map(known).collect())
}

fn write(file: &Path, known: &BTreeMap<String, Known>) -> std::io::Result<()> {
    let proved = known.iter().filter(|(_, known)| known.proved);
    let members: Map<String, Value> = proved.map(|(key, known)| (key.clone(), known.mode.name().into())).collect();
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = file.with_extension(format!("{}.part", std::process::id()));
    fs::write(&part, Value::Object(members).to_string())?;
    fs::rename(part, file)
}

#[cfg(test)]
mod tests {
    use super::{Known, Mode, Modes};

    #[test]
    fn only_what_was_proved_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let modes = Modes::new(Some(folder.path()));
        assert_eq!(modes.get("http://a", "m"), Known { mode: Mode::JsonSchema, proved: false });
        modes.try_next("http://a", "m", Mode::JsonObject);
        modes.try_next("http://a", "n", Mode::Prompt);
        assert_eq!(modes.proved("http://a", "m"), None);
        modes.prove("http://a", "m", Mode::JsonObject);
        let again = Modes::new(Some(folder.path()));
        assert_eq!(again.proved("http://a", "m"), Some(Mode::JsonObject));
        assert_eq!(again.proved("http://a", "n"), None);
        again.forget("http://a", "m");
        assert_eq!(again.get("http://a", "m"), Known { mode: Mode::JsonSchema, proved: false });
    }

    #[test]
    fn a_cache_that_cannot_be_read_is_none() {
        let folder = tempfile::tempdir().unwrap();
        for content in ["", "[1]", "{\"http://a m\": \"loud\"}"] {
            std::fs::write(folder.path().join(super::FILE), content).unwrap();
            assert_eq!(Modes::new(Some(folder.path())).proved("http://a", "m"), None);
        }
    }
}
