//! How the modules of a crate use one another: never in a circle.
//!
//! A top-level module is `a.rs` with all of `a/`. It uses another one where it names it by `crate::` or `super::`, also by what the root of the crate exports of it.
//! The root itself uses everything and does not count, nor do tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

use crate::house::{files, holds};

/// Crates whose modules still use one another in circles, each circle by its modules.
const TO_COME: &[(&str, &[&[&str]])] = &[
    ("audit", &[&["incident", "trail"]]),
    ("chat", &[&["anthropic", "mode", "openai", "reply", "server", "words"]]),
    ("grounding", &[&["align", "ask", "passage"]]),
    ("measure", &[&["calibrate", "mutate", "sets"]]),
    ("pick", &[&["candidate", "score"]]),
    ("plan", &[&["budget", "checks", "verdict"], &["exchange", "variant"]]),
    ("render", &[&["audit", "form", "plan", "review", "watch"]]),
    (
        "server",
        &[&[
            "accept",
            "admission",
            "api",
            "app",
            "archive",
            "body",
            "console",
            "guard",
            "jobs",
            "live",
            "openapi",
            "routes",
            "workers",
        ]],
    ),
    ("store", &[&["backup", "connection"]]),
    ("text", &[&["builder", "html", "markdown", "plain", "read"]]),
    ("time", &[&["dates", "points"]]),
];

/// What modules there are, and which uses which.
type Uses = BTreeMap<String, BTreeSet<String>>;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    /// `::`
    Path,
    Sign(char),
}

impl Token {
    fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if own == word)
    }
}

/// The tokens of a source, without comments and literals.
fn tokens(source: &str) -> Vec<Token> {
    let mut out = Vec::new();
    flatten(source.parse().unwrap(), &mut out);
    out
}

fn flatten(stream: TokenStream, out: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(word) => out.push(Token::Word(word.to_string().trim_start_matches("r#").to_owned())),
            TokenTree::Literal(_) => {}
            TokenTree::Punct(sign) => {
                let is_path = sign.as_char() == ':'
                    && sign.spacing() == Spacing::Joint
                    && trees.next_if(|next| matches!(next, TokenTree::Punct(next) if next.as_char() == ':')).is_some();
                out.push(if is_path { Token::Path } else { Token::Sign(sign.as_char()) });
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::Parenthesis | Delimiter::None => ('(', ')'),
                };
                out.push(Token::Sign(open));
                flatten(group.stream(), out);
                out.push(Token::Sign(close));
            }
        }
    }
}

/// Tokens without items that only tests have; names of modules that stand in files of their own and are such are put into `tests`.
fn without_tests(tokens: &[Token], tests: &mut Vec<String>) -> Vec<Token> {
    let sign = |at: usize, own: char| tokens.get(at) == Some(&Token::Sign(own));
    let (mut out, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let is_attribute = sign(at, '#') && sign(at + 1, '[');
        if !is_attribute {
            out.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let end = group_end(tokens, at + 1);
        let is_test = tokens[at + 2].is("cfg")
            && tokens[at + 4..end].iter().any(|own| own.is("test"))
            && !tokens[at + 4..end].iter().any(|own| own.is("not"));
        at = end;
        if !is_test {
            continue;
        }
        // The item ends with its `;` or with its braces.
        let mut words = Vec::new();
        while at < tokens.len() {
            match &tokens[at] {
                Token::Sign('{') => {
                    at = group_end(tokens, at);
                    // `use a::{b, c};`
                    if !words.iter().any(|word| word == "use") {
                        break;
                    }
                }
                Token::Sign('(' | '[') => at = group_end(tokens, at),
                Token::Sign(';') => {
                    if let Some(place) = words.iter().position(|word| word == "mod") {
                        tests.extend(words.get(place + 1).cloned());
                    }
                    at += 1;
                    break;
                }
                Token::Word(word) => {
                    words.push(word.clone());
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }
    out
}

/// The place after the bracket that closes the one here.
fn group_end(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('{' | '[' | '(') => depth += 1,
            Token::Sign('}' | ']' | ')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The paths of a tree as `use` has it, each as its words; where it is no tree, the one path.
fn paths(tokens: &[Token], at: &mut usize, before: &[String], out: &mut Vec<Vec<String>>) {
    let mut path = before.to_vec();
    loop {
        match tokens.get(*at) {
            Some(Token::Word(word)) => {
                path.push(word.clone());
                *at += 1;
            }
            Some(Token::Sign('*')) => {
                *at += 1;
                break;
            }
            Some(Token::Sign('{')) => {
                let end = group_end(tokens, *at);
                *at += 1;
                while *at + 1 < end {
                    paths(tokens, at, &path, out);
                    // The name that it is used by, and the comma.
                    while *at + 1 < end && tokens[*at] != Token::Sign(',') {
                        *at += 1;
                    }
                    *at += usize::from(*at + 1 < end);
                }
                *at = end;
                return;
            }
            _ => break,
        }
        if tokens.get(*at) == Some(&Token::Path) {
            *at += 1;
        } else {
            break;
        }
    }
    out.push(path);
}

/// Every path that begins with `crate`, `super` or `self`, from the root of the crate; `own` is the module of the file.
fn named(tokens: &[Token], own: &[String]) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    let mut module = own.to_vec();
    // Of every open brace whether it is that of a module.
    let mut open = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let goes_on = tokens.get(at + 1) == Some(&Token::Path);
        let begins = at == 0 || tokens[at - 1] != Token::Path;
        match &tokens[at] {
            Token::Word(word) if word == "mod" => {
                if let (Some(Token::Word(name)), Some(Token::Sign('{'))) = (tokens.get(at + 1), tokens.get(at + 2)) {
                    module.push(name.clone());
                    open.push(true);
                    at += 3;
                } else {
                    at += 1;
                }
            }
            Token::Sign('{') => {
                open.push(false);
                at += 1;
            }
            Token::Sign('}') => {
                if open.pop() == Some(true) {
                    module.pop();
                }
                at += 1;
            }
            // Where something may be seen is no use of it.
            Token::Word(word)
                if word == "in" && tokens.get(at + 1).is_some_and(|next| next.is("crate") || next.is("super")) =>
            {
                at += 2
            }
            Token::Word(word) if begins && goes_on && matches!(word.as_str(), "crate" | "super" | "self") => {
                let mut base = module.clone();
                let mut from = at;
                while let (Some(Token::Word(word)), Some(Token::Path)) = (tokens.get(from), tokens.get(from + 1)) {
                    match word.as_str() {
                        "crate" => base.clear(),
                        "super" => {
                            base.pop();
                        }
                        "self" => {}
                        _ => break,
                    }
                    from += 2;
                }
                at = from;
                paths(tokens, &mut at, &base, &mut out);
            }
            _ => at += 1,
        }
    }
    out
}

/// The modules of a crate from its files: each by its path below `src`, and its text.
fn uses(sources: &[(&str, String)]) -> Uses {
    let mut parsed: Vec<(Vec<String>, Vec<Token>)> = Vec::new();
    let mut tests: Vec<Vec<String>> = Vec::new();
    for (name, text) in sources {
        let mut module: Vec<String> = name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if module.last().is_some_and(|last| last == "mod")
            || matches!(module.as_slice(), [one] if one == "lib" || one == "main")
        {
            module.pop();
        }
        let mut own = Vec::new();
        let tokens = without_tests(&tokens(text), &mut own);
        tests.extend(own.into_iter().map(|name| module.iter().cloned().chain([name]).collect()));
        parsed.push((module, tokens));
    }
    parsed.retain(|(module, _)| {
        module.first().is_none_or(|first| first != "bin") && !tests.iter().any(|own| module.starts_with(own))
    });
    let tops: BTreeSet<String> = parsed.iter().filter_map(|(module, _)| module.first().cloned()).collect();
    // What the root exports, by the module that it is of.
    let mut exported: BTreeMap<String, String> = BTreeMap::new();
    for (_, tokens) in parsed.iter().filter(|(module, _)| module.is_empty()) {
        for at in (0..tokens.len()).filter(|at| tokens[*at].is("use")) {
            let mut found = Vec::new();
            paths(tokens, &mut (at + 1), &[], &mut found);
            for path in &found {
                let path = path
                    .strip_prefix(&["crate".to_owned()][..])
                    .or_else(|| path.strip_prefix(&["self".to_owned()][..]))
                    .unwrap_or(path);
                if let [first, .., last] = path
                    && tops.contains(first)
                {
                    exported.insert(last.clone(), first.clone());
                }
            }
        }
    }
    let mut out: Uses = tops.iter().map(|top| (top.clone(), BTreeSet::new())).collect();
    for (module, tokens) in &parsed {
        let Some(top) = module.first() else { continue };
        for path in named(tokens, module) {
            let Some(first) = path.first() else { continue };
            let used = if tops.contains(first) { Some(first) } else { exported.get(first) };
            if let Some(used) = used.filter(|used| *used != top) {
                out.entry(top.clone()).or_default().insert(used.clone());
            }
        }
    }
    out
}

/// The circles among modules: sets of which each leads to every other.
fn circles(uses: &Uses) -> Vec<Vec<String>> {
    let reached = |from: &String| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(module) = next.pop() {
            for used in uses.get(module).into_iter().flatten() {
                if seen.insert(used.clone()) {
                    next.push(used);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = uses.keys().map(|module| (module, reached(module))).collect();
    let circles: BTreeSet<Vec<String>> = uses
        .keys()
        .filter(|module| reached[module].contains(*module))
        .map(|module| {
            uses.keys()
                .filter(|other| reached[module].contains(*other) && reached[other].contains(module))
                .cloned()
                .collect()
        })
        .collect();
    circles.into_iter().collect()
}

/// Crates by their names, each with its circles.
fn all() -> BTreeMap<String, (Uses, Vec<Vec<String>>)> {
    let mut sources: BTreeMap<String, Vec<(&str, String)>> = BTreeMap::new();
    for (name, path) in files() {
        let Some((_, name, file)) = name.strip_prefix("crates/").and_then(|name| {
            let (storey, rest) = name.split_once('/')?;
            let (own, file) = rest.split_once("/src/")?;
            file.ends_with(".rs").then_some((storey, own, file))
        }) else {
            continue;
        };
        sources.entry(name.to_owned()).or_default().push((file, fs::read_to_string(path).unwrap()));
    }
    sources
        .into_iter()
        .map(|(name, sources)| {
            let uses = uses(&sources);
            let circles = circles(&uses);
            (name, (uses, circles))
        })
        .collect()
}

/// One circle of a crate, as the list writes it, with who uses whom in it.
fn shown(name: &str, uses: &Uses, circle: &[String]) -> String {
    let within = |module: &String| {
        uses[module].iter().filter(|used| circle.contains(used)).cloned().collect::<Vec<_>>().join(", ")
    };
    let edges: Vec<String> = circle.iter().map(|module| format!("{module} → {}", within(module))).collect();
    format!("{name}: [{}]\n    {}", circle.join(", "), edges.join("\n    "))
}

#[test]
fn modules_use_one_another_without_circles() {
    let all = all();
    let listed = |name: &str| TO_COME.iter().find(|(own, _)| *own == name).map_or(&[][..], |(_, circles)| *circles);
    let mut breaches = Vec::new();
    for (name, (uses, circles)) in &all {
        for circle in circles {
            let is_listed = listed(name).iter().any(|own| circle.iter().all(|module| own.contains(&module.as_str())));
            if !is_listed {
                breaches.push(shown(name, uses, circle));
            }
        }
    }
    for (name, own) in TO_COME {
        for listed in *own {
            let is_there = all.get(*name).is_some_and(|(_, circles)| {
                circles.iter().any(|circle| circle.iter().all(|module| listed.contains(&module.as_str())))
            });
            if !is_there {
                breaches.push(format!("{name}: [{}] is a circle no more: take it out of TO_COME", listed.join(", ")));
            }
        }
        if own.is_empty() {
            breaches.push(format!("{name} has no circle: take it out of TO_COME"));
        }
    }
    holds("the modules of a crate use one another without circles, but for those in TO_COME", &breaches);
}

/// Who uses whom in a crate of these files, in one line.
#[track_caller]
fn check(sources: &[(&str, &str)], expect: &str) {
    let sources: Vec<(&str, String)> = sources.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
    let uses = uses(&sources);
    let edges = uses.iter().flat_map(|(module, used)| used.iter().map(move |used| format!("{module} → {used}")));
    assert_eq!(edges.collect::<Vec<_>>().join(", "), expect);
}

#[test]
fn uses_are_found() {
    let with = |a: &'static str| {
        [("lib.rs", "mod a; mod b; pub use c::{Gone as _, Thing};"), ("a.rs", a), ("b/mod.rs", ""), ("c.rs", "")]
    };
    check(&with("use crate::b::X;"), "a → b");
    check(&with("use crate::{b::{X, Y as Z}, c};"), "a → b, a → c");
    check(&with("use crate::{\n    b,\n    c::*,\n};"), "a → b, a → c");
    check(&with("use super::{b::X};"), "a → b");
    check(&with("fn f() { let x = crate::b::g::<crate::c::T>(1); }"), "a → b, a → c");
    check(&with("mod inner { use super::super::b; use super::c; }"), "a → b");
    check(&with("use crate::Thing; use crate::Other;"), "a → c");
    check(&with("pub(in crate::b) fn f() {} pub(crate) fn g() {}"), "");
    check(&with("use crate::a::X; use self::b::Y; use std::c::Z;"), "");
    check(&with("// crate::b\n/* crate::b /* */ crate::c */ /// [`crate::b`]\n"), "");
    check(&with("const A: &str = \"crate::b\\\" crate::c\"; const B: &str = r#\"crate::b\"crate::c\"#;"), "");
    check(
        &with("fn f<'a>(x: &'a str) -> char { '\"' } use crate::b; const Q: char = '\\''; use crate::c;"),
        "a → b, a → c",
    );
    check(&with("macro_rules! m { () => { $crate::b::f() } }"), "a → b");
}

#[test]
fn folders_and_tests_belong_to_their_modules() {
    check(
        &[
            ("lib.rs", ""),
            ("a.rs", "mod d;"),
            ("a/d.rs", "use super::super::b; use super::c;"),
            ("b.rs", "use crate::a::d;"),
            ("c.rs", ""),
        ],
        "a → b, b → a",
    );
    check(
        &[
            ("lib.rs", ""),
            (
                "a.rs",
                "#[cfg(test)]\nmod tests;\n#[cfg(test)]\nmod more { use crate::b; }\n#[cfg(test)]\nuse crate::{b, c};\nuse crate::c::X;",
            ),
            ("a/tests.rs", "use crate::b;"),
            ("b.rs", "#[cfg(not(test))]\nuse crate::a;\n#[test]\nfn f() {}"),
            ("c.rs", ""),
        ],
        "a → c, b → a",
    );
}

#[test]
fn circles_are_found() {
    let of = |edges: &[(&str, &str)]| {
        let mut uses = Uses::new();
        for (from, to) in edges {
            uses.entry((*to).to_owned()).or_default();
            uses.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        circles(&uses).iter().map(|circle| circle.join(" ")).collect::<Vec<_>>()
    };
    assert!(of(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
    assert_eq!(of(&[("a", "b"), ("b", "a"), ("b", "c")]), ["a b"]);
    assert_eq!(of(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("e", "f"), ("f", "e")]), ["a b c", "e f"]);
}
