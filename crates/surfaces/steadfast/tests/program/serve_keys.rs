//! Keys of `steadfast serve --require-key`: what each scope may do at every door, what a session is, and that a key that is revoked is
//! refused at once.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Place;
use crate::common::serve::{Served, problem};
use serde_json::json;
use steadfast_testkit::http::Reply;

const PLAN: &str = r#"{"context": "Report 45 min. Call Ann at 15:00. Lunch at noon. Walk.", "current_time": "2026-01-25T11:00:00-05:00",
    "timezone": "America/Toronto"}"#;
const TOOLS: &str = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");
const PAGE: (&str, &str) = ("Accept", "text/html");

/// A key of this scope, made by the command.
fn key(place: &Place, scope: &str) -> String {
    place
        .steadfast(&format!("key create --name {scope} --scope {scope} --store s.db"))
        .status(0)
        .stdout
        .trim()
        .to_owned()
}

struct Asked<'a>(&'a Served);

impl Asked<'_> {
    /// A request with a key in its header.
    fn with(&self, key: &str, method: &str, path: &str, body: &str) -> Reply {
        let bearer = format!("Bearer {key}");
        let accept = ("Accept", "application/json, text/event-stream");
        let mut headers = vec![("Authorization", bearer.as_str()), accept];
        if !body.is_empty() {
            headers.push(("Content-Type", "application/json"));
        }
        self.0.client.ask(method, path, &headers, body.as_bytes()).unwrap()
    }

    /// A page that a browser asks for, with a cookie.
    fn page(&self, path: &str, cookie: &str) -> Reply {
        self.0.client.ask("GET", path, &[PAGE, ("Cookie", cookie)], b"").unwrap()
    }

    /// A form that a browser sends.
    fn form(&self, path: &str, cookie: &str, body: &str) -> Reply {
        self.0.client.ask("POST", path, &[PAGE, FORM, ("Cookie", cookie)], body.as_bytes()).unwrap()
    }
}

/// The cookie that an answer sets, as it is sent back.
fn cookie(reply: &Reply) -> String {
    let set = reply.header("set-cookie").unwrap();
    for part in ["Path=/", "HttpOnly", "SameSite=Strict"] {
        assert!(set.contains(part), "{set}");
    }
    set.split(';').next().unwrap().to_owned()
}

#[test]
fn a_key_may_do_what_its_scope_says_and_no_more() {
    let place = Place::empty();
    let [read, write, admin] = ["read", "write", "admin"].map(|scope| key(&place, scope));
    let server = Served::start(&place, "--store s.db --require-key");
    let asked = Asked(&server);

    for open in ["/healthz", "/readyz", "/openapi.json", "/sign-in"] {
        assert_eq!(server.get(open).status, 200, "{open}");
    }
    let none = server.get("/api/runs");
    assert_eq!(none.header("www-authenticate"), Some("Bearer"));
    problem(&none, (401, "no-key"), &json!({"detail": "the request names no key"}));
    for wrong in ["", "x", "sfk_x", &format!("{read}x"), &read.to_lowercase()] {
        let told = json!({"detail": "the key is none that holds"});
        problem(&asked.with(wrong, "GET", "/api/runs", ""), (401, "no-key"), &told);
    }

    assert_eq!(asked.with(&read, "GET", "/api/runs", "").status, 200);
    let told = json!({"detail": "the key `read` may read, and this needs `write`"});
    problem(&asked.with(&read, "POST", "/api/plan", PLAN), (403, "scope"), &told);
    problem(&asked.with(&read, "POST", "/mcp", TOOLS), (403, "scope"), &told);
    assert_eq!(asked.with(&write, "POST", "/mcp", TOOLS).status, 200);

    let made = asked.with(&write, "POST", "/api/plan", PLAN);
    assert_eq!(made.status, 200, "{}", made.text());
    let run = format!("/api/runs/{}", made.json()["run"]["id"].as_str().unwrap());
    let told = json!({"detail": "the key `write` may write, and this needs `admin`"});
    problem(&asked.with(&write, "DELETE", &run, ""), (403, "scope"), &told);
    assert_eq!(asked.with(&admin, "DELETE", &run, "").status, 204);
}

#[test]
fn people_sign_in_with_a_key_and_a_key_that_is_revoked_ends_their_session() {
    let place = Place::empty();
    let read = key(&place, "read");
    let server = Served::start(&place, "--store s.db --require-key");
    let asked = Asked(&server);

    // Whoever is not signed in is led to where that is done, and back.
    let away = asked.page("/runs", "");
    assert_eq!((away.status, away.header("location")), (303, Some("/sign-in?to=%2Fruns")));
    let wrong = asked.form("/sign-in", "", "key=sfk_wrong&to=/runs");
    assert_eq!((wrong.status, wrong.header("set-cookie")), (401, None));
    assert!(wrong.text().contains("this is no key that holds"), "{}", wrong.text());
    let signed = asked.form("/sign-in", "", &format!("key={read}&to=//evil.example/"));
    assert_eq!((signed.status, signed.header("location")), (303, Some("/")));
    let session = cookie(&signed);
    assert!(!session.contains(&read));

    assert_eq!(asked.page("/runs", &session).status, 200);
    assert_eq!(asked.form("/plan", &session, "context=x").status, 403);
    assert_eq!(asked.page("/runs", "steadfast_session=other").status, 303);

    // A second session of the same key, which is ended by signing out.
    let second = cookie(&asked.form("/sign-in", "", &format!("key={read}&to=/")));
    assert_ne!(session, second);
    let out = asked.form("/sign-out", &second, "");
    assert_eq!((out.status, out.header("location")), (303, Some("/sign-in")));
    assert_eq!(asked.page("/runs", &second).status, 303);
    assert_eq!(asked.page("/runs", &session).status, 200);

    let list = place.steadfast("key list --store s.db --json").status(0).stdout;
    let id = serde_json::from_str::<serde_json::Value>(&list).unwrap()["keys"][0]["id"].as_str().unwrap().to_owned();
    place.steadfast(&format!("key revoke {id} --store s.db")).status(0);
    assert_eq!(asked.page("/runs", &session).status, 303);
    let told = json!({"detail": "the key is none that holds"});
    problem(&asked.with(&read, "GET", "/api/runs", ""), (401, "no-key"), &told);
}
