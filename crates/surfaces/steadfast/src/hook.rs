//! `steadfast hook`: called by the program that runs an agent, at moments of its work.
//!
//! A hook never gets in the way: it ends with status 0 within [`PATIENCE`] whatever happens, and what it cannot read it passes over with a line on stderr.

pub(crate) mod install;
mod journal;
mod keep;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use steadfast_engine::hook as engine;
use steadfast_engine::{EngineError, File};
use steadfast_wire::hook::{HEARD_BYTES_MAX, Heard, HookHost, HookMoment, Reply};
use steadfast_wire::session::SESSION_BYTES_MAX;

use crate::args::{HeardArgs, HookArgs, HookCommand};
use crate::exit::{Failure, Status};
use crate::output;
use crate::session_log::with_sub_agents;
use crate::talk::Talk;
use crate::wait::wait;
use journal::Journal;

/// How long a hook may take. A host waits for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a sub-agent is told beside: some hosts let it speak once more, and hand on its last words alone.
const SAY_ALL: &str = "What you say next takes the place of what you said: give all of it again.";

/// Answers a host, or changes its settings.
pub(crate) fn hook(args: HookArgs, talk: &Talk) -> Result<Status, Failure> {
    let (moment, HeardArgs { host }) = match args.command {
        HookCommand::Install(own) => return install::install(&own),
        HookCommand::Uninstall(own) => return install::uninstall(&own),
        HookCommand::Stop(own) => (HookMoment::Stop, own),
        HookCommand::SubagentStop(own) => (HookMoment::SubagentStop, own),
        HookCommand::PreToolUse(own) => (HookMoment::PreToolUse, own),
        HookCommand::PostToolUse(own) => (HookMoment::PostToolUse, own),
        HookCommand::AgentResponse(own) => (HookMoment::AgentResponse, own),
        HookCommand::UserPrompt(own) => (HookMoment::UserPrompt, own),
        HookCommand::PreCompact(own) => (HookMoment::PreCompact, own),
        HookCommand::SessionStart(own) => (HookMoment::SessionStart, own),
        HookCommand::Keep { log } => return keep::keep(&log, talk),
    };
    let (done, found) = channel();
    thread::spawn(move || drop(done.send(answer(host, moment))));
    let Answer { reply, ended } = match found.recv_timeout(PATIENCE) {
        Ok(Ok(answer)) => answer,
        Ok(Err(why)) => {
            talk.note(&format!("nothing was looked at: {why}"));
            Answer::from(Reply::Silent)
        }
        Err(_) => {
            talk.note(&format!("nothing was looked at: it took longer than {} s", PATIENCE.as_secs()));
            Answer::from(Reply::Silent)
        }
    };
    if let Some(json) = reply.json(host, moment) {
        output::to_stdout(&(json + "\n"))?;
    }
    // The answer first: keeping makes nobody wait.
    if let Some(Err(why)) = ended.map(|log| keep::start(&log)) {
        talk.note(&format!("the session is not kept: {why}"));
    }
    Ok(Status::Passed)
}

/// What is answered, and the log of a session in which a turn ends.
struct Answer {
    reply: Reply,
    ended: Option<PathBuf>,
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        Self { reply, ended: None }
    }
}

/// What is answered at a moment.
fn answer(host: HookHost, moment: HookMoment) -> Result<Answer, Failure> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(HEARD_BYTES_MAX as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::external(format!("stdin: {error}")))?;
    let mut heard = Heard::read(&bytes).map_err(|error| Failure::usage(format!("stdin: {error}")))?;
    let ended = if moment == HookMoment::Stop { log_path(host, &heard)? } else { None };
    let journal = || Journal::of(host, &heard);
    let reply: Result<Reply, Failure> = match moment {
        // Once sent back, an agent is not sent back again.
        HookMoment::Stop | HookMoment::SubagentStop if heard.goes_on => Ok(Reply::Silent),
        HookMoment::Stop | HookMoment::SubagentStop => {
            let Some(log) = whole_log(host, &heard)? else { return Ok(Answer { reply: Reply::Silent, ended }) };
            let found = wait(engine::at_end(log, heard.said.clone()), None)?;
            Ok(match found {
                None => Reply::Silent,
                // Who blocks the end of a sub-agent puts other words in the place of what it found.
                Some(why) if moment == HookMoment::SubagentStop => Reply::Context(format!("{why} {SAY_ALL}")),
                Some(why) => Reply::SendBack(why),
            })
        }
        HookMoment::PreToolUse => {
            let Some(log) = log(host, &heard)? else { return Ok(Answer { reply: Reply::Silent, ended }) };
            let folder = heard.directory.as_deref().map(PathBuf::from).unwrap_or_default();
            let Some(mut own) = heard.call.take() else { return Ok(Answer { reply: Reply::Silent, ended }) };
            own.is_there(|path| folder.join(path).exists());
            Ok(wait(engine::before_call(log, own.call), None)?.map_or(Reply::Silent, Reply::Deny))
        }
        HookMoment::PostToolUse | HookMoment::AgentResponse => {
            if keeps_journal(host) {
                journal()?.keep(&heard, moment)?;
            }
            Ok(Reply::Silent)
        }
        HookMoment::UserPrompt => {
            if keeps_journal(host) {
                journal()?.keep(&heard, moment)?;
                return Ok(Answer { reply: Reply::Silent, ended });
            }
            let Some(log) = log(host, &heard)? else { return Ok(Answer { reply: Reply::Silent, ended }) };
            let prompt = heard.prompt.unwrap_or_default();
            Ok(wait(engine::words_after_summary(log, prompt), None)?.map_or(Reply::Silent, Reply::Context))
        }
        HookMoment::SessionStart if heard.source.as_deref() == Some("compact") => {
            let Some(log) = log(host, &heard)? else { return Ok(Answer { reply: Reply::Silent, ended }) };
            Ok(wait(engine::words_of_user(log), None)?.map_or(Reply::Silent, Reply::Context))
        }
        HookMoment::SessionStart | HookMoment::PreCompact => Ok(Reply::Silent),
    };
    Ok(Answer { reply: reply?, ended })
}

/// Whether the log of a host holds too little to be read: the hook keeps one of its own then.
const fn keeps_journal(host: HookHost) -> bool {
    matches!(host, HookHost::Cursor)
}

/// Where the log of the session is: the host's, or the one that the hook keeps. `None` where the host names none.
fn log_path(host: HookHost, heard: &Heard) -> Result<Option<PathBuf>, Failure> {
    Ok(match (&heard.transcript, keeps_journal(host)) {
        (_, true) => Some(Journal::of(host, heard)?.path().to_owned()),
        (Some(path), false) => Some(expanded(path)),
        (None, false) => None,
    })
}

/// The same with the logs of its sub-agents.
fn whole_log(host: HookHost, heard: &Heard) -> Result<Option<File>, Failure> {
    let path = log_path(host, heard)?;
    Ok(log(host, heard)?.zip(path).map(|(log, path)| with_sub_agents(&path, log)))
}

/// The log of the session. `None` where there is none yet.
fn log(host: HookHost, heard: &Heard) -> Result<Option<File>, Failure> {
    let Some(path) = log_path(host, heard)? else { return Ok(None) };
    let opened = match fs::File::open(&path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(crate::input::unreadable(&path, &error)),
    };
    let mut bytes = Vec::new();
    opened
        .take(SESSION_BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| crate::input::unreadable(&path, &error))?;
    let name = path.file_name().map_or_else(|| "session".to_owned(), |name| name.to_string_lossy().into_owned());
    if bytes.len() > SESSION_BYTES_MAX {
        return Err(EngineError::SessionFile {
            file: name,
            what: format!("it has more than {} MiB", SESSION_BYTES_MAX >> 20),
        }
        .into());
    }
    Ok(Some(File { name, bytes }))
}

/// A path as hosts write it: some begin with `~`.
fn expanded(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), crate::settings::home()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => Path::new(path).to_owned(),
    }
}
