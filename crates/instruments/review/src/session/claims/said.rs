//! What a sentence says of tests: its subject, its predicate and its counts.
//!
//! A count belongs to the nearest word of a result or of tests in its part of the sentence; a word of failure counts unless it is denied
//! ("without a single failure") or only names a test ("the failing test now passes").

use crate::words::{number, words};

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

/// Words for tests.
pub(super) const NOUNS: &[&str] = &[
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
    "testsuite",
    "scenarios",
    "bats",
    "junit",
    "nextest",
    "minitest",
    "xunit",
];
const PASS: &[&str] = &[
    "pass",
    "passes",
    "passed",
    "passing",
    "green",
    "succeed",
    "succeeds",
    "succeeded",
    "ok",
    "successful",
    "successfully",
    "✓",
    "✅",
    "✔",
    "clean",
    "cleanly",
    "through",
];
/// Words for failures.
pub(super) const FAIL: &[&str] = &[
    "fail", "fails", "failed", "failing", "failure", "failures", "red", "broken", "✗", "❌", "✘", "crashed", "crashes",
    "segfault", "aborted",
];
const SKIP: &[&str] = &["skipped", "skips", "skip", "ignored", "pending", "disabled", "todo"];
const ZERO: &[&str] = &["no", "zero", "none", "without", "nothing", "nobody", "neither"];
const DENIALS: &[&str] = &[
    "no", "not", "nothing", "without", "zero", "0", "none", "never", "neither", "don't", "doesn't", "isn't", "aren't",
    "didn't", "nor",
];

/// Words behind which nothing is claimed: conditions, wishes, plans, the past, what others ask for.
const UNSAID: &[&str] = &[
    "if",
    "whether",
    "should",
    "would",
    "will",
    "until",
    "unless",
    "expect",
    "expected",
    "want",
    "wants",
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
    "ought",
    "asks",
    "requires",
    "asked",
];

/// Words by which a sentence tells somebody to do something.
const ORDERS: &[&str] = &[
    "run", "rerun", "re-run", "check", "verify", "ensure", "make", "see", "confirm", "please", "let", "try", "watch",
    "do", "next", "goal", "target", "todo", "plan",
];

/// Whether words leave open whether what they say is so.
pub(super) fn is_unsaid(words: &[String]) -> bool {
    // What follows from it leaves it as it is: "it is pushed, so you can follow the run".
    let end = words
        .windows(2)
        .position(|pair| {
            matches!(pair[0].as_str(), "," | ";")
                && matches!(pair[1].as_str(), "so" | "because" | "since" | "which" | "while")
        })
        .unwrap_or(words.len());
    let words = &words[..end];
    words.first().is_some_and(|word| ORDERS.contains(&word.as_str()))
        || words.iter().any(|word| UNSAID.contains(&word.as_str()))
}

/// The words of a sentence with marks of results as words of their own.
fn tokens(sentence: &str) -> Vec<String> {
    let mut plain = String::with_capacity(sentence.len() + 16);
    for c in sentence.chars() {
        match c {
            '`' | '*' | '|' | '(' | ')' | '"' | '“' | '”' => plain.push(' '),
            '✓' | '✅' | '✔' | '✗' | '❌' | '✘' => {
                plain.push_str(" x");
                plain.push(c);
                plain.push(' ');
            }
            '=' | '→' => plain.push_str(" : "),
            _ => plain.push(c),
        }
    }
    // `words` takes marks off, so they go through it behind a letter.
    let mut out = Vec::new();
    for part in plain.split_inclusive(' ') {
        let word = part.trim();
        match word.strip_prefix('x').filter(|it| it.chars().count() == 1 && !it.is_ascii()) {
            Some(mark) => out.push(mark.to_owned()),
            None if word == ":" => out.push(word.to_owned()),
            None => out.extend(words(word)),
        }
    }
    out
}

/// What a sentence, or a list or table of some lines, claims of tests; `None` where it claims nothing.
#[must_use]
pub fn said(text: &str) -> Option<Said> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    if lines.len() > 1 {
        return table(&lines).or_else(|| {
            let all: Vec<Said> = lines.iter().filter_map(|line| one(line)).collect();
            all.into_iter().reduce(add)
        });
    }
    one(text)
}

fn add(a: Said, b: Said) -> Said {
    let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0) + b.unwrap_or(0)),
    };
    Said {
        all_pass: match (a.all_pass, b.all_pass) {
            (Some(a), Some(b)) => Some(a && b),
            (a, b) => a.or(b),
        },
        passed: sum(a.passed, b.passed),
        failed: sum(a.failed, b.failed),
        skipped: sum(a.skipped, b.skipped),
        total: sum(a.total, b.total),
    }
}

/// A table whose columns are results.
fn table(lines: &[&str]) -> Option<Said> {
    let header = lines.first().filter(|it| it.starts_with('|'))?;
    let rows = lines.iter().skip(1).filter(|it| it.starts_with('|') && it.chars().any(char::is_alphanumeric));
    rows.filter_map(|row| said_in_row(row, header)).reduce(add)
}

/// What a row of a table says, its columns named by the header.
pub(super) fn said_in_row(row: &str, header: &str) -> Option<Said> {
    let cells = |line: &str| -> Vec<String> {
        line.trim()
            .trim_matches('|')
            .split('|')
            .map(|it| it.trim().trim_matches(['*', '`', ' ']).to_lowercase())
            .collect()
    };
    let mut out = Said::default();
    for (name, value) in cells(header).iter().zip(cells(row)) {
        let value = value.split([' ', '/']).next().and_then(number);
        match name.trim_matches(|c: char| !c.is_alphanumeric()) {
            "pass" | "passed" | "passing" => out.passed = value,
            "fail" | "failed" | "failing" | "failures" => out.failed = value,
            "skip" | "skipped" | "ignored" => out.skipped = value,
            "total" | "tests" => out.total = value,
            _ => {}
        }
    }
    if out.passed.is_none() && out.failed.is_none() {
        return None;
    }
    out.all_pass = out.failed.map(|it| it == 0);
    if out.all_pass == Some(true) {
        out.total = out.total.or(out.passed);
    }
    Some(out)
}

/// What a count counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Passed,
    Failed,
    Skipped,
    Total,
}

fn one(sentence: &str) -> Option<Said> {
    if sentence.trim_end().ends_with('?') {
        return None;
    }
    let all = tokens(sentence);
    let at = |place: usize| all.get(place).map_or("", String::as_str);
    let is = |names: &[&str]| all.iter().any(|word| names.contains(&word.as_str()));
    // "No test was deleted or newly skipped" speaks of the change.
    if ZERO.contains(&at(0)) && is(&["deleted", "removed", "newly", "weakened", "changed", "touched"]) {
        return None;
    }
    let ends = |word: &str| matches!(word, "" | "," | ";" | ":" | "." | "but" | "–" | "—");
    let noun = is(NOUNS);
    let result = |word: &str| PASS.contains(&word) || FAIL.contains(&word);
    // What stands behind the result says nothing of whether it is one.
    let first = all.iter().position(|word| result(word)).map_or(all.len(), |at| at + 1);
    // "`make test` is green" orders nothing.
    let from = usize::from(first > 1 && sentence.trim_start().starts_with('`'));
    if is_unsaid(&all[from..first]) || (0..first).any(|it| at(it) == "once" && !noun) {
        return None;
    }
    // "It found nothing broken": of another thing than tests.
    let of_tests = |word: &str| noun || !matches!(word, "broken" | "red" | "crashed" | "crashes" | "aborted");
    let mut out = Said::default();
    let denied = |place: usize| {
        (place.saturating_sub(4)..place).rev().take_while(|it| !ends(at(*it))).any(|it| DENIALS.contains(&at(it)))
    };
    // "The failing test now passes", "re-runs failed tests", "tests that failed yesterday": names of tests, no results.
    let names = |place: usize| {
        let relative = matches!(at(place.wrapping_sub(1)), "that" | "which");
        let attribute = NOUNS.contains(&at(place + 1))
            && matches!(at(place), "failing" | "failed" | "broken" | "red")
            && number(at(place.wrapping_sub(1)))
                .is_none_or(|_| (place + 2..all.len()).any(|it| PASS.contains(&at(it))))
            && !matches!(at(place.wrapping_sub(1)), "still" | "are" | "has" | "have" | "no" | "zero" | ":");
        relative || attribute
    };
    let through = |place: usize| {
        at(place) != "through"
            || matches!(at(place.wrapping_sub(1)), "went" | "goes" | "go" | "came" | "comes" | "run" | "runs" | "ran")
    };
    let passes_at = |place: usize| {
        PASS.contains(&at(place))
            && through(place)
            && !(at(place) == "passed"
                && matches!(at(place.wrapping_sub(1)), "was" | "were" | "is" | "are" | "gets")
                && number(at(place + 1)).is_some())
            && !(matches!(at(place), "passed" | "pass" | "passes")
                && matches!(at(place + 1), "on" | "along" | "over" | "into" | "down" | "to" | "the" | "as")
                && !noun)
    };
    for place in 0..all.len() {
        let word = at(place);
        // "9 out of 9", "4 of 5", "5/5".
        if let Some((part, whole, _)) = crate::words::fraction(&all, place)
            && part <= whole
            && whole > 0
            && out.total.is_none()
            && (noun || all.iter().any(|it| matches!(it.as_str(), "✓" | "✅" | "✔")))
        {
            let fails = (place + 1..place + 8).take_while(|it| !ends(at(*it))).any(|it| FAIL.contains(&at(it)));
            if fails {
                (out.failed, out.passed, out.total) = (Some(part), Some(whole - part), Some(whole));
            } else {
                (out.passed, out.total) = (Some(part), Some(whole));
            }
        }
        let count = number(word).or_else(|| ZERO.contains(&word).then_some(0));
        let Some(count) = count else { continue };
        // "14 November has passed."
        if at(place + 1) != "may" && steadfast_time::month_word(at(place + 1)).is_some() {
            continue;
        }
        // "Under 500 kB", "a budget of 300 ms".
        if matches!(
            at(place + 1),
            "kb" | "mb" | "gb" | "kib" | "mib" | "gib" | "bytes" | "px" | "%" | "percent" | "lines" | "columns"
        ) {
            continue;
        }
        if matches!(
            at(place + 1),
            "times"
                | "time"
                | "runs"
                | "files"
                | "packages"
                | "minutes"
                | "seconds"
                | "s"
                | "ms"
                | "errors"
                | "warnings"
        ) && !(at(place + 1) == "errors" && noun)
            || matches!(
                at(place.wrapping_sub(1)),
                "line" | "exit" | "code" | "status" | "version" | "python" | "node" | "issue"
            )
        {
            continue;
        }
        // "✓ 73", "passed: 12", and "Failed: 0".
        let label =
            if at(place.wrapping_sub(1)) == ":" { at(place.wrapping_sub(2)) } else { at(place.wrapping_sub(1)) };
        let marked = matches!(label, "✓" | "✅" | "✔" | "✗" | "❌" | "✘");
        let by_label = (marked || at(place.wrapping_sub(1)) == ":" || ends(at(place + 1)))
            .then(|| role(label))
            .flatten()
            .filter(|_| {
                marked
                    || place > 0
                        && at(place.wrapping_sub(1)) == ":"
                        && !result(at(place + 1))
                        && !NOUNS.contains(&at(place + 1))
            });
        let mut own = by_label;
        if own.is_none() {
            let mut counted = false;
            for next in place + 1..=place + 6 {
                let word = at(next);
                if ends(word)
                    || number(word).is_some()
                    || (matches!(word, "and" | "with") && counted)
                    || (ZERO.contains(&word) && next > place + 1)
                {
                    break;
                }
                if let Some(role) = role(word).filter(|it| *it != Role::Total) {
                    let attribute = role == Role::Failed
                        && !noun
                        && !ends(at(next + 1))
                        && !matches!(at(next + 1), "and" | "in" | "out");
                    if !attribute
                        && of_tests(word)
                        && (role != Role::Passed || passes_at(next))
                        && !(role == Role::Failed && names(next))
                    {
                        own = Some(role);
                    }
                    break;
                }
                counted |= NOUNS.contains(&word);
                if (word == "error" || word == "errors") && noun {
                    own = Some(Role::Failed);
                    break;
                }
            }
            // "12 tests, 0 failures", "127 tests run".
            if own.is_none() && counted && count > 0 {
                own = Some(Role::Total);
            }
        }
        match own {
            Some(Role::Passed) if count > 0 || by_label.is_some() => {
                let more = (place + 1..place + 3).any(|it| matches!(at(it), "more" | "other" | "others"));
                out.passed = match out.passed {
                    None => Some(count),
                    Some(before) if more => Some(before + count),
                    own => own,
                };
            }
            Some(Role::Failed) => out.failed = out.failed.or(Some(count)),
            Some(Role::Skipped) => out.skipped = out.skipped.or(Some(count)),
            // What was added is a part of all.
            Some(Role::Total)
                if out.total.is_none()
                    && !matches!(at(place.wrapping_sub(1)), "added" | "wrote" | "new" | "adds" | "these" | "those")
                    && !matches!(at(place + 1), "new" | "more" | "additional") =>
            {
                out.total = Some(count);
            }
            _ => {}
        }
    }
    // "80 tests keep passing and I added 4 more, which pass as well."
    for place in 0..all.len() {
        if let (Some(count), Some(before)) = (number(at(place)), out.passed)
            && matches!(at(place + 1), "more" | "others")
            && at(place + 2) == ","
            && (place + 3..place + 7).any(|it| PASS.contains(&at(it)))
        {
            (out.passed, out.all_pass) = (Some(before + count), Some(true));
        }
        if matches!(at(place), "failure" | "failures" | "failed")
            && at(place + 1) == "out"
            && let Some(whole) = number(at(place + 3))
        {
            (out.passed, out.total) = (whole.checked_sub(out.failed.unwrap_or(0)), Some(whole));
        }
        if at(place) == "none"
            && at(place + 1) == "of"
            && is(FAIL)
            && let Some(count) = (place + 2..place + 5).find_map(|it| number(at(it)))
        {
            (out.passed, out.failed, out.total) = (Some(count), Some(0), Some(count));
        }
    }
    // "Nothing skipped", "none was skipped"; "none failed, 3 skipped" says otherwise.
    let denies_skips = |place: usize| {
        SKIP.contains(&at(place))
            && (1..=3)
                .map_while(|back| place.checked_sub(back))
                .take_while(|before| !ends(at(*before)) && number(at(*before)).is_none() && !result(at(*before)))
                .any(|before| matches!(at(before), "nothing" | "none" | "without"))
    };
    if out.skipped.is_none() && (0..all.len()).any(denies_skips) {
        out.skipped = Some(0);
    }
    let passes = (0..all.len()).any(|it| passes_at(it) && !DENIALS.contains(&at(it.wrapping_sub(1))));
    let refused = (0..all.len()).any(|it| passes_at(it) && denied(it) && at(it.wrapping_sub(1)) != "and")
        && is(&["not", "never", "don't", "doesn't", "isn't", "aren't", "didn't", "neither"]);
    let fails = (0..all.len()).any(|it| FAIL.contains(&at(it)) && !denied(it) && !names(it)) && out.failed != Some(0)
        || out.failed.is_some_and(|it| it > 0);
    let clean = (0..all.len()).any(|it| FAIL.contains(&at(it)) && of_tests(at(it)) && denied(it));
    if clean && out.failed.is_none() && !fails {
        out.failed = Some(0);
    }
    let marked = is(&["✓", "✅", "✔"]);
    // "So it should pass."
    if (1..all.len()).any(|it| passes_at(it) && matches!(at(it - 1), "should" | "would" | "must" | "might" | "may")) {
        return None;
    }
    // "Test results ✅" heads what follows.
    let only_marked = marked && (0..all.len()).all(|it| !passes_at(it) || matches!(at(it), "✓" | "✅" | "✔"));
    if only_marked && out == Said::default() && is(&["result", "results", "summary", "status", "coverage", "plan"]) {
        return None;
    }
    // "All 3 replicas are green": all of another thing.
    let every_at = all.iter().position(|word| matches!(word.as_str(), "all" | "every" | "everything"));
    let of_other = every_at.is_some_and(|place| {
        let next = (place + 1..place + 5).find(|it| {
            number(at(*it)).is_none()
                && !matches!(
                    at(*it),
                    "of" | "the" | "them" | "those" | "new" | "is" | "are" | "now" | "still" | "these" | "," | "good"
                )
        });
        at(place) != "everything" && next.is_some_and(|it| !result(at(it)) && !NOUNS.contains(&at(it)) && !ends(at(it)))
    });
    // "All tests except one pass", "all but one".
    let is_pair = |pair: &[String]| {
        matches!(
            (pair[0].as_str(), pair[1].as_str()),
            ("apart" | "aside", "from") | ("other", "than") | ("but", "for" | "one" | "two" | "three" | "a")
        )
    };
    let excepted = every_at.is_some_and(|place| {
        at(place + 1) == "but" || is(&["except", "besides", "bar", "excluding"]) || all.windows(2).any(is_pair)
    });
    if excepted && passes && noun {
        return Some(Said { all_pass: Some(false), ..Said::default() });
    }
    let every = every_at.is_some() || is(&["full", "whole", "entire", "suite", "suites", "100%"]);
    let counts = out.passed.is_some() || out.failed.is_some_and(|it| it > 0) || out.failed.is_some() && is(FAIL);
    let subject = noun
        || (every_at.is_some() && passes && !of_other)
        || (counts && (passes || is(FAIL) || marked) && !of_other)
        || (out.total.is_some() && marked);
    if !subject || (!passes && !fails && !clean && !marked && out.skipped.is_none() && out.failed.is_none()) {
        return None;
    }
    if !noun && out.passed.is_none() && out.failed.is_none() && !every {
        return None;
    }
    if let (Some(part), Some(whole)) = (out.passed, out.total) {
        if part < whole && !(out.failed == Some(0) && out.skipped.is_some()) {
            out.all_pass = Some(false);
            out.failed = out.failed.or(Some(whole - part).filter(|_| out.skipped.is_none()));
        } else {
            out.all_pass = Some(true);
        }
    }
    if out.failed.is_some_and(|it| it > 0) || refused || (fails && !passes) {
        out.all_pass = Some(false);
    } else if out.failed == Some(0) || (passes && every && !fails) {
        out.all_pass = Some(true);
    }
    if marked && !fails && !refused && (out.total.is_some() || out.passed.is_some() && passes) && out.all_pass.is_none()
    {
        out.all_pass = Some(true);
    }
    // "The tests pass", "the run is clean": the plain plural with its article is all of them.
    let article = all.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "the" | "existing")
            && matches!(pair[1].as_str(), "tests" | "suite" | "specs" | "test")
    });
    if out.all_pass.is_none()
        && passes
        && noun
        && !fails
        && !refused
        && (out.passed.is_none() && (article || matches!(at(0), "tests" | "test"))
            || out.passed.is_none() && out.total.is_some() && is(&["all", "green", "clean"]))
    {
        out.all_pass = Some(true);
    }
    if out.all_pass == Some(true) {
        if every && out.total.is_none() && out.passed.is_some() {
            out.total = out.passed;
        }
        if let (Some(whole), None) = (out.total, out.passed) {
            out.passed = whole.checked_sub(out.skipped.unwrap_or(0));
        }
        if out.passed.is_some() || out.total.is_some() {
            out.failed = out.failed.or(Some(0));
        }
    }
    (out != Said::default()).then_some(out)
}

fn role(word: &str) -> Option<Role> {
    if matches!(word, "through" | "clean" | "cleanly") {
        None
    } else if PASS.contains(&word) {
        Some(Role::Passed)
    } else if FAIL.contains(&word) {
        Some(Role::Failed)
    } else if SKIP.contains(&word) {
        Some(Role::Skipped)
    } else if word == "total" {
        Some(Role::Total)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn all_but_one_are_not_all() {
        for text in ["All tests pass but for one.", "All tests except one pass.", "All tests but one pass."] {
            assert_ne!(said(text).and_then(|own| own.all_pass), Some(true), "for {text:?}");
        }
        assert_eq!(said("All tests pass.").and_then(|own| own.all_pass), Some(true));
        assert_eq!(said("Test Results ✅"), None);
        assert_eq!(said("The test expects this, so it should pass."), None);
        assert_eq!(said("14 November has passed."), None);
        assert_eq!(said("It found nothing broken."), None);
        assert_eq!(said("Tests ✅").and_then(|own| own.all_pass), Some(true));
    }
}
