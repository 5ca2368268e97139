//! No notes of a day break their reader, and each task that it finds is a quote of them.
#![no_main]

use jiff::civil::date;
use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;
use steadfast_evidence::FileId;
use steadfast_fuzz::bounded;
use steadfast_plan::{Settings, ask};
use steadfast_text::{Document, Format};

fuzz_target!(|text: &str| {
    let document = Document::from_str_as(text, Format::Markdown);
    let zone = TimeZone::get("Europe/Berlin").expect("a bundled zone");
    let now = date(2026, 3, 29).at(1, 30, 0, 0).to_zoned(zone).expect("a time");
    let notes = bounded(text.len(), || ask::read(FileId(0), &document, &now, &Settings::default()));
    for quote in notes.tasks.iter().map(|own| &own.quote) {
        assert_eq!(text.get(quote.span().range()), Some(quote.text()));
    }
});
