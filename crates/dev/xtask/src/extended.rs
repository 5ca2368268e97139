//! `cargo xtask extended`: what takes long and is run by hand, before figures of it are written down. It is no part of `verify`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::python::target;

/// Where pictures of the console's pages are left, in the target folder.
const PICTURES: &str = "pictures";

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
    let mut passed = true;
    for (name, arguments) in parts {
        println!("\n=== {name}: cargo {}", arguments.join(" "));
        let begun = Instant::now();
        let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(arguments)
            .env("BROWSER_PICTURES", &*pictures)
            .env("STEADFAST_FAULTS", "long")
            .current_dir(root)
            .stdin(Stdio::null())
            .status()
            .context("cargo cannot be started")?;
        passed &= status.success();
        println!(
            "{name}: {} in {:.0} s",
            if status.success() { "ok" } else { "FAILED" },
            begun.elapsed().as_secs_f64()
        );
    }
    Ok(passed)
}
