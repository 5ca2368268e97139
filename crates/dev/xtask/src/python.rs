//! `cargo xtask python`: the Python packages that tests need, in a virtual environment of their own in the target folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// What is installed, in the repository: lists of pip.
const REQUIREMENTS: [&str; 2] =
    ["crates/surfaces/steadfast/tests/mcp_sdk/requirements.txt", "crates/dev/xtask/tests/dist/requirements.txt"];

/// The environment, in the target folder.
const FOLDER: &str = "python";

/// What stands in the environment once all of it is installed: a copy of all lists.
const STAMP: &str = "installed.txt";

/// Installs the packages. Where they are there, nothing is done.
///
/// # Errors
/// When there is no Python that can make an environment, or when the packages cannot be installed.
pub(crate) fn install(root: &Path) -> Result<bool> {
    environment(root, FOLDER, &REQUIREMENTS)?;
    Ok(true)
}

/// The interpreter of an environment in this folder of the target folder, with the packages of these lists.
///
/// # Errors
/// As [`install`].
pub(crate) fn environment(root: &Path, folder: &str, lists: &[&str]) -> Result<PathBuf> {
    let mut wanted = String::new();
    for list in lists {
        wanted += &fs::read_to_string(root.join(list)).with_context(|| format!("{list} cannot be read"))?;
    }
    let name = folder;
    let folder = target()?.join(folder);
    let python = folder.join("bin/python");
    let stamp = folder.join(STAMP);
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        println!("{name}: already there");
        return Ok(python);
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))
        .context("no virtual environment can be made; Debian has it in python3-venv")?;
    run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"])
        .args(lists.iter().map(|list| format!("--requirement={}", root.join(list).display()))))?;
    fs::write(&stamp, wanted).context("the environment cannot be written to")?;
    println!("{name}: installed");
    Ok(python)
}

fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.stdin(Stdio::null()).status().with_context(|| format!("{name} cannot be started"))?;
    if !status.success() {
        bail!("{name} ended with {status}");
    }
    Ok(())
}

/// The target folder: this program stands in it, two folders down.
pub(crate) fn target() -> Result<PathBuf> {
    let me = env::current_exe().context("this program does not know where it is")?;
    me.ancestors().nth(2).map(Path::to_owned).context("this program stands in no target folder")
}
