//! "Pushed to origin" and "committed" against the commands of git.

use steadfast_session::shell::Command;

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::Deed;
use super::super::units::Unit;
use super::super::vcs;
use super::said::is_unsaid;
use crate::words::words;

/// Words by which git says that it did not push or commit.
const REFUSED: &[&str] = &[
    "[rejected]",
    "[remote rejected]",
    "error: failed to push",
    "fatal:",
    "! [rejected",
    "permission denied",
    "non-fast-forward",
    "nothing to commit",
    "pre-commit hook",
    "everything up-to-date",
];

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    let low = unit.text.to_lowercase();
    let all = words(&unit.text.replace(['`', '*', '(', '/'], " "));
    if is_unsaid(&all)
        || all.iter().any(|word| {
            matches!(
                word.as_str(),
                "not"
                    | "nothing"
                    | "no"
                    | "never"
                    | "didn't"
                    | "haven't"
                    | "hasn't"
                    | "isn't"
                    | "wasn't"
                    | "un-pushed"
                    | "unpushed"
                    | "uncommitted"
                    | "rejected"
                    | "refused"
                    | "failed"
            )
        })
    {
        return None;
    }
    let is = |names: &[&str]| all.iter().any(|word| names.contains(&word.as_str()));
    let on_remote = low.contains("on `origin/")
        || low.contains("on origin/")
        || low.contains("is on `origin")
        || low.contains("to `origin/")
        || low.contains("to origin")
        || [" on origin", " on the remote", " on upstream", " on github", " on gitlab"]
            .iter()
            .any(|it| low.contains(it));
    let (what, test): (&str, fn(&Command) -> bool) = if is(&["pushed"])
        && !is(&["stack", "button", "event", "notification", "image"])
        || on_remote
            && (is(&["commit", "commits", "branch", "pushed", "push", "tag", "tags", "main", "master"])
                || unit.text.contains('`'))
    {
        ("push", vcs::pushes)
    } else if (is(&["opened", "created", "raised"]) && (is(&["pr", "mr"]) || low.contains("pull request")))
        && !is(&["template"])
    {
        ("pull request", vcs::opens_request)
    } else if is(&["committed"]) && !is(&["already", "read", "transaction", "offset", "offsets", "lockfile"])
        || (is(&["commit"])
            && all.iter().any(|word| {
                (7..=40).contains(&word.len())
                    && word.bytes().all(|it| it.is_ascii_hexdigit())
                    && word.bytes().any(|it| it.is_ascii_digit())
            }))
    {
        ("commit", vcs::records)
    } else {
        return None;
    };
    let of = |state, why: String| Claim::of(unit.span, ClaimKind::Pushed, state, why);
    // Files that are handed in beside a report show no command.
    if deeds.iter().all(|deed| deed.evidence) {
        return Some(of(ClaimState::NotCheckable, "no command is on record".to_owned()));
    }
    let last = deeds.iter().rev().find(|deed| deed.commands.iter().any(|(command, _)| test(command)));
    let Some(last) = last else {
        return Some(match what {
            "commit" if !is(&["committed"]) => return None,
            _ => of(ClaimState::Unsupported, format!("no {what} is on record")),
        });
    };
    // What is said of the remote in words that are not read is borne out by no commit.
    if what == "commit" && unit.text.contains("origin/") {
        return Some(of(ClaimState::NotCheckable, "whether it speaks of a push is not plain".to_owned()));
    }
    let low = last.output.to_lowercase();
    let refused = REFUSED.iter().find(|it| low.contains(**it)).filter(|it| {
        last.ok != Some(true)
            || (!it.starts_with("pre-commit") && !it.starts_with("everything") && !it.starts_with("nothing"))
    });
    // A commit and a push may stand in one line: what was rejected is the push.
    let is_rejected = low.contains("rejected") || low.contains("failed to push");
    if let Some(words) =
        refused.filter(|_| if what == "push" { last.ok != Some(true) || is_rejected } else { !is_rejected })
    {
        let line =
            last.output.lines().find(|line| line.to_lowercase().contains(*words)).unwrap_or_default().trim().to_owned();
        let is_plain = what == "push" && rejects(unit.text, last);
        let claim = of(ClaimState::Contradicted, format!("the last {what} was refused"));
        return Some(claim.with(last.turn, line).plainly(is_plain));
    }
    let only = last.commands.iter().filter(|(command, _)| !matches!(command.program(), "cd")).count() == 1;
    Some(match last.ok {
        Some(false) if only => {
            of(ClaimState::Contradicted, format!("the last {what} failed")).with(last.turn, last.shown())
        }
        Some(false) | None => of(ClaimState::NotCheckable, format!("how the {what} ended is not on record")),
        Some(true) => of(ClaimState::Supported, format!("a {what} came through")).with(last.turn, last.shown()),
    })
}

/// Whether git rejected what a claim says is pushed: every reference of the push, or one that the claim names.
fn rejects(said: &str, deed: &Deed) -> bool {
    // " ! [rejected]        main -> main (fetch first)", "   1a2b3c4..5d6e7f8  main -> main".
    let refs = deed.output.lines().filter_map(|line| line.split_once(" -> ").map(|pair| (line, pair.1)));
    let (rejected, taken): (Vec<_>, Vec<_>) =
        refs.partition(|(line, _)| line.trim_start().starts_with('!') && line.contains("rejected]"));
    let is_named = |name: &str| {
        let name = name.split_whitespace().next().unwrap_or_default();
        words(&said.replace(['`', '*', '(', ')', '/'], " ")).iter().any(|word| word == &name.to_lowercase())
    };
    !rejected.is_empty() && (taken.is_empty() || rejected.iter().any(|(_, name)| is_named(name)))
}
