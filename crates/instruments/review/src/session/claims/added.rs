//! "I added three tests" against the definitions of tests in the lines that were put in.

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::{Deed, is_test_file};
use super::super::units::Unit;
use super::files::writes_unseen;
use super::tests::is_unsaid;
use super::todos::standing;
use crate::words::words;

/// Whether a line defines a test.
fn defines(line: &str) -> bool {
    let low = line.trim_start();
    let starts = |all: &[&str]| all.iter().any(|it| low.starts_with(it));
    starts(&[
        "def test",
        "async def test",
        "func Test",
        "func test",
        "func Fuzz",
        "func Benchmark",
        "it(",
        "it.each",
        "it.only(",
        "test(",
        "test.each",
        "test \"",
        "test '",
        "test.skip(",
        "specify ",
        "scenario ",
        "Scenario:",
        "@Test",
        "@ParameterizedTest",
        "[Fact",
        "[Theory",
        "[Test",
        "[TestMethod",
        "#[test]",
        "#[tokio::test",
        "#[rstest",
        "#[test_case",
        "TEST(",
        "TEST_F(",
        "TEST_P(",
        "TEST_CASE(",
        "@test ",
        "it \"",
        "it '",
        "describe(",
        "fun `",
        "public function test",
        "void test",
        "public void test",
        "testWidgets(",
        "Deno.test(",
        "subtest ",
        "Scenario Outline:",
        "property(",
        "proptest!",
        "it should",
        "check(",
        "assert",
    ]) || line.contains("t.Run(")
        || line.contains("pytest.param(")
        || line.contains("fun test")
        || line.contains(" should \"")
        || line.contains(" in {") && line.contains('"')
        || line.contains("@pytest.mark.parametrize")
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    let all = words(&unit.text.replace(['`', '*', '('], " "));
    let is = |place: usize, names: &[&str]| all.get(place).is_some_and(|word| names.contains(&word.as_str()));
    let things = ["test", "tests", "specs", "spec", "cases", "case"];
    // "added 3 unit tests", "new test `x`", "tests added": what follows is no file, helper or command.
    let found = (0..all.len()).find(|verb| {
        let verbs = is(*verb, &["added", "wrote", "written", "new", "adds", "introduced"]);
        verbs
            && (*verb + 1..*verb + 6).any(|at| {
                is(at, &things)
                    && !is(
                        at + 1,
                        &[
                            "file",
                            "files",
                            "helper",
                            "helpers",
                            "data",
                            "command",
                            "script",
                            "dependency",
                            "suite",
                            "utils",
                            "double",
                            "fixture",
                            "fixtures",
                            "run",
                            "database",
                        ],
                    )
            })
    })?;
    // What stands behind what was added takes nothing back.
    let until = all.len().min(found + 7);
    let denied = (0..until).any(|at| is(at, &["not", "no", "never", "without", "didn't", "haven't", "isn't"]));
    if denied || is_unsaid(&all[..until]) {
        return None;
    }
    let of_tests = (0..all.len())
        .any(|at| is(at, &["test", "tests", "specs", "spec", "pytest", "jest"]) || all[at].contains("test"));
    if !of_tests || is(found + 1, &["existing"]) {
        return None;
    }
    let of = |state, why: &str| Claim::of(unit.span, ClaimKind::AddedTests, state, why);
    let edited: Vec<&Deed> = deeds.iter().filter(|deed| !deed.edits.is_empty()).collect();
    if edited.is_empty() && !deeds.iter().any(writes_unseen) {
        return Some(of(ClaimState::Unsupported, "no edit is in the session"));
    }
    let found = standing(deeds, |_, line| defines(line));
    if let Some((turn, line)) = found.iter().find(|(_, line)| !line.starts_with("assert")).or(found.first()) {
        return Some(of(ClaimState::Supported, "the lines that were put in define tests").with(*turn, line.clone()));
    }
    if deeds.iter().any(|deed| !deed.exact) || deeds.iter().any(writes_unseen) {
        return Some(of(ClaimState::NotCheckable, "not all lines of the edits are known"));
    }
    let in_tests = |deed: &&Deed| deed.edits.iter().any(|edit| is_test_file(&edit.path));
    let grown: isize = deeds
        .iter()
        .flat_map(|deed| &deed.edits)
        .filter(|edit| is_test_file(&edit.path))
        .map(|edit| edit.added.len() as isize - edit.removed.len() as isize)
        .sum();
    Some(match edited.iter().copied().rfind(in_tests) {
        None => of(ClaimState::Contradicted, "no file of tests was edited, and no line that was put in defines a test"),
        Some(deed) if grown <= 1 => {
            of(ClaimState::Contradicted, "no line that was put in defines a test").with(deed.turn, deed.shown())
        }
        Some(_) => of(ClaimState::NotCheckable, "whether the lines that were put in are tests is not known"),
    })
}
