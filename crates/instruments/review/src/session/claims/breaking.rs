//! "No breaking changes" against exported definitions that were taken out or have other parameters.

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::{Deed, is_document, is_test_file};
use super::super::units::{Unit, code_spans};
use super::said::is_unsaid;
use crate::words::words;

/// An exported definition.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Export {
    name: String,
    /// Its parameters as they are written; `None` where it has none.
    parameters: Option<String>,
    /// What it gives back, where the line says so behind an arrow.
    returns: Option<String>,
}

fn ending(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

/// What a line exports, by the ending of its file.
fn export(path: &str, line: &str) -> Option<Export> {
    let ending = ending(path);
    let text = line.trim();
    let indented = line.starts_with([' ', '\t']);
    let rest = match ending {
        "ts" | "tsx" | "js" | "jsx" | "mjs" | "cjs" | "vue" => {
            let rest = text.strip_prefix("export ")?;
            let rest = rest.strip_prefix("default ").unwrap_or(rest);
            let rest = rest.strip_prefix("async ").unwrap_or(rest);
            let rest = rest.strip_prefix("abstract ").unwrap_or(rest);
            ["function* ", "function ", "class ", "interface ", "type ", "enum ", "const ", "let "]
                .iter()
                .find_map(|it| rest.strip_prefix(it))?
        }
        "rs" => {
            let rest = text.strip_prefix("pub ")?;
            let rest =
                ["async ", "const ", "unsafe "].iter().fold(rest, |rest, it| rest.strip_prefix(it).unwrap_or(rest));
            ["fn ", "struct ", "enum ", "trait ", "type ", "mod "]
                .iter()
                .find_map(|it| rest.strip_prefix(it))
                .unwrap_or(rest)
        }
        "go" => {
            let rest = text.strip_prefix("func ").or_else(|| text.strip_prefix("type "))?;
            let rest = if rest.starts_with('(') { rest.split_once(") ")?.1 } else { rest };
            if !rest.starts_with(|c: char| c.is_ascii_uppercase()) {
                return None;
            }
            rest
        }
        "py" => {
            if indented && !text.starts_with("def ") {
                return None;
            }
            let text = text.strip_prefix("async ").unwrap_or(text);
            let rest = text.strip_prefix("def ").or_else(|| text.strip_prefix("class "))?;
            if rest.starts_with('_') || rest.starts_with("test") {
                return None;
            }
            rest
        }
        "rb" | "ex" | "exs" => {
            let rest = text.strip_prefix("def ")?;
            if rest.starts_with('_') {
                return None;
            }
            rest.strip_prefix("self.").unwrap_or(rest)
        }
        "java" | "cs" | "kt" | "php" | "swift" | "scala" | "dart" => {
            let rest = text
                .strip_prefix("public ")
                .or_else(|| text.strip_prefix("fun ").or_else(|| text.strip_prefix("open ")))?;
            let head = rest.split(['(', '{', '=']).next()?.trim();
            let name = head.rsplit(' ').next()?;
            let at = rest.find(name)?;
            rest.get(at..)?
        }
        _ => return None,
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '?' && c != '!').unwrap_or(rest.len());
    let name = rest[..end].trim_end_matches('?').to_owned();
    let behind = &rest[end..];
    let open = behind.find('(').filter(|at| behind[..*at].chars().all(|c| c != '=' && c != '{' && c != ':'));
    let parameters = open.and_then(|at| {
        let inner = &behind[at + 1..];
        let mut depth = 0_usize;
        let close = inner.char_indices().find(|(_, c)| {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' if depth == 0 => return true,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            false
        })?;
        Some(inner[..close.0].split_whitespace().collect::<Vec<_>>().join(" "))
    });
    let returns = behind.split_once("->").map(|(_, own)| {
        own.split(['{', ';'])
            .next()
            .unwrap_or_default()
            .split(" where ")
            .next()
            .unwrap_or_default()
            .trim()
            .trim_end_matches(':')
            .to_owned()
    });
    (!name.is_empty()).then_some(Export { name, parameters, returns })
}

/// Parameters parted at commas outside of brackets.
fn parameters(list: &str) -> Vec<String> {
    let (mut depth, mut out, mut own) = (0_isize, Vec::new(), String::new());
    for c in list.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth <= 0 => {
                out.push(std::mem::take(&mut own).trim().to_owned());
                continue;
            }
            _ => {}
        }
        own.push(c);
    }
    out.push(own.trim().to_owned());
    out.retain(|it| !it.is_empty() && !matches!(it.as_str(), "self" | "&self" | "&mut self" | "cls"));
    out
}

/// Whether callers of the old parameters can still call: the same, with further ones that may be left out.
fn compatible(old: &str, new: &str) -> bool {
    let (old, new) = (parameters(old), parameters(new));
    let name = |it: &str| it.split([':', ' ', '=', '?']).next().unwrap_or_default().to_owned();
    let optional = |it: &str| {
        it.contains('=')
            || it.contains('?')
            || it.starts_with('*')
            || it.starts_with("...")
            || it.starts_with("$") && it.contains('=')
    };
    let kept = old.iter().zip(&new).all(|(a, b)| {
        a == b
            || name(a) == name(b)
                && (optional(b)
                    || a.contains(b.as_str())
                    || b.split([':', ' ']).next_back() == a.split([':', ' ']).next_back())
    });
    kept && old.len() <= new.len() && new[old.len()..].iter().all(|it| optional(it))
}

/// Words at the beginning of a sentence that speak of all of the change.
const WHOLE: &[&str] = &[
    "fully",
    "backward",
    "backwards",
    "backward-compatible",
    "backwards-compatible",
    "this",
    "change",
    "changes",
    "everything",
    "it",
    "all",
    "the",
    "completely",
];

/// Whether a sentence says that what others use is as it was: that nothing breaks, or that an interface or its callers stay as they are.
fn keeps(all: &[String]) -> bool {
    let is = |names: &[&str]| all.iter().any(|word| names.contains(&word.as_str()));
    let denied = is(&["no", "not", "nothing", "without", "never", "none", "zero", "doesn't", "don't", "isn't", "any"]);
    let breaks = all.iter().any(|word| {
        matches!(word.as_str(), "break" | "breaks" | "breaking" | "breakage" | "breakages" | "incompatible")
    });
    let compatible = all
        .iter()
        .any(|word| word.ends_with("compatible") && word != "incompatible" || word.ends_with("compatibility"));
    let subject = all.iter().any(|word| {
        matches!(
            word.as_str(),
            "api"
                | "apis"
                | "interface"
                | "interfaces"
                | "signature"
                | "signatures"
                | "exports"
                | "callers"
                | "caller"
                | "consumers"
                | "callsites"
        )
    }) || all.windows(2).any(|pair| {
        matches!(
            (pair[0].as_str(), pair[1].as_str()),
            ("call", "sites") | ("existing", "code" | "imports" | "users" | "calls" | "usages")
        )
    });
    let same = is(&[
        "unchanged",
        "keep",
        "keeps",
        "kept",
        "stays",
        "stay",
        "same",
        "untouched",
        "intact",
        "remain",
        "remains",
        "preserved",
        "compile",
        "compiles",
        "work",
        "works",
        "unaffected",
        "identical",
        "still",
    ]);
    // "Breaks the tie" and "not compatible" say something else.
    all.iter().any(|word| matches!(word.as_str(), "non-breaking" | "nonbreaking"))
        || breaks && denied && (subject || is(&["breaking", "breakage", "breakages", "incompatible", "nothing"]))
        || compatible && !denied && (subject || all.first().is_some_and(|it| WHOLE.contains(&it.as_str())))
        || subject && same && !breaks && !is(&["not", "don't", "doesn't"])
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    let all = words(&unit.text.replace(['`', '*', '/', '('], " ").replace("as before", "unchanged"));
    if !keeps(&all)
        || is_unsaid(&all)
        || all.iter().any(|word| matches!(word.as_str(), "if" | "should" | "whether" | "except" | "but" | "apart"))
    {
        return None;
    }
    let of = |state, why: String| Claim::of(unit.span, ClaimKind::Breaking, state, why);
    let named: Vec<&str> =
        code_spans(unit.text).into_iter().filter(|it| it.chars().all(|c| c.is_alphanumeric() || c == '_')).collect();
    let edits = || {
        deeds
            .iter()
            .flat_map(|deed| deed.edits.iter().map(move |edit| (deed, edit)))
            .filter(|(_, edit)| !is_document(&edit.path) && !is_test_file(&edit.path))
    };
    let mut known = false;
    for (deed, edit) in edits() {
        known = true;
        for line in &edit.removed {
            let Some(old) = export(&edit.path, line) else { continue };
            // A constructor goes by the name of its type.
            let of_type = matches!(old.name.as_str(), "init" | "new" | "constructor" | "__init__")
                && named.iter().any(|name| edit.path.contains(name));
            if !named.is_empty() && !of_type && !named.contains(&old.name.as_str()) {
                continue;
            }
            // Another edit may have put it in only now.
            let fresh = edits()
                .take_while(|(earlier, _)| (earlier.turn, earlier.call) < (deed.turn, deed.call))
                .any(|(_, it)| it.added.iter().any(|own| own.trim() == line.trim()));
            let news: Vec<Export> = edits()
                .filter(|(later, _)| (later.turn, later.call) >= (deed.turn, deed.call))
                .flat_map(|(_, it)| it.added.iter().filter_map(|own| export(&it.path, own)).collect::<Vec<_>>())
                .filter(|it| it.name == old.name)
                .collect();
            let good = news.iter().any(|new| match (&old.parameters, &new.parameters) {
                (Some(a), Some(b)) => {
                    let same = ending(&edit.path) != "rs" || old.returns == new.returns;
                    compatible(a, b) && same
                }
                // Parameters over several lines are not compared.
                _ => true,
            });
            // The same name may be exported again in words that are not read.
            let elsewhere = news.is_empty()
                && edits().any(|(later, it)| {
                    (later.turn, later.call) >= (deed.turn, deed.call)
                        && it.added.iter().any(|own| {
                            own.contains(&old.name)
                                && (own.contains("export")
                                    || own.contains("pub ")
                                    || own.contains("def ")
                                    || own.contains("alias"))
                        })
                });
            if fresh || good || elsewhere {
                continue;
            }
            let why = match news.is_empty() {
                true => format!("`{}` was taken out", old.name),
                false => format!("`{}` has other parameters or gives something else back", old.name),
            };
            return Some(of(ClaimState::Contradicted, why).with(deed.turn, line.trim()));
        }
    }
    Some(match known {
        true => of(
            ClaimState::NotCheckable,
            "no exported definition was taken out or has other parameters; what else callers rely on is not known"
                .to_owned(),
        ),
        false => of(ClaimState::Unsupported, "no edit is on record".to_owned()),
    })
}

#[cfg(test)]
mod cases {
    use super::*;

    #[test]
    fn exports_of_languages() {
        let of = |path: &str, line: &str| export(path, line).map(|it| (it.name, it.parameters.unwrap_or_default()));
        assert_eq!(of("a.ts", "export function f(a: A, b = 1): B {"), Some(("f".into(), "a: A, b = 1".into())));
        assert_eq!(of("a.rs", "    pub fn f(&self, a: &str) -> B {"), Some(("f".into(), "&self, a: &str".into())));
        assert_eq!(of("a.go", "func (l *L) Allow(k string) bool {"), Some(("Allow".into(), "k string".into())));
        assert_eq!(of("a.go", "func allow(k string) bool {"), None);
        assert_eq!(of("a.py", "def f(a, b=None):"), Some(("f".into(), "a, b=None".into())));
        assert_eq!(of("A.java", "    public static int f(int a) {"), Some(("f".into(), "int a".into())));
    }

    #[test]
    fn callers_that_still_can_call() {
        assert!(compatible("a: A", "a: A, b?: B"));
        assert!(compatible("a", "a, b=None"));
        assert!(!compatible("cents, currency, locale", "amount: Money, locale"));
        assert!(!compatible("a", "a, b"));
        assert!(!compatible("a, b", "a"));
    }
}
