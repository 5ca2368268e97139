//! What of a sentence's wording counts for the strength of its claim.

use std::sync::LazyLock;

use super::cues::CUES;
use crate::words::{Kind, Token, scan};

/// Words that hold a claim back.
const HEDGES: &[&str] = &["can-be", "possible", "seems", "likely", "believed"];
/// Words by which one thing acts on another.
const CAUSAL: &[&str] =
    &["increases", "decreases", "improves", "prevents", "causes", "affects", "drives", "role", "helps", "works"];
/// Those of them that are verbs.
const CAUSAL_VERBS: &[&str] =
    &["increases", "decreases", "improves", "prevents", "causes", "affects", "drives", "helps"];
/// Words by which things go together.
const TOGETHER: &[&str] = &["associated", "related", "predicts", "marker", "likelier"];
/// Words that compare.
const COMPARING: &[&str] = &["more-than", "differ", "trend", "changed"];
/// Words that weaken what is reported.
const WEAK_REPORTS: &[&str] = &["suggests", "indicates"];
/// Duties and needs.
const DUTIES: &[&str] = &["should", "need"];
/// Words of sentences that state no relation.
const NO_RELATION: &[&str] = &["study", "purpose", "method", "frequency", "describes", "limits"];

/// Forms of "be" and "have", behind which "reduced" is a passive or a perfect.
const AUXILIARIES: &[&str] = &["is", "are", "was", "were", "be", "been", "being", "has", "have", "had"];
/// Words before a participle that stands before its noun ("the reduced risk"), or before an infinitive or gerund.
const BEFORE_NOUN: &[&str] = &[
    "of", "with", "in", "for", "by", "and", "or", "to", "from", "on", "at", "an", "a", "the", "between", "no", "this",
    "under",
];
/// Words with which an object may begin, of those in [`BEFORE_NOUN`].
const OPENS_OBJECT: &[&str] = &["the", "a", "an", "no", "this"];
/// Words by which something is said to be done for an end ("to reduce", "by reducing").
const PURPOSE: &[&str] = &["to", "for", "of", "in", "by", "on", "at"];
/// Nouns of change.
const CHANGES: &[&str] = &[
    "increase",
    "increases",
    "reduction",
    "reductions",
    "decrease",
    "decreases",
    "improvement",
    "improvements",
    "decline",
    "gain",
    "loss",
    "change",
    "changes",
];

/// A sentence of fewer tokens is short.
const SHORT_TOKENS: usize = 12;
/// A sentence of more tokens is long.
const LONG_TOKENS: usize = 34;
/// Tokens between a hedge, or a negation, and the verb that it governs, at most.
const GOVERNS_TOKENS_MAX: usize = 4;
/// Tokens between "can" and the verb that it governs, at most.
const CAN_TOKENS_MAX: usize = 3;
/// Tokens of a sentence that are read; what follows is passed over.
pub(super) const TOKENS_MAX: usize = 1_000;

/// What is read of a sentence beside the classes of its words, in the order of [`Sentence::shapes`].
const SHAPES: &[&str] = &[
    "changed-after-auxiliary",
    "changed-with-object",
    "changed-before-noun",
    "causal-for-an-end-only",
    "duty-before-hedge",
    "noun-of-change",
    "than",
    "hedge-before-causal",
    "finite-causal-verb",
    "after-in-time",
    "role-in",
    "noun-of-cause",
    "hedge+causal",
    "hedge+together",
    "hedge-alone",
    "causal-alone",
    "together-without-causal",
    "no-relation-word",
    "causal-before-together",
    "together-before-causal",
    "causal-negated",
    "together-negated",
    "weak-report+causal",
    "weak-report+together",
    "duty+causal",
    "comparing-alone",
    "comparing+causal",
    "treatment+causal",
    "treatment+comparing",
    "hedge-near-causal",
    "can-near-causal",
    "number",
    "short",
    "long",
    "colon",
    "comparing+together",
    "study+duty",
    "no-relation-words-alone",
    "question",
    "done-by",
    "quoted",
];

/// Every feature's name: the classes of words, then the shapes of the sentence. A feature is 1 where the sentence has it, else 0.
#[must_use]
pub fn claim_features() -> Vec<&'static str> {
    CUES.iter().map(|(name, _)| *name).chain(SHAPES.iter().copied()).collect()
}

/// One word of a phrase.
#[derive(Clone, Copy, Debug)]
enum Word {
    Is(&'static str),
    Begins(&'static str),
    Any,
}

impl Word {
    fn matches(self, token: &Token<'_>) -> bool {
        match self {
            Self::Is(word) => token.is(word),
            Self::Begins(start) => token.low.starts_with(start),
            Self::Any => true,
        }
    }
}

/// A phrase: its class and words.
type Phrase = (usize, Vec<Word>);

/// The phrases that begin with each letter of a to z.
static PHRASES: LazyLock<Vec<Vec<Phrase>>> = LazyLock::new(|| {
    let mut by_letter = vec![Vec::new(); 26];
    for (class, (_, phrases)) in CUES.iter().enumerate() {
        for phrase in phrases.split('|') {
            let words = phrase.split(' ').map(|word| match word.strip_suffix('*') {
                Some("") => Word::Any,
                Some(start) => Word::Begins(start),
                None => Word::Is(word),
            });
            if let Some(letters) = letter(phrase).and_then(|letter| by_letter.get_mut(letter)) {
                letters.push((class, words.collect()));
            }
        }
    }
    by_letter
});

fn letter(word: &str) -> Option<usize> {
    word.bytes().next().filter(u8::is_ascii_lowercase).map(|byte| usize::from(byte - b'a'))
}

/// A phrase that was found: its class, and its first token and one past its last.
#[derive(Clone, Copy, Debug)]
struct Hit {
    class: usize,
    at: usize,
    end: usize,
}

impl Hit {
    fn is_in(&self, classes: &[&str]) -> bool {
        CUES.get(self.class).is_some_and(|(name, _)| classes.contains(name))
    }
}

struct Sentence<'a> {
    tokens: Vec<Token<'a>>,
    hits: Vec<Hit>,
}

/// The features of a sentence, in the order of [`claim_features`]: whether it has each.
pub(super) fn read(sentence: &str) -> Vec<bool> {
    let mut tokens = scan(sentence);
    tokens.truncate(TOKENS_MAX);
    let mut hits = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(phrases) = letter(&token.low).and_then(|letter| PHRASES.get(letter)) else { continue };
        for (class, words) in phrases {
            let end = at + words.len();
            if tokens.get(at..end).is_some_and(|own| words.iter().zip(own).all(|(word, token)| word.matches(token))) {
                hits.push(Hit { class: *class, at, end });
            }
        }
    }
    let sentence = Sentence { tokens, hits };
    let mut found = vec![false; CUES.len()];
    for hit in &sentence.hits {
        found[hit.class] = true;
    }
    found.extend(sentence.shapes());
    found
}

impl Sentence<'_> {
    fn shapes(&self) -> [bool; 41] {
        let (hedge, causal) = (self.has(HEDGES), self.has(CAUSAL));
        let (together, comparing) = (self.has(TOGETHER), self.has(COMPARING));
        let (weak, duty, treated) = (self.has(WEAK_REPORTS), self.has(DUTIES), self.has(&["treats"]));
        let (first_causal, first_together) = (self.first(CAUSAL), self.first(TOGETHER));
        let before = |one: Option<usize>, other: Option<usize>| one.zip(other).is_some_and(|(one, other)| one < other);
        let any = |holds: &dyn Fn(&Token<'_>) -> bool| self.tokens.iter().any(holds);
        [
            self.of(&["changed"]).any(|hit| self.word_before(hit.at).is_some_and(|word| AUXILIARIES.contains(&word))),
            self.of(&["changed"]).any(|hit| self.has_object(hit)),
            self.of(&["changed"])
                .any(|hit| self.word_before(hit.at).is_none_or(|word| word == "," || BEFORE_NOUN.contains(&word))),
            self.of(CAUSAL_VERBS).next().is_some()
                && self
                    .of(CAUSAL_VERBS)
                    .all(|hit| self.word_before(hit.at).is_some_and(|word| PURPOSE.contains(&word))),
            before(self.first(DUTIES), self.first(HEDGES)),
            self.followed_by_in(CHANGES),
            any(&|token| token.is("than")),
            before(self.first(HEDGES), first_causal),
            self.of(CAUSAL_VERBS).any(|hit| self.is_finite(hit)),
            any(&|token| token.is_in(&["after", "during", "before", "following", "within"])),
            self.followed_by_in(&["role", "roles", "part"]),
            any(&|token| token.is_in(&["cause", "causes", "factor", "factors", "reason", "consequence"])),
            hedge && causal,
            hedge && together && !causal,
            hedge && !causal && !together,
            causal && !together && !comparing,
            together && !causal,
            !causal && !together && !comparing,
            before(first_causal, first_together),
            before(first_together, first_causal),
            self.near(&["not"], CAUSAL, GOVERNS_TOKENS_MAX),
            self.near(&["not"], TOGETHER, GOVERNS_TOKENS_MAX) || self.near(&["not"], COMPARING, GOVERNS_TOKENS_MAX),
            weak && causal,
            weak && together,
            duty && causal,
            comparing && !causal && !together,
            comparing && causal && !together,
            treated && causal,
            treated && comparing && !causal,
            self.near(HEDGES, CAUSAL, GOVERNS_TOKENS_MAX),
            self.near(&["ability"], CAUSAL, CAN_TOKENS_MAX),
            any(&|token| token.kind == Kind::Number),
            self.tokens.len() < SHORT_TOKENS,
            self.tokens.len() > LONG_TOKENS,
            any(&|token| token.raw == ":"),
            comparing && together,
            self.has(&["study"]) && duty,
            self.has(NO_RELATION) && !causal && !together,
            any(&|token| token.raw == "?"),
            self.tokens.windows(2).any(|pair| pair[0].low.ends_with("ed") && pair[1].is("by")),
            any(&|token| token.raw == "\""),
        ]
    }

    fn of<'s>(&'s self, classes: &'s [&str]) -> impl Iterator<Item = &'s Hit> {
        self.hits.iter().filter(move |hit| hit.is_in(classes))
    }

    fn has(&self, classes: &[&str]) -> bool {
        self.of(classes).next().is_some()
    }

    fn first(&self, classes: &[&str]) -> Option<usize> {
        self.of(classes).map(|hit| hit.at).min()
    }

    /// Whether a word of `one` stands at most so many tokens before one of `other`. Hits are in the order of their tokens.
    fn near(&self, one: &[&str], other: &[&str], tokens_max: usize) -> bool {
        self.hits.iter().enumerate().filter(|(_, hit)| hit.is_in(one)).any(|(place, hit)| {
            let after = self.hits[place..].iter().take_while(|next| next.at <= hit.at + tokens_max);
            after.filter(|next| next.at > hit.at).any(|next| next.is_in(other))
        })
    }

    /// The word before a token, adverbs left out.
    fn word_before(&self, at: usize) -> Option<&str> {
        let adverb = |token: &&Token<'_>| {
            token.low.ends_with("ly") || token.is_in(&["also", "not", "more", "less", "been", "further"])
        };
        self.tokens[..at].iter().rev().find(|token| !adverb(token)).map(|token| token.low.as_ref())
    }

    /// "reduced the risk": a participle that is the verb and has an object.
    fn has_object(&self, hit: &Hit) -> bool {
        let Some(before) = self.word_before(hit.at) else { return false };
        let Some(next) = self.tokens.get(hit.end) else { return false };
        before != ","
            && !AUXILIARIES.contains(&before)
            && !BEFORE_NOUN.contains(&before)
            && next.is_word()
            && (OPENS_OBJECT.contains(&next.low.as_ref())
                || !(BEFORE_NOUN.contains(&next.low.as_ref()) || next.is_in(&["than", "after", "during", "over"])))
    }

    /// "reduces weight": the present tense, with something after it that it acts on.
    fn is_finite(&self, hit: &Hit) -> bool {
        let verb = &self.tokens[hit.at].low;
        verb.ends_with('s')
            && !verb.ends_with("ss")
            && self.word_before(hit.at).is_none_or(|word| !BEFORE_NOUN.contains(&word))
            && self.tokens.get(hit.end).is_some_and(|next| {
                next.is_word() && !next.is_in(&["in", "of", "were", "was", "are", "is", "and", "or"])
            })
    }

    /// Whether "in" or "of" stands behind one of the words.
    fn followed_by_in(&self, words: &[&str]) -> bool {
        self.tokens.windows(2).any(|pair| pair[0].is_in(words) && pair[1].is_in(&["in", "of"]))
    }
}

#[cfg(test)]
mod tests {
    use super::{CUES, SHAPES, claim_features, read};

    #[track_caller]
    fn check(sentence: &str, has: &[&str], has_not: &[&str]) {
        let found = read(sentence);
        let names = claim_features();
        let own: Vec<&str> = names.iter().zip(&found).filter(|(_, found)| **found).map(|(name, _)| *name).collect();
        for name in has {
            assert!(own.contains(name), "{sentence}: {name} is not among {own:?}");
        }
        for name in has_not {
            assert!(!own.contains(name), "{sentence}: {name} is among {own:?}");
        }
    }

    #[test]
    fn names_are_unique_and_every_phrase_can_be_found() {
        let mut names = claim_features();
        assert_eq!(names.len(), CUES.len() + SHAPES.len());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CUES.len() + SHAPES.len());
        for (class, (name, phrases)) in CUES.iter().enumerate() {
            for phrase in phrases.split('|') {
                assert!(read(&phrase.replace('*', "ing"))[class], "{name}: {phrase}");
            }
        }
    }

    #[test]
    fn shapes() {
        check(
            "Shorter meetings may reduce the load on teams.",
            &["can-be", "hedge+causal", "hedge-near-causal", "hedge-before-causal"],
            &["no-relation-word", "causal-alone-negated", "question"],
        );
        check(
            "Load was reduced after the move.",
            &["changed-after-auxiliary", "after-in-time"],
            &["changed-with-object"],
        );
        check("The move reduced the load.", &["changed-with-object"], &["changed-after-auxiliary"]);
        check("A reduced load was seen.", &["changed-before-noun"], &["changed-with-object"]);
        check("Load is associated with noise.", &["associated", "together-without-causal"], &["hedge+causal"]);
        check("Noise did not cause delays.", &["causal-negated"], &["together-negated"]);
        check("Noise causes delays.", &["finite-causal-verb", "causal-alone", "short"], &["long", "number"]);
        check("Further studies are needed to improve tools.", &["study+duty", "causal-for-an-end-only"], &["can-be"]);
        check("Is it so?", &["question", "no-relation-word"], &["colon"]);
        check("", &["short", "no-relation-word"], &["question"]);
    }
}
