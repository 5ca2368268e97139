//! Whether a build, a linter or a type checker came through, by what it printed.

use crate::model::strip_ansi;

/// The longest line that is read, in bytes.
pub const LINE_BYTES_MAX: usize = 2_000;

/// What an output says of errors and warnings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The line that says that it failed.
    pub failed: Option<String>,
    /// The line that says that it came through.
    pub passed: Option<String>,
    /// How many errors its summary counts.
    pub errors: Option<u64>,
    /// How many warnings its summary counts.
    pub warnings: Option<u64>,
    /// The line that counts them.
    pub counted: Option<String>,
    /// Lines that name a single error.
    pub error_lines: u64,
    /// Lines that name a single warning.
    pub warning_lines: u64,
}

impl Report {
    /// Whether it came through; `None` where the output does not say.
    #[must_use]
    pub fn ok(&self) -> Option<bool> {
        if self.failed.is_some() || self.errors.is_some_and(|it| it > 0) {
            Some(false)
        } else if self.passed.is_some() || self.errors == Some(0) {
            Some(true)
        } else {
            None
        }
    }

    /// Errors: those that are counted, else those that are named.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors.unwrap_or(self.error_lines)
    }

    /// Warnings: those that are counted, else those that are named.
    #[must_use]
    pub fn warnings(&self) -> u64 {
        self.warnings.unwrap_or(self.warning_lines)
    }
}

/// Beginnings of lines by which tools say that they failed.
const FAILED: &[&str] = &[
    "error: could not compile",
    "build failed",
    "[error] build failure",
    "[info] build failure",
    "npm err!",
    "npm error",
    "error: build failed",
    "failed to compile",
    "compilation failed",
    "make: ***",
    "ninja: build stopped",
    "failure: build failed",
    "error command failed",
    "** build failed **",
    "elifecycle",
    "error: command failed",
    "failed: build",
    "lerna err!",
    "build error",
    "> build failed",
    "fatal error:",
    "collect2: error",
    "error during build",
    "exited with code 1",
    "exited with code 2",
    "exit code 1",
    "exit code: 1",
    "exit status 1",
    "exit status 2",
    "✘ [error]",
    "x build failed",
    "build failed because",
];

/// Beginnings of lines by which they say that they came through.
const PASSED: &[&str] = &[
    "build succeeded",
    "build successful",
    "[info] build success",
    "finished `",
    "finished dev",
    "finished release",
    "compiled successfully",
    "✓ compiled successfully",
    "** build succeeded **",
    "all checks passed",
    "success: no issues found",
    "no issues found",
    "no offenses detected",
    "✓ built in",
    "no eslint warnings or errors",
    "✔ no eslint warnings or errors",
    "all matched files use prettier",
    "would reformat 0",
    "0 errors, 0 warnings",
    "0 issues.",
    "successfully built",
    "no errors",
    "webpack compiled successfully",
    "build complete",
];

/// Whether a line names one error of a compiler or linter.
fn names(line: &str, low: &str, what: &str) -> bool {
    // "src/a.ts(3,5): error TS2322: …", "a.c:3:5: error: …", "error[E0308]: …", "  3:5  error  …  rule".
    low.contains(&format!(": {what}:"))
        || low.contains(&format!(": {what} "))
        || low.starts_with(&format!("{what}["))
        || low.starts_with(&format!("{what}: "))
        || low.starts_with(&format!("{what} ts"))
        || (line.starts_with(|c: char| c.is_ascii_digit()) && low.split_whitespace().nth(1) == Some(what))
        || low.starts_with(&format!("[{what}] "))
        || low.contains(&format!(" - {what} "))
}

/// Reads an output.
#[must_use]
pub fn report(text: &str) -> Report {
    steadfast_steps::spend(text.len());
    let text = strip_ansi(text);
    let mut out = Report::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && line.len() <= LINE_BYTES_MAX) {
        let low = line.to_lowercase();
        let bare = low.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '[' | '*'));
        if FAILED.iter().any(|it| bare.starts_with(it) || low.starts_with(it)) {
            out.failed.get_or_insert_with(|| line.to_owned());
            continue;
        }
        if let Some((errors, warnings)) = counts(&low) {
            out.errors = errors.or(out.errors);
            out.warnings = warnings.or(out.warnings);
            out.counted = Some(line.to_owned());
            if errors == Some(0) && warnings.unwrap_or(0) == 0 {
                out.passed = Some(line.to_owned());
            }
            continue;
        }
        if PASSED.iter().any(|it| bare.starts_with(it) || low.starts_with(it)) {
            out.passed = Some(line.to_owned());
            continue;
        }
        out.error_lines += u64::from(names(line, &low, "error"));
        out.warning_lines += u64::from(names(line, &low, "warning"));
    }
    out
}

/// Errors and warnings that a summary counts: "✖ 12 problems (3 errors, 9 warnings)", "Found 3 errors in 2 files", "3 errors generated".
fn counts(low: &str) -> Option<(Option<u64>, Option<u64>)> {
    let words: Vec<&str> = low.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    if words.len() > 18 {
        return None;
    }
    let before = |names: &[&str]| {
        words.windows(2).find(|pair| names.contains(&pair[1])).and_then(|pair| pair[0].parse::<u64>().ok())
    };
    let (errors, warnings) = (before(&["errors", "error"]), before(&["warnings", "warning"]));
    let is_summary = low.contains("problem")
        || low.starts_with("found ")
        || low.contains(" generated")
        || low.contains(" emitted")
        || low.contains("previous error")
        || low.ends_with(" warning(s)")
        || low.ends_with(" error(s)")
        || low.contains("issue")
        || (errors.is_some() && warnings.is_some());
    let problems = before(&["offenses", "offense"]).or_else(|| before(&["issues", "issue"])).or_else(|| {
        // "Found 3 problems" without a division.
        before(&["problems", "problem"]).filter(|_| errors.is_none())
    });
    // "4 offenses detected, 3 offenses corrected", "Found 3 errors (2 fixed, 1 remaining)".
    let corrected = words
        .windows(3)
        .find(|it| it[1].starts_with("offense") && it[2].contains("corrected"))
        .and_then(|it| it[0].parse::<u64>().ok());
    let remaining = before(&["remaining"]);
    let problems = remaining.or_else(|| Some(problems?.saturating_sub(corrected.unwrap_or(0))));
    let errors = if remaining.is_some() { None } else { errors };
    match (errors.or(problems), warnings) {
        (None, None) => None,
        own if is_summary || problems.is_some() => Some(own),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, ok: Option<bool>, errors: u64, warnings: u64) {
        let own = report(text);
        assert_eq!((own.ok(), own.errors(), own.warnings()), (ok, errors, warnings), "{text}: {own:?}");
    }

    #[test]
    fn builds() {
        check(
            "error[E0308]: mismatched types\nerror: could not compile `a` (lib) due to 1 previous error",
            Some(false),
            1,
            0,
        );
        check("   Compiling a v0.1.0\n    Finished `dev` profile [unoptimized] target(s) in 1.2s", Some(true), 0, 0);
        check("[INFO] BUILD SUCCESS", Some(true), 0, 0);
        check("[ERROR] COMPILATION ERROR :\n[INFO] BUILD FAILURE", Some(false), 1, 0);
        check("vite v5\n✓ built in 1.2s", Some(true), 0, 0);
        check("Build succeeded.\n    2 Warning(s)\n    0 Error(s)", Some(true), 0, 2);
        check("npm ERR! code ELIFECYCLE", Some(false), 0, 0);
        check("some text", None, 0, 0);
    }

    #[test]
    fn linters_and_types() {
        check(
            "/w/a.js\n  3:5  error  'x' is unused  no-unused-vars\n\n✖ 2 problems (1 error, 1 warning)",
            Some(false),
            1,
            1,
        );
        check("✖ 9 problems (0 errors, 9 warnings)", Some(true), 0, 9);
        check("src/a.ts(3,5): error TS2322: no\nFound 1 error in src/a.ts:3", Some(false), 1, 0);
        check("All checks passed!", Some(true), 0, 0);
        check("Found 3 errors.\n[*] 2 fixable", Some(false), 3, 0);
        check("Success: no issues found in 4 source files", Some(true), 0, 0);
        check("12 files inspected, 3 offenses detected", Some(false), 3, 0);
        check("12 files inspected, no offenses detected", None, 0, 0);
    }

    #[test]
    fn a_line_over_the_limit_is_not_read() {
        let line = |bytes: usize| format!("build failed{}", "x".repeat(bytes - 12));
        assert_eq!(report(&line(LINE_BYTES_MAX)).ok(), Some(false));
        assert_eq!(report(&line(LINE_BYTES_MAX + 1)).ok(), None);
    }
}
