//! "All 5 tests pass" against the log that the output itself holds.
//!
//! Logs are read in code blocks: the summary lines of cargo, pytest, unittest, Jest, Mocha, Maven, Go and TAP. The last block
//! with a summary counts, since earlier ones may show the state before. "All tests pass" is false where it has
//! failures, "all N tests" where another number passed, "N tests pass" where fewer did.

use steadfast_evidence::Origin;
use steadfast_text::{BlockKind, Document, Span};

use super::{Contradiction, ContradictionKind, Sentence};
use crate::words::{fraction, hedged, number, words};

/// The id of this check.
pub const ID: &str = "test-log";

/// The longest line of a log that is read, in bytes.
const LINE_BYTES_MAX: usize = 400;

/// What a log says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Log {
    passed: Option<u64>,
    failed: u64,
    span: Option<Span>,
}

/// The number that stands right before a word of a line ("4 passed").
fn before(tokens: &[&str], names: &[&str]) -> Option<u64> {
    tokens.windows(2).filter(|pair| names.contains(&pair[1])).find_map(|pair| number(pair[0]))
}

/// The number that stands right after a word ("Failures: 1", "failures=1").
fn after(tokens: &[&str], names: &[&str]) -> Option<u64> {
    tokens.windows(2).filter(|pair| names.contains(&pair[0])).find_map(|pair| number(pair[1]))
}

fn log(text: &str) -> Option<Log> {
    let (mut passed, mut failed, mut seen) = (0_u64, 0_u64, false);
    // Go and TAP name each test; their lines are counted where no summary stands.
    let (mut lines_passed, mut lines_failed) = (0_u64, 0_u64);
    let mut ran: Option<u64> = None;
    let mut known = true;
    for line in text.lines().filter(|line| line.len() <= LINE_BYTES_MAX) {
        let low = line.to_ascii_lowercase();
        let trimmed = low.trim();
        if trimmed.starts_with("--- pass:") || trimmed.starts_with("ok ") && trimmed.contains(" - ") {
            lines_passed += 1;
            continue;
        }
        if trimmed.starts_with("--- fail:") || trimmed.starts_with("not ok ") {
            lines_failed += 1;
            continue;
        }
        if trimmed.starts_with("test suites:") || trimmed.starts_with("test files") {
            continue;
        }
        let tokens: Vec<&str> = low
            .split(|c: char| !c.is_alphanumeric() && c != '.')
            .map(|it| it.trim_matches('.'))
            .filter(|it| !it.is_empty())
            .collect();
        if let Some(count) = after(&tokens, &["run"]).filter(|_| trimmed.starts_with("tests run")) {
            let bad = after(&tokens, &["failures"]).unwrap_or(0) + after(&tokens, &["errors"]).unwrap_or(0);
            let skipped = after(&tokens, &["skipped"]).unwrap_or(0);
            // Maven says it for each class and once for all: the last holds.
            (passed, failed, seen) = (count.saturating_sub(bad + skipped), bad, true);
            continue;
        }
        if tokens.first() == Some(&"ran") && tokens.get(2).is_some_and(|it| it.starts_with("test")) {
            ran = tokens.get(1).and_then(|it| number(it));
            continue;
        }
        if let Some(count) = ran
            && (trimmed == "ok" || trimmed.starts_with("ok (") || trimmed.starts_with("failed ("))
        {
            let bad = after(&tokens, &["failures"]).unwrap_or(0) + after(&tokens, &["errors"]).unwrap_or(0);
            let skipped = after(&tokens, &["skipped"]).unwrap_or(0);
            (passed, failed, seen) = (passed + count.saturating_sub(bad + skipped), failed + bad, true);
            ran = None;
            continue;
        }
        let good = before(&tokens, &["passed", "passing"])
            .or_else(|| after(&tokens, &["pass"]).filter(|_| trimmed.starts_with("# pass")));
        let bad = before(&tokens, &["failed", "failing"])
            .or_else(|| after(&tokens, &["fail"]).filter(|_| trimmed.starts_with("# fail")));
        let errors = before(&tokens, &["errors", "error"]).filter(|_| good.is_some() || bad.is_some());
        if good.is_some() || bad.is_some() {
            known &= good.is_some() || seen || bad.is_some();
            passed += good.unwrap_or(0);
            failed += bad.unwrap_or(0) + errors.unwrap_or(0);
            seen = true;
        }
    }
    if seen {
        return Some(Log { passed: known.then_some(passed), failed, span: None });
    }
    (lines_passed + lines_failed > 0).then_some(Log { passed: Some(lines_passed), failed: lines_failed, span: None })
}

/// What a sentence claims of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Claim {
    /// How many pass, where a number is stated.
    passed: Option<u64>,
    /// Whether it says that these are all.
    all: bool,
}

fn claim(sentence: &str) -> Option<Claim> {
    let words = words(sentence);
    let noun = words.iter().position(|word| matches!(word.as_str(), "tests" | "test" | "specs"))?;
    let passes = words.iter().any(|word| {
        matches!(word.as_str(), "pass" | "passes" | "passed" | "passing" | "green" | "succeed" | "succeeded")
    });
    let fails = words.iter().any(|word| {
        word.starts_with("fail")
            || word == "broken"
            || word == "but"
            || word == "after"
            || word == "new"
            || word == "added"
    });
    if !passes || fails || hedged(&words) {
        return None;
    }
    let from = noun.saturating_sub(5);
    for at in from..noun {
        if let Some((part, whole, _)) = fraction(&words, at) {
            return Some(Claim { passed: Some(part), all: part == whole });
        }
    }
    let all = words.get(from..noun).unwrap_or_default().iter().any(|word| matches!(word.as_str(), "all" | "every"));
    let passed = (noun.saturating_sub(3)..noun).rev().find_map(|at| number(words.get(at)?));
    // "Tests: 5 passed".
    let behind = (noun + 1..words.len()).find_map(|at| {
        let next = words.get(at + 1)?;
        matches!(next.as_str(), "passed" | "passing" | "pass").then(|| number(words.get(at)?)).flatten()
    });
    let passed = passed.or(behind);
    (all || passed.is_some()).then_some(Claim { passed, all })
}

pub(super) fn check(document: &Document, sentences: &[Sentence<'_>]) -> Vec<Contradiction> {
    let logs: Vec<Log> = document
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Code { .. }))
        .filter_map(|block| Some(Log { span: Some(block.span), ..log(&block.text.plain)? }))
        .collect();
    let Some(last) = logs.last() else { return Vec::new() };
    let mut out = Vec::new();
    for sentence in sentences {
        let Some(claim) = claim(sentence.text) else { continue };
        let somewhere = |stated: u64| {
            logs.iter().any(|log| log.passed == Some(stated))
                || logs.iter().filter_map(|log| log.passed).sum::<u64>() == stated
        };
        let (stated, computed, message) = match (claim, last.passed) {
            (Claim { all: true, passed }, known) if last.failed > 0 => {
                let whole = known.unwrap_or(0) + last.failed;
                let stated = passed.unwrap_or(whole);
                (
                    stated,
                    known.unwrap_or(stated.saturating_sub(last.failed)),
                    format!("all tests are said to pass, but {} of {whole} fail in the log", last.failed),
                )
            }
            (Claim { all: true, passed: Some(stated) }, Some(passed)) if stated != passed && !somewhere(stated) => {
                (stated, passed, format!("{stated} tests are said to pass, but the log says {passed}"))
            }
            (Claim { passed: Some(stated), .. }, Some(passed)) if stated > passed && !somewhere(stated) => {
                (stated, passed, format!("{stated} tests are said to pass, but the log says {passed}"))
            }
            _ => continue,
        };
        let mut spans = vec![sentence.span];
        spans.extend(last.span);
        out.push(Contradiction {
            origin: Origin::Code,
            kind: ContradictionKind::TestCount,
            claim: document.quote(sentence.span).to_owned(),
            stated: stated as f64,
            computed: computed as f64,
            unit: "tests".to_owned(),
            spans,
            message,
            refuted_by: Vec::new(),
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{claim, log};

    #[track_caller]
    fn check(text: &str, passed: u64, failed: u64) {
        let got = log(text).map(|log| (log.passed, log.failed));
        assert_eq!(got, Some((Some(passed), failed)), "{text}");
    }

    #[test]
    fn summaries_of_test_runners() {
        check(
            "running 5 tests\ntest a ... ok\ntest result: ok. 5 passed; 0 failed; 0 ignored; finished in 0.01s",
            5,
            0,
        );
        check("test result: ok. 5 passed; 0 failed\ntest result: FAILED. 2 passed; 1 failed", 7, 1);
        check("==== 4 passed, 1 failed in 0.12s ====", 4, 1);
        check("===== 5 passed in 0.12s =====", 5, 0);
        check("Test Suites: 1 failed, 1 total\nTests:       1 failed, 4 passed, 5 total", 4, 1);
        check("  5 passing (20ms)\n  1 failing", 5, 1);
        check("Ran 5 tests in 0.001s\n\nOK", 5, 0);
        check("Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)", 3, 2);
        check("Tests run: 5, Failures: 1, Errors: 0, Skipped: 1", 3, 1);
        check("--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL", 1, 1);
        check("1..2\nok 1 - a\nnot ok 2 - b\n# pass 1\n# fail 1", 1, 1);
        assert_eq!(log("let x = 5;"), None);
    }

    #[test]
    fn claims_about_tests() {
        let read = |text: &str| claim(text).map(|it| (it.passed, it.all));
        assert_eq!(read("All 5 tests pass."), Some((Some(5), true)));
        assert_eq!(read("5/5 tests passing"), Some((Some(5), true)));
        assert_eq!(read("4 of 5 tests pass"), Some((Some(4), false)));
        assert_eq!(read("Tests: 12 passed"), Some((Some(12), false)));
        assert_eq!(read("All unit tests are green"), Some((None, true)));
        assert_eq!(read("Not all tests pass"), None);
        assert_eq!(read("All 5 tests should pass"), None);
        assert_eq!(read("The test data is here"), None);
    }
}
