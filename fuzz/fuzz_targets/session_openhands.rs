//! No record of events of OpenHands breaks its reader. The first makes it a log of this format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::read_log;

/// The first record.
const HEAD: &str = concat!(r#"{"id":0,"source":"user","action":"message","args":{"content":"Do it."}}"#, "\n");

fuzz_target!(|bytes: &[u8]| {
    read_log(HEAD, bytes);
});
