//! One side of a quantity: sign, currency, number, magnitude, unit.

use rust_decimal::Decimal;
use steadfast_time::Bound;
use steadfast_time::bound::stance_after;
use steadfast_time::numeral::{Form, Found, Numeral, is_embedded, magnitude_word, numeral_at};
use steadfast_time::scan::{Gap, Kind, Tokens};

use crate::currency::{Currency, from_adjective, from_code, from_dollar_prefix, from_sign, from_word};
use crate::measure::{measure, measure_pair};
use crate::quantity::Unit;

/// A single value, or one end of a range.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// First token, with sign and currency.
    pub(crate) first: usize,
    /// First token of the number.
    pub(crate) number: usize,
    /// Token after the number and its magnitude.
    pub(crate) number_end: usize,
    /// Token after the unit.
    pub(crate) end: usize,
    pub(crate) value: Decimal,
    pub(crate) step: Decimal,
    pub(crate) scaled: bool,
    pub(crate) unit: Option<Unit>,
    pub(crate) form: Form,
    pub(crate) bound: Bound,
    pub(crate) approximate: bool,
}

pub(crate) enum Read {
    Nothing,
    Skip(usize),
    Side(Side),
}

/// The currency before a number at `at`, and the token of the number.
fn currency_before(tokens: &Tokens<'_>, at: usize) -> Option<(Currency, usize)> {
    let token = tokens.get(at)?;
    let number = |next: usize, currency: Currency| {
        let near = tokens.gap(next) <= Gap::Space;
        let starts =
            tokens.digits(next).is_some() || (tokens.mark(next) == Some('.') && tokens.digits(next + 1).is_some());
        (near && starts).then_some((currency, next))
    };
    match token.kind {
        Kind::Mark(sign) => number(at + 1, from_sign(sign)?),
        Kind::Word => {
            let word = &tokens.text[token.start..token.end];
            if word.len() > 3 {
                return None;
            }
            if let Some(sign) = tokens.mark(at + 1)
                && tokens.gap(at + 1) == Gap::None
                && let Some(plain) = from_sign(sign)
            {
                let named = if sign == '$' { from_dollar_prefix(word) } else { None };
                // "RM¥" and the like stay with their sign; "CHF$" is not money we know.
                return number(
                    at + 2,
                    named.or_else(|| (word.len() == 3).then(|| from_code(word)).flatten()).unwrap_or(plain),
                );
            }
            let currency = match word {
                "kr" | "Kr" => Currency::Krone,
                "Rs" => Currency::Iso("INR"),
                _ => from_code(word)?,
            };
            let next = at + 1 + usize::from(word == "Rs" && tokens.mark(at + 1) == Some('.'));
            number(next, currency).or_else(|| {
                // "DKK ~5 million"
                let sign = matches!(tokens.mark(next), Some('~' | '≈' | '-'));
                if sign { number(next + 1, currency) } else { None }
            })
        }
        _ => None,
    }
}

/// The size of a magnitude letter or short word directly or one blank after digits.
fn magnitude(tokens: &Tokens<'_>, at: usize, numeral: &Numeral, money: bool) -> Option<(Decimal, usize)> {
    let word = tokens.word(at);
    if word.is_empty() || tokens.gap(at) > Gap::Space && tokens.gap(at) != Gap::Line {
        return None;
    }
    if tokens.gap(at) != Gap::None || money {
        if let Some(size) = magnitude_word(word) {
            // "1.2 lakh crore"
            let second = magnitude_word(tokens.word(at + 1)).and_then(|second| size.checked_mul(second));
            return Some(second.map_or((size, at + 1), |size| (size, at + 2)));
        }
        let short: i64 = match word {
            "mio" | "Mio" | "mln" | "mn" | "MM" | "mill" => 1_000_000,
            "bn" | "Bn" | "mia" | "mrd" | "Mrd" => 1_000_000_000,
            "m" | "M" if money && tokens.gap(at) == Gap::None => 1_000_000,
            "M" if money => 1_000_000,
            "B" | "b" if money => 1_000_000_000,
            "tn" | "trn" => 1_000_000_000_000,
            "k" | "K" if money => 1_000,
            "T" if money && tokens.gap(at) == Gap::None => 1_000_000_000_000,
            _ => 0,
        };
        if short > 0 {
            let dot = matches!(word, "mio" | "Mio" | "mln" | "mia")
                && tokens.mark(at + 1) == Some('.')
                && tokens.gap(at + 1) == Gap::None
                && tokens
                    .word(at + 2)
                    .starts_with(|first: char| first.is_lowercase() || word.len() == 3 && first.is_uppercase());
            return Some((Decimal::from(short), at + 1 + usize::from(dot)));
        }
        return None;
    }
    let money_after = || from_code(tokens.word(at + 1)).is_some() || tokens.mark(at + 1).and_then(from_sign).is_some();
    // "4K" and "8K" are kinds of pictures.
    let picture = word == "K"
        && numeral.form == Form::Integer
        && [2, 4, 5, 8].iter().any(|&kind| numeral.value == Decimal::from(kind))
        && !money_after();
    if picture {
        return None;
    }
    let size: i64 = match word {
        "k" | "K" => 1_000,
        "M" | "mn" | "mln" | "mio" | "Mio" => 1_000_000,
        "m" if money_after() => 1_000_000,
        "B" | "bn" | "Bn" => 1_000_000_000,
        "tn" => 1_000_000_000_000,
        _ => return None,
    };
    Some((Decimal::from(size), at + 1))
}

/// The unit after a number at `at` (currency, per cent, measure, factor, ordinal), and the token after it.
fn unit_after(tokens: &Tokens<'_>, at: usize, words: bool) -> Option<(Unit, usize, i64)> {
    let gap = tokens.gap(at);
    if gap == Gap::Wide {
        return None;
    }
    if let Some(mark) = tokens.mark(at) {
        if gap == Gap::Line {
            return None;
        }
        if mark == '%' {
            let point = at + 1;
            if matches!(tokens.word(point), "points" | "point" | "pts") && tokens.gap(point) == Gap::Space {
                return Some((Unit::PercentagePoints, point + 1, 100));
            }
            return Some((Unit::Percent, at + 1, 100));
        }
        if mark == '×' && gap == Gap::None && tokens.digits(at + 1).is_none() {
            return Some((Unit::Ratio, at + 1, 100));
        }
        let hyphenated = matches!(mark, '-' | '‑') && gap == Gap::None && tokens.gap(at + 1) == Gap::None;
        if hyphenated {
            let word = tokens.word(at + 1);
            if word == "fold" {
                return Some((Unit::Ratio, at + 2, 100));
            }
            if word == "percent" {
                return Some((Unit::Percent, at + 2, 100));
            }
            if let Some((currency, size)) = from_word(word) {
                return Some((Unit::Money(currency), at + 2, size));
            }
            return measure(word, false).filter(|_| word.len() > 1).map(|symbol| (Unit::Measure(symbol), at + 2, 100));
        }
        // "500 €", "500$"
        if let Some(currency) = from_sign(mark)
            && (gap == Gap::None || mark != '$')
            && !(tokens.gap(at + 1) == Gap::None && tokens.digits(at + 1).is_some())
        {
            return Some((Unit::Money(currency), at + 1, 100));
        }
        return None;
    }
    let word = tokens.str(at);
    if word.is_empty() || word.len() > 14 {
        return None;
    }
    let attached = gap == Gap::None;
    let next = tokens.word(at + 1);
    if attached && words {
        return None;
    }
    let unit = match word {
        "percent" | "pct" | "Percent" => Unit::Percent,
        "per" if matches!(next, "cent") => return Some((Unit::Percent, at + 2, 100)),
        "percentage" if matches!(next, "points" | "point") => return Some((Unit::PercentagePoints, at + 2, 100)),
        "pp" | "ppt" | "ppts" => Unit::PercentagePoints,
        "x" | "X" if attached => Unit::Ratio,
        "fold" if !attached => Unit::Ratio,
        "st" | "nd" | "rd" | "th" if attached => Unit::Ordinal,
        "times" => Unit::Ratio,
        _ => {
            if let Some(currency) = from_code(word) {
                return Some((Unit::Money(currency), at + 1, 100));
            }
            if let Some(currency) = from_adjective(word, next) {
                return Some((Unit::Money(currency), at + 2, 100));
            }
            if word == "Hong" && next == "Kong" && from_adjective("Kong", tokens.word(at + 2)).is_some() {
                return Some((Unit::Money(Currency::Iso("HKD")), at + 3, 100));
            }
            if word == "US" && tokens.mark(at + 1) == Some('$') && tokens.gap(at + 1) == Gap::None {
                return Some((Unit::Money(Currency::Iso("USD")), at + 2, 100));
            }
            if !attached && let Some((currency, size)) = from_word(word) {
                return Some((Unit::Money(currency), at + 1, size));
            }
            if let Some(symbol) = measure_pair(word, next) {
                return Some((Unit::Measure(symbol), at + 2, 100));
            }
            // A lone "m" on the next line, or "g)" of a list, is no unit.
            let symbol = measure(word, attached).filter(|_| word.len() > 1 || gap != Gap::Line)?;
            if symbol == "km" && tokens.mark(at + 1) == Some('/') && next.is_empty() && tokens.word(at + 2) == "h" {
                return Some((Unit::Measure("km/h"), at + 3, 100));
            }
            return Some((Unit::Measure(symbol), at + 1, 100));
        }
    };
    Some((unit, at + 1, 100))
}

/// Reads sign, currency, number, magnitude and unit from token `at` on. `second`: after the dash of a range, where the
/// digits do not look detached.
pub(crate) fn side_at(tokens: &Tokens<'_>, at: usize, second: bool) -> Read {
    let mut number = at;
    let mut negative = false;
    if !second
        && matches!(tokens.mark(at), Some('-' | '−' | '–'))
        && tokens.gap(at + 1) == Gap::None
        && (tokens.gap(at) != Gap::None || at.checked_sub(1).and_then(|before| tokens.mark(before)) == Some('('))
    {
        negative = true;
        number += 1;
    }
    let mut currency = None;
    let mut approximate = false;
    if let Some((found, next)) = currency_before(tokens, number) {
        currency = Some(found);
        approximate = next > number + 1 && matches!(tokens.mark(next - 1), Some('~' | '≈'));
        number = next;
    } else if negative && tokens.digits(number).is_none() {
        return Read::Nothing;
    }
    // "$.50"
    let numeral = match numeral_at(tokens, number) {
        Found::Nothing => return Read::Nothing,
        Found::Skip(next) => return Read::Skip(next),
        Found::Number(numeral) => numeral,
    };
    if currency.is_none() && !negative && !second && tokens.digits(number).is_some() && is_embedded(tokens, number) {
        return Read::Skip(numeral.end);
    }
    let mut side = Side {
        first: at,
        number,
        number_end: numeral.end,
        end: numeral.end,
        value: numeral.value,
        step: numeral.step,
        scaled: false,
        unit: currency.map(Unit::Money),
        form: numeral.form,
        bound: Bound::Exact,
        approximate,
    };
    let digits = !matches!(numeral.form, Form::Words | Form::Slash);
    if digits && let Some((size, end)) = magnitude(tokens, numeral.end, &numeral, currency.is_some()) {
        match (side.value.checked_mul(size), side.step.checked_mul(size)) {
            (Some(value), Some(step)) => (side.value, side.step) = (value, step),
            _ => return Read::Skip(end),
        }
        side.scaled = true;
        side.number_end = end;
        side.end = end;
    }
    let plus = stance_after(tokens, side.end);
    let worded = tokens.is_word(side.end, "or");
    if plus.bound != Bound::Exact && (tokens.mark(side.end) == Some('+') || worded) {
        side.bound = plus.bound;
        side.end = plus.edge;
    }
    let spelled = numeral.form == Form::Words;
    if let Some((unit, end, hundredths)) = unit_after(tokens, side.end, spelled) {
        // "$500 USD", "US$5 million dollars": the second says the same or more.
        let fits = match (&side.unit, &unit) {
            (None, _) => true,
            (Some(Unit::Money(own)), Unit::Money(other)) => {
                own.matches(*other) || *own == Currency::Dollar && other.code().ends_with('D')
            }
            _ => false,
        };
        if fits {
            if hundredths != 100 {
                side.value /= Decimal::from(100 / hundredths);
                side.step /= Decimal::from(100 / hundredths);
            }
            side.unit = Some(unit);
            side.end = end;
        }
    }
    // Letters that are no unit make a name of it: "3D", "5G", "20s".
    let glued = tokens.get(side.end).is_some_and(|token| {
        token.gap == Gap::None
            && side.end == side.number_end
            && matches!(token.kind, Kind::Word | Kind::Opaque | Kind::Digits)
    });
    let comma = numeral.form == Form::Comma && side.unit.is_none() && !side.scaled;
    if glued || comma {
        return Read::Skip(side.end + usize::from(glued));
    }
    if negative {
        side.value = -side.value;
    }
    Read::Side(side)
}
