//! Numbers in digits and words, read from tokens.

use rust_decimal::Decimal;

use crate::scan::{Gap, Kind, Tokens};

/// A number of more significant digits than this is not read (a [`Decimal`] holds 96 bits).
pub const SIGNIFICANT_DIGITS_MAX: usize = 28;

/// A number of more separated groups than this ("1,000,000" has three) is not read.
pub const GROUPS_MAX: usize = 12;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Digits alone.
    Integer,
    /// Digits with grouping or a decimal point.
    Digits,
    /// Digits with what is probably a decimal comma ("1,5"): a number only if a unit follows.
    Comma,
    /// Number words, or digits with "and a half".
    Words,
    /// "two thirds", "a quarter", "½", and "half" (value 0.5).
    Fraction,
    /// Digits on both sides of a slash; the value is the quotient.
    Slash,
}

/// A number at some place among the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numeral {
    /// Index of its first token.
    pub first: usize,
    /// Index of the token after it.
    pub end: usize,
    /// Its value, without any magnitude letter or word that follows digits.
    pub value: Decimal,
    /// Size of the last stated digit.
    pub step: Decimal,
    /// How it is written.
    pub form: Form,
}

/// What stands at a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// No number.
    Nothing,
    /// A number.
    Number(Numeral),
    /// Digits that are no number (a version, a list, too long); go on at this index.
    Skip(usize),
}

/// The value of an ordinal of one word in lower case, up to "thirtieth".
#[must_use]
pub fn ordinal(word: &str) -> Option<u32> {
    Some(match word {
        "first" => 1,
        "second" => 2,
        "third" => 3,
        "fourth" => 4,
        "fifth" => 5,
        "sixth" => 6,
        "seventh" => 7,
        "eighth" => 8,
        "ninth" => 9,
        "tenth" => 10,
        "eleventh" => 11,
        "twelfth" | "twelveth" => 12,
        "thirteenth" => 13,
        "fourteenth" => 14,
        "fifteenth" => 15,
        "sixteenth" => 16,
        "seventeenth" => 17,
        "eighteenth" => 18,
        "nineteenth" => 19,
        "twentieth" => 20,
        "thirtieth" => 30,
        _ => return None,
    })
}

/// `word` in ASCII lower case, written into `buffer`; nothing if it is longer than that or not ASCII.
#[must_use]
pub fn lower<'b>(word: &str, buffer: &'b mut [u8]) -> Option<&'b str> {
    let into = buffer.get_mut(..word.len())?;
    into.copy_from_slice(word.as_bytes());
    into.make_ascii_lowercase();
    std::str::from_utf8(into).ok()
}

/// Whether a mark is one of the dashes that join the ends of a range.
#[must_use]
pub const fn is_dash(mark: char) -> bool {
    matches!(mark, '-' | '–' | '—' | '‑' | '−' | '‒')
}

/// Reads the number that begins at token `at`.
#[must_use]
pub fn numeral_at(tokens: &Tokens<'_>, at: usize) -> Found {
    match tokens.get(at).map(|token| token.kind) {
        Some(Kind::Digits) => digits_at(tokens, at),
        Some(Kind::Word) => words_at(tokens, at).map_or(Found::Nothing, Found::Number),
        Some(Kind::Mark(mark)) => vulgar(mark).map_or(Found::Nothing, |value| {
            Found::Number(Numeral { first: at, end: at + 1, value, step: value, form: Form::Fraction })
        }),
        _ => Found::Nothing,
    }
}

/// Whether digits at `at` belong to a name or path: "COVID-19", "#5", "/3", "foo.5".
#[must_use]
pub fn is_embedded(tokens: &Tokens<'_>, at: usize) -> bool {
    if tokens.gap(at) != Gap::None || at == 0 {
        return false;
    }
    let before = at - 1;
    match tokens.list[before].kind {
        Kind::Word => {
            // Letters directly before digits: "Q3", and currency codes, which their own readers look for.
            true
        }
        Kind::Opaque | Kind::Digits => true,
        Kind::Mark('#' | '/' | '\\' | '_' | '&' | '@' | '.') => true,
        Kind::Mark(',' | '\'' | '’' | ':' | '=') => {
            tokens.gap(before) == Gap::None
                && before > 0
                && matches!(tokens.list[before - 1].kind, Kind::Digits | Kind::Opaque)
        }
        Kind::Mark('-' | '‑') => {
            tokens.gap(before) == Gap::None
                && before > 0
                && matches!(tokens.list[before - 1].kind, Kind::Word | Kind::Opaque | Kind::Mark(')' | ']'))
        }
        Kind::Mark(_) => false,
    }
}

/// The value of a vulgar fraction character.
fn vulgar(mark: char) -> Option<Decimal> {
    let (over, under) = match mark {
        '½' => (1, 2),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '⅕' => (1, 5),
        '⅛' => (1, 8),
        _ => return None,
    };
    Some(Decimal::from(over) / Decimal::from(under))
}

fn digits_at(tokens: &Tokens<'_>, at: usize) -> Found {
    let mut groups = [""; GROUPS_MAX];
    let mut separators = [' '; GROUPS_MAX];
    let mut count = 0;
    let mut next = at;
    // No space grouping after a capitalised word: "Phase 1 200 people".
    let previous = at.checked_sub(1).map_or("", |before| tokens.word(before));
    let named = previous.starts_with(|first: char| first.is_uppercase())
        && !(previous.len() == 3 && previous.bytes().all(|byte| byte.is_ascii_uppercase()));
    let mut separator = ' ';
    while let Some(digits) = tokens.digits(next) {
        if count < GROUPS_MAX {
            groups[count] = digits;
            separators[count] = separator;
        }
        count += 1;
        next += 1;
        match tokens.mark(next) {
            Some(mark @ (',' | '.' | '\'' | '’'))
                if tokens.gap(next) == Gap::None
                    && tokens.gap(next + 1) == Gap::None
                    && tokens.digits(next + 1).is_some() =>
            {
                separator = if mark == '’' { '\'' } else { mark };
                next += 1;
            }
            None if tokens.gap(next) == Gap::Space
                && !named
                && separator == ' '
                && groups[0].len() <= 3
                && !groups[0].starts_with('0')
                && tokens.digits(next).is_some_and(|group| group.len() == 3) => {}
            _ => break,
        }
    }
    if count > GROUPS_MAX {
        return Found::Skip(next);
    }
    let (groups, separators) = (&groups[..count], &separators[1.min(count)..count]);
    let Some((scale, form)) = layout(groups, separators) else {
        return Found::Skip(next);
    };
    let mut mantissa: i128 = 0;
    let mut significant = 0;
    for byte in groups.iter().flat_map(|group| group.bytes()) {
        if significant > 0 || byte != b'0' {
            significant += 1;
        }
        if significant > SIGNIFICANT_DIGITS_MAX {
            return Found::Skip(next);
        }
        mantissa = mantissa * 10 + i128::from(byte - b'0');
    }
    if scale > SIGNIFICANT_DIGITS_MAX {
        return Found::Skip(next);
    }
    let scale = scale as u32;
    let (Ok(value), Ok(step)) =
        (Decimal::try_from_i128_with_scale(mantissa, scale), Decimal::try_from_i128_with_scale(1, scale))
    else {
        return Found::Skip(next);
    };
    let numeral = Numeral { first: at, end: next, value, step, form };
    if form == Form::Integer { with_fraction(tokens, numeral) } else { Found::Number(numeral) }
}

/// How many decimals digit groups with these separators have, and how they are written; nothing if they are no number.
fn layout(groups: &[&str], separators: &[char]) -> Option<(usize, Form)> {
    let Some((&last_separator, heads)) = separators.split_last() else {
        return Some((0, Form::Integer));
    };
    let last = groups.last()?;
    let threes = |groups: &[&str]| groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3);
    let indian = |groups: &[&str]| {
        groups.len() >= 3
            && groups[0].len() <= 2
            && groups[groups.len() - 1].len() == 3
            && groups[1..groups.len() - 1].iter().all(|group| group.len() == 2)
    };
    let same = |separators: &[char], wanted: char| separators.iter().all(|&separator| separator == wanted);
    // All one separator.
    if same(heads, last_separator) {
        return match last_separator {
            ',' if threes(groups) || indian(groups) => Some((0, Form::Digits)),
            ',' if groups.len() == 2 && last.len() <= 2 => Some((last.len(), Form::Comma)),
            '.' if groups.len() == 2 => Some((last.len(), Form::Digits)),
            '.' | '\'' | ' ' if threes(groups) => Some((0, Form::Digits)),
            _ => None,
        };
    }
    let whole = &groups[..groups.len() - 1];
    let grouping = *heads.first()?;
    let grouped = same(heads, grouping) && (threes(whole) || (grouping == ',' && indian(whole)));
    let decimals = match (grouping, last_separator) {
        (',' | '\'' | ' ', '.') | ('.' | ' ' | '\'', ',') => grouped,
        _ => false,
    };
    decimals.then_some((last.len(), Form::Digits))
}

/// An integer with what may follow it: "½", "1/2", "/25", "and a half".
fn with_fraction(tokens: &Tokens<'_>, whole: Numeral) -> Found {
    let next = whole.end;
    if let Some(value) = tokens.mark(next).and_then(vulgar)
        && tokens.gap(next) <= Gap::Space
    {
        return added(whole, value, next + 1);
    }
    if tokens.mark(next) == Some('/') && tokens.gap(next) == Gap::None && tokens.gap(next + 1) == Gap::None {
        let Some(under) = tokens.digits(next + 1) else {
            return Found::Number(whole);
        };
        let mut end = next + 2;
        while tokens.mark(end) == Some('/') && tokens.digits(end + 1).is_some() && tokens.gap(end) == Gap::None {
            end += 2;
        }
        let under = if under.len() <= 6 { under.parse::<u32>().unwrap_or(0) } else { 0 };
        if end > next + 2 || under == 0 {
            return Found::Skip(end);
        }
        return match whole.value.checked_div(Decimal::from(under)) {
            Some(value) => Found::Number(Numeral {
                end,
                value,
                step: Decimal::ONE / Decimal::from(under),
                form: Form::Slash,
                ..whole
            }),
            None => Found::Skip(end),
        };
    }
    if tokens.gap(next) == Gap::Space
        && tokens.mark(next + 1) == Some('/')
        && tokens.gap(next + 1) == Gap::None
        && let (Some(over), Some(under)) = (small(tokens, next), small(tokens, next + 2))
        && over < under
        && under <= 10
        && whole.value < Decimal::from(1000)
    {
        return added(whole, Decimal::from(over) / Decimal::from(under), next + 3);
    }
    match and_a_half(tokens, next) {
        Some((value, end)) => added(whole, value, end),
        None => Found::Number(whole),
    }
}

fn small(tokens: &Tokens<'_>, at: usize) -> Option<u32> {
    tokens.digits(at).filter(|digits| digits.len() <= 2)?.parse().ok()
}

fn added(whole: Numeral, value: Decimal, end: usize) -> Found {
    match whole.value.checked_add(value) {
        Some(sum) => Found::Number(Numeral { end, value: sum, step: value, form: Form::Words, ..whole }),
        None => Found::Skip(end),
    }
}

/// "and a half", "and a quarter" at `at`, perhaps hyphenated.
fn and_a_half(tokens: &Tokens<'_>, at: usize) -> Option<(Decimal, usize)> {
    let skip = |index: usize| if tokens.mark(index) == Some('-') { index + 1 } else { index };
    let at = skip(at);
    if !tokens.is_word(at, "and") {
        return None;
    }
    let article = skip(at + 1);
    if !tokens.is_word(article, "a") {
        return None;
    }
    let part = skip(article + 1);
    let value = if tokens.is_word(part, "half") {
        Decimal::new(5, 1)
    } else if tokens.is_word(part, "quarter") {
        Decimal::new(25, 2)
    } else {
        return None;
    };
    Some((value, part + 1))
}

/// A number word on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordValue {
    /// zero to nineteen
    Small(i64),
    /// twenty to ninety
    Tens(i64),
    Hundred,
    Dozen,
    /// thousand, million, …
    Scale(i64),
}

fn word_value(word: &str) -> Option<WordValue> {
    use WordValue::{Dozen, Hundred, Scale, Small, Tens};
    if !(3..=9).contains(&word.len()) {
        return None;
    }
    let mut buffer = [0; 9];
    Some(match lower(word, &mut buffer)? {
        "zero" => Small(0),
        "one" => Small(1),
        "two" => Small(2),
        "three" => Small(3),
        "four" => Small(4),
        "five" => Small(5),
        "six" => Small(6),
        "seven" => Small(7),
        "eight" => Small(8),
        "nine" => Small(9),
        "ten" => Small(10),
        "eleven" => Small(11),
        "twelve" => Small(12),
        "thirteen" => Small(13),
        "fourteen" => Small(14),
        "fifteen" => Small(15),
        "sixteen" => Small(16),
        "seventeen" => Small(17),
        "eighteen" => Small(18),
        "nineteen" => Small(19),
        "twenty" => Tens(20),
        "thirty" => Tens(30),
        "forty" | "fourty" => Tens(40),
        "fifty" => Tens(50),
        "sixty" => Tens(60),
        "seventy" => Tens(70),
        "eighty" => Tens(80),
        "ninety" => Tens(90),
        "hundred" => Hundred,
        "dozen" => Dozen,
        "thousand" => Scale(1_000),
        "lakh" => Scale(100_000),
        "million" => Scale(1_000_000),
        "crore" => Scale(10_000_000),
        "billion" => Scale(1_000_000_000),
        "trillion" => Scale(1_000_000_000_000),
        _ => return None,
    })
}

/// The value of a number in one word, from "zero" to "twenty", in any case.
#[must_use]
pub fn small_cardinal(word: &str) -> Option<u8> {
    match word_value(word)? {
        WordValue::Small(value) | WordValue::Tens(value @ 20) => u8::try_from(value).ok(),
        _ => None,
    }
}

/// The size that a magnitude word gives digits before it ("10.5 million"): thousand, million, lakh, …
#[must_use]
pub fn magnitude_word(word: &str) -> Option<Decimal> {
    match word_value(word)? {
        WordValue::Scale(scale) => Some(Decimal::from(scale)),
        WordValue::Hundred => Some(Decimal::ONE_HUNDRED),
        WordValue::Dozen => Some(Decimal::from(12)),
        _ => None,
    }
}

/// The token after a blank or a hyphen at `at`, on the same line or the next.
fn joined(tokens: &Tokens<'_>, at: usize) -> usize {
    let hyphen = tokens.mark(at).is_some_and(|mark| mark == '-' || mark == '‑')
        && tokens.gap(at) == Gap::None
        && tokens.gap(at + 1) == Gap::None;
    if hyphen { at + 1 } else { at }
}

fn words_at(tokens: &Tokens<'_>, at: usize) -> Option<Numeral> {
    let first = tokens.word(at);
    if first.len() > 9 {
        return None;
    }
    if first.eq_ignore_ascii_case("half") {
        return half_at(tokens, at);
    }
    let mut next = at;
    let article = first.eq_ignore_ascii_case("a") || first.eq_ignore_ascii_case("an");
    let mut current: i64 = 0;
    let mut total: i64 = 0;
    let mut step: i64 = 1;
    let mut least_scale = i64::MAX;
    let mut last = None;
    if article {
        next += 1;
        match word_value(tokens.word(next)) {
            Some(WordValue::Hundred | WordValue::Scale(_) | WordValue::Dozen) => current = 1,
            _ => return fraction_of(tokens, at),
        }
    }
    let mut end = next;
    loop {
        // "and" joins only what is below a hundred: "two hundred and fifty".
        let mut place = next;
        if tokens.is_word(place, "and")
            && matches!(last, Some(WordValue::Hundred | WordValue::Scale(_)))
            && matches!(word_value(tokens.word(place + 1)), Some(WordValue::Small(_) | WordValue::Tens(_)))
        {
            place += 1;
        }
        let Some(value) = word_value(tokens.word(place)) else { break };
        let below = current % 100;
        match value {
            WordValue::Small(0) if last.is_none() => {}
            WordValue::Small(small @ 1..=9) if below == 0 || (below >= 20 && below % 10 == 0) => current += small,
            WordValue::Small(small) if below == 0 && small >= 10 => current += small,
            WordValue::Tens(tens) if below == 0 && (last.is_none() || current != 0 || total != 0) => current += tens,
            WordValue::Hundred if (1..100).contains(&current) => current *= 100,
            WordValue::Scale(scale) if current > 0 && scale < least_scale => {
                total = total.checked_add(current.checked_mul(scale)?)?;
                current = 0;
                least_scale = scale;
            }
            WordValue::Dozen if current > 0 && total == 0 && current < 100 => {
                current *= 12;
                end = place + 1;
                step = 12;
                break;
            }
            _ => break,
        }
        step = match value {
            WordValue::Hundred => 100,
            WordValue::Scale(scale) => scale,
            _ => 1,
        };
        last = Some(value);
        end = place + 1;
        if matches!(value, WordValue::Small(0)) {
            break;
        }
        next = joined(tokens, end);
        if tokens.gap(next) > Gap::Space && tokens.gap(next) != Gap::Line {
            break;
        }
    }
    if end == at || (article && end == at + 1) {
        return None;
    }
    let whole = total.checked_add(current)?;
    let mut numeral =
        Numeral { first: at, end, value: Decimal::from(whole), step: Decimal::from(step), form: Form::Words };
    if (1..=9).contains(&whole)
        && let Some(under) = denominator(tokens.word(joined(tokens, end)), whole > 1)
    {
        // "one quarter" and "three quarters" can be lengths of time: parts only where "of" follows.
        let end_part = joined(tokens, end) + 1;
        if under != 4 || tokens.is_word(end_part, "of") {
            numeral.end = end_part;
            numeral.value /= Decimal::from(under);
            numeral.step = Decimal::ONE / Decimal::from(under);
            numeral.form = Form::Fraction;
            return Some(numeral);
        }
    }
    if let Some((value, end)) = and_a_half(tokens, end) {
        numeral.value += value;
        numeral.step = value;
        numeral.end = end;
    }
    Some(numeral)
}

/// "half", and "half a million".
fn half_at(tokens: &Tokens<'_>, at: usize) -> Option<Numeral> {
    let half = Decimal::new(5, 1);
    if tokens.is_word(at + 1, "a")
        && let Some(scale) = magnitude_word(tokens.word(at + 2))
    {
        return Some(Numeral { first: at, end: at + 3, value: half * scale, step: half * scale, form: Form::Words });
    }
    Some(Numeral { first: at, end: at + 1, value: half, step: half, form: Form::Fraction })
}

/// "a third of", "a quarter of".
fn fraction_of(tokens: &Tokens<'_>, at: usize) -> Option<Numeral> {
    let under = denominator(tokens.word(at + 1), false)?;
    if !tokens.is_word(at + 2, "of") {
        return None;
    }
    let value = Decimal::ONE / Decimal::from(under);
    Some(Numeral { first: at, end: at + 2, value, step: value, form: Form::Fraction })
}

fn denominator(word: &str, plural: bool) -> Option<i64> {
    let mut buffer = [0; 9];
    let word = lower(word, &mut buffer)?;
    let word = if plural { word.strip_suffix('s')? } else { word };
    Some(match word {
        "third" => 3,
        "quarter" | "fourth" => 4,
        "fifth" => 5,
        "sixth" => 6,
        "eighth" => 8,
        "tenth" => 10,
        _ => return None,
    })
}

/// The token after what joins the two ends of a range at `at`: a dash, "to", "or" between neighbours; after
/// "between" also "and".
#[must_use]
pub fn range_joint(tokens: &Tokens<'_>, at: usize, first: usize) -> Option<usize> {
    if let Some(mark) = tokens.mark(at) {
        // "three-to-five-year", "3- to 5-year"
        if mark == '-' && tokens.gap(at) == Gap::None && tokens.is_word(at + 1, "to") {
            return Some(at + 2 + usize::from(tokens.mark(at + 2) == Some('-')));
        }
        let even = (tokens.gap(at) == Gap::None) == (tokens.gap(at + 1) == Gap::None) && tokens.gap(at) <= Gap::Space;
        return (is_dash(mark) && even).then_some(at + 1);
    }
    if tokens.gap(at) == Gap::None {
        return None;
    }
    let between = first > 0 && tokens.is_word(first - 1, "between");
    let joint = tokens.is_word(at, "to") || tokens.is_word(at, "through") || (between && tokens.is_word(at, "and"));
    joint.then_some(at + 1)
}
