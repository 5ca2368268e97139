//! The library that stands between a program and its calls.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::FaultsError;

/// The library, built for this machine.
#[derive(Clone, Debug)]
pub struct Shim {
    library: PathBuf,
}

/// What a call says that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The disk is at fault.
    Eio,
    /// The disk is full.
    Enospc,
    /// Half of what is to be written is; nothing fails. A program has to write the rest.
    Short,
    /// Half of what is to be written is, and the disk is full from then on.
    Torn,
    /// The process is killed: before the call, or after half of what is to be written.
    Kill,
}

/// Which call fails.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What it says.
    pub failure: Failure,
    /// Its number, from 1, among those that count.
    pub at: usize,
    /// All after it fail as well.
    pub goes_on: bool,
}

/// What is looked at, and what is made of it.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The folder whose files are looked at.
    pub under: PathBuf,
    /// Which calls count: a list of `open`, `read`, `write`, `sync`, `truncate`, `unlink`, `rename`, `map`.
    pub calls: &'static str,
    /// Where each call that counts is told, outside the folder.
    pub log: PathBuf,
    /// Where what is written is kept, outside the folder.
    pub journal: Option<PathBuf>,
    /// What fails.
    pub fault: Option<Fault>,
}

impl Shim {
    /// Builds the library into a folder.
    ///
    /// # Errors
    /// [`FaultsError::Compiler`] where there is no `cc`, or it refuses.
    pub fn build(folder: &Path) -> Result<Self, FaultsError> {
        Self::build_by("cc", folder)
    }

    fn build_by(compiler: &str, folder: &Path) -> Result<Self, FaultsError> {
        let source = folder.join("shim.c");
        let library = folder.join("shim.so");
        fs::write(&source, include_str!("shim.c"))?;
        let output = Command::new(compiler)
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .args([&library, &source])
            .arg("-lpthread")
            .output()
            .map_err(|error| FaultsError::Compiler(error.to_string()))?;
        if !output.status.success() {
            return Err(FaultsError::Compiler(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        Ok(Self { library })
    }

    /// Puts the library before a program that is about to start.
    ///
    /// # Errors
    /// [`FaultsError::File`] where the folder is not there.
    pub fn before(&self, command: &mut Command, watch: &Watch) -> Result<(), FaultsError> {
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAULTS_UNDER", watch.under.canonicalize()?)
            .env("FAULTS_CALLS", watch.calls)
            .env("FAULTS_LOG", &watch.log);
        if let Some(journal) = &watch.journal {
            command.env("FAULTS_JOURNAL", journal);
        }
        if let Some(fault) = &watch.fault {
            let failure = match fault.failure {
                Failure::Eio => "eio",
                Failure::Enospc => "enospc",
                Failure::Short => "short",
                Failure::Torn => "torn",
                Failure::Kill => "kill",
            };
            command
                .env("FAULTS_FAIL", failure)
                .env("FAULTS_AT", fault.at.to_string())
                .env("FAULTS_ON", if fault.goes_on { "1" } else { "0" });
        }
        Ok(())
    }
}

impl Watch {
    /// How many calls counted so far, and how many of them were made to fail.
    ///
    /// # Errors
    /// [`FaultsError::File`] where the log cannot be read.
    pub fn counted(&self) -> Result<(usize, usize), FaultsError> {
        if !self.log.exists() {
            return Ok((0, 0));
        }
        let log = fs::read_to_string(&self.log)?;
        Ok((log.lines().count(), log.lines().filter(|line| line.starts_with('!')).count()))
    }
}

#[cfg(test)]
mod tests {
    use super::Shim;

    #[test]
    fn that_there_is_no_compiler_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let error = Shim::build_by("no-such-compiler", folder.path()).unwrap_err().to_string();
        assert!(
            error.starts_with("the library that makes calls fail cannot be built by `cc`, which these tests need: "),
            "{error}"
        );
    }
}
