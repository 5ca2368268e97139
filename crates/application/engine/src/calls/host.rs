//! What the doors of a server need of the world they run in.

use std::sync::Arc;

use steadfast_dialogue::Role;
use steadfast_evidence::Rules;
use steadfast_wire::tools::EmbedderChoice;

use crate::chat::Desk;
use crate::embedder::Embedder;
use crate::slot::Slot;
use crate::store::{Keep, Stamps};
use crate::trace::{Capture, TraceSink};
use crate::vault::Shelf;
use crate::{EngineError, ErrorKind};

/// What the doors of a server need of the world they run in. Its functions may block: they are called off the threads that await.
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

    /// What the server keeps runs, tasks and prompts in; `None` where it keeps nothing.
    fn store(&self) -> Option<Arc<dyn Keep>>;

    /// Whether the texts of a run's inputs are kept with it, so that quotes can be shown in their places.
    fn keeps_texts(&self) -> bool {
        false
    }

    /// The rules that judge where a call names none.
    fn rules(&self) -> Rules {
        Rules::CURRENT
    }

    /// The vault of the server.
    ///
    /// # Errors
    /// [`Refusal`] where it has none.
    fn vault(&self) -> Result<Arc<Shelf>, Refusal> {
        Err(Refusal::input("this server keeps nothing, so it has no vault")
            .hint("start the server without `--no-store`"))
    }

    /// Who is asked in these roles; `None` where no model is configured.
    ///
    /// # Errors
    /// [`Refusal`] where one that is configured cannot be asked.
    fn desk(&self, roles: &[Role]) -> Result<Option<Arc<Desk>>, Refusal> {
        let _ = roles;
        Ok(None)
    }

    /// Where calls are told of; `None` where nowhere.
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

    /// Says something to whoever watches the server: never on the output of a protocol.
    fn note(&self, message: &str);
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

/// Where calls are told of.
#[derive(Clone)]
pub struct Traces {
    /// What takes them.
    pub sink: Arc<dyn TraceSink>,
    /// What is told of texts.
    pub capture: Capture,
    /// What times calls that are stored nowhere.
    pub clock: Arc<dyn Stamps>,
}

/// Why a call has no result. The caller sees it in the form of its door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What it means for the caller.
    pub kind: ErrorKind,
    /// What and where.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Refusal {
    /// Something in what was given.
    #[must_use]
    pub fn input(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Input, message: message.into(), hint: None }
    }

    /// Something outside the server, or the server itself.
    #[must_use]
    pub fn external(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::External, message: message.into(), hint: None }
    }

    /// The program itself: what a door says of it is its own matter.
    #[must_use]
    pub fn fault(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Fault, message: message.into(), hint: None }
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        Self { kind: error.kind(), message: error.to_string(), hint: error.hint().map(str::to_owned) }
    }
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
