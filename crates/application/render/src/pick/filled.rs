//! What was picked, as Markdown to be used.

use std::fmt::Write as _;

use steadfast_wire::pick::FilledChain;

use crate::plain::{one_line, shown_block};

/// A chain as Markdown: a heading for each stage, the prompt's text below it, and at the end the placeholders that nothing was given for; or the
/// questions, where something is asked first. Control characters are shown.
#[must_use]
pub fn filled_markdown(chain: &FilledChain) -> String {
    let mut text = format!("# {}\n", one_line(&chain.task));
    for own in &chain.prompts {
        let name = one_line(own.title.as_deref().unwrap_or(&own.prompt_id));
        let _ =
            write!(text, "\n## {}. {}: {name}\n\n{}\n", own.rank, own.stage.label(), shown_block(own.text.trim_end()));
    }
    if chain.prompts.is_empty() {
        text.push_str("\nTo be answered first:\n\n");
        for (at, question) in chain.questions.iter().enumerate() {
            let _ = writeln!(text, "{}. {}", at + 1, one_line(question));
        }
    }
    let unfilled: Vec<String> = chain.unfilled().map(|name| format!("`{{{{{name}}}}}`")).collect();
    if !unfilled.is_empty() {
        let _ = write!(text, "\n---\n\nNot filled: {}\n", unfilled.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use steadfast_wire::pick::{FilledPrompt, Placeholder, Stage};

    use super::*;

    #[test]
    fn a_chain_is_told_with_what_is_not_filled() {
        let placeholder =
            |name: &str, value: Option<&str>| Placeholder { name: name.to_owned(), value: value.map(str::to_owned) };
        let mut chain = FilledChain {
            task: "Plan\na fair".to_owned(),
            prompts: vec![FilledPrompt {
                rank: 1,
                stage: Stage::Plan,
                prompt_id: "fair".to_owned(),
                title: None,
                text: "Plan it for June.\n\nWith {{who}}.\n".to_owned(),
            }],
            placeholders: vec![placeholder("month", Some("June")), placeholder("who", None)],
            questions: Vec::new(),
        };
        let label = Stage::Plan.label();
        assert_eq!(
            filled_markdown(&chain),
            format!(
                "# Plan a fair\n\n## 1. {label}: fair\n\nPlan it for June.\n\nWith {{{{who}}}}.\n\n---\n\nNot filled: `{{{{who}}}}`\n"
            )
        );
        (chain.prompts, chain.placeholders, chain.questions) = (Vec::new(), Vec::new(), vec!["When?".to_owned()]);
        assert_eq!(filled_markdown(&chain), "# Plan a fair\n\nTo be answered first:\n\n1. When?\n");
    }
}
