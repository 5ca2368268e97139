//! Rules as lines write them.

use std::collections::BTreeSet;
use std::str::FromStr;

use jiff::civil::{DateTime, Time, Weekday};

use super::days::{Days, NUMBER_MAX, Numbers, WeekDays};
use crate::lines::Line;
use crate::values::Stamp;
use crate::{CalendarError, RULE_BYTES_MAX};

/// The longest interval that is told apart: beyond it no rule comes back before the calendar ends.
const INTERVAL_MAX: i64 = 10_000_000;

/// What a rule goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frequency {
    /// Days.
    Daily,
    /// Weeks, from the day on which the rule has them begin.
    Weekly,
    /// Months.
    Monthly,
    /// Years.
    Yearly,
}

impl Frequency {
    const fn text(self) -> &'static str {
        match self {
            Self::Daily => "DAILY",
            Self::Weekly => "WEEKLY",
            Self::Monthly => "MONTHLY",
            Self::Yearly => "YEARLY",
        }
    }
}

/// A rule by which an event recurs, in times by the clock.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(super) frequency: Frequency,
    /// Each of so many periods counts.
    pub(super) interval: i64,
    pub(super) until: Option<DateTime>,
    /// After how many it ends.
    pub(super) count: Option<usize>,
    pub(super) days: Days,
    /// Which of a period's days count.
    pub(super) positions: Option<Numbers>,
    hour: Option<i8>,
    minute: Option<i8>,
    second: Option<i8>,
}

impl Rule {
    /// Reads the rule of a line. `local` makes a time by the clock of an end, as the event counts it.
    pub(crate) fn read(
        line: &Line,
        local: impl Fn(Stamp) -> Result<DateTime, CalendarError>,
    ) -> Result<Self, CalendarError> {
        let wrong = |what: &str| line.wrong(format!("RRULE `{}` {what}", line.shown()));
        if line.value.len() > RULE_BYTES_MAX {
            return Err(wrong(&format!("holds more than {RULE_BYTES_MAX} bytes")));
        }
        let none = || wrong("is no rule of RFC 5545");
        let mut parts = Vec::new();
        let mut names = BTreeSet::new();
        for part in line.value.split(';').filter(|part| !part.trim().is_empty()) {
            let Some((name, value)) = part.split_once('=') else { return Err(wrong("is no rule")) };
            let (name, value) = (name.trim().to_ascii_uppercase(), value.trim().to_ascii_uppercase());
            if matches!(name.as_str(), "BYHOUR" | "BYMINUTE" | "BYSECOND") && value.contains(',') {
                return Err(wrong(&format!("recurs more than once a day, by {name}, which is not read")));
            }
            if !names.insert(name.clone()) {
                return Err(none());
            }
            parts.push((name, value));
        }
        let frequency = parts.iter().find(|(name, _)| name == "FREQ").ok_or_else(none)?;
        let frequency = match frequency.1.as_str() {
            "DAILY" => Frequency::Daily,
            "WEEKLY" => Frequency::Weekly,
            "MONTHLY" => Frequency::Monthly,
            "YEARLY" => Frequency::Yearly,
            "HOURLY" | "MINUTELY" | "SECONDLY" => {
                return Err(wrong("recurs more than once a day, which is not read"));
            }
            _ => return Err(none()),
        };
        let mut rule = Self::every(frequency);
        for (name, value) in &parts {
            if name == "UNTIL" {
                let stamp = Stamp::read(value).ok_or_else(|| wrong("ends at no time"))?;
                rule.until = Some(local(stamp)?);
            } else {
                rule.add(name, value).ok_or_else(none)?;
            }
        }
        if let Some(part) = rule.misplaced() {
            return Err(wrong(&format!("has {part}, which RFC 5545 does not allow with FREQ={}", frequency.text())));
        }
        let has_months = rule.days.months.is_some();
        rule.days.counts_by_year = frequency == Frequency::Yearly && !has_months;
        Ok(rule)
    }

    /// A rule of each period, without any other part.
    fn every(frequency: Frequency) -> Self {
        Self {
            frequency,
            interval: 1,
            until: None,
            count: None,
            days: Days::default(),
            positions: None,
            hour: None,
            minute: None,
            second: None,
        }
    }

    /// Takes in a part of the rule, but for its end.
    fn add(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "FREQ" => {}
            "INTERVAL" => {
                let periods = figures(value).filter(|it| *it > 0)?;
                self.interval = i64::try_from(periods).map_or(INTERVAL_MAX, |own| own.min(INTERVAL_MAX));
            }
            "COUNT" => self.count = Some(usize::try_from(figures(value)?).unwrap_or(usize::MAX)),
            "WKST" => self.days.week_start = week_day(value)?,
            "BYMONTH" => self.days.months = Some(numbers(value, 1..=12)?),
            "BYMONTHDAY" => self.days.month_days = Some(numbers(value, -31..=31)?),
            "BYYEARDAY" => self.days.year_days = Some(numbers(value, -NUMBER_MAX..=NUMBER_MAX)?),
            "BYWEEKNO" => self.days.weeks = Some(numbers(value, -53..=53)?),
            "BYDAY" => self.days.week_days = Some(week_days(value)?),
            "BYSETPOS" => self.positions = Some(numbers(value, -NUMBER_MAX..=NUMBER_MAX)?),
            "BYHOUR" => self.hour = Some(of_clock(value, 23)?),
            "BYMINUTE" => self.minute = Some(of_clock(value, 59)?),
            // A leap second is the last of its minute.
            "BYSECOND" => self.second = Some(of_clock(value, 60)?.min(59)),
            _ => return None,
        }
        Some(())
    }

    /// A part that rules of such a frequency cannot have.
    fn misplaced(&self) -> Option<&'static str> {
        let (is_yearly, is_weekly) = (self.frequency == Frequency::Yearly, self.frequency == Frequency::Weekly);
        let days = &self.days;
        let counts_days = days.week_days.as_ref().is_some_and(WeekDays::are_counted);
        let may_count_days = matches!(self.frequency, Frequency::Monthly | Frequency::Yearly);
        [
            ("BYMONTHDAY", days.month_days.is_some() && is_weekly),
            ("BYYEARDAY", days.year_days.is_some() && !is_yearly),
            ("BYWEEKNO", days.weeks.is_some() && !is_yearly),
            ("BYDAY with a number", counts_days && !may_count_days),
            ("BYWEEKNO beside BYDAY with a number", counts_days && days.weeks.is_some()),
        ]
        .into_iter()
        .find_map(|(part, is_misplaced)| is_misplaced.then_some(part))
    }

    /// When on a day it recurs: at the event's time, but for what the rule says.
    pub(super) fn time(&self, start: Time) -> Time {
        let (hour, minute) = (self.hour.unwrap_or(start.hour()), self.minute.unwrap_or(start.minute()));
        Time::new(hour, minute, self.second.unwrap_or(start.second()), 0).unwrap_or(start)
    }
}

/// A number of figures alone; one that is too large for the machine is the largest.
fn figures(value: &str) -> Option<u64> {
    if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(value.parse().unwrap_or(u64::MAX))
}

/// An hour, minute or second.
fn of_clock(value: &str, most: u64) -> Option<i8> {
    i8::try_from(figures(value).filter(|it| *it <= most)?).ok()
}

/// A list of numbers, none of them nothing.
fn numbers(value: &str, within: std::ops::RangeInclusive<i16>) -> Option<Numbers> {
    let mut out = Numbers::default();
    for own in value.split(',') {
        out.add(i16::from_str(own.trim()).ok().filter(|it| *it != 0 && within.contains(it))?);
    }
    Some(out)
}

fn week_day(value: &str) -> Option<Weekday> {
    Some(match value {
        "MO" => Weekday::Monday,
        "TU" => Weekday::Tuesday,
        "WE" => Weekday::Wednesday,
        "TH" => Weekday::Thursday,
        "FR" => Weekday::Friday,
        "SA" => Weekday::Saturday,
        "SU" => Weekday::Sunday,
        _ => return None,
    })
}

/// A list of days of the week: `MO,TU`, `1MO,-1FR`.
fn week_days(value: &str) -> Option<WeekDays> {
    const WEEKS_MAX: i16 = 53;
    let mut out = WeekDays::default();
    for own in value.split(',') {
        let (number, day) = own.trim().split_at_checked(own.trim().len().checked_sub(2)?)?;
        let day = week_day(day)?;
        if number.is_empty() {
            out.add(day);
        } else {
            let number = i16::from_str(number).ok()?;
            out.add_counted(day, Some(number).filter(|it| *it != 0 && it.abs() <= WEEKS_MAX)?);
        }
    }
    Some(out)
}
