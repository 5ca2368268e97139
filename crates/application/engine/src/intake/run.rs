//! A run: the prompt and its artefacts, told apart by their names.

use super::File;
use crate::EngineError;

/// What this program writes itself: never read as an artefact, so that auditing a run twice gives the same.
const OWN_OUTPUT: &[&str] = &["drift-evaluation.json", "drift-evaluation.md", "drift-evaluation.html"];

/// How a prompt is named, the surest first; the number that planners put before a name does not count.
const PROMPT_NAMES: &[&str] = &["initial_plan.txt", "plan.txt", "prompt.txt", "prompt.md"];

/// How a prompt in JSON is named.
const PROMPT_JSON: &str = "plan_raw.json";

/// A prompt and what an agent made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The user's own words.
    pub prompt: File,
    /// Whether the prompt stands in JSON, under `plan_prompt`.
    pub prompt_is_json: bool,
    /// What an agent made, in the order of their names.
    pub artefacts: Vec<File>,
    /// Files that were given and not read, in the order of their names.
    pub ignored: Vec<String>,
    /// The folder that all files stand in and that their names do not repeat; empty, or ending in `/`.
    pub root: String,
}

/// Whether a file of a run is read at all, by its name: Markdown, HTML, plain text and the planner's `plan_raw.json`, but
/// nothing hidden and nothing that this program wrote.
#[must_use]
pub fn is_read(name: &str) -> bool {
    let base = base(name);
    !is_hidden(name)
        && !OWN_OUTPUT.contains(&base.as_str())
        && (is_markdown(&base) || is_html(&base) || base.ends_with(".txt") || is_prompt_json(&base))
}

impl Run {
    /// Makes a run of files: finds the prompt, takes off the folder that all of them stand in, puts the rest in order.
    /// `given` is what the user gave, for messages. Plain text other than the prompt counts as an artefact only
    /// where there is neither Markdown nor HTML: planners leave logs there.
    ///
    /// # Errors
    /// [`EngineError::NoPrompt`] where no file is named as a prompt is.
    pub fn of(given: &str, mut files: Vec<File>) -> Result<Self, EngineError> {
        files.retain(|file| !is_hidden(&file.name));
        let root = common_root(&files);
        for file in &mut files {
            file.name.drain(..root.len());
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));

        let count = files.len();
        let Some(at) = prompt(&files) else {
            return Err(EngineError::NoPrompt { run: given.to_owned(), files: count });
        };
        let prompt = files.remove(at);
        let marked_up = files.iter().any(|file| {
            let base = base(&file.name);
            is_read(&file.name) && (is_markdown(&base) || is_html(&base))
        });
        let mut artefacts = Vec::new();
        let mut ignored = Vec::new();
        for file in files {
            let base = base(&file.name);
            let plain = !is_markdown(&base) && !is_html(&base);
            let other_prompt = prompt_rank(&base).is_some();
            if !is_read(&file.name) || other_prompt || (plain && marked_up) {
                ignored.push(file.name);
            } else {
                artefacts.push(file);
            }
        }
        Ok(Self { prompt_is_json: holds_prompt_in_json(&prompt.name), prompt, artefacts, ignored, root })
    }
}

/// Whether a file holds a prompt in JSON, by its name.
#[must_use]
pub fn holds_prompt_in_json(name: &str) -> bool {
    is_prompt_json(&base(name))
}

/// The last part of a name in lower case.
fn base(name: &str) -> String {
    name.rsplit('/').next().unwrap_or(name).to_lowercase()
}

fn is_hidden(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX")
}

fn is_markdown(base: &str) -> bool {
    base.ends_with(".md") || base.ends_with(".markdown")
}

fn is_html(base: &str) -> bool {
    base.ends_with(".html") || base.ends_with(".htm")
}

/// `plan_raw.json`, with or without a number before it.
fn is_prompt_json(base: &str) -> bool {
    unnumbered(base) == PROMPT_JSON
}

/// A name without the number that planners put before it (`001-2-plan.txt`).
fn unnumbered(base: &str) -> &str {
    base.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '_')
}

/// How surely a file is the prompt, 0 the surest; `None` where its name does not say so.
fn prompt_rank(base: &str) -> Option<usize> {
    let name = unnumbered(base);
    if let Some(exact) = PROMPT_NAMES.iter().position(|known| name == *known) {
        return Some(exact);
    }
    if name == PROMPT_JSON {
        return Some(PROMPT_NAMES.len());
    }
    let ending = PROMPT_NAMES.iter().position(|known| name.ends_with(known))?;
    Some(PROMPT_NAMES.len() + 1 + ending)
}

/// The place of the prompt: the surest name, then the one nearest to the root, then the first.
fn prompt(files: &[File]) -> Option<usize> {
    let candidates = files.iter().enumerate().filter_map(|(at, file)| {
        let rank = prompt_rank(&base(&file.name))?;
        Some((rank, file.name.matches('/').count(), at))
    });
    candidates.min().map(|(.., at)| at)
}

/// The folders that all files stand in, with a `/` at the end.
fn common_root(files: &[File]) -> String {
    let Some((first, rest)) = files.split_first() else { return String::new() };
    let mut root = first.name.rfind('/').map_or("", |at| &first.name[..=at]);
    for file in rest {
        while !file.name.starts_with(root) {
            root = root[..root.len() - 1].rfind('/').map_or("", |at| &root[..=at]);
        }
    }
    root.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<File> {
        names.iter().map(|name| File { name: (*name).to_owned(), bytes: Vec::new() }).collect()
    }

    /// `prompt | artefacts | ignored`.
    #[track_caller]
    fn check(names: &[&str], expect: &str) {
        let said = match Run::of("given", files(names)) {
            Ok(run) => {
                let artefacts: Vec<&str> = run.artefacts.iter().map(|file| file.name.as_str()).collect();
                format!("{} | {} | {}", run.prompt.name, artefacts.join(" "), run.ignored.join(" "))
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(said, expect);
        let mut backwards: Vec<&str> = names.to_vec();
        backwards.reverse();
        assert_eq!(Run::of("given", files(names)), Run::of("given", files(&backwards)), "order matters");
    }

    #[test]
    fn a_planners_run() {
        check(
            &["030-report.html", "001-2-plan.txt", "025-2-executive_summary.md"],
            "001-2-plan.txt | 025-2-executive_summary.md 030-report.html | ",
        );
        check(&["001-2-initial_plan.txt", "a.md"], "001-2-initial_plan.txt | a.md | ");
        check(&["plan_raw.json", "a.md"], "plan_raw.json | a.md | ");
        check(&["001-1-plan_raw.json", "001-2-plan.txt", "a.md"], "001-2-plan.txt | a.md | 001-1-plan_raw.json");
        check(&["002-project_plan.txt", "001-plan.txt", "a.md"], "001-plan.txt | a.md | 002-project_plan.txt");
    }

    #[test]
    fn other_folders() {
        check(&["prompt.txt", "report.md"], "prompt.txt | report.md | ");
        check(&["Prompt.MD", "Report.HTM"], "Prompt.MD | Report.HTM | ");
        check(&["prompt.txt", "report.txt"], "prompt.txt | report.txt | ");
        check(&["my-prompt.txt", "deep/report.md"], "my-prompt.txt | deep/report.md | ");
        check(&["a.md", "b.md"], "given: no prompt among its 2 files");
        check(&[], "given: no prompt among its 0 files");
        check(&["plan.txt"], "plan.txt |  | ");
    }

    #[test]
    fn what_is_not_read() {
        check(&["plan.txt", "a.md", "log.txt", "b.png", "c.json"], "plan.txt | a.md | b.png c.json log.txt");
        check(&["plan.txt", "a.md", ".hidden.md", "__MACOSX/._a.md", ".git/x.md"], "plan.txt | a.md | ");
        check(&["plan.txt", "a.md", "drift-evaluation.md"], "plan.txt | a.md | drift-evaluation.md");
    }

    #[test]
    fn the_folder_of_all_is_not_repeated() {
        check(&["run/plan.txt", "run/a.md"], "plan.txt | a.md | ");
        check(&["x/run/plan.txt", "x/run/deep/a.md"], "plan.txt | deep/a.md | ");
        check(&["run/plan.txt", "running/a.md"], "run/plan.txt | running/a.md | ");
        check(&["run/plan.txt", "run/a.md", "__MACOSX/run/._a.md"], "plan.txt | a.md | ");
    }
}
