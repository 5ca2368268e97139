//! `steadfast watch --store FILE`: the same answer with it and without it, and a store that fails is said.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;

use crate::common::Place;
use serde_json::Value;
use steadfast_engine::store::EmbeddingStore as _;
use steadfast_store::Store;

/// `printf 'plan the harvest supper' | sha256sum`
const GOAL_SHA256: &str = "66ac31532809ec01cc9bbd62677d7e7f8b07d79d078a991cd71f1bb496bf1894";

fn steps(words: &str) -> String {
    (0..40).fold(String::new(), |mut lines, step| {
        let output = format!("The {words} of day {step} are laid out in the barn. Someone brings {step} loaves.");
        let _ = writeln!(
            lines,
            r#"{{"task_id": "supper", "step": {step}, "prompt": "plan the harvest supper", "output": "{output}"}}"#
        );
        lines
    })
}

fn place() -> Place {
    Place::empty().with("run.jsonl", steps("tables")).with("other.jsonl", steps("songs"))
}

const WATCH: &str = "watch run.jsonl --embedder lexical --json";

/// An answer without the member in which stored runs differ.
fn without_run(text: &str) -> Value {
    let mut answer: Value = serde_json::from_str(text).unwrap();
    answer.as_object_mut().unwrap().remove("run");
    answer
}

#[test]
fn what_was_embedded_once_is_kept_and_gives_the_same_answer() {
    let place = place();
    let without = place.steadfast(WATCH).status(0);
    assert_eq!(place.files(), ["other.jsonl", "run.jsonl"], "without a store nothing is stored");
    let plain: Value = serde_json::from_str(&without.stdout).unwrap();
    let first = place.steadfast(&format!("{WATCH} --store s.db")).status(0);
    assert_eq!((without_run(&first.stdout), first.stderr.as_str()), (plain.clone(), ""));
    assert_eq!(place.files(), ["other.jsonl", "run.jsonl", "s.db"]);
    let store = Store::open(&place.path("s.db")).unwrap();
    let kept = store.contents().unwrap();
    store.close().unwrap();
    let second = place.steadfast(&format!("{WATCH} --store s.db")).status(0);
    assert_eq!(without_run(&second.stdout), plain);
    let digit = |at: usize| u8::from_str_radix(&GOAL_SHA256[2 * at..2 * at + 2], 16).unwrap();
    let key: [u8; 32] = std::array::from_fn(digit);
    let store = Store::open(&place.path("s.db")).unwrap();
    let now = store.contents().unwrap();
    assert_eq!((now.vectors, now.runs), (kept.vectors, 2), "the second run embeds nothing");
    let found = store.get("lexical/1", &[key, [0; 32]]).unwrap();
    assert!(found[0].is_some() && found[1].is_none());
}

#[test]
fn a_comparison_and_a_baseline_share_the_store() {
    let place = place();
    let compare = "watch compare run.jsonl other.jsonl --embedder lexical --json";
    let without = place.steadfast(compare);
    let end = place.steadfast(&format!("{compare} --store s.db")).status(without.status);
    assert_eq!(without_run(&end.stdout), without_run(&without.stdout));
    let vectors = || Store::open(&place.path("s.db")).unwrap().contents().unwrap().vectors;
    let kept = vectors();
    let end = place.steadfast(&format!("{WATCH} --store s.db --baseline other.jsonl --alert 0.9")).status(0);
    let plain = place.steadfast(&format!("{WATCH} --baseline other.jsonl --alert 0.9")).stdout;
    assert_eq!(without_run(&end.stdout), without_run(&plain));
    assert_eq!(vectors(), kept, "both arms are in the store");
}

#[test]
fn a_store_that_cannot_be_used_is_said_and_left_alone() {
    let place = place();
    let before = place.read("other.jsonl");
    place.steadfast(&format!("{WATCH} --store other.jsonl")).refused(
        4,
        "error: other.jsonl: is no store, and nothing in it was changed\nhint: name another file: it is made where it does \
         not exist",
    );
    assert_eq!(place.read("other.jsonl"), before);
    place
        .steadfast(&format!("{WATCH} --store no/s.db"))
        .refused(4, "error: no/s.db: the folder it is to stand in does not exist\nhint: make the folder first");
    place.steadfast(&format!("{WATCH} --store s.db")).status(0);
    // The version stands at byte 60 of the header.
    let mut bytes = fs::read(place.path("s.db")).unwrap();
    bytes[60..64].copy_from_slice(&10_u32.to_be_bytes());
    fs::write(place.path("s.db"), bytes).unwrap();
    place.steadfast(&format!("{WATCH} --store s.db")).refused(
        4,
        "error: s.db: is a store of version 10; this program knows versions up to 9\nhint: use the newer program, or name another \
         file",
    );
}

#[test]
fn the_store_is_no_stream_and_no_output() {
    let place = place();
    assert_eq!(place.steadfast(&format!("{WATCH} --store -")).status, 2);
    assert_eq!(place.steadfast(&format!("{WATCH} --store s.db -o s.db")).status, 2);
    assert_eq!(place.files(), ["other.jsonl", "run.jsonl"]);
}
