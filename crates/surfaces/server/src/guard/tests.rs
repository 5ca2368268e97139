//! Who is let in, and what every answer carries, over a store with keys.

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use serde_json::Value;
use steadfast_embed::Lexical;
use steadfast_engine::calls::{Host, Refusal};
use steadfast_engine::embedder::Embedder;
use steadfast_engine::keys;
use steadfast_engine::store::Keep;
use steadfast_store::Store;
use steadfast_wire::keys::{NewKey, Scope};
use steadfast_wire::request::EmbedderChoice;
use tempfile::TempDir;
use tower::ServiceExt;

use super::{Asker, Known, LOCAL, names};
use crate::app::{App, Settings, router};

struct Machine {
    store: Arc<Store>,
    drawn: AtomicU8,
}

impl Host for Machine {
    fn embedder(&self, _: EmbedderChoice) -> Result<Arc<dyn Embedder>, Refusal> {
        Ok(Arc::new(Lexical))
    }

    fn store(&self) -> Option<Arc<dyn Keep>> {
        Some(self.store.clone())
    }

    fn random(&self) -> Result<[u8; 32], Refusal> {
        Ok([self.drawn.fetch_add(1, Ordering::Relaxed); 32])
    }

    fn spawn(&self, work: Box<dyn FnOnce() + Send>) {
        drop(std::thread::spawn(work));
    }

    fn note(&self, _: &str) {}
}

struct Server {
    router: Router,
    store: Arc<Store>,
    /// Keys that may read, write and do all.
    keys: [NewKey; 3],
    _folder: TempDir,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    /// Status, and what is wrong.
    fn told(&self) -> (u16, String) {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        (self.status.as_u16(), body["detail"].as_str().unwrap_or_default().to_owned())
    }

    fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers.get(name).map_or("", |own| own.to_str().unwrap())
    }
}

impl Server {
    fn with(settings: Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(&folder.path().join("s.db")).unwrap());
        let mut byte = 100;
        let keys = [Scope::Read, Scope::Write, Scope::Admin].map(|scope| {
            byte += 1;
            keys::create(&*store, &[byte; 32], scope.name(), scope).unwrap()
        });
        let machine = Machine { store: Arc::clone(&store), drawn: AtomicU8::new(1) };
        let app = Arc::new(App::new(Arc::new(machine), settings, None));
        Self { router: router(app), store, keys, _folder: folder }
    }

    fn locked() -> Self {
        Self::with(Settings { needs_key: true, ..Settings::default() })
    }

    async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, "localhost");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request, Body::empty()).await
    }

    async fn send(&self, request: axum::http::request::Builder, body: Body) -> Answer {
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Answer { status, headers, body: to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec() }
    }

    async fn with_key(&self, key: &str, method: Method, path: &str) -> Answer {
        self.ask(method, path, &[("authorization", &format!("Bearer {key}"))]).await
    }

    /// Signs in with a key, and gives the cookie as it is sent back.
    async fn session(&self, key: &str) -> String {
        let form = Request::post("/sign-in")
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let signed = self.send(form, Body::from(format!("key={key}&to=/"))).await;
        let cookie = signed.header(header::SET_COOKIE);
        assert!(cookie.ends_with("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"), "{cookie}");
        cookie.split(';').next().unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_key_may_do_what_its_scope_covers() {
    let server = Server::locked();
    let [read, write, admin] = [0, 1, 2].map(|at| server.keys[at].key.as_str());
    // What needs which scope: by the table of routes, else by the method and the end of the path.
    for (method, path, first) in [
        (Method::GET, "/api/runs", 0),
        (Method::HEAD, "/api/runs", 0),
        (Method::GET, "/runs", 0),
        (Method::POST, "/api/audit/lint", 0),
        (Method::POST, "/api/plan", 1),
        (Method::POST, "/plan", 1),
        (Method::POST, "/runs/x/delete", 2),
        (Method::DELETE, "/api/runs/x", 2),
        (Method::DELETE, "/no/such/path", 2),
        (Method::PUT, "/no/such/path", 1),
    ] {
        for (at, key) in [read, write, admin].into_iter().enumerate() {
            let answer = server.with_key(key, method.clone(), path).await;
            let refused = matches!(answer.status, StatusCode::FORBIDDEN | StatusCode::UNAUTHORIZED);
            assert_eq!(refused, at < first, "{method} {path} by {}: {}", server.keys[at].kept.name, answer.status);
        }
    }
    let told = server.with_key(read, Method::POST, "/api/plan").await.told();
    assert_eq!(told, (403, "the key `read` may read, and this needs `write`".to_owned()));
}

#[tokio::test]
async fn who_shows_no_key_that_holds_is_refused() {
    let server = Server::locked();
    let none = |own: Answer| own.told();
    assert_eq!(none(server.ask(Method::GET, "/api/runs", &[]).await), (401, "the request names no key".to_owned()));
    let wrong = (401, "the key is none that holds".to_owned());
    let read = server.keys[0].key.clone();
    for key in ["", "sfk_", &format!("{read}x"), &read[..read.len() - 1], &read.to_lowercase()] {
        assert_eq!(none(server.with_key(key, Method::GET, "/api/runs").await), wrong, "{key}");
    }
    let basic = format!("Basic {read}");
    assert_eq!(none(server.ask(Method::GET, "/api/runs", &[("authorization", &basic)]).await), wrong);
    for open in ["/healthz", "/openapi.json", "/sign-in", "/favicon.ico"] {
        assert_ne!(server.ask(Method::GET, open, &[]).await.status, StatusCode::UNAUTHORIZED, "{open}");
    }
    assert!(server.with_key(&read, Method::GET, "/api/runs").await.status.is_success());
    keys::revoke(&*server.store, &server.keys[0].kept.id).unwrap();
    assert_eq!(none(server.with_key(&read, Method::GET, "/api/runs").await), wrong);
    // The others hold.
    assert!(server.with_key(&server.keys[1].key, Method::GET, "/api/runs").await.status.is_success());
}

#[tokio::test]
async fn a_session_may_do_what_its_key_may_and_ends_with_it() {
    let server = Server::locked();
    let [read, admin] = [server.session(&server.keys[0].key).await, server.session(&server.keys[2].key).await];
    assert_ne!(read, admin);
    let page = async |cookie: &str, method: Method, path: &str| {
        server.ask(method, path, &[("cookie", cookie)]).await.status.as_u16()
    };
    assert_eq!(page(&read, Method::GET, "/api/runs").await, 200);
    assert_eq!(page(&read, Method::DELETE, "/api/runs/x").await, 403);
    assert_eq!(page(&admin, Method::DELETE, "/api/runs/x").await, 404);
    assert_eq!(page("steadfast_session=other", Method::GET, "/api/runs").await, 401);
    // A key goes before a session, also where it is wrong.
    let both = [("cookie", admin.as_str()), ("authorization", "Bearer x")];
    assert_eq!(server.ask(Method::GET, "/api/runs", &both).await.status.as_u16(), 401);
    keys::revoke(&*server.store, &server.keys[0].kept.id).unwrap();
    let ended = server.ask(Method::GET, "/api/runs", &[("cookie", &read)]).await;
    assert_eq!(ended.told(), (401, "the session has ended".to_owned()));
    let out = server.ask(Method::POST, "/sign-out", &[("cookie", &admin)]).await;
    assert_eq!(out.header(header::SET_COOKIE), "steadfast_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
    assert_eq!(page(&admin, Method::GET, "/api/runs").await, 401);
}

#[tokio::test]
async fn a_caller_is_a_key_that_holds_or_an_address() {
    let server = Server::with(Settings { needs_key: true, rate: NonZeroU32::new(1), ..Settings::default() });
    let ask = async |key: &str| server.with_key(key, Method::GET, "/api/runs").await.status.as_u16();
    let [read, write] = [0, 1].map(|at| server.keys[at].key.as_str());
    assert_eq!([ask(read).await, ask(read).await, ask(read).await], [200, 200, 429]);
    assert_eq!(ask(write).await, 200, "each key has its own");
    // Wrong keys are all one address.
    assert_eq!([ask("a").await, ask("b").await, ask("c").await], [401, 401, 429]);
    // Who comes from another site uses up nothing.
    let other = Server::with(Settings { rate: NonZeroU32::new(1), ..Settings::default() });
    for _ in 0..5 {
        let answer = other.ask(Method::GET, "/api/runs", &[("origin", "http://evil.example")]).await;
        assert_eq!(answer.status.as_u16(), 403);
    }
    assert_eq!(other.ask(Method::GET, "/api/runs", &[]).await.status.as_u16(), 200);
}

#[tokio::test]
async fn every_answer_has_an_id_and_says_what_is_wrong() {
    let server = Server::with(Settings::default());
    let ids: Vec<String> = [
        server.ask(Method::GET, "/api/runs", &[]).await,
        server.ask(Method::GET, "/nowhere", &[]).await,
        server.ask(Method::PATCH, "/api/runs", &[]).await,
        server.ask(Method::GET, "/healthz", &[("host", "evil.example")]).await,
    ]
    .iter()
    .map(|answer| {
        assert_eq!(answer.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
        assert_eq!(answer.header(header::CACHE_CONTROL), "no-store");
        assert_eq!(answer.header(header::REFERRER_POLICY), "no-referrer");
        if !answer.status.is_success() {
            assert_eq!(answer.header(header::CONTENT_TYPE), "application/problem+json");
            let problem: Value = serde_json::from_slice(&answer.body).unwrap();
            assert_eq!(problem["instance"], answer.header("x-request-id"));
        }
        answer.header("x-request-id").to_owned()
    })
    .collect();
    let (run, count) = ids[0].split_once('-').unwrap();
    assert_eq!((run.len(), count), (16, "0"));
    assert_eq!(ids[1..], ["1", "2", "3"].map(|count| format!("{run}-{count}")));
    assert_eq!(server.ask(Method::GET, "/nowhere", &[]).await.told(), (404, "no route has this path".to_owned()));
    let told = server.ask(Method::PATCH, "/api/runs", &[]).await.told();
    assert_eq!(told, (405, "the path does not take this method".to_owned()));
}

#[tokio::test]
async fn an_answer_that_the_client_has_is_not_sent_again() {
    let server = Server::with(Settings::default());
    let first = server.ask(Method::GET, "/openapi.json", &[]).await;
    let tag = first.header(header::ETAG).to_owned();
    assert!(!tag.is_empty() && !first.body.is_empty());
    for known in [tag.as_str(), &format!("W/{tag}"), &format!("\"x\", {tag}"), "*"] {
        let again = server.ask(Method::GET, "/openapi.json", &[("if-none-match", known)]).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{known}");
        assert_eq!((again.header(header::ETAG), again.header(header::CONTENT_TYPE)), (tag.as_str(), ""));
    }
    // Only what is read can be known: work is done each time.
    let lint = Request::post("/api/audit/lint")
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::IF_NONE_MATCH, "*");
    let worked = server.send(lint, Body::from(r#"{"prompt": "Plan a seed library."}"#)).await;
    assert_eq!((worked.status.as_u16(), worked.body.is_empty()), (200, false));
    let other = server.ask(Method::GET, "/openapi.json", &[("if-none-match", "\"x\"")]).await;
    assert_eq!((other.status.as_u16(), other.body == first.body), (200, true));
}

#[test]
fn a_server_has_the_names_of_its_address_and_those_that_it_is_given() {
    let local = ["localhost", "127.0.0.1", "[::1]"];
    assert_eq!(names(&[], None), local);
    assert_eq!(names(&["Plan.Example".to_owned()], None)[3..], ["plan.example"]);
    assert_eq!(names(&[], Some(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 7))))[3..], ["10.0.0.7"]);
    assert_eq!(names(&[], Some("2001:db8::1".parse().unwrap()))[3..], ["[2001:db8::1]"]);
    // Any address is none.
    for any in ["0.0.0.0", "::"] {
        assert_eq!(names(&[], Some(any.parse().unwrap())), local);
    }
}

#[test]
fn an_answer_is_known_by_its_tag() {
    let has = |tags: &str| Known(Some(tags.to_owned())).has("\"a1\"");
    for tags in ["\"a1\"", "W/\"a1\"", "\"b\", \"a1\"", "*", "\"x,y\" , W/\"a1\""] {
        assert!(has(tags), "{tags}");
    }
    for tags in ["\"a\"", "a1", "\"A1\"", "W/", ""] {
        assert!(!has(tags), "{tags}");
    }
    assert!(!Known(None).has("\"a1\""));
}

#[test]
fn who_asks_is_named_by_a_key_alone() {
    assert_eq!(Asker("ci".to_owned()).key(), Some("ci"));
    assert_eq!(Asker(LOCAL.to_owned()).key(), None);
}
