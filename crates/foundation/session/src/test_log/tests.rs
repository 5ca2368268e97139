use super::*;

#[track_caller]
fn check(text: &str, runner: Runner, passed: u64, failed: u64, skipped: u64) {
    let got = test_log(text).map(|it| (it.runner, it.passed, it.failed, it.skipped));
    assert_eq!(got, Some((runner, passed, failed, skipped)), "{text}");
}

#[test]
fn rust() {
    check(
        "running 5 tests\ntest a ... ok\n\ntest result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
        Runner::Cargo,
        5,
        0,
        0,
    );
    check(
        "test result: ok. 5 passed; 0 failed; 1 ignored\ntest result: FAILED. 2 passed; 1 failed",
        Runner::Cargo,
        7,
        1,
        1,
    );
    check("     Summary [   0.052s] 12 tests run: 11 passed (1 slow), 1 failed, 2 skipped", Runner::Nextest, 11, 1, 2);
}

#[test]
fn python() {
    check("==== 4 passed, 1 failed in 0.12s ====", Runner::Pytest, 4, 1, 0);
    check("4 passed, 2 skipped, 1 xfailed, 3 warnings in 1.20s", Runner::Pytest, 4, 0, 3);
    check("=========== 1 error in 0.30s ===========", Runner::Pytest, 0, 1, 0);
    check("Ran 5 tests in 0.001s\n\nOK", Runner::Unittest, 5, 0, 0);
    check("Ran 9 tests in 0.001s\n\nFAILED (failures=1, errors=2, skipped=1)", Runner::Unittest, 5, 3, 1);
    check("Ran 9 tests in 0.001s\n\nOK (skipped=1, expected failures=1)", Runner::Unittest, 7, 0, 2);
}

#[test]
fn javascript() {
    check("Test Suites: 1 failed, 1 total\nTests:       1 failed, 4 passed, 5 total", Runner::Jest, 4, 1, 0);
    check(
        " Test Files  1 passed (1)\n      Tests  12 passed | 1 skipped (13)\n   Duration  1.2s",
        Runner::Vitest,
        12,
        0,
        1,
    );
    check("  5 passing (20ms)\n  1 pending\n  1 failing\n\n  1) a:", Runner::Mocha, 5, 1, 1);
    check("ℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0", Runner::Node, 2, 1, 0);
    check("ok 1 - a\nnot ok 2 - b\n1..2\n# tests 2\n# pass 1\n# fail 1\n# skipped 0", Runner::Node, 1, 1, 0);
    check("ok | 12 passed (3 steps) | 0 failed | 1 ignored (50ms)", Runner::Deno, 12, 0, 1);
    check(
        " 12 pass\n 1 skip\n 2 fail\n 30 expect() calls\nRan 15 tests across 2 files. [90.00ms]",
        Runner::Bun,
        12,
        2,
        1,
    );
    check(
        "Running 5 tests using 2 workers\n  1 failed\n    [chromium] › a.spec.ts:3:1 › b\n  1 flaky\n  2 skipped\n  3 passed (5.2s)",
        Runner::Playwright,
        4,
        1,
        2,
    );
    check(
        "  (Run Starting)\n  5 passing (2s)\n  │ Tests:        6 │\n  │ Passing:      5 │\n  │ Failing:      1 │\n  │ Pending:      0 │\n  │ Skipped:      0 │",
        Runner::Cypress,
        5,
        1,
        0,
    );
}

#[test]
fn go() {
    check(
        "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.com/a\t0.01s",
        Runner::Go,
        2,
        1,
        0,
    );
    check("✓  pkg (10ms)\n\nDONE 12 tests, 1 skipped, 2 failures in 0.3s", Runner::Gotestsum, 9, 2, 1);
    let packages = test_log("ok  \texample.com/a\t0.01s\nFAIL\texample.com/b\t0.02s").unwrap();
    assert!(!packages.counted && packages.failed == 1);
}

#[test]
fn jvm_and_dotnet() {
    check(
        "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s - in A\n[INFO] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in B\n[INFO] Results:\n[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1",
        Runner::Maven,
        3,
        1,
        1,
    );
    check(
        "> Task :test FAILED\nA > b() FAILED\n\n12 tests completed, 1 failed, 2 skipped\n\nBUILD FAILED in 3s",
        Runner::Gradle,
        9,
        1,
        2,
    );
    check("[info] Tests: succeeded 12, failed 1, canceled 0, ignored 2, pending 0", Runner::Sbt, 12, 1, 2);
    check(
        "Failed!  - Failed:     1, Passed:    11, Skipped:     2, Total:    14, Duration: 50 ms - A.dll (net8.0)",
        Runner::Dotnet,
        11,
        1,
        2,
    );
    check("Test summary: total: 12, failed: 1, succeeded: 10, skipped: 1, duration: 2.1s", Runner::Dotnet, 10, 1, 1);
    check(
        "[         5 tests found           ]\n[         4 tests successful      ]\n[         1 tests failed          ]",
        Runner::Junit,
        4,
        1,
        0,
    );
}

#[test]
fn other_languages() {
    check("12 examples, 1 failure, 2 pending", Runner::Rspec, 9, 1, 2);
    check("12 runs, 30 assertions, 1 failures, 1 errors, 2 skips", Runner::Minitest, 8, 2, 2);
    check("OK (12 tests, 30 assertions)", Runner::Phpunit, 12, 0, 0);
    check("FAILURES!\nTests: 12, Assertions: 30, Failures: 1, Errors: 1, Skipped: 2.", Runner::Phpunit, 8, 2, 2);
    check("92% tests passed, 1 tests failed out of 12", Runner::Ctest, 11, 1, 0);
    check(
        "[==========] 12 tests from 3 test suites ran. (5 ms total)\n[  PASSED  ] 10 tests.\n[  SKIPPED ] 1 test, listed below:\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.b",
        Runner::Googletest,
        10,
        1,
        1,
    );
    check(
        "Test Suite 'A' passed\n\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\nTest Suite 'All tests' failed\n\t Executed 5 tests, with 1 test skipped and 1 failure (0 unexpected) in 0.1 (0.1) seconds",
        Runner::Xctest,
        3,
        1,
        1,
    );
    check("Finished in 0.1 seconds\n3 doctests, 12 tests, 1 failure, 2 skipped", Runner::Exunit, 12, 1, 2);
    check("1..3\nok 1 a\nnot ok 2 b\nok 3 c # skip later", Runner::Tap, 1, 1, 1);
    check(
        "t/a.t .. ok\nt/b.t (Wstat: 256 Tests: 5 Failed: 1)\nFiles=2, Tests=12,  1 wallclock secs\nResult: FAIL",
        Runner::Prove,
        11,
        1,
        0,
    );
    check("00:01 +3: a\n00:05 +12 ~2 -1: Some tests failed.", Runner::Dart, 12, 1, 2);
    check("[ FAIL 1 | WARN 0 | SKIP 2 | PASS 12 ]", Runner::Testthat, 12, 1, 2);
}

#[test]
fn other_text_is_no_log() {
    for text in [
        "",
        "ok",
        "12 files changed",
        "I passed 3 exams in 2 years",
        "ok then\nnot ok",
        "5 errors",
        "Running 3 jobs",
        "1 failed",
    ] {
        assert_eq!(test_log(text), None, "{text}");
    }
}

#[test]
fn a_line_over_the_limit_is_not_read() {
    let line = |bytes: usize| format!("{}5 passed in 0.1s", " ".repeat(bytes - 16));
    assert!(test_log(&line(LINE_BYTES_MAX)).is_some());
    assert!(test_log(&line(LINE_BYTES_MAX + 1)).is_none());
}

proptest::proptest! {
    #[test]
    fn nothing_breaks_it(text in "[ -~\n│ℹ✓#=0-9]{0,300}") {
        let _ = test_log(&text);
    }
}

/// Figures that no run of tests has are no counts, whichever runner prints them, and their sums do not overflow.
#[test]
fn counts_over_the_limit_are_left_out() {
    let of = |count: u64| test_log(&format!("{count} passed, 1 skipped in 0.1s")).map(|it| (it.passed, it.skipped));
    assert_eq!(of(COUNT_MAX), Some((COUNT_MAX, 1)));
    assert_eq!(of(COUNT_MAX + 1), Some((0, 1)));
    let most = u64::MAX;
    for line in [
        format!("Tests run: 1, Failures: {most}, Errors: {most}, Skipped: {most}"),
        format!("[{most} tests successful]\n[{most} tests successful]"),
        format!("Tests: succeeded 1, failed 1, canceled {most}, ignored {most}, pending {most}"),
        format!("[info] Passed: Total 1, Failed {most}, Errors {most}, Passed 1, Skipped {most}, Ignored {most}"),
        format!("Passed!  - Failed: {most}, Passed: {most}, Skipped: {most}, Total: {most}"),
        format!("Total tests: 1\n Passed: {most}\n Passed: {most}"),
        format!("⎯⎯ Failed Suites {most} ⎯⎯\nTests: {most} failed, 4 passed, 5 total"),
        format!(
            "92% tests passed, {most} tests failed out of {most}\n92% tests passed, {most} tests failed out of {most}"
        ),
        format!(
            "00:05 +{most} ~{most} -{most}: Some tests failed.\n(Run Starting)\n│ Passing: {most}\n│ Passing: {most}"
        ),
        format!("Ran 9 tests in 0.1s\n\nFAILED (failures={most}, errors={most})"),
        format!("{most} passing (2s)\n{most} failing\n{most} failing"),
    ] {
        let log = test_log(&line);
        assert!(log.is_none_or(|it| it.ran() + it.skipped <= 2 * COUNT_MAX), "{line}: {log:?}");
    }
}

#[test]
fn xml_of_junit_s_form() {
    let one = |attributes: &str| {
        format!("<?xml version=\"1.0\"?>\n<testsuite name=\"a\" {attributes}>\n<testcase/>\n</testsuite>\n")
    };
    check(&one("tests=\"12\" failures=\"1\" errors=\"1\" skipped=\"2\""), Runner::Junit, 8, 2, 2);
    // What is inside of one that counts is counted by it.
    let nested = "<testsuites tests=\"5\" failures=\"1\"><testsuite tests=\"2\" failures=\"1\"/><testsuite tests=\"3\"></testsuite></testsuites>";
    check(nested, Runner::Junit, 4, 1, 0);
    let sum = "<testsuites><testsuite tests=\"2\" failures=\"1\"/><testsuite tests=\"3\"><testsuite tests=\"3\"/></testsuite></testsuites>";
    check(sum, Runner::Junit, 4, 1, 0);
    assert_eq!(test_log("<testsuite name=\"no counts\"></testsuite>"), None);
    assert_eq!(test_log("<testsuitex tests=\"3\">"), None);
}
