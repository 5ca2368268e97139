//! A Python wheel that carries the program: a zip archive with a list of what is in it, as the packaging specifications of Python have it.

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Our Python, in the repository.
const SOURCES: &str = "python/steadfast";
/// What says of the package what indices show.
const README: &str = "python/README.md";

/// What a wheel is made of, beside the Python of the repository.
pub(super) struct Parts<'a> {
    pub(super) version: &'a str,
    /// For which Python and platform it is.
    pub(super) tag: &'a str,
    pub(super) program: &'a [u8],
    /// Texts of licences, by their names.
    pub(super) licences: Vec<(&'a str, &'a [u8])>,
}

/// The wheel.
pub(super) fn wheel(root: &Path, parts: &Parts) -> Result<Vec<u8>> {
    let Parts { version, tag, program, licences } = parts;
    let read = |name: &str| fs::read(root.join(name)).with_context(|| format!("{name} cannot be read"));
    let mut members: Vec<(String, Vec<u8>, u32)> = Vec::new();
    for file in fs::read_dir(root.join(SOURCES)).with_context(|| format!("{SOURCES} cannot be read"))? {
        let name = file?.file_name().to_string_lossy().into_owned();
        // What Python keeps beside its sources is not ours.
        if name.ends_with(".py") || name == "py.typed" {
            members.push((format!("steadfast/{name}"), read(&format!("{SOURCES}/{name}"))?, 0o644));
        }
    }
    members.push((format!("steadfast-{version}.data/scripts/steadfast"), program.to_vec(), 0o755));
    members.sort();
    // The description comes last, as installers that read an archive in order like it.
    let about = format!("steadfast-{version}.dist-info");
    let names: Vec<&str> = licences.iter().map(|(name, _)| *name).collect();
    members.push((format!("{about}/METADATA"), metadata(version, &names, &String::from_utf8(read(README)?)?), 0o644));
    members.push((format!("{about}/WHEEL"), kind(tag), 0o644));
    members.push((
        format!("{about}/entry_points.txt"),
        b"[pytest11]\nsteadfast = steadfast.pytest_plugin\n".to_vec(),
        0o644,
    ));
    for (name, text) in licences {
        members.push((format!("{about}/licenses/{name}"), text.to_vec(), 0o644));
    }
    let record = format!("{about}/RECORD");
    let mut list = String::new();
    for (name, bytes, _) in &members {
        let _ = writeln!(list, "{name},sha256={},{}", URL_SAFE_NO_PAD.encode(Sha256::digest(bytes)), bytes.len());
    }
    let _ = writeln!(list, "{record},,");
    members.push((record, list.into_bytes(), 0o644));
    zipped(&members)
}

fn zipped(members: &[(String, Vec<u8>, u32)]) -> Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes, mode) in members {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(*mode);
        writer.start_file(name.as_str(), options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn metadata(version: &str, licences: &[&str], readme: &str) -> Vec<u8> {
    let mut text = format!(
        "Metadata-Version: 2.4\nName: steadfast\nVersion: {version}\n\
         Summary: Keeps the work of LLM agents true to what their user asked\n\
         License-Expression: MIT OR Apache-2.0\n"
    );
    for name in licences {
        let _ = writeln!(text, "License-File: {name}");
    }
    text += "Classifier: Framework :: Pytest\nClassifier: Operating System :: POSIX :: Linux\nClassifier: Typing :: Typed\n\
             Requires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n";
    text += readme;
    text.into_bytes()
}

fn kind(tag: &str) -> Vec<u8> {
    format!("Wheel-Version: 1.0\nGenerator: steadfast-xtask\nRoot-Is-Purelib: false\nTag: {tag}\n").into_bytes()
}
