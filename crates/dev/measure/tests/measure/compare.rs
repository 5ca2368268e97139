//! What COMPARE.md says of us is what the shipped coefficients say.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use serde_json::Value;

fn text(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).unwrap();
    std::fs::read_to_string(root.join(name)).unwrap()
}

/// A figure of ours, in per cent, stands behind a comment that names the form of the support score and the set of its threshold.
#[test]
fn figures_beside_those_of_others_are_those_of_kept_rows() {
    let coefficients: Value = serde_json::from_str(&text("crates/foundation/grounding/coefficients.json")).unwrap();
    let kept = |form: &str, set: &str| {
        let form = coefficients["forms"].as_array().unwrap().iter().find(|it| it["form"] == form).unwrap();
        let own = form["thresholds"].as_array().unwrap().iter().find(|it| it["set"] == set).unwrap();
        own["balanced_accuracy_kept"].as_f64().unwrap()
    };
    let compare = text("COMPARE.md");
    let mut stated = 0;
    for after in compare.split("<!-- threshold ").skip(1) {
        let (name, rest) = after.split_once(" -->").unwrap();
        let (form, set) = name.split_once(' ').unwrap();
        let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let expected = format!("{:.1}", 100.0 * kept(form, set));
        assert_eq!(number.trim_end_matches('.'), expected, "COMPARE.md: {name}");
        stated += 1;
    }
    assert_eq!(stated, 5, "a figure of ours in COMPARE.md stands behind no comment");
}
