//! The change between two commits, as evidence.

use std::io::Read as _;
use std::process::{Command, Stdio};

use steadfast_engine::File;
use steadfast_engine::limits::FILE_BYTES_MAX;

use crate::exit::Failure;

/// Bytes of what git says on stderr that are kept for a message.
const SAID_BYTES_MAX: u64 = 4_096;

/// The unified diff of a range such as `main..HEAD` in the working folder's repository.
pub(crate) fn diff(range: &str) -> Result<File, Failure> {
    let named = format!("git:{range}");
    // What begins with a dash would be an option of git.
    let good =
        range.split_once("..").is_some_and(|(from, to)| !from.is_empty() && !to.trim_start_matches('.').is_empty());
    if !good || range.starts_with('-') || range.contains(char::is_whitespace) {
        return Err(
            Failure::usage(format!("`{named}` names no range of commits")).hint("a range is written `git:BASE..HEAD`")
        );
    }
    let failed = |what: String| Failure::usage(format!("{named}: {what}"));
    let mut child = Command::new("git")
        .args(["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--stat", "--patch", range, "--"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(format!("git cannot be run: {error}")))?;
    // Git may warn of every file: what it says is read beside the diff, so that neither waits for the other.
    let said = child.stderr.take().map(|mut said| {
        std::thread::spawn(move || {
            let mut first = Vec::new();
            let _ = said.by_ref().take(SAID_BYTES_MAX).read_to_end(&mut first);
            let _ = std::io::copy(&mut said, &mut std::io::sink());
            first
        })
    });
    let mut bytes = Vec::new();
    if let Some(out) = child.stdout.take() {
        out.take(FILE_BYTES_MAX + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| failed(format!("git cannot be read: {error}")))?;
    }
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let _ = child.kill();
        let _ = child.wait();
        return Err(failed(format!("the diff is larger than {} MiB", FILE_BYTES_MAX / 1024 / 1024)));
    }
    let status = child.wait().map_err(|error| failed(format!("git cannot be read: {error}")))?;
    let said = said.and_then(|said| said.join().ok()).unwrap_or_default();
    if !status.success() {
        let said = String::from_utf8_lossy(&said);
        return Err(failed(said.lines().next().unwrap_or("git failed").trim_start_matches("fatal: ").to_owned()));
    }
    Ok(File { name: format!("{named}.diff"), bytes })
}
