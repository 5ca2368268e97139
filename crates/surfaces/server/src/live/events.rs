//! Server-sent events: the scores of a trajectory's steps, as they are made.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use steadfast_engine::EngineError;
use steadfast_engine::live::Live;
use steadfast_wire::live::StepScored;
use steadfast_wire::to_json_line;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::listeners::Listener;

/// The media type of a stream of events.
pub(crate) const MEDIA_TYPE: &str = "text/event-stream";

/// Steps that are read from the store at a time.
const STEPS_AT_A_TIME: usize = 16;

/// Seconds after which something is sent where there is nothing to tell, so that nobody between takes the connection for dead.
pub(crate) const KEEP_ALIVE_SECONDS: u64 = 15;

/// Seconds that a client may take to read a piece.
pub(crate) const PIECE_SECONDS_MAX: u64 = 60;

/// How long a client waits before it comes again, in milliseconds.
pub(crate) const RETRY_MILLISECONDS: u64 = 1_000;

/// A stream of events as the body of an answer. It ends with whoever sends.
struct Stream(mpsc::Receiver<Bytes>);

impl hyper::body::Body for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

/// Follows a trajectory from the step behind `after` on, until nobody listens, it is deleted, or the server stops.
pub(super) fn follow(
    live: Arc<Live>,
    listener: Listener,
    after: Option<u64>,
    closing: watch::Receiver<bool>,
) -> Response {
    let (send, pieces) = mpsc::channel(1);
    tokio::spawn(tell(live, listener, after, closing, send));
    response(pieces)
}

/// Pieces of text as an answer that goes on until whoever sends them ends.
pub(crate) fn response(pieces: mpsc::Receiver<Bytes>) -> Response {
    let mut response = Body::new(Stream(pieces)).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    response
}

async fn tell(
    live: Arc<Live>,
    mut listener: Listener,
    mut after: Option<u64>,
    mut closing: watch::Receiver<bool>,
    send: mpsc::Sender<Bytes>,
) {
    let mut begun = format!("retry: {RETRY_MILLISECONDS}\n\n");
    loop {
        // Nothing is read before what was read last is on its way.
        let Ok(Ok(room)) = timeout(Duration::from_secs(PIECE_SECONDS_MAX), send.reserve()).await else { return };
        if *closing.borrow() {
            return;
        }
        if !begun.is_empty() {
            room.send(Bytes::from(std::mem::take(&mut begun)));
            continue;
        }
        listener.looks();
        let (own, id) = (Arc::clone(&live), listener.id().to_owned());
        let read = tokio::task::spawn_blocking(move || own.events(&id, after, STEPS_AT_A_TIME)).await;
        match read {
            Ok(Ok(steps)) if !steps.is_empty() => {
                after = steps.last().map(|step| step.number);
                let Some(text) = written(&steps) else { return };
                room.send(Bytes::from(text));
            }
            Ok(Ok(_)) => {
                let quiet = tokio::select! {
                    () = listener.changed() => false,
                    _ = closing.changed() => false,
                    () = send.closed() => return,
                    () = tokio::time::sleep(Duration::from_secs(KEEP_ALIVE_SECONDS)) => true,
                };
                if quiet {
                    room.send(Bytes::from_static(b": still here\n\n"));
                }
            }
            Ok(Err(EngineError::NoTrajectory { .. })) => {
                room.send(Bytes::from_static(b"event: deleted\ndata: {}\n\n"));
                return;
            }
            // The client comes again and is told what is wrong.
            Ok(Err(_)) | Err(_) => return,
        }
    }
}

/// Events as they are sent: JSON has no line breaks of its own on one line.
fn written(steps: &[StepScored]) -> Option<String> {
    let mut text = String::new();
    for step in steps {
        let json = to_json_line(step).ok()?;
        text.push_str(&format!("id: {}\nevent: step\ndata: {}\n\n", step.number, json.trim_end()));
    }
    Some(text)
}
