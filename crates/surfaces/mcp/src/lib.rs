//! The MCP server: the use cases as tools for agents, and what is kept of them as resources, over any pair of streams and over HTTP.
//!
//! A message is a line of JSON ([`serve`] takes the streams, `transport` the lines) or a request of HTTP ([`http()`]). `server` answers
//! what the protocol asks, within limits; `tools` lists the calls of the engine that are tools, and makes them; `bounded` cuts what they answer, `sampling` asks the host's model; `resources` are the runs and outputs that are kept. What the server needs of the world it runs in (files, a clock, a model, a
//! store) it asks of the [`Host`] of the engine.

mod bounded;
mod http;
mod resources;
mod sampling;
mod schema;
mod server;
mod tools;
mod transport;

use std::sync::Arc;

use rmcp::service::ServerInitializeError;
use steadfast_engine::calls::Host;
use steadfast_wire::call::ToolSet;
use tokio::io::{AsyncRead, AsyncWrite};

pub use http::{BODY_SECONDS_MAX, HTTP_PATH, HttpSettings, MESSAGES_BYTES_MAX, http};

/// The name of this server.
pub const SERVER_NAME: &str = "steadfast";

/// Bytes of one message: what is larger is refused without being kept.
pub const MESSAGE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Calls that are answered at a time; what comes beside them waits.
pub const CALLS_RUNNING_MAX: usize = 4;

/// Calls that may run or wait; what comes beside them is refused.
pub const CALLS_MAX: usize = 64;

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

/// Serves one client until it closes `input`, and lists `tools` for it. Revisions of the protocol with a handshake (up to 2025-11-25) and without one (from
/// 2026-07-28 on) are told apart by what the client sends first.
///
/// # Errors
/// [`Error`]. A client that goes away is none.
pub async fn serve<R, W>(host: Arc<dyn Host>, tools: ToolSet, input: R, output: W) -> Result<(), Error>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let server = server::Server::new(Arc::clone(&host), tools)?;
    let transport = transport::Lines::new(input, output, host);
    let running = match rmcp::serve_server(server, transport).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => return Ok(()),
        Err(error) => return Err(Error::Handshake(error.to_string())),
    };
    running.waiting().await.map_err(|error| Error::Failed(error.to_string()))?;
    Ok(())
}
