//! The server over a pair of streams in this process, with a host that can hold a call back: limits, cancellation, what is no message.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use common::{Gate, PROMPT, REPORT};
use serde_json::{Value, json};
use steadfast_engine::calls::Host;
use steadfast_mcp::{CALLS_MAX, CALLS_RUNNING_MAX, Error, MESSAGE_BYTES_MAX, serve};
use steadfast_wire::call::ToolSet;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::runtime::Builder;
use tokio::task::JoinHandle;

/// A client of a server in this process.
struct Client {
    lines: BufReader<ReadHalf<DuplexStream>>,
    output: WriteHalf<DuplexStream>,
    server: JoinHandle<Result<(), Error>>,
    host: Arc<Gate>,
    asked: Receiver<String>,
    files: Sender<&'static str>,
}

impl Client {
    fn new() -> Self {
        let (host, asked, files) = Gate::new();
        let (ours, theirs) = duplex(1024 * 1024);
        let (input, output) = split(theirs);
        let server = tokio::spawn(serve(Arc::clone(&host) as Arc<dyn Host>, ToolSet::Hosts, input, output));
        let (input, output) = split(ours);
        Self { lines: BufReader::new(input), output, server, host, asked, files }
    }

    /// A client that has shaken hands.
    async fn connected() -> Self {
        let mut client = Self::new();
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        client.send(&json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": hello})).await;
        assert_eq!(client.next().await["id"], "hello");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn send(&mut self, message: &Value) {
        self.send_line(message.to_string().as_bytes()).await;
    }

    async fn send_line(&mut self, line: &[u8]) {
        self.output.write_all(line).await.unwrap();
        self.output.write_all(b"\n").await.unwrap();
    }

    async fn call(&mut self, id: usize, tool: &str, arguments: Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await;
    }

    /// An audit that waits for its prompt.
    async fn call_held_back(&mut self, id: usize) {
        self.call(id, "audit", json!({"prompt": {"path": format!("{id}.txt")}, "report": REPORT})).await;
    }

    /// The next file that a call asks for.
    async fn asked(&self) -> String {
        loop {
            match self.asked.try_recv() {
                Ok(path) => return path,
                // The server runs on this thread as well.
                Err(_) => tokio::task::yield_now().await,
            }
        }
    }

    async fn next(&mut self) -> Value {
        let mut line = String::new();
        assert_ne!(self.lines.read_line(&mut line).await.unwrap(), 0, "the server said nothing more");
        serde_json::from_str(&line).unwrap()
    }

    /// Closes the stream, and gives what is still said.
    async fn end(mut self) -> Vec<Value> {
        drop(self.files);
        self.output.shutdown().await.unwrap();
        let mut said = Vec::new();
        let mut line = String::new();
        while self.lines.read_line(&mut line).await.unwrap() > 0 {
            said.push(serde_json::from_str(&line).unwrap());
            line.clear();
        }
        self.server.await.unwrap().unwrap();
        said
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"))
}

/// Runs a test on one thread, so that what it sends is taken in its order.
fn run(test: impl Future<Output = ()>) {
    Builder::new_current_thread().enable_time().build().unwrap().block_on(test);
}

#[test]
fn a_call_that_is_cancelled_is_not_answered() {
    run(async {
        let mut client = Client::connected().await;
        client.call_held_back(1).await;
        client.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"})).await;
        assert_eq!(client.next().await["id"], 2, "other requests are answered meanwhile");
        let params = json!({"requestId": 1, "reason": "the user went on"});
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})).await;
        client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "ping"})).await;
        assert_eq!(client.next().await["id"], 3);
        assert_eq!(client.asked().await, "1.txt");
        client.files.send(PROMPT).unwrap();
        client.call(4, "audit", json!({"prompt": PROMPT, "report": REPORT})).await;
        let answer = client.next().await;
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(4), &json!(false)));
        assert_eq!(client.end().await, Vec::<Value>::new());
    });
}

#[test]
fn calls_beyond_the_limit_are_refused_and_the_others_run() {
    run(async {
        let mut client = Client::connected().await;
        for id in 0..=CALLS_MAX {
            client.call_held_back(id).await;
        }
        let refused = client.next().await;
        assert_eq!((&refused["id"], &refused["result"]["isError"]), (&json!(CALLS_MAX), &json!(true)));
        assert_eq!(
            text(&refused),
            "error: 64 calls run or wait already\nhint: wait for the answers of calls that were made"
        );
        assert_eq!(refused["result"]["_meta"]["steadfast/error"], "external");

        // No more than four ask for their file until one of them has got it.
        for _ in 0..CALLS_RUNNING_MAX {
            client.files.send(PROMPT).unwrap();
        }
        let mut answered = BTreeSet::new();
        for _ in 0..CALLS_RUNNING_MAX {
            answered.insert(client.next().await["id"].as_u64().unwrap());
        }
        for _ in CALLS_RUNNING_MAX..CALLS_MAX {
            client.files.send(PROMPT).unwrap();
            answered.insert(client.next().await["id"].as_u64().unwrap());
        }
        assert_eq!(answered.len(), CALLS_MAX);
        client.call(100, "audit", json!({"prompt": PROMPT, "report": REPORT})).await;
        assert_eq!(client.next().await["result"]["isError"], false, "there is room again");
        assert_eq!(client.end().await, Vec::<Value>::new());
    });
}

#[test]
fn no_more_calls_run_than_the_limit_says() {
    run(async {
        let mut client = Client::connected().await;
        for id in 0..CALLS_RUNNING_MAX + 1 {
            client.call_held_back(id).await;
        }
        // A host waits with its lock held, so each file is asked for in turn; the last call has no turn yet.
        client.send(&json!({"jsonrpc": "2.0", "id": "after", "method": "ping"})).await;
        assert_eq!(client.next().await["id"], "after");
        let mut asked = BTreeSet::new();
        for _ in 0..CALLS_RUNNING_MAX {
            asked.insert(client.asked().await);
        }
        assert_eq!(asked.len(), CALLS_RUNNING_MAX);
        assert!(client.asked.try_recv().is_err());
        for _ in 0..=CALLS_RUNNING_MAX {
            client.files.send(PROMPT).unwrap();
        }
        for _ in 0..=CALLS_RUNNING_MAX {
            assert_eq!(client.next().await["result"]["isError"], false);
        }
        assert_eq!(client.asked().await, format!("{CALLS_RUNNING_MAX}.txt"));
        client.end().await;
    });
}

#[test]
fn a_message_that_is_too_large_is_refused() {
    run(async {
        let mut client = Client::connected().await;
        let call = |id: &str, room: usize| {
            let empty = json!({"method": "tools/call", "params": {"name": "audit", "arguments": {"prompt": ""}}, "jsonrpc": "2.0", "id": id})
                .to_string();
            empty.replace("\"prompt\":\"\"", &format!("\"prompt\":\"{}\"", "x".repeat(room - empty.len())))
        };
        let too_large = call("large", MESSAGE_BYTES_MAX + 1);
        assert_eq!(too_large.len(), MESSAGE_BYTES_MAX + 1);
        client.send_line(too_large.as_bytes()).await;
        let answer = client.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)));
        assert_eq!(
            answer["error"]["message"],
            "the message holds more than the limit of 64 MiB; give files by their paths"
        );

        client.send_line(call("fits", MESSAGE_BYTES_MAX).as_bytes()).await;
        let answer = client.next().await;
        assert_eq!(answer["id"], "fits");
        assert_eq!(text(&answer), "error: `report` is missing");

        let large = format!(
            r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":{{"x":"{}"}}}}"#,
            "y".repeat(MESSAGE_BYTES_MAX)
        );
        client.send_line(large.as_bytes()).await;
        let answer = client.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32600)));
        assert_eq!(client.host.notes.lock().unwrap().len(), 2);
        assert_eq!(client.end().await, Vec::<Value>::new());
    });
}

#[test]
fn what_is_no_message_is_answered_where_somebody_waits() {
    run(async {
        let mut client = Client::connected().await;
        client.send_line(b"hello").await;
        client.send_line(b"").await;
        client.send_line(b"  \r").await;
        client.send_line(br#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":[]}"#).await;
        client.send_line(br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#).await;
        let answer = client.next().await;
        assert_eq!(answer["error"]["message"], "a message is one JSON object; batches are not read");
        client.send_line(br#"{"jsonrpc":"1.0","id":2,"method":"ping"}"#).await;
        let answer = client.next().await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(2), &json!(-32600)));
        client.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"arguments": {}}})).await;
        let answer = client.next().await;
        assert_eq!(answer["error"]["message"], "the parameters of `tools/call` are of another form");
        client.send(&json!({"jsonrpc": "2.0", "id": 4, "method": "no/such", "params": {}})).await;
        assert_eq!(client.next().await["error"]["code"], -32601);
        client.send_line("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}\r".as_bytes()).await;
        assert_eq!(client.next().await["id"], 5);
        assert_eq!(client.host.notes.lock().unwrap().len(), 1);
        client.end().await;
    });
}

#[test]
fn the_last_line_needs_no_end_and_what_runs_is_answered_before_the_end() {
    run(async {
        let mut client = Client::connected().await;
        let params = json!({"name": "audit", "arguments": {"prompt": PROMPT, "report": REPORT}});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        client.output.write_all(call.to_string().as_bytes()).await.unwrap();
        let said = client.end().await;
        assert_eq!(said.len(), 1);
        assert_eq!(said[0]["result"]["isError"], false);
    });
}

#[test]
fn a_client_that_goes_away_at_once_is_no_fault() {
    run(async {
        assert_eq!(Client::new().end().await, Vec::<Value>::new());
    });
}

#[test]
fn a_refusal_of_the_host_is_a_tool_error() {
    run(async {
        let mut client = Client::connected().await;
        client.call(1, "audit", json!({"run": {"path": "run"}})).await;
        let answer = client.next().await;
        assert_eq!(text(&answer), "error: run: no such folder\nhint: none is read");
        assert_eq!(answer["result"]["_meta"]["steadfast/error"], "input");
        assert_eq!(answer["result"].get("structuredContent"), None);
        client.end().await;
    });
}
