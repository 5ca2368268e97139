//! What only lists of notes write: "5p", the fields of todo.txt, the effort of Org mode.

use std::ops::Range;

use jiff::SignedDuration;
use jiff::civil::{Time, time};
use steadfast_time::{Expression, Length, Reading};

use super::events::expression;
use super::words::Word;

/// "5p", "10:30a": the first letter of am and pm.
pub(super) fn lettered_times(text: &str, all: &[Word]) -> Vec<(Range<usize>, Time)> {
    let mut out = Vec::new();
    for word in all {
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
        let glued = text[..start].chars().next_back().is_some_and(|c| !c.is_whitespace() && !"(@-\u{2013}".contains(c));
        if !glued {
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

/// "est:30m", "note:desk-open-10-to-12", "+project": the fields of todo.txt, with spaces for the marks that hold them together.
pub(super) fn fields(bytes: &mut [u8]) {
    let mut start = 0;
    for at in 0..=bytes.len() {
        if bytes.get(at).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            continue;
        }
        let token = &mut bytes[start..at];
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
        let dated = token[key..].iter().filter(|byte| byte.is_ascii_alphabetic()).count() < 3;
        for byte in token[key..].iter_mut().filter(|byte| **byte == b'-' && !dated) {
            *byte = b' ';
        }
    }
}
