//! Runners of JavaScript and TypeScript, and Dart's.

use super::line::{Line, count};
use super::{Runner, Tallies, Tally};

/// Which summary of several lines is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Mocha,
    Playwright,
    Bun,
    Node,
    Ava,
}

#[derive(Debug, Default)]
pub(super) struct Reader {
    open: Option<Open>,
    /// Counts of the open summary.
    held: (u64, u64, u64),
    dart: Option<(u64, u64, u64)>,
    cypress: (u64, u64, u64),
    is_cypress: bool,
    is_playwright: bool,
    /// Files of tests that could not be loaded, which no line of tests counts.
    unloaded: u64,
    lines_since: usize,
}

/// How many other lines may stand between the lines of one summary.
const GAP_LINES_MAX: usize = 400;

impl Reader {
    fn begin(&mut self, open: Open, out: &mut Tallies) {
        if self.open != Some(open) {
            self.close(out);
            self.open = Some(open);
        }
        self.lines_since = 0;
    }

    fn close(&mut self, out: &mut Tallies) {
        let (passed, failed, skipped) = std::mem::take(&mut self.held);
        let runner = match self.open.take() {
            Some(Open::Mocha) => Runner::Mocha,
            Some(Open::Playwright) => Runner::Playwright,
            Some(Open::Bun) => Runner::Bun,
            Some(Open::Node) => Runner::Node,
            Some(Open::Ava) => Runner::Ava,
            None => return,
        };
        out.of(runner).add(passed, failed, skipped);
    }

    pub(super) fn line(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        self.lines_since += 1;
        // The reporter for workflows: "::error::8 tests passed, 1 failed, 1 skipped.", "🎉 9 tests passed."
        let bare = line.low.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_start_matches("error::");
        if line.low.ends_with('.')
            && bare.split(' ').nth(1).is_some_and(|it| it.starts_with("test"))
            && bare.contains(" passed")
            && bare != line.low
            && line.before(&["tests", "test"]).is_some()
        {
            let passed = line.before(&["tests", "test"]).unwrap_or(0);
            out.of(Runner::Dart).add(passed, line.count(&["failed"]), line.count(&["skipped"]));
            return true;
        }
        if self.open.is_some() && self.lines_since > GAP_LINES_MAX {
            self.close(out);
        }
        self.jest(line, out) || self.cypress(line) || self.counts(line, out) || self.node(line, out) || self.dart(line)
    }

    fn jest(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        let low = line.low.as_str();
        if low.ends_with("test suite failed to run") && line.words().count() == 5 {
            self.unloaded += 1;
            return true;
        }
        // Vitest: "⎯⎯ Failed Suites 1 ⎯⎯".
        if line.text.starts_with('⎯') && low.contains(" failed suites ") {
            self.unloaded += line.after(&["suites"]).unwrap_or(0);
            return true;
        }
        if low.starts_with("test suites:") || low.starts_with("test files ") || low.starts_with("snapshots:") {
            return true;
        }
        let (passed, failed) = (line.before(&["passed"]), line.before(&["failed"]));
        if low.starts_with("tests:") && low.contains("total") && (line.before(&["total"]).is_some()) {
            let skipped = line.count(&["skipped", "pending"]) + line.count(&["todo"]);
            let unloaded = std::mem::take(&mut self.unloaded);
            out.of(Runner::Jest).add(passed.unwrap_or(0), failed.unwrap_or(0) + unloaded, skipped);
            return true;
        }
        if low.starts_with("tests ")
            && low.ends_with(')')
            && (passed.is_some() || failed.is_some() || line.before(&["skipped"]).is_some())
        {
            let skipped = line.count(&["skipped"]) + line.count(&["todo"]);
            let unloaded = std::mem::take(&mut self.unloaded);
            out.of(Runner::Vitest).add(passed.unwrap_or(0), failed.unwrap_or(0) + unloaded, skipped);
            return true;
        }
        // deno: "ok | 12 passed (3 steps) | 0 failed | 1 ignored (50ms)"
        if (low.starts_with("ok | ") || low.starts_with("failed | ")) && passed.is_some() {
            out.of(Runner::Deno).add(passed.unwrap_or(0), failed.unwrap_or(0), line.count(&["ignored"]));
            return true;
        }
        false
    }

    fn cypress(&mut self, line: &Line<'_>) -> bool {
        if line.text.contains("(Run Starting)") || line.low.starts_with("│ cypress:") {
            self.is_cypress = true;
            return true;
        }
        if !self.is_cypress || !line.text.starts_with('│') {
            return false;
        }
        match line.word(0) {
            "passing" => self.cypress.0 += line.number(1).unwrap_or(0),
            "failing" => self.cypress.1 += line.number(1).unwrap_or(0),
            "pending" | "skipped" => self.cypress.2 += line.number(1).unwrap_or(0),
            _ => return false,
        }
        true
    }

    /// Summaries with a count on each line.
    fn counts(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        if line.starts("running ") && line.low.contains(" using ") && line.has("workers") | line.has("worker") {
            self.is_playwright = true;
            return true;
        }
        let Some(count) = line.number(0) else { return false };
        if !line.text.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let second = line.word(1);
        let ends_there = line.words().count() == 2;
        match second {
            "passing" => {
                if self.open == Some(Open::Mocha) {
                    self.close(out);
                }
                self.begin(Open::Mocha, out);
                self.held.0 += count;
            }
            "failing" if ends_there && self.open == Some(Open::Mocha) => self.held.1 += count,
            "failing" if ends_there => {
                self.begin(Open::Mocha, out);
                self.held.1 += count;
            }
            "pending" if ends_there && self.open == Some(Open::Mocha) => self.held.2 += count,
            // Playwright prints failed ones first, and passed ones with the time.
            "passed" | "failed" | "flaky" | "skipped" | "interrupted" | "did"
                if (ends_there && (self.is_playwright || self.open == Some(Open::Playwright)))
                    || (second == "passed"
                        && line.text.contains(" passed (")
                        && line.text.ends_with(')')
                        && !line.text.contains(','))
                    || (second == "did" && self.is_playwright) =>
            {
                self.begin(Open::Playwright, out);
                match second {
                    "passed" | "flaky" => self.held.0 += count,
                    "failed" | "interrupted" => self.held.1 += count,
                    _ => self.held.2 += count,
                }
            }
            "pass" | "fail" | "skip" | "todo" if ends_there => {
                self.begin(Open::Bun, out);
                match second {
                    "pass" => self.held.0 += count,
                    "fail" => self.held.1 += count,
                    _ => self.held.2 += count,
                }
            }
            "tests" | "test"
                if matches!(line.word(2), "passed" | "failed" | "skipped") && line.words().count() == 3 =>
            {
                self.begin(Open::Ava, out);
                match line.word(2) {
                    "passed" => self.held.0 += count,
                    "failed" => self.held.1 += count,
                    _ => self.held.2 += count,
                }
            }
            "specs" | "spec" if line.low.contains("failure") => {
                let (failed, skipped) = (line.count(&["failures", "failure"]), line.count(&["pending"]));
                out.of(Runner::Jasmine).add(count.saturating_sub(failed + skipped), failed, skipped);
            }
            _ => return false,
        }
        true
    }

    /// "ℹ pass 11" and "# pass 11".
    fn node(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        if !line.text.starts_with(['#', 'ℹ']) || line.words().count() > 2 {
            return false;
        }
        let Some(count) = line.number(1) else { return false };
        match line.word(0) {
            "tests" => {
                self.close(out);
                self.begin(Open::Node, out);
            }
            "pass" => {
                self.begin(Open::Node, out);
                self.held.0 += count;
            }
            "fail" | "cancelled" if self.open == Some(Open::Node) => self.held.1 += count,
            "skip" | "skipped" | "todo" if self.open == Some(Open::Node) => self.held.2 += count,
            "suites" | "duration" => {}
            _ => return false,
        }
        true
    }

    /// "00:05 +12 ~2 -1: Some tests failed."
    fn dart(&mut self, line: &Line<'_>) -> bool {
        let mut fields = line.text.split_whitespace();
        let Some(time) = fields.next() else { return false };
        if !(time.len() >= 5 && time.contains(':') && time.chars().all(|c| c.is_ascii_digit() || c == ':')) {
            return false;
        }
        let (mut counts, mut any) = ((0, 0, 0), false);
        for field in fields {
            let (head, last) = match field.strip_suffix(':') {
                Some(head) => (head, true),
                None => (field, false),
            };
            let own = match head.as_bytes().first() {
                Some(b'+') => &mut counts.0,
                Some(b'-') => &mut counts.1,
                Some(b'~') => &mut counts.2,
                _ => break,
            };
            match count(&head[1..]) {
                Some(count) => (*own, any) = (count, true),
                None => break,
            }
            if last {
                break;
            }
        }
        if any {
            self.dart = Some(counts);
        }
        any
    }

    pub(super) fn finish(mut self, out: &mut Tallies) {
        self.close(out);
        if let Some((passed, failed, skipped)) = self.dart {
            out.of(Runner::Dart).add(passed, failed, skipped);
        }
        let (passed, failed, skipped) = self.cypress;
        if passed + failed + skipped > 0 {
            *out.of(Runner::Cypress) = Tally { passed, failed, skipped, summaries: 1, bare: false };
        }
    }
}
