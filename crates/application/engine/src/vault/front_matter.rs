//! Markdown with front matter: notes, agent and skill files, pattern folders.

use saphyr::{LoadableYamlNode, Scalar, Yaml};
use steadfast_wire::pick::GivenPrompt;

use super::ImportProblem;

/// The longest front matter that is read, in bytes.
pub const FRONT_MATTER_BYTES_MAX: usize = 64 * 1024;

/// The deepest nesting of a front matter: its parser goes down a level of the stack for each.
const NESTING_MAX: usize = 64;

/// A file that begins with front matter: that, the line on which it begins, and the rest.
fn parted(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let after = text.strip_prefix("---")?;
    let after = after.strip_prefix("\r\n").or_else(|| after.strip_prefix('\n'))?;
    let mut at = 0;
    for line in after.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            return Some((&after[..at], &after[at + line.len()..]));
        }
        at += line.len();
    }
    None
}

/// Reads a prompt from a Markdown file. `path` is its name, with `/` between its parts; without an `id` of its own the prompt is
/// called by it.
pub(super) fn read(path: &str, text: &str) -> Result<GivenPrompt, ImportProblem> {
    let mut prompt = GivenPrompt::default();
    let body = match parted(text) {
        Some((front, body)) => {
            fields(front, &mut prompt)?;
            body
        }
        None => text.strip_prefix('\u{feff}').unwrap_or(text),
    };
    if prompt.prompt_text.is_empty() {
        body.trim().clone_into(&mut prompt.prompt_text);
    }
    if prompt.prompt_id.is_empty() {
        prompt.prompt_id = id_of(path);
    }
    Ok(prompt)
}

/// How files end, before `.md`, that are one prompt each.
const KINDS: &[&str] = &[".agent", ".prompt", ".instructions", ".chatmode"];

/// Names of files that are the prompt of their folder.
fn is_generic(stem: &str) -> bool {
    ["system", "skill", "prompt", "index"].iter().any(|it| stem.eq_ignore_ascii_case(it))
}

/// Whether a file is one prompt by its name: `system.md`, `SKILL.md`, `plan.agent.md`.
pub(super) fn is_prompt_file(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    is_generic(stem) || KINDS.iter().any(|kind| stem.ends_with(kind))
}

/// What a prompt is called that does not say so: by its file, or by its folder where every folder holds one file of the same name.
fn id_of(path: &str) -> String {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.strip_suffix(".md").or_else(|| file.strip_suffix(".markdown")).unwrap_or(file);
    if is_generic(stem) && !folder.is_empty() {
        return folder.to_owned();
    }
    let stem = KINDS.iter().find_map(|kind| stem.strip_suffix(kind)).unwrap_or(stem);
    if folder.is_empty() { stem.to_owned() } else { format!("{folder}/{stem}") }
}

fn fields(front: &str, prompt: &mut GivenPrompt) -> Result<(), ImportProblem> {
    if front.len() > FRONT_MATTER_BYTES_MAX {
        return Err(ImportProblem::at(1, format!("the front matter holds more than {FRONT_MATTER_BYTES_MAX} bytes")));
    }
    if nested(front) > NESTING_MAX {
        return Err(ImportProblem::at(1, format!("the front matter is nested deeper than {NESTING_MAX}")));
    }
    let documents = Yaml::load_from_str(front).map_err(|error| {
        // The first line is the one with the dashes.
        ImportProblem::at(error.marker().line() + 1, format!("the front matter is no YAML: {}", error.info()))
    })?;
    let Some(Yaml::Mapping(members)) = documents.first() else {
        // Empty front matter, or a line between two rules.
        return Ok(());
    };
    for (key, value) in members {
        if let Some(key) = key.as_str() {
            set(prompt, key, value);
        }
    }
    Ok(())
}

/// How deep brackets and markers of lists on one line nest at most.
fn nested(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0_usize);
    for line in text.lines() {
        let markers = line.split(' ').take_while(|word| matches!(*word, "-" | "?" | "")).filter(|it| !it.is_empty());
        deepest = deepest.max(markers.count());
        for byte in line.bytes() {
            match byte {
                b'[' | b'{' => {
                    depth += 1;
                    deepest = deepest.max(depth);
                }
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
    deepest
}

/// Sets the field that a key of somebody's front matter means.
fn set(prompt: &mut GivenPrompt, key: &str, value: &Yaml<'_>) {
    let key = super::field(key);
    match key {
        "tags" => prompt.tags = list(value),
        "models_tested" => prompt.models_tested = list(value),
        _ => {
            if let Some(said) = text(value) {
                super::set(prompt, key, said);
            }
        }
    }
}

/// A value in words: a list is told with commas.
fn text(value: &Yaml<'_>) -> Option<String> {
    let said = match value {
        Yaml::Value(Scalar::String(text)) => text.trim().to_owned(),
        Yaml::Value(Scalar::Integer(number)) => number.to_string(),
        Yaml::Value(Scalar::FloatingPoint(number)) => number.to_string(),
        Yaml::Value(Scalar::Boolean(flag)) => flag.to_string(),
        Yaml::Sequence(_) => list(value).join(", "),
        _ => return None,
    };
    (!said.is_empty()).then_some(said)
}

fn list(value: &Yaml<'_>) -> Vec<String> {
    match value {
        Yaml::Sequence(values) => {
            values.iter().filter_map(text).map(|it| it.trim_start_matches('#').to_owned()).collect()
        }
        _ => text(value).map(|said| super::parted(&said)).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_read_as_people_write_it() {
        let note = "---\nID: weekly-review\nTitle: \"Weekly review\"\ntags: [habit, '#review']\nexpected-input: notes\nmodel: gpt-x, other\n\
            updated: 2026-05-04\nphase: Reflect\n---\n\n# Weekly\n\nLook back.\n";
        let read = read("a/b.md", note).unwrap();
        assert_eq!((read.prompt_id.as_str(), read.title.as_deref()), ("weekly-review", Some("Weekly review")));
        assert_eq!(
            (read.tags, read.models_tested),
            (vec!["habit".into(), "review".into()], vec!["gpt-x".into(), "other".to_owned()])
        );
        assert_eq!((read.expected_input.as_deref(), read.last_updated.as_deref()), (Some("notes"), Some("2026-05-04")));
        assert_eq!((read.stage.as_deref(), read.prompt_text.as_str()), (Some("Reflect"), "# Weekly\n\nLook back."));
    }

    #[test]
    fn a_prompt_without_an_id_is_called_by_its_file() {
        let id = |path: &str| read(path, "Do it.").unwrap().prompt_id;
        assert_eq!(id("analyze_answers/system.md"), "analyze_answers");
        assert_eq!(id("skills/assess/SKILL.md"), "skills/assess");
        assert_eq!(id("agents/planner.agent.md"), "agents/planner");
        assert_eq!((id("note.md"), id("system.md")), ("note".to_owned(), "system".to_owned()));
    }

    #[test]
    fn what_is_no_yaml_is_refused_by_its_line() {
        let problem = read("a.md", "---\ntitle: x\ntags: [a\n---\nbody").unwrap_err();
        assert!(problem.why.starts_with("the front matter is no YAML"), "{problem:?}");
        assert!(problem.line.is_some_and(|line| (2..=4).contains(&line)), "{problem:?}");
        let deep = format!("---\na: {}\n---\nx", "[".repeat(70));
        assert_eq!(read("a.md", &deep).unwrap_err().why, "the front matter is nested deeper than 64");
        let long = format!("---\na: {}\n---\nx", "x".repeat(FRONT_MATTER_BYTES_MAX));
        assert!(read("a.md", &long).is_err());
        // A rule at the beginning, and one that is never closed, are text.
        assert_eq!(read("a.md", "---\njust text\n").unwrap().prompt_text, "---\njust text");
        assert_eq!(read("a.md", "---\njust text\n---\nmore").unwrap().prompt_text, "more");
    }
}
