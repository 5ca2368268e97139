//! No record of a session of Gemini CLI breaks its reader. The first makes it a log of this format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::read_log;

/// The first record.
const HEAD: &str = concat!(r#"{"sessionId":"s","projectHash":"p","startTime":"2026-03-01T08:00:00Z"}"#, "\n");

fuzz_target!(|bytes: &[u8]| {
    read_log(HEAD, bytes);
});
