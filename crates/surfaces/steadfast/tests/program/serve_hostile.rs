//! What hostile texts do to a server: nothing to anybody else.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;

use crate::common::serve::{Served, json_of};
use crate::common::{Place, REPORT};
use serde_json::{Value, json};
use steadfast_testkit::shapes::shapes;

const NOTES: &str = "# Monday\n\n- [ ] write the report (60 min)\n- [ ] call Ann at 10:30 for 20 min\n";

fn plan() -> Value {
    json!({"context": NOTES, "current_time": "2026-01-26T08:00:00-05:00", "timezone": "America/Toronto"})
}

/// Places of requests that work.
fn places(server: &Served) -> u64 {
    let text = server.get("/metrics").text();
    let line = text.lines().find(|line| line.starts_with("steadfast_work_places_taken ")).unwrap();
    line.rsplit(' ').next().unwrap().parse::<f64>().unwrap() as u64
}

/// Work whose client has gone ends by itself, and while it is under way cheap work is done beside it.
#[test]
fn dear_work_that_nobody_waits_for_ends() {
    let place = Place::empty();
    let server = Served::start(&place, "--no-store --rate 0");
    // Some minutes of work each.
    let prompt = "We must ship 3 hubs by 5 May for $100, and Anna Berg will see to hub 4. ".repeat(200_000);
    let body = json!({"prompt": prompt, "report": REPORT}).to_string();
    let head = format!(
        "POST /api/audit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let dear: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = server.client.connect().unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(body.as_bytes()).unwrap();
            stream
        })
        .collect();
    while places(&server) == 0 {}
    for _ in 0..5 {
        json_of(&server.post("/api/plan", &plan()), 200);
    }
    assert!(places(&server) > 0, "the dear work is still under way");
    drop(dear);
    // Without cancellation this would take minutes, and the test with it.
    while places(&server) > 0 {}
    server.stop("TERM");
}

/// Every shape through every verb: the server answers each, and is there afterwards.
#[test]
fn no_shape_ends_the_server() {
    let place = Place::empty();
    let server = Served::start(&place, "--no-store --rate 0");
    let tag = format!("<a {}>z</a>", "x=\"\" ".repeat(28_000));
    let texts = shapes(3_000).chain([("a tag with many attributes", tag)]);
    for (name, text) in texts {
        let mut day = plan();
        day["context"] = json!(text);
        for (path, body) in [
            ("/api/audit", json!({"prompt": text, "report": REPORT})),
            ("/api/audit", json!({"prompt": "Sell 500 boats. Do not use steel.", "report": text})),
            ("/api/audit/lint", json!({"prompt": text})),
            ("/api/review", json!({"output": text})),
            ("/api/plan", day),
        ] {
            let reply = server.post(path, &body);
            assert!(matches!(reply.status, 200 | 422), "{name}: {path}: {}", reply.text());
        }
    }
    json_of(&server.post("/api/plan", &plan()), 200);
    server.stop("TERM");
}
