//! What `steadfast mcp` grants a host: bounded answers, tools that are not listed, and no trust that the operator does not give.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::mcp as session;
use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use session::{NEW, Session};

const NOTES: &str = "- [ ] write the board report (90 min)\n- call Ana about the lease, 30 min\n- book flights (15 min)\n- busy 12:00-13:00\n";
const AT: &str = "2026-01-26T08:00:00-05:00";
const ZONE: &str = "America/Toronto";

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn what_a_tool_answers_can_be_bounded() {
    let place = Place::empty();
    let bound = 600;
    for (tool, arguments) in [
        ("audit", json!({"prompt": PROMPT, "report": REPORT})),
        ("plan", json!({"context": NOTES, "current_time": AT, "timezone": ZONE})),
        ("audit_lint", json!({"prompt": PROMPT})),
    ] {
        let mut session = Session::start(&place, &[], NEW);
        let whole = session.call(tool, arguments.clone())["result"].clone();
        let mut bounded = arguments.clone();
        bounded["max_tokens"] = json!(bound);
        let result = session.call(tool, bounded.clone())["result"].clone();
        let (text, own) = (result["content"][0]["text"].as_str().unwrap(), &result["structuredContent"]);
        let whole_bytes = whole["content"][0]["text"].as_str().unwrap().len();
        assert_eq!(&json_of(text), own);
        if whole_bytes <= bound * 4 {
            assert_eq!(own.get("left_out"), None, "{tool}");
            session.end();
            continue;
        }
        assert!(text.len() <= bound * 4 + 64, "{tool}: {}", text.len());
        assert!(!own["left_out"].as_array().unwrap().is_empty());
        let said = result["content"][1]["text"].as_str().unwrap();
        assert!(said.starts_with("left out to keep to `max_tokens`: "), "{said}");
        if own.get("run").is_some() {
            let link = result["content"].as_array().unwrap().iter().find(|own| own["type"] == "resource_link").unwrap();
            let read = session.ask("resources/read", json!({"uri": link["uri"]}));
            let stored = json_of(read["result"]["contents"][0]["text"].as_str().unwrap());
            assert!(stored.as_object().unwrap().len() + 1 >= own.as_object().unwrap().len());
            assert!(said.contains(link["uri"].as_str().unwrap()), "{said}");
        }
        // What was left out is nowhere else missing: what stays is as it was.
        for (name, value) in
            own.as_object().unwrap().iter().filter(|(_, value)| value.is_number() || value.is_boolean())
        {
            assert_eq!(value, &whole["structuredContent"][name], "{name}");
        }
        bounded["max_tokens"] = json!(10);
        let refused = session.call(tool, bounded)["result"].clone();
        assert_eq!(refused["content"][0]["text"], "error: `max_tokens` is 10: it is a whole number of at least 250");
        session.end();
    }
    // The seed's tools take what they took.
    let mut session = Session::start(&place, &[], NEW);
    let tools = session.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone();
    for name in ["evaluate_output", "review_undecided", "request_full_payload", "flag_sequence_quality"] {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        assert!(tool["inputSchema"]["properties"].get("max_tokens").is_none(), "{name}");
    }
    session.end();
}

#[test]
fn a_tool_that_is_not_listed_can_be_called() {
    let place = Place::empty();
    let mut session = Session::start(&place, &[], NEW);
    let answer = session.call("vault_search", json!({"query": "weekly newsletter"}));
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    session.end();
}

#[test]
fn only_the_operator_trusts_a_host() {
    let place = Place::empty();
    let (prompt, report) = ("Add a login page. Keep the logo blue.", "A login page was added. The logo is still blue.");
    let kept =
        |words: &str, quote: &str| json!({"obligation": null, "asked": words, "relation": "kept", "quote": quote});
    let proposals = json!([
        kept("Add a login page", "A login page was added."),
        kept("Keep the logo blue", "The logo is still blue.")
    ]);
    let arguments = json!({"prompt": prompt, "report": report, "proposals": proposals});
    for (flags, trusted) in [(&[][..], false), (&["--trust-host"][..], true)] {
        let mut session = Session::start(&place, flags, NEW);
        let own = session.call("audit", arguments.clone())["result"]["structuredContent"].clone();
        assert_eq!((&own["trust_host"], &own["usable_as_is"]), (&json!(trusted), &json!(trusted)), "{own}");
        assert_eq!(own["proposals"][0]["by"], "host");
        let mut asks = arguments.clone();
        asks["trust_host"] = json!(true);
        let refused = session.call("audit", asks)["result"].clone();
        assert_eq!(refused["isError"], true, "{refused}");
        session.end();
    }
}
