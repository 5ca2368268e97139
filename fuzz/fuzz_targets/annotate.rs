//! No prose breaks the reader of English, and every word, clause, figure and name that it finds stands in its sentence.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_annotate::annotate;
use steadfast_fuzz::{bounded, lie_within};
use steadfast_text::{Document, Format};

fuzz_target!(|text: &str| {
    let document = Document::from_str_as(text, Format::Markdown);
    let annotated = bounded(text.len(), || annotate(&document));
    for sentence in &annotated.sentences {
        lie_within(&document.blocks[sentence.block].text.plain, [sentence.range.clone()]);
        let marked = sentence.quotes.iter().chain(&sentence.code).cloned();
        let clauses = sentence.clauses.iter().map(|own| own.range.clone());
        let figures = sentence.quantities.iter().map(|own| own.range.clone());
        lie_within(sentence.text, marked.chain(clauses).chain(figures));
        for clause in &sentence.clauses {
            assert!(sentence.tokens.get(clause.tokens.clone()).is_some(), "{clause:?}");
        }
    }
});
