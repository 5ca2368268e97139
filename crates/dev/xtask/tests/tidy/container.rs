//! What the file for containers must hold, since no test builds an image.

use crate::house::{holds, text};

/// The instructions with what stands behind them, continued lines joined, comments left out.
fn instructions(file: &str) -> Vec<(String, String)> {
    let lines = file.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n").replace("\\\n", " ");
    let parted = lines.lines().filter_map(|line| line.trim().split_once(' '));
    parted.map(|(word, rest)| (word.to_owned(), rest.split_whitespace().collect::<Vec<_>>().join(" "))).collect()
}

fn breaches(file: &str, version: &str) -> Vec<String> {
    let instructions = instructions(file);
    let all = |word: &str| {
        instructions.iter().filter(|(found, _)| found == word).map(|(_, rest)| rest.as_str()).collect::<Vec<_>>()
    };
    let mut breaches = Vec::new();
    let stages = all("FROM");
    if !stages.iter().any(|stage| stage.starts_with(&format!("rust:{version}-")) && stage.ends_with(" AS build")) {
        breaches.push(format!("no stage builds with Rust {version}, which Cargo.toml asks for"));
    }
    // What is built on one Debian may need its glibc.
    let debian = |stage: &str| ["bookworm", "trixie"].into_iter().find(|name| stage.contains(name));
    if stages.len() < 2 || stages.iter().any(|stage| debian(stage).is_none() || debian(stage) != debian(stages[0])) {
        breaches.push("the stages are not all of one Debian".to_owned());
    }
    let last = instructions.iter().rposition(|(word, _)| word == "FROM").unwrap_or(0);
    let user = instructions.iter().skip(last).rfind(|(word, _)| word == "USER").map(|(_, rest)| rest.as_str());
    if !user.is_some_and(|user| user.split(':').all(|id| id.parse::<u32>().is_ok_and(|id| id >= 1_000))) {
        breaches.push("the program does not run as a user of its own, by number".to_owned());
    }
    let listens = all("CMD").iter().any(|command| command.contains("0.0.0.0"));
    if listens && !all("CMD").iter().all(|command| command.contains("\"--require-key\"")) {
        breaches.push("the server listens to others and asks for no key".to_owned());
    }
    breaches
}

#[test]
fn the_container_runs_as_nobody_and_asks_for_keys() {
    let manifest = text("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")).unwrap();
    holds("the file for containers", &breaches(&text("Containerfile"), version.trim_end_matches('"')));
}

#[test]
fn what_a_container_must_not_do_is_found() {
    let file = text("Containerfile");
    let found = |from: &str, to: &str| {
        assert!(file.contains(from), "{from}");
        breaches(&file.replace(from, to), "1.95").len()
    };
    assert_eq!(found("FROM", "FROM"), 0);
    assert_eq!(found("rust:1.95-", "rust:1.94-"), 1);
    assert_eq!(found("debian:bookworm", "debian:trixie"), 1);
    assert_eq!(found("USER 10001:10001\n", "USER root\n"), 1);
    assert_eq!(found("USER 10001:10001\n", ""), 1);
    assert_eq!(found(", \"--require-key\"", ""), 1);
}
