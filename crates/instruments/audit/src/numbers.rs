//! The numbers of a text as they are written, whatever they count.

use std::ops::Range;

use rust_decimal::Decimal;

/// The numbers of a text, without the marks that group their digits.
pub(crate) fn numbers(text: &str) -> Vec<Decimal> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}');
    let mut found = Vec::new();
    for run in text.split(|c: char| !is_part(c)) {
        let run = run.trim_matches(|c: char| !c.is_ascii_digit());
        let mut digits = String::new();
        let groups: Vec<&str> = run.split([',', '\'', '’', ' ', '\u{a0}', '\u{202f}']).collect();
        let grouped = groups.len() > 1
            && groups[1..].iter().all(|group| group.split('.').next().is_some_and(|own| own.len() == 3));
        if grouped || groups.len() == 1 {
            digits.extend(groups);
            found.extend(digits.parse::<Decimal>().ok().map(|own| own.normalize()));
        } else {
            found.extend(groups.iter().filter_map(|group| group.parse::<Decimal>().ok()).map(|own| own.normalize()));
        }
    }
    found
}

/// Whether words of the answer say every number of what is asked. `met` are parts of `asked` whose value was compared and is kept, in whatever
/// notation. A number in a name ("FR-001", "p95") and one that only numbers an item are none.
pub(crate) fn are_said(asked: &str, met: &[Range<usize>], said: &str) -> bool {
    let mut open = String::with_capacity(asked.len());
    for (at, own) in asked.char_indices() {
        open.push(if met.iter().any(|range| range.contains(&at)) { ' ' } else { own });
    }
    let is_name = |word: &str| word.chars().any(char::is_alphabetic);
    let is_label = |at: usize, word: &str| at == 0 && word.ends_with(['.', ')']);
    let words = open.split_whitespace().enumerate().filter(|(at, word)| !is_name(word) && !is_label(*at, word));
    let wanted = words.flat_map(|(_, word)| numbers(word));
    let said = numbers(said);
    wanted.into_iter().all(|number| said.contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_or_not() {
        assert!(are_said("open 10-22 on weekdays", &[], "On weekdays we open from 10 to 22."));
        assert!(!are_said("open 10-22 on weekdays", &[], "On weekdays we open from 10 to 21."));
        assert!(are_said("**FR-001** reads p95 at 12,000 rows", &[], "It reads 12000 rows."));
        assert!(are_said("2. read the file", &[], "The file is read."));
        let date = 3..11;
        assert!(are_said("by 31 March", std::slice::from_ref(&date), "by 31/03"));
        assert!(!are_said("within 3 months", &[], "soon"));
    }
}
