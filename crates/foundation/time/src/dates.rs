//! Dates, periods and project-relative points.

use std::ops::Range;

use jiff::civil::Date;

use crate::durations::unit_from_word;
use crate::months::month;
use crate::numeral::{Form, Found, is_dash, lower, numeral_at, range_joint};
use crate::points::{Point, goes_on, is_likely_year, point_at, window, year_at};
use crate::scan::{Gap, Kind, Tokens, blocks};

/// The days a date expression stands for, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateWindow {
    /// First day.
    pub first: Date,
    /// Last day, itself included.
    pub last: Date,
}

/// A month, or a day of a month, whose year is not said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MonthDay {
    /// Month, 1 to 12.
    pub month: i8,
    /// Day of the month, where one is said.
    pub day: Option<i8>,
}

/// The unit in which a project counts its own time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProjectUnit {
    /// "Day 3"
    Day,
    /// "Week 3"
    Week,
    /// "Month 16", "M16"
    Month,
    /// "Quarter 2"
    Quarter,
    /// "Year 2"
    Year,
}

/// A point or stretch counted from the start of a project: "months 9–16" has low 9 and high 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProjectPoint {
    /// What is counted.
    pub unit: ProjectUnit,
    /// First one, counted as written (most projects begin with 1).
    pub low: u32,
    /// Last one, itself included.
    pub high: u32,
}

/// What a date expression means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DateValue {
    /// Days of the calendar.
    Window(DateWindow),
    /// From one month or day to another, both included, in a year that is not said. Quarters without a year too.
    Yearless {
        /// First month or day.
        from: MonthDay,
        /// Last month or day, itself included.
        to: MonthDay,
    },
    /// Counted from the start of the project.
    Project(ProjectPoint),
}

/// How finely a date is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DateGrain {
    /// A day, or two.
    Day,
    /// A week of a project.
    Week,
    /// A month.
    Month,
    /// A quarter of a year.
    Quarter,
    /// "early", "mid", "late", a half or a season of a year.
    Part,
    /// A year.
    Year,
    /// "the 2030s".
    Decade,
}

/// What the word before a date says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DateRole {
    /// Nothing, or "in", "on", "during".
    On,
    /// "by", "until", "no later than": the date is the last one.
    By,
    /// "before": the date is past the last one.
    Before,
    /// "from", "since", "starting": the date is the first one.
    From,
    /// "after": the date is before the first one.
    After,
}

/// A date in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateReading {
    /// Its bytes, without the preposition.
    pub range: Range<usize>,
    /// What it means.
    pub value: DateValue,
    /// The other meaning, where day and month can be taken either way ("03/04/2026": `value` reads day first).
    pub alternative: Option<DateValue>,
    /// How finely it is said; of a range, its ends.
    pub grain: DateGrain,
    /// What the word before it says.
    pub role: DateRole,
    /// "about", "around", "circa" or "~" stands before it.
    pub approximate: bool,
}

/// Every date in `text`, in order, without overlaps.
#[must_use]
pub fn dates(text: &str) -> Vec<DateReading> {
    let mut found = Vec::new();
    blocks(text, |tokens| dates_in(tokens, &mut found));
    found
}

/// Appends every date of one block to `found`. For readers that have tokens already.
pub fn dates_in(tokens: &Tokens<'_>, found: &mut Vec<DateReading>) {
    let mut at = 0;
    while at < tokens.list.len() {
        let reading = match tokens.list[at].kind {
            Kind::Digits if !follows_number(tokens, at) => dated(tokens, at),
            Kind::Word => project_at(tokens, at).or_else(|| dated(tokens, at)),
            _ => None,
        };
        match reading {
            Some((reading, end)) => {
                found.push(reading);
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
}

/// Whether the digits at `at` are the rest of a number, a version, a price or a name.
fn follows_number(tokens: &Tokens<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).filter(|_| tokens.gap(at) == Gap::None) else {
        return false;
    };
    match tokens.list[before].kind {
        Kind::Digits | Kind::Opaque | Kind::Word => true,
        Kind::Mark('.' | ',' | '/' | ':' | '-' | '–' | '\'') if tokens.gap(before) == Gap::None && before > 0 => {
            matches!(tokens.list[before - 1].kind, Kind::Digits | Kind::Opaque | Kind::Word)
        }
        Kind::Mark('$' | '€' | '£' | '¥' | '#' | '/' | '_' | '+') => true,
        Kind::Mark(_) => false,
    }
}

/// A date or a range of dates that begins at `at`, and the token after it.
fn dated(tokens: &Tokens<'_>, at: usize) -> Option<(DateReading, usize)> {
    if let Some(found) = day_range(tokens, at) {
        return Some(found);
    }
    let first = point_at(tokens, at)?;
    let (role, preposition, approximate) = role_before(tokens, at);
    if let Some(second) = second_point(tokens, first)
        && let Some(value) = joined(first, second)
    {
        let dash = tokens.mark(first.end).is_some();
        let bare_years = !first.sure && !second.sure;
        let likely = |at: usize| year_at(tokens, at).is_none_or(is_likely_year);
        if !bare_years || preposition || (dash && likely(first.first) && likely(second.first)) {
            return Some((reading(tokens, at, second.end, value, None, first.grain, role, approximate), second.end));
        }
    }
    let bare_year = first.grain == DateGrain::Year && !first.sure;
    let accepted = first.sure || if bare_year { year_stands(tokens, at, preposition) } else { preposition };
    if !accepted {
        return None;
    }
    Some((reading(tokens, at, first.end, first.value, first.alternative, first.grain, role, approximate), first.end))
}

#[expect(clippy::too_many_arguments, reason = "the parts of a reading, each found elsewhere")]
fn reading(
    tokens: &Tokens<'_>,
    at: usize,
    end: usize,
    value: DateValue,
    alternative: Option<DateValue>,
    grain: DateGrain,
    role: DateRole,
    approximate: bool,
) -> DateReading {
    DateReading { range: tokens.range(at, end), value, alternative, grain, role, approximate }
}

/// Whether four digits without a month are a year where they stand.
fn year_stands(tokens: &Tokens<'_>, at: usize, preposition: bool) -> bool {
    let Some(year) = year_at(tokens, at) else { return false };
    let next = tokens.word(at + 1);
    let after = tokens.gap(at + 1) == Gap::Space && !next.is_empty();
    let things = after && next.starts_with(|first: char| first.is_lowercase()) && next.ends_with('s') && next.len() > 3;
    let counted = after
        && ((things && !matches!(next, "this" | "plus" | "versus" | "was" | "has"))
            || unit_from_word(next).is_some()
            || matches!(next, "people" | "million" | "percent" | "per" | "km" | "kg" | "DKK" | "EUR" | "USD" | "GBP"));
    if counted && (year % 100 == 0 || !is_likely_year(year) || things && !preposition) {
        return false;
    }
    if preposition {
        return is_likely_year(year) || year >= 1500;
    }
    if !is_likely_year(year) {
        return false;
    }
    let brackets = at.checked_sub(1).and_then(|before| tokens.mark(before)) == Some('(')
        && matches!(tokens.mark(at + 1), Some(')' | ',' | ';'));
    let the = at > 0 && (tokens.is_word(at - 1, "the") || tokens.is_word(at - 1, "a"));
    let work = matches!(
        next,
        "film"
            | "edition"
            | "season"
            | "report"
            | "budget"
            | "election"
            | "elections"
            | "movie"
            | "game"
            | "study"
            | "novel"
            | "deadline"
            | "target"
            | "targets"
            | "goals"
            | "Act"
            | "census"
            | "book"
            | "paper"
            | "album"
            | "season's"
            | "festival"
            | "release"
            | "thriller"
            | "original"
            | "classic"
            | "roadmap"
    );
    brackets || (work && after) || (the && after && next == "fiscal")
}

/// What the words before a date say: its role, whether there is a preposition of time, and approximation.
fn role_before(tokens: &Tokens<'_>, at: usize) -> (DateRole, bool, bool) {
    let mut approximate = false;
    let mut at = at;
    if at > 0 && matches!(tokens.mark(at - 1), Some('~' | '≈')) {
        approximate = true;
        at -= 1;
    }
    let mut buffer = [0; 13];
    let mut word = at.checked_sub(1).map_or("", |before| tokens.word(before));
    for _ in 0..2 {
        let Some(lowered) = lower(word, &mut buffer) else { break };
        match lowered {
            "around" | "about" | "circa" | "approximately" => approximate = true,
            "the" | "year" | "roughly" | "fiscal" | "calendar" => {}
            _ => break,
        }
        at -= 1;
        word = at.checked_sub(1).map_or("", |before| tokens.word(before));
    }
    let Some(before) = at.checked_sub(1) else { return (DateRole::On, approximate, approximate) };
    let mut buffer = [0; 13];
    let (role, preposition) = match lower(tokens.word(before), &mut buffer).unwrap_or("") {
        "by" | "until" | "till" | "deadline" => (DateRole::By, true),
        "before" => (DateRole::Before, true),
        "than" if before > 0 && tokens.is_word(before - 1, "later") => (DateRole::By, true),
        "from" | "since" | "starting" | "beginning" | "effective" => (DateRole::From, true),
        "after" => (DateRole::After, true),
        "in" | "during" | "of" | "through" | "throughout" | "between" | "year" | "for" | "next" | "last" | "this"
        | "early" | "late" | "mid" | "post" | "pre" | "winter" | "summer" | "spring" | "autumn" => (DateRole::On, true),
        "to" => (DateRole::By, false),
        _ => (DateRole::On, false),
    };
    (role, preposition || approximate, approximate)
}

/// The second end of a range that begins with `first`.
fn second_point(tokens: &Tokens<'_>, first: Point) -> Option<Point> {
    let at = first.end;
    let mut next = if let Some(mark) = tokens.mark(at) {
        let even = (tokens.gap(at) == Gap::None) == (tokens.gap(at + 1) == Gap::None);
        (is_dash(mark) && even && tokens.gap(at) <= Gap::Space).then_some(at + 1)?
    } else {
        range_joint(tokens, at, first.first)
            .or_else(|| (tokens.is_word(at, "until") || tokens.is_word(at, "till")).then_some(at + 1))?
    };
    if tokens.is_word(next, "the") {
        next += 1;
    }
    point_at(tokens, next)
}

/// From the first day of `first` to the last day of `second`. A first end without a year takes the second's.
fn joined(first: Point, second: Point) -> Option<DateValue> {
    match (first.value, second.value) {
        (DateValue::Window(from), DateValue::Window(to)) => {
            (from.first <= to.last && from.first < to.first).then(|| window(from.first, to.last))
        }
        (DateValue::Yearless { from, .. }, DateValue::Window(to)) => {
            let day = from.day.unwrap_or(1);
            let same = Date::new(to.first.year(), from.month, day).ok()?;
            let start = if same <= to.last { same } else { Date::new(to.first.year() - 1, from.month, day).ok()? };
            Some(window(start, to.last))
        }
        (DateValue::Window(from), DateValue::Yearless { to, .. }) => {
            // "March 3, 2026 – April 5" stays in its year.
            let end = match to.day {
                Some(day) => Date::new(from.first.year(), to.month, day).ok()?,
                None => Date::new(from.first.year(), to.month, 1).ok()?.last_of_month(),
            };
            (from.first < end).then(|| window(from.first, end))
        }
        (DateValue::Yearless { from, .. }, DateValue::Yearless { to, .. }) => {
            (from != to).then_some(DateValue::Yearless { from, to })
        }
        _ => None,
    }
}

/// "3–5 March 2026", "March 3–5, 2026"
fn day_range(tokens: &Tokens<'_>, at: usize) -> Option<(DateReading, usize)> {
    let short = |index: usize| -> Option<i8> {
        tokens.digits(index).filter(|digits| digits.len() <= 2)?.parse().ok().filter(|day| (1..=31).contains(day))
    };
    let named = month(tokens.word(at));
    let first_at = if named.is_some() { at + 1 } else { at };
    let first = short(first_at)?;
    let second_at = range_joint(tokens, first_at + 1, first_at)?;
    let second = short(second_at).filter(|second| *second > first)?;
    let (number, next) = match named {
        Some(number) => (number, second_at + 1),
        None => (month(tokens.word(second_at + 1))?, second_at + 2),
    };
    if named.is_some() && goes_on(tokens, second_at) {
        return None;
    }
    let comma = usize::from(tokens.mark(next) == Some(',') && tokens.gap(next) == Gap::None);
    let year = year_at(tokens, next + comma).filter(|_| !goes_on(tokens, next + comma));
    let (value, end) = match year {
        Some(year) => {
            (window(Date::new(year, number, first).ok()?, Date::new(year, number, second).ok()?), next + comma + 1)
        }
        None => {
            let day = |day: i8| MonthDay { month: number, day: Some(day) };
            (DateValue::Yearless { from: day(first), to: day(second) }, next)
        }
    };
    let (role, _, approximate) = role_before(tokens, at);
    Some((reading(tokens, at, end, value, None, DateGrain::Day, role, approximate), end))
}

/// The largest count that a project-relative point is read with.
const PROJECT_COUNT_MAX: u32 = 999;

/// "month 16", "months 9–16", "Week 3", "Years 1 and 2"
fn project_at(tokens: &Tokens<'_>, at: usize) -> Option<(DateReading, usize)> {
    let word = tokens.word(at);
    if !(3..=8).contains(&word.len()) {
        return None;
    }
    let mut buffer = [0; 8];
    let (unit, plural) = match lower(word, &mut buffer)? {
        "day" => (ProjectUnit::Day, false),
        "days" => (ProjectUnit::Day, true),
        "week" => (ProjectUnit::Week, false),
        "weeks" => (ProjectUnit::Week, true),
        "month" => (ProjectUnit::Month, false),
        "months" => (ProjectUnit::Month, true),
        "quarter" => (ProjectUnit::Quarter, false),
        "quarters" => (ProjectUnit::Quarter, true),
        "year" => (ProjectUnit::Year, false),
        "years" => (ProjectUnit::Year, true),
        _ => return None,
    };
    // "3 days 4 hours", "three-day 2": the unit belongs to the number before it.
    let mut before = at.checked_sub(1);
    while let Some(index) = before {
        if tokens.mark(index).is_some_and(is_dash) && tokens.gap(at) == Gap::None {
            before = index.checked_sub(1);
        } else {
            break;
        }
    }
    if before.is_some_and(|index| {
        tokens.digits(index).is_some()
            || matches!(tokens.word(index), "per" | "a" | "every" | "each")
            || matches!(numeral_at(tokens, index), Found::Number(_))
    }) {
        return None;
    }
    if tokens.gap(at + 1) != Gap::Space {
        return None;
    }
    let (low, next) = count_at(tokens, at + 1)?;
    let mut high = low;
    let mut end = next;
    let joint =
        range_joint(tokens, next, at + 1).or_else(|| (plural && tokens.is_word(next, "and")).then_some(next + 1));
    if let Some(mut joint) = joint {
        // "Month 9 to Month 16"
        if unit_from_word(tokens.word(joint)).is_some() && unit_from_word(tokens.word(joint)) == unit_from_word(word) {
            joint += 1;
        }
        if let Some((second, past)) = count_at(tokens, joint)
            && second > low
        {
            high = second;
            end = past;
        }
    }
    let counted = unit_from_word(tokens.word(end)).is_some() && tokens.gap(end) <= Gap::Space;
    if (plural && high == low) || counted {
        return None;
    }
    let value = DateValue::Project(ProjectPoint { unit, low, high });
    let grain = match unit {
        ProjectUnit::Day => DateGrain::Day,
        ProjectUnit::Week => DateGrain::Week,
        ProjectUnit::Month => DateGrain::Month,
        ProjectUnit::Quarter => DateGrain::Quarter,
        ProjectUnit::Year => DateGrain::Year,
    };
    let (role, _, approximate) = role_before(tokens, at);
    Some((reading(tokens, at, end, value, None, grain, role, approximate), end))
}

fn count_at(tokens: &Tokens<'_>, at: usize) -> Option<(u32, usize)> {
    if let Some(digits) = tokens.digits(at) {
        let count: u32 = digits.parse().ok().filter(|count| *count <= PROJECT_COUNT_MAX)?;
        return (!goes_on(tokens, at)).then_some((count, at + 1));
    }
    if tokens.word(at).eq_ignore_ascii_case("half") {
        return None;
    }
    match numeral_at(tokens, at) {
        Found::Number(numeral) if numeral.form == Form::Words => {
            let count = u32::try_from(numeral.value.trunc()).ok().filter(|count| *count <= 100)?;
            let one = tokens.digits(at).is_none() && count == 1 && tokens.is_word(numeral.end, "of");
            (numeral.value.is_integer() && !one).then_some((count, numeral.end))
        }
        _ => None,
    }
}
