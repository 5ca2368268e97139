//! The one folder that a server reads in for whoever asks it to.
//!
//! It is opened once, and everything is opened from there: the system itself sees to it that no link, and nothing that is put in the
//! place of a file meanwhile, leads out of it.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};
use steadfast_engine::intake::{is_archive, is_read};
use steadfast_engine::limits::{ARCHIVE_BYTES_MAX, FILE_BYTES_MAX, FILES_MAX, RUN_BYTES_MAX};
use steadfast_engine::{AuditInput, File};

use crate::exit::Failure;
use crate::input::{archive, files_in, open_in, unreadable, whole};
use crate::talk::Talk;

/// A folder that is open.
pub(crate) struct Root {
    opened: Dir,
    /// What it is called on this machine: whoever names a file by its whole path means the same.
    folder: PathBuf,
}

impl Root {
    pub(crate) fn of(folder: &Path) -> Result<Self, Failure> {
        let found = folder.metadata().map_err(|error| unreadable(folder, &error))?;
        if !found.is_dir() {
            return Err(Failure::usage(format!("{}: is no folder", folder.display())));
        }
        let failed = |error: io::Error| unreadable(folder, &error);
        let opened = Dir::open_ambient_dir(folder, ambient_authority()).map_err(failed)?;
        Ok(Self { opened, folder: folder.canonicalize().map_err(failed)? })
    }

    /// A file in it.
    pub(crate) fn file(&self, given: &str) -> Result<File, Failure> {
        let path = self.within(given);
        if self.look(path)?.is_dir() {
            return Err(Failure::usage(format!("{given}: is a folder, no file")));
        }
        let opened = open_in(&self.opened, path).map_err(|error| outside(path, &error))?;
        let bytes = whole(path, opened, FILE_BYTES_MAX, |_| true)?;
        // The name alone: the folders before it are of this machine.
        let name = path.file_name().map_or_else(|| "file".to_owned(), |name| name.to_string_lossy().into_owned());
        Ok(File { name, bytes })
    }

    /// A planner's run in it: a folder or an archive.
    pub(crate) fn run(&self, given: &str, talk: Talk) -> Result<AuditInput, Failure> {
        let path = self.within(given);
        if self.look(path)?.is_dir() {
            let opened = self.opened.open_dir(path).map_err(|error| outside(path, &error))?;
            let (files, _) = files_in(&opened, path, talk, is_read, FILES_MAX, RUN_BYTES_MAX)?;
            return Ok(AuditInput::Folder { name: given.to_owned(), files });
        }
        let opened = open_in(&self.opened, path).map_err(|error| outside(path, &error))?;
        let bytes = whole(path, opened, ARCHIVE_BYTES_MAX, is_archive)?;
        Ok(archive(given.to_owned(), bytes, Vec::new())?.audit)
    }

    /// What is given, from the folder on.
    fn within<'a>(&self, given: &'a str) -> &'a Path {
        let path = Path::new(given);
        path.strip_prefix(&self.folder).unwrap_or(path)
    }

    fn look(&self, path: &Path) -> Result<Metadata, Failure> {
        self.opened.metadata(path).map_err(|error| outside(path, &error))
    }
}

/// Why something is not read.
fn outside(path: &Path, error: &io::Error) -> Failure {
    // What leads out is refused by the library that opens files, and not by the system.
    if error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none() {
        return Failure::usage(format!("{}: leads out of the folder that this server may read", path.display()));
    }
    unreadable(path, error)
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::process::Command;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::Root;

    /// Whoever may write in the folder can put a link in the place of a file at any moment.
    #[test]
    fn a_link_that_is_put_in_the_place_of_a_file_leads_nowhere() {
        let place = tempfile::tempdir().unwrap();
        let (secret, folder) = (place.path().join("secret"), place.path().join("root"));
        fs::write(&secret, "secret").unwrap();
        fs::create_dir(&folder).unwrap();
        let (file, spare) = (folder.join("a.md"), folder.join("spare"));
        fs::write(&file, "open").unwrap();
        let root = Root::of(&folder).unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    symlink(&secret, &spare).unwrap();
                    fs::rename(&spare, &file).unwrap();
                    fs::write(&spare, "open").unwrap();
                    fs::rename(&spare, &file).unwrap();
                }
            });
            // Either may be in place for a whole time slice: the reads go on until both were met often.
            let (mut read, mut refused, mut wrong) = (0, 0, None);
            while wrong.is_none() && (read < 200 || refused < 200) {
                match root.file("a.md") {
                    Ok(found) if found.bytes == b"open" => read += 1,
                    Ok(found) => wrong = Some(found.bytes),
                    Err(_) => refused += 1,
                }
            }
            done.store(true, Ordering::Relaxed);
            assert_eq!(wrong, None, "after {read} reads");
        });
    }

    #[test]
    fn what_is_in_the_folder_is_read_by_either_name() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("a.md"), "a").unwrap();
        let root = Root::of(place.path()).unwrap();
        let whole = place.path().canonicalize().unwrap().join("a.md");
        for name in ["a.md", "./a.md", whole.to_str().unwrap()] {
            assert_eq!(root.file(name).unwrap().bytes, b"a", "{name}");
        }
        for name in ["../a.md", "/etc/passwd", "b.md", "."] {
            assert!(root.file(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_pipe_holds_up_nobody() {
        let place = tempfile::tempdir().unwrap();
        assert!(Command::new("mkfifo").arg(place.path().join("pipe.md")).status().unwrap().success());
        let refused = Root::of(place.path()).unwrap().file("pipe.md").unwrap_err();
        assert_eq!(refused.message, "pipe.md: is neither a file nor a folder");
    }
}
