//! Runs that are stored: `--store FILE`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steadfast_engine::EngineError;
use steadfast_engine::runs::{self, Asked, Outcome};
use steadfast_engine::store::{EmbeddingStore, Keep};
use steadfast_engine::trace::About;
use steadfast_export::SystemClock;
use steadfast_store::Store;
use steadfast_wire::Run;
use steadfast_wire::trace::{Batch, Trace};

use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::talk::Talk;

/// Opens the store of `--store`, which keeps of texts what the settings let it; `None` where none is asked for. What is read or written may not be the store, nor a file
/// that traces go to.
pub(crate) fn open(
    store: Option<&Path>,
    exports: &Exports,
    inputs: &[PathBuf],
    outputs: &[PathBuf],
) -> Result<Option<Arc<dyn Keep>>, Failure> {
    for file in &exports.files {
        distinct(file, store, inputs, outputs)?;
    }
    let Some(path) = store else { return Ok(None) };
    apart(path, inputs, outputs)?;
    Ok(Some(exports.keeping(Arc::new(Store::open(path)?)).map_err(EngineError::from)?))
}

/// A run that is under way and will be stored, or exported.
pub(crate) struct Recorder {
    run: runs::Recorder,
    /// The store as it is shown; empty where there is none.
    shown: String,
    exports: Exports,
}

impl Recorder {
    /// Opens the store, where one is asked for, and begins a run, where it is stored or exported. The store is neither read nor written otherwise.
    pub(crate) fn begin(
        store: Option<&Path>,
        exports: &Exports,
        inputs: &[PathBuf],
        outputs: &[PathBuf],
    ) -> Result<Option<Self>, Failure> {
        let run = match open(store, exports, inputs, outputs)? {
            Some(store) => runs::Recorder::begin(store)?,
            None if exports.is_asked() => runs::Recorder::timed(Arc::new(SystemClock))?,
            None => return Ok(None),
        };
        let shown = store.map_or_else(String::new, |path| path.display().to_string());
        Ok(Some(Self { run, shown, exports: exports.clone() }))
    }

    /// The vectors of the store, where there is one.
    pub(crate) fn vectors(&self) -> Option<Arc<dyn EmbeddingStore>> {
        self.run.store().map(|store| -> Arc<dyn EmbeddingStore> { store })
    }

    /// What was done since the last call took this part of the time.
    pub(crate) fn mark(&mut self, span: &str) {
        self.run.mark(span);
    }

    /// Stores the run, where it is stored: it is on the disk when this returns. Where it is told of, its trace is kept until it is sent.
    pub(crate) fn end(
        mut self,
        asked: &Asked,
        outcome: Outcome,
        status: Status,
        tells_itself: bool,
        talk: Talk,
        trace: impl FnOnce(&About<'_>) -> Trace,
    ) -> Result<Option<Run>, Failure> {
        let timing = self.run.stop();
        let run = self.run.end(asked, outcome, status as u8)?;
        if let Some(run) = run.as_ref().filter(|_| !tells_itself) {
            talk.note(&format!("stored in {} as run {}", self.shown, run.id));
        }
        if self.exports.is_asked() {
            let capture = self.exports.capture;
            let about = About { timing: &timing, asked, exit_status: status as u8, stored: run.is_some(), capture };
            self.exports.take(&Batch { traces: vec![trace(&about)], experiment: None }, talk);
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

/// Refuses to add lines to what is read, written or the store.
pub(crate) fn distinct(
    file: &Path,
    store: Option<&Path>,
    inputs: &[PathBuf],
    outputs: &[PathBuf],
) -> Result<(), Failure> {
    let own = located(file);
    if inputs.iter().chain(outputs).map(PathBuf::as_path).chain(store).any(|other| located(other) == own) {
        return Err(Failure::usage(format!(
            "{}: cannot take traces: it is an input, an output or the store",
            file.display()
        ))
        .hint("give another name to `--export jsonl:FILE`"));
    }
    Ok(())
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
