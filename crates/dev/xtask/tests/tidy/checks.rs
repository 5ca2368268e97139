//! Every check of an instrument has an id, a section in its document, a case table and, in it, a text on which it fires
//! and one on which it does not.
//!
//! A check is a file `crates/instruments/NAME/src/checks/ID.rs` that says `const ID: &str = "ID";` or `id: "ID",`. Its section is
//! a heading of the instrument's document in `DOCUMENTS` that names the id in backticks. Its cases are `[[case]]` tables in `crates/instruments/NAME/cases/*.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use steadfast_testkit::cases::{Case, Expected, read};

use crate::house::{files, holds, root, text};

/// Cases that a check has at least.
const CASES_MIN: usize = 4;

/// The document that holds a section for each check, by instrument.
const DOCUMENTS: &[(&str, &str)] =
    &[("audit", "docs/checks.md"), ("plan", "docs/plan-checks.md"), ("review", "docs/review-checks.md")];

/// The document of an instrument's checks; empty where `DOCUMENTS` names none.
fn document(instrument: &str) -> &'static str {
    DOCUMENTS.iter().find(|(of, _)| *of == instrument).map_or("", |(_, document)| document)
}

/// The value of `const ID: &str = "…";`, whatever its visibility, or of a member `id: "…"`.
fn id(source: &str) -> Option<&str> {
    let says_id = |line: &str| line.contains("const ID: &str = \"") || line.trim_start().starts_with("id: \"");
    source.lines().find(|line| says_id(line))?.split('"').nth(1)
}

/// `(instrument, file, id)` of every check of every instrument.
fn checks(breaches: &mut Vec<String>) -> Vec<(String, String, String)> {
    let mut checks = Vec::new();
    for (name, path) in files() {
        let [_, "instruments", instrument, "src", "checks", file] = name.split('/').collect::<Vec<_>>()[..] else {
            continue;
        };
        let Some(stem) = file.strip_suffix(".rs").filter(|stem| *stem != "mod") else { continue };
        let source = fs::read_to_string(path).unwrap();
        let Some(id) = id(&source) else {
            breaches.push(format!("{name}: says no id"));
            continue;
        };
        if id.replace('-', "_") != stem {
            breaches.push(format!("{name}: its id is `{id}`"));
        }
        if !source.starts_with("//! ") {
            breaches.push(format!("{name}: does not begin with what it looks for"));
        }
        checks.push((instrument.to_owned(), name.clone(), id.to_owned()));
    }
    checks
}

/// All cases of an instrument.
fn cases(instrument: &str, breaches: &mut Vec<String>) -> Vec<Case> {
    read(&root().join("crates/instruments").join(instrument).join("cases")).unwrap_or_else(|error| {
        breaches.push(error.to_string());
        Vec::new()
    })
}

#[test]
fn every_check_has_id_section_cases_and_fixture() {
    let mut breaches = Vec::new();
    let checks = checks(&mut breaches);
    let mut ids = BTreeSet::new();
    for (instrument, file, id) in &checks {
        if !ids.insert((instrument, id)) {
            breaches.push(format!("{file}: `{id}` is the id of two checks"));
        }
        let (heading, document) = (format!("`{id}`"), document(instrument));
        if !text(document).lines().any(|line| line.starts_with('#') && line.contains(&heading)) {
            breaches.push(format!("{file}: no section with {heading} in its heading in \"{document}\""));
        }
    }
    let instruments: BTreeSet<&String> = checks.iter().map(|(instrument, ..)| instrument).collect();
    for instrument in instruments {
        let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for case in cases(instrument, &mut breaches) {
            let count = counts.entry(case.check).or_default();
            if !case.missed.is_empty() {
                continue;
            }
            if case.expect.is_empty() { count.1 += 1 } else { count.0 += 1 }
        }
        for (_, file, id) in checks.iter().filter(|(of, ..)| of == instrument) {
            let (fires, silent) = counts.get(id).copied().unwrap_or_default();
            if fires + silent < CASES_MIN || fires == 0 || silent == 0 {
                breaches.push(format!(
                    "{file}: {fires} cases on which it fires and {silent} on which it does not; at least one of each, \
                     {CASES_MIN} in all"
                ));
            }
        }
    }
    holds("every check has an id, a section, a case table and a fixture", &breaches);
}

#[test]
fn every_section_and_every_case_has_its_check() {
    let mut breaches = Vec::new();
    let checks = checks(&mut breaches);
    let instruments: BTreeSet<&String> = checks.iter().map(|(instrument, ..)| instrument).collect();
    for instrument in instruments {
        let known = |id: &str| checks.iter().any(|(of, _, known)| of == instrument && known == id);
        for line in text(document(instrument)).lines().filter(|line| line.starts_with("### `")) {
            let id = line.trim_start_matches("### `").trim_end_matches('`');
            if !known(id) {
                breaches
                    .push(format!("{}: section `{id}` describes a check that does not exist", document(instrument)));
            }
        }
        let mut names = BTreeSet::new();
        for case in cases(instrument, &mut breaches) {
            let place = format!("case \"{}\" of `{}`", case.name, case.check);
            if !known(&case.check) && case.missed.is_empty() {
                breaches.push(format!("{place}: no such check"));
            }
            if !names.insert((case.check.clone(), case.name.clone())) {
                breaches.push(format!("{place}: stands there twice"));
            }
            if case.ask.trim().is_empty() || (case.answer.trim().is_empty() && case.files.is_empty()) {
                breaches.push(format!("{place}: no ask or no answer"));
            }
            for expected in case.expected() {
                match expected {
                    Expected::Absence(words) if !case.ask.contains(words) => {
                        breaches.push(format!("{place}: \"{words}\" stands nowhere in its ask"));
                    }
                    Expected::Quote(words)
                        if !case.answer.contains(words) && !case.files.values().any(|text| text.contains(words)) =>
                    {
                        breaches.push(format!("{place}: \"{words}\" stands nowhere in its answer"));
                    }
                    _ => {}
                }
            }
            if case.note.len() > 400 {
                breaches.push(format!("{place}: its note is an essay"));
            }
        }
    }
    holds("every case belongs to a check and quotes its own answer", &breaches);
}
