//! What the programs here share: a server of its own process, callers with a connection each, and figures of what they waited for.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// What was given on the command line: names with values, in any order.
pub(crate) struct Given(Vec<String>);

impl Given {
    /// The arguments of this program.
    pub(crate) fn read() -> Self {
        Self(std::env::args().skip(1).collect())
    }

    /// The value of a name.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        let at = self.0.iter().position(|own| own == name)?;
        Some(self.0.get(at + 1).unwrap_or_else(|| panic!("{name} needs a value")))
    }

    /// The value of a name, as a number.
    pub(crate) fn number(&self, name: &str, otherwise: usize) -> usize {
        self.text(name).map_or(otherwise, |own| own.parse().unwrap_or_else(|_| panic!("{name} takes a number")))
    }

    /// The program that is measured.
    pub(crate) fn program(&self) -> PathBuf {
        let program = PathBuf::from(self.text("--program").unwrap_or("target/release/steadfast"));
        program
            .canonicalize()
            .unwrap_or_else(|_| panic!("{}: build it first: cargo build --release", program.display()))
    }
}

/// A server in a process of its own. It is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts a server with a store, at a free port, with these settings beside.
    pub(crate) fn start(program: &Path, store: &Path, more: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--print-url", "--store"])
            .arg(store)
            .args(more)
            .current_dir(store.parent().unwrap())
            .env_remove("STEADFAST_CONFIG")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect("the server does not start").parse().unwrap();
        Self { child, address }
    }

    /// Its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Mebibytes that it holds now, and the most that it held.
    pub(crate) fn mebibytes(&self) -> (f64, f64) {
        mebibytes(self.child.id()).unwrap()
    }

    /// Waits until it has nothing to do: a second in which it takes hardly any time of a processor.
    pub(crate) fn settled(&self) {
        let ticks = || ticks(self.child.id()).unwrap();
        let mut before = ticks();
        loop {
            thread::sleep(Duration::from_secs(1));
            let now = ticks();
            if now <= before + 1 {
                return;
            }
            before = now;
        }
    }

    /// Ends it as a crash would, at once.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Mebibytes that a process holds now, and the most that it held; `None` where it is gone.
pub(crate) fn mebibytes(process: u32) -> Option<(f64, f64)> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0)
    };
    Some((line("VmRSS:")?, line("VmHWM:")?))
}

/// Hundredths of a second that a process took of processors; `None` where it is gone.
pub(crate) fn ticks(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    Some(fields.take(2).map(|own| own.parse::<u64>().unwrap()).sum())
}

/// A request as it goes over the wire.
fn whole(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut whole = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n{headers}content-length: {length}\r\n\r\n")
        .into_bytes();
    whole.extend_from_slice(body);
    whole
}

/// One connection, which is kept.
pub(crate) struct Caller(BufReader<TcpStream>);

impl Caller {
    /// Connects.
    pub(crate) fn of(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self(BufReader::new(stream))
    }

    /// Sends a request, with JSON where there is a body, and reads its answer to the end: its status and body.
    pub(crate) fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> io::Result<(u16, Vec<u8>)> {
        self.ask_with(method, path, if body.is_empty() { "" } else { "content-type: application/json\r\n" }, body)
    }

    /// The same with headers of its own.
    pub(crate) fn ask_with(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &[u8],
    ) -> io::Result<(u16, Vec<u8>)> {
        self.0.get_mut().write_all(&whole(method, path, headers, body))?;
        let (mut line, mut status, mut length) = (String::new(), 0, None);
        loop {
            line.clear();
            if self.0.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(code) = line.strip_prefix("HTTP/1.1 ") {
                status = code[..3].parse().unwrap();
            } else if let Some(count) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
                length = Some(count.trim().parse().unwrap());
            } else if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length.expect("an answer tells its length")];
        self.0.read_exact(&mut body)?;
        Ok((status, body))
    }

    /// Sends a request from a connection of its own, and leaves after a time without an answer.
    pub(crate) fn leave(address: SocketAddr, path: &str, headers: &str, body: &[u8], after: Duration) {
        let mut stream = TcpStream::connect(address).unwrap();
        drop(stream.write_all(&whole("POST", path, headers, body)));
        thread::sleep(after);
    }

    /// Reads JSON that is there.
    pub(crate) fn get(&mut self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, b"").unwrap();
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }
}

/// A value as it stands in a query.
pub(crate) fn encoded(value: &str) -> String {
    let plain =
        |byte: u8| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    value.bytes().map(plain).collect()
}

/// A step of some hundred bytes.
pub(crate) fn step(at: usize) -> Value {
    json!({
        "prompt": format!("Write section {} of the plan for the seed library.", at % 40),
        "output": format!("Section {at}: members of the seed library lend and return seeds, and note what grew well in which bed."),
        "agent": "writer",
    })
}

/// What callers waited for: of answers that were no refusal, how long they took; of all, their statuses.
#[derive(Default)]
pub(crate) struct Waits {
    all: Vec<Duration>,
    statuses: BTreeMap<u16, usize>,
}

impl Waits {
    /// Counts an answer.
    pub(crate) fn add(&mut self, status: u16, took: Duration) {
        *self.statuses.entry(status).or_default() += 1;
        if status < 300 {
            self.all.push(took);
        }
    }

    /// Takes in what another caller waited for.
    pub(crate) fn merge(&mut self, other: Self) {
        self.all.extend(other.all);
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
    }

    /// Milliseconds within which so many of a hundred answers came.
    pub(crate) fn ms(&mut self, of_hundred: usize) -> f64 {
        self.all.sort();
        let found = self.all.get(self.all.len() * of_hundred / 100).or(self.all.last());
        found.map_or(0.0, |own| own.as_secs_f64() * 1_000.0)
    }

    /// How many answers were no refusal.
    pub(crate) fn answered(&self) -> usize {
        self.all.len()
    }

    /// Whether every answer was one that was asked for, or told the caller to come again.
    pub(crate) fn is_orderly(&self) -> bool {
        self.statuses.keys().all(|status| matches!(status, 200..300 | 429 | 503))
    }

    /// The statuses, with how often each came.
    pub(crate) fn statuses(&self) -> String {
        let each: Vec<_> = self.statuses.iter().map(|(status, count)| format!("{count} × {status}")).collect();
        each.join(", ")
    }
}

/// The one in the middle.
pub(crate) fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// How busy the machine is: the mean number of tasks that ran or wanted to in the last minute.
pub(crate) fn load_average() -> String {
    fs::read_to_string("/proc/loadavg").unwrap().split(' ').next().unwrap().to_owned()
}

/// Waits until a moment.
pub(crate) fn until(due: Instant) {
    thread::sleep(due.saturating_duration_since(Instant::now()));
}
