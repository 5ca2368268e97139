//! OTLP/JSON spans, with the names of today and those before.

use steadfast_wire::watch::Form;

use crate::{check, read_all, shown};

/// A span in short: identifier, parent, start, and attributes as pairs of name and `AnyValue`.
fn span(id: &str, parent: &str, start: u64, attributes: &[(&str, &str)]) -> String {
    with_events(id, parent, start, attributes, "")
}

fn with_events(id: &str, parent: &str, start: u64, attributes: &[(&str, &str)], events: &str) -> String {
    let attributes = list(attributes);
    format!(
        r#"{{"traceId":"5B8EFFF798038103D269B633813FC60C","spanId":"{id}","parentSpanId":"{parent}","name":"x","kind":3,"startTimeUnixNano":"{start}","endTimeUnixNano":"9","attributes":{attributes},"events":[{events}],"status":{{}}}}"#
    )
}

fn list(attributes: &[(&str, &str)]) -> String {
    let pairs: Vec<String> =
        attributes.iter().map(|(key, value)| format!(r#"{{"key":"{key}","value":{value}}}"#)).collect();
    format!("[{}]", pairs.join(","))
}

fn request(spans: &[String]) -> String {
    format!(
        r#"{{"resourceSpans":[{{"resource":{{"attributes":[]}},"scopeSpans":[{{"scope":{{"name":"s"}},"spans":[{}]}}]}}]}}"#,
        spans.join(",")
    )
}

fn string(text: &str) -> String {
    format!(r#"{{"stringValue":{}}}"#, serde_json::to_string(text).unwrap())
}

/// A list of messages as the conventions have it, in a JSON string.
fn said(role: &str, text: &str) -> String {
    string(&format!(r#"[{{"role":"{role}","parts":[{{"type":"text","content":"{text}"}}]}}]"#))
}

const CHAT: (&str, &str) = ("gen_ai.operation.name", r#"{"stringValue":"chat"}"#);
const AGENT: (&str, &str) = ("gen_ai.operation.name", r#"{"stringValue":"invoke_agent"}"#);
const TOOL: (&str, &str) = ("gen_ai.operation.name", r#"{"stringValue":"execute_tool"}"#);
const TRACE: &str = "5b8efff798038103d269b633813fc60c";

#[test]
fn calls_of_a_model_in_the_order_of_their_starts() {
    let history = string(
        r#"[{"role":"system","parts":[{"type":"text","content":"s"}]},{"role":"user","parts":[{"type":"text","content":"Find it."}]},{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"f","arguments":{}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"c","response":"42"}]}]"#,
    );
    let asked = said("user", "Find it.");
    let called = string(
        r#"[{"role":"assistant","parts":[{"type":"tool_call","id":"c","name":"f"}],"finish_reason":"tool_call"}]"#,
    );
    let answered = string(
        r#"[{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"text","content":"It is 42."}],"finish_reason":"stop"}]"#,
    );
    let spans = [
        span("02", "00", 20, &[CHAT, ("gen_ai.input.messages", &history), ("gen_ai.output.messages", &answered)]),
        span("03", "00", 15, &[TOOL, ("gen_ai.tool.name", &string("f"))]),
        span("01", "00", 10, &[CHAT, ("gen_ai.input.messages", &asked), ("gen_ai.output.messages", &called)]),
        span("00", "", 1, &[("http.method", &string("POST"))]),
    ];
    let expect = [format!(r#"{TRACE} - 0 | "Find it." | -"#), format!(r#"{TRACE} - 1 | "Find it." | "It is 42.""#)];
    let expect: Vec<&str> = expect.iter().map(String::as_str).collect();
    check(&request(&spans), &expect);
    let a_request_a_line: Vec<String> = spans.iter().map(|it| request(std::slice::from_ref(it))).collect();
    check(&a_request_a_line.join("\n"), &expect);
    let (_, reader) = read_all(request(&spans).as_bytes());
    assert_eq!((reader.form(), reader.content_captured()), (Some(Form::Spans), Some(true)));
}

#[test]
fn structured_values_and_all_kinds_of_them() {
    let structured = |role: &str, text: &str| {
        format!(
            r#"{{"arrayValue":{{"values":[{{"kvlistValue":{{"values":[{{"key":"role","value":{{"stringValue":"{role}"}}}},{{"key":"parts","value":{{"arrayValue":{{"values":[{{"kvlistValue":{{"values":[{{"key":"type","value":{{"stringValue":"text"}}}},{{"key":"content","value":{{"stringValue":"{text}"}}}}]}}}}]}}}}}}]}}}}]}}}}"#
        )
    };
    let attributes = [
        CHAT,
        ("gen_ai.conversation.id", r#"{"stringValue":"conv_5"}"#),
        ("gen_ai.input.messages", &structured("user", "Ask.")),
        ("gen_ai.output.messages", &structured("assistant", "Say.")),
        ("a", r#"{"intValue":"7"}"#),
        ("b", r#"{"intValue":7}"#),
        ("c", r#"{"boolValue":true}"#),
        ("d", r#"{"doubleValue":0.5}"#),
        ("e", r#"{"bytesValue":"AAE="}"#),
        ("f", "{}"),
    ];
    check(&request(&[span("01", "", 1, &attributes)]), &[r#"conv_5 - 0 | "Ask." | "Say.""#]);
}

#[test]
fn a_sub_agent_is_a_trajectory_with_its_parents_instruction() {
    let name = |it: &str| string(it);
    let (lead, helper) = (name("lead"), name("helper"));
    let conversation = string("c1");
    let spans = [
        span(
            "05",
            "04",
            31,
            &[
                CHAT,
                ("gen_ai.input.messages", &said("user", "Look up the price.")),
                ("gen_ai.output.messages", &said("assistant", "42")),
            ],
        ),
        span(
            "04",
            "03",
            30,
            &[AGENT, ("gen_ai.agent.name", &helper), ("gen_ai.input.messages", &said("user", "Look up the price."))],
        ),
        span("03", "01", 29, &[TOOL]),
        span("07", "06", 41, &[CHAT, ("gen_ai.output.messages", &said("assistant", "euros"))]),
        span(
            "06",
            "01",
            40,
            &[AGENT, ("gen_ai.agent.name", &helper), ("gen_ai.input.messages", &said("user", "Which currency?"))],
        ),
        span(
            "02",
            "01",
            20,
            &[
                CHAT,
                ("gen_ai.input.messages", &said("user", "Report it.")),
                ("gen_ai.output.messages", &said("assistant", "I ask.")),
            ],
        ),
        span(
            "01",
            "",
            10,
            &[
                AGENT,
                ("gen_ai.agent.name", &lead),
                ("gen_ai.conversation.id", &conversation),
                ("gen_ai.output.messages", &said("assistant", "42 euros.")),
            ],
        ),
    ];
    check(
        &request(&spans),
        &[
            r#"c1 lead 0 | "Report it." | "I ask.""#,
            r#"c1/helper helper 0 | "Look up the price." | "42" | intent "Look up the price." | below c1"#,
            r#"c1/helper#2 helper 0 | - | "euros" | intent "Which currency?" | below c1"#,
        ],
    );
}

#[test]
fn an_agent_is_a_step_where_nothing_below_it_is() {
    let alone = [
        AGENT,
        ("gen_ai.agent.id", r#"{"stringValue":"asst_1"}"#),
        ("gen_ai.input.messages", &said("user", "Do.")),
        ("gen_ai.output.messages", &said("assistant", "Done.")),
    ];
    check(&request(&[span("01", "", 1, &alone)]), &[&format!(r#"{TRACE} asst_1 0 | "Do." | "Done.""#)]);
    // Its calls captured nothing, it did: its own text is better than none.
    check(
        &request(&[span("01", "", 1, &alone), span("02", "01", 2, &[CHAT]), span("03", "01", 3, &[CHAT])]),
        &[&format!(r#"{TRACE} asst_1 0 | "Do." | "Done.""#)],
    );
}

#[test]
fn a_call_that_two_libraries_report_counts_once() {
    let inner = span("02", "01", 2, &[CHAT, ("gen_ai.output.messages", &said("assistant", "inner"))]);
    let outer = |text: &[(&str, &str)]| span("01", "", 1, &[&[CHAT], text].concat());
    let with_text = outer(&[("gen_ai.output.messages", &said("assistant", "outer"))]);
    check(&request(&[with_text.clone(), inner.clone()]), &[&format!(r#"{TRACE} - 0 | - | "outer""#)]);
    check(&request(&[outer(&[]), inner]), &[&format!(r#"{TRACE} - 0 | - | "inner""#)]);
    check(&request(&[with_text.clone(), with_text]), &[&format!(r#"{TRACE} - 0 | - | "outer""#)]);
}

#[test]
fn what_was_not_captured_is_said() {
    let (read, reader) = read_all(request(&[span("01", "", 1, &[CHAT])]).as_bytes());
    assert_eq!(read.iter().map(shown).collect::<Vec<_>>(), [format!("{TRACE} - 0 | - | -")]);
    assert_eq!(reader.content_captured(), Some(false));
    let (read, reader) = read_all(request(&[span("01", "", 1, &[TOOL])]).as_bytes());
    assert_eq!((read.len(), reader.content_captured()), (0, None));
}

#[test]
fn content_in_events() {
    let details = format!(
        r#"{{"name":"gen_ai.client.inference.operation.details","timeUnixNano":"1","attributes":{}}}"#,
        list(&[
            ("gen_ai.input.messages", &said("user", "Ask.")),
            ("gen_ai.output.messages", &said("assistant", "Say."))
        ])
    );
    let expect = format!(r#"{TRACE} - 0 | "Ask." | "Say.""#);
    check(&request(&[with_events("01", "", 1, &[CHAT], &details)]), &[&expect]);
    let event = |name: &str, content: &str| {
        format!(r#"{{"name":"{name}","attributes":{}}}"#, list(&[("gen_ai.event.content", &string(content))]))
    };
    let before = [
        event("gen_ai.system.message", r#"{"content":"s"}"#),
        event("gen_ai.user.message", r#"{"role":"user","content":"Ask."}"#),
        event("gen_ai.choice", r#"{"index":0,"finish_reason":"stop","message":{"content":"Say."}}"#),
    ];
    check(&request(&[with_events("01", "", 1, &[CHAT], &before.join(","))]), &[&expect]);
    let record = |name: &str, body: &str| {
        format!(
            r#"{{"timeUnixNano":"1","eventName":"{name}","traceId":"{TRACE}","spanId":"01","attributes":[],"body":{body}}}"#
        )
    };
    let one = |key: &str, value: &str| format!(r#"{{"kvlistValue":{{"values":{}}}}}"#, list(&[(key, value)]));
    let logs = format!(
        r#"{{"resourceLogs":[{{"scopeLogs":[{{"logRecords":[{},{}]}}]}}]}}"#,
        record("gen_ai.user.message", &one("content", &string("Ask."))),
        record("gen_ai.choice", &one("message", &one("content", &string("Say."))))
    );
    check(&format!("{logs}\n{}", request(&[span("01", "", 1, &[CHAT])])), &[&expect]);
}

#[test]
fn names_that_came_before_or_stand_beside() {
    let openllmetry = [
        ("llm.request.type", string("chat")),
        ("gen_ai.prompt.0.role", string("system")),
        ("gen_ai.prompt.0.content", string("s")),
        ("gen_ai.prompt.10.role", string("user")),
        ("gen_ai.prompt.10.content", string(r#"[{"type": "text", "text": "Later."}]"#)),
        ("gen_ai.prompt.2.role", string("assistant")),
        ("gen_ai.prompt.2.content", string("b")),
        ("gen_ai.prompt.1.role", string("user")),
        ("gen_ai.prompt.1.content", string("Ask.")),
        ("gen_ai.completion.0.content", string("Say.")),
        ("traceloop.association.properties.session_id", string("s1")),
    ];
    fn borrowed<'a>(of: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
        of.iter().map(|(key, value)| (*key, value.as_str())).collect()
    }
    check(&request(&[span("01", "", 1, &borrowed(&openllmetry))]), &[r#"s1 - 0 | "Later." | "Say.""#]);
    let openinference = [
        ("openinference.span.kind", string("LLM")),
        ("session.id", string("s2")),
        ("llm.input_messages.0.message.role", string("user")),
        ("llm.input_messages.0.message.contents.0.message_content.type", string("text")),
        ("llm.input_messages.0.message.contents.0.message_content.text", string("Ask.")),
        ("llm.output_messages.0.message.role", string("assistant")),
        ("llm.output_messages.0.message.content", string("Say.")),
        ("input.value", string("{\"raw\": 1}")),
    ];
    check(&request(&[span("01", "", 1, &borrowed(&openinference))]), &[r#"s2 - 0 | "Ask." | "Say.""#]);
    let agent = [
        ("openinference.span.kind", string("AGENT")),
        ("agent.name", string("a")),
        ("input.value", string("Ask.")),
        ("output.value", string("Say.")),
    ];
    check(&request(&[span("01", "", 1, &borrowed(&agent))]), &[&format!(r#"{TRACE} a 0 | "Ask." | "Say.""#)]);
    let content = |name: &str, key: &str, text: &str| {
        format!(r#"{{"name":"{name}","attributes":{}}}"#, list(&[(key, &string(text))]))
    };
    let events = [
        content("gen_ai.content.prompt", "gen_ai.prompt", r#"[{"role": "user", "content": "Ask."}]"#),
        content("gen_ai.content.completion", "gen_ai.completion", r#"[{"role": "assistant", "content": "Say."}]"#),
    ];
    check(
        &request(&[with_events("01", "", 1, &[CHAT], &events.join(","))]),
        &[&format!(r#"{TRACE} - 0 | "Ask." | "Say.""#)],
    );
}

#[test]
fn what_is_wrong_with_spans_is_named() {
    let cut_off = string(r#"[{"role":"assistant","parts":[{"type":"text","content":"cut o"#);
    let file = format!(
        "{}\n{{\"resourceSpans\":[{{\"scopeSpans\":[{{\"spans\":[3,{{\"spanId\":\"1\"}},{{\"traceId\":\"1\"}}]}}]}}]}}\n{{\"a\":1}}\n{{\"resourceSpans\":3}}",
        request(&[span("0A", "", 1, &[CHAT, ("gen_ai.output.messages", &cut_off)])])
    );
    check(
        &file,
        &[
            "! 1:1: `gen_ai.output.messages` of span 0a is JSON that was cut off or is broken",
            "! 2:1: a span is no object",
            "! 2:1: a span has no `traceId`",
            "! 2:1: a span has no `spanId`",
            "! 3:1: no `resourceSpans`",
            &format!("{TRACE} - 0 | - | -"),
        ],
    );
}
