//! No record of a session of Claude Code breaks its reader. The first makes it a log of this format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::read_log;

/// The first record.
const HEAD: &str = concat!(r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"Do it."}}"#, "\n");

fuzz_target!(|bytes: &[u8]| {
    read_log(HEAD, bytes);
});
