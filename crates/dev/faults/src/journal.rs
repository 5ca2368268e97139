//! What a program did to files, in its order, and what it acknowledged meanwhile.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use crate::FaultsError;

/// One thing that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A file was made.
    Create(String),
    /// Bytes were written.
    Write {
        /// The file.
        name: String,
        /// Where in it.
        offset: usize,
        /// The bytes.
        data: Vec<u8>,
    },
    /// A file was given another length.
    Truncate {
        /// The file.
        name: String,
        /// Its new length in bytes.
        length: usize,
    },
    /// What was written to a file is on the disk.
    Sync(String),
    /// To bring what was written to a file to the disk failed.
    Lose(String),
    /// Names of the folder are on the disk.
    Settle,
    /// A file was taken away.
    Unlink(String),
    /// A file was given another name.
    Rename {
        /// Its name until then.
        from: String,
        /// Its name from then on.
        to: String,
    },
    /// What a test wrote down: something was acknowledged.
    Mark(String),
}

/// Writes down that something was acknowledged; no tab or line break is in `what`.
///
/// # Errors
/// [`FaultsError::File`] where the journal cannot be written.
pub fn mark(path: &Path, what: &str) -> Result<(), FaultsError> {
    // One write, so that it falls between two records of the program.
    let line = format!("mark\t{what}\t\t0\t0\n");
    Ok(OpenOptions::new().create(true).append(true).open(path)?.write_all(line.as_bytes())?)
}

/// Reads a journal.
///
/// # Errors
/// [`FaultsError`] where it cannot be read.
pub fn read(path: &Path) -> Result<Vec<Event>, FaultsError> {
    let all = fs::read(path)?;
    let mut events = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let (event, end) = event(&all, at).ok_or(FaultsError::Journal(at))?;
        events.push(event);
        at = end;
    }
    Ok(events)
}

/// The record that begins at a byte, and where it ends.
fn event(all: &[u8], at: usize) -> Option<(Event, usize)> {
    let head = at + all[at..].iter().position(|byte| *byte == b'\n')?;
    let line = str::from_utf8(&all[at..head]).ok()?;
    let parts: Vec<&str> = line.split('\t').collect();
    let &[kind, name, other, offset, length] = parts.as_slice() else { return None };
    let (offset, length): (usize, usize) = (offset.parse().ok()?, length.parse().ok()?);
    let data = all.get(head + 1..head + 1 + length)?;
    let name = name.to_owned();
    let event = match kind {
        "create" => Event::Create(name),
        "write" => Event::Write { name, offset, data: data.to_vec() },
        "truncate" => Event::Truncate { name, length: offset },
        "sync" => Event::Sync(name),
        "lose" => Event::Lose(name),
        "settle" => Event::Settle,
        "unlink" => Event::Unlink(name),
        "rename" => Event::Rename { from: name, to: other.to_owned() },
        "mark" => Event::Mark(name),
        _ => return None,
    };
    Some((event, head + 1 + length))
}
