//! All that a server can do wrong, and some that it can do right.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::say::{Finish, Say, Usage, http, plain, stream};
use super::{Act, Asked, Dialect};

/// How a connection is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meets {
    /// The question is read and answered.
    Answers,
    /// It is closed with a reset before the question is read to its end.
    Resets,
    /// Nobody listens.
    Refuses,
}

/// A way to behave.
#[derive(Clone, Copy, Debug)]
pub struct Behaviour {
    /// Its name.
    pub name: &'static str,
    /// How a connection is met.
    pub meets: Meets,
    /// The one protocol in which it can happen, where it cannot in both.
    pub dialect: Option<Dialect>,
    /// What is done with the question of this number, from 0; the text is what a right reply would say.
    pub act: fn(&Asked, usize, &str) -> Act,
}

const fn both(name: &'static str, act: fn(&Asked, usize, &str) -> Act) -> Behaviour {
    Behaviour { name, meets: Meets::Answers, dialect: None, act }
}

const fn openai(name: &'static str, act: fn(&Asked, usize, &str) -> Act) -> Behaviour {
    Behaviour { name, meets: Meets::Answers, dialect: Some(Dialect::OpenAi), act }
}

const fn anthropic(name: &'static str, act: fn(&Asked, usize, &str) -> Act) -> Behaviour {
    Behaviour { name, meets: Meets::Answers, dialect: Some(Dialect::Anthropic), act }
}

/// The behaviour of a name.
#[must_use]
pub fn behaviour(name: &str) -> Option<&'static Behaviour> {
    BEHAVIOURS.iter().find(|behaviour| behaviour.name == name)
}

const EVENTS: &[(&str, &str)] = &[("content-type", "text/event-stream; charset=utf-8")];
const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

fn events(body: impl AsRef<[u8]>) -> Act {
    Act::Send(http("200 OK", EVENTS, body.as_ref()))
}

fn said(asked: &Asked, say: &Say) -> Act {
    events(stream(asked, say))
}

fn good(asked: &Asked, good: &str) -> Act {
    said(asked, &Say::words(good))
}

fn json(body: &Value) -> Act {
    Act::Send(http("200 OK", JSON, body.to_string().as_bytes()))
}

fn error(status: &str, headers: &[(&str, &str)], message: &str) -> Act {
    let body = json!({"type": "error", "error": {"type": "some_error", "message": message}}).to_string();
    Act::Send(http(status, &[JSON, headers].concat(), body.as_bytes()))
}

/// An error for the first question, a right reply from then on.
fn once(count: usize, fault: Act, asked: &Asked, text: &str) -> Act {
    if count == 0 { fault } else { good(asked, text) }
}

/// The head of a stream that has more bytes than come.
fn promised(bytes: usize, body: &str) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\ncontent-length: {bytes}\r\n\r\n"
    );
    (head + body).into_bytes()
}

/// The beginning of a right stream.
fn beginning(asked: &Asked, text: &str) -> String {
    let whole = stream(asked, &Say::words(text));
    let half = (0..=whole.len() / 2).rev().find(|at| whole.is_char_boundary(*at)).unwrap_or(0);
    whole[..half].to_owned()
}

/// The right reply with one more field.
fn with_field(text: &str) -> String {
    text.trim_end().strip_suffix('}').map_or_else(String::new, |rest| format!("{rest}, \"surplus\": 1}}"))
}

/// The right reply with its first field twice.
fn with_field_twice(text: &str) -> String {
    let fields: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    let first = fields.iter().next().map(|(name, value)| format!("{}: {value}, ", json!(name))).unwrap_or_default();
    text.replacen('{', &format!("{{{first}"), 1)
}

/// The right reply with the value of its first field written so.
fn with_value(text: &str, value: &str) -> String {
    let fields: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    let first = fields.iter().next().map(|(name, _)| format!("{{{}: {value}}}", json!(name)));
    first.unwrap_or_default()
}

/// The right reply with ten thousand in the place of its first list of objects, or of a list of its own.
fn ten_thousand(text: &str) -> String {
    let mut reply: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    let listed = reply.iter().find_map(|(name, value)| {
        let first = value.as_array()?.first()?;
        first.is_object().then(|| (name.clone(), first.clone()))
    });
    let (name, one) = listed.unwrap_or_else(|| ("incidents".to_owned(), json!({"quote": "q"})));
    let numbered = |index: usize| {
        let mut one = one.clone();
        for value in one.as_object_mut().into_iter().flat_map(Map::values_mut) {
            if let Value::String(text) = value {
                *text = format!("{text} {index}");
            }
        }
        one
    };
    reply.insert(name, (0..10_000).map(numbered).collect());
    Value::Object(reply).to_string()
}

/// What a server says that does not know the form it is asked for.
fn form_refused(asked: &Asked) -> Act {
    let what = if asked.dialect == Dialect::OpenAi { "response_format" } else { "output_config" };
    error("400 Bad Request", &[], &format!("unsupported parameter: {what}"))
}

/// An error as an event.
fn failure(asked: &Asked, kind: &str) -> String {
    let error = json!({"type": "error", "error": {"type": kind, "message": "try later"}});
    match asked.dialect {
        Dialect::OpenAi => format!("data: {error}\n\n"),
        Dialect::Anthropic => format!("event: error\ndata: {error}\n\n"),
    }
}

fn error_event(asked: &Asked, kind: &str) -> Act {
    events(failure(asked, kind))
}

/// All of them.
pub const BEHAVIOURS: &[Behaviour] = &[
    both("a right stream", |asked, _, text| good(asked, text)),
    both("a right reply in one piece", |asked, _, text| {
        Act::Send(http("200 OK", JSON, plain(asked, &Say::words(text)).as_bytes()))
    }),
    both("line ends as on Windows, comments and unknown events", |asked, _, text| {
        let stream = stream(asked, &Say::words(text)).replace('\n', "\r\n");
        events(format!(": hello\r\n\r\nretry: 10\r\nid: 1\r\n\r\n{stream}"))
    }),
    openai("a model that thinks aloud first", |asked, _, text| {
        let thought = json!({"choices": [{"index": 0, "delta": {"reasoning_content": "hm {"}, "finish_reason": null}]});
        events(format!("data: {thought}\n\n{}", stream(asked, &Say::words(text))))
    }),
    // The connection.
    Behaviour { meets: Meets::Refuses, ..both("refused", |_, _, _| Act::Send(Vec::new())) },
    Behaviour { meets: Meets::Resets, ..both("reset before the head", |_, _, _| Act::Send(Vec::new())) },
    both("closed without a word", |_, _, _| Act::Send(Vec::new())),
    both("reset mid-body", |asked, _, text| Act::Send(promised(100_000, &beginning(asked, text)))),
    both("reset mid-body once", |asked, count, text| {
        once(count, Act::Send(promised(100_000, &beginning(asked, text))), asked, text)
    }),
    both("hung before the head", |_, _, _| Act::Hold(Vec::new())),
    both("hung behind the head", |_, _, _| Act::Hold(promised(100_000, ""))),
    both("hung mid-body", |asked, _, text| Act::Hold(promised(100_000, &beginning(asked, text)))),
    both("one byte at a time", |asked, _, text| {
        let answer = http("200 OK", EVENTS, stream(asked, &Say::words(text)).as_bytes());
        Act::Pieces(answer.into_iter().map(|byte| vec![byte]).collect(), Duration::ZERO)
    }),
    both("a trickle without an end", |_, _, _| {
        Act::Trickle(promised(1 << 20, ""), b": \n".to_vec(), Duration::from_millis(20))
    }),
    both("no HTTP", |_, _, _| Act::Send(b"SSH-2.0-OpenSSH_9.2\r\nProtocol mismatch.\r\n".to_vec())),
    both("a head without an end", |_, _, _| {
        Act::Send(format!("HTTP/1.1 200 OK\r\nx: {}", "a".repeat(1 << 20)).into_bytes())
    }),
    both("chunks that are none", |_, _, _| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
        Act::Send(format!("{head}zz\r\ndata: x\r\n").into_bytes())
    }),
    // What is no answer.
    both("HTML with 200", |_, _, _| {
        Act::Send(http("200 OK", &[("content-type", "text/html")], b"<html><body>Welcome</body></html>"))
    }),
    both("an empty body with 200", |_, _, _| Act::Send(http("200 OK", JSON, b""))),
    both("an empty stream", |_, _, _| events("")),
    both("the right reply under another content type", |asked, _, text| {
        let body = plain(asked, &Say::words(text));
        Act::Send(http("200 OK", &[("content-type", "text/plain")], body.as_bytes()))
    }),
    both("the right reply without a content type", |asked, _, text| {
        Act::Send(http("200 OK", &[], plain(asked, &Say::words(text)).as_bytes()))
    }),
    both("JSON of another kind", |_, _, _| json(&json!({"models": ["a", "b"]}))),
    both("JSON that is nested without an end", |_, _, _| {
        Act::Send(http("200 OK", JSON, "[".repeat(100_000).as_bytes()))
    }),
    both("an event that is no JSON", |_, _, _| events("data: {oops\n\n")),
    openai("no choices", |_, _, _| json(&json!({"choices": []}))),
    openai("two choices", |_, _, text| {
        let choice = |index| json!({"index": index, "message": {"content": text}, "finish_reason": "stop"});
        json(&json!({"choices": [choice(0), choice(1)]}))
    }),
    openai("two choices in a stream", |_, _, text| {
        let choice = |index| json!({"choices": [{"index": index, "delta": {"content": text}, "finish_reason": null}]});
        events(format!("data: {}\n\ndata: {}\n\n", choice(0), choice(1)))
    }),
    openai("content that is no text", |_, _, _| {
        json(&json!({"choices": [{"index": 0, "message": {"content": {"a": 1}}, "finish_reason": "stop"}]}))
    }),
    both("a gzip bomb", |_, _, _| {
        let headers = [("content-type", "application/json"), ("content-encoding", "gzip")];
        Act::Send(http("200 OK", &headers, &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]))
    }),
    both("a body that is said to be huge", |_, _, _| Act::Hold(promised(1 << 40, ""))),
    both("a stream that is huge", |asked, _, _| {
        let long: String = (0..260_000).map(|number| format!("{number} ")).collect();
        said(asked, &Say::words(&long))
    }),
    both("bytes that are no UTF-8", |asked, _, text| {
        let mut body = stream(asked, &Say::words(text)).into_bytes();
        let middle = body.len() / 2;
        body.insert(middle, 0xff);
        events(body)
    }),
    both("a stream that is split inside a character", |asked, _, text| {
        let whole = http("200 OK", EVENTS, stream(asked, &Say::words(&format!("Für Öl: {text}"))).as_bytes());
        let at = whole.iter().position(|byte| *byte == 0xc3).map_or(0, |at| at + 1);
        let (one, two) = whole.split_at(at);
        Act::Pieces(vec![one.to_vec(), two.to_vec()], Duration::from_millis(5))
    }),
    both("lone surrogates in the frame", |asked, _, _| {
        let event = match asked.dialect {
            Dialect::OpenAi => r#"{"choices":[{"index":0,"delta":{"content":"\ud800"}}]}"#,
            Dialect::Anthropic => r#"{"type":"content_block_delta","delta":{"text":"\ud800"}}"#,
        };
        events(format!("data: {event}\n\n"))
    }),
    // Statuses.
    both("429 once", |asked, count, text| once(count, error("429 Too Many Requests", &[], "slow down"), asked, text)),
    both("429 with seconds", |asked, count, text| {
        once(count, error("429 Too Many Requests", &[("retry-after", "7")], "slow down"), asked, text)
    }),
    both("429 with a date", |asked, count, text| {
        let headers = [("date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("retry-after", "Sun, 06 Nov 1994 08:49:46 GMT")];
        once(count, error("429 Too Many Requests", &headers, "slow down"), asked, text)
    }),
    both("429 with a day", |_, _, _| error("429 Too Many Requests", &[("retry-after", "86400")], "slow down")),
    both("429 with more than is left", |_, _, _| error("429 Too Many Requests", &[("retry-after", "45")], "slow down")),
    both("429 with nonsense", |asked, count, text| {
        once(count, error("429 Too Many Requests", &[("retry-after", "soon")], "slow down"), asked, text)
    }),
    both("429 for ever", |_, _, _| error("429 Too Many Requests", &[], "slow down")),
    both("500 once", |asked, count, text| once(count, error("500 Internal Server Error", &[], "oops"), asked, text)),
    both(
        "500 twice",
        |asked, count, text| {
            if count < 2 { error("500 Internal Server Error", &[], "oops") } else { good(asked, text) }
        },
    ),
    both("a storm of 500", |_, _, _| error("500 Internal Server Error", &[], "oops")),
    both("502 with HTML", |_, _, _| {
        let html = b"<html><h1>502 Bad Gateway</h1></html>";
        Act::Send(http("502 Bad Gateway", &[("content-type", "text/html")], html))
    }),
    both("503 with seconds", |asked, count, text| {
        once(count, error("503 Service Unavailable", &[("retry-after", "3")], "loading"), asked, text)
    }),
    both("529", |_, _, _| error("529 Overloaded", &[], "overloaded")),
    both("408 once", |asked, count, text| once(count, error("408 Request Timeout", &[], "late"), asked, text)),
    both("409 once", |asked, count, text| once(count, error("409 Conflict", &[], "again"), asked, text)),
    both("400", |_, _, _| error("400 Bad Request", &[], "no")),
    both("401", |_, _, _| error("401 Unauthorized", &[("retry-after", "1")], "no such key")),
    both("402", |_, _, _| error("402 Payment Required", &[], "no credit")),
    both("403", |_, _, _| error("403 Forbidden", &[], "not for you")),
    both("404", |_, _, _| error("404 Not Found", &[], "no such model")),
    both("413", |_, _, _| error("413 Content Too Large", &[], "too long")),
    both("422", |_, _, _| error("422 Unprocessable Content", &[], "no")),
    both("302", |_, _, _| Act::Send(http("302 Found", &[("location", "/elsewhere")], b""))),
    both("307", |_, _, _| Act::Send(http("307 Temporary Redirect", &[("location", "http://127.0.0.2:1/")], b""))),
    both("an error that repeats what was sent", |asked, _, _| {
        let user = |message: &Value| message["role"] == "user";
        let said = asked.body["messages"].as_array().and_then(|all| all.iter().find(|one| user(one)).cloned());
        let key = asked.header("authorization").or_else(|| asked.header("x-api-key")).unwrap_or_default();
        let said = said.map(|message| message["content"].to_string()).unwrap_or_default();
        error("403 Forbidden", &[], &format!("{key} {said}"))
    }),
    // Errors within an answer.
    both("an error in the stream", |asked, _, _| error_event(asked, "invalid_request_error")),
    both("an error in the stream that passes", |asked, count, text| {
        once(count, error_event(asked, "overloaded_error"), asked, text)
    }),
    both("an error in the stream for ever", |asked, _, _| error_event(asked, "overloaded_error")),
    both("an error behind half of the stream", |asked, _, text| {
        let half = Say { finish: Finish::Unsaid, usage: Usage::Missing, done: false, ..Say::words(&text[..1]) };
        events(stream(asked, &half) + &failure(asked, "api_error"))
    }),
    both("an error object with 200", |_, _, _| {
        json(&json!({"error": {"message": "no", "type": "invalid_request_error"}}))
    }),
    // The form that is asked for.
    both(
        "the schema refused",
        |asked, _, text| {
            if asked.mode() == "json_schema" { form_refused(asked) } else { good(asked, text) }
        },
    ),
    both(
        "every form refused",
        |asked, _, text| {
            if asked.mode() == "prompt" { good(asked, text) } else { form_refused(asked) }
        },
    ),
    both("the schema refused without a word", |asked, _, text| {
        if asked.mode() == "json_schema" { Act::Send(http("422 No", &[], b"")) } else { good(asked, text) }
    }),
    both("the schema refused with 500", |asked, _, text| {
        let refused = error("500 Internal Server Error", &[], "failed to parse grammar");
        if asked.mode() == "json_schema" { refused } else { good(asked, text) }
    }),
    // How a reply ends.
    both("cut by length", |asked, _, text| said(asked, &Say { finish: Finish::Length, ..Say::words(text) })),
    both("no finish reason", |asked, _, text| said(asked, &Say { finish: Finish::Unsaid, ..Say::words(text) })),
    both("a stream without its end", |asked, _, text| said(asked, &Say { done: false, ..Say::words(text) })),
    both("a stream without its end or a reason", |asked, _, text| {
        said(asked, &Say { done: false, finish: Finish::Unsaid, usage: Usage::Missing, ..Say::words(text) })
    }),
    anthropic("a stream without its beginning", |asked, _, text| {
        let stream = stream(asked, &Say { usage: Usage::Missing, ..Say::words(text) });
        let behind = stream.split_once("\n\n").map_or("", |(_, rest)| rest);
        events(behind)
    }),
    both("a filter", |asked, _, text| said(asked, &Say { finish: Finish::Declined, ..Say::words(text) })),
    openai("a refusal", |_, _, _| {
        let message = json!({"content": null, "refusal": "I cannot help with that."});
        json(&json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}))
    }),
    both("a tool that nobody offered", |asked, _, text| said(asked, &Say { finish: Finish::Tool, ..Say::words(text) })),
    // What a reply says.
    both("an empty reply", |asked, _, _| said(asked, &Say::words(""))),
    both("prose around the reply", |asked, _, text| {
        said(asked, &Say::words(&format!("Sure, here it is:\n{text}\nI hope that helps.")))
    }),
    both("a code fence", |asked, _, text| said(asked, &Say::words(&format!("```json\n{text}\n```")))),
    both("thoughts", |asked, _, text| said(asked, &Say::words(&format!("<think>{{hm}}</think>{text}")))),
    both("the reply twice", |asked, _, text| said(asked, &Say::words(&format!("{text}\n{text}")))),
    both("a field twice", |asked, _, text| said(asked, &Say::words(&with_field_twice(text)))),
    both("NaN", |asked, _, text| said(asked, &Say::words(&with_value(text, "NaN")))),
    both("lone surrogates", |asked, _, text| said(asked, &Say::words(&with_value(text, "\"\\ud800\"")))),
    both("a reply that is cut but called finished", |asked, _, text| {
        said(asked, &Say::words(text.trim_end().trim_end_matches('}')))
    }),
    both("the schema ignored", |asked, _, _| said(asked, &Say::words("{\"answer\": \"yes\"}"))),
    both("an unknown field", |asked, _, text| said(asked, &Say::words(&with_field(text)))),
    both("an unknown field, mended", |asked, count, text| {
        if count == 0 { said(asked, &Say::words(&with_field(text))) } else { good(asked, text) }
    }),
    both("an unknown field, then 500", |asked, count, text| match count {
        0 => said(asked, &Say::words(&with_field(text))),
        _ => error("500 Internal Server Error", &[], "oops"),
    }),
    both("ten thousand incidents", |asked, _, text| said(asked, &Say::words(&ten_thousand(text)))),
    // Replies that run away.
    both("a flood of line breaks", |asked, _, _| said(asked, &Say::words(&format!("{{{}", "\n".repeat(50_000))))),
    both("a loop of digits", |asked, _, _| said(asked, &Say::words(&format!("{{\"a\": 0.{}", "3".repeat(50_000))))),
    both("a loop of lines", |asked, _, _| {
        said(asked, &Say::words(&format!("{{\"a\": \"{}", "and so on\\n".repeat(5_000))))
    }),
    both("a loop of words", |asked, _, _| {
        said(asked, &Say::words(&format!("{{\"a\": \"{}", "no, never, no, ".repeat(5_000))))
    }),
    // What is said of tokens.
    both("no usage", |asked, _, text| said(asked, &Say { usage: Usage::Missing, ..Say::words(text) })),
    both("usage below nothing", |asked, _, text| {
        said(asked, &Say { usage: Usage::Odd(json!(-5)), ..Say::words(text) })
    }),
    both("usage beyond measure", |asked, _, text| {
        said(asked, &Say { usage: Usage::Odd(json!(u64::MAX)), ..Say::words(text) })
    }),
    both("usage in words", |asked, _, text| said(asked, &Say { usage: Usage::Odd(json!("many")), ..Say::words(text) })),
];
