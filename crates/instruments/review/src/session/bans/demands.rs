//! What the user demands as an action: "run the tests before you finish", "add an entry to CHANGELOG.md".

use super::super::deeds::is_document;
use super::action::{Action, Found, Order};
use super::clauses::{clause_start, keep};
use super::kinds::Kind;
use super::object::{Item, Object, object};
use super::verbs::{Verb, verb};
use super::words::{Word, is_path};

/// Words that may stand before the verb of an order.
const LEADS: &[&str] = &[
    "please",
    "pls",
    "and",
    "then",
    "also",
    "always",
    "must",
    "to",
    "but",
    "finally",
    "first",
    "you",
    "sure",
    "afterwards",
    "kindly",
    "so",
    "make",
    "remember",
    "forget",
    "just",
    "should",
    "need",
    "have",
    "now",
    "end",
    "done",
    "finished",
];

pub(super) fn demands(words: &[Word<'_>], out: &mut Vec<Found>) {
    for (at, word) in words.iter().enumerate() {
        checks(words, at, out);
        wanted(words, at, out);
        // "Mention it in the README", "document it in docs/a.md".
        let writes =
            word.is(&["mention", "document", "describe", "record", "note", "append", "log"]).then_some(Verb::Update);
        let Some(own) = writes.or_else(|| verb(word)).filter(|it| {
            matches!(it, Verb::Run | Verb::Add | Verb::Update | Verb::Edit | Verb::Of(Action::Commit | Action::Push))
        }) else {
            continue;
        };
        // "Committing is my job" orders nothing.
        let by =
            at >= 2 && words[at - 1].is(&["by"]) && words[at - 2].is(&["start", "begin", "finish", "end", "close"]);
        if word.low.ends_with("ing") && !by {
            continue;
        }
        // "The push is on me": a noun.
        if at > 0 && words[at - 1].is(&["the", "a", "an", "my", "your", "this", "that", "our"]) && !words[at].apart {
            continue;
        }
        if word.is(&["make"]) && words.get(at + 1).is_some_and(|it| it.is(&["sure", "certain"])) {
            continue;
        }
        if !by && !is_order(words, at) || by && words[..at].iter().any(Word::is_negator) {
            continue;
        }
        let (object, end) = object(words, at + 1, &|it| verb(it).is_some() && !it.is(&["test", "tests"]));
        let end = end.max(at + 1);
        let inner = &words[at + 1..end];
        // "Any tests that you want", "tests if you like" leave it open.
        if inner.iter().take(4).any(|it| it.is(&["any", "some", "whatever", "anything"]))
            || words[end..]
                .iter()
                .take(6)
                .any(|it| it.is(&["if", "unless", "where", "whenever", "optional", "necessary", "needed"]))
            || inner.iter().any(|it| it.is(&["if", "optional"]))
        {
            continue;
        }
        let action = match own {
            Verb::Run if word.is(&["run", "execute", "rerun", "re-run"]) || by => Action::Run,
            // "Start a branch called x", "make a branch".
            Verb::Run | Verb::Add if inner.iter().take(3).any(|it| it.is(&["branch"])) && !word.is(&["run", "use"]) => {
                let from = out.len();
                let order = order(words, at, at + 1);
                keep(words, out, at, words.len().min(end.max(at + 1)), Action::Branch, Object::default());
                out[from..].iter_mut().for_each(|it| it.demand = Some(order));
                continue;
            }
            Verb::Run => continue,
            Verb::Of(action) => {
                // What hangs on something else, or names another thing, is no plain order.
                let free = object.is_any()
                    || inner.iter().all(|it| {
                        it.is(&["your", "the", "work", "changes", "fix", "result", "it", "this", "everything"])
                    });
                let bound = words[at..].iter().skip(1).any(|it| {
                    it.is(&["once", "if", "unless", "when", "until", "but", "message", "messages", "after", "only"])
                });
                if free && !bound && !words[..at].iter().any(Word::is_negator) {
                    let from = out.len();
                    keep(words, out, at, end, action, Object::default());
                    out[from..].iter_mut().for_each(|it| it.demand = Some(Order::Any));
                }
                continue;
            }
            _ => Action::Edit,
        };
        let Some(kept) = checkable(&action, &own, &object, words, at, end) else { continue };
        let order = match order(words, at, end) {
            Order::Any if by && words[at - 2].is(&["start", "begin"]) => Order::First,
            Order::Any if by => Order::Last,
            // "Run the tests first": the object may hold the word.
            Order::Any if inner.iter().any(|it| it.is(&["first"])) => Order::First,
            own => own,
        };
        let from = out.len();
        let mut last = end;
        // The words that say when belong to it.
        if order != Order::Any {
            last = (end..words.len().min(end + 5))
                .find(|it| words[*it].apart)
                .unwrap_or(words.len().min(end + 5))
                .max(end);
        }
        for item in kept.items {
            let own = Object { items: vec![item], except: Vec::new() };
            keep(words, out, at, last, action.clone(), own);
        }
        for found in &mut out[from..] {
            found.demand = Some(order);
        }
    }
}

/// "Make sure the tests pass", "verify with `cargo clippy`".
fn checks(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    let sees = words[at].is(&["see"]) && words.get(at + 1).is_some_and(|it| it.is(&["that"]));
    let gives = words[at].is(&["give"]);
    if !(sees || gives || words[at].is(&["sure", "ensure", "verify", "confirm", "check"])) || !is_order(words, at) {
        return;
    }
    let end = words.len().min(at + 11);
    let codes: Vec<usize> = (at + 1..end).filter(|it| words[*it].code.is_some()).collect();
    let with = words[at + 1..end].iter().take(3).any(|it| it.is(&["with", "by", "using"]));
    let from = out.len();
    let mut until = end;
    // "Give the tests a spin", "see that the suite has been through".
    let result: &[&str] = match gives {
        true => &["spin", "run", "go", "whirl", "try"],
        false => &["pass", "passes", "green", "passing", "run", "through", "executed"],
    };
    if let (true, Some(last)) = (with, codes.last()) {
        let codes = codes.iter().map(|it| words[*it].raw.to_owned()).collect();
        let object = Object { items: vec![Item { codes, ..Item::default() }], except: Vec::new() };
        keep(words, out, at, last + 1, Action::Run, object);
        until = last + 1;
    } else if let Some(pass) = (at + 1..end).find(|it| words[*it].is(result)) {
        let kind = [Kind::Tests, Kind::Linter, Kind::Types]
            .into_iter()
            .find(|kind| words[at + 1..pass].iter().any(|it| Kind::of_word(it) == Some(*kind)));
        // A word right before the noun says which tests: "the EditMode tests".
        let whole = (at + 1..pass).all(|place| {
            words.get(place + 1).is_some_and(|it| kind.is_some() && Kind::of_word(it) == kind)
                || words[place].is(&[
                    "that", "all", "the", "of", "tests", "suite", "test", "linter", "lint", "still", "existing", "is",
                    "are", "full", "unit", "a", "has", "have", "been", "get", "gets",
                ])
        });
        if let Some(kind) = kind.filter(|_| whole) {
            let object = Object { items: vec![Item { kinds: vec![kind], ..Item::default() }], except: Vec::new() };
            keep(words, out, at, pass + 1, Action::Run, object);
            until = pass + 1;
        }
    }
    let order = order(words, at, until);
    out[from..].iter_mut().for_each(|it| it.demand = Some(order));
}

/// "I want `go test ./...` to have been run".
fn wanted(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    if !words[at].is(&["run", "executed"]) || words[at].code.is_some() {
        return;
    }
    let start = clause_start(words, at).min(at);
    let start = (0..at).rev().take(14).find(|it| words[*it].is(&["want", "need", "expect"])).unwrap_or(start);
    let codes: Vec<String> =
        words[start..at].iter().filter(|it| it.code.is_some()).map(|it| it.raw.to_owned()).collect();
    let passive = words[at - at.min(2)..at].iter().any(|it| it.is(&["be", "been"]));
    let free = words[start].is(&["want", "need", "expect"])
        && !words[..at].iter().any(|it| it.is_negator() || it.is(&["if", "unless"]));
    if codes.is_empty() || !passive || !free {
        return;
    }
    let last = words[..start].iter().any(|it| it.is(&["before"]))
        && words[..start].iter().any(|it| it.is(&["done", "finish", "finished", "claim", "report"]));
    let from = out.len();
    let object = Object { items: vec![Item { codes, ..Item::default() }], except: Vec::new() };
    keep(words, out, start, at + 1, Action::Run, object);
    let order = if last { Order::Last } else { Order::Any };
    out[from..].iter_mut().for_each(|it| it.demand = Some(order));
}

/// Whether a verb is an order: it begins its clause, but for words of politeness.
fn is_order(words: &[Word<'_>], at: usize) -> bool {
    let start = clause_start(words, at);
    // "Don't forget to push".
    let reminds = |it: usize| words[it].is_negator() && words.get(it + 1).is_some_and(|it| it.is(&["forget"]));
    let start = (start..at).find(|it| reminds(*it)).map_or(start, |it| it + 1);
    let before = &words[start..at];
    let denied = |it: &Word<'_>| {
        it.is_negator()
            || it.is(&[
                "if", "how", "when", "can", "may", "i", "they", "we", "free", "before", "could", "after", "until",
            ])
    };
    // "When the change is in, run the tests" says when.
    let done = before.iter().any(|it| it.is(&["done", "in", "ready", "finished", "complete", "works"]))
        && before.iter().all(|it| !it.is(&["if", "how", "can", "may", "i", "they", "we", "until"]) && !it.is_negator());
    if done && before.first().is_some_and(|it| it.is(&["when", "once", "after"])) {
        return true;
    }
    if before.iter().any(denied)
        && !(before.len() <= 3
            && before.iter().any(|it| it.is(&["can", "could"]))
            && before.iter().any(|it| it.is(&["you"])))
    {
        return false;
    }
    // "Would you run them" is one, "it would run them" none.
    if before.iter().any(|it| it.is(&["would"])) && !before.iter().any(|it| it.is(&["you"])) {
        return false;
    }
    // "… and run": the clause before it is no question of how, and denies nothing that goes on here.
    if start > 0 {
        let earlier = &words[clause_start(words, start - 1)..start];
        if earlier.iter().any(|it| it.is(&["how", "whether", "if", "can", "may", "i'll", "i", "will"]))
            && !words[start].apart
        {
            return false;
        }
        if earlier.iter().any(Word::is_negator) && words[start - 1].is(&["or", "nor", "and"]) {
            return false;
        }
    }
    before.iter().all(|it| {
        it.is(LEADS)
            || it.is(&[
                "of",
                "be",
                "at",
                "the",
                "when",
                "you're",
                "are",
                "once",
                "it",
                "works",
                "before",
                "finish",
                "finishing",
                "committing",
                "that",
                "hi",
                "hello",
                "would",
            ])
    })
}

/// The part of an object that calls can show.
fn checkable(
    action: &Action,
    own: &Verb,
    object: &Object,
    words: &[Word<'_>],
    at: usize,
    end: usize,
) -> Option<Object> {
    let inner = &words[at + 1..end];
    let item =
        |kinds: &[Kind]| Object { items: vec![Item { kinds: kinds.to_vec(), ..Item::default() }], except: Vec::new() };
    if *action == Action::Run {
        // Each span in code is a command line of its own: "run `make unit` and `make e2e`".
        let mut lines: Vec<(usize, Vec<String>)> = Vec::new();
        for word in inner {
            match (word.code, lines.last_mut()) {
                (Some(code), Some((own, codes))) if *own == code => codes.push(word.raw.to_owned()),
                (Some(code), _) => lines.push((code, vec![word.raw.to_owned()])),
                (None, _) => {}
            }
        }
        lines.retain(|(_, codes)| codes.len() > 1 || codes.first().is_some_and(|it| it.len() > 3));
        if !lines.is_empty() {
            let items = lines.into_iter().map(|(_, codes)| Item { codes, ..Item::default() }).collect();
            return Some(Object { items, except: Vec::new() });
        }
        let plain = |kind: Kind| {
            object.has(kind)
                && inner.iter().take_while(|it| Kind::of_word(it) != Some(kind)).all(|it| {
                    it.is(&[
                        "the",
                        "all",
                        "full",
                        "whole",
                        "entire",
                        "complete",
                        "our",
                        "unit",
                        "existing",
                        "your",
                        "test",
                        "relevant",
                        "related",
                        "integration",
                        "python",
                        "and",
                        "project's",
                    ])
                })
        };
        return [Kind::Tests, Kind::Linter, Kind::Types]
            .into_iter()
            .find(|kind| plain(*kind))
            .map(|kind| item(&[kind]));
    }
    let adds = matches!(own, Verb::Add | Verb::Update);
    if adds && (object.has(Kind::Changelog) || inner.iter().any(|it| it.low.contains("changelog"))) {
        return Some(item(&[Kind::Changelog]));
    }
    if adds && (object.has(Kind::Readme) || inner.iter().any(|it| it.low.starts_with("readme"))) {
        return Some(item(&[Kind::Readme]));
    }
    // "Write what you find to docs/RUNBOOK.md": a document that words of place lead to.
    let inner = match words[at + 1..].iter().position(|it| it.apart) {
        Some(end) => &words[at + 1..at + 1 + end.min(12)],
        None => &words[at + 1..words.len().min(at + 13)],
    };
    let told = inner.iter().any(|it| it.low.ends_with("ed") || it.is(&["from", "per", "like", "see"]));
    let to = inner
        .windows(2)
        .find(|pair| pair[0].is(&["to", "into", "in", "under"]) && is_path(pair[1].raw) && is_document(pair[1].raw));
    if let Some([_, path]) = to.filter(|_| !told) {
        let item = Item { paths: vec![path.raw.to_owned()], ..Item::default() };
        return Some(Object { items: vec![item], except: Vec::new() });
    }
    // "Add a test": a file of tests is edited.
    let adds = adds || inner.first().is_some_and(|it| it.is(&["a", "an", "some", "tests", "unit"]));
    if adds
        && *own != Verb::Update
        && object.has(Kind::Tests)
        && inner.iter().position(|it| it.is(&["test", "tests"])).is_some_and(|at| at <= 3)
    {
        return Some(item(&[Kind::Tests]));
    }
    None
}

/// When it must be done.
fn order(words: &[Word<'_>], at: usize, end: usize) -> Order {
    let behind: Vec<&str> = words[end..].iter().take(7).map(|it| it.low.as_str()).collect();
    let start = clause_start(words, at);
    let ahead: Vec<&str> = words[start.saturating_sub(7)..at].iter().map(|it| it.low.as_str()).collect();
    let has = |all: &[&str], names: &[&str]| all.iter().any(|it| names.contains(it));
    if has(&behind, &["before"]) && has(&behind, &["after"]) {
        return Order::Both;
    }
    if has(&behind, &["before"])
        && has(&behind, &["finish", "finishing", "done", "stop", "report", "hand", "say", "end", "answer", "conclude"])
        || has(&behind, &["end", "afterwards", "finally", "done", "after"])
        || has(&ahead, &["end", "afterwards", "finally", "done", "after", "finished"])
        || has(&ahead, &["before"])
            && has(&ahead, &["finish", "finishing", "done", "hand", "report", "stop", "claim", "say"])
    {
        return Order::Last;
    }
    if has(&behind, &["before", "ahead"])
        && has(&behind, &["changing", "change", "editing", "touching", "start", "anything", "else", "laying", "file"])
        || has(&behind, &["first"])
    {
        return Order::First;
    }
    Order::Any
}
