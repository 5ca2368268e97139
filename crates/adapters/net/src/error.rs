//! What can go wrong outside.

use std::io;
use std::path::{Path, PathBuf};

/// Why something was not fetched. Messages name the origin or the file, never the query of an address, which may be signed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An address that is not fetched.
    #[error("{url}: is not fetched: {why}")]
    Url {
        /// The address.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// A key that does not go to this server.
    #[error("{origin}: a key is not sent there: {why}")]
    Credential {
        /// Scheme, host and port that it should have gone to.
        origin: String,
        /// Why it does not.
        why: String,
    },
    /// The client cannot be made.
    #[error("no connection can be made safe: {why}")]
    Tls {
        /// What is wrong.
        why: String,
    },
    /// No connection to a server.
    #[error("{origin}: cannot be reached: {why}")]
    Unreachable {
        /// Scheme, host and port.
        origin: String,
        /// What the system says.
        why: String,
    },
    /// A server that was connected to and does not answer.
    #[error("{origin}: no answer within {seconds} s")]
    Silent {
        /// Scheme, host and port.
        origin: String,
        /// How long it was waited for, in seconds.
        seconds: u64,
    },
    /// A transfer that ended before its end.
    #[error("{origin}: the transfer broke off after {bytes} bytes: {why}")]
    Broken {
        /// Scheme, host and port.
        origin: String,
        /// How much of the body had come.
        bytes: u64,
        /// What the system says.
        why: String,
    },
    /// An answer that is no success.
    #[error("{url}: status {status}")]
    Status {
        /// The address, without its query.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// A body above the limit.
    #[error("{url}: more than {bytes_max} bytes, and no more are read")]
    TooLarge {
        /// The address, without its query.
        url: String,
        /// The limit.
        bytes_max: u64,
    },
    /// An answer that leads where the client does not go.
    #[error("{from}: leads to {to}: {why}")]
    Redirect {
        /// The address, without its query.
        from: String,
        /// Where to, without its query.
        to: String,
        /// Why not.
        why: &'static str,
    },
    /// An answer that does not fit its question.
    #[error("{url}: {why}")]
    Answer {
        /// The address, without its query.
        url: String,
        /// What does not fit.
        why: String,
    },
    /// A file or folder.
    #[error("{}: {}", path.display(), io_reason(source))]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file that is not the one that was asked for.
    #[error(
        "{file}: what {origin} gives is another file: its SHA-256 is {found}, wanted is {wanted}; it was thrown away"
    )]
    WrongHash {
        /// The file of the model.
        file: String,
        /// Where it came from.
        origin: String,
        /// What it should be, in hexadecimal.
        wanted: String,
        /// What it is.
        found: String,
    },
    /// An archive that cannot be read.
    #[error("{}: is no archive that can be read: {why}", path.display())]
    Archive {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A folder or an archive without a file of the model.
    #[error("{}: holds no `{file}` of {bytes} bytes", path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
        /// The file of the model.
        file: String,
        /// Its size.
        bytes: u64,
    },
    /// No pip on this machine.
    #[error("pip: not on this machine (looked for {})", tried.join(", "))]
    NoPip {
        /// The commands that were tried.
        tried: Vec<String>,
    },
    /// A pip that gave nothing.
    #[error("{command}: {why}")]
    Pip {
        /// The command.
        command: String,
        /// What it said.
        why: String,
    },
    /// Every source failed.
    #[error("{model}: no source gives it{}", each(tried))]
    NoSource {
        /// The model.
        model: String,
        /// Why, source by source.
        tried: Vec<Error>,
    },
    /// The work was given up from outside.
    #[error("given up: {0}")]
    GivenUp(String),
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::Io { path, source }
    }

    /// Whether the disk or its permissions are at fault, so that another source would not help.
    #[must_use]
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Io { .. } | Self::GivenUp(_))
    }

    /// Whether what was given by hand is at fault.
    #[must_use]
    pub fn is_given(&self) -> bool {
        matches!(self, Self::Archive { .. } | Self::Missing { .. } | Self::WrongHash { .. })
    }
}

fn each(tried: &[Error]) -> String {
    tried.iter().map(|error| format!("\n  {error}")).collect()
}

fn io_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::QuotaExceeded => "the quota of the disk is used up".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be written or read".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "stands on a disk that may not be written".to_owned(),
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => "a file stands in the way".to_owned(),
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::IsADirectory => "a folder stands in the way".to_owned(),
        io::ErrorKind::Unsupported => "the disk knows no locks".to_owned(),
        _ => error.to_string(),
    }
}
