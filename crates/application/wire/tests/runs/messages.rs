//! Chat messages, framework by framework. The shapes are those that the frameworks write; the words are ours.

use steadfast_wire::watch::Form;

use crate::{check, read_all};

#[test]
fn openai_messages_with_tool_calls() {
    let file = r#"{"id": "t1", "messages": [
 {"role": "system", "content": "You are terse."},
 {"role": "user", "content": "Find the price."},
 {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
 {"role": "tool", "tool_call_id": "c", "content": "42"},
 {"role": "assistant", "content": "It is 42.", "name": "seller"},
 {"role": "user", "content": "And yours?"},
 {"role": "user", "content": [{"type": "text", "text": "In euros."}, {"type": "image_url", "image_url": {"url": "x"}}]},
 {"role": "assistant", "content": null, "refusal": "I cannot say."},
 {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]},
 {"role": "assistant", "content": ""}
]}"#;
    check(
        file,
        &[
            r#"t1 - 0 | "Find the price." | -"#,
            r#"t1 seller 1 | "Find the price." | "It is 42.""#,
            r#"t1 - 2 | "And yours?\n\nIn euros." | "I cannot say.""#,
            r#"t1 - 3 | "And yours?\n\nIn euros." | """#,
        ],
    );
    assert_eq!(read_all(file.as_bytes()).1.form(), Some(Form::Messages));
}

#[test]
fn anthropic_blocks() {
    check(
        r#"{"session_id": 12, "agent": "coder", "initial_intent": "Mend it.", "messages": [{"role": "user", "content": "Mend the test."}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look."}, {"type": "tool_use", "id": "u", "name": "read", "input": {}}]}, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "u", "content": [{"type": "text", "text": "fn main"}]}]}, {"role": "assistant", "content": [{"type": "tool_use", "id": "v", "name": "run", "input": {}}]}]}"#,
        &[
            r#"12 coder 0 | "Mend the test." | "I look." | intent "Mend it.""#,
            r#"12 coder 1 | "Mend the test." | - | intent "Mend it.""#,
        ],
    );
}

#[test]
fn langchain_in_its_three_forms() {
    let expect = [r#"run.jsonl#1 - 0 | "hi" | -"#, r#"run.jsonl#1 - 1 | "hi" | "yo""#];
    check(
        r#"[{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "SystemMessage"], "kwargs": {"content": "s", "type": "system"}}, {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "hi", "type": "human"}}, {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": "", "type": "ai", "tool_calls": [{"name": "f", "args": {}, "id": "1", "type": "tool_call"}], "invalid_tool_calls": []}}, {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "ToolMessage"], "kwargs": {"content": "42", "type": "tool", "tool_call_id": "1"}}, {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": [{"type": "text", "text": "yo"}], "type": "ai", "tool_calls": []}}]"#,
        &expect,
    );
    check(
        r#"[{"type": "system", "data": {"content": "s"}}, {"type": "human", "data": {"content": "hi", "additional_kwargs": {}, "type": "human"}}, {"type": "ai", "data": {"content": "", "additional_kwargs": {"tool_calls": [{"id": "1"}]}, "type": "ai", "name": null}}, {"type": "tool", "data": {"content": "42"}}, {"type": "ai", "data": {"content": "yo"}}]"#,
        &expect,
    );
    check(
        r#"[{"content": "s", "type": "system"}, {"content": "hi", "type": "human", "name": null, "id": null}, {"content": "", "type": "ai", "tool_calls": [{"name": "f"}]}, {"content": "42", "type": "tool"}, {"content": "yo", "type": "ai", "tool_calls": []}]"#,
        &expect,
    );
}

#[test]
fn autogen_with_the_names_of_its_agents() {
    check(
        r#"{"messages": [{"source": "user", "models_usage": null, "content": "Write a haiku.", "type": "TextMessage"}, {"source": "writer", "content": [{"id": "1", "arguments": "{}", "name": "f"}], "type": "ToolCallRequestEvent"}, {"source": "writer", "content": [{"content": "42", "name": "f", "call_id": "1", "is_error": false}], "type": "ToolCallExecutionEvent"}, {"source": "writer", "content": "42", "type": "ToolCallSummaryMessage", "tool_calls": [], "results": []}, {"source": "writer", "content": "Old pond.", "type": "TextMessage"}, {"source": "critic", "content": "APPROVE", "type": "TextMessage"}, {"source": "critic", "content": "end", "type": "StopMessage"}], "stop_reason": "x"}"#,
        &[
            r#"run.jsonl#1 writer 0 | "Write a haiku." | -"#,
            r#"run.jsonl#1 writer 1 | "Write a haiku." | "Old pond.""#,
            r#"run.jsonl#1 critic 2 | "Write a haiku." | "APPROVE""#,
        ],
    );
}

#[test]
fn items_of_openais_responses() {
    check(
        r#"{"id": "resp", "input": [{"role": "developer", "content": "s"}, {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Find it."}]}, {"type": "reasoning", "summary": []}, {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}, {"type": "function_call", "call_id": "d", "name": "f", "arguments": "{}"}, {"type": "function_call_output", "call_id": "c", "output": "42"}], "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is 42.", "annotations": []}]}, {"type": "function_call", "call_id": "e", "name": "g", "arguments": "{}"}]}"#,
        &[r#"resp - 0 | "Find it." | -"#, r#"resp - 1 | "Find it." | "It is 42.""#],
    );
}

#[test]
fn gemini_contents() {
    check(
        r#"{"contents": [{"role": "user", "parts": [{"text": "Weather?"}]}, {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}, {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]}, {"role": "model", "parts": [{"text": "thinking", "thought": true}, {"text": "Rain."}]}]}"#,
        &[r#"run.jsonl#1 - 0 | "Weather?" | -"#, r#"run.jsonl#1 - 1 | "Weather?" | "Rain.""#],
    );
}

#[test]
fn one_conversation_a_line_and_one_message_a_line() {
    check(
        "[{\"role\":\"human\",\"content\":\"a\"},{\"role\":\"ai\",\"content\":\"b\"}]\n{\"thread_id\":\"t\",\"messages\":[{\"role\":\"assistant\",\"content\":\"c\"}]}\n{\"messages\":[]}\n[{\"messages\":[{\"role\":\"model\",\"content\":\"d\"}]}]\n",
        &[r#"run.jsonl#1 - 0 | "a" | "b""#, r#"t - 0 | - | "c""#, r#"run.jsonl#4 - 0 | - | "d""#],
    );
    check(
        "{\"role\":\"user\",\"content\":\"a\",\"session_id\":\"s\"}\n{\"role\":\"user\",\"content\":\"b\"}\n{\"role\":\"assistant\",\"content\":\"c\",\"session_id\":\"s\"}\n{\"role\":\"assistant\",\"content\":\"d\"}\n{\"role\":\"assistant\",\"content\":\"e\"}\n",
        &[r#"s - 0 | "a" | "c""#, r#"run.jsonl - 0 | "b" | "d""#, r#"run.jsonl - 1 | "b" | "e""#],
    );
}

#[test]
fn what_is_no_message_is_named() {
    check(
        r#"{"messages": [{"role": "narrator", "content": "x"}, 3, {"role": "assistant", "content": 7}, {"role": "assistant"}]}
{"messages": 3}
{"role": "x"}"#,
        &[
            "! 1:1: message 1: role \"narrator\" is not known",
            "! 1:1: message 2 is none that is known",
            "run.jsonl#1 - 0 | - | -",
            "run.jsonl#1 - 1 | - | -",
            "! 2:1: neither a message nor an object with `messages`",
            "! 3:1: role \"x\" is not known",
        ],
    );
}
