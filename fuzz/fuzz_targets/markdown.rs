//! No text breaks the reader of Markdown, and everything that it finds can be shown in the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::read_document;
use steadfast_text::Format;

fuzz_target!(|text: &str| {
    read_document(text, Format::Markdown);
});
