//! Clauses of an instruction, and keeping what they say.

use super::action::{Action, Found};
use super::object::{Item, Object};
use super::verbs::Verb;
use super::words::Word;

/// Where the clause begins that a word stands in.
pub(super) fn clause_start(words: &[Word<'_>], at: usize) -> usize {
    let mut start = at;
    while start > 0
        && !words[start].apart
        && !words[start - 1].is(&["and", "but", "so", "then", "because", "since", "or", "while", "as"])
    {
        start -= 1;
    }
    start
}

/// Words that may stand before an order in its clause.
const LEADS: &[&str] = &[
    "please",
    "pls",
    "plz",
    "also",
    "and",
    "or",
    "but",
    "so",
    "then",
    "just",
    "now",
    "again",
    "you",
    "u",
    "we",
    "important",
    "note",
    "nb",
    "ps",
    "ok",
    "okay",
    "hey",
    "yes",
    "still",
    "really",
    "absolutely",
    "definitely",
    "strictly",
    "first",
    "finally",
    "lastly",
    "remember",
    "do",
    "must",
    "should",
    "may",
    "can",
    "shall",
    "always",
    "agent",
    "assistant",
    "thanks",
    "btw",
    "oh",
    "ah",
    "anyway",
    "again",
];

/// Whether the words before a place in its clause leave it an order: who is spoken to is the reader, or nobody is named. "The page is not
/// updating", "it only touches the config" and what stands in brackets say how things are.
pub(super) fn is_order(words: &[Word<'_>], at: usize) -> bool {
    let start = clause_start(words, at);
    let before = &words[start..at];
    let gives_reason = start
        .checked_sub(1)
        .is_some_and(|it| words[it].is(&["because", "since", "while", "as"]) && !words[start].apart);
    // "If tests fail, don't commit."
    let hangs =
        words.first().is_some_and(|it| it.is(&["if", "when", "unless", "until", "once", "whenever"])) && start > 0;
    let to_reader = before.last().is_some_and(|it| it.is(&["you", "u", "to"]))
        && !before.first().is_some_and(|it| it.is(&["it", "this", "that", "they", "he", "she", "which"]));
    !words[at].aside && !gives_reason && !hangs && (before.iter().all(|it| it.is(LEADS)) || to_reader)
}

/// Whether a verb has the form that an order has: "touch", not "touches" or "touched".
pub(super) fn is_base(word: &Word<'_>) -> bool {
    let low = &word.low;
    !(low.ends_with("ed") || low.ends_with("ing") || low.ends_with('s') && !low.ends_with("ss"))
}

/// Whether an object names files by a path or a kind, so that a call can be seen to meet it.
pub(super) fn is_sure(object: &Object) -> bool {
    object.items.iter().any(|item| !item.paths.is_empty() || !item.kinds.is_empty())
}

/// Whether what stands behind binds it to what is not known here. What hangs on the user's own word is forbidden until then.
pub(super) fn is_conditional(words: &[Word<'_>], from: usize) -> bool {
    // "Don't deploy, since the sale runs until Sunday": a reason binds nothing.
    let mut own = (from..words.len().min(from + 12)).take_while(|at| !words[*at].is(&["because", "since", "cause"]));
    let Some(at) = own.find(|at| words[*at].is(&["unless", "until", "till", "if", "when"])) else {
        return false;
    };
    let by_user = words[at..].iter().take(6).any(|it| it.is(&["i", "i've", "me", "we", "told", "asked", "my"]));
    !by_user
}

/// Keeps what verbs forbid of an object.
pub(super) fn push(
    words: &[Word<'_>],
    out: &mut Vec<Found>,
    start: usize,
    end: usize,
    verbs: &[Verb],
    object: Object,
    inner: &[Word<'_>],
) {
    for verb in verbs {
        let mut actions = verb.actions(&object, inner);
        // "Hooks are slow, don't skip them."
        if *verb == Verb::Skip && actions.is_empty() && object.is_any() && words.iter().any(|it| it.lemma == "hook") {
            actions.push(Action::SkipHooks);
        }
        for action in actions {
            // "Don't tag it" is not about the file that was named before.
            let mut object = object.clone();
            let of_files = matches!(
                action,
                Action::Edit | Action::Read | Action::Delete | Action::Rename | Action::Format | Action::Create
            );
            if !of_files && !inner.iter().any(|it| super::words::is_path(it.raw)) {
                object.items.retain(|item| item.paths.is_empty());
            }
            let line = (action == Action::Run).then(|| super::verbs::line(inner)).flatten();
            let own = line.map_or_else(|| object.clone(), of_line);
            keep(words, out, start, end, action, own);
        }
    }
}

/// A command line as an object.
pub(super) fn of_line(codes: Vec<String>) -> Object {
    Object { items: vec![Item { codes, ..Item::default() }], except: Vec::new() }
}

pub(super) fn keep(words: &[Word<'_>], out: &mut Vec<Found>, start: usize, end: usize, action: Action, object: Object) {
    // What leads over to the next clause is no part of the words.
    let leads = |word: &Word<'_>| word.code.is_none() && word.is(&["and", "or", "but", "do", "also", "then", "please"]);
    let own = words.get(start..end.min(words.len())).unwrap_or_default();
    let end = own.iter().rposition(|word| !leads(word)).map_or(end, |last| start + last + 1);
    let (Some(first), Some(last)) = (words.get(start), end.checked_sub(1).and_then(|it| words.get(it))) else { return };
    out.push(Found { start: first.start, end: last.end.max(first.end), action, object, demand: None });
}
