//! What the tests share: a server on the loopback address that does as it is told, traces, queues with a clock of their own.

#![allow(dead_code, clippy::allow_attributes, reason = "each test program uses a part of it")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use steadfast_export::{Exporter, Limits, Outbox, Queue, exporter};
use steadfast_net::Proxy;
use steadfast_wire::trace::{
    Attributes, Batch, Dataset, DatasetItem, Event, Experiment, ExperimentItem, SCHEMA_VERSION, Score, Span, Trace,
    Value,
};
use tempfile::TempDir;

/// A key that must be seen nowhere but in the header that it is for.
pub(crate) const KEY: &str = "canary-5e1f";

/// What a client sent.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Asked {
    /// A header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.head.lines().skip(1).find_map(|line| {
            let (own, value) = line.split_once(": ")?;
            (own.to_lowercase() == name).then(|| value.to_owned())
        })
    }
}

/// What the server does.
pub(crate) enum Reply {
    /// Sends these bytes and closes.
    Send(Vec<u8>),
    /// Sends these bytes and says nothing more, for ever.
    Hold(Vec<u8>),
    /// Closes without a word.
    Drop,
}

/// A server on the loopback address. It serves one connection after the other, one question each.
pub(crate) struct Server {
    pub(crate) base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Answers each question by what `reply` gives for it; the number counts from 0.
    pub(crate) fn new(reply: impl Fn(&Asked, usize) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        thread::spawn(move || {
            let mut held: Vec<TcpStream> = Vec::new();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(question) = read(&mut stream) else { continue };
                let count = {
                    let mut seen = seen.lock().unwrap();
                    seen.push(question.clone());
                    seen.len() - 1
                };
                // A client that has gone is its own affair.
                match reply(&question, count) {
                    Reply::Send(bytes) => drop(stream.write_all(&bytes)),
                    Reply::Hold(bytes) => {
                        drop(stream.write_all(&bytes));
                        held.push(stream);
                    }
                    Reply::Drop => {}
                }
            }
        });
        Self { base, asked }
    }

    /// Answers every question so.
    pub(crate) fn always(
        status: &'static str,
        headers: &'static [(&'static str, &'static str)],
        body: &'static [u8],
    ) -> Self {
        Self::new(move |_, _| Reply::Send(answer(status, headers, body)))
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Method and path of every question.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.asked().iter().map(|asked| format!("{} {}", asked.method, asked.path)).collect()
    }
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let mut words = head.split(' ');
    let (method, path) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
    let mut asked = Asked { method, path, head, body: Vec::new() };
    asked.body = vec![0; asked.header("content-length").map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut asked.body).ok()?;
    Some(asked)
}

/// An answer as it goes over the wire.
pub(crate) fn answer(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        answer += &format!("{name}: {value}\r\n");
    }
    let mut answer = (answer + "\r\n").into_bytes();
    answer.extend(body);
    answer
}

/// Opik at this address, with a key.
pub(crate) fn opik(base: &str) -> Exporter {
    let base = format!("{base}/api");
    of(
        "opik",
        &[("OPIK_URL_OVERRIDE", &base), ("OPIK_API_KEY", KEY), ("OPIK_WORKSPACE", "ws"), ("OPIK_PROJECT_NAME", "days")],
    )
}

/// A collector at this address, with a key.
pub(crate) fn otlp(base: &str) -> Exporter {
    let headers = format!("x-api-key={KEY}");
    of(
        "otlp",
        &[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", base),
            ("OTEL_EXPORTER_OTLP_HEADERS", &headers),
            ("OTEL_SERVICE_NAME", "tests"),
        ],
    )
}

fn of(name: &str, variables: &[(&str, &str)]) -> Exporter {
    let variable = |name: &str| variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
    exporter(name, &variable).unwrap()
}

/// 2027-01-15T08:00:00Z.
pub(crate) const NOW_US: u64 = 1_800_000_000_000_000;

/// Limits with a clock that stands.
pub(crate) fn limits() -> Limits {
    Limits { clock_us: || NOW_US, ..Limits::default() }
}

/// An outbox that uses no proxy, whatever the environment says.
pub(crate) fn sender(exporters: Vec<Exporter>, queue: Queue) -> Outbox {
    Outbox::new(exporters, queue).by(Proxy::None)
}

/// An outbox with a queue in a folder of its own.
pub(crate) fn outbox(exporters: Vec<Exporter>) -> (Outbox, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::within(folder.path().join("queue"), limits());
    (sender(exporters, queue), folder)
}

fn attributes<const N: usize>(values: [(&str, Value); N]) -> Attributes {
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A UUIDv7 of a number.
pub(crate) fn id(number: u32) -> String {
    format!("01985c3e-0000-7000-8000-{number:012x}")
}

/// A trace with everything that a trace can have.
pub(crate) fn trace(number: u32) -> Trace {
    let span = |at: u32, name: &str, parent: Option<u32>, start_us: u64, duration_us: Option<u64>| Span {
        id: id(number * 100 + at),
        parent: parent.map(|parent| id(number * 100 + parent)),
        name: name.to_owned(),
        start_us,
        duration_us,
        input: attributes([("in", "notes".into())]),
        output: attributes([("out", "2 tasks, 3 constraints".into())]),
        attributes: attributes([("step", 4_i64.into()), ("agent", "scout".into()), ("task_id", "t1".into())]),
        events: Vec::new(),
    };
    let mut spans = vec![span(1, "audit", None, 2_000, Some(40_000)), span(2, "step", Some(1), 2_001, None)];
    spans[0].events = vec![Event {
        name: "incident".to_owned(),
        attributes: attributes([("severity", 3_i64.into()), ("check", "budget-changed".into())]),
    }];
    let score = |name: &str, value: f64, label: Option<&str>, reason: Option<&str>, span: Option<u32>| Score {
        name: name.to_owned(),
        value,
        label: label.map(str::to_owned),
        reason: reason.map(str::to_owned),
        span: span.map(|span| id(number * 100 + span)),
    };
    Trace {
        schema_version: SCHEMA_VERSION.to_owned(),
        id: id(number),
        name: "plan".to_owned(),
        started: "2027-01-15T07:59:59.500Z".to_owned(),
        duration_us: Some(123_000),
        input: attributes([("context_preview", "finish the \"report\"\u{2026}".into()), ("bytes", 120_i64.into())]),
        output: attributes([
            ("status", "recommended".into()),
            ("feasible", true.into()),
            ("share", 0.5.into()),
            ("plan", vec![Value::Object(attributes([("task", "report".into()), ("minutes", 45_i64.into())]))].into()),
        ]),
        metadata: attributes([("ms", attributes([("total", 123_i64.into())]).into())]),
        tags: vec!["steadfast".to_owned(), "plan".to_owned()],
        spans,
        scores: vec![
            score("validation", 1.0, Some("pass"), None, None),
            score("constraints_violated", 0.0, None, None, None),
            score("judge.clear", 0.75, None, Some("reads well"), None),
            score("ids", 0.123456, None, None, Some(2)),
        ],
    }
}

/// A batch of one trace.
pub(crate) fn batch(number: u32) -> Batch {
    Batch { traces: vec![trace(number)], experiment: None }
}

/// An experiment over two days.
pub(crate) fn experiment() -> Batch {
    let item =
        |number: u32| DatasetItem { id: id(900 + number), data: attributes([("day", format!("day-{number}").into())]) };
    let traces: Vec<Trace> = [1, 2]
        .map(|number| Trace { spans: Vec::new(), duration_us: None, ..trace(number) })
        .into_iter()
        .map(|mut trace| {
            trace.scores.truncate(1);
            trace
        })
        .collect();
    let items = [1, 2].map(|number| ExperimentItem {
        id: id(700 + number),
        dataset_item_id: id(900 + number),
        trace_id: id(number),
    });
    Batch {
        experiment: Some(Experiment {
            id: id(600),
            name: "v4_repair 2027-01-15T07:59:59.500Z".to_owned(),
            dataset: Dataset {
                name: "steadfast plan bench 0badcafe".to_owned(),
                description: "Days whose truth is known.".to_owned(),
                items: vec![item(1), item(2)],
            },
            metadata: attributes([("variant", "v4_repair".into())]),
            scores: vec![Score { name: "pass_rate".to_owned(), value: 0.9, label: None, reason: None, span: None }],
            items: items.to_vec(),
        }),
        traces,
    }
}
