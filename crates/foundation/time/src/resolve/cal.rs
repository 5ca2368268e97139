//! Days and stretches of days: as they are said, and which ones of the calendar that can be.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use super::holidays::Rule;
use crate::expression::{Anchor, Diagnostic};

/// A first and a last day, both included.
pub(crate) type Days = (Date, Date);

/// A leap day comes again after this many years at the latest.
const YEARS_MAX: i16 = 8;

/// How long a stretch of days is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grain {
    Day,
    Week,
    Month,
    Quarter,
    Year,
    /// Anything else.
    Many,
}

/// Which end of a stretch of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    First,
    Middle,
    Last,
}

/// Days as they are said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spec {
    /// These, whatever the anchor says.
    Fixed(Vec<Days>),
    /// "Friday"
    Weekday(Weekday),
    /// "4 March" to "8 March": month, first and last day.
    InMonth(i8, i8, i8),
    /// "03/04": either number can be the month.
    Swapped(i8, i8),
    /// "the 15th"
    DayOfMonth(i8),
    /// From one month to another: "March", "Q3".
    Months(i8, i8),
    /// A day that each of these rules finds in every year.
    Holiday(&'static [Rule]),
    /// In no calendar.
    Nowhere,
}

/// Days as they are said, with what else is said of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cal {
    pub(crate) spec: Spec,
    pub(crate) grain: Grain,
    /// A weekday beside a date.
    pub(crate) weekday: Option<Weekday>,
    /// "end of", "early".
    pub(crate) side: Option<Side>,
    /// Why there is more than one, where the specification does not say it.
    pub(crate) why: Option<Diagnostic>,
    /// Whether it is a date without any word before it.
    pub(crate) sure: bool,
}

impl Cal {
    pub(crate) const fn new(spec: Spec, grain: Grain) -> Self {
        Self { spec, grain, weekday: None, side: None, why: None, sure: true }
    }

    pub(crate) fn day(date: Date) -> Self {
        Self::new(Spec::Fixed(vec![(date, date)]), Grain::Day)
    }

    pub(crate) fn days(first: Date, last: Date, grain: Grain) -> Self {
        Self::new(Spec::Fixed(vec![(first, last)]), grain)
    }

    /// A day of a year, or nothing of the calendar.
    pub(crate) fn ymd(year: i16, month: i8, day: i8) -> Self {
        Date::new(year, month, day).map_or(Self::new(Spec::Nowhere, Grain::Day), Self::day)
    }

    pub(crate) fn unsure(mut self) -> Self {
        self.sure = false;
        self
    }

    pub(crate) fn is_day(&self) -> bool {
        self.grain == Grain::Day && self.side.is_none()
    }

    /// Whether the year, or the week, is left open.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.spec, Spec::Fixed(_) | Spec::Nowhere)
    }

    /// All that it can be: what is coming (or lasts) first, then what is past. And why there is more than one, or none.
    pub(crate) fn candidates(&self, anchor: &Anchor) -> (Vec<Days>, Vec<Diagnostic>) {
        let today = anchor.today();
        let mut why: Vec<Diagnostic> = self.why.into_iter().collect();
        let mut found: Vec<Days> = match &self.spec {
            Spec::Nowhere => Vec::new(),
            Spec::Fixed(days) => days.clone(),
            Spec::Swapped(one, other) => {
                let mut all = both_ways(&Spec::InMonth(*one, *other, *other), today);
                if one != other {
                    all.extend(both_ways(&Spec::InMonth(*other, *one, *one), today));
                    why.push(Diagnostic::DayOrMonthFirst);
                }
                all
            }
            Spec::Holiday(rules) => {
                if rules.len() > 1 {
                    why.push(Diagnostic::WhichCountry);
                }
                let one = |rule: usize| both_ways(&Spec::Holiday(&rules[rule..=rule]), today);
                (0..rules.len()).flat_map(one).collect()
            }
            spec => both_ways(spec, today),
        };
        if self.is_open() && !found.is_empty() {
            why.push(Diagnostic::ComingOrPast);
        }
        if let Some(weekday) = self.weekday {
            if let Spec::DayOfMonth(day) = self.spec {
                // "Thursday the 21st": of this month too, if that was a Thursday.
                found.extend(Date::new(today.year(), today.month(), day).ok().map(|date| (date, date)));
                found.dedup();
            }
            let right: Vec<Days> = found.iter().copied().filter(|days| days.0.weekday() == weekday).collect();
            // "Tuesday 10 January", where only the last one was a Tuesday: the weekday may be wrong.
            let coming =
                right.iter().any(|days| days.1 >= today) || !matches!(self.spec, Spec::InMonth(..) | Spec::Swapped(..));
            if (right.is_empty() || !coming) && !found.is_empty() {
                why.push(Diagnostic::WrongWeekday);
            } else {
                found = right;
            }
            if found.len() < 2 {
                why.retain(|it| *it != Diagnostic::ComingOrPast);
            }
        }
        if found.is_empty() {
            why = vec![Diagnostic::NoSuchTime];
        }
        if let Some(side) = self.side {
            found = found.into_iter().map(|days| part_of(days, side)).collect();
        }
        (found, why)
    }

    /// The first that begins on `from` or later.
    pub(crate) fn at_or_after(&self, from: Date) -> Option<Days> {
        let days = match &self.spec {
            Spec::Fixed(days) => days.iter().copied().find(|days| days.0 >= from).or(days.last().copied()),
            spec => ahead(spec, from, false),
        };
        days.map(|days| self.side.map_or(days, |side| part_of(days, side)))
    }

    /// The last that begins on `until` or before.
    pub(crate) fn at_or_before(&self, until: Date) -> Option<Days> {
        match &self.spec {
            Spec::Fixed(days) => days.first().copied(),
            spec => behind(spec, until, false),
        }
    }
}

/// The coming one, the next after it if the coming one is today, and the one before.
fn both_ways(spec: &Spec, today: Date) -> Vec<Days> {
    let mut found = Vec::new();
    if let Some(coming) = ahead(spec, today, true) {
        found.push(coming);
        if coming.0 <= today
            && let Some(next) = coming.1.tomorrow().ok().and_then(|from| ahead(spec, from, false))
        {
            found.push(next);
        }
    }
    found.extend(today.yesterday().ok().and_then(|until| behind(spec, until, true)));
    found
}

/// The first that begins (or, if `lasting`, ends) on `from` or later.
fn ahead(spec: &Spec, from: Date, lasting: bool) -> Option<Days> {
    if let Spec::Swapped(month, day) = *spec {
        return ahead(&Spec::InMonth(month, day, day), from, lasting);
    }
    let right = |days: &Days| if lasting { days.1 >= from } else { days.0 >= from };
    match *spec {
        Spec::Weekday(weekday) => {
            let day = from.checked_add(i32::from(from.weekday().until(weekday)).days()).ok()?;
            Some((day, day))
        }
        Spec::DayOfMonth(day) => (0..12).find_map(|more| {
            let month = from.first_of_month().checked_add(more.months()).ok()?;
            let day = Date::new(month.year(), month.month(), day).ok()?;
            Some((day, day)).filter(right)
        }),
        _ => (-1..=YEARS_MAX).find_map(|more| in_year(spec, from.year().checked_add(more)?).filter(right)),
    }
}

/// The last that begins (or, if `over`, ends) on `until` or before.
fn behind(spec: &Spec, until: Date, over: bool) -> Option<Days> {
    if let Spec::Swapped(month, day) = *spec {
        return behind(&Spec::InMonth(month, day, day), until, over);
    }
    let right = |days: &Days| if over { days.1 <= until } else { days.0 <= until };
    match *spec {
        Spec::Weekday(weekday) => {
            let day = until.checked_sub(i32::from(weekday.until(until.weekday())).days()).ok()?;
            Some((day, day))
        }
        Spec::DayOfMonth(day) => (0..12).find_map(|less| {
            let month = until.first_of_month().checked_sub(less.months()).ok()?;
            let day = Date::new(month.year(), month.month(), day).ok()?;
            Some((day, day)).filter(right)
        }),
        _ => (0..=YEARS_MAX).find_map(|less| in_year(spec, until.year().checked_sub(less)?).filter(right)),
    }
}

fn in_year(spec: &Spec, year: i16) -> Option<Days> {
    match *spec {
        Spec::InMonth(month, first, last) => {
            Some((Date::new(year, month, first).ok()?, Date::new(year, month, last).ok()?))
        }
        Spec::Months(from, to) => {
            let end = if to < from { year.checked_add(1)? } else { year };
            Some((Date::new(year, from, 1).ok()?, Date::new(end, to, 1).ok()?.last_of_month()))
        }
        Spec::Holiday(rules) => {
            let day = rules.first()?.day(year)?;
            Some((day, day))
        }
        _ => None,
    }
}

/// The first, middle or last half of some days: "early next week" is Monday to Wednesday.
pub(crate) fn part_of((first, last): Days, side: Side) -> Days {
    let months = i32::from(last.year() - first.year()) * 12 + i32::from(last.month() - first.month()) + 1;
    let whole = first.day() == 1 && last == last.last_of_month();
    let month = |more: i32| first.checked_add(more.months()).unwrap_or(first);
    let day_before = |date: Date| date.yesterday().unwrap_or(date);
    if whole && months >= 3 {
        return match side {
            Side::First => (first, day_before(month(months / 2))),
            Side::Middle => (month(months / 3), day_before(month(months - months / 3))),
            Side::Last => (month(months - months / 2), last),
        };
    }
    let count = first.until(last).map_or(0, |span| span.get_days()) + 1;
    let day = |more: i32| first.checked_add(more.days()).unwrap_or(last);
    match side {
        Side::First => (first, day((count / 2 - 1).max(0))),
        Side::Middle => (day(count / 4), day(count - 1 - count / 4 - i32::from(count % 4 == 3))),
        Side::Last => (day(count / 2), last),
    }
}

/// The week that holds `date`.
pub(crate) fn week_of(date: Date, start: Weekday) -> Option<Days> {
    let first = date.checked_sub(i32::from(start.until(date.weekday())).days()).ok()?;
    Some((first, first.checked_add(6.days()).ok()?))
}

/// The day of the week `weekday` in the week that holds `date`.
pub(crate) fn in_week(date: Date, weekday: Weekday, start: Weekday) -> Option<Date> {
    let (first, _) = week_of(date, start)?;
    first.checked_add(i32::from(start.until(weekday)).days()).ok()
}

/// The week with this number by ISO 8601.
pub(crate) fn iso_week(year: i16, week: i8) -> Option<Days> {
    let first = jiff::civil::ISOWeekDate::new(year, week, Weekday::Monday).ok()?.date();
    Some((first, first.checked_add(6.days()).ok()?))
}
