//! References to what the task does not hold: "fix it", "this document", "the second one".

use std::sync::LazyLock;

use super::actions::Action;
use super::unnamed::{
    PEOPLE, anything, bare_matter, bare_subject, known_only, labelled, of_somebody, told_elsewhere, which_one,
};
use super::verbs::verb;
use super::words::{Kind, Phrases, Text};
use crate::task::Missing;

/// As many words of a task are repeated in a question.
pub(super) const SAID_WORDS_MAX: usize = 12;
/// What is missing where nothing is named that anything is to be done with.
pub(super) const NO_OBJECT: &str = "object";
/// From this many words on a quote or what follows a colon is material.
const MATERIAL_WORDS_MIN: usize = 5;
/// Words of a task from which on something in it can be what a reference means.
const CONTEXT_WORDS_MIN: usize = 40;

/// Things that are given to work on.
const ARTEFACTS: &[&str] = &[
    "document",
    "text",
    "article",
    "email",
    "code",
    "file",
    "report",
    "paragraph",
    "data",
    "dataset",
    "table",
    "image",
    "picture",
    "photo",
    "essay",
    "message",
    "letter",
    "contract",
    "transcript",
    "function",
    "bug",
    "error",
    "sentence",
    "story",
    "draft",
    "post",
    "page",
    "link",
    "website",
    "spreadsheet",
    "presentation",
    "slide",
    "deck",
    "chart",
    "video",
    "audio",
    "recording",
    "thread",
    "ticket",
    "issue",
    "problem",
    "snippet",
    "script",
    "query",
    "paper",
    "poem",
    "passage",
    "section",
    "chapter",
    "conversation",
    "note",
    "list",
    "thing",
    "one",
    "stuff",
    "review",
    "proposal",
    "resume",
    "pdf",
    "diagram",
    "recipe",
    "agreement",
    "policy",
    "form",
    "version",
    "section",
    "log",
    "clause",
    "screenshot",
    "word",
    "phrase",
    "quote",
];

/// Phrases that point at what was said or given elsewhere.
static ELSEWHERE: LazyLock<Phrases<()>> = LazyLock::new(|| {
    Phrases::new(&[(
        "the second one|the first one|the third one|the last one|the other one|the previous one|the next one|the latter|the former|the above|see above|see attached|as discussed|as we discussed|we discussed|you mentioned|mentioned earlier|mentioned above|as before|same as before|same as last time|like last time|as last time|the usual|the same thing|do it again|the attached|attached file|attached document|from before|the one from|the one we|the thing we talked about|what we talked about|where we left off|continue from|the previous|your last answer|the same one|the other thing|the other two|the other three|the other ones|the same way as|the same way|you know which|you know what i mean|you know the one|you know who|than last time|as agreed|as promised|as always|like always|what i started|where i stopped|where we stopped|the rest of it",
        (),
    )])
});

/// What is referred to and not there.
pub(super) fn read(text: &Text<'_>, actions: &[Action]) -> Vec<Missing> {
    if has_material(text) || text.own().count() >= CONTEXT_WORDS_MIN {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut add = |what: &str, question: String| {
        found.push(Missing { what: what.to_owned(), question, required: true });
    };
    // "Plan six episodes. Write the script of the first one.": one of what was named before.
    let named = |words: &std::ops::Range<usize>| {
        (words.clone()).any(|at| text.is(at, &["one", "ones"])) && earlier_noun(text, words.start)
    };
    if let Some((_, words)) = ELSEWHERE.all(text).into_iter().find(|(_, words)| !named(words)) {
        let said = text.said(words);
        add("what is referred to", format!("What does “{said}” stand for? It is not in the task."));
    } else if let Some(at) = artefact(text).filter(|at| actions.iter().any(|action| action.at < *at)) {
        let said = text.said(at..noun_end(text, at));
        add("the material", format!("Where is “{said}”? Please add it, or say which it is."));
    } else if let Some(at) = pronoun(text, actions) {
        let said = text.said(at..at + 1);
        add("what is referred to", format!("What is “{said}”? Nothing before it says."));
    } else if let Some(words) = which_one(text) {
        let said = text.said(words);
        add("which one", format!("“{said}”: between what? The task names nothing to choose from."));
    } else if let Some(words) = labelled(text) {
        let said = text.said(words);
        add("which one", format!("What is “{said}”, and what is it to be held against? The task does not say."));
    } else if let Some(words) = of_somebody(text, actions) {
        let said = text.said(words);
        add("what is referred to", format!("“{said}”: whose are they, and what do they say? It is not in the task."));
    } else if let Some(words) = bare_subject(text) {
        let said = text.said(words);
        add("what is to be done", format!("What is “{said}”, and what is to be done about it?"));
    } else if let Some(at) = bare_thing(text, actions) {
        let said = text.said(at..at + 2);
        add("which one", format!("Which one is “{said}”, and what is known of it?"));
    } else if let Some(words) = known_only(text, actions) {
        let said = text.said(words);
        add("the material", format!("Which one is “{said}”, and where is it? Please add it, or say what is in it."));
    } else if let Some(words) = told_elsewhere(text, actions) {
        let said = text.said(words);
        add("what is referred to", format!("“{said}”: what was that? It is not in the task."));
    } else if let Some(words) = bare_matter(text) {
        let said = text.said(words);
        add("what is to be done", format!("What is to be done with “{said}”, and what is known of it?"));
    } else if names_nothing(text, actions) {
        let said = text.said(0..text.words.len().min(SAID_WORDS_MAX));
        add(NO_OBJECT, format!("“{said}”: what is it to be done with? The task names nothing."));
    } else if let Some(words) = anything(text, actions) {
        let said = text.said(words);
        add("subject", format!("“{said}”: what is it to be, and what about?"));
    } else if let Some(range) = bare_piece(text, actions) {
        add("subject", format!("What is “{}” to be about, and who is it for?", text.said(range)));
    }
    found
}

/// Whether the task holds material: a longer quote, text after a colon, a file's name, an address.
pub(super) fn has_material(text: &Text<'_>) -> bool {
    let quoted = text.words.iter().filter(|word| word.quoted && word.kind != Kind::Mark).count();
    let named = text.plain.contains("://") || text.plain.contains("```") || names_file(text);
    let after_colon = text.words.iter().rposition(|word| word.low == ":" && !word.quoted);
    let follows = after_colon.is_some_and(|at| text.words.len() - at > MATERIAL_WORDS_MIN);
    quoted >= 1 || named || follows
}

/// "report.docx", "example.jpg".
fn names_file(text: &Text<'_>) -> bool {
    text.words.windows(3).any(|three| {
        three[1].low == "."
            && three[0].range.end == three[1].range.start
            && three[1].range.end == three[2].range.start
            && three[2].range.len() <= 5
            && three[2].kind == Kind::Word
    })
}

/// One past the noun phrase at `at`.
fn noun_end(text: &Text<'_>, at: usize) -> usize {
    (at + 1..at + 5)
        .find(|at| ARTEFACTS.contains(&text.low(*at)) || is_artefact(text.low(*at)))
        .map_or(at + 1, |at| at + 1)
}

pub(super) fn is_artefact(low: &str) -> bool {
    ARTEFACTS.contains(&low) || super::words::singular(low).is_some_and(|low| ARTEFACTS.contains(&low.as_ref()))
}

/// "this document", "these two articles", "the following text" with nothing following.
fn artefact(text: &Text<'_>) -> Option<usize> {
    (0..text.words.len()).find(|at| {
        let points = text.is(*at, &["this", "these", "those"])
            || (text.is(*at, &["that"]) && at.checked_sub(1).is_some_and(|before| verb(text.low(before)).is_some()))
            || (text.is(*at, &["the"]) && text.is(at + 1, &["following", "below"]));
        let first = at + 1;
        // "this bug report", "this long article".
        let noun = (first..first + 3).take_while(|at| !text.starts(*at)).find(|at| is_artefact(text.low(*at)));
        // "There's this old spreadsheet": it is told of, not pointed at.
        let told = at.checked_sub(1).is_some_and(|before| {
            let there = before.checked_sub(1).is_some_and(|there| text.is(there, &["there"]));
            text.is(before, &["there's", "got", "had"]) || there && text.is(before, &["is", "are", "was", "were"])
        });
        points
            && !told
            && noun.is_some_and(|noun| {
                !text.is(noun + 1, &["of", "about", "on", "year", "week", "month"])
                    || text.is(noun + 1, &["of"]) && text.starts(noun + 2)
            })
            && !earlier_noun(text, *at)
    })
}

/// "fix it": a pronoun as the object of what is to be done, with nothing before it that it could be.
fn pronoun(text: &Text<'_>, actions: &[Action]) -> Option<usize> {
    actions.iter().find_map(|action| {
        let at = (action.at + 1..action.at + 3)
            .find(|at| text.is(*at, &["it", "this", "that", "them", "these", "those"]))?;
        let between = (action.at + 1..at)
            .all(|at| text.is(at, &["up", "out", "down", "over", "with", "for", "on", "to", "about", "me", "of"]));
        // "this week", "that you wrote", "it is".
        let alone = text.starts(at + 1)
            || text.is(
                at + 1,
                &[
                    ".", ",", "?", "!", ";", "and", "or", "for", "to", "in", "into", "on", "as", "so", "by", "with",
                    "from", "again", "please", "better", "shorter", "longer", "up", "out", "now", "today", "more",
                    "less", "sound", "back", "no", "again", "look", "work", "all", "before", "asap", "quickly",
                ],
            );
        // "make it pop": who says so little means something that is not there, whatever it is to become.
        let little = text.is(at, &["it", "them"]) && text.own().count() <= LITTLE_WORDS_MAX;
        (between && (alone || little) && !earlier_noun(text, at)).then_some(at)
    })
}

/// Words of a task, at most, in which nothing after a pronoun can say what it is.
const LITTLE_WORDS_MAX: usize = 4;

/// Whether something stands before `at` that a pronoun could mean: a noun that is no part of a set phrase.
pub(super) fn earlier_noun(text: &Text<'_>, at: usize) -> bool {
    (0..at).any(|at| {
        let Some(word) = text.words.get(at) else { return false };
        let low = word.low.as_ref();
        word.quoted
            || (word.kind == Kind::Word
                && low.len() > 2
                && verb(low).is_none()
                && !steadfast_annotate::is_stop_word(low)
                && !NO_NOUNS.contains(&low)
                && !low.ends_with("ly"))
            || (verb(low).is_some_and(|verb| verb.also_noun)
                && at > 0
                && text.is(at - 1, &["a", "an", "the", "my", "our", "your", "this"]))
    })
}

const NO_NOUNS: &[&str] = &[
    "please", "need", "needs", "want", "help", "would", "like", "could", "also", "just", "quickly", "asap", "really",
    "kindly", "hello", "hey", "you", "let's", "i'd", "i'll", "i'm", "thanks", "again", "now", "then", "much", "bit",
    "little", "can't", "don't", "shall", "must", "might", "may", "finally", "okay", "today",
];

/// Words with a meaning of their own in a task that only names a thing, and how it should become: verb, thing, "nicer".
const THING_WORDS_MAX: usize = 3;

/// "fix the bug", "finish the report", "make the deck nicer": a thing that nothing tells more of, and nothing else in the task.
fn bare_thing(text: &Text<'_>, actions: &[Action]) -> Option<usize> {
    let content = text
        .own()
        .filter(|(_, word)| !steadfast_annotate::is_stop_word(&word.low) && !NO_NOUNS.contains(&word.low.as_ref()));
    if content.count() > THING_WORDS_MAX {
        return None;
    }
    let at = actions.first()?.object.start;
    (text.is(at, &["the", "that", "those"])
        && is_artefact(text.low(at + 1))
        && !text.is(at + 2, &["of", "about", "from", "for", "on", "that", "which", "to", "with", "in", "into"])
        && !text
            .words
            .get(at + 2)
            .is_some_and(|word| !text.starts(at + 2) && is_thing(text, at + 2) && word.kind == Kind::Word))
    .then_some(at)
}

/// Whether a noun goes on at `at`: "the report template".
fn is_thing(text: &Text<'_>, at: usize) -> bool {
    super::pieces::is_piece(text.low(at)) || ARTEFACTS.contains(&text.low(at))
}

/// "help me", "write something", "do it", "yes": nothing that anything is to be done with.
fn names_nothing(text: &Text<'_>, actions: &[Action]) -> bool {
    !text.words.is_empty()
        && text.own().all(|(at, word)| {
            is_empty_word(&word.low) || actions.iter().any(|action| action.at == at && !stands_alone(action))
        })
}

/// "translate", "brainstorm": verbs that name a piece of work of their own when nothing else is said, since a prompt for them can be picked.
fn stands_alone(action: &Action) -> bool {
    action.verb.also_noun && !action.verb.light && !super::unnamed::GENERIC.contains(&action.verb.base)
}

/// Words that say nothing of what a task is about.
pub(super) fn is_empty_word(low: &str) -> bool {
    const EMPTY: &[&str] = &[
        "something",
        "anything",
        "stuff",
        "things",
        "thing",
        "everything",
        "some",
        "one",
        "ones",
        "work",
        "better",
        "good",
        "nice",
        "cool",
        "great",
        "new",
        "quick",
        "short",
        "long",
        "best",
        "way",
        "useful",
        "important",
        "yes",
        "ok",
        "sure",
        "continue",
        "go",
        "thank",
        "proceed",
        "question",
        "yeah",
        "hi",
        "help",
        "no",
        "doing",
        "right",
        "well",
        "maybe",
        "nothing",
        "whatever",
        "possible",
        "task",
        "job",
        "stuff",
        "usual",
        "rest",
        "part",
        "parts",
        "bit",
        "bits",
        "obvious",
        "few",
        "way",
        "time",
        "hand",
        "properly",
        "somehow",
        "soon",
        "situation",
        "matter",
        "stuck",
        "look",
        "tomorrow",
        "tonight",
        "morning",
        "afternoon",
        "evening",
        "noon",
        "midnight",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "next",
        "last",
        "nobody",
        "someone",
        "somebody",
        "everyone",
        "everybody",
        "think",
    ];
    steadfast_annotate::is_stop_word(low) || NO_NOUNS.contains(&low) || EMPTY.contains(&low) || low.ends_with("ly")
}

/// "write an email", "make a plan": a piece of work that nothing tells more of, and that can be about anything.
fn bare_piece(text: &Text<'_>, actions: &[Action]) -> Option<std::ops::Range<usize>> {
    const ANY: &[&str] = &[
        "email",
        "report",
        "article",
        "letter",
        "essay",
        "presentation",
        "speech",
        "message",
        "text",
        "document",
        "plan",
        "strategy",
        "script",
        "program",
        "list",
        "post",
        "memo",
        "proposal",
        "paper",
        "guide",
        "summary",
        "table",
        "chart",
        "slides",
        "deck",
        "announcement",
        "app",
        "website",
        "code",
        "function",
        "video",
        "image",
        "analysis",
        "survey",
        "plot",
        "query",
        "class",
        "page",
        "content",
        "copy",
    ];
    let action = actions.first()?;
    // "proofread my essay": it is there, and will be given.
    if text.is(action.object.start, &["my", "our", "his", "her", "their"]) {
        return None;
    }
    let person = |at: usize, word: &super::words::Word<'_>| {
        at > 0 && text.is(at - 1, &["the", "our", "my", "to"]) && PEOPLE.contains(&word.low.as_ref())
    };
    let mut content =
        text.own().filter(|(at, word)| *at != action.at && !is_empty_word(&word.low) && !person(*at, word));
    let (at, word) = content.next()?;
    let alone = content.next().is_none() && ANY.contains(&word.low.as_ref()) && action.object.contains(&at);
    (alone && !text.words.iter().any(|word| word.kind == Kind::Number)).then(|| action.object.clone())
}
