//! Who takes jobs in: a name, and a file beside the store that is locked as long as its process goes on. The system lets go of the lock
//! however the process ends, so no clock says whether it does.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::PathBuf;

use crate::connection::Place;

/// What a lock's file is called: the store's name, this, and the name of its process.
const ENDING: &str = ".jobs-";

/// The name of this process, and its lock. It is free again once this is dropped.
#[derive(Debug)]
pub(crate) struct Owner {
    name: String,
    path: PathBuf,
    /// Held for its lock.
    _file: File,
}

/// The file of a name; `None` where the name is none that was made here.
fn file_of(place: &Place, name: &str) -> Option<PathBuf> {
    let is_own = name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_own.then(|| place.beside(&format!("{ENDING}{name}")).path().to_owned())
}

impl Owner {
    pub(crate) fn of(place: &Place, name: String) -> io::Result<Self> {
        let path = file_of(place, &name).ok_or(io::ErrorKind::InvalidInput)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        file.try_lock().map_err(io::Error::from)?;
        Ok(Self { name, path, _file: file })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.path));
    }
}

/// Whether the process goes on that has a name. The file of one that does not is taken away.
pub(crate) fn goes_on(place: &Place, name: &str) -> bool {
    let Some(path) = file_of(place, name) else { return false };
    let Ok(file) = File::open(&path) else { return false };
    match file.try_lock() {
        Ok(()) => {
            drop(std::fs::remove_file(&path));
            false
        }
        Err(TryLockError::WouldBlock) => true,
        // What cannot be known is left as it is.
        Err(TryLockError::Error(_)) => true,
    }
}
