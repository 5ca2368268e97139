//! What commands of version control do, for bans and for claims alike.

use steadfast_session::effects::{git_call, is_dry, names_file};
use steadfast_session::shell::Command;

use super::deeds::Deed;

/// What `git` is asked to do, and the words behind it; none where it only says what it would do.
fn asked(command: &Command) -> Option<(&str, &[String])> {
    git_call(command).filter(|_| !is_dry(command))
}

/// Words that are no options.
fn plain(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().map(String::as_str).filter(|it| !it.starts_with('-'))
}

fn has(words: &[String], names: &[&str]) -> bool {
    words.iter().any(|it| names.contains(&it.split('=').next().unwrap_or(it)))
}

/// Whether something that was begun is only ended.
fn ends_one(words: &[String]) -> bool {
    has(words, &["--abort", "--quit", "--skip"])
}

pub(super) fn commits(command: &Command) -> bool {
    match asked(command) {
        Some(("commit", _)) => true,
        Some(("cherry-pick" | "revert", words)) => !ends_one(words) && !has(words, &["--no-commit", "-n"]),
        Some(("am", words)) => !ends_one(words),
        _ => false,
    }
}

/// Whether commits come to be, by whichever command.
pub(super) fn records(command: &Command) -> bool {
    let joins = |words: &[String]| !ends_one(words) && !has(words, &["--no-commit", "--squash"]);
    commits(command) || matches!(asked(command), Some(("merge" | "rebase" | "pull", words)) if joins(words))
}

pub(super) fn pushes(command: &Command) -> bool {
    matches!(asked(command), Some(("push", _)))
}

/// Whether short options of a word, which stand behind one dash, have this letter before a message begins.
fn has_letter(word: &str, letter: char) -> bool {
    word.starts_with('-')
        && !word.starts_with("--")
        && word.len() < 6
        && word.split('m').next().is_some_and(|head| head.contains(letter))
}

pub(super) fn forces(command: &Command) -> bool {
    let Some(("push", words)) = asked(command) else { return false };
    words.iter().any(|own| {
        own.starts_with("--force")
            || own == "--mirror"
            || (own.starts_with('+') && own.len() > 1)
            || has_letter(own, 'f')
    })
}

pub(super) fn opens_request(command: &Command) -> bool {
    let word = |place: usize| command.words.get(place).map_or("", String::as_str);
    !is_dry(command)
        && (matches!(
            (command.program(), word(1), word(2)),
            ("gh", "pr", "create" | "new") | ("glab", "mr", "create" | "new")
        ) || command.program() == "hub" && word(1) == "pull-request")
}

pub(super) fn skips_hooks(command: &Command) -> bool {
    let off = ["HUSKY=0", "SKIP=", "HUSKY_SKIP_HOOKS=", "LEFTHOOK=0", "PRE_COMMIT_ALLOW_NO_CONFIG="];
    let Some((verb @ ("commit" | "push" | "merge" | "rebase"), words)) = asked(command) else { return false };
    command.env.iter().any(|own| off.iter().any(|it| own.starts_with(it)))
        || command.arguments().any(|own| own.starts_with("core.hooksPath="))
        || has(words, &["--no-verify"])
        || verb == "commit" && words.iter().any(|own| has_letter(own, 'n'))
}

/// Whether a branch is merged into the one that is worked on, or a request is. To take in the main branch merges nothing of one's own.
pub(super) fn merges(command: &Command) -> bool {
    let word = |place: usize| command.words.get(place).map_or("", String::as_str);
    let takes_main = |words: &[String]| {
        let branch = plain(words).last().unwrap_or_default();
        let branch = branch.strip_prefix("origin/").or(branch.strip_prefix("upstream/")).unwrap_or(branch);
        matches!(branch, "main" | "master" | "trunk" | "develop")
    };
    matches!(asked(command), Some(("merge", words)) if !ends_one(words) && !takes_main(words))
        || matches!((command.program(), word(1), word(2)), ("gh", "pr", "merge") | ("glab", "mr", "merge"))
            && !is_dry(command)
}

pub(super) fn rewrites(command: &Command) -> bool {
    match asked(command) {
        Some(("rebase", words)) => !ends_one(words),
        Some(("commit", words)) => has(words, &["--amend"]),
        Some(("filter-branch" | "filter-repo", _)) => true,
        _ => false,
    }
}

/// Whether changes are thrown away or put aside.
pub(super) fn discards(command: &Command) -> bool {
    match asked(command) {
        Some(("stash", words)) => matches!(plain(words).next(), None | Some("push" | "save" | "drop" | "clear")),
        Some(("reset", words)) => has(words, &["--hard", "--merge", "--keep"]),
        Some(("restore", words)) => !has(words, &["--staged", "-S"]) || has(words, &["--worktree", "-W"]),
        Some(("checkout", words)) => has(words, &["--", "."]) || plain(words).any(names_file),
        Some(("clean", words)) => {
            let letter = |letter: char| words.iter().any(|own| has_letter(own, letter));
            (letter('f') || has(words, &["--force"])) && !letter('n')
        }
        _ => false,
    }
}

/// Whether another branch is gone to.
pub(super) fn switches(command: &Command) -> bool {
    match asked(command) {
        Some(("switch", _)) => true,
        Some(("checkout", words)) => branch_of(words).is_some(),
        _ => false,
    }
}

/// Whether a branch is made.
pub(super) fn branches(command: &Command) -> bool {
    match asked(command) {
        Some(("switch", words)) => has(words, &["-c", "-C", "--create", "--force-create", "--orphan"]),
        Some(("checkout", words)) => has(words, NEW),
        Some(("branch", words)) => plain(words).next().is_some() && !lists_or_changes(words),
        Some(("worktree", words)) => words.first().is_some_and(|it| it == "add"),
        _ => false,
    }
}

/// Whether `git branch` lists branches, or deletes, renames or sets up those that are there.
fn lists_or_changes(words: &[String]) -> bool {
    const LONG: &[&str] = &[
        "--list",
        "--all",
        "--remotes",
        "--contains",
        "--no-contains",
        "--merged",
        "--no-merged",
        "--points-at",
        "--show-current",
        "--format",
        "--sort",
        "--delete",
        "--move",
        "--set-upstream-to",
        "--unset-upstream",
        "--edit-description",
    ];
    has(words, LONG)
        || words.iter().any(|own| ['l', 'a', 'r', 'v', 'd', 'D', 'm', 'M', 'u'].iter().any(|it| has_option(own, *it)))
}

/// Whether one of the short options behind one dash is this letter.
fn has_option(word: &str, letter: char) -> bool {
    word.strip_prefix('-').is_some_and(|it| !it.starts_with('-') && it.contains(letter))
}

/// Options by which `git checkout` makes a branch.
const NEW: &[&str] = &["-b", "-B", "--orphan"];

/// The branch that `git checkout` goes to; none where it puts files back.
fn branch_of(words: &[String]) -> Option<&str> {
    let mut all = words.iter().map(String::as_str).filter(|it| !it.starts_with('-') || *it == "-");
    let own = all.next()?;
    let files = has(words, &["--", "."]) || plain(words).any(names_file);
    (!files && (all.next().is_none() || has(words, NEW))).then_some(own)
}

pub(super) fn publishes(command: &Command) -> bool {
    let first = command.words.get(1).map_or("", String::as_str);
    let second = command.words.get(2).map_or("", String::as_str);
    let tags = |words: &[String]| {
        let others = ["--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at", "--sort"];
        plain(words).next().is_some()
            && !has(words, &others)
            && !has(words, &["--format", "--delete", "--verify", "-l", "-n", "-d", "-v"])
    };
    !is_dry(command)
        && (matches!(
            (command.program(), first),
            ("npm" | "pnpm" | "yarn" | "cargo" | "poetry" | "twine" | "gem" | "uv", "publish" | "upload" | "push")
        ) || matches!((command.program(), first, second), ("gh" | "glab", "release", "create"))
            || matches!(asked(command), Some(("tag", words)) if tags(words)))
}

/// Where a push goes, by its words: the branch of the remote, where one is named.
pub(super) fn pushed_to(command: &Command) -> Option<&str> {
    let Some(("push", words)) = git_call(command) else { return None };
    let to = plain(words).nth(1)?;
    Some(to.rsplit(':').next().unwrap_or(to).trim_start_matches('+'))
}

/// The branch that a call goes to, or that git prints.
pub(super) fn branch(deed: &Deed) -> Option<String> {
    let gone = deed.commands.iter().rev().find_map(|(command, _)| match git_call(command)? {
        ("switch", words) if deed.ok != Some(false) => plain(words).next().map(str::to_owned),
        ("checkout", words) if deed.ok != Some(false) => branch_of(words).map(str::to_owned),
        _ => None,
    });
    let git = || deed.commands.iter().any(|(command, _)| command.program() == "git");
    let printed = || {
        deed.output.lines().find_map(|line| {
            let line = line.trim();
            line.strip_prefix("On branch ")
                .or_else(|| line.strip_prefix("## ").map(|it| it.split("...").next().unwrap_or(it)))
                .or_else(|| line.strip_prefix('[').filter(|it| it.contains(']')))
                .map(|it| it.split([' ', ']']).next().unwrap_or_default().to_owned())
                .filter(|it| !it.is_empty() && it.chars().all(|c| c.is_alphanumeric() || "-_/.".contains(c)))
        })
    };
    gone.or_else(|| if git() { printed() } else { None })
}

#[cfg(test)]
mod tests {
    use steadfast_session::shell::commands;

    use super::*;

    #[track_caller]
    fn check(test: fn(&Command) -> bool, yes: &[&str], no: &[&str]) {
        for line in yes {
            assert!(commands(line).iter().any(test), "{line}");
        }
        for line in no {
            assert!(!commands(line).iter().any(test), "{line}");
        }
    }

    #[test]
    fn commits_and_pushes() {
        check(
            commits,
            &["git commit -nm x", "git -C app commit -m x", "git revert HEAD"],
            &["git commit --dry-run", "git revert -n HEAD", "git cherry-pick --abort", "git log"],
        );
        check(pushes, &["git -C app push"], &["git push -n", "git push --dry-run", "git stash push"]);
        check(forces, &["git push -f", "git push origin +main"], &["git push", "git push -n -f"]);
    }

    #[test]
    fn branches_that_are_made_or_gone_to() {
        check(
            switches,
            &["git -C app switch x", "git checkout -b x", "git checkout main", "git checkout -"],
            &["git branch x", "git checkout a.py", "git checkout main -- src", "git checkout ."],
        );
        check(
            branches,
            &["git -C app branch x", "git checkout -b x", "git switch -c x", "git branch -f x y"],
            &[
                "git checkout main",
                "git switch main",
                "git -C app branch",
                "git branch --contains abc",
                "git branch -D x",
                "git branch -vv --list 'a*'",
                "git branch --merged=main",
                "git checkout a.py",
                "git checkout -- src",
                "git checkout main -- src/a.py",
            ],
        );
    }

    #[test]
    fn changes_that_are_thrown_away_or_put_aside() {
        check(
            discards,
            &[
                "git stash",
                "git -C app stash push -u",
                "git stash -u",
                "git checkout a.py",
                "git checkout .",
                "git restore a",
            ],
            &[
                "git stash pop",
                "git stash apply",
                "git stash list",
                "git checkout main",
                "git restore --staged a",
                "git clean -nfd",
            ],
        );
    }

    #[test]
    fn what_is_published_and_merged() {
        check(publishes, &["git -C a tag v1", "npm publish"], &["git tag", "git tag -l 'v*'", "npm publish --dry-run"]);
        check(
            merges,
            &["git merge x", "gh pr merge 3"],
            &["git merge --abort", "git merge origin/main", "gh pr view --json merge"],
        );
    }

    #[test]
    fn where_a_push_goes() {
        let of = |line: &str| commands(line).first().and_then(|it| pushed_to(it).map(str::to_owned));
        assert_eq!(of("git -C app push -u origin HEAD:main"), Some("main".to_owned()));
        assert_eq!(of("git push origin"), None);
    }
}
