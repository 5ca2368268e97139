//! Runs that are stored: `--store FILE`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use steadfast_engine::runs::{Ended, record_run};
use steadfast_engine::store::Stamp;
use steadfast_store::Store;
use steadfast_wire::Run;
use steadfast_wire::runs::{Input, Setting, Settings};

use crate::exit::{Failure, Status};
use crate::talk::Talk;

/// A run that is under way and will be stored.
pub(crate) struct Recorder {
    store: Arc<Store>,
    shown: String,
    stamp: Stamp,
    began: Instant,
    last: Instant,
    ms: BTreeMap<String, u64>,
}

/// What a run came to.
pub(crate) struct Outcome {
    /// What was asked for.
    pub(crate) verb: &'static str,
    /// The version of the result's JSON.
    pub(crate) schema_version: String,
    /// The version of the rules.
    pub(crate) rules_version: Option<String>,
    /// What was read.
    pub(crate) inputs: Vec<Input>,
    /// What was asked for besides.
    pub(crate) settings: Settings,
    /// What came of it, in a word.
    pub(crate) verdict: Option<String>,
    /// How the program will end.
    pub(crate) status: Status,
    /// The whole result as JSON on one line.
    pub(crate) result: String,
}

impl Recorder {
    /// Opens the store, where one is asked for, and begins a run. The store is neither read nor written otherwise.
    pub(crate) fn begin(
        store: Option<&Path>,
        inputs: &[PathBuf],
        outputs: &[PathBuf],
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = store else { return Ok(None) };
        apart(path, inputs, outputs)?;
        let store = Arc::new(Store::open(path)?);
        let (stamp, now) = (store.stamp()?, Instant::now());
        let shown = path.display().to_string();
        Ok(Some(Self { store, shown, stamp, began: now, last: now, ms: BTreeMap::new() }))
    }

    /// The store.
    pub(crate) fn store(&self) -> Arc<Store> {
        Arc::clone(&self.store)
    }

    /// What was done since the last call took this part of the time.
    pub(crate) fn mark(&mut self, span: &str) {
        let now = Instant::now();
        self.ms.insert(span.to_owned(), millis(now - self.last));
        self.last = now;
    }

    /// Stores the run. It is on the disk when this returns.
    pub(crate) fn end(mut self, outcome: Outcome, tells_itself: bool, talk: Talk) -> Result<Run, Failure> {
        self.ms.insert("total".to_owned(), millis(self.began.elapsed()));
        let ended = Ended {
            stamp: self.stamp,
            verb: outcome.verb,
            program_version: env!("CARGO_PKG_VERSION"),
            schema_version: outcome.schema_version,
            rules_version: outcome.rules_version,
            inputs: outcome.inputs,
            settings: outcome.settings,
            verdict: outcome.verdict,
            exit_status: outcome.status as u8,
            ms: self.ms,
            task_id: None,
            result: outcome.result,
        };
        let run = record_run(&*self.store, ended, None)?;
        if !tells_itself {
            talk.note(&format!("stored in {} as run {}", self.shown, run.id));
        }
        Ok(run)
    }
}

/// What was done since the last mark took this part of the time, where the run is stored.
pub(crate) fn mark(recorder: &mut Option<Recorder>, span: &str) {
    if let Some(recorder) = recorder {
        recorder.mark(span);
    }
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Settings by name.
pub(crate) fn settings<const N: usize>(named: [(&str, Setting); N]) -> Settings {
    named.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Refuses a store that is no file, that is read as an input, or that would be written over.
fn apart(store: &Path, inputs: &[PathBuf], outputs: &[PathBuf]) -> Result<(), Failure> {
    if store.as_os_str() == "-" {
        return Err(Failure::usage("`--store -`: a store is a file, not stdin"));
    }
    let shown = store.display();
    for input in inputs {
        let (Ok(own), Ok(input)) = (store.canonicalize(), input.canonicalize()) else { continue };
        let inside = own.strip_prefix(&input).ok();
        if inside.is_some_and(|inside| {
            inside.as_os_str().is_empty() || steadfast_engine::intake::is_read(&inside.to_string_lossy())
        }) {
            return Err(Failure::usage(format!("{shown}: cannot be both the store and an input"))
                .hint("give another name to --store: the file is made where it does not exist"));
        }
    }
    if outputs.iter().any(|output| located(output) == located(store)) {
        return Err(
            Failure::usage(format!("{shown}: cannot be both the store and the output")).hint("give another name to -o")
        );
    }
    Ok(())
}

/// A path as it can be compared, whether there is a file or not.
fn located(path: &Path) -> PathBuf {
    if let Ok(found) = path.canonicalize() {
        return found;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    folder.canonicalize().ok().zip(path.file_name()).map_or_else(|| path.to_owned(), |(folder, name)| folder.join(name))
}
