//! Keeping sessions: the hook answers its host, and a process of its own reviews the log and stores what comes of it.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use steadfast_engine::calls;
use steadfast_engine::sessions::forget_sessions;

use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::local::Local;
use crate::settings::{self, ExportSettings};
use crate::talk::Talk;
use crate::{sessions, wait};

/// Starts the process that keeps a session, where the settings let it: nobody waits for it.
pub(super) fn start(log: &Path) -> Result<(), Failure> {
    if settings::hook()?.is_none() {
        return Ok(());
    }
    let program = env::current_exe().map_err(|error| Failure::external(format!("the program: {error}")))?;
    let mut command = Command::new(program);
    command.args(["--quiet", "hook", "keep"]).arg(log);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    {
        // A host that ends what belongs to the hook does not end this.
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    let started = command.spawn().map_err(|error| Failure::external(format!("the session is not kept: {error}")))?;
    drop(started);
    Ok(())
}

/// Forgets sessions that are too old, and keeps one.
pub(super) fn keep(log: &Path, talk: &Talk) -> Result<Status, Failure> {
    let Some((capture, days)) = settings::hook()? else { return Ok(Status::Passed) };
    let Some(path) = settings::server_store(None, false)? else { return Ok(Status::Passed) };
    let store = sessions::opened(&path)?;
    let host = Local::new(Exports::new(ExportSettings::default()), *talk).storing(Some(store.clone())).host();
    let forgotten = forget_sessions(&*store, days);
    wait::wait(calls::keep_session(&host, sessions::read(log)?, capture, true), None)?;
    forgotten?;
    Ok(Status::Passed)
}
