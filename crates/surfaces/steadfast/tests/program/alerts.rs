//! Rules of alerts, as a whole program: a webhook that fails first, a command, what is said of both.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::Place;
use crate::common::serve::{Served, json_of};
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
    let place = place
        .with("prompt.txt", crate::common::PROMPT)
        .with("report.md", "# Seed library\n\nIt opens within 9 months.\n");
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

/// Asks again until what is asked for is so.
#[track_caller]
pub(crate) fn until(mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(120), "it never came to be so");
        thread::sleep(Duration::from_millis(20));
    }
}

const AUDITS: &str = "[alerts.commands.log]\nargv = [\"sh\", \"-c\", \"cat >> told.jsonl\"]\n\
    [alerts.commands.broken]\nargv = [\"sh\", \"-c\", \"echo out of order >&2; exit 7\"]\n\
    [[alerts.rules]]\nname = \"risk\"\nmetric = \"audit_risk\"\nabove = 0\nk = 2\nn = 3\nrecover_k = 1\n\
    [[alerts.rules]]\nname = \"revise\"\nmetric = \"review_recommendation\"\nabove = 1\nto = [\"log\"]\n";

const BANNING: &str = "Plan a seed library for the allotments. Banned words: blockchain.\n";

/// The risk of it is high at least: what is banned is used.
const BAD: &str = "# Seed library\n\nThe catalogue of the seed library stands on a blockchain.\n";

#[test]
fn what_fires_is_known_to_the_next_server_and_what_was_stored_between_is_looked_at() {
    let place = Place::empty().with("steadfast.toml", AUDITS).with("prompt.txt", BANNING);
    let place = place.with("report.md", BAD);
    let place = place.with("bug.md", "<npl-block type=\"reflection\">\n\u{1f41b} Bug: it crashes\n</npl-block>\n");
    let audit = |report: &str, agent: &str| {
        place.steadfast(&format!("audit prompt.txt {report} --store s.db --agent {agent} -q")).status(0);
    };
    let told = || -> Vec<Value> {
        let is_there = place.files().contains(&"told.jsonl".to_owned());
        let lines = if is_there { place.read("told.jsonl") } else { String::new() };
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let server = Served::start(&place, "--store s.db --embedder lexical");
    audit("report.md", "planner");
    until(|| json_of(&server.get("/api/alerts"), 200)["standing"].as_array().unwrap().len() == 1);
    server.stop("TERM");
    assert!(told().is_empty(), "one of two is not enough");
    // The second one comes while no server runs, and one that was never seen.
    audit("report.md", "planner");
    audit("report.md", "other");
    place.steadfast("review bug.md --store s.db --agent coder -q").status(0);

    let server = Served::start(&place, "--store s.db --embedder lexical");
    until(|| told().len() == 2);
    let list = json_of(&server.get("/api/alerts"), 200);
    let standing = list["standing"].as_array().unwrap();
    let of = |own: &Value| format!("{} {} {}", own["rule"], own["agent"], own["firing"]).replace('"', "");
    let all: Vec<String> = standing.iter().map(of).collect();
    assert_eq!(all, ["risk planner true", "risk other false", "revise coder true"]);
    assert_eq!(list["rules"][0]["name"], "risk");
    assert_eq!(
        (&list["rules"][1]["to"], &list["rules"][0]["to"], &list["rules"][0]["recover_k"]),
        (&json!(["log"]), &json!(["broken", "log"]), &json!(1))
    );
    let firing = json_of(&server.get("/api/alerts?firing=true&agent=planner"), 200);
    let [only] = firing["standing"].as_array().unwrap().as_slice() else { panic!("{firing}") };
    assert!(only["value"].as_f64().unwrap() >= 1.0 && only["since"].as_str().unwrap().ends_with('Z'));
    let run = json_of(&server.get(&format!("/api/runs/{}", only["subject"].as_str().unwrap())), 200);
    assert_eq!((&run["run"]["agent"], &run["run"]["verb"]), (&json!("planner"), &json!("audit")));
    let history = || json_of(&server.get("/api/alerts/history?rule=risk"), 200);
    until(|| history()["notices"][0]["deliveries"].as_array().unwrap().iter().all(|own| own["state"] != "waiting"));
    let own = &history()["notices"][0];
    let came = |number: usize| (own["deliveries"][number]["to"].clone(), own["deliveries"][number]["state"].clone());
    assert_eq!((came(0), came(1)), ((json!("broken"), json!("failed")), (json!("log"), json!("told"))));
    assert_eq!(own["deliveries"][0]["error"], "sh: exit status: 7: out of order");
    assert_eq!((&own["notice"], &own["deliveries"][1]["attempts"]), (&told()[0], &json!(1)));
    let pages = json_of(&server.get("/api/alerts/history?limit=1"), 200);
    let next = pages["next_cursor"].as_str().unwrap();
    let second = json_of(&server.get(&format!("/api/alerts/history?limit=1&cursor={next}")), 200);
    assert_eq!((&second["notices"][0]["id"], &second["next_cursor"]), (&own["id"], &Value::Null));
    let page = json_of(&server.get("/api/alerts?limit=2"), 200);
    let last = json_of(&server.get(&format!("/api/alerts?cursor={}", page["next_cursor"].as_str().unwrap())), 200);
    assert_eq!(last["standing"].as_array().unwrap().len(), 1);
    assert_eq!(json_of(&server.get("/api/alerts?cursor=x"), 422)["status"], 422);
    for part in ["planner", "revise", "not told, 1 attempt", "audit_risk"] {
        assert!(server.get("/alerts").text().contains(part), "{part}");
    }
    assert!(server.get("/").text().contains("/alerts?rule=risk"));
    let said = server.stop("TERM");
    assert!(said.contains("rules of alerts look at what was stored since 20"), "{said}");

    // Nothing fires again; a changed rule ends what it said, and one that is gone as well: who knows that it fires is told.
    let changed = AUDITS
        .replace("above = 0\nk = 2", "above = 1\nk = 2")
        .split("[[alerts.rules]]\nname = \"revise\"")
        .next()
        .unwrap()
        .to_owned();
    let place = place.with("steadfast.toml", changed);
    let server = Served::start(&place, "--store s.db --embedder lexical");
    until(|| place.read("told.jsonl").lines().count() == 4);
    let told: Vec<Value> = place.read("told.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut over: Vec<String> =
        told[2..].iter().map(|own| format!("{} {} {}", own["rule"], own["state"], own["of"])).collect();
    over.sort();
    assert_eq!(over, ["\"revise\" \"resolved\" 0", "\"risk\" \"resolved\" 0"]);
    assert_eq!(json_of(&server.get("/api/alerts"), 200)["standing"], json!([]));
    let said = server.stop("TERM");
    assert!(said.contains("0 of the last 0: the rule is gone or another") && !said.contains(" is firing"), "{said}");
}

#[test]
fn an_onset_fires() {
    let settings = "[[alerts.rules]]\nname = \"changed\"\nmetric = \"onset\"\nabove = 0\n";
    let place = Place::empty().with("steadfast.toml", settings);
    let server = Served::start(&place, "--store s.db --embedder lexical");
    let text = |step: usize| {
        let said =
            if step < 12 { "A poem on red roses in the garden" } else { "Invoices of a haulage company are overdue" };
        format!("{said}, number {step}.")
    };
    let post = |agent: &str, steps: usize| {
        let step = |step: usize| json!({"agent": agent, "step": step, "prompt": "Write a poem on red roses in the garden.", "output": text(step)});
        let steps: Vec<Value> = (0..steps).map(step).collect();
        json_of(&server.post(&format!("/api/trajectories/{agent}/steps"), &json!(steps)), 200);
    };
    post("steady", 12);
    post("leaves", 24);
    let list = || json_of(&server.get("/api/alerts"), 200)["standing"].clone();
    until(|| list().as_array().unwrap().len() == 2);
    assert!(json_of(&server.get("/api/trajectories/leaves"), 200)["trajectory"]["onset"].is_number());
    // Values of one look have no order among them.
    let firing = list();
    let firing: BTreeMap<&str, bool> = firing
        .as_array()
        .unwrap()
        .iter()
        .map(|own| (own["agent"].as_str().unwrap(), own["firing"].as_bool().unwrap()))
        .collect();
    assert_eq!(firing, BTreeMap::from([("leaves", true), ("steady", false)]));
    assert!(server.get("/alerts").text().contains("/watch/live/leaves"));
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
