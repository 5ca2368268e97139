//! Messages as lines: one JSON object a line, in both directions.
//!
//! A transport of our own, since no message may go without an answer: one that is not of the protocol is refused by its id or none, and one
//! that is too large, of which nothing is kept, by none.

use std::future::Future;
use std::io;
use std::sync::Arc;

use rmcp::model::{ErrorData, RequestId, ServerJsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use steadfast_engine::calls::Host;

use crate::MESSAGE_BYTES_MAX;

/// Answers of the transport itself that may wait for the client to read them; then no more is read.
const REPLIES_WAITING_MAX: usize = 16;

/// Bytes that are read at a time.
const READ_BYTES: usize = 64 * 1024;

/// Two streams as messages.
pub(crate) struct Lines<R, W> {
    input: BufReader<R>,
    output: Arc<Mutex<Option<W>>>,
    host: Arc<dyn Host>,
    /// The line so far. It outlives `receive`, which may be dropped in the middle of a line.
    line: Vec<u8>,
    /// Whether the line has become too long.
    is_too_long: bool,
    ended: bool,
    replies: JoinSet<()>,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> Lines<R, W> {
    pub(crate) fn new(input: R, output: W, host: Arc<dyn Host>) -> Self {
        Self {
            input: BufReader::with_capacity(READ_BYTES, input),
            output: Arc::new(Mutex::new(Some(output))),
            host,
            line: Vec::new(),
            is_too_long: false,
            ended: false,
            replies: JoinSet::new(),
        }
    }

    /// Reads to the end of a line; `None` where there is none any more. Dropped and called again it goes on where it was.
    async fn line(&mut self) -> io::Result<Option<Line>> {
        while !self.ended {
            let available = self.input.fill_buf().await?;
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(available.len());
            self.ended = available.is_empty();
            self.is_too_long |= self.line.len() + taken > MESSAGE_BYTES_MAX;
            if self.is_too_long {
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(&available[..taken]);
            }
            self.input.consume(taken + usize::from(end.is_some()));
            if end.is_some() || self.ended {
                return Ok(match std::mem::take(&mut self.is_too_long) {
                    true => Some(Line::TooLong),
                    false if self.ended && self.line.is_empty() => None,
                    false => Some(Line::Whole(std::mem::take(&mut self.line))),
                });
            }
        }
        Ok(None)
    }

    /// Answers without the server. What is not written yet is waited for at the end.
    fn reply(&mut self, message: ServerJsonRpcMessage) {
        while self.replies.try_join_next().is_some() {}
        let writing = write(Arc::clone(&self.output), message);
        self.replies.spawn(async move { drop(writing.await) });
    }

    /// The message of a line; what is none is answered or passed over.
    fn read(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return None;
        }
        if let Ok(message) = serde_json::from_slice(line) {
            return Some(message);
        }
        match serde_json::from_slice::<Value>(line) {
            Ok(Value::Object(members)) => {
                // One without an id waits for no answer: a notification of somebody else's protocol.
                if let Some(id) = members.get("id") {
                    let id = serde_json::from_value::<RequestId>(id.clone()).ok();
                    let error = ErrorData::invalid_request("the message is no JSON-RPC 2.0 request", None);
                    self.reply(ServerJsonRpcMessage::error(error, id));
                }
            }
            Ok(_) => {
                let error = ErrorData::invalid_request("a message is one JSON object; batches are not read", None);
                self.reply(ServerJsonRpcMessage::error(error, None));
            }
            // Nobody can be answered, and an answer to what is no message could go on for ever.
            Err(error) => {
                self.host.note(&format!("a line of {} bytes is no JSON: {error}; it is passed over", line.len()))
            }
        }
        None
    }

    /// Refuses a message of which nothing was kept: whoever sent it is not known, so the answer names no id.
    fn refuse(&mut self) {
        let limit_mib = MESSAGE_BYTES_MAX / (1024 * 1024);
        let what = format!("the message holds more than the limit of {limit_mib} MiB; give files by their paths");
        self.host.note(&what);
        self.reply(ServerJsonRpcMessage::error(ErrorData::invalid_request(what, None), None));
    }
}

/// A line of the input.
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

async fn write<W: AsyncWrite + Send + Unpin + 'static>(
    output: Arc<Mutex<Option<W>>>,
    message: TxJsonRpcMessage<RoleServer>,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    let output = output.as_mut().ok_or(io::ErrorKind::NotConnected)?;
    output.write_all(&line).await?;
    output.flush().await
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        write(Arc::clone(&self.output), item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            while self.replies.len() >= REPLIES_WAITING_MAX {
                self.replies.join_next().await;
            }
            match self.line().await {
                Ok(Some(Line::Whole(line))) => {
                    if let Some(message) = self.read(&line) {
                        return Some(message);
                    }
                }
                Ok(Some(Line::TooLong)) => self.refuse(),
                Ok(None) => return None,
                Err(error) => {
                    self.host.note(&format!("the input cannot be read: {error}"));
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        while self.replies.join_next().await.is_some() {}
        match self.output.lock().await.take() {
            Some(mut output) => output.shutdown().await,
            None => Ok(()),
        }
    }
}
