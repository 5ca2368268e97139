//! "Added `--dry-run`" against the lines that were put in: a name that stands in no call was not added.

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::Deed;
use super::super::units::{Unit, is_path};
use super::files::writes_unseen;
use super::said::is_unsaid;
use crate::words::words;

/// The shortest name that is looked for, in bytes.
const NAME_BYTES_MIN: usize = 4;

/// A name that code gives: a word with letters, without spaces; the brackets of a call are taken off.
fn name(code: &str) -> Option<&str> {
    let own = code.split(['(', '=', '<', ' ']).next().unwrap_or(code).trim_matches(['.', ':', '*', '&', '@', '#']);
    let plain =
        own.chars().all(|c| c.is_alphanumeric() || "_-.:?!".contains(c)) && own.chars().any(char::is_alphabetic);
    (plain && own.len() >= NAME_BYTES_MIN && !code.contains(' ') && !is_path(own)).then_some(own)
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    // An item that begins with a name in camel case says that it is there: "PodDisruptionBudget keeps two pods".
    let camel = unit.text.split([' ', ':', ',']).next().filter(|it| {
        unit.item
            && it.len() >= 10
            && it.chars().all(|c| c.is_ascii_alphanumeric())
            && it.chars().skip(1).filter(char::is_ascii_uppercase).count() >= 2
            && it.chars().any(|c| c.is_ascii_lowercase())
    });
    let mut parts = unit.text.split('`');
    let (before, code) = match camel {
        Some(own) => ("added", own),
        None => (parts.next()?, parts.next()?),
    };
    let own = name(code)?;
    let lead = words(before);
    let verb =
        lead.iter().rev().take(4).any(|word| {
            matches!(word.as_str(), "added" | "implemented" | "introduced" | "adds" | "introduces" | "wrote")
        });
    let within = lead.last().is_some_and(|word| {
        matches!(
            word.as_str(),
            "to" | "in"
                | "for"
                | "of"
                | "from"
                | "by"
                | "with"
                | "on"
                | "into"
                | "using"
                | "via"
                | "at"
                | "around"
                | "under"
                | "over"
                | "behind"
        )
    });
    if !verb
        || within
        || is_unsaid(&lead)
        || lead.iter().any(|word| matches!(word.as_str(), "not" | "no" | "never" | "nothing"))
    {
        return None;
    }
    if deeds.iter().all(|deed| deed.edits.is_empty()) || deeds.iter().any(|deed| !deed.exact) {
        return None;
    }
    // The last part of a name that is parted by dots or colons is what the code has.
    let last = own.rsplit(['.', ':']).next().filter(|it| it.len() >= NAME_BYTES_MIN).unwrap_or(own);
    let put_in =
        deeds.iter().find(|deed| deed.edits.iter().any(|edit| edit.added.iter().any(|line| line.contains(last))));
    if let Some(deed) = put_in {
        return Some(
            Claim::of(
                unit.span,
                ClaimKind::Criteria,
                ClaimState::Supported,
                format!("`{own}` stands in a line that was put in"),
            )
            .with(deed.turn, deed.shown()),
        );
    }
    let low = last.to_lowercase();
    let seen = deeds.iter().any(|deed| {
        let any = |text: &str| text.to_lowercase().contains(&low);
        any(&deed.arguments) || any(&deed.output) || deed.line.as_deref().is_some_and(any)
    });
    let state =
        if seen || deeds.iter().any(writes_unseen) { ClaimState::NotCheckable } else { ClaimState::Contradicted };
    Some(Claim::of(unit.span, ClaimKind::Criteria, state, format!("no line that was put in has `{own}`")))
}

#[cfg(test)]
mod cases {
    use super::name;

    #[test]
    fn names_of_code() {
        assert_eq!(name("--dry-run"), Some("--dry-run"));
        assert_eq!(name("parse_row()"), Some("parse_row"));
        assert_eq!(name("src/a.rs"), None);
        assert_eq!(name("GET /v1"), None);
        assert_eq!(name("id"), None);
    }
}
