//! What only lists of notes write: "5p", the fields of todo.txt, the effort of Org mode.

use std::ops::Range;

use jiff::SignedDuration;
use jiff::civil::{Time, time};
use steadfast_time::{Expression, Length, Reading};

use super::cues::Cue;
use super::events::expression;
use super::words::{Word, hits};

/// Words before a time.
const BEFORE_TIME: &[&str] = &[
    "about", "after", "around", "at", "before", "between", "by", "close", "closes", "finish", "from", "home", "is",
    "leave", "leaving", "off", "open", "opens", "shut", "shuts", "since", "starting", "til", "till", "until",
];

/// "At 5p", "10:30a", "2p-4p": the first letter of am and pm. An hour alone is one only at the head of the line, behind a word that
/// stands before times or that names what takes place, or in a range: "flat 2a" and "a 10p deposit" name none.
pub(super) fn lettered_times(text: &str, all: &[Word]) -> Vec<(Range<usize>, Time)> {
    let mut out = Vec::new();
    for (at, word) in all.iter().enumerate() {
        let (figures, afternoon) = match (word.low.strip_suffix('a'), word.low.strip_suffix('p')) {
            (Some(figures), _) => (figures, false),
            (_, Some(figures)) => (figures, true),
            _ => continue,
        };
        if figures.is_empty() || figures.len() > 2 || !figures.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        // "10:30a": the hour is the word before the colon.
        let hours = text.get(..word.range.start).and_then(|head| head.strip_suffix(':'));
        let (start, hour, minute) = match hours {
            Some(head) => {
                let digits = head.bytes().rev().take_while(u8::is_ascii_digit).count();
                (head.len() - digits, head.get(head.len() - digits..).unwrap_or_default(), figures)
            }
            None => (word.range.start, figures, "0"),
        };
        let (Ok(hour @ 1..=12), Ok(minute @ 0..=59)) = (hour.parse::<i8>(), minute.parse::<i8>()) else { continue };
        let head = &text[..start];
        let last = head.chars().next_back();
        let glued = last.is_some_and(|c| !c.is_whitespace() && !"(@-\u{2013}".contains(c));
        let ranged = |first: Option<&Word>, last: Option<&Word>| {
            let (Some(first), Some(last)) = (first, last) else { return false };
            let gap = text.get(first.range.end..last.range.start).unwrap_or_default();
            first.is_figure() && last.is_figure() && matches!(gap.trim(), "-" | "\u{2013}")
        };
        let before = at.checked_sub(1).and_then(|at| all.get(at));
        let cued = before.is_some_and(|before| {
            BEFORE_TIME.contains(&before.low.as_str())
                || (before.low == "to" && at >= 2 && all[at - 2].is_figure())
                || hits(std::slice::from_ref(before)).iter().any(|hit| hit.cue == Cue::Event)
        });
        let heads = !head.chars().any(char::is_alphanumeric);
        let marked = head.trim_end().ends_with('@');
        let ranged = ranged(before, Some(word)) || ranged(Some(word), all.get(at + 1));
        // "Doors 5p": all that a line says.
        let named = at == 1 && afternoon && text.get(word.range.end..).is_some_and(|rest| rest.trim().is_empty());
        if !glued && (hours.is_some() || ranged || cued || heads || marked || named) {
            out.push((start..word.range.end, time(hour % 12 + if afternoon { 12 } else { 0 }, minute, 0, 0)));
        }
    }
    out
}

/// ":Effort: 1:30" of Org mode: hours and minutes.
pub(super) fn effort(text: &str) -> Option<Expression> {
    let name = ":Effort:";
    let start = text.find(name)? + name.len();
    let rest = text.get(start..)?;
    let value = rest.trim();
    let (hours, minutes) = value.split_once(':')?;
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    let length = Length {
        clock: SignedDuration::from_mins(hours.clamp(0, 24) * 60 + minutes.clamp(0, 59)),
        ..Length::default()
    };
    let from = start + (rest.len() - rest.trim_start().len());
    Some(expression(from..from + value.len(), vec![Reading::Duration { min: length, max: Some(length) }], None))
}

/// Fields that say something of the task before them, whose names say nothing.
const SAYING: &[&[u8]] = &[b"est", b"note"];

/// "est:30m", "note:desk-open-10-to-12", "+project": the fields of todo.txt, with spaces for the marks that hold them together. What a field
/// says of the task before it stands behind a comma.
pub(super) fn fields(bytes: &mut [u8]) {
    let mut start = 0;
    for at in 0..=bytes.len() {
        if bytes.get(at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            continue;
        }
        let from = start;
        let (head, rest) = bytes.split_at_mut(from);
        let token = &mut rest[..at - from];
        start = at + 1;
        if token.first() == Some(&b'+') && token.get(1).is_some_and(u8::is_ascii_alphabetic) {
            token.fill(b' ');
            continue;
        }
        let key = token.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        let value = token.get(key + 1).copied().unwrap_or_default();
        if key == 0 || token.get(key) != Some(&b':') || !value.is_ascii_alphanumeric() {
            continue;
        }
        token[key] = b' ';
        if SAYING.contains(&&token[..key]) {
            token[..key].fill(b' ');
            if let Some(gap) = head.last_mut().filter(|gap| **gap == b' ') {
                *gap = b',';
            }
        }
        let dated = token[key..].iter().filter(|byte| byte.is_ascii_alphabetic()).count() < 3;
        for byte in token[key..].iter_mut().filter(|byte| **byte == b'-' && !dated) {
            *byte = b' ';
        }
    }
}
