//! `steadfast mcp`, and what its server asks of this machine.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use steadfast_engine::embedder::Embedder;
use steadfast_engine::store::Keep;
use steadfast_engine::{AuditInput, ErrorKind, File};
use steadfast_export::SystemClock;
use steadfast_mcp::{Host, Now, Refusal, Traces};
use steadfast_store::Store;
use steadfast_wire::tools::EmbedderChoice;
use tokio::runtime;

use crate::args::{EmbedderArg, McpArgs};
use crate::exit::{Failure, Status};
use crate::export::Exports;
use crate::settings::{self, Place, Target};
use crate::talk::Talk;
use crate::{embedder, input, now, output, record};

/// Serves one client over stdin and stdout until it goes away.
pub(crate) fn mcp(args: McpArgs, talk: &Talk) -> Result<Status, Failure> {
    let root = args.root.as_deref().map(Root::of).transpose()?;
    if io::stdin().is_terminal() {
        talk.note("an MCP server speaks JSON over stdin and stdout: a host of agents starts it; Ctrl-D ends it");
    }
    let path = settings::server_store(args.store, args.no_store)?;
    let exports = Exports::new(settings::export(args.export, path.as_deref())?);
    for file in &exports.files {
        record::distinct(file, path.as_deref(), &[], &[])?;
    }
    let store = path.map(|path| open(&path)).transpose()?;
    let host = Arc::new(Machine { root, store: store.clone(), exports, minilm: Mutex::new(None), talk: *talk });
    let broken = |error: io::Error| Failure::external(format!("no runtime can be started: {error}"));
    let runtime = runtime::Builder::new_current_thread().enable_time().build().map_err(broken)?;
    let served = runtime.block_on(steadfast_mcp::serve(host, tokio::io::stdin(), tokio::io::stdout()));
    // Work that nobody waits for any more is left where it is.
    runtime.shutdown_background();
    if let Some(store) = store.and_then(Arc::into_inner) {
        store.close()?;
    }
    served.map_err(|error| Failure::external(error.to_string()))?;
    Ok(Status::Passed)
}

/// Opens the store of this server, in a folder that is made where it does not exist.
fn open(path: &Path) -> Result<Arc<Store>, Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        output::make_folder(folder)?;
    }
    let hint = "`--store FILE` names another store, `--no-store` keeps nothing";
    let opened = Store::open(path).map_err(|error| {
        let failure = Failure::from(error);
        if failure.hint.is_none() { failure.hint(hint) } else { failure }
    });
    Ok(Arc::new(opened?))
}

/// The folder that the server may read.
struct Root {
    /// With every link followed, so that what leads out of it is known.
    folder: PathBuf,
}

impl Root {
    fn of(folder: &Path) -> Result<Self, Failure> {
        let canonical = folder.canonicalize().map_err(|error| input::unreadable(folder, &error))?;
        if !canonical.is_dir() {
            return Err(Failure::usage(format!("{}: is no folder", folder.display())));
        }
        Ok(Self { folder: canonical })
    }

    /// A file or folder in it, with every link followed.
    fn find(&self, given: &str) -> Result<PathBuf, Refusal> {
        let path = self.folder.join(given);
        let found =
            path.canonicalize().map_err(|error| self.refusal(given, &path, input::unreadable(&path, &error)))?;
        if !found.starts_with(&self.folder) {
            return Err(Refusal::input(format!("{given}: leads out of the folder that this server may read")));
        }
        // A pipe or a device could hold a call for ever.
        if !found.is_file() && !found.is_dir() {
            return Err(Refusal::input(format!("{given}: is neither a file nor a folder")));
        }
        Ok(found)
    }

    /// A failure, with what was given in the place of a path of this machine.
    fn refusal(&self, given: &str, path: &Path, failure: Failure) -> Refusal {
        let Failure { status, message, hint } = failure;
        let kind = match status {
            Status::NotEvaluable => ErrorKind::NotEvaluable,
            Status::External => ErrorKind::External,
            Status::Passed | Status::Gate | Status::Usage => ErrorKind::Input,
        };
        let folder = format!("{}/", self.folder.display());
        let message = match message.strip_prefix(&path.display().to_string()) {
            Some(rest) => format!("{given}{rest}"),
            None => message.replace(&folder, ""),
        };
        Refusal { kind, message, hint }
    }
}

/// This machine, as the server sees it.
struct Machine {
    root: Option<Root>,
    store: Option<Arc<Store>>,
    exports: Exports,
    /// The embedding model, once it is loaded.
    minilm: Mutex<Option<Arc<dyn Embedder>>>,
    talk: Talk,
}

impl Machine {
    fn root(&self, given: &str) -> Result<&Root, Refusal> {
        self.root.as_ref().ok_or_else(|| {
            Refusal::input(format!("{given}: this server reads no files"))
                .hint("give the text itself, or start the server with `steadfast mcp --root DIR`")
        })
    }
}

impl Host for Machine {
    fn embedder(&self, choice: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        let load = |arg| {
            embedder::load(arg).map_err(|failure| {
                let Failure { message, hint, .. } = failure;
                let hint = hint.map(|hint| hint.replace("`--embedder lexical`", "`\"embedder\": \"lexical\"`"));
                Refusal { kind: ErrorKind::External, message, hint }
            })
        };
        match choice {
            EmbedderChoice::Lexical => load(EmbedderArg::Lexical),
            EmbedderChoice::Minilm => {
                // Whoever comes while it is loaded waits for it, rather than load it twice.
                let mut kept = self.minilm.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(loaded) = &*kept {
                    return Ok(Arc::clone(loaded));
                }
                let loaded = load(EmbedderArg::Minilm)?;
                *kept = Some(Arc::clone(&loaded));
                Ok(loaded)
            }
        }
    }

    fn now(&self, current_time: Option<String>, timezone: Option<String>, file: &str) -> Now {
        let now::Now { current_time, timezone, assumptions } = now::now(current_time, timezone, file);
        Now { current_time, timezone, assumptions }
    }

    fn file(&self, given: &str) -> Result<File, Refusal> {
        let root = self.root(given)?;
        let path = root.find(given)?;
        input::given(&Place::Path(path.clone())).map_err(|failure| root.refusal(given, &path, failure))
    }

    fn run(&self, given: &str) -> Result<AuditInput, Refusal> {
        let root = self.root(given)?;
        let path = root.find(given)?;
        let read = input::read(&Target::Run(Place::Path(path.clone())), self.talk);
        let input = read.map_err(|failure| root.refusal(given, &path, failure))?;
        Ok(match input.audit {
            AuditInput::Folder { files, .. } => AuditInput::Folder { name: given.to_owned(), files },
            AuditInput::Archive { bytes, .. } => AuditInput::Archive { name: given.to_owned(), bytes },
            pair @ AuditInput::Pair { .. } => pair,
        })
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        self.store.clone().map(|store| -> Arc<dyn Keep> { store })
    }

    fn traces(&self) -> Option<Traces> {
        let capture = self.exports.capture;
        Some(Traces { sink: self.exports.sink()?, capture, clock: Arc::new(SystemClock) })
    }

    fn note(&self, message: &str) {
        self.talk.note(message);
    }
}
