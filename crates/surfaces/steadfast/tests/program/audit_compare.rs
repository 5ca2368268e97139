//! `steadfast audit compare` as it is used, and the trail of a fault through a run.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::{End, PROMPT, Place};
use serde_json::{Value, json};
use steadfast_testkit::schema::breaches;
use steadfast_wire::audit::{AuditComparison, DriftEvaluation};

const ASK: &str = "Plan a seed library for the allotments. It must have 8 shelves. The total budget is 500 EUR. It must open within \
                   3 months.\n\nBanned words: drone, blockchain.\n";
const GOOD: &str =
    "# Seed library\n\nThe seed library has 8 shelves. The total budget is 500 EUR. It opens within 3 months.\n";
const BAD: &str = "# Seed library\n\nThe seed library has 4 shelves. The total budget is 900 EUR. It opens within 3 months. Seeds are \
                   brought by drone.\n";

fn place() -> Place {
    Place::empty().with("prompt.txt", ASK).with("good.md", GOOD).with("bad.md", BAD)
}

fn parsed(end: &End) -> Value {
    serde_json::from_str(&end.stdout).unwrap()
}

/// Counts of obligations that are not nil, as `change count`.
fn changes(comparison: &Value) -> Vec<String> {
    let counts = comparison["counts"]["obligations"].as_object().unwrap().iter();
    counts.filter(|(_, count)| **count != 0).map(|(change, count)| format!("{change} {count}")).collect()
}

#[test]
fn what_is_newly_broken_and_what_is_repaired() {
    let place = place();
    let end = place.steadfast("audit compare --prompt prompt.txt good.md bad.md --json").status(0);
    assert_eq!(end.stderr, "");
    let comparison = parsed(&end);
    let schema = serde_json::to_value(steadfast_wire::schema::<AuditComparison>()).unwrap();
    assert_eq!(breaches(&schema, &comparison), [""; 0]);
    assert_eq!((&comparison["a"]["name"], &comparison["b"]["name"]), (&json!("good.md"), &json!("bad.md")));
    assert_eq!(comparison["caveats"], json!([]));
    assert!(comparison["score_delta"].as_f64().unwrap() < 0.0, "{comparison}");
    let broken = comparison["obligations"].as_array().unwrap().iter().filter(|it| it["change"] == "newly_broken");
    let broken: Vec<&str> = broken.map(|it| it["b"]["span"]["quote"].as_str().unwrap()).collect();
    assert!(broken.iter().any(|quote| quote.contains("drone")), "{broken:?}");
    assert!(broken.iter().any(|quote| quote.contains("500 EUR")), "{broken:?}");
    assert_eq!(comparison["incidents"]["gone"], json!([]));
    let new = comparison["incidents"]["new"].as_array().unwrap();
    assert!(new.iter().any(|it| it["check"] == "banned-term-used"), "{new:?}");

    // The other way round the same is repaired.
    let back = parsed(&place.steadfast("audit compare --prompt prompt.txt bad.md good.md --json").status(0));
    let count = |own: &Value, change: &str| own["counts"]["obligations"][change].clone();
    assert_eq!(count(&back, "newly_broken"), 0);
    // A ban that nothing speaks against any more is no longer broken; that it is kept nobody says.
    let mended = ["repaired", "no_longer_broken"].map(|change| count(&back, change).as_u64().unwrap_or_default());
    assert!(mended.iter().sum::<u64>() >= count(&comparison, "newly_broken").as_u64().unwrap());
    assert_eq!(back["counts"]["gone_incidents"], comparison["counts"]["new_incidents"]);

    // With itself nothing changes.
    let same = parsed(&place.steadfast("audit compare --prompt prompt.txt bad.md bad.md --json").status(0));
    let told = changes(&same);
    let same_as_before = |it: &String| ["still_", "kept_", "undecided"].iter().any(|own| it.starts_with(own));
    assert!(told.iter().all(same_as_before), "{told:?}");
    assert_eq!((&same["counts"]["new_incidents"], &same["counts"]["reworded_incidents"]), (&json!(0), &json!(0)));
}

#[test]
fn every_form_gives_the_same_bytes_and_names_what_broke() {
    let place = place();
    for (format, says) in [
        ("text", "Newly broken ("),
        ("md", "## Newly broken ("),
        ("html", "Newly broken</span>"),
        ("json", "\"newly_broken\""),
    ] {
        let arguments = format!("audit compare --prompt prompt.txt good.md bad.md --format {format}");
        let end = place.steadfast(&arguments).status(0);
        assert!(end.stdout.contains(says) && end.stdout.contains("drone"), "{}", end.stdout);
        assert_eq!(place.steadfast(&arguments).stdout, end.stdout, "{format}");
        place.steadfast(&format!("{arguments} -o out")).status(0);
        assert_eq!(place.read("out"), end.stdout, "{format}");
    }
    let text = place.steadfast("audit compare --prompt prompt.txt good.md bad.md").stdout;
    assert!(text.starts_with("B breaks ") && text.contains("bad.md:3"), "{text}");
}

#[test]
fn audits_that_were_made_are_compared_as_those_that_are() {
    let place = place();
    let fresh = parsed(&place.steadfast("audit compare --prompt prompt.txt good.md bad.md --json").status(0));
    let mut ids = Vec::new();
    for name in ["good", "bad"] {
        let end = place.steadfast(&format!("audit prompt.txt {name}.md --json -o {name}.json --store s.db")).status(0);
        assert_eq!(end.stderr, "");
        let run: Value = serde_json::from_str(&place.read(&format!("{name}.json"))).unwrap();
        ids.push(run["run"]["id"].as_str().unwrap().to_owned());
    }
    let by_id = format!("audit compare {} {} --store s.db --json", ids[0], ids[1]);
    let piped = place.steadfast_with("audit compare good.json - --json", place.read("bad.json").as_bytes()).status(0);
    for end in [place.steadfast("audit compare good.json bad.json --json").status(0), piped, place.steadfast(&by_id)] {
        let own = parsed(&end.status(0));
        for member in ["score_delta", "caveats", "dimensions", "obligations", "incidents", "counts"] {
            assert_eq!(own[member], fresh[member], "{member}");
        }
    }
    let runs = parsed(&place.steadfast("runs list --store s.db --json").status(0));
    assert_eq!(runs["runs"].as_array().unwrap().len(), 2, "nothing is written to the store");
}

#[test]
fn what_makes_a_comparison_say_less_is_told() {
    let place = place().with("other.txt", format!("{ASK}\nIt must be dry.\n"));
    place.steadfast("audit other.txt bad.md --json -o b.json").status(0);
    place.steadfast("audit prompt.txt bad.md --json --limit 1 -o a.json").status(0);
    let older = place.read("b.json").replacen("\"rules_version\": \"", "\"rules_version\": \"0", 1);
    let place = place.with("b.json", older);
    let end = place.steadfast("audit compare a.json b.json --json").status(0);
    let comparison = parsed(&end);
    assert_eq!(comparison["caveats"], json!(["prompts_differ", "rules_differ", "a_is_partial"]));
    // Words that both prompts have are one obligation.
    let told = changes(&comparison);
    assert!(
        told.iter().any(|it| it.starts_with("only_b ")) && !told.iter().any(|it| it.starts_with("only_a ")),
        "{told:?}"
    );
}

#[test]
fn runs_are_compared_as_folders_and_archives() {
    let place = Place::empty()
        .with("a/001-plan.txt", ASK)
        .with("a/002-x.md", GOOD)
        .with("b/001-plan.txt", ASK)
        .with("b/002-x.md", GOOD)
        .with("b/003-y.md", BAD)
        .zip("b", "b.zip", "");
    let folders = parsed(&place.steadfast("audit compare a b --json").status(0));
    let archive = parsed(&place.steadfast("audit compare a b.zip --json").status(0));
    assert_eq!(folders["obligations"], archive["obligations"]);
    assert!(folders["counts"]["obligations"]["newly_broken"].as_u64() > Some(0), "{folders}");
}

#[test]
fn a_gate_is_asked_for() {
    let place = place();
    let end = place.steadfast("audit compare --prompt prompt.txt good.md bad.md --fail-on new").status(1);
    assert!(
        end.stderr.starts_with("failed: ") && end.stderr.contains("newly broken (--fail-on new)"),
        "{}",
        end.stderr
    );
    place.steadfast("audit compare --prompt prompt.txt bad.md good.md --fail-on new").status(0);
    place.steadfast("audit compare --prompt prompt.txt bad.md bad.md --fail-on new").status(0);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let place = place().with("empty.json", "{\"schema_version\": \"1\"}");
    place.steadfast("audit compare good.md bad.md").refused(
        2,
        "error: good.md: is neither a folder, a zip archive nor the JSON of an audit\nhint: a report needs its prompt: `--prompt PROMPT`",
    );
    place
        .steadfast("audit compare - - --prompt prompt.txt")
        .refused(2, "error: only one of A, B and the prompt can be read from stdin");
    place.steadfast("audit compare a b").refused(2, "error: a: no such file or folder");
    place
        .steadfast("audit compare good.md bad.md --prompt prompt.txt --fail-on risk=high")
        .refused(2, "error: `--fail-on risk=high` does not apply to audit compare\nhint: audit compare fails on `new`");
    let end = place.steadfast("audit compare empty.json empty.json").status(2);
    assert!(end.stderr.starts_with("error: empty.json: is no result of `audit`: "), "{}", end.stderr);
    let end = place.steadfast("audit compare good.md bad.md --prompt prompt.txt -o bad.md").status(2);
    assert!(end.stderr.contains("is read, so it is not written over"), "{}", end.stderr);
    place.steadfast("audit prompt.txt good.md --store s.db -q -o out.txt").status(0);
    let end = place.steadfast("audit compare nobody good.md --prompt prompt.txt --store s.db").status(2);
    assert!(end.stderr.starts_with("error: no run `nobody` is stored"), "{}", end.stderr);
}

#[test]
fn a_fault_is_followed_through_a_run() {
    let place = Place::empty()
        .with("run/001-plan.txt", ASK)
        .with("run/002-start.md", "# Start\n\nThe budget of 500 EUR is fixed. No drone is used.\n")
        .with("run/004-outline.md", "# Outline\n\nThe library stands in the shed.\n")
        .with("run/010-plan.md", "# Plan\n\nThe total budget is 900 EUR. Seeds are brought by drone.\n")
        .with("run/020-summary.md", "# Summary\n\nThe total budget is 900 EUR. The budget of 500 EUR is fixed.\n");
    let end = place.steadfast("audit run --json").status(0);
    let evaluation: DriftEvaluation = steadfast_wire::from_json(&end.stdout).unwrap();
    let told = |check: &str| -> String {
        let found = evaluation.drift_incidents.iter().find(|it| it.check == check);
        let incident = found.unwrap_or_else(|| panic!("no {check} in {}", end.stdout));
        let trail = incident.trail.as_ref().unwrap();
        assert_eq!(trail.artefacts, 4);
        let first = trail.places.iter().find(|it| it.stand != steadfast_wire::audit::Stand::Right).unwrap();
        assert_eq!(incident.introduced_in.as_ref(), Some(&first.span.file));
        let places = trail.places.iter().map(|it| format!("{} {} {}", it.position, it.stand, it.span.file));
        let right = trail.last_right_in.as_deref().unwrap_or("nowhere");
        format!("{}; last right in {right}", places.collect::<Vec<_>>().join(", "))
    };
    assert_eq!(
        told("detail-differs"),
        "1 right 002-start.md, 3 wrong 010-plan.md, 4 both 020-summary.md; last right in 002-start.md"
    );
    assert_eq!(told("banned-term-used"), "1 right 002-start.md, 3 wrong 010-plan.md; last right in 002-start.md");
    let text = place.steadfast("audit run").stdout;
    let line = "through the run: right in 002-start.md; wrong from 010-plan.md on (2 of 4 artefacts)";
    assert!(text.contains(line), "{text}");
    assert!(text.contains("right in 002-start.md; wrong in 010-plan.md alone (4 artefacts)"), "{text}");
    let markdown = place.steadfast("audit run --format md").stdout;
    assert!(markdown.contains("**Through the run:** right in 002-start.md; wrong from 010-plan.md on"), "{markdown}");
    let html = place.steadfast("audit run --format html").stdout;
    assert!(html.contains("first wrong in 010-plan.md</text>"), "{html}");
}

#[test]
fn a_single_report_has_no_trail() {
    let place = place().with("plain.txt", PROMPT);
    let end = place.steadfast("audit prompt.txt bad.md --json").status(0);
    assert!(!end.stdout.contains("\"trail\""), "{}", end.stdout);
}
