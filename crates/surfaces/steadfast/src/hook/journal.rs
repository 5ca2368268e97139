//! What the hook keeps of a session between its calls, for a host whose log cannot be read: the session itself.
//!
//! It is kept in `steadfast/hooks` in `XDG_STATE_HOME` or in `.local/state` of the home folder, readable by its owner alone, for thirty days.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use steadfast_engine::hook::kept_name;
use steadfast_wire::hook::{Heard, HookHost, HookMoment, journal_lines};
use steadfast_wire::session::SESSION_BYTES_MAX;

use crate::exit::Failure;
use crate::settings;

/// How long something is kept behind its last change.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The file of one session.
pub(super) struct Journal {
    lines: PathBuf,
}

impl Journal {
    /// Those of the session that a host speaks of.
    pub(super) fn of(host: HookHost, heard: &Heard) -> Result<Self, Failure> {
        let session = heard.session.as_deref().ok_or_else(|| Failure::usage("stdin: the host names no session"))?;
        let folder = settings::hooks_folder()?;
        let name = kept_name(host, session);
        Ok(Self { lines: folder.join(format!("{name}.jsonl")) })
    }

    /// Where the session is kept.
    pub(super) fn path(&self) -> &Path {
        &self.lines
    }

    /// Adds what a host says.
    pub(super) fn keep(&self, heard: &Heard, moment: HookMoment) -> Result<(), Failure> {
        let kept = fs::metadata(&self.lines).map_or(0, |found| found.len());
        // Where a line begins is a number that no other line of the file has.
        let lines = journal_lines(heard, moment, kept);
        if kept + lines.len() as u64 > SESSION_BYTES_MAX as u64 {
            return Err(Failure::usage(format!("the session has more than {} MiB", SESSION_BYTES_MAX >> 20)));
        }
        self.append(&self.lines, &lines)
    }

    fn append(&self, path: &Path, text: &str) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::external(format!("{}: cannot be written: {error}", path.display()));
        if let Some(folder) = path.parent().filter(|_| !path.exists()) {
            fs::create_dir_all(folder).map_err(failed)?;
            sweep(folder);
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // One write: calls of tools end side by side.
        options.open(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)
    }
}

/// Deletes what was kept long enough. Whatever cannot be deleted stays for the next time.
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let is_old = |modified: SystemTime| modified.elapsed().is_ok_and(|age| age > KEPT);
    for entry in entries.flatten() {
        if entry.metadata().and_then(|found| found.modified()).is_ok_and(is_old) {
            drop(fs::remove_file(entry.path()));
        }
    }
}
