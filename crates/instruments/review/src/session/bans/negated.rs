//! What negators forbid: "don't commit", "no new dependencies", "X must not be changed", "nothing outside src".

use steadfast_annotate::is_stop_word;

use super::action::{Action, Found};
use super::clauses::{clause_start, is_conditional, is_order, is_sure, keep, of_line, push};
use super::object::{Object, object};
use super::verbs::{Verb, verb};
use super::words::Word;

/// Words that may stand between a negator or a modal and its verb.
const BETWEEN: &[&str] = &[
    "ever",
    "even",
    "please",
    "pls",
    "actually",
    "want",
    "try",
    "attempt",
    "dare",
    "you",
    "to",
    "go",
    "and",
    "automatically",
    "accidentally",
    "be",
    "from",
    "git",
    "also",
    "yourself",
    "ahead",
    "really",
    "simply",
    "just",
    "any",
    "manually",
    "do",
    "start",
    "by",
    "then",
    "allowed",
    "permitted",
    "supposed",
    "under",
    "circumstances",
    "silently",
    "quietly",
];

/// Verbs behind which nothing is forbidden: "don't forget to push", "no need to commit", "don't worry".
const HOLLOW: &[&str] = &[
    "forget",
    "hesit",
    "worri",
    "mind",
    "need",
    "know",
    "think",
    "matter",
    "care",
    "sure",
    "longer",
    "idea",
    "problem",
    "hurri",
    "rush",
    "only",
    "bother",
    "see",
    "seem",
    "have",
    "get",
    "break",
    "believ",
    "understand",
    "wonder",
    "like",
    "expect",
    "assum",
    "doubt",
    "miss",
    "fail",
    "rememb",
    "work",
    "find",
    "let",
    "fret",
    "panic",
    "surpris",
    "surprised",
];

/// Whether a negator orders something. "Would", "why" and "how" speak of another time or ask; "can't" without "you" says what somebody is not able to.
fn orders(words: &[Word<'_>], at: usize, begin: usize) -> bool {
    let clause = clause_start(words, at);
    let own = &words[clause..at];
    if own.iter().any(|it| it.is(&["would", "normally", "usually", "why", "whether", "if", "how"])) {
        return false;
    }
    let of_reader = own.iter().any(|it| it.is(&["you", "u", "please"]));
    (of_reader || !words[at].is(&["can't", "cannot", "cant", "won't"])) && is_order(words, begin)
}

/// Whether a word is the form of a verb that an order has.
fn is_ordered(word: &Word<'_>) -> bool {
    !["ed", "ing", "itten", "aken", "oken"].iter().any(|end| word.low.ends_with(end))
        && !word.is(&["been", "done", "run's"])
}

/// Where the subject before a modal begins, where it is neither the reader nor left out.
fn of_others(words: &[Word<'_>], modal: usize) -> Option<usize> {
    const READER: &[&str] =
        &["you", "u", "we", "please", "and", "or", "but", "also", "then", "agent", "assistant", "nothing"];
    let last = modal.checked_sub(1)?;
    let is_subject =
        !words[modal].apart && !words[last].is(READER) && words[modal].is(&["must", "should", "may", "can", "shall"]);
    is_subject.then(|| clause_start(words, last))
}

/// What negators forbid.
pub(super) fn forbidden(words: &[Word<'_>], out: &mut Vec<Found>) {
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1);
        // "Stop editing X"; "start, stop, test" lists commands.
        let stops = word.is(&["stop"]) && (at > 0 && !word.apart || !next.is_some_and(|it| it.low.ends_with("ing")));
        if !word.is_negator() || stops {
            continue;
        }
        let low = |place: usize| words.get(place).map_or("", |it| it.low.as_str());
        let previous = at.checked_sub(1).map_or("", |it| words[it].low.as_str());
        // "I'd rather you didn't commit."
        let rather =
            word.is(&["didn't"]) && previous == "you" && words[..at].iter().any(|it| it.is(&["rather", "prefer"]));
        if word.is(&["didn't"]) {
            if rather {
                verbs_behind(words, at, at - 1, out);
            }
            continue;
        }
        // "Under no circumstances touch X".
        if word.is(&["no"]) && next.is_some_and(|it| it.is(&["circumstances", "circumstance", "account", "condition"]))
        {
            match words.get(at + 2).is_some_and(|it| it.is(&["with", "via", "using", "through"])) {
                true => means(words, at, at + 1, out),
                false => verbs_behind(words, at + 1, at, out),
            }
            continue;
        }
        let begin = match previous {
            "do" | "must" | "should" | "please" | "may" | "can" | "shall" => at - 1,
            "did" | "does" | "was" | "were" | "am" | "been" | "have" | "has" | "be" | "i'm" | "it's" => continue,
            _ => at,
        };
        if word.is(&["not"]) && matches!(previous, "if" | "or" | "why" | "whether") {
            continue;
        }
        let modal = matches!(previous, "must" | "should" | "may" | "can" | "shall" | "is" | "are")
            || word.is(&["mustn't", "shouldn't", "can't", "cannot"]);
        // "X must not be changed", "X is not to be touched".
        let be = (at + 1..words.len().min(at + 5)).find(|it| low(*it) == "be");
        if let (true, Some(be)) = (modal, be) {
            if let Some(own) = (be + 1..words.len().min(be + 4)).find(|it| {
                verb(&words[*it]).is_some()
                    && !words[be + 1..*it].iter().any(|it| it.is(&["able", "allowed", "possible"]))
            }) {
                let from = clause_start(words, at);
                let to = if previous.is_empty() || word.is(&["mustn't", "shouldn't", "can't", "cannot"]) {
                    at
                } else {
                    at - 1
                };
                let (object, _) = object(&words[..to], from, &|_| false);
                if from < to && is_sure(&object) && !words[at].aside && !is_conditional(words, own) {
                    push(
                        words,
                        out,
                        from,
                        own + 1,
                        &verb(&words[own]).into_iter().collect::<Vec<_>>(),
                        object,
                        &words[from..to],
                    );
                }
            }
            continue;
        }
        // "Nothing must be sent", "nobody gets mailed".
        if word.is(&["nothing", "nobody"])
            && let Some(own) = (at + 1..words.len().min(at + 7)).find(|it| {
                let between = &words[at + 1..*it];
                verb(&words[*it]).is_some()
                    // "Nothing was written" tells what happened, "nobody can deploy" and "nothing else uses it" how things are.
                    && !between.iter().any(|it| it.is(&["was", "were", "has", "had"]))
                    && between.iter().any(|it| {
                        it.is(&["must", "should", "may", "is", "to", "be", "gets", "get", "shall", "will"])
                            || it.is(&["can"]) && word.is(&["nothing"])
                    })
                    && !words[at + 1..=*it].iter().any(|it| it.apart)
                    && between.iter().all(|it| {
                        it.is(&[
                            "must", "should", "may", "is", "to", "be", "gets", "get", "else", "shall", "can", "will",
                            "in",
                        ]) || is_stop_word(&it.low)
                    })
                    && *it > at + 1
            })
        {
            let (object, end) = object(words, own + 1, &|it| verb(it).is_some());
            if !is_conditional(words, own) {
                push(
                    words,
                    out,
                    at,
                    end.max(own + 1),
                    &verb(&words[own]).into_iter().collect::<Vec<_>>(),
                    object,
                    &words[own + 1..end.max(own + 1)],
                );
            }
            continue;
        }
        // "Nothing goes to production".
        let goes = next.is_some_and(|it| it.is(&["goes", "ships", "lands"]));
        let end = words.len().min(at + 6);
        let live = (at + 2..end).find(|it| words[*it].is(&["production", "prod", "live"]) && !words[*it].apart);
        if let (true, true, Some(live)) = (word.is(&["nothing"]), goes, live) {
            if !is_conditional(words, live) {
                keep(words, out, at, live + 1, Action::Deploy, Object::default());
            }
            continue;
        }
        // "Change nothing", "look nothing up on the web", "nothing outside src".
        if word.is(&["nothing"]) {
            let own = at.checked_sub(1).and_then(|it| verb(&words[it]));
            let outside = next
                .is_some_and(|it| it.is(&["outside", "but", "except", "beyond", "besides", "in", "under"]))
                || next.is_some_and(|it| it.is(&["else"]))
                    && words.get(at + 2).is_some_and(|it| it.is(&["than", "but"]));
            let (object, end) = object(words, at + 1, &|it| verb(it).is_some());
            if object.has(super::kinds::Kind::Network) {
                keep(words, out, at - usize::from(own.is_some()), end, Action::Network, Object::default());
                continue;
            }
            match own {
                Some(_) if next.is_some_and(|it| it.is(&["else"])) && !outside => {}
                Some(own) if is_order(words, at - 1) => {
                    let end = end.max(at + 1);
                    push(words, out, at - 1, end, &[own], object, &words[at + 1..end]);
                }
                None if outside && at == clause_start(words, at) => {
                    push(words, out, at, end, &[Verb::Edit], object, &words[at + 1..end]);
                }
                _ => {}
            }
            continue;
        }
        // "X should not change" forbids to change X; what else others should not do is no order to whoever reads it.
        if let Some(own) = of_others(words, begin) {
            let (object, _) = object(&words[..begin], own, &|_| false);
            if next.and_then(verb) == Some(Verb::Edit) && is_sure(&object) && !word.aside {
                push(words, out, own, at + 2, &[Verb::Edit], object, &words[own..begin]);
            }
            continue;
        }
        let Some(behind) = next else { continue };
        if word.is(&["nobody"]) {
            continue;
        }
        // "Commit it, but never with --no-verify", "not via curl".
        if behind.is(&["with", "via", "using", "through"]) && !behind.apart && !word.is(&["without", "w/o"]) {
            means(words, at, at, out);
            continue;
        }
        // "Use pnpm, not npm" names what not to use; any other "not" without a verb of its own says how things are.
        let bare = word.is(&["not"])
            && !matches!(previous, "do" | "must" | "should" | "please" | "may" | "can" | "shall" | "to");
        if bare {
            instead(words, at, out);
            continue;
        }
        let aside = word.is(&["without", "w/o"]);
        if aside || word.is(&["no", "zero", "neither"]) {
            if word.aside || !aside && !is_order(words, at) {
                continue;
            }
        } else if !orders(words, at, begin) || word.is(&["never"]) && !is_ordered(behind) {
            continue;
        }
        if word.is(&["no", "zero", "neither", "w/o", "without"])
            && !next.is_some_and(|it| it.low.ends_with("ing") && verb(it).is_some())
        {
            let asked = word.is(&["without", "w/o"]) && next.is_some_and(|it| it.is(&["asking", "my", "me"]));
            if asked || next.is_some_and(|it| HOLLOW.contains(&it.lemma.as_str())) || word.is(&["without"]) && at == 0 {
                continue;
            }
            let (object, end) = object(words, at + 1, &|_| false);
            let inner = &words[at + 1..end.max(at + 1)];
            let narrowed = inner.iter().position(|it| it.is(&["to", "in", "on", "outside", "of", "for", "at"]));
            let actions = Verb::of_noun(&inner[..narrowed.unwrap_or(inner.len())], &object);
            if is_conditional(words, end) {
                continue;
            }
            // "No PR needed" and "no existing test pins it down" order nothing: the clause ends with what is forbidden.
            let closed = words.get(end).is_none_or(|it| {
                it.apart
                    || it.is(&[
                        "and", "or", "please", "pls", "but", "at", "here", "anywhere", "thanks", "unless", "until",
                        "before", "yet", "while", "today",
                    ])
            });
            let said_of = inner.last().is_some_and(|it| {
                it.is(&["needed", "required", "necessary", "expected", "involved", "found", "available", "left"])
            });
            for action in actions {
                if !closed || said_of || aside && !outward(&action) && !is_sure(&object) {
                    continue;
                }
                // The noun of the action is no object of it.
                let line = (action == Action::Run).then(|| super::verbs::line(inner)).flatten();
                let own = line.map_or_else(|| without_noun(&action, object.clone(), inner, narrowed), of_line);
                keep(words, out, at, end, action, own);
            }
            continue;
        }
        let known = out.len();
        verbs_behind(words, at, begin, out);
        if aside {
            // "Plan it without writing code" speaks of a part of the work.
            let kept: Vec<Found> = out.drain(known..).filter(|it| outward(&it.action) || is_sure(&it.object)).collect();
            out.extend(kept);
        }
    }
}

/// Whether an action reaches beyond the working folder, or cannot be taken back there.
pub(super) const fn outward(action: &Action) -> bool {
    matches!(
        action,
        Action::Commit
            | Action::Push
            | Action::ForcePush
            | Action::OpenRequest
            | Action::SkipHooks
            | Action::Merge
            | Action::Rewrite
            | Action::Publish
            | Action::Deploy
            | Action::Drop
            | Action::Migrate
            | Action::Restart
            | Action::Send
    )
}

/// What must not be used for something, behind the word at `at`: "never with --no-verify", "not via curl", "under no circumstances with a rebase".
fn means(words: &[Word<'_>], begin: usize, at: usize, out: &mut Vec<Found>) {
    let named = (at + 2..words.len().min(at + 5)).take_while(|it| !words[*it].apart).find_map(|it| {
        let word = &words[it];
        let pushes = || words.iter().any(|it| matches!(it.lemma.as_str(), "push" | "rebas" | "force-push"));
        let action = match (word.raw.trim_matches('`'), verb(word)) {
            ("--no-verify", _) => Action::SkipHooks,
            ("--force" | "force" | "-f" | "--force-with-lease", _) if pushes() => Action::ForcePush,
            ("--amend", _) => Action::Rewrite,
            (_, Some(Verb::Of(own @ (Action::Rewrite | Action::ForcePush)))) => own,
            _ if super::verbs::is_program(&word.low) => Action::Program(word.low.clone()),
            _ => return None,
        };
        Some((it, action))
    });
    if let Some((own, action)) = named {
        keep(words, out, begin, own + 1, action, Object::default());
    }
}

/// "Use pnpm, not npm": the program that is named behind the one to use.
fn instead(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let uses = words[..at].iter().any(|it| it.lemma == "use" || it.is(&["with", "via"]));
    if let Some(own) = words.get(at + 1).filter(|it| uses && super::verbs::is_program(&it.low)) {
        keep(words, out, at, at + 2, Action::Program(own.low.clone()), Object::default());
    }
}

/// The object of a nominal ban: what stands behind its noun.
pub(super) fn without_noun(action: &Action, object: Object, inner: &[Word<'_>], narrowed: Option<usize>) -> Object {
    if matches!(action, Action::Put) {
        return object;
    }
    match narrowed {
        Some(at) => super::object::object(inner, at, &|_| false).0,
        None if matches!(action, Action::Edit | Action::Create | Action::Delete | Action::Rename)
            && inner.len() > 1 =>
        {
            let first = inner.iter().position(|it| verb(it).is_some()).unwrap_or(inner.len());
            // "No config changes": the words before the noun.
            let before = super::object::object(&inner[..first], 0, &|_| false).0;
            if before.is_any() { Object { except: object.except, ..Object::default() } } else { before }
        }
        None => Object { except: object.except, ..Object::default() },
    }
}

/// The verbs behind a negator, with the object that they share.
fn verbs_behind(words: &[Word<'_>], at: usize, begin: usize, out: &mut Vec<Found>) {
    let mut place = at + 1;
    let mut first = true;
    let mut start = begin;
    while place < words.len() {
        while words.get(place).is_some_and(|it| it.is(BETWEEN) && it.code.is_none()) && place < at + 10 {
            place += 1;
        }
        let mut verbs = Vec::new();
        while let Some(word) = words.get(place) {
            if HOLLOW.contains(&word.lemma.as_str()) && verbs.is_empty() {
                return;
            }
            let two = word.is(&["force"]) && words.get(place + 1).is_some_and(|it| it.lemma == "push");
            match verb(word) {
                _ if two => {
                    verbs.push(Verb::Of(Action::ForcePush));
                    place += 1;
                }
                Some(own) => verbs.push(own),
                None if verbs.is_empty() && first && is_plain(word) => verbs.push(Verb::Other(word.low.clone())),
                None => break,
            }
            place += 1;
            // "commit, push or tag", "install and run".
            let joined = words.get(place).is_some_and(|it| it.is(&["or", "nor", "and"]))
                && words.get(place + 1).is_some_and(|it| verb(it).is_some());
            let listed = words.get(place).is_some_and(|it| it.apart && verb(it).is_some())
                && words
                    .get(place..words.len().min(place + 4))
                    .is_some_and(|all| all.iter().any(|it| it.is(&["or", "nor"])));
            if joined {
                place += 1;
            } else if !listed {
                break;
            }
        }
        if verbs.is_empty() {
            return;
        }
        let (object, end) = object(words, place, &|it| verb(it).is_some());
        let end = end.max(place);
        if is_conditional(words, end) {
            return;
        }
        // "Don't change X without asking" forbids it as well.
        push(words, out, start, end, &verbs, object, &words[place..end]);
        let goes_on = words.get(end).is_some_and(|it| it.is(&["or", "nor"]))
            || words.get(end).is_some_and(|it| it.apart && verb(it).is_some())
                && words[end..].iter().take(8).any(|it| it.is(&["or", "nor"]));
        if !goes_on {
            return;
        }
        place = end + usize::from(words[end].is(&["or", "nor"]));
        start = place;
        first = false;
    }
}

/// A word of letters that may name a subcommand.
fn is_plain(word: &Word<'_>) -> bool {
    word.code.is_none()
        && word.low.len() > 3
        && word.low.chars().all(|c| c.is_ascii_lowercase())
        && !is_stop_word(&word.low)
        && !HOLLOW.contains(&word.lemma.as_str())
}
