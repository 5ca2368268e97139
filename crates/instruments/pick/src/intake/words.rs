//! The words of a task as the readers of intake see them, and phrases of several words.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use steadfast_text::{TokenKind, sentences, tokens};

/// Most words of a task that are looked at: what follows is no task of a person but material.
pub(super) const WORDS_MAX: usize = 4_000;
/// Longest stretch between quotation marks that is taken for a quote, in words.
const QUOTED_WORDS_MAX: usize = 600;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters.
    Word,
    /// Begins with a digit.
    Number,
    /// One other character.
    Mark,
}

/// One word or mark. Hyphens split words and are no words, so that "one-page" and "one page" read alike.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    /// Where it stands in [`Text::plain`].
    pub(super) range: Range<usize>,
    /// In lower case, typographic apostrophes as `'`.
    pub(super) low: Cow<'a, str>,
    /// The same without the ending of a plural, where it has one.
    pub(super) singular: Option<String>,
    /// What it is.
    pub(super) kind: Kind,
    /// Whether it stands between quotation marks, or is one.
    pub(super) quoted: bool,
    /// Whether a sentence, an item of a list or what follows a colon begins with it.
    pub(super) first: bool,
    /// Whether it is joined to the word before it by a hyphen.
    pub(super) joined: bool,
    /// Whether it begins with a capital.
    pub(super) capital: bool,
}

/// A task, read into words.
#[derive(Debug)]
pub(super) struct Text<'a> {
    /// The task with every run of white space as one space, none at the ends.
    pub(super) plain: &'a str,
    /// Its words and marks.
    pub(super) words: Vec<Word<'a>>,
    /// How many items its numbered list has.
    pub(super) items: usize,
}

/// The text with every run of white space as one space, none at the ends.
pub(super) fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(part);
    }
    out
}

impl<'a> Text<'a> {
    /// Reads a [`collapsed`] text.
    pub(super) fn new(plain: &'a str) -> Self {
        let mut words: Vec<Word<'a>> = Vec::with_capacity(plain.len() / 5);
        let starts: Vec<usize> = sentences(plain).into_iter().map(|range| range.start).collect();
        let mut starts = starts.into_iter().peekable();
        'tokens: for token in tokens(plain) {
            let mut first = false;
            let glued_number = matches!(words.as_slice(), [.., number, hyphen]
                if number.kind == Kind::Number && number.range.end == hyphen.range.start);
            while starts.next_if(|start| *start <= token.range.start).is_some() {
                first = true;
            }
            // "2-week": the hyphen between a number and a word joins them.
            if let Some(hyphen) = words.pop_if(|word| {
                matches!(word.low.as_ref(), "-" | "\u{2010}" | "\u{2011}")
                    && word.range.end == token.range.start
                    && matches!(token.kind, TokenKind::Word)
                    && glued_number
            }) {
                first = hyphen.first;
            }
            let mut joined = false;
            for range in parted(plain, token.range, token.kind) {
                if words.len() >= WORDS_MAX {
                    break 'tokens;
                }
                let raw = &plain[range.clone()];
                let kind = match token.kind {
                    TokenKind::Word if raw.starts_with(|c: char| c.is_ascii_digit()) => Kind::Number,
                    TokenKind::Word => Kind::Word,
                    TokenKind::Number => Kind::Number,
                    TokenKind::Punctuation | TokenKind::Symbol => Kind::Mark,
                };
                let capital = raw.starts_with(char::is_uppercase);
                let low = lower(raw);
                let singular = singular(&low).map(Cow::into_owned);
                words.push(Word { range, low, singular, kind, quoted: false, first, joined, capital });
                first = false;
                joined = true;
            }
        }
        mark_quotes(plain, &mut words);
        let items = mark_starts(&mut words);
        Self { plain, words, items }
    }

    /// The word at `at` in lower case; empty past the end and within quotes.
    pub(super) fn low(&self, at: usize) -> &str {
        self.words.get(at).filter(|word| !word.quoted).map_or("", |word| &word.low)
    }

    /// The word at `at` without the ending of a plural, where it has one.
    pub(super) fn singular(&self, at: usize) -> Option<&str> {
        self.words.get(at).filter(|word| !word.quoted)?.singular.as_deref()
    }

    /// Whether the word at `at` is one of `these`.
    pub(super) fn is(&self, at: usize, these: &[&str]) -> bool {
        these.contains(&self.low(at))
    }

    /// Whether some word is one of `these`.
    pub(super) fn any(&self, these: &[&str]) -> bool {
        self.words.iter().any(|word| !word.quoted && these.contains(&word.low.as_ref()))
    }

    /// The text of words `range`, as it stands.
    pub(super) fn said(&self, range: Range<usize>) -> &'a str {
        match (self.words.get(range.start), range.end.checked_sub(1).and_then(|last| self.words.get(last))) {
            (Some(first), Some(last)) if first.range.start <= last.range.end => {
                &self.plain[first.range.start..last.range.end]
            }
            _ => "",
        }
    }

    /// Words proper outside quotes.
    pub(super) fn own(&self) -> impl Iterator<Item = (usize, &Word<'a>)> {
        self.words.iter().enumerate().filter(|(_, word)| !word.quoted && word.kind == Kind::Word)
    }

    /// Whether a sentence ends between words `at - 1` and `at`.
    pub(super) fn starts(&self, at: usize) -> bool {
        self.words.get(at).is_none_or(|word| word.first)
    }
}

/// A token in its parts between hyphens.
fn parted(plain: &str, token: Range<usize>, kind: TokenKind) -> impl Iterator<Item = Range<usize>> {
    let raw = &plain[token.clone()];
    let hyphens = matches!(kind, TokenKind::Word);
    let base = token.start;
    let mut parts = Vec::with_capacity(1);
    let mut start = 0;
    for (at, hyphen) in raw.match_indices(['-', '\u{2010}', '\u{2011}']).filter(|_| hyphens) {
        if start < at {
            parts.push(base + start..base + at);
        }
        start = at + hyphen.len();
    }
    if start < raw.len() {
        parts.push(base + start..base + raw.len());
    }
    parts.into_iter()
}

fn lower(raw: &str) -> Cow<'_, str> {
    if raw.is_ascii() {
        if raw.bytes().any(|byte| byte.is_ascii_uppercase()) { raw.to_ascii_lowercase().into() } else { raw.into() }
    } else {
        let low = raw.chars().flat_map(char::to_lowercase);
        low.map(|c| if matches!(c, '\u{2019}' | '\u{02BC}') { '\'' } else { c }).collect::<String>().into()
    }
}

/// Marks what stands between quotation marks. One pass: an opening mark waits for its closing one, and is forgotten when
/// that does not come within [`QUOTED_WORDS_MAX`] words.
fn mark_quotes(plain: &str, words: &mut [Word<'_>]) {
    let mut open: Option<(usize, char)> = None;
    for at in 0..words.len() {
        let Some(mark) = plain[words[at].range.clone()].chars().next().filter(|_| words[at].kind == Kind::Mark) else {
            continue;
        };
        let spaced = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let before = words[at].range.start.checked_sub(1).and_then(|byte| plain.as_bytes().get(byte));
        let after = plain.as_bytes().get(words[at].range.end);
        if open.is_some_and(|(from, _)| at - from > QUOTED_WORDS_MAX) {
            open = None;
        }
        match open {
            Some((from, closing)) if mark == closing && spaced(after) => {
                for word in &mut words[from..=at] {
                    word.quoted = true;
                }
                open = None;
            }
            Some(_) => {}
            None => {
                let closing = match mark {
                    '"' | '`' => mark,
                    '\'' if spaced(before) && after.is_some_and(|byte| *byte != b' ') => mark,
                    '“' | '„' => '”',
                    '‘' => '’',
                    '«' => '»',
                    _ => continue,
                };
                open = Some((at, closing));
            }
        }
    }
}

/// Marks the words that follow a colon, a semicolon, a number of a list or a bullet; how many items are numbered.
fn mark_starts(words: &mut [Word<'_>]) -> usize {
    let mut wanted = 1;
    for at in 0..words.len() {
        let before = at.checked_sub(1).map_or("", |before| words[before].low.as_ref());
        let earlier = at.checked_sub(2).map_or("", |before| words[before].low.as_ref());
        // "1. …, 2) …": numbers that count up.
        let numbered = matches!(before, "." | ")" | ":") && earlier.parse() == Ok(wanted);
        if numbered {
            wanted += 1;
        }
        if numbered || matches!(before, ":" | ";" | "•" | "*" | "–" | "—" | "?" | "!" | "-") {
            words[at].first = true;
        }
    }
    wanted - 1
}

/// Phrases of one or more words, each with what it means.
#[derive(Debug)]
pub(super) struct Phrases<T> {
    by_first: HashMap<&'static str, Vec<(Vec<&'static str>, T)>>,
}

impl<T: Copy> Phrases<T> {
    /// Built from `(phrases separated by '|', meaning)`.
    pub(super) fn new(table: &[(&'static str, T)]) -> Self {
        let mut by_first: HashMap<&'static str, Vec<(Vec<&'static str>, T)>> = HashMap::new();
        for (phrases, meaning) in table {
            for phrase in phrases.split('|') {
                let mut words = phrase.split_whitespace();
                if let Some(first) = words.next() {
                    by_first.entry(first).or_default().push((words.collect(), *meaning));
                }
            }
        }
        for entries in by_first.values_mut() {
            entries.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        Self { by_first }
    }

    /// The longest phrase at word `at`, in the singular or the plural of its last word: its meaning and one past its last word.
    pub(super) fn at(&self, text: &Text<'_>, at: usize) -> Option<(T, usize)> {
        let exact = self.by_first.get(text.low(at));
        let alone = || self.by_first.get(text.singular(at)?);
        let entries = exact.or_else(alone)?;
        entries.iter().find_map(|(rest, meaning)| {
            let matches = rest.iter().enumerate().all(|(offset, word)| {
                let place = at + 1 + offset;
                text.low(place) == *word || (offset + 1 == rest.len() && text.singular(place) == Some(word))
            });
            (matches && (exact.is_some() || rest.is_empty())).then_some((*meaning, at + 1 + rest.len()))
        })
    }

    /// All phrases of a text, the longest at each place, without overlaps: meaning and words.
    pub(super) fn all(&self, text: &Text<'_>) -> Vec<(T, Range<usize>)> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < text.words.len() {
            match self.at(text, at) {
                Some((meaning, end)) => {
                    found.push((meaning, at..end));
                    at = end;
                }
                None => at += 1,
            }
        }
        found
    }
}

/// A plural without its ending, where it has one.
pub(super) fn singular(low: &str) -> Option<Cow<'_, str>> {
    if low.len() < 4 || !low.is_ascii() {
        return None;
    }
    if let Some(root) = low.strip_suffix("ies") {
        return Some(format!("{root}y").into());
    }
    let sibilant = ["sses", "ches", "shes", "xes", "zes"];
    if sibilant.iter().any(|ending| low.ends_with(ending)) {
        return low.strip_suffix("es").map(Cow::Borrowed);
    }
    low.strip_suffix('s').filter(|root| !root.ends_with(['s', 'u', 'i'])).map(Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::{Phrases, Text, collapsed};

    #[test]
    fn white_space_is_one_space() {
        assert_eq!(collapsed("  one\n\n two\t three "), "one two three");
        assert_eq!(collapsed(" \n"), "");
    }

    /// The words outside quotes, those that begin something in brackets.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let text = collapsed(text);
        let text = Text::new(&text);
        let words = text.words.iter().filter(|word| !word.quoted);
        let got: Vec<String> =
            words.map(|word| if word.first { format!("[{}]", word.low) } else { word.low.to_string() }).collect();
        assert_eq!(got.join(" "), expect, "{:?}", text.plain);
    }

    #[test]
    fn words() {
        check("Write a One-Page summary.", "[write] a one page summary .");
        check("Translate 'Good day, all' now", "[translate] now");
        check("The teams' plan isn't ready", "[the] teams ' plan isn't ready");
        check("Say “hello” and ‘bye’", "[say] and");
        check("Do this: read; 1) write 2) send", "[do] this : [read] ; [1] ) [write] 2 ) [send]");
        check("Stop. Go", "[stop] . [go]");
    }

    #[test]
    fn phrases() {
        let phrases = Phrases::new(&[("blog post|essay", 1), ("blog", 2)]);
        let all = |text: &str| {
            let text = collapsed(text);
            phrases.all(&Text::new(&text)).into_iter().map(|(meaning, _)| meaning).collect::<Vec<_>>()
        };
        assert_eq!(all("Two blog posts, essays and a blog"), [1, 1, 2]);
        assert_eq!(all("“blog”"), [0; 0]);
    }
}
