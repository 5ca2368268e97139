//! A chat server on the loopback address that behaves as badly as it is told: for tests of whatever asks models.
//!
//! It speaks OpenAI's protocol and Anthropic's, by the path that is asked for. A [`Behaviour`] says what it does for each request; what a right reply
//! would be is given to it.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

mod behaviour;
mod say;

pub use behaviour::{BEHAVIOURS, Behaviour, Meets, behaviour};
pub use say::{Finish, Say, Usage, http, plain, stream};

/// Largest question that is read, in bytes.
const QUESTION_BYTES_MAX: usize = 64 << 20;

/// How long a connection that is held is held at most.
const HELD: Duration = Duration::from_secs(60);

/// Which protocol a question is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI's chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// A question as it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Which protocol it is in.
    pub dialect: Dialect,
    /// The path.
    pub path: String,
    /// The head, as it came.
    pub head: String,
    /// The body; `null` where it is no JSON.
    pub body: Value,
}

impl Asked {
    /// A header, by its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (own, value) = line.split_once(": ")?;
            own.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// The form that it asks for: `json_schema`, `json_object`, `tool` or `prompt`.
    #[must_use]
    pub fn mode(&self) -> &str {
        let named = |pointer: &str| self.body.pointer(pointer).and_then(Value::as_str);
        if self.body.get("tools").is_some() {
            return "tool";
        }
        named("/response_format/type").or_else(|| named("/output_config/format/type")).unwrap_or("prompt")
    }
}

/// What the server does with a question.
#[derive(Clone, Debug)]
pub enum Act {
    /// Sends these bytes and closes.
    Send(Vec<u8>),
    /// Sends these pieces, each by itself, with a pause between them, and closes.
    Pieces(Vec<Vec<u8>>, Duration),
    /// Sends these bytes and says nothing more.
    Hold(Vec<u8>),
    /// Sends these bytes, then the others over and over with a pause between them, for as long as somebody listens.
    Trickle(Vec<u8>, Vec<u8>, Duration),
}

/// The server. It ends with the test's process.
#[derive(Debug)]
pub struct FakeChat {
    /// Scheme, host and port.
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl FakeChat {
    /// A server that behaves so; `good` is what a right reply would say.
    ///
    /// # Errors
    /// Where the loopback address has no port for it.
    pub fn new(behaviour: &Behaviour, good: &str) -> std::io::Result<Self> {
        let (act, good) = (behaviour.act, good.to_owned());
        // Who judges obligations lists nothing of the whole.
        let is_judge = good.starts_with(r#"{"proposals""#);
        let server = Self::serving(behaviour.meets, move |asked, count| {
            let lists = is_judge && asked.body.to_string().contains("`departures`");
            act(asked, count, if lists { r#"{"departures": []}"# } else { &good })
        })?;
        if behaviour.meets == Meets::Refuses {
            // Nobody listens on a port that was just given back.
            let listener = TcpListener::bind("127.0.0.1:0")?;
            let url = format!("http://{}", listener.local_addr()?);
            return Ok(Self { url, ..server });
        }
        Ok(server)
    }

    /// A server that does what `act` says for each question, counted from 0.
    ///
    /// # Errors
    /// As [`FakeChat::new`].
    pub fn acting(act: impl Fn(&Asked, usize) -> Act + Send + Sync + 'static) -> std::io::Result<Self> {
        Self::serving(Meets::Answers, act)
    }

    fn serving(meets: Meets, act: impl Fn(&Asked, usize) -> Act + Send + Sync + 'static) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}", listener.local_addr()?);
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (seen, act) = (Arc::clone(&asked), Arc::new(act));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, act) = (Arc::clone(&seen), Arc::clone(&act));
                thread::spawn(move || serve(stream, meets, &seen, &*act));
            }
        });
        Ok(Self { url, asked })
    }

    /// What it was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// One question on one connection. A client that has gone is its own affair.
fn serve(mut stream: TcpStream, meets: Meets, seen: &Mutex<Vec<Asked>>, act: &dyn Fn(&Asked, usize) -> Act) {
    let Some(asked) = read(&mut stream, meets) else { return };
    let count = {
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push(asked.clone());
        seen.len() - 1
    };
    // What was not read makes a reset of the close.
    if meets == Meets::Resets {
        return;
    }
    match act(&asked, count) {
        Act::Send(bytes) => {
            drop(stream.write_all(&bytes));
            finish(&mut stream);
        }
        Act::Pieces(pieces, pause) => {
            drop(stream.set_nodelay(true));
            for piece in pieces {
                if stream.write_all(&piece).is_err() {
                    return;
                }
                thread::sleep(pause);
            }
            finish(&mut stream);
        }
        Act::Hold(bytes) => {
            drop(stream.write_all(&bytes));
            wait(&mut stream);
        }
        Act::Trickle(head, piece, pause) => {
            let mut ok = stream.write_all(&head).is_ok();
            while ok {
                thread::sleep(pause);
                ok = stream.write_all(&piece).is_ok();
            }
        }
    }
}

/// Closes for writing and waits for the other side to go, so that nothing that was sent is lost to a reset.
fn finish(stream: &mut TcpStream) {
    drop(stream.shutdown(Shutdown::Write));
    wait(stream);
}

/// Waits until the other side goes.
fn wait(stream: &mut TcpStream) {
    drop(stream.set_read_timeout(Some(HELD)));
    let mut byte = [0; 1024];
    loop {
        match stream.read(&mut byte) {
            Ok(0) => return,
            Err(error) if error.kind() != ErrorKind::Interrupted => return,
            _ => {}
        }
    }
}

/// Reads a question; one that is to be reset is left unread behind its head.
fn read(stream: &mut TcpStream, meets: Meets) -> Option<Asked> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let path = head.split(' ').nth(1)?.to_owned();
    let dialect = if path.ends_with("/messages") { Dialect::Anthropic } else { Dialect::OpenAi };
    let mut asked = Asked { dialect, path, head, body: Value::Null };
    if meets != Meets::Resets {
        let length = asked.header("content-length")?.parse::<usize>().ok()?.min(QUESTION_BYTES_MAX);
        let mut body = vec![0; length];
        stream.read_exact(&mut body).ok()?;
        asked.body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    }
    Some(asked)
}
