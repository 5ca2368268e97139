//! Rules of alerts, as a whole program: a webhook that fails first, a command, what is said of both.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use common::Place;
use common::serve::{Served, json_of};
use serde_json::{Value, json};

/// A request: its headers by lower-case names, and its body.
type Seen = (Vec<(String, String)>, String);

/// A server on the loopback address that answers with these statuses, one after the other, the last from then on.
fn server(statuses: &'static [u16]) -> (String, Receiver<Seen>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let (tell, seen) = channel();
    thread::spawn(move || {
        for (count, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) > 0 {
                head.push(byte[0]);
            }
            let head = String::from_utf8(head).unwrap();
            let headers: Vec<(String, String)> = head
                .lines()
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
                .collect();
            let length =
                headers.iter().find(|(name, _)| name == "content-length").map_or(0, |(_, own)| own.parse().unwrap());
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let status = statuses[count.min(statuses.len() - 1)];
            write!(stream, "HTTP/1.1 {status} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
            if tell.send((headers, String::from_utf8(body).unwrap())).is_err() {
                return;
            }
        }
    });
    (url, seen)
}

fn header<'a>(seen: &'a Seen, name: &str) -> &'a str {
    seen.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str()).unwrap_or_default()
}

fn step(agent: &str, output: &str) -> Value {
    json!({"agent": agent, "prompt": "Write a poem on roses. Banned words: blockchain.", "output": output})
}

const WRONG: &str = "A blockchain of roses.";
const RIGHT: &str = "Roses are red.";

#[test]
fn a_rule_fires_once_and_is_resolved_once_and_both_are_told_to_all() {
    let (url, seen) = server(&[503, 200]);
    let settings = format!(
        "[alerts.webhooks.ops]\nurl = \"{url}\"\nsecret_file = \"secret\"\n\
         [alerts.commands.log]\nargv = [\"sh\", \"-c\", \"cat >> told.jsonl\"]\n\
         [alerts.commands.broken]\nargv = [\"sh\", \"-c\", \"echo out of order >&2; exit 7\"]\n\
         [[alerts.rules]]\nname = \"bans\"\nmetric = \"broken_bans\"\nabove = 0\nk = 2\nn = 3\nrecover_k = 1\ncooldown_minutes = 0\nagent = \"poet*\"\n\
         [[alerts.rules]]\nname = \"audits\"\nmetric = \"broken_obligations\"\nabove = 0\nto = [\"log\"]\n"
    );
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n";
    let place = Place::empty().with("steadfast.toml", settings).with("secret", secret);
    let server = Served::start(&place, "--store s.db --embedder lexical");
    let post = |agent: &str, outputs: &[&str]| {
        let steps: Vec<Value> = outputs.iter().map(|output| step(agent, output)).collect();
        json_of(&server.post(&format!("/api/trajectories/{agent}/steps"), &json!(steps)), 200);
    };
    post("other", &[WRONG, WRONG, WRONG]);
    post("poet-1", &[WRONG, RIGHT]);
    post("poet-2", &[WRONG, WRONG]);
    // The first attempt came to nothing: the same message comes again.
    let (first, again) = (seen.recv().unwrap(), seen.recv().unwrap());
    assert_eq!((&first.1, header(&first, "webhook-id")), (&again.1, header(&again, "webhook-id")));
    for own in [&first, &again] {
        assert!(header(own, "webhook-id").starts_with("msg_") && header(own, "webhook-signature").starts_with("v1,"));
        assert!(header(own, "webhook-timestamp").parse::<u64>().unwrap() > 1_700_000_000);
        assert_eq!(header(own, "content-type"), "application/json");
    }
    let mut notice: Value = serde_json::from_str(&first.1).unwrap();
    assert!(notice["at"].as_str().is_some_and(|at| at.ends_with('Z')));
    notice["at"] = Value::Null;
    let expect = json!({
        "schema_version": "1", "rule": "bans", "state": "firing", "metric": "broken_bans", "above": 0.0, "below": null, "value": 1.0,
        "counted": 2, "of": 3, "agent": "poet-2", "subject": "poet-2", "at": null,
    });
    assert_eq!(notice, expect);
    post("poet-2", &[RIGHT]);
    let resolved: Value = serde_json::from_str(&seen.recv().unwrap().1).unwrap();
    assert_eq!((&resolved["state"], &resolved["agent"]), (&json!("resolved"), &json!("poet-2")));
    // An audit of another process is looked at as well.
    let place =
        place.with("prompt.txt", common::PROMPT).with("report.md", "# Seed library\n\nIt opens within 9 months.\n");
    place.steadfast("audit prompt.txt report.md --store s.db -q").status(0);
    let told =
        || if place.files().contains(&"told.jsonl".to_owned()) { place.read("told.jsonl") } else { String::new() };
    while told().lines().count() < 3 {
        thread::yield_now();
    }
    let log = told();
    let states: Vec<Value> =
        log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["state"].clone()).collect();
    assert_eq!(states, ["firing", "resolved", "firing"]);
    let said = server.stop("TERM");
    for line in [
        "alert `bans` is firing for `poet-2`: broken_bans 1 of poet-2, 2 of the last 3",
        "alert `bans` is resolved for `poet-2`: broken_bans 0 of poet-2, 1 of the last 3",
        "alert `bans` was not told to `broken`: sh: exit status: 7: out of order",
        "alert `audits` is firing: broken_obligations 1 of ",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert_eq!(said.matches(" is firing").count(), 2, "{said}");
}

#[test]
fn rules_that_cannot_be_are_refused_by_their_names() {
    let rule = |more: &str| format!("[[alerts.rules]]\nname = \"r\"\n{more}\n");
    for (settings, said) in [
        (rule("metric = \"mood\"\nabove = 1"), "`alerts.rules.r`: `mood` is no metric: there are ids, "),
        (rule("metric = \"ids\""), "`alerts.rules.r`: has one of `above` and `below`"),
        (rule("metric = \"ids\"\nabove = 1\nbelow = 0"), "`alerts.rules.r`: has one of `above` and `below`"),
        (rule("metric = \"ids\"\nabove = 1\nk = 3\nn = 2"), "`alerts.rules.r`: 3 of 2 cannot be"),
        (
            rule("metric = \"ids\"\nabove = 1\nto = [\"ops\"]"),
            "`alerts.rules.r`: `ops` is neither a webhook nor a command",
        ),
        (rule("metric = \"ids\"\nabove = 1\nwindow_minutes = -1"), "`alerts.rules.r`: `window_minutes` is -1"),
        (
            rule("metric = \"ids\"\nabove = 1") + &rule("metric = \"ids\"\nabove = 1"),
            "`alerts.rules.r`: its name is empty",
        ),
        ("[alerts.commands.c]\nargv = []\n".to_owned(), "`alerts.commands.c`: `argv` names no program"),
        (
            "[alerts.webhooks.w]\nurl = \"http://127.0.0.1:1/\"\nsecret_env = \"STEADFAST_TEST_NO_SUCH\"\n".to_owned(),
            "`alerts.webhooks.w`: the variable STEADFAST_TEST_NO_SUCH is not set",
        ),
        ("[alerts.webhooks.w]\nurl = \"ftp://example\"\n".to_owned(), "`alerts.webhooks.w`: "),
    ] {
        let place = Place::empty().with("steadfast.toml", &settings);
        let end = place.steadfast("serve --store s.db --listen 127.0.0.1:0").status(2);
        assert!(end.stderr.starts_with(&format!("error: steadfast.toml: {said}")), "{said}: {}", end.stderr);
    }
    let place = Place::empty().with("steadfast.toml", rule("metric = \"ids\"\nabove = 1"));
    let end = place.steadfast("serve --no-store --listen 127.0.0.1:0").status(2);
    assert!(end.stderr.starts_with("error: there are rules of alerts, and nothing is kept"), "{}", end.stderr);
}
