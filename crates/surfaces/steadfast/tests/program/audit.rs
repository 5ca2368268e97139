//! `steadfast audit` as it is used: formats, files, gates, streams.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Stdio};

use crate::common::{PROMPT, Place, REPORT};
use serde_json::Value;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Names of `sources`, parted by spaces.
fn sources(text: &str) -> String {
    let json = json(text);
    let names = json["sources"].as_array().unwrap().iter().map(|source| source["file"].as_str().unwrap());
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn data_goes_to_stdout_and_talk_to_stderr() {
    let end = Place::pair().steadfast("audit prompt.txt report.md --json").status(0);
    assert_eq!(end.stderr, "");
    assert_eq!(sources(&end.stdout), "prompt.txt report.md");
}

#[test]
fn two_runs_give_the_same_bytes() {
    let place = Place::run();
    for format in ["text", "json", "md", "html", "junit", "sarif"] {
        let arguments = format!("audit run --format {format}");
        assert_eq!(place.steadfast(&arguments).stdout, place.steadfast(&arguments).stdout, "{format}");
    }
}

#[test]
fn a_folder_and_its_zips_give_the_same_bytes() {
    let place =
        Place::run().zip("run", "flat.zip", "").zip("run", "nested.zip", "anything/").zip("run", "dot.zip", "./");
    let folder = place.steadfast("audit run --json").status(0);
    assert_eq!(sources(&folder.stdout), "001-2-plan.txt 025-2-summary.md 030-report.html");
    for archive in ["flat.zip", "nested.zip", "dot.zip"] {
        assert_eq!(place.steadfast(&format!("audit {archive} --json")).status(0).stdout, folder.stdout, "{archive}");
    }
}

#[test]
fn where_a_run_stands_does_not_matter() {
    let place = Place::run();
    let relative = place.steadfast("audit run --json").stdout;
    let absolute = place.path("run");
    assert_eq!(place.steadfast(&format!("audit {}/ --json", absolute.display())).stdout, relative);
    assert!(!relative.contains(place.root().to_str().unwrap()));
}

#[test]
fn stdin_stands_for_either_file() {
    let place = Place::pair();
    let end = place.steadfast_with("audit - report.md --json", PROMPT.as_bytes()).status(0);
    assert_eq!(sources(&end.stdout), "stdin.txt report.md");
    let end = place.steadfast_with("audit prompt.txt - --json", REPORT.as_bytes()).status(0);
    assert_eq!(sources(&end.stdout), "prompt.txt stdin.md");
    let end = place.steadfast_with("audit prompt.txt - --json", b" <p>The seed library costs 500 EUR.</p>").status(0);
    assert_eq!(sources(&end.stdout), "prompt.txt stdin.html");
}

#[test]
fn a_zip_may_come_by_stdin() {
    let place = Place::run().zip("run", "run.zip", "");
    let bytes = std::fs::read(place.path("run.zip")).unwrap();
    let end = place.steadfast_with("audit - --json", &bytes).status(0);
    assert_eq!(end.stdout, place.steadfast("audit run --json").stdout);
}

#[test]
fn two_files_of_one_name_stay_apart() {
    let place = Place::empty().with("a/plan.md", PROMPT).with("b/plan.md", REPORT);
    let end = place.steadfast("audit a/plan.md b/plan.md --json").status(0);
    assert_eq!(sources(&end.stdout), "prompt/plan.md report/plan.md");
}

#[test]
fn an_output_file_holds_what_stdout_would() {
    let place = Place::pair();
    let data = place.steadfast("audit prompt.txt report.md --json").stdout;
    let end = place.steadfast("audit prompt.txt report.md --json -o out.json").status(0);
    assert_eq!((end.stdout.as_str(), end.stderr.as_str()), ("", ""));
    assert_eq!(place.read("out.json"), data);
    assert_eq!(place.steadfast("audit prompt.txt report.md --json -o -").stdout, data);
    assert_eq!(place.files(), ["out.json", "prompt.txt", "report.md"]);
}

#[test]
fn a_report_folder_holds_three_files() {
    let place = Place::pair();
    let end = place.steadfast("audit prompt.txt report.md --json --out-dir deep/out").status(0);
    assert_eq!(
        place.files(),
        [
            "deep/out/drift-evaluation.html",
            "deep/out/drift-evaluation.json",
            "deep/out/drift-evaluation.md",
            "prompt.txt",
            "report.md"
        ]
    );
    assert_eq!(place.read("deep/out/drift-evaluation.json"), end.stdout);
    assert_eq!(
        end.stderr,
        "note: wrote drift-evaluation.json, drift-evaluation.md and drift-evaluation.html to deep/out\n"
    );
    let quiet = place.steadfast("audit prompt.txt report.md --json --out-dir deep/out --quiet").status(0);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn a_report_folder_inside_the_run_changes_nothing() {
    let place = Place::run();
    let before = place.steadfast("audit run --json").stdout;
    place.steadfast("audit run --out-dir run").status(0);
    assert_eq!(place.steadfast("audit run --json").stdout, before);
}

#[test]
fn files_of_other_kinds_are_passed_over() {
    let place = Place::run().with("run/log.txt", "started").with("run/raw.json", "{}").with("run/.hidden.md", "x");
    let end = place.steadfast("audit run --json").status(0);
    assert_eq!(sources(&end.stdout), "001-2-plan.txt 025-2-summary.md 030-report.html");
    assert_eq!(end.stderr, "note: 2 files are not read as artefacts: log.txt, raw.json\n");
}

#[test]
fn a_prompt_may_stand_in_json() {
    let place = Place::empty()
        .with(
            "run/plan_raw.json",
            r#"{"plan_prompt": "Plan a \"seed library\".\nBudget: 500 EUR.", "pretty_date": "x"}"#,
        )
        .with("run/a.md", REPORT);
    let end = place.steadfast("audit run --json").status(0);
    assert_eq!(sources(&end.stdout), "plan_raw.json a.md");
    let place = place.with("run/plan_raw.json", "{}");
    let end = place.steadfast("audit run --json").status(2);
    assert!(end.stderr.starts_with("error: run/plan_raw.json: holds no `plan_prompt`"), "{}", end.stderr);
}

#[test]
fn the_ending_of_a_file_says_what_is_written() {
    let place = Place::pair();
    let written = |arguments: &str, file: &str| {
        place.steadfast(&format!("audit prompt.txt report.md {arguments} -o {file}")).status(0);
        std::fs::read_to_string(place.path(file)).unwrap()
    };
    assert!(written("", "out.html").starts_with("<!DOCTYPE html>"));
    assert!(written("", "out.json").starts_with('{'));
    assert!(written("", "out.txt").starts_with("Assessed: "));
    assert!(written("--format text", "out.json").starts_with("Assessed: "));
}

#[test]
fn scripts_in_a_page_are_not_passed_on() {
    let page = "<html><body><script>alert('one')</script><p onclick=\"alert('two')\">The seed library opens \
                &lt;script&gt;alert('three')&lt;/script&gt; within 3 months.</p></body></html>";
    let place = Place::pair().with("report.html", page);
    let end = place.steadfast("audit prompt.txt report.html --format html").status(0);
    assert!(!end.stdout.contains("<script>alert("), "{}", end.stdout);
    assert!(!end.stdout.contains("onclick=\"alert("), "{}", end.stdout);
}

#[test]
fn a_prompt_of_one_word_ends_in_order() {
    let place = Place::pair().with("prompt.txt", "Go");
    let end = place.steadfast("audit prompt.txt report.md --json");
    assert!([0, 3].contains(&end.status), "{end:?}");
}

#[test]
fn gates_are_asked_for() {
    let place = Place::pair();
    place.steadfast("audit prompt.txt report.md --json").status(0);
    let end = place.steadfast("audit prompt.txt report.md --json --fail-on risk=low --quiet").status(1);
    assert_eq!(sources(&end.stdout), "prompt.txt report.md");
    assert!(end.stderr.starts_with("failed: the risk is "), "{}", end.stderr);
    assert!(end.stderr.ends_with(" (--fail-on risk=low)\n"), "{}", end.stderr);
    place.steadfast("audit prompt.txt report.md --json --fail-below 0").status(0);
    // Output is written whether a gate fails or not.
    place.steadfast("audit prompt.txt report.md --json --fail-on risk=low -o out.json").status(1);
    assert_eq!(place.read("out.json"), end.stdout);
}

#[test]
fn no_colour_where_nobody_sees_it() {
    let place = Place::pair();
    for arguments in ["audit prompt.txt report.md", "audit gone"] {
        let end = place.steadfast(arguments);
        assert!(!end.stdout.contains('\u{1b}') && !end.stderr.contains('\u{1b}'), "{end:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::run();
    let mut child = Command::new(env!("CARGO_BIN_EXE_steadfast"))
        .args(["audit", "run", "--json"])
        .current_dir(place.root())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_are_not_followed() {
    let place = Place::run().with("secret.md", "A secret.");
    std::os::unix::fs::symlink(place.path("secret.md"), place.path("run/link.md")).unwrap();
    std::os::unix::fs::symlink(place.path("run/025-2-summary.md"), place.path("run/same.md")).unwrap();
    std::os::unix::fs::symlink(place.path("run"), place.path("run/loop")).unwrap();
    let end = place.steadfast("audit run --json").status(0);
    assert_eq!(sources(&end.stdout), "001-2-plan.txt 025-2-summary.md 030-report.html");
    assert_eq!(end.stderr, "warning: run/link.md: leads out of the folder; it is not read\n");
}

#[cfg(unix)]
#[test]
fn devices_and_links_are_written_through() {
    let place = Place::pair().with("real.json", "old");
    place.steadfast("audit prompt.txt report.md --json -o /dev/null").status(0);
    std::os::unix::fs::symlink("real.json", place.path("link.json")).unwrap();
    let end = place.steadfast("audit prompt.txt report.md --json -o link.json").status(0);
    assert_eq!(end.stderr, "");
    assert!(place.path("link.json").is_symlink());
    assert_eq!(sources(&place.read("real.json")), "prompt.txt report.md");
}
