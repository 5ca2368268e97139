//! Worker processes: whatever a text does to the process that reads it, the server goes on.
//!
//! The server lets requests in, and relays those that judge to a worker: the same program, with the same routes, at the other end of a
//! stream. One worker, the shared one, has all of them. If it exits, each request that it had is retried in a dedicated worker; a request
//! whose dedicated worker exits too is refused ([`WORKER`]), all others are answered. A request for which the shared worker lacks the
//! memory is retried so as well, with the whole of the limit, a small one in a new shared worker first; later requests get that one too.

mod link;
mod replay;
#[cfg(test)]
mod tests;
mod worker;

use std::io;
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use steadfast_engine::EngineError;
use steadfast_engine::calls::{Host, Refusal, blocking};
use tokio::sync::{Mutex, Semaphore};
use tokio::time::timeout;

use crate::api::TABLES;
use crate::app::App;
use crate::guard::{Asker, RequestId};
use crate::jobs::Part;
use crate::problem::kinds::{BAD_REQUEST, BUSY, MEMORY, UNAVAILABLE, WORKER, of_name};
use crate::problem::{Problem, RETRY_SECONDS};
use crate::routes::Work;
use link::{Failed, Link};
use replay::Kept;

pub use worker::work;

/// Bytes of memory that a worker may hold for what it judges.
pub(crate) const WORK_BYTES_MAX: u64 = 1024 * 1024 * 1024;

/// Requests that are retried at a time, each in a dedicated worker.
const RETRIES_MAX: usize = 4;

/// Seconds that a request waits for its turn to be retried.
const RETRY_WAIT_SECONDS_MAX: u64 = 20;

/// Bytes of a body up to which a request that was refused for want of memory is tried once more in company: of so few no request takes much.
const SMALL_BYTES_MAX: usize = 64 * 1024;

/// Who asks, as the server found it. A client's own header of this name is taken away.
const ASKER: HeaderName = HeaderName::from_static("x-steadfast-asker");

/// The id of the first run of a request, so that one that is retried is stored once. A client's own header of this name is taken away.
const RUN_ID: HeaderName = HeaderName::from_static("x-steadfast-run-id");

/// The name of the problem that a worker answers.
const PROBLEM: HeaderName = HeaderName::from_static("x-steadfast-problem");

/// The id of a request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Paths of requests that work on what this process holds: they and all below them are answered here.
const OWN: [&str; 7] =
    ["/api/trajectories", "/api/jobs", "/v1/", "/watch/live", "/sign-in", "/sign-out", "/csp-report"];

/// Ends of paths of requests that only write down what somebody says: they are answered here, so that none is ever retried.
const SAID: [&str; 4] = ["/feedback", "/flag", "/decisions", "/delete"];

/// A worker that was started.
pub struct Started {
    /// The stream whose other end it serves.
    pub stream: UnixStream,
    /// Is done once it has ended, and says how. Where this is dropped before, it is killed.
    pub ended: Pin<Box<dyn Future<Output = String> + Send>>,
}

impl std::fmt::Debug for Started {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Started").field("stream", &self.stream).finish_non_exhaustive()
    }
}

/// Starts a worker: a process that calls [`work`].
pub type Start = Arc<dyn Fn() -> io::Result<Started> + Send + Sync>;

/// The workers of a server.
pub(crate) struct Workers {
    start: Start,
    host: Arc<dyn Host>,
    /// The one that has all requests.
    shared: Mutex<Option<Arc<Link>>>,
    retries: Semaphore,
    /// How many exited unexpectedly.
    exits: AtomicU64,
}

impl Workers {
    pub(crate) fn new(start: Start, host: Arc<dyn Host>) -> Self {
        Self { start, host, shared: Mutex::default(), retries: Semaphore::new(RETRIES_MAX), exits: AtomicU64::new(0) }
    }

    /// How many workers exited unexpectedly.
    pub(crate) fn exits(&self) -> u64 {
        self.exits.load(Ordering::Relaxed)
    }

    /// Starts the worker that has all requests, so that the first one does not wait for it.
    pub(crate) async fn begin(&self) {
        // What is wrong is said, and tried again at the first request.
        drop(self.shared().await);
    }

    /// Has the worker end that has all requests, and waits a while for it.
    pub(crate) async fn closed(&self) {
        if let Some(link) = self.shared.lock().await.take() {
            link.closed().await;
        }
    }

    /// What the worker that has all requests holds: requests that work, that wait, and bytes of bodies. `None` where there is none.
    pub(crate) async fn load(&self) -> Option<[usize; 3]> {
        let link = self.shared.lock().await.clone().filter(|link| link.is_open())?;
        let request = Request::get(worker::LOAD_PATH).body(Body::empty()).ok()?;
        let (_, bytes) = timeout(Duration::from_secs(1), link.answer(request)).await.ok()?.ok()?;
        let text = String::from_utf8(bytes.to_vec()).ok()?;
        let mut counts = text.split(' ').map_while(|count| count.parse().ok());
        Some([counts.next()?, counts.next()?, counts.next()?])
    }

    async fn open(&self) -> Result<Arc<Link>, Problem> {
        let opened = match (self.start)() {
            Ok(started) => Link::open(started).await,
            Err(error) => Err(error),
        };
        opened.map(Arc::new).map_err(|error| {
            self.host.warn(&format!("no worker can be started: {error}"));
            Problem::of(&UNAVAILABLE, "no worker can be started").retry(RETRY_SECONDS)
        })
    }

    /// The worker that has all requests, started where there is none.
    async fn shared(&self) -> Result<Arc<Link>, Problem> {
        let mut shared = self.shared.lock().await;
        if let Some(link) = shared.as_ref().filter(|link| link.is_open()) {
            return Ok(Arc::clone(link));
        }
        let link = self.open().await?;
        *shared = Some(Arc::clone(&link));
        Ok(link)
    }

    /// Has another worker take all later requests; this one ends once it has answered those that it has. Memory that a process was allocated once may stay with it, and would
    /// count against every request to come.
    async fn retire(&self, link: &Arc<Link>) {
        let mut shared = self.shared.lock().await;
        if shared.as_ref().is_some_and(|own| Arc::ptr_eq(own, link)) {
            *shared = None;
        }
    }

    /// Counts and reports that a worker exited, once for each.
    fn exited(&self, link: &Link, how: &str) {
        if link.is_first_to_hear() {
            self.exits.fetch_add(1, Ordering::Relaxed);
            self.host.warn(&format!("a worker exited: {how}"));
        }
    }

    /// Has a worker do a part of a job: the id of its run.
    pub(crate) async fn part(&self, part: &Part) -> Result<String, Refusal> {
        let fault = |what: &str| Refusal::fault(what.to_owned());
        let request = Request::post(worker::PART_PATH).body(Body::from(part.written()));
        let request = request.map_err(|error| fault(&error.to_string()))?;
        let answer = match self.answer(request).await {
            Ok(answer) => answer,
            Err(problem) => return Err(Refusal { hint: problem.hint, ..Refusal::external(problem.detail) }),
        };
        let status = answer.status();
        let bytes = to_bytes(answer.into_body(), usize::MAX).await.map_err(|error| fault(&error.to_string()))?;
        if status.is_success() {
            return String::from_utf8(bytes.to_vec()).map_err(|error| fault(&error.to_string()));
        }
        let told: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let text = |name: &str| told[name].as_str().map(str::to_owned);
        Err(Refusal { hint: text("hint"), ..Refusal::input(text("detail").unwrap_or_else(|| status.to_string())) })
    }

    /// The id of a run to be; `None` where there is no store, or it gives none.
    async fn run_id(&self) -> Option<HeaderValue> {
        let store = self.host.store()?;
        let stamp = blocking(&self.host, move || Ok(store.stamp().map_err(EngineError::from)?)).await.ok()?;
        HeaderValue::from_str(&stamp.id).ok()
    }

    /// Has a worker answer a request.
    pub(crate) async fn answer(&self, request: Request) -> Result<Response, Problem> {
        let (mut head, body) = request.into_parts();
        if let Some(id) = self.run_id().await {
            head.headers.insert(RUN_ID, id);
        }
        let kept = Kept::of(body);
        let again = || Request::from_parts(head.clone(), kept.replay());
        let link = self.shared().await?;
        match link.answer(again()).await {
            Ok((head, bytes)) if !wants_memory(&head, &bytes) => return Ok(Response::from_parts(head, bytes.into())),
            Ok(_) => {
                self.retire(&link).await;
                drop(link);
                // It was another request that took the memory.
                if kept.bytes() <= SMALL_BYTES_MAX {
                    let link = self.shared().await?;
                    match link.answer(again()).await {
                        Ok((head, bytes)) if !wants_memory(&head, &bytes) => {
                            return Ok(Response::from_parts(head, bytes.into()));
                        }
                        Ok(_) => self.retire(&link).await,
                        Err(Failed::Ended(how)) => self.exited(&link, &how),
                        Err(Failed::Request(what)) => return Err(Problem::of(&BAD_REQUEST, what)),
                    }
                }
            }
            Err(Failed::Ended(how)) => {
                self.exited(&link, &how);
                drop(link);
            }
            Err(Failed::Request(what)) => return Err(Problem::of(&BAD_REQUEST, what)),
        }
        let busy =
            || Problem::of(&BUSY, "a worker exited, and too many requests wait to be retried").retry(RETRY_SECONDS);
        let turn = timeout(Duration::from_secs(RETRY_WAIT_SECONDS_MAX), self.retries.acquire()).await;
        let _turn = turn.ok().and_then(Result::ok).ok_or_else(busy)?;
        let link = self.open().await?;
        match link.answer(again()).await {
            Ok((head, bytes)) => Ok(Response::from_parts(head, bytes.into())),
            Err(Failed::Request(what)) => Err(Problem::of(&BAD_REQUEST, what)),
            Err(Failed::Ended(how)) => {
                self.exited(&link, &how);
                let what = format!("the worker that judged this exited: {how}");
                Err(Problem::of(&WORKER, what)
                    .hint("the server goes on; give less at a time, or leave out what is no prose"))
            }
        }
    }
}

/// Whether an answer says that the memory of the worker was at an end. Over MCP that stands in the body of a result.
fn wants_memory(head: &axum::http::response::Parts, bytes: &[u8]) -> bool {
    if head.headers.get(PROBLEM).is_some_and(|name| name.as_bytes() == MEMORY.name.as_bytes()) {
        return true;
    }
    let said = EngineError::TooMuchMemory { bytes_max: WORK_BYTES_MAX }.to_string();
    bytes.len() <= worker::ERROR_BYTES_MAX && bytes.windows(said.len()).any(|own| own == said.as_bytes())
}

/// Whether a request reads or judges texts, so that a worker is to answer it.
fn judges(request: &Request) -> bool {
    let path = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let stays = OWN.iter().any(|own| path.starts_with(own)) || SAID.iter().any(|end| path.ends_with(end));
    if path.is_empty() || stays {
        return false;
    }
    let method = request.method();
    let mut routes = TABLES.iter().copied().flatten();
    match routes.find(|route| route.path == path && route.method == *method) {
        Some(route) => route.work == Work::Heavy,
        // Pages: forms, and results, whose quotes are shown in their places.
        None => *method == Method::POST || (*method == Method::GET && path == "/runs/{id}"),
    }
}

/// Relays requests that judge to a worker.
pub(crate) async fn relay(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let Some(workers) = app.workers.as_ref().filter(|_| judges(&request)) else {
        return next.run(request).await;
    };
    let answer = match relayed(request) {
        Some(request) => workers.answer(request).await,
        None => Err(Problem::of(&BAD_REQUEST, "the request has no path")),
    };
    let mut response = answer.unwrap_or_else(IntoResponse::into_response);
    let told = response.headers_mut().remove(PROBLEM);
    if let Some(kind) = told.as_ref().and_then(|name| of_name(name.to_str().ok()?)) {
        app.metrics.refused(kind);
    }
    response
}

/// A request as a worker gets it: with who asks and its id in headers, and none of what is between a client and this server.
fn relayed(mut request: Request) -> Option<Request> {
    let asker = request.extensions().get::<Asker>().map(|Asker(name)| name.clone()).unwrap_or_default();
    let id = request.extensions().get::<RequestId>().map(|RequestId(id)| id.clone()).unwrap_or_default();
    let place = request.uri().path_and_query()?.as_str().to_owned();
    let named = request.uri().authority().map(|own| own.as_str().to_owned());
    *request.uri_mut() = format!("{}{place}", worker::ORIGIN).parse().ok()?;
    let headers = request.headers_mut();
    if let (Some(name), false) = (named, headers.contains_key(header::HOST)) {
        headers.insert(header::HOST, HeaderValue::from_str(&name).ok()?);
    }
    for name in [header::CONNECTION, header::TRANSFER_ENCODING, header::UPGRADE, header::TE, header::EXPECT] {
        headers.remove(name);
    }
    headers.remove("keep-alive");
    headers.remove("proxy-connection");
    // Whoever was let in shows nothing more.
    headers.remove(header::AUTHORIZATION);
    headers.remove(RUN_ID);
    headers.insert(ASKER, HeaderValue::from_bytes(asker.as_bytes()).ok()?);
    headers.insert(REQUEST_ID, HeaderValue::from_str(&id).ok()?);
    request.extensions_mut().clear();
    Some(request)
}
