//! What others notice of clients who send slowly, and of bombs.
//!
//! The others are some callers who keep to a schedule: notes to plan, a step to keep, a list to read. Their 99th is taken while they are alone, while hundreds of clients
//! trickle heads and bodies, and while others send gzip that inflates a thousandfold and JSON that is all brackets, as fast as they are refused.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::driven::{Caller, Given, Server, Waits, load_average, median, step, until};
use crate::steps::PLAN;

/// Callers that are measured, and requests a second of all of them: a fraction of what the server manages, so that they do not wait for one another.
const CALLERS: usize = 8;
const PER_SECOND: usize = 200;

/// Bytes that a bomb inflates to.
const BOMB_BYTES: usize = 1 << 30;

/// Bytes of the JSON that is all brackets.
const DEEP_BYTES: usize = 1 << 20;

/// Time between two bytes of a slow client.
const TRICKLE: Duration = Duration::from_millis(500);

/// What the callers wait for, for so long.
fn usual(address: SocketAddr, seconds: usize) -> Waits {
    let begun = Instant::now();
    let gap = Duration::from_secs_f64(CALLERS as f64 / PER_SECOND as f64);
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            thread::spawn(move || {
                let (mut own, mut waits) = (Caller::of(address), Waits::default());
                let mut due = begun + gap * caller as u32 / CALLERS as u32;
                for at in caller.. {
                    until(due);
                    if begun.elapsed() >= Duration::from_secs(seconds as u64) {
                        break;
                    }
                    due += gap;
                    let asked = Instant::now();
                    let (status, _) = match at % 3 {
                        0 => own.ask("POST", "/api/plan", PLAN.as_bytes()),
                        1 => {
                            let path = format!("/api/trajectories/slow-{caller}/steps?score=false");
                            own.ask("POST", &path, step(at).to_string().as_bytes())
                        }
                        _ => own.ask("GET", "/api/runs?limit=20", b""),
                    }
                    .unwrap();
                    waits.add(status, asked.elapsed());
                }
                waits
            })
        })
        .collect();
    let mut waits = Waits::default();
    for caller in callers {
        waits.merge(caller.join().unwrap());
    }
    waits
}

/// Clients who go on until they are told to stop.
struct Others {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<BTreeMap<u16, usize>>>,
}

impl Others {
    fn begin(
        clients: usize,
        client: impl Fn(usize, &AtomicBool) -> BTreeMap<u16, usize> + Clone + Send + 'static,
    ) -> Self {
        let stop = Arc::<AtomicBool>::default();
        let threads = (0..clients)
            .map(|at| {
                let (stop, client) = (Arc::clone(&stop), client.clone());
                thread::Builder::new().stack_size(256 * 1024).spawn(move || client(at, &stop)).unwrap()
            })
            .collect();
        Self { stop, threads }
    }

    /// How often they were answered with which status.
    fn end(self) -> BTreeMap<u16, usize> {
        self.stop.store(true, Ordering::SeqCst);
        let mut all = BTreeMap::new();
        for thread in self.threads {
            for (status, count) in thread.join().unwrap() {
                *all.entry(status).or_default() += count;
            }
        }
        all
    }
}

/// A client that sends a byte now and then: of a head, or of a body. Given up, it comes again.
fn trickle(address: SocketAddr, at: usize, open: &AtomicUsize, stop: &AtomicBool) -> BTreeMap<u16, usize> {
    let head = "POST /api/audit HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let mut statuses = BTreeMap::new();
    while !stop.load(Ordering::SeqCst) {
        let Ok(mut stream) = TcpStream::connect(address) else { continue };
        open.fetch_add(1, Ordering::SeqCst);
        stream.set_read_timeout(Some(TRICKLE)).unwrap();
        // Every other one sends a whole head and the bytes of a body.
        let rest = ["", "content-length: 60000000\r\n\r\n{\"prompt\": \""][at % 2];
        let mut sent = stream.write_all(format!("{head}{rest}").as_bytes()).is_ok();
        let mut answer = [0; 64];
        while sent && !stop.load(Ordering::SeqCst) {
            match stream.read(&mut answer) {
                Ok(0) => break,
                Ok(length) => {
                    let status = String::from_utf8_lossy(&answer[..length]);
                    if let Some(status) = status.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok())
                    {
                        *statuses.entry(status).or_default() += 1;
                    }
                    break;
                }
                // Nothing was said within the time of a byte.
                Err(_) => sent = stream.write_all(b"x").is_ok(),
            }
        }
        open.fetch_sub(1, Ordering::SeqCst);
    }
    statuses
}

/// A client that sends something as often as it is refused.
fn again(address: SocketAddr, headers: &str, body: &[u8], stop: &AtomicBool) -> BTreeMap<u16, usize> {
    let mut statuses = BTreeMap::new();
    let mut own = None;
    while !stop.load(Ordering::SeqCst) {
        match own.get_or_insert_with(|| Caller::of(address)).ask_with("POST", "/api/audit", headers, body) {
            Ok((status, _)) => *statuses.entry(status).or_default() += 1,
            Err(_) => own = None,
        }
    }
    statuses
}

fn bomb() -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::best());
    let piece = vec![b' '; 1 << 20];
    for _ in 0..BOMB_BYTES / piece.len() {
        writer.write_all(&piece).unwrap();
    }
    writer.finish().unwrap()
}

fn told(statuses: &BTreeMap<u16, usize>) -> String {
    let each: Vec<_> = statuses.iter().map(|(status, count)| format!("{count} × {status}")).collect();
    each.join(", ")
}

/// Measures it.
pub(crate) fn slow(given: &Given) {
    let (rounds, seconds, clients) =
        (given.number("--rounds", 3), given.number("--seconds", 10), given.number("--slow", 500));
    let bombers = given.number("--bombs", 2);
    let bomb: Arc<[u8]> = bomb().into();
    let deep: Arc<[u8]> = "[".repeat(DEEP_BYTES).into_bytes().into();
    let json = "content-type: application/json\r\n";
    let (mut trickled, mut bombed) = (Vec::new(), Vec::new());
    println!("{CALLERS} callers, {PER_SECOND} requests a second, beside others:");
    for _ in 0..rounds {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(&given.program(), &folder.path().join("slow.db"), &["--embedder", "lexical"]);
        let address = server.address;
        usual(address, 2);
        let mut alone = usual(address, seconds);
        let usual_ms = alone.ms(99);
        println!("  alone: 50th {:.1} ms, 99th {usual_ms:.1}; {}", alone.ms(50), alone.statuses());

        let open = Arc::<AtomicUsize>::default();
        let others = Others::begin(clients, {
            let open = Arc::clone(&open);
            move |at, stop| trickle(address, at, &open, stop)
        });
        thread::sleep(Duration::from_secs(2));
        let mut beside = usual(address, seconds);
        let held = open.load(Ordering::SeqCst);
        trickled.push(beside.ms(99) / usual_ms);
        println!(
            "  beside {held} slow clients: 50th {:.1} ms, 99th {:.1}, {:.2} of the usual; {}; they: {}",
            beside.ms(50),
            beside.ms(99),
            beside.ms(99) / usual_ms,
            beside.statuses(),
            told(&others.end())
        );

        let others = Others::begin(2 * bombers, {
            let (bomb, deep) = (Arc::clone(&bomb), Arc::clone(&deep));
            move |at, stop| match at % 2 {
                0 => again(address, &format!("{json}content-encoding: gzip\r\n"), &bomb, stop),
                _ => again(address, json, &deep, stop),
            }
        });
        let mut beside = usual(address, seconds);
        bombed.push(beside.ms(99) / usual_ms);
        println!(
            "  beside bombs and deep JSON: 50th {:.1} ms, 99th {:.1}, {:.2} of the usual; {}; they: {}; at most {:.0} MiB; load of the machine {}",
            beside.ms(50),
            beside.ms(99),
            beside.ms(99) / usual_ms,
            beside.statuses(),
            told(&others.end()),
            server.mebibytes().1,
            load_average()
        );
    }
    println!("  median of {rounds}: {:.2} and {:.2} of the usual 99th", median(trickled), median(bombed));
}
