//! What forbids without a negator: "leave X alone", "X is off limits", "only edit X", "ask me before deleting", "use X instead of Y".

use super::action::{Action, Found};
use super::clauses::{clause_start, keep, push};
use super::kinds::Kind;
use super::object::{Item, Object, object};
use super::states::subject;
use super::verbs::{Verb, is_program, verb};
use super::words::Word;

/// Words that say of a thing that it must stay as it is.
const KEPT: &[&str] = &[
    "alone",
    "untouched",
    "unchanged",
    "as-is",
    "intact",
    "unmodified",
    "frozen",
    "read-only",
    "readonly",
    "off-limits",
    "taboo",
    "sacred",
    "untouchable",
    "locked",
    "immutable",
    "verbatim",
    "unedited",
];

fn kept_at(words: &[Word<'_>], at: usize) -> Option<usize> {
    let word = words.get(at)?;
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    if word.is(KEPT) {
        return Some(at + 1);
    }
    if word.is(&["off"]) && is(at + 1, &["limits"]) || word.is(&["read"]) && is(at + 1, &["only"]) {
        return Some(at + 2);
    }
    if word.is(&["as"]) && is(at + 1, &["is"]) {
        return Some(at + 2);
    }
    if word.is(&["as"]) && is(at + 1, &["it", "they"]) && is(at + 2, &["is", "are"]) {
        return Some(at + 3);
    }
    if word.is(&["out"]) && is(at + 1, &["of"]) && is(at + 2, &["it", "this", "scope"]) {
        return Some(at + 3);
    }
    (word.is(&["the", "exactly"]) && is(at + 1, &["way", "as", "same"])).then_some(at + 2)
}

/// "As you find them", "what they are now", "exactly like upstream", "as delivered", "byte for byte": how something is to stay.
fn same_at(words: &[Word<'_>], at: usize) -> Option<usize> {
    let word = words.get(at)?;
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    if word.is(&["byte", "bit"]) && is(at + 1, &["for"]) {
        return Some((at + 3).min(words.len()));
    }
    const HOW: &[&str] = &[
        "is", "are", "was", "were", "stand", "stands", "find", "found", "leave", "left", "see", "have", "got", "came",
    ];
    if word.is(&["as", "like", "how", "what"])
        && is(at + 1, &["it", "they", "you", "we", "i", "he", "she"])
        && is(at + 2, HOW)
    {
        let end = (at + 3..words.len().min(at + 5)).take_while(|it| !words[*it].apart).last().unwrap_or(at + 2);
        return Some(end + 1);
    }
    let exact = at.checked_sub(1).is_some_and(|it| words[it].is(&["exactly", "precisely", "just"]));
    let told = words.get(at + 1).is_some_and(|it| it.low.ends_with("ed"));
    (word.is(&["as", "like"]) && (exact || told)).then_some((at + 2).min(words.len()))
}

pub(super) fn limits(words: &[Word<'_>], out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let denied = |at: usize| words[clause_start(words, at)..at].iter().any(Word::is_negator);
    for at in 0..words.len() {
        let word = &words[at];
        if denied(at) && !word.is(&["only", "instead", "rather"]) {
            continue;
        }
        // "Leave X alone", "keep X as it is".
        if word.is(&["leave", "keep", "leaving", "keeping", "need", "want", "treat", "consider"]) {
            let end = (at + 1..words.len().min(at + 16)).find(|it| kept_at(words, *it).is_some() && *it > at + 1);
            // "Treat X as read-only".
            let as_at = end.filter(|end| is(end - 1, &["as"])).map(|end| end - 1);
            if let Some(end) = end.filter(|end| (at + 1..*end).all(|it| !words[it].is(&["but", "because", "to"]))) {
                let own = object(&words[..as_at.unwrap_or(end)], at + 1, &|_| false).0;
                if !own.is_any() {
                    keep(words, out, at, kept_at(words, end).unwrap_or(end + 1), Action::Edit, own);
                }
                continue;
            }
        }
        // "Keep X out of your diff".
        if word.is(&["keep", "leave"]) {
            let out_of = (at + 2..words.len().min(at + 10)).find(|it| is(*it, &["out"]) && is(it + 1, &["of"]));
            let diff = |it: &usize| {
                (it + 2..it + 5)
                    .any(|it| is(it, &["diff", "changes", "commit", "commits", "pr", "mr", "patch", "changeset"]))
            };
            if let Some(to) = out_of.filter(diff) {
                let own = object(&words[..to], at + 1, &|_| false).0;
                if super::states::is_sure(&own) {
                    keep(words, out, at, (to + 4).min(words.len()), Action::Edit, own);
                    continue;
                }
            }
        }
        // "Hands off X", "stay out of X", "keep away from X", "steer clear of X".
        let off = word.is(&["hands"]) && is(at + 1, &["off"]) && !is(at + 2, &["to"]);
        let fingers = word.is(&["fingers", "hands", "paws"])
            && (is(at + 1, &["out"]) && is(at + 2, &["of"]) || is(at + 1, &["away"]) && is(at + 2, &["from"]));
        let away = fingers
            || word.is(&["stay", "stays", "keep", "keeps", "steer"])
                && (is(at + 1, &["off"]) && is(at + 2, &["the", "of", "my", "our"])
                    || is(at + 1, &["out", "clear"]) && is(at + 2, &["of"])
                    || is(at + 1, &["away"]) && is(at + 2, &["from"]));
        if off || away {
            let from = at + if off { 2 } else { 3 };
            let (own, end) = object(words, from, &|it| verb(it).is_some());
            if own.has(Kind::Network) {
                keep(words, out, at, end, Action::Network, Object::default());
            } else if !own.is_any() {
                keep(words, out, at, end, Action::Edit, own);
            } else if off && at > 0 {
                // "The schema is the team's, hands off."
                let mut before = object(&words[..at], clause_start(words, at - 1), &|_| false).0;
                before.items.retain(|item| !item.paths.is_empty() || !item.kinds.is_empty());
                if !before.is_any() {
                    keep(words, out, at, at + 2, Action::Edit, before);
                }
            }
            continue;
        }
        // "X is off limits", "X must stay as it is".
        if word.is(&["is", "are", "stays", "stay", "remain", "remains", "=", "still", "comes", "come"]) {
            let mut place = at + 1;
            while kept_at(words, place).is_none()
                && is(
                    place,
                    &[
                        "strictly",
                        "all",
                        "currently",
                        "still",
                        "also",
                        "completely",
                        "both",
                        "to",
                        "be",
                        "left",
                        "kept",
                        "considered",
                        "totally",
                        "entirely",
                        "under",
                        "in",
                        "a",
                        "out",
                        "exactly",
                        "precisely",
                        "just",
                    ],
                )
                && place < at + 5
            {
                place += 1;
            }
            let frozen = is(place, &["freeze", "frozen"]);
            // What is like something says nothing of how it is to stay.
            let stays = !word.is(&["is", "are", "="])
                || words[at + 1..place.min(words.len())].iter().any(|it| it.is(&["to", "be", "left", "kept"]));
            let same = same_at(words, place).filter(|_| stays);
            if let Some(end) = kept_at(words, place).or(same).or(frozen.then_some(place + 1)) {
                let Some(subject) = subject(words, at) else { continue };
                let (from, to) = (subject.start, subject.end);
                // "Deploying is off limits" is no thing.
                if words[from..to].iter().take(2).any(|it| it.low.ends_with("ing") && verb(it).is_some()) {
                    continue;
                }
                let own = object(&words[..to], from, &|_| false).0;
                // "This is read only" says it of the whole task.
                let whole = own.is_any()
                    && from < to
                    && words[from..to].iter().all(|it| {
                        it.is(&[
                            "this",
                            "it",
                            "everything",
                            "the",
                            "repo",
                            "task",
                            "session",
                            "access",
                            "please",
                            "you",
                        ])
                    });
                // "The page remains as it was" tells how it is, "it must remain so" how it is to be.
                let bound = words[from..place.min(words.len())]
                    .iter()
                    .any(|it| it.is(&["must", "should", "to", "shall", "be", "left", "kept"]));
                let file = |item: &Item| !item.paths.is_empty() || item.kinds.iter().any(|it| *it != Kind::Data);
                if same.is_some() && !bound && !own.items.iter().any(file) {
                    continue;
                }
                if !own.is_any() || !own.except.is_empty() {
                    // "They are off limits" may speak of what stands before.
                    keep(words, out, from, end, Action::Edit, own);
                } else if whole && !words[from..to].iter().any(|it| it.is(&["it"])) {
                    keep(words, out, from, end, Action::Edit, Object::default());
                }
            }
        }
        // "Read only, please": of anything.
        let read_only =
            word.is(&["read-only", "readonly"]) || word.is(&["read"]) && is(at + 1, &["only"]) && !is(at + 2, &["the"]);
        if read_only
            && (at == 0
                || word.apart
                || is(at.wrapping_sub(1), &["strictly", "stay", "be", "purely", "in", "keep", "please", "this"]))
        {
            let end = at + 1 + usize::from(word.is(&["read"]));
            let free = words.get(end).is_none_or(|it| {
                it.apart
                    || it.is(&[
                        "please",
                        "pls",
                        "for",
                        "mode",
                        "here",
                        "task",
                        "investigation",
                        "session",
                        "thanks",
                        "access",
                        "analysis",
                        "review",
                        "job",
                        "today",
                        "on",
                        "and",
                    ])
            });
            if free {
                // "Read only on the cluster".
                let of = is(end, &["on", "for"])
                    .then(|| object(words, end + 1, &|_| false))
                    .filter(|(own, _)| own.items.iter().any(|item| !item.kinds.is_empty() || !item.paths.is_empty()));
                let (own, end) = of.unwrap_or((Object::default(), end));
                keep(words, out, at, end, Action::Edit, own);
            }
        }
        mine(words, at, out);
        before(words, at, out);
        // "Use X instead of Y", "pnpm rather than npm".
        if (word.is(&["instead"]) && is(at + 1, &["of"]) || word.is(&["rather"]) && is(at + 1, &["than"]))
            && let Some(own) = words.get(at + 2).filter(|it| is_program(&it.low))
            && words[..at].iter().any(|it| it.lemma == "use" || is_program(&it.low))
        {
            keep(words, out, at, at + 3, Action::Program(own.low.clone()), Object::default());
        }
    }
}

/// "I'll commit it myself", "hold off on committing", "instead of calling pytest", "X isn't yours to change".
fn mine(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let word = &words[at];
    let mut from = None;
    if word.is(&["i'll", "i", "we'll"]) {
        let own = (at + 1..words.len().min(at + 6)).find(|it| matches!(verb(&words[*it]), Some(Verb::Of(_))));
        from = own.filter(|own| {
            words[*own..].iter().take(6).any(|it| it.is(&["myself", "ourselves"]))
                && words[at..*own].iter().any(|it| it.is(&["i'll", "will", "we'll", "want"]))
        });
    } else if word.is(&["do", "handle", "take"])
        && (is(at.wrapping_sub(1), &["i'll", "we'll"]) || is(at.wrapping_sub(2), &["let"]) && is(at - 1, &["me", "us"]))
    {
        // "I'll do the push", "let me handle the merge".
        from = Some(at + 2).filter(|it| {
            is(at + 1, &["the", "all"]) && words.get(*it).is_some_and(|it| matches!(verb(it), Some(Verb::Of(_))))
        });
    } else if word.is(&["hold"]) && is(at + 1, &["off"]) {
        from = Some(at + 2 + usize::from(is(at + 2, &["on", "with"])));
    } else if word.is(&["instead"]) && is(at + 1, &["of"]) || word.is(&["rather"]) && is(at + 1, &["than"]) {
        from = Some(at + 2).filter(|it| words.get(*it).is_some_and(|it| it.low.ends_with("ing")));
    } else if (word.is(&["isn't", "aren't"]) || word.is(&["not"]) && is(at.wrapping_sub(1), &["is", "are"]))
        && is(at + 1, &["yours", "ours", "mine"])
    {
        let start = clause_start(words, at);
        let own = object(&words[..at - usize::from(word.is(&["not"]))], start, &|_| false).0;
        if !own.is_any() {
            keep(words, out, start, at + 2, Action::Edit, own);
        }
        return;
    }
    if let Some((from, own)) = from.and_then(|from| Some((from, verb(words.get(from)?)?))) {
        let (object, end) = object(words, from + 1, &|it| verb(it).is_some());
        let end = end.max(from + 1);
        push(words, out, at, end, &[own], object, &words[from + 1..end]);
    }
}

/// "Ask me before deleting anything", "check with me before you push".
fn before(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    if !words[at].is(&["ask", "check", "confirm", "wait", "show", "tell", "ping", "let"]) {
        return;
    }
    let me =
        words[at..].iter().take(5).any(|it| it.is(&["me", "us", "my", "first"])) || words[at].is(&["ask", "confirm"]);
    let Some(place) = (at + 1..words.len().min(at + 9)).find(|it| words[*it].is(&["before"])).filter(|_| me) else {
        return;
    };
    let from = place + 1 + usize::from(words.get(place + 1).is_some_and(|it| it.is(&["you"])));
    let Some(own) = words.get(from).and_then(verb) else { return };
    let (object, end) = object(words, from + 1, &|it| verb(it).is_some());
    let end = end.max(from + 1);
    push(words, out, at, end, &[own], object, &words[from + 1..end]);
}
