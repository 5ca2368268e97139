//! No zip archive breaks its reader, and what it inflates to is as long as it announced, within the limits of a run.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_engine::intake::{Archive, is_read};
use steadfast_engine::limits::RUN_BYTES_MAX;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut archive) = Archive::open("run.zip", bytes) else { return };
    let members: Vec<(String, u64)> = archive.members().map(|(name, bytes)| (name.to_owned(), bytes)).collect();
    assert!(members.iter().map(|own| own.1).sum::<u64>() <= RUN_BYTES_MAX);
    for (at, (name, bytes)) in members.iter().enumerate() {
        let Ok(file) = archive.file(at) else { continue };
        assert!(file.name == *name && file.bytes.len() as u64 == *bytes, "{name}: {} bytes", file.bytes.len());
        assert!(is_read(name) || file.bytes.is_empty());
        assert!(!name.starts_with('/') && !name.split('/').any(|part| part == ".."), "{name} leads out of the archive");
    }
});
