//! Input that cannot be used: what is said, how the program ends, and that nothing is written.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs::{self, File};

use crate::common::{PROMPT, Place, REPORT, zipped};

/// Runs with every kind of output asked for, and expects a refusal and not one new file.
#[track_caller]
fn check(place: &Place, arguments: &str, status: i32, stderr: &str) {
    let before = place.files();
    place.steadfast(&format!("audit {arguments} --json -o out.json --out-dir out")).refused(status, stderr);
    if status == 3 {
        // What a pipeline waits for is there, and says why there is no evaluation.
        for name in ["out.json", "out/drift-evaluation.json"] {
            let written: serde_json::Value = serde_json::from_str(&place.read(name)).unwrap();
            let detail = written["not_evaluable"]["detail"].as_str().unwrap();
            assert_eq!(format!("error: {detail}"), stderr, "{name}");
        }
        assert!(place.read("out/drift-evaluation.md").contains("**Not evaluable**"));
        return;
    }
    assert_eq!(place.files(), before, "something was written");
    assert!(!place.path("out").exists(), "a folder was made");
}

#[test]
fn a_missing_file() {
    let place = Place::pair();
    check(&place, "prompt.txt gone.md", 2, "error: gone.md: no such file or folder");
    check(&place, "gone.txt report.md", 2, "error: gone.txt: no such file or folder");
    check(&place, "gone", 2, "error: gone: no such file or folder");
}

#[test]
fn a_folder_with_no_prompt() {
    let place = Place::empty().with("run/a.md", REPORT).with("run/b.md", REPORT);
    check(
        &place,
        "run",
        2,
        "error: run: no prompt among its 2 files\nhint: a run's prompt is a file named `…plan.txt`, `…prompt.txt`, \
         `…prompt.md` or `plan_raw.json`; otherwise give PROMPT and REPORT",
    );
}

#[test]
fn an_empty_folder() {
    let place = Place::empty();
    fs::create_dir(place.path("run")).unwrap();
    let end = place.steadfast("audit run").status(2);
    assert!(end.stderr.starts_with("error: run: no prompt among its 0 files"), "{}", end.stderr);
}

#[test]
fn nothing_to_evaluate() {
    let nothing = "nothing can be evaluated";
    for empty in ["", "\n \t\n", "\u{FEFF}"] {
        let place = Place::pair().with("report.md", empty);
        check(&place, "prompt.txt report.md", 3, &format!("error: report.md: the report is empty: {nothing}"));
        let place = Place::pair().with("prompt.txt", empty);
        check(&place, "prompt.txt report.md", 3, &format!("error: prompt.txt: the prompt is empty: {nothing}"));
    }
    let place = Place::empty().with("run/plan.txt", PROMPT);
    check(&place, "run", 3, &format!("error: run: holds a prompt and no report: {nothing}"));
    let place = Place::empty().with("run/plan.txt", PROMPT).with("run/a.md", "").with("run/b.md", " ");
    check(&place, "run", 3, &format!("error: run: all of its reports are empty: {nothing}"));
    let place = Place::empty().with("run/plan.txt", "").with("run/a.md", REPORT);
    check(&place, "run", 3, &format!("error: run/plan.txt: the prompt is empty: {nothing}"));
}

#[test]
fn a_page_that_holds_scripts_alone_is_empty() {
    let place = Place::pair().with("report.html", "<html><head><script>alert('x')</script></head><body></body></html>");
    check(&place, "prompt.txt report.html", 3, "error: report.html: the report is empty: nothing can be evaluated");
}

const TEXT_HINT: &str = "hint: Markdown, HTML, plain text in UTF-8 or UTF-16, and Word documents (.docx) are read";

#[test]
fn a_binary_file() {
    let place = Place::pair().with("report.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    let said = "is not text: byte 8 is zero, so it is a binary file";
    check(&place, "prompt.txt report.md", 2, &format!("error: report.md: {said}\n{TEXT_HINT}"));
    let place = Place::run().with("run/a.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    check(&place, "run", 2, &format!("error: run/a.md: {said}\n{TEXT_HINT}"));
}

#[test]
fn invalid_utf8() {
    let place = Place::pair().with("report.md", b"# Caf\xE9\n");
    let said = "is not text: byte 5 (line 1) is 0xE9, which is no UTF-8 there";
    check(&place, "prompt.txt report.md", 2, &format!("error: report.md: {said}\n{TEXT_HINT}"));
    let place = Place::pair().with("prompt.txt", b"\xFF\xFEP\0l\0a\0n");
    let said = "is not text: byte 8 begins no character of UTF-16";
    check(&place, "prompt.txt report.md", 2, &format!("error: prompt.txt: {said}\n{TEXT_HINT}"));
    let place = Place::pair().with("report.pdf", b"%PDF-1.7\n");
    let said = "is not text: it is a PDF; `pdftotext -layout FILE FILE.txt` makes a text of it";
    check(&place, "prompt.txt report.pdf", 2, &format!("error: report.pdf: {said}\n{TEXT_HINT}"));
}

#[test]
fn a_file_of_200_megabytes() {
    let place = Place::pair();
    // Sparse: it is refused by its length, before it is read.
    File::create(place.path("big.md")).unwrap().set_len(200_000_000).unwrap();
    let said = "holds 200000000 bytes, more than the limit of 64 MiB\nhint: give its text alone";
    check(&place, "prompt.txt big.md", 2, &format!("error: big.md: {said}"));
    check(&place, "big.md report.md", 2, &format!("error: big.md: {said}"));
    let place = Place::run();
    File::create(place.path("run/big.html")).unwrap().set_len(200_000_000).unwrap();
    check(&place, "run", 2, &format!("error: run/big.html: {said}"));
    File::create(place.path("big.bin")).unwrap().set_len(400_000_000).unwrap();
    check(
        &place,
        "big.bin",
        2,
        "error: `--out-dir` needs a report, and big.bin alone is neither a folder nor a zip archive\nhint: a report needs its prompt: \
         `steadfast audit PROMPT REPORT`; a prompt alone is linted",
    );
}

const MEMBER_HINT: &str = "hint: leave that member out, or unpack the archive and give the folder";

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    zipped(&members.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect::<Vec<_>>())
}

#[test]
fn a_truncated_zip() {
    let text: Vec<u8> = (0..50_000_u32).map(|n| b'a' + u8::try_from(n * n % 23).unwrap()).collect();
    let whole = archive(&[("plan.txt", PROMPT.as_bytes()), ("report.md", &text)]);
    let place = Place::empty().with("run.zip", &whole[..whole.len() / 2]);
    check(&place, "run.zip", 2, &format!("error: run.zip: member `report.md` is cut short\n{MEMBER_HINT}"));
}

#[test]
fn a_zip_that_leads_out() {
    let mut bytes = archive(&[("plan.txt", PROMPT.as_bytes()), ("xx/report.md", REPORT.as_bytes())]);
    for at in 0..bytes.len() - 3 {
        if &bytes[at..at + 3] == b"xx/" {
            bytes[at..at + 2].copy_from_slice(b"..");
        }
    }
    let place = Place::empty().with("run.zip", bytes);
    check(
        &place,
        "run.zip",
        2,
        &format!("error: run.zip: member `../report.md` leads out of the archive\n{MEMBER_HINT}"),
    );
}

#[test]
fn a_zip_bomb() {
    let place = Place::empty()
        .with("run.zip", archive(&[("plan.txt", PROMPT.as_bytes()), ("bomb.md", &vec![b'0'; 32_000_000])]));
    let said = "inflates to more than 250 times its size";
    check(&place, "run.zip", 2, &format!("error: run.zip: member `bomb.md` {said}\n{MEMBER_HINT}"));
}

#[test]
fn what_is_no_archive() {
    let place = Place::pair();
    let hint = "hint: a report needs its prompt: `steadfast audit PROMPT REPORT`; a prompt alone is linted";
    let said = "error: `--out-dir` needs a report, and report.md alone is neither a folder nor a zip archive";
    check(&place, "report.md", 2, &format!("{said}\n{hint}"));
    let place = Place::empty().with("run.zip", b"PK\x03\x04 and nothing of the kind");
    let end = place.steadfast("audit run.zip").status(2);
    assert!(end.stderr.starts_with("error: run.zip: "), "{}", end.stderr);
}

#[test]
fn a_folder_in_the_place_of_a_file() {
    let place = Place::pair();
    fs::create_dir(place.path("folder")).unwrap();
    let hint = "hint: the folder of a planner's run stands alone: `steadfast audit RUN`";
    let said = "error: folder: holds no file that can be read\nhint: reports are Markdown, HTML, plain text or .docx";
    check(&place, "prompt.txt folder", 2, said);
    check(&place, "folder report.md", 2, &format!("error: folder: is a folder, not a prompt\n{hint}"));
}

#[test]
fn control_characters_in_names_are_shown() {
    let place = Place::pair();
    check(&place, "prompt.txt \u{1b}[31mred.md", 2, "error: \\u{1b}[31mred.md: no such file or folder");
}

#[test]
fn a_judge_that_is_not_there() {
    let place = Place::pair();
    let why = "error: no chat model is configured, and `--judge both` needs one\nhint: `--judge rules` needs none";
    check(&place, "prompt.txt report.md --judge both", 2, why);
    let why = "error: `--require-chat` is given, and no model is asked\nhint: `--judge both` asks one";
    check(&place, "prompt.txt report.md --require-chat", 2, why);
}

#[test]
fn a_planner_that_is_not_there() {
    let place = Place::pair();
    for (option, without) in [
        ("--extract model", "--extract rules"),
        ("--generate model", "--generate built-in"),
        ("--advise", "steadfast plan"),
    ] {
        let end = place.steadfast(&format!("plan prompt.txt --at 2026-01-26T08:00:00Z {option}"));
        let said =
            format!("error: no chat model is configured, and `{option}` needs one\nhint: `{without}` needs none\n");
        assert_eq!((end.status, end.stdout.as_str(), end.stderr.as_str()), (2, "", said.as_str()));
    }
}

#[test]
fn arguments_that_cannot_be() {
    let place = Place::pair();
    let known = "hint: audit fails on `broken`, `missing`, `unassessed`, `disqualified`, `risk=low|medium|high|critical` or `new`";
    for condition in ["alert", "clarify", "risk=awful", "risk", "High", "risk="] {
        let said = format!("error: an audit cannot fail on `{condition}`\n{known}");
        check(&place, &format!("prompt.txt report.md --fail-on {condition}"), 2, &said);
    }
    for (score, read) in [("-1", "-1"), ("5.01", "5.01"), ("nan", "NaN"), ("inf", "inf")] {
        let said = format!("error: an audit cannot fail below a score of {read}\nhint: a score lies between 0 and 5");
        check(&place, &format!("prompt.txt report.md --fail-below {score}"), 2, &said);
    }
    check(
        &place,
        "- -",
        2,
        "error: prompt and report cannot both be read from stdin\nhint: give one of them as a file: `steadfast audit \
         prompt.txt -`",
    );
    for arguments in ["", "audit", "audit a b c", "audit a b --format pdf", "audit a b --min-severity 5", "frobnicate"]
    {
        let end = place.steadfast(arguments).status(2);
        assert_eq!(end.stdout, "");
    }
}

#[test]
fn output_that_cannot_be() {
    let place = Place::pair();
    let end = place.steadfast("audit prompt.txt report.md --json -o gone/out.json").status(2);
    assert_eq!(end.stderr.trim_end(), "error: gone/out.json: the folder it is to stand in does not exist");
    let end = place.steadfast("audit prompt.txt report.md --json -o .").status(2);
    assert!(end.stderr.starts_with("error: .: is a folder"), "{}", end.stderr);
    let end = place.steadfast("audit prompt.txt report.md --json -o report.md").status(2);
    assert!(end.stderr.starts_with("error: report.md: is read, so it is not written over"), "{}", end.stderr);
    let end = place.steadfast("audit prompt.txt report.md --out-dir report.md").status(2);
    assert!(end.stderr.starts_with("error: report.md: stands in the way, and is no folder"), "{}", end.stderr);
    assert_eq!(place.read("report.md"), REPORT);
    assert_eq!(place.files(), ["prompt.txt", "report.md"]);
}
