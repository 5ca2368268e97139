//! The stream to one worker: HTTP/2, so that many requests share it and each can be given up by itself.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::response::Parts;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::net::UnixStream;
use tokio::sync::watch;
use tokio::time::timeout;

use super::Started;

/// Bytes that may be on their way of one request, and of all.
pub(super) const STREAM_WINDOW_BYTES: u32 = 1024 * 1024;
pub(super) const CONNECTION_WINDOW_BYTES: u32 = 8 * 1024 * 1024;

/// Seconds after which a silent worker is asked whether it is there, and seconds that it may take to say so.
const PING_SECONDS: u64 = 20;
const PONG_SECONDS_MAX: u64 = 60;

/// Seconds that it may take to learn that a worker has ended whose stream is broken.
const END_SECONDS_MAX: u64 = 2;

/// Why a worker gave no answer.
pub(super) enum Failed {
    /// It ended, so.
    Ended(String),
    /// The request could not be sent whole, for this reason; the worker goes on.
    Request(String),
}

/// The stream to one worker. Where it is dropped the worker ends.
pub(super) struct Link {
    sender: SendRequest<Body>,
    /// How the worker ended, once it has.
    ended: watch::Receiver<Option<String>>,
    is_heard: AtomicBool,
}

impl Link {
    pub(super) async fn open(started: Started) -> io::Result<Self> {
        let Started { stream, ended } = started;
        stream.set_nonblocking(true)?;
        let stream = TokioIo::new(UnixStream::from_std(stream)?);
        let (sender, connection) = Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .initial_stream_window_size(STREAM_WINDOW_BYTES)
            .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
            .keep_alive_interval(Duration::from_secs(PING_SECONDS))
            .keep_alive_timeout(Duration::from_secs(PONG_SECONDS_MAX))
            .handshake(stream)
            .await
            .map_err(io::Error::other)?;
        let (tell, told) = watch::channel(None);
        tokio::spawn(async move {
            drop(connection.await);
            // One that has not ended by then answers nobody any more: it is killed when this is dropped.
            let how = timeout(Duration::from_secs(END_SECONDS_MAX), ended).await;
            tell.send_replace(Some(how.unwrap_or_else(|_| "it answered no more".to_owned())));
        });
        Ok(Self { sender, ended: told, is_heard: AtomicBool::new(false) })
    }

    pub(super) fn is_open(&self) -> bool {
        !self.sender.is_closed()
    }

    /// Waits a while for the worker to end, which it does where nobody has its stream any more.
    pub(super) async fn closed(self: Arc<Self>) {
        let mut ended = self.ended.clone();
        drop(self);
        drop(timeout(Duration::from_secs(2 * END_SECONDS_MAX), ended.wait_for(Option::is_some)).await);
    }

    /// Whether nobody asked this before.
    pub(super) fn is_first_to_hear(&self) -> bool {
        !self.is_heard.swap(true, Ordering::Relaxed)
    }

    /// The whole answer to a request.
    pub(super) async fn answer(&self, request: Request) -> Result<(Parts, Bytes), Failed> {
        let mut sender = self.sender.clone();
        let sent = async {
            sender.ready().await.map_err(|error| error.to_string())?;
            let answer = sender.send_request(request).await.map_err(|error| error.to_string())?;
            let (head, body) = answer.into_parts();
            let bytes = to_bytes(Body::new(body), usize::MAX).await.map_err(|error| error.to_string())?;
            Ok::<_, String>((head, bytes))
        };
        let what = match sent.await {
            Ok(answer) => return Ok(answer),
            Err(what) => what,
        };
        let mut ended = self.ended.clone();
        let how = ended.wait_for(Option::is_some);
        match timeout(Duration::from_secs(2 * END_SECONDS_MAX), how).await {
            Ok(Ok(how)) => Err(Failed::Ended(how.clone().unwrap_or_default())),
            _ => Err(Failed::Request(what)),
        }
    }
}
