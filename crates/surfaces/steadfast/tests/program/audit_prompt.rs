//! A prompt alone, and what is broken as a prompt for whoever mends it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common::Place;
use serde_json::Value;

const PROMPT: &str = "Plan a seed library for the allotments. It must open within 3 months. Budget: 500 EUR. Banned words: blockchain.\n";
const REPORT: &str =
    "# Seed library\n\nThe seed library opens within 3 months and costs 500 EUR. Loans are kept on a blockchain.\n";

#[test]
fn what_is_broken_becomes_instructions() {
    let place = Place::empty().with("prompt.txt", PROMPT).with("report.md", REPORT);
    let end = place.steadfast("audit prompt.txt report.md --as-prompt").status(0);
    assert_eq!(end.stderr, "");
    assert!(end.stdout.starts_with("The report departs from what was asked in 1 way."), "{}", end.stdout);
    assert!(
        end.stdout.contains("\n1. The request says: “Banned words: blockchain” (prompt.txt:1)\n"),
        "{}",
        end.stdout
    );
    assert!(end.stdout.contains("   The report says: “"), "{}", end.stdout);
    assert_eq!(place.steadfast("audit prompt.txt report.md --as-prompt").stdout, end.stdout);
    // Gates are asked as ever.
    assert_eq!(
        place.steadfast("audit prompt.txt report.md --as-prompt --fail-on disqualified").status(1).stdout,
        end.stdout
    );
}

#[test]
fn what_was_not_judged_is_listed_and_nothing_to_mend_is_no_instruction() {
    let place = Place::empty().with("prompt.txt", PROMPT).with("report.md", REPORT);
    let json: Value = serde_json::from_str(&place.steadfast("audit prompt.txt report.md --json").stdout).unwrap();
    let id = json["drift_incidents"][0]["id"].as_str().unwrap();
    place.steadfast(&format!("findings accept {id} --reason so")).status(0);
    let end = place.steadfast("audit prompt.txt report.md --as-prompt").status(0);
    assert!(end.stdout.starts_with("Nothing that was found is left to be mended"), "{}", end.stdout);
    let listed = "\nNot judged, so look at each of these:\n- The request says: “Plan a seed library for the allotments” (prompt.txt:1)\n";
    assert!(end.stdout.ends_with(listed), "{}", end.stdout);
    // Where all was judged nothing is said.
    let place = Place::empty()
        .with("prompt.txt", "The lift notice has at most 80 words.\n")
        .with("report.md", "Notice: the lift is closed on Monday.\n");
    let end = place.steadfast("audit prompt.txt report.md --as-prompt").status(0);
    assert_eq!(
        (end.stdout.as_str(), end.stderr.as_str()),
        ("", "note: nothing is to be mended: no instruction is written\n")
    );
}

#[test]
fn what_is_missing_is_to_be_added() {
    let prompt = "Write to the tenants of Hill House about the boiler swap on Tuesday 8 December.\nOffer the gym next door for showers.\n";
    let report = "Dear tenants of Hill House,\n\nThe boiler is swapped on Tuesday 8 December, so please be patient.\n";
    let place = Place::empty().with("prompt.txt", prompt).with("report.md", report);
    let end = place.steadfast("audit prompt.txt report.md --as-prompt").status(0);
    let told = "\n1. The request says: “Offer the gym next door for showers” (prompt.txt:2)\n   The report does not say it. Add it.\n";
    assert!(end.stdout.contains(told), "{}", end.stdout);
}

const VAGUE: &str = "Plan a seed library for the allotments. It must open as soon as possible. The loans must be kept for at most 6 weeks. \
                     Loans must be kept for at least 8 weeks. Use blockchain for the loans. Banned words: blockchain. The shelves must \
                     be user-friendly, and there must be enough of them, if possible.\n";

fn lint(prompt: &str) -> Value {
    let place = Place::empty().with("prompt.txt", prompt);
    let end = place.steadfast("audit prompt.txt --json").status(0);
    assert_eq!(end.stderr, "");
    serde_json::from_str(&end.stdout).unwrap()
}

#[test]
fn a_prompt_alone_is_linted() {
    let lint = lint(VAGUE);
    let words: Vec<(&str, &str)> = lint["vague"]
        .as_array()
        .unwrap()
        .iter()
        .map(|own| (own["word"].as_str().unwrap(), own["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(
        words,
        [
            ("as soon as possible", "when"),
            ("user-friendly", "how_well"),
            ("enough", "how_much"),
            ("if possible", "loophole")
        ]
    );
    let kinds: Vec<&str> =
        lint["contradictions"].as_array().unwrap().iter().map(|own| own["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["limits", "asked_and_banned"], "{:#}", lint["contradictions"]);
    let unsaid: Vec<&str> = lint["unsaid"].as_array().unwrap().iter().map(|own| own.as_str().unwrap()).collect();
    for missing in ["budget", "operator", "funding", "metric"] {
        assert!(unsaid.contains(&missing), "{unsaid:?}");
    }
    assert!(!unsaid.contains(&"non_goal"), "{unsaid:?}");
    let banned = lint["obligations"].as_array().unwrap().iter().find(|own| own["kind"] == "banned").unwrap();
    assert_eq!(banned["checkable_by"], serde_json::json!(["banned-term-used", "banned-list-contested"]));
    for own in lint["vague"].as_array().unwrap() {
        let (start, end) = (own["span"]["start"].as_u64().unwrap(), own["span"]["end"].as_u64().unwrap());
        let quote = &VAGUE[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()];
        assert_eq!(own["span"]["quote"], quote);
    }
}

#[test]
fn a_prompt_alone_has_forms_and_options_of_its_own() {
    let place = Place::empty().with("prompt.txt", VAGUE).with("empty.txt", " \n");
    for format in ["text", "md", "html", "json"] {
        let end = place.steadfast(&format!("audit prompt.txt --format {format}")).status(0);
        assert!(end.stdout.contains("user-friendly"), "{format}: {}", end.stdout);
        assert_eq!(place.steadfast(&format!("audit prompt.txt --format {format}")).stdout, end.stdout);
    }
    let stdin = place.steadfast_with("audit - --json", VAGUE.as_bytes()).status(0);
    assert!(stdin.stdout.contains("\"file\": \"stdin.txt\""), "{}", stdin.stdout);
    let hint = "hint: a report needs its prompt: `steadfast audit PROMPT REPORT`; a prompt alone is linted";
    for option in ["--fail-on disqualified", "--format sarif", "--out-dir out", "--store s.db", "--as-prompt"] {
        let named = if option.starts_with("--format") { option } else { option.split(' ').next().unwrap() };
        place.steadfast(&format!("audit prompt.txt {option}")).refused(
            2,
            &format!(
                "error: `{named}` needs a report, and prompt.txt alone is neither a folder nor a zip archive\n{hint}"
            ),
        );
    }
    place
        .steadfast("audit prompt.txt -o prompt.txt")
        .refused(2, "error: prompt.txt: is read, so it is not written over\nhint: give another name to -o");
    place.steadfast("audit empty.txt").refused(3, "error: empty.txt: the prompt is empty: nothing can be evaluated");
    assert_eq!(place.files(), ["empty.txt", "prompt.txt"]);
}

#[test]
fn hostile_prompts_become_no_markup() {
    let place = Place::empty()
        .with("prompt.txt", "Make it <script>alert(1)</script> user-friendly\u{202e} soon. It must be cheap.\n");
    let html = place.steadfast("audit prompt.txt --format html").status(0).stdout;
    assert!(!html.contains("<script>alert"), "{html}");
    let text = place.steadfast("audit prompt.txt").status(0).stdout;
    assert!(!text.contains('\u{202e}'), "{text}");
}
