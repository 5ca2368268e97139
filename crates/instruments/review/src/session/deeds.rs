//! The calls of a session as one list of deeds.

use steadfast_session::effects;
use steadfast_session::purpose::{Purpose, Status, key, purposes, statuses};
use steadfast_session::shell::{Command, Joined, commands};
use steadfast_session::{Author, Call, Edit, Session};

/// The most deeds that are looked at.
pub const DEEDS_MAX: usize = 20_000;

/// One call, read.
#[derive(Clone, Debug, PartialEq)]
pub struct Deed {
    /// The turn, from 1.
    pub turn: usize,
    /// Its place among the calls of that turn, from 0.
    pub call: usize,
    /// The tool.
    pub tool: String,
    /// The arguments, as JSON.
    pub arguments: String,
    /// The command line.
    pub line: Option<String>,
    /// The commands of the line, each with whose exit status the line has.
    pub commands: Vec<(Command, Status)>,
    /// Files that it names or changes.
    pub files: Vec<String>,
    /// Addresses that it opens.
    pub urls: Vec<String>,
    /// What it changes.
    pub edits: Vec<Edit>,
    /// Whether the lines of its edits are known.
    pub exact: bool,
    /// The exit status.
    pub exit: Option<i64>,
    /// Whether it came through; `None` where the log does not say.
    pub ok: Option<bool>,
    /// What it gave back.
    pub output: String,
    /// Whether the log holds less than all of that.
    pub truncated: bool,
    /// Whether it only looks.
    pub reads_only: bool,
    /// Whether it is a file that was handed in beside a report.
    pub evidence: bool,
}

impl Deed {
    /// The commands that are for something.
    pub fn runs(&self, purpose: Purpose) -> impl Iterator<Item = &(Command, Status)> {
        self.commands.iter().filter(move |(command, _)| purposes(command).contains(&purpose))
    }

    /// What it runs for these purposes, as [`key`] has it.
    #[must_use]
    pub fn key(&self, wanted: &[Purpose]) -> String {
        let is_wanted = |it: &&Command| purposes(it).iter().any(|purpose| wanted.contains(purpose));
        key(self.commands.iter().map(|(command, _)| command).filter(is_wanted))
    }

    /// Whether it changes a file that is no documentation.
    #[must_use]
    pub fn edits_code(&self) -> bool {
        self.edits.iter().any(|edit| !is_document(&edit.path))
    }

    /// Whether one of its commands came through, as far as the status of the line tells.
    #[must_use]
    pub fn came_through(&self, status: Status) -> Option<bool> {
        match (self.ok, status) {
            (Some(ok), Status::Own) => Some(ok),
            (Some(true), Status::IfZero) => Some(true),
            _ => None,
        }
    }

    /// Whether a command of it ran for all that is known: it was not left out because one before it failed.
    #[must_use]
    pub fn may_have_run(&self, at: usize) -> bool {
        let Some((command, status)) = self.commands.get(at) else { return false };
        match self.ok {
            Some(false) => match *status {
                Status::Own => false,
                // One of a chain failed, and nobody knows which; the first of it was tried.
                Status::IfZero => false,
                Status::Other => {
                    command.joined != Joined::And
                        || self.commands.get(at + 1).is_some_and(|(next, _)| next.joined == Joined::Pipe)
                }
            },
            _ => command.joined != Joined::Or,
        }
    }

    /// The command line or the tool with its files, on one line.
    #[must_use]
    pub fn shown(&self) -> String {
        let own = self.line.clone().unwrap_or_else(|| format!("{} {}", self.tool, self.files.join(" ")));
        let mut out: String = own.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = out.char_indices().nth(300) {
            out.truncate(end);
            out.push('…');
        }
        out
    }
}

/// The deeds of a session, in their order: calls of the agent and of its agents, and evidence.
#[must_use]
pub fn deeds(session: &Session) -> Vec<Deed> {
    let mut out = Vec::new();
    for (at, turn) in session.turns.iter().enumerate() {
        if !matches!(turn.author, Author::Agent | Author::SubAgent | Author::Evidence) {
            continue;
        }
        for (place, call) in turn.calls.iter().enumerate() {
            if out.len() >= DEEDS_MAX {
                return out;
            }
            out.push(deed(call, at + 1, place, turn.author == Author::Evidence));
        }
    }
    out
}

fn deed(call: &Call, turn: usize, place: usize, evidence: bool) -> Deed {
    let outcome = call.outcome.as_ref();
    let ok = outcome.and_then(steadfast_session::Outcome::ok);
    let all = call.command.as_deref().map(commands).unwrap_or_default();
    let statuses = statuses(&all);
    let mut edits = if ok == Some(false) { Vec::new() } else { call.edits.clone() };
    let mut commands: Vec<(Command, Status)> = all.into_iter().zip(statuses).collect();
    for (command, _) in &mut commands {
        if command.directory.is_none() {
            command.directory.clone_from(&call.directory);
        }
    }
    let mut out = Deed {
        turn,
        call: place,
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        line: call.command.clone(),
        commands,
        files: call.files.clone(),
        urls: call.urls.clone(),
        edits: Vec::new(),
        exact: true,
        exit: outcome.and_then(|it| it.exit),
        ok,
        output: outcome.map(|it| it.text.clone()).unwrap_or_default(),
        truncated: outcome.is_some_and(|it| it.truncated),
        reads_only: call.reads_only,
        evidence,
    };
    for at in 0..out.commands.len() {
        if out.may_have_run(at) {
            edits.extend(effects::edits(&out.commands[at].0));
        }
    }
    for edit in &edits {
        if !out.files.contains(&edit.path) {
            out.files.push(edit.path.clone());
        }
    }
    out.exact = edits.iter().all(|it| it.exact);
    out.edits = edits;
    out
}

/// The first bytes of a text.
pub(super) fn head(text: &str, bytes_max: usize) -> &str {
    let end = (0..=bytes_max.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    &text[..end]
}

/// Whether a file holds documentation, which no test or build looks at.
#[must_use]
pub fn is_document(path: &str) -> bool {
    let low = path.to_ascii_lowercase();
    [".md", ".mdx", ".rst", ".txt", ".adoc", ".log", ".csv"].iter().any(|it| low.ends_with(it))
        || low.ends_with("license")
        || is_temporary(path)
}

/// Whether a file lies where nothing is kept.
#[must_use]
pub fn is_temporary(path: &str) -> bool {
    ["/tmp/", "/var/tmp/", "/dev/", "$TMPDIR", "${TMPDIR"].iter().any(|it| path.starts_with(it))
        || path == "/tmp"
        || path.contains("/.git/")
}

/// Whether a file holds tests, by its name and its folders.
#[must_use]
pub fn is_test_file(path: &str) -> bool {
    let low = path.to_ascii_lowercase();
    let mut parts = low.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    let folder = parts.any(|part| {
        matches!(
            part,
            "test"
                | "tests"
                | "__tests__"
                | "spec"
                | "specs"
                | "testing"
                | "e2e"
                | "cypress"
                | "testdata"
                | "fixtures"
                | "__snapshots__"
                | "androidtest"
        ) || part.ends_with(".tests")
            || part.ends_with("-tests")
            || part.ends_with("_tests")
    });
    let plain = path.rsplit('/').next().unwrap_or_default();
    folder
        || stem.starts_with("test_")
        || stem == "conftest"
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || stem.ends_with("-test")
        || name.contains(".test.")
        || name.contains(".spec.")
        || name.ends_with(".bats")
        || name.ends_with(".t")
        || name.ends_with(".feature")
        || ["Test.", "Tests.", "Spec.", "IT."].iter().any(|it| plain.contains(it))
        || stem == "tests"
        || stem == "test"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_tests() {
        for path in [
            "tests/a.rs",
            "src/a.test.ts",
            "internal/a_test.go",
            "test_a.py",
            "src/test/java/A.java",
            "AppTests.swift",
            "app/spec/a_spec.rb",
            "FooTest.java",
        ] {
            assert!(is_test_file(path), "{path}");
        }
        for path in ["src/a.rs", "src/attest.py", "contest/a.go", "src/latest.ts", "protests.md"] {
            assert!(!is_test_file(path), "{path}");
        }
    }
}
