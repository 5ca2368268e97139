//! The licences of everything that the program is built of, as its packages state and hold them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, Package, PackageId, TargetKind};

/// What the file is called.
pub(super) const NAME: &str = "THIRD-PARTY-LICENCES.txt";

/// How the names of files begin that hold a licence or a notice, in lower case.
const BEGINNINGS: [&str; 6] = ["licen", "copying", "copyright", "notice", "unlicense", "authors"];

/// What others wrote that stands in this repository: what it is, its licence, and the file that has the text.
const HERE: &[(&str, &str, &str)] =
    &[("htmx 4.0.1, in the console", "0BSD", "crates/surfaces/server/assets/htmx.LICENSE.txt")];

const HEAD: &str = "\
What the program `steadfast` is built of, beside its own code: a package of crates.io in each line, with its version and the licence that it states.
Packages are those of `cargo metadata` for this target; some may be there that none of their code is used of. Below stand the texts that the
packages themselves hold, each once, with those that hold it. Beside them the program contains Rust's standard library (MIT OR Apache-2.0).
";

/// The document for a target.
pub(super) fn text(root: &Path, triple: &str) -> Result<String> {
    let metadata = super::metadata(root, &["--filter-platform", triple])?;
    let packages = built_of(&metadata)?;
    let mut document = format!("{HEAD}\n");
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in &packages {
        let name = format!("{} {}", package.name, package.version);
        let found = texts_of(package)?;
        let licence = package.license.as_deref().unwrap_or("states no licence");
        let bare = if found.is_empty() { " (holds no text of it)" } else { "" };
        let _ = writeln!(document, "{name}: {licence}{bare}");
        for text in found {
            texts.entry(text).or_default().insert(name.clone());
        }
    }
    for (name, licence, file) in HERE {
        let _ = writeln!(document, "{name}: {licence}");
        let text = fs::read_to_string(root.join(file)).with_context(|| format!("{file} cannot be read"))?;
        texts.entry(tidied(&text)).or_default().insert((*name).to_owned());
    }
    // In the order of those that hold them: the first package's text first.
    let mut sorted: Vec<(&BTreeSet<String>, &String)> = texts.iter().map(|(text, holders)| (holders, text)).collect();
    sorted.sort();
    for (holders, text) in sorted {
        let holders: Vec<&str> = holders.iter().map(String::as_str).collect();
        let _ = write!(document, "\n{}\n{}\n\n{text}\n", "=".repeat(80), holders.join(", "));
    }
    Ok(document)
}

/// The packages of others whose code the program contains, sorted. What only runs while it is built is none of them.
fn built_of(metadata: &Metadata) -> Result<Vec<&Package>> {
    let packages: BTreeMap<&PackageId, &Package> = metadata.packages.iter().map(|it| (&it.id, it)).collect();
    let graph = metadata.resolve.as_ref().context("cargo metadata gives no graph")?;
    let nodes: BTreeMap<_, _> = graph.nodes.iter().map(|node| (&node.id, node)).collect();
    let own = metadata.packages.iter().find(|it| it.name.as_str() == super::PACKAGE);
    let mut left = vec![&own.context("the program is no package of the workspace")?.id];
    let mut seen = BTreeSet::new();
    while let Some(id) = left.pop() {
        let (Some(package), Some(node)) = (packages.get(id), nodes.get(id)) else { continue };
        let runs_at_build = package.targets.iter().any(|target| target.kind.contains(&TargetKind::ProcMacro));
        if runs_at_build || !seen.insert(id) {
            continue;
        }
        let normal = |kinds: &[cargo_metadata::DepKindInfo]| kinds.iter().any(|it| it.kind == DependencyKind::Normal);
        left.extend(node.deps.iter().filter(|it| normal(&it.dep_kinds)).map(|it| &it.pkg));
    }
    let mut found: Vec<&Package> =
        seen.iter().filter_map(|id| packages.get(*id)).copied().filter(|it| it.source.is_some()).collect();
    found.sort_by(|a, b| (a.name.as_str(), &a.version).cmp(&(b.name.as_str(), &b.version)));
    Ok(found)
}

/// The texts of licences and notices that a package holds, at its top or where it says.
fn texts_of(package: &Package) -> Result<BTreeSet<String>> {
    let folder = package.manifest_path.parent().context("a package stands in no folder")?;
    let mut files: Vec<_> = package.license_file.iter().map(|file| folder.join(file).into_std_path_buf()).collect();
    for file in fs::read_dir(folder).with_context(|| format!("{} cannot be read", package.name))? {
        let file = file?;
        let name = file.file_name().to_string_lossy().to_ascii_lowercase();
        if file.file_type()?.is_file() && BEGINNINGS.iter().any(|it| name.starts_with(it)) {
            files.push(file.path());
        }
    }
    let read = files.iter().map(|file| -> Result<String> { Ok(tidied(&String::from_utf8_lossy(&fs::read(file)?))) });
    Ok(read.collect::<Result<BTreeSet<String>>>()?.into_iter().filter(|text| !text.is_empty()).collect())
}

/// A text with the line ends of Unix, and without white space around it.
fn tidied(text: &str) -> String {
    text.replace("\r\n", "\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::program::host;
    use super::text;

    #[test]
    fn what_the_program_contains_is_named_with_its_licence_and_text() {
        let document = text(&crate::verify::root(), host().unwrap().triple).unwrap();
        let line = |start: &str| document.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned();
        assert!(line("clap 4").ends_with(": MIT OR Apache-2.0"), "{}", line("clap 4"));
        assert!(line("ring 0").contains("Apache-2.0 AND ISC"));
        assert_eq!(line("htmx"), "htmx 4.0.1, in the console: 0BSD");
        // Only tests use it, and the other only runs while the program is built.
        assert_eq!((line("proptest 1"), line("serde_derive 1")), (String::new(), String::new()));
        assert!(document.contains("Permission is hereby granted, free of charge"));
        assert!(!document.contains("states no licence"), "{document}");
    }
}
