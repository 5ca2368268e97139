//! From arguments to plain values: what cannot be is refused here, before anything is read.

use std::env;
use std::path::PathBuf;

use steadfast_engine::Gates;
use steadfast_wire::audit::Risk;

use crate::args::{Format, ModelsArgs, WritingArgs};
use crate::exit::Failure;

mod alerts;
mod alone;
mod audit_compare;
mod chat;
mod export;
mod file;
mod privacy;
mod review;
mod watch;

pub(crate) use alerts::{AlertSettings, alerts};
pub(crate) use alone::{needs_report, refuse as refuse_alone};
pub(crate) use audit_compare::{AuditCompareSettings, audit_compare};
pub(crate) use chat::{
    ChatCheckSettings, ChatSettings, ENVIRONMENT, KeyPlace, RoleModel, Tape, asked_models, chat_check, key, server_chat,
};
pub(crate) use export::{ExportSettings, export, queue, text};
pub(crate) use file::refused as toml_refused;
pub(crate) use privacy::privacy;
pub(crate) use review::gates as review_gates;
pub(crate) use watch::{CompareSettings, Scoring, WatchCall, WatchSettings, watch};

/// The best score.
const SCORE_MAX: f64 = 5.0;

/// Conditions of `--fail-on` that other verbs know.
const OTHER_CONDITIONS: &[&str] = &["alert", "clarify"];

/// How a result is written, and where the run is kept and exported.
#[derive(Debug)]
pub(crate) struct Writing {
    /// What is written.
    pub(crate) format: Format,
    /// Where to; stdout where it is `None`.
    pub(crate) output: Option<PathBuf>,
    /// Where the run is kept.
    pub(crate) store: Option<PathBuf>,
    /// Where its trace is exported to.
    pub(crate) export: ExportSettings,
}

/// Settings of how a result is written. `config` is the settings file, where one is named.
pub(crate) fn writing(args: WritingArgs, config: Option<PathBuf>) -> Result<Writing, Failure> {
    let WritingArgs { format, json, output, store, export } = args;
    let export = self::export(export, store.as_deref(), config)?;
    let format = if json { Format::Json } else { format };
    Ok(Writing { format, output: output.filter(|path| path.as_os_str() != "-"), store, export })
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

/// Our folder in one of the user's, as the XDG Base Directory Specification has it: what is not absolute is passed over.
fn user_folder(name: &str, in_home: &str) -> Option<PathBuf> {
    let named = variable(name).filter(|path| path.is_absolute());
    let home = || variable("HOME").or_else(|| variable("USERPROFILE")).map(|home| home.join(in_home));
    named.or_else(home).map(|folder| folder.join("steadfast"))
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The gates of an audit.
pub(crate) fn audit_gates(fail_below: Option<&str>, conditions: &[String]) -> Result<Gates, Failure> {
    let mut gates = Gates { fail_below: fail_below.map(score).transpose()?, ..Gates::default() };
    for condition in conditions {
        fail_on(condition, &mut gates)?;
    }
    Ok(gates)
}

fn score(text: &str) -> Result<f64, Failure> {
    match text.parse::<f64>() {
        Ok(score) if (0.0..=SCORE_MAX).contains(&score) => Ok(score),
        _ => Err(Failure::usage(format!("`--fail-below {text}` is no score")).hint("a score lies between 0 and 5")),
    }
}

/// Reads one `--fail-on`. Of several risks the lowest holds, since each of them fails.
fn fail_on(condition: &str, gates: &mut Gates) -> Result<(), Failure> {
    const KNOWN: &str =
        "audit fails on `broken`, `missing`, `unassessed`, `disqualified`, `risk=low|medium|high|critical` or `new`";
    let flag = match condition {
        "broken" => Some(&mut gates.fail_on_broken),
        "missing" => Some(&mut gates.fail_on_missing),
        "unassessed" => Some(&mut gates.fail_on_unassessed),
        "disqualified" => Some(&mut gates.fail_on_disqualified),
        "new" => Some(&mut gates.fail_on_new),
        _ => None,
    };
    if let Some(flag) = flag {
        *flag = true;
        return Ok(());
    }
    if OTHER_CONDITIONS.contains(&condition) {
        return Err(Failure::usage(format!("`--fail-on {condition}` does not apply to audit")).hint(KNOWN));
    }
    let order = [Risk::Low, Risk::Medium, Risk::High, Risk::Critical];
    let level = condition.strip_prefix("risk=");
    let Some(named) = level.and_then(|level| order.iter().position(|risk| risk.name() == level)) else {
        return Err(Failure::usage(format!("`--fail-on {condition}` is no condition")).hint(KNOWN));
    };
    let lowest = gates.fail_on_risk.and_then(|risk| order.iter().position(|known| *known == risk));
    gates.fail_on_risk = Some(order[lowest.map_or(named, |lowest| lowest.min(named))]);
    Ok(())
}
