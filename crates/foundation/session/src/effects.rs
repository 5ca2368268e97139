//! What a command does to files, as far as its words say so.

use crate::diff::patch;
use crate::model::{Change, Edit};
use crate::shell::Command;

/// Arguments that are no options.
fn plain(command: &Command) -> Vec<&str> {
    let mut ended = false;
    command
        .arguments()
        .filter(|it| {
            if *it == "--" {
                ended = true;
                return false;
            }
            ended || !it.starts_with('-')
        })
        .collect()
}

/// A path as it stands below the folder that a command runs in.
fn below(command: &Command, path: &str) -> String {
    match &command.directory {
        Some(directory) if !path.starts_with(['/', '~', '$']) => format!("{}/{path}", directory.trim_end_matches('/')),
        _ => path.to_owned(),
    }
}

/// The files that a command writes, changes or deletes; lines where a here document gives them.
#[must_use]
pub fn edits(command: &Command) -> Vec<Edit> {
    let mut out = Vec::new();
    if command.remote {
        return out;
    }
    let with = |path: &str, change: Change| Edit { change, ..Edit::deleted(&below(command, path)) };
    let written = |path: &str| match &command.input {
        Some(text) if matches!(command.program(), "cat" | "tee") => Edit::written(&below(command, path), text),
        _ => with(path, Change::Written),
    };
    out.extend(command.writes.iter().map(|path| written(path)));
    let args = plain(command);
    let (git, asked) = git_call(command).unwrap_or_default();
    let asked_plain = || asked.iter().map(String::as_str).filter(|it| !it.starts_with('-'));
    match command.program() {
        "apply_patch" | "applypatch" => {
            let text = command.input.as_deref().or_else(|| args.first().copied()).unwrap_or_default();
            out.extend(patch(text).into_iter().map(|edit| Edit { path: below(command, &edit.path), ..edit }));
        }
        "tee" => out.extend(args.iter().map(|path| written(path))),
        "touch" => out.extend(args.iter().map(|path| with(path, Change::Written))),
        "rm" | "unlink" | "rmdir" | "shred" | "trash" | "del" => {
            out.extend(args.iter().map(|path| with(path, Change::Deleted)))
        }
        "mv" if args.len() >= 2 => {
            let (to, from) = args.split_last().unwrap_or((&"", &[]));
            out.extend(from.iter().map(|path| with(path, Change::Deleted)));
            out.push(with(to, Change::Written));
        }
        "cp" | "install" | "ln" if args.len() >= 2 => out.extend(args.last().map(|path| with(path, Change::Written))),
        "sed" | "perl" | "gsed"
            if command.arguments().any(|it| {
                it.starts_with("-i")
                    || it.starts_with("--in-place")
                    || (it.starts_with('-')
                        && !it.starts_with("--")
                        && it.len() <= 4
                        && it.contains('i')
                        && command.program() == "perl")
            }) =>
        {
            // The script is no file; with `-e` none of the plain words is.
            let scripted = command.has("-e") || command.arguments().any(|it| it.starts_with("--expression"));
            let skip = usize::from(!scripted || command.program() == "perl");
            let files = args.iter().skip(skip).filter(|it| !scripted || !it.starts_with("s/"));
            out.extend(files.map(|path| with(path, Change::Changed)));
        }
        "yq" | "gawk" | "sponge" | "xmlstarlet" | "dasel" | "nbstripout"
            if command.program() == "nbstripout"
                || command
                    .arguments()
                    .any(|it| matches!(it, "-i" | "--inplace" | "--in-place" | "-L" | "--ed-inplace")) =>
        {
            // The expression is no file.
            let files = args.iter().filter(|it| is_file(it) && !it.starts_with('.') || it.starts_with("./"));
            out.extend(files.map(|path| with(path, Change::Changed)));
        }
        "patch" => out.extend(args.first().filter(|it| is_file(it)).map(|path| with(path, Change::Changed))),
        _ if is_formatter(command) => {
            out.extend(args.iter().filter(|it| is_file(it)).map(|path| with(path, Change::Changed)));
        }
        _ if locks(command).is_some() => out.extend(locks(command).map(|path| with(path, Change::Changed))),
        "truncate" => out.extend(args.last().map(|path| with(path, Change::Changed))),
        "python" | "python3" | "node" | "ruby" | "perl" | "php" | "deno" | "bun" | "tsx" => {
            let inline = command.arguments().skip_while(|it| !matches!(*it, "-c" | "-e" | "-r")).nth(1);
            if let Some(script) = command.input.as_deref().or(inline) {
                out.extend(script_writes(script).into_iter().map(|path| with(path, Change::Changed)));
            }
        }
        "git" if git == "rm" => out.extend(asked_plain().map(|path| with(path, Change::Deleted))),
        "git" if git == "mv" && asked_plain().count() >= 2 => {
            out.extend(asked_plain().next().map(|path| with(path, Change::Deleted)));
            out.extend(asked_plain().next_back().map(|path| with(path, Change::Written)));
        }
        "git" if matches!(git, "checkout" | "restore") && !command.has("--staged") => {
            out.extend(put_back(git, asked).into_iter().map(|path| with(path, Change::Changed)));
        }
        _ => {}
    }
    out
}

/// Whether a word names a file: it has an ending.
fn is_file(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    !text.contains([' ', '=', '$', '(', '"', '*', '|'])
        && name.rsplit_once('.').is_some_and(|(_, ending)| {
            (1..=8).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphanumeric())
        })
}

/// Whether a command only says what it would do.
#[must_use]
pub fn is_dry(command: &Command) -> bool {
    let short = |names: &[&str]| names.contains(&command.program());
    command.arguments().any(|it| {
        matches!(
            it,
            "--help" | "-h" | "-help" | "--dryrun" | "--dry_run" | "--check" | "--plan" | "--simulate" | "--just-print"
        ) || it == "-s" && command.program().starts_with("apt")
            || it.starts_with("--dry-run")
            || it == "-n"
                && (short(&["make", "gmake", "rsync"])
                    || matches!(git_call(command), Some(("push" | "add" | "rm" | "mv", _))))
    })
}

/// Whether a command formats files in their place, or fixes what a linter finds.
#[must_use]
pub fn is_formatter(command: &Command) -> bool {
    let own = crate::purpose::invocation(command);
    let has = |name: &str| own.arguments.contains(&name);
    let checks = has("--check") || has("--diff") || has("-c") || has("--list-different") || has("--dry-run");
    match own.tool {
        "prettier" => has("--write") || has("-w"),
        "eslint" | "stylelint" | "tslint" | "xo" | "standard" | "ktlint" | "markdownlint" => has("--fix") || has("-F"),
        "biome" => has("--write") || has("--apply"),
        "ruff" => !checks && (has("--fix") || own.arguments.first() == Some(&"format")),
        "black" | "isort" | "yapf" | "autopep8" | "php-cs-fixer" | "rustfmt" | "nbstripout" => !checks,
        "gofmt" | "goimports" | "shfmt" => has("-w"),
        "clang-format" => has("-i"),
        "rubocop" => has("-a") || has("-A") || has("--auto-correct"),
        "cargo" | "mix" | "terraform" | "dart" | "dotnet" | "deno" | "forge" | "swift" => {
            matches!(own.arguments.first().copied(), Some("fmt" | "format" | "fix")) && !checks
        }
        "go" => own.arguments.first() == Some(&"fmt"),
        "golangci-lint" => has("--fix"),
        _ => own.script.is_some_and(|it| {
            it.split([':', '-']).any(|part| matches!(part, "fix" | "format" | "fmt"))
                && !it.split([':', '-']).any(|part| part == "check")
        }),
    }
}

/// Whether a run of tests writes its stored snapshots anew.
#[must_use]
pub fn updates_snapshots(command: &Command) -> bool {
    let tests = crate::purpose::purposes(command).contains(&crate::purpose::Purpose::Test);
    let accepts =
        command.program() == "cargo" && command.has("insta") && (command.has("accept") || command.has("--accept"));
    accepts
        || tests
            && (command.arguments().any(|it| {
                matches!(it, "-u" | "--updateSnapshot" | "--update" | "--update-snapshots" | "--snapshot-update")
                    || it.starts_with("--update-golden")
            }) || command
                .env
                .iter()
                .any(|it| matches!(it.as_str(), "INSTA_UPDATE=always" | "UPDATE_SNAPSHOTS=1" | "UPDATE_GOLDEN=1")))
}

/// The lock file that a command of a package manager writes.
fn locks(command: &Command) -> Option<&'static str> {
    let own = crate::purpose::invocation(command);
    let first = own.arguments.first().copied().unwrap_or_default();
    let named = own.arguments.iter().skip(1).any(|it| !it.starts_with('-'));
    if own.arguments.iter().any(|it| matches!(*it, "--dry-run" | "--no-save" | "--no-package-lock" | "-g" | "--help")) {
        return None;
    }
    let writes = matches!(first, "add" | "update" | "upgrade" | "up" | "remove" | "uninstall" | "rm" | "dedupe")
        && (named || matches!(first, "update" | "upgrade" | "up" | "dedupe"))
        || matches!(first, "install" | "i") && named;
    match own.tool {
        "npm" if writes => Some("package-lock.json"),
        "pnpm" if writes => Some("pnpm-lock.yaml"),
        "yarn" if writes && own.script.is_none() => Some("yarn.lock"),
        "cargo" if matches!(first, "update" | "add" | "remove" | "generate-lockfile") => Some("Cargo.lock"),
        "poetry" if matches!(first, "add" | "update" | "lock" | "remove") => Some("poetry.lock"),
        "uv" if matches!(first, "add" | "lock" | "remove") => Some("uv.lock"),
        "bundle" if matches!(first, "update" | "add" | "lock") => Some("Gemfile.lock"),
        "composer" if matches!(first, "update" | "require" | "remove") => Some("composer.lock"),
        _ => None,
    }
}

/// Words by which scripts write files.
const WRITES: &[&str] = &[
    "write_text(",
    "write_bytes(",
    "writeFile",
    "File.write",
    ".write(",
    "file_put_contents",
    "'w'",
    "\"w\"",
    "'a'",
    "\"a\"",
    "fs.append",
    "os.rename",
    "shutil.",
];

/// The files that a script of a few lines writes: those in the calls that write, else the only one that it names.
fn script_writes(script: &str) -> Vec<&str> {
    if !WRITES.iter().any(|it| script.contains(it)) {
        return Vec::new();
    }
    let is_path = |text: &str| {
        let name = text.rsplit('/').next().unwrap_or(text);
        !text.is_empty()
            && text.chars().all(|c| c.is_alphanumeric() || "._-/~".contains(c))
            && name.rsplit_once('.').is_some_and(|(stem, ending)| {
                !stem.is_empty() && (1..=6).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric)
            })
            && text.chars().any(char::is_alphabetic)
    };
    let quoted = |text: &'_ str| -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        let mut open: Option<(char, usize)> = None;
        for (at, c) in text.char_indices() {
            match open {
                None if c == '\'' || c == '"' => open = Some((c, at + 1)),
                Some((own, from)) if c == own => {
                    out.push((from, at));
                    open = None;
                }
                Some(_) if c == '\n' => open = None,
                _ => {}
            }
        }
        out
    };
    let mut paths: Vec<&str> =
        quoted(script).into_iter().filter_map(|(from, to)| script.get(from..to)).filter(|it| is_path(it)).collect();
    paths.dedup();
    let direct: Vec<&str> = script
        .lines()
        .filter(|line| WRITES.iter().any(|it| line.contains(it)))
        .flat_map(|line| quoted(line).into_iter().filter_map(move |(from, to)| line.get(from..to)))
        .filter(|it| is_path(it))
        .collect();
    match (direct.is_empty(), paths.as_slice()) {
        (false, _) => direct,
        (true, [only]) => vec![*only],
        _ => Vec::new(),
    }
}

/// What `git` is asked to do, its first word that belongs to no option, and the words behind it.
#[must_use]
pub fn git_call(command: &Command) -> Option<(&str, &[String])> {
    if command.program() != "git" {
        return None;
    }
    let mut at = 1;
    while let Some(word) = command.words.get(at) {
        match word.as_str() {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" => at += 2,
            _ if word.starts_with('-') => at += 1,
            _ => return Some((word, &command.words[at + 1..])),
        }
    }
    None
}

/// The files that `git checkout` or `git restore` puts back as they were: what stands behind `--`, and words that name files.
fn put_back<'a>(verb: &str, words: &'a [String]) -> Vec<&'a str> {
    let all = words.iter().map(String::as_str);
    match words.iter().position(|it| it == "--") {
        Some(at) => all.skip(at + 1).filter(|it| it.contains('/') || is_file(it)).collect(),
        None => {
            all.filter(|it| !it.starts_with('-') && (names_file(it) || verb == "restore" && it.contains('/'))).collect()
        }
    }
}

/// Whether a word that may be a branch as well names a file: its ending has a letter, which that of `release/1.2` has not.
#[must_use]
pub fn names_file(word: &str) -> bool {
    is_file(word) && word.rsplit('.').next().is_some_and(|it| it.contains(|c: char| c.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::commands;

    #[track_caller]
    fn check(line: &str, expect: &[(&str, Change, usize)]) {
        let got: Vec<(String, Change, usize)> =
            commands(line).iter().flat_map(edits).map(|it| (it.path, it.change, it.added.len())).collect();
        let expect: Vec<(String, Change, usize)> =
            expect.iter().map(|(path, change, lines)| ((*path).to_owned(), *change, *lines)).collect();
        assert_eq!(got, expect, "{line}");
    }

    #[test]
    fn commands_that_change_files() {
        check("cat > a.py <<'E'\nx = 1\ny = 2\nE", &[("a.py", Change::Written, 2)]);
        check("echo x >> notes.md", &[("notes.md", Change::Written, 0)]);
        check("rm -rf build dist", &[("build", Change::Deleted, 0), ("dist", Change::Deleted, 0)]);
        check("cd app && mv a.ts b.ts", &[("app/a.ts", Change::Deleted, 0), ("app/b.ts", Change::Written, 0)]);
        check("sed -i 's/a/b/' x.rs y.rs", &[("x.rs", Change::Changed, 0), ("y.rs", Change::Changed, 0)]);
        check("git rm -r --cached old", &[("old", Change::Deleted, 0)]);
        check(
            "apply_patch <<'E'\n*** Begin Patch\n*** Add File: n.md\n+one\n*** End Patch\nE",
            &[("n.md", Change::Created, 1)],
        );
    }

    #[test]
    fn commands_that_do_not() {
        for line in [
            "sed -n 1,5p a.rs",
            "cat a.py",
            "grep -i x a",
            "git status",
            "git -C x log",
            "ls > /dev/null",
            "python3 -c \"print(open('a.txt').read())\"",
            "ssh web 'rm a.txt'",
            "make 2>&1",
        ] {
            check(line, &[]);
        }
    }

    #[test]
    fn what_git_is_asked_to_do() {
        let of = |line: &str| {
            let all = commands(line);
            git_call(&all[0]).map(|(verb, words)| (verb.to_owned(), words.join(" ")))
        };
        assert_eq!(of("git -C app -c a.b=c push --force"), Some(("push".to_owned(), "--force".to_owned())));
        assert_eq!(of("git --version"), None);
        assert_eq!(of("hub push"), None);
    }

    #[test]
    fn files_of_git() {
        let all = |path: &str| vec![(path.to_owned(), Change::Changed)];
        let of = |line: &str| commands(line).iter().flat_map(edits).map(|it| (it.path, it.change)).collect::<Vec<_>>();
        for line in
            ["git checkout a.py", "git checkout main -- a.py", "git -C . restore a.py", "git checkout HEAD a.py"]
        {
            assert_eq!(of(line), all("a.py"), "{line}");
        }
        for line in ["git checkout main", "git checkout release/1.2", "git switch a.b", "git restore --staged a.py"] {
            assert_eq!(of(line), [], "{line}");
        }
        let moved = [("a.py".to_owned(), Change::Deleted), ("b.py".to_owned(), Change::Written)];
        assert_eq!(of("git -C . mv -f a.py b.py"), moved);
        assert_eq!(of("git -C app rm --cached a.py"), [("a.py".to_owned(), Change::Deleted)]);
    }
}
