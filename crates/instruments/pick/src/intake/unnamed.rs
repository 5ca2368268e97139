//! Tasks that name only what is known to their writer: "do what Maria suggested", "can you look at the numbers", "deal with the contract".

use std::ops::Range;

use super::actions::{Action, Put};
use super::reference::{SAID_WORDS_MAX, earlier_noun, is_artefact, is_empty_word};
use super::verbs::{Intent, verb};
use super::words::{Kind, Text};

/// People that something is done for or with: they say nothing of what it is.
pub(super) const PEOPLE: &[&str] = &[
    "client",
    "clients",
    "customer",
    "customers",
    "boss",
    "manager",
    "team",
    "board",
    "colleague",
    "colleagues",
    "supplier",
    "staff",
    "people",
    "guys",
    "chief",
    "ceo",
    "management",
    "lawyer",
    "lawyers",
    "legal",
    "sales",
    "marketing",
    "partner",
    "partners",
];

/// Things beside [`ARTEFACTS`] that only who knows them can tell apart.
const KNOWN: &[&str] = &[
    "number",
    "figure",
    "comment",
    "change",
    "option",
    "dashboard",
    "reply",
    "answer",
    "meeting",
    "deal",
    "request",
    "question",
    "point",
    "result",
    "update",
    "order",
    "invoice",
    "offer",
    "slot",
    "room",
    "account",
    "site",
    "app",
    "model",
    "system",
    "plan",
];

/// Most words of a text that only speaks of what is known.
const KNOWN_WORDS_MAX: usize = 10;

/// "can you look at the numbers", "translate for the client", "review the draft and apply the comments": whatever is named is known to the
/// writer alone, and nothing tells more of it.
pub(super) fn known_only(text: &Text<'_>, actions: &[Action]) -> Option<Range<usize>> {
    let sentences = (1..text.words.len()).filter(|at| text.starts(*at)).count();
    let asks = text.is(0, &["how", "why", "who", "when", "where", "which", "is", "are", "does", "did"]);
    let number = text.words.iter().any(|word| word.kind == Kind::Number || word.quoted || word.low == ":");
    if sentences > 0 || asks || number || text.own().count() > KNOWN_WORDS_MAX {
        return None;
    }
    let material = |low: &str| {
        is_artefact(low)
            || KNOWN.contains(&low)
            || super::words::singular(low).is_some_and(|low| KNOWN.contains(&low.as_ref()))
    };
    let (mut first, mut people) = (None, None);
    for (at, word) in text.own() {
        let low = word.low.as_ref();
        let known = at > 0 && text.is(at - 1, &["the", "that", "those"]);
        let told_more = text.is(at + 1, &["of", "about", "from", "that", "which", "on", "in"]) && !text.starts(at + 1);
        if known && material(low) && !told_more && !is_empty_word(low) {
            first = first.or(Some(at - 1..at + 1));
        } else if PEOPLE.contains(&low) && at > 0 && text.is(at - 1, &["the", "our", "my", "to", "with"]) {
            people = people.or(Some(0..text.words.len()));
        } else if !(is_empty_word(low)
            || GENERIC.contains(&low)
            || JUDGED.contains(&low)
            || actions.iter().any(|action| action.at == at)
            || verb(low).is_some_and(|verb| verb.light))
        {
            return None;
        }
    }
    // "apologize to the customer": a message is of a kind by its verb.
    let messages =
        actions.iter().any(|action| matches!(action.verb.intent, Intent::Communicate | Intent::Plan | Intent::Decide));
    first.or(people.filter(|_| !messages && !actions.is_empty()))
}

/// "which one should we take", "compare both": one of several that are not named.
pub(super) fn which_one(text: &Text<'_>) -> Option<Range<usize>> {
    (0..text.words.len()).find_map(|at| {
        let one = text.is(at, &["which", "either", "both"])
            && (text.is(at + 1, &["one", "ones"])
                || text.is(at + 1, &["of"]) && text.is(at + 2, &["them", "these", "those"]));
        let listed = text.own().any(|(_, word)| matches!(word.low.as_ref(), "or" | "versus" | "vs" | "between"));
        (one && !listed && !earlier_noun(text, at)).then_some(at..at + 2)
    })
}

/// "option B", "plan 2", "the second option": one of a row whose members the task does not name.
pub(super) fn labelled(text: &Text<'_>) -> Option<Range<usize>> {
    const ROWS: &[&str] = &["option", "variant", "alternative", "choice", "version", "proposal", "scenario"];
    let at = (0..text.words.len()).find(|at| {
        let next = text.low(at + 1);
        let letter =
            next.len() == 1 && next.starts_with(|c: char| c.is_ascii_alphabetic()) && text.words[at + 1].capital;
        text.is(*at, ROWS) && letter && !text.starts(at + 1)
    })?;
    // "option A costs 10 a month, option B 300 once": the row is told.
    let told = text.words.iter().any(|word| word.kind == Kind::Number || word.low == ":")
        || text.own().count() > TOLD_WORDS_MAX;
    (!told).then_some(at..at + 2)
}

/// "with her changes", "his answer": something of somebody whom nothing before names.
pub(super) fn of_somebody(text: &Text<'_>, actions: &[Action]) -> Option<Range<usize>> {
    let at = text.own().map(|(at, _)| at).find(|at| text.is(*at, &["her", "his", "their"]))?;
    let noun = text.low(at + 1);
    let thing = is_artefact(noun)
        || KNOWN.contains(&noun)
        || text.singular(at + 1).is_some_and(|noun| KNOWN.contains(&noun))
        || PEOPLE_SAY.contains(&noun);
    let person = (0..at).any(|at| {
        let word = &text.words[at];
        (word.capital && !word.first && word.kind == Kind::Word && word.low != "i")
            || PEOPLE.contains(&word.low.as_ref())
            || word.low.ends_with("er") && word.low.len() > 5
            || word.low.ends_with('s') && text.singular(at).is_some()
    });
    let acts = actions.iter().any(|action| action.at < at);
    (thing && acts && !person && text.own().count() <= TOLD_WORDS_MAX).then_some(at..at + 2)
}

/// What people give one another to be taken in.
const PEOPLE_SAY: &[&str] = &[
    "feedback",
    "notes",
    "suggestions",
    "suggestion",
    "edits",
    "corrections",
    "remarks",
    "remark",
    "input",
    "wishes",
    "advice",
];

/// Most words of a text that only names something known, or says of "it" how it is.
const SUBJECT_WORDS_MAX: usize = 3;

/// "our website", "it keeps happening": something known to the writer, and no word of what is wanted.
pub(super) fn bare_subject(text: &Text<'_>) -> Option<Range<usize>> {
    let own = text.own().count();
    let question = text.words.iter().any(|word| word.low == "?");
    let content = text.own().filter(|(_, word)| !is_empty_word(&word.low)).count();
    let it = text.is(0, &["it", "it's", "that", "that's"]) && content <= SUBJECT_WORDS_MAX;
    let known = text.is(0, &["our", "that"])
        && own <= SUBJECT_WORDS_MAX
        && text.own().all(|(_, word)| verb(&word.low).is_none() && !super::pieces::is_piece(&word.low));
    (!question && own > 1 && (it || known)).then_some(0..text.words.len().min(SAID_WORDS_MAX))
}

/// Words that order something and do not say which kind of work: what is to come out follows from what they are applied to.
pub(super) const GENERIC: &[&str] = &[
    "do", "redo", "fix", "handle", "deal", "sort", "finish", "complete", "continue", "repeat", "manage", "solve",
    "resolve", "help", "work", "proceed", "tackle", "address", "care", "assist", "support", "leave", "doing", "done",
    "change", "adjust", "adapt", "apply", "update", "prepare", "clear",
];

/// Verbs in the past that are no regular ones, as they stand in "what we did".
const PASTS: &[&str] = &[
    "did", "said", "had", "made", "wrote", "told", "sent", "got", "left", "saw", "thought", "began", "chose", "gave",
    "took", "went", "knew", "meant", "kept", "found", "spoke", "wanted", "liked",
];

/// A longer task has said more than what it refers to.
const TOLD_WORDS_MAX: usize = 24;

/// "do what Maria suggested", "handle it like we agreed": a generic order whose content is what somebody said or did elsewhere.
pub(super) fn told_elsewhere(text: &Text<'_>, actions: &[Action]) -> Option<Range<usize>> {
    let specific = actions
        .iter()
        .any(|action| !action.verb.light && !GENERIC.contains(&action.verb.base) && action.put != Put::Purpose);
    let generic = text.own().any(|(_, word)| GENERIC.contains(&word.low.as_ref()));
    if specific || !generic || text.own().count() > TOLD_WORDS_MAX {
        return None;
    }
    (0..text.words.len()).find_map(|at| {
        let opens = text.is(at, &["what", "like", "as", "how", "way", "thing", "things"]) && !text.starts(at);
        let subject = text.is(at + 1, &["we", "you", "i", "they", "he", "she"])
            || text.words.get(at + 1).is_some_and(|word| word.capital && !word.first);
        let past = |at: usize| {
            let low = text.low(at);
            PASTS.contains(&low) || (low.len() > 4 && low.ends_with("ed"))
        };
        let verb = (at + 2..at + 4).find(|at| past(*at) && !text.starts(*at))?;
        (opens && subject).then_some(at..verb + 1)
    })
}

/// "write something for Marta": what is to be made is anything, and nothing says what about.
pub(super) fn anything(text: &Text<'_>, actions: &[Action]) -> Option<Range<usize>> {
    const ABOUT: &[&str] = &[
        "about",
        "on",
        "regarding",
        "that",
        "which",
        "explaining",
        "saying",
        "announcing",
        "to",
        "like",
        "describing",
        "asking",
        "against",
        "as",
        "because",
        "so",
        "from",
        "into",
        "based",
        "when",
        "if",
        "where",
    ];
    let action = actions.iter().find(|action| {
        action.put != Put::Gerund
            && text.is(action.object.start, &["something", "anything", "stuff", "whatever", "things"])
            && !matches!(action.verb.intent, Intent::Find | Intent::Learn | Intent::Explain)
    })?;
    let from = action.object.start;
    let told = (from + 1..text.words.len()).any(|at| text.is(at, ABOUT) || text.words[at].kind == Kind::Number);
    (!told).then(|| action.at..from + 1)
}

/// Words that say how something is or by when it is needed, and nothing of what it is.
const JUDGED: &[&str] = &[
    "wrong",
    "broken",
    "bad",
    "slow",
    "fast",
    "faster",
    "quicker",
    "late",
    "weird",
    "off",
    "terrible",
    "awful",
    "mess",
    "messy",
    "worse",
    "improve",
    "improved",
    "urgent",
    "urgently",
    "immediately",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "week",
    "tomorrow",
    "tonight",
    "issue",
    "problem",
    "agreed",
    "accordingly",
    "together",
    "big",
    "old",
    "whole",
    "failing",
    "fails",
    "doesn't",
    "isn't",
    "working",
];

/// Most words with a meaning of their own that a task of a generic order may have besides, to be one that names only a matter.
const MATTER_WORDS_MAX: usize = 1;

/// "deal with the contract", "help with my application", "the model is wrong, sort it out": a matter that is known to somebody, and no
/// word of what kind of work is wanted.
pub(super) fn bare_matter(text: &Text<'_>) -> Option<Range<usize>> {
    let generic = text.own().any(|(_, word)| GENERIC.contains(&word.low.as_ref()));
    if !generic || text.words.iter().any(|word| word.kind == Kind::Number || word.quoted) {
        return None;
    }
    let mut content = text.own().filter(|(_, word)| {
        let low = word.low.as_ref();
        !(is_empty_word(low) || GENERIC.contains(&low) || JUDGED.contains(&low))
    });
    let (at, word) = content.next()?;
    let rest = content.count() + 1;
    let known =
        at > 0 && text.is(at - 1, &["the", "my", "our", "that", "this", "those", "these", "his", "her", "their"]);
    // A verb of a work of its own, or a thing that is called by two names ("tax return"), says more.
    let bare = verb(&word.low).is_none_or(|verb| verb.also_noun) && !text.is(at + 1, &["of", "about", "for", "from"]);
    (rest <= MATTER_WORDS_MAX && known && bare && !word.joined).then(|| at - 1..at + 1)
}
