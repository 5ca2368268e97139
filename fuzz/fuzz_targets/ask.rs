//! No prompt breaks the reader of obligations: each of them, and each figure, is a quote of the prompt.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_annotate::annotate;
use steadfast_ask::read;
use steadfast_evidence::FileId;
use steadfast_fuzz::{bounded, lie_within};
use steadfast_text::{Document, Format};

fuzz_target!(|text: &str| {
    let document = Document::from_str_as(text, Format::Markdown);
    let request = bounded(text.len(), || read(FileId(0), &annotate(&document)));
    let quotes = request.statements.iter().map(|own| &own.quote).chain(request.figures.iter().map(|own| &own.quote));
    for quote in quotes.chain(request.demands.iter().map(|own| own.source())) {
        assert_eq!(text.get(quote.span().range()), Some(quote.text()));
    }
    lie_within(text, request.today.map(|(_, span)| span.range()));
});
