//! "No TODOs left" against the lines that were put in and not taken out again.

use std::collections::BTreeMap;

use steadfast_session::{Change, Edit};

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::{Deed, is_document};
use super::super::units::Unit;
use crate::words::words;

/// Lines that stand in files for all that the edits say: what was put in and neither taken out nor written over, with its turn.
pub(super) fn standing(deeds: &[Deed], wanted: impl Fn(&Edit, &str) -> bool) -> Vec<(usize, String)> {
    let mut files: BTreeMap<&str, Vec<(usize, String)>> = BTreeMap::new();
    for deed in deeds {
        for edit in &deed.edits {
            let own = files.entry(edit.path.as_str()).or_default();
            if matches!(edit.change, Change::Written | Change::Deleted) && edit.exact || edit.change == Change::Deleted
            {
                own.clear();
            }
            for line in &edit.removed {
                if let Some(at) = own.iter().position(|(_, it)| it == line.trim()) {
                    own.remove(at);
                }
            }
            own.extend(
                edit.added
                    .iter()
                    .map(|it| it.trim())
                    .filter(|it| wanted(edit, it))
                    .map(|it| (deed.turn, it.to_owned())),
            );
        }
    }
    files.into_values().flatten().collect()
}

fn is_todo(line: &str) -> bool {
    let word = |name: &str| {
        line.match_indices(name).any(|(at, _)| {
            let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '"' && c != '\'');
            outside(line[..at].chars().next_back()) && outside(line[at + name.len()..].chars().next())
        })
    };
    word("TODO") || word("FIXME") || word("XXX") || word("HACK") || line.contains("todo!(")
}

fn is_stub(line: &str) -> bool {
    line.contains("unimplemented!(")
        || line.contains("NotImplementedError")
        || line.contains("NotImplementedException")
        || line.contains("throw new Error(\"Not implemented")
        || line.contains("throw new Error('Not implemented")
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    let all = words(&unit.text.replace(['`', '*'], " "));
    let is = |word: &str, names: &[&str]| names.contains(&word);
    let things = [
        "todo",
        "todos",
        "to-dos",
        "fixme",
        "fixmes",
        "stubs",
        "placeholders",
        "stubbed",
        "stub",
        "placeholder",
        "todo/fixme",
        "to-do",
        "hacks",
    ];
    let denied = all.iter().enumerate().any(|(at, word)| {
        is(word, &["no", "without", "zero", "nothing", "any", "free", "0", "never", "neither", "nor"])
            && all[at + 1..].iter().take(6).any(|next| is(next, &things))
    });
    if !denied
        || all.iter().any(|word| {
            is(word, &["if", "should", "would", "left-over", "will", "please", "asked"])
                && !all.iter().any(|it| it == "as")
        })
    {
        return None;
    }
    if deeds.iter().all(|deed| deed.edits.is_empty()) {
        return None;
    }
    let stubs = all.iter().any(|word| is(word, &["stubs", "stub", "stubbed", "placeholders"]));
    let left = standing(deeds, |edit, line| !is_document(&edit.path) && (is_todo(line) || (stubs && is_stub(line))));
    let of = |state, why: &str| Claim::of(unit.span, ClaimKind::Todos, state, why);
    Some(match left.first() {
        Some((turn, line)) => {
            of(ClaimState::Contradicted, "a line that was put in says what is left to do").with(*turn, line.clone())
        }
        None if deeds.iter().any(|deed| !deed.exact) => {
            of(ClaimState::NotCheckable, "not all lines of the edits are known")
        }
        None => of(ClaimState::Supported, "no line that was put in says what is left to do"),
    })
}

/// Whether a claim that nothing is left to do is plainly about the line that says otherwise: a comment in code, of which the report does not
/// speak elsewhere.
pub(super) fn is_plain(claim: &Claim, report: &str) -> bool {
    let own = claim.span.range();
    let (before, after) = (report.get(..own.start).unwrap_or_default(), report.get(own.end..).unwrap_or_default());
    let speaks = |text: &str| {
        let low = text.to_lowercase();
        ["todo", "to-do", "fixme"].iter().any(|it| low.contains(it))
    };
    let said = report.get(own.clone()).unwrap_or_default();
    let excepts = words(said).iter().any(|word| {
        matches!(word.as_str(), "except" | "besides" | "but" | "apart" | "other" | "new" | "existing" | "old" | "more")
    });
    let is_comment = claim.evidence.iter().any(|it| {
        ["//", "#", "/*", "*", "--", "<!--", ";", "%"].iter().any(|mark| {
            it.quote.find(mark).is_some_and(|at| it.quote[at..].contains("TODO") || it.quote[at..].contains("FIXME"))
        })
    });
    is_comment && !excepts && !said.contains('`') && !speaks(before) && !speaks(after)
}
