//! What alone is allowed: "only edit X", "you edit X, nothing else", "stick to X", "`make test` is the only way to run tests", "stdlib only".

use super::action::{Action, Found};
use super::clauses::{clause_start, keep};
use super::kinds::Kind;
use super::object::{Item, Object, object};
use super::verbs::{Verb, is_program, rivals, verb};
use super::words::{Word, is_path};

/// Words by which a request ends that allows no more than it says.
pub(super) fn closes(words: &[Word<'_>], at: usize) -> Option<usize> {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let own = match () {
        () if is(at, &["nothing", "no"]) && is(at + 1, &["else", "more"]) => at + 2,
        () if is(at, &["that's", "thats"]) && is(at + 1, &["it", "all"]) => at + 2,
        () if is(at, &["that"]) && is(at + 1, &["is"]) && is(at + 2, &["it", "all"]) => at + 3,
        () if is(at, &["only"]) && is(at + 1, &["that", "those", "these"]) => at + 2,
        () if is(at, &["period"]) => at + 1,
        () if is(at, &["full"]) && is(at + 1, &["stop"]) => at + 2,
        () => return None,
    };
    // "That's it" closes the sentence, or one of its clauses.
    words.get(own).is_none_or(|it| it.apart || it.is(&["please", "pls", "thanks"])).then_some(own)
}

/// Verbs that only look, and words for what only looks.
const LOOKS: &[&str] = &[
    "get", "describe", "logs", "log", "top", "list", "show", "read", "select", "explain", "look", "view", "diff",
    "status", "plan", "query", "inspect", "watch",
];

/// What alone is allowed.
pub(super) fn alone(words: &[Word<'_>], out: &mut Vec<Found>) {
    for at in 0..words.len() {
        only(words, at, out);
        closed(words, at, out);
        chosen(words, at, out);
    }
}

fn of_files(own: &Verb) -> bool {
    matches!(own, Verb::Edit | Verb::Update | Verb::Add)
}

/// Keeps that nothing but what words from `from` on name may be edited.
fn limit(words: &[Word<'_>], out: &mut Vec<Found>, start: usize, from: usize) {
    let (own, end) = object(words, from, &|it| verb(it).is_some());
    limit_to(words, out, start, end, own);
}

fn limit_to(words: &[Word<'_>], out: &mut Vec<Found>, start: usize, end: usize, own: Object) {
    // What only says what is to be done names no place: "only fix the bug".
    let sure = own.items.iter().any(|item| !item.paths.is_empty() || !item.kinds.is_empty());
    if sure && !own.items.iter().any(|item| item.part && item.paths.is_empty()) {
        keep(words, out, start, end, Action::Edit, Object { items: Vec::new(), except: own.items });
    }
}

/// "Only edit X", "edit only X", "change it in X only", "limit changes to X", "stick to X".
fn only(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let word = &words[at];
    if word.is(&["only", "just", "solely", "exclusively"]) {
        let next = words.get(at + 1).and_then(verb);
        let previous = at.checked_sub(1).and_then(|it| verb(&words[it]));
        match (previous, next) {
            (Some(own), _) if of_files(&own) => limit(words, out, at - 1, at + 1),
            (_, Some(own))
                if of_files(&own) && (word.is(&["only"]) || is(at + 1, &["touch", "edit", "change", "modify"])) =>
            {
                limit(words, out, at, at + 2 + usize::from(is(at + 2, &["the"])));
            }
            // "Only files in X may be modified".
            _ if (at + 1..words.len().min(at + 12))
                .any(|it| is(it, &["be"]) && words.get(it + 1).and_then(verb).is_some_and(|own| of_files(&own))) =>
            {
                let to = (at + 1..words.len())
                    .find(|it| is(*it, &["may", "can", "should", "must", "are", "is"]))
                    .unwrap_or(words.len());
                let own = object(&words[..to], at + 1, &|_| false).0;
                limit_to(words, out, at, (to + 3).min(words.len()), own);
            }
            // "Work exclusively in X".
            _ if is(at.wrapping_sub(1), &["work", "stay"]) && is(at + 1, &["in", "on", "within", "inside"]) => {
                limit(words, out, at - 1, at + 2);
            }
            // "Changes only in X".
            _ if is(at.wrapping_sub(1), &["changes", "edits", "modifications"]) => limit(words, out, at - 1, at + 1),
            // "Change it in X only".
            _ if word.is(&["only"])
                && at > 0
                && !word.apart
                && words.get(at - 1).is_some_and(|it| is_path(it.raw) || Kind::of_word(it).is_some())
                && words.get(at + 1).is_none_or(|it| it.apart || it.is(&["because", "since", "please"])) =>
            {
                let from = clause_start(words, at);
                let edits = |it: &usize| matches!(verb(&words[*it]), Some(Verb::Edit | Verb::Update));
                if let Some(own) = (from..at).find(edits).filter(|own| own - from <= 2) {
                    let named = object(&words[..at], own + 1, &|_| false).0;
                    limit_to(words, out, own, at + 1, named);
                }
            }
            _ => {}
        }
        return;
    }
    // "All you may change is X", "the only file you may change is X", "only X is up for grabs".
    if word.is(&["is", "are"]) && at >= 2 {
        let from = clause_start(words, at);
        let ahead = &words[from..at];
        let alone = ahead.iter().take(2).any(|it| it.is(&["all", "only"]));
        let yours = ahead.windows(3).any(|it| {
            it[0].is(&["you"]) && it[1].is(&["may", "can", "should"]) && verb(&it[2]).is_some_and(|own| of_files(&own))
        });
        if alone && yours {
            limit(words, out, from, at + 1);
        } else if ahead.first().is_some_and(|it| it.is(&["only"]))
            && (is(at + 1, &["up", "allowed", "free", "yours"]) || is(at + 1, &["fair"]) && is(at + 2, &["game"]))
        {
            let own = object(&words[..at], from + 1, &|_| false).0;
            limit_to(words, out, from, (at + 2).min(words.len()), own);
        }
    }
    // "All changes belong in X".
    if word.is(&["changes", "edits"])
        && is(at + 1, &["belong", "go", "stay"])
        && is(at + 2, &["in", "into", "under", "within", "inside"])
    {
        limit(words, out, at, at + 3);
        return;
    }
    // "Limit your changes to X", "stick to X", "keep the diff to X", "stay within X".
    if word.is(&["limit", "restrict", "confine", "keep", "scope", "stick", "stay", "constrain"]) {
        let to = (at + 1..words.len().min(at + 8)).find(|it| words[*it].is(&["to", "within", "inside", "in"]));
        let Some(to) = to else { return };
        let between = &words[at + 1..to];
        let about = |it: &Word<'_>| it.is(ABOUT);
        let what = between.iter().all(|it| {
            about(it)
                || it.is(&[
                    "your",
                    "the",
                    "all",
                    "limited",
                    "confined",
                    "restricted",
                    "small",
                    "it",
                    "this",
                    "any",
                    "strictly",
                    "only",
                ])
        });
        let free = word.is(&["stick", "stay"]) && between.is_empty();
        if what && (between.iter().any(about) || free) {
            limit(words, out, at, to + 1);
        }
    }
}

/// Words for what an agent changes.
const ABOUT: &[&str] =
    &["changes", "edits", "diff", "yourself", "work", "modifications", "everything", "change", "fix", "patch", "scope"];

/// "You edit X, nothing else", "with kubectl you get, describe, logs. Period."
fn closed(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let Some(end) = closes(words, at).filter(|_| at > 0) else { return };
    // What is closed: the sentence up to there, behind the last word that turns it.
    let from = (0..at).rev().find(|it| words[*it].is(&["but", "so", "because"])).map_or(0, |it| it + 1);
    let inner = &words[from..at];
    if inner.iter().any(|it| it.is_negator() || it.is(&["if", "when"])) {
        return;
    }
    // "Add zod to src/app and only that" bounds what is added, no files.
    let edits = |it: &usize| matches!(verb(&words[*it]), Some(Verb::Edit | Verb::Update));
    if let Some(own) = (from..at).find(edits).filter(|own| own - from <= 6) {
        let (named, until) = object(&words[..at], own + 1, &|_| false);
        if until + 2 >= at {
            limit_to(words, out, from, end, named);
        }
        return;
    }
    // What is closed only looks: the system may not be changed.
    let (named, _) = object(&words[..at], from, &|_| false);
    let kind = if inner.iter().any(|it| it.is(&["kubectl", "helm", "oc"])) || named.has(Kind::Cluster) {
        Kind::Cluster
    } else if named.has(Kind::Data) || inner.iter().any(|it| it.is(&["select"])) {
        Kind::Data
    } else {
        return;
    };
    if inner.iter().any(|it| it.is(LOOKS)) {
        let item = Item { kinds: vec![kind], ..Item::default() };
        keep(words, out, from, end, Action::Edit, Object { items: vec![item], except: Vec::new() });
    }
}

/// "Use pnpm", "pnpm only", "yarn for everything", "this repo is poetry", "stdlib only", "`make test` is the only way to run tests".
fn chosen(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let is = |place: usize, names: &[&str]| words.get(place).is_some_and(|it| it.is(names));
    let word = &words[at];
    let mut choose = |from: usize, to: usize, program: &str| {
        for rival in rivals(program) {
            keep(words, out, from, to, Action::Program(rival.to_owned()), Object::default());
        }
    };
    // "Use pnpm", "with poetry only".
    if word.is(&["use", "using"])
        && (at == clause_start(words, at)
            || is(at.wrapping_sub(1), &["please", "always", "only", "we", "must", "should", "pls"]))
        && let Some(own) = (at + 1..words.len().min(at + 4)).find(|it| is_program(&words[*it].low))
        && words[at + 1..own].iter().all(|it| it.is(&["only", "the", "just", "our", "plain"]))
    {
        choose(at, own + 1, &words[own].low);
    }
    if is_program(&word.low) && word.code.is_none() {
        let only = is(at + 1, &["only"]) || !word.apart && is(at.wrapping_sub(1), &["only"]);
        let all = is(at + 1, &["for"]) && is(at + 2, &["everything", "all", "anything"]);
        let project = is(at.wrapping_sub(1), &["is", "uses"])
            && is(at.wrapping_sub(2), &["repo", "project", "repository", "monorepo", "workspace"])
            && words.get(at + 1).is_none_or(|it| it.apart);
        if only || all || project {
            let from = if project { at - 2 } else { at };
            choose(from, at + if all { 3 } else { 1 }, &word.low);
        }
    }
    // "Stdlib only", "only the standard library".
    let library = word.is(&["stdlib"]) || word.is(&["library"]) && is(at.wrapping_sub(1), &["standard"]);
    if library && (is(at + 1, &["only"]) || (at.saturating_sub(3)..at).any(|it| is(it, &["only", "just"]))) {
        let end = at + 1 + usize::from(is(at + 1, &["only"]));
        let from = (at.saturating_sub(3)..at).find(|it| is(*it, &["only", "just"])).unwrap_or(at);
        keep(words, out, from, end, Action::Depend, Object::default());
    }
    // "Tests may only be run via `make test`", "always run tests through tox".
    if word.is(&["via", "through", "using", "with"]) && at > 1 {
        let from = clause_start(words, at);
        let ahead = &words[from..at];
        let run: Vec<String> = match words.get(at + 1).and_then(|it| it.code) {
            Some(code) => {
                words[at + 1..].iter().take_while(|it| it.code == Some(code)).map(|it| it.raw.to_owned()).collect()
            }
            None => words
                .get(at + 1)
                .filter(|it| it.is(&["tox", "nox", "make", "just"]))
                .map(|it| it.low.clone())
                .into_iter()
                .collect(),
        };
        let tests = ahead.iter().any(|it| Kind::of_word(it) == Some(Kind::Tests));
        let runs = ahead.iter().any(|it| verb(it) == Some(Verb::Run));
        let alone =
            ahead.iter().any(|it| it.is(&["only", "always", "exclusively"])) || is(at.wrapping_sub(1), &["only"]);
        if tests && runs && alone && !run.is_empty() && !ahead.iter().any(Word::is_negator) {
            let end = at + 1 + run.len();
            let item = Item { kinds: vec![Kind::Tests], ..Item::default() };
            let own = Item { codes: run, ..Item::default() };
            keep(words, out, from, end, Action::Run, Object { items: vec![item], except: vec![own] });
        }
    }
    // "`make test` is the only way to run tests".
    if word.is(&["way"]) && (at.saturating_sub(3)..at).any(|it| is(it, &["only", "one"])) && is(at + 1, &["to"]) {
        let codes: Vec<usize> = (0..at).filter(|it| words[*it].code.is_some()).collect();
        let (named, end) = object(words, at + 3, &|it| verb(it).is_some());
        let runs = words.get(at + 2).and_then(verb) == Some(Verb::Run);
        if let (true, Some(first), true) = (runs, codes.first(), named.has(Kind::Tests)) {
            let own = Item { codes: codes.iter().map(|it| words[*it].raw.to_owned()).collect(), ..Item::default() };
            keep(words, out, *first, end, Action::Run, Object { items: named.items, except: vec![own] });
        }
    }
}
