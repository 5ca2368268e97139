//! What the command line can, the servers can: audits compared, weeks summed up, calendars beside notes, a plan gone on with, files of a plan; with
//! the same limits, at their edge, and the same words.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::mcp as session;
use crate::common::serve::{Served, json_of, problem};
use crate::common::{PROMPT, Place, REPORT};
use serde_json::{Value, json};
use session::{NEW, Session};
use steadfast_testkit::schema::breaches;
use steadfast_wire::summary::WeeklySummary;

const AT: &str = "2026-01-26T09:00:00-05:00";
const ZONE: &str = "America/Toronto";
const NOTES: &str = "- write the report, 60 min\n- call Ana, 30 min\n- review the budget, 45 min\n";
const DRIFTED: &str =
    "# Blockchain seed library\n\nIt opens within 9 months and costs 900 EUR. A partner has agreed.\n";
const TEAM: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Board call\r\nDTSTART:20260126T160000Z\r\n\
    DTEND:20260126T170000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

/// Bytes of a calendar, notes and a plan that are taken at most.
const CALENDAR_BYTES_MAX: usize = 8 * 1024 * 1024;
const NOTES_BYTES_MAX: usize = 1024 * 1024;
const PLAN_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Calendars beside notes.
const CALENDARS_MAX: usize = 50;

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A request about notes, with more in it.
fn notes(more: Value) -> Value {
    let mut body = json!({"context": NOTES, "current_time": AT, "timezone": ZONE});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// A calendar that holds so many bytes.
fn calendar(bytes: usize) -> String {
    let (head, foot) = ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", "END:VCALENDAR\r\n");
    let mut text = head.to_owned();
    let line = format!("X-PAD:{}\r\n", "a".repeat(60));
    while text.len() + 2 * line.len() + foot.len() <= bytes {
        text.push_str(&line);
    }
    let rest = bytes - text.len() - foot.len() - "X-PAD:\r\n".len();
    text.push_str(&format!("X-PAD:{}\r\n{foot}", "a".repeat(rest)));
    assert_eq!(text.len(), bytes);
    text
}

#[test]
fn two_audits_are_compared_at_every_door() {
    let place = Place::pair().with("drifted.md", DRIFTED);
    let server = Served::start(&place, "--store s.db");
    let made = |report: &str| server.post("/api/audit", &json!({"prompt": PROMPT, "report": report})).text();
    let (text_a, text_b) = (made(REPORT), made(DRIFTED));
    let (a, b) = (parsed(&text_a), parsed(&text_b));
    let id = |own: &Value| own["run"]["id"].as_str().unwrap().to_owned();
    let (id_a, id_b) = (id(&a), id(&b));
    let place = place.with("a.json", text_a).with("b.json", text_b);

    // Stored runs.
    let expect = parsed(&place.steadfast(&format!("audit compare {id_a} {id_b} --store s.db --json")).status(0).stdout);
    assert!(expect["counts"]["obligations"]["newly_broken"].as_u64() > Some(0), "{expect}");
    let told = server.get(&format!("/api/audit/compare?a={id_a}&b={id_b}"));
    assert_eq!(json_of(&told, 200), expect);
    let mut session = Session::start(&place, &["--store", "s.db", "--root", "."], NEW);
    let mut compared = |arguments: Value| {
        let answer = session.call("audit_compare", arguments);
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        answer["result"]["structuredContent"].clone()
    };
    assert_eq!(compared(json!({"a": id_a, "b": id_b})), expect);
    // Saved results, and one of each.
    let saved = parsed(&place.steadfast("audit compare a.json b.json --json").status(0).stdout);
    assert_eq!(compared(json!({"a": a, "b": b})), saved);
    assert_eq!(compared(json!({"a": {"path": "a.json"}, "b": {"path": "b.json"}})), saved);
    assert_eq!(compared(json!({"a": a, "b": id_b}))["counts"], expect["counts"]);

    let mut refused = |arguments: Value, text: &str| session.refused("audit_compare", arguments, "input", text);
    let schema = "\nhint: `audit_compare` takes a, b";
    refused(json!({"a": id_a}), &format!("error: audit_compare: missing field `b`{schema}"));
    let none = "error: no run `none` is stored\nhint: `steadfast runs list` names those that are";
    refused(json!({"a": "none", "b": id_b}), none);
    let end = place.steadfast(&format!("audit compare none {id_b} --store s.db"));
    assert_eq!(end.stderr.trim_end(), none);
    let wrong = session.call("audit_compare", json!({"a": a, "b": {"status": "ok"}}));
    assert_eq!(wrong["result"]["isError"], true, "{wrong}");
    assert!(wrong["result"]["content"][0]["text"].as_str().unwrap().starts_with("error: b.json: "), "{wrong}");
    session.end();
    // What is kept nowhere cannot be named, and what is given can be compared.
    let mut session = Session::start(&place, &["--no-store"], NEW);
    let keeps_nothing =
        "error: this server keeps nothing, and this needs what was kept\nhint: start the server without `--no-store`";
    session.refused("audit_compare", json!({"a": id_a, "b": id_b}), "input", keeps_nothing);
    assert_eq!(session.call("audit_compare", json!({"a": a, "b": b}))["result"]["structuredContent"], saved);
    session.end();
    server.stop("TERM");
}

#[test]
fn weeks_are_summed_up_as_the_command_does() {
    let place = Place::pair();
    let server = Served::start(&place, "--store s.db");
    server.post("/api/audit", &json!({"prompt": PROMPT, "report": DRIFTED}));
    server.post("/api/plan", &notes(json!({"variant": "v1_naive"})));
    let told = json_of(&server.get("/api/summary?weeks=2&timezone=Europe%2FBerlin"), 200);
    let schema = serde_json::to_value(steadfast_wire::schema::<WeeklySummary>()).unwrap();
    assert_eq!(breaches(&schema, &told), [""; 0]);
    let end = place.steadfast("store summary --weeks 2 --tz Europe/Berlin --store s.db --json").status(0);
    assert_eq!(parsed(&end.stdout), told);
    assert_eq!((&told["weeks"][1]["all"]["runs"], told["weeks"].as_array().unwrap().len()), (&json!(2), 2));
    // What is not said is as the command has it.
    let end = place.steadfast("store summary --store s.db --json").status(0);
    assert_eq!(parsed(&end.stdout), json_of(&server.get("/api/summary"), 200));
    assert_eq!(server.get("/api/summary?weeks=520").status, 200);
    let detail = "`weeks` is `521`: a whole number between 1 and 520 is taken";
    problem(&server.get("/api/summary?weeks=521"), (422, "invalid"), &json!({"detail": detail, "parameter": "weeks"}));
    let refused = json_of(&server.get("/api/summary?timezone=Mars%2FOne"), 422);
    let end = place.steadfast("store summary --tz Mars/One --store s.db");
    let said = format!("error: {}\nhint: {}\n", refused["detail"].as_str().unwrap(), refused["hint"].as_str().unwrap());
    assert_eq!(end.stderr, said);
    server.stop("TERM");
    let server = Served::start(&place, "--no-store");
    assert_eq!(
        json_of(&server.get("/api/summary"), 422)["detail"],
        "this server keeps nothing, and this needs what was kept"
    );
    server.stop("TERM");
}

#[test]
fn calendars_are_limited_as_at_the_command_line() {
    let place = Place::empty().with("context.md", NOTES).with("team.ics", TEAM);
    let server = Served::start(&place, "--store s.db");
    let ask = |calendars: Value| server.post("/api/plan/constraints", &notes(json!({ "calendars": calendars })));
    let said = |reply: &steadfast_testkit::http::Reply| {
        let told = json_of(reply, 422);
        let hint = told["hint"].as_str().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        format!("error: {}{hint}", told["detail"].as_str().unwrap())
    };
    // How many.
    let many = |count: usize| Value::from(vec![json!({"name": "team.ics", "text": TEAM}); count]);
    assert_eq!(ask(many(CALENDARS_MAX)).status, 200);
    let refused = said(&ask(many(CALENDARS_MAX + 1)));
    let at = format!("--at {AT} --tz {ZONE}");
    let named = " --calendar team.ics".repeat(CALENDARS_MAX + 1);
    let end = place.steadfast(&format!("plan constraints context.md {at}{named}"));
    assert_eq!((end.status, end.stderr.trim_end()), (2, refused.as_str()));
    let mut session = Session::start(&place, &["--no-store", "--root", "."], NEW);
    session.refused("plan_constraints", notes(json!({"calendars": many(CALENDARS_MAX + 1)})), "input", &refused);
    let mut both = many(CALENDARS_MAX);
    both.as_array_mut().unwrap().push(json!({"path": "team.ics"}));
    let both = notes(json!({ "calendars": both }));
    session.refused("plan_constraints", both, "input", &refused);

    // How large.
    let (fits, over) = (calendar(CALENDAR_BYTES_MAX), calendar(CALENDAR_BYTES_MAX + 1));
    assert_eq!(ask(json!([{"name": "big.ics", "text": fits}])).status, 200);
    let refused = said(&ask(json!([{"name": "big.ics", "text": over}])));
    let place = place.with("big.ics", &over);
    let end = place.steadfast(&format!("plan constraints context.md --calendar big.ics {at}"));
    assert_eq!((end.status, end.stderr.trim_end()), (2, refused.as_str()));
    session.refused("plan_constraints", notes(json!({"calendars": [{"path": "big.ics"}]})), "input", &refused);
    let nowhere = session.call("plan_constraints", notes(json!({"calendars": [{"path": "../team.ics"}]})));
    assert_eq!(nowhere["result"]["isError"], true, "{nowhere}");
    session.end();

    // Notes and plans that come over HTTP, whose bodies have room for calendars.
    let padded = |bytes: usize| format!("{NOTES}{}", " ".repeat(bytes - NOTES.len()));
    let with = |context: String| server.post("/api/plan/constraints", &notes(json!({ "context": context })));
    assert_eq!(with(padded(NOTES_BYTES_MAX)).status, 200);
    let detail =
        format!("`context` holds {} bytes, more than the {NOTES_BYTES_MAX} of this route", NOTES_BYTES_MAX + 1);
    let told = json!({"detail": detail, "pointer": "/context"});
    problem(&with(padded(NOTES_BYTES_MAX + 1)), (413, "too-large"), &told);
    let plan = |bytes: usize| json!([{"task": "x".repeat(bytes - r#"[{"task":""}]"#.len())}]);
    for (path, member) in [("/api/plan/check", "plan"), ("/api/plan", "from")] {
        let with = |bytes: usize| server.post(path, &notes(json!({ member: plan(bytes) })));
        assert_eq!(with(PLAN_BYTES_MAX).status, 200, "{path}");
        let bytes = PLAN_BYTES_MAX + 1;
        let detail = format!("`{member}` holds {bytes} bytes, more than the {PLAN_BYTES_MAX} of this route");
        problem(&with(bytes), (413, "too-large"), &json!({"detail": detail, "pointer": format!("/{member}")}));
    }
    server.stop("TERM");
}

#[test]
fn a_plan_is_gone_on_with_and_given_as_files() {
    let place = Place::empty().with("context.md", NOTES).with("team.ics", TEAM);
    let server = Served::start(&place, "--store s.db");
    let first = server.post("/api/plan", &notes(json!({"calendars": [{"text": TEAM}]}))).json();
    let events = |own: &Value| {
        let all = own["validation"]["constraints"].as_array().unwrap().clone();
        all.into_iter().find(|it| it["text"] == "Board call").unwrap()["span"]["file"].clone()
    };
    assert_eq!(events(&first), "calendar.ics", "what a calendar is called that has no name");
    // The whole answer is taken as it is.
    let end = first["plan"][0]["end"].as_str().unwrap();
    let later = notes(json!({"from": first, "current_time": end}));
    let second = server.post("/api/plan", &later).json();
    assert_eq!(
        (&second["moved"][0]["change"], &second["moved"][0]["task"]),
        (&json!("kept"), &first["plan"][0]["task"])
    );
    let shown = server.get(&format!("/api/runs/{}", second["run"]["id"].as_str().unwrap())).json();
    assert_eq!(shown["run"]["settings"]["done"], json!([]));

    // What cannot be.
    let refused = |more: Value, detail: &str, hint: &str| {
        let told = json!({"detail": detail, "hint": hint});
        problem(&server.post("/api/plan", &notes(more)), (422, "unusable"), &told);
    };
    refused(json!({"done": [1]}), "`done` is given without `from`", "`from` is the plan whose items are done");
    let hint = "leave out `extract`, `generate` and `advise`";
    for more in [json!({"extract": "model"}), json!({"generate": "model"}), json!({"advise": true})] {
        let mut more = more;
        more["from"] = first["plan"].clone();
        refused(more, "`from` is planned by rules alone", hint);
    }

    // Files of a plan, as the command writes them.
    let at = format!("--at {AT} --tz {ZONE}");
    let written = |form: &str| {
        let command = format!("plan context.md --calendar team.ics -q --format {form} {at}");
        place.steadfast(&command).status(0).stdout
    };
    let of_run = |form: &str| {
        let path = format!("/api/runs/{}/result?format={form}", first["run"]["id"].as_str().unwrap());
        let reply = server.get(&path);
        assert_eq!(reply.status, 200, "{}", reply.text());
        (reply.header("content-type").unwrap().to_owned(), reply.text())
    };
    assert_eq!(of_run("ics"), ("text/calendar; charset=utf-8".to_owned(), written("ics")));
    assert_eq!(of_run("tasks"), ("text/markdown; charset=utf-8".to_owned(), written("tasks")));
    let path = format!("/api/runs/{}/result", first["run"]["id"].as_str().unwrap());
    let reply = server.client.ask("GET", &path, &[("Accept", "text/calendar")], b"").unwrap();
    assert_eq!((reply.status, reply.text()), (200, written("ics")));

    let mut session = Session::start(&place, &["--no-store", "--root", "."], NEW);
    let asked = notes(json!({"calendars": [{"path": "team.ics"}], "files": ["tasks", "ics"]}));
    let content = session.call("plan", asked)["result"]["content"].clone();
    let texts: Vec<&str> = content.as_array().unwrap().iter().map(|own| own["text"].as_str().unwrap()).collect();
    assert_eq!(texts[1..], [written("tasks"), written("ics")]);
    let mut undated = notes(json!({"from": first["plan"]}));
    undated.as_object_mut().unwrap().remove("current_time");
    session.refused(
        "plan",
        undated,
        "input",
        "error: `from` is given without `current_time`\nhint: `current_time` says from when on the rest of the day is planned",
    );
    session.end();
    server.stop("TERM");
}
