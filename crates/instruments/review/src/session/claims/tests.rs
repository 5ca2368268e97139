//! "All 12 tests pass" against the last runs of the tests.
//!
//! A run counts until the same command runs again; where tests ran behind the last edit of code, only those runs count. A figure that an
//! earlier run gave and the last one does not is contradicted, and so is "all pass" over a last run with failures.

use std::collections::BTreeSet;

use steadfast_session::purpose::{Purpose, Status};
use steadfast_session::test_log::{Runner, TestLog, test_log};
use steadfast_text::Span;

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::Deed;
use super::super::units::{Unit, code_spans, units};
use super::said::{FAIL, NOUNS, Said, said};
use crate::words::words;

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
    /// The last run of each command; where tests ran behind the last edit, of those alone.
    current: Vec<usize>,
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
                if deed.edits_code() {
                    out.fresh = out.all.len();
                }
                continue;
            }
            if deed.edits_code() {
                out.fresh = out.all.len();
            }
            let key = deed.key(&[Purpose::Test]);
            let key = if key.is_empty() { deed.files.join(" ") } else { key };
            let own = runs.last().map_or(Status::Other, |(_, status)| *status);
            let failed = match (&log, deed.came_through(own)) {
                (Some(log), _) if log.failed > 0 => Some(true),
                (_, Some(ok)) => Some(!ok),
                (Some(_), None) if deed.ok != Some(false) => Some(false),
                _ => None,
            };
            out.all.push(Run { deed: at, key, log, failed });
        }
        let from = if out.fresh < out.all.len() { out.fresh } else { 0 };
        let mut seen = BTreeSet::new();
        out.current = (from..out.all.len()).rev().filter(|at| seen.insert(out.all[*at].key.as_str())).collect();
        out.current.reverse();
        out
    }

    fn current(&self) -> Vec<&Run> {
        self.current.iter().map(|at| &self.all[*at]).collect()
    }
}

/// What a report says of tests, unit by unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Told {
    said: Vec<Option<Said>>,
    /// Whether a unit that is marked as not done speaks of failing tests.
    open: bool,
    /// Whether it speaks of what is left out.
    skips: bool,
    /// Whether it says that nothing was.
    none_skipped: bool,
}

impl Told {
    pub(super) fn of(units: &[Unit<'_>]) -> Self {
        Self {
            said: units.iter().map(of_unit).collect(),
            open: units.iter().any(|unit| unit.open && said_open(unit.text)),
            skips: units.iter().any(|unit| skips(unit.text).contains(&false)),
            none_skipped: units.iter().any(|unit| skips(unit.text).contains(&true)),
        }
    }

    pub(super) fn of_unit(&self, at: usize) -> Option<Said> {
        self.said.get(at).copied().flatten()
    }

    /// Whether the report says itself that so many tests fail.
    fn admits(&self, failed: u64) -> bool {
        let fits = |own: &Said| own.all_pass == Some(false) && own.failed.is_none_or(|it| failed == 0 || it == failed);
        self.open || self.said.iter().flatten().any(fits)
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
                " fail",
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

/// What a sentence says of tests, or a row of a table by its columns.
fn of_unit(unit: &Unit<'_>) -> Option<Said> {
    if unit.row && !unit.columns.is_empty() {
        // A mark in a row that names no tests is one of something else.
        let names_tests = |text: &str| {
            words(&text.replace(['`', '*', '|'], " "))
                .iter()
                .any(|word| NOUNS.contains(&word.as_str()) || matches!(word.as_str(), "passed" | "failed" | "passing"))
        };
        let is_of_tests = [unit.text, unit.columns, unit.heading].into_iter().any(names_tests);
        return super::said::said_in_row(unit.text, unit.columns)
            .or_else(|| is_of_tests.then(|| said(unit.text)).flatten());
    }
    said(unit.text)
}

pub(super) fn check(unit: &Unit<'_>, said: Option<Said>, told: &Told, runs: &Runs, deeds: &[Deed]) -> Option<Claim> {
    let said = said?;
    let of = |state, why: String| Claim::of(unit.span, ClaimKind::Tests, state, why);
    let Some(last) = runs.all.last() else {
        // Admissions need no run.
        if said.all_pass == Some(false) {
            return None;
        }
        return Some(of(ClaimState::Unsupported, "no run of tests is on record".to_owned()));
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
        let counts_skipped =
            |log: &TestLog| said.skipped.is_none() && log.skipped > 0 && said.passed == Some(log.passed + log.skipped);
        // "All 23 tests pass" is more than a run with some left out says, where the report does not speak of them, or says that there are none.
        let left_out = |log: &TestLog| {
            let all = said.all_pass == Some(true) && said.total == said.passed && !told.skips;
            counts_skipped(log) && (all || told.none_skipped)
        };
        if let Some(run) = scope
            .iter()
            .chain(&current)
            .rev()
            .find(|run| run.log.as_ref().is_some_and(|log| log.counted && matches(&said, log) && left_out(log)))
            && !scope
                .iter()
                .any(|run| run.log.as_ref().is_some_and(|log| log.counted && matches(&said, log) && !left_out(log)))
        {
            let skipped = run.log.map_or(0, |log| log.skipped);
            return Some(shown(run, of(ClaimState::Contradicted, format!("the last run left {skipped} of them out"))));
        }
        if let Some(run) = scope
            .iter()
            .chain(&current)
            .rev()
            .find(|run| run.log.as_ref().is_some_and(|log| log.counted && matches(&said, log)))
        {
            return Some(shown(
                run,
                match run.log.filter(counts_skipped) {
                    Some(log) => {
                        let why = format!("the last run has {} passed and left {} out", log.passed, log.skipped);
                        of(ClaimState::NotCheckable, why)
                    }
                    None => of(ClaimState::Supported, "the last run says so".to_owned()),
                },
            ));
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
            let failures = said.all_pass == Some(true) && log.failed > 0 && !told.admits(log.failed);
            // The same command ran again, and says otherwise.
            let again = before.and_then(|old| {
                scope
                    .iter()
                    .chain(&current)
                    .rev()
                    .find(|run| run.key.split(" && ").any(|it| it == old.key) && **run != old)
            });
            if let Some((run, log)) = again.and_then(|run| Some((run, run.log.filter(|it| it.counted)?)))
                && (said.all_pass != Some(false) || failures)
                && !said_before(unit.text)
                && !wanted.iter().all(|it| has_number(&deeds[run.deed].output, *it))
            {
                let now = format!("{} passed, {} failed, {} skipped", log.passed, log.failed, log.skipped);
                return Some(shown(
                    run,
                    of(ClaimState::Contradicted, format!("an earlier run says so, and the last one says {now}")),
                ));
            }
            // Several suites in one sentence, and rows of a table, are parts of one run.
            let parts = unit.row || suites(unit.text) > 1;
            let skips = skips && !parts;
            // Subtests of Go count as tests of their own, and people count them or not.
            let all_counted = log.runner != Runner::Go
                && said.all_pass == Some(true)
                && said.total.is_some()
                && !elsewhere
                && scope.len() == 1
                && !parts;
            // Counts that no run has, all said to pass, over a last run that failed.
            let over = said.all_pass == Some(true)
                && scope.last().is_some_and(|run| run.failed == Some(true))
                && !told.admits(log.failed)
                && before.is_none();
            if skips || failures || all_counted || over {
                return Some(shown(newest, of(ClaimState::Contradicted, format!("the last run says {now}"))));
            }
            if !elsewhere && !parts && scope.len() == 1 && said.passed.is_some_and(|it| it > log.ran() + log.skipped) {
                return Some(shown(newest, of(ClaimState::Contradicted, format!("the last run says {now}"))));
            }
        }
        // Of an output that is cut the last figures are there still: where they name failures and the run failed, not all pass.
        if let (false, Some(newest), Some(log)) = (counted, newest, newest.and_then(|run| run.log))
            && said.all_pass == Some(true)
            && log.failed > 0
            && newest.failed == Some(true)
            && !told.admits(log.failed)
        {
            let why = format!("the last run says {} failed", log.failed);
            return Some(shown(newest, of(ClaimState::Contradicted, why)));
        }
        return Some(of(ClaimState::NotCheckable, "no run of tests gives these figures".to_owned()));
    }
    if said.all_pass != Some(true) {
        return None;
    }
    // "All tests pass", without a number.
    if let Some(run) = scope.last().filter(|run| run.failed == Some(true)) {
        let failed = run.log.map_or(0, |log| log.failed);
        if told.admits(failed) {
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
    Some(of(ClaimState::NotCheckable, "how the tests ended is not on record".to_owned()))
}

/// What a sentence of a report says of tests, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::session) struct TestClaim {
    pub(in crate::session) span: Span,
    said: Said,
}

/// What a report says of tests, sentence by sentence.
pub(in crate::session) fn told(report: &str) -> Vec<TestClaim> {
    let units = units(report);
    let own = units.iter().filter(|unit| !unit.open);
    own.filter_map(|unit| Some(TestClaim { span: unit.span, said: of_unit(unit)? })).collect()
}

impl TestClaim {
    /// Whether a log has each of its counts, and nothing that it leaves unsaid.
    pub(in crate::session) fn is_said_by(&self, log: &TestLog) -> bool {
        let said = &self.said;
        let same = |said: Option<u64>, own: u64| said.is_none_or(|it| it == own);
        let counts = said.passed.or(said.failed).or(said.total).is_some();
        let whole = said.all_pass != Some(true) || (log.failed == 0 && (log.skipped == 0 || said.skipped.is_some()));
        counts
            && whole
            && same(said.passed, log.passed)
            && same(said.failed, log.failed)
            && same(said.skipped, log.skipped)
            && same(said.total, log.ran())
    }

    /// Whether it says that all pass, over a log with failures.
    pub(in crate::session) fn is_denied_by(&self, log: &TestLog) -> bool {
        self.said.all_pass == Some(true) && log.failed > 0
    }
}

/// Whether words are a count of tests.
pub(in crate::session) fn is_count(text: &str) -> bool {
    let counts = |it: Said| it.passed.or(it.failed).or(it.total).or(it.skipped).is_some();
    said(text).is_some_and(counts) || test_log(text).is_some_and(|log| log.counted)
}

/// Of each word of a text for what is left out whether it is denied: "no test was skipped", "0 skipped".
fn skips(text: &str) -> Vec<bool> {
    const LEFT_OUT: [&str; 8] =
        ["skip", "ignored", "pending", "disabled", "left out", "not run", "did not run", "xfail"];
    let low = text.to_lowercase();
    let is_denied = |at: usize| {
        let before = words(&low[..at]);
        let near = before.iter().rev().take(3);
        let counts = |word: &&String| word.bytes().all(|it| it.is_ascii_digit()) && word.as_str() != "0";
        near.take_while(|word| !counts(word))
            .any(|word| matches!(word.as_str(), "no" | "none" | "nothing" | "0" | "zero"))
    };
    LEFT_OUT.iter().filter_map(|it| low.find(it)).map(is_denied).collect()
}

/// Whether words say of a count that it is one of before.
fn said_before(text: &str) -> bool {
    let all = words(text);
    all.iter().any(|word| {
        matches!(
            word.as_str(),
            "before"
                | "first"
                | "was"
                | "were"
                | "initially"
                | "earlier"
                | "previously"
                | "started"
                | "baseline"
                | "old"
        )
    })
}

/// How many counts of tests a sentence has.
fn suites(text: &str) -> usize {
    let all = words(&text.replace(['`', '*', '(', ')'], " "));
    (0..all.len())
        .filter(|at| {
            crate::words::number(&all[*at]).is_some()
                && all[at + 1..].iter().take(3).any(|next| NOUNS.contains(&next.as_str()))
        })
        .count()
}

fn said_open(text: &str) -> bool {
    let all = words(text);
    all.iter().any(|word| FAIL.contains(&word.as_str())) && all.iter().any(|word| NOUNS.contains(&word.as_str()))
}
