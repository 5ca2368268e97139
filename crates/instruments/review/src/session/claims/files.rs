//! "Created `docs/x.md`", "`a.rs` is unchanged" against the edits.

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::Deed;
use super::super::units::{Unit, code_spans, is_path};
use super::said::is_unsaid;
use crate::words::words;
use steadfast_session::Change;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Created,
    Changed,
    Deleted,
    Untouched,
}

fn of_word(word: &str) -> Option<Said> {
    Some(match word {
        "created" | "new" | "added" | "introduced" | "wrote" | "written" | "creates" => Said::Created,
        "updated" | "changed" | "modified" | "edited" | "rewrote" | "refactored" | "extended" | "rewritten"
        | "reworked" => Said::Changed,
        "deleted" | "removed" => Said::Deleted,
        "unchanged" | "untouched" => Said::Untouched,
        _ => return None,
    })
}

/// Whether a path is that of an edit: the same last parts.
pub(super) fn is_same(claimed: &str, path: &str) -> bool {
    let clean = |text: &str| text.trim_start_matches("./").trim_end_matches('/').to_owned();
    let (a, b) = (clean(claimed), clean(path));
    a == b || b.ends_with(&format!("/{a}")) || a.ends_with(&format!("/{b}"))
}

/// Commands that may write files which no call names.
pub(super) fn writes_unseen(deed: &Deed) -> bool {
    deed.commands.iter().any(|(command, _)| {
        let name = command.program();
        let args: Vec<&str> = command.arguments().collect();
        let any = |all: &[&str]| args.iter().any(|it| all.iter().any(|own| it.contains(own)));
        let inline = command.input.is_some() || args.iter().any(|it| matches!(*it, "-c" | "-e" | "-m"));
        match name {
            "python" | "python3" | "node" | "ruby" | "perl" | "php" | "deno" | "tsx" | "ts-node" => {
                !inline || command.input.is_some() || any(&["write", "open(", "generate", "alembic", "black", "build"])
            }
            "git" => any(&[
                "checkout",
                "merge",
                "apply",
                "pull",
                "cherry-pick",
                "rebase",
                "stash",
                "restore",
                "clone",
                "am",
                "mv",
                "submodule",
            ]),
            "npx" | "pnpm" | "npm" | "yarn" | "bun" | "bunx" | "make" | "just" | "rails" | "rake" | "mix" | "cargo"
            | "go" | "dotnet" | "php-artisan" | "artisan" | "alembic" | "prisma" | "terraform" | "helm" | "dart"
            | "flutter" | "ng" | "nx" | "poetry" | "uv" | "buf" | "protoc" | "sqlc" | "composer" | "gradle"
            | "gradlew" | "mvn" => any(&[
                "gen", "init", "new", "create", "scaffold", "codegen", "migrat", "install", "add", "fmt", "fix",
                "format", "revision", "build", "write", "update", "-u", "mod", "tidy", "prettier", "eslint",
                "snapshot",
            ]),
            "tar" | "unzip" | "patch" | "rsync" | "xargs" | "find" | "awk" | "prettier" | "eslint" | "black"
            | "ruff" | "gofmt" | "goimports" | "rustfmt" | "sed" | "isort" => {
                !command.has("--check") && !command.has("-l") && !command.has("-n")
            }
            "cp" => true,
            "curl" | "wget" => any(&["-o", "-O"]) || name == "wget",
            _ => command.words.first().is_some_and(|it| it.starts_with("./") || it.ends_with(".sh")),
        }
    })
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Vec<Claim> {
    if deeds.iter().all(|deed| deed.edits.is_empty() && deed.commands.is_empty()) {
        return Vec::new();
    }
    let all = words(&unit.text.replace(['`', '*', '|', '('], " "));
    if is_unsaid(&all)
        || all.iter().any(|word| {
            matches!(
                word.as_str(),
                "not"
                    | "no"
                    | "never"
                    | "without"
                    | "didn't"
                    | "instead"
                    | "rather"
                    | "like"
                    | "see"
                    | "from"
                    | "into"
                    | "to"
            )
        }) && !unit.row
            && !(unit.item && is_new(unit.heading))
    {
        return Vec::new();
    }
    let mut out = Vec::new();
    for path in code_spans(unit.text).into_iter().map(|it| it.split(':').next().unwrap_or(it)).filter(|it| is_path(it))
    {
        let Some(said) = said(unit, path).or_else(|| describes(unit, path).then_some(Said::Created)) else { continue };
        if let Some(claim) = one(unit, path, said, deeds) {
            out.push(claim);
        }
    }
    out
}

/// What is said of a path: by the cell of its row, else by the word that stands near it.
fn said(unit: &Unit<'_>, path: &str) -> Option<Said> {
    if unit.row {
        return unit.text.split('|').find_map(|cell| of_word(cell.trim().trim_matches('*').to_lowercase().as_str()));
    }
    let (before, after) = unit.text.split_once(&format!("`{path}"))?;
    // An item of a list of what is new that begins with the path.
    if before.trim().is_empty() && unit.item && is_new(unit.heading) {
        return Some(Said::Created);
    }
    // "`a.rs` (new): what it does".
    let behind = after.trim_start_matches('`').trim_start();
    if let Some((word, _)) = behind.strip_prefix('(').and_then(|it| it.split_once(')'))
        && let Some(own) = of_word(word.trim().to_lowercase().as_str())
    {
        return Some(own);
    }
    let before = words(before);
    let near = before.iter().rev().take(4).find_map(|word| of_word(word)).filter(|it| *it != Said::Untouched);
    let behind = words(after.trim_start_matches('`'));
    let is = behind
        .first()
        .is_some_and(|word| matches!(word.as_str(), "is" | "was" | "stays" | "remains" | "has" | ":" | "–" | "—"));
    let then = if is { behind.iter().skip(1).take(3).find_map(|word| of_word(word)) } else { None };
    // A list of new things in a file is no new file: "added `x` in `a.rs`".
    let within = before
        .last()
        .is_some_and(|word| matches!(word.as_str(), "in" | "of" | "for" | "by" | "at" | "via" | "with" | "under"));
    then.or(near.filter(|_| !within))
}

/// Whether a sentence says what a file does, which begins with it: "`down.sql` drops the index".
fn describes(unit: &Unit<'_>, path: &str) -> bool {
    let Some((before, after)) = unit.text.split_once(&format!("`{path}")) else { return false };
    let verb = words(after.trim_start_matches('`')).into_iter().next().unwrap_or_default();
    before.trim_matches(['*', ' ']).is_empty()
        && matches!(
            verb.as_str(),
            "drops"
                | "adds"
                | "holds"
                | "contains"
                | "covers"
                | "defines"
                | "documents"
                | "describes"
                | "creates"
                | "takes"
                | "implements"
                | "checks"
                | "wraps"
        )
}

/// Whether a heading leads into a list of files that were made.
fn is_new(heading: &str) -> bool {
    let all = words(heading);
    all.len() <= 6
        && all.iter().any(|word| matches!(word.as_str(), "new" | "created" | "added"))
        && !all.iter().any(|word| matches!(word.as_str(), "not" | "no" | "changed" | "tests" | "or" | "and" | "/"))
}

fn one(unit: &Unit<'_>, path: &str, said: Said, deeds: &[Deed]) -> Option<Claim> {
    let of = |state, why: String| Claim::of(unit.span, ClaimKind::Files, state, why);
    let hit = deeds.iter().rev().find(|deed| deed.edits.iter().any(|edit| is_same(path, &edit.path)));
    let change =
        hit.and_then(|deed| deed.edits.iter().rev().find(|edit| is_same(path, &edit.path))).map(|it| it.change);
    if said == Said::Untouched {
        return hit
            .map(|deed| of(ClaimState::Contradicted, format!("{path} was edited")).with(deed.turn, deed.shown()));
    }
    let fits = match (said, change) {
        (_, None) => false,
        (Said::Deleted, change) => change == Some(Change::Deleted),
        (_, change) => change != Some(Change::Deleted),
    };
    if fits {
        return hit.map(|deed| {
            of(ClaimState::Supported, format!("an edit of {path} is on record")).with(deed.turn, deed.shown())
        });
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let seen =
        deeds.iter().any(|deed| !deed.reads_only && (deed.output.contains(name) || deed.arguments.contains(name)));
    if said == Said::Created && !seen && describes(unit, path) && deeds.iter().any(|deed| deed.truncated) {
        return None;
    }
    if said == Said::Created && !seen && !deeds.iter().any(writes_unseen) {
        let own = of(ClaimState::Contradicted, format!("no call writes {path}"));
        let status = deeds.iter().rev().find(|deed| runs_git(deed, "status"));
        return Some(match status {
            Some(deed) => own.with(deed.turn, deed.shown()).plainly(is_missed_by_status(path, deeds)),
            None => own,
        });
    }
    Some(match (said, seen) {
        (Said::Deleted, _) | (_, true) => of(
            ClaimState::NotCheckable,
            format!(
                "whether {path} was {} is not on record",
                if said == Said::Deleted { "deleted" } else { "written" }
            ),
        ),
        _ => of(ClaimState::Unsupported, format!("no call writes {path}")),
    })
}

fn runs_git(deed: &Deed, verb: &str) -> bool {
    deed.commands.iter().any(|(command, _)| command.program() == "git" && command.words.iter().any(|it| it == verb))
}

/// Whether `git status`, asked behind the last edit and before any commit, lists what was edited and not the file that a claim says was made.
fn is_missed_by_status(path: &str, deeds: &[Deed]) -> bool {
    let Some(last) = deeds.iter().rposition(|deed| runs_git(deed, "status")) else { return false };
    let parts: Vec<&str> = path.trim_start_matches("./").split('/').collect();
    let name = parts.last().copied().unwrap_or_default();
    // An untracked folder is listed, and what is in it is not.
    let folders = &parts[..parts.len().saturating_sub(1)];
    let output = &deeds[last].output;
    let lists = |name: &str| output.contains(name);
    let is_asked = deeds[last].ok == Some(true) && !deeds[last].truncated;
    let shows_edits =
        deeds.iter().flat_map(|deed| &deed.edits).any(|edit| lists(edit.path.rsplit('/').next().unwrap_or_default()));
    is_asked
        && shows_edits
        && !lists(name)
        && !folders.iter().any(|folder| output.lines().any(|line| line.trim_end().ends_with(&format!("{folder}/"))))
        && !deeds[..last].iter().any(|deed| runs_git(deed, "commit") || runs_git(deed, "stash"))
        && deeds[last + 1..].iter().all(|deed| deed.edits.is_empty() && (deed.reads_only || !writes_unseen(deed)))
}
