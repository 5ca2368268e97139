//! A running `steadfast serve`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use steadfast_testkit::http::{Client, Reply};

use super::{End, Place};

/// A server at a free port, with a store of its own in the place unless its arguments say otherwise.
pub(crate) struct Served {
    child: Child,
    pub(crate) client: Client,
}

impl Served {
    /// Starts a server with arguments that are parted by spaces, and waits until it takes requests in.
    #[track_caller]
    pub(crate) fn start(place: &Place, arguments: &str) -> Self {
        Self::spawn(&mut command(place, arguments))
    }

    /// Starts a server by a command, and waits until it takes requests in.
    #[track_caller]
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        if line.is_empty() {
            let end = child.wait_with_output().unwrap();
            panic!("{}: {}", end.status, String::from_utf8_lossy(&end.stderr));
        }
        Self { child, client: Client::new(&line) }
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.client.ask("GET", path, &[], b"").unwrap()
    }

    #[track_caller]
    pub(crate) fn delete(&self, path: &str) -> Reply {
        self.client.ask("DELETE", path, &[], b"").unwrap()
    }

    /// Sends JSON.
    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.post_as(path, "application/json", body.to_string().as_bytes())
    }

    #[track_caller]
    pub(crate) fn post_as(&self, path: &str, media: &str, body: &[u8]) -> Reply {
        self.client.ask("POST", path, &[("Content-Type", media)], body).unwrap()
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends the server by SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends a signal by its name.
    #[track_caller]
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
    }

    /// Waits until the server has ended.
    #[track_caller]
    pub(crate) fn ended(mut self) -> End {
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let status = self.child.wait().unwrap().code().unwrap();
        End { status, stdout: String::new(), stderr }
    }

    /// Ends the server by a signal; it must end well. What it said on stderr.
    #[track_caller]
    pub(crate) fn stop(self, signal: &str) -> String {
        self.signal(signal);
        self.ended().status(0).stderr
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // A test that failed leaves no server behind.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// `steadfast serve` at a free port.
pub(crate) fn command(place: &Place, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--print-url"])
        .args(arguments.split_whitespace())
        .current_dir(place.root())
        .env("STEADFAST_MODELS", place.path("no-models"))
        .env("XDG_DATA_HOME", place.path("data"))
        .env("NO_PROXY", "127.0.0.1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// An answer of this status in JSON.
#[track_caller]
pub(crate) fn json_of(reply: &Reply, status: u16) -> Value {
    assert_eq!(reply.status, status, "{}", reply.text());
    let media = if status < 400 { "application/json" } else { "application/problem+json" };
    assert_eq!(reply.header("content-type"), Some(media));
    carries(reply);
    serde_json::from_slice(&reply.body).unwrap()
}

/// What every answer carries, and what none does.
#[track_caller]
pub(crate) fn carries(reply: &Reply) {
    assert!(reply.header("x-request-id").is_some_and(|id| id.len() > 17), "{reply:?}");
    let rest = ["x-content-type-options", "cache-control", "referrer-policy", "server", "access-control-allow-origin"];
    assert_eq!(
        rest.map(|name| reply.header(name)),
        [Some("nosniff"), Some("no-store"), Some("no-referrer"), None, None],
        "{reply:?}"
    );
}

/// A problem: its status, the last part of its type, and what more it says, which is all of it.
#[track_caller]
pub(crate) fn problem(reply: &Reply, (status, kind): (u16, &str), rest: &Value) {
    let mut told = json_of(reply, status);
    let told = told.as_object_mut().unwrap();
    assert_eq!(told.remove("type"), Some(json!(format!("/problems/{kind}"))), "{told:?}");
    assert_eq!(told.remove("status"), Some(json!(status)));
    assert_eq!(told.remove("instance"), Some(json!(reply.header("x-request-id"))));
    assert!(told.remove("title").is_some());
    assert_eq!(&Value::Object(told.clone()), rest);
}
