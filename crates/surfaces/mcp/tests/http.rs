//! The endpoint of HTTP in this process: who may ask, how much, in which form, on both revisions.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::http::{Request, StatusCode, header};
use common::{Gate, LOOSE, PROMPT, REPORT};
use http_body::Frame;
use serde_json::{Value, json};
use steadfast_engine::calls::{Row, TABLE};
use steadfast_mcp::{
    BODY_SECONDS_MAX, CALLS_RUNNING_MAX, HTTP_PATH, HttpSettings, MESSAGE_BYTES_MAX, MESSAGES_BYTES_MAX, http,
};
use steadfast_wire::call::ToolSet;
use tokio::runtime::Builder;
use tower::ServiceExt;

const NEW: &str = "2026-07-28";
const OLD: &str = "2025-11-25";

/// How long the body of a request may take here.
const BODY_TIME: Duration = Duration::from_secs(3);

struct Server {
    router: Router,
    host: Arc<Gate>,
    asked: Receiver<String>,
    files: Sender<&'static str>,
}

/// What came of a request.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    content_type: String,
    allow: Option<String>,
    retry: bool,
    session: bool,
    body: Value,
}

impl Server {
    fn new() -> Self {
        let (host, asked, files) = Gate::new();
        assert_eq!(HttpSettings::default().body_time_max.as_secs(), BODY_SECONDS_MAX);
        let settings = HttpSettings { body_time_max: BODY_TIME, ..HttpSettings::default() };
        Self { router: http(Arc::clone(&host) as Arc<_>, settings), host, asked, files }
    }

    async fn ask(&self, request: Request<Body>) -> Answer {
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let text = |name| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        let (content_type, allow) = (text(header::CONTENT_TYPE).unwrap_or_default(), text(header::ALLOW));
        let (retry, session) =
            (answer.headers().contains_key(header::RETRY_AFTER), answer.headers().contains_key("mcp-session-id"));
        let status = answer.status();
        let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        let body = serde_json::from_slice(&body).unwrap_or_else(|_| String::from_utf8_lossy(&body).into_owned().into());
        Answer { status, content_type, allow, retry, session, body }
    }

    /// A request as a client of this revision makes it.
    async fn call(&self, revision: &str, id: u64, method: &str, params: Value) -> Answer {
        self.ask(call(revision, id, method, params)).await
    }
}

fn call(revision: &str, id: u64, method: &str, mut params: Value) -> Request<Body> {
    let mut request = post().header("mcp-protocol-version", revision);
    if revision == NEW {
        request = request.header("mcp-method", method);
        for name in ["name", "uri"] {
            if let Some(value) = params[name].as_str() {
                request = request.header("mcp-name", value);
            }
        }
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": NEW,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    request.body(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string().into()).unwrap()
}

fn post() -> axum::http::request::Builder {
    Request::post(HTTP_PATH)
        .header("host", "127.0.0.1:8080")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
}

fn ping() -> Body {
    json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string().into()
}

fn run(test: impl Future<Output = ()>) {
    Builder::new_current_thread().enable_time().build().unwrap().block_on(test);
}

#[test]
fn both_revisions_are_served_without_sessions() {
    run(async {
        let server = Server::new();
        let hello = json!({"protocolVersion": OLD, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer = server.call(OLD, 1, "initialize", hello).await;
        assert_eq!(
            (answer.status, answer.content_type.as_str(), answer.session),
            (StatusCode::OK, "application/json", false)
        );
        assert_eq!(answer.body["result"]["protocolVersion"], OLD);
        assert_eq!(answer.body["result"]["serverInfo"]["name"], "steadfast");
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
        let answer = server.ask(post().header("mcp-protocol-version", OLD).body(initialized.into()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
        let answer = server.call(NEW, 2, "server/discover", json!({})).await;
        assert_eq!(answer.body["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "steadfast");
        let mut lists = Vec::new();
        for revision in [OLD, NEW] {
            let answer = server.call(revision, 3, "tools/list", json!({})).await;
            assert_eq!(answer.content_type, "application/json");
            lists.push(answer.body["result"]["tools"].clone());
            let arguments = json!({"name": "audit", "arguments": {"prompt": PROMPT, "report": REPORT}});
            let answer = server.call(revision, 4, "tools/call", arguments).await;
            assert_eq!(
                (&answer.body["id"], &answer.body["result"]["isError"]),
                (&json!(4), &json!(false)),
                "{answer:?}"
            );
        }
        let is_listed = |row: &&Row| row.call.tool.as_ref().is_some_and(|tool| tool.set == ToolSet::Hosts);
        let tools = TABLE.iter().filter(is_listed).count();
        assert_eq!((lists[0].as_array().unwrap().len(), &lists[0]), (tools, &lists[1]));
        for method in ["GET", "DELETE", "PUT"] {
            let request = Request::builder()
                .method(method)
                .uri(HTTP_PATH)
                .header("host", "localhost")
                .header("accept", "text/event-stream");
            let answer = server.ask(request.body(Body::empty()).unwrap()).await;
            assert_eq!(
                (answer.status, answer.allow.as_deref()),
                (StatusCode::METHOD_NOT_ALLOWED, Some("POST")),
                "{method}"
            );
        }
        assert!(server.host.notes.lock().unwrap().is_empty());
    });
}

#[test]
fn what_is_no_message_is_refused_in_the_form_of_one() {
    run(async {
        let server = Server::new();
        let deep = "[".repeat(100_000);
        for (body, id, code, what) in [
            ("", Value::Null, -32700, "the message is no JSON: EOF while parsing a value at line 1 column 0"),
            (
                "{\"jsonrpc\":",
                Value::Null,
                -32700,
                "the message is no JSON: EOF while parsing a value at line 1 column 11",
            ),
            (
                deep.as_str(),
                Value::Null,
                -32700,
                "the message is no JSON: recursion limit exceeded at line 1 column 128",
            ),
            (
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
                Value::Null,
                -32600,
                "a message is one JSON object; batches are not read",
            ),
            (
                "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"ping\"}",
                json!(7),
                -32600,
                "the message is no JSON-RPC 2.0 request",
            ),
        ] {
            let answer = server.ask(post().body(body.to_owned().into()).unwrap()).await;
            assert_eq!(
                (answer.status, answer.content_type.as_str()),
                (StatusCode::BAD_REQUEST, "application/json"),
                "{body}"
            );
            let error = &answer.body["error"];
            assert_eq!(
                (answer.body.get("id").cloned().unwrap_or_default(), &error["code"], &error["message"]),
                (id, &json!(code), &json!(what))
            );
        }
        for (name, value, status) in [
            ("content-type", "text/plain", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            ("content-type", "application/x-www-form-urlencoded", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            ("content-encoding", "gzip", StatusCode::UNSUPPORTED_MEDIA_TYPE),
            ("accept", "text/html", StatusCode::NOT_ACCEPTABLE),
            ("mcp-protocol-version", "1999-01-01", StatusCode::BAD_REQUEST),
        ] {
            let mut request = post().body(ping()).unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
            assert_eq!(server.ask(request).await.status, status, "{name}: {value}");
        }
        let answer = server.call(OLD, 5, "tools/call", json!({"name": "no_such_tool"})).await;
        assert_eq!((&answer.body["id"], &answer.body["error"]["code"]), (&json!(5), &json!(-32602)));
        let answer = server.call(NEW, 6, "no/such", json!({})).await;
        assert_eq!((answer.status, &answer.body["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));
        let answer = server.call(NEW, 6, "initialize", json!({})).await;
        assert_eq!((answer.status, &answer.body["error"]["code"]), (StatusCode::NOT_FOUND, &json!(-32601)));
        let answer = server.call(OLD, 6, "initialize", json!({})).await;
        assert_eq!(answer.body["error"]["message"], "the parameters of `initialize` are of another form");
        // What the head says must be what the body says.
        let mut request = call(NEW, 7, "tools/list", json!({}));
        request.headers_mut().insert("mcp-method", "tools/call".parse().unwrap());
        let answer = server.ask(request).await;
        assert_eq!((answer.status, &answer.body["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32020)));
    });
}

/// A body that comes in pieces, and never ends where `stuck`.
struct Pieces {
    left: usize,
    stuck: bool,
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let size = self.left.min(1024 * 1024);
        self.left -= size;
        match size {
            0 if self.stuck => Poll::Pending,
            0 => Poll::Ready(None),
            _ => Poll::Ready(Some(Ok(Frame::data(vec![b' '; size].into())))),
        }
    }
}

/// A message of white space with a request at its end is of any size.
fn padded(
    request: Request<Body>,
    body: impl HttpBody<Data = Bytes, Error = std::convert::Infallible> + Send + 'static,
) -> Request<Body> {
    let (head, _) = request.into_parts();
    Request::from_parts(head, Body::new(body))
}

#[test]
fn messages_are_bounded_one_by_one_and_together() {
    run(async {
        let server = Server::new();
        let sized = |bytes: usize| {
            let call = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
            post().body(Body::from(" ".repeat(bytes - call.len()) + &call)).unwrap()
        };
        assert_eq!(server.ask(sized(MESSAGE_BYTES_MAX)).await.status, StatusCode::OK);
        for large in
            [sized(MESSAGE_BYTES_MAX + 1), padded(sized(100), Pieces { left: MESSAGE_BYTES_MAX + 1, stuck: false })]
        {
            let answer = server.ask(large).await;
            assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
            assert_eq!(answer.body["error"]["message"], "the message holds more than the limit of 64 MiB");
        }

        // Clients that send much and never end leave no room for others, until their time is up.
        let slow = || server.ask(padded(sized(100), Pieces { left: MESSAGE_BYTES_MAX, stuck: true }));
        let started = Instant::now();
        let mut slow: Vec<_> = (0..MESSAGES_BYTES_MAX / MESSAGE_BYTES_MAX).map(|_| Box::pin(slow())).collect();
        for one in &mut slow {
            assert!(poll_once(one.as_mut()).await.is_none());
        }
        let answer = server.ask(sized(100)).await;
        assert_eq!((answer.status, answer.retry), (StatusCode::SERVICE_UNAVAILABLE, true));
        for one in slow {
            assert_eq!(one.await.status, StatusCode::REQUEST_TIMEOUT);
        }
        assert!(started.elapsed() >= BODY_TIME);
        assert_eq!(server.ask(sized(100)).await.status, StatusCode::OK);
    });
}

async fn poll_once<T>(mut future: Pin<&mut impl Future<Output = T>>) -> Option<T> {
    std::future::poll_fn(|context| {
        Poll::Ready(match future.as_mut().poll(context) {
            Poll::Ready(done) => Some(done),
            Poll::Pending => None,
        })
    })
    .await
}

#[test]
fn a_client_that_goes_away_leaves_nothing_running_but_what_cannot_be_broken_off() {
    for revision in [OLD, NEW] {
        run(async {
            let server = Server::new();
            let held = |id: usize| {
                let arguments = json!({"prompt": {"path": format!("{id}.txt")}, "report": REPORT});
                call(revision, id as u64, "tools/call", json!({"name": "audit", "arguments": arguments}))
            };
            // As many as may run, and as many that wait for them.
            let mut calls: Vec<_> = (0..2 * CALLS_RUNNING_MAX).map(|id| Box::pin(server.ask(held(id)))).collect();
            let mut asked = Vec::new();
            while asked.len() < CALLS_RUNNING_MAX {
                for one in &mut calls {
                    assert!(poll_once(one.as_mut()).await.is_none());
                }
                tokio::task::yield_now().await;
                asked.extend(server.asked.try_recv());
            }
            drop(calls);
            tokio::task::yield_now().await;
            for _ in 0..CALLS_RUNNING_MAX {
                server.files.send(PROMPT).unwrap();
            }
            // Those that ran end unheard; those that waited never ask for their file.
            let arguments = json!({"prompt": PROMPT, "report": REPORT});
            let answer =
                server.call(revision, 99, "tools/call", json!({"name": "audit", "arguments": arguments})).await;
            assert_eq!(answer.body["result"]["isError"], false, "{answer:?}");
            assert!(server.asked.try_recv().is_err(), "{revision}");
        });
    }
}

/// What goes wrong within is told to whoever watches the server, and to no caller.
#[test]
fn a_fault_keeps_its_words_to_the_server() {
    run(async {
        let server = Server::new();
        let arguments = json!({"prompt": {"path": LOOSE}, "report": REPORT});
        let answer = server.call(NEW, 1, "tools/call", json!({"name": "audit", "arguments": arguments})).await;
        let told = answer.body["result"]["content"][0]["text"].as_str().unwrap();
        assert_eq!(told, "error: the server failed; what it wrote on its stderr says more");
        assert!(!answer.body.to_string().contains("secret"), "{}", answer.body);
        let notes = server.host.notes.lock().unwrap().join("\n");
        assert!(notes.contains("a call failed: ") && notes.contains("/srv/secret"), "{notes}");
    });
}
