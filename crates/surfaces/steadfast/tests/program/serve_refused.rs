//! What `steadfast serve` refuses: every problem that a client can bring about, limits at their edge, and starts that it refuses itself.

use std::io::{Read, Write};
use std::net::TcpListener;

use crate::common::serve::{Served, json_of, problem};
use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use steadfast_testkit::http::reply;

const JSON: (&str, &str) = ("Content-Type", "application/json");
const PAIR: &str = r#"{"prompt": "Sell 500 boats.", "report": "We sell 500 boats."}"#;

/// Bytes of a body that `POST /api/vault/search` takes.
const SEARCH_BODY_BYTES_MAX: usize = 1 << 20;

/// Bytes of a string in it.
const SEARCH_FIELD_BYTES_MAX: usize = 256 * 1024;

/// Small requests whose work runs at a time.
const RUNNING_MAX: usize = 128;

fn served(place: &Place) -> Served {
    Served::start(place, "--store s.db")
}

#[test]
fn what_cannot_be_answered_is_a_problem_that_says_why() {
    let place = Place::empty();
    let server = served(&place);
    let ask = |method: &str, path: &str, headers: &[(&str, &str)], body: &str| {
        server.client.ask(method, path, headers, body.as_bytes()).unwrap()
    };
    let post = |path: &str, body: &str| ask("POST", path, &[JSON], body);

    // 400
    let detail = "expected value at line 2 column 12";
    problem(
        &post("/api/audit", "{\"prompt\": \"a\",\n \"report\": }"),
        (400, "malformed-json"),
        &json!({"detail": detail, "line": 2, "column": 12}),
    );
    let bad = |path: &str, headers: &[(&str, &str)], body: &str, detail: &str| {
        problem(&ask("GET", path, headers, body), (400, "bad-request"), &json!({"detail": detail}));
    };
    bad("/api/runs", &[], "x", "this route takes no body");
    bad("/api/runs?limit=%f", &[], "", "the query holds an escape that stands for no text in UTF-8");
    bad("/api/runs", &[("Host", "")], "", "the request names no `Host`");

    // 403
    let hint = "`steadfast serve --host evil.example` allows it";
    problem(
        &ask("GET", "/api/runs", &[("Host", "evil.example")], ""),
        (403, "foreign-host"),
        &json!({"detail": "`evil.example` is no name of this server", "hint": hint}),
    );
    for path in ["/api/runs", "/healthz", "/openapi.json", "/nothing"] {
        let (name, said) = (("Origin", "http://evil.example"), "the request comes from `http://evil.example`");
        problem(&ask("GET", path, &[name], ""), (403, "cross-site"), &json!({"detail": said}));
        let (name, said) = (("Sec-Fetch-Site", "cross-site"), "`Sec-Fetch-Site` is `cross-site`");
        problem(&ask("GET", path, &[name], ""), (403, "cross-site"), &json!({"detail": said}));
    }

    // 404, 405, 406
    problem(&server.get("/api/nothing"), (404, "not-found"), &json!({"detail": "no route has this path"}));
    for (path, what, verb) in [("/api/runs/none", "run", "runs"), ("/api/tasks/none", "task", "tasks")] {
        let hint = format!("`steadfast {verb} list` names those that are");
        let told = json!({"detail": format!("no {what} `none` is stored"), "hint": hint});
        problem(&server.get(path), (404, "not-stored"), &told);
        problem(&server.delete(path), (404, "not-stored"), &told);
    }
    let wrong = ask("PATCH", "/api/audit", &[], "");
    assert_eq!(wrong.header("allow"), Some("POST"));
    problem(&wrong, (405, "method-not-allowed"), &json!({"detail": "the path does not take this method"}));
    problem(
        &ask("GET", "/api/runs", &[("Accept", "text/plain")], ""),
        (406, "not-acceptable"),
        &json!({"detail": "`Accept` names none of application/json"}),
    );

    // 415
    let hint = "send it with `Content-Type: application/json` or `application/zip`";
    for (headers, detail, hint) in [
        (vec![], "the request names no `Content-Type`", hint),
        (vec![("Content-Type", "text/html")], "`text/html` is not taken here", hint),
        (vec![("Content-Type", "application/json; charset=latin1")], "texts are read in UTF-8 alone", hint),
        (vec![JSON, ("Content-Encoding", "br")], "the coding `br` is not read", "send it as it is, or as `gzip`"),
    ] {
        let told = json!({"detail": detail, "hint": hint});
        problem(&ask("POST", "/api/audit", &headers, PAIR), (415, "unsupported-media-type"), &told);
    }

    // 422
    let detail = "unknown field `x`, expected one of `prompt`, `report`, `run`, `judge`, `contract`, `proposals`, `context`, `usable_share`, `fail_below`, `fail_on`, `agent`, `limit`, `min_severity`, `cursor`, `fields` at line 1 column 34";
    problem(
        &post("/api/audit", r#"{"prompt": "a", "report": "b", "x": 1}"#),
        (422, "invalid"),
        &json!({"detail": detail, "pointer": "/x", "line": 1, "column": 34}),
    );
    problem(
        &post("/api/audit", r#"["a", "b", null, null, null, null]"#),
        (422, "invalid"),
        &json!({"detail": "the body is no JSON object", "pointer": ""}),
    );
    problem(
        &post("/api/audit?judge=rules", PAIR),
        (422, "unusable"),
        &json!({"detail": "`judge` is a parameter for zip archives", "hint": "say it in the body", "parameter": "judge"}),
    );
    problem(
        &server.get("/api/runs?limit=0"),
        (422, "invalid"),
        &json!({"detail": "`limit` is `0`: a whole number between 1 and 1000 is taken", "parameter": "limit"}),
    );
    let detail = "this route does not heed `Idempotency-Key`: each request is done anew";
    problem(
        &ask("POST", "/api/audit", &[JSON, ("Idempotency-Key", "a")], PAIR),
        (422, "invalid"),
        &json!({"detail": detail, "hint": "leave it out", "parameter": "Idempotency-Key"}),
    );
    for tokens in [49, 100_001] {
        problem(
            &post("/api/review", &json!({"output": "x", "summary_tokens": tokens}).to_string()),
            (422, "unusable"),
            &json!({
                "detail": format!("a summary of {tokens} tokens cannot be made"),
                "hint": "a summary has 50 to 100,000 tokens",
            }),
        );
    }
    let told = json!({"detail": "`x` is no parameter of this route", "hint": "it takes none", "parameter": "x"});
    problem(&server.get("/healthz?x=1"), (422, "invalid"), &told);
    problem(
        &post("/api/audit", r#"{"prompt": "a", "report": "b", "min_severity": 5}"#),
        (422, "unusable"),
        &json!({"detail": "`min_severity` is 5: severities lie between 0 and 4"}),
    );
    problem(
        &post("/api/plan", r#"{"context": "a", "current_time": "noon", "timezone": "America/Toronto"}"#),
        (422, "unusable"),
        &json!({"detail": "`noon` is no RFC 3339 time", "hint": "a time is written as `2026-01-25T11:00:00-05:00`"}),
    );
    // That an audit is not evaluable is an answer.
    let empty = post("/api/audit", r#"{"prompt": "Build a boat.", "report": " \n"}"#);
    let why = json!({"reason": "report_empty", "detail": "report.md: the report is empty: nothing can be evaluated"});
    assert_eq!((empty.status, &empty.json()["not_evaluable"]), (200, &why));

    // 503
    let model = post("/api/watch", r#"{"steps": [{"task_id": "a", "prompt": "b", "output": "c"}]}"#);
    assert_eq!(model.header("retry-after"), Some("1"));
    let hint = "`steadfast embedder pull` fetches it; `\"embedder\": \"lexical\"` needs none";
    let detail = "the embedding model all-MiniLM-L6-v2 is not there";
    problem(&model, (503, "unavailable"), &json!({"detail": detail, "hint": hint}));

    // Every kind that was told of has its page.
    for kind in ["malformed-json", "foreign-host", "not-stored", "unusable", "unavailable"] {
        assert_eq!(server.get(&format!("/problems/{kind}")).status, 200, "{kind}");
    }
    problem(&server.get("/problems/none"), (404, "not-found"), &json!({"detail": "no problem is called `none`"}));
    assert_eq!(server.stop("INT").lines().count(), 1, "none of that is a fault of the server");
}

#[test]
fn limits_hold_at_their_edge() {
    let place = Place::empty();
    let server = served(&place);
    let search = |bytes: usize, query_bytes: usize| {
        let mut body = json!({"query": "q".repeat(query_bytes)}).to_string();
        body.push_str(&" ".repeat(bytes.saturating_sub(body.len())));
        server.post_as("/api/vault/search", "application/json", body.as_bytes())
    };
    let too_large = |length: usize| {
        let head = format!(
            "POST /api/vault/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        server.client.send(head.as_bytes()).unwrap()
    };
    let told =
        json!({"detail": format!("the body holds more than the {SEARCH_BODY_BYTES_MAX} bytes that this route takes")});
    assert_eq!(search(SEARCH_BODY_BYTES_MAX, 4).status, 200);
    // What its head says is enough: none of the body has to come.
    problem(&too_large(SEARCH_BODY_BYTES_MAX + 1), (413, "too-large"), &told);
    problem(&too_large(usize::MAX / 2), (413, "too-large"), &told);

    assert_ne!(search(0, SEARCH_FIELD_BYTES_MAX).status, 413);
    let detail = format!(
        "a string holds {} bytes, more than the {SEARCH_FIELD_BYTES_MAX} of this route",
        SEARCH_FIELD_BYTES_MAX + 1
    );
    let told = json!({"detail": detail, "pointer": "/query"});
    problem(&search(0, SEARCH_FIELD_BYTES_MAX + 1), (413, "too-large"), &told);

    let nested = |depth: usize| {
        let body = format!("{{\"x\": {}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
        server.post_as("/api/audit", "application/json", body.as_bytes()).json()["detail"].clone()
    };
    assert!(nested(32).as_str().unwrap().starts_with("unknown field `x`"), "{}", nested(32));
    assert_eq!(nested(33), "values stand more than 32 deep within one another");

    let limit = |rows: usize| server.get(&format!("/api/runs?limit={rows}")).status;
    assert_eq!((limit(1), limit(1000), limit(1001)), (200, 200, 422));
    let steps = vec![json!({"task_id": "a", "prompt": "b", "output": "c"}); 3];
    assert_eq!(server.post("/api/watch", &json!({"embedder": "lexical", "steps": steps})).status, 200);
    server.stop("TERM");
}

#[test]
fn who_asks_too_often_is_told_when_to_come_again() {
    let place = Place::empty();
    let server = Served::start(&place, "--no-store --rate 1");
    // Another address in a header is no other caller.
    let ask = |at: usize| {
        let forwarded = format!("192.0.2.{at}");
        server.client.ask("GET", "/healthz", &[("X-Forwarded-For", &forwarded)], b"").unwrap()
    };
    // However long each takes: far more than one a second do not pass.
    let replies: Vec<_> = (0..50).map(ask).collect();
    let refused = replies.iter().find(|reply| reply.status != 200).unwrap();
    assert_eq!((replies[0].status, replies[1].status), (200, 200));
    assert_eq!(refused.header("retry-after"), Some("1"));
    let detail = "this caller asks more than 1 times a second";
    problem(refused, (429, "too-many-requests"), &json!({"detail": detail}));
    server.stop("TERM");
}

/// Clients that send slowly hold no place of those who work, and are told so in the end.
#[test]
fn slow_clients_keep_nobody_waiting() {
    let place = Place::empty();
    let server = served(&place);
    let body = PAIR.as_bytes();
    let head = format!(
        "POST /api/audit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut slow: Vec<_> = (0..RUNNING_MAX + 8)
        .map(|_| {
            let mut stream = server.client.connect().unwrap();
            stream.write_all(&[head.as_bytes(), &body[..1]].concat()).unwrap();
            stream
        })
        .collect();
    assert_eq!(server.post_as("/api/audit", "application/json", body).status, 200);
    // One of them sends the rest after all.
    let mut late = slow.pop().unwrap();
    late.write_all(&body[1..]).unwrap();
    assert_eq!(reply(&mut late, false).unwrap().status, 200);
    let slow = json_of(&reply(&mut slow[0], false).unwrap(), 408);
    assert_eq!(slow["type"], "/problems/too-slow");
    assert!(slow["detail"].as_str().unwrap().starts_with("1 bytes came in 1"), "{slow}");
    server.stop("TERM");
}

#[test]
fn a_server_without_a_store_judges_and_keeps_nothing() {
    let place = Place::empty();
    let server = Served::start(&place, "--no-store");
    let audit = server.post("/api/audit", &json!({"prompt": PROMPT, "report": REPORT}));
    assert_eq!((audit.status, audit.json().get("run")), (200, None));
    assert_eq!(server.get("/readyz").status, 200);
    for path in ["/api/runs", "/api/tasks", "/api/vault"] {
        let told = server.get(path);
        assert_eq!((told.status, &told.json()["type"]), (422, &json!("/problems/unusable")), "{}", told.text());
        assert_eq!(told.json()["hint"], "start the server without `--no-store`");
    }
    server.stop("TERM");
    assert_eq!(place.files(), [""; 0]);
}

#[test]
fn starts_that_cannot_be_are_refused() {
    let place = Place::empty().with("file/x", "");
    let refused = |arguments: &str, expect: &str| place.steadfast(&format!("serve {arguments}")).refused(2, expect);
    refused(
        "--listen 0.0.0.0:0 --no-store",
        "error: 0.0.0.0:0: whoever reaches this address could use the server\nhint: `--require-key` answers only to keys; `--listen 127.0.0.1:8787` only to this machine",
    );
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    refused(
        &format!("--listen {address} --no-store"),
        &format!("error: {address}: is in use\nhint: `--listen 127.0.0.1:0` takes a free port"),
    );
    refused("--store file/x/s.db", "error: file/x: stands in the way, and is no folder");
    refused(
        "--require-key --store s.db",
        "error: `--require-key` is given, and the store holds no key: nobody could use the server\nhint: `steadfast key create --name NAME --scope write` makes one",
    );
    refused("--root nothing", "error: nothing: no such file or folder");
}

#[test]
fn a_stop_lets_requests_under_way_end() {
    let place = Place::empty();
    let server = served(&place);
    let body = PAIR.as_bytes();
    let head = format!(
        "POST /api/audit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = server.client.connect().unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    // The server has begun with it: it asks for the body.
    let mut go_on = [0; 25];
    stream.read_exact(&mut go_on).unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
    server.signal("TERM");
    while server.client.connect().is_ok() {
        std::thread::yield_now();
    }
    stream.write_all(body).unwrap();
    let answer = reply(&mut stream, false).unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
    let run = answer.json()["run"]["id"].clone();
    server.ended().status(0);
    let list: Value = serde_json::from_str(&place.steadfast("runs list --store s.db --format json").stdout).unwrap();
    assert_eq!(list["runs"][0]["id"], run);
}
