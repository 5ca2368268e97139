//! What `steadfast mcp` keeps, as resources: runs page by page, their whole results, outputs of tasks.

use crate::common::mcp as session;
use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use session::{NEW, OLD, Session, compact};

const AT: &str = "2026-01-26T08:00:00-05:00";
const OUTPUT: &str =
    "All of it is done.\n\n<npl-block type=\"reflection\" task-id=\"a b/ü\">\n- ✅ Reads the file\n</npl-block>\n";

#[test]
fn what_is_kept_is_read_as_resources() {
    let place = Place::pair();
    for revision in [OLD, NEW] {
        let mut session = Session::start(&place, &["--store", revision], revision);
        assert_eq!(session.ask("resources/list", json!({}))["result"]["resources"], json!([]));
        let audited = session.call("audit", json!({"prompt": PROMPT, "report": REPORT, "limit": 0}))["result"].clone();
        let id = audited["structuredContent"]["run"]["id"].as_str().unwrap();
        let link = &audited["content"][1];
        let uri = format!("steadfast://runs/{id}");
        assert_eq!((&link["type"], &link["uri"]), (&json!("resource_link"), &json!(uri)), "{audited}");
        let listed = session.ask("resources/list", json!({}))["result"].clone();
        assert_eq!(listed["resources"][0]["uri"], uri.as_str());
        assert_eq!(listed["resources"][0]["mimeType"], "application/json");
        assert_eq!(listed.get("cacheScope"), (revision == NEW).then_some(&json!("private")));
        let given = session.ask("resources/read", json!({"uri": uri}))["result"]["contents"][0].clone();
        let whole = place.steadfast("audit prompt.txt report.md --json").stdout;
        assert_eq!((given["text"].as_str().unwrap(), &given["uri"]), (compact(&whole).as_str(), &json!(uri)));
        assert_eq!(listed["resources"][0]["size"], given["text"].as_str().unwrap().len());

        let evaluated =
            session.call("evaluate_output", json!({"output": OUTPUT}))["result"]["structuredContent"].clone();
        assert_eq!(evaluated["task_id"], "a b/ü");
        let given =
            session.ask("resources/read", json!({"uri": "steadfast://tasks/a%20b%2F%C3%BC"}))["result"]["contents"][0]
                .clone();
        assert_eq!((given["text"].as_str().unwrap(), given["mimeType"].as_str().unwrap()), (OUTPUT, "text/plain"));
        let templates = session.ask("resources/templates/list", json!({}))["result"]["resourceTemplates"].clone();
        let templates: Vec<&str> =
            templates.as_array().unwrap().iter().map(|it| it["uriTemplate"].as_str().unwrap()).collect();
        assert_eq!(templates, ["steadfast://runs/{id}", "steadfast://tasks/{task_id}"]);

        // Pages of fifty, the newest first, each run once.
        for at in 0..51 {
            let context = format!("- call number {at} (30 min)\n");
            let listed = session.call("plan_constraints", json!({"context": context, "current_time": AT}));
            assert_eq!(listed["result"]["isError"], false, "{listed}");
        }
        let (mut seen, mut cursor, mut pages) = (Vec::new(), Value::Null, 0);
        loop {
            let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
            let page = session.ask("resources/list", params)["result"].clone();
            seen.extend(page["resources"].as_array().unwrap().iter().map(|it| it["uri"].as_str().unwrap().to_owned()));
            (cursor, pages) = (page["nextCursor"].clone(), pages + 1);
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!((seen.len(), pages), (53, 2));
        assert_eq!(seen.last().unwrap(), &uri, "the oldest comes last");
        assert!(seen.is_sorted_by(|a, b| a > b));

        let missing = if revision == NEW { -32602 } else { -32002 };
        for none in [
            "steadfast://runs/0198f0a2-7c1b-7d3e-8a4f-0123456789ab",
            "steadfast://tasks/none",
            "steadfast://runs/../x",
            "file:///etc/passwd",
        ] {
            let error = session.ask("resources/read", json!({"uri": none}))["error"].clone();
            assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(missing), &json!(none)), "{error}");
        }
        let error = session.ask("resources/list", json!({"cursor": "99"}))["error"].clone();
        assert_eq!(error["code"], -32602);
        let error = session.ask("prompts/list", json!({}))["error"].clone();
        assert_eq!(error["code"], -32601);
        session.end();
    }
}
