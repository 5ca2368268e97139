//! `steadfast sessions`: logs of agents that are taken in, listed and shown.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steadfast_engine::calls;
use steadfast_engine::privacy::Redaction;
use steadfast_engine::sessions;
use steadfast_engine::store::Keep;
use steadfast_engine::{EngineError, File};
use steadfast_render::Texts;
use steadfast_store::Store;
use steadfast_wire::review::Review;
use steadfast_wire::session::SESSION_BYTES_MAX;
use steadfast_wire::sessions::{
    KeptSession, PassedOver, SCHEMA_VERSION, SessionCapture, SessionImport, SessionList, SessionVerdict,
};

use crate::args::{OutputArgs, RowsFormat, SessionStoreArgs, SessionsArgs, SessionsCommand};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::local::Local;
use crate::session_log::{is_of_sub_agent, with_sub_agents};
use crate::settings::{self, ExportSettings};
use crate::store::{counted, next, put, write_rows};
use crate::talk::{Talk, legible};
use crate::{input, machine, output, wait};

/// Files of logs that are taken in at once.
const LOGS_MAX: usize = 10_000;

/// Does what is asked about sessions.
pub(crate) fn sessions(args: SessionsArgs, talk: &Talk) -> Result<Status, Failure> {
    match args.command {
        SessionsCommand::Import { paths, keep, store, output } => import(&paths, keep, store, &output, *talk),
        SessionsCommand::List { store, limit, cursor, rows } => {
            let store = Store::open_to_read(&place_of(store)?)?;
            let list = sessions::list_sessions(&store, cursor.as_deref(), limit)?;
            write_rows::<KeptSession>(&rows, || list_text(&list), &list, "sessions")
        }
        SessionsCommand::Show { id, store, output } => {
            let store = Store::open_to_read(&place_of(store)?)?;
            let record = sessions::show_session(&store, &id)?;
            let review: Review =
                steadfast_wire::from_json(record.result.get()).map_err(|error| Failure::external(error.to_string()))?;
            let texts = Texts::default();
            let (file, format) = (output.file(), output.format());
            let written = match format.form() {
                None => steadfast_wire::to_json(&review)?,
                Some(form) => steadfast_render::review::drawn(&review, &texts, form, output::colour(file.is_none()))?,
            };
            put(file.as_deref(), &written)
        }
    }
}

/// The store: the flag, else that of the server.
fn place_of(args: SessionStoreArgs) -> Result<PathBuf, Failure> {
    settings::server_store(args.store, false)?.ok_or_else(|| Failure::usage("no store is known"))
}

/// Takes in logs, one after the other: what cannot be read is told and passed over.
fn import(
    paths: &[PathBuf],
    capture: SessionCapture,
    store: SessionStoreArgs,
    output: &OutputArgs<RowsFormat>,
    talk: Talk,
) -> Result<Status, Failure> {
    let logs = logs(paths, talk)?;
    let path = place_of(store)?;
    let written: Vec<PathBuf> = output.file().into_iter().chain([path.clone()]).collect();
    output::spare(&logs, &written.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    let host = Local::new(Exports::new(ExportSettings::default()), talk).storing(Some(opened(&path)?)).host();
    let mut done = SessionImport { schema_version: SCHEMA_VERSION.to_owned(), sessions: vec![], passed_over: vec![] };
    for (at, log) in logs.iter().enumerate() {
        let message =
            (!talk.quiet).then(|| format!("{} of {}: {}", at + 1, logs.len(), legible(&log.to_string_lossy())));
        let kept = read(log).and_then(|file| {
            wait::wait(calls::keep_session(&host, file, capture, false), message).map_err(Failure::from)
        });
        match kept {
            Ok(session) => done.sessions.push(session),
            // A store that cannot be written takes in none of the others.
            Err(failure) if failure.status == Status::External => return Err(failure),
            Err(failure) => {
                done.passed_over.push(PassedOver { file: log.display().to_string(), reason: failure.message })
            }
        }
    }
    let text = match output.format() {
        RowsFormat::Json => steadfast_wire::to_json(&done)?,
        RowsFormat::Text => import_text(&done),
    };
    put(output.file().as_deref(), &text)?;
    Ok(if done.sessions.is_empty() { Status::NotEvaluable } else { Status::Passed })
}

/// Opens or makes a store, which keeps of texts what the settings let it. Keys are taken out where they say nothing of that: commands hold them.
pub(crate) fn opened(path: &Path) -> Result<Arc<dyn Keep>, Failure> {
    let mut privacy = settings::privacy(None)?;
    if privacy.redaction.is_empty() {
        let keys = Redaction::new(&["key".to_owned()], std::iter::empty());
        privacy.redaction = keys.map_err(|error| Failure::usage(error.to_string()))?;
    }
    Ok(steadfast_engine::privacy::keeping(machine::open(path)?, &privacy).map_err(EngineError::from)?)
}

/// A log, by its name without folders, with those of its sub-agents.
pub(crate) fn read(path: &Path) -> Result<File, Failure> {
    let name = path.file_name().map_or_else(|| "session".to_owned(), |name| name.to_string_lossy().into_owned());
    Ok(with_sub_agents(path, File { name, bytes: input::lines(path, SESSION_BYTES_MAX as u64)? }))
}

/// Whether the session of a sub-agent's log lies in a folder as well: the log is read with it.
fn has_session(folder: &Path, name: &str) -> bool {
    name.rsplitn(3, '/').nth(2).is_some_and(|session| folder.join(format!("{session}.jsonl")).is_file())
}

/// The files that are named, and those of folders that can be logs, in the order of their names.
fn logs(paths: &[PathBuf], talk: Talk) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut found = input::names_in(path, talk, LOGS_MAX)?;
            found.retain(|name| [".jsonl", ".json", ".traj"].iter().any(|ending| name.ends_with(ending)));
            found.retain(|name| !is_of_sub_agent(name) || !has_session(path, name));
            found.sort();
            all.extend(found.into_iter().map(|name| path.join(name)));
        } else {
            all.push(path.clone());
        }
    }
    Ok(all)
}

fn import_text(done: &SessionImport) -> String {
    let mut text: String = done.sessions.iter().map(line).collect();
    for own in &done.passed_over {
        let _ = writeln!(text, "passed over  {}: {}", legible(&own.file), legible(&own.reason));
    }
    let against = done.sessions.iter().filter(|own| own.verdict.is_against()).count();
    let _ = writeln!(
        text,
        "{} kept, {against} with something that contradicts or breaks; {} passed over",
        counted(done.sessions.len() as u64, "session"),
        counted(done.passed_over.len() as u64, "file")
    );
    text
}

fn list_text(list: &SessionList) -> String {
    let mut text: String = list.sessions.iter().map(line).collect();
    if list.sessions.is_empty() {
        text.push_str("no sessions: `steadfast sessions import PATH` takes logs in, `steadfast hook install HOST` keeps new ones\n");
    }
    next(&mut text, list.next_cursor.as_deref());
    text
}

/// A session on two lines: what it is and what code says of it, and what the user typed first.
fn line(own: &KeptSession) -> String {
    let said: Vec<String> = own.said().iter().map(|(count, what)| format!("{count} {what}")).collect();
    let said = if own.verdict == SessionVerdict::Open { own.verdict.label().to_owned() } else { said.join(", ") };
    legible(&format!(
        "{}  {}  {} {}  {}, {}  {said}\n    {}\n",
        own.id,
        own.kept,
        own.format,
        own.file,
        counted(own.turns as u64, "turn"),
        counted(own.calls as u64, "call"),
        if own.asked.is_empty() { "(nothing typed)" } else { &own.asked }
    ))
}
