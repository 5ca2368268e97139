//! A request of OpenTelemetry's exporters, read at once: which spans could be read, and which steps they are.

use serde_json::Value;

use super::given::GivenStep;
use super::spans::span;
use super::traces::{SPANS_HELD_MAX, Traces};
use crate::misread::Misread;

/// Problems that are told of a request.
const PROBLEMS_MAX: usize = 20;

/// What a request of spans holds.
#[derive(Debug, Default)]
pub struct ReadSpans {
    /// The steps that its spans are, in the order of their starts.
    pub steps: Vec<GivenStep>,
    /// How many spans there are.
    pub spans: u64,
    /// How many of them could not be read.
    pub rejected: u64,
    /// What is wrong: the first twenty of it. A span may be read though a part of it cannot.
    pub problems: Vec<Misread>,
}

/// Reads a request of spans (`resourceSpans`) in the form of OTLP/JSON, by itself: of spans whose parents come in another request nothing
/// is known.
#[must_use]
pub fn read_spans(request: &Value) -> ReadSpans {
    let mut all = ReadSpans::default();
    let mut traces = Traces::default();
    let scopes = items(request, "resourceSpans").flat_map(|it| items(it, "scopeSpans"));
    for value in scopes.flat_map(|it| items(it, "spans")) {
        all.spans += 1;
        if all.spans > SPANS_HELD_MAX as u64 {
            all.reject(format!("the request holds more than {SPANS_HELD_MAX} spans"));
            continue;
        }
        match span(value, 1) {
            Ok(mut read) => {
                for name in std::mem::take(&mut read.content.unreadable) {
                    let id: String = read.id.chars().take(32).flat_map(char::escape_debug).collect();
                    all.tell(format!("`{name}` of span {id} is JSON that was cut off or is broken"));
                }
                traces.hold(read);
            }
            Err(what) => all.reject(what),
        }
    }
    all.steps = traces.release();
    all
}

impl ReadSpans {
    fn reject(&mut self, what: String) {
        self.rejected += 1;
        self.tell(what);
    }

    fn tell(&mut self, what: String) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(Misread::of(1, what));
        }
    }
}

fn items<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value.get(name).and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::read_spans;

    fn chat(id: &str, parent: &str, start: &str, said: &str) -> Value {
        json!({
            "traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": id, "parentSpanId": parent, "startTimeUnixNano": start,
            "attributes": [
                {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
                {"key": "gen_ai.conversation.id", "value": {"stringValue": "c-1"}},
                {"key": "gen_ai.output.messages", "value": {"stringValue": said}},
            ],
        })
    }

    fn request(spans: Vec<Value>) -> Value {
        json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})
    }

    #[test]
    fn spans_are_steps_in_the_order_of_their_starts() {
        let said =
            |text: &str| json!([{"role": "assistant", "parts": [{"type": "text", "content": text}]}]).to_string();
        let late = chat("00000000000000b2", "00000000000000aa", "20", &said("second"));
        let early = chat("00000000000000b1", "00000000000000aa", "10", &said("first"));
        let read = read_spans(&request(vec![late, early, json!({"spanId": "1"}), json!(3)]));
        let steps: Vec<_> = read.steps.iter().map(|it| (&*it.task_id, it.output.as_deref().unwrap_or("-"))).collect();
        assert_eq!(steps, [("c-1", "first"), ("c-1", "second")]);
        assert_eq!((read.spans, read.rejected), (4, 2));
        let told: Vec<&str> = read.problems.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(told, ["a span has no `traceId`", "a span is no object"]);
    }

    #[test]
    fn what_is_broken_in_a_span_is_told_and_the_span_kept() {
        let read = read_spans(&request(vec![chat("b1", "", "1", "[{\"role\": \"assist")]));
        assert_eq!((read.spans, read.rejected, read.steps.len()), (1, 0, 1));
        let told = &read.problems[0].message;
        assert_eq!(told, "`gen_ai.output.messages` of span b1 is JSON that was cut off or is broken");
        assert_eq!(read_spans(&json!([])).spans, 0);
    }

    #[test]
    fn only_the_first_problems_are_told() {
        let read = read_spans(&request(vec![json!(3); 50]));
        assert_eq!((read.rejected, read.problems.len()), (50, 20));
    }
}
