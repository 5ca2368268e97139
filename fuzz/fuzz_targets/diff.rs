//! No text breaks the readers of diffs, patches and of what `git diff --stat` prints.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::bounded;
use steadfast_session::diff::{FILES_MAX, edits, patch, stat};

fuzz_target!(|text: &str| {
    bounded(text.len(), || {
        for all in [edits(text), patch(text)] {
            assert!(all.len() <= FILES_MAX);
            let lines = all.iter().flat_map(|edit| edit.added.iter().chain(&edit.removed));
            assert!(lines.map(String::len).sum::<usize>() <= text.len());
        }
        let _ = stat(text);
    });
});
