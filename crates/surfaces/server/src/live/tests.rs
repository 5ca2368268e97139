//! Live routes, asked for as programs do, over a store and the lexical embedder.

mod spans;

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use hyper::body::Body as _;
use serde_json::{Value, json};
use steadfast_embed::Lexical;
use steadfast_engine::calls::{Host, Refusal};
use steadfast_engine::embedder::Embedder;
use steadfast_engine::store::Keep;
use steadfast_store::Store;
use steadfast_wire::request::EmbedderChoice;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::app::{App, Settings, router};

/// A machine with a store, or with none; the model is not there.
struct Machine(Option<Arc<Store>>);

impl Host for Machine {
    fn embedder(&self, choice: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        match choice {
            EmbedderChoice::Lexical => Ok(Arc::new(Lexical)),
            EmbedderChoice::Minilm => Err(Refusal::external("the model is not there").hint("fetch it")),
        }
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        self.0.clone().map(|store| -> Arc<dyn Keep> { store })
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        drop(std::thread::spawn(work));
    }

    fn note(&self, _: &str) {}
}

/// A server, as a client sees it.
struct Server {
    router: Router,
    app: Arc<App>,
    _folder: Option<TempDir>,
}

/// What was answered.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Status, and the last part of the problem's type.
    fn refusal(&self) -> (u16, String) {
        let kind = self.json()["type"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        (self.status.as_u16(), kind)
    }
}

impl Server {
    fn of(store: Option<Arc<Store>>, folder: Option<TempDir>, embedder: EmbedderChoice) -> Self {
        let settings = Settings { embedder: Some(embedder), ..Settings::default() };
        let app = Arc::new(App::new(Arc::new(Machine(store)), settings, None));
        Self { router: router(Arc::clone(&app)), app, _folder: folder }
    }

    fn with(embedder: EmbedderChoice) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(&folder.path().join("s.db")).unwrap());
        Self::of(Some(store), Some(folder), embedder)
    }

    fn start() -> Self {
        Self::with(EmbedderChoice::Lexical)
    }

    async fn send(&self, request: axum::http::request::Builder, body: impl Into<Body>) -> axum::response::Response {
        let request = request.header(header::HOST, "localhost").body(body.into()).unwrap();
        self.router.clone().oneshot(request).await.unwrap()
    }

    async fn ask(&self, method: Method, path: &str) -> Answer {
        answer(self.send(Request::builder().method(method).uri(path), Body::empty()).await).await
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.ask(Method::GET, path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {:?}", answer.body);
        answer.json()
    }

    async fn post(&self, path: &str, key: Option<&str>, body: &Value) -> Answer {
        let mut request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
        if let Some(key) = key {
            request = request.header("Idempotency-Key", key);
        }
        answer(self.send(request, body.to_string()).await).await
    }
}

async fn answer(response: axum::response::Response) -> Answer {
    let (status, headers) = (response.status(), response.headers().clone());
    Answer { status, headers, body: to_bytes(response.into_body(), usize::MAX).await.unwrap() }
}

fn step(prompt: &str, output: &str) -> Value {
    json!({"prompt": prompt, "output": output})
}

fn some_steps(count: usize) -> Vec<Value> {
    let said = |at: usize| format!("Part {at} tells of the seeds that the library lends.");
    (0..count).map(|at| step("Write the plan of a seed library.", &said(at))).collect()
}

/// A stream of events.
struct Events {
    body: Body,
    read: String,
}

impl Events {
    async fn of(server: &Server, path: &str, last: Option<&str>) -> Self {
        let mut request = Request::get(path).header(header::ACCEPT, "text/event-stream");
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last);
        }
        let response = server.send(request, Body::empty()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        Self { body: response.into_body(), read: String::new() }
    }

    /// The next event: its id, name and data. `None` where the stream ends.
    async fn next(&mut self) -> Option<(String, String, Value)> {
        loop {
            while let Some((event, rest)) = self.read.split_once("\n\n") {
                let of = |name: &str| {
                    event.lines().find_map(|line| line.strip_prefix(name)).map(|it| it.trim_start().to_owned())
                };
                let found = of("event:").map(|name| {
                    (of("id:").unwrap_or_default(), name, serde_json::from_str(&of("data:").unwrap()).unwrap())
                });
                self.read = rest.to_owned();
                if found.is_some() {
                    return found;
                }
            }
            let frame = std::future::poll_fn(|context| Pin::new(&mut self.body).poll_frame(context)).await?;
            self.read.push_str(std::str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap());
        }
    }

    async fn ids(&mut self, count: usize) -> Vec<String> {
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.push(self.next().await.unwrap().0);
        }
        ids
    }
}

#[tokio::test]
async fn steps_are_scored_and_the_whole_is_what_watch_says() {
    let server = Server::start();
    let steps = some_steps(5);
    let one = server.post("/api/trajectories/t%2F1/steps", None, &steps[0]).await;
    assert_eq!(one.status, StatusCode::OK);
    assert_eq!(one.json()["steps"][0]["number"], 0);
    assert!(one.json()["steps"][0]["scores"].is_object());
    let rest = server.post("/api/trajectories/t%2F1/steps", None, &json!(steps[1..])).await.json();
    let numbers: Vec<u64> = rest["steps"].as_array().unwrap().iter().map(|it| it["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    assert_eq!(rest["trajectory_id"], "t/1");

    let list = server.get("/api/trajectories?fields=id,steps,scored").await;
    assert_eq!(list["trajectories"], json!([{"id": "t/1", "steps": 5, "scored": 5}]));
    assert_eq!(server.get("/api/trajectories?search=elsewhere").await["trajectories"], json!([]));
    let page = server.get("/api/trajectories/t%2F1?limit=2&cursor=2").await;
    assert_eq!((&page["steps"][0]["output"], &page["next_cursor"]), (&steps[2]["output"], &json!(4)));

    let named: Vec<Value> =
        steps.iter().map(|it| json!({"task_id": "t/1", "prompt": it["prompt"], "output": it["output"]})).collect();
    let mut watched = server.post("/api/watch", None, &json!({"steps": named, "embedder": "lexical"})).await.json();
    assert!(watched.as_object_mut().unwrap().remove("run").is_some());
    assert_eq!(server.get("/api/trajectories/t%2F1/watch").await, watched);

    assert_eq!(server.ask(Method::DELETE, "/api/trajectories/t%2F1").await.status, StatusCode::NO_CONTENT);
    for (method, path) in [
        (Method::GET, "/api/trajectories/t%2F1"),
        (Method::GET, "/api/trajectories/t%2F1/watch"),
        (Method::GET, "/api/trajectories/t%2F1/events"),
        (Method::DELETE, "/api/trajectories/t%2F1"),
    ] {
        let refused = server.ask(method, path).await.refusal();
        assert_eq!(refused, (404, "not-stored".to_owned()), "{path}");
    }
}

#[tokio::test]
async fn a_request_with_a_key_is_done_once() {
    let server = Server::start();
    let path = "/api/trajectories/t/steps";
    let first = server.post(path, Some("k-1"), &some_steps(1)[0]).await;
    let again = server.post(path, Some("k-1"), &some_steps(1)[0]).await;
    assert_eq!((first.status, &first.body), (again.status, &again.body));
    let later = server.post("/api/trajectories/t/steps?score=false", Some("k-1"), &some_steps(1)[0]).await;
    assert_eq!(later.json()["steps"][0]["id"], first.json()["steps"][0]["id"]);
    let other = server.post(path, Some("k-1"), &step("a", "b")).await;
    assert_eq!(other.refusal(), (422, "idempotency-key".to_owned()));
    assert_eq!(server.get("/api/trajectories/t").await["trajectory"]["steps"], 1);
    for key in ["", "a b", &"k".repeat(257)] {
        let refused = server.post(path, Some(key), &some_steps(1)[0]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{key}");
    }
}

#[tokio::test]
async fn what_cannot_be_taken_is_refused_and_nothing_kept() {
    let server = Server::start();
    let path = "/api/trajectories/t/steps";
    let long = "x".repeat((1 << 20) + 1);
    for (body, expect) in [
        (json!([]), (422, "unusable")),
        (json!({"promt": "x"}), (422, "invalid")),
        (json!([{"output": 3}]), (422, "invalid")),
        (json!([step("a", "b"), {"output": long}]), (413, "too-large")),
        (json!({"task_id": "u", "output": "a"}), (422, "unusable")),
        (json!(vec![json!({}); 1_001]), (422, "invalid")),
    ] {
        let refused = server.post(path, None, &body).await.refusal();
        assert_eq!(refused, (expect.0, expect.1.to_owned()), "{:.60}", body.to_string());
    }
    let malformed = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    assert_eq!(answer(server.send(malformed, "{").await).await.refusal(), (400, "malformed-json".to_owned()));
    assert_eq!(server.get("/api/trajectories").await["trajectories"], json!([]));
    assert_eq!(server.ask(Method::GET, "/api/trajectories?cursor=x").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let control = server.post("/api/trajectories/a%0Ab/steps", None, &step("a", "b")).await;
    assert_eq!(control.refusal(), (422, "unusable".to_owned()));
}

/// Steps of a request.
const STEPS_MAX: usize = 1_000;

/// Bytes that `POST /api/vault/search` takes, as they come and once they are inflated.
const SEARCH_BODY_BYTES_MAX: usize = 1 << 20;

#[tokio::test]
async fn batches_and_inflated_bodies_are_bounded_at_their_edge() {
    let server = Server::start();
    let batch = |count: usize| json!(vec![step("a", "b"); count]);
    let path = "/api/trajectories/t/steps?score=false";
    assert_eq!(server.post(path, None, &batch(STEPS_MAX + 1)).await.refusal(), (422, "invalid".to_owned()));
    let taken = server.post(path, None, &batch(STEPS_MAX)).await;
    assert_eq!(taken.json()["steps"].as_array().map(Vec::len), Some(STEPS_MAX), "{:?}", taken.status);

    let search = async |bytes: usize| {
        let mut body = json!({"query": "q"}).to_string();
        body.push_str(&" ".repeat(bytes - body.len()));
        let request = Request::post("/api/vault/search")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::CONTENT_ENCODING, "gzip");
        answer(server.send(request, spans::deflated(body.as_bytes())).await).await
    };
    // This server has no vault: what is read is refused for that.
    assert_eq!(search(SEARCH_BODY_BYTES_MAX).await.refusal(), (422, "unusable".to_owned()));
    let refused = search(SEARCH_BODY_BYTES_MAX + 1).await;
    assert_eq!(refused.refusal(), (413, "too-large".to_owned()));
    assert_eq!(refused.json()["detail"], format!("the body inflates to more than {SEARCH_BODY_BYTES_MAX} bytes"));
}

#[tokio::test]
async fn a_fault_is_told_of_on_the_server_alone() {
    let machine = Arc::new(Broken(Mutex::default()));
    let app = Arc::new(App::new(Arc::<Broken>::clone(&machine), Settings::default(), None));
    let server = Server { router: router(Arc::clone(&app)), app, _folder: None };
    let answer =
        server.post("/api/watch", None, &json!({"steps": [{"task_id": "a", "prompt": "b", "output": "c"}]})).await;
    assert_eq!(answer.refusal(), (500, "internal".to_owned()));
    assert!(!answer.headers.contains_key(header::RETRY_AFTER));
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(!body.contains("wiring"), "{body}");
    let id = answer.headers["x-request-id"].to_str().unwrap();
    let noted = machine.0.lock().unwrap().join("\n");
    assert!(noted.contains(id) && noted.contains("wiring"), "{noted}");
}

/// A machine whose embedder breaks, and what is said of that to whoever watches it.
struct Broken(Mutex<Vec<String>>);

impl Host for Broken {
    fn embedder(&self, _: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        panic!("the wiring at /srv/secret is loose")
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        None
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        drop(std::thread::spawn(work));
    }

    fn note(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }
}

#[tokio::test]
async fn without_a_model_steps_are_kept_and_scores_refused() {
    let server = Server::with(EmbedderChoice::Minilm);
    let refused = server.post("/api/trajectories/t/steps", None, &step("a", "b")).await;
    assert_eq!((refused.refusal(), &refused.json()["hint"]), ((503, "unavailable".to_owned()), &json!("fetch it")));
    assert_eq!(server.get("/api/trajectories").await["trajectories"], json!([]));
    let taken = server.post("/api/trajectories/t/steps?score=false", None, &step("a", "b")).await;
    assert_eq!(taken.status, StatusCode::OK);
    assert_eq!(server.get("/api/trajectories/t").await["steps"][0]["scores"], Value::Null);

    let bare = Server::of(None, None, EmbedderChoice::Lexical);
    assert_eq!(bare.post("/api/trajectories/t/steps", None, &step("a", "b")).await.refusal().0, 422);
    assert_eq!(bare.ask(Method::GET, "/api/trajectories").await.refusal().0, 422);
}

#[tokio::test]
async fn events_come_as_steps_are_scored_and_nothing_is_lost_between_two_visits() {
    let server = Server::start();
    let (path, events) = ("/api/trajectories/t/steps?score=false", "/api/trajectories/t/events");
    assert_eq!(server.post(path, None, &json!(some_steps(40))).await.status, StatusCode::OK);
    let mut own = Events::of(&server, events, None).await;
    let (id, name, data) = own.next().await.unwrap();
    assert_eq!((id.as_str(), name.as_str(), &data["number"]), ("0", "step", &json!(0)));
    assert!(data["scores"]["ids"].is_number() && data["goal"] == "Write the plan of a seed library.");
    let numbers = |from: u64, to: u64| (from..to).map(|it| it.to_string()).collect::<Vec<_>>();
    assert_eq!(own.ids(39).await, numbers(1, 40));
    // It waits, and is woken by what comes.
    assert_eq!(server.post(path, None, &json!(some_steps(3))).await.status, StatusCode::OK);
    assert_eq!(own.ids(3).await, numbers(40, 43));
    drop(own);
    let mut again = Events::of(&server, events, Some("41")).await;
    assert_eq!(again.ids(1).await, ["42"]);
    let mut after = Events::of(&server, "/api/trajectories/t/events?after=41", None).await;
    assert_eq!(after.ids(1).await, ["42"]);
    for odd in ["", "x", "-1", "1000001"] {
        let odd = Request::get(events).header("Last-Event-ID", odd);
        assert_eq!(answer(server.send(odd, Body::empty()).await).await.refusal(), (422, "invalid".to_owned()));
    }

    assert_eq!(server.ask(Method::DELETE, "/api/trajectories/t").await.status, StatusCode::NO_CONTENT);
    assert_eq!(after.next().await.unwrap().1, "deleted");
    assert_eq!(after.next().await, None);
}

#[tokio::test]
async fn whoever_follows_is_let_go_when_the_server_stops() {
    let server = Server::start();
    assert_eq!(server.post("/api/trajectories/t/steps", None, &some_steps(1)[0]).await.status, StatusCode::OK);
    let mut own = Events::of(&server, "/api/trajectories/t/events", None).await;
    assert_eq!(own.ids(1).await, ["0"]);
    let live = server.app.live.as_ref().unwrap();
    live.close();
    assert_eq!(own.next().await, None);
    live.closed().await;
    assert!(live.worker.is_ended());
    // Steps are still taken: a request under way ends as it would.
    assert_eq!(server.post("/api/trajectories/t/steps", None, &some_steps(1)[0]).await.status, StatusCode::OK);
}

#[tokio::test]
async fn steps_of_many_callers_are_each_kept_once() {
    let server = Arc::new(Server::start());
    let callers: Vec<_> = (0..64)
        .map(|caller| {
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let path = format!("/api/trajectories/t-{}/steps?score=false", caller % 4);
                for at in 0..4 {
                    let taken = server.post(&path, None, &step("a", &format!("{caller} {at}"))).await;
                    assert_eq!(taken.status, StatusCode::OK, "{:?} {:?}", taken.headers, taken.body);
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    let mut said = Vec::new();
    for at in 0..4 {
        let page = server.get(&format!("/api/trajectories/t-{at}?limit=100")).await;
        let steps = page["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 64);
        said.extend(steps.iter().map(|it| it["output"].as_str().unwrap().to_owned()));
    }
    said.sort();
    said.dedup();
    assert_eq!(said.len(), 256);
}
