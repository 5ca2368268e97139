//! Lengths of time that can be added to a date.

use jiff::{SignedDuration, Span};

/// A length of time, in the three measures that do not convert into each other: months have no fixed days, and a day in
/// which the clocks change has no 24 hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length {
    /// Calendar months; a year has 12.
    pub months: i32,
    /// Days; a week has 7.
    pub days: i32,
    /// Hours and less.
    pub clock: SignedDuration,
}

impl Length {
    /// Whole minutes, a day counted as 24 hours, rounded down; nothing if it has months.
    #[must_use]
    pub fn minutes(self) -> Option<i64> {
        (self.months == 0).then(|| i64::from(self.days) * 24 * 60 + self.clock.as_secs().div_euclid(60))
    }

    /// The length as a span of the calendar library, for adding to dates. Nothing if it is longer than the calendar.
    #[must_use]
    pub fn span(self) -> Option<Span> {
        let span = Span::new().try_months(self.months).ok()?.try_days(self.days).ok()?;
        let span = span.try_seconds(self.clock.as_secs()).ok()?;
        span.try_nanoseconds(i64::from(self.clock.subsec_nanos())).ok()
    }
}
