//! What the rules are held against: the workspace's crates and its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use cargo_metadata::{Metadata, MetadataCommand, Package};

/// Folders that hold nothing of ours.
const FOREIGN: &[&str] = &["target", ".git", "dist", "steadfast-demo"];

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).unwrap()
}

/// `cargo metadata --no-deps --offline`: our own crates alone.
pub(crate) fn metadata() -> &'static Metadata {
    static METADATA: LazyLock<Metadata> = LazyLock::new(|| {
        MetadataCommand::new()
            .manifest_path(root().join("Cargo.toml"))
            .no_deps()
            .other_options(vec!["--offline".to_owned()])
            .exec()
            .unwrap()
    });
    &METADATA
}

/// The folder that a crate stands in ("foundation"), and its short name ("text").
pub(crate) fn place(package: &Package) -> (String, String) {
    let folder = package.manifest_path.parent().unwrap();
    let storey = folder.parent().unwrap().file_name().unwrap().to_owned();
    (storey, folder.file_name().unwrap().to_owned())
}

/// All files of the repository but build products, with `/` separators, relative to the root, sorted.
pub(crate) fn files() -> &'static [(String, PathBuf)] {
    static FILES: LazyLock<Vec<(String, PathBuf)>> = LazyLock::new(|| {
        let mut found = Vec::new();
        let mut folders = vec![root().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let entry = entry.unwrap();
                let kind = entry.file_type().unwrap();
                if FOREIGN.contains(&entry.file_name().to_str().unwrap()) {
                    continue;
                }
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    let name = entry.path().strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
                    found.push((name, entry.path()));
                }
            }
        }
        found.sort();
        found
    });
    &FILES
}

/// The text of a file of the repository, empty where there is no such file.
pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_default()
}

/// Fails with all breaches of a rule at once, one a line.
#[track_caller]
pub(crate) fn holds(rule: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{rule}\n  {}", breaches.join("\n  "));
}
