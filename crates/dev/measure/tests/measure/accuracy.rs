//! The figures that are kept in the repository, and the document made of them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use steadfast_measure::detectors::{DETECTORS, document, versions};
use steadfast_wire::measure::Measurement;

/// Where the figures are kept, and the document, in the repository.
const KEPT: &str = "crates/dev/measure/baseline.json";
const DOCUMENT: &str = "ACCURACY.md";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn kept() -> Measurement {
    serde_json::from_slice(&fs::read(root().join(KEPT)).unwrap()).unwrap()
}

#[test]
fn the_document_is_made_of_the_figures_that_are_kept() {
    let written = fs::read_to_string(root().join(DOCUMENT)).unwrap();
    let made = document(&kept(), KEPT, DOCUMENT);
    let differs = written.lines().zip(made.lines()).find(|(own, other)| own != other);
    assert!(
        written == made,
        "`steadfast-measure report {KEPT} -o {DOCUMENT}` writes it; the first line that differs: {differs:?}"
    );
}

/// Whoever changes the rules measures again.
#[test]
fn what_was_measured_is_what_ships() {
    let kept = kept();
    let names: Vec<&str> = DETECTORS.iter().flat_map(|own| own.sets).copied().collect();
    for (name, version) in versions(&names, None) {
        assert_eq!(
            kept.versions.get(&name),
            Some(&version),
            "{name}: `steadfast-measure all --data DIR --keep {KEPT} -o {DOCUMENT}`"
        );
    }
}

#[test]
fn every_detector_has_its_figures() {
    let kept = kept();
    for (detector, set) in DETECTORS.iter().flat_map(|own| own.sets.iter().map(move |set| (own.name, *set))) {
        let is_there = kept.rows.iter().any(|row| row.set == set && row.value.is_some());
        // A listing for reading has no figure.
        let is_listing = steadfast_measure::sets::named(set).unwrap().metrics.is_empty();
        assert!(is_there || is_listing || kept.missing.iter().any(|own| own == set), "{detector}: no figure of {set}");
    }
}
