use super::*;
use steadfast_session::Author::{Agent, Injected, SubAgent, System, User};
use steadfast_session::{Author, Change};

#[track_caller]
fn read(log: &str) -> Session {
    let read = read_session(log.as_bytes()).unwrap();
    assert_eq!(read.notes, Vec::<String>::new(), "{log}");
    read.session
}

/// Authors with the beginnings of their words, and how many calls they make.
fn shape(session: &Session) -> Vec<(Author, &str, usize)> {
    session.turns.iter().map(|it| (it.author, it.text.as_str(), it.calls.len())).collect()
}

#[track_caller]
fn refused(log: &str, says: &str) {
    let error = read_session(log.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(says), "{error}");
}

const CLAUDE: &str = r#"{"type":"summary","summary":"x","leafUuid":"l"}
{"type":"user","isMeta":true,"isSidechain":false,"sessionId":"s","uuid":"0","message":{"role":"user","content":"Caveat: …"}}
{"type":"user","isSidechain":false,"cwd":"/w","sessionId":"s","uuid":"1","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>r</system-reminder>"},{"type":"text","text":"Fix it."}]}}
{"type":"assistant","isSidechain":false,"sessionId":"s","uuid":"2","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I run the tests."}]}}
{"type":"assistant","isSidechain":false,"sessionId":"s","uuid":"3","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"npm test"}}]}}
{"type":"assistant","isSidechain":false,"sessionId":"s","uuid":"3","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"npm test"}}]}}
{"type":"user","isSidechain":false,"sessionId":"s","uuid":"4","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Exit code 1\n1 failed","is_error":true}]},"toolUseResult":"Error: Exit code 1"}
{"type":"assistant","isSidechain":true,"sessionId":"s","uuid":"5","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"/w/a.ts","old_string":"a","new_string":"b"}}]}}
{"type":"user","isSidechain":true,"sessionId":"s","uuid":"6","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"ok"}]},"toolUseResult":{"filePath":"/w/a.ts","structuredPatch":[{"lines":[" x","-a","+b","+c"]}]}}
{"type":"user","isCompactSummary":true,"isSidechain":false,"sessionId":"s","uuid":"7","message":{"role":"user","content":"This session is being continued"}}
"#;

/// What the user typed, read without the rest.
fn typed(log: &str) -> Vec<String> {
    read_typed(log.as_bytes()).unwrap().into_iter().filter(|it| !it.compaction).map(|it| it.text).collect()
}

#[test]
fn claude_code() {
    let session = read(CLAUDE);
    let expect = [
        (Injected, "Caveat: …", 0),
        (Injected, "<system-reminder>r</system-reminder>", 0),
        (User, "Fix it.", 0),
        (Agent, "I run the tests.", 1),
        (SubAgent, "", 1),
        (Injected, "This session is being continued", 0),
    ];
    assert_eq!(shape(&session), expect);
    assert_eq!((session.format.as_str(), session.directory.as_deref()), ("claude-code", Some("/w")));
    let call = &session.turns[3].calls[0];
    assert_eq!((call.command.as_deref(), call.outcome.as_ref().unwrap().exit), (Some("npm test"), Some(1)));
    let edit = &session.turns[4].calls[0].edits[0];
    assert_eq!((edit.added.len(), edit.removed.len(), edit.change), (2, 1, Change::Changed));
    assert!(session.turns[5].compaction);
}

#[test]
fn a_log_that_is_written_is_read_up_to_its_last_line() {
    let read = read_session(&CLAUDE.as_bytes()[..CLAUDE.len() - 30]).unwrap();
    assert_eq!((read.session.turns.len(), read.notes.len()), (5, 1));
    refused(&CLAUDE.replace("\"t2\",\"name\"", "\"t2\",name"), "key must be a string");
}

#[test]
fn what_the_user_types_meanwhile_is_asked_and_what_the_program_writes_is_not() {
    let record = |more: &str, text: &str| {
        format!(
            r#"{{"type":"user","isSidechain":false,"sessionId":"s",{more}"message":{{"role":"user","content":"{text}"}}}}"#
        )
    };
    let queued = |mode: &str, text: &str| {
        format!(
            r#"{{"type":"attachment","sessionId":"s","attachment":{{"type":"queued_command","commandMode":"{mode}","prompt":"{text}"}}}}"#
        )
    };
    let log = [
        record("", "Fix it."),
        queued("prompt", "Do not rebuild it."),
        queued("task-notification", "done"),
        record(r#""origin":{"kind":"task-notification"},"#, "done"),
        record(r#""origin":{"kind":"human"},"promptSource":"typed","#, "Go on."),
        record(r#""promptSource":"system","#, "done"),
        record(r#""planContent":"1. Push.","#, "Implement the following plan: 1. Push."),
        r#"{"type":"assistant","sessionId":"s","isApiErrorMessage":true,"message":{"model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"API Error"}]}}"#.to_owned(),
    ];
    let log = log.join("\n");
    assert_eq!(typed(&log), ["Fix it.", "Do not rebuild it.", "Go on."]);
    let session = read(&log);
    assert_eq!(session.turns.iter().filter(|it| it.author == User).count(), 3);
    assert!(session.turns.iter().all(|it| it.author != Agent));
}

#[test]
fn a_part_that_is_all_thought_begins_no_turn() {
    let part = |id: &str, content: &str| {
        format!(
            r#"{{"type":"assistant","sessionId":"s","message":{{"id":"{id}","role":"assistant","content":[{content}]}}}}"#
        )
    };
    let log = [
        r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"Fix it."}}"#.to_owned(),
        part("m", r#"{"type":"thinking","thinking":"Hm."}"#),
        part("m", r#"{"type":"text","text":"I look."}"#),
        part("m", r#"{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"a"}}"#),
        part("n", r#"{"type":"thinking","thinking":"Hm."}"#),
        part("n", r#"{"type":"text","text":"Done."}"#),
    ];
    assert_eq!(shape(&read(&log.join("\n"))), [(User, "Fix it.", 0), (Agent, "I look.", 1), (Agent, "Done.", 0)]);
}

#[test]
fn lines_of_a_script_around_a_log_are_named() {
    let log = "[check] ok\n{\"type\":\"thread.started\",\"thread_id\":\"c\"}\n=== end\n{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"Done.\"}}\n";
    let read = read_session(log.as_bytes()).unwrap();
    assert_eq!(shape(&read.session), [(Agent, "Done.", 0)]);
    assert!(
        read.notes.iter().any(|it| it == "not read: lines that are no records (2, the first is line 1)"),
        "{:?}",
        read.notes
    );
    refused("[check] ok\n=== end\n", "expected");
}

#[test]
fn stream_json() {
    let log = r#"{"type":"system","subtype":"init","cwd":"/w","session_id":"s"}
{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Done."}]},"parent_tool_use_id":null,"session_id":"s"}
{"type":"result","subtype":"success","result":"Done.","session_id":"s"}"#;
    let read = read_session(log.as_bytes()).unwrap();
    assert_eq!(shape(&read.session), [(Agent, "Done.", 0)]);
    assert_eq!(read.notes.len(), 1);
}

#[test]
fn copilot() {
    let log = r#"{"type":"session.start","data":{"sessionId":"c","producer":"copilot-agent","context":{"cwd":"/w"}},"timestamp":"t"}
{"type":"user.message","data":{"content":"Fix it.","transformedContent":"<reminder/>Fix it."}}
{"type":"assistant.turn_start","data":{"turnId":"1"}}
{"type":"assistant.message","data":{"content":"I run the tests.","toolRequests":[{"toolCallId":"t1","name":"bash","arguments":{"command":"npm test"}}]}}
{"type":"tool.execution_start","data":{"toolCallId":"t1","toolName":"bash","arguments":{"command":"npm test"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"t1","success":true,"result":{"content":"1 failed\n<exited with exit code 1>"}}}
{"type":"tool.execution_start","data":{"toolCallId":"t2","toolName":"edit","arguments":{"path":"a.ts","old_str":"a","new_str":"b"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"t2","success":false,"error":{"message":"no match"}}}
{"type":"assistant.message","data":{"content":"Done.","toolRequests":[]}}"#;
    let session = read(log);
    assert_eq!(
        shape(&session),
        [(User, "Fix it.", 0), (Agent, "I run the tests.", 1), (Agent, "", 1), (Agent, "Done.", 0)]
    );
    assert_eq!((session.id.as_deref(), session.directory.as_deref()), (Some("c"), Some("/w")));
    let outcomes: Vec<_> =
        session.turns.iter().flat_map(|it| &it.calls).map(|it| it.outcome.as_ref().unwrap()).collect();
    assert_eq!((outcomes[0].exit, outcomes[0].error), (Some(1), false));
    assert_eq!((outcomes[1].text.as_str(), outcomes[1].error), ("no match", true));
}

#[test]
fn what_the_user_typed_is_read_alone() {
    assert_eq!(typed(CLAUDE), ["Fix it."]);
    // A quoted result in the user's own words is no result.
    let quoted = CLAUDE.replace("Fix it.", r#"It says {\"type\":\"tool_result\"}. Fix it."#);
    assert_eq!(typed(&quoted), ["It says {\"type\":\"tool_result\"}. Fix it."]);
    for log in [GEMINI, &GEMINI.replace('\n', "")] {
        assert_eq!(
            typed(log),
            read(log).turns.iter().filter(|it| it.author == User).map(|it| it.text.clone()).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_sub_agent_with_a_log_of_its_own_is_its_agent() {
    let log = r#"{"isSidechain":true,"agentId":"a1","type":"user","message":{"role":"user","content":"Run the tests."},"uuid":"u1","sessionId":"s"}
{"isSidechain":true,"agentId":"a1","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"pytest -q"}}]},"uuid":"u2","sessionId":"s"}
{"isSidechain":true,"agentId":"a1","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"Exit code 1\n3 failed","is_error":true}]},"uuid":"u3","sessionId":"s"}
{"isSidechain":true,"agentId":"a1","type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"All tests pass."}]},"uuid":"u4","sessionId":"s"}"#;
    let session = read(log);
    assert_eq!(shape(&session), [(Injected, "Run the tests.", 0), (Agent, "", 1), (Agent, "All tests pass.", 0)]);
    assert_eq!(session.id.as_deref(), Some("a1"));
    assert_eq!(typed(log), [""; 0]);
    // Beside turns of its parent it is a sub-agent.
    let parent = r#"{"type":"user","message":{"role":"user","content":"Fix it."},"uuid":"u0","sessionId":"s"}"#;
    let session = read(&format!("{parent}\n{log}"));
    assert_eq!((session.turns[0].author, session.turns[2].author), (User, SubAgent));
    assert_eq!(session.id.as_deref(), Some("s"));
}

#[test]
fn codex_rollouts() {
    let log = r#"{"type":"session_meta","payload":{"id":"c","cwd":"/w"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Fix it."}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"Fix it."}}
{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls && npm test\"],\"workdir\":\"/w\"}","call_id":"c1"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"ok\",\"metadata\":{\"exit_code\":0}}"}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Fixed."}]}}"#;
    let session = read(log);
    let expect = [
        (Injected, "<environment_context>x</environment_context>", 0),
        (User, "Fix it.", 0),
        (Agent, "", 1),
        (Agent, "Fixed.", 0),
    ];
    assert_eq!(shape(&session), expect);
    let call = &session.turns[2].calls[0];
    assert_eq!((call.command.as_deref(), call.outcome.as_ref().unwrap().exit), (Some("ls && npm test"), Some(0)));
    refused(r#"{"type":"response_item","item":{}}"#, "no `payload`");
}

#[test]
fn codex_says_who_wrote_and_what_was_blocked() {
    let by = |who: &str| {
        format!(
            r#""internal_chat_message_metadata_passthrough":{{"content_item_metadata":[{{"provenance":{{"type":"{who}"}}}}]}}"#
        )
    };
    let user = by("user");
    let program = by("harness");
    let log = format!(
        r#"{{"type":"session_meta","payload":{{"id":"c"}}}}
{{"type":"response_item","payload":{{"type":"message","role":"user","content":[{{"type":"input_text","text":"Don't push."}}],{user}}}}}
{{"type":"response_item","payload":{{"type":"function_call","name":"exec_command","arguments":"{{\"cmd\":\"git push\"}}","call_id":"c1"}}}}
{{"type":"response_item","payload":{{"type":"function_call_output","call_id":"c1","output":"Command blocked by PreToolUse hook: the user said so. Command: git push"}}}}
{{"type":"response_item","payload":{{"type":"function_call","name":"exec_command","arguments":"{{\"cmd\":\"make\"}}","call_id":"c2"}}}}
{{"type":"response_item","payload":{{"type":"function_call_output","call_id":"c2","output":"done"}}}}
{{"type":"event_msg","payload":{{"type":"item_completed","item":{{"type":"CommandExecution","id":"c2","exit_code":2}}}}}}
{{"type":"response_item","payload":{{"type":"message","role":"user","content":[{{"type":"input_text","text":"<hook_prompt>Mend it.</hook_prompt>"}}],{program}}}}}"#
    );
    let session = read(&log);
    let authors: Vec<_> = session.turns.iter().map(|it| it.author).collect();
    assert_eq!(authors, [User, Agent, Agent, Injected]);
    let ok = |turn: usize| session.turns[turn].calls[0].outcome.as_ref().unwrap().ok();
    assert_eq!((ok(1), ok(2)), (Some(false), Some(false)));
    assert_eq!(typed(&log), ["Don't push."]);
}

#[test]
fn codex_exec_output() {
    let log = r#"{"type":"thread.started","thread_id":"t"}
{"type":"item.completed","item":{"id":"i","type":"command_execution","command":"bash -lc ls","aggregated_output":"a","exit_code":2,"status":"failed"}}
{"type":"item.completed","item":{"id":"j","type":"file_change","changes":[{"path":"a.py","kind":"add"}],"status":"completed"}}
{"type":"item.completed","item":{"id":"k","type":"agent_message","text":"Done."}}"#;
    let read = read_session(log.as_bytes()).unwrap();
    assert_eq!(shape(&read.session), [(Agent, "", 1), (Agent, "", 1), (Agent, "Done.", 0)]);
    assert_eq!(read.session.turns[0].calls[0].outcome.as_ref().unwrap().exit, Some(2));
    assert_eq!(read.session.turns[1].calls[0].edits[0].change, Change::Created);
}

const GEMINI: &str = r#"{"sessionId":"g","projectHash":"h","messages":[{"type":"user","content":"Fix it."},
      {"type":"gemini","content":"","toolCalls":[{"id":"t","name":"run_shell_command","args":{"command":"npm test"},"status":"success","result":[{"functionResponse":{"response":{"output":"Output: x\nExit Code: 1"}}}]}]}]}"#;

#[test]
fn gemini_cli() {
    let log = GEMINI;
    let session = read(log);
    assert_eq!(shape(&session), [(User, "Fix it.", 0), (Agent, "", 1)]);
    assert_eq!(session.turns[1].calls[0].outcome.as_ref().unwrap().exit, Some(1));
    refused(&log.replace("\"gemini\"", "\"robot\""), "message 2 has no known `type`");
}

#[test]
fn gemini_cli_by_lines() {
    let log = r#"{"sessionId":"g","projectHash":"h","startTime":"2026-11-27T16:45:51.440Z","kind":"main"}
{"$set":{"messages":[{"id":"a","type":"user","content":[{"text":"<session_context>\nThis is the CLI."}]}]}}
{"id":"b","type":"user","content":[{"text":"Fix it."}]}
{"$set":{"lastUpdated":"2026-11-27T16:45:51.516Z"}}
{"id":"c","type":"gemini","content":""}
{"id":"c","type":"gemini","content":"","toolCalls":[{"id":"t","name":"run_shell_command","args":{"command":"npm test"},"status":"success","result":[{"functionResponse":{"response":{"output":"Output: x\nExit Code: 1"}}}]}]}
{"id":"d","type":"user","content":[{"functionResponse":{"id":"t","name":"run_shell_command","response":{"output":"Output: x\nExit Code: 1"}}}]}
{"id":"e","type":"user","content":[{"text":"Never mind."}]}
{"$rewindTo":"e"}
{"id":"f","type":"gemini","content":"Fixed."}"#;
    let read = read_session(log.as_bytes()).unwrap();
    let context = (Injected, "<session_context>\nThis is the CLI.", 0);
    assert_eq!(shape(&read.session), [context, (User, "Fix it.", 0), (Agent, "", 1), (Agent, "Fixed.", 0)]);
    assert_eq!(read.session.turns[2].calls[0].outcome.as_ref().unwrap().exit, Some(1));
    assert_eq!(read.notes, ["not read: messages that were taken back (1)"]);
    assert_eq!(typed(log), ["Fix it."]);
    refused(&log.replace("{\"$rewindTo\":\"e\"}", "{\"$other\":1}"), "neither a message nor a change");
}

#[test]
fn a_message_that_was_taken_back_is_said_anew() {
    let log = r#"{"sessionId":"g","projectHash":"h","startTime":"2026-11-27T16:45:51.440Z"}
{"id":"a","type":"user","content":"One."}
{"id":"b","type":"gemini","content":"Two."}
{"id":"c","type":"user","content":"Three."}
{"$rewindTo":"b"}
{"id":"c","type":"user","content":"Four."}
{"id":"b","type":"gemini","content":"Five."}
{"$rewindTo":"b"}
{"$rewindTo":"c"}
{"id":"b","type":"gemini","content":"Six."}"#;
    let read = read_session(log.as_bytes()).unwrap();
    assert_eq!(shape(&read.session), [(User, "One.", 0), (Agent, "Six.", 0)]);
    assert_eq!(read.notes, ["not read: messages that were taken back (4)"]);
    // Took each rewind a look at all messages, this would go on for minutes.
    let mut log = log.to_owned();
    (0..50_000).for_each(|at| log.push_str(&format!("\n{{\"id\":\"x{at}\",\"type\":\"user\",\"content\":\"More.\"}}")));
    (0..50_000).rev().for_each(|at| log.push_str(&format!("\n{{\"$rewindTo\":\"x{at}\"}}")));
    assert_eq!(read_session(log.as_bytes()).unwrap().session.turns.len(), 2);
}

#[test]
fn a_result_that_names_no_call_is_kept_for_a_few() {
    let calls = vec!["{}"; 50_000].join(",");
    let step = format!(
        r#"{{"source":"agent","tool_calls":[{calls}],"observation":{{"results":[{{"content":"{}"}}]}}}}"#,
        "x".repeat(100_000)
    );
    let session = read(&format!(r#"{{"schema_version":"ATIF-v1.6","steps":[{step}]}}"#));
    let calls = &session.turns[0].calls;
    assert_eq!((calls.len(), calls.iter().filter(|call| call.outcome.is_some()).count()), (50_000, 8));
}

#[test]
fn a_time_that_is_none_orders_nothing() {
    let said = |side: bool, at: &str, text: &str| {
        format!(
            r#"{{"type":"assistant","isSidechain":{side},"sessionId":"s"{at},"message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    let at = |time: &str| format!(r#","timestamp":"{time}""#);
    let first = said(true, &at(&"9".repeat(1_000_000)), "first");
    let last = [said(false, &at("2026-03-01T08:00:02Z"), "third"), said(true, &at("2026-03-01T08:00:01Z"), "second")];
    let many = vec![said(false, "", "-"); 50_000];
    let log = [vec![first], many, last.to_vec()].concat().join("\n");
    let session = read(&log);
    let order = [0, 50_000, 50_001, 50_002].map(|at| session.turns.get(at).map(|turn| turn.text.as_str()));
    assert_eq!(order, [Some("first"), Some("-"), Some("second"), Some("third")]);
}

#[test]
fn atif() {
    let log = r#"{"schema_version":"ATIF-v1.6","session_id":"a","agent":{"name":"terminus"},"steps":[{"step_id":1,"source":"user","message":"Fix it."},
      {"step_id":2,"source":"agent","message":"Ok.","tool_calls":[{"tool_call_id":"t","function_name":"bash","arguments":{"command":"ls"}}],"observation":{"results":[{"source_call_id":"t","content":"a"}]}},
      {"step_id":3,"source":"agent","message":"old","is_copied_context":true}]}"#;
    let session = read(log);
    assert_eq!(shape(&session), [(User, "Fix it.", 0), (Agent, "Ok.", 1)]);
    assert_eq!(session.agent.as_deref(), Some("terminus"));
    refused(&log.replace("ATIF-v1.6", "ATIF-v2.0"), "only ATIF-v1 is known");
    refused(r#"{"schema_version":"ATIF-v1.6"}"#, "no list of `steps`");
    refused(&log.replace("\"source\":\"user\"", "\"source\":\"robot\""), "source `robot`");
}

#[test]
fn openhands() {
    let list = r#"[{"id":0,"source":"user","action":"message","args":{"content":"Fix it."}},
      {"id":1,"source":"agent","action":"run","args":{"command":"ls","thought":"I look."}},
      {"id":2,"source":"environment","observation":"run","content":"a","cause":1,"extras":{"metadata":{"exit_code":0}}},
      {"id":3,"source":"agent","action":"finish","args":{"final_thought":"Done."}}]"#;
    let session = read(list);
    assert_eq!(shape(&session), [(User, "Fix it.", 0), (Agent, "I look.", 1), (Agent, "Done.", 0)]);
    assert_eq!(session.turns[1].calls[0].outcome.as_ref().unwrap().exit, Some(0));
    let line = |id: &str| format!(r#"{{"instance_id":"{id}","history":{}}}"#, list.replace('\n', " "));
    let all = read_sessions(format!("{}\n{}", line("a"), line("b")).as_bytes()).unwrap();
    assert_eq!(all.iter().map(|it| it.session.id.as_deref()).collect::<Vec<_>>(), [Some("a"), Some("b")]);
    refused(&format!("{}\n{}", line("a"), line("b")), "holds 2 sessions");
}

#[test]
fn each_session_of_a_log_has_its_own_notes() {
    let line = r#"{"history":[{"source":"user","action":"message","args":{"content":"Fix it."}},{}]}"#;
    let all = read_sessions(vec![line; 20_000].join("\n").as_bytes()).unwrap();
    assert_eq!(all.len(), 20_000);
    assert_eq!(all[19_999].notes, ["not read: events without `action` and `observation` (1)"]);
}

#[test]
fn openhands_events() {
    let log = r#"{"kind":"SystemPromptEvent","source":"agent","system_prompt":{"type":"text","text":"You are …"}}
{"kind":"MessageEvent","source":"user","llm_message":{"content":[{"type":"text","text":"Fix it."}]}}
{"kind":"ActionEvent","source":"agent","thought":[{"type":"text","text":"I look."}],"tool_name":"terminal","tool_call_id":"c","action":{"command":"ls","kind":"TerminalAction"}}
{"kind":"ObservationEvent","source":"environment","tool_name":"terminal","tool_call_id":"c","observation":{"content":[{"type":"text","text":"a"}],"exit_code":0}}
{"kind":"ActionEvent","source":"agent","tool_name":"finish","tool_call_id":"d","action":{"message":"Done."}}"#;
    let session = read(log);
    assert_eq!(
        shape(&session),
        [(System, "You are …", 0), (User, "Fix it.", 0), (Agent, "I look.", 1), (Agent, "Done.", 0)]
    );
    assert_eq!(session.turns[2].calls[0].outcome.as_ref().unwrap().exit, Some(0));
}

#[test]
fn swe_agent() {
    let log = r#"{"history":[{"role":"system","content":"You are …"},{"role":"user","content":"demo","is_demo":true},{"role":"user","content":"Fix it."},{"role":"assistant","content":"x"}],
      "trajectory":[{"action":"ls\n","observation":"a","response":"r","thought":"I look.","state":"{\"working_dir\": \"/w\"}"}],"info":{"submission":"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n"}}"#;
    let session = read(log);
    assert_eq!(
        shape(&session),
        [(System, "You are …", 0), (Injected, "demo", 0), (User, "Fix it.", 0), (Agent, "I look.", 1), (Agent, "", 1)]
    );
    assert_eq!(session.directory.as_deref(), Some("/w"));
    refused(r#"{"trajectory":[{"response":"r"}],"info":{}}"#, "no `action`");
}

#[test]
fn mini_swe_agent() {
    let log = r#"{"info":{"exit_status":"Submitted"},"messages":[{"role":"system","content":"You are …"},{"role":"user","content":"Fix it."},
      {"role":"assistant","content":"THOUGHT: look\n\n```bash\nls\n```"},{"role":"user","content":"<returncode>1</returncode>\n<output>a</output>"}],"trajectory_format":"mini-swe-agent-1"}"#;
    let session = read(log);
    assert_eq!(shape(&session)[1], (User, "Fix it.", 0));
    let call = &session.turns[2].calls[0];
    assert_eq!(
        (session.turns.len(), call.command.as_deref(), call.outcome.as_ref().unwrap().exit),
        (3, Some("ls"), Some(1))
    );
}

#[test]
fn what_is_no_log_is_refused() {
    refused("", "is empty");
    refused("{}", "no session log that is known");
    refused(r#"{"messages":[{"role":"user","content":"x"}]}"#, "no session log that is known");
    refused(r#"{"type":"assistant","message":{"content":[]}}"#, "neither `sessionId` nor `session_id`");
    refused(r#"{"type":"assistant","sessionId":"s","message":{}}"#, "no `content`");
}

#[test]
fn what_is_not_known_is_named() {
    let log = format!("{CLAUDE}{}", r#"{"type":"hologram","sessionId":"s"}"#);
    let read = read_session(log.as_bytes()).unwrap();
    assert_eq!(read.notes, ["not read: records of type `hologram` (1)"]);
}

#[test]
fn a_damaged_line_of_a_long_log_is_named() {
    let turn = |at: usize| {
        format!(
            r#"{{"type":"assistant","sessionId":"s","uuid":"u{at}","message":{{"id":"m{at}","content":[{{"type":"text","text":"x"}}]}}}}"#
        )
    };
    let log = |turns: usize| {
        (0..turns)
            .map(turn)
            .chain(["{\"type\":\"user\",\"mes\\q".to_owned(), turn(turns)])
            .collect::<Vec<_>>()
            .join("\n")
    };
    let read = read_session(log(9).as_bytes()).unwrap();
    assert_eq!((read.session.turns.len(), read.session.has_gaps), (10, true));
    assert!(read.notes[0].starts_with("not read: records that are no JSON (1, the first: 10:"), "{:?}", read.notes);
    refused(&log(8), "9:");
}

#[test]
fn a_session_over_the_limit_is_refused() {
    let turn = |at: usize| {
        format!(
            r#"{{"type":"assistant","sessionId":"s","message":{{"id":"m{at}","content":[{{"type":"text","text":"x"}}]}}}}"#
        )
    };
    let log = |turns: usize| (0..turns).map(turn).collect::<Vec<_>>().join("\n");
    assert_eq!(read(&log(TURNS_MAX)).turns.len(), TURNS_MAX);
    refused(&log(TURNS_MAX + 1), "more than 100000 turns");
    assert!(read_session(&vec![b' '; SESSION_BYTES_MAX + 1]).unwrap_err().message.contains("64 MiB"));
}
