//! "No test was changed", "`src/auth` is untouched", "everything is in `a.py`", "nothing is committed", "3 files touched": what a report
//! says was left alone, against the edits and commands.

use std::collections::BTreeSet;

use steadfast_session::diff::stat;
use steadfast_session::{Change, Edit};

use super::super::bans::object_of;
use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::{Deed, is_temporary};
use super::super::units::{Unit, code_spans, is_path};
use super::super::vcs;
use super::said::is_unsaid;
use crate::words::{number, words};

/// Verbs by which something is said to be changed.
const CHANGED: &[&str] = &["touched", "changed", "edited", "modified", "altered", "touch", "change", "edit", "modify"];

fn edits(deeds: &[Deed]) -> impl Iterator<Item = (&Deed, &Edit)> {
    deeds
        .iter()
        .flat_map(|deed| deed.edits.iter().map(move |edit| (deed, edit)))
        .filter(|(_, edit)| !edit.path.is_empty() && !is_temporary(&edit.path))
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    let all = words(&unit.text.replace(['`', '*', '|', '('], " "));
    // A cell of a table says it of what its row and its column name.
    if unit.row
        || is_unsaid(&all)
        || edits(deeds).next().is_none()
        || all.iter().any(|word| matches!(word.as_str(), "except" | "besides" | "apart" | "otherwise" | "than"))
            && !all.iter().any(|word| word == "only")
    {
        return None;
    }
    alone(unit, &all, deeds)
        .or_else(|| only(unit, &all, deeds))
        .or_else(|| uncommitted(unit, &all, deeds))
        .or_else(|| counted(unit, &all, deeds))
}

/// The paths that a text names, in code or bare: of files, or of folders with a slash at the end.
fn paths(text: &str) -> Vec<&str> {
    let is_it = |text: &&str| is_path(text) || text.len() > 1 && text.ends_with('/');
    let code: Vec<&str> = code_spans(text).into_iter().filter(is_it).collect();
    if !code.is_empty() {
        return code;
    }
    let bare = text.split_whitespace().map(|word| word.trim_matches([',', ';', ':', '(', ')', '"']));
    bare.map(|word| word.strip_suffix('.').unwrap_or(word)).filter(|word| word.contains('/')).filter(is_it).collect()
}

/// Words between a verb and the path that it is about.
const BEFORE_PATHS: &[&str] = &["the", "file", "files", "folder", "module", "any", "anything", "of", "in", "at", "all"];

/// The path, where it stands behind the verb with nothing between them that says what else is meant.
fn behind<'a>(text: &str, verb: &str, path: &'a str) -> Option<&'a str> {
    let from = text.to_lowercase().find(verb)? + verb.len();
    let between = text.get(from..text.find(path).filter(|at| *at >= from)?)?;
    words(&between.replace('`', " ")).iter().all(|word| BEFORE_PATHS.contains(&word.as_str())).then_some(path)
}

/// "No test was changed", "I did not touch `a.py`", "left the migrations untouched".
fn alone(unit: &Unit<'_>, all: &[String], deeds: &[Deed]) -> Option<Claim> {
    let at = |place: usize| all.get(place).map_or("", String::as_str);
    let verb = all.iter().position(|word| {
        CHANGED.contains(&word.as_str()) || matches!(word.as_str(), "untouched" | "unchanged" | "unmodified")
    })?;
    let clause = (0..verb)
        .rev()
        .take_while(|it| !matches!(at(*it), "," | ";" | ":" | "." | "and" | "but"))
        .last()
        .unwrap_or(verb);
    let kept = at(verb).starts_with("un");
    let negated = all[clause..verb].iter().any(|word| {
        matches!(word.as_str(), "no" | "not" | "never" | "didn't" | "haven't" | "wasn't" | "weren't" | "hasn't")
    });
    if kept == negated
        || all[clause..verb]
            .iter()
            .any(|word| matches!(word.as_str(), "behaviour" | "behavior" | "output" | "value" | "values" | "semantics"))
    {
        return None;
    }
    // The thing stands before a passive and "untouched", else behind the verb.
    let passive =
        kept || all[clause..verb].iter().any(|word| matches!(word.as_str(), "was" | "were" | "is" | "are" | "been"));
    let paths = paths(unit.text);
    let has_path = !paths.is_empty();
    let range = if passive { clause..verb } else { verb + 1..all.len().min(verb + 6) };
    let named = match paths.first() {
        // "I did not touch the file `a.py`": what stands behind the verb.
        Some(path) if !passive => format!("`{}`", behind(unit.text, at(verb), path)?),
        Some(path) if !unit.text.contains('`') => unit.text.replace(path, &format!("`{path}`")),
        Some(_) => unit.text.to_owned(),
        None => all[range].join(" "),
    };
    let object = object_of(&named);
    let sure = object.items.len() == 1
        && object.items.iter().all(|item| {
            item.words.is_empty()
                && item.place.is_empty()
                && item.codes.is_empty()
                && !item.part
                && (item.paths.len() == 1 && has_path || item.paths.is_empty() && item.kinds.len() == 1 && !has_path)
        });
    if !sure || !object.except.is_empty() {
        return None;
    }
    let tests = !has_path;
    let hit = edits(deeds).find(|(_, edit)| {
        object.covers(&edit.path)
            && (!tests || edit.change != Change::Created && !edit.removed.is_empty() && edit.exact)
    });
    let of = |state, why: String| Claim::of(unit.span, ClaimKind::Files, state, why);
    Some(match hit {
        Some((deed, edit)) => {
            of(ClaimState::Contradicted, format!("{} was edited", edit.path)).with(deed.turn, deed.shown())
        }
        None if deeds.iter().any(|deed| !deed.exact) => {
            of(ClaimState::NotCheckable, "not all edits are known".to_owned())
        }
        None => of(ClaimState::Supported, "no edit of it is on record".to_owned()),
    })
}

/// "Everything is in `a.py`", "only `a.py` was changed".
fn only(unit: &Unit<'_>, all: &[String], deeds: &[Deed]) -> Option<Claim> {
    let paths = paths(unit.text);
    let [path] = paths.as_slice() else { return None };
    let at = |place: usize| all.get(place).map_or("", String::as_str);
    let whole =
        matches!(
            (at(0), at(1), at(2)),
            ("everything", "is", "in") | ("all", "changes", "are") | ("all", "edits", "are")
        ) || matches!(at(0), "only") && all.iter().any(|word| CHANGED.contains(&word.as_str())) && all.len() < 9
            || unit.text.to_lowercase().contains("the only file ")
                && all.iter().any(|word| CHANGED.contains(&word.as_str()));
    if !whole {
        return None;
    }
    let of = |state, why: String| Claim::of(unit.span, ClaimKind::Files, state, why);
    let other = edits(deeds).find(|(_, edit)| !super::files::is_same(path, &edit.path));
    Some(match other {
        Some((deed, edit)) => {
            of(ClaimState::Contradicted, format!("{} was edited as well", edit.path)).with(deed.turn, deed.shown())
        }
        None => of(ClaimState::Supported, "no other edit is on record".to_owned()),
    })
}

/// "Nothing is committed or pushed", "not pushed yet".
fn uncommitted(unit: &Unit<'_>, all: &[String], deeds: &[Deed]) -> Option<Claim> {
    let at = |place: usize| all.get(place).map_or("", String::as_str);
    let place = (0..all.len()).find(|it| {
        matches!(at(*it), "committed" | "pushed")
            && (it.saturating_sub(3)..*it)
                .any(|before| matches!(at(before), "nothing" | "not" | "haven't" | "hasn't" | "isn't" | "didn't"))
            && !(it.saturating_sub(3)..*it).any(|before| matches!(at(before), "," | "and" | "but" | "only"))
    })?;
    let said = |word: &str| all[place..].iter().take(3).any(|it| it == word);
    let (commits, pushes) = (said("committed"), said("pushed"));
    let done = deeds.iter().find(|deed| {
        deed.ok == Some(true)
            && deed.commands.iter().enumerate().any(|(at, (command, _))| {
                (commits && vcs::commits(command) || pushes && vcs::pushes(command)) && deed.may_have_run(at)
            })
    });
    let of = |state, why: &str| Claim::of(unit.span, ClaimKind::Pushed, state, why);
    Some(match done {
        Some(deed) => of(ClaimState::Contradicted, "a call does it").with(deed.turn, deed.shown()),
        None if deeds.iter().all(|deed| deed.evidence) => of(ClaimState::NotCheckable, "no command is on record"),
        None => of(ClaimState::Supported, "no call does it"),
    })
}

/// "The commit touches 4 files", "Files touched | 2".
fn counted(unit: &Unit<'_>, all: &[String], deeds: &[Deed]) -> Option<Claim> {
    let at = |place: usize| all.get(place).map_or("", String::as_str);
    let said = (0..all.len()).find_map(|place| {
        let count = number(at(place))?;
        let files = matches!(at(place + 1), "files" | "file");
        let verb = (place.saturating_sub(3)..place)
            .any(|it| matches!(at(it), "touches" | "changes" | "touched" | "changed"))
            || (place + 2..place + 4).any(|it| matches!(at(it), "changed" | "touched" | "modified"));
        let label = place >= 2 && at(place - 2) == "files" && matches!(at(place - 1), "touched" | "changed");
        (files && verb || label).then_some(count)
    })?;
    let (deed, last) = deeds.iter().rev().find_map(|deed| Some((deed, stat(&deed.output)?)))?;
    let own: BTreeSet<&str> = edits(deeds).map(|(_, edit)| edit.path.trim_start_matches("./")).collect();
    let of = |state, why: String| {
        Claim::of(unit.span, ClaimKind::Lines, state, why).with(deed.turn, format!("{} files changed", last.files))
    };
    if last.files == said || own.len() as u64 == said {
        return Some(of(ClaimState::Supported, "the edits are of so many files".to_owned()));
    }
    let whole =
        own.len() as u64 == last.files && deeds.iter().filter_map(|deed| stat(&deed.output)).all(|it| it.files != said);
    Some(match whole {
        true => of(ClaimState::Contradicted, format!("the edits are of {} files", last.files)),
        false => of(ClaimState::NotCheckable, "it may speak of a part of the change".to_owned()),
    })
}
