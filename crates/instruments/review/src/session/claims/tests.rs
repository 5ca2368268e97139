//! "All 12 tests pass" against the last runs of the tests.
//!
//! A run counts until the same command runs again; where tests ran behind the last edit of code, only those runs count. A figure that an
//! earlier run gave and the last one does not is contradicted, and so is "all pass" over a last run with failures.

use steadfast_session::purpose::{Purpose, Status};
use steadfast_session::test_log::{TestLog, test_log};

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::{Deed, is_document};
use super::super::units::{Unit, code_spans};
use crate::words::{fraction, number, words};

/// What a sentence says of tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Whether all pass; `Some(false)` where some are said to fail.
    pub all_pass: Option<bool>,
    /// How many pass.
    pub passed: Option<u64>,
    /// How many fail.
    pub failed: Option<u64>,
    /// How many are left out.
    pub skipped: Option<u64>,
    /// How many there are.
    pub total: Option<u64>,
}

const NOUNS: &[&str] = &[
    "test",
    "tests",
    "suite",
    "suites",
    "spec",
    "specs",
    "pytest",
    "jest",
    "vitest",
    "mocha",
    "rspec",
    "unittest",
    "phpunit",
    "ctest",
    "examples",
    "assertions",
    "testing",
];
const PASS: &[&str] = &["pass", "passes", "passed", "passing", "green", "succeed", "succeeds", "succeeded", "ok"];
const FAIL: &[&str] = &["fail", "fails", "failed", "failing", "failure", "failures", "red", "broken"];

/// Words behind which nothing is claimed: conditions, wishes, plans, the past.
const UNSAID: &[&str] = &[
    "if",
    "whether",
    "should",
    "would",
    "will",
    "once",
    "until",
    "unless",
    "expect",
    "expected",
    "want",
    "ensure",
    "ensures",
    "must",
    "need",
    "needs",
    "could",
    "might",
    "may",
    "before",
    "previously",
    "earlier",
    "yesterday",
    "originally",
    "used",
    "to-be",
    "please",
    "can",
    "cannot",
    "would've",
    "supposed",
    "hopefully",
    "assuming",
    "when",
];

/// Whether a sentence tells somebody to do something.
fn is_order(words: &[String]) -> bool {
    matches!(
        words.first().map(String::as_str),
        Some(
            "run"
                | "rerun"
                | "re-run"
                | "check"
                | "verify"
                | "ensure"
                | "make"
                | "see"
                | "confirm"
                | "please"
                | "let"
                | "try"
                | "watch"
                | "do"
                | "next"
                | "goal"
                | "target"
                | "todo"
                | "plan"
        )
    )
}

/// Whether words leave open whether what they say is so.
pub(super) fn is_unsaid(words: &[String]) -> bool {
    is_order(words) || words.iter().any(|word| UNSAID.contains(&word.as_str()))
}

/// What a sentence claims of tests; `None` where it claims nothing.
#[must_use]
pub fn said(sentence: &str) -> Option<Said> {
    // What stands behind the result says nothing of whether it is one.
    let plain: String =
        sentence.chars().map(|c| if matches!(c, '`' | '*' | '_' | '|' | '(' | ')' | '"') { ' ' } else { c }).collect();
    let marked = plain.contains('✅') || plain.contains('✓') || plain.contains('✔');
    let all = words(&plain);
    let is = |names: &[&str]| all.iter().any(|word| names.contains(&word.as_str()));
    let noun = is(NOUNS);
    let result = all
        .iter()
        .position(|word| PASS.contains(&word.as_str()) || FAIL.contains(&word.as_str()))
        .map_or(all.len(), |at| at + 1);
    if is_unsaid(&all[..result]) {
        return None;
    }
    let mut out = Said::default();
    let at = |place: usize| all.get(place).map_or("", String::as_str);
    for place in 0..all.len() {
        if let Some((part, whole, _)) = fraction(&all, place)
            && part <= whole
            && whole > 0
            && out.total.is_none()
        {
            (out.passed, out.total) = (Some(part), Some(whole));
        }
        let Some(count) = number(at(place)).or_else(|| matches!(at(place), "no" | "zero" | "none").then_some(0)) else {
            continue;
        };
        // "12 passed", "12 tests pass", "12 of them pass", "all 12 new tests are passing".
        for next in 1..=5 {
            let word = at(place + next);
            if word.is_empty() || matches!(word, "," | ";" | ":" | "." | "but") || number(word).is_some() {
                break;
            }
            if PASS.contains(&word) {
                // "A 404 is passed on" is no test.
                let handed =
                    matches!(at(place + next + 1), "on" | "along" | "to" | "over" | "as" | "into" | "through" | "down");
                if out.passed.is_none() && count > 0 && (noun || !handed) {
                    out.passed = Some(count);
                }
                break;
            }
            // "5 failed logins" are no tests.
            let of_tests = noun || matches!(at(place + next + 1), "" | "," | "." | ";" | ":" | "and" | "in" | "out");
            if (FAIL.contains(&word) && of_tests) || (word == "errors" && noun) {
                out.failed = out.failed.or(Some(count));
                break;
            }
            if matches!(word, "skipped" | "skips" | "skip" | "ignored" | "pending") {
                out.skipped = out.skipped.or(Some(count));
                break;
            }
        }
        // "12 tests, 0 failures".
        if count > 0
            && NOUNS.contains(&at(place + 1))
            && matches!(at(place + 2), "," | "" | "." | ";")
            && out.total.is_none()
        {
            out.total = Some(count);
        }
    }
    // "tests: 12 passed", "passed: 12, failed: 0".
    for place in 0..all.len() {
        if at(place + 1) == ":"
            && let Some(count) = number(at(place + 2))
        {
            match at(place) {
                "passed" | "passing" | "pass" if !FAIL.contains(&at(place + 3)) => out.passed = Some(count),
                "failed" | "failures" | "failing" | "fail" => out.failed = Some(count),
                "skipped" => out.skipped = Some(count),
                "total" => out.total = Some(count),
                _ => {}
            }
        }
    }
    if (is(&["nothing", "none"]) && is(&["skipped", "ignored"])) || plain.to_lowercase().contains("without skips") {
        out.skipped = Some(0);
    }
    // "None of the 16 tests failed", "1 failure out of 88".
    for place in 0..all.len() {
        if at(place) == "none"
            && at(place + 1) == "of"
            && is(FAIL)
            && let Some(count) = (place + 2..place + 5).find_map(|it| number(at(it)))
        {
            (out.passed, out.failed, out.total) = (Some(count), Some(0), Some(count));
        }
        if matches!(at(place), "failure" | "failures")
            && at(place + 1) == "out"
            && let Some(whole) = number(at(place + 3))
        {
            (out.passed, out.total) = (whole.checked_sub(out.failed.unwrap_or(0)), Some(whole));
        }
    }
    let every = is(&["all", "every", "everything", "full", "whole", "entire", "suite", "suites"]);
    let passes = is(PASS);
    let denied = is(&["not", "never", "don't", "doesn't", "isn't", "aren't", "didn't", "neither"]);
    let fails = (is(FAIL) || out.failed.is_some()) && out.failed != Some(0);
    let subject = noun
        || (is(&["everything", "all"]) && passes)
        || ((out.passed.is_some() || out.failed.is_some()) && (passes || is(FAIL) || marked))
        || (out.total.is_some() && marked);
    if !subject {
        return None;
    }
    // A number of tests alone is a count, no result.
    if !passes && !is(FAIL) && !marked && out.skipped.is_none() && out.failed.is_none() {
        return None;
    }
    if marked && !passes && out.total == out.passed && out.total.is_some() {
        out.all_pass = Some(true);
    }
    if let (Some(part), Some(whole)) = (out.passed, out.total) {
        if part < whole {
            out.all_pass = Some(false);
            out.failed = out.failed.or(Some(whole - part).filter(|_| out.skipped.is_none()));
        } else {
            out.all_pass = Some(true);
        }
    }
    if out.failed.is_some_and(|it| it > 0) || (denied && passes) || (fails && !passes) {
        out.all_pass = Some(false);
    } else if out.failed == Some(0) || (passes && every && !fails) {
        out.all_pass = Some(true);
    }
    if out.all_pass == Some(true) && every && out.total.is_none() {
        out.total = out.passed;
    }
    // "The tests pass": the plain plural with its article is all of them.
    let article = all.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "the" | "existing") && matches!(pair[1].as_str(), "tests" | "suite" | "specs")
    });
    if out.all_pass.is_none()
        && passes
        && noun
        && !fails
        && !denied
        && out.passed.is_none()
        && (article || matches!(all.first().map(String::as_str), Some("tests" | "test")))
    {
        out.all_pass = Some(true);
    }
    if out.all_pass == Some(true) && (out.passed.is_some() || out.total.is_some()) {
        (out.passed, out.failed) = (out.passed.or(out.total), out.failed.or(Some(0)));
    }
    (out != Said::default()).then_some(out)
}

/// One run of tests.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    deed: usize,
    /// What is run: programs and arguments that are no options.
    key: String,
    log: Option<TestLog>,
    /// Whether something failed, as far as is known.
    failed: Option<bool>,
}

/// All runs of tests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    all: Vec<Run>,
    /// The first of them behind the last edit of code.
    fresh: usize,
}

impl Runs {
    /// The runs of a session.
    #[must_use]
    pub fn of(deeds: &[Deed]) -> Self {
        let mut out = Self::default();
        for (at, deed) in deeds.iter().enumerate() {
            let runs: Vec<_> = deed.runs(Purpose::Test).collect();
            let log = if runs.is_empty() && !deed.evidence { None } else { test_log(&deed.output) };
            if (runs.is_empty() && log.is_none()) || (runs.is_empty() && !deed.evidence) {
                // Code that changes makes earlier runs old.
                if deed.edits.iter().any(|edit| !is_document(&edit.path)) {
                    out.fresh = out.all.len();
                }
                continue;
            }
            if deed.edits.iter().any(|edit| !is_document(&edit.path)) {
                out.fresh = out.all.len();
            }
            let key: Vec<String> = runs
                .iter()
                .map(|(command, _)| {
                    command.words.iter().filter(|it| !it.starts_with('-')).cloned().collect::<Vec<_>>().join(" ")
                })
                .collect();
            let key = if key.is_empty() { deed.files.join(" ") } else { key.join(" && ") };
            let own = runs.last().map_or(Status::Other, |(_, status)| *status);
            let failed = match (&log, deed.came_through(own)) {
                (Some(log), _) if log.failed > 0 => Some(true),
                (_, Some(ok)) => Some(!ok),
                (Some(_), None) if deed.ok != Some(false) => Some(false),
                _ => None,
            };
            out.all.push(Run { deed: at, key, log, failed });
        }
        out
    }

    /// The last run of each command; where tests ran behind the last edit, of those alone.
    fn current(&self) -> Vec<&Run> {
        let from = if self.fresh < self.all.len() { self.fresh } else { 0 };
        let own = &self.all[from..];
        own.iter()
            .enumerate()
            .filter(|(at, run)| !own[at + 1..].iter().any(|later| later.key == run.key))
            .map(|(_, run)| run)
            .collect()
    }
}

fn matches(said: &Said, log: &TestLog) -> bool {
    let passed =
        said.passed.is_none_or(|it| it == log.passed || (it == log.passed + log.skipped && said.skipped != Some(0)));
    let failed = said.failed.is_none_or(|it| it == log.failed);
    let skipped = said.skipped.is_none_or(|it| it == log.skipped);
    let total = said.total.is_none_or(|it| it == log.ran() || it == log.ran() + log.skipped || it == log.passed);
    passed && failed && skipped && total
}

fn sum<'a>(logs: impl Iterator<Item = &'a TestLog>) -> Option<TestLog> {
    logs.copied().reduce(|a, b| TestLog {
        passed: a.passed + b.passed,
        failed: a.failed + b.failed,
        skipped: a.skipped + b.skipped,
        ..a
    })
}

/// Whether an output has this number as a word.
pub(super) fn has_number(output: &str, wanted: u64) -> bool {
    let text = wanted.to_string();
    output.match_indices(&text).any(|(at, _)| {
        let before = output[..at].chars().next_back();
        let after = output[at + text.len()..].chars().next();
        let outside = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_digit() && c != '.');
        outside(before) && after.is_none_or(|c| !c.is_ascii_digit())
    })
}

/// The line of an output that a reader should see.
fn telling(deed: &Deed) -> String {
    let text = steadfast_session::strip_ansi(&deed.output);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    let summary = lines.iter().rev().find(|line| {
        let low = line.to_ascii_lowercase();
        line.bytes().any(|it| it.is_ascii_digit())
            && [
                "passed",
                "failed",
                "failures",
                "passing",
                "failing",
                "# fail",
                "tests run",
                "test result",
                "tests:",
                "examples",
                "ok (",
            ]
            .iter()
            .any(|it| low.contains(it))
    });
    summary.or(lines.last()).map_or_else(|| deed.shown(), |line| line.chars().take(240).collect())
}

pub(super) fn check(unit: &Unit<'_>, units: &[Unit<'_>], runs: &Runs, deeds: &[Deed]) -> Option<Claim> {
    let said = said(unit.text)?;
    let of = |state, why: String| Claim::of(unit.span, ClaimKind::Tests, state, why);
    let Some(last) = runs.all.last() else {
        // Admissions need no run.
        if said.all_pass == Some(false) {
            return None;
        }
        return Some(of(ClaimState::Unsupported, "no run of tests is in the session".to_owned()));
    };
    let current = runs.current();
    // Words in code that a run names narrow the claim to that run.
    let named: Vec<&str> = code_spans(unit.text).into_iter().filter(|it| it.len() > 2).collect();
    let within: Vec<&&Run> = current
        .iter()
        .filter(|run| named.iter().any(|name| deeds[run.deed].line.as_deref().is_some_and(|line| line.contains(*name))))
        .collect();
    let scope: Vec<&Run> = if within.is_empty() { current.clone() } else { within.into_iter().copied().collect() };
    let shown = |run: &Run, claim: Claim| claim.with(deeds[run.deed].turn, telling(&deeds[run.deed]));
    let logs = || scope.iter().filter_map(|run| run.log.as_ref().filter(|it| it.counted));
    let figures = said.passed.or(said.failed).or(said.total).or(said.skipped).is_some();
    if figures {
        if let Some(run) = scope
            .iter()
            .chain(&current)
            .rev()
            .find(|run| run.log.as_ref().is_some_and(|log| log.counted && matches(&said, log)))
        {
            return Some(shown(run, of(ClaimState::Supported, "the last run says so".to_owned())));
        }
        if let Some(whole) = sum(logs()).filter(|whole| matches(&said, whole)) {
            return Some(shown(
                last,
                of(ClaimState::Supported, format!("the last runs together have {} passed", whole.passed)),
            ));
        }
        let counted = logs().next().is_some() && scope.iter().all(|run| !deeds[run.deed].truncated);
        let wanted =
            [said.passed, said.failed, said.total].into_iter().flatten().filter(|it| *it > 0).collect::<Vec<_>>();
        let elsewhere = !wanted.is_empty()
            && wanted.iter().all(|it| scope.iter().any(|run| has_number(&deeds[run.deed].output, *it)));
        let before =
            runs.all.iter().rev().find(|run| run.log.as_ref().is_some_and(|log| log.counted && matches(&said, log)));
        let newest = scope.iter().rev().find(|run| run.log.as_ref().is_some_and(|it| it.counted));
        if let (true, Some(newest), Some(log)) = (counted, newest, newest.and_then(|run| run.log)) {
            let now = format!("{} passed, {} failed, {} skipped", log.passed, log.failed, log.skipped);
            let whole = sum(logs()).unwrap_or(log);
            let skips = said.skipped == Some(0) && whole.skipped > 0 && said.all_pass != Some(false);
            let failures = said.all_pass == Some(true) && log.failed > 0 && !admitted(units, log.failed);
            if let (Some(old), true) = (before, said.all_pass != Some(false) || failures)
                && old.key == newest.key
            {
                return Some(shown(
                    newest,
                    of(ClaimState::Contradicted, format!("an earlier run says so, and the last one says {now}")),
                ));
            }
            let all_counted = said.all_pass == Some(true) && said.total.is_some() && !elsewhere && scope.len() == 1;
            if skips || failures || all_counted {
                return Some(shown(newest, of(ClaimState::Contradicted, format!("the last run says {now}"))));
            }
            if !elsewhere && scope.len() == 1 && said.passed.is_some_and(|it| it > log.ran() + log.skipped) {
                return Some(shown(newest, of(ClaimState::Contradicted, format!("the last run says {now}"))));
            }
        }
        return Some(of(ClaimState::NotCheckable, "no run of tests gives these figures".to_owned()));
    }
    if said.all_pass != Some(true) {
        return None;
    }
    // "All tests pass", without a number.
    if let Some(run) = scope.last().filter(|run| run.failed == Some(true)) {
        let failed = run.log.map_or(0, |log| log.failed);
        if admitted(units, failed) {
            return Some(shown(run, of(ClaimState::NotCheckable, "the report names failures elsewhere".to_owned())));
        }
        return Some(shown(run, of(ClaimState::Contradicted, "the last run of the tests failed".to_owned())));
    }
    if let Some(run) = scope.last().filter(|run| run.failed == Some(false)) {
        if runs.fresh >= runs.all.len() {
            return Some(shown(
                run,
                of(ClaimState::Unsupported, "code was changed behind the last run of the tests".to_owned()),
            ));
        }
        return Some(shown(run, of(ClaimState::Supported, "the last run of the tests came through".to_owned())));
    }
    Some(of(ClaimState::NotCheckable, "the session does not say how the tests ended".to_owned()))
}

/// Whether the report says itself that tests fail.
fn admitted(units: &[Unit<'_>], failed: u64) -> bool {
    units.iter().any(|unit| {
        unit.open && said_open(unit.text)
            || said(unit.text).is_some_and(|own| {
                own.all_pass == Some(false) && own.failed.is_none_or(|it| failed == 0 || it == failed)
            })
    })
}

fn said_open(text: &str) -> bool {
    let all = words(text);
    all.iter().any(|word| FAIL.contains(&word.as_str())) && all.iter().any(|word| NOUNS.contains(&word.as_str()))
}
