//! Taking prompts in: folders of Markdown, JSON lines, CSV.

use std::collections::BTreeSet;

use steadfast_wire::pick::{GivenPrompt, HeldAs, NotTakenReason as Reason};

use super::notes::{inline_tags, split};
use super::selection::Selection;
use super::{front_matter, tables};
use crate::File;

/// The longest prompt that is taken in, in bytes.
pub const PROMPT_BYTES_MAX: usize = 1024 * 1024;

/// The longest name of a prompt, in bytes.
pub const PROMPT_ID_BYTES_MAX: usize = 256;

/// Why a prompt could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ImportProblem {
    /// The line of the file, where one is known.
    pub(super) line: Option<usize>,
    /// Why.
    pub(super) why: String,
}

impl ImportProblem {
    pub(super) fn at(line: usize, why: String) -> Self {
        Self { line: Some(line), why }
    }
}

/// What was read: prompts, each with the file that it stands in, and what was not taken, and why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadPrompts {
    /// The prompts, in the order of the files.
    pub prompts: Vec<(String, GivenPrompt)>,
    /// What could not be read: place and reason.
    pub refused: Vec<(String, String)>,
    /// Everything that was looked at, in the order of the files.
    pub seen: Vec<Seen>,
}

/// A file that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its name.
    pub file: String,
    /// How it holds its prompts; `None` where it was not read.
    pub held_as: Option<HeldAs>,
    /// What of it is not taken: the line where it is not all of it, and why.
    pub not_taken: Vec<(Option<usize>, Reason, String)>,
}

impl ReadPrompts {
    /// Files that were passed over by their names or tags, and why.
    pub fn passed_over(&self) -> impl Iterator<Item = (&str, Reason)> {
        let of = |own: &'_ Seen| own.not_taken.iter().map(|(_, reason, _)| *reason).find(|it| is_passed_over(*it));
        self.seen.iter().filter_map(move |own| Some((own.file.as_str(), of(own)?)))
    }
}

/// Whether this is about a file, not about a prompt that stands in it.
const fn is_passed_over(reason: Reason) -> bool {
    !matches!(reason, Reason::Unreadable | Reason::SameId | Reason::SameText)
}

/// Whether a file may hold prompts, by its ending.
#[must_use]
pub fn holds_prompts(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "md" | "markdown" | "jsonl" | "ndjson" | "csv")
}

/// Reads the prompts of files that are wanted. In a folder with a `system.md` that file is the prompt, and what stands beside it is not.
#[must_use]
pub fn read(files: &[File], wanted: &Selection) -> ReadPrompts {
    let folder = |name: &str| name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let is_system = |name: &str| name.rsplit('/').next().is_some_and(|file| file.eq_ignore_ascii_case("system.md"));
    let patterns: BTreeSet<String> = files.iter().filter(|it| is_system(&it.name)).map(|it| folder(&it.name)).collect();
    let mut out = ReadPrompts::default();
    for file in files {
        let beside = || !is_system(&file.name) && patterns.contains(&folder(&file.name));
        let passed = wanted.passes_over(&file.name).or_else(|| beside().then_some(Reason::BesideSystem));
        let mut seen = Seen { file: file.name.clone(), held_as: None, not_taken: Vec::new() };
        match passed {
            Some(reason) => seen.not_taken.push((None, reason, reason.label().to_owned())),
            None => take(file, wanted, &mut seen, &mut out),
        }
        out.seen.push(seen);
    }
    out
}

/// The prompts of a file that is wanted.
fn take(file: &File, wanted: &Selection, seen: &mut Seen, out: &mut ReadPrompts) {
    let Ok(text) = std::str::from_utf8(&file.bytes) else {
        let why = "is not UTF-8".to_owned();
        seen.not_taken.push((None, Reason::Unreadable, why.clone()));
        out.refused.push((file.name.clone(), why));
        return;
    };
    let ending = file.name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let (held, read) = match ending.as_str() {
        "jsonl" | "ndjson" => (HeldAs::Rows, tables::json_lines(text)),
        "csv" => (HeldAs::Rows, tables::csv(text)),
        _ => note(&file.name, text),
    };
    seen.held_as = Some(held);
    let inline = if wanted.asks_for_tags() && held != HeldAs::Rows { inline_tags(text) } else { Vec::new() };
    for (line, prompt) in read {
        let line = (line > 0).then_some(line);
        match prompt.and_then(usable) {
            Ok(prompt) if !wanted.wants(prompt.tags.iter().chain(&inline).cloned()) => {
                seen.not_taken.push((line, Reason::NoTag, Reason::NoTag.label().to_owned()));
            }
            Ok(prompt) => out.prompts.push((file.name.clone(), prompt)),
            Err(problem) => {
                let line = problem.line.or(line);
                let place = line.map_or_else(|| file.name.clone(), |line| format!("{}:{line}", file.name));
                seen.not_taken.push((line, Reason::Unreadable, problem.why.clone()));
                out.refused.push((place, problem.why));
            }
        }
    }
}

/// A prompt that was read or why not, and the line where it stands.
type Placed = (usize, Result<GivenPrompt, ImportProblem>);

/// The prompts of a note. A file that is a prompt by its name (`system.md`, `x.agent.md`) is one, whatever stands in it.
fn note(name: &str, text: &str) -> (HeldAs, Vec<Placed>) {
    match front_matter::read(name, text) {
        Ok(prompt) if !front_matter::is_prompt_file(name) => {
            let (held, prompts) = split(prompt);
            (held, prompts.into_iter().map(|prompt| (0, Ok(prompt))).collect())
        }
        read => (HeldAs::Note, vec![(0, read)]),
    }
}

/// A prompt that has a text and can be called by its name.
fn usable(prompt: GivenPrompt) -> Result<GivenPrompt, ImportProblem> {
    let problem = |why: String| Err(ImportProblem { line: None, why });
    if prompt.prompt_text.trim().is_empty() {
        return problem("holds no prompt".to_owned());
    }
    if prompt.prompt_text.len() > PROMPT_BYTES_MAX {
        return problem(format!("holds a prompt of {} bytes, more than {PROMPT_BYTES_MAX}", prompt.prompt_text.len()));
    }
    let id = prompt.prompt_id.trim();
    if id.is_empty() {
        return problem("names no `prompt_id`".to_owned());
    }
    if id.len() > PROMPT_ID_BYTES_MAX || id.contains(char::is_control) {
        return problem(format!("a `prompt_id` holds at most {PROMPT_ID_BYTES_MAX} bytes and no control characters"));
    }
    Ok(GivenPrompt { prompt_id: id.to_owned(), ..prompt })
}

/// The field that a name in somebody's file means; the name itself where it means none.
pub(super) fn field(name: &str) -> &str {
    const NAMES: &[(&str, &str)] = &[
        ("id", "prompt_id"),
        ("promptid", "prompt_id"),
        ("name", "prompt_id"),
        ("slug", "prompt_id"),
        ("prompt", "prompt_text"),
        ("text", "prompt_text"),
        ("content", "prompt_text"),
        ("prompttext", "prompt_text"),
        ("title", "title"),
        ("act", "title"),
        ("description", "description"),
        ("summary", "description"),
        ("whentouse", "description"),
        ("tags", "tags"),
        ("keywords", "tags"),
        ("stage", "stage"),
        ("phase", "stage"),
        ("intent", "intent"),
        ("tasktype", "task_type"),
        ("type", "task_type"),
        ("category", "task_type"),
        ("domain", "domain"),
        ("expectedinput", "expected_input"),
        ("input", "expected_input"),
        ("inputs", "expected_input"),
        ("expectedoutput", "expected_output"),
        ("output", "expected_output"),
        ("outputs", "expected_output"),
        ("deliverable", "expected_output"),
        ("status", "status"),
        ("modelstested", "models_tested"),
        ("models", "models_tested"),
        ("model", "models_tested"),
        ("parentprompt", "parent_prompt"),
        ("parent", "parent_prompt"),
        ("variantof", "parent_prompt"),
        ("originallink", "original_link"),
        ("source", "original_link"),
        ("url", "original_link"),
        ("link", "original_link"),
        ("lastupdated", "last_updated"),
        ("updated", "last_updated"),
        ("modified", "last_updated"),
        ("date", "last_updated"),
        ("lastevaluated", "last_evaluated"),
        ("evaluated", "last_evaluated"),
        ("notes", "notes"),
        ("comment", "notes"),
    ];
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    NAMES.iter().find(|(known, _)| *known == letters).map_or(name, |(_, field)| field)
}

/// Sets a field by its name. Of two that mean the same the first holds; a name that is none is not known.
pub(super) fn set(prompt: &mut GivenPrompt, field: &str, said: String) {
    let slot = match field {
        "prompt_id" if prompt.prompt_id.is_empty() => {
            prompt.prompt_id = said;
            return;
        }
        "prompt_text" if prompt.prompt_text.is_empty() => {
            prompt.prompt_text = said;
            return;
        }
        "title" => &mut prompt.title,
        "description" => &mut prompt.description,
        "stage" => &mut prompt.stage,
        "intent" => &mut prompt.intent,
        "task_type" => &mut prompt.task_type,
        "domain" => &mut prompt.domain,
        "expected_input" => &mut prompt.expected_input,
        "expected_output" => &mut prompt.expected_output,
        "status" => &mut prompt.status,
        "parent_prompt" => &mut prompt.parent_prompt,
        "original_link" => &mut prompt.original_link,
        "last_updated" => &mut prompt.last_updated,
        "last_evaluated" => &mut prompt.last_evaluated,
        "notes" => &mut prompt.notes,
        _ => return,
    };
    slot.get_or_insert(said);
}

/// Words parted by commas.
pub(super) fn parted(text: &str) -> Vec<String> {
    text.split(',').map(|it| it.trim().trim_start_matches('#')).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}
