//! Runners of the JVM and of .NET.

use super::line::{Line, count};
use super::{Runner, Tallies, Tally};

#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Maven: lines of classes, and lines of modules, which sum them.
    classes: Tally,
    modules: Tally,
    /// JUnit's console: a count on each line.
    console: Option<(u64, u64, u64)>,
    /// Gradle: lines of tests, and its own count.
    gradle_lines: Tally,
    gradle: Tally,
    gradle_result: Option<bool>,
    is_gradle: bool,
    ran_gradle_tests: bool,
    /// dotnet: a total over several lines.
    dotnet: Option<(u64, u64, u64)>,
    dotnet_projects: Tally,
    /// sbt: lines of its own, and those of ScalaTest.
    sbt: Tally,
    scalatest: Tally,
    dotnet_sum: Option<(u64, u64, u64)>,
}

impl Reader {
    pub(super) fn line(&mut self, line: &Line<'_>, _: &mut Tallies) -> bool {
        self.maven(line) || self.dotnet(line) || self.sbt(line) || self.gradle(line)
    }

    fn maven(&mut self, line: &Line<'_>) -> bool {
        let bare = line
            .low
            .trim_start_matches(['[', ']'])
            .trim_start_matches("info")
            .trim_start_matches("error")
            .trim_start_matches("warning");
        if bare.trim_start_matches([']', ' ']).starts_with("tests run:") {
            let total = line.value(&["run"]);
            let failed = line.value(&["failures"]) + line.value(&["errors"]);
            let skipped = line.value(&["skipped"]);
            let own = if line.low.contains("time elapsed") || line.low.contains(" in ") {
                &mut self.classes
            } else {
                &mut self.modules
            };
            own.add(total.saturating_sub(failed + skipped), failed, skipped);
            return true;
        }
        // JUnit 5: "[         5 tests successful      ]"
        if line.starts("[") && line.low.ends_with(']') && line.word(1) == "tests" {
            let count = line.number(0).unwrap_or(0);
            let own = self.console.get_or_insert((0, 0, 0));
            match line.word(2) {
                "successful" => own.0 += count,
                "failed" => own.1 += count,
                "skipped" | "aborted" => own.2 += count,
                _ => {}
            }
            return true;
        }
        false
    }

    fn gradle(&mut self, line: &Line<'_>) -> bool {
        if line.starts("> task ") {
            self.is_gradle = true;
            self.ran_gradle_tests |= line.low.contains("test");
            return true;
        }
        if line.low.contains("tests completed,") || line.low.contains("test completed,") {
            let total = line.before(&["tests", "test"]).unwrap_or(0);
            let (failed, skipped) = (line.count(&["failed"]), line.count(&["skipped"]));
            self.gradle.add(total.saturating_sub(failed + skipped), failed, skipped);
            return true;
        }
        if line.text.contains(" > ") {
            match line.text.rsplit(' ').next() {
                Some("PASSED") => self.gradle_lines.passed += 1,
                Some("FAILED") => self.gradle_lines.failed += 1,
                Some("SKIPPED") => self.gradle_lines.skipped += 1,
                _ => return false,
            }
            self.gradle_lines.summaries = 1;
            return true;
        }
        if line.starts("build successful in") || line.starts("build failed in") {
            self.gradle_result = Some(line.starts("build successful"));
            return true;
        }
        false
    }

    /// Frameworks print a summary of their own, and sbt one for each project behind it: sbt's count where there are any.
    fn sbt(&mut self, line: &Line<'_>) -> bool {
        let bare = line.low.trim_start_matches("[info] ").trim_start_matches("[error] ").trim();
        let skips = ["canceled", "ignored", "pending", "skipped"];
        if bare.starts_with("tests: succeeded ") {
            let skipped = skips.iter().map(|it| line.value(&[it])).sum();
            self.scalatest.add(line.value(&["succeeded"]), line.value(&["failed"]), skipped);
            return true;
        }
        if (bare.starts_with("passed: total ")
            || bare.starts_with("failed: total ")
            || bare.starts_with("error: total "))
            && bare.contains("errors")
        {
            let field = |name: &str| {
                let own = bare.split(", ").find_map(|it| count(it.strip_prefix(name)?.trim()));
                own.unwrap_or(0)
            };
            let skipped = skips.iter().map(|it| field(it)).sum();
            self.sbt.add(field("passed"), field("failed") + field("errors"), skipped);
            return true;
        }
        false
    }

    fn dotnet(&mut self, line: &Line<'_>) -> bool {
        let low = line.low.as_str();
        if (low.starts_with("passed!") || low.starts_with("failed!") || low.starts_with("skipped!"))
            && line.after(&["total"]).is_some()
        {
            let value = |name: &str| {
                low.split(&format!("{name}:")).nth(1).and_then(|it| count(it.split(',').next()?.trim())).unwrap_or(0)
            };
            self.dotnet_projects.add(value("passed"), value("failed"), value("skipped"));
            return true;
        }
        if low.starts_with("test summary: total:")
            || (low.contains("total: ") && low.contains("succeeded: ") && low.contains("failed: "))
        {
            self.dotnet_sum = Some((line.value(&["succeeded"]), line.value(&["failed"]), line.value(&["skipped"])));
            return true;
        }
        if low.starts_with("total tests:") {
            self.dotnet_projects.summaries += 1;
            self.dotnet.get_or_insert((0, 0, 0));
            return true;
        }
        if let Some(own) = &mut self.dotnet
            && line.words().count() == 2
        {
            match line.word(0) {
                "passed" => own.0 += line.number(1).unwrap_or(0),
                "failed" => own.1 += line.number(1).unwrap_or(0),
                "skipped" => own.2 += line.number(1).unwrap_or(0),
                _ => return false,
            }
            return true;
        }
        false
    }

    pub(super) fn finish(self, out: &mut Tallies) {
        let maven = if self.modules.summaries > 0 { self.modules } else { self.classes };
        if maven.summaries > 0 {
            *out.of(Runner::Maven) = maven;
        }
        if let Some((passed, failed, skipped)) = self.console {
            out.of(Runner::Junit).add(passed, failed, skipped);
        }
        if self.gradle.summaries > 0 {
            *out.of(Runner::Gradle) = self.gradle;
        } else if self.gradle_lines.summaries > 0 {
            *out.of(Runner::Gradle) = self.gradle_lines;
        } else if let (true, true, Some(good), true) =
            (self.is_gradle, self.ran_gradle_tests, self.gradle_result, maven.summaries == 0)
        {
            *out.of(Runner::Gradle) =
                Tally { passed: 0, failed: u64::from(!good), skipped: 0, summaries: 1, bare: true };
        }
        let sbt = if self.sbt.summaries > 0 { self.sbt } else { self.scalatest };
        if sbt.summaries > 0 {
            *out.of(Runner::Sbt) = sbt;
        }
        match (self.dotnet_sum, self.dotnet) {
            (Some((passed, failed, skipped)), _) | (None, Some((passed, failed, skipped))) => {
                out.of(Runner::Dotnet).add(passed, failed, skipped);
            }
            (None, None) if self.dotnet_projects.summaries > 0 => *out.of(Runner::Dotnet) = self.dotnet_projects,
            _ => {}
        }
    }
}

/// The most suites of one XML that are read.
const SUITES_MAX: usize = 10_000;

/// What the XML of JUnit's form says: passed, failed (errors among them) and skipped, as its outermost elements count them.
pub(super) fn xml(text: &str) -> Option<(u64, u64, u64)> {
    let value = |tag: &str, name: &str| -> Option<u64> {
        let at = tag.find(&format!(" {name}=\""))? + name.len() + 3;
        count(tag.get(at..)?.split('"').next()?)
    };
    let tally = |tag: &str| -> Option<(u64, u64, u64)> {
        let of = |name| value(tag, name).unwrap_or(0);
        let (failed, skipped) = (of("failures") + of("errors"), of("skipped") + of("disabled"));
        Some((value(tag, "tests")?.saturating_sub(failed + skipped), failed, skipped))
    };
    let mut sum: Option<(u64, u64, u64)> = None;
    // Elements that are open: what lies within one that counts is counted by it.
    let (mut open, mut counts_from) = (0_usize, None);
    for (at, _) in text.match_indices('<').filter(|(at, _)| is_suite(text, *at)).take(SUITES_MAX) {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with("</") {
            open = open.saturating_sub(1);
            counts_from = counts_from.filter(|own| *own < open);
            continue;
        }
        let Some(tag) = rest.get(..TAG_BYTES_MAX.min(rest.len())).and_then(|head| head.split_inclusive('>').next())
        else {
            continue;
        };
        if counts_from.is_none()
            && let Some((passed, failed, skipped)) = tally(tag)
        {
            let own = sum.get_or_insert((0, 0, 0));
            *own = (own.0.saturating_add(passed), own.1.saturating_add(failed), own.2.saturating_add(skipped));
            counts_from = (!tag.ends_with("/>")).then_some(open);
        }
        open += usize::from(!tag.ends_with("/>"));
    }
    sum
}

/// The longest tag that is read, in bytes.
const TAG_BYTES_MAX: usize = 4_000;

/// Whether an element of suites begins or ends here.
fn is_suite(text: &str, at: usize) -> bool {
    let rest = text.get(at + 1..).unwrap_or_default();
    let name = rest.strip_prefix('/').unwrap_or(rest);
    name.strip_prefix("testsuite").is_some_and(|rest| rest.starts_with(['s', ' ', '>', '\n']))
}
