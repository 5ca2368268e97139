//! What a user typed as sentences and words.

use steadfast_annotate::{base_form, stem};

/// A word with its place.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    /// In lower case with straight apostrophes.
    pub(super) low: String,
    /// The stem of its base form.
    pub(super) lemma: String,
    pub(super) raw: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether a comma, a colon, a bracket or a dash stands before it.
    pub(super) apart: bool,
    /// The number of the code span that it stands in.
    pub(super) code: Option<usize>,
    /// Whether it stands in brackets: there things are described, not ordered.
    pub(super) aside: bool,
}

impl Word<'_> {
    pub(super) fn is(&self, names: &[&str]) -> bool {
        names.contains(&self.low.as_str())
    }

    /// Whether it denies what stands behind it.
    pub(super) fn is_negator(&self) -> bool {
        self.code.is_none() && self.is(NEGATORS)
    }
}

/// Words that deny what stands behind them.
const NEGATORS: &[&str] = &[
    "don't",
    "dont",
    "never",
    "no",
    "not",
    "without",
    "avoid",
    "mustn't",
    "shouldn't",
    "cannot",
    "can't",
    "cant",
    "nothing",
    "nor",
    "won't",
    "didn't",
    "refrain",
    "zero",
    "stop",
    "neither",
    "nobody",
    "w/o",
];

/// Marks that may stand around a word and are no part of it.
const AROUND: &[char] =
    &[',', ';', ':', '.', '!', '?', '(', ')', '"', '\'', '`', '*', '“', '”', '‘', '—', '–', '[', ']', '…'];

/// The words of a sentence that begins at `from`.
pub(super) fn words(sentence: &str, from: usize) -> Vec<Word<'_>> {
    let mut out: Vec<Word<'_>> = Vec::new();
    let (mut apart, mut at, mut ticks) = (false, 0, 0);
    let mut depth = 0_usize;
    for piece in sentence.split_inclusive(char::is_whitespace) {
        let start = at;
        at += piece.len();
        let trimmed = piece.trim();
        let opened = depth > 0 || trimmed.starts_with('(');
        depth = (depth + trimmed.matches('(').count()).saturating_sub(trimmed.matches(')').count());
        let before = ticks;
        ticks += trimmed.matches('`').count();
        let in_code = before % 2 == 1 || trimmed.contains('`');
        let code = in_code.then_some(if before % 2 == 1 { before } else { before + 1 });
        let glob = trimmed.contains('*') && (trimmed.contains('/') || trimmed.contains("*."));
        let own = trimmed.trim_matches(|c: char| AROUND.contains(&c) && !(glob && c == '*'));
        if own.is_empty() {
            apart = apart || !trimmed.is_empty();
            continue;
        }
        // A dot before a name is part of it: `.env`.
        let mut offset = piece.find(own).unwrap_or(0);
        if piece[..offset].ends_with('.') && own.chars().all(|c| c.is_alphanumeric() || "._-/*".contains(c)) {
            offset -= 1;
        }
        let end = piece.find(own).unwrap_or(0) + own.len();
        let raw = piece.get(offset..end).unwrap_or(own);
        let low = raw.to_lowercase().replace('’', "'");
        let lemma = base_form(&stem(&low)).to_owned();
        let opens = piece[..offset].contains(['(', '"', '“']);
        out.push(Word {
            low,
            lemma,
            raw,
            start: from + start + offset,
            end: from + start + end,
            apart: apart || opens,
            code,
            aside: opened,
        });
        apart = trimmed.trim_end_matches(['`', '"', '*', '”']).ends_with([',', ':', ')', '—', '–', '…']);
    }
    out
}

/// Sentences with their places.
pub(super) fn sentences(text: &str) -> Vec<(usize, &str)> {
    super::super::sentences::sentences(text).into_iter().map(|range| (range.start, &text[range])).collect()
}

/// Whether a word names a file, a folder or a pattern of them.
pub(super) fn is_path(word: &str) -> bool {
    let folder = word.len() > 1 && word.ends_with('/');
    let word = word.trim_end_matches('/');
    if word.starts_with('-') || word.contains("://") || word.is_empty() || word.contains(['@', '=', '(', '"', '<']) {
        return false;
    }
    if word.contains('/') {
        // "and/or", "read/write", "CI/CD": two plain words side by side are no path.
        let parts: Vec<&str> = word.split('/').collect();
        let plain = |it: &&str| it.chars().all(char::is_alphabetic) && it.len() <= 5;
        let both = ["and", "or", "read", "input", "yes", "client", "he", "she", "ci"];
        return !(parts.len() == 2 && (both.contains(&parts[0].to_lowercase().as_str()) && plain(&parts[1])));
    }
    if folder || word.starts_with("*.") {
        return true;
    }
    if word.starts_with('.') && word.len() > 2 && word[1..].starts_with(char::is_alphabetic) {
        return true;
    }
    if matches!(word, "Makefile" | "Dockerfile" | "Jenkinsfile" | "Gemfile" | "Procfile" | "Justfile" | "CODEOWNERS") {
        return true;
    }
    word.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && !matches!(
                word.to_lowercase().as_str(),
                "node.js" | "next.js" | "vue.js" | "react.js" | "three.js" | "d3.js"
            )
            && (1..=6).contains(&ending.len())
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
            && ending.chars().any(|c| c.is_ascii_alphabetic())
            && stem.chars().all(|c| c.is_alphanumeric() || "._-*".contains(c))
            && stem.chars().any(char::is_alphabetic)
            && !matches!(word, "e.g" | "i.e")
    })
}
