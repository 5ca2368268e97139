//! The queue on the disk: what it takes, what it refuses, what it does with files that it cannot read.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::Path;

use common::{Server, batch, id, limits, opik, sender, trace};
use steadfast_export::{ExportError, Limits, Queue, Urgency};
use steadfast_wire::trace::{Batch, ExporterStatus, Queued};

fn status(queue: &Queue, exporter: &str) -> ExporterStatus {
    let all = queue.status().unwrap().exporters;
    all.into_iter().find(|status| status.exporter == exporter).unwrap_or_default()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn entries_wait_under_names_that_sort_by_time_and_hold_what_was_put_in() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::within(folder.path().join("a/b"), limits());
    queue.put("opik", None, &batch(2)).unwrap();
    queue.put("opik", None, &batch(1)).unwrap();
    queue.put("jsonl", Some(Path::new("x.jsonl")), &batch(1)).unwrap();
    queue.put("jsonl", Some(Path::new("y.jsonl")), &batch(1)).unwrap();
    let waiting = folder.path().join("a/b/waiting");
    let expected = [
        format!("{}.jsonl.2.json", id(1)),
        format!("{}.jsonl.json", id(1)),
        format!("{}.opik.json", id(1)),
        format!("{}.opik.json", id(2)),
    ];
    assert_eq!(names(&waiting), expected);
    let read =
        |name: &str| steadfast_wire::from_json::<Queued>(&fs::read_to_string(waiting.join(name)).unwrap()).unwrap();
    assert_eq!(read(&expected[3]).batch, batch(2));
    assert_eq!(
        (read(&expected[1]).file.as_deref(), read(&expected[0]).file.as_deref()),
        (Some("x.jsonl"), Some("y.jsonl"))
    );
    assert_eq!((status(&queue, "opik").waiting, status(&queue, "jsonl").waiting), (2, 2));
}

#[test]
fn a_queue_that_is_full_refuses_what_is_new_counts_it_and_keeps_what_waits() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::within(folder.path().join("q"), Limits { entries_max: 2, ..limits() });
    queue.put("opik", None, &batch(1)).unwrap();
    queue.put("otlp", None, &batch(1)).unwrap();
    let bytes = status(&queue, "opik").waiting_bytes + status(&queue, "otlp").waiting_bytes;
    for refused in 1..=3 {
        assert_eq!(queue.put("opik", None, &batch(9)), Err(ExportError::Full { entries: 2, bytes }));
        assert_eq!(status(&queue, "opik").refused, refused);
    }
    assert_eq!((status(&queue, "opik").waiting, status(&queue, "otlp").refused), (1, 0));
    assert_eq!(names(&folder.path().join("q/waiting")).len(), 2);
}

#[test]
fn bytes_are_bounded_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let measure = Queue::within(folder.path().join("measure"), limits());
    measure.put("opik", None, &batch(1)).unwrap();
    let bytes = status(&measure, "opik").waiting_bytes;
    let queue = Queue::within(folder.path().join("q"), Limits { bytes_max: bytes * 2, ..limits() });
    queue.put("opik", None, &batch(1)).unwrap();
    queue.put("opik", None, &batch(2)).unwrap();
    assert_eq!(queue.put("opik", None, &batch(3)), Err(ExportError::Full { entries: 2, bytes: bytes * 2 }));
    let tight = Queue::within(folder.path().join("tight"), Limits { bytes_max: bytes * 2 - 1, ..limits() });
    tight.put("opik", None, &batch(1)).unwrap();
    assert_eq!(tight.put("opik", None, &batch(2)), Err(ExportError::Full { entries: 1, bytes }));

    let one = Queue::within(folder.path().join("one"), Limits { entry_bytes_max: bytes, ..limits() });
    one.put("opik", None, &batch(1)).unwrap();
    let small = Queue::within(folder.path().join("small"), Limits { entry_bytes_max: bytes - 1, ..limits() });
    let refused = small.put("opik", None, &batch(1));
    assert_eq!(refused, Err(ExportError::TooLarge { bytes, limit_bytes: bytes - 1 }));
    assert_eq!((status(&small, "opik").refused, status(&small, "opik").waiting), (1, 0));
}

#[test]
fn what_the_program_allows_is_what_is_documented() {
    let limits = Limits::default();
    assert_eq!((limits.entries_max, limits.bytes_max, limits.entry_bytes_max), (1_000, 64 << 20, 8 << 20));
}

#[test]
fn entries_that_cannot_be_read_are_put_aside_and_stop_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::within(folder.path().join("q"), limits());
    queue.put("opik", None, &batch(5)).unwrap();
    let waiting = folder.path().join("q/waiting");
    let hostile: [(&str, Vec<u8>); 5] = [
        ("0.opik.json", b"".to_vec()),
        ("1.opik.json", vec![0xff; 10]),
        ("2.opik.json", b"[".repeat(100_000)),
        ("3.opik.json", b"{\"schema_version\":\"1.0\"}".to_vec()),
        ("4.opik.json", vec![b' '; (8 << 20) + 1]),
    ];
    for (name, bytes) in &hostile {
        fs::write(waiting.join(name), bytes).unwrap();
    }
    // Neither a half-written file nor a folder is an entry.
    fs::write(waiting.join(".part"), "{").unwrap();
    fs::create_dir(waiting.join("9.opik.json")).unwrap();
    let server = Server::always("200 OK", &[], b"");
    let outbox = sender(vec![opik(&server.base)], queue);
    let reports = outbox.send(Urgency::Flush).unwrap();
    assert_eq!((reports[0].sent, reports[0].failed, reports[0].waiting), (1, 5, 0), "{reports:?}");
    let failed: Vec<String> = hostile.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&folder.path().join("q/failed")), failed);
    let standing = status(outbox.queue(), "opik");
    assert_eq!((standing.waiting, standing.failed, standing.sent), (0, 5, 1));
    // What failed still counts against the bounds, and can be tried again.
    assert_eq!(outbox.queue().retry_failed().unwrap(), 5);
    assert_eq!(status(outbox.queue(), "opik").waiting, 5);
}

#[test]
fn counts_that_are_damaged_cost_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::within(folder.path().join("q"), limits());
    queue.put("opik", None, &batch(1)).unwrap();
    fs::write(folder.path().join("q/status.json"), "{").unwrap();
    let error = queue.status().unwrap_err().to_string();
    assert!(error.starts_with("status.json of the queue: "), "{error}");
    queue.put("opik", None, &batch(2)).unwrap();
    assert_eq!(status(&queue, "opik").waiting, 2);
    assert_eq!(fs::read_to_string(folder.path().join("q/status.damaged.json")).unwrap(), "{");
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let queue = Queue::within(folder.path().join("file"), limits());
    assert!(matches!(queue.put("opik", None, &batch(1)), Err(ExportError::Io { .. })));
    let empty = Queue::within(folder.path().join("none"), limits());
    assert!(empty.status().unwrap().exporters.is_empty() && empty.retry_failed().unwrap() == 0);
    assert!(!folder.path().join("none").exists(), "looking makes nothing");
}

#[test]
fn a_queue_that_somebody_holds_is_not_waited_for_long() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::within(folder.path().join("q"), limits());
    queue.put("opik", None, &batch(1)).unwrap();
    let lock = fs::File::open(folder.path().join("q/lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(queue.put("opik", None, &batch(2)), Err(ExportError::Busy { what: "the queue of traces" }));
    drop(lock);
    queue.put("opik", None, &batch(2)).unwrap();
    // Whoever sends holds nobody up who puts in.
    let sending = fs::File::create(folder.path().join("q/sending")).unwrap();
    sending.lock().unwrap();
    queue.put("opik", None, &batch(3)).unwrap();
    let server = Server::always("200 OK", &[], b"");
    let outbox = sender(vec![opik(&server.base)], queue);
    let reports = outbox.send(Urgency::Flush).unwrap();
    assert_eq!((reports[0].waiting, reports[0].trouble.as_deref()), (3, Some("another program is sending")));
    assert!(server.asked().is_empty());
}

#[test]
fn many_programs_put_in_at_once_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("q");
    let threads: Vec<_> = (0..4_u32)
        .map(|thread| {
            let queue = Queue::within(path.clone(), limits());
            std::thread::spawn(move || {
                (0..10).filter(|at| queue.put("opik", None, &batch(thread * 10 + at)).is_ok()).count()
            })
        })
        .collect();
    let taken: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert_eq!(status(&Queue::within(path, limits()), "opik").waiting, taken as u64);
    assert!(taken > 0);
}

#[test]
fn a_batch_without_an_id_is_kept_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let queue = Queue::within(folder.path().to_owned(), limits());
    queue.put("opik", None, &Batch::default()).unwrap();
    assert_eq!(names(&folder.path().join("waiting")), ["none.opik.json"]);
    assert_eq!(trace(1).id, id(1));
}
