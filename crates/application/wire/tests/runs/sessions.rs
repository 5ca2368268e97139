//! Logs of agents' sessions. The shapes are those that the agents write; the words are ours.

use steadfast_wire::watch::Form;

use crate::{check, read_all};

#[test]
fn turns_of_claude_code() {
    let file = concat!(
        r#"{"type":"summary","summary":"x","leafUuid":"l"}"#,
        "\n",
        r#"{"type":"user","isSidechain":false,"sessionId":"s","uuid":"1","message":{"role":"user","content":"Find the price."}}"#,
        "\n",
        r#"{"type":"assistant","isSidechain":false,"sessionId":"s","uuid":"2","message":{"id":"a","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"cat price"}}]}}"#,
        "\n",
        r#"{"type":"user","isSidechain":false,"sessionId":"s","uuid":"3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"42"}]}}"#,
        "\n",
        r#"{"type":"assistant","isSidechain":true,"sessionId":"s","uuid":"4","message":{"id":"b","role":"assistant","content":[{"type":"text","text":"I look."}]}}"#,
        "\n",
        r#"{"type":"assistant","isSidechain":false,"sessionId":"s","uuid":"5","message":{"id":"c","role":"assistant","content":[{"type":"text","text":"It is 42."}]}}"#,
        "\n",
        r#"{"type":"hologram","sessionId":"s"}"#,
        "\n",
    );
    check(
        file,
        &[
            r#"s - 0 | "Find the price." | -"#,
            r#"s/sub-agent sub-agent 0 | - | "I look." | below s"#,
            r#"s - 1 | "Find the price." | "It is 42.""#,
            "! 1:1: not read: records of type `hologram` (1)",
        ],
    );
    assert_eq!(read_all(file.as_bytes()).1.form(), Some(Form::Session));
}

#[test]
fn an_exported_trajectory_of_openhands_is_no_conversation_of_autogen() {
    check(
        r#"[{"id":0,"source":"user","action":"message","args":{"content":"Fix it."}},
 {"id":1,"source":"agent","action":"run","args":{"command":"ls","thought":"I look."}},
 {"id":2,"source":"environment","observation":"run","content":"a.py","cause":1},
 {"id":3,"source":"agent","action":"finish","args":{"final_thought":"Done."}}]"#,
        &[r#"run.jsonl - 0 | "Fix it." | "I look.""#, r#"run.jsonl - 1 | "Fix it." | "Done.""#],
    );
}

#[test]
fn observations_of_mini_swe_agent_are_not_the_users_words() {
    check(
        r#"{"trajectory_format":"mini-swe-agent-1","info":{},"messages":[{"role":"user","content":"Fix it."},
 {"role":"assistant","content":"THOUGHT: look"},{"role":"user","content":"<returncode>0</returncode>"},{"role":"assistant","content":"Done."}]}"#,
        &[r#"run.jsonl - 0 | "Fix it." | "THOUGHT: look""#, r#"run.jsonl - 1 | "Fix it." | "Done.""#],
    );
}

#[test]
fn what_is_almost_a_session_is_named() {
    check(
        r#"{"type":"assistant","message":{"content":[]}}"#,
        &["! 1:1: looks like a session of Claude Code, and has neither `sessionId` nor `session_id`"],
    );
    check(r#"{"schema_version":"ATIF-v2.0","steps":[]}"#, &["! 1:1: is ATIF-v2.0, and only ATIF-v1 is known"]);
}
