//! A client of `steadfast mcp`, by JSON-RPC as it goes over the wire.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::common::Place;

pub(crate) const NEW: &str = "2026-07-28";
pub(crate) const OLD: &str = "2025-11-25";

/// A server, and the revision that its client speaks.
pub(crate) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: BufReader<ChildStdout>,
    revision: &'static str,
    asked: u64,
}

impl Session {
    pub(crate) fn start(place: &Place, arguments: &[&str], revision: &'static str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_steadfast"))
            .arg("mcp")
            .args(arguments)
            .current_dir(place.root())
            .env("STEADFAST_MODELS", place.path("no-models"))
            .env("XDG_DATA_HOME", place.path("data"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, lines) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut session = Self { child, input, lines, revision, asked: 0 };
        if revision == OLD {
            let hello =
                json!({"protocolVersion": OLD, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
            let answer = session.ask("initialize", hello);
            assert_eq!(answer["result"]["protocolVersion"], OLD);
            assert_eq!(answer["result"]["serverInfo"]["name"], "steadfast");
            assert_eq!(answer["result"]["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
            session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        session
    }

    pub(crate) fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// The answer to one request. Whatever stands on stdout must be one.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> Value {
        self.asked += 1;
        if self.revision == NEW {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": NEW,
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        self.send(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(self.asked)), "{answer}");
        answer
    }

    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool that must say exactly this error, of this kind.
    #[track_caller]
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value, kind: &str, text: &str) {
        let answer = self.call(tool, arguments);
        let result = &answer["result"];
        assert_eq!(result["content"][0]["text"], text, "{answer}");
        assert_eq!((&result["isError"], &result["_meta"]["steadfast/error"]), (&json!(true), &json!(kind)));
        // Of an audit that is not evaluable the structured content says why; of all else that is refused there is none.
        let why = result.get("structuredContent").map(|own| own["not_evaluable"]["detail"].clone());
        let expect = (tool == "audit" && kind == "not_evaluable").then(|| json!(text.trim_start_matches("error: ")));
        assert_eq!(why, expect);
    }

    /// Closes stdin and gives what was said on stderr; nothing more may stand on stdout.
    pub(crate) fn end(mut self) -> String {
        self.input = None;
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.lines, &mut rest).unwrap();
        assert_eq!(rest, "");
        let output = self.child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap()
    }
}

/// JSON without the white space between its parts: everything else stays as it is.
pub(crate) fn compact(json: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::new(), false, false);
    for character in json.chars() {
        if in_string || !character.is_whitespace() {
            out.push(character);
        }
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = in_string,
            '"' => in_string = !in_string,
            _ => {}
        }
    }
    out
}
