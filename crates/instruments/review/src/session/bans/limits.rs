//! What forbids without a negator: "leave X alone", "X is off limits", "only edit X", "ask me before deleting", "use X instead of Y".

use super::action::{Action, Found};
use super::clauses::{clause_start, is_base, is_order, is_sure, keep, push};
use super::kinds::Kind;
use super::object::{Object, object};
use super::verbs::{Verb, is_program, rivals, verb};
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
    "verbatim",
    "unedited",
    "unaltered",
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
    if word.is(&["what", "where"]) && is(at + 1, &["it", "they"]) && is(at + 2, &["is", "are"]) {
        return Some(at + 3);
    }
    if word.is(&["as"]) && is(at + 1, &["it", "they"]) && is(at + 2, &["is", "are", "stands", "stand", "was", "were"]) {
        return Some(at + 3);
    }
    if word.is(&["out"]) && is(at + 1, &["of"]) && is(at + 2, &["it", "this", "scope"]) {
        return Some(at + 3);
    }
    (word.is(&["the", "exactly"]) && is(at + 1, &["way", "as", "same"])).then_some(at + 2)
}

pub(super) fn limits(words: &[Word<'_>], out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let denied = |at: usize| words[clause_start(words, at)..at].iter().any(Word::is_negator);
    for at in 0..words.len() {
        let word = &words[at];
        if word.aside || denied(at) && !word.is(&["only", "instead", "rather"]) {
            continue;
        }
        let asked = word.is(&["leave", "keep"]) && is_order(words, at)
            || word.is(&["left", "kept"])
                && is(at.wrapping_sub(1), &["you"])
                && at > 1
                && words[..at].iter().any(|it| it.is(&["rather", "prefer"]));
        if asked && left(words, at, out) {
            continue;
        }
        // "Leave X alone", "keep X as it is".
        if word.is(&["left", "kept"]) && asked
            || word.is(&["leave", "keep", "need", "want", "treat", "consider"])
                && (is_order(words, at) || is(at.wrapping_sub(1), &["i"]))
        {
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
        // "Hands off X", "stay out of X", "keep away from X", "steer clear of X".
        let off = word.is(&["hands"]) && is(at + 1, &["off"]) && !is(at + 2, &["to"]);
        let fingers = word.is(&["fingers", "hands", "paws"])
            && (is(at + 1, &["out"]) && is(at + 2, &["of"]) || is(at + 1, &["away"]) && is(at + 2, &["from"]));
        let away = fingers
            || word.is(&["stay", "keep", "steer"])
                && is_order(words, at)
                && (is(at + 1, &["off"]) && is(at + 2, &["the", "of", "my", "our"])
                    || is(at + 1, &["out", "clear"]) && is(at + 2, &["of"])
                    || is(at + 1, &["away"]) && is(at + 2, &["from"]));
        if off || away {
            let from = at + if off { 2 } else { 3 };
            let (own, end) = object(words, from, &|it| verb(it).is_some());
            let program = (from..end).find(|it| super::verbs::is_program(&words[*it].low));
            if own.has(Kind::Network) {
                keep(words, out, at, end, Action::Network, Object::default());
            } else if let Some(program) = program.filter(|it| *it + 1 == end) {
                keep(words, out, at, end, Action::Program(words[program].low.clone()), Object::default());
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
        if word.is(&["is", "are", "stays", "stay", "remain", "remains", "=", "still"]) {
            let mut place = at + 1;
            while is(
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
                ],
            ) && place < at + 4
            {
                place += 1;
            }
            let frozen = is(place, &["freeze", "frozen"]);
            if let Some(end) = kept_at(words, place).or(frozen.then_some(place + 1)) {
                let from = clause_start(words, at);
                let to = (from..at)
                    .rev()
                    .take_while(|it| words[*it].is(&["must", "should", "has", "have", "to", "shall", "needs"]))
                    .last()
                    .unwrap_or(at);
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
                if is_sure(&own) || !own.except.is_empty() {
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
        prohibited(words, at, out);
        mine(words, at, out);
        only(words, at, out);
        before(words, at, out);
        // "Use X instead of Y", "pnpm rather than npm".
        if (word.is(&["instead"]) && is(at + 1, &["of"]) || word.is(&["rather"]) && is(at + 1, &["than"]))
            && let Some(own) = words.get(at + 2).filter(|it| is_program(&it.low))
            && words[..at].iter().any(|it| it.lemma == "use" || is_program(&it.low))
        {
            keep(words, out, at, at + 3, Action::Program(own.low.clone()), Object::default());
        }
        // "Use pnpm", "with poetry only": its rivals must not be called.
        if word.is(&["use", "using"])
            && (at == clause_start(words, at)
                || is(at.wrapping_sub(1), &["please", "always", "only", "we", "must", "should", "pls"]))
            && let Some(own) = words.get(at + 1..).and_then(|rest| {
                rest.iter()
                    .take(3)
                    .position(|it| is_program(&it.low))
                    .map(|place| (at + 1 + place, rest[place].low.clone()))
            })
            && words[at + 1..own.0].iter().all(|it| it.is(&["only", "the", "just", "our", "plain"]))
        {
            for rival in rivals(&own.1) {
                keep(words, out, at, own.0 + 1, Action::Program(rival.to_owned()), Object::default());
            }
        }
        // "Pnpm only", "only pnpm".
        if is_program(&word.low)
            && word.code.is_none()
            && (is(at + 1, &["only"]) || !word.apart && is(at.wrapping_sub(1), &["only"]))
        {
            for rival in rivals(&word.low) {
                keep(words, out, at, at + 1, Action::Program(rival.to_owned()), Object::default());
            }
        }
        if word.is(&["offline"]) && is(at.wrapping_sub(1), &["work", "stay", "be", "remain"]) && is_order(words, at - 1)
        {
            keep(words, out, at - 1, at + 1, Action::Network, Object::default());
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

/// "Leave the posting to me", "leave everything uncommitted": whether that is what stands there.
fn left(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) -> bool {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let clause = (at + 1..words.len().min(at + 9)).take_while(|it| !words[*it].apart);
    for place in clause {
        // "Keep npm and yarn away from this repo".
        if words[place].is(&["away", "out"]) && is(place + 1, &["from", "of"]) {
            let programs: Vec<&Word<'_>> = words[at + 1..place].iter().filter(|it| is_program(&it.low)).collect();
            for own in &programs {
                keep(words, out, at, place + 1, Action::Program(own.low.clone()), Object::default());
            }
            return !programs.is_empty();
        }
        let action = match words[place].low.as_str() {
            "uncommitted" | "unstaged" => Action::Commit,
            "unpushed" => Action::Push,
            "to" if is(place + 1, &["me", "us"]) && place > at + 1 => {
                let (from, own) = (place - 1, verb(&words[place - 1]));
                match own {
                    Some(Verb::Of(action)) if super::negated::outward(&action) => action,
                    Some(Verb::Send) if words[from].low.ends_with("ing") => Action::Send,
                    _ => return false,
                }
            }
            _ => continue,
        };
        let end = place + 1 + usize::from(words[place].is(&["to"]));
        keep(words, out, at, end, action, Object::default());
        return true;
    }
    false
}

/// "Pushing is my job", "the sending is for me", "merging is up to Ana": what is somebody else's to do. `at` is the verb.
fn of_somebody(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let from = clause_start(words, at);
    let subject = &words[from..at];
    let own = subject
        .iter()
        .find(|it| !it.is(&["the", "any", "all", "and", "but", "so"]))
        .filter(|it| it.low.ends_with("ing"));
    let action = match own.and_then(verb) {
        Some(Verb::Of(action)) if super::negated::outward(&action) => action,
        Some(Verb::Send) => Action::Send,
        _ => return,
    };
    let roles = ["job", "task", "call", "business", "decision", "part", "department"];
    let end = if is(at + 1, &["for"]) && is(at + 2, &["me", "us"]) {
        at + 3
    } else if is(at + 1, &["mine", "ours"]) {
        at + 2
    } else if is(at + 1, &["up"]) && is(at + 2, &["to"]) && !is(at + 3, &["you", "date", "speed"]) {
        at + 4
    } else if is(at + 1, &["my", "our", "his", "her", "their"])
        && let Some(role) = (at + 2..words.len().min(at + 5)).find(|it| is(*it, &roles))
        // "Deploying is my problem: it fails" tells of another thing.
        && words.get(role + 1).is_none_or(|it| it.apart || it.is(&["and", "as", "so", "not", "alone"]))
    {
        role + 1
    } else {
        return;
    };
    keep(words, out, from, end, action, Object::default());
}

/// "Force-pushing is prohibited", "changes to X are not allowed".
fn prohibited(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    if !is(at, &["is", "are", "="]) {
        return;
    }
    let place = at
        + 1
        + usize::from(is(at + 1, &["strictly", "absolutely", "currently", "also", "completely", "not", "all", "both"]));
    let denied =
        is(at + 1, &["not"]) && is(place, &["allowed", "permitted", "ok", "okay", "acceptable", "welcome", "wanted"]);
    of_somebody(words, at, out);
    // "Off the table", "out of the question", "not an option".
    let idiom = [
        (&["off", "the", "table"][..]),
        &["off", "the", "menu"],
        &["off", "the", "cards"],
        &["out", "of", "the", "question"],
        &["out", "of", "question"],
        &["not", "an", "option"],
        &["never", "an", "option"],
        &["no", "option"],
    ];
    let from_place =
        at + 1 + usize::from(is(at + 1, &["strictly", "absolutely", "completely", "firmly", "also", "all", "both"]));
    let idiom = idiom.into_iter().find(|all| all.iter().enumerate().all(|(step, it)| is(from_place + step, &[it])));
    let end = match idiom {
        Some(all) => from_place + all.len(),
        None if denied
            || is(place, &["prohibited", "forbidden", "banned", "disallowed", "verboten", "no-go", "taboo"]) =>
        {
            place + 1
        }
        None => return,
    };
    let from = clause_start(words, at);
    let inner = &words[from..at];
    let (own, _) = object(&words[..at], from, &|_| false);
    let narrowed = inner.iter().position(|it| it.is(&["to", "in", "on", "outside", "of", "for"]));
    let actions = Verb::of_noun(&inner[..narrowed.unwrap_or(inner.len())], &own);
    for action in actions {
        let object = super::negated::without_noun(&action, own.clone(), inner, narrowed);
        keep(words, out, from, end, action, object);
    }
}

/// What alone is allowed: "only edit X", "edit only X", "limit changes to X", "stick to X".
fn only(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let word = &words[at];
    let of_files = |own: &Verb| matches!(own, Verb::Edit | Verb::Update | Verb::Add);
    let mut limit = |start: usize, from: usize, action: Action| {
        let (own, end) = object(words, from, &|it| verb(it).is_some());
        let named = own.items.iter().all(|item| {
            !item.paths.is_empty() || !item.kinds.is_empty() || !item.words.is_empty() || !item.codes.is_empty()
        });
        // What only says what is to be done names no place: "only fix the bug".
        if named
            && is_sure(&own)
            && is_order(words, start)
            && !own.is_any()
            && !own.items.iter().any(|item| item.part && item.paths.is_empty())
        {
            let object = Object { items: Vec::new(), except: own.items };
            keep(words, out, start, end, action, object);
        }
    };
    if word.is(&["only", "just", "solely", "exclusively"]) {
        let next = words.get(at + 1).and_then(verb);
        let previous = at.checked_sub(1).and_then(|it| verb(&words[it]));
        match (previous, next) {
            (Some(own), _) if of_files(&own) && is_base(&words[at - 1]) => limit(at - 1, at + 1, Action::Edit),
            (_, Some(own))
                if of_files(&own)
                    && is_base(&words[at + 1])
                    && (word.is(&["only"]) || is(at + 1, &["touch", "edit", "change", "modify"])) =>
            {
                let from = at + 2 + usize::from(is(at + 2, &["the"]));
                limit(at, from, Action::Edit);
            }
            // "Only files in X may be modified".
            _ if (at + 1..words.len().min(at + 12))
                .any(|it| is(it, &["be"]) && words.get(it + 1).and_then(verb).is_some_and(|own| of_files(&own))) =>
            {
                let to = (at + 1..words.len())
                    .find(|it| is(*it, &["may", "can", "should", "must", "are", "is"]))
                    .unwrap_or(words.len());
                let own = object(&words[..to], at + 1, &|_| false).0;
                if is_sure(&own) {
                    keep(
                        words,
                        out,
                        at,
                        (to + 3).min(words.len()),
                        Action::Edit,
                        Object { items: Vec::new(), except: own.items },
                    );
                }
            }
            // "Changes only in X".
            _ if is(at.wrapping_sub(1), &["changes", "edits", "modifications"]) => limit(at - 1, at + 1, Action::Edit),
            _ => {}
        }
        return;
    }
    // "Limit your changes to X", "stick to X", "keep the diff to X", "stay within X".
    if word.is(&["limit", "restrict", "confine", "keep", "scope", "stick", "stay", "constrain"]) {
        let to = (at + 1..words.len().min(at + 8)).find(|it| words[*it].is(&["to", "within", "inside", "in"]));
        let Some(to) = to else { return };
        let between = &words[at + 1..to];
        let what = between.iter().all(|it| {
            it.is(&[
                "your",
                "the",
                "all",
                "yourself",
                "limited",
                "confined",
                "restricted",
                "small",
                "changes",
                "edits",
                "diff",
                "it",
                "this",
                "work",
                "modifications",
                "any",
                "everything",
                "scope",
                "strictly",
                "change",
                "fix",
                "patch",
                "only",
            ])
        });
        let about = between.iter().any(|it| {
            it.is(&[
                "changes",
                "edits",
                "diff",
                "yourself",
                "work",
                "modifications",
                "everything",
                "change",
                "fix",
                "patch",
                "scope",
            ])
        });
        let free = word.is(&["stick", "stay"]) && between.is_empty();
        if what && (about || free) {
            limit(at, to + 1, Action::Edit);
        }
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
