//! Runners of compiled languages: Rust, Go, C and C++, Swift.

use super::line::{Line, count};
use super::{Runner, Tallies};

#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Go: tests by their lines, and packages without numbers.
    go: (u64, u64, u64),
    go_packages: (u64, u64),
    /// Googletest: how many ran, since what is skipped is named behind.
    google: Option<(u64, u64, u64)>,
    /// Googletest: single tests that ran through, failed, were skipped, and one that began and has not ended.
    google_lines: (u64, u64, u64),
    google_open: bool,
    google_done: bool,
    /// CTest: tests that are named as skipped.
    ctest_skipped: u64,
    ctest_disabled: u64,
    ctest: Option<(u64, u64)>,
    /// XCTest: the largest of the nested suites.
    xctest: Option<(u64, u64, u64)>,
    swift_passed: u64,
    swift_failed: u64,
    swift_skipped: u64,
    swift: Option<(u64, bool)>,
    cargo_open: bool,
}

impl Reader {
    pub(super) fn line(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        self.rust(line, out) || self.go(line, out) || self.cpp(line, out) || self.swift(line)
    }

    fn rust(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        if line.starts("test result:") {
            let skipped = line.count(&["ignored"]);
            out.of(Runner::Cargo).add(line.count(&["passed"]), line.count(&["failed"]), skipped);
            self.cargo_open = false;
            return true;
        }
        if line.starts("running ") && matches!(line.word(2), "test" | "tests") && line.words().count() == 3 {
            self.cargo_open = true;
            return true;
        }
        if line.starts("summary [") && line.low.contains(" run:") {
            let failed = line.count(&["failed"]) + line.count(&["timed", "exec"]);
            out.of(Runner::Nextest).add(line.count(&["passed"]), failed, line.count(&["skipped"]));
            return true;
        }
        if line.starts("error: could not compile") || line.starts("error: test failed") {
            return true;
        }
        false
    }

    fn go(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        if line.starts("done ") && (line.has("tests") || line.has("test")) && line.number(1).is_some() {
            let total = line.number(1).unwrap_or(0);
            let failed = line.count(&["failures", "failure"]) + line.count(&["errors", "error"]);
            let skipped = line.count(&["skipped"]);
            // A rerun of what failed is counted once more.
            let tally = out.of(Runner::Gotestsum);
            *tally = super::Tally::default();
            tally.add(total.saturating_sub(failed + skipped), failed, skipped);
            return true;
        }
        let own = match line.low.split(':').next() {
            Some("--- pass") => &mut self.go.0,
            Some("--- fail") => &mut self.go.1,
            Some("--- skip") => &mut self.go.2,
            _ => return self.go_package(line),
        };
        // Subtests stand indented below their test, and count as it does.
        *own += 1;
        true
    }

    fn go_package(&mut self, line: &Line<'_>) -> bool {
        let mut fields = line.text.split_whitespace();
        let (first, second, third) = (fields.next(), fields.next(), fields.next());
        let is_path = |it: Option<&str>| {
            it.is_some_and(|it| {
                it.contains(['/', '.']) || it.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
            })
        };
        let is_time = |it: Option<&str>| {
            it.is_some_and(|it| it == "(cached)" || it.strip_suffix('s').is_some_and(|it| it.parse::<f64>().is_ok()))
        };
        match (first, line.text.contains('\t')) {
            (Some("ok"), true) if is_path(second) && is_time(third) => self.go_packages.0 += 1,
            (Some("FAIL"), true)
                if is_path(second) && (is_time(third) || third.is_some_and(|it| it.starts_with('['))) =>
            {
                self.go_packages.1 += 1;
            }
            _ => return false,
        }
        true
    }

    fn cpp(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        let timed = line.text.ends_with(" ms)") || line.text.ends_with(" ms total)");
        if line.starts("[ run ") {
            self.google_open = true;
            return true;
        }
        if timed && (line.starts("[       ok ]") || line.starts("[  failed  ]") || line.starts("[  skipped ]")) {
            match line.word(0) {
                "ok" => self.google_lines.0 += 1,
                "failed" => self.google_lines.1 += 1,
                _ => self.google_lines.2 += 1,
            }
            self.google_open = false;
            return true;
        }
        if line.starts("[==========]") && line.has("ran") {
            let total = line.number(0).unwrap_or(0);
            self.google_lines = (0, 0, 0);
            self.google_open = false;
            self.end_google(out);
            self.google_done = true;
            self.google = Some((total, 0, 0));
            return true;
        }
        if let Some(google) = &mut self.google {
            if line.starts("[  failed  ]") && line.low.contains("listed below") {
                google.1 = line.number(1).unwrap_or(0);
                return true;
            }
            if line.starts("[  skipped ]") && line.low.contains("listed below") {
                google.2 = line.number(1).unwrap_or(0);
                return true;
            }
        }
        if line.low.contains("% tests passed") && line.has("failed") {
            // "92% tests passed, 1 tests failed out of 12"
            let failed = line.low.split(',').nth(1).and_then(|it| it.split_whitespace().next()).and_then(count);
            let total = line.after(&["of"]);
            if let (Some(failed), Some(total)) = (failed, total) {
                let before = self.ctest.unwrap_or((0, 0));
                self.ctest = Some((before.0 + total, before.1 + failed));
            }
            return true;
        }
        if line.low.contains("***skipped") {
            self.ctest_skipped += 1;
            return true;
        }
        // The total leaves these out.
        if line.low.contains("***not run (disabled)") {
            self.ctest_disabled += 1;
            return true;
        }
        if line.starts("test cases:") || line.starts("[doctest] test cases:") {
            let (failed, skipped) = (line.count(&["failed"]), line.count(&["skipped"]));
            out.of(Runner::Catch).add(line.count(&["passed"]), failed, skipped);
            return true;
        }
        if line.starts("all tests passed (") && line.has("assertions") | line.has("assertion") {
            out.of(Runner::Catch).add(line.after(&["in"]).unwrap_or(0), 0, 0);
            return true;
        }
        false
    }

    fn end_google(&mut self, out: &mut Tallies) {
        let (passed, failed, skipped) = std::mem::take(&mut self.google_lines);
        let broken = std::mem::take(&mut self.google_open);
        if self.google.is_none() && passed + failed + skipped + u64::from(broken) > 0 && !self.google_done {
            // No summary: the run broke off within a test.
            out.of(Runner::Googletest).add(passed, failed + u64::from(broken), skipped);
        }
        if let Some((total, failed, skipped)) = self.google.take() {
            out.of(Runner::Googletest).add(total.saturating_sub(failed + skipped), failed, skipped);
        }
    }

    fn swift(&mut self, line: &Line<'_>) -> bool {
        if line.starts("executed ") && line.low.contains(" failure") && line.number(1).is_some() {
            let total = line.number(1).unwrap_or(0);
            let skipped = if line.low.contains("skipped") { line.after(&["with"]).unwrap_or(0) } else { 0 };
            let failed = line.count(&["failures", "failure"]);
            if self.xctest.is_none_or(|(before, ..)| total >= before) {
                self.xctest = Some((total, failed, skipped));
            }
            return true;
        }
        let bare = line.low.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        if bare.starts_with("test run with ") {
            let total = line.after(&["with"]).unwrap_or(0);
            self.swift = Some((total, bare.contains("failed")));
            return true;
        }
        if line.text.starts_with(['✔', '✓', '\u{1001F2}', '\u{10105A}'])
            && bare.starts_with("test ")
            && bare.contains(" passed after")
        {
            self.swift_passed += 1;
            return true;
        }
        if line.text.starts_with(['✘', '✖', '×']) && bare.starts_with("test ") && bare.contains(" failed after") {
            self.swift_failed += 1;
            return true;
        }
        if bare.starts_with("test ")
            && !line.text.starts_with("test")
            && bare.contains(" skipped")
            && (bare.contains("()") || bare.contains('"'))
        {
            self.swift_skipped += 1;
            return true;
        }
        false
    }

    pub(super) fn finish(mut self, out: &mut Tallies) {
        self.end_google(out);
        let (passed, failed, skipped) = self.go;
        let (good, bad) = self.go_packages;
        if passed + failed + skipped > 0 {
            // A package that does not build fails without a test.
            let bad = if failed == 0 { bad } else { 0 };
            out.of(Runner::Go).add(passed, failed + bad, skipped);
        } else if good + bad > 0 {
            let tally = out.of(Runner::Go);
            tally.add(good, bad, 0);
            tally.bare = true;
        }
        if let Some((total, failed)) = self.ctest {
            let skipped = self.ctest_skipped.min(total.saturating_sub(failed));
            out.of(Runner::Ctest).add(total.saturating_sub(failed + skipped), failed, skipped + self.ctest_disabled);
        }
        if let Some((total, failed, skipped)) = self.xctest.filter(|(total, ..)| *total > 0 || self.swift.is_none()) {
            out.of(Runner::Xctest).add(total.saturating_sub(failed + skipped), failed, skipped);
        }
        if let Some((total, failed)) = self.swift.filter(|(total, _)| *total > 0) {
            let failed = if failed { self.swift_failed.max(1) } else { 0 };
            // Whether the total has what was skipped differs by version: the lines say it.
            let lines = self.swift_passed > 0 && self.swift_passed + failed == total;
            out.of(Runner::SwiftTesting).add(
                if lines { self.swift_passed } else { total.saturating_sub(failed + self.swift_skipped) },
                failed,
                self.swift_skipped,
            );
        }
    }
}
