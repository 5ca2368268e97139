//! Who does what to whom, as far as the order of words tells: active, or passive with "by".

use crate::words::{Kind, Word};

/// Words of a noun group, and before a verb, that are passed over.
const PASSED: &[&str] = &[
    "a", "an", "the", "its", "their", "his", "her", "our", "my", "your", "this", "that", "these", "those", "all",
    "has", "have", "had", "will", "would", "shall", "should", "may", "might", "can", "could", "must", "also", "not",
    "never", "only", "just", "then",
];
/// Before a participle they make a passive.
const BE: &[&str] = &["is", "are", "was", "were", "be", "been", "being", "am", "get", "gets", "got", "gotten"];
/// Words between a participle and its "by", at most.
const BY_WORDS_MAX: usize = 6;
/// Words of a group and of what is passed over that are looked at, at most.
const GROUP_WORDS_MAX: usize = 8;
/// Verbs that say the same of each other's doer: "A sold to B" is "B bought from A". Stems of their bases.
const CONVERSE: &[(&str, &str)] = &[
    ("buy", "sell"),
    ("purchas", "sell"),
    ("acquir", "sell"),
    ("borrow", "lend"),
    ("receiv", "give"),
    ("receiv", "send"),
    ("get", "give"),
    ("learn", "teach"),
    ("follow", "preced"),
    ("inherit", "bequeath"),
];

/// Whether two stems are verbs of opposite direction.
pub(crate) fn converse(a: &str, b: &str) -> bool {
    CONVERSE.iter().any(|pair| *pair == (a, b) || *pair == (b, a))
}

/// What was done the other way round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Turned {
    /// Verbs whose doer and object changed places.
    pub(crate) turned: f64,
    /// Verbs put for those of the opposite direction whose doers changed as well: nothing contradicts.
    pub(crate) converse: f64,
}

/// Holds the verbs of a sentence against those of the ask.
pub(crate) fn turned(own: &[&Word], theirs: &[&Word]) -> Turned {
    let mut found = Turned::default();
    for (at, word) in own.iter().enumerate().filter(|(_, word)| word.kind == Kind::Content) {
        for (their_at, their) in theirs.iter().enumerate().filter(|(_, their)| their.kind == Kind::Content) {
            let is_same = word.key == their.key;
            if !is_same && !converse(&word.key, &their.key) {
                continue;
            }
            let (a, b) = (roles(own, at), roles(theirs, their_at));
            if a.doer.is_empty() || b.doer.is_empty() || meet(&a.doer, &b.doer) {
                continue;
            }
            if is_same {
                found.turned += f64::from(u8::from(meet(&a.doer, &b.done) && meet(&b.doer, &a.done)));
            } else {
                let stands =
                    |doer: &[&str], there: &[&Word]| there.iter().any(|word| doer.contains(&word.key.as_str()));
                found.converse += f64::from(u8::from(stands(&a.doer, theirs) && stands(&b.doer, own)));
            }
        }
    }
    found
}

struct Roles<'a> {
    doer: Vec<&'a str>,
    done: Vec<&'a str>,
}

fn roles<'a>(words: &[&'a Word], at: usize) -> Roles<'a> {
    let after = &words[at + 1..];
    let before = &words[..at];
    let by = after.iter().take(BY_WORDS_MAX).position(|word| word.key == "by");
    let be = before.iter().rev().take(2).any(|word| BE.contains(&word.key.as_str()));
    match by {
        Some(by) if by == 0 || be => {
            Roles { doer: group(after[by + 1..].iter()), done: group(skip_be(before).iter().rev()) }
        }
        _ if be => Roles { doer: Vec::new(), done: Vec::new() },
        _ => Roles { doer: group(before.iter().rev()), done: group(after.iter()) },
    }
}

/// What stands before the auxiliary of a passive.
fn skip_be<'w, 'a>(before: &'w [&'a Word]) -> &'w [&'a Word] {
    let be = before.iter().rev().take(2).position(|word| BE.contains(&word.key.as_str()));
    be.map_or(before, |back| &before[..before.len() - back - 1])
}

/// The content words up to the next word that ends a noun group.
fn group<'w, 'a: 'w>(words: impl Iterator<Item = &'w &'a Word>) -> Vec<&'a str> {
    words
        .take(GROUP_WORDS_MAX)
        .take_while(|word| word.is_content() || PASSED.contains(&word.key.as_str()))
        .filter(|word| word.is_content())
        .map(|word| word.key.as_str())
        .collect()
}

fn meet(a: &[&str], b: &[&str]) -> bool {
    a.iter().any(|word| b.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{Turned, turned};
    use crate::words::{Word, words};

    #[track_caller]
    fn check(own: &str, theirs: &str, expect: (f64, f64)) {
        let (own, theirs) = (words(own, &|_| false), words(theirs, &|_| false));
        let (own, theirs): (Vec<&Word>, Vec<&Word>) = (own.iter().collect(), theirs.iter().collect());
        assert_eq!(turned(&own, &theirs), Turned { turned: expect.0, converse: expect.1 });
    }

    #[test]
    fn who_did_it() {
        check("Beta sued Acme.", "Acme sued Beta.", (1.0, 0.0));
        check("Acme was sued by Beta.", "Acme sued Beta.", (1.0, 0.0));
        check("Beta was sued by Acme.", "Acme sued Beta.", (0.0, 0.0));
        check("Beta has been sued by the firm Acme.", "Acme sued Beta.", (0.0, 0.0));
        check("The buses sued by Acme.", "Acme sued Beta.", (0.0, 0.0));
        check("Beta bought the depot from Acme.", "Acme sold the depot to Beta.", (0.0, 1.0));
        check("Acme bought the depot from Beta.", "Acme sold the depot to Beta.", (0.0, 0.0));
        check("The depot was bought by Beta from Acme.", "Acme sold the depot to Beta.", (0.0, 1.0));
        check("", "Acme sued Beta.", (0.0, 0.0));
    }
}
