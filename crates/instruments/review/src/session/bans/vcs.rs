//! What commands of version control do.

use steadfast_session::effects::git_verb;
use steadfast_session::shell::Command;

use super::super::deeds::Deed;
use super::found::dry;

pub(super) fn commits(command: &Command) -> bool {
    command.program() == "git"
        && matches!(git_verb(command), Some("commit" | "cherry-pick" | "revert" | "am"))
        && !dry(command)
        && !command.has("--abort")
        && !command.has("--no-commit")
        && (!command.has("-n") || git_verb(command) == Some("commit"))
}

pub(super) fn pushes(command: &Command) -> bool {
    command.program() == "git" && git_verb(command) == Some("push") && !dry(command) && !command.has("-n")
}

/// Whether short options of a word, which stand behind one dash, have this letter before a message begins.
fn has_letter(word: &str, letter: char) -> bool {
    word.starts_with('-')
        && !word.starts_with("--")
        && word.len() < 6
        && word.split('m').next().is_some_and(|head| head.contains(letter))
}

pub(super) fn forces(command: &Command) -> bool {
    pushes(command)
        && command.arguments().any(|own| {
            own.starts_with("--force")
                || own == "--mirror"
                || (own.starts_with('+') && own.len() > 1)
                || has_letter(own, 'f')
        })
}

pub(super) fn opens_request(command: &Command) -> bool {
    let word = |place: usize| command.words.get(place).map_or("", String::as_str);
    !dry(command)
        && (matches!((command.program(), word(1), word(2)), ("gh", "pr", "create") | ("glab", "mr", "create"))
            || command.program() == "hub" && word(1) == "pull-request")
}

pub(super) fn skips_hooks(command: &Command) -> bool {
    let off = ["HUSKY=0", "SKIP=", "HUSKY_SKIP_HOOKS=", "LEFTHOOK=0", "PRE_COMMIT_ALLOW_NO_CONFIG="];
    let env = command.env.iter().any(|own| off.iter().any(|it| own.starts_with(it)));
    let config = command.arguments().any(|own| own.starts_with("core.hooksPath="));
    let short = git_verb(command) == Some("commit") && command.arguments().any(|own| has_letter(own, 'n'));
    command.program() == "git"
        && matches!(git_verb(command), Some("commit" | "push" | "merge" | "rebase"))
        && (command.has("--no-verify") || env || config || short)
        && !command.has("--dry-run")
}

/// To take the main branch into one's own merges nothing of one's own.
pub(super) fn merges(command: &Command) -> bool {
    let branch = command
        .words
        .last()
        .map_or("", |word| word.strip_prefix("origin/").or(word.strip_prefix("upstream/")).unwrap_or(word));
    let takes_main = matches!(branch, "main" | "master" | "trunk" | "develop");
    command.program() == "git" && git_verb(command) == Some("merge") && !command.has("--abort") && !takes_main
        || command.program() == "gh" && command.has("merge") && !dry(command)
}

pub(super) fn rewrites(command: &Command) -> bool {
    let verb = if command.program() == "git" { git_verb(command) } else { None };
    verb == Some("rebase") && !command.has("--abort")
        || verb == Some("commit") && command.has("--amend")
        || matches!(verb, Some("filter-branch" | "filter-repo"))
}

/// Whether changes are thrown away or put aside; `verb` is what the user calls it.
pub(super) fn discards(command: &Command) -> bool {
    let verb = if command.program() == "git" { git_verb(command) } else { None };
    match verb {
        Some("stash") => !command.has("list") && !command.has("show"),
        Some("reset") => command.has("--hard"),
        Some("restore") => !command.has("--staged"),
        Some("checkout") => command.has("--") || command.has("."),
        Some("clean") => {
            command.arguments().any(|own| has_letter(own, 'f')) && !command.arguments().any(|own| has_letter(own, 'n'))
        }
        _ => false,
    }
}

pub(super) fn branches(command: &Command) -> bool {
    let verb = if command.program() == "git" { git_verb(command) } else { None };
    match verb {
        Some("switch") => true,
        Some("checkout") => command.has("-b") || command.has("-B"),
        Some("branch") => {
            command.words.iter().skip(2).any(|it| !it.starts_with('-')) && !command.has("--list") && !command.has("-d")
        }
        _ => false,
    }
}

pub(super) fn publishes(command: &Command) -> bool {
    let first = command.words.get(1).map_or("", String::as_str);
    !dry(command)
        && (matches!(
            (command.program(), first),
            ("npm" | "pnpm" | "yarn" | "cargo" | "poetry" | "twine" | "gem" | "uv", "publish" | "upload" | "push")
        ) || command.program() == "gh" && first == "release" && command.has("create")
            || command.program() == "git"
                && git_verb(command) == Some("tag")
                && command.words.len() > 2
                && !command.arguments().any(|it| {
                    matches!(it, "-l" | "--list" | "--contains" | "--sort" | "-n") || it.starts_with("--sort")
                }))
}

/// The branch that a session stands on at a place: by what it last went to, and by what git printed.
pub(super) fn branch(all: &[Deed], at: usize) -> Option<String> {
    let printed = |deed: &Deed| {
        deed.output.lines().find_map(|line| {
            let line = line.trim();
            line.strip_prefix("On branch ")
                .or_else(|| line.strip_prefix("## ").map(|it| it.split("...").next().unwrap_or(it)))
                .or_else(|| line.strip_prefix('[').filter(|it| it.contains(']')))
                .map(|it| it.split([' ', ']']).next().unwrap_or_default().to_owned())
                .filter(|it| !it.is_empty() && it.chars().all(|c| c.is_alphanumeric() || "-_/.".contains(c)))
        })
    };
    let gone = |deed: &Deed| {
        deed.commands.iter().rev().find_map(|(command, _)| {
            let moves = command.program() == "git" && matches!(git_verb(command), Some("switch" | "checkout"));
            (moves && deed.ok != Some(false) && !command.has("--"))
                .then(|| command.words.iter().skip(2).find(|it| !it.starts_with('-')).cloned())
                .flatten()
        })
    };
    all[..=at].iter().rev().find_map(|deed| {
        let git = deed.commands.iter().any(|(command, _)| command.program() == "git");
        gone(deed).or_else(|| if git { printed(deed) } else { None })
    })
}
