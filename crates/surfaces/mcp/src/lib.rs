//! The MCP server: the use cases as tools for agents, over any pair of streams.
//!
//! A message is a line of JSON ([`serve`] takes the streams, `transport` the lines). `server` answers what the protocol asks, within
//! limits; `tools` is the list of tools, each of which takes its arguments apart and makes one call to the engine. What the server
//! needs of the world it runs in (files, a clock, a model) it asks of its [`Host`].

mod envelope;
mod schemas;
mod server;
mod tools;
mod transport;

use std::sync::Arc;

use rmcp::service::ServerInitializeError;
use steadfast_engine::embedder::Embedder;
use steadfast_engine::store::{Keep, Stamps};
use steadfast_engine::trace::{Capture, TraceSink};
use steadfast_engine::{AuditInput, EngineError, ErrorKind, File};
use steadfast_wire::tools::EmbedderChoice;
use tokio::io::{AsyncRead, AsyncWrite};

/// The name of this server.
pub const SERVER_NAME: &str = "steadfast";

/// Bytes of one message: what is larger is refused without being kept.
pub const MESSAGE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Calls that are answered at a time; what comes beside them waits.
pub const CALLS_RUNNING_MAX: usize = 4;

/// Calls that may run or wait; what comes beside them is refused.
pub const CALLS_MAX: usize = 64;

/// What the server needs of the world it runs in. Its functions may block: they are called off the threads that await.
pub trait Host: Send + Sync + 'static {
    /// What makes vectors of texts. It is asked for at every call, so whoever loads one keeps it.
    ///
    /// # Errors
    /// [`Refusal`] where the model is not there.
    fn embedder(&self, choice: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal>;

    /// The current time and zone that were given, or else those of the file's name and of the machine.
    fn now(&self, current_time: Option<String>, timezone: Option<String>, file: &str) -> Now;

    /// Reads a file in the folder that the server may read.
    ///
    /// # Errors
    /// [`Refusal`] where there is no such folder or file, or where it leads out of it.
    fn file(&self, path: &str) -> Result<File, Refusal>;

    /// Reads the folder or archive of a planner's run there.
    ///
    /// # Errors
    /// Those of [`file`](Self::file).
    fn run(&self, path: &str) -> Result<AuditInput, Refusal>;

    /// What the server keeps runs and tasks in; `None` where it keeps nothing.
    fn store(&self) -> Option<Arc<dyn Keep>>;

    /// Where calls are told of; `None` where nowhere.
    fn traces(&self) -> Option<Traces> {
        None
    }

    /// Says something to whoever watches the server: never on its output, which is the protocol's alone.
    fn note(&self, message: &str);
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

/// A current time and its zone, and what was settled to find them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Now {
    /// The time, as the engine takes it.
    pub current_time: String,
    /// The zone.
    pub timezone: String,
    /// What was settled, a sentence each.
    pub assumptions: Vec<String>,
}

/// Why a call has no result. The caller sees it as a tool error.
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

/// Why a server stopped, other than that its client went away.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The first messages led to no conversation.
    #[error("no conversation came about: {0}")]
    Handshake(String),
    /// A published type has no JSON form: a fault of ours.
    #[error("the tools cannot be described: {0}")]
    Tools(String),
    /// The server's own work failed: a fault of ours.
    #[error("the server failed: {0}")]
    Failed(String),
}

/// Serves one client until it closes `input`. Revisions of the protocol with a handshake (up to 2025-11-25) and without one (from
/// 2026-07-28 on) are told apart by what the client sends first.
///
/// # Errors
/// [`Error`]. A client that goes away is none.
pub async fn serve<R, W>(host: Arc<dyn Host>, input: R, output: W) -> Result<(), Error>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let server = server::Server::new(Arc::clone(&host))?;
    let transport = transport::Lines::new(input, output, host);
    let running = match rmcp::serve_server(server, transport).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(Error::Handshake(error.to_string())),
    };
    running.waiting().await.map_err(|error| Error::Failed(error.to_string()))?;
    Ok(())
}
