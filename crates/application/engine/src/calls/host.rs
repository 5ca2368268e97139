//! What calls need of the world they run in.

use std::path::Path;
use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_wire::request::EmbedderChoice;

use crate::chat::ChatModels;
use crate::embedder::{Embedder, on_all_cores, on_all_cores_keeping};
use crate::error::Refusal;
use crate::slot::Slot;
use crate::store::{Keep, Stamps};
use crate::trace::{Capture, TraceSink};
use crate::vault::VaultCache;
use crate::{AuditInput, File};

/// What calls need of the world they run in. Its functions may block: they are called off the threads that await.
pub trait Host: Send + Sync + 'static {
    /// What makes vectors of texts. It is asked for at every call, so whoever loads one keeps it.
    ///
    /// # Errors
    /// [`Refusal`] where the model is not there.
    fn embedder(&self, choice: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal>;

    /// How far the embedding model is at hand. It is not loaded to say so.
    fn model(&self) -> ModelState {
        ModelState::Missing
    }

    /// What finds passages by meaning: the embedding model where its files are there, kept vectors and all cores used. `None` where they are not.
    fn meaning(&self) -> Option<Arc<dyn Embedder>> {
        if self.model() == ModelState::Missing {
            return None;
        }
        let loaded = self.embedder(EmbedderChoice::Minilm).inspect_err(|refusal| {
            self.warn(&format!("passages are found by words alone: {}", refusal.message));
        });
        let loaded = loaded.ok()?;
        Some(match self.store() {
            Some(store) => on_all_cores_keeping(loaded, store),
            None => on_all_cores(loaded),
        })
    }

    /// What the server keeps runs, tasks and prompts in; `None` where it keeps nothing.
    fn store(&self) -> Option<Arc<dyn Keep>>;

    /// Whether the texts of a run's inputs are kept with it, so that quotes can be shown in their places.
    fn keeps_texts(&self) -> bool {
        false
    }

    /// Whether what callers find kept makes a report usable: they may be judging their own work. Whoever runs the host says so, never a call.
    fn trusts_callers(&self) -> bool {
        false
    }

    /// The current time and zone of a request, or else those of the file's name and of the machine. A host without a clock leaves empty what is missing.
    fn now(&self, current_time: Option<String>, timezone: Option<String>, file: &str) -> Now {
        let _ = file;
        Now {
            current_time: current_time.unwrap_or_default(),
            timezone: timezone.unwrap_or_default(),
            assumptions: Vec::new(),
        }
    }

    /// Reads a file that callers may name.
    ///
    /// # Errors
    /// [`Refusal`] where there is no such file, or callers may not read it.
    fn file(&self, path: &Path) -> Result<File, Refusal> {
        Err(no_files(path))
    }

    /// Reads the folder or archive of a planner's run that callers may name.
    ///
    /// # Errors
    /// Those of [`file`](Self::file).
    fn run(&self, path: &Path) -> Result<AuditInput, Refusal> {
        Err(no_files(path))
    }

    /// The vault of the server.
    ///
    /// # Errors
    /// [`Refusal`] where it has none.
    fn vault(&self) -> Result<Arc<VaultCache>, Refusal> {
        Err(Refusal::input("this server keeps nothing, so it has no vault")
            .hint("start the server without `--no-store`"))
    }

    /// Who is asked in these roles; `None` where no model is configured.
    ///
    /// # Errors
    /// [`Refusal`] where one that is configured cannot be asked.
    fn chat_models(&self, roles: &[Role]) -> Result<Option<Arc<ChatModels>>, Refusal> {
        let _ = roles;
        Ok(None)
    }

    /// Where traces of calls are exported to; `None` where nowhere.
    fn traces(&self) -> Option<Traces> {
        None
    }

    /// Bytes that nobody can foresee.
    ///
    /// # Errors
    /// [`Refusal`] where there are none.
    fn random(&self) -> Result<[u8; 32], Refusal> {
        Err(Refusal::external("there are no random bytes here"))
    }

    /// Does work that may wait, on a thread where it may, and does not wait for it.
    fn spawn(&self, work: Box<dyn FnOnce() + Send>);

    /// Says something to the operator: never on the output of a protocol.
    fn note(&self, message: &str);

    /// Says that something went wrong that is no fault of the call.
    fn warn(&self, message: &str) {
        self.note(message);
    }
}

fn no_files(path: &Path) -> Refusal {
    Refusal::input(format!("{}: this server reads no files", path.display())).hint("give the text itself")
}

/// A current time and its zone, and what was assumed to find them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Now {
    /// The time, RFC 3339, or without an offset, then in the zone.
    pub current_time: String,
    /// The zone: an IANA name or an offset.
    pub timezone: String,
    /// What was assumed, a sentence each.
    pub assumptions: Vec<String>,
}

/// How far the embedding model is at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelState {
    /// Its files are not there.
    Missing,
    /// Its files are there; it is loaded when it is first needed.
    There,
    /// It is being loaded.
    Loading,
    /// It is in memory.
    Loaded,
}

/// Where traces of calls are exported to.
#[derive(Clone)]
pub struct Traces {
    /// What takes them.
    pub sink: Arc<dyn TraceSink>,
    /// What a trace holds of texts.
    pub capture: Capture,
    /// What times calls that are stored nowhere.
    pub clock: Arc<dyn Stamps>,
    /// Whether what the sink took is sent after each call. Where it is not, the host sends it itself.
    pub sends: bool,
}

/// Does what may block off the thread that awaits.
///
/// # Errors
/// Those of `work`; [`Refusal`] where it panics.
pub async fn blocking<T: Send + 'static>(
    host: &Arc<dyn Host>,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let (fill, filled) = Slot::pair(|what| Err(Refusal::fault(format!("the work failed: {what}"))));
    host.spawn(Box::new(move || fill.with(work)));
    filled.await
}
