//! All test programs of the workspace, as many at a time as there are cores: a browser that is waited for leaves the others room.

use std::collections::VecDeque;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;

/// The test program that takes longest by far: it begins first, so that nothing waits for it at the end.
const LONGEST: &str = "browser";

/// A test program, and where it runs.
struct Program {
    name: String,
    executable: PathBuf,
    folder: PathBuf,
}

/// Runs all of them, then the examples in documentation. Each one's output is given to `print` whole, when it ends. Says whether all passed.
///
/// # Errors
///
/// When cargo or a program cannot be started.
pub(crate) fn run(root: &Path, variables: &[(&str, &str)], print: impl Fn(&[u8]) -> Result<()> + Sync) -> Result<bool> {
    let queue = Mutex::new(programs(root)?);
    let at_a_time = thread::available_parallelism().map_or(1, usize::from);
    let failed = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(program) = next else { return Ok(()) };
            let output = Command::new(&program.executable)
                .current_dir(&program.folder)
                .env("CARGO_MANIFEST_DIR", &program.folder)
                .envs(variables.iter().copied())
                .stdin(Stdio::null())
                .output()
                .with_context(|| format!("{} cannot be started", program.executable.display()))?;
            let mut text = format!("\n     Running {}\n", program.name).into_bytes();
            text.extend_from_slice(&output.stdout);
            text.extend_from_slice(&output.stderr);
            print(&text)?;
            if !output.status.success() {
                failed.lock().unwrap_or_else(PoisonError::into_inner).push(program.name);
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..at_a_time).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(done) => done,
            Err(_) => bail!("a test program could not be followed"),
        })
    })?;
    let documented = cargo()
        .args(["test", "--workspace", "--locked", "--no-fail-fast", "--doc"])
        .envs(variables.iter().copied())
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cargo cannot be started")?;
    print(&documented.stdout)?;
    let mut failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !documented.status.success() {
        failed.push("examples in documentation".to_owned());
    }
    if !failed.is_empty() {
        print(format!("\nfailed: {}\n", failed.join(", ")).as_bytes())?;
    }
    Ok(failed.is_empty())
}

/// The test programs of the workspace, which are built if need be.
fn programs(root: &Path) -> Result<VecDeque<Program>> {
    let mut child = cargo()
        .args(["test", "--workspace", "--locked", "--no-run", "--quiet", "--message-format=json-render-diagnostics"])
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo cannot be started")?;
    let mut found = VecDeque::new();
    let stdout = child.stdout.take().context("cargo has no output")?;
    for message in Message::parse_stream(BufReader::new(stdout)) {
        let Message::CompilerArtifact(artifact) = message? else { continue };
        let (Some(executable), true) = (artifact.executable, artifact.profile.test) else { continue };
        let folder = artifact.manifest_path.parent().map(|folder| folder.as_std_path().to_owned()).unwrap_or_default();
        let package = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_longest = artifact.target.name == LONGEST;
        let name = format!("{package}: {}", artifact.target.name);
        let program = Program { name, executable: executable.into_std_path_buf(), folder };
        if is_longest { found.push_front(program) } else { found.push_back(program) }
    }
    if !child.wait()?.success() {
        bail!("the test programs cannot be built");
    }
    Ok(found)
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
