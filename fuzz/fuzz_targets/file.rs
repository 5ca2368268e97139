//! No file breaks what makes a text of it (UTF-8, UTF-16, office formats), nor the reader of a prompt that stands in JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_engine::File;
use steadfast_engine::intake::{document, note, prompt_document};
use steadfast_fuzz::check_document;

fuzz_target!(|bytes: &[u8]| {
    let file = File { name: "prompt.txt".to_owned(), bytes: bytes.to_vec() };
    let _ = note(&file);
    for read in [document("prompt.txt", &file), prompt_document("prompt.json", &file, true)] {
        let _ = read.map(|document| check_document(&document));
    }
});
