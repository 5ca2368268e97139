//! Days of the year that have a name in English-speaking countries.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use super::lex::Lex;

/// When a holiday is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Month and day.
    On(i8, i8),
    /// Month, which one (the last is -1) and weekday, and so many days later.
    Nth(i8, i8, Weekday, i32),
    /// So many days after Easter Sunday.
    Easter(i32),
}

impl Rule {
    /// The day in `year`.
    pub(crate) fn day(self, year: i16) -> Option<Date> {
        match self {
            Self::On(month, day) => Date::new(year, month, day).ok(),
            Self::Nth(month, nth, weekday, later) => {
                let day = Date::new(year, month, 1).ok()?.nth_weekday_of_month(nth, weekday).ok()?;
                day.checked_add(later.days()).ok()
            }
            Self::Easter(later) => easter(year)?.checked_add(later.days()).ok(),
        }
    }
}

/// Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher (J. Meeus, *Astronomical Algorithms*,
/// 2nd ed., chapter 8).
fn easter(year: i16) -> Option<Date> {
    let year_number = i32::from(year);
    if year_number < 1583 {
        return None;
    }
    let golden = year_number % 19;
    let (century, rest) = (year_number / 100, year_number % 100);
    let correction = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - correction + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7;
    let shift = (golden + 11 * epact + 22 * weekday) / 451;
    let day = epact + weekday - 7 * shift + 114;
    Date::new(year, i8::try_from(day / 31).ok()?, i8::try_from(day % 31 + 1).ok()?).ok()
}

/// A holiday at `at`, by the rules of all countries that keep it, and where its name ends.
pub(crate) fn holiday_at(lex: &Lex<'_, '_>, at: usize) -> Option<(&'static [Rule], usize)> {
    use Weekday::{Monday, Sunday, Thursday};
    // "New Year's", "Valentines", "Mother’s"
    let owner = |place: usize| {
        let s = lex.apostrophe(place) && lex.glued(place) && lex.is(place + 1, "s") && lex.glued(place + 1);
        place + if s { 2 } else { usize::from(lex.apostrophe(place) && lex.glued(place)) }
    };
    let day = |place: usize| lex.is(place, "day").then_some(place + 1);
    let next = at + 1;
    let after = owner(next);
    let word = lex.word(at);
    // Names are written with a capital, or followed by what only a holiday has.
    let (rules, end): (&'static [Rule], usize) = match word {
        "christmas" | "xmas" => match lex.word(next) {
            "eve" => (&[Rule::On(12, 24)], next + 1),
            "day" => (&[Rule::On(12, 25)], next + 1),
            _ => (&[Rule::On(12, 25)], next),
        },
        "boxing" => (&[Rule::On(12, 26)], day(next)?),
        "new" if matches!(lex.word(next), "year" | "years") => {
            let after = owner(next + 1);
            match lex.word(after) {
                "eve" => (&[Rule::On(12, 31)], after + 1),
                "day" => (&[Rule::On(1, 1)], after + 1),
                _ if after > next + 1 && lex.capital(at) => (&[Rule::On(1, 1)], after),
                _ => return None,
            }
        }
        "valentine" | "valentines" => (&[Rule::On(2, 14)], day(after)?),
        "halloween" => (&[Rule::On(10, 31)], next),
        "easter" => match lex.word(next) {
            "monday" => (&[Rule::Easter(1)], next + 1),
            "sunday" => (&[Rule::Easter(0)], next + 1),
            _ => (&[Rule::Easter(0)], next),
        },
        "good" if lex.is(next, "friday") && lex.capital(at) => (&[Rule::Easter(-2)], next + 1),
        "thanksgiving" => (&[Rule::Nth(11, 4, Thursday, 0), Rule::Nth(10, 2, Monday, 0)], day(next).unwrap_or(next)),
        "black" if lex.is(next, "friday") && lex.capital(at) => (&[Rule::Nth(11, 4, Thursday, 1)], next + 1),
        "memorial" => (&[Rule::Nth(5, -1, Monday, 0)], day(next)?),
        "labor" | "labour" => (&[Rule::Nth(9, 1, Monday, 0), Rule::On(5, 1)], day(next)?),
        "independence" => (&[Rule::On(7, 4)], day(next)?),
        "veterans" => (&[Rule::On(11, 11)], day(after)?),
        "columbus" => (&[Rule::Nth(10, 2, Monday, 0)], day(next)?),
        "presidents" => (&[Rule::Nth(2, 3, Monday, 0)], day(after)?),
        "mother" | "mothers" => (&[Rule::Nth(5, 2, Sunday, 0), Rule::Easter(-21)], day(after)?),
        "father" | "fathers" => (&[Rule::Nth(6, 3, Sunday, 0)], day(after)?),
        _ => return None,
    };
    (lex.capital(at) || end > next).then_some((rules, end))
}
