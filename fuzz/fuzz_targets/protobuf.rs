//! No request of an exporter of OpenTelemetry breaks its reader, nor what makes steps of its spans. The reader is private to `server`, and is
//! built here from its source.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::bounded;
use steadfast_fuzz::server::{json, problem};
use steadfast_wire::watch::read_spans;

// Formatted with its own crate.
#[rustfmt::skip]
#[path = "../../crates/surfaces/server/src/live/otlp/protobuf.rs"]
mod protobuf;

/// Limits of the route.
const LIMITS: json::Limits = json::Limits { field_bytes_max: 1024 * 1024, depth_max: 64, values_max: 300_000 };

fuzz_target!(|bytes: &[u8]| {
    let Ok(request) = protobuf::read(bytes, LIMITS) else { return };
    let read = bounded(bytes.len(), || read_spans(&request));
    let _ = protobuf::answer(read.rejected, "a reason");
});
