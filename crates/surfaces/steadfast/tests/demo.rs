//! `steadfast demo`, and what the program says of itself.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::Path;

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

/// The lines between `$ steadfast …` and `…` in the README are the first that the program prints.
#[test]
fn the_readme_shows_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let (_, example) = readme.split_once("    $ steadfast ").unwrap();
    let (command, shown) = example.split_once('\n').unwrap();
    let (shown, _) = shown.split_once("    …\n").unwrap();
    let mut place = Place::empty();
    for name in ["prompt.txt", "faithful.md", "drifted.md"] {
        place =
            place.with(&format!("examples/audit/{name}"), fs::read(root.join("examples/audit").join(name)).unwrap());
    }
    let printed = place.steadfast(command).status(0).stdout;
    let shown: Vec<&str> = shown.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    assert!(shown.len() > 10);
    assert_eq!(shown, printed.lines().take(shown.len()).collect::<Vec<_>>());
    let faithful = place.steadfast("audit examples/audit/prompt.txt examples/audit/faithful.md").status(0).stdout;
    assert!(
        readme.contains("scores\n5.0 of 5.0, with no incident") && faithful.starts_with("Fidelity 5.0 / 5.0"),
        "{faithful}"
    );
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
