//! The reader: bytes in, steps out.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::conversation::Conversation;
use super::given::{Form, GivenStep};
use super::lines::{LINE_BYTES_MAX, Line, Lines};
use super::messages::message;
use super::nesting::{Nesting, Progress};
use super::sessions::Held;
use super::spans::{event, hex, span};
use super::steps::StepObject;
use super::traces::{SPAN_BYTES_HELD_MAX, SPANS_HELD_MAX, Traces};
use crate::misread::Misread;
use crate::session::{Found, looks_like, stands_before};

/// How many bytes a document that goes over several lines may have.
pub const DOCUMENT_BYTES_MAX: usize = 64 * 1024 * 1024;
/// The setting that makes instrumentations of OpenTelemetry capture what was asked and said.
pub const CAPTURE_SETTING: &str = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/// What is given for the bytes that were taken.
type Read = Result<GivenStep, Misread>;

/// How the file is laid out, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Unknown,
    /// One value on each line.
    Lines,
    /// Values that go over several lines.
    Documents,
    /// What is left is not read.
    Given,
}

/// Reads the steps of one file, whose bytes it takes as they come. However they are cut, it gives the same.
#[derive(Debug)]
pub struct StepReader {
    name: String,
    lines: Lines,
    layout: Layout,
    form: Option<Form>,
    /// A value that has begun on `held_from` and goes on.
    held: Vec<u8>,
    held_from: usize,
    nesting: Nesting,
    conversations: usize,
    open: BTreeMap<Arc<str>, Conversation>,
    traces: Traces,
    session: Held,
    read: Vec<Read>,
}

impl StepReader {
    /// A reader of the file that is called `name`: conversations without an identifier are called after it, with a number.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            lines: Lines::default(),
            layout: Layout::Unknown,
            form: None,
            held: Vec::new(),
            held_from: 0,
            nesting: Nesting::new(),
            conversations: 0,
            open: BTreeMap::new(),
            traces: Traces::default(),
            session: Held::default(),
            read: Vec::new(),
        }
    }

    /// Takes the next bytes of the file and gives what they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<GivenStep, Misread>> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.push(bytes, |number, line| self.line(number, line));
        self.lines = lines;
        std::mem::take(&mut self.read)
    }

    /// Takes a line, given without its end.
    pub fn push_line(&mut self, line: &[u8]) -> Vec<Result<GivenStep, Misread>> {
        let mut read = self.push(line);
        read.extend(self.push(b"\n"));
        read
    }

    /// Ends the file: gives its last line, what was held of a document, and all steps of spans.
    pub fn finish(&mut self) -> Vec<Result<GivenStep, Misread>> {
        let mut lines = std::mem::take(&mut self.lines);
        lines.finish(|number, line| self.line(number, line));
        if !self.held.is_empty() {
            self.broken("the document ends before its value does");
        }
        self.release();
        self.read.extend(self.session.finish(&self.name));
        std::mem::take(&mut self.read)
    }

    /// Which form the file has, once something was read of it.
    #[must_use]
    pub const fn form(&self) -> Option<Form> {
        self.form
    }

    /// Whether the spans that became steps captured what was asked or said; `None` where there were none. Where it is false,
    /// [`CAPTURE_SETTING`] would capture it.
    #[must_use]
    pub fn content_captured(&self) -> Option<bool> {
        self.traces.any.then_some(self.traces.captured)
    }

    fn problem(&mut self, problem: Misread) {
        self.read.push(Err(problem));
    }

    fn line(&mut self, number: usize, line: Line<'_>) {
        if self.layout == Layout::Given {
            return;
        }
        let bytes = match line {
            Line::Bytes(bytes) => bytes,
            Line::TooLong => {
                let what = format!("the line has more than {} MiB", LINE_BYTES_MAX >> 20);
                if self.held.is_empty() {
                    self.problem(Misread::of(number, what));
                } else {
                    self.give_up(Misread::of(number, format!("{what}; the rest of the document is not read")));
                }
                return;
            }
        };
        if !self.held.is_empty() {
            return self.go_on(bytes);
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => return self.problem(Misread::encoding(number, bytes, error)),
        };
        match self.record(number, text) {
            Ok(()) if self.layout == Layout::Unknown => self.layout = Layout::Lines,
            Ok(()) => {}
            Err(error) if error.is_eof() && self.layout != Layout::Lines => {
                self.nesting = Nesting::new();
                if self.nesting.line(bytes) == Progress::Open {
                    self.held.extend_from_slice(bytes);
                    self.held_from = number;
                } else {
                    self.problem(Misread::parser(number, &error));
                }
            }
            Err(error) => self.problem(Misread::parser(number, &error)),
        }
    }

    /// A further line of a document.
    fn go_on(&mut self, bytes: &[u8]) {
        if self.held.len() + bytes.len() >= DOCUMENT_BYTES_MAX {
            let what = format!("the document has more than {} MiB and is not read", DOCUMENT_BYTES_MAX >> 20);
            return self.give_up(Misread::of(self.held_from, what));
        }
        self.held.push(b'\n');
        self.held.extend_from_slice(bytes);
        match self.nesting.line(bytes) {
            Progress::Open => {}
            Progress::Broken => self.broken("the value that begins here is broken off"),
            Progress::Whole => {
                let (held, from) = (std::mem::take(&mut self.held), self.held_from);
                self.layout = Layout::Documents;
                match std::str::from_utf8(&held) {
                    Err(error) => self.problem(Misread::encoding(from, &held, error)),
                    Ok(text) => {
                        if let Err(error) = self.record(from, text) {
                            self.problem(Misread::parser(from, &error));
                        }
                    }
                }
            }
        }
    }

    fn give_up(&mut self, problem: Misread) {
        self.held = Vec::new();
        self.layout = Layout::Given;
        self.problem(problem);
    }

    /// What is held is no value. It was a line that was cut off, with other lines after it, or a document that is broken: lines of
    /// values begin with a bracket where those of a document are indented.
    fn broken(&mut self, what: &str) {
        let (held, from) = (std::mem::take(&mut self.held), self.held_from);
        let mut later = held.split(|it| *it == b'\n').skip(1);
        if !later.any(|line| line.starts_with(b"{")) {
            let problem = match serde_json::from_slice::<serde::de::IgnoredAny>(&held) {
                Err(error) => Misread::parser(from, &error),
                Ok(_) => Misread::of(from, what),
            };
            return self.give_up(problem);
        }
        self.problem(Misread::of(from, what));
        self.layout = Layout::Lines;
        for (after, line) in held.split(|it| *it == b'\n').enumerate().skip(1) {
            self.line(from + after, Line::Bytes(line));
        }
    }

    /// Reads one value. The error is that of the parser; what is wrong with a value that it could parse becomes a problem here.
    fn record(&mut self, line: usize, text: &str) -> Result<(), serde_json::Error> {
        if self.form == Some(Form::Steps) && text.trim_start().starts_with('{') {
            let step: StepObject = serde_json::from_str(text)?;
            self.read.push(Ok(step.on(line)));
            return Ok(());
        }
        let value: Value = serde_json::from_str(text)?;
        let form = match self.form {
            Some(form) => Some(form),
            None => match looks_like(&value) {
                Found::Is(_) => Some(Form::Session),
                Found::Almost(what) => {
                    self.problem(Misread::of(line, what));
                    return Ok(());
                }
                Found::Silent => form_of(&value),
            },
        };
        self.form = form;
        match form {
            Some(Form::Session) => self.session.take(line, text.len(), value),
            // Which log it is its first turn says.
            None if stands_before(&value) => self.session.take(line, text.len(), value),
            Some(Form::Steps) => match value {
                Value::Array(steps) => self.listed_steps(line, steps),
                // Read again from the text, so that what is wrong has its column.
                _ => {
                    let step: StepObject = serde_json::from_str(text)?;
                    self.read.push(Ok(step.on(line)));
                }
            },
            Some(Form::Messages) => self.messages(line, &value),
            Some(Form::Spans) => match &value {
                Value::Array(requests) => requests.iter().for_each(|request| self.spans(line, request)),
                request => self.spans(line, request),
            },
            None => {
                let what = "neither a step (`task_id`), nor chat messages (`messages`), nor spans (`resourceSpans`), nor an agent's session";
                self.problem(Misread::of(line, what));
            }
        }
        Ok(())
    }

    fn listed_steps(&mut self, line: usize, steps: Vec<Value>) {
        for (at, step) in steps.into_iter().enumerate() {
            let read = match step {
                // A derived reader takes a list of their values as well.
                Value::Array(_) => Err("a list, not an object".to_owned()),
                step => StepObject::deserialize(step).map_err(|error| error.to_string()),
            };
            match read {
                Ok(step) => self.read.push(Ok(step.on(line))),
                Err(error) => self.problem(Misread::of(line, format!("step {} of the list: {error}", at + 1))),
            }
        }
    }

    fn messages(&mut self, line: usize, value: &Value) {
        if let Value::Array(items) = value {
            if items.iter().any(|it| listed(it).is_some()) {
                return items.iter().for_each(|it| self.messages(line, it));
            }
            return self.conversation(line, &Map::new(), items.iter());
        }
        match (value.as_object(), listed(value), message(value)) {
            (Some(around), Some(items), _) => self.conversation(line, around, items.into_iter()),
            (Some(around), None, Some(Ok(read))) => {
                // One message a line: the file is a conversation, or several that are told apart by an identifier.
                let id = identifier(around, &["task_id", "conversation_id", "thread_id", "session_id"]);
                let task: Arc<str> = id.map_or_else(|| self.name.as_str().into(), Into::into);
                let conversation = self.open.entry(Arc::clone(&task)).or_default();
                if let Some(step) = conversation.take(read) {
                    let agent = step.agent.clone().or_else(|| agent(around));
                    self.read.push(Ok(GivenStep { task_id: task, line, agent, ..step }));
                }
            }
            (_, _, Some(Err(what))) => self.problem(Misread::of(line, what)),
            _ => self.problem(Misread::of(line, "neither a message nor an object with `messages`")),
        }
    }

    fn conversation<'a>(&mut self, line: usize, around: &Map<String, Value>, items: impl Iterator<Item = &'a Value>) {
        self.conversations += 1;
        let names = ["task_id", "conversation_id", "thread_id", "session_id", "id", "name"];
        let task: Arc<str> = match identifier(around, &names) {
            Some(id) => id.into(),
            None => format!("{}#{}", self.name, self.conversations).into(),
        };
        let of_all = agent(around);
        let intent = around.get("initial_intent").and_then(Value::as_str).map(Arc::from);
        let mut conversation = Conversation::default();
        for (at, item) in items.enumerate() {
            match message(item) {
                Some(Ok(read)) => {
                    if let Some(step) = conversation.take(read) {
                        let (task_id, initial_intent) = (Arc::clone(&task), intent.clone());
                        let agent = step.agent.clone().or_else(|| of_all.clone());
                        self.read.push(Ok(GivenStep { task_id, agent, initial_intent, line, ..step }));
                    }
                }
                Some(Err(what)) => self.problem(Misread::of(line, format!("message {}: {what}", at + 1))),
                None => self.problem(Misread::of(line, format!("message {} is none that is known", at + 1))),
            }
        }
    }

    fn spans(&mut self, line: usize, request: &Value) {
        let groups = [("resourceSpans", "scopeSpans", "spans"), ("resourceLogs", "scopeLogs", "logRecords")];
        let mut any = false;
        for (outer, inner, list) in groups {
            let Some(resources) = request.get(outer) else { continue };
            any = true;
            let scopes = items(resources).flat_map(|it| it.get(inner).into_iter().flat_map(items));
            for item in scopes.flat_map(|it| it.get(list).into_iter().flat_map(items)) {
                if list == "spans" {
                    self.span(line, item);
                } else {
                    self.log_record(item);
                }
                if self.traces.full() {
                    let (spans, bytes) = (SPANS_HELD_MAX, SPAN_BYTES_HELD_MAX >> 20);
                    let what = format!(
                        "more than {spans} spans or {bytes} MiB of their text: what follows of the traces before counts for itself"
                    );
                    self.problem(Misread::of(line, what));
                    self.release();
                }
            }
        }
        if !any {
            self.problem(Misread::of(line, "no `resourceSpans`"));
        }
    }

    fn span(&mut self, line: usize, value: &Value) {
        match span(value, line) {
            Ok(mut read) => {
                for name in std::mem::take(&mut read.content.unreadable) {
                    let what = format!("`{name}` of span {} is JSON that was cut off or is broken", read.id);
                    self.problem(Misread::of(line, what));
                }
                self.traces.hold(read);
            }
            Err(what) => self.problem(Misread::of(line, what)),
        }
    }

    fn log_record(&mut self, value: &Value) {
        let Some(record) = value.as_object() else { return };
        if let (Some(trace), Some(id), Some((name, of, body))) =
            (hex(record, "traceId"), hex(record, "spanId"), event(record))
        {
            let bytes = of.values().chain(&body).map(size).sum();
            self.traces.events_of(trace, id, bytes).take(&name, &of, body.as_ref());
        }
    }

    fn release(&mut self) {
        let steps = self.traces.release();
        self.read.extend(steps.into_iter().map(Ok));
    }
}

/// Bytes of text in a value.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(size).sum(),
        _ => 0,
    }
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The form that a value has by its members.
fn form_of(value: &Value) -> Option<Form> {
    match value {
        Value::Array(items) => items.iter().find_map(form_of),
        Value::Object(object) if object.contains_key("resourceSpans") || object.contains_key("resourceLogs") => {
            Some(Form::Spans)
        }
        Value::Object(object)
            if object.contains_key("task_id") && ["prompt", "output"].iter().any(|it| object.contains_key(*it)) =>
        {
            Some(Form::Steps)
        }
        Value::Object(_) if listed(value).is_some() || message(value).is_some() => Some(Form::Messages),
        Value::Object(object) if object.contains_key("task_id") => Some(Form::Steps),
        _ => None,
    }
}

/// The messages that an object lists: `messages`, Gemini's `contents`, or `input` and `output` of OpenAI's Responses.
fn listed(value: &Value) -> Option<Vec<&Value>> {
    let object = value.as_object()?;
    if let Some(messages) = object.get("messages").or_else(|| object.get("contents")).and_then(Value::as_array) {
        return Some(messages.iter().collect());
    }
    let (input, output) = (object.get("input")?.as_array()?, object.get("output").and_then(Value::as_array));
    Some(input.iter().chain(output.into_iter().flatten()).collect())
}

/// The first of these members that is a string or a whole number.
fn identifier(object: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match object.get(*name)? {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) if !id.is_f64() => Some(id.to_string()),
        _ => None,
    })
}

fn agent(object: &Map<String, Value>) -> Option<Arc<str>> {
    object.get("agent").and_then(Value::as_str).map(Arc::from)
}
