//! Workers that answer, and workers that end.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use steadfast_engine::EngineError;
use steadfast_engine::calls::{Host, Refusal};
use steadfast_engine::embedder::Embedder;
use steadfast_engine::store::{Keep, RunPage};
use steadfast_store::Store;
use steadfast_wire::request::EmbedderChoice;
use tower::ServiceExt;

use super::{ASKER, PROBLEM, RUN_ID, Start, Started, WORK_BYTES_MAX, wants_memory, work};
use crate::app::{App, Settings, router};
use crate::console::tests::Bare;
use crate::jobs::Part;
use crate::problem::kinds::MEMORY;

/// A server that keeps what it does.
struct Keeping(Arc<dyn Keep>);

impl Host for Keeping {
    fn embedder(&self, _: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        Err(Refusal::input("no embedder"))
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        Some(Arc::clone(&self.0))
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        drop(std::thread::spawn(work));
    }

    fn note(&self, _: &str) {}
}

/// A worker that works, as a thread.
fn works() -> Started {
    works_for(Arc::new(Bare))
}

fn works_for(host: Arc<dyn Host>) -> Started {
    let (stream, other) = UnixStream::pair().unwrap();
    let (tell, told) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        drop(runtime.block_on(work(host, Settings::default(), other, None)));
        drop(tell);
    });
    let ended = Box::pin(async move {
        drop(told.await);
        "it was closed".to_owned()
    });
    Started { stream, ended }
}

/// A worker that does its work and ends where its answer would begin.
fn ends_before_its_answer(host: Arc<dyn Host>) -> Started {
    const HEADERS: u8 = 1;
    let Started { stream: mut inner, ended } = works_for(host);
    let (stream, mut outer) = UnixStream::pair().unwrap();
    let (mut from, mut to) = (outer.try_clone().unwrap(), inner.try_clone().unwrap());
    std::thread::spawn(move || std::io::copy(&mut from, &mut to));
    std::thread::spawn(move || {
        loop {
            let mut head = [0; 9];
            if inner.read_exact(&mut head).is_err() || head[3] == HEADERS {
                break;
            }
            let mut body = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
            inner.read_exact(&mut body).unwrap();
            outer.write_all(&[&head[..], &body].concat()).unwrap();
        }
        for own in [inner, outer] {
            drop(own.shutdown(std::net::Shutdown::Both));
        }
    });
    Started { stream, ended }
}

/// A worker that ends at so many bytes.
fn ends_at(bytes: usize) -> Started {
    let (stream, mut other) = UnixStream::pair().unwrap();
    std::thread::spawn(move || {
        let mut left = bytes;
        let mut buffer = [0; 1024];
        while left > 0 {
            left = left.saturating_sub(other.read(&mut buffer).unwrap_or(left).max(1));
        }
    });
    Started { stream, ended: Box::pin(async { "signal 6".to_owned() }) }
}

/// A worker that lacks the memory for any request.
fn lacks_memory() -> Started {
    let (stream, other) = UnixStream::pair().unwrap();
    let (tell, told) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            other.set_nonblocking(true).unwrap();
            let other = TokioIo::new(tokio::net::UnixStream::from_std(other).unwrap());
            let refuses = || async { (StatusCode::PAYLOAD_TOO_LARGE, [(PROBLEM, MEMORY.name)], "") };
            let routes = TowerToHyperService::new(Router::new().fallback(refuses));
            drop(http2::Builder::new(TokioExecutor::new()).serve_connection(other, routes).await);
        });
        drop(tell);
    });
    let ended = Box::pin(async move {
        drop(told.await);
        "it was closed".to_owned()
    });
    Started { stream, ended }
}

/// A server, called `plan.example` as well, whose workers are these, one after the other; how many it started.
fn server(workers: fn(usize) -> Started) -> (Arc<App>, Router, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&count);
    let start: Start = Arc::new(move || Ok(workers(own.fetch_add(1, Ordering::Relaxed))));
    let settings = Settings { hosts: vec!["plan.example".to_owned()], ..Settings::default() };
    let app = Arc::new(App::new(Arc::new(Bare), settings, Some(start)));
    (Arc::clone(&app), router(app), count)
}

fn audit(report: &str) -> Value {
    let prompt = "Write to the parents. The trip is on 6 June. Do not mention the price.";
    json!({"prompt": prompt, "report": report})
}

fn post(path: &str, body: &Value) -> Request<Body> {
    let request = Request::post(path).header(header::HOST, "127.0.0.1:8787");
    let request = request.header(header::CONTENT_TYPE, "application/json");
    let request = request.header(header::ACCEPT, "application/json, text/event-stream");
    request.body(Body::from(body.to_string())).unwrap()
}

async fn answer(router: &Router, request: Request<Body>) -> (StatusCode, String) {
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status();
    assert!(response.headers().keys().all(|name| !name.as_str().starts_with("x-steadfast")), "{response:?}");
    let body = to_bytes(response.into_body(), 1 << 24).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn a_worker_answers_as_the_server_would() {
    let alone = router(Arc::new(App::new(Arc::new(Bare), Settings::default(), None)));
    let (app, isolated, _) = server(|_| works());
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "audit", "arguments": audit("The trip is on 9 June.")}});
    let long = "The trip is on 9 June. ".repeat(2_000);
    for (path, body) in [
        ("/api/audit", audit("The trip is on 9 June.")),
        ("/api/audit", audit(&long)),
        ("/api/audit", json!({"prompt": 1})),
        ("/api/audit", audit("ok")),
        ("/api/plan/check", json!({})),
        ("/mcp", call),
    ] {
        let (here, there) = (answer(&alone, post(path, &body)).await, answer(&isolated, post(path, &body)).await);
        // The id of a request is another one each time.
        let bare = |text: &str| {
            let lines = text.lines().filter(|line| !line.contains("\"instance\""));
            lines.collect::<Vec<_>>().join("\n")
        };
        assert_eq!((here.0, bare(&here.1)), (there.0, bare(&there.1)), "{path}");
    }
    assert_eq!(app.workers.as_ref().unwrap().exits(), 0);
    let loaded = app.workers.as_ref().unwrap().load().await;
    assert_eq!(loaded, Some([0, 0, 0]));
}

/// A worker does not know by which names the server may be called: the server has looked at that.
#[tokio::test]
async fn mcp_is_called_by_the_names_of_the_server_and_from_its_own_pages() {
    let (app, router, count) = server(|_| works());
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    for (host, origin, expect) in [
        ("127.0.0.1:8787", "", StatusCode::OK),
        ("plan.example", "", StatusCode::OK),
        ("PLAN.example:9", "https://plan.example:9", StatusCode::OK),
        ("evil.example", "", StatusCode::FORBIDDEN),
        ("plan.example.evil.example", "", StatusCode::FORBIDDEN),
        ("plan.example", "http://evil.example", StatusCode::FORBIDDEN),
        ("plan.example", "null", StatusCode::FORBIDDEN),
    ] {
        let mut request = post("/mcp", &list);
        request.headers_mut().insert(header::HOST, host.parse().unwrap());
        if !origin.is_empty() {
            request.headers_mut().insert(header::ORIGIN, origin.parse().unwrap());
        }
        let (status, body) = answer(&router, request).await;
        assert_eq!((status, body.contains("\"tools\"")), (expect, expect == StatusCode::OK), "{host} {origin} {body}");
    }
    assert_eq!((app.workers.as_ref().unwrap().exits(), count.load(Ordering::Relaxed)), (0, 1));
}

#[tokio::test]
async fn a_request_whose_worker_ends_is_done_again_alone() {
    for bytes in [1, 500, 8_000] {
        let workers: fn(usize) -> Started = match bytes {
            1 => |at| if at == 0 { ends_at(1) } else { works() },
            500 => |at| if at == 0 { ends_at(500) } else { works() },
            _ => |at| if at == 0 { ends_at(8_000) } else { works() },
        };
        let (app, router, count) = server(workers);
        let long = audit(&"The trip is on 9 June. ".repeat(500));
        let (status, body) = answer(&router, post("/api/audit", &long)).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        assert_eq!((app.workers.as_ref().unwrap().exits(), count.load(Ordering::Relaxed)), (1, 2));
    }
}

#[tokio::test]
async fn a_run_that_was_stored_before_its_worker_ended_is_stored_once() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Keep> = Arc::new(Store::open(&folder.path().join("s.db")).unwrap());
    let host: Arc<dyn Host> = Arc::new(Keeping(Arc::clone(&store)));
    let (own, count) = (Arc::clone(&host), AtomicUsize::new(0));
    let start: Start = Arc::new(move || {
        // Each request has the shared worker end, and is retried.
        let first = count.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
        Ok(if first { ends_before_its_answer(Arc::clone(&own)) } else { works_for(Arc::clone(&own)) })
    });
    let app = Arc::new(App::new(host, Settings::default(), Some(start)));
    let router = router(Arc::clone(&app));
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "audit", "arguments": audit("The trip is on 9 June.")}});
    for (path, body) in [("/api/audit", audit("The trip is on 9 June.")), ("/mcp", call)] {
        let (status, body) = answer(&router, post(path, &body)).await;
        assert_eq!(status, StatusCode::OK, "{path} {body}");
        let runs = store.runs(&RunPage { newest_first: true, limit: 9, ..RunPage::default() }).unwrap();
        assert!(body.contains(&runs[0].id) && body.contains(&runs[0].created_at), "{path} {body}");
    }
    let part = Part::of_texts("Write to the parents. The trip is on 6 June.", "The trip is on 9 June.");
    let id = app.workers.as_ref().unwrap().part(&part).await.unwrap();
    let runs = store.runs(&RunPage { limit: 9, ..RunPage::default() }).unwrap();
    let exits = app.workers.as_ref().unwrap().exits();
    assert_eq!((runs.len(), exits, runs[2].id == id), (3, 3, true));
}

#[tokio::test]
async fn a_request_that_ends_its_worker_again_is_refused_and_the_next_one_is_not() {
    let (app, router, count) = server(|at| if at < 2 { ends_at(100) } else { works() });
    let (status, body) = answer(&router, post("/api/audit", &audit("The trip is on 9 June."))).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    let problem: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(problem["type"], "/problems/worker-exited");
    assert!(
        problem["detail"].as_str().unwrap().ends_with(": signal 6")
            && !problem["instance"].as_str().unwrap().is_empty()
    );
    assert_eq!((app.workers.as_ref().unwrap().exits(), count.load(Ordering::Relaxed)), (2, 2));
    let (status, _) = answer(&router, post("/api/audit", &audit("The trip is on 9 June."))).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn what_a_client_says_of_who_asks_is_not_relayed() {
    let (_, router, _) = server(|_| works());
    let mut request = post("/api/audit", &audit("The trip is on 9 June."));
    request.headers_mut().insert(ASKER, "somebody".parse().unwrap());
    request.headers_mut().insert(RUN_ID, "0198c0de-0000-7000-8000-000000000000".parse().unwrap());
    let handed = super::relayed(request).unwrap();
    assert_eq!(handed.headers()[ASKER], "");
    assert!(!handed.headers().contains_key(RUN_ID));
    // A worker's own paths are none of the server's.
    for path in ["/worker/part", "/worker/load"] {
        assert_eq!(answer(&router, post(path, &json!({}))).await.0, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn what_only_writes_down_is_never_retried() {
    let (app, router, _) = server(|_| ends_at(1));
    let (status, body) = answer(&router, post("/api/feedback", &json!({"id": "x", "rating": "good"}))).await;
    assert!(status.is_client_error(), "{body}");
    assert_eq!(app.workers.as_ref().unwrap().exits(), 0);
}

#[tokio::test]
async fn no_worker_can_be_started() {
    let start: Start = Arc::new(|| Err(std::io::Error::other("no processes")));
    let router = router(Arc::new(App::new(Arc::new(Bare), Settings::default(), Some(start))));
    let (status, body) = answer(&router, post("/api/audit", &audit("The trip is on 9 June."))).await;
    assert!(status == StatusCode::SERVICE_UNAVAILABLE && body.contains("/problems/unavailable"), "{body}");
}

#[tokio::test]
async fn a_worker_that_lacks_memory_gets_no_later_request() {
    // The second is the shared one from then on; a small request that it refused goes there as well.
    let (app, router, started) = server(|at| if at == 0 { lacks_memory() } else { works() });
    for _ in 0..2 {
        let (status, text) = answer(&router, post("/api/audit", &audit("The trip is on 6 June."))).await;
        assert_eq!((status, started.load(Ordering::Relaxed)), (StatusCode::OK, 2), "{text}");
    }
    // A large one is judged in a dedicated worker.
    let (_, router, started) = server(|at| if at == 0 { lacks_memory() } else { works() });
    let large = "The trip is on 6 June.\n".repeat(4_000);
    for expect in [2, 3, 3] {
        let (status, text) = answer(&router, post("/api/audit", &audit(&large))).await;
        assert_eq!((status, started.load(Ordering::Relaxed)), (StatusCode::OK, expect), "{text}");
    }
    // Where no worker has the memory a small one is refused by a dedicated one at last.
    let (_, router, started) = server(|_| lacks_memory());
    let (status, _) = answer(&router, post("/api/audit", &audit("The trip is on 6 June."))).await;
    assert_eq!((status, started.load(Ordering::Relaxed)), (StatusCode::PAYLOAD_TOO_LARGE, 3));
    assert_eq!(app.workers.as_ref().unwrap().exits(), 0);
}

#[test]
fn want_of_memory_is_seen_over_every_door() {
    let said = EngineError::TooMuchMemory { bytes_max: WORK_BYTES_MAX }.to_string();
    let head = |name: Option<&str>| {
        let mut response = axum::http::Response::new(());
        if let Some(name) = name {
            response.headers_mut().insert(super::PROBLEM, name.parse().unwrap());
        }
        response.into_parts().0
    };
    assert!(wants_memory(&head(Some("too-much-memory")), b""));
    assert!(wants_memory(&head(None), format!("{{\"text\": \"error: {said}\"}}").as_bytes()));
    assert!(!wants_memory(&head(Some("unusable")), b"{}"));
}
