//! `cargo xtask browser`: what the browser tests need, in the target folder: packages of npm, and a look for Chromium.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::python::target;

/// What is installed, in the repository.
const PACKAGES: &str = "crates/surfaces/steadfast/tests/browser";

/// The files that say so.
const LISTS: [&str; 2] = ["package.json", "package-lock.json"];

/// Where it goes, in the target folder.
const FOLDER: &str = "browser";

/// What stands there once all of it is installed: a copy of the lock file.
const STAMP: &str = "installed.json";

/// Where Debian puts the browser.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Installs the packages and, where it is missing and may be installed, Chromium. What is there is left as it is.
///
/// # Errors
/// When there is no Node, no browser that may be installed, or when the packages cannot be installed.
pub(crate) fn install(root: &Path) -> Result<bool> {
    debian("node", &["--version"], "nodejs", "the browser tests need Node 20 or later")?;
    let chromium = env::var("CHROMIUM").unwrap_or_else(|_| CHROMIUM.to_owned());
    debian(
        &chromium,
        &["--version"],
        "chromium",
        "the browser tests need Chromium; CHROMIUM names one that stands elsewhere",
    )?;
    let folder = target()?.join(FOLDER);
    let lock = LISTS[1];
    let wanted = fs::read_to_string(root.join(PACKAGES).join(lock)).with_context(|| format!("{PACKAGES}/{lock}"))?;
    if fs::read_to_string(folder.join(STAMP)).is_ok_and(|installed| installed == wanted) {
        println!("browser: already there");
        return Ok(true);
    }
    debian("npm", &["--version"], "npm", "the browser tests need npm")?;
    fs::create_dir_all(&folder).context("the target folder cannot be written to")?;
    for list in LISTS {
        fs::copy(root.join(PACKAGES).join(list), folder.join(list)).with_context(|| format!("{PACKAGES}/{list}"))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&folder);
    if !passes(&mut npm) {
        bail!("npm ci failed: what it wrote above says why");
    }
    fs::write(folder.join(STAMP), wanted).context("the target folder cannot be written to")?;
    println!("browser: installed");
    Ok(true)
}

/// Whether a program is there; where it is not and that may be mended, Debian's package is installed.
fn debian(program: &str, arguments: &[&str], package: &str, need: &str) -> Result<()> {
    let there = || passes(Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()));
    if there() {
        return Ok(());
    }
    println!("browser: installing {package}");
    let update = passes(Command::new("apt-get").args(["update", "--quiet"]));
    let installed = update && passes(Command::new("apt-get").args(["install", "--yes", "--quiet", package]));
    if !installed || !there() {
        bail!("{program} is not there: {need}\nhint: `apt-get install {package}` as root installs it on Debian");
    }
    Ok(())
}

/// Whether a command can be started and ends well.
fn passes(command: &mut Command) -> bool {
    command.stdin(Stdio::null()).status().is_ok_and(|status| status.success())
}
