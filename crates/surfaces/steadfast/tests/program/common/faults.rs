//! Stores on a disk that fails: the program under a shim, and what a store holds in plain words.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use steadfast_engine::store::{LiveStore, RunPage, RunStore, StoreFailure, TaskPage, TaskStore, TrajectoryPage};
use steadfast_faults::{Fault, Shim, Watch};
use steadfast_store::Store;

use super::Place;

/// All calls that change a file, and that map one.
pub(crate) const CHANGES: &str = "open,write,sync,truncate,unlink,rename,map";

/// Rows that are read at a time: more than a test makes.
const ROWS: usize = 100_000;

/// A review that is kept.
pub(crate) const REVIEW: &str = "review - --store kept/s.db -q --json";

/// An output that it is about, with its task.
pub(crate) fn output(task: &str) -> String {
    format!("<npl-block type=\"check-in\" task-id=\"{task}\">\n- ✅ Done\n</npl-block>\n")
}

/// Whether everything is tried, as `cargo xtask extended` does, or a sample.
pub(crate) fn is_long() -> bool {
    env::var_os("STEADFAST_FAULTS").is_some_and(|kind| kind == "long")
}

/// What a store holds, or is to hold: a word for each run, message, flag and step, in order. What is there twice stands there twice.
pub(crate) type Held = Vec<String>;

/// How a command ended that may have been killed.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` where it was killed.
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A place with a folder `kept` that faults are made in.
pub(crate) struct Bench {
    pub(crate) place: Place,
    pub(crate) shim: Shim,
    /// Which command is run, so that each has a log of its own.
    turn: u64,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let place = Place::in_memory().with("prompt.txt", super::PROMPT).with("report.md", super::REPORT);
        fs::create_dir(place.path("kept")).unwrap();
        let shim = Shim::build(place.root()).unwrap_or_else(|error| panic!("{error}"));
        Self { place, shim, turn: 0 }
    }

    pub(crate) fn kept(&self) -> PathBuf {
        self.place.path("kept")
    }

    /// A watch over the store.
    pub(crate) fn watch(&mut self, calls: &'static str, fault: Option<Fault>, journal: Option<&Path>) -> Watch {
        self.turn += 1;
        let log = self.place.path(&format!("calls-{}", self.turn));
        Watch { under: self.kept(), calls, log, journal: journal.map(Path::to_owned), fault }
    }

    /// The program with arguments that are parted by spaces, under a watch.
    pub(crate) fn run(&self, arguments: &str, stdin: &str, watch: &Watch) -> Ended {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
        command
            .args(arguments.split_whitespace())
            .current_dir(self.place.root())
            .env("STEADFAST_MODELS", self.place.path("no-models"))
            .env("XDG_DATA_HOME", self.place.path("data"));
        self.shim.before(&mut command, watch).unwrap();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdin.take().unwrap().write_all(stdin.as_bytes()));
        let output = child.wait_with_output().unwrap();
        Ended {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// How many calls of a watch counted, and how many of them failed; the log is gone then.
    pub(crate) fn counted(&self, watch: &Watch) -> (usize, usize) {
        let counted = watch.counted().unwrap();
        drop(fs::remove_file(&watch.log));
        counted
    }
}

/// The files of a folder.
pub(crate) fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Makes a folder hold these files and no others.
pub(crate) fn lay(folder: &Path, files: &[(String, Vec<u8>)]) {
    for entry in fs::read_dir(folder).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

/// What the store `s.db` of a folder holds, and its copy `copy.db` where there is one. Both are looked through, every page of them.
pub(crate) fn held(folder: &Path) -> Result<Held, String> {
    let told = |error: steadfast_store::StoreError| error.to_string();
    let store = Store::open(&folder.join("s.db")).map_err(told)?;
    store.flush().map_err(told)?;
    let mut held = words(&store, folder)?;
    let copy = folder.join("copy.db");
    if copy.exists() {
        let store = Store::open_to_read(&copy).map_err(told)?;
        held.extend(words(&store, folder)?.into_iter().map(|word| format!("copied {word}")));
    }
    held.sort();
    Ok(held)
}

fn words(store: &Store, folder: &Path) -> Result<Held, String> {
    // A copy is looked through: every page, every index, every reference.
    let look = tempfile::tempdir_in(folder.parent().unwrap()).map_err(|error| error.to_string())?;
    store.backup(&look.path().join("look.db")).map_err(|error| error.to_string())?;
    let told = |error: StoreFailure| error.to_string();
    let mut held = Held::new();
    for head in store.runs(&RunPage { limit: ROWS, ..RunPage::default() }).map_err(told)? {
        let name = head.task_id.clone().or(head.agent.clone()).unwrap_or_else(|| head.id.clone());
        let run = store.run(&head.id).map_err(told)?.ok_or("a run that is listed is not there")?;
        if run.result.len() as u64 != head.result_bytes
            || serde_json::from_str::<serde_json::Value>(&run.result).is_err()
        {
            return Err(format!("the result of {name} is not whole"));
        }
        held.push(format!("run {name}"));
    }
    for task in store.tasks(&TaskPage { limit: ROWS, ..TaskPage::default() }).map_err(told)? {
        let messages = store.messages(&task.id, None, ROWS).map_err(told)?;
        if messages.len() as u64 != task.messages {
            return Err(format!("task {} counts {} messages and has {}", task.id, task.messages, messages.len()));
        }
        held.extend(messages.iter().map(|message| format!("message {}", message.task_id)));
        held.extend(task.flags.iter().map(|_| format!("flag {}", task.id)));
    }
    let page = TrajectoryPage { limit: ROWS, ..TrajectoryPage::default() };
    for head in LiveStore::trajectories(store, &page).map_err(|error| format!("{error:?}"))? {
        let steps = LiveStore::steps(store, &head.id, 0, ROWS, u64::MAX).map_err(|error| format!("{error:?}"))?;
        if steps.len() as u64 != head.steps || (0..).zip(&steps).any(|(place, step)| step.number != place) {
            return Err(format!("trajectory {} counts {} steps and has {}", head.id, head.steps, steps.len()));
        }
        held.extend(steps.into_iter().map(|step| format!("step {}", step.given.output.unwrap_or_default())));
    }
    Ok(held)
}

/// The same with more words.
pub(crate) fn and(held: &Held, more: &[&str]) -> Held {
    let mut all = held.clone();
    all.extend(more.iter().map(ToString::to_string));
    all.sort();
    all
}

/// What is there twice.
pub(crate) fn twice(held: &Held) -> Vec<&String> {
    let mut seen = BTreeSet::new();
    held.iter().filter(|word| !seen.insert(*word)).collect()
}
