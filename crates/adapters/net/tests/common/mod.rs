//! What the tests share: a server on the loopback address that does as it is told, a small model, packages.

#![allow(dead_code, clippy::allow_attributes, reason = "each test program uses a part of it")]

use std::fs;
use std::io::{Cursor, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use sha2::{Digest, Sha256};
use steadfast_net::models::{self, Event, Model, ModelFile, Pulled, Source};
use steadfast_net::{Client, Error, Proxy, Timeouts};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// What a client asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
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

    /// Where the range that it asked for begins.
    pub(crate) fn from(&self) -> usize {
        let range = self.header("range").unwrap_or_default();
        range.trim_start_matches("bytes=").trim_end_matches('-').parse().unwrap_or(0)
    }
}

/// What the server does.
pub(crate) enum Reply {
    /// Sends these bytes and closes.
    Send(Vec<u8>),
    /// Sends these bytes and says nothing more, for ever.
    Hold(Vec<u8>),
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
                }
            }
        });
        Self { base, asked }
    }

    /// Gives the files of [`model`], the rest of one where it is asked for.
    pub(crate) fn of_files() -> Self {
        Self::new(|asked, _| Reply::Send(file(asked)))
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// It as a source, which may lead to no other host.
    pub(crate) fn hub(&self) -> Source {
        Source::Hub { base: self.base.clone(), hosts: Vec::new() }
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
    let path = head.split(' ').nth(1).unwrap().to_owned();
    let mut asked = Asked { path, head, body: Vec::new() };
    asked.body = vec![0; asked.header("content-length").map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut asked.body).ok()?;
    Some(asked)
}

/// An answer as it goes over the wire.
pub(crate) fn answer(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 {status}\r\nconnection: close\r\n");
    for (name, value) in headers {
        answer += &format!("{name}: {value}\r\n");
    }
    let mut answer = (answer + "\r\n").into_bytes();
    answer.extend(body);
    answer
}

/// The whole file or, where a range was asked for, the rest of it.
pub(crate) fn file(asked: &Asked) -> Vec<u8> {
    let name = asked.path.trim_start_matches('/');
    let Some(content) = content(name) else { return answer("404 Not Found", &[("content-length", "0")], b"") };
    let (from, all) = (asked.from(), content.len());
    let etag = format!("\"{name}-1\"");
    if from == 0 || asked.header("if-range").is_some_and(|wanted| wanted != etag) {
        return answer("200 OK", &[("content-length", &all.to_string()), ("etag", &etag)], &content);
    }
    if from >= all {
        return answer("416 Range Not Satisfiable", &[("content-length", "0")], b"");
    }
    let range = format!("bytes {from}-{}/{all}", all - 1);
    let length = (all - from).to_string();
    answer(
        "206 Partial Content",
        &[("content-length", &length), ("content-range", &range), ("etag", &etag)],
        &content[from..],
    )
}

/// The first answer of [`file`] without its last bytes: a transfer that breaks off.
pub(crate) fn cut(asked: &Asked, missing: usize) -> Vec<u8> {
    let mut answer = file(asked);
    answer.truncate(answer.len() - missing);
    answer
}

pub(crate) const WEIGHTS_BYTES: usize = 300_000;

/// The files of the small model.
pub(crate) fn content(name: &str) -> Option<Vec<u8>> {
    match name {
        "weights.bin" => Some((0..WEIGHTS_BYTES).map(|index| (index * index % 251) as u8).collect()),
        "words.txt" => Some(b"one\ntwo\nthree\n".to_vec()),
        _ => None,
    }
}

pub(crate) fn model() -> Model {
    let file = |name: &str| {
        let content = content(name).unwrap();
        let sha256 = Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
        ModelFile { name: name.to_owned(), bytes: content.len() as u64, sha256 }
    };
    Model { name: "small".to_owned(), files: vec![file("weights.bin"), file("words.txt")] }
}

/// A package with these members.
pub(crate) fn package(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A package with the files of [`model`].
pub(crate) fn right_package() -> Vec<u8> {
    package(&[
        ("small/__init__.py", b"raise SystemExit"),
        ("small/model/weights.bin", &content("weights.bin").unwrap()),
        ("small/model/words.txt", &content("words.txt").unwrap()),
    ])
}

pub(crate) fn client() -> Client {
    let short = Duration::from_millis(300);
    Client::new(Timeouts { connect: Duration::from_secs(10), first_byte: short, idle: short }, Proxy::None).unwrap()
}

/// As [`client`], for servers that take their time.
pub(crate) fn patient_client() -> Client {
    Client::new(Timeouts::default(), Proxy::None).unwrap()
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Pulls the small model, and gives what was told meanwhile, progress left out.
pub(crate) fn pull(folder: &Path, sources: &[Source]) -> (Result<Pulled, Error>, Vec<String>) {
    let told = Mutex::new(Vec::new());
    let notify = |event: Event<'_>| {
        if !matches!(event, Event::Progress { .. }) {
            told.lock().unwrap().push(format!("{event:?}"));
        }
    };
    let result = block_on(models::pull(&client(), &model(), folder, sources, &notify));
    (result, told.into_inner().unwrap())
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The folder holds the model and nothing unfinished.
#[track_caller]
pub(crate) fn complete(folder: &Path) {
    assert_eq!(names(folder), [".lock", "weights.bin", "words.txt"]);
    for file in model().files {
        assert!(fs::read(folder.join(&file.name)).unwrap() == content(&file.name).unwrap(), "{}", file.name);
    }
}
