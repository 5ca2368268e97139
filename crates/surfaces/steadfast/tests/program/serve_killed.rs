//! A server that is killed under load, over and over: what was answered is kept, once, steps that are sent again are not doubled, and the store is
//! ready again at once.
//!
//! Here a few rounds; `STEADFAST_FAULTS=long` makes `STEADFAST_KILL_ROUNDS` of them, 200 where that is not said.

#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::faults::{held, is_long, output, twice};
use crate::common::serve::{Served, command};
use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use steadfast_faults::Random;
use steadfast_store::Store;
use steadfast_testkit::http::{Client, Reply};

/// Clients that ask at the same time.
const CLIENTS: usize = 4;

/// How long the store may take to be ready after a round.
const READY: Duration = Duration::from_secs(1);

/// How many answers a server gives at most before it is killed.
const ANSWERS: usize = 30;

/// How long it works on then, or starts, before it is killed, at most, in microseconds.
const SPAN_US: usize = 20_000;

/// Rounds between two whole checks of the file.
const CHECK_EVERY: usize = 20;

/// A request, and what was answered.
struct Request {
    path: String,
    body: Value,
    /// Under which it is done once; only steps have one.
    key: Option<String>,
    /// What the store holds once it is done.
    words: Vec<String>,
    /// `None` where the server was killed before.
    answer: Option<Value>,
}

impl Request {
    fn new(name: &str, place: usize) -> Self {
        let (path, body, words, has_key) = match place % 4 {
            0 => {
                let words = vec![format!("run {name}"), format!("message {name}")];
                ("/api/review".to_owned(), json!({"output": output(name)}), words, false)
            }
            1 => {
                let body = json!({"prompt": PROMPT, "report": REPORT, "agent": name});
                ("/api/audit".to_owned(), body, vec![format!("run {name}")], false)
            }
            _ => {
                let trajectory = name.rsplit_once('-').unwrap().0;
                let path = format!("/api/trajectories/{trajectory}/steps?score={}", place % 8 == 3);
                let body =
                    json!([{"prompt": "Plan a seed library", "output": name}, {"output": format!("{name} again")}]);
                (path, body, vec![format!("step {name}"), format!("step {name} again")], true)
            }
        };
        Self { path, body, key: has_key.then(|| format!("key-{name}")), words, answer: None }
    }

    fn send(&self, client: &Client) -> std::io::Result<Reply> {
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend(self.key.as_deref().map(|key| ("Idempotency-Key", key)));
        client.ask("POST", &self.path, &headers, self.body.to_string().as_bytes())
    }
}

/// An answer that says that something is kept.
#[track_caller]
fn answered(request: &Request, reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{}: {}", request.path, reply.text());
    reply.json()
}

/// The ids of the steps of an answer.
fn ids(answer: &Value) -> Vec<&str> {
    answer["steps"].as_array().unwrap().iter().map(|step| step["id"].as_str().unwrap()).collect()
}

/// Asks until the server is gone.
fn ask(client: &Client, name: &str, answers: &AtomicUsize) -> Vec<Request> {
    let mut requests = Vec::new();
    for place in 0.. {
        let mut request = Request::new(&format!("{name}-{place}"), place);
        let reply = request.send(client);
        request.answer = reply.as_ref().ok().map(|reply| answered(&request, reply));
        requests.push(request);
        if reply.is_err() {
            break;
        }
        answers.fetch_add(1, Ordering::Relaxed);
    }
    requests
}

/// A server that works for some time and is killed; what it was asked.
fn round(place: &Place, name: usize, random: &mut Random) -> Vec<Request> {
    let arguments = "--store s.db --embedder lexical --rate 0";
    if random.below(8) == 0 {
        // It is killed while it starts.
        let mut child = command(place, arguments).spawn().unwrap();
        thread::sleep(Duration::from_micros(random.below(5 * SPAN_US) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        return Vec::new();
    }
    let server = Served::start(place, arguments);
    let (client, answers) = (server.client.clone(), AtomicUsize::new(0));
    thread::scope(|scope| {
        let asking: Vec<_> = (0..CLIENTS)
            .map(|own| {
                let (client, name, answers) = (client.clone(), format!("{name}-{own}"), &answers);
                scope.spawn(move || ask(&client, &name, answers))
            })
            .collect();
        let last = random.below(ANSWERS);
        while answers.load(Ordering::Relaxed) < last && asking.iter().all(|asking| !asking.is_finished()) {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(random.below(SPAN_US) as u64));
        server.kill();
        asking.into_iter().flat_map(|asking| asking.join().unwrap()).collect()
    })
}

/// Sends the steps of a round again and looks for what else was answered.
fn again(place: &Place, requests: &mut [Request]) {
    let server = Served::start(place, "--store s.db --embedder lexical --rate 0");
    for request in requests {
        if request.key.is_some() {
            let answer = answered(request, &request.send(&server.client).unwrap());
            if let Some(first) = &request.answer {
                assert_eq!(ids(first), ids(&answer), "{}: steps that were sent again", request.path);
            }
            request.answer = Some(answer);
        } else if let Some(answer) = &request.answer {
            let id = answer["run"]["id"].as_str().unwrap();
            assert_eq!(server.get(&format!("/api/runs/{id}/result")).status, 200, "{id} of {}", request.path);
        }
    }
    // It ends as it began: without a word.
    server.kill();
}

/// The store holds what was answered, once, and nothing that was not asked for.
fn check(place: &Place, requests: &[Request], round: usize) {
    let found = held(place.root()).unwrap();
    assert!(twice(&found).is_empty(), "round {round}: twice {:?}", twice(&found));
    let all: BTreeSet<&String> = found.iter().collect();
    let words = |request: &'_ Request| request.words.clone();
    let missing: Vec<String> =
        requests.iter().filter(|own| own.answer.is_some()).flat_map(words).filter(|word| !all.contains(word)).collect();
    assert!(missing.is_empty(), "round {round}: missing {missing:?}");
    for request in requests {
        let there = request.words.iter().filter(|word| all.contains(word)).count();
        assert!(there == 0 || there == request.words.len(), "round {round}: half of {:?}", request.words);
    }
    let asked: BTreeSet<&String> = requests.iter().flat_map(|own| &own.words).collect();
    let foreign: Vec<_> = all.difference(&asked).collect();
    assert!(foreign.is_empty(), "round {round}: never asked for {foreign:?}");
}

#[test]
fn what_was_answered_is_kept_once_however_often_the_server_is_killed() {
    let rounds = env::var("STEADFAST_KILL_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let rounds = if is_long() { rounds.unwrap_or(200) } else { 6 };
    let place = Place::empty();
    let mut random = Random(20_261_128);
    let mut requests: Vec<Request> = Vec::new();
    let (mut slowest, mut left_open) = (Duration::ZERO, 0);
    for number in 0..rounds {
        let mut asked = round(&place, number, &mut random);
        left_open += asked.iter().filter(|request| request.answer.is_none()).count();
        let began = Instant::now();
        let store = Store::open(&place.path("s.db")).unwrap();
        store.flush().unwrap();
        slowest = slowest.max(began.elapsed());
        drop(store);
        again(&place, &mut asked);
        requests.extend(asked);
        if number % CHECK_EVERY == CHECK_EVERY - 1 || number + 1 == rounds {
            check(&place, &requests, number);
            println!("round {number}: {} requests so far", requests.len());
        }
    }
    let answers = requests.iter().filter(|request| request.answer.is_some()).count();
    println!("{rounds} rounds, {answers} answers, {left_open} left open, ready in {slowest:?} at most");
    assert!(slowest <= READY, "{slowest:?}");
    assert!(answers > rounds && left_open > rounds, "the moments of death lie badly");
}
