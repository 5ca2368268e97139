//! Files beside a store that hold what was made from it: `FILE.words` and `FILE.vectors`. They may be deleted at any time.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use steadfast_engine::store::{Derived, ReadAt};

use crate::StoreError;
use crate::connection::Place;

/// Bytes that are gathered before they are written.
const BUFFER_BYTES: usize = 1 << 20;

fn place(store: &Place, kind: Derived) -> Place {
    store.beside(match kind {
        Derived::Words => ".words",
        Derived::Vectors => ".vectors",
    })
}

/// A file that is read where it is needed.
#[derive(Debug)]
struct OpenFile(File);

impl ReadAt for OpenFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, into, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut into: &mut [u8]) -> io::Result<()> {
        while !into.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.0, into, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    offset += read as u64;
                    into = &mut into[read..];
                }
            }
        }
        Ok(())
    }
}

/// Hours after which a part is of a process that ended in the midst of writing it.
const PART_HOURS_MAX: u64 = 24;

/// Removes parts that nobody writes any more. What cannot be looked at or removed stays.
pub(crate) fn sweep(store: &Place) {
    let kinds = [Derived::Words, Derived::Vectors].map(|kind| place(store, kind));
    let names = kinds.each_ref().map(|whole| whole.path().file_name().map(|name| name.to_string_lossy().into_owned()));
    let entries = store.path().parent().and_then(|folder| fs::read_dir(folder).ok());
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let ours = name.ends_with(".part")
            && names
                .iter()
                .flatten()
                .any(|whole| name.strip_prefix(whole.as_str()).is_some_and(|rest| rest.starts_with('.')));
        let old = || {
            let age = entry.metadata().ok()?.modified().ok()?.elapsed().ok()?;
            Some(age.as_secs() > PART_HOURS_MAX * 3_600)
        };
        if ours && old().unwrap_or(false) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

/// Opens what was made.
pub(crate) fn open(store: &Place, kind: Derived) -> io::Result<Arc<dyn ReadAt>> {
    Ok(Arc::new(OpenFile(File::open(place(store, kind).path())?)))
}

/// Makes it anew, under another name first, so that whoever reads the older one goes on reading that. Where no file can be written it is held in memory.
pub(crate) fn make(
    store: &Place,
    kind: Derived,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<Arc<dyn ReadAt>, StoreError> {
    static PARTS: AtomicU64 = AtomicU64::new(0);
    let whole = place(store, kind);
    let part = whole.beside(&format!(".{}-{}.part", process::id(), PARTS.fetch_add(1, Ordering::Relaxed)));
    let mut asked = Ok(());
    let written = File::create(part.path()).and_then(|file| {
        let mut out = Noted { inner: BufWriter::with_capacity(BUFFER_BYTES, file), failed: false };
        asked = write(&mut out).or_else(|error| if out.failed { Ok(()) } else { Err(error) });
        let failed = out.failed || asked.is_err();
        let file = out.inner.into_inner().map_err(io::IntoInnerError::into_error)?;
        drop(file);
        if failed {
            return Err(io::Error::other("it was not written"));
        }
        fs::rename(part.path(), whole.path())?;
        open(store, kind)
    });
    let refused = |error: io::Error| StoreError::Failed { file: whole.file(), what: error.to_string() };
    written.or_else(|_| {
        drop(fs::remove_file(part.path()));
        asked.map_err(refused)?;
        // A folder that may not be written, a full disk: what is made is needed nevertheless.
        let mut bytes: Vec<u8> = Vec::new();
        write(&mut bytes).map_err(refused)?;
        Ok(Arc::new(bytes) as Arc<dyn ReadAt>)
    })
}

/// A writer that knows whether it failed.
struct Noted<W> {
    inner: W,
    failed: bool,
}

impl<W: Write> Write for Noted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes).inspect_err(|_| self.failed = true)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().inspect_err(|_| self.failed = true)
    }
}
