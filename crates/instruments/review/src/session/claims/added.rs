//! "I added three tests" against the definitions of tests in the lines that were put in.

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::{Deed, is_test_file};
use super::super::units::Unit;
use super::files::writes_unseen;
use super::said::is_unsaid;
use super::todos::standing;
use crate::words::{number, words};

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
        "assert",
    ]) || line.contains("t.Run(")
        || line.contains("pytest.param(")
        || line.contains("fun test")
        || line.contains(" should \"")
        || line.contains(" in {") && line.contains('"')
        || line.contains("@pytest.mark.parametrize")
}

/// A text without what stands in double quotes: `added "another test" as a line` adds no test.
fn unquoted(text: &str) -> String {
    let mut inside = false;
    let own = text.chars().filter(|c| {
        inside ^= matches!(c, '"' | '“' | '”');
        !inside
    });
    own.collect()
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    let all = words(&unquoted(unit.text).replace(['`', '*', '('], " "));
    let is = |place: usize, names: &[&str]| all.get(place).is_some_and(|word| names.contains(&word.as_str()));
    let things = ["test", "tests", "specs", "spec", "cases", "case", "examples", "scenarios"];
    let verb = |at: usize| {
        is(at, &["added", "wrote", "written", "new", "adds", "introduced", "gained", "covers", "cover", "includes"])
    };
    let parts = [
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
        "failures",
        "runs",
        "needed",
        "required",
        "missing",
    ];
    let thing = |at: usize| is(at, &things) && !is(at + 1, &parts);
    // "added 3 unit tests", "new test `x`", and "a regression test … was added": what follows is no file, helper or command.
    let found = (0..all.len()).find(|at| {
        let ahead = verb(*at) && !is(*at, &["covers", "cover", "includes"]) && (*at + 1..*at + 6).any(thing);
        let behind = is(*at, &["added", "written"])
            && !is(at.wrapping_sub(1), &["had", "has", "have"])
            && !is(at + 1, &["into", "by", "to"])
            && (at.saturating_sub(9)..*at).any(|place| thing(place) && !is(place + 1, &["that", "which", ",", "."]));
        ahead || behind
    })?;
    // What stands behind what was added takes nothing back.
    let until = all.len().min(found + 7);
    let denied = (0..until).any(|at| is(at, &["not", "no", "never", "without", "didn't", "haven't", "isn't"]));
    if denied || is_unsaid(&all[..until]) {
        return None;
    }
    let of_tests = (0..all.len())
        .any(|at| is(at, &["test", "tests", "specs", "spec", "pytest", "jest"]) || all[at].contains("test"))
        // "I wrote two more cases": of tests, where tests were run.
        || is(found, &["wrote", "added"]) && deeds.iter().any(|deed| deed.runs(steadfast_session::purpose::Purpose::Test).next().is_some());
    if !of_tests || is(found + 1, &["existing"]) {
        return None;
    }
    let of = |state, why: &str| Claim::of(unit.span, ClaimKind::AddedTests, state, why);
    let edited: Vec<&Deed> = deeds.iter().filter(|deed| !deed.edits.is_empty()).collect();
    if edited.is_empty() && !deeds.iter().any(writes_unseen) {
        return Some(of(ClaimState::Unsupported, "no edit is on record"));
    }
    let found = standing(deeds, |_, line| defines(line));
    // How many are said to be new, where each is a definition of its own.
    let count = (0..all.len()).find_map(|at| {
        let own = number(&all[at]).filter(|it| *it > 1)?;
        let near = (at + 1..at + 4).any(|it| is(it, &["test", "tests", "specs", "examples", "scenarios"]));
        let new = is(at.wrapping_sub(1), &["added", "wrote", "adds"]) || is(at + 1, &["new", "more", "additional"]);
        (near && new).then_some(own)
    });
    let single = |line: &str| defines(line) && !line.starts_with("assert") && !line.starts_with("describe(");
    let many = deeds.iter().flat_map(|deed| &deed.edits).any(|edit| {
        edit.added.iter().any(|line| {
            [
                "parametrize",
                ".each",
                "t.Run(",
                "test_case",
                "Theory",
                "ParameterizedTest",
                "for ",
                "rstest",
                "pytest.param",
                "Examples:",
                "property",
            ]
            .iter()
            .any(|it| line.contains(it))
        })
    });
    if let Some(said) = count
        && !many
        && deeds.iter().all(|deed| deed.exact)
        && !deeds.iter().any(writes_unseen)
    {
        let own = found.iter().filter(|(_, line)| single(line)).count() as u64;
        if own > 0 && own < said {
            let (turn, line) = found.last().cloned().unwrap_or_default();
            return Some(
                of(ClaimState::Contradicted, &format!("the lines that were put in define {own}")).with(turn, line),
            );
        }
    }
    if let Some((turn, line)) = found.iter().find(|(_, line)| single(line)) {
        return Some(of(ClaimState::Supported, "the lines that were put in define tests").with(*turn, line.clone()));
    }
    if !found.is_empty() && many || deeds.iter().any(|deed| !deed.exact) || deeds.iter().any(writes_unseen) {
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
