//! No record of a rollout of Codex breaks its reader. The first makes it a log of this format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::read_log;

/// The first record.
const HEAD: &str = concat!(r#"{"type":"session_meta","payload":{"id":"s","cwd":"/work"}}"#, "\n");

fuzz_target!(|bytes: &[u8]| {
    read_log(HEAD, bytes);
});
