//! Data out: to stdout, or to files that appear whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process;

use anstream::{AutoStream, ColorChoice};
use steadfast_render::{Colour, acts_unseen};

use crate::exit::Failure;

/// How often another temporary name is tried.
const ATTEMPTS_MAX: u32 = 100;

/// Writes a text to a file, whole or not at all, or to stdout.
pub fn to(path: Option<&Path>, text: String) -> Result<(), Failure> {
    match path {
        Some(path) => to_files(&[(path.to_owned(), text)]),
        None => to_stdout(&text),
    }
}

/// Writes to stdout. A reader that has gone away is no error. On a terminal what would act on it unseen is escaped as JSON escapes it, so
/// that JSON stays the same.
pub fn to_stdout(text: &str) -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        return bytes_to_stdout(escaped(text).as_bytes());
    }
    bytes_to_stdout(text.as_bytes())
}

/// Text with what acts on a terminal unseen escaped, but for white space and the colours that the program itself sets.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if acts_unseen(character) && character != '\u{1b}' {
            let mut units = [0; 2];
            out.extend(character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(character);
        }
    }
    out
}

/// Writes bytes to stdout as they are.
pub fn bytes_to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::external(format!("stdout: cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Colour where data goes to a terminal that shows it, and `NO_COLOR` does not forbid it.
pub(crate) fn colour(to_terminal: bool) -> Colour {
    if to_terminal && AutoStream::choice(&io::stdout()) != ColorChoice::Never { Colour::On } else { Colour::Off }
}

/// Writes files: each to a temporary name in its own folder, and all renamed once all are written.
pub fn to_files(files: &[(PathBuf, String)]) -> Result<(), Failure> {
    let staged: Vec<Staged> = files.iter().map(|(path, text)| Staged::write(path, text)).collect::<Result<_, _>>()?;
    staged.into_iter().try_for_each(Staged::finish)
}

/// Writes a file in pieces as `each` gives them, to a temporary name that is renamed at the end. Its owner alone can read it: it holds what a store does.
pub fn stream(
    path: &Path,
    each: impl FnOnce(&mut dyn FnMut(&str) -> Result<(), Failure>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (staged, file) = Staged::begin(path, &private())?;
    let mut writer = BufWriter::new(file);
    each(&mut |piece| writer.write_all(piece.as_bytes()).map_err(|error| unwritable(path, &error)))?;
    let file = writer.into_inner().map_err(|error| unwritable(path, error.error()))?;
    // A device or a pipe has nothing to be synchronised.
    if staged.temporary.is_some() {
        file.sync_all().map_err(|error| unwritable(path, &error))?;
    }
    staged.finish()
}

/// Makes a folder and those it stands in.
pub fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| unwritable(path, &error))
}

/// Refuses to write over what is read: a file, or one that is read as part of a folder.
pub fn spare(inputs: &[PathBuf], targets: &[&Path]) -> Result<(), Failure> {
    for target in targets {
        let Ok(canonical) = target.canonicalize() else { continue };
        for input in inputs.iter().filter_map(|input| input.canonicalize().ok()) {
            let inside = canonical.strip_prefix(&input).ok();
            let read = inside.is_some_and(|inside| {
                inside.as_os_str().is_empty() || steadfast_engine::intake::is_read(&inside.to_string_lossy())
            });
            if read {
                return Err(Failure::usage(format!("{}: is read, so it is not written over", target.display()))
                    .hint("give another name to -o"));
            }
        }
    }
    Ok(())
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let what = match error.kind() {
        io::ErrorKind::NotFound => "the folder it is to stand in does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be written".to_owned(),
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => "stands in the way, and is no folder".to_owned(),
        _ => format!("cannot be written: {error}"),
    };
    let failure = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Failure::external,
        _ => Failure::usage,
    };
    failure(format!("{}: {what}", path.display()))
}

/// How a file is made that its owner alone can read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// A file under its temporary name. Dropped before it is finished, it is gone.
struct Staged {
    temporary: Option<PathBuf>,
    target: PathBuf,
}

impl Staged {
    fn write(path: &Path, text: &str) -> Result<Self, Failure> {
        let (staged, mut file) = Self::begin(path, &OpenOptions::new())?;
        match file.write_all(text.as_bytes()) {
            // A reader that has gone away is no error.
            Err(error) if staged.temporary.is_none() && error.kind() == io::ErrorKind::BrokenPipe => {}
            Err(error) => return Err(unwritable(path, &error)),
            Ok(()) if staged.temporary.is_some() => file.sync_all().map_err(|error| unwritable(path, &error))?,
            Ok(()) => {}
        }
        Ok(staged)
    }

    /// A file to write to under a temporary name; a device or a pipe under its own.
    fn begin(path: &Path, options: &OpenOptions) -> Result<(Self, File), Failure> {
        // Through a link, the file that it leads to is replaced, not the link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target) {
            Ok(found) if found.is_dir() => {
                return Err(Failure::usage(format!("{}: is a folder", path.display()))
                    .hint("`--out-dir` writes a report folder"));
            }
            // A device or a pipe cannot be replaced by a file.
            Ok(found) if !found.is_file() => {
                let device = OpenOptions::new().write(true).open(&target).map_err(|error| unwritable(path, &error))?;
                return Ok((Self { temporary: None, target }, device));
            }
            _ => {}
        }
        let folder = target.parent().unwrap_or(Path::new(""));
        let name = target.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        for attempt in 0..ATTEMPTS_MAX {
            let temporary = folder.join(format!(".{name}.{}-{attempt}.part", process::id()));
            match options.clone().write(true).create_new(true).open(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(unwritable(path, &error)),
                Ok(file) => return Ok((Self { temporary: Some(temporary), target }, file)),
            }
        }
        Err(Failure::external(format!("{}: no temporary name beside it is free", path.display())))
    }

    fn finish(mut self) -> Result<(), Failure> {
        if let Some(temporary) = self.temporary.take()
            && let Err(error) = fs::rename(&temporary, &self.target)
        {
            self.temporary = Some(temporary);
            return Err(unwritable(&self.target, &error));
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            drop(fs::remove_file(temporary));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn nothing_acts_on_a_terminal_unseen() {
        assert_eq!(
            escaped("{\"a\": \"\u{202e}evil\u{9b}2J\u{e0041}\"}\n"),
            r#"{"a": "\u202eevil\u009b2J\udb40\udc41"}"#.to_owned() + "\n"
        );
        let own = "\u{1b}[31mred\u{1b}[0m\té – 日本\r\n";
        assert_eq!(escaped(own), own);
    }
}
