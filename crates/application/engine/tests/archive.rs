//! Archives: what is taken, and what is refused by name.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{Cursor, Write};

use steadfast_engine::intake::unzip;
use steadfast_engine::limits::{FILE_BYTES_MAX, FILES_MAX};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn options() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}

fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, options()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Puts another name of the same length into an archive, as a hostile writer would.
fn renamed(mut bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> =
        bytes.windows(from.len()).enumerate().filter(|(_, w)| *w == from.as_bytes()).map(|(at, _)| at).collect();
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    bytes
}

/// The names and lengths of the members, or the message.
#[track_caller]
fn check(bytes: &[u8], expect: &str) {
    let said = match unzip("run.zip", bytes) {
        Ok(files) => {
            files.iter().map(|file| format!("{} {}", file.name, file.bytes.len())).collect::<Vec<_>>().join(", ")
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(said, expect);
}

#[test]
fn members_come_with_their_bytes() {
    check(&zipped(&[("plan.txt", b"Build."), ("deep/a.md", b"# A")]), "plan.txt 6, deep/a.md 3");
    check(&zipped(&[("./plan.txt", b"Build."), ("deep\\a.md", b"# A")]), "plan.txt 6, deep/a.md 3");
    check(&zipped(&[]), "");
}

#[test]
fn what_is_never_read_is_not_inflated() {
    check(&zipped(&[("a.png", b"not text"), (".hidden.md", b"x"), ("a.md", b"x")]), "a.png 0, .hidden.md 0, a.md 1");
}

#[test]
fn folders_are_no_files() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_directory("run/", options()).unwrap();
    writer.start_file("run/plan.txt", options()).unwrap();
    writer.write_all(b"Build.").unwrap();
    check(&writer.finish().unwrap().into_inner(), "run/plan.txt 6");
}

#[test]
fn names_that_lead_out_are_refused() {
    let archive = |to: &str| {
        let from = "x".repeat(to.len());
        renamed(zipped(&[(&from, b"Build.")]), &from, to)
    };
    check(&archive("../plan.txt"), "run.zip: member `../plan.txt` leads out of the archive");
    check(&archive("a/../../plan.txt"), "run.zip: member `a/../../plan.txt` leads out of the archive");
    check(&archive("..\\plan.txt"), "run.zip: member `..\\plan.txt` leads out of the archive");
    check(&archive("/etc/plan.txt"), "run.zip: member `/etc/plan.txt` has an absolute path for a name");
    check(&archive("C:\\plan.txt"), "run.zip: member `C:\\plan.txt` has an absolute path for a name");
    check(&archive("a\u{1b}[31m.md"), "run.zip: member `a\\u{1b}[31m.md` has control characters in its name");
}

#[test]
fn links_are_refused() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("plan.txt", "/etc/passwd", options()).unwrap();
    check(&writer.finish().unwrap().into_inner(), "run.zip: member `plan.txt` is a symbolic link");
}

#[test]
fn bombs_are_refused_before_they_are_inflated() {
    let zeros = vec![b'0'; 8 * 1024 * 1024];
    check(&zipped(&[("a.md", &zeros)]), "run.zip: member `a.md` inflates to more than 250 times its size");
    let zeros = vec![b'0'; usize::try_from(FILE_BYTES_MAX).unwrap() + 1];
    check(&zipped(&[("a.bin", &zeros)]), "run.zip: member `a.bin` inflates to more than 64 MiB");
}

#[test]
fn what_compresses_well_and_is_small_is_no_bomb() {
    check(&zipped(&[("a.md", &vec![b' '; 1024 * 1024])]), "a.md 1048576");
}

#[test]
fn a_member_that_lies_about_its_length_is_refused() {
    let mut bytes = zipped(&[("a.md", &[b'x'; 5000])]);
    // The length stands in the header before the member and in the directory.
    let length = 5000_u32.to_le_bytes();
    let places: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..*at + 4] == length).collect();
    for at in places {
        bytes[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
    }
    let said = unzip("run.zip", &bytes).unwrap_err().to_string();
    assert!(said.starts_with("run.zip: member `a.md` "), "{said}");
}

#[test]
fn a_damaged_member_is_named() {
    let text: Vec<u8> = (0..20_000_u32).map(|n| b'a' + u8::try_from(n * n % 23).unwrap()).collect();
    let mut bytes = zipped(&[("a.md", b"fine"), ("b.md", &text)]);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xFF;
    let said = unzip("run.zip", &bytes).unwrap_err().to_string();
    assert!(said.starts_with("run.zip: member `b.md` is damaged or cut short"), "{said}");
}

#[test]
fn an_archive_that_is_cut_names_the_member_it_was_cut_in() {
    let text: Vec<u8> = (0..20_000_u32).map(|n| b'a' + u8::try_from(n * n % 23).unwrap()).collect();
    let bytes = zipped(&[("plan.txt", b"Build."), ("deep/report.md", &text)]);
    check(&bytes[..bytes.len() / 2], "run.zip: member `deep/report.md` is cut short");
    for length in [0, 1, 4, 30, 60] {
        assert!(unzip("run.zip", &bytes[..length]).is_err());
    }
}

#[test]
fn no_cut_and_no_flipped_byte_panics() {
    let bytes = zipped(&[("plan.txt", b"Build."), ("deep/report.md", b"# Report\n\nWe build.")]);
    for length in 0..bytes.len() {
        drop(unzip("run.zip", &bytes[..length]));
        let mut flipped = bytes.clone();
        flipped[length] ^= 0xFF;
        drop(unzip("run.zip", &flipped));
    }
}

#[test]
fn one_member_stands_there_once() {
    let bytes = zipped(&[("a.md", b"one"), ("./a.md", b"two")]);
    check(&bytes, "run.zip: member `./a.md` stands in it twice");
}

#[test]
fn the_number_of_members_is_limited() {
    let archive = |count: usize| {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for index in 0..count {
            writer.start_file(format!("{index}.png"), options()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    assert_eq!(unzip("run.zip", &archive(FILES_MAX)).unwrap().len(), FILES_MAX);
    check(&archive(FILES_MAX + 1), "run.zip: holds more than 10000 files");
}
