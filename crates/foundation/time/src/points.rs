//! One end of a date expression: a day, a month, a quarter, a year, or a part of one.

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::dates::{DateGrain, DateValue, DateWindow, MonthDay};
use crate::months::month;
use crate::numeral::lower;
use crate::scan::{Gap, Kind, Tokens};

/// One end of a date expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) first: usize,
    pub(crate) end: usize,
    pub(crate) value: DateValue,
    pub(crate) alternative: Option<DateValue>,
    pub(crate) grain: DateGrain,
    /// Whether it is a date on its own, without a preposition or a second end.
    pub(crate) sure: bool,
}

/// Years outside these are not read without a strong preposition; outside 1000 to 2999 never.
const LIKELY_YEARS: std::ops::RangeInclusive<i16> = 1900..=2100;

pub(crate) fn window(first: Date, last: Date) -> DateValue {
    DateValue::Window(DateWindow { first, last })
}

fn days(year: i16, from: i8, to: i8) -> Option<DateValue> {
    let first = Date::new(year, from, 1).ok()?;
    let last = Date::new(year, to, 1).ok()?.last_of_month();
    Some(window(first, last))
}

pub(crate) fn year_window(year: i16) -> Option<DateValue> {
    days(year, 1, 12)
}

/// A run of exactly four digits as a year.
pub(crate) fn year_at(tokens: &Tokens<'_>, at: usize) -> Option<i16> {
    let digits = tokens.digits(at).filter(|digits| digits.len() == 4)?;
    let year: i16 = digits.parse().ok()?;
    (1000..3000).contains(&year).then_some(year)
}

pub(crate) fn is_likely_year(year: i16) -> bool {
    LIKELY_YEARS.contains(&year)
}

/// One or two digits as a number.
fn short(tokens: &Tokens<'_>, at: usize) -> Option<i8> {
    tokens.digits(at).filter(|digits| digits.len() <= 2)?.parse().ok()
}

/// Whether the digits at `at` go on as another number: "2,000", "3.5", "20%", "5kg".
pub(crate) fn goes_on(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = at + 1;
    match tokens.get(next).map(|token| token.kind) {
        Some(Kind::Mark('%')) => true,
        Some(Kind::Mark('.' | ',' | ':' | '/')) if tokens.gap(next) == Gap::None => {
            tokens.gap(next + 1) == Gap::None && tokens.digits(next + 1).is_some()
        }
        Some(Kind::Word | Kind::Opaque | Kind::Digits) => tokens.gap(next) == Gap::None,
        _ => false,
    }
}

/// The date end that begins at `at`, if one does.
pub(crate) fn point_at(tokens: &Tokens<'_>, at: usize) -> Option<Point> {
    let token = tokens.get(at)?;
    match token.kind {
        Kind::Digits => numeric_at(tokens, at),
        Kind::Word => {
            let word = &tokens.text[token.start..token.end];
            if let Some(number) = month(word) {
                return month_at(tokens, at, word, number);
            }
            named_at(tokens, at, word)
        }
        _ => None,
    }
}

/// What begins with digits: ISO and slashed dates, "10 March 2026", "2026 Q3", "2030s", a year.
fn numeric_at(tokens: &Tokens<'_>, at: usize) -> Option<Point> {
    let digits = tokens.digits(at)?;
    if digits.len() == 4 {
        return year_first_at(tokens, at);
    }
    let day = short(tokens, at).filter(|day| (1..=31).contains(day))?;
    let gapless = |index: usize| tokens.gap(index) == Gap::None;
    if let Some(mark @ ('/' | '.' | '-')) = tokens.mark(at + 1)
        && gapless(at + 1)
        && gapless(at + 2)
    {
        let same = tokens.mark(at + 3) == Some(mark) && gapless(at + 3) && gapless(at + 4);
        let year = if same { year_at(tokens, at + 4) } else { None };
        if let (Some(second), Some(year)) = (short(tokens, at + 2), year) {
            if goes_on(tokens, at + 4) && !tokens.is_word(at + 5, "T") {
                return None;
            }
            let one = |month: i8, day: i8| Date::new(year, month, day).ok().map(|date| window(date, date));
            let day_first = one(second, day);
            let month_first = if mark == '.' || second == day { None } else { one(day, second) };
            let (value, alternative) = match (day_first, month_first) {
                (Some(value), alternative) => (value, alternative),
                (None, Some(value)) => (value, None),
                (None, None) => return None,
            };
            return Some(Point { first: at, end: at + 5, value, alternative, grain: DateGrain::Day, sure: true });
        }
        // "10-Mar-2026", "10/Mar/2026"
        if let (Some(number), Some(year)) = (month(tokens.word(at + 2)), year) {
            return one_day(at, at + 5, year, number, day);
        }
        return None;
    }
    let mut next = at + 1;
    let mut ordinal = false;
    if gapless(next) && matches!(tokens.word(next), "st" | "nd" | "rd" | "th") {
        next += 1;
        ordinal = true;
    }
    if tokens.is_word(next, "of") && ordinal {
        next += 1;
    }
    let name = tokens.word(next);
    let number = month(name)?;
    if gapless(next) || (number == 5 && name == "MAY") {
        return None;
    }
    next = past_abbreviation(tokens, next, name);
    if let Some((year, end)) = year_after(tokens, next) {
        return one_day(at, end, year, number, day);
    }
    // "10 May" is a day, "the 3 May" of a list too; "Phase 2 March" is not.
    let value = yearless(number, Some(day))?;
    Some(Point { first: at, end: next, value, alternative: None, grain: DateGrain::Day, sure: true })
}

fn one_day(first: usize, end: usize, year: i16, month: i8, day: i8) -> Option<Point> {
    let date = Date::new(year, month, day).ok()?;
    Some(Point { first, end, value: window(date, date), alternative: None, grain: DateGrain::Day, sure: true })
}

pub(crate) fn yearless(month: i8, day: Option<i8>) -> Option<DateValue> {
    if let Some(day) = day {
        Date::new(2024, month, day).ok()?;
    }
    let point = MonthDay { month, day };
    Some(DateValue::Yearless { from: point, to: point })
}

/// The token after a month's name at `at`, past the dot of an abbreviation ("Mar. 2026") unless it ends a sentence.
fn past_abbreviation(tokens: &Tokens<'_>, at: usize, name: &str) -> usize {
    let dotted = name.len() <= 4
        && name != "May"
        && name != "June"
        && name != "July"
        && tokens.mark(at + 1) == Some('.')
        && tokens.gap(at + 1) == Gap::None
        && tokens.digits(at + 2).is_some();
    at + 1 + usize::from(dotted)
}

/// What begins with four digits.
fn year_first_at(tokens: &Tokens<'_>, at: usize) -> Option<Point> {
    let year = year_at(tokens, at)?;
    let gapless = |index: usize| tokens.gap(index) == Gap::None;
    let whole = |end: usize, value: DateValue, grain: DateGrain, sure: bool| {
        Some(Point { first: at, end, value, alternative: None, grain, sure })
    };
    if gapless(at + 1) && tokens.word(at + 1) == "s" {
        let decade = year - year % 10;
        let last = Date::new(decade + 9, 12, 31).ok()?;
        let fits = year % 10 == 0 && is_likely_year(year);
        return if fits {
            whole(at + 2, window(Date::new(decade, 1, 1).ok()?, last), DateGrain::Decade, true)
        } else {
            None
        };
    }
    if let Some(mark @ ('-' | '/' | '.')) = tokens.mark(at + 1)
        && gapless(at + 1)
        && gapless(at + 2)
    {
        let number = short(tokens, at + 2).or_else(|| month(tokens.word(at + 2)));
        let two_digits = tokens.digits(at + 2).is_none_or(|digits| digits.len() == 2);
        if let Some(number) = number {
            if tokens.mark(at + 3) == Some(mark)
                && gapless(at + 3)
                && gapless(at + 4)
                && let Some(day) = short(tokens, at + 4)
            {
                if goes_on(tokens, at + 4) && !tokens.is_word(at + 5, "T") {
                    return None;
                }
                return one_day(at, at + 5, year, number, day);
            }
            let month_only = mark == '-' && two_digits && !goes_on(tokens, at + 2) && (1..=12).contains(&number);
            if month_only && is_likely_year(year) {
                return whole(at + 3, days(year, number, number)?, DateGrain::Month, true);
            }
            // "2023/24", "2026-29"
            let short_end = two_digits && matches!(mark, '-' | '/') && i16::from(number) == year % 100 + 1;
            let later = two_digits && mark == '-' && i16::from(number) > year % 100;
            if (short_end || later)
                && is_likely_year(year)
                && tokens.digits(at + 2).is_some()
                && !goes_on(tokens, at + 2)
            {
                let last = Date::new(year - year % 100 + i16::from(number), 12, 31).ok()?;
                return whole(at + 3, window(Date::new(year, 1, 1).ok()?, last), DateGrain::Year, true);
            }
        }
        if mark == '-'
            && tokens.word(at + 2) == "Q"
            && let Some(quarter) = quarter_number(tokens, at + 2)
        {
            return whole(at + 4, days(year, quarter * 3 - 2, quarter * 3)?, DateGrain::Quarter, true);
        }
    }
    if tokens.gap(at + 1) == Gap::Space
        && tokens.word(at + 1) == "Q"
        && let Some(quarter) = quarter_number(tokens, at + 1)
    {
        return whole(at + 3, days(year, quarter * 3 - 2, quarter * 3)?, DateGrain::Quarter, true);
    }
    if goes_on(tokens, at) {
        return None;
    }
    whole(at + 1, year_window(year)?, DateGrain::Year, false)
}

/// "Q3" at `at` (a word and digits without a gap).
fn quarter_number(tokens: &Tokens<'_>, at: usize) -> Option<i8> {
    if tokens.gap(at + 1) != Gap::None || goes_on(tokens, at + 1) {
        return None;
    }
    short(tokens, at + 1).filter(|quarter| (1..=4).contains(quarter))
}

/// The year after "Q3", "spring", "March": perhaps with "of", a comma, a dash between.
fn year_after(tokens: &Tokens<'_>, at: usize) -> Option<(i16, usize)> {
    let mut next = at;
    if tokens.is_word(next, "of") {
        next += 1;
        if tokens.is_word(next, "the") {
            return None;
        }
    } else if matches!(tokens.mark(next), Some(',' | '-' | '/')) && tokens.gap(next) == Gap::None {
        next += 1;
    }
    if tokens.word(next) == "FY" || tokens.word(next) == "CY" {
        next += 1;
    }
    let year = year_at(tokens, next)?;
    (!goes_on(tokens, next)).then_some((year, next + 1))
}

/// "March 10th, 2026", "March 2026", "March 10", "March".
fn month_at(tokens: &Tokens<'_>, at: usize, word: &str, number: i8) -> Option<Point> {
    let next = past_abbreviation(tokens, at, word);
    let point = |end: usize, value: DateValue, grain: DateGrain, sure: bool| {
        Some(Point { first: at, end, value, alternative: None, grain, sure })
    };
    let glued = tokens.gap(next) == Gap::None && tokens.mark(next).is_some_and(|mark| mark == '-' || mark == '/');
    if let Some(day) = short(tokens, next).filter(|day| (1..=31).contains(day))
        && tokens.gap(next) <= Gap::Space
    {
        let mut end = next + 1;
        let ordinal = tokens.gap(end) == Gap::None && matches!(tokens.word(end), "st" | "nd" | "rd" | "th");
        if ordinal {
            end += 1;
        }
        let money = tokens.word(end).len() == 3 && tokens.word(end).bytes().all(|byte| byte.is_ascii_uppercase());
        if ordinal || !(goes_on(tokens, next) || money) {
            let comma = usize::from(tokens.mark(end) == Some(',') && tokens.gap(end) == Gap::None);
            if let Some(year) = year_at(tokens, end + comma)
                && !goes_on(tokens, end + comma)
            {
                return one_day(at, end + comma + 1, year, number, day).map(|found| Point { first: at, ..found });
            }
            let counted = !ordinal && tokens.gap(end) == Gap::Space && looks_counted(tokens.word(end));
            if !counted {
                return point(end, yearless(number, Some(day))?, DateGrain::Day, true);
            }
        }
    }
    if let Some((year, end)) = year_after(tokens, next)
        && (!glued || tokens.mark(next) == Some('-'))
    {
        return point(end, days(year, number, number)?, DateGrain::Month, true);
    }
    let sure = word.len() > 3 && !matches!(number, 3..=6 | 8);
    let other_use = number == 5 && word == "MAY" || word.starts_with(|first: char| first.is_lowercase()) && !sure;
    if other_use { None } else { point(at + 1, yearless(number, None)?, DateGrain::Month, sure) }
}

/// Whether a word after a number is a plural: "March 10 deadlines".
fn looks_counted(word: &str) -> bool {
    if matches!(word, "people" | "staff" | "million" | "billion" | "percent" | "men" | "women" | "children") {
        return true;
    }
    word.len() > 3
        && word.starts_with(|first: char| first.is_lowercase())
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !matches!(word, "this" | "was" | "plus" | "versus" | "thus" | "has" | "marks" | "is")
}

/// Quarters, halves, fiscal years, seasons and parts of a year.
fn named_at(tokens: &Tokens<'_>, at: usize, word: &str) -> Option<Point> {
    if word.len() > 9 {
        return None;
    }
    let point = |end: usize, value: DateValue, grain: DateGrain, sure: bool| {
        Some(Point { first: at, end, value, alternative: None, grain, sure })
    };
    match word {
        "Q" => {
            let quarter = quarter_number(tokens, at)?;
            if let Some((year, end)) = year_after(tokens, at + 2) {
                return point(end, days(year, quarter * 3 - 2, quarter * 3)?, DateGrain::Quarter, true);
            }
            let from = MonthDay { month: quarter * 3 - 2, day: None };
            let to = MonthDay { month: quarter * 3, day: None };
            return point(at + 2, DateValue::Yearless { from, to }, DateGrain::Quarter, false);
        }
        "H" => {
            let half = short(tokens, at + 1).filter(|half| matches!(half, 1 | 2) && tokens.gap(at + 1) == Gap::None)?;
            let (year, end) = year_after(tokens, at + 2)?;
            return point(end, days(year, half * 6 - 5, half * 6)?, DateGrain::Part, true);
        }
        "FY" | "CY" => {
            let year = match tokens.digits(at + 1)?.len() {
                4 => year_at(tokens, at + 1)?,
                2 => 2000 + i16::from(short(tokens, at + 1)?),
                _ => return None,
            };
            return (!goes_on(tokens, at + 1)).then(|| point(at + 2, year_window(year)?, DateGrain::Year, true))?;
        }
        _ => {}
    }
    let mut buffer = [0; 9];
    let word = lower(word, &mut buffer)?;
    match word {
        "fiscal" | "financial" | "calendar" if tokens.is_word(at + 1, "year") => {
            let year = year_at(tokens, at + 2).filter(|_| !goes_on(tokens, at + 2))?;
            point(at + 3, year_window(year)?, DateGrain::Year, true)
        }
        "first" | "second" | "third" | "fourth" => ordinal_part(tokens, at, word),
        "spring" | "summer" | "autumn" | "fall" | "winter" => {
            let (year, end) = year_after(tokens, at + 1).filter(|(year, _)| is_likely_year(*year))?;
            let winter =
                |year: i16| Some(window(Date::new(year, 12, 1).ok()?, Date::new(year + 1, 2, 1).ok()?.last_of_month()));
            let (value, alternative) = match word {
                "spring" => (days(year, 3, 5)?, None),
                "summer" => (days(year, 6, 8)?, None),
                "winter" => (winter(year)?, winter(year - 1)),
                _ => (days(year, 9, 11)?, None),
            };
            Some(Point { first: at, end, value, alternative, grain: DateGrain::Part, sure: true })
        }
        "early" | "mid" | "late" | "end" | "beginning" | "start" | "middle" => part_at(tokens, at, word),
        _ => None,
    }
}

/// "first half of 2026", "third quarter of 2027"
fn ordinal_part(tokens: &Tokens<'_>, at: usize, ordinal: &str) -> Option<Point> {
    let number: i8 = match ordinal {
        "first" => 1,
        "second" => 2,
        "third" => 3,
        _ => 4,
    };
    let (length, grain) = match tokens.word(at + 1) {
        "quarter" | "Quarter" => (3, DateGrain::Quarter),
        "half" | "Half" if number <= 2 => (6, DateGrain::Part),
        _ => return None,
    };
    let (year, end) = year_after(tokens, at + 2)?;
    let value = days(year, (number - 1) * length + 1, number * length)?;
    Some(Point { first: at, end, value, alternative: None, grain, sure: true })
}

/// "late 2026", "mid-March 2026", "end of Q3 2027": a third of the window, or its first or last day.
fn part_at(tokens: &Tokens<'_>, at: usize, word: &str) -> Option<Point> {
    let mut next = at + 1;
    if matches!(tokens.mark(next), Some('-' | '‑')) && tokens.gap(next) == Gap::None {
        next += 1;
    }
    let edge = matches!(word, "end" | "beginning" | "start" | "middle");
    if edge {
        if tokens.is_word(next, "of") {
            next += 1;
        } else if word != "end" || tokens.mark(at + 1).is_none() && year_at(tokens, next).is_none() {
            return None;
        }
    } else if tokens.is_word(next, "in") {
        next += 1;
    }
    if matches!(tokens.word(next), "early" | "mid" | "late" | "end") {
        return None;
    }
    let whole = point_at(tokens, next)?;
    if !matches!(whole.grain, DateGrain::Month | DateGrain::Quarter | DateGrain::Year | DateGrain::Decade) {
        return None;
    }
    let found = |value: DateValue| {
        Some(Point { first: at, end: whole.end, value, alternative: None, grain: DateGrain::Part, sure: true })
    };
    let DateValue::Window(DateWindow { first, last }) = whole.value else {
        return found(whole.value);
    };
    if let Some(year) = year_at(tokens, next)
        && whole.end == next + 1
        && !is_likely_year(year)
    {
        return None;
    }
    let length = first.until(last).ok()?.get_days() + 1;
    let third = length / 3;
    let shift = |days: i32| first.checked_add(days.days()).ok();
    found(match word {
        "early" => window(first, shift(third - 1)?),
        "mid" | "middle" => window(shift(third)?, shift(length - third - 1)?),
        "late" => window(shift(length - third)?, last),
        "end" => window(last, last),
        _ => window(first, first),
    })
}
