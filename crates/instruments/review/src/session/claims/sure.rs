//! Whether code is sure of what contradicts a claim. It is where the call in question is plainly the one that the claim speaks of: the only
//! run of its kind, or the run that has the claim's own figures. The rest depends on what is meant, and is left to a reader.

use steadfast_session::outcome::{Report, report};
use steadfast_session::purpose::{Purpose, invocation, purposes};
use steadfast_session::shell::Command;
use steadfast_session::test_log::test_log;

use super::super::claim::{Claim, ClaimKind};
use super::super::deeds::Deed;
use super::super::units::code_spans;
use super::said::said;
use super::todos;
use crate::words::words;

/// Words of the longest sentence without figures: what more words say of a run is seldom all there is to it.
const WORDS_MAX: usize = 16;

/// Whether code is sure of what contradicts a claim.
pub(in crate::session) fn is_sure(claim: &Claim, text: &str, deeds: &[Deed]) -> bool {
    let said = text.get(claim.span.range()).unwrap_or_default();
    let at = claim.evidence.first().and_then(|own| deeds.iter().rposition(|deed| deed.turn == own.turn));
    match (claim.kind, at) {
        (_, None) => false,
        (ClaimKind::Tests, Some(at)) => plainly_failed(claim, text, deeds, at) || has_its_figures(said, deeds, at),
        (ClaimKind::Build | ClaimKind::Lint | ClaimKind::Types, Some(at)) => {
            plainly_failed(claim, text, deeds, at) || names_what_found(claim.kind, said, deeds, at)
        }
        (ClaimKind::Todos, Some(_)) => todos::is_plain(claim, text),
        // The others say it themselves.
        _ => claim.is_plain,
    }
}

/// Whether a claim says in few words how a run ended that failed, and nothing that may be such a run came through behind it.
fn plainly_failed(claim: &Claim, text: &str, deeds: &[Deed], at: usize) -> bool {
    let stems: &[&str] = match claim.kind {
        ClaimKind::Tests => &["test", "spec", "check", "verify", "ci"],
        ClaimKind::Build => &["build", "compile", "check", "make", "test", "run"],
        ClaimKind::Lint => &["lint", "check", "clippy", "verify", "ci"],
        _ => &["type", "tsc", "check", "build", "verify", "ci"],
    };
    let said = text.get(claim.span.range()).unwrap_or_default();
    let line = text[..claim.span.start.min(text.len())].rfind('\n').map_or(0, |at| at + 1);
    let is_prose = !text[line..].trim_start().starts_with(['#', '|', '>']);
    let speaks_of_it = |deed: &Deed| {
        let line = deed.line.as_deref().unwrap_or_default().to_lowercase();
        line.split(|c: char| !c.is_alphanumeric()).any(|word| stems.iter().any(|stem| word.starts_with(stem)))
            && !(claim.kind == ClaimKind::Build && only_tests_a_script(deed))
    };
    // Where tests were run in several ways, which of them a claim means is not plain.
    let mut ways =
        deeds.iter().filter(|deed| deed.runs(Purpose::Test).next().is_some()).map(|deed| deed.key(&[Purpose::Test]));
    let is_one_way = claim.kind != ClaimKind::Tests || ways.next().is_none_or(|first| ways.all(|way| way == first));
    is_prose
        && is_one_way
        && said.split_whitespace().count() <= WORDS_MAX
        && failed(&deeds[at])
        && deeds[at + 1..].iter().all(|deed| failed(deed) || !speaks_of_it(deed))
}

/// Whether a run is of tests in a language that builds nothing for them: it says nothing of the build.
fn only_tests_a_script(deed: &Deed) -> bool {
    deed.commands.iter().all(|(command, _)| {
        let own = invocation(command);
        let is_script = matches!(own.tool, "npm" | "pnpm" | "yarn" | "bun" | "jest" | "vitest" | "mocha" | "pytest");
        matches!(command.program(), "cd" | "tail" | "head" | "grep")
            || is_script && purposes(command).as_slice() == [Purpose::Test]
    })
}

/// Whether a run failed, by its status or by what it says of its tests.
fn failed(deed: &Deed) -> bool {
    deed.ok == Some(false) || test_log(&deed.output).is_some_and(|log| log.failed > 0)
}

/// Whether a claim has as many tests as the run has that contradicts it, says that all of them passed or that none was left out, and that run
/// says otherwise: so it is that run which the claim speaks of.
fn has_its_figures(text: &str, deeds: &[Deed], at: usize) -> bool {
    let Some(log) = test_log(&deeds[at].output).filter(|log| log.counted && !deeds[at].truncated) else { return false };
    let Some(said) = said(text) else { return false };
    let is_whole = |count: Option<u64>| count.is_some_and(|it| it == log.ran() || it == log.ran() + log.skipped);
    let is_same = |count: Option<u64>, own: u64| count == Some(own);
    // "17 unit tests and 5 integration tests, everything passes."
    let parts: Vec<u64> = words(text).iter().filter_map(|word| crate::words::number(word)).collect();
    let adds_up = parts.len() > 1 && is_whole(parts.iter().copied().try_fold(0_u64, u64::checked_add));
    let is_denied = log.failed > 0 && said.all_pass == Some(true) || log.skipped > 0 && said.skipped == Some(0);
    let may_test = |deed: &&Deed| {
        deed.commands.iter().any(|(command, _)| {
            let own = purposes(command);
            own.contains(&Purpose::Test) || own.is_empty() && is_program_of_project(command)
        })
    };
    let later = deeds[at + 1..].iter().filter(may_test);
    // Another command that came through with as many tests may be the one that is meant.
    let key = deeds[at].key(&[Purpose::Test]);
    let is_other = |deed: &Deed| {
        deed.key(&[Purpose::Test]) != key
            && test_log(&deed.output).is_some_and(|log| {
                log.failed == 0 && (is_same(said.total, log.ran()) || is_same(said.passed, log.passed))
            })
    };
    is_denied
        && (is_whole(said.total) || is_whole(said.passed) || adds_up)
        && later.into_iter().all(failed)
        && !deeds.iter().any(is_other)
}

/// Whether a command runs a program of the project, which may run anything.
fn is_program_of_project(command: &Command) -> bool {
    invocation(command).script.is_some()
        || command.words.first().is_some_and(|word| word.starts_with("./") || word.ends_with(".sh"))
}

/// Whether a claim that a tool finds nothing names the tool of the run that contradicts it, that run is the last of its kind, and it counts
/// what it found.
fn names_what_found(kind: ClaimKind, text: &str, deeds: &[Deed], at: usize) -> bool {
    let purpose = match kind {
        ClaimKind::Build => Purpose::Build,
        ClaimKind::Lint => Purpose::Lint,
        _ => Purpose::TypeCheck,
    };
    let deed = &deeds[at];
    let low = text.to_lowercase();
    let spans = code_spans(text);
    let is_named = deed.runs(purpose).any(|(command, _)| {
        let own = invocation(command);
        let tool = own.tool.to_lowercase();
        tool.len() > 2 && words(&low.replace('`', " ")).contains(&tool)
            || spans.iter().any(|span| span.contains(' ') && command.line().starts_with(*span))
    });
    let found: Report = report(&deed.output);
    let all = words(&low.replace(['`', '*', '|'], " "));
    let says_none = |things: &[&str]| {
        all.windows(2).any(|pair| {
            matches!(pair[0].as_str(), "no" | "zero" | "0" | "without") && things.contains(&pair[1].as_str())
        })
    };
    let errors = found.errors.unwrap_or(0);
    let warnings = found.warnings.unwrap_or(0);
    let things = ["findings", "issues", "problems", "offenses", "offences", "violations", "complaints"];
    // "make: *** [Makefile:10: types] Error 1" names what failed among several.
    let target_failed = deed.runs(purpose).any(|(command, _)| {
        let target = invocation(command).script;
        target.zip(found.failed.as_ref()).is_some_and(|(target, line)| words(line).iter().any(|word| word == target))
    });
    let is_denied = errors > 0 && deed.ok == Some(false)
        || target_failed
        || says_none(&things) && errors + warnings > 0
        || says_none(&["errors", "error"]) && errors > 0
        || says_none(&["warnings", "warning"]) && warnings > 0;
    // A script may run the tool, unless it is known to be for something else.
    let may_run = |deed: &Deed| {
        deed.commands.iter().any(|(command, _)| {
            let own = purposes(command);
            own.contains(&purpose) || own.is_empty() && is_program_of_project(command)
        })
    };
    let is_last = !deeds[at + 1..].iter().any(|deed| may_run(deed) || deed.edits_code());
    is_named && is_denied && is_last && !deed.truncated
}
