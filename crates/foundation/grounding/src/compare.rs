//! Two sentences word by word: what was put for what.
//!
//! The words that both have in the same order are found first (the longest common subsequence, Wagner and Fischer 1974); what lies
//! between them was changed. Within each gap the words that went are held against those that came.

use std::collections::HashSet;

use steadfast_annotate::stem;

use crate::lexicon::{opposed, related};
use crate::words::{Kind, Word};

/// Words of the ask that one sentence is compared with, at most.
pub(crate) const WINDOW_WORDS_MAX: usize = 320;
/// Words that narrow what is said.
const NARROWING: &[&str] =
    &["only", "just", "solely", "merely", "exclusively", "except", "excluding", "barely", "hardly", "limited"];
/// Words that set what follows against what was said.
const CONTRASTING: &[&str] = &["but", "despite", "although", "though", "unlike", "however"];

/// How many changes of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Changes {
    /// The share of the sentence's words that stand in the same order in the ask.
    pub(crate) closeness: f64,
    /// Words put for words that can stand for them.
    pub(crate) reworded: f64,
    /// Words put for words that contradict them.
    pub(crate) opposed: f64,
    /// Names put for other words, or other words for names.
    pub(crate) names: f64,
    /// Words that narrow what is said, or set it against something, on one side alone.
    pub(crate) added: f64,
}

/// Holds a sentence against the words of the ask that are closest to it.
pub(crate) fn changes(own: &[&Word], theirs: &[&Word]) -> Changes {
    let theirs = &theirs[..theirs.len().min(WINDOW_WORDS_MAX)];
    let common = common(own, theirs);
    let mut found = Changes { closeness: common.len() as f64 / own.len().max(1) as f64, ..Changes::default() };
    let own_keys: HashSet<&str> = own.iter().map(|word| word.key.as_str()).collect();
    let their_keys: HashSet<&str> = theirs.iter().map(|word| word.key.as_str()).collect();
    let (mut a, mut b) = (0, 0);
    for (at_own, at_their) in common.into_iter().chain(std::iter::once((own.len(), theirs.len()))) {
        // What stands before the first and behind the last common word of a longer window is another matter.
        let edge = a == 0 && b == 0 || at_own == own.len();
        let went = if edge && at_own == a { at_their..at_their } else { b..at_their };
        gap(&mut found, &own[a..at_own], &theirs[went], &own_keys, &their_keys);
        (a, b) = (at_own + 1, at_their + 1);
    }
    found
}

fn gap(found: &mut Changes, came: &[&Word], went: &[&Word], own: &HashSet<&str>, theirs: &HashSet<&str>) {
    if came.is_empty() && went.is_empty() {
        return;
    }
    for list in [NARROWING, CONTRASTING] {
        let count = |words: &[&Word]| words.iter().filter(|word| is_in(word, list)).count() as f64;
        found.added += (count(came) - count(went)).abs();
    }
    let content = |words: &[&Word], other: &HashSet<&str>| -> Vec<Word> {
        let all = words.iter().filter(|word| word.is_content() && !other.contains(word.key.as_str()));
        all.map(|word| (**word).clone()).collect()
    };
    let mut came_words = content(came, theirs);
    let mut went_words = content(went, own);
    let functions =
        |words: &[&Word]| stems(&words.iter().copied().filter(|word| !word.is_content()).collect::<Vec<_>>());
    let (of_came, of_went) = (functions(came), functions(went));
    let against = of_came.iter().any(|a| of_went.iter().any(|b| opposed(a, b)));
    found.opposed += f64::from(u8::from(against));
    found.opposed += pair(&mut came_words, &mut went_words, |a, b| opposed(&a.key, &b.key));
    found.reworded += pair(&mut came_words, &mut went_words, |a, b| related(&a.key, &b.key));
    found.names += pair(&mut came_words, &mut went_words, |a, b| a.kind == Kind::Name && b.kind == Kind::Name);
    found.names += pair(&mut came_words, &mut went_words, |a, b| a.kind == Kind::Name || b.kind == Kind::Name);
}

fn stems(words: &[&Word]) -> Vec<String> {
    words.iter().map(|word| stem(&word.key)).collect()
}

fn is_in(word: &Word, list: &[&str]) -> bool {
    list.iter().any(|own| *own == word.key || (word.is_content() && stem(own) == word.key))
}

/// Takes pairs out of both lists, in order, each word once; says how many.
fn pair(came: &mut Vec<Word>, went: &mut Vec<Word>, fits: impl Fn(&Word, &Word) -> bool) -> f64 {
    let mut pairs = 0.0;
    came.retain(|a| {
        let place = went.iter().position(|b| fits(a, b));
        if let Some(place) = place {
            went.remove(place);
            pairs += 1.0;
        }
        place.is_none()
    });
    pairs
}

/// The longest common subsequence, as pairs of places; of equal ones the one that comes first.
fn common(own: &[&Word], theirs: &[&Word]) -> Vec<(usize, usize)> {
    let width = theirs.len() + 1;
    // Content words that stay in place say more than stop-words.
    let weight = |word: &Word| if word.is_content() { 3_u32 } else { 1 };
    steadfast_steps::spend(own.len() * width);
    let mut best = vec![0_u32; (own.len() + 1) * width];
    for a in (0..own.len()).rev() {
        for b in (0..theirs.len()).rev() {
            let skip = best[(a + 1) * width + b].max(best[a * width + b + 1]);
            let take = if own[a].key == theirs[b].key { weight(own[a]) + best[(a + 1) * width + b + 1] } else { 0 };
            best[a * width + b] = skip.max(take);
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut pairs = Vec::new();
    while a < own.len() && b < theirs.len() {
        let here = best[a * width + b];
        if own[a].key == theirs[b].key && here == weight(own[a]) + best[(a + 1) * width + b + 1] {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if here == best[(a + 1) * width + b] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}
