//! What `steadfast serve` gives of what it keeps: pages and their cursors, forms of results, tags by which an answer is known again, decisions
//! and who made them, prompts.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::serve::{Served, json_of, problem};
use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use steadfast_testkit::http::Reply;

const HINT: &str = "the `next_cursor` of the page before says where the next one begins";

fn place() -> Place {
    let place = Place::empty();
    place.steadfast("vault import --shipped --vault s.db --no-embed -q").status(0);
    place
}

fn served(place: &Place) -> Served {
    Served::start(place, "--store s.db --embedder lexical")
}

fn with(server: &Served, path: &str, headers: &[(&str, &str)]) -> Reply {
    server.client.ask("GET", path, headers, b"").unwrap()
}

/// The values of a member of all rows of a list, page by page.
#[track_caller]
fn all(server: &Served, path: &str, rows: &str, member: &str) -> Vec<String> {
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = json_of(&server.get(&format!("{path}{cursor}")), 200);
        let of_page = page[rows].as_array().unwrap();
        found.extend(of_page.iter().map(|row| row[member].as_str().unwrap().to_owned()));
        let Some(next) = page["next_cursor"].as_str() else { return found };
        assert!(!of_page.is_empty(), "{path}");
        cursor = format!("&cursor={}", next.replace(' ', "%20"));
    }
}

#[test]
fn lists_go_on_where_a_cursor_says_and_nowhere_else() {
    let place = place();
    let server = served(&place);
    let audit = || json_of(&server.post("/api/audit", &json!({"prompt": PROMPT, "report": REPORT})), 200);
    let runs: Vec<String> = (0..5).map(|_| audit()["run"]["id"].as_str().unwrap().to_owned()).collect();
    let newest: Vec<String> = runs.iter().rev().cloned().collect();
    assert_eq!(all(&server, "/api/runs?limit=2", "runs", "id"), newest);
    // What stood at the place of a cursor may be gone.
    let page = json_of(&server.get("/api/runs?limit=2&fields=id"), 200);
    assert_eq!(page["next_cursor"], json!(newest[1]));
    assert_eq!(server.delete(&format!("/api/runs/{}", newest[1])).status, 204);
    let rest = json_of(&server.get(&format!("/api/runs?cursor={}&fields=id", newest[1])), 200);
    assert_eq!(
        rest["runs"].as_array().unwrap().iter().map(|own| &own["id"]).collect::<Vec<_>>(),
        newest[2..].iter().collect::<Vec<_>>()
    );

    for path in ["/api/runs", "/api/jobs", "/api/decisions", "/api/trajectories"] {
        for cursor in ["x", "2", "2026-01-25", "019b0000-0000-7000-8000-00000000000g"] {
            let told = json!({"detail": format!("`{cursor}` is no cursor of this list"), "hint": HINT});
            problem(&server.get(&format!("{path}?cursor={cursor}")), (422, "unusable"), &told);
        }
    }
    let pair = json!({"prompt": PROMPT, "report": "# Seed library\n\nThe seed library opens within 9 months. Its budget is 900 EUR.", "cursor": "99"});
    let told = json!({"detail": "`99` is no cursor of this list", "hint": HINT});
    problem(&server.post("/api/audit", &pair), (422, "unusable"), &told);
    // The command goes on in the same way.
    place
        .steadfast("runs list --store s.db --cursor x")
        .refused(2, &format!("error: `x` is no cursor of this list\nhint: {HINT}"));
    server.stop("TERM");
}

#[test]
fn incidents_are_listed_from_a_cursor_by_the_command_as_well() {
    let place = Place::pair()
        .with("report.md", "# Seed library\n\nThe seed library opens within 9 months. Its budget is 900 EUR.\n");
    let page = |more: &str| -> Value {
        let end = place.steadfast(&format!("audit prompt.txt report.md --format json {more}")).status(0);
        serde_json::from_str(&end.stdout).unwrap()
    };
    let whole = page("");
    let incidents = whole["drift_incidents"].as_array().unwrap();
    assert!(incidents.len() > 1, "{whole}");
    let first = page("--limit 1");
    assert_eq!((&first["drift_incidents"], &first["next_cursor"]), (&json!(incidents[..1]), &json!("1")));
    assert_eq!(page("--cursor 1")["drift_incidents"], json!(incidents[1..]));
    place
        .steadfast("audit prompt.txt report.md --cursor 99 -q")
        .refused(2, &format!("error: `99` is no cursor of this list\nhint: {HINT}"));
}

#[test]
fn prompts_are_listed_and_filtered_as_the_command_does() {
    let place = place();
    let server = served(&place);
    let count = json_of(&server.get("/api/vault"), 200)["prompts"].as_u64().unwrap();
    let ids = all(&server, "/api/vault/prompts?limit=3", "prompts", "prompt_id");
    assert_eq!(ids.len() as u64, count);
    assert!(ids.is_sorted(), "{ids:?}");
    let drafts = json!({"source": "team", "files": [
        {"name": "sails.md", "text": "---\nstage: plan\nstatus: draft\ntags: [boats]\n---\nPlan how the sails are sewn."},
        {"name": "ropes.md", "text": "---\nstage: plan\nstatus: reviewed\ntags: [boats]\n---\nPlan how the ropes are spliced."},
    ]});
    assert_eq!(json_of(&server.post("/api/vault/import", &drafts), 200)["added"], 2);
    let listed = |query: &str| all(&server, &format!("/api/vault/prompts?limit=1{query}"), "prompts", "prompt_id");
    assert_eq!(listed("&filter=tag%3Dboats"), ["ropes", "sails"]);
    assert_eq!(listed("&filter=tag%3Dboats&filter=stage%3Dplan&exclude=status%3Ddraft"), ["ropes"]);
    assert_eq!(listed("&filter=tag%3Dboats&exclude=id%3Dropes"), ["sails"]);
    assert_eq!(listed("&filter=tag%3Dnothing"), [""; 0]);
    assert_eq!(listed("").len() as u64, count + 2);

    for (query, arguments) in [
        ("limit=4", "--limit 4"),
        ("limit=2&filter=stage%3Dplan", "--limit 2 --filter stage=plan"),
        ("cursor=ropes&exclude=status%3Ddraft", "--cursor ropes --exclude status=draft"),
    ] {
        let reply = server.get(&format!("/api/vault/prompts?{query}"));
        let printed = place.steadfast(&format!("vault list --vault s.db --format json {arguments}")).status(0).stdout;
        assert_eq!(reply.text(), printed, "{query}");
    }
    let text = place.steadfast("vault list --vault s.db --filter tag=boats --limit 1").status(0).stdout;
    assert_eq!(text, "ropes  plan, reviewed\nmore: --cursor ropes\n");
    let told = server.get("/api/vault/prompts?filter=colour%3Dred");
    assert_eq!((told.status, &told.json()["type"]), (422, &json!("/problems/unusable")), "{}", told.text());
    server.stop("TERM");
}

#[test]
fn an_import_may_say_what_its_file_is_called() {
    let place = Place::empty();
    let server = served(&place);
    let import = |query: &str, media: &str| {
        server.post_as(&format!("/api/vault/import?source=team{query}"), media, b"# Sails\n\nSew the sails.\n")
    };
    assert_eq!(json_of(&import("&name=boats/sails.md", "text/markdown"), 200)["added"], 1);
    assert_eq!(
        json_of(&server.get("/api/vault/prompts?fields=prompt_id"), 200)["prompts"],
        json!([{"prompt_id": "boats/sails"}])
    );
    // The same source again: what it held before is gone.
    assert_eq!(json_of(&import("", "text/markdown"), 200)["removed"], 1);
    assert_eq!(json_of(&server.get("/api/vault/prompts/prompt"), 200)["prompt_id"], "prompt");
    for (name, media, endings) in [
        ("sails.txt", "text/markdown", ".md` or `.markdown"),
        (".md", "text/markdown", ".md` or `.markdown"),
        ("sails.md", "application/x-ndjson", ".jsonl` or `.ndjson"),
    ] {
        let told = json!({
            "detail": format!("`name` is `{name}`, which names no file of prompts of this form"),
            "hint": format!("one ends in `{endings}`"),
            "parameter": "name",
        });
        problem(&import(&format!("&name={name}"), media), (422, "unusable"), &told);
    }
    let files = json!({"source": "team", "files": []});
    let told = json!({"detail": "`name` stands in the body", "hint": "leave the parameter out", "parameter": "name"});
    problem(&server.post("/api/vault/import?name=sails.md", &files), (422, "unusable"), &told);
    server.stop("TERM");
}

#[test]
fn a_pick_is_known_in_lists_by_how_its_task_begins() {
    let place = place();
    let server = served(&place);
    let task = "Look back over my week:\nwhat went well, what did not, and what to try in the next one?";
    json_of(&server.post("/api/pick", &json!({"task": task})), 200);
    let run = json_of(&server.get("/api/runs?fields=inputs"), 200)["runs"][0]["inputs"][0].clone();
    assert_eq!(
        (&run["name"], &run["bytes"]),
        (&json!("Look back over my week: what went well, what did not, and…"), &json!(task.len()))
    );
    server.stop("TERM");
}

#[test]
fn an_agent_that_is_followed_is_on_the_first_page_before_any_run() {
    let place = Place::empty();
    let server = served(&place);
    let first = || server.client.ask("GET", "/", &[("Accept", "text/html")], b"").unwrap().text();
    assert!(first().contains("Nothing has been run yet."));
    let steps = json!([{"prompt": "Bake bread", "output": "The bread is baked.", "agent": "<b>baker"}]);
    json_of(&server.post("/api/trajectories/bread/steps", &steps), 200);
    let page = first();
    assert!(page.contains("href=\"/watch/live/bread\""), "{page}");
    assert!(page.contains("&#60;b&#62;baker") && page.contains("No run is kept yet."), "{page}");
    server.stop("TERM");
}

#[test]
fn what_a_client_has_is_not_sent_again() {
    let place = Place::empty();
    let server = served(&place);
    let run =
        json_of(&server.post("/api/audit", &json!({"prompt": PROMPT, "report": REPORT})), 200)["run"]["id"].clone();
    let result = format!("/api/runs/{}/result", run.as_str().unwrap());
    let page = server.client.ask("GET", "/", &[("Accept", "text/html")], b"").unwrap().text();
    let asset = page.split('"').find(|part| part.ends_with("/console.css")).unwrap().to_owned();
    let html = format!("{result}?format=html");
    for path in [result.as_str(), &html, &asset, "/api/runs", "/openapi.json"] {
        let whole = server.get(path);
        let tag = whole.header("etag").unwrap_or_else(|| panic!("{path}")).to_owned();
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            let same = with(&server, path, &[("If-None-Match", &known)]);
            assert_eq!((same.status, same.body.len(), same.header("etag")), (304, 0, Some(&*tag)), "{path} {known}");
            assert_eq!(
                (same.header("content-type"), same.header("cache-control")),
                (None, whole.header("cache-control"))
            );
        }
        let other = with(&server, path, &[("If-None-Match", "\"other\"")]);
        assert_eq!((other.status, other.body == whole.body), (200, true), "{path}");
    }
    // The forms of a result are different things.
    assert_ne!(server.get(&result).header("etag"), server.get(&html).header("etag"));
    // Work is done, whatever the client has.
    let body = json!({"prompt": PROMPT, "report": REPORT}).to_string();
    let headers = [("Content-Type", "application/json"), ("If-None-Match", "*")];
    assert_eq!(server.client.ask("POST", "/api/audit", &headers, body.as_bytes()).unwrap().status, 200);
    server.stop("TERM");
}

#[test]
fn accept_chooses_the_form_of_a_result() {
    let place = Place::empty();
    let server = served(&place);
    let id = |reply: &Reply| json_of(reply, 200)["run"]["id"].as_str().unwrap().to_owned();
    let audit = id(&server.post("/api/audit", &json!({"prompt": PROMPT, "report": REPORT})));
    let step = json!({"task_id": "bread", "prompt": "List ways to keep bread fresh.", "output": "A paper bag."});
    let watch = id(&server.post("/api/watch", &json!({"embedder": "lexical", "steps": [step]})));
    let given = |run: &str, accept: &str| {
        let reply = with(&server, &format!("/api/runs/{run}/result"), &[("Accept", accept)]);
        assert_eq!(reply.header("vary").is_some(), reply.status == 200, "{accept}");
        (reply.status, reply.header("content-type").unwrap().to_owned())
    };
    for (accept, media) in [
        ("*/*", "application/json"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "application/json"),
        ("text/html", "text/html; charset=utf-8"),
        ("text/markdown", "text/markdown; charset=utf-8"),
        ("text/*", "text/plain; charset=utf-8"),
        ("application/sarif+json", "application/sarif+json; charset=utf-8"),
        ("application/xml", "application/xml; charset=utf-8"),
    ] {
        assert_eq!(given(&audit, accept), (200, media.to_owned()), "{accept}");
    }
    assert_eq!(given(&watch, "application/sarif+json, text/markdown").1, "text/markdown; charset=utf-8");
    let none = with(&server, &format!("/api/runs/{watch}/result"), &[("Accept", "application/xml")]);
    let told = json!({"detail": "`Accept` names none of application/json, text/plain, text/markdown, text/html"});
    problem(&none, (406, "not-acceptable"), &told);
    let told = json!({"detail": "a run of `watch` has no form `sarif`", "hint": "there are json, text, md, html", "parameter": "format"});
    problem(&server.get(&format!("/api/runs/{watch}/result?format=sarif")), (422, "unusable"), &told);
    problem(
        &server.get(&format!("/api/runs/{watch}/result?format=pdf")),
        (422, "invalid"),
        &json!({"detail": "`format` is `pdf`: one of json, text, md, html, junit, sarif, ics, tasks is taken", "parameter": "format"}),
    );

    // A report reads nothing of the server, whatever it quotes.
    let report = server.get(&format!("/api/runs/{audit}/result?format=html"));
    let policy = report.header("content-security-policy").unwrap();
    assert!(policy.starts_with("sandbox allow-scripts; default-src 'none';"), "{policy}");
    server.stop("TERM");
}

/// A run that a command kept without the texts that it was about.
#[test]
fn a_plan_whose_texts_are_not_kept_has_its_result_alone() {
    let place = Place::empty()
        .with("context.md", "Standup 9:30-9:45. Write the report (90 min).")
        .with("plan.json", r#"[{"task": "Write the report", "start": "10:00", "timebox_minutes": 90}]"#);
    let at = "--at 2026-01-26T09:00:00-05:00 --tz America/Toronto --store s.db --format json";
    let end = place.steadfast(&format!("plan check context.md plan.json {at}"));
    let run = serde_json::from_str::<Value>(&end.stdout).unwrap()["run"]["id"].as_str().unwrap().to_owned();
    let server = served(&place);
    assert_eq!(server.get(&format!("/api/runs/{run}/result")).text(), end.stdout);
    let told = json!({
        "detail": "the texts that this run of `plan check` was about are not kept",
        "hint": "`format=json` gives its result",
        "parameter": "format",
    });
    problem(&server.get(&format!("/api/runs/{run}/result?format=text")), (422, "unusable"), &told);
    server.stop("TERM");
}

#[test]
fn a_decision_names_who_made_it() {
    let place = Place::empty();
    let key = place.steadfast("key create --name ci --scope write --store s.db").status(0).stdout.trim().to_owned();
    let finding = |name: &str| json!({"finding": format!("{name}-0123456789abcdef"), "decision": "contest", "reason": "It is quoted."});
    let server = served(&place);
    let local = json_of(&server.post("/api/decisions", &finding("banned-term")), 200);
    assert_eq!(
        (&local["author"], &local["check"], &local["decision"]),
        (&json!("local"), &json!("banned-term"), &json!("contest"))
    );
    let drifted = json!({"prompt": PROMPT, "report": "# Seed library\n\nThe seed library opens within 9 months. Its budget is 900 EUR."});
    let audit = json_of(&server.post("/api/audit", &drifted), 200);
    let (run, incident) = (audit["run"]["id"].as_str().unwrap(), audit["drift_incidents"][0]["id"].as_str().unwrap());
    let form = format!("finding={incident}&decision=accept&reason=Agreed");
    let sent = server.post_as(&format!("/runs/{run}/decisions"), "application/x-www-form-urlencoded", form.as_bytes());
    assert_eq!(sent.status, 303, "{}", sent.text());
    let found = json_of(&server.get(&format!("/api/decisions?finding={incident}")), 200);
    assert_eq!((&found["decisions"][0]["author"], &found["decisions"][0]["run_id"]), (&json!("local"), &json!(run)));

    for (body, status) in [
        (json!({"finding": "banned-term-0", "decision": "contest", "reason": " "}), 422),
        (json!({"finding": "banned-term-0", "decision": "contest", "reason": "x", "until": "soon"}), 422),
        (json!({"finding": "banned-term-0", "decision": "maybe", "reason": "x"}), 422),
        (json!({"finding": "banned-term-0", "decision": "contest", "reason": "x", "run_id": "none"}), 404),
    ] {
        assert_eq!(server.post("/api/decisions", &body).status, status, "{body}");
    }
    server.stop("TERM");

    let server = Served::start(&place, "--store s.db --require-key");
    let bearer = format!("Bearer {key}");
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
    for decision in ["contest", "withdrawn"] {
        let mut body = finding("invented-number");
        body["decision"] = json!(decision);
        let own = server.client.ask("POST", "/api/decisions", &headers, body.to_string().as_bytes()).unwrap();
        assert_eq!(json_of(&own, 200)["author"], "ci");
    }
    let latest = with(&server, "/api/decisions?latest=true&check=invented-number", &headers[..1]);
    let latest = json_of(&latest, 200)["decisions"].clone();
    assert_eq!((latest.as_array().unwrap().len(), &latest[0]["decision"]), (1, &json!("withdrawn")));
    server.stop("TERM");
}
