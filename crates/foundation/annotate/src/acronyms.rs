//! Acronyms, and the words that a text says they stand for.

use std::ops::Range;

use crate::lexicon::Class;
use crate::words::{Kind, Token, is_hyphen, scan};

/// Most words of an expansion.
const EXPANSION_WORDS_MAX: usize = 12;
/// Numerals that look like acronyms.
pub(crate) const ROMAN: &[&str] = &["II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII"];

/// Two to six capitals and digits, a plural s aside.
pub(crate) fn is_acronym(raw: &str) -> bool {
    let body = raw.strip_suffix("'s").or_else(|| raw.strip_suffix("\u{2019}s")).unwrap_or(raw);
    let body = body.strip_suffix('s').unwrap_or(body);
    let letters = body.chars().filter(|c| c.is_uppercase()).count();
    let plain: usize = body.chars().filter(|c| *c != '.').count();
    letters >= 2
        && (2..=6).contains(&plain)
        && body.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '.')
        && !ROMAN.contains(&body)
}

/// An acronym and the words it stands for, as a text introduces them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcronymDefinition {
    /// The acronym, without a plural s.
    pub acronym: String,
    /// Where the acronym stands.
    pub acronym_range: Range<usize>,
    /// Where its expansion stands.
    pub expansion_range: Range<usize>,
}

/// Acronyms that a text introduces: "European Digital Identity Wallet (EUDI)", "EUDI (European Digital Identity)".
///
/// Each letter of the acronym begins a word of the expansion, in order, or stands inside the word before; small words may
/// be left out (after Schwartz & Hearst, "A simple algorithm for identifying abbreviation definitions", 2003).
#[must_use]
pub fn acronym_definitions(text: &str) -> Vec<AcronymDefinition> {
    if !text.contains('(') {
        return Vec::new();
    }
    let tokens = scan(text);
    let mut out = Vec::new();
    for open in 0..tokens.len() {
        if tokens[open].raw != "(" || open == 0 {
            continue;
        }
        let inside = open + 1;
        let Some(close) = (inside..tokens.len().min(inside + EXPANSION_WORDS_MAX)).find(|&i| tokens[i].raw == ")")
        else {
            continue;
        };
        let definition = if close == inside + 1 && is_acronym(tokens[inside].raw) {
            let low = open.saturating_sub(EXPANSION_WORDS_MAX);
            expansion(&tokens, low..open, tokens[inside].raw).map(|words| (inside, words))
        } else if is_acronym(tokens[open - 1].raw) {
            expansion(&tokens, inside..close, tokens[open - 1].raw)
                .filter(|w| w.start == inside)
                .map(|words| (open - 1, words))
        } else {
            None
        };
        if let Some((at, words)) = definition {
            let raw = tokens[at].raw;
            out.push(AcronymDefinition {
                acronym: raw.strip_suffix('s').unwrap_or(raw).to_owned(),
                acronym_range: tokens[at].range.clone(),
                expansion_range: tokens[words.start].range.start..tokens[words.end - 1].range.end,
            });
        }
    }
    out
}

/// The shortest run of words at the end of `within` whose letters spell the acronym.
fn expansion(tokens: &[Token<'_>], within: Range<usize>, acronym: &str) -> Option<Range<usize>> {
    let letters: Vec<char> = acronym
        .strip_suffix('s')
        .unwrap_or(acronym)
        .chars()
        .filter(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
        .collect();
    let first = *letters.first()?;
    for start in within.clone().rev() {
        let token = &tokens[start];
        if !token.is_word()
            && !is_hyphen(token.raw)
            && !matches!(token.raw, "&" | "/" | ",")
            && token.kind != Kind::Number
        {
            return None;
        }
        if !token.is_word() || !token.low.starts_with(first) || within.end - start < 2 {
            continue;
        }
        if spells(&tokens[start..within.end], &letters) {
            return Some(start..within.end);
        }
    }
    None
}

/// Whether the words spell the letters: each letter begins a word, or follows inside the word that was begun.
fn spells(words: &[Token<'_>], letters: &[char]) -> bool {
    let mut wanted = letters.iter().peekable();
    for word in words.iter().filter(|t| t.is_word()) {
        let mut chars = word.low.chars();
        let Some(initial) = chars.next() else { continue };
        if wanted.peek() == Some(&&initial) {
            wanted.next();
            // "Identity (…ID…)": a second letter from inside the word, if the rest is not begun by the next words.
        } else if !word.is_a(Class::Stop) && wanted.peek().is_some() {
            return inner(words, letters);
        }
    }
    wanted.peek().is_none() || inner(words, letters)
}

/// Schwartz and Hearst's looser match, from the end: letters anywhere in order, the first at the head of the first word.
fn inner(words: &[Token<'_>], letters: &[char]) -> bool {
    let joined: Vec<char> = words.iter().flat_map(|t| t.low.chars().chain([' '])).collect();
    let mut at = joined.len();
    for (index, letter) in letters.iter().enumerate().rev() {
        let found = (0..at).rev().find(|&i| joined[i] == *letter && (index > 0 || i == 0));
        match found {
            Some(i) => at = i,
            None => return false,
        }
    }
    // A long expansion of a short acronym by letters anywhere is chance.
    words.iter().filter(|t| t.is_word()).count() <= letters.len() + 1
}
