//! Work ends where the process holds more memory than it may. This is the only test of its program: the bound is the process's.

use std::sync::atomic::{AtomicU64, Ordering};

use steadfast_engine::calls::MemoryBound;
use steadfast_engine::{EngineError, ErrorKind, lint_prompt, prompt_file};
use steadfast_testkit::wait;

const MIB: u64 = 1024 * 1024;

/// How much the process is said to hold.
static HELD: AtomicU64 = AtomicU64::new(5 * MIB);

#[test]
fn work_ends_where_the_process_holds_too_much_and_goes_on_where_it_does_not() {
    let read = || {
        let prompt = "Plan a pilot in Oslo for $4,500 by 5 May 2026. It must not use blockchain. ".repeat(100);
        wait(lint_prompt(prompt_file(prompt)))
    };
    let whole = read().unwrap();
    MemoryBound::beside_now(|| HELD.load(Ordering::Relaxed), 3 * MIB).enforce();
    // A second bound changes nothing.
    MemoryBound::beside_now(|| u64::MAX, 0).enforce();
    for (held, ends) in [(8 * MIB, false), (8 * MIB + 1, true), (7 * MIB, false)] {
        HELD.store(held, Ordering::Relaxed);
        match read() {
            Ok(outcome) => assert!(!ends && outcome.lint == whole.lint, "{held}"),
            Err(error) => {
                assert!(ends, "{held}: {error}");
                assert_eq!(error, EngineError::TooMuchMemory { bytes_max: 3 * MIB });
                assert_eq!(error.kind(), ErrorKind::Memory);
                assert!(error.to_string().contains("more than 3 MiB of memory") && error.hint().is_some());
            }
        }
    }
}
