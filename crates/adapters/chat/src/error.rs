//! What can be wrong with a server's settings or with a file.

use std::io;
use std::path::PathBuf;

/// Why a server cannot be asked, or a file not be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address, or what a key must be, is wrong.
    #[error(transparent)]
    Net(#[from] steadfast_net::Error),
    /// A key would go over the network for all to read.
    #[error("{origin}: a key is not sent over http to another machine")]
    Insecure {
        /// Scheme, host and port.
        origin: String,
    },
    /// A file.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
