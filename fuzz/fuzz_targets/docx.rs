//! No XML breaks the reader of Word documents. The archive around it is made here, so that its checksum is right.
#![no_main]

use std::io::{Cursor, Write};

use libfuzzer_sys::fuzz_target;
use steadfast_engine::File;
use steadfast_engine::intake::document;
use steadfast_fuzz::{bounded, check_document};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fuzz_target!(|xml: &str| {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("word/document.xml", SimpleFileOptions::default()).expect("a member");
    writer.write_all(xml.as_bytes()).expect("room in memory");
    let bytes = writer.finish().expect("an archive").into_inner();
    let file = File { name: "notes.docx".to_owned(), bytes };
    let _ = bounded(xml.len(), || document("notes.docx", &file)).map(|document| check_document(&document));
});
