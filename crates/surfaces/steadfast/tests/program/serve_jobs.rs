//! Jobs of `steadfast serve`: made, followed, cancelled, and what a server that ends leaves of them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Cursor, Write};

use crate::common::serve::{Served, json_of, problem};
use crate::common::{PROMPT, Place, REPORT, zipped};
use serde_json::{Value, json};
use steadfast_testkit::http::Reply;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Jobs that wait or are under way, and the bytes that all of them hold.
const JOBS_MAX: usize = 32;
const JOBS_BYTES_MAX: usize = 128 << 20;

/// Parts of a job, and members of an archive.
const PARTS_MAX: usize = 10_000;

/// Parts of a job that is not done before somebody asks for something else.
const MANY: usize = 3_000;

fn served(place: &Place) -> Served {
    Served::start(place, "--store s.db --embedder lexical")
}

fn pairs(count: usize) -> Value {
    json!({"pairs": vec![json!({"prompt": PROMPT, "report": REPORT}); count]})
}

/// The id of a job that was made.
#[track_caller]
fn made(server: &Served, body: &Value) -> String {
    let reply = server.post("/api/jobs", body);
    let job = json_of(&reply, 202)["job"].clone();
    let id = job["id"].as_str().unwrap().to_owned();
    assert_eq!(reply.header("location"), Some(format!("/api/jobs/{id}").as_str()));
    assert_eq!((&job["state"], &job["done"], &job["message"]), (&json!("queued"), &json!(0), &Value::Null));
    id
}

/// How a job stands, and how much of it is done.
#[track_caller]
fn stands(server: &Served, id: &str) -> (String, u64) {
    let job = json_of(&server.get(&format!("/api/jobs/{id}")), 200)["job"].clone();
    (job["state"].as_str().unwrap().to_owned(), job["done"].as_u64().unwrap())
}

/// The events of a job to its end: names, ids where there are any, and data.
#[track_caller]
fn followed(server: &Served, path: &str) -> Vec<(String, Option<u64>, Value)> {
    let reply = server.get(path);
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/event-stream")), "{}", reply.text());
    let text = reply.text();
    let field = |event: &str, name: &str| {
        event.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned))
    };
    let told = text.split("\n\n").filter(|event| event.contains("event: ")).map(|event| {
        let id = field(event, "id").map(|id| id.parse().unwrap());
        (field(event, "event").unwrap(), id, serde_json::from_str(&field(event, "data").unwrap()).unwrap())
    });
    told.collect()
}

#[test]
fn a_job_is_made_followed_and_listed() {
    let place = Place::run();
    let server = served(&place);
    let body = json!({"pairs": [
        {"name": "kept", "prompt": PROMPT, "report": REPORT},
        {"prompt": PROMPT, "report": ""},
        {"name": "drifted", "prompt": PROMPT, "report": "# Seed library\n\nThe seed library opens within 9 months. Its budget is 900 EUR."},
    ]});
    let id = made(&server, &body);
    let told = followed(&server, &format!("/api/jobs/{id}/events"));
    let parts: Vec<_> = told.iter().filter(|(name, ..)| name == "part").collect();
    assert_eq!(parts.iter().map(|(_, id, _)| id.unwrap()).collect::<Vec<_>>(), [0, 1, 2]);
    let names: Vec<_> = parts.iter().map(|(.., part)| part["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["kept", "1", "drifted"]);
    let (name, _, job) = told.last().unwrap();
    assert_eq!((name.as_str(), &job["state"], &job["done"]), ("end", &json!("done"), &json!(3)));

    // A part that could not be audited says why; the others are runs like any other.
    let record = json_of(&server.get(&format!("/api/jobs/{id}")), 200);
    assert_eq!(
        record["results"].as_array().unwrap().iter().collect::<Vec<_>>(),
        parts.iter().map(|own| &own.2).collect::<Vec<_>>()
    );
    let refused = json_of(&server.post("/api/audit", &json!({"prompt": PROMPT, "report": ""})), 200);
    let why = refused["not_evaluable"]["detail"].as_str().unwrap();
    assert!(record["results"][1]["error"].as_str().unwrap().starts_with(why), "{record}");
    assert_eq!(record["results"][1]["run_id"], Value::Null);
    for (at, body) in [(0, &body["pairs"][0]), (2, &body["pairs"][2])] {
        let run = record["results"][at]["run_id"].as_str().unwrap();
        let mut kept = json_of(&server.get(&format!("/api/runs/{run}/result")), 200);
        let mut own =
            json_of(&server.post("/api/audit", &json!({"prompt": body["prompt"], "report": body["report"]})), 200);
        assert_eq!(kept.as_object_mut().unwrap().remove("run").unwrap()["id"], run);
        own.as_object_mut().unwrap().remove("run");
        assert_eq!(kept, own);
    }

    // Whoever comes again is told only what is new.
    let again = followed(&server, &format!("/api/jobs/{id}/events?after=1"));
    assert_eq!(
        again.iter().map(|(name, id, _)| (name.as_str(), *id)).collect::<Vec<_>>(),
        [("part", Some(2)), ("end", None)]
    );
    let page = json_of(&server.get(&format!("/api/jobs/{id}?limit=2&fields=results,next_cursor")), 200);
    assert_eq!((page["results"].as_array().unwrap().len(), &page["next_cursor"]), (2, &json!(2)));

    // An archive whose top folders are runs.
    let run = |folder: &str, name: &str| (format!("{folder}/{name}"), place.read(&format!("run/{name}")).into_bytes());
    let members = [
        run("b", "001-2-plan.txt"),
        run("b", "025-2-summary.md"),
        run("a", "001-2-plan.txt"),
        run("a", "025-2-summary.md"),
    ];
    let reply = json_of(&server.post_as("/api/jobs", "application/zip", &zipped(&members)), 202);
    let second = reply["job"]["id"].as_str().unwrap();
    let told = followed(&server, &format!("/api/jobs/{second}/events"));
    let parts: Vec<_> = told.iter().filter(|(name, ..)| name == "part").map(|(.., part)| part).collect();
    assert_eq!(parts.iter().map(|part| part["name"].as_str().unwrap()).collect::<Vec<_>>(), ["a", "b"]);
    assert!(parts.iter().all(|part| part["run_id"].is_string()), "{parts:?}");

    let list = json_of(&server.get("/api/jobs?fields=id,state"), 200);
    assert_eq!(list["jobs"], json!([{"id": second, "state": "done"}, {"id": id, "state": "done"}]));

    // What is no job.
    let detail = "no job `none` is kept";
    for reply in [server.get("/api/jobs/none"), server.get("/api/jobs/none/events"), server.delete("/api/jobs/none")] {
        problem(&reply, (404, "not-stored"), &json!({"detail": detail}));
    }
    assert_eq!(json_of(&server.post("/api/jobs", &json!({"pairs": []})), 422)["detail"], "a job of no parts");
    let loose = zipped(&[("plan.txt".to_owned(), PROMPT.into())]);
    assert_eq!(
        json_of(&server.post_as("/api/jobs", "application/zip", &loose), 422)["detail"],
        "runs.zip: `plan.txt` stands in no folder"
    );
    server.stop("TERM");
}

#[test]
fn a_job_is_bounded_in_its_parts_and_in_what_it_inflates_to() {
    let place = Place::empty();
    let server = served(&place);
    let detail = |reply: Reply| json_of(&reply, 422)["detail"].as_str().unwrap().to_owned();
    assert_eq!(detail(server.post("/api/jobs", &pairs(PARTS_MAX + 1))), "the job has 10001 parts, more than 10000");
    let most = made(&server, &pairs(PARTS_MAX));
    json_of(&server.delete(&format!("/api/jobs/{most}")), 200);

    let archive = |members: &[(String, Vec<u8>)]| server.post_as("/api/jobs", "application/zip", &zipped(members));
    let pages = |count: usize| (0..count).map(|at| (format!("run/{at}.md"), Vec::new())).collect::<Vec<_>>();
    let many = json_of(&archive(&pages(PARTS_MAX)), 202)["job"]["id"].as_str().unwrap().to_owned();
    json_of(&server.delete(&format!("/api/jobs/{many}")), 200);
    assert_eq!(detail(archive(&pages(PARTS_MAX + 1))), "runs.zip: holds more than 10000 files");
    let bomb = vec![("run/025-2-summary.md".to_owned(), vec![b' '; 4 << 20])];
    assert_eq!(
        detail(archive(&bomb)),
        "runs.zip: member `run/025-2-summary.md` inflates to more than 250 times its size"
    );
    // A run is as large as a body may be, whatever it deflates to; several are read one after the other.
    let large = |run: &str| (0..65).map(|at| (format!("{run}/{at}.md"), vec![b' '; 1 << 20])).collect::<Vec<_>>();
    let one = zipped(&large("one"));
    for path in ["/api/jobs", "/api/audit"] {
        let reply = json_of(&server.post_as(path, "application/zip", &one), 413);
        let name = if path == "/api/jobs" { "one" } else { "run.zip" };
        assert_eq!(reply["detail"], format!("{name}: a run inflates to 68157440 bytes, more than 67108864"));
    }
    let both = [large("one").split_off(1), large("two").split_off(1)].concat();
    let both = json_of(&archive(&both), 202)["job"]["id"].as_str().unwrap().to_owned();
    json_of(&server.delete(&format!("/api/jobs/{both}")), 200);
    let out = vec![("../run/025-2-summary.md".to_owned(), b"x".to_vec())];
    assert_eq!(archive(&out).status, 422);
    assert_eq!(server.post_as("/api/jobs", "application/zip", b"no archive").status, 422);
    server.stop("TERM");
}

/// An archive of one run that takes so many bytes as it is.
fn stored_archive(bytes: usize) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file("run/data.bin", options).unwrap();
    writer.write_all(&vec![0; bytes]).unwrap();
    writer.finish().unwrap().into_inner()
}

#[test]
fn jobs_beside_those_that_wait_are_told_to_come_again() {
    let place = Place::empty();
    let server = served(&place);
    let first = made(&server, &pairs(PARTS_MAX));
    let busy = |reply: &Reply, detail: &str| {
        assert_eq!(reply.header("retry-after"), Some("1"));
        problem(reply, (503, "busy"), &json!({"detail": detail}));
    };
    // What they hold together is bounded.
    let large = stored_archive(60 << 20);
    let send = || server.post_as("/api/jobs", "application/zip", &large);
    let held: Vec<String> = (0..JOBS_BYTES_MAX / large.len())
        .map(|_| json_of(&send(), 202)["job"]["id"].as_str().unwrap().to_owned())
        .collect();
    busy(&send(), "other jobs hold all the room that there is");
    for id in &held {
        json_of(&server.delete(&format!("/api/jobs/{id}")), 200);
    }
    // And so is how many there are; those that were cancelled leave their places in a while.
    let mut waiting = Vec::new();
    let told = loop {
        let reply = server.post("/api/jobs", &pairs(1));
        if reply.status != 202 {
            if waiting.len() + 1 == JOBS_MAX {
                break reply;
            }
            continue;
        }
        waiting.push(json_of(&reply, 202)["job"]["id"].as_str().unwrap().to_owned());
        assert!(waiting.len() < JOBS_MAX);
    };
    busy(&told, "32 jobs wait or are under way already");
    assert_eq!(stands(&server, &first).0, "running", "the others wait for it");
    json_of(&server.delete(&format!("/api/jobs/{}", waiting[0])), 200);
    let again = loop {
        let reply = server.post("/api/jobs", &pairs(1));
        if reply.status == 202 {
            break reply;
        }
    };
    assert_eq!(json_of(&again, 202)["job"]["state"], "queued");
    for id in std::iter::once(&first).chain(&waiting) {
        json_of(&server.delete(&format!("/api/jobs/{id}")), 200);
    }
    server.stop("TERM");
}

#[test]
fn a_job_is_cancelled() {
    let place = Place::empty();
    let server = served(&place);
    let first = made(&server, &pairs(MANY));
    let waits = made(&server, &pairs(1));
    let cancelled = json_of(&server.delete(&format!("/api/jobs/{waits}")), 200);
    assert_eq!((&cancelled["job"]["state"], &cancelled["results"]), (&json!("cancelled"), &json!([])));
    json_of(&server.delete(&format!("/api/jobs/{first}")), 200);
    let told = followed(&server, &format!("/api/jobs/{first}/events"));
    assert_eq!((told.last().unwrap().0.as_str(), &told.last().unwrap().2["state"]), ("end", &json!("cancelled")));
    let (state, done) = stands(&server, &first);
    assert!(state == "cancelled" && done < MANY as u64, "{done}");

    // The turn is free again, and one that has ended stays as it ended.
    let next = made(&server, &pairs(1));
    followed(&server, &format!("/api/jobs/{next}/events"));
    assert_eq!(json_of(&server.delete(&format!("/api/jobs/{next}")), 200)["job"]["state"], "done");
    assert_eq!(stands(&server, &first), ("cancelled".to_owned(), done));
    assert_eq!(stands(&server, &waits), ("cancelled".to_owned(), 0));
    server.stop("TERM");
}

#[test]
fn what_a_server_leaves_is_interrupted() {
    let place = Place::empty();
    for signal in ["TERM", "KILL"] {
        let server = served(&place);
        let (first, waits) = (made(&server, &pairs(MANY)), made(&server, &pairs(1)));
        if signal == "TERM" {
            server.stop(signal);
        } else {
            server.signal(signal);
            drop(server);
        }
        let server = served(&place);
        for id in [&first, &waits] {
            let record = json_of(&server.get(&format!("/api/jobs/{id}")), 200);
            assert_eq!(
                (&record["job"]["state"], &record["job"]["message"]),
                (&json!("interrupted"), &json!("the server ended while it was under way")),
                "{signal}"
            );
        }
        let next = made(&server, &pairs(2));
        assert_eq!(followed(&server, &format!("/api/jobs/{next}/events")).last().unwrap().2["state"], "done");
        server.stop("TERM");
    }
}

#[test]
fn servers_with_one_store_do_their_own_jobs_and_see_those_of_the_others() {
    let place = Place::empty();
    let first = served(&place);
    let job = made(&first, &pairs(MANY));
    let second = served(&place);
    let own = made(&second, &pairs(1));
    assert!(!followed(&second, &format!("/api/jobs/{own}/events")).is_empty());
    assert_eq!(stands(&second, &own).0, "done");
    // The other's goes on, and each shows both.
    assert_eq!(stands(&first, &job).0, "running");
    assert_eq!(stands(&second, &job).0, "running");
    json_of(&second.delete(&format!("/api/jobs/{job}")), 200);
    assert_eq!(stands(&first, &job).0, "cancelled");
    let left = made(&first, &pairs(MANY));
    first.signal("KILL");
    drop(first);
    // Another one looks every few seconds who has ended.
    while stands(&second, &left).0 != "interrupted" {}
    second.stop("TERM");
}

#[test]
fn who_keeps_nothing_does_no_jobs() {
    let place = Place::empty();
    let server = Served::start(&place, "--no-store");
    let told = json!({
        "detail": "this server keeps nothing, so it does no jobs",
        "hint": "start the server without `--no-store`",
    });
    problem(&server.post("/api/jobs", &pairs(1)), (422, "unusable"), &told);
    problem(&server.get("/api/jobs"), (422, "unusable"), &told);
    server.stop("TERM");
}
