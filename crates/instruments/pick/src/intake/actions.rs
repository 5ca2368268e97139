//! What a task wants done: verbs that are orders or wishes, with their objects.

use std::ops::Range;

use super::verbs::{Form, Verb, verb};
use super::words::{Kind, Text};

/// How a verb is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Put {
    /// "Write …", "and send …", "can you write …".
    Ordered,
    /// "I want to write …", "I need it checked".
    Wanted,
    /// "… to write …" for a purpose.
    Purpose,
    /// "… by writing …", "after checking …".
    Gerund,
}

/// One thing to be done.
#[derive(Clone, Debug)]
pub(super) struct Action {
    /// The place of its verb.
    pub(super) at: usize,
    /// The verb.
    pub(super) verb: Verb,
    /// How it is put.
    pub(super) put: Put,
    /// The words of its object; empty for none.
    pub(super) object: Range<usize>,
}

/// Words that may stand between what makes a verb an order and the verb.
const FILLERS: &[&str] = &[
    "please",
    "kindly",
    "also",
    "then",
    "just",
    "simply",
    "finally",
    "lastly",
    "next",
    "first",
    "firstly",
    "second",
    "secondly",
    "third",
    "thirdly",
    "now",
    "afterwards",
    "afterward",
    "subsequently",
    "quickly",
    "automatically",
    "help",
    "me",
    "us",
    "once",
    "again",
    "always",
    "only",
    "later",
    "carefully",
    "properly",
    "ok",
    "okay",
    "hi",
    "hello",
    "hey",
    "so",
    "try",
    "go",
    "ahead",
    "moreover",
    "additionally",
    "still",
    "both",
    "either",
    "well",
];

/// Most fillers before one verb.
const FILLERS_MAX: usize = 12;

/// Words that an object begins with.
const OBJECT_STARTERS: &[&str] = &[
    "a",
    "an",
    "the",
    "this",
    "that",
    "these",
    "those",
    "my",
    "our",
    "your",
    "his",
    "her",
    "its",
    "their",
    "it",
    "them",
    "me",
    "us",
    "him",
    "any",
    "all",
    "some",
    "every",
    "each",
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "how",
    "what",
    "why",
    "when",
    "where",
    "which",
    "who",
    "whether",
    "if",
    "for",
    "on",
    "in",
    "to",
    "into",
    "from",
    "with",
    "up",
    "out",
    "about",
    "at",
    "through",
    "new",
    "as",
    "relevant",
    "several",
    "more",
    "another",
    "down",
    "over",
    "by",
    "potential",
    "similar",
];

/// Words after which "to" says a wish.
const WISHES: &[&str] = &[
    "want",
    "need",
    "like",
    "love",
    "wish",
    "help",
    "have",
    "able",
    "going",
    "trying",
    "plan",
    "planning",
    "hope",
    "hoping",
    "looking",
    "ask",
    "you",
    "prefer",
    "aim",
    "intend",
    "supposed",
    "me",
    "us",
    "ready",
    "wants",
    "needs",
    "required",
    "like",
    "willing",
    "decided",
    "keen",
    "interested",
    "gotta",
    "wanted",
    "needed",
    "assistance",
    "want",
    "how",
    "it",
    "him",
    "her",
    "them",
    "someone",
    "not",
];

/// Things to be done, in the order of the text.
pub(super) fn actions(text: &Text<'_>) -> Vec<Action> {
    let mut found: Vec<Action> = Vec::new();
    for (at, _) in text.own() {
        if let Some(verb) = verb(text.low(at))
            && let Some(put) = put(text, at, verb, found.last())
        {
            found.push(Action { at, verb, put, object: object(text, at) });
        }
    }
    found
}

/// How the verb at `at` is put, where it is something to be done.
fn put(text: &Text<'_>, at: usize, verb: Verb, last: Option<&Action>) -> Option<Put> {
    let before = before(text, at);
    let prev = before.map_or("", |before| text.low(before));
    match verb.form {
        Form::Gerund => {
            matches!(prev, "after" | "before" | "by" | "while" | "for" | "without" | "when").then_some(Put::Gerund)
        }
        Form::Past => passive(text, at, prev).then_some(Put::Wanted),
        Form::Third | Form::Noun => None,
        Form::Base => base(text, at, verb, before, prev, last),
    }
}

/// "have it checked", "I want it translated, summarized and sent".
fn passive(text: &Text<'_>, at: usize, prev: &str) -> bool {
    let determined = matches!(
        prev,
        "the" | "a" | "an" | "this" | "that" | "its" | "their" | "my" | "these" | "of" | "in" | "for" | "with"
    );
    if determined || text.starts(at) {
        return false;
    }
    let from = at.saturating_sub(12);
    let window = (from..at).rev().take_while(|before| !text.starts(before + 1));
    let asked = ["want", "need", "have", "get", "like", "be", "it", "them", "needs", "wants"];
    let auxiliary =
        matches!(prev, "be" | "it" | "them" | "," | "and") || window.clone().any(|before| text.is(before, &["have"]));
    auxiliary && window.into_iter().any(|before| text.is(before, &asked))
}

fn base(
    text: &Text<'_>,
    at: usize,
    verb: Verb,
    before: Option<usize>,
    prev: &str,
    last: Option<&Action>,
) -> Option<Put> {
    let opens = opens_object(text, at + 1);
    let Some(before) = before else {
        // The first word: a noun where what follows goes on with it ("code review", "design system", "quiz about").
        let takes = matches!(
            verb.base,
            "search" | "look" | "check" | "talk" | "study" | "read" | "sign" | "register" | "watch" | "turn" | "follow"
        );
        if verb.also_noun && !takes && text.is(at + 1, &["for", "about", "on", "of", "to", "with", "from", "in"]) {
            return None;
        }
        return (!verb.also_noun || opens || !continues_noun(text, at)).then_some(Put::Ordered);
    };
    match prev {
        "to" => {
            let wish = before.checked_sub(1).map_or("", |wish| text.low(wish));
            Some(if WISHES.contains(&wish) || text.starts(before) { Put::Wanted } else { Put::Purpose })
        }
        "you" => {
            let modal = before
                .checked_sub(1)
                .is_some_and(|modal| text.is(modal, &["can", "could", "would", "will", "should", "must"]));
            (modal || text.starts(before + 1)).then_some(Put::Ordered)
        }
        "let's" => Some(Put::Ordered),
        "must" | "should" | "will" | "shall" | "can" | "i" | "we" | "should i" | "not" => {
            (!verb.also_noun || opens).then_some(Put::Purpose).filter(|_| prev != "not")
        }
        "," | "and" | "then" | "or" | "&" | "/" | "+" => {
            // A verb goes on where a verb was: of a noun only the object shows it.
            let shown = if verb.also_noun {
                opens || text.words.get(at + 1).is_some_and(|word| word.quoted)
            } else {
                !closes(text, at) || opens
            };
            let goes_on = last.is_some() || prev == "then" || text.starts(before);
            (goes_on && shown).then(|| {
                last.map_or(Put::Ordered, |last| if last.put == Put::Gerund { Put::Ordered } else { last.put })
            })
        }
        _ if text.starts(at) || starts_after_fillers(text, before, at) => {
            (!verb.also_noun || opens || !continues_noun(text, at)).then_some(Put::Ordered)
        }
        _ => None,
    }
}

/// The last word before `at` that is no filler, of the same sentence or list item.
fn before(text: &Text<'_>, at: usize) -> Option<usize> {
    let mut at = at;
    for _ in 0..FILLERS_MAX {
        if text.starts(at) {
            return None;
        }
        at = at.checked_sub(1)?;
        let low = text.low(at);
        // "first, …", "finally, …": the comma belongs to the filler.
        let comma = low == ","
            && at.checked_sub(1).is_some_and(|before| FILLERS.contains(&text.low(before)) && text.starts(before));
        if !(comma || FILLERS.contains(&low) || (low.len() > 5 && low.ends_with("ly"))) {
            return Some(at);
        }
    }
    Some(at)
}

fn starts_after_fillers(text: &Text<'_>, before: usize, at: usize) -> bool {
    // Numbering: "1) write".
    let word = text.words.get(before);
    let numbered = word.is_some_and(|word| word.kind == Kind::Number) && text.starts(before);
    numbered || (before + 1 == at && text.is(before, &[")", "]"]) && text.starts(at))
}

/// Whether an object begins at `at`.
pub(super) fn opens_object(text: &Text<'_>, at: usize) -> bool {
    let Some(word) = text.words.get(at) else { return false };
    word.quoted || word.kind == Kind::Number || OBJECT_STARTERS.contains(&text.low(at)) || (word.capital && !word.first)
}

/// Whether nothing that can be an object follows.
fn closes(text: &Text<'_>, at: usize) -> bool {
    text.starts(at + 1) || text.is(at + 1, &[".", ",", "?", "!", ")", "of", "is", "are", "was", "were"])
}

/// Whether the word at `at` is the beginning of a noun phrase that goes on: "code review", "design of".
fn continues_noun(text: &Text<'_>, at: usize) -> bool {
    let Some(next) = text.words.get(at + 1).filter(|_| !text.starts(at + 1)) else { return true };
    if next.joined || text.is(at + 1, &["of", ",", "is", "are", "and", "or", ".", "?", "!"]) {
        return true;
    }
    // Followed by a noun that names a piece of work, at the end: "review checklist", "email template".
    let last = text.words.len() <= at + 3;
    last && verb(text.low(at + 1)).is_some_and(|verb| verb.also_noun || verb.form != Form::Base)
        || is_piece(text, at + 1)
}

/// Names of pieces of work: what a noun before them qualifies.
fn is_piece(text: &Text<'_>, at: usize) -> bool {
    text.is(
        at,
        &[
            "checklist",
            "template",
            "plan",
            "report",
            "agenda",
            "notes",
            "minutes",
            "document",
            "guide",
            "strategy",
            "summary",
            "brief",
            "policy",
            "system",
            "process",
            "meeting",
        ],
    )
}

/// Words that end an object.
const STOPS: &[&str] = &[
    "for",
    "that",
    "which",
    "who",
    "so",
    "because",
    "if",
    "when",
    "while",
    "to",
    "from",
    "into",
    "by",
    "using",
    "with",
    "about",
    "on",
    "in",
    "at",
    "after",
    "before",
    "based",
    "then",
    "but",
    "as",
    "is",
    "are",
    "was",
    "will",
    "should",
    "must",
    "where",
    "including",
    "until",
    "within",
    "via",
    "without",
    "per",
    "regarding",
    "during",
    "between",
    "among",
    "over",
    "under",
    "through",
    "please",
    "how",
    "what",
    "why",
    "whose",
    "can",
    "could",
];
/// Longest object, in words.
const OBJECT_WORDS_MAX: usize = 16;

/// The noun phrase after the verb at `at`, with "of" and "and" where nouns go on.
pub(super) fn object(text: &Text<'_>, at: usize) -> Range<usize> {
    let mut from = at + 1;
    while text.is(from, &["me", "us", "up", "out", "down", "over", "him", "her", "together", "through"])
        && !text.starts(from)
    {
        from += 1;
    }
    if text.starts(from) && from > at {
        return from..from;
    }
    phrase(text, from)
}

/// The noun phrase that begins at `from`.
pub(super) fn phrase(text: &Text<'_>, from: usize) -> Range<usize> {
    let mut end = from;
    while end < text.words.len() && end - from < OBJECT_WORDS_MAX {
        let word = &text.words[end];
        if end > from && (word.first || word.quoted) {
            break;
        }
        if word.quoted {
            end += 1;
            while text.words.get(end).is_some_and(|word| word.quoted) {
                end += 1;
            }
            break;
        }
        let low = text.low(end);
        if STOPS.contains(&low) {
            break;
        }
        if word.kind == Kind::Mark && !matches!(low, "'" | "&" | "/" | "%" | "$" | "€" | "£" | "+" | "#") {
            let dotted = low == "."
                && text
                    .words
                    .get(end + 1)
                    .is_some_and(|next| next.range.start == word.range.end && next.kind != Kind::Mark);
            if !dotted {
                break;
            }
        }
        if matches!(low, "and" | "or") {
            let next = verb(text.low(end + 1));
            let action =
                next.is_some_and(|next| next.form == Form::Base && (!next.also_noun || opens_object(text, end + 2)));
            if action
                || end == from
                || text.is(end + 1, &["then", "please", "finally", "also", "i", "i'd", "how", "what", "to"])
            {
                break;
            }
        }
        end += 1;
    }
    while end > from && text.is(end - 1, &["and", "or", "of", "the", "a", "&", "/"]) {
        end -= 1;
    }
    from..end
}

/// The action that the task is about: the first with an intent of its own, by how it is put.
pub(super) fn main(actions: &[Action]) -> Option<&Action> {
    let told = |action: &&Action| !action.verb.light && action.put != Put::Gerund;
    let direct = |action: &&Action| told(action) && action.put != Put::Purpose;
    let learn_first = actions.iter().find(|action| action.put == Put::Ordered && !action.verb.light);
    learn_first
        .or_else(|| actions.iter().find(direct))
        .or_else(|| actions.iter().find(|action| action.put == Put::Ordered))
        .or_else(|| actions.iter().find(told))
        .or_else(|| actions.first())
}
