//! What becomes of traces where the other side is well, busy, broken or gone.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::Path;
use std::time::Duration;

use common::{KEY, Reply, Server, answer, batch, experiment, opik, otlp, outbox, sender, trace};
use steadfast_engine::trace::TraceSink;
use steadfast_export::{Exporter, Limits, Outbox, Queue, Report, Urgency, jsonl};
use steadfast_wire::trace::{ExporterStatus, Queued};

const RUN: Urgency = Urgency::AfterRun(Duration::from_secs(20));

fn one(reports: &[Report]) -> &Report {
    assert_eq!(reports.len(), 1, "{reports:?}");
    &reports[0]
}

fn status(outbox: &Outbox) -> ExporterStatus {
    outbox.queue().status().unwrap().exporters.remove(0)
}

/// All that stands in the files below a folder.
fn written(folder: &Path) -> String {
    let mut all = String::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        all += &if path.is_dir() {
            written(&path)
        } else {
            String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
        };
    }
    all
}

#[test]
fn opik_takes_traces_with_the_key_and_the_workspace() {
    let server = Server::always("204 No Content", &[], b"");
    let (outbox, _folder) = outbox(vec![opik(&server.base)]);
    assert!(outbox.take(&batch(1)).is_empty() && outbox.take(&batch(2)).is_empty());
    assert_eq!(outbox.send(RUN).unwrap(), [Report { exporter: "opik".to_owned(), sent: 2, ..Report::default() }]);
    let base = "/api/v1/private";
    assert_eq!(
        server.calls(),
        [
            format!("POST {base}/traces/batch"),
            format!("POST {base}/spans/batch"),
            format!("PUT {base}/traces/feedback-scores"),
            format!("PUT {base}/spans/feedback-scores"),
        ]
    );
    for asked in server.asked() {
        assert_eq!(asked.header("authorization").as_deref(), Some(KEY));
        assert_eq!(asked.header("comet-workspace").as_deref(), Some("ws"));
        assert_eq!(asked.header("content-type").as_deref(), Some("application/json"));
    }
    let standing = status(&outbox);
    assert_eq!((standing.sent, standing.waiting, standing.last_failure), (2, 0, None));
    assert!(outbox.send(RUN).unwrap().is_empty(), "what was sent is not sent again");
}

#[test]
fn an_experiment_is_a_dataset_its_traces_and_their_places_in_it() {
    // The dataset is there already, which is what 409 says.
    let server = Server::new(|asked, _| {
        let status = if asked.path.ends_with("/datasets") { "409 Conflict" } else { "201 Created" };
        Reply::Send(answer(status, &[], b"{}"))
    });
    let (outbox, _folder) = outbox(vec![opik(&server.base)]);
    outbox.take(&experiment());
    assert_eq!(one(&outbox.send(Urgency::Flush).unwrap()).sent, 1);
    let paths: Vec<String> = server.asked().iter().map(|asked| asked.path.replace("/api/v1/private/", "")).collect();
    let expected =
        ["datasets", "datasets/items", "traces/batch", "traces/feedback-scores", "experiments", "experiments/items"];
    assert_eq!(paths, expected);
}

#[test]
fn a_collector_takes_protobuf_with_its_headers() {
    let server = Server::always("200 OK", &[("content-type", "application/x-protobuf")], b"");
    let (outbox, _folder) = outbox(vec![otlp(&server.base)]);
    outbox.take(&batch(1));
    assert_eq!(one(&outbox.send(RUN).unwrap()).sent, 1);
    let asked = server.asked().remove(0);
    assert_eq!((asked.method.as_str(), asked.path.as_str()), ("POST", "/v1/traces"));
    assert_eq!(asked.header("x-api-key").as_deref(), Some(KEY));
    assert_eq!(asked.header("content-type").as_deref(), Some("application/x-protobuf"));
}

#[test]
fn spans_that_a_collector_took_and_did_not_keep_are_counted_and_not_sent_again() {
    let server = Server::always("200 OK", &[], &[0x0a, 0x08, 0x08, 0x02, 0x12, 0x04, b'f', b'u', b'l', b'l']);
    let (outbox, _folder) = outbox(vec![otlp(&server.base)]);
    outbox.take(&batch(1));
    let reports = outbox.send(RUN).unwrap();
    let report = one(&reports);
    assert_eq!((report.sent, report.rejected_spans, report.said.as_deref()), (1, 2, Some("full")));
    assert_eq!((status(&outbox).rejected_spans, status(&outbox).waiting), (2, 0));
}

#[test]
fn what_fails_for_now_waits_with_the_reason_and_is_sent_later() {
    let down = "http://127.0.0.1:1".to_owned();
    let busy = [
        ("401 Unauthorized", "status 401: no"),
        ("403 Forbidden", "status 403: no"),
        ("404 Not Found", "status 404: no"),
        ("408 Request Timeout", "status 408: no"),
        ("429 Too Many Requests", "status 429: no"),
        ("500 Internal Server Error", "status 500: no"),
        ("502 Bad Gateway", "status 502: no"),
        ("503 Service Unavailable", "status 503: no"),
        ("307 Temporary Redirect", "what is sent is not led on"),
    ];
    let mut cases: Vec<(Option<Server>, &str)> =
        busy.iter().map(|(status, said)| (Some(Server::always(status, &[], b"no")), *said)).collect();
    cases.push((None, "cannot be reached"));
    cases.push((Some(Server::new(|_, _| Reply::Drop)), "cannot be reached"));
    cases.push((Some(Server::new(|_, _| Reply::Send(b"HTTP/1.1 2".to_vec()))), "cannot be reached"));
    let well = Server::always("200 OK", &[], b"");
    for (server, said) in &cases {
        let base = server.as_ref().map_or(down.as_str(), |server| server.base.as_str());
        for (exporter, again) in [(opik(base), opik(&well.base)), (otlp(base), otlp(&well.base))] {
            let (outbox, folder) = outbox(vec![exporter]);
            outbox.take(&batch(1));
            outbox.take(&batch(2));
            let reports = outbox.send(RUN).unwrap();
            let report = one(&reports);
            assert_eq!((report.sent, report.failed, report.waiting), (0, 0, 2), "{said}");
            assert!(report.trouble.as_ref().unwrap().contains(said), "{said}: {report:?}");
            let standing = status(&outbox);
            assert_eq!((standing.waiting, standing.failed, standing.tries_failed), (2, 0, 1));
            // One try was made, and the next run makes none.
            let asked = server.as_ref().map_or(0, |server| server.asked().len());
            assert_eq!(one(&outbox.send(RUN).unwrap()).waiting, 2);
            assert_eq!(server.as_ref().map_or(0, |server| server.asked().len()), asked);
            let again = sender(vec![again], outbox.queue().clone());
            assert_eq!(one(&again.send(Urgency::Flush).unwrap()).sent, 2, "{said}");
            assert_eq!((status(&again).tries_failed, status(&again).last_failure), (0, None));
            assert!(!written(folder.path()).contains(KEY));
        }
    }
}

#[test]
fn a_server_that_asks_to_be_left_alone_is_even_by_a_flush() {
    for header in ["retry-after", "RateLimit-Reset"] {
        let server = Server::new(move |_, _| Reply::Send(answer("429 Too Many Requests", &[(header, "120")], b"")));
        let (outbox, _folder) = outbox(vec![opik(&server.base)]);
        outbox.take(&batch(1));
        outbox.send(Urgency::Flush).unwrap();
        assert_eq!(status(&outbox).not_before.as_deref(), Some("2027-01-15T08:02:00.000Z"));
        let reports = outbox.send(Urgency::Flush).unwrap();
        assert_eq!(one(&reports).trouble.as_deref(), Some("asks to be left alone until 2027-01-15T08:02:00.000Z"));
        assert_eq!(server.asked().len(), 1);
    }
    // What cannot be read, or is no number of seconds, asks for nothing.
    for value in ["soon", "-1", "99999999999999999999", ""] {
        let value = value.to_owned();
        let server =
            Server::new(move |_, _| Reply::Send(answer("429 Too Many Requests", &[("retry-after", &value)], b"")));
        let (outbox, _folder) = outbox(vec![opik(&server.base)]);
        outbox.take(&batch(1));
        outbox.send(Urgency::Flush).unwrap();
        assert_eq!(status(&outbox).not_before, None);
    }
    // Nobody is left alone for longer than an hour.
    let server = Server::always("503 Service Unavailable", &[("retry-after", "18446744073709551615")], b"");
    let (outbox, _folder) = outbox(vec![opik(&server.base)]);
    outbox.take(&batch(1));
    outbox.send(Urgency::Flush).unwrap();
    assert_eq!(status(&outbox).not_before.as_deref(), Some("2027-01-15T09:00:00.000Z"));
}

#[test]
fn what_will_never_be_taken_stands_aside_with_its_reason() {
    for (code, said) in [
        ("400 Bad Request", "status 400: {\"errors\":[\"no\"]}"),
        ("413 Content Too Large", "status 413: {\"errors\":[\"no\"]}"),
        ("422 Unprocessable Content", "status 422: {\"errors\":[\"no\"]}"),
    ] {
        // It takes everything but the second trace.
        let server = Server::new(move |asked, _| {
            let bad = String::from_utf8_lossy(&asked.body).contains(&trace(2).id);
            Reply::Send(if bad { answer(code, &[], b"{\"errors\":[\"no\"]}") } else { answer("200 OK", &[], b"") })
        });
        let (outbox, folder) = outbox(vec![opik(&server.base)]);
        for number in 1..=3 {
            outbox.take(&batch(number));
        }
        let reports = outbox.send(RUN).unwrap();
        let report = one(&reports);
        assert_eq!((report.sent, report.failed, report.waiting, report.trouble.as_deref()), (2, 1, 0, None));
        assert!(report.said.as_ref().unwrap().ends_with(said), "{report:?}");
        let standing = status(&outbox);
        assert_eq!((standing.sent, standing.failed, standing.waiting), (2, 1, 0));
        let failed = folder.path().join(format!("queue/failed/{}.opik.json", trace(2).id));
        let failed: Queued = steadfast_wire::from_json(&fs::read_to_string(failed).unwrap()).unwrap();
        assert!(failed.reason.unwrap().ends_with(said));
        assert_eq!(failed.batch, batch(2), "nothing of it is lost");
        // Somebody mends the server and tries again.
        assert_eq!(outbox.queue().retry_failed().unwrap(), 1);
        let well = Server::always("200 OK", &[], b"");
        let again = sender(vec![opik(&well.base)], outbox.queue().clone());
        assert_eq!(one(&again.send(Urgency::Flush).unwrap()).sent, 1);
    }
}

#[test]
fn a_server_that_hangs_costs_a_run_no_more_than_its_time() {
    for reply in [b"".as_slice(), b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1"] {
        let server = Server::new(move |_, _| Reply::Hold(reply.to_vec()));
        let (outbox, _folder) = outbox(vec![otlp(&server.base)]);
        outbox.take(&batch(1));
        let reports = outbox.send(Urgency::AfterRun(Duration::from_millis(100))).unwrap();
        let report = one(&reports);
        let trouble = "not all of it was taken within 100 ms";
        assert_eq!((report.waiting, report.trouble.as_deref()), (1, Some(trouble)));
        assert_eq!(status(&outbox).last_failure.unwrap().what, trouble);
        // The next run does not even ask.
        assert_eq!(one(&outbox.send(RUN).unwrap()).waiting, 1);
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn an_exporter_that_hangs_holds_up_no_other() {
    let (hung, well) = (Server::new(|_, _| Reply::Hold(Vec::new())), Server::always("200 OK", &[], b""));
    let (outbox, _folder) = outbox(vec![opik(&hung.base), otlp(&well.base)]);
    outbox.take(&batch(1));
    let first = outbox.send(Urgency::AfterRun(Duration::from_millis(100))).unwrap();
    assert_eq!(first[1].trouble.as_deref(), Some("another exporter took all the time"));
    let second = outbox.send(RUN).unwrap();
    let sent: Vec<(&str, u64, u64)> = second.iter().map(|it| (it.exporter.as_str(), it.sent, it.waiting)).collect();
    assert_eq!(sent, [("opik", 0, 1), ("otlp", 1, 0)]);
}

#[test]
fn a_run_without_time_to_send_tries_nothing_and_blames_nobody() {
    let server = Server::always("200 OK", &[], b"");
    let (outbox, _folder) = outbox(vec![otlp(&server.base)]);
    let outbox = outbox.waiting(Duration::ZERO);
    outbox.take(&batch(1));
    assert!(outbox.send_waiting().is_empty() && server.asked().is_empty());
    assert_eq!((status(&outbox).waiting, status(&outbox).tries_failed), (1, 0));
    assert!(outbox.waiting(Duration::from_secs(20)).send_waiting().is_empty());
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn an_answer_without_end_is_not_read() {
    let flood = answer("200 OK", &[], &vec![b'x'; 3 << 20]);
    let server = Server::new(move |_, _| Reply::Send(flood.clone()));
    let (outbox, _folder) = outbox(vec![otlp(&server.base)]);
    outbox.take(&batch(1));
    let reports = outbox.send(RUN).unwrap();
    assert!(one(&reports).trouble.as_ref().unwrap().contains("no more are read"), "{reports:?}");
    let hostile = b"\x1b[31mred\r\nforged: line".repeat(100);
    let server = Server::new(move |_, _| Reply::Send(answer("500 Oh", &[], &hostile)));
    let again = sender(vec![otlp(&server.base)], outbox.queue().clone());
    let said = one(&again.send(Urgency::Flush).unwrap()).trouble.clone().unwrap();
    assert!(!said.contains(char::is_control) && said.chars().count() < 500, "{said}");
}

#[test]
fn what_the_queue_refuses_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::within(folder.path().join("q"), Limits { entries_max: 1, ..common::limits() });
    let outbox = sender(vec![opik("http://127.0.0.1:1"), otlp("http://127.0.0.1:1")], queue);
    let said = outbox.take(&batch(1));
    assert_eq!(said.len(), 1);
    assert!(said[0].starts_with("otlp: the trace is not kept: the queue is full: it holds 1 entries of "), "{said:?}");
}

#[test]
fn lines_are_added_whole_and_end_what_was_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("traces.jsonl");
    let (outbox, queue) = outbox(vec![Exporter::Jsonl(file.clone())]);
    assert!(outbox.take(&batch(1)).is_empty());
    fs::write(&file, jsonl::line(&trace(1)).unwrap() + "{\"cut").unwrap();
    assert!(outbox.take(&experiment()).is_empty());
    let expected = [jsonl::line(&trace(1)).unwrap(), "{\"cut\n".to_owned(), jsonl::lines(&experiment()).unwrap()];
    assert_eq!(fs::read_to_string(&file).unwrap(), expected.concat());
    assert!(!queue.path().join("queue").exists(), "nothing waits");
}

#[test]
fn lines_that_cannot_be_written_wait_until_they_can() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("later/traces.jsonl");
    let (outbox, _queue) = outbox(vec![Exporter::Jsonl(file.clone())]);
    assert!(outbox.take(&batch(1)).is_empty() && outbox.take(&batch(2)).is_empty());
    let reports = outbox.send(RUN).unwrap();
    assert_eq!((one(&reports).waiting, one(&reports).trouble.is_some()), (2, true));
    fs::create_dir(folder.path().join("later")).unwrap();
    assert_eq!(one(&outbox.send(Urgency::Flush).unwrap()).sent, 2);
    let lines = [1, 2].map(|number| jsonl::line(&trace(number)).unwrap()).concat();
    assert_eq!(fs::read_to_string(&file).unwrap(), lines);
}

#[test]
fn threads_that_add_lines_at_once_tear_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("traces.jsonl");
    let threads: Vec<_> = (0..4_u32)
        .map(|thread| {
            let file = file.clone();
            std::thread::spawn(move || {
                (0..10)
                    .filter(|at| jsonl::append(&file, &jsonl::line(&trace(thread * 10 + at)).unwrap()).is_ok())
                    .count()
            })
        })
        .collect();
    let taken: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), taken);
    for line in text.lines() {
        steadfast_wire::from_json::<steadfast_wire::trace::Trace>(line).unwrap();
    }
}

#[test]
fn keys_are_shown_nowhere() {
    let server = Server::always("401 Unauthorized", &[], b"");
    let (outbox, folder) = outbox(vec![opik(&server.base), otlp(&server.base)]);
    outbox.take(&batch(1));
    let reports = outbox.send(RUN).unwrap();
    assert_eq!(reports.len(), 2);
    assert!(server.asked().iter().all(|asked| asked.head.contains(KEY)), "it went where it belongs");
    let shown = format!("{outbox:?} {reports:?} {:?} {}", outbox.queue().status().unwrap(), written(folder.path()));
    assert!(shown.contains("opik") && !shown.contains(KEY), "{shown}");
}

#[test]
fn a_key_that_a_server_repeats_is_hidden() {
    for status in ["401 Unauthorized", "400 Bad Request"] {
        let server = Server::new(move |asked, _| Reply::Send(answer(status, &[], asked.head.as_bytes())));
        let (outbox, folder) = outbox(vec![opik(&server.base), otlp(&server.base)]);
        outbox.take(&batch(1));
        let reports = outbox.send(Urgency::Flush).unwrap();
        assert_eq!(reports.len(), 2);
        let shown = format!("{reports:?} {}", written(folder.path()));
        assert!(shown.contains("[hidden]") && !shown.contains(KEY), "{shown}");
    }
}
