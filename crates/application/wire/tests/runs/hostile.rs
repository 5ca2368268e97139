//! Bytes that mean no good, and all ways to cut what does.

use proptest::prelude::*;
use steadfast_wire::watch::{
    DOCUMENT_BYTES_MAX, LINE_BYTES_MAX, NESTING_MAX, SPANS_HELD_MAX, StepReader, read_intents,
};

use crate::{check, read_all, shown};

fn lines(bytes: &[u8]) -> Vec<String> {
    read_all(bytes).0.iter().map(shown).collect()
}

#[test]
fn a_line_beyond_the_limit_is_skipped_without_being_held() {
    let step = |bytes: usize| {
        let around = "{\"task_id\":\"\"}".len();
        format!("{{\"task_id\":\"{}\"}}", "x".repeat(bytes - around))
    };
    let at_the_limit = step(LINE_BYTES_MAX);
    assert_eq!(read_all(at_the_limit.as_bytes()).0[0].as_ref().unwrap().task_id.len(), LINE_BYTES_MAX - 14);
    let file = format!("{}\n{{\"task_id\":\"a\"}}\n", step(LINE_BYTES_MAX + 1));
    assert_eq!(lines(file.as_bytes()), ["! 1:1: the line has more than 16 MiB", "a - - | - | -"]);
    // Digits without end, in pieces: no more than a line's limit is ever held.
    let mut reader = StepReader::new("run");
    let digits = vec![b'7'; 1 << 20];
    for _ in 0..64 {
        assert!(reader.push(&digits).is_empty());
    }
    let read = reader.push(b"\n{\"task_id\":\"a\"}\n");
    assert_eq!(read.iter().map(shown).collect::<Vec<_>>(), ["! 1:1: the line has more than 16 MiB", "a - - | - | -"]);
}

#[test]
fn a_document_beyond_the_limit_is_not_read() {
    let mut reader = StepReader::new("run");
    let mut read = reader.push(b"{\"messages\": [\n");
    let line = format!("\"{}\",\n", "x".repeat(1 << 20));
    for _ in 0..=DOCUMENT_BYTES_MAX >> 20 {
        read.extend(reader.push(line.as_bytes()));
    }
    read.extend(reader.push(b"3]}\n{\"task_id\":\"a\"}\n"));
    read.extend(reader.finish());
    assert_eq!(
        read.iter().map(shown).collect::<Vec<_>>(),
        ["! 1:1: the document has more than 64 MiB and is not read"]
    );
}

#[test]
fn deep_nesting_is_refused() {
    let nested = |depth: usize| format!("{{\"task_id\":\"a\",\"x\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(lines(nested(NESTING_MAX - 2).as_bytes()), ["a - - | - | -"]);
    for depth in [NESTING_MAX, 1_000_000] {
        let lines = lines(nested(depth).as_bytes());
        assert!(lines[0].starts_with("! 1:") && lines[0].ends_with("recursion limit exceeded"), "{lines:?}");
    }
    let over_lines = "[\n".repeat(1_000_000);
    assert_eq!(lines(over_lines.as_bytes()).len(), 1);
    let objects = "{\n".repeat(100_000);
    assert!(!lines(objects.as_bytes()).is_empty());
}

#[test]
fn surrogates_nought_and_broken_encoding_are_named() {
    check(
        "{\"task_id\":\"a\",\"output\":\"\\ud800\"}\n{\"task_id\":\"a\",\"output\":\"\\u0000\"}\n{\"task_id\":\"a\u{0}\"}\n",
        &[
            "! 1:32: unexpected end of hex escape",
            r#"a - - | - | "\0""#,
            "! 3:14: control character (\\u0000-\\u001F) found while parsing a string",
        ],
    );
    let read = lines(b"{\"task_id\":\"a\"}\n{\"task_id\":\"\xff\"}\n{\"task_id\":\"b\"}\n");
    assert_eq!(read, ["a - - | - | -", "! 2:13: byte 0xff is no UTF-8", "b - - | - | -"]);
    let read = lines(b"{\n\"task_id\":\n \"\xc3\"}\n");
    assert_eq!(read, ["! 3:3: byte 0xc3 is no UTF-8"]);
}

#[test]
fn a_long_instruction_above_many_steps_is_held_once() {
    let long = "x".repeat(1 << 20);
    let answers = ",{\"role\":\"assistant\",\"content\":\"y\"}".repeat(100_000);
    let file = format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"{long}\"}}{answers}]}}");
    assert_eq!(read_all(file.as_bytes()).0.len(), 100_000);
}

#[test]
fn a_message_quotes_no_more_than_it_must() {
    let long = "x".repeat(1_000_000);
    let role = format!("{{\"messages\":[{{\"role\":\"{long}\"}}]}}");
    let text = format!("{{\"task_id\":\"a\"}}\n\"{long}\"");
    for file in [role, text] {
        let problem = read_all(file.as_bytes()).0.pop().unwrap().unwrap_err();
        assert!(problem.message.chars().count() == 301 && problem.message.ends_with('…'), "{problem}");
    }
}

#[test]
fn more_spans_than_are_held_become_steps_before_the_end() {
    let request = |spans: usize| {
        let call = r#"{"traceId":"t","spanId":"call","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}}]}"#;
        let others: String = (1..spans).map(|at| format!(r#",{{"traceId":"t","spanId":"{at}"}}"#)).collect();
        format!(r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{call}{others}]}}]}}]}}"#)
    };
    let at_the_limit = request(SPANS_HELD_MAX);
    assert_eq!(lines(at_the_limit.as_bytes()), ["t - 0 | - | -"]);
    let mut reader = StepReader::new("run");
    let read = reader.push_line(request(SPANS_HELD_MAX + 1).as_bytes());
    let said =
        "! 1:1: more than 200000 spans or 256 MiB of their text: what follows of the traces before counts for itself";
    assert_eq!(read.iter().map(shown).collect::<Vec<_>>(), [said, "t - 0 | - | -"]);
    reader.push_line(request(1).as_bytes());
    assert_eq!(reader.finish().iter().map(shown).collect::<Vec<_>>(), ["t - 1 | - | -"], "numbers go on");
}

#[test]
fn spans_in_a_circle_and_in_a_chain() {
    let agent = r#"{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}}"#;
    let span = |id: usize, parent: usize| {
        format!(r#"{{"traceId":"t","spanId":"{id}","parentSpanId":"{parent}","attributes":[{agent}]}}"#)
    };
    let request =
        |spans: Vec<String>| format!(r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{}]}}]}}]}}"#, spans.join(","));
    let circle = request((0..1_000).map(|at| span(at, (at + 1) % 1_000)).collect());
    assert_eq!(read_all(circle.as_bytes()).0.len(), 1_000);
    let chain = request((0..50_000).map(|at| span(at, at + 1)).collect());
    let steps = read_all(chain.as_bytes()).0;
    assert_eq!(steps.len(), 50_000);
    assert!(steps.iter().all(|step| step.as_ref().unwrap().task_id.len() < 1_000));
}

#[test]
fn long_names_are_not_repeated_for_each_agent() {
    let text = |key: &str, value: &str| format!(r#"{{"key":"{key}","value":{{"stringValue":"{value}"}}}}"#);
    let span = |id: &str, parent: &str, more: &[(&str, &str)]| {
        let attributes: Vec<String> = [("gen_ai.operation.name", "invoke_agent")]
            .iter()
            .chain(more)
            .map(|(key, value)| text(key, value))
            .collect();
        let attributes = attributes.join(",");
        format!(r#"{{"traceId":"t","spanId":"{id}","parentSpanId":"{parent}","attributes":[{attributes}]}}"#)
    };
    let tasks = |spans: Vec<String>| -> Vec<String> {
        let request = format!(r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{}]}}]}}]}}"#, spans.join(","));
        read_all(request.as_bytes()).0.into_iter().map(|step| step.unwrap().task_id.to_string()).collect()
    };
    let below = |top: String| -> Vec<String> {
        let agents = (0..5_000).map(|at| span(&at.to_string(), "top", &[]));
        tasks([top].into_iter().chain(agents).collect())
    };
    let of_conversation = |bytes: usize| {
        let tasks = below(span("top", "", &[("gen_ai.conversation.id", &"c".repeat(bytes))]));
        (tasks.len(), tasks.iter().filter(|task| task.starts_with("cc")).count())
    };
    assert_eq!((of_conversation(1_024), of_conversation(1_025)), ((5_001, 5_001), (5_001, 0)));
    assert_eq!(of_conversation(1_000_000), (5_001, 0));
    let chain =
        (0..100).map(|at| span(&at.to_string(), &(at + 1).to_string(), &[("gen_ai.agent.name", &"a".repeat(300))]));
    let longest = tasks(chain.collect()).iter().map(String::len).max();
    assert!(longest.is_some_and(|bytes| (2_049..2_300).contains(&bytes)), "{longest:?}");
}

/// Bytes that come near to what the reader knows.
fn near() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\n",
        "\r\n",
        " ",
        "\"",
        "\\",
        "\u{feff}",
        "\"task_id\":",
        "\"a\"",
        "\"prompt\":",
        "\"output\":",
        "1",
        "-",
        "1e999",
        "null",
        "{\"task_id\":\"a\"}\n",
        "\"messages\":",
        "{\"role\":\"user\",\"content\":\"x\"}",
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"y\"}]}",
        "\"resourceSpans\":",
        "\"scopeSpans\":",
        "\"spans\":",
        "{\"traceId\":\"t\",\"spanId\":\"s\",\"attributes\":[]}",
        "\"attributes\":",
        "{\"key\":\"gen_ai.operation.name\",\"value\":{\"stringValue\":\"chat\"}}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[",
        "]}]}]}\n",
        "\\ud800",
        "\u{0}",
        "é",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|it| it.concat().into_bytes())
}

proptest! {
    #[test]
    fn any_bytes_are_borne(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = (read_all(&bytes), read_intents(&bytes));
    }

    #[test]
    fn what_comes_near_is_borne_and_cuts_change_nothing(bytes in near(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let whole = read_all(&bytes).0;
        let mut cuts: Vec<usize> = cuts.iter().map(|it| it.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let mut reader = StepReader::new("run.jsonl");
        let (mut read, mut from) = (Vec::new(), 0);
        for to in cuts.into_iter().chain([bytes.len()]) {
            read.extend(reader.push(&bytes[from..to]));
            from = to;
        }
        read.extend(reader.finish());
        prop_assert_eq!(&read, &whole);
        for found in whole {
            let line = match found { Ok(step) => step.line, Err(problem) => problem.line };
            prop_assert!(line >= 1 && line <= 1 + bytes.iter().filter(|it| **it == b'\n').count());
        }
    }
}
