//! A quote is found in a document or not, and what is found can be cut from the file. The first line is the quote, the rest the document.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_fuzz::{bounded, lie_within};
use steadfast_text::{Document, Format, locate};

fuzz_target!(|text: &str| {
    let Some((quote, source)) = text.split_once('\n') else { return };
    for format in [Format::Markdown, Format::Html] {
        let document = Document::from_str_as(source, format);
        let found = bounded(text.len(), || locate(&document, quote));
        lie_within(source, found.map(|found| found.span.range()));
    }
});
