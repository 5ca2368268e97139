//! Files: the account of a day, recordings, and replies that are kept.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use steadfast_engine::chat::{Cost, Ledger, Limit, Replies, Tape};

use crate::Error;

/// Largest account, in bytes.
const LEDGER_BYTES_MAX: u64 = 4_096;

/// The account of a day in a file, shared by all processes that name the same. A lock beside it keeps them apart.
#[derive(Debug)]
pub struct FileLedger {
    path: PathBuf,
}

impl FileLedger {
    /// The account in this file, which is made, with its folder, when something is put there.
    #[must_use]
    pub const fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Changes the account of a day; that of another day is begun anew.
    fn change(&self, day: i64, change: impl FnOnce(Cost) -> Result<Cost, String>) -> Result<(), String> {
        let failed = |error: io::Error| format!("the account of the day, {}: {error}", self.path.display());
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let lock = self.path.with_extension("lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(lock).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let spent = match self.read().map_err(failed)? {
            Some((own, spent)) if own == day => spent,
            // A clock that was set back must not open a spent account anew.
            Some((own, spent)) if own > day => spent,
            _ => Cost::default(),
        };
        let day = self.read().map_err(failed)?.map_or(day, |(own, _)| own.max(day));
        let spent = change(spent)?;
        let text = json!({"day": day, "tokens": spent.tokens, "micros": spent.micros}).to_string();
        let part = self.path.with_extension("part");
        fs::write(&part, text).and_then(|()| fs::rename(&part, &self.path)).map_err(failed)
    }

    fn read(&self) -> io::Result<Option<(i64, Cost)>> {
        let mut text = String::new();
        match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
            Ok(file) => file.take(LEDGER_BYTES_MAX).read_to_string(&mut text)?,
        };
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "is no account; remove it to begin anew");
        let value: Value = serde_json::from_str(&text).map_err(|_| wrong())?;
        let number = |name: &str| value.get(name).and_then(Value::as_u64);
        let day = value.get("day").and_then(Value::as_i64).ok_or_else(wrong)?;
        let (tokens, micros) = number("tokens").zip(number("micros")).ok_or_else(wrong)?;
        Ok(Some((day, Cost { tokens, micros })))
    }
}

impl Ledger for FileLedger {
    fn reserve(&self, day: i64, more: Cost, limit: &Limit) -> Result<(), String> {
        self.change(day, |spent| {
            limit.fits("the day", spent, more)?;
            Ok(spent.plus(more))
        })
    }

    fn settle(&self, day: i64, reserved: Cost, cost: Cost) -> Result<(), String> {
        self.change(day, |spent| Ok(spent.minus(reserved).plus(cost)))
    }
}

/// Largest reply that is read again, in bytes: one of the longest that is taken, escaped as JSON escapes it.
const KEPT_BYTES_MAX: u64 = 8 << 20;

/// Replies in a folder that its owner alone reads, each in a file that is called by its key.
#[derive(Debug)]
pub struct FileReplies {
    folder: PathBuf,
}

impl FileReplies {
    /// The replies of this folder, which is made when one is kept there.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    fn write(&self, key: &str, line: &str) -> io::Result<()> {
        let mut folder = DirBuilder::new();
        let mut file = OpenOptions::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
            folder.mode(0o700);
            file.mode(0o600);
        }
        folder.recursive(true).create(&self.folder)?;
        let part = self.folder.join(format!("{key}.{}.part", std::process::id()));
        file.write(true).create(true).truncate(true).open(&part)?.write_all(line.as_bytes())?;
        fs::rename(&part, self.file(key))
    }
}

impl Replies for FileReplies {
    fn get(&self, key: &str) -> Option<String> {
        let file = File::open(self.file(key)).ok()?;
        if file.metadata().ok()?.len() > KEPT_BYTES_MAX {
            return None;
        }
        let mut line = String::new();
        file.take(KEPT_BYTES_MAX).read_to_string(&mut line).ok()?;
        Some(line)
    }

    fn put(&self, key: &str, line: &str) {
        // What cannot be kept is asked for again.
        drop(self.write(key, line));
    }
}

/// A recording in a file: every line is written at once, at its end.
#[derive(Debug)]
pub struct FileTape {
    file: Mutex<File>,
}

impl FileTape {
    /// Opens a file to write at its end, and makes it where it does not exist.
    ///
    /// # Errors
    /// [`Error::Io`] where it cannot be written.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|source| Error::Io { path: path.to_owned(), source })?;
        Ok(Self { file: Mutex::new(file) })
    }
}

impl Tape for FileTape {
    fn put(&self, line: &str) -> Result<(), String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use steadfast_engine::chat::{Cost, Ledger, Limit, Replies, Tape};

    use super::{FileLedger, FileReplies, FileTape, KEPT_BYTES_MAX};

    const LIMIT: Limit = Limit { tokens: Some(100), micros: None };

    fn tokens(tokens: u64) -> Cost {
        Cost { tokens, micros: tokens / 2 }
    }

    #[test]
    fn a_day_is_counted_over_processes_and_the_next_begins_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/spent.json");
        let (one, two) = (FileLedger::new(path.clone()), FileLedger::new(path.clone()));
        one.reserve(7, tokens(60), &LIMIT).unwrap();
        assert_eq!(
            two.reserve(7, tokens(41), &LIMIT).unwrap_err(),
            "it may take 41 tokens, and of the 100 for the day 60 are spent"
        );
        two.reserve(7, tokens(40), &LIMIT).unwrap();
        one.settle(7, tokens(60), tokens(10)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), r#"{"day":7,"micros":25,"tokens":50}"#);
        // A clock that goes back opens nothing anew.
        assert!(one.reserve(6, tokens(51), &LIMIT).is_err());
        one.reserve(8, tokens(100), &LIMIT).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), r#"{"day":8,"micros":50,"tokens":100}"#);
    }

    #[test]
    fn an_account_that_cannot_be_read_lets_nothing_through() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spent.json");
        for content in ["", "{}", "{\"day\": 1, \"tokens\": -1, \"micros\": 0}"] {
            fs::write(&path, content).unwrap();
            let error = FileLedger::new(path.clone()).reserve(1, tokens(1), &LIMIT).unwrap_err();
            assert!(error.ends_with("is no account; remove it to begin anew"), "{error}");
        }
    }

    #[test]
    fn many_at_once_do_not_spend_more_than_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("spent.json");
        let passed: usize = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..8)
                .map(|_| {
                    let ledger = FileLedger::new(path.clone());
                    scope.spawn(move || (0..5).filter(|_| ledger.reserve(1, tokens(7), &LIMIT).is_ok()).count())
                })
                .collect();
            runs.into_iter().map(|run| run.join().unwrap()).sum()
        });
        assert_eq!(passed, 100 / 7);
    }

    #[test]
    fn a_recording_grows_at_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tape.jsonl");
        for line in ["a\n", "b\n"] {
            FileTape::open(&path).unwrap().put(line).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "a\nb\n");
        assert!(FileTape::open(folder.path()).is_err());
    }

    #[test]
    fn replies_are_kept_for_their_owner_and_one_that_is_too_long_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let replies = FileReplies::new(folder.path().join("a").join("b"));
        assert_eq!(replies.get("k"), None);
        replies.put("k", "one");
        replies.put("k", "two");
        assert_eq!((replies.get("k").as_deref(), replies.get("l")), (Some("two"), None));
        let names: Vec<_> = fs::read_dir(&replies.folder).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["k.json"]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&replies.folder), mode(&replies.file("k"))), (0o700, 0o600));
        }
        fs::File::create(replies.file("k")).unwrap().set_len(KEPT_BYTES_MAX + 1).unwrap();
        assert_eq!(replies.get("k"), None);
        fs::write(replies.file("k"), [0xff]).unwrap();
        assert_eq!(replies.get("k"), None);
    }
}
