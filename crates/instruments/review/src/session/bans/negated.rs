//! What negators forbid: "don't commit", "no new dependencies", "X must not be changed", "nothing outside src".

use steadfast_annotate::is_stop_word;

use super::action::{Action, Found};
use super::clauses::{clause_start, is_conditional, keep, of_line, push};
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
];

/// Whether the words before a negator make it a statement of how things are: "the hook does not commit".
fn is_statement(words: &[Word<'_>], at: usize, begin: usize) -> bool {
    let Some(before) = begin.checked_sub(1) else { return false };
    let word = &words[before];
    let own = &words[at];
    if words[begin].apart || own.is(&["no", "without", "w/o", "zero", "nothing"]) {
        return false;
    }
    let clause = clause_start(words, at);
    // "Normally I would ask you not to": said of another time.
    if words[clause..at].iter().any(|it| it.is(&["would", "normally", "usually", "why", "whether", "if", "how"])) {
        return true;
    }
    if word.is(&["want", "you", "must", "should", "may", "to"]) {
        return false;
    }
    if word.is(&["it", "they", "we", "i", "that", "which", "who", "he", "she", "people", "this", "users", "there"]) {
        return !words.get(at + 1).is_some_and(|it| it.is(&["want"]));
    }
    let det = before.checked_sub(1).map(|it| &words[it]);
    let prep = before.checked_sub(2).map(|it| &words[it]);
    det.is_some_and(|it| it.is(&["the", "a", "an", "our", "my", "these", "those", "your"]))
        && before > clause
        && !prep.is_some_and(|it| it.is(&["in", "for", "on", "at", "during", "with", "of"]))
}

/// What negators forbid.
pub(super) fn forbidden(words: &[Word<'_>], out: &mut Vec<Found>) {
    for (at, word) in words.iter().enumerate() {
        if !word.is_negator() || (word.is(&["stop"]) && at > 0 && !words[at].apart) {
            continue;
        }
        let next = words.get(at + 1);
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
            verbs_behind(words, at + 1, at, out);
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
                if from < to && !object.is_any() && !is_conditional(words, own) {
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
                verb(&words[*it]).is_some()
                    && words[at + 1..*it].iter().all(|it| {
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
                Some(own) => {
                    let end = end.max(at + 1);
                    push(words, out, at - 1, end, &[own], object, &words[at + 1..end]);
                }
                None if outside && at == clause_start(words, at) => {
                    push(words, out, at, end, &[Verb::Edit], object, &words[at + 1..end]);
                }
                None => {}
            }
            continue;
        }
        if word.is(&["nobody"]) || is_statement(words, at, begin) || next.is_none() {
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
            for action in actions {
                // The noun of the action is no object of it.
                let line = (action == Action::Run).then(|| super::verbs::line(inner)).flatten();
                let own = line.map_or_else(|| without_noun(&action, object.clone(), inner, narrowed), of_line);
                keep(words, out, at, end, action, own);
            }
            continue;
        }
        verbs_behind(words, at, begin, out);
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
        // "not npm": a program that is named behind the one to use.
        if verbs.is_empty() || verbs.iter().all(|it| matches!(it, Verb::Other(_))) {
            let own = words.get(at + 1);
            let use_ = words[..at].iter().any(|it| it.lemma == "use" || it.is(&["with", "via"]));
            if first
                && words[at].is(&["not", "no", "never"])
                && use_
                && let Some(own) = own.filter(|it| super::verbs::is_program(&it.low))
            {
                keep(words, out, at, at + 2, Action::Program(own.low.clone()), Object::default());
                return;
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
