//! Counts of tests, read from what test runners print.
//!
//! A runner is known by the wording of its summary, wherever that stands among other output. Where a program prints the summary of
//! another one (tox that of pytest, gotestsum lines of `go test`, Cypress that of Mocha) only the outer or the more exact one counts.

mod jvm;
mod line;
mod native;
mod scripting;
mod web;

use line::Line;

use crate::model::strip_ansi;

/// The longest line that is read, in bytes.
pub const LINE_BYTES_MAX: usize = 2_000;

/// The highest count of tests that is read. What is more is no count, and sums of counts up to it do not overflow.
pub const COUNT_MAX: u64 = 1_000_000_000;

/// A test runner, or a family of runners that print the same summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Runner {
    /// `cargo nextest`.
    Nextest,
    /// `cargo test`.
    Cargo,
    /// pytest; also under tox and nox.
    Pytest,
    /// `unittest` of Python, nose, Django, trial.
    Unittest,
    /// Cypress.
    Cypress,
    /// Playwright.
    Playwright,
    /// Jest.
    Jest,
    /// Vitest.
    Vitest,
    /// Mocha.
    Mocha,
    /// `node --test`, by its summary.
    Node,
    /// `deno test`.
    Deno,
    /// `bun test`.
    Bun,
    /// AVA.
    Ava,
    /// Jasmine, Karma.
    Jasmine,
    /// gotestsum.
    Gotestsum,
    /// `go test -v` or `go test`.
    Go,
    /// Maven Surefire and Failsafe.
    Maven,
    /// The console of JUnit, and the XML that many runners write in its form.
    Junit,
    /// Gradle.
    Gradle,
    /// sbt, ScalaTest.
    Sbt,
    /// RSpec, Hspec.
    Rspec,
    /// Minitest, test-unit.
    Minitest,
    /// PHPUnit, Pest.
    Phpunit,
    /// `dotnet test`.
    Dotnet,
    /// CTest.
    Ctest,
    /// GoogleTest.
    Googletest,
    /// Catch2, doctest.
    Catch,
    /// XCTest.
    Xctest,
    /// Swift Testing.
    SwiftTesting,
    /// ExUnit, Bats.
    Exunit,
    /// `dart test`, `flutter test`.
    Dart,
    /// `prove`.
    Prove,
    /// Lines of the Test Anything Protocol.
    Tap,
    /// testthat.
    Testthat,
    /// A summary that only counts, of no known runner.
    Plain,
}

/// Which runner's figures count where two are read: the first of a pair stands for the second.
const COVERS: &[(Runner, Runner)] = &[
    (Runner::Cypress, Runner::Mocha),
    (Runner::Gotestsum, Runner::Go),
    (Runner::Prove, Runner::Tap),
    (Runner::Node, Runner::Tap),
    (Runner::Exunit, Runner::Tap),
    (Runner::Ctest, Runner::Googletest),
    (Runner::Ctest, Runner::Catch),
    (Runner::Maven, Runner::Junit),
    (Runner::Gradle, Runner::Junit),
    (Runner::Nextest, Runner::Cargo),
];

/// What a log says of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestLog {
    /// Who says it; the first where there are several.
    pub runner: Runner,
    /// Tests that pass.
    pub passed: u64,
    /// Tests that fail, errors among them.
    pub failed: u64,
    /// Tests that are left out.
    pub skipped: u64,
    /// Whether the runner names numbers. Without them only whether something failed is known.
    pub counted: bool,
    /// How many of these summaries there are.
    pub summaries: usize,
}

impl TestLog {
    /// All tests that ran.
    #[must_use]
    pub const fn ran(&self) -> u64 {
        self.passed + self.failed
    }
}

/// What one runner says while its output is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
    summaries: usize,
    /// Whether it names no numbers.
    bare: bool,
}

impl Tally {
    fn add(&mut self, passed: u64, failed: u64, skipped: u64) {
        self.passed = self.passed.saturating_add(passed);
        self.failed = self.failed.saturating_add(failed);
        self.skipped = self.skipped.saturating_add(skipped);
        self.summaries += 1;
    }
}

/// All tallies of a log. Runners are few, so a list is as good as a map.
#[derive(Debug, Default)]
struct Tallies(Vec<(Runner, Tally)>);

impl Tallies {
    fn of(&mut self, runner: Runner) -> &mut Tally {
        let at = match self.0.iter().position(|(own, _)| *own == runner) {
            Some(at) => at,
            None => {
                self.0.push((runner, Tally::default()));
                self.0.len() - 1
            }
        };
        &mut self.0[at].1
    }

    fn has(&self, runner: Runner) -> bool {
        self.0.iter().any(|(own, _)| *own == runner)
    }
}

/// What a log says of tests; `None` where no summary of a runner is in it.
#[must_use]
pub fn test_log(text: &str) -> Option<TestLog> {
    let text = strip_ansi(text);
    let mut tallies = Tallies::default();
    let mut readers =
        (native::Reader::default(), scripting::Reader::default(), web::Reader::default(), jvm::Reader::default());
    for raw in text.lines().filter(|line| line.len() <= LINE_BYTES_MAX) {
        let line = Line::of(raw);
        // The first that knows a line has it.
        let _ = readers.0.line(&line, &mut tallies)
            || readers.1.line(&line, &mut tallies)
            || readers.2.line(&line, &mut tallies)
            || readers.3.line(&line, &mut tallies);
    }
    if let Some((passed, failed, skipped)) = jvm::xml(&text) {
        tallies.of(Runner::Junit).add(passed, failed, skipped);
    }
    readers.0.finish(&mut tallies);
    readers.1.finish(&mut tallies);
    readers.2.finish(&mut tallies);
    readers.3.finish(&mut tallies);
    let counts = |runner: Runner| {
        !COVERS.iter().any(|(outer, inner)| *inner == runner && tallies.has(*outer))
            && (runner != Runner::Plain || tallies.0.len() == 1)
    };
    let kept: Vec<&(Runner, Tally)> = tallies.0.iter().filter(|(runner, _)| counts(*runner)).collect();
    let (runner, _) = kept.first()?;
    let mut out = TestLog { runner: *runner, passed: 0, failed: 0, skipped: 0, counted: false, summaries: 0 };
    for (_, tally) in &kept {
        out.passed = out.passed.saturating_add(tally.passed);
        out.failed = out.failed.saturating_add(tally.failed);
        out.skipped = out.skipped.saturating_add(tally.skipped);
        out.counted |= !tally.bare;
        out.summaries += tally.summaries;
    }
    Some(out)
}

#[cfg(test)]
mod tests;
