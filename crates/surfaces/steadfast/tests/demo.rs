//! `steadfast demo`, and what the program says of itself.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::Place;

#[test]
fn the_demo_writes_its_example_and_both_reports() {
    let place = Place::empty();
    let end = place.steadfast("demo").status(0);
    assert_eq!(end.stderr, "");
    assert!(end.stdout.contains("What to try next:"), "{}", end.stdout);
    let mut expected: Vec<String> = ["prompt.txt", "faithful.md", "drifted.md"].map(str::to_owned).to_vec();
    for report in ["faithful", "drifted"] {
        expected.extend(["json", "md", "html"].map(|kind| format!("{report}/drift-evaluation.{kind}")));
    }
    let mut expected: Vec<String> = expected.iter().map(|name| format!("steadfast-demo/{name}")).collect();
    expected.sort();
    assert_eq!(place.files(), expected);
}

#[test]
fn the_demo_can_be_audited_by_hand_with_the_same_result() {
    let place = Place::empty();
    place.steadfast("demo --out-dir d").status(0);
    for report in ["faithful", "drifted"] {
        let end = place.steadfast(&format!("audit d/prompt.txt d/{report}.md --json")).status(0);
        assert_eq!(end.stdout, place.read(&format!("d/{report}/drift-evaluation.json")));
    }
}

#[test]
fn help_and_version_are_data() {
    let place = Place::empty();
    for arguments in ["--help", "audit --help", "demo --help", "--version"] {
        let end = place.steadfast(arguments).status(0);
        assert!(end.stderr.is_empty() && !end.stdout.is_empty(), "{arguments}");
    }
    assert!(place.steadfast("audit --help").stdout.contains("Exit status: 0 passed, 1 a gate failed"));
}
