//! Stretches of time: intervals of instants, days of a journey, and free time.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Seconds of a minute.
const MINUTE_SECONDS: i64 = 60;

/// A point of a plan: an instant, or a day of a journey, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// An instant.
    At(Timestamp),
    /// Day n of a journey.
    Day(i64),
}

/// A half-open stretch of instants. A side that is left open reaches to the end of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// First instant; [`Timestamp::MIN`] where that side is open.
    pub start: Timestamp,
    /// First instant after it; [`Timestamp::MAX`] where that side is open.
    pub end: Timestamp,
}

impl Interval {
    /// All of time.
    pub const ALWAYS: Self = Self { start: Timestamp::MIN, end: Timestamp::MAX };

    /// From `start` to `end`; an end before the start gives an empty interval.
    #[must_use]
    pub const fn new(start: Timestamp, end: Timestamp) -> Self {
        Self { start, end }
    }

    /// From `start` on.
    #[must_use]
    pub const fn from(start: Timestamp) -> Self {
        Self { start, end: Timestamp::MAX }
    }

    /// Until `end`.
    #[must_use]
    pub const fn until(end: Timestamp) -> Self {
        Self { start: Timestamp::MIN, end }
    }

    /// Whether it holds no instant.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether both sides are closed.
    #[must_use]
    pub fn is_bounded(self) -> bool {
        self.start > Timestamp::MIN && self.end < Timestamp::MAX
    }

    /// Its length in whole minutes, elapsed (a day on which clocks change is shorter or longer).
    #[must_use]
    pub fn minutes(self) -> i64 {
        minutes_between(self.start, self.end).max(0)
    }

    /// Whether the two share an instant.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        !self.is_empty() && !other.is_empty() && self.start < other.end && other.start < self.end
    }

    /// Whether `other` lies within this interval.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// What the two share; empty where they share nothing.
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        Self { start: self.start.max(other.start), end: self.end.min(other.end) }
    }
}

/// Days of a journey, both ends counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Days {
    /// First day, counted from 1.
    pub first: i64,
    /// Last day.
    pub last: i64,
}

impl Days {
    /// How many days they are; 0 where the last comes before the first.
    #[must_use]
    pub const fn count(self) -> i64 {
        let count = self.last.saturating_sub(self.first).saturating_add(1);
        if count < 0 { 0 } else { count }
    }

    /// Whether `other` lies within these days.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.first <= other.first && other.last <= self.last
    }

    /// Whether the two share a day.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// A stretch by the clock or by the days of a journey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Window {
    /// By the clock.
    Clock(Interval),
    /// By days.
    Days(Days),
}

/// Whole minutes from `start` to `end`, rounded down; negative where `end` comes first.
#[must_use]
pub fn minutes_between(start: Timestamp, end: Timestamp) -> i64 {
    end.as_second().saturating_sub(start.as_second()).div_euclid(MINUTE_SECONDS)
}

/// `minutes` after `at`, held within what a timestamp can say.
#[must_use]
pub fn minutes_after(at: Timestamp, minutes: i64) -> Timestamp {
    let second = at.as_second().saturating_add(minutes.saturating_mul(MINUTE_SECONDS));
    Timestamp::new(second, at.subsec_nanosecond()).unwrap_or(if minutes < 0 { Timestamp::MIN } else { Timestamp::MAX })
}

/// The intervals in order, those that touch or overlap made one, empty ones left out.
#[must_use]
pub fn merged(mut intervals: Vec<Interval>) -> Vec<Interval> {
    intervals.retain(|interval| !interval.is_empty());
    intervals.sort_unstable();
    let mut out: Vec<Interval> = Vec::with_capacity(intervals.len());
    for interval in intervals {
        match out.last_mut() {
            Some(last) if interval.start <= last.end => last.end = last.end.max(interval.end),
            _ => out.push(interval),
        }
    }
    out
}

/// What `a` and `b` share; both merged, and so is the result.
#[must_use]
pub fn shared(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::new();
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let both = x.meet(*y);
        if !both.is_empty() {
            out.push(both);
        }
        if x.end < y.end { i += 1 } else { j += 1 }
    }
    out
}

/// What of `a` lies outside `b`; both merged, and so is the result.
#[must_use]
pub fn without(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    let mut out = Vec::new();
    let mut first = 0;
    for whole in a {
        let mut start = whole.start;
        while b.get(first).is_some_and(|cut| cut.end <= start) {
            first += 1;
        }
        for cut in b.iter().skip(first).take_while(|cut| cut.start < whole.end) {
            if start < cut.start {
                out.push(Interval::new(start, cut.start));
            }
            start = start.max(cut.end);
        }
        if start < whole.end {
            out.push(Interval::new(start, whole.end));
        }
    }
    out
}

/// Whether one of the merged intervals holds the whole of `interval`.
#[must_use]
pub fn holds(merged: &[Interval], interval: Interval) -> bool {
    let after = merged.partition_point(|it| it.start <= interval.start);
    after.checked_sub(1).and_then(|at| merged.get(at)).is_some_and(|it| it.contains(interval))
}

/// Whether one of the merged intervals shares an instant with `interval`.
#[must_use]
pub fn touches(merged: &[Interval], interval: Interval) -> bool {
    let at = merged.partition_point(|it| it.end <= interval.start);
    merged.get(at).is_some_and(|it| it.overlaps(interval))
}

/// Whole minutes of all intervals together.
#[must_use]
pub fn total_minutes(merged: &[Interval]) -> i64 {
    merged.iter().fold(0, |sum, interval| sum.saturating_add(interval.minutes()))
}

/// An instant as a reader of `today` in `zone` says it: "14:30", with its weekday where it is another day, with its date
/// where that is more than six days off.
#[must_use]
pub fn clock(at: Timestamp, zone: &TimeZone, today: jiff::civil::Date) -> String {
    let local = at.to_zoned(zone.clone());
    let days = local.date().since(today).map_or(i64::MAX, |span| i64::from(span.get_days()));
    match days {
        0 => local.strftime("%H:%M").to_string(),
        -6..=6 => local.strftime("%a %H:%M").to_string(),
        _ => local.strftime("%Y-%m-%d %H:%M").to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Timestamp {
        minutes_after(Timestamp::UNIX_EPOCH, minute)
    }

    fn spans(pairs: &[(i64, i64)]) -> Vec<Interval> {
        pairs.iter().map(|(start, end)| Interval::new(at(*start), at(*end))).collect()
    }

    #[test]
    fn intervals_are_added_shared_and_taken_away() {
        assert_eq!(merged(spans(&[(5, 9), (0, 3), (3, 4), (8, 10), (7, 7)])), spans(&[(0, 4), (5, 10)]));
        assert_eq!(shared(&spans(&[(0, 4), (6, 10)]), &spans(&[(2, 7), (9, 20)])), spans(&[(2, 4), (6, 7), (9, 10)]));
        assert_eq!(
            without(&spans(&[(0, 10), (12, 20)]), &spans(&[(2, 4), (8, 14)])),
            spans(&[(0, 2), (4, 8), (14, 20)])
        );
        assert_eq!(without(&spans(&[(0, 10)]), &[Interval::ALWAYS]), []);
        assert!(holds(&spans(&[(0, 10), (12, 20)]), spans(&[(12, 13)])[0]));
        assert!(!holds(&spans(&[(0, 10), (12, 20)]), spans(&[(9, 13)])[0]));
        assert!(touches(&spans(&[(0, 10), (12, 20)]), spans(&[(9, 11)])[0]));
        assert!(!touches(&spans(&[(0, 10), (12, 20)]), spans(&[(10, 12)])[0]));
        assert_eq!(total_minutes(&spans(&[(0, 10), (12, 20)])), 18);
    }

    #[test]
    fn the_ends_of_time_hold() {
        assert_eq!(minutes_after(Timestamp::MAX, i64::MAX), Timestamp::MAX);
        assert_eq!(minutes_after(Timestamp::MIN, i64::MIN), Timestamp::MIN);
        assert!(Interval::ALWAYS.minutes() > 0);
        assert_eq!(Interval::new(at(5), at(3)).minutes(), 0);
        assert!(!Interval::from(at(0)).is_bounded());
        assert_eq!(Days { first: i64::MIN, last: i64::MAX }.count(), i64::MAX);
    }
}
