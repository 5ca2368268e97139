//! What a call does to files: edits, new files, deletions, reading, lines that are put in.

use steadfast_session::effects::{git_call, is_dry, is_formatter, updates_snapshots};
use steadfast_session::shell::{Command, Joined};
use steadfast_session::{Change, Edit};

use super::super::deeds::{Deed, is_temporary};
use super::super::vcs;
use super::found::found;
use super::history::History;
use super::kinds::Kind;
use super::object::Object;
use super::scope::meets;
use super::systems::{is_production, mutates, sql};

/// Whether an edit is of what is meant, and changes something of the project.
fn touches(object: &Object, edit: &Edit) -> bool {
    // What a variable names may lie anywhere.
    !edit.path.is_empty() && !edit.path.starts_with('$') && !is_temporary(&edit.path) && object.covers(&edit.path)
}

pub(super) fn edits(object: &Object, all: &History<'_>, at: usize) -> Option<String> {
    let deed = all.deed(at);
    if object.has(Kind::Cluster) {
        return found(deed, &|it| mutates(it) && matches!(it.program(), "kubectl" | "oc" | "helm"));
    }
    if object.has(Kind::Production) || object.has(Kind::Data) {
        let production = object.has(Kind::Production);
        return found(deed, &|it| mutates(it) && (!production || is_production(it, all, at)) && !sandbox(object, it))
            .or_else(|| {
                sql(deed, &|text| {
                    ["insert into", "update ", "delete from", "create ", "alter ", "drop ", "truncate "]
                        .iter()
                        .any(|own| text.contains(own))
                })
                .filter(|_| !production)
            });
    }
    if !object.names_files() {
        return None;
    }
    // To restore what the agent changed before is to take a break back.
    let restores =
        deed.commands.iter().any(|(command, _)| matches!(git_call(command), Some(("checkout" | "restore", _))))
            && deed.edits.iter().all(|edit| all.was_edited(&edit.path, at));
    if restores {
        return None;
    }
    let own = deed.edits.iter().find(|edit| touches(object, edit)).map(|edit| {
        let what = match edit.change {
            Change::Deleted => "deleted",
            Change::Created => "created",
            Change::Changed | Change::Written => "edited",
        };
        format!("{} is {what}", edit.path)
    });
    own.or_else(|| swept(deed, all, at, &|path| !is_temporary(path) && object.covers(path)))
}

/// Whether a command names what the user excepted.
fn sandbox(object: &Object, command: &Command) -> bool {
    let line = command.line().to_lowercase();
    object.except.iter().any(|item| item.words.iter().chain(&item.codes).any(|it| line.contains(it.as_str())))
}

pub(super) fn creates(object: &Object, all: &History<'_>, at: usize) -> Option<String> {
    let own = all.deed(at).edits.iter().find(|edit| {
        touches(object, edit)
            && (edit.change == Change::Created || edit.change == Change::Written && !all.was_named(&edit.path, at))
    });
    own.map(|edit| format!("{} is created", edit.path))
}

pub(super) fn deletes(object: &Object, all: &History<'_>, at: usize) -> Option<String> {
    let deed = all.deed(at);
    let own = |path: &str| is_temporary(path) || all.was_made(path, at);
    // Files that are moved are no files that are gone.
    let moved = |path: &str| {
        deed.commands.iter().any(|(command, _)| {
            (command.program() == "mv" || matches!(git_call(command), Some(("mv", _))))
                && command.arguments().any(|it| path.ends_with(it.trim_start_matches("./")))
        })
    };
    let gone = |edit: &&Edit| {
        edit.change == Change::Deleted && !own(&edit.path) && !edit.path.starts_with('$') && !moved(&edit.path)
    };
    if let Some(edit) = deed.edits.iter().filter(gone).find(|edit| object.covers(&edit.path)) {
        return Some(format!("{} is deleted", edit.path));
    }
    let temporary = |command: &Command| {
        command.arguments().any(is_temporary) || command.directory.as_deref().is_some_and(is_temporary)
    };
    found(deed, &|command| {
        let deletes = match command.program() {
            "find" => {
                (command.has("-delete")
                    || command.has("-exec") && command.arguments().any(|it| it == "rm" || it.contains("rm -")))
                    && !temporary(command)
            }
            "git" => vcs::discards(command) && matches!(git_call(command), Some(("clean", _))),
            "rm" | "unlink" => command.remote && !temporary(command),
            "kubectl" => command.words.get(1).is_some_and(|it| it == "delete") && !is_dry(command),
            "aws" | "gsutil" | "az" | "gcloud" => {
                command.words.iter().any(|it| it == "rm" || it == "delete" || it.starts_with("delete-"))
                    && !is_dry(command)
            }
            _ => false,
        };
        deletes && meets(object, command, all, at)
    })
    .or_else(|| {
        let of_data = object.is_any() || object.has(Kind::Data);
        sql(deed, &|text| (text.contains("delete from") && !text.contains("explain")) || text.contains("truncate "))
            .filter(|_| of_data)
    })
}

/// Programs that print files.
fn prints(command: &Command) -> bool {
    matches!(
        command.program(),
        "cat"
            | "head"
            | "tail"
            | "less"
            | "more"
            | "bat"
            | "sed"
            | "awk"
            | "cut"
            | "grep"
            | "rg"
            | "jq"
            | "csvlook"
            | "xxd"
            | "strings"
            | "nl"
            | "tac"
    ) && !command
        .arguments()
        .any(|it| matches!(it, "-l" | "-c" | "-lr" | "-rl" | "-rc" | "--files-with-matches" | "--count"))
}

pub(super) fn reads(object: &Object, deed: &Deed) -> Option<String> {
    if object.items.iter().all(|item| item.paths.is_empty() && item.kinds.is_empty() && item.codes.is_empty()) {
        return None;
    }
    if deed.line.is_none() && deed.reads_only {
        return deed.files.iter().find(|path| object.covers(path)).map(|path| format!("{path} is read"));
    }
    found(deed, &|command| {
        let below = |path: &str| match &command.directory {
            Some(directory) if !path.starts_with(['/', '~']) => format!("{}/{path}", directory.trim_end_matches('/')),
            _ => path.to_owned(),
        };
        // What a loop runs over stands in the line alone.
        let looped = command.arguments().any(|it| it.starts_with('$'))
            && deed.line.as_deref().is_some_and(|line| {
                line.split(|c: char| c.is_whitespace() || c == ';')
                    .any(|it| it.contains('/') && object.covers(&below(it)))
            });
        prints(command)
            && (looped || command.arguments().any(|it| it.contains(['/', '.']) && object.covers(&below(it))))
    })
}

/// Whether lines that are put in hold what must not be put in.
pub(super) fn puts(object: &Object, deed: &Deed) -> Option<String> {
    let wanted: Vec<String> =
        object
            .items
            .iter()
            .flat_map(|item| {
                item.codes.iter().cloned().chain(item.paths.iter().filter(|it| !it.contains('/')).cloned()).chain(
                    item.words.iter().chain(&item.place).filter(|it| it.contains('-') || it.contains('_')).cloned(),
                )
            })
            .chain(
                object
                    .items
                    .iter()
                    .filter(|item| item.words.iter().chain(&item.place).any(|it| it == "disabl"))
                    .map(|_| "disable".to_owned()),
            )
            .filter(|it| it.len() > 3)
            .collect();
    let hit = deed.edits.iter().filter(|edit| !edit.path.starts_with('$')).find_map(|edit| {
        let has = |lines: &[String], word: &str| lines.iter().filter(|line| line.to_lowercase().contains(word)).count();
        wanted
            .iter()
            .map(|it| it.to_lowercase())
            .find(|word| has(&edit.added, word) > has(&edit.removed, word))
            .map(|word| (edit, word))
    });
    hit.map(|(edit, word)| format!("a line with `{word}` is put into {}", edit.path))
}

/// Whether tests are switched off by what is put in.
pub(super) fn skips_tests(deed: &Deed) -> Option<String> {
    const MARKS: &[&str] = &[
        ".skip(",
        "xit(",
        "xdescribe(",
        "@pytest.mark.skip",
        "@unittest.skip",
        "[ignore",
        "t.skip(",
        "@disabled",
        "@ignore",
        "pytest.skip(",
        ".only(",
    ];
    let hit = deed.edits.iter().find(|edit| {
        edit.added.iter().any(|line| {
            let low = line.to_lowercase();
            MARKS.iter().any(|it| low.contains(it))
        })
    });
    hit.map(|edit| format!("a test is switched off in {}", edit.path))
}

/// Whether a command changed files that its words do not name, and what it printed, or git listed behind it, shows one that is meant.
fn swept(deed: &Deed, all: &History<'_>, at: usize, test: &dyn Fn(&str) -> bool) -> Option<String> {
    let sweeps = deed.commands.iter().enumerate().any(|(place, (command, _))| {
        let name = command.program();
        let sed = matches!(name, "sed" | "perl")
            && command.arguments().any(|it| it.starts_with("-i") || it.starts_with("-pi"));
        deed.may_have_run(place)
            && (sed && (command.joined == Joined::Pipe || command.arguments().any(|it| it.contains(['*', '$'])))
                || name == "find" && command.has("-exec")
                || is_formatter(command)
                || updates_snapshots(command)
                || matches!(git_call(command), Some(("apply" | "am" | "checkout" | "restore", _))))
    });
    if !sweeps {
        return None;
    }
    let snapshots = deed.commands.iter().any(|(command, _)| updates_snapshots(command))
        && test("__snapshots__/a.snap")
        && !test("a.rs");
    if snapshots {
        return Some("it writes snapshots anew".to_owned());
    }
    // A pattern or a folder that lies within what is meant.
    let folder = deed.commands.iter().find_map(|(command, _)| {
        let within = |it: &&str| {
            it.contains('/')
                && !it.starts_with('-')
                && !it.contains([' ', '$', ':'])
                && !it.rsplit('/').next().is_some_and(|name| name.contains('.') && !name.contains('*'))
                && test(&match it.trim_end_matches(['/', '*']) {
                    own if own.contains('*') => own.replace('*', "x"),
                    own => format!("{own}/x"),
                })
        };
        let sweeping = command.program() == "find"
            && command.has("-exec")
            && !command.arguments().any(|it| matches!(it, "grep" | "ls" | "wc" | "cat" | "head"))
            || is_formatter(command)
            || command.program() == "sed" && command.arguments().any(|it| it.starts_with("-i"));
        if !sweeping { None } else { command.arguments().find(within).map(str::to_owned) }
    });
    if let Some(folder) = folder {
        return Some(format!("files under {folder} are changed"));
    }
    // Formatters name what they write.
    let named = deed
        .output
        .lines()
        .filter_map(|line| line.split_whitespace().find(|it| it.contains('.') && it.contains('/')))
        .find(|path| test(path));
    if let Some(path) = named.filter(|_| deed.commands.iter().any(|(command, _)| is_formatter(command))) {
        return Some(format!("it writes {path}"));
    }
    // A loop over `$x/name`: names that its own output shows with it.
    let looped = deed.commands.iter().find_map(|(command, _)| {
        let ending =
            command.arguments().find(|it| it.starts_with('$') && it.contains('/'))?.split_once('/')?.1.to_owned();
        deed.output.lines().take(500).find_map(|line| {
            let path = line.split(':').next().filter(|it| it.ends_with(&format!("/{ending}")))?;
            let path = match &command.directory {
                Some(directory) if !path.starts_with('/') => format!("{}/{path}", directory.trim_end_matches('/')),
                _ => path.to_owned(),
            };
            test(&path).then_some(path)
        })
    });
    if let Some(path) = looped {
        return Some(format!("{path} is changed"));
    }
    let path = all.listed_behind(at).find(|path| test(path))?;
    Some(format!("git lists {path} as changed behind it"))
}
