//! The folder: its lock, unfinished files, and how they come to stand under their names.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{Event, ModelFile, Notify, State, blocking};
use crate::{Error, Resume};

/// The lock's file. It stays when the lock goes: a file that is removed could be locked by two.
const LOCK: &str = ".lock";

/// What is read of a file at a time, in bytes.
const PIECE_BYTES: usize = 1 << 18;

/// What a note about an unfinished file may hold, in bytes.
const NOTE_BYTES_MAX: u64 = 16 * 1024;

/// The right to write into a folder, until it is dropped or the process ends.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a folder, which is made if need be. Waits for another process that holds it.
    pub(super) async fn take(folder: &Path, notify: Notify<'_>) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let path = folder.join(LOCK);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(Error::io(&path))?;
        match file.try_lock() {
            Ok(()) => return Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => notify(Event::Waiting),
            Err(TryLockError::Error(error)) => return Err(Error::io(&path)(error)),
        }
        blocking(move || {
            file.lock().map_err(Error::io(&path))?;
            Ok(Self { _file: file })
        })
        .await
    }
}

/// What is there of a file.
pub(super) fn state(file: &ModelFile, folder: &Path) -> State {
    let path = folder.join(&file.name);
    let hashed = fs::metadata(&path).and_then(|found| match found.len() {
        _ if !found.is_file() => Err(io::ErrorKind::IsADirectory.into()),
        bytes if bytes != file.bytes => Ok(State::WrongSize { bytes }),
        _ => match sha256(&path)? {
            sha256 if sha256 == file.sha256 => Ok(State::Right),
            sha256 => Ok(State::WrongHash { sha256 }),
        },
    });
    match hashed {
        Ok(state) => state,
        Err(error) if error.kind() == io::ErrorKind::NotFound => State::Missing,
        Err(error) => State::Unreadable { why: error.to_string() },
    }
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            read => hash.update(&piece[..read]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A file that is not finished: `NAME.part`, and `NAME.part.from` with the address it comes from and the `ETag` that came with it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    file: ModelFile,
    path: PathBuf,
    note: PathBuf,
    target: PathBuf,
}

impl Part {
    pub(super) fn of(file: &ModelFile, folder: &Path) -> Self {
        Self {
            path: folder.join(format!("{}.part", file.name)),
            note: folder.join(format!("{}.part.from", file.name)),
            target: folder.join(&file.name),
            file: file.clone(),
        }
    }

    /// What is there of it from this address. What comes from elsewhere, or is too long, is thrown away.
    pub(super) fn resume(&self, url: &str) -> Result<Resume, Error> {
        let bytes = fs::metadata(&self.path).map_or(0, |found| found.len());
        let mut note = String::new();
        // A note that cannot be read says nothing.
        let read = File::open(&self.note).and_then(|file| file.take(NOTE_BYTES_MAX).read_to_string(&mut note));
        let mut lines = note.lines();
        let known = read.is_ok() && lines.next() == Some(url);
        let etag = lines.next().filter(|etag| etag.starts_with('"')).map(str::to_owned);
        if bytes == 0 || bytes > self.file.bytes || !known {
            self.discard()?;
            return Ok(Resume { bytes: 0, etag: None });
        }
        Ok(Resume { bytes, etag })
    }

    /// Begins it anew.
    pub(super) fn begin(&self, url: &str, etag: Option<&str>) -> Result<File, Error> {
        let file = self.create()?;
        fs::write(&self.note, format!("{url}\n{}\n", etag.unwrap_or_default())).map_err(Error::io(&self.note))?;
        Ok(file)
    }

    /// Begins it anew, from where nothing can be resumed.
    fn create(&self) -> Result<File, Error> {
        self.discard()?;
        File::create(&self.path).map_err(Error::io(&self.path))
    }

    /// Goes on with it.
    pub(super) fn append(&self) -> Result<File, Error> {
        OpenOptions::new().append(true).open(&self.path).map_err(Error::io(&self.path))
    }

    /// Adds a piece.
    pub(super) fn write(&self, file: &mut File, piece: &[u8]) -> Result<(), Error> {
        file.write_all(piece).map_err(Error::io(&self.path))
    }

    /// Copies all of it, at most one byte more than it should have. What was copied half is thrown away.
    pub(super) fn copy(&self, from: &mut dyn Read, from_path: &Path) -> Result<(), Error> {
        let copied = self.copy_all(from, from_path);
        if copied.is_err() {
            self.discard()?;
        }
        copied
    }

    fn copy_all(&self, from: &mut dyn Read, from_path: &Path) -> Result<(), Error> {
        let mut file = self.create()?;
        let mut piece = vec![0; PIECE_BYTES];
        let mut from = from.take(self.file.bytes.saturating_add(1));
        loop {
            // What the system does not say comes from the reader of archives.
            let read = from.read(&mut piece).map_err(|error| match error.raw_os_error() {
                None => Error::Archive { path: from_path.to_owned(), why: error.to_string() },
                Some(_) => Error::io(from_path)(error),
            })?;
            if read == 0 {
                return Ok(());
            }
            self.write(&mut file, &piece[..read])?;
        }
    }

    /// Puts it in its place if it is the right file, else throws it away.
    pub(super) fn finish(&self, origin: &str) -> Result<(), Error> {
        let found = sha256(&self.path).map_err(Error::io(&self.path))?;
        if found != self.file.sha256 {
            self.discard()?;
            return Err(Error::WrongHash {
                file: self.file.name.clone(),
                origin: origin.to_owned(),
                wanted: self.file.sha256.clone(),
                found,
            });
        }
        // On the disk before it is renamed: a power cut must not leave an empty file under the name.
        File::open(&self.path).and_then(|file| file.sync_all()).map_err(Error::io(&self.path))?;
        fs::rename(&self.path, &self.target).map_err(Error::io(&self.target))?;
        remove(&self.note)
    }

    /// Throws it away.
    pub(super) fn discard(&self) -> Result<(), Error> {
        remove(&self.path)?;
        remove(&self.note)
    }
}

fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path)(error)),
        _ => Ok(()),
    }
}
