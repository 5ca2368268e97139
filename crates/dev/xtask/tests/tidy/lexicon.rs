//! The tables of words: sorted, each entry once, with its source, and every class used.

use std::collections::BTreeSet;
use std::fs;

use crate::house::{files, text};

const FOLDER: &str = "crates/foundation/annotate/lexicon/";
const LOADER: &str = "crates/foundation/annotate/src/lexicon.rs";

/// The cells of every line of every table, with the place of the line.
fn lines() -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (name, path) in files().iter().filter(|(name, _)| name.starts_with(FOLDER)) {
        let table = fs::read_to_string(path).unwrap();
        assert_eq!(table.lines().next(), Some("form\tlemma\tclass\tsource\tlicence"), "{name}");
        for (number, line) in table.lines().enumerate().skip(1) {
            found.push((format!("{name}:{}", number + 1), line.split('\t').map(str::to_owned).collect()));
        }
    }
    assert!(found.len() > 5_000, "only {} entries", found.len());
    found
}

#[test]
fn every_entry_says_its_form_class_source_and_licence() {
    for (place, cells) in lines() {
        let [form, _, class, source, licence] = cells.as_slice() else { panic!("{place}: not five columns") };
        for cell in [form, class, source, licence] {
            assert!(!cell.is_empty() && cell.trim() == cell, "{place}: {cells:?}");
        }
    }
}

#[test]
fn entries_are_sorted_and_stand_once() {
    let key = |cells: &[String]| (cells[2].clone(), cells[0].clone(), cells[1].clone());
    for pair in lines().windows(2) {
        let [(before, first), (place, second)] = pair else { continue };
        let same = before.split(':').next() == place.split(':').next();
        assert!(!same || key(first) < key(second), "{place}: not after {:?}", first[0]);
    }
}

#[test]
fn lists_of_notes_are_those_that_code_names() {
    let code =
        files().iter().filter(|(name, _)| name.ends_with(".rs") && name.starts_with("crates/instruments/plan/src/"));
    let code: String = code.map(|(_, path)| fs::read_to_string(path).unwrap()).collect();
    let named: BTreeSet<&str> = code.split("List(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let lines = lines();
    let listed: BTreeSet<&str> = lines.iter().filter_map(|(_, cells)| cells[2].strip_prefix("notes.")).collect();
    assert_eq!(named, listed);
}

#[test]
fn every_table_is_loaded_and_every_class_is_used() {
    let loader = text(LOADER);
    for (name, _) in files().iter().filter(|(name, _)| name.starts_with(FOLDER)) {
        let table = &name[FOLDER.len()..];
        assert!(loader.contains(&format!("lexicon/{table}\"")), "{table} is not loaded");
    }
    let code: Vec<String> = files()
        .iter()
        .filter(|(name, _)| name.ends_with(".rs") && name.starts_with("crates/") && name != LOADER)
        .map(|(_, path)| fs::read_to_string(path).unwrap())
        .collect();
    for line in loader.lines().filter_map(|line| line.trim().strip_suffix("\",")) {
        let Some((variant, class)) = line.split_once(" = \"") else { continue };
        let named = format!("Class::{variant}");
        let used = |text: &String| {
            text.match_indices(&named)
                .any(|(at, _)| !text[at + named.len()..].starts_with(|c: char| c.is_alphanumeric()))
        };
        assert!(code.iter().any(used), "no code asks for the class {class}");
        assert!(lines().iter().any(|(_, cells)| cells[2] == class), "no entry has the class {class}");
    }
}
