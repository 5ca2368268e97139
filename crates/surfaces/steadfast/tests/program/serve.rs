//! `steadfast serve` as a whole program: every route, once.

use std::collections::BTreeSet;

use crate::common::serve::{Served, carries, json_of};
use crate::common::{PROMPT, Place, REPORT, zipped};
use serde_json::{Value, json};

const NOTES: &str = "- [ ] write the board report (90 min)\n- call Ana about the lease, 30 min\n- busy 12:00-13:00\n";
const AT: &str = "2026-01-26T08:00:00-05:00";
const ZONE: &str = "America/Toronto";
const OUTPUT: &str =
    "All of it is done.\n\n<npl-reflection>\n- ✅ Reads the file\n- 🐛 Loses the last line\n</npl-reflection>\n";

/// Routes that another test program calls.
const ELSEWHERE: &[&str] =
    &["POST /api/jobs", "GET /api/jobs", "GET /api/jobs/{id}", "GET /api/jobs/{id}/events", "DELETE /api/jobs/{id}"];

const STEP: &str = r#"{"task_id":"bread","step":0,"prompt":"List ways to keep bread fresh.","output":"A paper bag."}"#;

/// A place with the prompts that ship with the program in its vault.
fn place() -> Place {
    let place = Place::run();
    place.steadfast("vault import --shipped --vault s.db --no-embed -q").status(0);
    place
}

fn served(place: &Place) -> Served {
    Served::start(place, "--store s.db --embedder lexical")
}

#[test]
fn every_route_answers() {
    let place = place();
    let server = served(&place);
    let mut called = BTreeSet::new();
    let mut note = |method: &str, template: &str| assert!(called.insert(format!("{method} {template}")), "{template}");

    // Instruments.
    note("POST", "/api/audit");
    let audit = json_of(&server.post("/api/audit", &json!({"prompt": PROMPT, "report": REPORT})), 200);
    assert_eq!((&audit["overall_fidelity_score"], &audit["drift_incidents"]), (&json!(5.0), &json!([])));
    let members = ["001-2-plan.txt", "025-2-summary.md", "030-report.html"]
        .map(|name| (format!("run/{name}"), place.read(&format!("run/{name}")).into_bytes()));
    let zip = server.post_as("/api/audit?name=boats.zip&limit=1", "application/zip", &zipped(&members));
    let zip = json_of(&zip, 200);
    assert!(zip["drift_incidents"].as_array().unwrap().len() <= 1 && zip["run"]["id"].is_string(), "{zip}");
    let drifted = json!({"prompt": PROMPT, "report": "# Seed library\n\nThe seed library opens within 9 months. Its budget is 900 EUR.", "limit": 1, "min_severity": 2});
    let drifted = json_of(&server.post("/api/audit?fields=drift_incidents,overall_fidelity_score", &drifted), 200);
    assert_eq!(drifted.as_object().unwrap().keys().collect::<Vec<_>>(), ["drift_incidents", "overall_fidelity_score"]);
    assert_eq!(drifted["drift_incidents"].as_array().unwrap().len(), 1);

    let notes = json!({"context": NOTES, "current_time": AT, "timezone": ZONE});
    note("POST", "/api/plan");
    let plan = json_of(&server.post("/api/plan", &notes), 200);
    assert_eq!(plan["validation"]["status"], "pass", "{plan}");
    note("POST", "/api/plan/check");
    let mut check = notes.clone();
    check["plan"] = json!([{"task": "write the board report", "start": "12:00", "timebox_minutes": 90}]);
    assert_eq!(json_of(&server.post("/api/plan/check", &check), 200)["status"], "fail");
    check["plan"] = plan;
    assert_eq!(json_of(&server.post("/api/plan/check", &check), 200)["status"], "pass");
    note("POST", "/api/plan/constraints");
    assert!(json_of(&server.post("/api/plan/constraints", &notes), 200)["constraints"].is_array());

    note("POST", "/api/watch");
    let step: Value = serde_json::from_str(STEP).unwrap();
    let watch = json_of(&server.post("/api/watch", &json!({"embedder": "lexical", "steps": [step, step]})), 200);
    assert_eq!(watch["trajectories"][0]["steps"].as_array().unwrap().len(), 2);
    let lines = format!("{STEP}\nno step\n");
    let watch =
        server.post_as("/api/watch?embedder=lexical&aggregate=max-sentence", "application/x-ndjson", lines.as_bytes());
    let watch = json_of(&watch, 200);
    assert_eq!((&watch["aggregate"], watch["trajectories"].as_array().unwrap().len()), (&json!("max-sentence"), 1));
    note("POST", "/api/watch/compare");
    let arm = |output: &str| json!({"log": format!("{STEP}\n{}\n", STEP.replace("\"step\":0", "\"step\":1").replace("A paper bag.", output))});
    let arms = json!({"embedder": "lexical", "a": arm("A clay pot."), "b": arm("The weather was fine.")});
    assert_eq!(json_of(&server.post("/api/watch/compare", &arms), 200)["pairs"].as_array().unwrap().len(), 1);

    note("POST", "/api/review");
    let review = json!({"output": OUTPUT, "acceptance_criteria": ["Reads the file"], "threshold": 0.9});
    let review = json_of(&server.post("/api/review", &review), 200);
    assert_eq!((&review["recommendation"], &review["threshold"]), (&json!("request_revision"), &json!(0.9)));

    // The vault.
    note("POST", "/api/pick");
    let picked =
        json_of(&server.post("/api/pick", &json!({"task": "Look back over my week", "at": "2026-01-26"})), 200);
    assert_eq!(picked["mode"], "single", "{picked}");
    let prompt = picked["selected_prompts"][0]["prompt_id"].as_str().unwrap();
    note("POST", "/api/feedback");
    let good = json!({"trace_id": picked["trace_id"], "verdict": "good"});
    assert_eq!(json_of(&server.post("/api/feedback", &good), 200)["prompt_ids"], json!([prompt]));
    note("GET", "/api/vault");
    let before = json_of(&server.get("/api/vault?fields=prompts,feedback"), 200);
    assert_eq!(before["feedback"], 1);
    note("POST", "/api/vault/import");
    let files = json!({"source": "team", "files": [{"name": "boat.md", "text": "# Boat\n\nWrite to {boatyard}."}]});
    assert_eq!(json_of(&server.post("/api/vault/import", &files), 200)["added"], 1);
    assert_eq!(json_of(&server.post("/api/vault/import", &files), 200)["unchanged"], 1);
    let line = br#"{"prompt_id": "rope", "prompt_text": "Splice the rope."}"#;
    assert_eq!(
        json_of(&server.post_as("/api/vault/import?source=jsonl", "application/x-ndjson", line), 200)["added"],
        1
    );
    let text = b"# Oars\n\nCarve the oars.\n";
    let oars = server.post_as("/api/vault/import?source=markdown", "text/markdown; charset=utf-8", text);
    assert_eq!(json_of(&oars, 200)["added"], 1);
    assert_eq!(
        json_of(&server.get("/api/vault"), 200)["prompts"].as_u64(),
        before["prompts"].as_u64().map(|count| count + 3)
    );
    note("GET", "/api/vault/prompts");
    let rows = json_of(&server.get("/api/vault/prompts?limit=1000&fields=prompt_id,title"), 200);
    assert!(rows["prompts"].as_array().unwrap().contains(&json!({"prompt_id": "rope", "title": null})), "{rows}");
    note("GET", "/api/vault/prompts/{id}");
    let rope = json_of(&server.get("/api/vault/prompts/rope"), 200);
    assert_eq!(rope["prompt_text"], "Splice the rope.");
    note("GET", "/api/vault/search");
    let found = json_of(&server.get("/api/vault/search?query=splice+the%20rope&k=1&exclude=status%3Dretired"), 200);
    assert_eq!(found["candidates"][0]["prompt_id"], "rope");
    note("POST", "/api/vault/search");
    assert_eq!(
        json_of(
            &server
                .post("/api/vault/search", &json!({"query": "splice the rope", "k": 1, "exclude": ["status=retired"]})),
            200
        ),
        found
    );
    note("GET", "/api/vault/queue");
    assert!(json_of(&server.get("/api/vault/queue?limit=3"), 200)["queue"].is_array());
    note("GET", "/api/vault/results");
    assert_eq!(json_of(&server.get("/api/vault/results"), 200)["points"][0]["good"], 1);

    // Decisions.
    note("POST", "/api/decisions");
    let finding = drifted["drift_incidents"][0]["id"].clone();
    let given = json!({"finding": finding, "decision": "accept", "reason": "The budget was raised."});
    assert_eq!(json_of(&server.post("/api/decisions", &given), 200)["finding"], finding);
    note("GET", "/api/decisions");
    let decided = json_of(&server.get("/api/decisions?latest=true&fields=finding,author"), 200);
    assert_eq!(decided["decisions"], json!([{"finding": finding, "author": "local"}]));

    // Tasks.
    note("GET", "/api/tasks");
    let tasks = json_of(&server.get("/api/tasks?fields=task_id"), 200);
    assert_eq!(tasks["tasks"], json!([{"task_id": review["task_id"]}]));
    let task = format!("/api/tasks/{}", review["task_id"].as_str().unwrap());
    note("GET", "/api/tasks/{id}");
    assert_eq!(json_of(&server.get(&task), 200)["messages"][0]["content"], OUTPUT);
    note("GET", "/api/tasks/{id}/payload");
    assert_eq!(json_of(&server.get(&format!("{task}/payload")), 200), json!({"full_output": OUTPUT}));
    note("POST", "/api/tasks/{id}/flag");
    let flag = server.post(&format!("{task}/flag"), &json!({"quality": "bad", "tags": ["loses data"]}));
    assert_eq!(json_of(&flag, 200), json!({"success": true}));
    note("GET", "/api/tasks/export");
    let export = server.get("/api/tasks/export?quality=bad&tag=loses%20data");
    carries(&export);
    assert_eq!((export.status, export.header("content-type")), (200, Some("application/x-ndjson")));
    assert_eq!(export.text(), place.steadfast("tasks export --store s.db").status(0).stdout);
    assert_eq!(export.json()["messages"][0]["content"], OUTPUT);
    assert_eq!(server.get("/api/tasks/export?quality=good").text(), "");
    note("DELETE", "/api/tasks/{id}");
    assert_eq!((server.delete(&task).status, server.delete(&task).status), (204, 404));

    // Runs: gone through page by page, the newest first.
    note("GET", "/api/runs");
    let (mut verbs, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = json_of(&server.get(&format!("/api/runs?limit=3{cursor}")), 200);
        verbs.extend(page["runs"].as_array().unwrap().iter().map(|run| run["verb"].as_str().unwrap().to_owned()));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let mut expect =
        ["audit", "audit", "audit", "plan", "plan check", "plan check", "plan constraints", "watch", "watch"].to_vec();
    expect.extend(["watch compare", "review", "pick"]);
    expect.reverse();
    assert_eq!(verbs, expect);
    let audits = json_of(&server.get("/api/runs?verb=audit&fields=id,verb"), 200);
    assert_eq!(audits["runs"].as_array().unwrap().len(), 3);
    assert_eq!(audits["runs"][2], json!({"id": audit["run"]["id"], "verb": "audit"}));
    note("GET", "/api/audit/compare");
    let (a, b) = (audits["runs"][2]["id"].as_str().unwrap(), audits["runs"][0]["id"].as_str().unwrap());
    let compared = json_of(&server.get(&format!("/api/audit/compare?a={a}&b={b}")), 200);
    let printed = place.steadfast(&format!("audit compare {a} {b} --store s.db --json")).status(0).stdout;
    assert_eq!(compared, serde_json::from_str::<Value>(&printed).unwrap());
    assert!(compared["counts"]["new_incidents"].as_u64() > Some(0), "{compared}");
    assert_eq!(server.get(&format!("/api/audit/compare?a={a}&b=nobody")).status, 404);
    note("POST", "/api/audit/lint");
    let lint = json_of(&server.post("/api/audit/lint", &json!({"prompt": crate::common::PROMPT})), 200);
    assert_eq!(lint["obligations"].as_array().unwrap().len(), 3, "{lint}");
    let pair = json!({"prompt": crate::common::PROMPT, "report": crate::common::REPORT});
    note("POST", "/api/audit/contract");
    let contract = json_of(&server.post("/api/audit/contract", &json!({"prompt": crate::common::PROMPT})), 200);
    assert_eq!(contract["obligations"].as_array().unwrap().len(), 3, "{contract}");
    note("POST", "/api/audit/undecided");
    let undecided = json_of(&server.post("/api/audit/undecided", &pair), 200);
    assert_eq!(undecided["of"].as_u64().unwrap() as usize, undecided["obligations"].as_array().unwrap().len());
    note("POST", "/api/review/undecided");
    let session = concat!(
        r#"{"type":"user","sessionId":"s","uuid":"1","message":{"role":"user","content":"Fix it."}}"#,
        "\n",
        r#"{"type":"assistant","sessionId":"s","uuid":"2","message":{"id":"b","role":"assistant","content":[{"type":"text","text":"It is fixed now."}]}}"#,
    );
    let undecided = json_of(&server.post("/api/review/undecided", &json!({"session": session})), 200);
    assert_eq!((&undecided["of"], &undecided["report"]), (&json!(2), &json!("It is fixed now.")));
    note("GET", "/api/summary");
    assert_eq!(json_of(&server.get("/api/summary?weeks=2"), 200)["weeks"].as_array().unwrap().len(), 2);
    note("GET", "/api/alerts");
    assert_eq!(json_of(&server.get("/api/alerts"), 200)["rules"], json!([]));
    note("GET", "/api/alerts/history");
    assert_eq!(json_of(&server.get("/api/alerts/history"), 200)["notices"], json!([]));
    let run = format!("/api/runs/{}", audit["run"]["id"].as_str().unwrap());
    note("GET", "/api/runs/{id}");
    assert_eq!(json_of(&server.get(&run), 200)["run"]["verb"], "audit");
    note("GET", "/api/runs/{id}/result");
    assert_eq!(json_of(&server.get(&format!("{run}/result")), 200), audit);
    note("DELETE", "/api/runs/{id}");
    let deleted = server.delete(&run);
    carries(&deleted);
    assert_eq!((deleted.status, deleted.body.len(), server.get(&run).status), (204, 0, 404));

    // Trajectories.
    note("POST", "/api/trajectories/{id}/steps");
    let taken = json_of(&server.post("/api/trajectories/bread/steps", &json!([step, step])), 200);
    assert!(taken["steps"][1]["scores"].is_object(), "{taken}");
    note("POST", "/v1/traces");
    let traces = server.post("/v1/traces", &json!({"resourceSpans": []}));
    assert_eq!(json_of(&traces, 200), json!({}));
    note("GET", "/api/trajectories");
    let list = json_of(&server.get("/api/trajectories?fields=id,steps"), 200);
    assert_eq!(list["trajectories"], json!([{"id": "bread", "steps": 2}]));
    note("GET", "/api/trajectories/{id}");
    assert_eq!(json_of(&server.get("/api/trajectories/bread?limit=1"), 200)["next_cursor"], 1);
    note("GET", "/api/trajectories/{id}/watch");
    let whole = json_of(&server.get("/api/trajectories/bread/watch"), 200);
    assert_eq!(whole["trajectories"][0]["steps"].as_array().unwrap().len(), 2);
    note("DELETE", "/api/trajectories/{id}");
    assert_eq!(server.delete("/api/trajectories/bread").status, 204);
    // The stream of one that there is ends with the server alone.
    note("GET", "/api/trajectories/{id}/events");
    json_of(&server.get("/api/trajectories/bread/events"), 404);

    note("GET", "/metrics");
    let metrics = server.get("/metrics");
    carries(&metrics);
    assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let told = metrics.text();
    let steps =
        "steadfast_http_requests_total{route=\"/api/trajectories/{id}/steps\",method=\"POST\",status=\"200\"} 1\n";
    for line in [steps, "steadfast_steps_taken_total 2\n", "steadfast_runs_stored{verb=\"audit\"} 2\n"] {
        assert!(told.contains(line), "{line}: {told}");
    }

    // The server itself.
    note("GET", "/api/schemas");
    let schemas = json_of(&server.get("/api/schemas"), 200);
    assert!(schemas["schemas"].as_array().unwrap().iter().any(|schema| schema["name"] == "audit"));
    note("GET", "/api/schemas/{name}");
    let schema = server.get("/api/schemas/audit");
    assert_eq!(schema.header("content-type"), Some("application/schema+json"));
    assert_eq!(schema.text(), place.steadfast("schema audit").status(0).stdout);
    for path in ["/healthz", "/readyz"] {
        note("GET", path);
        let health = server.get(path);
        carries(&health);
        assert_eq!((health.status, health.text().as_str()), (200, "ok\n"));
    }
    note("GET", "/problems/{name}");
    assert!(server.get("/problems/busy").text().starts_with("the server has enough to do\n/problems/busy (503)\n"));
    note("GET", "/openapi.json");
    let document = json_of(&server.get("/openapi.json"), 200);

    // Nothing is in the document that was not called, and the other way round.
    let mut told = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            told.insert(format!("{} {path}", method.to_ascii_uppercase()));
        }
    }
    called.extend(ELSEWHERE.iter().map(|route| (*route).to_owned()));
    assert_eq!(called, told);
    assert_eq!(server.stop("TERM").lines().count(), 1);
}

/// Whoever copies an example out of the document gets an answer.
#[test]
fn every_example_of_the_document_is_taken() {
    let place = place();
    let server = served(&place);
    let document = json_of(&server.get("/openapi.json"), 200);
    let mut taken = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        let Some(content) = operations["post"]["requestBody"]["content"].as_object() else { continue };
        for (media, form) in content {
            let Some(example) = form.get("example") else { continue };
            let body = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            let query = match (path.as_str(), media.as_str()) {
                // The model is not there.
                ("/api/trajectories/{id}/steps", _) => "?score=false",
                (_, "application/json") => "",
                ("/api/watch", _) => "?embedder=lexical",
                _ => "?source=example",
            };
            let reply = server.post_as(&format!("{path}{query}"), media, body.as_bytes());
            // These name something that was stored, which nothing was.
            let expect = match path.as_str() {
                "/api/feedback" | "/api/tasks/{id}/flag" => 404,
                "/api/jobs" => 202,
                _ => 200,
            };
            assert_eq!(reply.status, expect, "{path} {media}: {}", reply.text());
            taken += 1;
        }
    }
    assert!(taken > 12, "{taken}");
    server.stop("INT");
}
