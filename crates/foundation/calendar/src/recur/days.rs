//! The days of a period that a rule names.

use jiff::civil::{Date, Weekday};

use super::rule::Frequency;

/// The largest number that a rule counts by: the days of a leap year.
pub(super) const NUMBER_MAX: i16 = 366;

/// Words of a bit for each of them.
const WORDS: usize = 6;

/// Months of a year.
const MONTHS: usize = 12;

/// Days of a week.
const WEEK: usize = 7;

/// Days of a week that must lie in a year for the week to be one of that year.
const WEEK_DAYS_MIN: usize = 4;

/// Numbers that count from the beginning of something, or where they are negative from its end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    from_start: [u64; WORDS],
    from_end: [u64; WORDS],
}

impl Numbers {
    /// Only this one.
    fn one(number: i8) -> Self {
        let mut numbers = Self::default();
        numbers.add(i16::from(number));
        numbers
    }

    /// Takes in a number of at most [`NUMBER_MAX`] on either side of nothing.
    pub(super) fn add(&mut self, number: i16) {
        let bit = usize::from(number.unsigned_abs().saturating_sub(1));
        let bits = if number < 0 { &mut self.from_end } else { &mut self.from_start };
        if let Some(own) = bits.get_mut(bit / 64) {
            *own |= 1 << (bit % 64);
        }
    }

    /// Whether the one at a place, counted from 1, of so many is among them.
    pub(super) fn has(&self, at: usize, of: usize) -> bool {
        let is_in = |bits: &[u64], bit: usize| bits.get(bit / 64).is_some_and(|own| own >> (bit % 64) & 1 == 1);
        is_in(&self.from_start, at - 1) || is_in(&self.from_end, of - at)
    }
}

/// Days of the week: every one, or the first, second or last of a month or year.
#[derive(Clone, Debug, Default)]
pub(super) struct WeekDays {
    /// By days after Monday.
    every: [bool; WEEK],
    counted: [Option<Numbers>; WEEK],
}

impl WeekDays {
    pub(super) fn add(&mut self, day: Weekday) {
        self.every[index(day)] = true;
    }

    /// Takes in the first of a day of the week, the second, or with a negative number the last.
    pub(super) fn add_counted(&mut self, day: Weekday, number: i16) {
        self.counted[index(day)].get_or_insert_default().add(number);
    }

    /// Whether one of them is the first, second or last of something.
    pub(super) fn are_counted(&self) -> bool {
        self.counted.iter().any(Option::is_some)
    }

    /// Whether a day of the week is one of them that stands at a place, counted from 1, of so many days.
    fn has(&self, day: usize, at: usize, of: usize) -> bool {
        self.every[day] || self.counted[day].as_ref().is_some_and(|own| is_counted(own, at, of))
    }
}

/// The days that a rule names, by its parts. What it does not name is any.
#[derive(Clone, Debug)]
pub(super) struct Days {
    pub(super) months: Option<Numbers>,
    pub(super) month_days: Option<Numbers>,
    pub(super) year_days: Option<Numbers>,
    pub(super) weeks: Option<Numbers>,
    pub(super) week_days: Option<WeekDays>,
    pub(super) week_start: Weekday,
    /// Days of the week are counted by the year, not by the month.
    pub(super) counts_by_year: bool,
}

impl Default for Days {
    fn default() -> Self {
        Self {
            months: None,
            month_days: None,
            year_days: None,
            weeks: None,
            week_days: None,
            week_start: Weekday::Monday,
            counts_by_year: false,
        }
    }
}

impl Days {
    /// These days, with what the rule leaves open as the event's first day has it.
    pub(super) fn completed(&self, frequency: Frequency, first: Date) -> Self {
        let mut days = self.clone();
        if days.month_days.is_some() || days.year_days.is_some() || days.week_days.is_some() {
            return days;
        }
        match frequency {
            Frequency::Daily => {}
            Frequency::Yearly if days.weeks.is_none() => {
                days.months.get_or_insert(Numbers::one(first.month()));
                days.month_days = Some(Numbers::one(first.day()));
            }
            Frequency::Monthly => days.month_days = Some(Numbers::one(first.day())),
            Frequency::Weekly | Frequency::Yearly => {
                let mut own = WeekDays::default();
                own.add(first.weekday());
                days.week_days = Some(own);
            }
        }
        days
    }

    /// Adds those from a day to another, in their order.
    pub(super) fn between(&self, first: Date, last: Date, out: &mut Vec<Date>) {
        let mut next = Some(first);
        while let Some(from) = next.filter(|from| *from <= last) {
            let end = from.last_of_month();
            if self.months.as_ref().is_none_or(|own| own.has(usize::from(from.month().unsigned_abs()), MONTHS)) {
                self.of_month(&Month::of(from), from.day(), end.min(last).day(), out);
            }
            next = end.tomorrow().ok();
        }
    }

    /// Adds those of a month, from one of its days to another.
    fn of_month(&self, month: &Month, first: i8, last: i8, out: &mut Vec<Date>) {
        for day in first..=last {
            let at = usize::from(day.unsigned_abs());
            let of_year = month.days_before + at;
            let week_day = (month.first_week_day + at - 1) % WEEK;
            let (week_day_at, week_day_of) =
                if self.counts_by_year { (of_year, month.year_days) } else { (at, month.days) };
            if self.month_days.as_ref().is_none_or(|own| own.has(at, month.days))
                && self.year_days.as_ref().is_none_or(|own| own.has(of_year, month.year_days))
                && self.week_days.as_ref().is_none_or(|own| own.has(week_day, week_day_at, week_day_of))
                && self
                    .weeks
                    .as_ref()
                    .is_none_or(|own| month.is_in_weeks(own, of_year, week_day, index(self.week_start)))
            {
                out.extend(Date::new(month.year, month.month, day));
            }
        }
    }
}

/// A month, and its place in the year.
struct Month {
    year: i16,
    month: i8,
    days: usize,
    /// Days after Monday of its first.
    first_week_day: usize,
    /// Days of the year before it.
    days_before: usize,
    year_days: usize,
}

impl Month {
    /// The month of a day.
    fn of(date: Date) -> Self {
        let first = date.first_of_month();
        let size = |days: i16| usize::from(days.unsigned_abs());
        Self {
            year: date.year(),
            month: date.month(),
            days: size(i16::from(date.days_in_month())),
            first_week_day: index(first.weekday()),
            days_before: size(first.day_of_year()) - 1,
            year_days: size(date.days_in_year()),
        }
    }

    /// Whether a day of the year, from 1, lies in one of these weeks. A week is of the year that its fourth day is of, so the first days of a year can lie in
    /// the last week of the year before, and the last ones in the first week of the next.
    fn is_in_weeks(&self, weeks: &Numbers, of_year: usize, week_day: usize, week_start: usize) -> bool {
        let fourth = of_year + WEEK_DAYS_MIN - 1;
        let since = (week_day + WEEK - week_start) % WEEK;
        let (at, of) = if fourth <= since {
            let of = days_in_year(self.year - 1);
            (of + fourth - since, of)
        } else if fourth - since > self.year_days {
            (fourth - since - self.year_days, days_in_year(self.year + 1))
        } else {
            (fourth - since, self.year_days)
        };
        is_counted(weeks, at, of)
    }
}

/// Whether a day that stands at a place, counted from 1, of so many days is one of those: the first of its day of the week, the second, or the last.
fn is_counted(numbers: &Numbers, at: usize, of: usize) -> bool {
    let (before, after) = ((at - 1) / WEEK, (of - at) / WEEK);
    numbers.has(before + 1, before + 1 + after)
}

fn days_in_year(year: i16) -> usize {
    const USUAL: usize = 365;
    Date::new(year, 1, 1).map_or(USUAL, |date| usize::from(date.days_in_year().unsigned_abs()))
}

/// Days after Monday.
fn index(day: Weekday) -> usize {
    usize::from(day.to_monday_zero_offset().unsigned_abs())
}
