//! What waits until it is sent: a folder of files.
//!
//! `waiting/` holds an entry a file, named by the trace's UUIDv7 and the exporter, so that names sort by time; `failed/` those that the other side will
//! never take, each with its reason; `status.json` counts. Whoever changes anything holds `lock`, never while it sends; whoever sends holds
//! `sending`. A file appears whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use steadfast_engine::store::rfc3339;
use steadfast_wire::trace::{Batch, ExportFailure, ExportStatus, ExporterStatus, Queued, SCHEMA_VERSION};

use crate::ExportError;
use crate::clock::now_us;
use crate::jsonl::hold;

/// Entries of a queue, failed ones included.
pub const ENTRIES_MAX: u64 = 1_000;

/// Bytes of all entries of a queue.
pub const BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Bytes of one entry.
pub const ENTRY_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Bytes of the file that counts.
const STATUS_BYTES_MAX: u64 = 1024 * 1024;

const WAITING: &str = "waiting";
const FAILED: &str = "failed";
const STATUS: &str = "status.json";
const PART: &str = ".part";

/// How much a queue holds.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Entries, failed ones included.
    pub entries_max: u64,
    /// Bytes of all entries.
    pub bytes_max: u64,
    /// Bytes of one.
    pub entry_bytes_max: u64,
    /// The clock, in microseconds since 1970.
    pub clock_us: fn() -> u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries_max: ENTRIES_MAX, bytes_max: BYTES_MAX, entry_bytes_max: ENTRY_BYTES_MAX, clock_us: now_us }
    }
}

/// A queue on the disk. The folder is made when something is put into it.
#[derive(Clone, Debug)]
pub struct Queue {
    folder: PathBuf,
    limits: Limits,
}

/// An entry, by its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    name: String,
    pub(crate) bytes: u64,
}

impl Entry {
    fn exporter(&self) -> &str {
        self.name.split('.').nth(1).unwrap_or_default()
    }
}

/// Nobody else changes the queue while this is there.
struct Held(#[expect(dead_code, reason = "the lock is let go of when the file is closed")] File);

impl Queue {
    /// The queue in a folder.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self::within(folder, Limits::default())
    }

    /// The same within other limits.
    #[must_use]
    pub const fn within(folder: PathBuf, limits: Limits) -> Self {
        Self { folder, limits }
    }

    /// Now, in microseconds since 1970.
    pub(crate) fn now_us(&self) -> u64 {
        (self.limits.clock_us)()
    }

    /// Puts something in.
    ///
    /// # Errors
    /// [`ExportError::Full`] and [`ExportError::TooLarge`], which are counted, or where the disk fails.
    pub fn put(&self, exporter: &str, file: Option<&Path>, batch: &Batch) -> Result<(), ExportError> {
        let queued = Queued {
            schema_version: SCHEMA_VERSION.to_owned(),
            exporter: exporter.to_owned(),
            file: file.map(|file| file.to_string_lossy().into_owned()),
            reason: None,
            batch: batch.clone(),
        };
        let text = text(&queued)?;
        let bytes = text.len() as u64;
        let held = self.hold()?;
        let (waiting, failed) = (self.entries(WAITING)?, self.entries(FAILED)?);
        let entries = (waiting.len() + failed.len()) as u64;
        let used = waiting.iter().chain(&failed).map(|entry| entry.bytes).sum::<u64>();
        let refused = if bytes > self.limits.entry_bytes_max {
            Some(ExportError::TooLarge { bytes, limit_bytes: self.limits.entry_bytes_max })
        } else if entries >= self.limits.entries_max || used.saturating_add(bytes) > self.limits.bytes_max {
            Some(ExportError::Full { entries, bytes: used })
        } else {
            None
        };
        if let Some(refused) = refused {
            self.count(&held, exporter, |status| status.refused += 1)?;
            return Err(refused);
        }
        let id = batch.id().unwrap_or("none");
        let taken = |name: &str| waiting.iter().chain(&failed).any(|entry| entry.name == name);
        let names = (1..).map(|number| {
            if number == 1 { format!("{id}.{exporter}.json") } else { format!("{id}.{exporter}.{number}.json") }
        });
        // As many names as there are entries cannot all be taken.
        let name = names.take(waiting.len() + failed.len() + 1).find(|name| !taken(name)).unwrap_or_default();
        self.write(&held, &self.folder.join(WAITING).join(name), &text)?;
        // So that the exporter is known to have been asked for.
        self.count(&held, exporter, |_| {})
    }

    /// Entries of an exporter that wait, the oldest first.
    pub(crate) fn waiting(&self, exporter: &str) -> Result<Vec<Entry>, ExportError> {
        let mut entries = self.entries(WAITING)?;
        entries.retain(|entry| entry.exporter() == exporter);
        Ok(entries)
    }

    /// What an entry holds; `Err` says why it cannot be read.
    pub(crate) fn read(&self, entry: &Entry) -> Result<Queued, String> {
        let bytes = read(&self.folder.join(WAITING).join(&entry.name), self.limits.entry_bytes_max);
        let bytes = bytes.map_err(|error| format!("the entry cannot be read: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|_| "the entry is not text".to_owned())?;
        steadfast_wire::from_json(&text).map_err(|error| format!("the entry cannot be read: {error}"))
    }

    /// Entries were taken by the other side: they are gone, and counted.
    pub(crate) fn sent(&self, exporter: &str, entries: &[Entry], rejected_spans: u64) -> Result<(), ExportError> {
        let held = self.hold()?;
        for entry in entries {
            remove(&self.folder.join(WAITING).join(&entry.name))?;
        }
        self.count(&held, exporter, |status| {
            status.sent += entries.len() as u64;
            status.rejected_spans += rejected_spans;
            status.tries_failed = 0;
            status.last_failure = None;
            status.not_before = None;
        })
    }

    /// An entry will never be taken: it is put aside with the reason. What cannot even be read is put aside as it is.
    pub(crate) fn fail(&self, entry: &Entry, reason: &str) -> Result<(), ExportError> {
        let held = self.hold()?;
        let (from, to) = (self.folder.join(WAITING).join(&entry.name), self.folder.join(FAILED).join(&entry.name));
        match self.read(entry) {
            Ok(queued) => {
                self.write(&held, &to, &text(&Queued { reason: Some(reason.to_owned()), ..queued })?)?;
                remove(&from)
            }
            Err(_) => {
                make(&self.folder.join(FAILED))?;
                fs::rename(&from, &to).map_err(ExportError::io("the queue"))
            }
        }
    }

    /// A try came to nothing. `wait_us` is how long the other side asks to be left alone.
    pub(crate) fn later(&self, exporter: &str, why: &str, wait_us: Option<u64>) -> Result<(), ExportError> {
        let held = self.hold()?;
        let now_us = self.now_us();
        self.count(&held, exporter, |status| {
            status.tries_failed += 1;
            status.last_failure = Some(ExportFailure { at: rfc3339(now_us), what: why.to_owned() });
            status.not_before = wait_us.map(|wait_us| rfc3339(now_us.saturating_add(wait_us)));
        })
    }

    /// What failed waits again.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn retry_failed(&self) -> Result<u64, ExportError> {
        if !self.folder.join(FAILED).exists() {
            return Ok(0);
        }
        let _held = self.hold()?;
        let failed = self.entries(FAILED)?;
        for entry in &failed {
            let (from, to) = (self.folder.join(FAILED).join(&entry.name), self.folder.join(WAITING).join(&entry.name));
            make(&self.folder.join(WAITING))?;
            fs::rename(from, to).map_err(ExportError::io("the queue"))?;
        }
        Ok(failed.len() as u64)
    }

    /// How all exporters stand.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn status(&self) -> Result<ExportStatus, ExportError> {
        let mut all = self.counted()?;
        for (folder, is_waiting) in [(WAITING, true), (FAILED, false)] {
            for entry in self.entries(folder)? {
                let status = of(&mut all, entry.exporter());
                if is_waiting {
                    status.waiting += 1;
                    status.waiting_bytes += entry.bytes;
                } else {
                    status.failed += 1;
                }
            }
        }
        Ok(ExportStatus {
            schema_version: SCHEMA_VERSION.to_owned(),
            entries_max: self.limits.entries_max,
            bytes_max: self.limits.bytes_max,
            exporters: all,
        })
    }

    /// Lets nobody else send until it is dropped; `None` where somebody else does.
    pub(crate) fn sender(&self) -> Result<Option<File>, ExportError> {
        make(&self.folder)?;
        let file = opened(&self.folder.join("sending"))?;
        Ok(file.try_lock().is_ok().then_some(file))
    }

    fn hold(&self) -> Result<Held, ExportError> {
        make(&self.folder)?;
        let file = opened(&self.folder.join("lock"))?;
        hold(&file, "the queue of traces")?;
        Ok(Held(file))
    }

    /// Files of a folder of the queue, in the order of their names; none where there is no folder.
    fn entries(&self, folder: &str) -> Result<Vec<Entry>, ExportError> {
        let found = match fs::read_dir(self.folder.join(folder)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            found => found.map_err(ExportError::io("the queue"))?,
        };
        let mut entries = Vec::new();
        for file in found {
            let file = file.map_err(ExportError::io("the queue"))?;
            let name = file.file_name().to_string_lossy().into_owned();
            // What a program that was killed left behind is written over when its name comes again, and is no entry.
            let Ok(found) = file.metadata() else { continue };
            if found.is_file() && name.ends_with(".json") {
                entries.push(Entry { name, bytes: found.len() });
            }
        }
        entries.sort();
        Ok(entries)
    }

    fn counted(&self) -> Result<Vec<ExporterStatus>, ExportError> {
        let path = self.folder.join(STATUS);
        let bytes = match read(&path, STATUS_BYTES_MAX) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            bytes => bytes.map_err(ExportError::io("status.json of the queue"))?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut all: Vec<ExporterStatus> = steadfast_wire::from_json::<ExportStatus>(&text)
            .map(|status| status.exporters)
            .map_err(|error| ExportError::Io { what: "status.json of the queue".to_owned(), why: error.to_string() })?;
        // What waits and what failed is counted by what is there.
        for status in &mut all {
            (status.waiting, status.waiting_bytes, status.failed) = (0, 0, 0);
        }
        Ok(all)
    }

    fn count(&self, held: &Held, exporter: &str, change: impl FnOnce(&mut ExporterStatus)) -> Result<(), ExportError> {
        let path = self.folder.join(STATUS);
        let mut all = match self.counted() {
            Ok(all) => all,
            Err(_) => {
                // Counts that cannot be read are kept aside, and counting begins anew: no run fails for them.
                drop(fs::rename(&path, self.folder.join("status.damaged.json")));
                Vec::new()
            }
        };
        change(of(&mut all, exporter));
        let status = ExportStatus {
            schema_version: SCHEMA_VERSION.to_owned(),
            entries_max: self.limits.entries_max,
            bytes_max: self.limits.bytes_max,
            exporters: all,
        };
        self.write(held, &path, &text(&status)?)
    }

    fn write(&self, _held: &Held, path: &Path, text: &str) -> Result<(), ExportError> {
        let folder = path.parent().unwrap_or(&self.folder);
        make(folder)?;
        let part = folder.join(PART);
        let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
        if written.is_err() {
            drop(fs::remove_file(&part));
        }
        written.map_err(ExportError::io("the queue"))
    }
}

/// The status of an exporter, in the order of names.
fn of<'a>(all: &'a mut Vec<ExporterStatus>, exporter: &str) -> &'a mut ExporterStatus {
    let at = match all.binary_search_by(|status| status.exporter.as_str().cmp(exporter)) {
        Ok(at) => at,
        Err(at) => {
            all.insert(at, ExporterStatus { exporter: exporter.to_owned(), ..ExporterStatus::default() });
            at
        }
    };
    &mut all[at]
}

fn text<T: serde::Serialize>(value: &T) -> Result<String, ExportError> {
    steadfast_wire::to_json_line(value).map_err(|error| ExportError::Internal { what: error.to_string() })
}

fn make(folder: &Path) -> Result<(), ExportError> {
    fs::create_dir_all(folder).map_err(ExportError::io("the queue"))
}

fn opened(path: &Path) -> Result<File, ExportError> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(ExportError::io("the queue"))
}

/// A file that is gone is removed.
fn remove(path: &Path) -> Result<(), ExportError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(ExportError::io("the queue")(error)),
        _ => Ok(()),
    }
}

/// A file, of so many bytes at most.
fn read(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(io::Error::other(format!("it is larger than {bytes_max} bytes")));
    }
    Ok(bytes)
}
