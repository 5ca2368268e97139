//! "The build is green", "ESLint reports nothing", "types check" against the last run of what is named.

use steadfast_session::outcome::report;
use steadfast_session::purpose::{Purpose, invocation, purposes};
use steadfast_session::shell::Command;

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::{Deed, is_document};
use super::super::units::{Unit, code_spans};
use super::said::is_unsaid;
use crate::words::words;

struct Subject {
    purpose: Purpose,
    kind: ClaimKind,
    /// Words that name it.
    nouns: &'static [&'static str],
    /// Tools that name it.
    tools: &'static [&'static str],
}

const SUBJECTS: &[Subject] = &[
    Subject {
        purpose: Purpose::Build,
        kind: ClaimKind::Build,
        nouns: &["build", "builds", "compiles", "compilation", "bundle"],
        tools: &[
            "cargo build",
            "cargo check",
            "go build",
            "npm run build",
            "next build",
            "vite build",
            "mvn",
            "gradle",
            "docker build",
        ],
    },
    Subject {
        purpose: Purpose::Lint,
        kind: ClaimKind::Lint,
        nouns: &["lint", "linter", "linters", "linting", "lints", "offenses", "offences"],
        tools: &[
            "eslint",
            "ruff",
            "clippy",
            "flake8",
            "pylint",
            "golangci-lint",
            "rubocop",
            "go vet",
            "biome",
            "stylelint",
            "phpstan",
            "shellcheck",
            "phpcs",
            "staticcheck",
            "swiftlint",
            "ktlint",
            "detekt",
            "credo",
            "tslint",
            "oxlint",
            "hadolint",
            "tflint",
            "pre-commit",
            "checkstyle",
            "psalm",
            "yamllint",
        ],
    },
    Subject {
        purpose: Purpose::TypeCheck,
        kind: ClaimKind::Types,
        nouns: &["typecheck", "typechecks", "type-check", "type-checks", "typechecking", "type-checking"],
        tools: &[
            "tsc",
            "mypy",
            "pyright",
            "vue-tsc",
            "type check",
            "type checks",
            "type checker",
            "svelte-check",
            "dialyzer",
        ],
    },
];

const GOOD: &[&str] = &[
    "succeeds",
    "succeeded",
    "succeed",
    "pass",
    "passes",
    "passed",
    "passing",
    "green",
    "clean",
    "cleanly",
    "works",
    "completes",
    "completed",
    "ok",
    "compiles",
    "quiet",
    "happy",
    "silent",
    "successful",
    "successfully",
    "fine",
    "complains",
];

/// Whether a sentence says that there is nothing wrong.
fn nothing_wrong(low: &str, all: &[String]) -> bool {
    let pair = |first: &[&str], then: &[&str]| {
        all.iter().enumerate().any(|(at, word)| {
            first.contains(&word.as_str()) && all[at + 1..].iter().take(4).any(|next| then.contains(&next.as_str()))
        })
    };
    let things = [
        "errors",
        "error",
        "warnings",
        "warning",
        "issues",
        "problems",
        "offenses",
        "findings",
        "complaints",
        "violations",
    ];
    pair(&["no", "zero", "0", "without", "free"], &things)
        || pair(&["reports", "finds", "found", "reported", "flags"], &["nothing", "no", "0", "zero"])
        || low.contains("nothing to report")
}

fn denied(all: &[String]) -> bool {
    all.iter().any(|word| {
        matches!(
            word.as_str(),
            "not"
                | "never"
                | "fails"
                | "failed"
                | "fail"
                | "failing"
                | "broken"
                | "still"
                | "didn't"
                | "doesn't"
                | "haven't"
                | "hasn't"
                | "wasn't"
                | "isn't"
                | "couldn't"
                | "errored"
                | "except"
                | "but"
                | "unrelated"
        )
    })
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Vec<Claim> {
    let plain: String =
        unit.text.chars().map(|c| if matches!(c, '`' | '*' | '|' | '(' | ')') { ' ' } else { c }).collect();
    let low = plain.to_lowercase();
    let all = words(&plain);
    // "`make lint` is clean" orders nothing.
    let from = usize::from(all.len() > 1 && unit.text.starts_with('`'));
    if is_unsaid(&all[from..]) || denied(&all) {
        return Vec::new();
    }
    let marked = low.contains('✅') || low.contains('✓');
    let good = all.iter().any(|word| GOOD.contains(&word.as_str())) || nothing_wrong(&low, &all) || marked;
    if !good {
        return Vec::new();
    }
    SUBJECTS.iter().filter_map(|subject| one(unit, &low, &all, subject, deeds)).collect()
}

/// Whether a phrase stands in a text between other characters than letters, digits and what names go on with.
fn names(low: &str, phrase: &str) -> bool {
    low.match_indices(phrase).any(|(at, _)| {
        let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '/' | '.'));
        let after = &low[at + phrase.len()..];
        let ends = after.chars().next().is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '/' | '-'))
            && !(after.starts_with('.') && after[1..].starts_with(char::is_alphanumeric));
        outside(low[..at].chars().next_back()) && ends
    })
}

fn one(unit: &Unit<'_>, low: &str, all: &[String], subject: &Subject, deeds: &[Deed]) -> Option<Claim> {
    let tool = subject.tools.iter().find(|tool| names(low, tool));
    let noun = all.iter().any(|word| subject.nouns.contains(&word.as_str()));
    // A program or a command that the session ran for it, named in code: `tflint`, `make types`.
    let ran_tool = code_spans(unit.text).into_iter().find(|name| {
        let is_it = |command: &Command| match name.contains(' ') {
            true => command.line().starts_with(*name),
            false => name.len() > 2 && invocation(command).tool == *name,
        };
        deeds.iter().any(|deed| deed.runs(subject.purpose).any(|(command, _)| is_it(command)))
    });
    let tool = tool.copied().or(ran_tool).map(str::to_lowercase);
    // "the new build step" speaks of no run: what is named must be what is good.
    if tool.is_none() && !noun {
        return None;
    }
    let parts = [
        "step",
        "steps",
        "config",
        "configuration",
        "file",
        "files",
        "script",
        "scripts",
        "cache",
        "system",
        "time",
        "times",
        "size",
        "image",
        "badge",
        "tag",
        "tags",
        "args",
        "output",
        "number",
        "tool",
    ];
    if tool.is_none()
        && !all.iter().enumerate().any(|(at, word)| {
            subject.nouns.contains(&word.as_str())
                && !all.get(at + 1).is_some_and(|next| parts.contains(&next.as_str()))
        })
    {
        return None;
    }
    let of = |state, why: &str| Claim::of(unit.span, subject.kind, state, why);
    let ran = |deed: &&Deed| deed.runs(subject.purpose).next().is_some();
    let by_tool = |deed: &&Deed| {
        tool.as_ref()
            .is_some_and(|tool| deed.commands.iter().any(|(command, _)| names(&command.line().to_lowercase(), tool)))
    };
    // A script of the project may run the tool that is named; another tool may not.
    let candidates: Vec<&Deed> = deeds
        .iter()
        .filter(|deed| {
            by_tool(deed)
                || (ran(deed)
                    && (tool.is_none() || deed.runs(subject.purpose).any(|(command, _)| is_script(&command.line()))))
        })
        .collect();
    let Some(last) = candidates.last() else {
        let builds =
            subject.purpose == Purpose::Build && deeds.iter().any(|deed| deed.runs(Purpose::Test).next().is_some());
        return Some(match builds {
            true => of(ClaimState::NotCheckable, "no build is on record, though tests ran"),
            false => of(ClaimState::Unsupported, "no run of it is on record"),
        });
    };
    let own: Vec<_> = last.runs(subject.purpose).collect();
    let status = own.last().map_or_else(
        || last.commands.last().map_or(steadfast_session::purpose::Status::Other, |(_, status)| *status),
        |(_, status)| *status,
    );
    let own_result = last.came_through(status);
    if own_result.is_none() && last.ok == Some(false) && last.runs(Purpose::Test).next().is_some() {
        return Some(of(ClaimState::NotCheckable, "one of several commands failed, and which is not on record"));
    }
    let printed = report(&last.output);
    let line = |text: Option<&String>| text.cloned().unwrap_or_else(|| last.shown());
    let failed = match own_result {
        Some(ok) => !ok,
        // What it printed may be another command's.
        None if last.commands.len() == 1 || last.ok != Some(true) => {
            printed.ok() == Some(false) || (last.ok == Some(false) && printed.error_lines > 0)
        }
        None => printed.errors.is_some_and(|it| it > 0) || printed.failed.is_some(),
    };
    if failed {
        return Some(
            of(ClaimState::Contradicted, "the last run of it failed")
                .with(last.turn, line(printed.failed.as_ref().or(printed.counted.as_ref()))),
        );
    }
    let none_of = |words: &[&str]| {
        let named = |at: usize| all.get(at).is_some_and(|word| words.contains(&word.as_str()));
        let article = |at: usize| all.get(at).is_some_and(|word| matches!(word.as_str(), "a" | "any" | "single"));
        all.iter().enumerate().any(|(at, word)| {
            matches!(word.as_str(), "no" | "zero" | "0" | "without")
                && (named(at + 1) || article(at + 1) && named(at + 2))
        })
    };
    let is_clean = subject.purpose == Purpose::Lint
        && all.iter().any(|word| matches!(word.as_str(), "clean" | "cleanly" | "quiet" | "silent"));
    // What else the line runs prints nothing of its own.
    let alone = last.commands.iter().all(|(command, _)| {
        purposes(command).contains(&subject.purpose)
            || matches!(command.program(), "cd" | "tail" | "head" | "grep" | "tee" | "sed" | "echo" | "set")
    });
    if none_of(&["findings", "issues", "problems", "offenses", "violations", "complaints"])
        && alone
        && (printed.errors() > 0 || printed.warnings() > 0)
    {
        return Some(
            of(ClaimState::Contradicted, "the last run of it found something")
                .with(last.turn, line(printed.counted.as_ref())),
        );
    }
    if (none_of(&["warnings", "warning"]) || is_clean) && printed.warnings() > 0 {
        let (state, why) = match alone {
            true => (ClaimState::Contradicted, "the last run of it gave warnings"),
            false => (
                ClaimState::Doubtful,
                "the line that ran it gave warnings, and which of its commands did is not on record",
            ),
        };
        return Some(of(state, why).with(last.turn, line(printed.counted.as_ref())));
    }
    if own_result.is_none() && printed.ok().is_none() && last.ok.is_none() {
        return Some(of(ClaimState::NotCheckable, "how it ended is not on record"));
    }
    let edited = deeds
        .iter()
        .skip_while(|deed| (deed.turn, deed.call) <= (last.turn, last.call))
        .any(|deed| deed.edits.iter().any(|edit| !is_document(&edit.path)));
    if edited {
        return Some(
            of(ClaimState::Unsupported, "code was changed behind the last run of it").with(last.turn, last.shown()),
        );
    }
    Some(of(ClaimState::Supported, "the last run of it came through").with(last.turn, last.shown()))
}

fn is_script(line: &str) -> bool {
    [
        "npm",
        "pnpm",
        "yarn",
        "bun",
        "make",
        "just",
        "task",
        "rake",
        "tox",
        "nox",
        "pre-commit",
        "composer",
        "mix",
        "./",
        "turbo",
        "nx",
    ]
    .iter()
    .any(|it| line.starts_with(it))
}

#[cfg(test)]
mod tests {
    use steadfast_session::{Author, Call, Outcome, Session, Turn};

    use crate::session::{ClaimState, assess};

    /// What becomes of a claim where one command line ran and printed this.
    fn state(line: &str, printed: &str, report: &str) -> Vec<ClaimState> {
        let outcome = Outcome { text: printed.to_owned(), exit: Some(0), ..Outcome::default() };
        let call = Call { command: Some(line.to_owned()), outcome: Some(outcome), ..Call::default() };
        let turns = vec![
            Turn::said(1, Author::User, "Fix it."),
            Turn { calls: vec![call], ..Turn::said(2, Author::Agent, "") },
        ];
        let assessed = assess(&Session { turns, ..Session::default() }, report);
        assessed.claims.iter().map(|claim| claim.state).collect()
    }

    #[test]
    fn a_command_with_capitals_is_found() {
        let printed = "Build succeeded.\n    2 Warning(s)\n    0 Error(s)";
        let said = "`dotnet build -c Release`: succeeded, no warnings, no errors";
        assert_eq!(state("dotnet build -c Release 2>&1 | tail -12", printed, said), [ClaimState::Contradicted]);
    }

    #[test]
    fn warnings_of_a_line_of_several_commands_bear_out_no_clean_run() {
        let (warns, said) = ("✖ 2 problems (0 errors, 2 warnings)", "ESLint reports zero errors and zero warnings.");
        assert_eq!(state("npx eslint . && npx vitest run", warns, said), [ClaimState::Doubtful]);
        let clean = "✖ 0 problems (0 errors, 0 warnings)";
        assert_eq!(state("npx eslint . && npx vitest run", clean, said), [ClaimState::Supported]);
    }
}
