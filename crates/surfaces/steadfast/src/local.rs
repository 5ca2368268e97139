//! This machine, as the command line makes its calls: the store of `--store`, the exporters of `--export`, the chat models of the settings.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use steadfast_engine::calls::{Host, ModelState, Now, Refusal, Traces};
use steadfast_engine::chat::{ChatModels, Role};
use steadfast_engine::embedder::Embedder;
use steadfast_engine::store::Keep;
use steadfast_engine::{AuditInput, File};
use steadfast_export::SystemClock;
use steadfast_wire::Run;
use steadfast_wire::request::EmbedderChoice;

use crate::exit::Failure;
use crate::export::Exports;
use crate::machine::refusal;
use crate::place::{Place, Target};
use crate::talk::Talk;
use crate::{embedder, input, now, vault};

/// This machine, for one command.
pub(crate) struct Local {
    store: Option<Arc<dyn Keep>>,
    exports: Exports,
    chat: Option<Arc<ChatModels>>,
    talk: Talk,
    keeps_texts: bool,
    embedder: Option<Arc<dyn Embedder>>,
    by_words: bool,
}

impl Local {
    /// A host that keeps nothing, exports nothing and asks nobody.
    pub(crate) fn new(exports: Exports, talk: Talk) -> Self {
        Self { store: None, exports, chat: None, talk, keeps_texts: false, embedder: None, by_words: false }
    }

    /// The same, which keeps its calls in a store, where there is one.
    pub(crate) fn storing(self, store: Option<Arc<dyn Keep>>) -> Self {
        Self { store, ..self }
    }

    /// The same, which asks these chat models.
    pub(crate) fn asking(self, chat: Option<Arc<ChatModels>>) -> Self {
        Self { chat, ..self }
    }

    /// The same, which keeps the texts of its runs as well.
    pub(crate) fn keeping_texts(self) -> Self {
        Self { keeps_texts: true, ..self }
    }

    /// The same with an embedder that is loaded already.
    pub(crate) fn embedding(self, embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder: Some(embedder), ..self }
    }

    /// The same, which finds passages by words alone, whatever lies on this machine.
    pub(crate) fn by_words(self) -> Self {
        Self { by_words: true, ..self }
    }

    /// The same as a host of calls.
    pub(crate) fn host(self) -> Arc<dyn Host> {
        Arc::new(self)
    }
}

/// Says where a run was stored, unless the output says so itself.
pub(crate) fn note_run(run: Option<&Run>, store: Option<&Path>, tells_itself: bool, talk: Talk) {
    if let (Some(run), Some(store), false) = (run, store, tells_itself) {
        talk.note(&format!("stored in {} as run {}", store.display(), run.id));
    }
}

impl Host for Local {
    fn embedder(&self, choice: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        match &self.embedder {
            Some(embedder) => Ok(Arc::clone(embedder)),
            None => embedder::load(choice).map_err(refusal),
        }
    }

    fn model(&self) -> ModelState {
        match &self.embedder {
            _ if self.by_words => ModelState::Missing,
            Some(_) => ModelState::Loaded,
            None if vault::model_is_there() => ModelState::There,
            None => ModelState::Missing,
        }
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        self.store.clone()
    }

    fn keeps_texts(&self) -> bool {
        self.keeps_texts
    }

    fn now(&self, current_time: Option<String>, timezone: Option<String>, file: &str) -> Now {
        now::now(current_time, timezone, file)
    }

    fn file(&self, path: &Path) -> Result<File, Refusal> {
        input::given(&Place::of(path)).map_err(refusal)
    }

    fn run(&self, path: &Path) -> Result<AuditInput, Refusal> {
        input::read(&Target::Run(Place::of(path)), self.talk).map(|input| input.audit).map_err(refusal)
    }

    fn chat_models(&self, _: &[Role]) -> Result<Option<Arc<ChatModels>>, Refusal> {
        Ok(self.chat.clone())
    }

    fn traces(&self) -> Option<Traces> {
        let capture = self.exports.capture;
        // What waits is sent when the answer is out.
        Some(Traces { sink: self.exports.sink()?, capture, clock: Arc::new(SystemClock), sends: false })
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        drop(thread::spawn(work));
    }

    fn note(&self, message: &str) {
        self.talk.note(message);
    }

    fn warn(&self, message: &str) {
        self.talk.warning(message);
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let Refusal { kind, message, hint, answer } = refusal;
        Self { status: kind.into(), message, hint, answer }
    }
}
