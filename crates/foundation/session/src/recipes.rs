//! What the targets of a Makefile and the scripts of a `package.json` run, where their text was shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::shell::{Command, commands};

/// The most targets that are kept.
pub const TARGETS_MAX: usize = 500;

/// The most commands that are kept of one.
pub const COMMANDS_MAX: usize = 20;

/// Commands by the name of the target or script that runs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipes(BTreeMap<String, Arc<[Command]>>);

/// Whether a file has recipes that are read.
#[must_use]
pub fn has_recipes(path: &str) -> bool {
    matches!(name(path), "Makefile" | "makefile" | "GNUmakefile" | "Justfile" | "justfile" | "package.json")
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl Recipes {
    /// Reads the text of a file, with numbers before its lines or without; what is read later stands for what was read before.
    pub fn read(&mut self, path: &str, text: &str) {
        steadfast_steps::spend(text.len());
        let lines = text.lines().map(unnumbered);
        let found = if name(path) == "package.json" { scripts(lines) } else { targets(lines) };
        for (target, script) in found {
            if self.0.len() < TARGETS_MAX || self.0.contains_key(&target) {
                self.0.insert(target, commands(&script).into_iter().take(COMMANDS_MAX).collect());
            }
        }
    }

    /// What a target or script runs.
    #[must_use]
    pub fn of(&self, target: &str) -> Option<&Arc<[Command]>> {
        self.0.get(target)
    }

    /// Whether nothing was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A line without the number that a tool puts before it.
fn unnumbered(line: &str) -> &str {
    let own = line.trim_start_matches(' ');
    let digits = own.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &own[digits..];
    match behind.strip_prefix(['→', '\t']).or_else(|| behind.strip_prefix(' ')) {
        Some(rest) if digits > 0 => rest,
        _ => line,
    }
}

fn targets<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for line in lines {
        if line.starts_with([' ', '\t']) {
            if let Some((_, script)) = out.last_mut() {
                script.push_str(line.trim_start().trim_start_matches(['@', '-']));
                script.push('\n');
            }
            continue;
        }
        let target =
            line.split_once(':').filter(|(_, behind)| !behind.starts_with('=')).map(|(target, _)| target.trim());
        let plain = |it: &&str| !it.is_empty() && it.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
        out.extend(target.filter(plain).map(|it| (it.to_owned(), String::new())));
    }
    out
}

fn scripts<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<(String, String)> {
    let mut lines = lines.skip_while(|line| !line.contains("\"scripts\""));
    lines.next();
    let pair = |line: &str| {
        let (key, value) = line.trim().trim_end_matches(',').split_once("\":")?;
        let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
        Some((key.strip_prefix('"')?.to_owned(), value.replace("\\\"", "\"")))
    };
    lines.take_while(|line| !line.contains('}')).filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, target: &str, expect: &[&str]) {
        let mut recipes = Recipes::default();
        recipes.read(path, text);
        let own = recipes.of(target).map_or(&[][..], |it| it);
        assert_eq!(own.iter().map(Command::line).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn recipes_of_makefiles_and_packages() {
        let make = "VERSION := 3\n\nplan:\n\ta plan\nsync: plan\n\t@a apply -y\n\t-b c\n";
        check("infra/Makefile", make, "sync", &["a apply -y", "b c"]);
        check("infra/Makefile", make, "plan", &["a plan"]);
        check("infra/Makefile", make, "VERSION", &[]);
        check("Makefile", "     1\tsync:\n     2\t\ta apply\n", "sync", &["a apply"]);
        let package = "{\n  \"name\": \"x\",\n  \"scripts\": {\n    \"ship\": \"npm publish --tag next\",\n    \"a\": \"b\"\n  }\n}";
        check("package.json", package, "ship", &["npm publish --tag next"]);
        check("package.json", package, "name", &[]);
    }

    #[test]
    fn targets_are_bounded() {
        let text: String = (0..TARGETS_MAX + 5).map(|at| format!("t{at}:\n\tx\n")).collect();
        let mut recipes = Recipes::default();
        recipes.read("Makefile", &text);
        assert_eq!(recipes.0.len(), TARGETS_MAX);
        recipes.read("Makefile", &format!("t0:\n{}", "\tx\n".repeat(COMMANDS_MAX + 1)));
        assert_eq!(recipes.of("t0").map(|it| it.len()), Some(COMMANDS_MAX));
    }
}
