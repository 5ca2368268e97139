//! `cargo xtask fuzz`: every reader of strangers' bytes against inputs that are made to break it. It is no part of `verify`, and needs a nightly
//! toolchain and `cargo-fuzz`.
//!
//! Targets stand in `fuzz/`, outside the workspace. Each begins with its seeds and with what earlier runs have found, and goes on for as long as the others.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// Seconds that each target runs, where nobody says another number.
const SECONDS: u64 = 1_800;

/// Seconds that one input may take.
const INPUT_SECONDS_MAX: u64 = 10;

/// What a target may hold in memory, in MiB.
const MEMORY_MIB_MAX: u64 = 1_024;

/// Readers hold no unsafe code of ours, and without a sanitizer twice as many inputs are tried.
const SANITIZER: &str = "--sanitizer=none";

/// Lines that are shown of a target that failed: the panic, and the input that made it.
const SHOWN_LINES_MAX: usize = 40;

/// What a fuzzer said.
#[derive(Debug, Default, PartialEq, Eq)]
struct Said {
    executions: u64,
    /// Edges of the program that were reached.
    coverage: u64,
    /// The kind of what went wrong: a timeout, want of memory, a panic.
    summary: Option<String>,
    last: VecDeque<String>,
}

impl Said {
    /// Takes in a line of its stderr.
    fn add(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |name: &str| words.iter().skip_while(|word| **word != name).nth(1)?.parse().ok();
        if let Some(coverage) = number("cov:") {
            self.coverage = coverage;
        } else if let Some(executions) = number("stat::number_of_executed_units:") {
            self.executions = executions;
        } else if let Some(what) = line.strip_prefix("SUMMARY: libFuzzer: ") {
            self.summary = Some(what.trim().to_owned());
        }
        if self.last.len() == SHOWN_LINES_MAX {
            self.last.pop_front();
        }
        self.last.push_back(line.to_owned());
    }
}

/// Runs the targets that are named, or all of them, prints a table, and says whether all of them held. `--seconds N` says how long each runs.
///
/// # Errors
/// When a target is not known, or they cannot be built.
pub(crate) fn fuzz(root: &Path, arguments: &[&str]) -> Result<bool> {
    let all = targets(root)?;
    let (mut seconds, mut wanted) = (SECONDS, Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--seconds" => {
                let number = rest.next().and_then(|number| number.parse().ok()).filter(|it| *it > 0);
                seconds = number.context("--seconds takes a number from 1 on")?;
            }
            name if all.iter().any(|own| own == name) => wanted.push(name.to_owned()),
            other => bail!("`{other}` is no target of fuzz/fuzz_targets\nhint: there are {}", all.join(", ")),
        }
    }
    let wanted = if wanted.is_empty() { all } else { wanted };
    // The same dependencies as in the program.
    fs::copy(root.join("Cargo.lock"), root.join("fuzz/Cargo.lock")).context("fuzz/Cargo.lock cannot be written")?;
    let built = cargo_fuzz(root, "build").status().context("cargo cannot be started")?;
    if !built.success() {
        bail!(
            "the targets cannot be built\nhint: `rustup toolchain install nightly`, `cargo install cargo-fuzz --locked`"
        );
    }
    let mut rows = Vec::new();
    for (at, target) in wanted.iter().enumerate() {
        println!("=== {target} ({} of {}), {seconds} s", at + 1, wanted.len());
        let begun = Instant::now();
        let (said, held) = run(root, target, seconds)?;
        if !held {
            said.last.iter().for_each(|line| println!("{line}"));
        }
        rows.push((target, begun.elapsed().as_secs(), said, held));
    }
    println!("\n| target | seconds | executions | coverage | result |\n|---|---:|---:|---:|---|");
    for (target, seconds, said, held) in &rows {
        let result = if *held { "held" } else { said.summary.as_deref().unwrap_or("FAILED") };
        println!("| {target} | {seconds} | {} | {} | {result} |", said.executions, said.coverage);
    }
    Ok(rows.iter().all(|(.., held)| *held))
}

/// The targets by their names, sorted.
fn targets(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join("fuzz/fuzz_targets")).context("fuzz/fuzz_targets cannot be read")? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "rs") {
            found.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    found.sort();
    Ok(found)
}

/// The `cargo` that rustup has, since only that knows toolchains by their names.
fn cargo_fuzz(root: &Path, verb: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz", verb, SANITIZER]).current_dir(root).stdin(Stdio::null());
    command
}

/// Runs one target, and says whether it held.
fn run(root: &Path, target: &str, seconds: u64) -> Result<(Said, bool)> {
    let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
    for folder in [&corpus, &seeds] {
        fs::create_dir_all(root.join(folder)).with_context(|| format!("{folder} cannot be made"))?;
    }
    let mut child = cargo_fuzz(root, "run")
        .args([target, &corpus, &seeds, "--", "-print_final_stats=1"])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-timeout={INPUT_SECONDS_MAX}"))
        .arg(format!("-rss_limit_mb={MEMORY_MIB_MAX}"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .context("cargo cannot be started")?;
    let mut said = Said::default();
    let mut reader = BufReader::new(child.stderr.take().context("cargo says nothing")?);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        said.add(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok((said, child.wait()?.success()))
}

#[cfg(test)]
mod tests {
    use super::Said;

    #[test]
    fn what_a_fuzzer_says_is_read() {
        let mut said = Said::default();
        said.add("#2\tINITED cov: 57 ft: 58 corp: 1/1b exec/s: 0 rss: 31Mb");
        said.add("#131\tNEW    cov: 912 ft: 1045 corp: 12/90b lim: 4 exec/s: 131 rss: 33Mb L: 3/14 MS: 1 InsertByte-");
        said.add("stat::number_of_executed_units: 131");
        said.add("SUMMARY: libFuzzer: deadly signal");
        assert_eq!((said.coverage, said.executions), (912, 131));
        assert_eq!(said.summary.as_deref(), Some("deadly signal"));
        (0..99).for_each(|at| said.add(&at.to_string()));
        assert_eq!((said.last.len(), said.last.back().map(String::as_str)), (super::SHOWN_LINES_MAX, Some("98")));
    }
}
