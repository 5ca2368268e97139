//! "All 5 tests pass" against the log that the output itself holds.
//!
//! Logs are read in code blocks, by the summary lines of test runners. The last block
//! with a summary counts, since earlier ones may show the state before. "All tests pass" is false where it has
//! failures, "all N tests" where another number passed, "N tests pass" where fewer did.

use steadfast_evidence::Origin;
use steadfast_session::test_log::test_log;
use steadfast_text::{BlockKind, Document, Span};

use super::{Contradiction, ContradictionKind, Sentence};
use crate::words::{fraction, hedged, number, words};

/// The id of this check.
pub const ID: &str = "test-log";

/// What a log says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Log {
    passed: Option<u64>,
    failed: u64,
    span: Option<Span>,
}

fn log(text: &str) -> Option<Log> {
    let read = test_log(text)?;
    Some(Log { passed: read.counted.then_some(read.passed), failed: read.failed, span: None })
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
    use super::claim;

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
