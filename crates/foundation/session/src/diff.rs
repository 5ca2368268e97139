//! Unified diffs, as `git diff`, `diff -u` and patch tools write them.

use crate::model::{Change, Edit};

/// The most files that are read of one diff.
pub const FILES_MAX: usize = 10_000;

/// A line of a header without what `git` and `diff` put around a path.
fn path(field: &str) -> Option<String> {
    let field = field.split('\t').next().unwrap_or_default().trim().trim_matches('"');
    if field == "/dev/null" || field.is_empty() {
        return None;
    }
    let own = ["a/", "b/"].iter().find_map(|prefix| field.strip_prefix(prefix)).unwrap_or(field);
    Some(own.to_owned())
}

/// The old and the new count of a hunk's header (`@@ -3,2 +3,4 @@`).
fn hunk(line: &str) -> Option<(usize, usize)> {
    let inner = line.strip_prefix("@@ -")?;
    let (old, rest) = inner.split_once(" +")?;
    let new = rest.split(' ').next()?;
    let count = |range: &str| match range.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => range.parse::<usize>().ok().map(|_| 1),
    };
    Some((count(old)?, count(new)?))
}

/// The files that a text changes by its unified diffs, in their order; empty where it holds none.
#[must_use]
pub fn edits(text: &str) -> Vec<Edit> {
    steadfast_steps::spend(text.len());
    let mut out: Vec<Edit> = Vec::new();
    // What the header before the first hunk says.
    let (mut old, mut new): (Option<String>, Option<String>) = (None, None);
    let (mut change, mut open) = (Change::Changed, false);
    let mut left = (0_usize, 0_usize);
    for line in text.lines() {
        if left.0 > 0 || left.1 > 0 {
            let Some(edit) = out.last_mut() else { break };
            match line.as_bytes().first() {
                Some(b'+') if left.1 > 0 => {
                    edit.added.push(line[1..].to_owned());
                    left.1 -= 1;
                    continue;
                }
                Some(b'-') if left.0 > 0 => {
                    edit.removed.push(line[1..].to_owned());
                    left.0 -= 1;
                    continue;
                }
                Some(b' ') | None => {
                    left = (left.0.saturating_sub(1), left.1.saturating_sub(1));
                    continue;
                }
                Some(b'\\') => continue,
                _ => left = (0, 0),
            }
        }
        if out.len() >= FILES_MAX {
            break;
        }
        if let Some(rest) = line.strip_prefix("diff --git ") {
            (old, change, open) = (None, Change::Changed, false);
            // Without hunks (a binary file, a change of mode) the names stand here alone.
            new = rest.split_once(" b/").and_then(|(_, own)| path(own));
        } else if line.starts_with("new file mode") {
            change = Change::Created;
            if let Some(path) = &new {
                out.push(Edit { change, ..Edit::deleted(path) });
                open = true;
            }
        } else if line.starts_with("deleted file mode") {
            change = Change::Deleted;
            if let Some(path) = &new {
                out.push(Edit::deleted(path));
                open = true;
            }
        } else if let Some(own) = line.strip_prefix("--- ") {
            old = path(own);
            if old.is_none() && own.trim().starts_with("/dev/null") {
                change = Change::Created;
            }
        } else if let Some(own) = line.strip_prefix("+++ ") {
            match path(own) {
                Some(path) => new = Some(path),
                None if own.trim().starts_with("/dev/null") => {
                    change = Change::Deleted;
                    new = old.clone();
                }
                None => {}
            }
            let Some(path) = new.clone().or_else(|| old.clone()) else { continue };
            let edit = Edit { path, change, added: Vec::new(), removed: Vec::new(), exact: true };
            match out.last_mut().filter(|last| open && last.path == edit.path) {
                Some(last) => *last = edit,
                None => out.push(edit),
            }
            open = false;
            (old, change) = (None, Change::Changed);
        } else if let Some(counts) = hunk(line)
            && !out.is_empty()
        {
            left = counts;
        }
    }
    out
}

/// The files that a text changes in the form that Codex's `apply_patch` takes (`*** Update File: …`); empty where it is none.
#[must_use]
pub fn patch(text: &str) -> Vec<Edit> {
    steadfast_steps::spend(text.len());
    let mut out: Vec<Edit> = Vec::new();
    let Some((_, body)) = text.split_once("*** Begin Patch") else { return out };
    for line in body.lines() {
        if out.len() >= FILES_MAX || line.starts_with("*** End Patch") {
            break;
        }
        let header = [
            ("*** Add File: ", Change::Created),
            ("*** Update File: ", Change::Changed),
            ("*** Delete File: ", Change::Deleted),
        ]
        .into_iter()
        .find_map(|(prefix, change)| line.strip_prefix(prefix).map(|path| (path.trim(), change)));
        if let Some((path, change)) = header {
            let exact = change != Change::Deleted;
            out.push(Edit { path: path.to_owned(), change, added: Vec::new(), removed: Vec::new(), exact });
        } else if let Some(to) = line.strip_prefix("*** Move to: ") {
            // It stands before the lines of its file, once: else all of them would be kept again for each.
            let is_first =
                |edit: &&mut Edit| edit.change == Change::Changed && edit.added.is_empty() && edit.removed.is_empty();
            if let Some(from) = out.last_mut().filter(is_first) {
                let moved = Edit { path: to.trim().to_owned(), change: Change::Created, ..from.clone() };
                from.change = Change::Deleted;
                out.push(moved);
            }
        } else if let Some(edit) = out.last_mut() {
            match line.as_bytes().first() {
                Some(b'+') => edit.added.push(line[1..].to_owned()),
                Some(b'-') => edit.removed.push(line[1..].to_owned()),
                _ => {}
            }
        }
    }
    out
}

/// One line of `git diff --stat` or `--shortstat` ("3 files changed, 10 insertions(+), 2 deletions(-)").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Files.
    pub files: u64,
    /// Lines put in.
    pub added: u64,
    /// Lines taken out.
    pub removed: u64,
}

/// The last summary of a diff in a text.
#[must_use]
pub fn stat(text: &str) -> Option<Stat> {
    steadfast_steps::spend(text.len());
    text.lines().rev().find_map(|line| {
        let line = line.trim();
        let (files, rest) = line.split_once(" file").filter(|(_, rest)| rest.contains(" changed"))?;
        let number = |word: &str| {
            let before = rest.split(word).next().filter(|_| rest.contains(word))?;
            before.rsplit([',', ' ']).find(|it| !it.is_empty())?.parse().ok()
        };
        let (added, removed) = (number(" insertion").unwrap_or(0), number(" deletion").unwrap_or(0));
        Some(Stat { files: files.trim().rsplit(' ').next()?.parse().ok()?, added, removed })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,3 +1,3 @@\n fn a() {\n-    1\n+    2\n }\n\
        diff --git a/new.md b/new.md\nnew file mode 100644\nindex 0..3\n--- /dev/null\n+++ b/new.md\n@@ -0,0 +1,2 @@\n+# Title\n+--- not a header\n\
        diff --git a/old.txt b/old.txt\ndeleted file mode 100644\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n\
        diff --git a/pic.png b/pic.png\nnew file mode 100644\nBinary files /dev/null and b/pic.png differ\n";

    #[test]
    fn files_and_lines_of_a_diff() {
        let all = edits(DIFF);
        let short: Vec<_> =
            all.iter().map(|it| (it.path.as_str(), it.change, it.added.len(), it.removed.len())).collect();
        assert_eq!(
            short,
            [
                ("src/a.rs", Change::Changed, 1, 1),
                ("new.md", Change::Created, 2, 0),
                ("old.txt", Change::Deleted, 0, 1),
                ("pic.png", Change::Created, 0, 0)
            ]
        );
    }

    #[test]
    fn a_text_without_diffs_has_none() {
        assert!(edits("--- a heading\n\nsome text\n@@ nothing").is_empty());
        assert!(edits("").is_empty());
    }

    #[test]
    fn patches_of_codex() {
        let text = "*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-    1\n+    2\n*** Add File: b.py\n+x\n*** Delete File: c.py\n*** End Patch\n+no";
        let all: Vec<_> =
            patch(text).into_iter().map(|it| (it.path, it.change, it.added.len(), it.removed.len())).collect();
        assert_eq!(
            all,
            [
                ("a.py".to_owned(), Change::Changed, 1, 1),
                ("b.py".to_owned(), Change::Created, 1, 0),
                ("c.py".to_owned(), Change::Deleted, 0, 0)
            ]
        );
        assert!(patch("no patch").is_empty());
    }

    #[test]
    fn a_file_is_moved_once_and_before_its_lines() {
        let text = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n-x\n+y\n*** Move to: c\n*** Add File: d\n*** Move to: e\n+z\n";
        let all: Vec<_> =
            patch(text).into_iter().map(|it| (it.path, it.change, it.added.len(), it.removed.len())).collect();
        let of = |path: &str, change, added, removed| (path.to_owned(), change, added, removed);
        let expect = [of("a", Change::Deleted, 0, 0), of("b", Change::Created, 1, 1), of("d", Change::Created, 1, 0)];
        assert_eq!(all, expect);
        let many = format!(
            "*** Begin Patch\n*** Update File: a\n+{}\n{}",
            "x".repeat(1_000),
            "*** Move to: b\n".repeat(9_000)
        );
        assert_eq!(patch(&many).iter().flat_map(|edit| &edit.added).map(String::len).sum::<usize>(), 1_000);
    }

    #[test]
    fn summaries() {
        let text = " a.rs | 2 +-\n 3 files changed, 10 insertions(+), 2 deletions(-)\n";
        assert_eq!(stat(text), Some(Stat { files: 3, added: 10, removed: 2 }));
        assert_eq!(stat("1 file changed, 1 insertion(+)"), Some(Stat { files: 1, added: 1, removed: 0 }));
        assert_eq!(stat("no file changed its name"), None);
    }
}
