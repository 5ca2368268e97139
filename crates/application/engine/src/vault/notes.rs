//! Prompts within a Markdown note: under headings that say so, or in code fences.

use std::collections::BTreeMap;

use steadfast_text::{Block, BlockKind, Document, Format, Section};
use steadfast_wire::pick::{GivenPrompt, HeldAs};

/// Prompts of one note; a note that holds more is taken as one.
pub const NOTE_PROMPTS_MAX: usize = 500;

/// Text that may stand beside fences which are the prompts of a note, in bytes, headings left out. Where there is more, the note is the prompt and its fences
/// are forms and examples: of 2,124 prompts by others (`measure prompt_vaults`) none is parted wrongly so, and at half of the text a dozen are.
const BESIDE_BYTES_MAX: usize = 200;

/// Languages of fences that hold words rather than code.
const WORDS: &[&str] = &["text", "txt", "plaintext", "plain", "markdown", "md", "prompt"];

/// A prompt of a note: the heading that it stands under, and its text.
struct Part {
    heading: Option<String>,
    text: String,
}

/// The prompts of a note whose whole text is `note`, and how it holds them. One prompt stays one, with the text of its fence where that is most of the note;
/// each of many is called by the note and its heading.
pub(super) fn split(note: GivenPrompt) -> (HeldAs, Vec<GivenPrompt>) {
    let Some((held, parts)) = parts(&note.prompt_text).filter(|(_, parts)| parts.len() <= NOTE_PROMPTS_MAX) else {
        return (HeldAs::Note, vec![note]);
    };
    if let [Part { text, .. }] = parts.as_slice() {
        return (held, vec![GivenPrompt { prompt_text: text.clone(), ..note }]);
    }
    // Each has a text of its own.
    let note = GivenPrompt { prompt_text: String::new(), ..note };
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let named = parts.into_iter().enumerate().map(|(at, part)| {
        let title = part.heading.as_deref().map(own_title).filter(|title| !title.is_empty());
        let slug = title.map(slug).filter(|slug| !slug.is_empty()).unwrap_or_else(|| (at + 1).to_string());
        let count = seen.entry(slug.clone()).or_default();
        *count += 1;
        let slug = if *count > 1 { format!("{slug}-{count}") } else { slug };
        GivenPrompt {
            prompt_id: format!("{}#{slug}", note.prompt_id),
            title: title.map(str::to_owned).or_else(|| note.title.clone()),
            prompt_text: part.text,
            ..note.clone()
        }
    });
    (held, named.collect())
}

/// The prompts of a note; `None` where the whole of it is one.
fn parts(body: &str) -> Option<(HeldAs, Vec<Part>)> {
    if !body.contains("```") && !body.contains("~~~") && !body.to_lowercase().contains("# prompt") {
        return None;
    }
    let document = Document::from_str_as(body, Format::Markdown);
    let headings = under_headings(&document);
    if !headings.is_empty() {
        return Some((HeldAs::Headings, headings));
    }
    let fences: Vec<(&Block, Option<&str>)> =
        document.blocks.iter().filter_map(|block| fence(&document, block)).collect();
    let part = |block: &Block| Part {
        heading: document.sections.get(block.section).filter(|own| own.level > 0).map(|own| own.title.clone()),
        text: block.text.plain.to_string(),
    };
    let said: Vec<Part> =
        fences.iter().filter(|(_, language)| *language == Some("prompt")).map(|(own, _)| part(own)).collect();
    if !said.is_empty() {
        return Some((HeldAs::Fences, said));
    }
    // Without a word that says so, what stands in fences of words is the prompt where hardly anything stands beside it.
    let of_words = |language: &Option<&str>| language.is_none_or(|language| WORDS.contains(&language));
    let words: Vec<&Block> = fences.iter().filter(|(_, language)| of_words(language)).map(|(own, _)| *own).collect();
    let bytes: usize = words.iter().map(|own| own.text.plain.len()).sum();
    let others = document.blocks.iter().filter(|own| own.kind != BlockKind::Heading);
    let all: usize = others.map(|own| own.text.plain.len()).sum();
    let mut sections: Vec<usize> = words.iter().map(|own| own.section).collect();
    sections.dedup();
    let each_by_itself = sections.len() == words.len() && (words.len() == 1 || !sections.contains(&0));
    (!words.is_empty() && each_by_itself && is_most(bytes, all))
        .then(|| (HeldAs::Fences, words.into_iter().map(part).collect()))
}

/// Whether hardly anything stands beside fences.
const fn is_most(fences_bytes: usize, all_bytes: usize) -> bool {
    fences_bytes * 2 > all_bytes && all_bytes - fences_bytes <= BESIDE_BYTES_MAX
}

/// A block that is a fenced one, with its language in small letters.
fn fence<'a>(document: &'a Document, block: &'a Block) -> Option<(&'a Block, Option<&'a str>)> {
    let BlockKind::Code { language } = &block.kind else { return None };
    let is_mark = |line: &str| {
        let begins = line.trim_start_matches([' ', '>', '\t']);
        begins.starts_with("```") || begins.starts_with("~~~")
    };
    let before = document.source.get(..block.span.start)?;
    let line = before.trim_end_matches(['\n', '\r', ' ', '\t']).rsplit('\n').next().unwrap_or_default();
    let own = document.source.get(block.span.start..)?.lines().next().unwrap_or_default();
    let fenced = language.is_some() || is_mark(line) || is_mark(own);
    fenced.then_some((block, language.as_deref()))
}

/// The prompts under headings "Prompt", "Prompt 2", "Prompt: reply"; of a section that holds hardly more than one fence the fence.
fn under_headings(document: &Document) -> Vec<Part> {
    let mut out = Vec::new();
    let mut end = 0;
    // Sections and blocks stand in the order of the file: each block is looked at once.
    let mut rest = document.blocks.as_slice();
    for section in &document.sections {
        if section.level == 0 || section.span.start < end || !says_prompt(&section.title) {
            continue;
        }
        end = section.span.end;
        let first = rest.iter().position(|block| block.span.start >= section.span.start).unwrap_or(rest.len());
        let count = rest[first..].iter().position(|block| block.span.start >= end).unwrap_or(rest.len() - first);
        let (all, behind) = rest[first..].split_at(count);
        rest = behind;
        let heading = all.iter().find(|block| block.kind == BlockKind::Heading);
        let own: Vec<&Block> = all.iter().filter(|own| own.kind != BlockKind::Heading).collect();
        let all: usize = own.iter().map(|own| own.text.plain.len()).sum();
        let mut fences = own.into_iter().filter_map(|block| fence(document, block));
        let text = match (fences.next(), fences.next()) {
            (Some((one, _)), None) if is_most(one.text.plain.len(), all) => one.text.plain.to_string(),
            _ => below(document, heading, section).trim().to_owned(),
        };
        if !text.trim().is_empty() {
            out.push(Part { heading: Some(section.title.clone()), text });
        }
        // With one more it is one prompt.
        if out.len() > NOTE_PROMPTS_MAX {
            break;
        }
    }
    out
}

/// What stands below the heading of a section.
fn below<'a>(document: &'a Document, heading: Option<&Block>, section: &Section) -> &'a str {
    let from = heading.map_or(section.span.start, |block| block.span.end);
    let rest = document.source.get(from..section.span.end).unwrap_or_default();
    let rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    // A heading may be underlined.
    match rest.split_once('\n') {
        Some((line, after)) if !line.trim().is_empty() && line.trim().chars().all(|c| matches!(c, '=' | '-')) => after,
        _ => rest,
    }
}

/// Whether a heading announces a prompt: "Prompt", "Prompt 2", "Prompt: reply", "Prompt – reply", but not "Prompt-only generation".
fn says_prompt(title: &str) -> bool {
    let title = title.trim();
    let word = title.get(..6).filter(|word| word.eq_ignore_ascii_case("prompt"));
    let Some(rest) = word.and_then(|_| title.get(6..)) else { return false };
    let mark = |c: char| c.is_ascii_digit() || matches!(c, ':' | '#' | '–' | '—' | '-');
    rest.is_empty() || rest.starts_with(':') || (rest.starts_with(' ') && rest.trim_start().starts_with(mark))
}

/// What a heading calls a prompt: "Prompt: reply to an email" says "reply to an email".
fn own_title(heading: &str) -> &str {
    let heading = heading.trim();
    if !says_prompt(heading) {
        return heading;
    }
    let rest = heading.get(6..).unwrap_or_default();
    let named = rest.trim_start_matches(|c: char| {
        c.is_ascii_digit() || c.is_whitespace() || matches!(c, ':' | '#' | '–' | '—' | '-' | '.')
    });
    if named.is_empty() { heading } else { named }
}

/// Small letters and figures, parted by dashes.
fn slug(title: &str) -> String {
    let lower = title.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The tags that a note holds in its text: "#prompt/mail". Headings, code and numbers are none.
pub(super) fn inline_tags(body: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut fenced = false;
    for line in body.lines() {
        let begins = line.trim_start();
        if begins.starts_with("```") || begins.starts_with("~~~") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        let mut before = ' ';
        for (at, own) in line.char_indices() {
            if own == '#' && (before.is_whitespace() || matches!(before, '(' | '[' | ',' | ';')) {
                let rest = &line[at + 1..];
                let end =
                    rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '/'))).unwrap_or(rest.len());
                let tag = &rest[..end];
                if tag.contains(|c: char| !c.is_ascii_digit()) {
                    tags.push(tag.to_owned());
                }
            }
            before = own;
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, held: HeldAs, expect: &[(&str, &str)]) {
        let note =
            GivenPrompt { prompt_id: "a/note".to_owned(), prompt_text: body.to_owned(), ..GivenPrompt::default() };
        let (own, prompts) = split(note);
        let found: Vec<(&str, &str)> =
            prompts.iter().map(|it| (it.prompt_id.as_str(), it.prompt_text.as_str())).collect();
        assert_eq!((own, found.as_slice()), (held, expect));
    }

    #[test]
    fn a_note_is_one_prompt_unless_it_says_otherwise() {
        let plain = "# Reply\n\nAnswer this.\n\nPrompt engineering is no heading.";
        check(plain, HeldAs::Note, &[("a/note", plain)]);
        let example = "You review code. Answer as in this example, in full sentences, and say why each line matters:\n\n```rust\nfn main() {}\n```";
        check(example, HeldAs::Note, &[("a/note", example)]);
        let form = "# IDENTITY\n\nYou are careful, and you write as little as you can.\n\n# OUTPUT\n\n```\nONE\n```\n\n```\nTWO\n```";
        check(form, HeldAs::Note, &[("a/note", form)]);
        let tips = "# Prompts that work\n\nBe short.\n\n## Prompt-only generation\n\nNo image.";
        check(tips, HeldAs::Note, &[("a/note", tips)]);
        let long = format!("{}\n\n```\n{}\n```", "Read the file. ".repeat(14), "- form\n".repeat(40));
        check(&long, HeldAs::Note, &[("a/note", &long)]);
    }

    #[test]
    fn a_fence_that_is_most_of_a_note_is_the_prompt() {
        check(
            "For mails.\n\n```\nAnswer this mail, point by point.\n```\n",
            HeldAs::Fences,
            &[("a/note", "Answer this mail, point by point.")],
        );
        check(
            "Long words about it, longer than the prompt itself by far.\n\n```prompt\nGo.\n```\n",
            HeldAs::Fences,
            &[("a/note", "Go.")],
        );
    }

    #[test]
    fn several_prompts_are_called_by_their_headings() {
        check(
            "# Mails\n\n## Prompt: Reply\n\nAnswer this.\n\n## Prompt 2\n\n```\nThank them.\n```\n\n## Notes\n\nUsed daily.\n",
            HeldAs::Headings,
            &[("a/note#reply", "Answer this."), ("a/note#prompt-2", "Thank them.")],
        );
        check(
            "# All\n\n## Terminal\n\n```\nAct as a terminal.\n```\n\n## Judge\n\n~~~text\nAct as a judge.\n~~~\n",
            HeldAs::Fences,
            &[("a/note#terminal", "Act as a terminal."), ("a/note#judge", "Act as a judge.")],
        );
        check(
            "## A\n\n```prompt\nOne.\n```\n\n```prompt\nTwo.\n```\n",
            HeldAs::Fences,
            &[("a/note#a", "One."), ("a/note#a-2", "Two.")],
        );
    }

    #[test]
    fn one_heading_parts_the_prompt_from_what_is_said_of_it() {
        check("Made for Ana.\n\n# Prompt\n\nDo it.\n\nTwice.\n", HeldAs::Headings, &[("a/note", "Do it.\n\nTwice.")]);
    }

    #[test]
    fn a_note_of_more_prompts_than_are_parted_is_one() {
        let many = |count: usize| "# Prompt\n\nDo it.\n\n".repeat(count).trim_end().to_owned();
        let note = |text: String| GivenPrompt { prompt_text: text, ..GivenPrompt::default() };
        assert_eq!(split(note(many(NOTE_PROMPTS_MAX))).1.len(), NOTE_PROMPTS_MAX);
        for more in [NOTE_PROMPTS_MAX + 1, 20_000] {
            let (held, prompts) = split(note(many(more)));
            assert_eq!((held, prompts.len()), (HeldAs::Note, 1));
        }
        // Headings without a prompt below count for none, however many there are.
        let bare = format!("{}Do it.\n", "## Prompt\n".repeat(100_000));
        let (held, prompts) = split(note(bare));
        assert_eq!((held, prompts.len(), prompts[0].prompt_text.as_str()), (HeldAs::Headings, 1, "Do it."));
    }

    #[test]
    fn tags_are_told_from_headings_and_code() {
        let found = inline_tags("# Title\n#prompt and (#mail/reply) but a#b, #1 and `x`\n```\n#code\n```\n");
        assert_eq!(found, ["prompt", "mail/reply"]);
    }
}
