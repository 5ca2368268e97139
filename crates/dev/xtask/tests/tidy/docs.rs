//! What the documents must say.

use crate::house::{files, holds, metadata, place, root, text};

#[test]
fn every_crate_has_its_section_in_the_architecture() {
    let architecture = text("ARCHITECTURE.md");
    let mut breaches = Vec::new();
    for package in &metadata().packages {
        let (storey, name) = place(package);
        let heading = format!("### `{name}`");
        match architecture.lines().position(|line| line.trim() == heading) {
            None => breaches.push(format!("no section `{heading}` for crates/{storey}/{name}")),
            Some(at) => {
                if !architecture.lines().skip(at + 1).any(|line| !line.trim().is_empty() && !line.starts_with('#')) {
                    breaches.push(format!("section `{heading}` is empty"));
                }
            }
        }
    }
    for line in architecture.lines().filter(|line| line.starts_with("### `")) {
        let name = line.trim_start_matches("### `").trim_end_matches('`');
        if !metadata().packages.iter().any(|package| place(package).1 == name) {
            breaches.push(format!("section `{name}` describes a crate that does not exist"));
        }
    }
    holds("ARCHITECTURE.md has one section for one crate", &breaches);
}

#[test]
fn the_documents_are_there() {
    let missing: Vec<String> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "DESIGN.md",
        "CHANGELOG.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        ".ci/run",
    ]
    .iter()
    .filter(|name| text(name).trim().is_empty())
    .map(ToString::to_string)
    .collect();
    holds("the repository has its documents", &missing);
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut breaches = Vec::new();
    let documents = files()
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| name.ends_with(".md") && (name.starts_with("docs/") || !name.contains('/')));
    for name in documents {
        let source = text(name);
        let folder = root().join(name).parent().unwrap().to_owned();
        for (at, _) in source.match_indices("](") {
            let target = source[at + 2..].split(')').next().unwrap();
            let file = target.split('#').next().unwrap();
            if file.is_empty() || file.contains("://") || file.starts_with("mailto:") {
                continue;
            }
            if !folder.join(file).exists() {
                breaches.push(format!("{name}: {target}"));
            }
        }
    }
    holds("a link to a file leads to a file", &breaches);
}
