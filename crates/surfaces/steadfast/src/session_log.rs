//! A session's log with what lies beside it: Claude Code writes what each sub-agent does into a file of its own, `SESSION/subagents/agent-*.jsonl` beside
//! `SESSION.jsonl`.

use std::fs;
use std::path::{Path, PathBuf};

use steadfast_engine::File;
use steadfast_wire::session::SESSION_BYTES_MAX;

/// The folder with the logs of sub-agents.
const SUB_AGENTS: &str = "subagents";

/// The log of a session with those of its sub-agents behind it, in the order of their names, as far as all of it keeps to the limit of a log.
pub(crate) fn with_sub_agents(path: &Path, mut log: File) -> File {
    for own in beside(path) {
        let Ok(bytes) = fs::read(&own) else { continue };
        if log.bytes.len() + 1 + bytes.len() > SESSION_BYTES_MAX {
            break;
        }
        if !log.bytes.ends_with(b"\n") {
            log.bytes.push(b'\n');
        }
        log.bytes.extend(bytes);
    }
    log
}

/// Whether a file is the log of a sub-agent: it is read with that of its session.
pub(crate) fn is_of_sub_agent(name: &str) -> bool {
    let mut parts = name.rsplit('/');
    parts.next().is_some_and(is_log) && parts.next() == Some(SUB_AGENTS)
}

fn is_log(name: &str) -> bool {
    name.starts_with("agent-") && Path::new(name).extension().is_some_and(|ending| ending == "jsonl")
}

fn beside(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path.with_extension("").join(SUB_AGENTS)) else { return Vec::new() };
    let is_own = |entry: &fs::DirEntry| {
        entry.file_name().to_str().is_some_and(is_log)
            && entry.metadata().is_ok_and(|found| found.is_file() && found.len() <= SESSION_BYTES_MAX as u64)
    };
    let mut found: Vec<PathBuf> = entries.flatten().filter(is_own).map(|entry| entry.path()).collect();
    found.sort();
    found
}
