//! What the user demands as an action: "run the tests before you finish", "add an entry to CHANGELOG.md".

use super::action::{Action, Found, Order};
use super::clauses::{clause_start, is_base, keep};
use super::kinds::Kind;
use super::object::{Item, Object, object};
use super::verbs::{Verb, verb};
use super::words::Word;

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
        let Some(own) = verb(word).filter(|it| {
            matches!(it, Verb::Run | Verb::Add | Verb::Update | Verb::Edit | Verb::Of(Action::Commit | Action::Push))
        }) else {
            continue;
        };
        if word.is(&["make"]) && words.get(at + 1).is_some_and(|it| it.is(&["sure", "certain"])) {
            continue;
        }
        // "Push nothing" forbids.
        let denied = words.get(at + 1).is_some_and(Word::is_negator);
        if word.aside || denied || !is_base(word) || !is_order(words, at) {
            continue;
        }
        let (object, end) = object(words, at + 1, &|it| verb(it).is_some() && !it.is(&["test", "tests"]));
        let end = end.max(at + 1);
        let inner = &words[at + 1..end];
        // "Any tests that you want", "tests if you like" leave it open.
        if inner.iter().any(|it| it.is(&["any", "some", "whatever", "anything"]))
            || words[end..]
                .iter()
                .take(6)
                .any(|it| it.is(&["if", "unless", "where", "whenever", "optional", "necessary", "needed"]))
            || inner.iter().any(|it| it.is(&["if", "optional"]))
        {
            continue;
        }
        let action = match own {
            Verb::Run if word.is(&["run", "execute", "rerun", "re-run"]) => Action::Run,
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
        let Some(kept) = checkable(&action, &own, &object, inner) else { continue };
        let order = order(words, at, end);
        let from = out.len();
        let mut last = end;
        // The words that say when belong to it.
        if order != Order::Any {
            last = (end..words.len().min(end + 5))
                .find(|it| words[*it].apart)
                .unwrap_or(words.len().min(end + 5))
                .max(end);
        }
        keep(words, out, at, last, action, kept);
        for found in &mut out[from..] {
            found.demand = Some(order);
        }
    }
}

/// "Make sure the tests pass", "verify with `cargo clippy`".
fn checks(words: &[Word<'_>], at: usize, out: &mut Vec<Found>) {
    if !words[at].is(&["sure", "ensure", "verify", "confirm", "check"]) || !is_order(words, at) {
        return;
    }
    let end = words.len().min(at + 8);
    let codes: Vec<usize> = (at + 1..end).filter(|it| words[*it].code.is_some()).collect();
    let with = words.get(at + 1).is_some_and(|it| it.is(&["with", "by", "using"]));
    let from = out.len();
    if let (true, Some(last)) = (with, codes.last()) {
        let codes = codes.iter().map(|it| words[*it].raw.to_owned()).collect();
        let object = Object { items: vec![Item { codes, ..Item::default() }], except: Vec::new() };
        keep(words, out, at, last + 1, Action::Run, object);
    } else if let Some(pass) = (at + 1..end).find(|it| words[*it].is(&["pass", "passes", "green", "passing"])) {
        let kind = [Kind::Tests, Kind::Linter, Kind::Types]
            .into_iter()
            .find(|kind| words[at + 1..pass].iter().any(|it| Kind::of_word(it) == Some(*kind)));
        let whole = words[at + 1..pass].iter().all(|it| {
            it.is(&[
                "that", "all", "the", "of", "tests", "suite", "test", "linter", "lint", "still", "existing", "is",
                "are", "full", "unit",
            ])
        });
        if let Some(kind) = kind.filter(|_| whole) {
            let object = Object { items: vec![Item { kinds: vec![kind], ..Item::default() }], except: Vec::new() };
            keep(words, out, at, pass + 1, Action::Run, object);
        }
    }
    let order = order(words, at, end);
    out[from..].iter_mut().for_each(|it| it.demand = Some(order));
}

/// Whether a verb is an order: it begins its clause, but for words of politeness.
fn is_order(words: &[Word<'_>], at: usize) -> bool {
    let start = clause_start(words, at);
    let before = &words[start..at];
    let denied = |it: &Word<'_>| {
        it.is_negator()
            || it.is(&[
                "if", "how", "when", "can", "may", "i", "they", "we", "free", "before", "could", "after", "until",
            ])
    };
    if before.iter().any(denied)
        && !(before.len() <= 3
            && before.iter().any(|it| it.is(&["can", "could"]))
            && before.iter().any(|it| it.is(&["you"])))
    {
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
            ])
    })
}

/// The part of an object that calls can show.
fn checkable(action: &Action, own: &Verb, object: &Object, inner: &[Word<'_>]) -> Option<Object> {
    let item =
        |kinds: &[Kind]| Object { items: vec![Item { kinds: kinds.to_vec(), ..Item::default() }], except: Vec::new() };
    if *action == Action::Run {
        let codes: Vec<String> = inner.iter().filter(|it| it.code.is_some()).map(|it| it.raw.to_owned()).collect();
        // A line with a gap to be filled is an example.
        if codes.iter().any(|it| it.contains(['<', '>', '{', '…']) || it.contains("...") || it.contains("path/to")) {
            return None;
        }
        if codes.len() > 1 || codes.first().is_some_and(|it| it.len() > 3) {
            return Some(Object { items: vec![Item { codes, ..Item::default() }], except: Vec::new() });
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
        || has(&ahead, &["end", "afterwards", "finally", "done", "after"])
        || has(&ahead, &["before"]) && has(&ahead, &["finish", "finishing", "done"])
    {
        return Order::Last;
    }
    if has(&behind, &["before"])
        && has(&behind, &["changing", "change", "editing", "touching", "start", "anything", "else"])
        || has(&behind, &["first"])
    {
        return Order::First;
    }
    Order::Any
}
