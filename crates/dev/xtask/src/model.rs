//! `cargo xtask model`: the embedding model that tests need, fetched by the program that was built for them.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::python::target;

/// Fetches the model. Where it is there, nothing is fetched.
///
/// # Errors
/// When the program is not built.
pub(crate) fn pull() -> Result<bool> {
    let program = target()?.join("debug").join(format!("steadfast{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        bail!("the program is not built: `cargo build --workspace` builds it");
    }
    let status = Command::new(&program)
        .args(["embedder", "pull"])
        .stdin(Stdio::null())
        .status()
        .context("the program cannot be started")?;
    Ok(status.success())
}
