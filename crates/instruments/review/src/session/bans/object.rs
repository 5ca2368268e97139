//! What an instruction is about: paths, kinds of files, words in code, and how they meet the paths and commands of a session.

use steadfast_annotate::{base_form, is_stop_word, stem};

use super::kinds::Kind;
use super::words::{Word, is_path};

/// One thing that an instruction names. What it says of it must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// Paths, folders and patterns that it lies under; one of them is enough.
    pub paths: Vec<String>,
    /// Kinds of files.
    pub kinds: Vec<Kind>,
    /// Words in code that name no file.
    pub codes: Vec<String>,
    /// Stems of other words that name it.
    pub words: Vec<String>,
    /// Stems of words that say where: "on production", "globally".
    pub place: Vec<String>,
    /// Whether it is a part of what it names: "the signature of `f`".
    pub part: bool,
}

/// What an instruction is about: any of some items, but for others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// Empty where anything is meant.
    pub items: Vec<Item>,
    /// What is left out of it.
    pub except: Vec<Item>,
}

/// Words that name no thing by themselves.
const GENERIC: &[&str] = &[
    "anything",
    "everything",
    "any",
    "all",
    "it",
    "this",
    "that",
    "them",
    "these",
    "those",
    "file",
    "files",
    "folder",
    "folders",
    "directory",
    "directories",
    "dir",
    "code",
    "stuff",
    "source",
    "sources",
    "content",
    "contents",
    "thing",
    "things",
    "rest",
    "one",
    "ones",
    "itself",
    "themselves",
    "yourself",
    "directly",
    "please",
    "pls",
    "here",
    "there",
    "yet",
    "now",
    "either",
    "though",
    "me",
    "us",
    "today",
    "again",
    "manually",
    "hand",
    "new",
    "more",
    "extra",
    "additional",
    "further",
    "existing",
    "current",
    "other",
    "else",
    "single",
    "whole",
    "entire",
    "actual",
    "own",
    "repo",
    "repository",
    "project",
    "codebase",
    "tree",
    "module",
    "modules",
    "package",
    "part",
    "parts",
    "area",
    "my",
    "your",
    "our",
    "their",
    "his",
    "her",
    "the",
    "a",
    "an",
    "even",
    "just",
    "at",
    "ever",
    "also",
    "too",
    "everywhere",
    "anywhere",
    "whatsoever",
    "thanks",
    "thx",
    "thank",
    "cheers",
    "ok",
    "okay",
    "under",
    "circumstances",
    "something",
    "nothing",
    "path",
    "paths",
    "line",
    "lines",
    "some",
    "unrelated",
    "first",
    "changes",
    "change",
    "session",
    "task",
    "time",
    "being",
    "way",
    "case",
    "reason",
    "work",
    "branch",
    "machine",
    "box",
    "laptop",
    "so",
    "above",
    "pr",
    "round",
    "step",
    "ticket",
    "sprint",
    "moment",
    "meantime",
    "flag",
    "option",
    "switch",
    "argument",
    "mentioned",
    "listed",
    "kind",
    "sort",
    "type",
    "anyone",
    "anybody",
    "nobody",
    "everyone",
    "named",
    "called",
    "various",
    "related",
    "accidentally",
    "both",
    "up",
    "out",
    "random",
    "third-party",
    "myself",
    "bits",
    "bit",
    "fix",
    "diff",
    "result",
    "results",
    "behind",
    "around",
];

/// Words for files and what holds them.
const FILES: &[&str] = &[
    "file",
    "files",
    "folder",
    "folders",
    "directory",
    "dir",
    "module",
    "modules",
    "package",
    "packages",
    "code",
    "service",
    "crate",
    "layer",
    "app",
    "component",
    "components",
    "source",
    "sources",
    "tree",
    "script",
    "scripts",
];

/// Stems of words for what is no file: behaviour, interfaces, formats.
const ABSTRACT: &[&str] = &[
    "api",
    "interfac",
    "behaviour",
    "behavior",
    "signatur",
    "output",
    "format",
    "respons",
    "contract",
    "semant",
    "logic",
    "name",
    "result",
    "style",
    "order",
    "type",
    "return",
    "default",
    "messag",
    "valu",
    "word",
    "public",
    "structur",
    "layout",
    "meaning",
    "wording",
    "key",
    "field",
    "rule",
    "text",
    "data",
    "limit",
    "version",
    "feature",
    "flow",
    "input",
    "column",
    "color",
    "design",
    "url",
    "endpoint",
    "method",
    "function",
    "explan",
    "thing",
];

/// Words that begin what says where something is.
const PLACES: &[&str] = &[
    "in", "under", "inside", "within", "below", "from", "to", "on", "at", "against", "into", "onto", "across", "via",
    "through", "with", "for", "of", "over", "by", "using", "as",
];

/// Words before what is left out.
const EXCEPT: &[&str] =
    &["except", "besides", "outside", "beyond", "but", "excluding", "than", "apart", "aside", "save"];

/// Verbs that make a clause of the words before them.
const FINITE: &[&str] =
    &["is", "are", "was", "were", "has", "have", "had", "must", "should", "can", "will", "isn't", "aren't"];

/// Where words of an instruction stop naming its object.
fn ends(word: &Word<'_>) -> bool {
    word.is(&[
        "that", "which", "who", "because", "since", "so", "while", "until", "unless", "if", "when", "before", "after",
        "where", "whose", "even", "just", "instead", "without", "it's", "they're", "they", "we", "i", "i'm", "i'll",
        "is", "are", "was", "has", "have", "yet", "please", "pls", "thanks", "thank", "cheers", "regards", "best",
        "then", "though", "as",
    ])
}

/// The object that words from `from` on name, and the place behind its last word. `verb` tells whether a word begins another instruction.
pub(super) fn object(words: &[Word<'_>], from: usize, verb: &dyn Fn(&Word<'_>) -> bool) -> (Object, usize) {
    let mut out = Object::default();
    let mut item: Vec<&Word<'_>> = Vec::new();
    let mut excepting = false;
    let mut at = from;
    let mut end = from;
    // "What is in them", "how it works": no thing that calls show.
    if words.get(from).is_some_and(|it| it.is(&["what", "how", "whatever", "whether", "where", "why"])) {
        return (Object { items: vec![Item { part: true, ..Item::default() }], except: Vec::new() }, from + 1);
    }
    while let Some(word) = words.get(at) {
        let relative = word.is(&["that"]) && at == from;
        let joins = word.is(&["or", "nor", "and"]);
        let next = words.get(at + 1);
        if ends(word) && !relative && !(word.is(&["as"]) && item.is_empty()) {
            break;
        }
        if (joins && next.is_some_and(|it| verb(it) || ends(it) || it.is_negator()))
            || (at > from && (word.is_negator() || (word.apart && verb(word) && word.code.is_none())))
        {
            break;
        }
        let except_of = word.is(EXCEPT) && (!word.is(&["apart", "aside"]) || next.is_some_and(|it| it.is(&["from"])));
        // Behind a comma only a list goes on.
        let listed = is_path(word.raw) || word.code.is_some() || Kind::of_word(word).is_some();
        let and_later =
            words.get(at..(at + 5).min(words.len())).is_some_and(|all| all.iter().any(|it| it.is(&["or", "nor"])));
        // "No new deps, the lock file is a mess": a clause of its own goes on with no list.
        let mut rest = words[at + 1..].iter().take(4).take_while(|it| !it.apart);
        let is_clause = at > from && word.apart && !except_of && rest.any(|it| it.is(FINITE));
        if word.apart && (!(listed || joins || except_of) && (!and_later || verb(word)) || is_clause) {
            break;
        }
        if joins || (at > from && word.apart && !except_of) {
            keep(&mut item, excepting, &mut out);
            if joins {
                at += 1;
                continue;
            }
        }
        if except_of {
            keep(&mut item, excepting, &mut out);
            excepting = true;
            at += 1;
            while words.get(at).is_some_and(|it| it.is(&["of", "from", "for", "in"])) {
                at += 1;
            }
            continue;
        }
        item.push(word);
        at += 1;
        end = at;
        if at - from > 40 {
            break;
        }
    }
    keep(&mut item, excepting, &mut out);
    // "Anything outside src": but for what is left out anything is meant.
    if !out.except.is_empty() && out.items.iter().all(Item::is_any) {
        out.items.clear();
    }
    if out.items.iter().any(Item::is_any) {
        out.items.clear();
        // "The files in there": the path that was named last.
        let points =
            words[from.min(end)..end].iter().any(|it| it.is(&["it", "them", "there", "those", "that", "these"]));
        let named = words[..from.min(words.len())].iter().rev().find(|it| is_path(it.raw));
        if let Some(word) = named.filter(|_| points) {
            out.items.push(Item { paths: vec![word.raw.to_owned()], ..Item::default() });
        }
    }
    (out, end)
}

fn keep(words: &mut Vec<&Word<'_>>, excepting: bool, out: &mut Object) {
    if words.is_empty() {
        return;
    }
    let own = item(words);
    words.clear();
    if excepting { out.except.push(own) } else { out.items.push(own) }
}

fn item(words: &[&Word<'_>]) -> Item {
    let mut out = Item::default();
    let (mut placed, mut of) = (false, false);
    let mut place = Vec::new();
    for word in words {
        if is_path(word.raw) {
            out.paths.push(word.raw.to_owned());
        } else if word.code.is_some() || word.raw.starts_with("--") {
            out.codes.push(word.raw.to_owned());
        } else if word.is(PLACES) {
            of |= word.is(&["of"]) && !out.words.is_empty();
            placed = true;
        } else if let Some(kind) = Kind::of_word(word).filter(|_| !placed || out.kinds.is_empty()) {
            out.kinds.push(kind);
        } else if word.is(GENERIC) || word.is_negator() {
        } else if placed {
            place.push(word.lemma.clone());
        } else if !is_stop_word(&word.low) {
            out.words.push(word.lemma.clone());
        }
    }
    // "The API", "the response format": what is no file by itself is none where nobody says so.
    let of_files = words.iter().any(|it| it.is(FILES));
    if out.paths.is_empty() && !of_files && out.words.iter().any(|it| ABSTRACT.contains(&it.as_str())) {
        of = true;
    }
    // "The CI config" is configuration of that.
    if out.kinds.len() > 1 {
        out.kinds.retain(|kind| *kind != Kind::Config);
    }
    out.part = of;
    out.place = place;
    out
}

/// Whether a component of a path is a word, or has it among its parts.
pub(super) fn has_component(path: &str, wanted: &str) -> bool {
    // "test_demux" is the stem of `tests/test_demux.py`, and no part of it.
    if wanted.contains(['-', '_']) && path.split(['/', '.']).any(|own| own.to_lowercase() == wanted) {
        return true;
    }
    path.split(['/', '.', '-', '_']).any(|part| {
        !part.is_empty() && {
            let low = part.to_lowercase();
            low == wanted || base_form(&stem(&low)) == wanted
        }
    })
}

impl Item {
    /// Whether it names nothing that narrows it.
    pub(super) fn is_any(&self) -> bool {
        self.paths.is_empty()
            && self.kinds.is_empty()
            && self.codes.is_empty()
            && self.words.is_empty()
            && self.place.is_empty()
            && !self.part
    }

    /// Whether a path is one that it names.
    pub(super) fn covers(&self, path: &str) -> bool {
        if self.part || self.is_any() {
            return false;
        }
        // A file that is named is that file, whatever else is said of it.
        if self.paths.iter().any(|own| own.rsplit('/').next().is_some_and(|name| name.contains('.'))) {
            return self.paths.iter().any(|own| is_under(own, path));
        }
        let place = if self.paths.is_empty() { self.place.as_slice() } else { &[] };
        (self.paths.is_empty() || self.paths.iter().any(|own| is_under(own, path)))
            && self.kinds.iter().all(|kind| kind.covers(path))
            && self.words.iter().chain(place).all(|word| has_component(path, word))
            && self.codes.iter().all(|code| {
                let plain = code.trim_matches(['(', ')']).to_lowercase();
                path.to_lowercase().split(['/', '.']).any(|part| part == plain) || is_under(code, path)
            })
    }
}

impl Object {
    /// Whether anything is meant.
    pub(super) fn is_any(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether a path is one that is meant.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        (self.is_any() || self.items.iter().any(|item| item.covers(path)))
            && !self.except.iter().any(|item| item.covers(path))
    }

    /// Whether it has a kind.
    pub(super) fn has(&self, kind: Kind) -> bool {
        self.items.iter().any(|item| item.kinds.contains(&kind))
    }

    /// Whether it can name files: some item has a path, a kind of file or a word, or all are meant.
    pub(super) fn names_files(&self) -> bool {
        self.is_any() || self.items.iter().any(|item| !item.part)
    }
}

/// Whether `path` is the named file, matches the pattern, or lies under the named folder. `src/auth` is not `src/authors`.
pub(super) fn is_under(named: &str, path: &str) -> bool {
    let clean = |text: &str| text.trim_start_matches("./").trim_end_matches('/').to_lowercase();
    let (named, path) = (clean(named), clean(path));
    let named = named.strip_suffix("/**").or_else(|| named.strip_suffix("/*")).unwrap_or(&named).to_owned();
    if named.is_empty() {
        return false;
    }
    if named.contains('*') {
        let parts: Vec<&str> = named.split('*').filter(|it| !it.is_empty()).collect();
        let mut rest = path.as_str();
        for (at, part) in parts.iter().enumerate() {
            let Some(found) = rest.find(part) else { return false };
            let begins = found == 0 || rest[..found].ends_with('/') || at > 0 || named.starts_with('*');
            if !begins {
                return false;
            }
            rest = &rest[found + part.len()..];
        }
        return named.ends_with('*') || rest.is_empty();
    }
    // `.env` stands for `.env.local` as well.
    let last = path.rsplit('/').next().unwrap_or_default();
    if named == ".env" && last.starts_with(".env") && !last.ends_with("example") && !last.ends_with("sample") {
        return true;
    }
    format!("/{path}/").contains(&format!("/{}/", named.trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::is_under;

    #[test]
    fn folders_files_and_patterns() {
        for (named, path) in [
            ("src/auth", "/w/src/auth/login.ts"),
            ("migrations/", "db/migrations/0001.sql"),
            ("config.yml", "./config.yml"),
            ("*.lock", "a/b.lock"),
            ("docs/**", "docs/a/b.md"),
            ("src/*.test.ts", "src/a.test.ts"),
            (".env", "app/.env.local"),
        ] {
            assert!(is_under(named, path), "{named} {path}");
        }
        for (named, path) in [
            ("src/auth", "src/authors/a.ts"),
            ("a.py", "ba.py"),
            ("*.lock", "a/lock.rs"),
            (".env", ".env.example"),
            ("src/*.test.ts", "lib/a.test.ts"),
        ] {
            assert!(!is_under(named, path), "{named} {path}");
        }
    }
}
