//! `cargo xtask extended`: what takes long and is run by hand, before figures of it are written down. It is no part of `verify`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::python::{environment, target};

/// Where pictures of the console's pages are left, in the target folder.
const PICTURES: &str = "pictures";

/// The environment of the small chat model, in the target folder, and the packages that it needs.
const SMALL_MODEL: (&str, &str) = ("small-model", "scripts/chat_real_server.txt");

/// Runs all parts, prints what each took, and says whether all of them passed. `--data DIR` names a folder of texts.
///
/// # Errors
///
/// When the arguments are others, or cargo cannot be started.
pub(crate) fn extended(root: &Path, arguments: &[&str]) -> Result<bool> {
    let data = match arguments {
        ["--data", data] => *data,
        _ => bail!("extended takes `--data DIR`, a folder of texts, not `{}`", arguments.join(" ")),
    };
    // Cargo runs in the root of the repository.
    let data = std::path::absolute(data).with_context(|| format!("{data}: no such folder"))?;
    let data = data.to_string_lossy();
    let pictures = target()?.join(PICTURES);
    let pictures = pictures.to_string_lossy();
    let readers =
        ["run", "--release", "--locked", "--package", "steadfast-measure", "--", "robustness", "--data", &data];
    let browser = ["test", "--locked", "--package", "steadfast", "--test", "browser"];
    let faults = [
        &["test", "--locked", "--package", "steadfast", "--test", "program", "--", "--nocapture"][..],
        &["faults_calls", "faults_images", "serve_killed"],
    ]
    .concat();
    let parts = [
        ("texts through every reader", &readers[..]),
        ("pictures of all pages", &browser[..]),
        ("faults of the disk and kills", &faults[..]),
    ];
    let cargo = || std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let python = environment(root, SMALL_MODEL.0, &[SMALL_MODEL.1])?.into_os_string();
    let program = target()?.join("debug/steadfast");
    let program = program.to_string_lossy();
    let small = ["scripts/chat_real_server.py", &program];
    let parts = parts.map(|(name, arguments)| (name, cargo(), arguments));
    let model = [
        ("the program, for the small model", cargo(), &["build", "--locked"][..]),
        ("a small chat model at every call site", python, &small[..]),
    ];
    let mut passed = true;
    for (name, command, arguments) in parts.into_iter().chain(model) {
        println!("\n=== {name}: {} {}", command.to_string_lossy(), arguments.join(" "));
        let begun = Instant::now();
        let status = Command::new(&command)
            .args(arguments)
            .env("BROWSER_PICTURES", &*pictures)
            .env("STEADFAST_FAULTS", "long")
            .current_dir(root)
            .stdin(Stdio::null())
            .status()
            .with_context(|| format!("{} cannot be started", command.to_string_lossy()))?;
        passed &= status.success();
        println!(
            "{name}: {} in {:.0} s",
            if status.success() { "ok" } else { "FAILED" },
            begun.elapsed().as_secs_f64()
        );
    }
    Ok(passed)
}
