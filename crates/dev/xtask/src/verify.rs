//! `cargo xtask verify`: everything that a change must pass, on a machine that has Rust and Python, and Node with Chromium for the
//! browser tests, which are installed where apt-get may.
//!
//! The embedding model, which tests need, is fetched by the program itself before they run, the Python packages by pip, and what drives the
//! browser by npm; where they are
//! there, nothing is fetched but the data base of advisories, where `cargo-deny` is installed. What of packages could not be checked is named, and
//! fails nothing.
//! All parts run even when one fails, so that one run names everything there is to mend. The last line is the sum of
//! what `cargo test` printed, in the form in which `cargo test` prints it.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};

use crate::deny::{self, Came};
use crate::suite;

/// One part of the verification: a cargo command.
struct Part {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Variables for this part alone.
    variables: &'static [(&'static str, &'static str)],
    /// What to do when cargo does not know the command.
    hint: &'static str,
}

const PARTS: &[Part] = &[
    Part {
        name: "format",
        arguments: &["fmt", "--all", "--check"],
        variables: &[],
        hint: "`cargo fmt` mends it; `rustup component add rustfmt` installs it",
    },
    Part {
        name: "lints",
        arguments: &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
        variables: &[],
        hint: "`rustup component add clippy` installs it",
    },
    Part {
        name: "docs",
        arguments: &["doc", "--workspace", "--no-deps", "--locked"],
        variables: &[("RUSTDOCFLAGS", "-D warnings")],
        hint: "`cargo doc --workspace --no-deps` shows the place",
    },
    Part {
        // All of it at once: what is built for one package alone has other features, and would be built again.
        name: "build",
        arguments: &["test", "--workspace", "--locked", "--no-run"],
        variables: &[],
        hint: "`cargo build` shows the place",
    },
    Part {
        name: "model",
        arguments: &["run", "--quiet", "--locked", "--package", "xtask", "--", "model"],
        variables: &[],
        hint: "the tests need the embedding model, which is fetched once; `steadfast embedder pull --from PATH` takes it from a file",
    },
    Part {
        name: "python",
        arguments: &["run", "--quiet", "--locked", "--package", "xtask", "--", "python"],
        variables: &[],
        hint: "the tests need the Python SDK of MCP, which is installed once: python3 with venv and pip, 3.10 or later",
    },
    Part {
        name: "browser",
        arguments: &["run", "--quiet", "--locked", "--package", "xtask", "--", "browser"],
        variables: &[],
        hint: "the tests of the console need Node 20 with npm, and Chromium; where apt-get may install them, it is asked to",
    },
];

/// The same inputs each time, so that a change is judged by what it changed; `cargo test` alone draws others.
const TEST_VARIABLES: &[(&str, &str)] = &[("INSTA_UPDATE", "no"), ("PROPTEST_RNG_SEED", "20261122")];

/// What `cargo test` counted, summed over all test programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: u64,
    failed: u64,
    ignored: u64,
    measured: u64,
    filtered: u64,
}

impl Tally {
    /// Adds a line of `cargo test`; lines that are no result count nothing.
    fn add(&mut self, line: &str) {
        let Some(counts) = line.strip_prefix("test result: ") else { return };
        for part in counts.split(['.', ';']) {
            let mut words = part.split_whitespace();
            let (Some(number), Some(what)) = (words.next(), words.next()) else { continue };
            let Ok(number) = number.parse::<u64>() else { continue };
            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                "measured" => self.measured += number,
                "filtered" => self.filtered += number,
                _ => {}
            }
        }
    }
}

/// Runs every part, prints what each took, and says whether all of them passed.
///
/// # Errors
///
/// When cargo cannot be started.
pub(crate) fn verify() -> Result<bool> {
    let root = root();
    let started = Instant::now();
    let mut rows = Vec::new();
    let mut tally = Tally::default();
    for part in PARTS {
        println!("\n=== {}: cargo {}", part.name, part.arguments.join(" "));
        let begun = Instant::now();
        let passed = run(part, &root, &mut tally)?;
        rows.push((part.name, part.hint, passed, begun.elapsed().as_secs_f64()));
    }
    println!("\n=== tests: all test programs, as many at a time as there are cores");
    let begun = Instant::now();
    let told = Mutex::new(&mut tally);
    let passed = suite::run(&root, TEST_VARIABLES, |output| {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        std::io::stdout().write_all(output)?;
        String::from_utf8_lossy(output).lines().for_each(|line| told.add(line));
        Ok(())
    })?;
    rows.push(("tests", "`cargo test -p CRATE NAME` runs one test", passed, begun.elapsed().as_secs_f64()));
    println!("\n=== packages: cargo deny check");
    let begun = Instant::now();
    let came = deny::check(&root)?;
    let hint = "`cargo deny check` shows the package; an advisory that does not concern us stands in deny.toml with the reason";
    rows.push(("packages", hint, came != Came::Failed, begun.elapsed().as_secs_f64()));
    // A test that is switched off would be a part that is silently skipped.
    let complete = tally.ignored == 0 && tally.filtered == 0;

    println!("\n=== summary");
    for (name, _, passed, seconds) in &rows {
        println!("{name:<8} {:<6} {seconds:>7.1} s", if *passed { "ok" } else { "FAILED" });
    }
    if let Came::Unchecked(what) = came {
        println!("not checked: {what}");
    }
    for (name, hint, ..) in rows.iter().filter(|(_, _, passed, _)| !passed) {
        eprintln!("error: {name} failed\nhint: {hint}");
    }
    if !complete {
        eprintln!(
            "error: {} tests are ignored and {} filtered out: verify runs every test",
            tally.ignored, tally.filtered
        );
    }
    let passed = complete && tally.passed > 0 && rows.iter().all(|(_, _, passed, _)| *passed);
    println!(
        "\ntest result: {}. {} passed; {} failed; {} ignored; {} measured; {} filtered out; finished in {:.2}s",
        if passed { "ok" } else { "FAILED" },
        tally.passed,
        tally.failed,
        tally.ignored,
        tally.measured,
        tally.filtered,
        started.elapsed().as_secs_f64()
    );
    Ok(passed)
}

fn run(part: &Part, root: &Path, tally: &mut Tally) -> Result<bool> {
    let mut child = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(part.arguments)
        .envs(part.variables.iter().copied())
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cargo {} cannot be started", part.arguments.join(" ")))?;
    if let Some(stdout) = child.stdout.take() {
        let mut reader = BufReader::new(stdout);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 {
            std::io::stdout().write_all(&line)?;
            tally.add(&String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    Ok(child.wait()?.success())
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    // crates/dev/xtask: the workspace is three folders up.
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).unwrap_or(Path::new(".")).to_owned()
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn results_of_several_programs_are_summed() {
        let mut tally = Tally::default();
        tally.add("running 3 tests");
        tally.add("test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s");
        tally.add("test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s");
        assert_eq!(tally, Tally { passed: 7, failed: 1, ignored: 1, measured: 0, filtered: 2 });
    }
}
