//! What the files themselves may hold.

use std::fs;

use crate::house::{files, holds, metadata, text};

/// Lines that a source file may have.
const LINES_MAX: usize = 600;

/// Longer files, each with the reason why it is one.
const LONGER: &[(&str, &str)] = &[];

/// What a pure crate never names: input, output, clocks, threads, the environment.
const IMPURE: &[&str] = &[
    "std::fs",
    "std::net",
    "std::time",
    "std::env",
    "std::process",
    "std::thread",
    "std::os",
    "SystemTime",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
    "TimeZone::system",
    "println!",
    "print!(",
    "dbg!",
    "async fn",
    "async move",
    ".await",
    "include_bytes!(\"/",
    "thread_rng",
];

/// The same, written as `use std::{fs, …}`.
const IMPURE_MODULES: &[&str] = &["fs", "net", "time", "env", "process", "thread", "os"];

/// Source without its line comments and without the tests at its end.
fn code(source: &str) -> String {
    let body = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    body.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line }).collect::<Vec<_>>().join("\n")
}

fn impurities(source: &str) -> Vec<String> {
    let code = code(source);
    let mut found: Vec<String> = IMPURE.iter().filter(|name| code.contains(**name)).map(ToString::to_string).collect();
    for (start, _) in code.match_indices("use std::{") {
        let group = code[start + "use std::{".len()..].split(';').next().unwrap();
        for module in IMPURE_MODULES {
            if group.split([',', '{', '}', ':', ' ', '\n']).any(|word| word == *module) {
                found.push(format!("std::{module}"));
            }
        }
    }
    found
}

#[test]
fn pure_crates_name_nothing_outside_themselves() {
    let mut breaches = Vec::new();
    for (name, path) in files() {
        let pure = name.starts_with("crates/foundation/") || name.starts_with("crates/instruments/");
        if !pure || !name.contains("/src/") || !name.ends_with(".rs") {
            continue;
        }
        for impurity in impurities(&fs::read_to_string(path).unwrap()) {
            breaches.push(format!("{name}: `{impurity}`"));
        }
    }
    holds("foundation and instruments are pure: no files, network, clock, environment, threads, printing", &breaches);
}

#[test]
fn impurities_are_found() {
    let found = |source: &str| !impurities(source).is_empty();
    assert!(found("let text = std::fs::read(path);"));
    assert!(found("use std::{fmt, fs::File};"));
    assert!(found("use std::{\n    env,\n    fmt,\n};"));
    assert!(!found("use std::{fmt, ops::Range};"));
    assert!(!found("/// Never calls std::fs.\nfn f() {}"));
    assert!(!found("fn f() {}\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}"));
}

#[test]
fn no_source_file_is_long() {
    let mut breaches = Vec::new();
    for (name, path) in files().iter().filter(|(name, _)| name.ends_with(".rs")) {
        let lines = fs::read_to_string(path).unwrap().lines().count();
        if lines > LINES_MAX && !LONGER.iter().any(|(longer, _)| longer == name) {
            breaches.push(format!("{name} has {lines} lines"));
        }
    }
    holds(&format!("a source file has at most {LINES_MAX} lines"), &breaches);
}

#[test]
fn no_file_names_a_machine() {
    // Put together here, so that this file does not name them itself.
    let folders = ["home", "Users", "root", "work"].map(|folder| format!("/{folder}/"));
    let windows = ["C:", "Users"].join("\\");
    let mut breaches = Vec::new();
    for (name, path) in files() {
        let Ok(source) = fs::read_to_string(path) else { continue };
        for (index, line) in source.lines().enumerate() {
            let absolute = |folder: &String| {
                line.match_indices(folder.as_str()).any(|(at, _)| {
                    !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-*/".contains(before))
                })
            };
            if folders.iter().any(absolute) || line.contains(&windows) {
                breaches.push(format!("{name}:{}", index + 1));
            }
        }
    }
    holds("no file names a path of somebody's machine", &breaches);
}

#[test]
fn every_package_comes_from_the_one_registry() {
    let mut breaches = Vec::new();
    for line in text("Cargo.lock").lines().filter(|line| line.starts_with("source = ")) {
        if line != "source = \"registry+https://github.com/rust-lang/crates.io-index\"" {
            breaches.push(format!("Cargo.lock: {line}"));
        }
    }
    let settings = text(".cargo/config.toml");
    for word in ["[source", "[registr", "replace-with", "index ="] {
        if settings.contains(word) {
            breaches.push(format!(".cargo/config.toml: `{word}`"));
        }
    }
    holds("packages come from crates.io, and no file names another registry", &breaches);
}

#[test]
fn every_crate_says_what_it_is() {
    let mut breaches = Vec::new();
    for package in &metadata().packages {
        if package.description.as_deref().unwrap_or_default().is_empty() {
            breaches.push(format!("{}: no description in its Cargo.toml", package.name));
        }
        let source = package.targets.iter().find(|it| it.is_lib() || it.is_bin()).unwrap();
        if !fs::read_to_string(&source.src_path).unwrap().starts_with("//! ") {
            breaches.push(format!("{}: does not begin with a doc line", package.name));
        }
    }
    holds("every crate says in one line what it is", &breaches);
}

#[test]
fn warnings_are_not_switched_off() {
    let attribute = ["#[", "ignore"].concat();
    let breaches: Vec<String> = files()
        .iter()
        .filter(|(name, path)| name.ends_with(".rs") && fs::read_to_string(path).unwrap().contains(&attribute))
        .map(|(name, _)| name.clone())
        .collect();
    holds("no test is switched off", &breaches);
}
