//! This machine, as a server sees it: its files, its clock, the embedding model, the store.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use steadfast_engine::calls::{Host, ModelState, Now, Refusal, Traces};
use steadfast_engine::chat::{ChatModels, Role};
use steadfast_engine::embedder::Embedder;
use steadfast_engine::keys::KEY_BYTES;
use steadfast_engine::store::Keep;
use steadfast_engine::vault::VaultCache;
use steadfast_engine::{AuditInput, EngineError, ErrorKind, File};
use steadfast_export::SystemClock;
use steadfast_store::Store;
use steadfast_wire::request::EmbedderChoice;
use tokio::runtime::Handle;

use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::root::Root;
use crate::settings::ChatSettings;
use crate::talk::Talk;
use crate::{chat, embedder, now, output, vault};

/// Opens the store of this server, in a folder that is made where it does not exist.
pub(crate) fn open(path: &Path) -> Result<Arc<Store>, Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        output::make_folder(folder)?;
    }
    let hint = "`--store FILE` names another store, `--no-store` keeps nothing";
    let opened = Store::open_unnamed(path).map_err(|error| {
        let failure = Failure::from(error);
        if failure.hint.is_none() { failure.hint(hint) } else { failure }
    });
    Ok(Arc::new(opened?))
}

/// Bytes that nobody can foresee. Without them no key is made.
pub(crate) fn random() -> Result<[u8; KEY_BYTES], Failure> {
    let mut bytes = [0; KEY_BYTES];
    for half in bytes.chunks_exact_mut(KEY_BYTES / 2) {
        let drawn = steadfast_net::random().ok_or_else(|| Failure::external("the system gives no random bytes"))?;
        half.copy_from_slice(&drawn);
    }
    Ok(bytes)
}

/// This machine, as a server sees it.
pub(crate) struct Machine {
    pub(crate) root: Option<Root>,
    /// Where runs are kept: of texts what the settings let it.
    store: Option<Arc<dyn Keep>>,
    pub(crate) exports: Exports,
    /// The chat models that the settings name.
    pub(crate) chat: ChatSettings,
    pub(crate) talk: Talk,
    /// Where work goes that may wait.
    pub(crate) runtime: Handle,
    /// Whether the texts of a run's inputs are kept with it.
    keeps_texts: bool,
    /// Whether what callers find kept makes reports usable.
    trusts_callers: bool,
    minilm: Arc<Minilm>,
    shelf: Option<Arc<VaultCache>>,
    /// Desks by their roles, once they were asked for: what models share stays shared.
    desks: Mutex<BTreeMap<Vec<Role>, Option<Arc<ChatModels>>>>,
}

impl Machine {
    pub(crate) fn new(
        root: Option<Root>,
        store: Option<Arc<Store>>,
        exports: Exports,
        chat: ChatSettings,
        talk: Talk,
        runtime: Handle,
    ) -> Result<Self, Failure> {
        let minilm = Arc::new(Minilm::default());
        let shelf = store.clone().map(|store| {
            let model = Arc::clone(&minilm);
            let there = move || if vault::model_is_there() { model.get().map(Some) } else { Ok(None) };
            // Prompts and their vectors are kept because somebody asked for that.
            Arc::new(VaultCache::new(store as Arc<dyn Keep>, Box::new(there)))
        });
        let store = store.map(|store| exports.keeping(store)).transpose().map_err(EngineError::from)?;
        let desks = Mutex::default();
        Ok(Self {
            root,
            store,
            exports,
            chat,
            talk,
            runtime,
            keeps_texts: false,
            trusts_callers: false,
            minilm,
            shelf,
            desks,
        })
    }

    /// The same, which keeps the texts of its runs as well.
    pub(crate) fn keeping_texts(self) -> Self {
        Self { keeps_texts: true, ..self }
    }

    /// The same, which trusts its callers or not.
    pub(crate) fn trusting(self, trusts_callers: bool) -> Self {
        Self { trusts_callers, ..self }
    }

    fn root(&self, given: &str) -> Result<&Root, Refusal> {
        self.root.as_ref().ok_or_else(|| {
            Refusal::input(format!("{given}: this server reads no files"))
                .hint("give the text itself, or start the server with `--root DIR`")
        })
    }
}

/// A failure, as the caller of a server sees it.
pub(crate) fn refusal(failure: Failure) -> Refusal {
    let Failure { status, message, hint, answer } = failure;
    let kind = match status {
        Status::NotEvaluable => ErrorKind::NotEvaluable,
        Status::External => ErrorKind::External,
        Status::Passed | Status::Gate | Status::Usage => ErrorKind::Input,
    };
    Refusal { kind, message, hint, answer }
}

/// The embedding model, once it is loaded.
#[derive(Default)]
struct Minilm(Mutex<Option<Arc<dyn Embedder>>>);

impl Minilm {
    fn get(&self) -> Result<Arc<dyn Embedder>, Refusal> {
        // Whoever comes while it is loaded waits for it, rather than load it twice.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loaded) = &*kept {
            return Ok(Arc::clone(loaded));
        }
        let loaded = load(EmbedderChoice::Minilm)?;
        *kept = Some(Arc::clone(&loaded));
        Ok(loaded)
    }

    /// How far it is, without waiting for whoever loads it.
    fn state(&self) -> ModelState {
        match self.0.try_lock() {
            Ok(kept) if kept.is_some() => ModelState::Loaded,
            Err(TryLockError::WouldBlock) => ModelState::Loading,
            _ if vault::model_is_there() => ModelState::There,
            _ => ModelState::Missing,
        }
    }
}

fn load(arg: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
    embedder::load(arg).map_err(|failure| {
        let Failure { message, hint, .. } = failure;
        let hint = hint.map(|hint| hint.replace("`--embedder lexical`", "`\"embedder\": \"lexical\"`"));
        Refusal { hint, ..Refusal::external(message) }
    })
}

impl Host for Machine {
    fn embedder(&self, choice: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        match choice {
            EmbedderChoice::Lexical => load(choice),
            EmbedderChoice::Minilm => self.minilm.get(),
        }
    }

    fn model(&self) -> ModelState {
        self.minilm.state()
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        self.store.clone()
    }

    fn keeps_texts(&self) -> bool {
        self.keeps_texts
    }

    fn trusts_callers(&self) -> bool {
        self.trusts_callers
    }

    fn vault(&self) -> Result<Arc<VaultCache>, Refusal> {
        self.shelf.clone().ok_or_else(|| {
            Refusal::input("this server keeps nothing, so it has no vault")
                .hint("start the server without `--no-store`")
        })
    }

    fn chat_models(&self, roles: &[Role]) -> Result<Option<Arc<ChatModels>>, Refusal> {
        let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seated) = desks.get(roles) {
            return Ok(seated.clone());
        }
        let seated = chat::desk(&self.chat, roles).map_err(refusal)?.map(|seated| Arc::new(seated.desk));
        desks.insert(roles.to_vec(), seated.clone());
        Ok(seated)
    }

    fn traces(&self) -> Option<Traces> {
        let capture = self.exports.capture;
        Some(Traces { sink: self.exports.sink()?, capture, clock: Arc::new(SystemClock), sends: true })
    }

    fn random(&self) -> Result<[u8; KEY_BYTES], Refusal> {
        random().map_err(refusal)
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        drop(self.runtime.spawn_blocking(work));
    }

    fn note(&self, message: &str) {
        self.talk.note(message);
    }

    fn now(&self, current_time: Option<String>, timezone: Option<String>, file: &str) -> Now {
        now::now(current_time, timezone, file)
    }

    fn file(&self, path: &Path) -> Result<File, Refusal> {
        let given = &*path.to_string_lossy();
        self.root(given)?.file(given).map_err(refusal)
    }

    fn run(&self, path: &Path) -> Result<AuditInput, Refusal> {
        let given = &*path.to_string_lossy();
        self.root(given)?.run(given, self.talk).map_err(refusal)
    }
}
