//! "Allocations fall from 5,212 to 1,206" against the figures that commands printed.
//!
//! Of a pair "from A to B" the line that printed A says what is measured: its last such line must have B. A figure alone says too little of
//! what it counts to be compared with any; but where a command printed it, files were changed, and the same command prints another one in its
//! place, it is stale.

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

/// Share of a figure within which another one may be the same, measured again.
const NEAR: f64 = 0.06;

/// Words of a sentence that tells how something was before.
const BEFORE: &[&str] = &[
    "before",
    "was",
    "were",
    "first",
    "initially",
    "earlier",
    "previously",
    "old",
    "baseline",
    "started",
    "had",
    "instead",
    "would",
];

/// The last figure of a sentence or a row that has a unit, its decimals, and the unit.
fn measured(text: &str) -> Option<(f64, usize, String)> {
    let plain: String = text.chars().map(|c| if matches!(c, '`' | '*' | '~') { ' ' } else { c }).collect();
    let is_unit = |unit: &str| unit.chars().next().is_some_and(|c| c.is_alphabetic() || matches!(c, '%' | 'µ'));
    let (digits, unit) = numbers(&plain).into_iter().rfind(|(_, unit)| is_unit(unit))?;
    let decimals = digits.split_once('.').map_or(0, |(_, own)| own.len());
    let unit = unit.trim_end_matches(['.', ';', ':']).to_owned();
    (digits.len() >= 3).then(|| Some((digits.parse().ok()?, decimals, unit))).flatten()
}

/// Whether two lines say the same of their figures: they begin with the same word and share more than half of the others. Names of files may hold a
/// hash.
fn is_same_line(a: &str, b: &str) -> bool {
    let words = |line: &str| -> Vec<String> {
        let cut = |word: String| word.split('-').next().unwrap_or_default().to_owned();
        label(line).into_iter().map(cut).filter(|it| !it.chars().any(|c| c.is_ascii_digit())).collect()
    };
    let (a, b) = (words(a), words(b));
    let shared = a.iter().filter(|word| b.contains(word)).count();
    !a.is_empty() && a.first() == b.first() && shared * 2 > a.len().max(b.len())
}

/// A figure that an earlier run of a command printed, where the same command prints another one since files were changed.
fn stale(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    let (said, decimals, of) = measured(unit.text)?;
    let all = words(&unit.text.replace(['`', '*', '|'], " "));
    if is_unsaid(&all) || all.iter().any(|word| BEFORE.contains(&word.as_str())) {
        return None;
    }
    let half = 0.5 / 10_f64.powi(i32::try_from(decimals).unwrap_or(0));
    let values = |line: &str| -> Vec<f64> {
        let own = numbers(line).into_iter().filter(|(_, unit)| unit.trim_end_matches(['.', ';', ':']) == of);
        own.filter_map(|(digits, _)| digits.parse().ok()).collect()
    };
    let is_it = |line: &str| values(line).iter().any(|it| (it - said).abs() <= half);
    let lines = || {
        let runs = deeds.iter().filter(|deed| !deed.reads_only && deed.line.is_some());
        runs.flat_map(|deed| printed_lines(&deed.output).map(move |line| (deed, line)))
    };
    let (old, shown) = lines().filter(|(_, line)| is_it(line)).last()?;
    let program = |deed: &Deed| deed.commands.last().map(|(command, _)| command.program().to_owned());
    let again = lines().filter(|(deed, line)| {
        (deed.turn, deed.call) > (old.turn, old.call) && program(deed) == program(old) && is_same_line(shown, line)
    });
    let (deed, line) = again.last()?;
    let last = values(line).first().copied()?;
    let is_edited = deeds.iter().any(|own| {
        (own.turn, own.call) > (old.turn, old.call)
            && (own.turn, own.call) <= (deed.turn, deed.call)
            && own.edits_code()
    });
    let is_near = (last - said).abs() <= NEAR * last.abs().max(said);
    (is_edited && !is_near && !deed.truncated).then(|| {
        let why = format!("an earlier run printed it, and the last one prints {last} {of}");
        Claim::of(unit.span, ClaimKind::Number, ClaimState::Contradicted, why)
            .with(deed.turn, line.trim())
            .with(old.turn, shown.trim())
            .plainly(true)
    })
}

pub(super) fn check(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
    stale(unit, deeds).or_else(|| paired(unit, deeds))
}

fn paired(unit: &Unit<'_>, deeds: &[Deed]) -> Option<Claim> {
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
    // Figures that are near each other may be the same one, rounded or measured again.
    let (said, got) = (second.parse::<f64>().ok()?, last.parse::<f64>().ok()?);
    let near =
        later.iter().any(|(_, _, it)| it.parse::<f64>().is_ok_and(|it| (it - said).abs() <= NEAR * it.abs().max(said)));
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
