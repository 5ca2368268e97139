//! No log of the Agent Trajectory Interchange Format breaks its reader.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::read_log;

fuzz_target!(|bytes: &[u8]| {
    read_log("", bytes);
});
