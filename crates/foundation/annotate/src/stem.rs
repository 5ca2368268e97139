//! Stems, stop-words, and finding given terms in a text in all their forms.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

use crate::counted::singular;
use crate::lexicon::{self, Class};
use crate::words::{Kind, Token, is_hyphen, scan};

/// Whether a word, in lower case and with straight apostrophes, is too common to tell two texts apart.
#[must_use]
pub fn is_stop_word(low: &str) -> bool {
    lexicon::has(Class::Stop, low)
}

/// Lower-cased, NFKC-normalised English stem (Snowball's Porter2), without a possessive ending.
#[must_use]
pub fn stem(word: &str) -> String {
    stem_with(&Stemmer::new(Algorithm::English), word)
}

fn stem_with(stemmer: &Stemmer, word: &str) -> String {
    let plain = plain(word);
    stemmer.stem(&plain).into_owned()
}

/// Lower case, NFKC, straight apostrophes.
fn plain(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    word.nfkc()
        .flat_map(char::to_lowercase)
        .map(|c| if matches!(c, '\u{2019}' | '\u{02BC}') { '\'' } else { c })
        .collect()
}

/// The stems of a text's words and numbers with their places, stop-words left out.
#[must_use]
pub fn content_stems(text: &str) -> Vec<(Range<usize>, String)> {
    let stemmer = Stemmer::new(Algorithm::English);
    scan(text)
        .into_iter()
        .filter(|t| t.kind != Kind::Mark && !t.is_a(Class::Stop))
        .map(|t| (t.range, stem_of(&stemmer, &t.low)))
        .collect()
}

/// The stems of a text's words and numbers, stop-words left out.
#[must_use]
pub fn stems(text: &str) -> Vec<String> {
    content_stems(text).into_iter().map(|(_, stem)| stem).collect()
}

/// The same, each once.
#[must_use]
pub fn stems_once(text: &str) -> Vec<String> {
    let mut seen = HashSet::new();
    stems(text).into_iter().filter(|stem| seen.insert(stem.clone())).collect()
}

/// Gives words and numbers that are no stop-words their stems.
pub(crate) fn fill_stems(tokens: &mut [Token<'_>]) {
    let stemmer = Stemmer::new(Algorithm::English);
    for token in tokens.iter_mut().filter(|token| token.kind != Kind::Mark && !token.is_a(Class::Stop)) {
        token.stem = stem_of(&stemmer, &token.low);
    }
}

/// The stem of a word in lower case.
fn stem_of(stemmer: &Stemmer, low: &str) -> String {
    if low.is_ascii() { stemmer.stem(low).into_owned() } else { stem_with(stemmer, low) }
}

/// Two or more capitals, digits and a plural s aside.
fn is_capitals(word: &str) -> bool {
    let word = word.trim();
    let letters = word.strip_suffix('s').unwrap_or(word);
    let mut capitals = 0;
    letters.chars().all(|c| {
        capitals += usize::from(c.is_uppercase());
        c.is_uppercase() || c.is_numeric()
    }) && capitals >= 2
}

/// Most letters of a term in capitals that is matched by its case.
const ACRONYM_LETTERS_MAX: usize = 5;
/// Most words of one term; what follows is not looked at.
const TERM_WORDS_MAX: usize = 12;
/// Fewest letters of two parts that may also be written as one ("block chain").
const JOINED_LETTERS_MIN: usize = 4;

/// One use of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermMatch {
    /// Index of the term among those given.
    pub term: usize,
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
}

/// One way in which a term may be written: the keys of its words.
#[derive(Clone, Debug)]
struct Pattern {
    term: usize,
    keys: Vec<String>,
    /// The capitals that it must have, for a short acronym.
    acronym: Option<String>,
}

/// Finds all uses of given terms in one pass.
///
/// - Words are matched whole: "app" is found in "mobile app", "apps", "App" and "in-app", never in "application".
/// - Words are compared without plural and possessive, with British spelling read as American; nothing is stemmed
///   further ("ban" does not find "banning", "validated" does not find "validation").
/// - A term all in capitals of at most five letters is matched by case, plural s aside: "AR" finds "AR/VR", "AR-based"
///   and "ARs", never "are" or "ar". In a text all in capitals ("ARE WE IN") that still holds: the word has to be the same.
/// - Space, hyphen and nothing between the words are one: "wi-fi", "wi fi", "wifi".
/// - Short forms of a small table are found by their words and the other way round ("AR", "augmented reality").
#[derive(Clone, Debug)]
pub struct TermMatcher {
    patterns: Vec<Pattern>,
    by_key: HashMap<String, Vec<usize>>,
    /// First bytes of all keys: most words of a text are told apart by them (NFKC changes none that is ASCII).
    first_bytes: Vec<bool>,
}

impl TermMatcher {
    /// A matcher for `terms`; a term without a letter or digit matches nothing.
    #[must_use]
    pub fn new<S: AsRef<str>>(terms: &[S]) -> Self {
        let mut patterns = Vec::new();
        for (index, term) in terms.iter().enumerate() {
            let term = term.as_ref();
            push(&mut patterns, index, term);
            let own = keys(term);
            for (short, words) in lexicon::forms(Class::ShortForm) {
                if term.trim() == *short || term.trim().strip_suffix('s') == Some(short) {
                    push(&mut patterns, index, words);
                } else if own.is_some() && keys(words) == own {
                    push(&mut patterns, index, short);
                }
            }
        }
        let mut by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, pattern) in patterns.iter().enumerate() {
            by_key.entry(pattern.keys[0].clone()).or_default().push(index);
        }
        let mut first_bytes = vec![false; 256];
        for byte in by_key.keys().filter_map(|key| key.bytes().next()) {
            first_bytes[usize::from(byte)] = true;
        }
        Self { patterns, by_key, first_bytes }
    }

    /// Every use of any term, by place; at one place longer matches first, then by term. Linear in the text.
    #[must_use]
    pub fn find_all(&self, text: &str) -> Vec<TermMatch> {
        let tokens = scan(text);
        let mut out: Vec<TermMatch> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let first = token.low.bytes().next().unwrap_or(0);
            if first.is_ascii() && !self.first_bytes[usize::from(first)] {
                continue;
            }
            let Some(key) = token_key(token) else { continue };
            for &index in self.by_key.get(&key).map_or(&[][..], Vec::as_slice) {
                let pattern = &self.patterns[index];
                let Some(end) = follows(pattern, &tokens, at) else { continue };
                if let Some(acronym) = &pattern.acronym
                    && !is_acronym_use(&tokens[at], acronym)
                {
                    continue;
                }
                let range = tokens[at].range.start..tokens[end - 1].range.end;
                if !out
                    .iter()
                    .rev()
                    .take_while(|m| m.range.start == range.start)
                    .any(|m| m.term == pattern.term && m.range == range)
                {
                    out.push(TermMatch { term: pattern.term, range });
                }
            }
        }
        out.sort_by(|a, b| {
            (a.range.start, std::cmp::Reverse(a.range.end), a.term).cmp(&(
                b.range.start,
                std::cmp::Reverse(b.range.end),
                b.term,
            ))
        });
        out
    }
}

/// Adds a term's patterns: as written, and its words joined.
fn push(patterns: &mut Vec<Pattern>, term: usize, text: &str) {
    let Some(keys) = keys(text) else { return };
    let word = text.trim();
    let letters = word.chars().count();
    let acronym = (keys.len() == 1 && letters <= ACRONYM_LETTERS_MAX && is_capitals(word)).then(|| word.to_owned());
    let joined = keys.concat();
    if keys.len() > 1 && keys.len() <= 3 && joined.chars().count() >= JOINED_LETTERS_MIN {
        patterns.push(Pattern { term, keys: vec![joined], acronym: None });
    }
    patterns.push(Pattern { term, keys, acronym });
}

/// The keys of a term's words; `None` without any.
fn keys(term: &str) -> Option<Vec<String>> {
    let keys: Vec<String> = scan(term).iter().filter_map(token_key).take(TERM_WORDS_MAX).collect();
    (!keys.is_empty()).then_some(keys)
}

fn token_key(token: &Token<'_>) -> Option<String> {
    (token.kind != Kind::Mark).then(|| key(&token.low))
}

/// One past the pattern's last token, if the pattern stands at `at`; its parts may also be written apart.
fn follows(pattern: &Pattern, tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mut next = at + 1;
    for wanted in &pattern.keys[1..] {
        // A hyphen, a slash or a comma may stand between two words of a term.
        if tokens.get(next).is_some_and(|t| (is_hyphen(t.raw) && t.glued) || matches!(t.raw, "/" | ",")) {
            next += 1;
        }
        if token_key(tokens.get(next)?)? != *wanted {
            return None;
        }
        next += 1;
    }
    Some(next)
}

/// Whether a token is the acronym, by its case; a plural or possessive s may follow.
fn is_acronym_use(token: &Token<'_>, acronym: &str) -> bool {
    let raw = token.raw;
    let rest = raw.strip_prefix(acronym).or_else(|| acronym.strip_suffix('s').and_then(|a| raw.strip_prefix(a)));
    matches!(rest, Some("" | "s" | "'s" | "\u{2019}s" | "es"))
}

/// A word without plural and possessive, British spelling read as American.
fn key(low: &str) -> String {
    let word = plain(low);
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix('\'')).unwrap_or(&word);
    // "As", "us" and "is" are no plurals.
    american(&if word.chars().nth(2).is_some() { singular(word) } else { word.to_owned() })
}

/// British endings and a few words, as American spelling has them.
fn american(word: &str) -> String {
    const ENDINGS: &[(&str, &str)] = &[
        ("isation", "ization"),
        ("isational", "izational"),
        ("ised", "ized"),
        ("ising", "izing"),
        ("iser", "izer"),
        ("ise", "ize"),
        ("yse", "yze"),
        ("ysed", "yzed"),
        ("ysing", "yzing"),
        ("our", "or"),
        ("oured", "ored"),
        ("ouring", "oring"),
        ("elled", "eled"),
        ("elling", "eling"),
        ("ogue", "og"),
    ];
    if let Some(american) = lexicon::lemma(Class::British, word) {
        return american.to_owned();
    }
    if word.chars().count() > 5 {
        for (british, us) in ENDINGS {
            if let Some(root) = word.strip_suffix(british) {
                return format!("{root}{us}");
            }
        }
    }
    word.to_owned()
}
