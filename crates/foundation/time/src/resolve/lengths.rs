//! Lengths of time: "30–45 min", "an hour and a half", "2 days 1 hour", "a couple of weeks".

use jiff::SignedDuration;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;

use super::cue;
use super::lex::Lex;
use crate::durations::{DurationUnit, unit_from_word};
use crate::length::Length;
use crate::numeral::{Form, Found, numeral_at};
use crate::scan::Gap;

/// "few", "several" and "some" stand for so many, roughly.
const FEW: u32 = 3;

/// Parts of a compound length ("1 year 1 month 21 days 2 hours 5 minutes 30 seconds") are at most so many.
const PARTS_MAX: usize = 7;

/// More than so many of what "m" counts are metres.
const MINUTES_MAX: Decimal = Decimal::from_parts(999, 0, 0, false, 0);

/// More than so many of what "w" counts are pixels or watts.
const WEEKS_MAX: Decimal = Decimal::from_parts(104, 0, 0, false, 0);

/// A length as it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) min: Length,
    /// Nothing for "more than".
    pub(crate) max: Option<Length>,
    pub(crate) approximate: bool,
    /// "3 working days": Saturdays and Sundays do not count.
    pub(crate) working: bool,
    /// The smallest unit that is named.
    pub(crate) unit: DurationUnit,
    /// Whether it is a length without any word before it. "a week" is one only after "for", "in" and the like.
    pub(crate) sure: bool,
}

impl Said {
    /// Whether it counts days or more.
    pub(crate) fn is_long(&self) -> bool {
        self.max.unwrap_or(self.min).clock == SignedDuration::ZERO
    }
}

/// `count` of `unit`. Halves of months and days go down to days and hours. Nothing on overflow.
pub(crate) fn length_of(count: Decimal, unit: DurationUnit) -> Option<Length> {
    let months_of = |months: Decimal| -> Option<Length> {
        let whole = months.trunc();
        let rest = length_of((months - whole).checked_mul(Decimal::from(30))?.round(), DurationUnit::Day)?;
        Some(Length { months: whole.to_i32()?, ..rest })
    };
    let clock_of = |milliseconds: Decimal| -> Option<Length> {
        Some(Length { clock: SignedDuration::from_millis(milliseconds.trunc().to_i64()?), ..Length::default() })
    };
    let smallest = count.checked_mul(Decimal::from(unit.in_family()))?;
    match unit {
        DurationUnit::Month
        | DurationUnit::Quarter
        | DurationUnit::Year
        | DurationUnit::Decade
        | DurationUnit::Century => months_of(smallest),
        DurationUnit::Day | DurationUnit::Week => {
            let days = smallest.checked_div(Decimal::from(86_400_000))?;
            let whole = days.trunc();
            let rest = clock_of((days - whole).checked_mul(Decimal::from(86_400_000))?)?;
            Some(Length { days: whole.to_i32()?, ..rest })
        }
        _ => clock_of(smallest),
    }
}

/// So many weeks.
pub(crate) fn weeks(count: i32) -> Length {
    Length { days: count.saturating_mul(7), ..Length::default() }
}

pub(crate) fn add(one: Length, other: Length) -> Option<Length> {
    Some(Length {
        months: one.months.checked_add(other.months)?,
        days: one.days.checked_add(other.days)?,
        clock: one.clock.checked_add(other.clock)?,
    })
}

/// Units as they are abbreviated after figures, beside the usual ones.
fn unit_at(lex: &Lex<'_, '_>, at: usize, figures: bool) -> Option<(DurationUnit, usize)> {
    let word = lex.word(at);
    let end = at + 1;
    if let Some(unit) = unit_from_word(word) {
        // "3 business days" is read by `modifier`; an abbreviation may have its full stop.
        let short = matches!(word, "min" | "mins" | "hr" | "hrs" | "sec" | "secs" | "wk" | "wks" | "yr" | "yrs" | "mo");
        let stop = short && lex.mark(end) == Some('.') && lex.glued(end) && lex.near(end + 1) && !lex.capital(end + 1);
        return Some((unit, end + usize::from(stop)));
    }
    let glued = lex.glued(at);
    Some(match word {
        "fortnight" | "fortnights" => (DurationUnit::Week, end),
        "h" | "hs" if figures => (DurationUnit::Hour, end),
        "d" | "w" | "y" | "ys" | "s" if figures && glued => {
            let unit = match word {
                "d" => DurationUnit::Day,
                "w" => DurationUnit::Week,
                "s" => DurationUnit::Second,
                _ => DurationUnit::Year,
            };
            (unit, end)
        }
        "mon" | "mons" if figures => (DurationUnit::Month, end),
        _ => return None,
    })
}

/// Words between a number and its unit that do not change it.
fn past_modifier(lex: &Lex<'_, '_>, at: usize) -> usize {
    let modifies = matches!(
        lex.word(at),
        "business"
            | "working"
            | "work"
            | "calendar"
            | "full"
            | "whole"
            | "more"
            | "additional"
            | "extra"
            | "further"
            | "consecutive"
            | "entire"
            | "solid"
            | "long"
            | "short"
            | "straight"
    );
    if modifies && lex.near(at + 1) { at + 1 } else { at }
}

/// Whether a "+" that begins a line or follows a colon or bracket is glued to the figures at `at`.
pub(crate) fn is_signed(lex: &Lex<'_, '_>, at: usize) -> bool {
    let Some(plus) = at.checked_sub(1).filter(|plus| lex.mark(*plus) == Some('+') && lex.glued(at)) else {
        return false;
    };
    plus == 0 || lex.tokens.gap(plus) == Gap::Line || matches!(lex.mark(plus - 1), Some(':' | '('))
}

/// A number for a length: its value, the place after it, whether it is in figures, and whether it is only rough.
fn count_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Decimal, usize, bool, bool)> {
    let word = lex.word(at);
    let few = |next: usize| Some((Decimal::from(FEW), next, false, true));
    match word {
        "couple" => return Some((Decimal::TWO, at + 1 + usize::from(lex.is(at + 1, "of")), false, false)),
        "few" | "several" => return few(at + 1 + usize::from(lex.is(at + 1, "of"))),
        "some" if unit_from_word(lex.word(at + 1)).is_some() && lex.word(at + 1).ends_with('s') => return few(at + 1),
        "a" if lex.is(at + 1, "couple") => {
            return Some((Decimal::TWO, at + 2 + usize::from(lex.is(at + 2, "of")), false, false));
        }
        "a" if lex.is(at + 1, "few") => return few(at + 2),
        _ => {}
    }
    let figures = lex.tokens.digits(at).is_some();
    if figures && cue::is_embedded(lex, at) && !is_signed(lex, at) {
        return None;
    }
    match numeral_at(lex.tokens, at) {
        Found::Number(numeral) if !matches!(numeral.form, Form::Slash) || numeral.value < Decimal::ONE => {
            // "twenty and four hours"
            if !figures
                && lex.is(numeral.end, "and")
                && (Decimal::from(20)..Decimal::from(100)).contains(&numeral.value)
                && let Found::Number(rest) = numeral_at(lex.tokens, numeral.end + 1)
                && rest.value < Decimal::TEN
                && lex.tokens.digits(numeral.end + 1).is_none()
            {
                return Some((numeral.value + rest.value, rest.end, false, false));
            }
            // "two and half hours"
            if lex.is(numeral.end, "and") && lex.is(numeral.end + 1, "half") && numeral.value < Decimal::from(100) {
                return Some((numeral.value + Decimal::new(5, 1), numeral.end + 2, figures, false));
            }
            Some((numeral.value, numeral.end, figures, false))
        }
        _ => None,
    }
}

/// One part: a count and a unit.
fn part_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Decimal, DurationUnit, usize, bool)> {
    let (count, next, figures, rough) = count_at(lex, at)?;
    let hyphen = lex.past_hyphen(next);
    let place = past_modifier(lex, hyphen);
    // "half" needs its article or hyphen: below.
    if lex.is(at, "half") || !lex.near(place) {
        return None;
    }
    // "(20m)", "for 20m": elsewhere as well metres or millions.
    if figures && lex.is(place, "m") && lex.glued(place) {
        let minutes = count <= MINUTES_MAX;
        let bracketed = at > 0 && lex.mark(at - 1) == Some('(') && lex.mark(place + 1) == Some(')');
        let led = matches!(lex.before(at, 1), "for" | "takes" | "within")
            || lex.is(place + 1, "ago")
            || at > 0 && lex.mark(at - 1) == Some('~');
        return (minutes && (bracketed || led)).then_some((count, DurationUnit::Minute, place + 1, false));
    }
    // "a 15-year-old", "12 years old" tells an age.
    let end = lex.past_hyphen(place + 1);
    if lex.near(end) && (lex.is(end, "old") || lex.is(end, "olds")) {
        return None;
    }
    // "3D", "799w" and "in his 50s" tell no length.
    if figures && lex.glued(place) && lex.word(place).len() == 1 {
        let big = lex.capital(place) && !lex.is(place, "h") || lex.is(place, "w") && count > WEEKS_MAX;
        let tens = lex.is(place, "s") && lex.tokens.digits(at).is_some_and(|digits| digits.ends_with('0')) && {
            let person =
                |word: &str| matches!(word, "his" | "her" | "their" | "my" | "our" | "your" | "early" | "late" | "mid");
            // "weed the 300s", and not "the 30s timeout"
            let shelf = lex.before(at, 1) == "the" && cue::clause_ends_hard(lex, place + 1);
            person(lex.before(at, 1)) || shelf || lex.dash(at.wrapping_sub(1)) && lex.glued(at)
        };
        // "80s venues", "in their 70s and 80s", "2d-platform"
        let decade = lex.is(place, "s")
            && [50, 60, 70, 80, 90].contains(&lex.number(at, 2).unwrap_or(0))
            && (!cue::clause_ends_hard(lex, place + 1) || matches!(lex.before(at, 1), "and" | "or" | "of"));
        let model = lex.is(place, "d") && lex.dash(place + 1) && lex.glued(place + 1);
        if big || tens || decade || model {
            return None;
        }
    }
    // "1990s" is a decade.
    if figures && lex.is(place, "s") && lex.tokens.digits(at).is_some_and(|it| it.len() == 4 && it.ends_with('0')) {
        return None;
    }
    let (unit, end) = unit_at(lex, place, figures)?;
    let count = if lex.word(place).starts_with("fortnight") { count.checked_mul(Decimal::TWO)? } else { count };
    let word = lex.word(place);
    if rough && !word.ends_with('s') {
        return None;
    }
    // "the twenty second"
    if word == "second" && !figures && hyphen == next && count >= Decimal::from(20) {
        return None;
    }
    if word == "second" && hyphen == next && count != Decimal::ONE && !cue::clause_ends(lex, end) {
        return None;
    }
    // "3 quarters of it", "5 min" is a unit; "a quarter" is a part.
    if unit == DurationUnit::Quarter && (lex.is(end, "of") || !figures) {
        return None;
    }
    if lex.glued(place) && place == next && !figures
        || lex.apostrophe(end) && lex.glued(end) && lex.glued(end + 1) && lex.word(end + 1).len() > 1
    {
        return None;
    }
    Some((count, unit, end, rough))
}

/// The whole length at `at`, and where it ends.
pub(crate) fn length_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Said, usize)> {
    let (said, end) = bounded_at(lex, at)?;
    let working =
        said.unit == DurationUnit::Day && end >= at + 2 && matches!(lex.word(end - 2), "business" | "working" | "work");
    Some((Said { working, ..said }, end))
}

fn bounded_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Said, usize)> {
    if let Some((bound, next)) = bound_at(lex, at) {
        let approximate = matches!(lex.word(next), "about" | "around" | "approximately");
        let (said, end) = plain_at(lex, next + usize::from(approximate))?;
        let zero = Length::default();
        return Some(match bound {
            Side::Least => (Said { max: None, sure: true, ..said }, end),
            Side::Most => (Said { min: zero, sure: true, ..said }, end),
        });
    }
    plain_at(lex, at)
}

enum Side {
    Least,
    Most,
}

/// "less than", "up to", "at least" before a length.
fn bound_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Side, usize)> {
    // "no more than", "not less than"
    if matches!(lex.word(at), "no" | "not") && lex.is(at + 2, "than") {
        return Some(match lex.word(at + 1) {
            "more" | "longer" | "greater" => (Side::Most, at + 3),
            "less" | "fewer" | "shorter" => (Side::Least, at + 3),
            _ => return None,
        });
    }
    // "max. 30 min", "a maximum of 2 hours"
    let of = |next: usize| next + usize::from(lex.is(next, "of"));
    let glued = |next: usize| next + usize::from(lex.mark(next) == Some('.') && lex.glued(next));
    match lex.word(at) {
        "max" | "maximum" => return Some((Side::Most, of(glued(at + 1)))),
        "minimum" => return Some((Side::Least, of(at + 1))),
        _ => {}
    }
    Some(match (lex.word(at), lex.word(at + 1)) {
        ("less" | "fewer" | "shorter", "than") => (Side::Most, at + 2),
        ("more" | "longer" | "greater", "than") => (Side::Least, at + 2),
        ("up", "to") => (Side::Most, at + 2),
        ("at", "most") => (Side::Most, at + 2),
        ("at", "least") => (Side::Least, at + 2),
        _ => return None,
    })
}

fn plain_at(lex: &Lex<'_, '_>, at: usize) -> Option<(Said, usize)> {
    if let Some((said, end)) = special(lex, at) {
        // "an hour or so"
        let so = lex.is(end, "or") && lex.is(end + 1, "so");
        let said = Said { approximate: said.approximate || so, sure: said.sure || so, ..said };
        return Some((said, end + 2 * usize::from(so)));
    }
    // "30–45 min", "1 to 2 hours", "2 or 3 days": only the second end has the unit.
    if let Some((low, next, _, _)) = count_at(lex, at)
        && unit_at(lex, lex.past_hyphen(next), true).is_none()
        && (lex.dash(next) || matches!(lex.word(next), "to" | "or"))
        && lex.near(next + 1)
        && let Some((high, unit, end, _)) = part_at(lex, next + 1)
        && low < high
        && !lex.is(at, "half")
    {
        let said = Said {
            min: length_of(low, unit)?,
            max: Some(length_of(high, unit)?),
            approximate: false,
            working: false,
            unit,
            sure: true,
        };
        return Some((said, end));
    }
    let (first, unit, mut end, rough) = clocklike(lex, at)
        .or_else(|| part_at(lex, at).map(|(count, unit, end, rough)| (length_of(count, unit), unit, end, rough)))?;
    let mut total = first?;
    let mut smallest = unit;
    let mut used = vec![unit];
    while used.len() < PARTS_MAX {
        let mut next = end;
        next += usize::from(lex.mark(next) == Some(','));
        next += usize::from(lex.is(next, "and"));
        if !lex.near(next) && next < lex.tokens.list.len() {
            break;
        }
        // "1h 30m", "3m 49s": "m" is minutes beside another unit.
        let minutes = lex
            .number(next, 3)
            .filter(|_| lex.glued(next + 1) && lex.is(next + 1, "m") && used.contains(&DurationUnit::Hour));
        if let Some(minutes) = minutes {
            total = add(total, length_of(Decimal::from(minutes), DurationUnit::Minute)?)?;
            used.push(DurationUnit::Minute);
            smallest = DurationUnit::Minute;
            end = next + 2;
            continue;
        }
        let Some((count, unit, after, _)) = part_at(lex, next) else {
            // "1 hour 30", "2 hrs 15"
            if next == end
                && used == [DurationUnit::Hour]
                && lex.tokens.digits(end).is_some_and(|digits| digits.len() == 2)
                && let Some(minutes) = lex.number(end, 2).filter(|minutes| *minutes < 60)
                && cue::clause_ends(lex, end + 1)
                && !cue::goes_on(lex, end + 1)
                && !cue::counts(lex, end + 1)
            {
                total = add(total, length_of(Decimal::from(minutes), DurationUnit::Minute)?)?;
                smallest = DurationUnit::Minute;
                end += 1;
            }
            break;
        };
        if used.contains(&unit) || count_is_new(lex, next) && next != end {
            break;
        }
        total = add(total, length_of(count, unit)?)?;
        smallest = smallest.min(unit);
        used.push(unit);
        end = after;
    }
    // "an hour and a half" is special; "2 hours and a half"
    if lex.is(end, "and") && lex.is(end + 1, "a") && matches!(lex.word(end + 2), "half" | "quarter") && used.len() == 1
    {
        let part = if lex.is(end + 2, "half") { Decimal::new(5, 1) } else { Decimal::new(25, 2) };
        total = add(total, length_of(part, unit)?)?;
        end += 3;
    }
    // "30 min to 1 hour", "2 weeks to 3 months"
    let mut max = Some(total);
    if used.len() == 1
        && (lex.dash(end) || matches!(lex.word(end), "to" | "or"))
        && lex.near(end + 1)
        && !(lex.is(end, "to") && lex.near(end + 2) && part_at(lex, end + 1).is_none())
        && let Some((count, unit, after, _)) = part_at(lex, end + 1)
        && let Some(length) = length_of(count, unit)
        && is_less(total, length)
        && !lex.is(after, "ago")
    {
        max = Some(length);
        end = after;
    }
    let approximate = rough || lex.is(end, "or") && lex.is(end + 1, "so");
    if lex.is(end, "or") && lex.is(end + 1, "so") {
        end += 2;
    }
    Some((Said { min: total, max, approximate, working: false, unit: smallest, sure: true }, end))
}

/// "and 5 people": the number after "and" counts something of its own only if no unit follows, which `part_at` has asked.
fn count_is_new(lex: &Lex<'_, '_>, at: usize) -> bool {
    matches!(lex.word(at), "few" | "several" | "some" | "couple")
}

pub(crate) fn is_less(one: Length, other: Length) -> bool {
    let rough = |length: Length| {
        i64::from(length.months) * 30 * 86_400 + i64::from(length.days) * 86_400 + length.clock.as_secs()
    };
    rough(one) < rough(other)
}

/// A length and the unit that it is said in, where it ends, and whether it is rough.
type Part = (Option<Length>, DurationUnit, usize, bool);

/// "1h30", "2h15min", and "3m 49s" where seconds follow.
fn clocklike(lex: &Lex<'_, '_>, at: usize) -> Option<Part> {
    let first = lex.number(at, 3).filter(|_| !cue::is_embedded(lex, at) || is_signed(lex, at))?;
    if !lex.glued(at + 1) {
        return None;
    }
    if lex.is(at + 1, "m")
        && lex.number(at + 2, 2).is_some()
        && lex.glued(at + 3)
        && matches!(lex.word(at + 3), "s" | "sec" | "secs")
    {
        return Some((length_of(Decimal::from(first), DurationUnit::Minute), DurationUnit::Minute, at + 2, false));
    }
    if !lex.is(at + 1, "h") || !lex.glued(at + 2) {
        return None;
    }
    let minutes = lex.number(at + 2, 2).filter(|minutes| *minutes < 60)?;
    let glued_unit = lex.glued(at + 3) && matches!(lex.word(at + 3), "m" | "min" | "mins");
    let end = at + 3 + usize::from(glued_unit);
    let length = length_of(Decimal::from(first * 60 + minutes), DurationUnit::Minute);
    Some((length, DurationUnit::Minute, end, false))
}

/// Lengths without a plain number: "half an hour", "an hour", "all day", "another week", "a quarter of an hour".
fn special(lex: &Lex<'_, '_>, at: usize) -> Option<(Said, usize)> {
    let said = |count: Decimal, unit: DurationUnit, end: usize, sure: bool| {
        let length = length_of(count, unit)?;
        Some((Said { min: length, max: Some(length), approximate: false, working: false, unit, sure }, end))
    };
    let half = Decimal::new(5, 1);
    let quarter = Decimal::new(25, 2);
    let article = |place: usize| usize::from(matches!(lex.word(place), "a" | "an"));
    let unit = |place: usize| unit_from_word(lex.word(place)).filter(|_| lex.near(place));
    match lex.word(at) {
        "half" => {
            let mut place = lex.past_hyphen(at + 1);
            place += usize::from(lex.is(place, "of") && article(place + 1) == 1);
            place += article(place);
            let unit = unit(place).filter(|_| !lex.word(place).ends_with('s'))?;
            said(
                half,
                unit,
                place + 1,
                place > at + 1 || unit >= DurationUnit::Hour && cue::clause_ends(lex, place + 1),
            )
        }
        "three" if lex.is(at + 1, "quarters") && lex.is(at + 2, "of") && article(at + 3) == 1 => {
            said(Decimal::new(75, 2), unit(at + 4)?, at + 5, true)
        }
        "a" | "quarter" | "an" => {
            let place = at + article(at);
            // "a half hour", "a half-day"
            if lex.is(place, "half") && place > at {
                let next = lex.past_hyphen(place + 1);
                return said(half, unit(next)?, next + 1, true);
            }
            if lex.is(place, "quarter") {
                let of = usize::from(lex.is(place + 1, "of"));
                let next = lex.past_hyphen(place + 1 + of);
                let next = next + article(next);
                let hour = unit(next).filter(|unit| *unit == DurationUnit::Hour);
                if let Some(unit) = hour {
                    return said(quarter, unit, next + 1, true);
                }
                if place == at {
                    return None;
                }
            }
            let place = past_modifier(lex, place);
            if lex.is(place, "fortnight") {
                return said(Decimal::TWO, DurationUnit::Week, place + 1, true);
            }
            let unit = unit(place).filter(|_| !lex.word(place).ends_with('s'))?;
            let end = place + 1;
            let time = lex.is(end + 1, "s") && lex.is(end + 2, "time");
            if lex.dash(end) && lex.glued(end) && lex.glued(end + 1)
                || lex.apostrophe(end) && lex.glued(end) && !time
                || idle(lex, at, unit)
            {
                return None;
            }
            // "an hour and a half"
            if lex.is(end, "and") && lex.is(end + 1, "a") && matches!(lex.word(end + 2), "half" | "quarter") {
                let more = if lex.is(end + 2, "half") { half } else { quarter };
                return said(Decimal::ONE + more, unit, end + 3, true);
            }
            // "an hour or two"
            if lex.is(end, "or") && lex.is(end + 1, "two") {
                let max = length_of(Decimal::TWO, unit);
                let min = length_of(Decimal::ONE, unit)?;
                return Some((Said { min, max, approximate: true, working: false, unit, sure: true }, end + 2));
            }
            // "an hour and 20 minutes"
            if lex.is(end, "and")
                && let Some((count, smaller, last, _)) = part_at(lex, end + 1)
                && smaller < unit
            {
                let length = add(length_of(Decimal::ONE, unit)?, length_of(count, smaller)?)?;
                return Some((
                    Said {
                        min: length,
                        max: Some(length),
                        approximate: false,
                        working: false,
                        unit: smaller,
                        sure: true,
                    },
                    last,
                ));
            }
            said(Decimal::ONE, unit, end, one_is_length(lex, at, end, unit))
        }
        "all" | "full" | "whole" | "entire" => {
            let mut place = lex.past_hyphen(at + 1);
            place += usize::from(lex.is(at, "all") && lex.is(place, "the"));
            let unit = unit(place).filter(|_| !lex.word(place).ends_with('s'))?;
            let fits = unit >= DurationUnit::Day && !(lex.dash(place + 1) && lex.glued(place + 1));
            if fits { said(Decimal::ONE, unit, place + 1, true) } else { None }
        }
        "another" => {
            let place = past_modifier(lex, at + 1);
            let unit = unit(place).filter(|_| !lex.word(place).ends_with('s'))?;
            let idiom = matches!(unit, DurationUnit::Second | DurationUnit::Day | DurationUnit::Quarter)
                && place == at + 1
                && !cue::clause_ends(lex, place + 1);
            if idiom { None } else { said(Decimal::ONE, unit, place + 1, true) }
        }
        _ => None,
    }
}

/// "wait a minute", "just a second": no length is meant.
fn idle(lex: &Lex<'_, '_>, at: usize, unit: DurationUnit) -> bool {
    unit <= DurationUnit::Minute && matches!(lex.before(at, 1), "wait" | "just" | "on" | "hold" | "give" | "got")
}

/// Whether "a week" stands where a length stands, not a rate ("twice a week") or a day ("a day to remember").
fn one_is_length(lex: &Lex<'_, '_>, at: usize, end: usize, unit: DurationUnit) -> bool {
    let led = cue::leads_length(lex.before(at, 1));
    let followed = matches!(lex.word(end), "ago" | "later" | "earlier" | "hence" | "long" | "or")
        || matches!(lex.word(end), "before" | "after" | "from") && lex.near(end + 1);
    let idiom = unit <= DurationUnit::Second || unit == DurationUnit::Quarter;
    (led || followed) && !idiom
}
