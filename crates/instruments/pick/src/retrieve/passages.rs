//! The texts of a prompt that are embedded: what it is called and for, and passages of the prompt itself.

use std::ops::Range;

use crate::record::PromptRecord;

/// Words of a passage, at most. A sentence model is made for a few sentences; whether longer ones serve better differs
/// from vault to vault.
pub const PASSAGE_WORDS_MAX: usize = 90;

/// Bytes of a passage, at most: for texts without words.
pub const PASSAGE_BYTES_MAX: usize = 900;

/// Passages of a prompt, at most, from its beginning on: what comes after them is found by its words alone.
pub const PASSAGES_MAX: usize = 4;

/// Bytes of a label, at most.
pub const LABEL_BYTES_MAX: usize = 900;

/// The texts of a prompt that are embedded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts<'a> {
    /// Title and description; none where nobody gave any.
    pub label: Option<String>,
    /// Passages of the prompt, in their order; none where it is empty.
    pub passages: Vec<&'a str>,
}

impl Texts<'_> {
    /// All of them, the label first: in this order their vectors are given to
    /// [`Vectors::push`](super::vectors::Vectors::push).
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.label.as_deref().into_iter().chain(self.passages.iter().copied())
    }
}

/// The texts of a prompt that are embedded.
#[must_use]
pub fn texts(record: &PromptRecord) -> Texts<'_> {
    let said = [record.title.as_deref(), record.description.as_deref()];
    let said: Vec<&str> = said.into_iter().flatten().map(str::trim).filter(|text| !text.is_empty()).collect();
    let label = said.join(". ");
    let label = (!label.is_empty()).then(|| label[..label.floor_char_boundary(LABEL_BYTES_MAX)].to_owned());
    Texts { label, passages: passages(&record.prompt_text) }
}

/// The first passages of a text: whole lines as long as they fit, else a line's words. Time is linear in what is read.
#[must_use]
pub fn passages(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut passage: Option<(Range<usize>, usize)> = None;
    for (line, words) in pieces(text) {
        if found.len() == PASSAGES_MAX {
            return found;
        }
        passage = match passage {
            Some((range, count))
                if count + words <= PASSAGE_WORDS_MAX && line.end - range.start <= PASSAGE_BYTES_MAX =>
            {
                Some((range.start..line.end, count + words))
            }
            Some((range, _)) => {
                found.push(&text[range]);
                Some((line, words))
            }
            None => Some((line, words)),
        };
    }
    if let Some((range, _)) = passage.filter(|_| found.len() < PASSAGES_MAX) {
        found.push(&text[range]);
    }
    found
}

/// The lines of a text that are not empty, without white space around them, cut where they are longer than a passage; with the number of their words.
fn pieces(text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
    let base = text.as_ptr().addr();
    let place = move |part: &str| {
        let start = part.as_ptr().addr() - base;
        start..start + part.len()
    };
    text.lines().map(str::trim).filter(|line| !line.is_empty()).flat_map(move |line| cut(line, place))
}

/// A line cut into runs of words.
fn cut<'a>(
    line: &'a str,
    place: impl Fn(&str) -> Range<usize> + 'a,
) -> impl Iterator<Item = (Range<usize>, usize)> + 'a {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let (mut end, mut words) = (0, 0);
        while words < PASSAGE_WORDS_MAX {
            let from = rest[end..].find(|c: char| !c.is_whitespace()).map(|gap| end + gap);
            let Some(from) = from else { break };
            let until = rest[from..].find(char::is_whitespace).map_or(rest.len(), |length| from + length);
            if until > PASSAGE_BYTES_MAX {
                break;
            }
            (end, words) = (until, words + 1);
        }
        if words == 0 {
            (end, words) = (rest.floor_char_boundary(PASSAGE_BYTES_MAX), 1);
        }
        let piece = place(&rest[..end]);
        rest = &rest[end..];
        Some((piece, words))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn whole_lines_stand_together_as_long_as_they_fit() {
        assert_eq!(passages("  one\n\n two three \n"), ["one\n\n two three"]);
        assert!(passages(" \n\t\n").is_empty());
        let line = "word ".repeat(50);
        assert_eq!(passages(&format!("{line}\n{line}")).len(), 2);
        assert_eq!(passages(&"word ".repeat(PASSAGE_WORDS_MAX)).len(), 1);
        assert_eq!(passages(&"word ".repeat(PASSAGE_WORDS_MAX + 1)).len(), 2);
        assert_eq!(passages(&"word ".repeat(100_000)).len(), PASSAGES_MAX);
        assert_eq!(passages(&"x".repeat(PASSAGE_BYTES_MAX)).len(), 1);
        assert_eq!(passages(&"x".repeat(PASSAGE_BYTES_MAX + 1)), ["x".repeat(PASSAGE_BYTES_MAX), "x".to_owned()]);
    }

    #[test]
    fn a_label_is_what_somebody_said_of_it() {
        let record = PromptRecord { prompt_text: "Do it.".to_owned(), ..PromptRecord::default() };
        assert_eq!(texts(&record).iter().collect::<Vec<_>>(), ["Do it."]);
        let record =
            PromptRecord { title: Some(" Doer ".to_owned()), description: Some("Does it".to_owned()), ..record };
        assert_eq!(texts(&record).iter().collect::<Vec<_>>(), ["Doer. Does it", "Do it."]);
    }

    proptest! {
        #[test]
        fn passages_are_parts_in_order_within_limits(text in "(?s)(.{0,40}[ \n\u{3000}é]{0,3}){0,80}") {
            let found = passages(&text);
            prop_assert!(found.len() <= PASSAGES_MAX);
            let mut last = text.as_ptr().addr();
            for passage in found {
                prop_assert!(!passage.trim().is_empty() && passage.len() <= PASSAGE_BYTES_MAX);
                prop_assert!(passage.split_whitespace().count() <= PASSAGE_WORDS_MAX);
                prop_assert!(passage.as_ptr().addr() >= last);
                last = passage.as_ptr().addr() + passage.len();
            }
        }
    }
}
