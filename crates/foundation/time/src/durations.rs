//! Lengths of time.

use std::ops::Range;

use rust_decimal::Decimal;

use crate::bound::{Bound, stance_after, stance_before};
use crate::numeral::{
    Form, Found, Numeral, SIGNIFICANT_DIGITS_MAX, is_embedded, magnitude_word, numeral_at, range_joint,
};
use crate::scan::{Gap, Tokens, blocks};

/// Mean days of a month in the Gregorian calendar, to four decimals (365.25 / 12).
pub const DAYS_PER_MONTH: Decimal = Decimal::from_parts(304_375, 0, 0, false, 4);

/// A unit of time as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DurationUnit {
    /// Millisecond.
    Millisecond,
    /// Second.
    Second,
    /// Minute.
    Minute,
    /// Hour.
    Hour,
    /// Day.
    Day,
    /// Week.
    Week,
    /// Month.
    Month,
    /// Quarter of a year.
    Quarter,
    /// Year.
    Year,
    /// Decade.
    Decade,
    /// Century.
    Century,
}

/// Units that convert into each other exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DurationFamily {
    /// Weeks and all that is shorter: a week is 7 days.
    Clock,
    /// Months and all that is longer: a year is 12 months.
    Calendar,
}

impl DurationUnit {
    /// The family within which the unit converts exactly.
    #[must_use]
    pub const fn family(self) -> DurationFamily {
        match self {
            Self::Millisecond | Self::Second | Self::Minute | Self::Hour | Self::Day | Self::Week => {
                DurationFamily::Clock
            }
            Self::Month | Self::Quarter | Self::Year | Self::Decade | Self::Century => DurationFamily::Calendar,
        }
    }

    /// How many of the family's smallest unit (milliseconds, months) make one of this.
    #[must_use]
    pub const fn in_family(self) -> i64 {
        match self {
            Self::Millisecond | Self::Month => 1,
            Self::Second => 1_000,
            Self::Minute => 60_000,
            Self::Hour => 3_600_000,
            Self::Day => 86_400_000,
            Self::Week => 604_800_000,
            Self::Quarter => 3,
            Self::Year => 12,
            Self::Decade => 120,
            Self::Century => 1_200,
        }
    }

    /// `count` of this unit in days; months by [`DAYS_PER_MONTH`]. Nothing on overflow.
    #[must_use]
    pub fn days(self, count: Decimal) -> Option<Decimal> {
        let smallest = count.checked_mul(Decimal::from(self.in_family()))?;
        match self.family() {
            DurationFamily::Clock => smallest.checked_div(Decimal::from(86_400_000)),
            DurationFamily::Calendar => smallest.checked_mul(DAYS_PER_MONTH),
        }
    }

    /// The English name, singular.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Millisecond => "millisecond",
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::Decade => "decade",
            Self::Century => "century",
        }
    }
}

/// A length of time in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DurationReading {
    /// The whole expression, with the words that bound it ("within 60 days").
    pub range: Range<usize>,
    /// The number alone (of a range both ends), or what stands for it ("a" of "a decade").
    pub number_range: Range<usize>,
    /// Lower end, in `unit`; equal to `high` for a single value.
    pub low: Decimal,
    /// Upper end, in `unit`.
    pub high: Decimal,
    /// The unit as written; of two ("2 weeks to 3 months") the second, into which the first is converted.
    pub unit: DurationUnit,
    /// "about", "~" and the like.
    pub approximate: bool,
    /// Whether it bounds from above or below.
    pub bound: Bound,
    /// Size of the last stated digit, in `unit`.
    pub precision: Decimal,
    /// What kind of unit, where a word says so: "shooting" of "45–55 shooting days".
    pub modifier: Option<Range<usize>>,
}

/// Every duration in `text`, in order, without overlaps.
#[must_use]
pub fn durations(text: &str) -> Vec<DurationReading> {
    let mut found = Vec::new();
    blocks(text, |tokens| durations_in(tokens, &mut found));
    found
}

/// Appends every duration of one block to `found`. For readers that have tokens already.
pub fn durations_in(tokens: &Tokens<'_>, found: &mut Vec<DurationReading>) {
    let mut at = 0;
    // First token that no earlier reading holds.
    let mut free = 0;
    while at < tokens.list.len() {
        match side_at(tokens, at) {
            Side::Nothing => at += 1,
            Side::Skip(next) => at = next.max(at + 1),
            Side::Number(side) => {
                at = match reading(tokens, side, free) {
                    Some((reading, end)) => {
                        found.push(reading);
                        free = end;
                        end
                    }
                    None => side.end,
                }
                .max(at + 1);
            }
        }
    }
}

/// One end of a range, or a single value.
#[derive(Clone, Copy)]
struct Length {
    first: usize,
    number_end: usize,
    end: usize,
    value: Decimal,
    step: Decimal,
    unit: Option<DurationUnit>,
    modifier: Option<usize>,
    bound: Bound,
}

enum Side {
    Nothing,
    Skip(usize),
    Number(Length),
}

fn side_at(tokens: &Tokens<'_>, at: usize) -> Side {
    if let Some(unit) = lone_unit(tokens, at) {
        return Side::Number(Length {
            first: at,
            number_end: at + 1,
            end: at + 2,
            value: Decimal::ONE,
            step: Decimal::ONE,
            unit: Some(unit),
            modifier: None,
            bound: Bound::Exact,
        });
    }
    let numeral = match numeral_at(tokens, at) {
        Found::Nothing => return Side::Nothing,
        Found::Skip(next) => return Side::Skip(next),
        Found::Number(numeral) => numeral,
    };
    if tokens.digits(at).is_some() && is_embedded(tokens, at) {
        return Side::Skip(numeral.end);
    }
    if numeral.form == Form::Slash && (numeral.value >= Decimal::ONE || numeral.step < Decimal::new(1, 1)) {
        return Side::Skip(numeral.end);
    }
    let plus = stance_after(tokens, numeral.end);
    let attached_plus = tokens.mark(numeral.end) == Some('+');
    let (after, bound) = if attached_plus { (plus.edge, plus.bound) } else { (numeral.end, Bound::Exact) };
    let (after, value, step) = match magnitude_word(tokens.word(after)) {
        Some(size) if numeral.form != Form::Words => {
            match (numeral.value.checked_mul(size), numeral.step.checked_mul(size)) {
                (Some(value), Some(step)) => (after + 1, value, step),
                _ => return Side::Skip(after + 1),
            }
        }
        _ => (after, numeral.value, numeral.step),
    };
    let mut length =
        Length { first: at, number_end: after, end: after, value, step, unit: None, modifier: None, bound };
    if let Some((unit, end, modifier)) = unit_at(tokens, after, numeral) {
        length.unit = Some(unit);
        length.end = end;
        length.modifier = modifier;
    }
    // "half" is a number only with "a year" behind it, "a third of" only with nothing.
    Side::Number(length)
}

/// "a decade", "a century": the unit itself is the length. Of other units "a" mostly means "per".
fn lone_unit(tokens: &Tokens<'_>, at: usize) -> Option<DurationUnit> {
    if !tokens.is_word(at, "a") && !tokens.is_word(at, "an") {
        return None;
    }
    let unit = unit_from_word(tokens.word(at + 1))?;
    let alone = matches!(unit, DurationUnit::Decade | DurationUnit::Century)
        // "a year and a half"
        || (tokens.is_word(at + 2, "and") && tokens.is_word(at + 3, "a") && tokens.is_word(at + 4, "half"));
    alone.then_some(unit)
}

/// Words that may stand between a number and its unit of time.
fn is_modifier(word: &str) -> bool {
    matches!(
        word,
        "shooting"
            | "working"
            | "business"
            | "calendar"
            | "consecutive"
            | "full"
            | "additional"
            | "extra"
            | "more"
            | "further"
            | "whole"
            | "long"
            | "short"
            | "paid"
            | "trading"
            | "academic"
            | "fiscal"
            | "financial"
            | "school"
            | "banking"
            | "successive"
            | "continuous"
            | "elapsed"
            | "production"
            | "operational"
            | "solid"
            | "filming"
            | "work"
            | "Shooting"
            | "Working"
            | "Business"
            | "Calendar"
            | "entire"
            | "principal"
    )
}

/// The unit of time at `after`, where `numeral` ends: its index past the end, and the modifier's.
fn unit_at(tokens: &Tokens<'_>, after: usize, numeral: Numeral) -> Option<(DurationUnit, usize, Option<usize>)> {
    let word = tokens.word(after);
    let whole_digits = matches!(numeral.form, Form::Integer | Form::Digits | Form::Comma);
    if tokens.gap(after) == Gap::None && !word.is_empty() {
        if !whole_digits {
            return None;
        }
        let unit = match word {
            "h" | "H" => DurationUnit::Hour,
            "s" if numeral.form == Form::Digits => DurationUnit::Second,
            "d" if numeral.value >= Decimal::from(4) => DurationUnit::Day,
            "w" => DurationUnit::Week,
            "y" => DurationUnit::Year,
            _ => unit_from_word(word)?,
        };
        return Some((unit, after + 1, None));
    }
    let hyphen = tokens.mark(after).is_some_and(|mark| matches!(mark, '-' | '‑' | '–'))
        && tokens.gap(after) == Gap::None
        && tokens.gap(after + 1) == Gap::None;
    let mut place = if hyphen { after + 1 } else { after };
    if !hyphen && tokens.gap(after) == Gap::None {
        return None;
    }
    // "half a year", "half of a year"
    if numeral.form == Form::Fraction && !hyphen {
        if tokens.is_word(place, "of") {
            place += 1;
        }
        let article = tokens.is_word(place, "a") || tokens.is_word(place, "an");
        let unit = unit_from_word(tokens.word(place + usize::from(article)))?;
        let attached = article || tokens.mark(numeral.first).is_some();
        return attached.then_some((unit, place + usize::from(article) + 1, None));
    }
    let mut modifier = None;
    if is_modifier(tokens.word(place)) && tokens.gap(place + 1) <= Gap::Space {
        modifier = Some(place);
        place += 1;
        if tokens.mark(place) == Some('-') {
            return None;
        }
    }
    let word = tokens.word(place);
    let unit = match word {
        "h" => DurationUnit::Hour,
        // "0.25 s"; "the 1990 s" is none.
        "s" if numeral.form == Form::Digits && !hyphen => DurationUnit::Second,
        // Codes and symbols that are no unit of time in prose.
        "MS" | "Ms" | "MO" | "Mo" | "Min" | "Sec" | "SEC" => return None,
        _ => unit_from_word(word)?,
    };
    let singular_second = word.eq_ignore_ascii_case("second") && !hyphen && numeral.value != Decimal::ONE;
    // "three quarters of" is a part.
    let part = unit == DurationUnit::Quarter && tokens.is_word(place + 1, "of");
    // "a 10-day-ahead" stays, "Day 3 Week" and "3 Month 4" do not: capitalised singular and a number behind.
    let heading = word.starts_with(|first: char| first.is_uppercase()) && tokens.digits(place + 1).is_some();
    if singular_second || part || heading {
        return None;
    }
    let mut end = place + 1;
    // "month(s)"
    if tokens.mark(end) == Some('(')
        && tokens.gap(end) == Gap::None
        && tokens.word(end + 1) == "s"
        && tokens.mark(end + 2) == Some(')')
    {
        end += 3;
    }
    Some((unit, end, modifier))
}

/// The whole reading that begins with `first`, and the token after it.
fn reading(tokens: &Tokens<'_>, first: Length, free: usize) -> Option<(DurationReading, usize)> {
    let mut low = first.value;
    let mut high = first;
    if let Some((second, converted)) = second_end(tokens, first) {
        low = converted;
        high = second;
    }
    let mut unit = high.unit?;
    let mut value = high.value;
    let mut step = high.step.max(if high.first == first.first { high.step } else { first.step });
    let mut end = high.end;
    if high.first == first.first {
        // "a year and a half"
        if tokens.is_word(end, "and") && tokens.is_word(end + 1, "a") && tokens.is_word(end + 2, "half") {
            value = value.checked_add(Decimal::new(5, 1))?;
            step = Decimal::new(5, 1);
            end += 3;
            low = value;
        } else if let Some((sum, smaller)) = compound(tokens, high) {
            unit = smaller.unit?;
            value = sum;
            step = smaller.step;
            end = smaller.end;
            low = sum;
        }
    }
    let before = stance_before(tokens, first.first);
    let mut edge = before.edge;
    let mut bound = before.bound;
    let mut approximate = before.approximate;
    // "over 3 years" and "over the 18 months" last that long; they are no lower bound.
    if bound == Bound::AtLeast && tokens.is_word(edge, "over") {
        bound = Bound::Exact;
        edge = first.first;
    }
    if bound == Bound::Exact
        && let Some(word) = edge.checked_sub(1)
        && tokens.is_word(word, "within")
    {
        edge = word;
        bound = Bound::AtMost;
    }
    if high.bound != Bound::Exact || first.bound != Bound::Exact {
        bound = Bound::AtLeast;
    }
    let after = stance_after(tokens, end);
    let word_bound = tokens.is_word(end, "maximum") || tokens.is_word(end, "minimum");
    if (bound == Bound::Exact || after.bound == Bound::Exact) && (after.approximate || after.bound != Bound::Exact) {
        // "30 days minimum" ends there; "a 3-year minimum wage" does not.
        if !word_bound || tokens.word(after.edge).is_empty() {
            end = after.edge;
            approximate |= after.approximate;
            if after.bound != Bound::Exact {
                bound = after.bound;
            }
        }
    }
    let edge = edge.max(free);
    if approximate && low == value {
        step = stated_zeros(value, step);
    }
    let modifier = high.modifier.map(|index| tokens.range(index, index + 1));
    let reading = DurationReading {
        range: tokens.range(edge, end),
        number_range: tokens.range(first.first, high.number_end),
        low,
        high: value,
        unit,
        approximate,
        bound,
        precision: step,
        modifier,
    };
    Some((reading, end))
}

/// The second end of a range that begins with `first`, and the first's value in the second's unit.
fn second_end(tokens: &Tokens<'_>, first: Length) -> Option<(Length, Decimal)> {
    let or = tokens.is_word(first.end, "or") && first.unit.is_none();
    let joint = match range_joint(tokens, first.end, first.first) {
        Some(joint) => joint,
        None if or => first.end + 1,
        None => return None,
    };
    let Side::Number(second) = side_at(tokens, joint) else { return None };
    let unit = second.unit?;
    let low = match first.unit {
        None => first.value,
        Some(own) if own.family() == unit.family() => {
            first.value.checked_mul(Decimal::from(own.in_family()))?.checked_div(Decimal::from(unit.in_family()))?
        }
        Some(own) => own.days(first.value)?.checked_div(unit.days(Decimal::ONE)?)?.round_dp(4),
    };
    let ordered = low < second.value || (!or && low == second.value);
    let near = !or || second.value == low + Decimal::ONE;
    (ordered && near).then_some((second, low))
}

/// "1 hour 30 minutes", "2 years and 6 months", "1h30": the sum in the smaller unit.
fn compound(tokens: &Tokens<'_>, first: Length) -> Option<(Decimal, Length)> {
    let own = first.unit?;
    let mut next = first.end;
    let attached = tokens.gap(next) == Gap::None;
    if !attached {
        if tokens.is_word(next, "and") {
            next += 1;
        }
    } else if tokens.mark(next) == Some(',') {
        next += 1;
    } else if own != DurationUnit::Hour || tokens.digits(next).is_none_or(|digits| digits.len() != 2) {
        return None;
    }
    let mut second = match (attached, tokens.digits(next)) {
        // Digits directly after "h" look embedded.
        (true, Some(digits)) if tokens.gap(next) == Gap::None => {
            let minutes: i64 = digits.parse().ok()?;
            let named =
                unit_from_word(tokens.word(next + 1)) == Some(DurationUnit::Minute) || tokens.word(next + 1) == "m";
            let end = next + 1 + usize::from(named && tokens.gap(next + 1) == Gap::None);
            let value = Decimal::from(minutes);
            (minutes < 60).then_some(Length {
                value,
                step: Decimal::ONE,
                end,
                number_end: next + 1,
                unit: Some(DurationUnit::Minute),
                ..first
            })?
        }
        _ => match side_at(tokens, next) {
            Side::Number(second) => second,
            _ => return None,
        },
    };
    let unit = second.unit?;
    if unit.family() != own.family() || unit.in_family() >= own.in_family() {
        return None;
    }
    let factor = Decimal::from(own.in_family()).checked_div(Decimal::from(unit.in_family()))?;
    let sum = first.value.checked_mul(factor)?.checked_add(second.value)?;
    second.first = first.first;
    Some((sum, second))
}

/// The size of the last digit of an approximate number: its trailing zeros say nothing.
#[must_use]
pub fn stated_zeros(value: Decimal, step: Decimal) -> Decimal {
    let mut step = step;
    let ten = Decimal::TEN;
    if value.is_zero() {
        return step;
    }
    for _ in 0..SIGNIFICANT_DIGITS_MAX {
        let Some(coarser) = step.checked_mul(ten) else { break };
        if !value.checked_rem(coarser).is_some_and(|rest| rest.is_zero()) {
            break;
        }
        step = coarser;
    }
    step
}

/// The unit that `word` names, whatever its case: "months", "yrs", "wk". One-letter units are not read here.
#[must_use]
pub fn unit_from_word(word: &str) -> Option<DurationUnit> {
    let mut lower = [0_u8; 12];
    let lower = crate::numeral::lower(word, &mut lower)?;
    Some(match lower {
        "ms" | "millisecond" | "milliseconds" => DurationUnit::Millisecond,
        "sec" | "secs" | "second" | "seconds" => DurationUnit::Second,
        "min" | "mins" | "minute" | "minutes" => DurationUnit::Minute,
        "hr" | "hrs" | "hour" | "hours" => DurationUnit::Hour,
        "day" | "days" => DurationUnit::Day,
        "wk" | "wks" | "week" | "weeks" => DurationUnit::Week,
        "mo" | "mos" | "mth" | "mths" | "month" | "months" => DurationUnit::Month,
        "quarter" | "quarters" => DurationUnit::Quarter,
        "yr" | "yrs" | "year" | "years" => DurationUnit::Year,
        "decade" | "decades" => DurationUnit::Decade,
        "century" | "centuries" => DurationUnit::Century,
        _ => return None,
    })
}
