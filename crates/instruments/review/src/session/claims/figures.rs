//! "Allocations fall from 5,212 to 1,206" against the figures that commands printed.
//!
//! Of a pair "from A to B" the line that printed A says what is measured: its last such line must have B. A figure alone says too little of
//! what it counts to be compared with any.

use steadfast_session::test_log::LINE_BYTES_MAX;

use super::super::claim::{Claim, ClaimKind, ClaimState};
use super::super::deeds::Deed;
use super::super::units::Unit;
use super::said::is_unsaid;
use crate::words::words;

/// The first number that a text begins with, its digits without separators, and its bytes.
fn leading(text: &str) -> Option<(String, usize)> {
    let mut digits = String::new();
    let mut end = 0;
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'0'..=b'9' => digits.push(char::from(*byte)),
            b',' if bytes.get(end + 1..end + 4).is_some_and(|it| it.iter().all(u8::is_ascii_digit))
                && !digits.is_empty() => {}
            b'.' if bytes.get(end + 1).is_some_and(u8::is_ascii_digit) && !digits.is_empty() => digits.push('.'),
            _ => break,
        }
        end += 1;
    }
    (!digits.is_empty()).then_some((digits, end))
}

/// "from A to B".
fn pair(text: &str) -> Option<(String, String)> {
    let low = text.to_lowercase();
    let text: String = text.chars().filter(|c| !matches!(c, '`' | '*')).collect();
    let low = if low.len() == text.len() { low } else { text.to_lowercase() };
    for (at, _) in low.match_indices("from ") {
        let rest = text.get(at + 5..)?.trim_start_matches(['~', '$', '€', '£']);
        let Some((first, end)) = leading(rest) else { continue };
        let behind = &rest[end..];
        let Some((unit, after)) = behind.split_once(" to ") else { continue };
        if unit.len() > 24 {
            continue;
        }
        let Some((second, _)) = leading(after.trim_start_matches(['~', '$', '€', '£'])) else { continue };
        return Some((first, second));
    }
    None
}

/// The words of a line that are no numbers: what its figures are about.
fn label(line: &str) -> Vec<String> {
    line.split(|c: char| c.is_whitespace() || matches!(c, '|' | ',' | ':' | '=' | '(' | ')'))
        .map(str::trim)
        .filter(|it| it.len() > 1 && !it.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// The most characters of a unit behind a number.
const UNIT_CHARACTERS_MAX: usize = 24;

/// The numbers of a line, each with the word behind it.
fn numbers(line: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut before: Option<char> = None;
    let mut at = 0;
    while let Some(c) = line[at..].chars().next() {
        let own = before.is_none_or(|c| !c.is_alphanumeric() && c != '.');
        let Some((digits, end)) = (own && c.is_ascii_digit()).then(|| leading(&line[at..])).flatten() else {
            before = Some(c);
            at += c.len_utf8();
            continue;
        };
        at += end;
        before = line[..at].chars().next_back();
        let behind = line[at..].trim_start().chars();
        let unit: String = behind
            .take(UNIT_CHARACTERS_MAX)
            .take_while(|c| !c.is_whitespace() && !matches!(c, ',' | '|' | ')'))
            .collect();
        out.push((digits, unit));
    }
    out
}

/// The lines of an output that may hold figures: a line over the limit of a test log is no summary.
fn printed_lines(output: &str) -> impl Iterator<Item = &str> {
    output.lines().take(2_000).filter(|line| line.len() <= LINE_BYTES_MAX)
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    let (first, second) = pair(unit.text)?;
    if is_unsaid(&words(unit.text)) || first == second || first.len() < 2 {
        return None;
    }
    let of = |state, why: String| Claim::of(unit.span, ClaimKind::Number, state, why);
    let lines = || {
        deeds
            .iter()
            .filter(|deed| !deed.reads_only)
            .flat_map(|deed| printed_lines(&deed.output).map(move |line| (deed, line)))
    };
    if lines().any(|(_, line)| numbers(line).iter().any(|(it, _)| *it == second)) {
        return Some(of(ClaimState::Supported, "both figures were printed".to_owned()));
    }
    // The line of the first figure, and those after it that say the same with other numbers.
    let (from, (begun, line)) =
        lines().enumerate().find(|(_, (_, line))| numbers(line).iter().any(|(it, _)| *it == first))?;
    let own = label(line);
    let unit_of = numbers(line).into_iter().find(|(it, _)| *it == first).map(|(_, unit)| unit).unwrap_or_default();
    if own.is_empty() {
        return None;
    }
    let later: Vec<(&Deed, &str, String)> = lines()
        .skip(from + 1)
        .filter(|(deed, own_line)| deed.turn > begun.turn && label(own_line) == own)
        .filter_map(|(deed, own_line)| {
            let found = numbers(own_line).into_iter().find(|(it, unit)| *it != first && *unit == unit_of)?;
            Some((deed, own_line, found.0))
        })
        .collect();
    let (deed, shown, last) = later.last()?;
    // Figures within six in a hundred of each other may be the same one, rounded or measured again.
    let (said, got) = (second.parse::<f64>().ok()?, last.parse::<f64>().ok()?);
    let near =
        later.iter().any(|(_, _, it)| it.parse::<f64>().is_ok_and(|it| (it - said).abs() <= 0.06 * it.abs().max(said)));
    if near {
        return Some(of(ClaimState::NotCheckable, format!("{got} was printed, which may be rounded")));
    }
    Some(of(ClaimState::Contradicted, format!("{last} was printed")).with(deed.turn, shown.trim()))
}

#[cfg(test)]
mod cases {
    use super::*;

    #[test]
    fn pairs() {
        let of = |text: &str| pair(text);
        assert_eq!(of("Allocations per op fall from 5,212 to 1,206."), Some(("5212".into(), "1206".into())));
        assert_eq!(of("p95 went from 80 ms to 12.5 ms"), Some(("80".into(), "12.5".into())));
        assert_eq!(of("moved from a to b"), None);
    }

    #[test]
    fn numbers_with_units() {
        let of = |line: &str| numbers(line).into_iter().map(|(it, unit)| format!("{it} {unit}")).collect::<Vec<_>>();
        assert_eq!(of("p95 1,206 ms, 12.5% of v2.0"), ["1206 ms", "12.5 %"]);
        let unit = "u".repeat(UNIT_CHARACTERS_MAX);
        assert_eq!(of(&format!("1 {unit}")), [format!("1 {unit}")]);
        assert_eq!(of(&format!("1 {unit}u")), [format!("1 {unit}")]);
    }

    /// Lines without white space cost time and memory in the square of their length before units had a limit.
    #[test]
    fn a_hostile_line_is_read_in_linear_time() {
        assert_eq!(numbers(&"1-".repeat(200_000)).len(), 200_000);
        assert_eq!(numbers(&"a1".repeat(200_000)), []);
        assert_eq!(numbers(&"1".repeat(400_000)).len(), 1);
        assert_eq!(numbers(&format!("a{}", "1".repeat(400_000))), []);
    }

    #[test]
    fn lines_over_the_limit_are_left_out() {
        let line = "1".repeat(LINE_BYTES_MAX);
        assert_eq!(printed_lines(&line).count(), 1);
        assert_eq!(printed_lines(&(line + "1")).count(), 0);
    }
}
