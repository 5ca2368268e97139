//! No stream of steps, messages or spans breaks its reader, however it is cut into pieces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::bounded;
use steadfast_wire::watch::StepReader;

/// Bytes of a piece.
const PIECE_BYTES: usize = 61;

fuzz_target!(|bytes: &[u8]| {
    bounded(bytes.len(), || {
        let mut reader = StepReader::new("steps.jsonl");
        for piece in bytes.chunks(PIECE_BYTES) {
            let _ = reader.push(piece);
        }
        let _ = reader.finish();
    });
});
