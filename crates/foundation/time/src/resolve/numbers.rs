//! Small numbers, ordinals and years, in digits and words.

use super::lex::Lex;
use crate::numeral;

/// The value of one number word below a hundred.
pub(crate) fn unit_word(word: &str) -> Option<u32> {
    Some(match word {
        "zero" | "oh" | "o" => 0,
        "one" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        "seven" => 7,
        "eight" => 8,
        "nine" => 9,
        "ten" => 10,
        "eleven" => 11,
        "twelve" => 12,
        "thirteen" => 13,
        "fourteen" => 14,
        "fifteen" => 15,
        "sixteen" => 16,
        "seventeen" => 17,
        "eighteen" => 18,
        "nineteen" => 19,
        "twenty" => 20,
        "thirty" => 30,
        "forty" | "fourty" => 40,
        "fifty" => 50,
        "sixty" => 60,
        "seventy" => 70,
        "eighty" => 80,
        "ninety" => 90,
        _ => return None,
    })
}

/// A number in words from 0 to 99 at `at`, and where it ends.
pub(crate) fn spoken(lex: &Lex<'_, '_>, at: usize) -> Option<(u32, usize)> {
    let first = unit_word(lex.word(at)).filter(|_| !matches!(lex.word(at), "oh" | "o"))?;
    if first >= 20
        && let next = lex.past_hyphen(at + 1)
        && lex.near(next)
        && let Some(small @ 1..=9) = unit_word(lex.word(next))
    {
        return Some((first + small, next + 1));
    }
    Some((first, at + 1))
}

/// A whole number in at most two digits or in words.
pub(crate) fn small(lex: &Lex<'_, '_>, at: usize) -> Option<(u32, usize)> {
    lex.number(at, 2).map(|number| (number, at + 1)).or_else(|| spoken(lex, at))
}

/// An ordinal from 1 to 31, "21st" or "twenty-first", and where it ends.
pub(crate) fn ordinal(lex: &Lex<'_, '_>, at: usize) -> Option<(u32, usize)> {
    if let Some(number) = lex.number(at, 2) {
        let right = match (number % 10, number / 10) {
            (_, 1) => "th",
            (1, _) => "st",
            (2, _) => "nd",
            (3, _) => "rd",
            _ => "th",
        };
        let suffix = lex.glued(at + 1) && (lex.is(at + 1, right) || lex.is(at + 1, "th"));
        return (suffix && number > 0).then_some((number, at + 2));
    }
    if let Some(number) = numeral::ordinal(lex.word(at)) {
        return Some((number, at + 1));
    }
    let tens = unit_word(lex.word(at)).filter(|tens| matches!(tens, 20 | 30))?;
    let next = lex.past_hyphen(at + 1);
    let small = numeral::ordinal(lex.word(next)).filter(|small| *small < 10 && lex.near(next))?;
    Some((tens + small, next + 1))
}

/// A year of four digits, or one in words: "nineteen seventy eight", "two thousand and eighteen".
pub(crate) fn year(lex: &Lex<'_, '_>, at: usize) -> Option<(i16, usize)> {
    if let Some(digits) = lex.tokens.digits(at) {
        let year: i16 = digits.parse().ok().filter(|year| digits.len() == 4 && (1000..3000).contains(year))?;
        return Some((year, at + 1));
    }
    let (first, next) = spoken(lex, at)?;
    let plain = |value: u32, end: usize| i16::try_from(value).ok().map(|value| (value, end));
    if lex.is(next, "thousand") && (1..=2).contains(&first) {
        let mut value = first * 1000;
        let mut end = next + 1;
        if let Some((hundreds @ 1..=9, place)) = spoken(lex, end)
            && lex.is(place, "hundred")
        {
            value += hundreds * 100;
            end = place + 1;
        }
        let place = if lex.is(end, "and") { end + 1 } else { end };
        if let Some((rest, after)) = spoken(lex, place)
            && rest > 0
        {
            return plain(value + rest, after);
        }
        return plain(value, end);
    }
    // "nineteen seventy eight", "twenty eighteen", "nineteen zero one"
    let century = first;
    if !(11..=20).contains(&century) || next != at + 1 {
        return None;
    }
    let place = lex.past_hyphen(next);
    if matches!(lex.word(place), "zero" | "oh" | "o")
        && let Some((rest @ 1..=9, end)) = spoken(lex, place + 1)
    {
        return plain(century * 100 + rest, end);
    }
    if lex.is(place, "hundred") {
        return plain(century * 100, place + 1);
    }
    let (rest, end) = spoken(lex, place).filter(|(rest, _)| *rest >= 10)?;
    plain(century * 100 + rest, end)
}

/// A year of two digits in the century that makes it likely: up to 30 years ahead of `this_year`, else the past.
pub(crate) fn century_of(two_digits: u32, this_year: i16) -> Option<i16> {
    let two = i16::try_from(two_digits).ok()?;
    let year = this_year - this_year.rem_euclid(100) + two;
    Some(if year > this_year + 30 {
        year - 100
    } else if year <= this_year - 70 {
        year + 100
    } else {
        year
    })
}
