//! From arguments to plain values: what cannot be is refused here, before anything is read.

use std::env;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::args::{Format, ModelsArgs, WritingArgs};
use crate::exit::Failure;

mod alerts;
mod alone;
mod chat;
mod export;
mod file;
mod hook;
mod privacy;
mod review;

pub(crate) use alerts::{AlertSettings, alerts};
pub(crate) use alone::{needs_report, refuse as refuse_alone};
pub(crate) use chat::{
    ChatSettings, ENVIRONMENT, KeyPlace, RoleModel, Tape, WELL_KNOWN, asked_afresh, asked_models, key, server_chat,
};
pub(crate) use export::{ExportSettings, export, queue, text};
pub(crate) use file::{read as settings_file, refused as toml_refused};
pub(crate) use hook::hook;
pub(crate) use privacy::privacy;
pub(crate) use review::gates as review_gates;

/// How a result is written, and where the run is kept and exported.
#[derive(Debug)]
pub(crate) struct Writing<F = Format> {
    /// What is written.
    pub(crate) format: F,
    /// Where to; stdout where it is `None`.
    pub(crate) output: Option<PathBuf>,
    /// Where the run is kept.
    pub(crate) store: Option<PathBuf>,
    /// Where its trace is exported to.
    pub(crate) export: ExportSettings,
}

/// Settings of how a result is written. `config` is the settings file, where one is named.
pub(crate) fn writing<F>(args: WritingArgs<F>, config: Option<PathBuf>) -> Result<Writing<F>, Failure>
where
    F: ValueEnum + Send + Sync + 'static,
{
    let WritingArgs { output, store, export } = args;
    let export = self::export(export, store.as_deref(), config)?;
    Ok(Writing { format: output.format(), output: output.file(), store, export })
}

/// Whether a verb fails on `own`, the one condition that it knows.
pub(crate) fn fails_on(own: &str, verb: &str, conditions: &[String]) -> Result<bool, Failure> {
    let Some(other) = conditions.iter().find(|condition| *condition != own) else { return Ok(!conditions.is_empty()) };
    let is_known = ["alert", "clarify", "disqualified", "new"].contains(&other.as_str()) || other.starts_with("risk=");
    let what = if is_known { format!("does not apply to {verb}") } else { "is no condition".to_owned() };
    Err(Failure::usage(format!("`--fail-on {other}` {what}")).hint(format!("{verb} fails on `{own}`")))
}

/// The folder that models are kept in: the flag, else `STEADFAST_MODELS`, else the cache folder of the user.
pub(crate) fn models(args: ModelsArgs) -> Result<PathBuf, Failure> {
    args.folder
        .or_else(|| variable("STEADFAST_MODELS"))
        .or_else(|| user_folder("XDG_CACHE_HOME", ".cache").map(|cache| cache.join("models")))
        .ok_or_else(|| Failure::usage("no folder for models is known: HOME is not set").hint("`--dir DIR` names one"))
}

/// The store of a server: the flag, else the data folder of the user; `None` where nothing is to be kept.
pub(crate) fn server_store(store: Option<PathBuf>, no_store: bool) -> Result<Option<PathBuf>, Failure> {
    if no_store {
        return Ok(None);
    }
    let own = || user_folder("XDG_DATA_HOME", ".local/share").map(|data| data.join("steadfast.db"));
    let found = store.or_else(own).ok_or_else(|| {
        Failure::usage("no folder for the store is known: HOME is not set")
            .hint("`--store FILE` names one, `--no-store` keeps nothing")
    })?;
    Ok(Some(found))
}

/// What hooks keep.
pub(crate) fn hooks_folder() -> Result<PathBuf, Failure> {
    user_folder("XDG_STATE_HOME", ".local/state")
        .map(|state| state.join("hooks"))
        .ok_or_else(|| Failure::usage("no folder for the state of hooks is known: HOME is not set"))
}

/// The folders of the user that the program writes to, by their names; `None` where one is not known.
pub(crate) fn folders() -> [(&'static str, Option<PathBuf>); 3] {
    [
        ("cache", user_folder("XDG_CACHE_HOME", ".cache")),
        ("data", user_folder("XDG_DATA_HOME", ".local/share")),
        ("state", user_folder("XDG_STATE_HOME", ".local/state")),
    ]
}

/// The home folder.
pub(crate) fn home() -> Option<PathBuf> {
    variable("HOME").or_else(|| variable("USERPROFILE"))
}

/// Our folder in one of the user's, as the XDG Base Directory Specification has it: what is not absolute is passed over.
fn user_folder(name: &str, in_home: &str) -> Option<PathBuf> {
    let named = variable(name).filter(|path| path.is_absolute());
    named.or_else(|| home().map(|home| home.join(in_home))).map(|folder| folder.join("steadfast"))
}

pub(crate) fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
