//! Runs that are stored: `--store FILE`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steadfast_engine::runs::{self, Asked, Outcome};
use steadfast_engine::store::EmbeddingStore;
use steadfast_store::Store;
use steadfast_wire::Run;

use crate::exit::{Failure, Status};
use crate::talk::Talk;

/// A run that is under way and will be stored.
pub(crate) struct Recorder {
    run: runs::Recorder,
    shown: String,
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
        let run = runs::Recorder::begin(Arc::new(Store::open(path)?))?;
        Ok(Some(Self { run, shown: path.display().to_string() }))
    }

    /// The vectors of the store.
    pub(crate) fn vectors(&self) -> Arc<dyn EmbeddingStore> {
        self.run.store()
    }

    /// What was done since the last call took this part of the time.
    pub(crate) fn mark(&mut self, span: &str) {
        self.run.mark(span);
    }

    /// Stores the run. It is on the disk when this returns.
    pub(crate) fn end(
        self,
        asked: &Asked,
        outcome: Outcome,
        status: Status,
        tells_itself: bool,
        talk: Talk,
    ) -> Result<Run, Failure> {
        let run = self.run.end(asked, outcome, status as u8)?;
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
