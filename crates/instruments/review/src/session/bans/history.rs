//! What a session knows at each place of what came before it, gathered in one pass over its calls.

use std::collections::{BTreeMap, BTreeSet};

use steadfast_session::Change;
use steadfast_session::effects::git_call;

use super::super::deeds::Deed;
use super::super::vcs;
use super::kinds::is_manifest;
use super::packages::depends;
use super::systems::says_production;

/// The most paths that git lists behind a call and that are looked at for it.
pub(super) const LISTED_MAX: usize = 100;

/// How many folders of a path are looked at.
const FOLDERS_MAX: usize = 32;

/// What the calls of a session leave behind, each with the place of the call.
#[derive(Debug, Default)]
pub(super) struct History<'a> {
    deeds: &'a [Deed],
    /// The branch that the session stands on from there on.
    branches: Vec<(usize, String)>,
    /// Whether the context that a program showed is one of production.
    contexts: BTreeMap<&'a str, Vec<(usize, bool)>>,
    /// Files that were edited, and the ends of their paths, at the first edit.
    edited: BTreeMap<&'a str, usize>,
    ends: BTreeMap<&'a str, usize>,
    /// Files that were written as a whole, at the first time.
    made: BTreeMap<&'a str, usize>,
    /// Files of these that a call named or printed, at the first time.
    named: BTreeMap<&'a str, usize>,
    /// Files that git lists as changed, in the order in which it first does.
    listed: Vec<(usize, String)>,
    /// Dependencies that lines which were taken out of a manifest name.
    dropped: BTreeMap<&'a str, BTreeSet<String>>,
}

impl<'a> History<'a> {
    pub(super) fn of(deeds: &'a [Deed]) -> Self {
        let mut out = Self { deeds, ..Self::default() };
        let mut seen = BTreeSet::new();
        for (at, deed) in deeds.iter().enumerate() {
            out.branches.extend(vcs::branch(deed).map(|it| (at, it)));
            out.contexts(at, deed);
            for edit in &deed.edits {
                let path = edit.path.as_str();
                out.edited.entry(path).or_insert(at);
                for end in ends(path) {
                    out.ends.entry(end).or_insert(at);
                }
                if matches!(edit.change, Change::Created | Change::Written) {
                    out.made.entry(path).or_insert(at);
                }
                if is_manifest(path) {
                    let names = edit.removed.iter().filter_map(|line| depends(path, line));
                    out.dropped.entry(path).or_default().extend(names);
                }
            }
            out.listed.extend(listed(deed).into_iter().filter(|it| seen.insert(it.clone())).map(|it| (at, it)));
        }
        out.name();
        out
    }

    /// Calls that show which cluster or workspace a program speaks to.
    fn contexts(&mut self, at: usize, deed: &'a Deed) {
        for (command, _) in &deed.commands {
            if ["current-context", "use-context", "workspace"].iter().any(|it| command.has(it)) {
                self.contexts.entry(command.program()).or_default().push((at, says_production(deed.output.trim())));
            }
        }
    }

    /// Where files that are written as a whole are first named or printed.
    fn name(&mut self) {
        let is_plain = |c: char| c.is_alphanumeric() || "._-/~@+".contains(c);
        // What no word of an output can be is taken as known.
        self.named.extend(self.made.keys().filter(|path| !path.chars().all(is_plain)).map(|path| (*path, 0)));
        for (at, deed) in self.deeds.iter().enumerate() {
            steadfast_steps::spend(deed.output.len());
            let printed = deed.output.split(|c: char| !is_plain(c)).map(|it| it.trim_end_matches('.'));
            for word in deed.files.iter().map(String::as_str).chain(printed) {
                for end in ends(word) {
                    if let Some((path, _)) = self.made.get_key_value(end) {
                        self.named.entry(path).or_insert(at);
                    }
                }
            }
        }
    }

    pub(super) fn deed(&self, at: usize) -> &'a Deed {
        &self.deeds[at]
    }

    /// The branch that the session stands on behind a call.
    pub(super) fn branch(&self, at: usize) -> Option<&str> {
        let behind = self.branches.partition_point(|(place, _)| *place <= at);
        behind.checked_sub(1).map(|it| self.branches[it].1.as_str())
    }

    /// Whether the context that a program showed last before a call is one of production.
    pub(super) fn is_production(&self, program: &str, at: usize) -> bool {
        let all = self.contexts.get(program).map(Vec::as_slice).unwrap_or_default();
        let before = all.partition_point(|(place, _)| *place < at);
        before.checked_sub(1).is_some_and(|it| all[it].1)
    }

    /// Whether a file was edited before a call, by the ends of the paths.
    pub(super) fn was_edited(&self, path: &str, at: usize) -> bool {
        let before = |all: &BTreeMap<&str, usize>, path: &str| all.get(path).is_some_and(|it| *it < at);
        before(&self.ends, path) || ends(path).any(|it| before(&self.edited, it))
    }

    /// Whether a file was written as a whole before a call.
    pub(super) fn was_made(&self, path: &str, at: usize) -> bool {
        self.made.get(path).is_some_and(|it| *it < at)
    }

    /// Whether a file that is written as a whole was named or printed before a call.
    pub(super) fn was_named(&self, path: &str, at: usize) -> bool {
        self.named.get(path).is_some_and(|it| *it < at)
    }

    /// Files that git lists as changed for the first time at a call or behind it.
    pub(super) fn listed_behind(&self, at: usize) -> impl Iterator<Item = &str> {
        let from = self.listed.partition_point(|(place, _)| *place < at);
        self.listed[from..].iter().take(LISTED_MAX).map(|(_, path)| path.as_str())
    }

    /// Whether a line that names a dependency is taken out of a manifest anywhere in the session.
    pub(super) fn was_dropped(&self, manifest: &str, name: &str) -> bool {
        self.dropped.get(manifest).is_some_and(|it| it.contains(name))
    }
}

/// A path, and what stands behind each of its slashes.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(path)
        .chain(path.match_indices('/').take(FOLDERS_MAX).map(|(at, _)| &path[at + 1..]))
        .filter(|it| !it.is_empty())
}

/// Files that git lists as changed in what a call printed.
fn listed(deed: &Deed) -> Vec<String> {
    let lists =
        deed.commands.iter().any(|(command, _)| matches!(git_call(command), Some(("diff" | "status" | "show", _))));
    if !lists {
        return Vec::new();
    }
    let stat = |line: &str| line.split_once(" | ").map(|(path, _)| path.trim().to_owned());
    let short = |line: &str| {
        let (mark, path) = line.trim_start().split_once(' ')?;
        (mark.len() <= 2 && mark.chars().all(|c| "MADR?".contains(c))).then(|| path.trim().to_owned())
    };
    deed.output
        .lines()
        .filter_map(|line| {
            stat(line).or_else(|| short(line)).or_else(|| line.strip_prefix("+++ b/").map(str::to_owned))
        })
        .collect()
}
