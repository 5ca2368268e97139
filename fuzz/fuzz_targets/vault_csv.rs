//! No file of prompts as CSV breaks the import, and what it takes in can be called by its name.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::read_prompts;

fuzz_target!(|bytes: &[u8]| {
    read_prompts("prompts.csv", bytes);
});
