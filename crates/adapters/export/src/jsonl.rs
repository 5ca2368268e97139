//! JSON lines: a trace a line, in our own form, `steadfast schema trace`.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use steadfast_wire::trace::{Batch, Trace};

use crate::ExportError;

/// How often a file that another program holds is tried.
const LOCK_TRIES_MAX: u32 = 100;

/// Time between two tries.
const LOCK_PAUSE: Duration = Duration::from_millis(2);

/// The line of a trace, with its end.
///
/// # Errors
/// [`ExportError::Internal`] where it has no JSON form: a fault of ours.
pub fn line(trace: &Trace) -> Result<String, ExportError> {
    steadfast_wire::to_json_line(trace).map_err(|error| ExportError::Internal { what: error.to_string() })
}

/// The lines of a batch.
///
/// # Errors
/// As [`line()`].
pub fn lines(batch: &Batch) -> Result<String, ExportError> {
    batch.traces.iter().map(line).collect()
}

/// Adds lines to a file, which is made where it does not exist: all of them or none, and whole whoever else writes to it in this way. A line that
/// was cut off when a program was killed is ended first, so that it spoils no other.
///
/// # Errors
/// [`ExportError::Busy`] or [`ExportError::Io`].
pub fn append(path: &Path, lines: &str) -> Result<(), ExportError> {
    let name = path.file_name().map_or_else(|| "the file".to_owned(), |name| name.to_string_lossy().into_owned());
    let broken = |error| ExportError::io(name.clone())(error);
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).or_else(|_| {
        // A pipe or a device may be written and not read.
        OpenOptions::new().append(true).open(path)
    });
    let file = file.as_mut().map_err(|error| ExportError::Io { what: name.clone(), why: error.to_string() })?;
    if !file.metadata().map_err(broken)?.is_file() {
        return file.write_all(lines.as_bytes()).map_err(broken);
    }
    hold(file, "the file of traces")?;
    let length = file.seek(SeekFrom::End(0)).map_err(broken)?;
    let mut text = String::with_capacity(lines.len() + 1);
    if length > 0 && !ends_a_line(file).map_err(broken)? {
        text.push('\n');
    }
    text.push_str(lines);
    let written = file.write_all(text.as_bytes());
    if written.is_err() {
        // What is half written is taken back; where even that fails, the next line ends it.
        drop(file.set_len(length));
    }
    written.map_err(broken)
}

fn ends_a_line(file: &mut File) -> std::io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Locks a file until it is dropped. It waits a fifth of a second at most.
pub(crate) fn hold(file: &File, what: &'static str) -> Result<(), ExportError> {
    for _ in 0..LOCK_TRIES_MAX {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::Error(error)) => {
                return Err(ExportError::Io { what: what.to_owned(), why: error.to_string() });
            }
        }
    }
    Err(ExportError::Busy { what })
}
