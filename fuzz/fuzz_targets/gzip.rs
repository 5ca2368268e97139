//! No body breaks what inflates it, and what it inflates to stays within the limit of its route. The module is private to `server`, and
//! is built here from its source.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::server::problem;

// Formatted with its own crate.
#[rustfmt::skip]
#[path = "../../crates/surfaces/server/src/body/inflate.rs"]
mod inflate;

/// Bytes that the route takes.
const BODY_BYTES_MAX: usize = 4 * 1024 * 1024;

fuzz_target!(|bytes: &[u8]| {
    let mut room_bytes = 0;
    let inflated = inflate::inflate(bytes, BODY_BYTES_MAX, |more| {
        room_bytes += more;
        Ok(())
    });
    assert!(room_bytes <= BODY_BYTES_MAX, "room for {room_bytes} bytes");
    assert!(inflated.is_err() || inflated.is_ok_and(|text| text.len() == room_bytes));
});
