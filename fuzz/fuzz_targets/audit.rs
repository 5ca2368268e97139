//! No prompt and no report break an audit. A line of three dashes parts the one from the other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steadfast_audit::lint::lint;
use steadfast_audit::{Source, audit};
use steadfast_evidence::FileId;
use steadfast_fuzz::bounded;
use steadfast_text::{Document, Format};

fuzz_target!(|text: &str| {
    let (prompt, report) = text.split_once("\n---\n").unwrap_or((text, text));
    let source = |file: u32, name: &str, text: &str| {
        let document = Document::from_str_as(text, Format::Markdown);
        Source { file: FileId(file), name: name.to_owned(), document }
    };
    let (prompt, report) = (source(0, "prompt.md", prompt), source(1, "report.md", report));
    bounded(text.len(), || {
        let _ = lint(&prompt);
        let _ = audit(&prompt, vec![report]);
    });
});
