//! A process that answers lines with seconds.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail};

use super::{name_of, peers};

pub(super) struct Worker {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The seconds until it was ready, as it says itself.
    pub(super) ready_seconds: f64,
}

/// A program that may use the last of the processors alone, and no more threads than that.
pub(super) fn pinned(program: &Path) -> Command {
    let last = std::thread::available_parallelism().map_or(0, |count| count.get() - 1).to_string();
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", &last]).arg(program).envs(peers::QUIET.iter().copied());
    for name in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "TOKENIZERS_PARALLELISM"] {
        command.env(name, "1");
    }
    command
}

impl Worker {
    /// Starts it and waits until it is ready.
    pub(super) fn start(mut command: Command) -> Result<Self> {
        let program = command.get_args().nth(2).map(Path::new).map(name_of).unwrap_or_default();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{program} cannot be started; taskset (Debian: util-linux) is needed"))?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().context("its output cannot be read")?);
        let mut worker = Self { name: program, child, input, output, ready_seconds: 0.0 };
        worker.ready_seconds = worker.number()?;
        Ok(worker)
    }

    /// What it answers to a line.
    pub(super) fn ask(&mut self, line: &str) -> Result<f64> {
        let input = self.input.as_mut().context("its input is closed")?;
        writeln!(input, "{line}").and_then(|()| input.flush()).with_context(|| format!("{} ended", self.name))?;
        self.number()
    }

    fn number(&mut self) -> Result<f64> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("{} ended without an answer", self.name);
        }
        let number = line.trim().parse().with_context(|| format!("{} answered `{}`", self.name, line.trim()))?;
        Ok(number)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}
