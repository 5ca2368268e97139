//! Words of a clause, and the phrases that decide what it says.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::cues::{Cue, PHRASES};

/// A word of a text.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// Its bytes.
    pub(crate) range: Range<usize>,
    /// In small letters, apostrophes straight.
    pub(crate) low: String,
    /// Whether it begins with a capital.
    pub(crate) capital: bool,
    /// Whether something other than white space stands between the word before and this one.
    pub(crate) parted: bool,
}

impl Word {
    /// Whether it holds a digit.
    pub(crate) fn is_figure(&self) -> bool {
        self.low.bytes().any(|byte| byte.is_ascii_digit())
    }
}

/// A contraction that was typed without its apostrophe, where it is no other word.
fn contraction(low: &str) -> Option<&'static str> {
    Some(match low {
        "dont" => "don't",
        "cant" => "can't",
        "wont" => "won't",
        "didnt" => "didn't",
        "doesnt" => "doesn't",
        "isnt" => "isn't",
        "theres" => "there's",
        "thats" => "that's",
        "im" => "i'm",
        "shes" => "she's",
        "hes" => "he's",
        "theyre" => "they're",
        _ => return None,
    })
}

/// The words of `text`: letters and digits with the apostrophes and hyphens inside them.
pub(crate) fn words(text: &str) -> Vec<Word> {
    steadfast_steps::spend(text.len());
    let mut out: Vec<Word> = Vec::new();
    let mut chars = text.char_indices().peekable();
    let mut parted = false;
    while let Some((start, first)) = chars.next() {
        if !first.is_alphanumeric() {
            parted |= !first.is_whitespace();
            continue;
        }
        let mut end = start + first.len_utf8();
        while let Some((at, c)) = chars.peek().copied() {
            let joins = matches!(c, '\'' | '\u{2019}' | '-' | '\u{2011}' | '&')
                && text[at + c.len_utf8()..].starts_with(char::is_alphanumeric);
            if !(c.is_alphanumeric() || joins) {
                break;
            }
            end = at + c.len_utf8();
            chars.next();
        }
        let low = text[start..end].to_lowercase().replace('\u{2019}', "'");
        let low = contraction(&low).map_or(low, str::to_owned);
        out.push(Word { range: start..end, low, capital: first.is_uppercase(), parted });
        parted = false;
    }
    out
}

/// A phrase that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// What it says.
    pub(crate) cue: Cue,
    /// Its words, by their place.
    pub(crate) words: Range<usize>,
}

type Lexicon = HashMap<&'static str, Vec<(Vec<&'static str>, Cue)>>;

/// The phrases by their first word, longer ones first.
static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon: Lexicon = HashMap::new();
    for (cue, phrases) in PHRASES {
        for phrase in phrases.split('|') {
            let mut words = phrase.split_whitespace();
            if let Some(first) = words.next() {
                lexicon.entry(first).or_default().push((words.collect(), *cue));
            }
        }
    }
    for phrases in lexicon.values_mut() {
        phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
    }
    lexicon
});

/// The phrases among `words`, in order; of those that begin at one word the longest of each kind.
pub(crate) fn hits(words: &[Word]) -> Vec<Hit> {
    let mut out: Vec<Hit> = Vec::new();
    for at in 0..words.len() {
        let Some(phrases) = LEXICON.get(words[at].low.as_str()) else { continue };
        let mut longest = 0;
        for (rest, cue) in phrases {
            if rest.len() < longest {
                break;
            }
            let follows = words.get(at + 1..at + 1 + rest.len());
            if follows.is_some_and(|next| next.iter().zip(rest).all(|(word, phrase)| word.low == *phrase)) {
                longest = rest.len();
                out.push(Hit { cue: *cue, words: at..at + 1 + rest.len() });
            }
        }
    }
    out
}
