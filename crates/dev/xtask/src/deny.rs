//! What others wrote that the program is built of: their licences and sources, and what is known to be wrong with it.
//!
//! `cargo deny` says so, by `deny.toml`. It is not asked for on a machine without it, and the data base of advisories is out of reach of some: what was not checked is named.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::suite::cargo;

/// How long the data base may take to be fetched.
const FETCH_MAX: Duration = Duration::from_secs(120);

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// All was checked, and nothing is wrong.
    Held,
    /// Something is wrong.
    Failed,
    /// Nothing is wrong in what was checked; what was not.
    Unchecked(&'static str),
}

/// Checks the packages of `Cargo.lock`.
///
/// # Errors
/// When cargo cannot be started.
pub(crate) fn check(root: &Path) -> Result<Came> {
    let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !quiet(deny(root).arg("--version")).context("cargo cannot be started")?.success() {
        return Ok(Came::Unchecked(
            "licences, sources and advisories of packages; `cargo install cargo-deny --locked` installs what checks them",
        ));
    }
    let (sources, is_fresh) = (said(root, &["check", "licenses", "bans", "sources"])?, has_fetched(root)?);
    // Advisories that were fetched before are better than none.
    Ok(came(&sources, is_fresh, &said(root, &["--offline", "check", "advisories"])?))
}

/// Runs it, and gives what it said, which is shown as well.
fn said(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = deny(root).args(arguments).output()?;
    let said = String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned();
    eprint!("{said}");
    Ok(said)
}

/// What follows from what was said of licences, bans and sources, from whether the data base of advisories could be fetched, and from what was
/// said of those. The last line has a word for each; where packages or the data base are not there it is not said.
fn came(sources: &str, is_fresh: bool, advisories: &str) -> Came {
    let says = |said: &str, word: &str| said.lines().last().is_some_and(|line| line.contains(word));
    if sources.contains("`cargo metadata` exited with an error") {
        Came::Unchecked("licences, sources and advisories of packages, since some packages are out of reach")
    } else if !says(sources, "licenses ok") || says(sources, "FAILED") || says(advisories, "FAILED") {
        Came::Failed
    } else if !says(advisories, "advisories ok") {
        Came::Unchecked(
            "advisories of packages, since their data base is out of reach; `cargo deny fetch db` fetches it",
        )
    } else if !is_fresh {
        Came::Unchecked("advisories of packages since their data base was fetched last: it is out of reach now")
    } else {
        Came::Held
    }
}

/// Fetches the data base, and says whether it could.
fn has_fetched(root: &Path) -> Result<bool> {
    let mut child = deny(root).args(["fetch", "db"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let begun = Instant::now();
    while begun.elapsed() < FETCH_MAX {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        thread::sleep(Duration::from_millis(100));
    }
    child.kill()?;
    child.wait()?;
    Ok(false)
}

fn deny(root: &Path) -> Command {
    let mut command = cargo();
    command.args(["deny", "--locked", "--color", "never"]).current_dir(root).stdin(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::{Came, came};

    #[test]
    fn what_was_not_checked_is_neither_held_nor_failed() {
        const SOURCES: &str = "bans ok, licenses ok, sources ok";
        const NO_DATA: &str = "[ERROR] cannot change to a folder\n";
        let check = |sources, is_fresh, advisories| match came(sources, is_fresh, advisories) {
            Came::Held => "held",
            Came::Failed => "failed",
            Came::Unchecked(what) => what.split([',', ':', ';']).next().unwrap_or_default(),
        };
        assert_eq!(check(SOURCES, true, "advisories ok\n"), "held");
        assert_eq!(check("bans ok, licenses FAILED, sources ok", true, "advisories ok"), "failed");
        assert_eq!(check("bans ok, licenses FAILED, sources ok", false, NO_DATA), "failed");
        assert_eq!(check("error: deny.toml cannot be read", true, "advisories ok"), "failed");
        assert_eq!(check(SOURCES, true, "error[vulnerability]: …\n\nadvisories FAILED\n"), "failed");
        assert_eq!(check(SOURCES, false, "advisories FAILED"), "failed");
        assert_eq!(
            check(SOURCES, false, "advisories ok"),
            "advisories of packages since their data base was fetched last"
        );
        assert_eq!(check(SOURCES, false, NO_DATA), "advisories of packages");
        assert_eq!(check("[ERROR] `cargo metadata` exited with an error: no network", false, NO_DATA), "licences");
    }
}
