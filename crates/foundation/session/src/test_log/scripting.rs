//! Runners of Python, Ruby, PHP, Elixir, Perl, R and shells.

use super::line::{Line, count};
use super::{Runner, Tallies};

#[derive(Debug, Default)]
pub(super) struct Reader {
    /// unittest: how many ran, until its result comes.
    ran: Option<u64>,
    /// Test Anything Protocol: lines of tests, and those within subtests left out.
    tap: (u64, u64, u64),
    planned: bool,
    /// prove: tests that failed, by file, and all tests.
    prove_failed: u64,
    prove: Option<u64>,
    prove_skipped: u64,
}

impl Reader {
    pub(super) fn line(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        self.python(line, out) || self.php(line, out) || self.ruby(line, out) || self.perl(line)
    }

    fn python(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        let low = line.low.as_str();
        // "==== 4 passed, 1 failed in 0.12s ====", with -q without the rules.
        let bare = low.trim_matches(|c: char| c == '=' || c == ' ');
        let timed = bare.contains(" in ")
            && bare.split(" in ").last().is_some_and(|it| {
                it.trim_start().starts_with(|c: char| c.is_ascii_digit())
                    && it.split_whitespace().next().is_some_and(|it| it.ends_with('s') || it.parse::<f64>().is_ok())
            });
        let head = bare.split(" in ").next().unwrap_or_default();
        let counts = |names: &[&str]| line.count(names);
        let is_counts = !head.is_empty()
            && head.split(", ").all(|part| {
                let mut words = part.split_whitespace();
                words.next().is_some_and(|it| it.parse::<u64>().is_ok())
                    && words.next().is_some_and(|it| {
                        matches!(
                            it,
                            "passed"
                                | "failed"
                                | "error"
                                | "errors"
                                | "skipped"
                                | "xfailed"
                                | "xpassed"
                                | "deselected"
                                | "warning"
                                | "warnings"
                                | "rerun"
                                | "subtests"
                        )
                    })
            });
        let said = ["passed", "failed", "error", "errors", "skipped", "xfailed", "deselected"]
            .iter()
            .any(|it| line.before(&[it]).is_some());
        if is_counts && said && (timed || low.starts_with("==")) {
            let passed = counts(&["passed"]) + counts(&["xpassed"]);
            let failed = counts(&["failed"]) + counts(&["error", "errors"]);
            out.of(Runner::Pytest).add(passed, failed, counts(&["skipped"]) + counts(&["xfailed"]));
            return true;
        }
        if low.starts_with("ran ")
            && matches!(line.word(2), "test" | "tests")
            && (low.contains(" in ") || line.words().count() == 3)
        {
            if low.contains("across") {
                return true;
            }
            self.ran = line.number(1);
            return true;
        }
        if let Some(ran) = self.ran {
            let good = low == "ok" || low.starts_with("ok (") || low.starts_with("passed (");
            if good || low == "failed" || low.starts_with("failed (") || low.starts_with("no tests ran") {
                let failed =
                    line.value(&["failures"]) + line.value(&["errors"]) + after_phrase(low, "unexpected successes=");
                let skipped =
                    after_phrase(low, "skipped=").max(line.value(&["skips"])) + after_phrase(low, "expected failures=");
                let failed = failed
                    - if low.contains("expected failures=")
                        && !low.contains("(failures=")
                        && !low.contains(", failures=")
                    {
                        line.value(&["failures"])
                    } else {
                        0
                    };
                out.of(Runner::Unittest).add(ran.saturating_sub(failed + skipped), failed, skipped);
                self.ran = None;
                return true;
            }
        }
        if low.starts_with("[ fail ") && low.contains("| pass ") {
            let tally = out.of(Runner::Testthat);
            *tally = super::Tally::default();
            tally.add(line.value(&["pass"]), line.value(&["fail"]), line.value(&["skip"]));
            return true;
        }
        false
    }

    fn php(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        if line.starts("ok (") && matches!(line.word(2), "test" | "tests") {
            let runner = if line.has("assertions") || line.has("assertion") { Runner::Phpunit } else { Runner::Junit };
            out.of(runner).add(line.number(1).unwrap_or(0), 0, 0);
            return true;
        }
        if line.starts("tests: ") && line.after(&["assertions"]).is_some() {
            let total = line.value(&["tests"]);
            let failed = line.value(&["failures"]) + line.value(&["errors"]);
            let skipped = line.value(&["skipped"]) + line.value(&["incomplete"]);
            out.of(Runner::Phpunit).add(total.saturating_sub(failed + skipped), failed, skipped);
            return true;
        }
        // Pest: "Tests:    1 failed, 4 passed (10 assertions)"
        if line.starts("tests:") && (line.has("assertions") || line.has("assertion")) {
            let skipped = line.count(&["skipped"]) + line.count(&["todo", "todos", "incomplete"]);
            out.of(Runner::Phpunit).add(line.count(&["passed"]), line.count(&["failed"]), skipped);
            return true;
        }
        false
    }

    fn ruby(&mut self, line: &Line<'_>, out: &mut Tallies) -> bool {
        let Some(count) = line.number(0) else { return false };
        if !line.text.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        let failures = line.before(&["failures", "failure"]);
        match (line.word(1), failures) {
            ("examples" | "example", Some(failed)) => {
                let failed = failed + line.count(&["errors", "error"]);
                let skipped = line.count(&["pending"]);
                out.of(Runner::Rspec).add(count.saturating_sub(failed + skipped), failed, skipped);
            }
            ("runs" | "tests", Some(failed)) if line.has("assertions") || line.has("assertion") => {
                let failed = failed + line.count(&["errors", "error"]);
                let skipped = line.count(&["skips", "skip"]) + line.count(&["pendings"]) + line.count(&["omissions"]);
                out.of(Runner::Minitest).add(count.saturating_sub(failed + skipped), failed, skipped);
            }
            ("tests" | "test" | "doctests" | "doctest" | "properties" | "property", Some(failed)) => {
                let total = line.count(&["tests", "test"])
                    + line.count(&["doctests", "doctest"])
                    + line.count(&["properties", "property"]);
                let skipped = line.count(&["skipped"]) + line.count(&["excluded"]);
                let failed = failed + line.count(&["invalid"]);
                out.of(Runner::Exunit).add(total.saturating_sub(failed + skipped), failed, skipped);
            }
            // Robot Framework: "12 tests, 11 passed, 1 failed"
            ("tests" | "test" | "scenarios" | "scenario", None)
                if line.before(&["passed"]).is_some() && line.text.contains(',') | line.text.contains('(') =>
            {
                out.of(Runner::Plain).add(line.count(&["passed"]), line.count(&["failed"]), line.count(&["skipped"]));
            }
            _ => return false,
        }
        true
    }

    fn perl(&mut self, line: &Line<'_>) -> bool {
        let low = line.low.as_str();
        if line.indent == 0
            && low.split_once("..").is_some_and(|(from, to)| {
                from == "1" && to.split(' ').next().is_some_and(|it| it.parse::<u64>().is_ok())
            })
        {
            self.planned = true;
            return true;
        }
        let is_test = |rest: &str| rest.is_empty() || rest.starts_with([' ', '-']);
        let named = low
            .strip_prefix("not ok")
            .map(|rest| (false, rest))
            .or_else(|| low.strip_prefix("ok").map(|rest| (true, rest)));
        if let Some((good, rest)) = named.filter(|(_, rest)| {
            is_test(rest) && rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-')
        }) {
            if line.indent == 0 && !line.text.contains('\t') {
                match (good, rest.contains("# skip") || rest.contains("# todo")) {
                    (_, true) => self.tap.2 += 1,
                    (true, false) => self.tap.0 += 1,
                    (false, false) => self.tap.1 += 1,
                }
                return true;
            }
            return line.indent > 0;
        }
        if low.starts_with("files=") && low.contains("tests=") {
            self.prove = line.after(&["tests"]);
            return true;
        }
        if low.contains("(wstat:") && low.contains("failed:") {
            self.prove_failed += line.value(&["failed"]);
            return true;
        }
        if low.contains("(less ") && low.contains("skipped subtest") {
            self.prove_skipped += line.after(&["less"]).unwrap_or(0);
            return false;
        }
        false
    }

    pub(super) fn finish(self, out: &mut Tallies) {
        if let Some(total) = self.prove {
            // With `-v` the lines of tests say what was skipped.
            let skipped = self.prove_skipped.max(self.tap.2);
            out.of(Runner::Prove).add(total.saturating_sub(self.prove_failed + skipped), self.prove_failed, skipped);
        }
        let (passed, failed, skipped) = self.tap;
        // A single line that begins with "ok" is no protocol.
        if passed + failed + skipped > 0 && (self.planned || passed + failed + skipped > 1) {
            out.of(Runner::Tap).add(passed, failed, skipped);
        }
    }
}

/// The number behind a phrase, 0 where it is not there.
fn after_phrase(text: &str, phrase: &str) -> u64 {
    let mut found = 0;
    for (at, _) in text.match_indices(phrase) {
        // "unexpected successes=" ends in "expected …" and the like: a phrase begins a word.
        let before = text[..at].chars().next_back();
        if before.is_none_or(|c| !c.is_alphanumeric()) {
            let rest = &text[at + phrase.len()..];
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            found += count(&digits).unwrap_or(0);
        }
    }
    found
}
