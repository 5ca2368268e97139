//! Placeholders of prompts, `{{name}}`, and values in their place.

use std::collections::{BTreeMap, BTreeSet};

/// The longest name of a placeholder, in characters.
pub const NAME_CHARS_MAX: usize = 64;

/// A piece of a prompt.
enum Piece<'a> {
    Words(&'a str),
    /// A placeholder: all of it, and its name.
    Placeholder(&'a str, &'a str),
}

/// The names of the placeholders of a prompt, each once, in the order in which they first stand there.
#[must_use]
pub fn placeholders(text: &str) -> Vec<&str> {
    let (mut names, mut seen) = (Vec::new(), BTreeSet::new());
    for piece in pieces(text) {
        if let Piece::Placeholder(_, name) = piece
            && seen.insert(name)
        {
            names.push(name);
        }
    }
    names
}

/// The prompt with values in the place of its placeholders; those without a value stay. It is gone through once, so nothing that a value holds is
/// filled in its turn.
#[must_use]
pub fn fill(text: &str, values: &BTreeMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        out.push_str(match piece {
            Piece::Words(words) => words,
            Piece::Placeholder(whole, name) => values.get(name).map_or(whole, String::as_str),
        });
    }
    out
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(open) = text[at..].find("{{").map(|found| at + found) {
        // No name goes beyond another brace or the line, so that no byte is looked at by more than two placeholders.
        let inner = &text[open + 2..];
        let close = inner.find(['{', '}', '\n']).filter(|close| inner[*close..].starts_with("}}"));
        match close.and_then(|close| Some((close, named(&inner[..close])?))) {
            Some((close, name)) => {
                let end = open + 2 + close + 2;
                out.push(Piece::Words(&text[from..open]));
                out.push(Piece::Placeholder(&text[open..end], name));
                (from, at) = (end, end);
            }
            // The second brace may begin one.
            None => at = open + 1,
        }
    }
    out.push(Piece::Words(&text[from..]));
    out
}

/// The name that stands between braces; `None` where it is none.
fn named(inner: &str) -> Option<&str> {
    let name = inner.trim_matches([' ', '\t']);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    (!name.is_empty() && name.chars().all(is_part) && name.chars().nth(NAME_CHARS_MAX).is_none()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, names: &[&str], filled: &str) {
        let values: BTreeMap<String, String> = [("a", "A"), ("b", "{{a}}"), ("zwölf monate", "12")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        assert_eq!((placeholders(text), fill(text, &values).as_str()), (names.to_vec(), filled));
    }

    #[test]
    fn placeholders_are_filled_once() {
        check("x {{a}} y {{ a }} {{c}}", &["a", "c"], "x A y A {{c}}");
        check("{{b}}", &["b"], "{{a}}");
        check("{{{a}}} {{zwölf monate}}", &["a", "zwölf monate"], "{A} 12");
        for none in ["", "{{}}", "{{ }}", "{a}", "{{a", "a}}", "{{a\nb}}", "{{#if x}}", "{{ {{ }} }}", "é{{"] {
            check(none, &[], none);
        }
        let long = format!("{{{{{}}}}}", "x".repeat(NAME_CHARS_MAX + 1));
        check(&long, &[], &long);
    }

    #[test]
    fn a_prompt_is_gone_through_once() {
        let open = "{{".repeat(500_000);
        assert_eq!((placeholders(&open), fill(&open, &BTreeMap::new())), (Vec::new(), open.clone()));
        let many: String = (0..100_000).map(|number| format!("{{{{n{number}}}}}")).collect();
        assert_eq!(placeholders(&many).len(), 100_000);
    }
}
