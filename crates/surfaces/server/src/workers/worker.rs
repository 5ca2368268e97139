//! The worker's side: the routes of the server at the end of a stream, without what lets clients in.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::service::TowerToHyperService;
use steadfast_engine::calls::{Context, Host, MemoryBound};

use super::link::{CONNECTION_WINDOW_BYTES, STREAM_WINDOW_BYTES};
use super::{ASKER, PROBLEM, REQUEST_ID, RUN_ID, WORK_BYTES_MAX};
use crate::app::{App, Settings, judging};
use crate::guard::{self, Asker};
use crate::jobs::Part;
use crate::problem::Problem;

/// What a worker is called: one of the names of the loopback address, by which every route may be called.
pub(super) const ORIGIN: &str = "http://localhost";

/// Where a worker says how much it has to do.
pub(super) const LOAD_PATH: &str = "http://localhost/worker/load";

/// Where a worker does a part of a job.
pub(super) const PART_PATH: &str = "http://localhost/worker/part";

/// Bytes of an answer that can be an error.
pub(super) const ERROR_BYTES_MAX: usize = 64 * 1024;

/// Requests that a worker has at a time: as many as connections may bring.
const STREAMS_MAX: u32 = 65_536;

/// Bytes of the head of a request, once it is unpacked: more than the server lets in.
const HEAD_BYTES_MAX: u32 = 128 * 1024;

/// Answers the requests that come over a stream until it is closed. `held` says how many bytes of memory this process holds.
///
/// # Errors
/// Where the stream cannot be read.
pub async fn work(
    host: Arc<dyn Host>,
    settings: Settings,
    stream: UnixStream,
    held: Option<fn() -> u64>,
) -> io::Result<()> {
    if let Some(held) = held {
        MemoryBound::beside_now(held, WORK_BYTES_MAX).enforce();
    }
    stream.set_nonblocking(true)?;
    let stream = TokioIo::new(tokio::net::UnixStream::from_std(stream)?);
    let app = Arc::new(App::of_worker(host, settings));
    let served = http2::Builder::new(TokioExecutor::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEAD_BYTES_MAX)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .serve_connection(stream, TowerToHyperService::new(routes(app)));
    served.await.map_err(io::Error::other)
}

fn routes(app: Arc<App>) -> Router {
    judging(&app)
        .route("/worker/load", get(load))
        .route("/worker/part", post(part).layer(DefaultBodyLimit::disable()))
        .layer(from_fn_with_state(Arc::clone(&app), let_in))
        .with_state(app)
}

/// Takes from the head of a request what the server found out about it, and writes its problem with its id.
async fn let_in(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let (id, asker) = (text(&request, &REQUEST_ID), text(&request, &ASKER));
    request.extensions_mut().insert(Asker(asker));
    let context = Context::default().with_run_id(&text(&request, &RUN_ID));
    let mut response = context.scope(next.run(request)).await;
    let kind = response.extensions().get::<Problem>().map(|problem| problem.kind.name);
    response = guard::finish(&app, &id, response);
    if let Some(kind) = kind {
        response.headers_mut().insert(PROBLEM, HeaderValue::from_static(kind));
    }
    response
}

fn text(request: &Request, name: &HeaderName) -> String {
    let value = request.headers().get(name).map_or(&[][..], HeaderValue::as_bytes);
    String::from_utf8_lossy(value).into_owned()
}

async fn load(State(app): State<Arc<App>>) -> String {
    let (working, waiting) = app.turns.taken();
    format!("{working} {waiting} {}", app.rooms.held_bytes())
}

/// One audit of a job: the id of its run, or why there is none.
async fn part(State(app): State<Arc<App>>, body: Bytes) -> Result<String, Problem> {
    let part = Part::read(&body).ok_or_else(|| Problem::fault("a part of a job is not what a server sends"))?;
    drop(body);
    Ok(part.audited(&app.host).await?)
}
