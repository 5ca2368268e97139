//! What tests of the program share: a folder of their own that it runs in.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// How the program ended.
#[derive(Debug)]
pub(crate) struct End {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl End {
    /// Ended with `status`, without data, and said exactly this.
    #[track_caller]
    pub(crate) fn refused(&self, status: i32, stderr: &str) {
        assert_eq!((self.status, self.stderr.trim_end(), self.stdout.as_str()), (status, stderr, ""));
    }

    /// Ended with `status`.
    #[track_caller]
    pub(crate) fn status(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }
}

/// A folder of its own that the program runs in.
pub(crate) struct Place(TempDir);

impl Place {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The same with one more file.
    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// The program with arguments that are parted by spaces.
    #[track_caller]
    pub(crate) fn measure(&self, arguments: &str) -> End {
        let output = Command::new(env!("CARGO_BIN_EXE_steadfast-measure"))
            .args(arguments.split_whitespace())
            .current_dir(self.root())
            .env("XDG_DATA_HOME", self.path("data-home"))
            .output()
            .unwrap();
        End {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
