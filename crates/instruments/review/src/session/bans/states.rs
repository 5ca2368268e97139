//! What is said of a subject: "losing X is not an option", "X stays exactly as it is", "committing is my job", "that's off the menu".
//!
//! A subject that names an action by a gerund or a noun forbids the action; one that names a thing forbids to change it.

use std::ops::Range;

use super::action::{Action, Found};
use super::clauses::{keep, push};
use super::object::{Object, object};
use super::verbs::{Verb, verb};
use super::words::Word;

/// Words behind which another clause begins.
const JOINTS: &[&str] = &[
    "but", "so", "then", "because", "since", "while", "as", "if", "when", "whenever", "that", "which", "who", "though",
    "although", "unless", "until", "till", "whereas", "whether", "where", "why", "how", "once",
];

/// Words of a predicate: no subject goes on over them.
const FINITE: &[&str] = &[
    "is", "are", "was", "were", "has", "have", "had", "stays", "stay", "remains", "remain", "must", "should", "can",
    "may", "will", "would", "could", "do", "does", "did", "don't", "doesn't", "isn't", "aren't", "owns", "belongs",
    "gets", "=",
];

/// Words before a predicate that belong to it.
const MODALS: &[&str] = &[
    "must", "should", "has", "have", "to", "shall", "needs", "need", "will", "may", "can", "all", "both", "still",
    "also",
];

/// Words that stand for a subject which was named before.
const PRONOUNS: &[&str] =
    &["it", "that", "this", "they", "them", "these", "those", "both", "that's", "it's", "all", "one"];

/// The subject of the predicate at `at`; where it is left out or a pronoun, that of the first clause of the sentence. `None` for what is asked,
/// bound to a condition, or not there.
pub(super) fn subject(words: &[Word<'_>], at: usize) -> Option<Range<usize>> {
    let own = nearest(words, at)?;
    let named = own.clone().any(|it| !words[it].is(PRONOUNS) && !words[it].is(&["and", "the", "or"]));
    if named {
        return Some(own);
    }
    let first = (1..own.start).find(|it| words[*it].is(FINITE));
    let before = first.and_then(|it| nearest(words, it)).filter(|it| !it.is_empty() && it.end <= own.start);
    before.or(Some(own))
}

fn nearest(words: &[Word<'_>], at: usize) -> Option<Range<usize>> {
    let mut to = at;
    while to > 0 && !words[to].apart && words[to - 1].is(MODALS) {
        to -= 1;
    }
    // "… are evidence and have to remain": left out.
    if to.checked_sub(1).is_some_and(|it| words[it].is(&["and", "or", "but"])) {
        return Some(to..to);
    }
    let mut from = to;
    while let Some(before) = from.checked_sub(1) {
        if from < words.len() && words[from].apart || words[before].is(FINITE) {
            break;
        }
        // "The files that exist are frozen" goes on before its relative clause.
        let relative = words[before].is(&["that", "which"])
            && before > 0
            && !words[before - 1].is(FINITE)
            && verb(&words[before - 1]).is_none()
            && !words[before].apart;
        if words[before].is(JOINTS) && !relative {
            let asks = ["if", "when", "whenever", "unless", "until", "till", "whether", "where", "why", "how", "once"];
            if words[before].is(&asks) {
                return None;
            }
            break;
        }
        // "Fix the parser and X is frozen": only names go on before the conjunction.
        if words[before].is(&["and", "or"]) && from < to && !joins_names(words, before) {
            break;
        }
        from = before;
    }
    while from < to && words[from].is(&["and", "also", "or", "obviously", "please", "just"]) {
        from += 1;
    }
    Some(from..to)
}

/// Whether what stands before a conjunction is a name like what stands behind it: no word of it is a verb.
fn joins_names(words: &[Word<'_>], at: usize) -> bool {
    let ends = |it: &usize| words[*it].apart || words[*it].is(FINITE) || words[*it].is(JOINTS);
    let from = (0..at).rev().find(ends).map_or(0, |it| it + usize::from(!words[it].apart));
    at - from <= 5 && (from..at).all(|it| verb(&words[it]).is_none() || words[it].low.ends_with("ing"))
}

/// Gerunds that name actions.
fn gerunds<'a>(words: &'a [Word<'_>], within: Range<usize>) -> impl Iterator<Item = usize> + 'a {
    within.filter(|it| words[*it].low.ends_with("ing") && words[*it].code.is_none() && verb(&words[*it]).is_some())
}

/// The place behind words that deny or forbid what they are said of, from the word behind the copula on.
fn denial(words: &[Word<'_>], from: usize) -> Option<usize> {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let mut at = from;
    while is(
        at,
        &[
            "strictly",
            "absolutely",
            "currently",
            "also",
            "completely",
            "all",
            "both",
            "just",
            "simply",
            "a",
            "an",
            "hard",
            "clear",
            "totally",
            "definitely",
        ],
    ) {
        at += 1;
    }
    let article = at > from && is(at - 1, &["a", "an", "hard", "clear"]);
    if is(
        at,
        &[
            "prohibited",
            "forbidden",
            "banned",
            "disallowed",
            "verboten",
            "no-go",
            "taboo",
            "non-starter",
            "unacceptable",
        ],
    ) || article && is(at, &["no"])
    {
        return Some(at + 1);
    }
    let article = |at: usize| at + usize::from(is(at, &["the", "an", "a", "my", "any"]));
    if is(at, &["not", "no", "never"]) {
        let place = article(at + 1);
        return is(
            place,
            &["allowed", "permitted", "ok", "okay", "acceptable", "welcome", "wanted", "option", "yours"],
        )
        .then_some(place + 1);
    }
    if is(at, &["out"]) && is(at + 1, &["of"]) {
        let place = article(at + 2);
        return is(place, &["question", "bounds"]).then_some(place + 1);
    }
    if is(at, &["off"]) {
        let place = article(at + 1);
        return is(place, &["table", "menu", "cards", "list", "limits"]).then_some(place + 1);
    }
    None
}

/// The place behind words that give an action to somebody else: "my job", "mine", "a thing I do", "for me".
fn owned(words: &[Word<'_>], from: usize) -> Option<usize> {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    const TASKS: &[&str] = &["job", "business", "task", "thing", "call", "part", "department", "role", "turf"];
    if is(from, &["mine", "ours"]) {
        return Some(from + 1);
    }
    if is(from, &["my", "our"]) || words.get(from).is_some_and(|it| it.low.ends_with("'s")) {
        let place = (from + 1..from + 4).find(|it| is(*it, TASKS))?;
        return Some(place + 1);
    }
    // "Merging is up to Lena".
    if is(from, &["up"])
        && is(from + 1, &["to"])
        && !is(from + 2, &["you", "u", "date", "speed"])
        && from + 2 < words.len()
    {
        return Some(from + 3);
    }
    let of_me = is(from, &["something"]) || is(from, &["a", "the"]) && is(from + 1, TASKS);
    let place = (from + 1..from + 3).find(|it| is(*it, &["i", "we", "i'll", "we'll"]))?;
    let do_it = is(place + 1, &["do", "handle", "want", "will"]);
    (of_me && do_it).then_some(place + 2)
}

/// Keeps what gerunds among words forbid.
fn actions(words: &[Word<'_>], out: &mut Vec<Found>, within: Range<usize>, start: usize, end: usize) {
    let all: Vec<usize> = gerunds(words, within.clone()).collect();
    for (place, at) in all.iter().copied().enumerate() {
        let Some(own) = verb(&words[at]) else { continue };
        // What is done to ends where the next action is named: "amending or rewriting it".
        let next = all.get(place + 1).copied().unwrap_or(within.end);
        let joint = (at + 1..next).find(|it| next < within.end && words[*it].is(&["or", "and"]));
        let to = joint.unwrap_or(next);
        let (named, until) = object(&words[..to], at + 1, &|it| verb(it).is_some());
        // "Rewriting it": what is meant is not known.
        if named.is_any() && matches!(own, Verb::Edit | Verb::Rework | Verb::Update | Verb::Add | Verb::Run) {
            continue;
        }
        push(words, out, start, end, &[own], named, &words[at + 1..until.max(at + 1)]);
    }
}

pub(super) fn states(words: &[Word<'_>], out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    for at in 0..words.len() {
        let word = &words[at];
        if word.is(&["is", "are", "=", "be", "that's", "it's"]) {
            let short = word.low.ends_with("'s");
            let Some(own) = (if short { nearest(words, at).map(|it| it.start..at + 1) } else { nearest(words, at) })
            else {
                continue;
            };
            if let Some(end) = denial(words, at + 1) {
                said(words, out, own, at, end);
            } else if let Some(end) = owned(words, at + 1) {
                let own = subject(words, at).unwrap_or(own);
                actions(words, out, own.clone(), own.start, end);
            }
        }
        // "X is none of your business".
        let foreign = is(at.wrapping_sub(1), &["is", "are"]) && is(at + 1, &["of"]) && is(at + 2, &["your"]);
        if word.is(&["none"]) && foreign {
            thing(words, out, at - 1, at + 4);
        }
        if word.is(&["belongs", "belong"]) && is(at + 1, &["to"]) && !is(at + 2, &["you"]) {
            thing(words, out, at, at + 3);
        }
        // "X is for us alone to save".
        if word.is(&["for"]) && is(at.wrapping_sub(1), &["is", "are"]) {
            let to = (at + 1..words.len().min(at + 7)).find(|it| is(*it, &["to"]));
            let alone = to.filter(|to| words[at..*to].iter().any(|it| it.is(&["alone", "only", "me", "us"])));
            if let Some(own) =
                alone.filter(|to| words.get(to + 1).is_some_and(|it| verb(it).is_some() || it.is(&["save"])))
            {
                thing(words, out, at - 1, own + 2);
            }
        }
        // "Amending it would undo two weeks of my work": what it costs whoever asks.
        let costs = word.is(&["would", "will"])
            && words.get(at + 1).is_some_and(|it| it.is(HARM))
            && words[at + 1..].iter().take(8).any(|it| it.is(&["my", "our", "me", "us"]));
        if let Some(own) = nearest(words, at)
            .filter(|own| costs && gerunds(words, own.clone()).next().is_some_and(|it| it <= own.start + 1))
        {
            actions(words, out, own.clone(), own.start, at + 2);
        }
        // "Only commit when I say so".
        if word.is(&["only"])
            && is(at + 2, &["when", "once", "after", "if"])
            && is(at + 3, &["i"])
            && let Some(own @ Verb::Of(_)) = words.get(at + 1).and_then(verb)
        {
            push(words, out, at, at + 4, &[own], Object::default(), &[]);
        }
        // "I'm the only one who pushes".
        if word.is(&["one", "person"]) && is(at.wrapping_sub(1), &["only"]) && is(at + 1, &["who", "that"]) {
            let mine = (at.saturating_sub(4)..at).any(|it| is(it, &["i", "i'm", "me", "we", "we're"]));
            if let Some(own) = words.get(at + 2).and_then(verb).filter(|_| mine) {
                let (named, end) = object(words, at + 3, &|it| verb(it).is_some());
                let end = end.max(at + 3).min(words.len());
                push(words, out, at - 1, end, &[own], named, &words[(at + 3).min(end)..end]);
            }
        }
        // "Leave committing to me", "leave X to me".
        if word.is(&["leave"]) {
            let to = (at + 1..words.len().min(at + 9)).find(|it| words[*it].is(&["to"]) && is(it + 1, &["me", "us"]));
            if let Some(to) = to {
                let own = at + 1..to;
                if gerunds(words, own.clone()).next().is_some() {
                    actions(words, out, own, at, to + 2);
                } else {
                    let (named, _) = object(&words[..to], at + 1, &|_| false);
                    if is_sure(&named) {
                        keep(words, out, at, to + 2, Action::Edit, named);
                    }
                }
            }
        }
        // "Catch you running X and …".
        if word.is(&["catch"])
            && is(at + 1, &["you", "u"])
            && words.get(at + 2).is_some_and(|it| it.low.ends_with("ing"))
        {
            let end =
                (at + 2..words.len()).find(|it| words[*it].apart || words[*it].is(&["and"])).unwrap_or(words.len());
            actions(words, out, at + 2..end, at, end);
        }
        // "Force-pushing broke it last time, so don't even think of it."
        if word.is(&["think", "dream"]) && is(at + 1, &["of", "about"]) && is(at + 2, &["it", "that"]) {
            let from = (0..at).rev().take(4).find(|it| words[*it].is_negator());
            if let Some(from) = from {
                let start = gerunds(words, 0..from).next().unwrap_or(from);
                actions(words, out, 0..from, start, at + 3);
            }
        }
        kept(words, at, out);
    }
}

/// Verbs for what nobody wants to happen.
const HARM: &[&str] =
    &["undo", "break", "ruin", "wreck", "kill", "cost", "lose", "destroy", "upset", "void", "corrupt", "trash"];

/// What a denial is said of: gerunds, the noun of an action, or nothing that is known.
fn said(words: &[Word<'_>], out: &mut Vec<Found>, own: Range<usize>, at: usize, end: usize) {
    let named = own.clone().any(|it| !words[it].is(PRONOUNS));
    if !named {
        // "Skipping tests is how it broke, so that's off the table": the action that the sentence named before.
        actions(words, out, 0..own.start, own.start.min(at), end);
        return;
    }
    let from = own.start;
    if gerunds(words, own.clone()).next().is_some_and(|it| it <= from + 1) {
        actions(words, out, own, from, end);
        return;
    }
    let inner = &words[own.clone()];
    let (thing, _) = object(&words[..own.end], from, &|_| false);
    let narrowed = inner.iter().position(|it| it.is(&["to", "in", "on", "outside", "of", "for"]));
    for action in Verb::of_noun(&inner[..narrowed.unwrap_or(inner.len())], &thing) {
        let object = super::negated::without_noun(&action, thing.clone(), inner, narrowed);
        keep(words, out, from, end, action, object);
    }
}

/// Whether an object surely names files or a system.
pub(super) fn is_sure(object: &Object) -> bool {
    object.items.iter().any(|item| !item.paths.is_empty() || !item.kinds.is_empty())
}

/// Keeps that the thing a predicate is said of must not be changed.
fn thing(words: &[Word<'_>], out: &mut Vec<Found>, at: usize, end: usize) {
    let Some(own) = subject(words, at) else { return };
    let (named, _) = object(&words[..own.end], own.start, &|_| false);
    if is_sure(&named) && gerunds(words, own.clone()).next().is_none() {
        keep(words, out, own.start, end.min(words.len()), Action::Edit, named);
    }
}

/// "Keep it all offline", "leave it uncommitted", "the channel has to stay quiet", "stay off the internet".
fn kept(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let word = &words[at];
    let action =
        if word.is(&["uncommitted", "unstaged"]) || word.is(&["dirty"]) && is(at + 1, &["tree", "working", "work"]) {
            Action::Commit
        } else if word.is(&["unpushed"]) {
            Action::Push
        } else if word.is(&["offline"]) {
            Action::Network
        } else if word.is(&["silent", "quiet"]) {
            Action::Send
        } else {
            return;
        };
    let verbs = |place: &usize| {
        words[*place].is(&[
            "keep", "leave", "leaving", "stay", "stays", "staying", "remain", "remains", "be", "work", "working",
            "keeping",
        ])
    };
    let from = (0..at).rev().take_while(|it| !words[it + 1].apart || it + 1 == at).take(9).find(verbs);
    let Some(from) = from else { return };
    // An order, or what somebody's channel has to be; a flag that keeps the output silent is neither.
    let start = (0..from).rev().take_while(|it| !words[it + 1].apart && !words[*it].is(JOINTS)).last().unwrap_or(from);
    let ahead = &words[start..from];
    let polite = ahead.iter().all(|it| {
        it.is(&[
            "please", "and", "just", "also", "u", "you", "to", "must", "should", "pls", "i'd", "like", "want", "it",
            "will",
        ])
    });
    let channel =
        ahead.iter().any(|it| it.is(&["slack", "channel", "chat", "thread", "inbox", "pager", "machine", "laptop"]))
            && ahead.iter().any(|it| it.is(MODALS) || it.is(&["must", "should"]));
    let denied = ahead.iter().any(|it| it.is_negator() || it.is(&["if", "can", "told"]));
    if (polite || channel) && !denied {
        keep(words, out, from, at + 1, action, Object::default());
    }
}
