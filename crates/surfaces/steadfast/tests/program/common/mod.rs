//! What the whole-program tests share: a folder of their own, the program, archives.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) mod faults;
pub(crate) mod mcp;
pub(crate) mod serve;

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) const PROMPT: &str =
    "Plan a seed library for the allotments. It must open within 3 months. Budget: 500 EUR.\n";
pub(crate) const REPORT: &str = "# Seed library\n\nThe seed library opens within 3 months and costs 500 EUR.\n";

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

/// Arguments that are parted by spaces; `␣` is a space within one.
fn parted(arguments: &str) -> Vec<String> {
    arguments.split_whitespace().map(|it| it.replace('␣', " ")).collect()
}

/// A folder of its own that the program runs in.
pub(crate) struct Place(TempDir);

impl Place {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// An empty folder that no disk is behind, where the machine has such: for many small files that are synced.
    pub(crate) fn in_memory() -> Self {
        Self(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    /// A folder with `prompt.txt` and `report.md`.
    pub(crate) fn pair() -> Self {
        Self::empty().with("prompt.txt", PROMPT).with("report.md", REPORT)
    }

    /// A folder with a small run in `run/`.
    pub(crate) fn run() -> Self {
        Self::empty()
            .with("run/001-2-plan.txt", PROMPT)
            .with("run/025-2-summary.md", REPORT)
            .with("run/030-report.html", "<html><body><h1>Seed library</h1><p>It opens in spring.</p></body></html>")
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

    /// The program with arguments that are parted by spaces; `␣` is a space within one.
    #[track_caller]
    pub(crate) fn steadfast(&self, arguments: &str) -> End {
        self.steadfast_with(arguments, b"")
    }

    /// The same with something on stdin.
    #[track_caller]
    pub(crate) fn steadfast_with(&self, arguments: &str, stdin: &[u8]) -> End {
        let arguments = parted(arguments);
        self.run_with(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), stdin)
    }

    /// The same, with the embedding model of this machine for `audit` too.
    #[track_caller]
    pub(crate) fn steadfast_with_model(&self, arguments: &str) -> End {
        let arguments = parted(arguments);
        self.run_as(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), b"", true, &[])
    }

    /// The same with variables of the environment.
    #[track_caller]
    pub(crate) fn steadfast_in(&self, variables: &[(&str, &str)], arguments: &str, stdin: &[u8]) -> End {
        let arguments = parted(arguments);
        self.run_as(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), stdin, false, variables)
    }

    /// The program with arguments, each as it is.
    #[track_caller]
    pub(crate) fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> End {
        self.run_as(arguments, stdin, false, &[])
    }

    fn run_as(&self, arguments: &[&str], stdin: &[u8], has_model: bool, variables: &[(&str, &str)]) -> End {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env_remove("NO_COLOR")
            .env("XDG_DATA_HOME", self.path("data"))
            .envs(variables.iter().copied());
        if arguments.first() == Some(&"audit") && !has_model {
            // Passages are those that words find, as with the servers of these tests, and no model is loaded each time.
            command.env("STEADFAST_MODELS", self.path("no-models"));
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The program may end without reading: then the pipe breaks, and that is no fault.
        drop(child.stdin.take().unwrap().write_all(stdin));
        let output = child.wait_with_output().unwrap();
        End {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// All files below the folder, hidden ones too, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(self.0.path()).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        found
    }

    /// Puts a zip of `folder` beside it, with member names that begin with `prefix`.
    pub(crate) fn zip(self, folder: &str, archive: &str, prefix: &str) -> Self {
        let root = self.path(folder);
        let members: Vec<(String, Vec<u8>)> = self
            .files()
            .iter()
            .filter_map(|name| name.strip_prefix(&format!("{folder}/")))
            .map(|name| (format!("{prefix}{name}"), fs::read(root.join(name)).unwrap()))
            .collect();
        fs::write(self.path(archive), zipped(&members)).unwrap();
        self
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }
}

/// An archive of these members.
pub(crate) fn zipped(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
