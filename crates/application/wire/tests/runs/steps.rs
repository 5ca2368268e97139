//! JSONL of steps, and `--intents`.

use steadfast_wire::watch::{Form, StepReader, read_intents};

use crate::{check, read_all, shown};

#[test]
fn a_step_a_line() {
    check(
        r#"{"task_id": "a", "step": 0, "prompt": "List three.", "output": "One, two, three.", "agent": "baseline", "timestamp": "x"}
{"task_id": "a", "step": 1, "prompt": "Now four.", "output": "", "agent": "baseline", "initial_intent": "Count.", "intent": {"goal": [1]}}
"#,
        &[
            r#"a baseline 0 | "List three." | "One, two, three.""#,
            r#"a baseline 1 | "Now four." | "" | intent "Count.""#,
        ],
    );
    assert_eq!(read_all(br#"{"task_id": "a"}"#).1.form(), Some(Form::Steps));
}

#[test]
fn what_is_absent_is_not_empty() {
    check(
        "{\"task_id\":7,\"output\":null}\n{\"task_id\":-7,\"step\":2.0,\"prompt\":\"\",\"agent\":null}",
        &["7 - - | - | -", r#"-7 - 2 | "" | -"#],
    );
}

#[test]
fn a_malformed_line_is_named_and_the_rest_is_read() {
    let good = r#"{"task_id":"a","output":"x"}"#;
    let file = [
        good,
        r#"{"task_id":"a","output":"x""#,
        r#"{"task_id":"a","output":"broken off"#,
        r#"{"task_id":"a","output":3}"#,
        r#"{"task_id":["a"],"output":"x"}"#,
        r#"{"task_id":1.5}"#,
        r#"{"task_id":"a","step":"1"}"#,
        r#"{"task_id":"a","step":99999999999999999999}"#,
        r#"{"task_id":"a","agent":{"b":[{}]}}"#,
        r#"{"task_id":"a","prompt":"x","prompt":"y"}"#,
        r#"{"output":"x"}"#,
        "[1]",
        "null",
        r#"{"task_id":"a"} {"task_id":"b"}"#,
        good,
    ]
    .join("\n");
    check(
        &file,
        &[
            r#"a - - | - | "x""#,
            "! 2:27: EOF while parsing an object",
            "! 3:35: EOF while parsing a string",
            "! 4:26: `output` is a number, not a string",
            "! 5:16: `task_id` is a list, not a string or a whole number",
            "! 6:15: `task_id` is a fraction or a number beyond 64 bits, not a string or a whole number",
            "! 7:26: `step` is a string, not a whole number",
            "! 8:43: `step` is a fraction or a number beyond 64 bits, not a whole number",
            "! 9:34: `agent` is an object, not a string",
            "! 10:36: duplicate field `prompt`",
            "! 11:14: missing field `task_id`",
            "! 12:1: step 1 of the list: invalid type: integer `1`, expected an object with `task_id`, `step`, `prompt` and `output`",
            "! 13:4: invalid type: null, expected an object with `task_id`, `step`, `prompt` and `output`",
            "! 14:17: trailing characters",
            r#"a - - | - | "x""#,
        ],
    );
}

#[test]
fn the_first_line_may_be_the_broken_one() {
    check(
        "{\"task_id\":\"a\",\n{\"task_id\":\"b\"}\n{\"task_id\":\"c\"}\n",
        &["! 1:1: the value that begins here is broken off", "b - - | - | -", "c - - | - | -"],
    );
    check(
        "{\"task_id\":\"a\",\"prompt\":\n{\"task_id\":\"b\"}\n",
        &["! 1:1: the document ends before its value does", "b - - | - | -"],
    );
    check("{\"task_id\":\"a\n{\"task_id\":\"b\"}\n", &["! 1:13: EOF while parsing a string", "b - - | - | -"]);
    check("hello\n{\"task_id\":\"b\"}\n", &["! 1:1: expected value", "b - - | - | -"]);
}

#[test]
fn marks_blanks_and_line_ends_do_no_harm() {
    check("\u{feff}\r\n  \r\n{\"task_id\":\"a\"}\r\n\n{\"task_id\":\"b\"}", &["a - - | - | -", "b - - | - | -"]);
    check("\u{feff}{\"task_id\":\"a\"}", &["a - - | - | -"]);
    check("", &[]);
    check("\n \n", &[]);
}

#[test]
fn a_list_or_a_document_of_steps_is_read_too() {
    check(
        "[\n  {\"task_id\": \"a\", \"output\": \"x\"},\n  {\"task_id\": \"b\", \"output\": [\n  ]}\n]\n",
        &[r#"a - - | - | "x""#, "! 1:1: step 2 of the list: `output` is a list, not a string"],
    );
    check("{\n  \"task_id\": \"a\"\n}\n{\n  \"task_id\": \"b\"\n}\n", &["a - - | - | -", "b - - | - | -"]);
    check(
        "{\n  \"task_id\": \"a\",\n  \"output\": x\n}\n{\"task_id\": \"b\"}\n",
        &["! 3:13: expected value", "b - - | - | -"],
    );
    // Where its brackets are broken, what is left of it cannot be told from what follows it.
    check("{\n  \"task_id\": \"a\"\n  \"output\": 1\n}\n  {\"task_id\": \"b\"}\n", &["! 3:3: expected `,` or `}`"]);
}

#[test]
fn what_is_none_of_the_forms_is_said() {
    check(
        "{\"a\": 1}\n[]\n{\"task_id\": \"b\"}",
        &[
            "! 1:1: neither a step (`task_id`), nor chat messages (`messages`), nor spans (`resourceSpans`), nor an agent's session",
            "! 2:1: neither a step (`task_id`), nor chat messages (`messages`), nor spans (`resourceSpans`), nor an agent's session",
            "b - - | - | -",
        ],
    );
}

#[test]
fn steps_come_as_their_lines_end() {
    let mut reader = StepReader::new("run");
    assert!(reader.push(b"{\"task_id\":\"a\"}").is_empty());
    assert_eq!(reader.push(b"\n").len(), 1);
    let read = reader.push_line(b"{\"task_id\":\"b\"}");
    assert_eq!(read.iter().map(shown).collect::<Vec<_>>(), ["b - - | - | -"]);
    assert_eq!(read[0].as_ref().unwrap().line, 2);
    assert!(reader.finish().is_empty());
}

#[test]
fn intents_are_strings_by_task() {
    let intents = read_intents("\u{feff}{\"a\": \"Count.\", \"b\": \"\"}".as_bytes()).unwrap();
    assert_eq!(intents.into_iter().collect::<Vec<_>>(), [("a".into(), "Count.".into()), ("b".into(), String::new())]);
    let problem = |text: &[u8]| read_intents(text).unwrap_err().to_string();
    assert_eq!(problem(b"{\"a\": \"x\",\n \"b\": 3}"), "2:7: invalid type: integer `3`, expected a string");
    assert_eq!(
        problem(b"[]"),
        "1:0: invalid type: sequence, expected an object from task id to initial intent".replace("1:0", "1:1")
    );
    assert_eq!(problem(b"{\"a\": \"x\", \"a\": \"y\"}"), "1:14: task `a` is given twice");
    assert_eq!(problem(b"{} x"), "1:4: trailing characters");
    assert_eq!(problem(b""), "1:1: EOF while parsing a value");
    assert_eq!(problem(b"{\n\"\xff\": \"x\"}"), "2:2: byte 0xff is no UTF-8");
}
