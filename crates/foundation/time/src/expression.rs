//! What a time expression in prose means, resolved against an anchor.

use std::ops::Range;

use jiff::Zoned;
use jiff::civil::{Date, DateTime, Time, Weekday};
use jiff::tz::TimeZone;

use crate::day_part::DayPart;
use crate::durations::DurationUnit;
use crate::length::Length;
use crate::local::{LocalTime, resolve_in};

/// At most this many readings of one expression are kept. The most that one has is twelve: "3/4 at 5" on the fourth of March.
pub const READINGS_MAX: usize = 16;

/// From where relative expressions are counted. It is always given, never taken from a clock.
#[derive(Clone, Debug)]
pub struct Anchor {
    /// Now, in the zone in which the writer lives.
    pub now: Zoned,
    /// The day on which a week begins: "end of the week", "next week".
    pub week_start: Weekday,
}

impl Anchor {
    /// An anchor at `now` whose weeks begin on Monday (ISO 8601).
    #[must_use]
    pub const fn new(now: Zoned) -> Self {
        Self { now, week_start: Weekday::Monday }
    }

    /// The day on which the anchor lies, in its zone.
    #[must_use]
    pub fn today(&self) -> Date {
        self.now.date()
    }
}

/// A time expression found in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Its bytes: with the words that make a range or part of a day of it ("from 5 to 6", "in the morning"), without
    /// those that only place it ("at", "on") and without the limit ("until").
    pub span: Range<usize>,
    /// Every reading that it can have, [`READINGS_MAX`] at most, each once. Of clock numbers the earlier in the day stands
    /// first, of days the coming before the past; the order is no choice. Empty only with [`Diagnostic::NoSuchTime`].
    pub readings: Vec<Reading>,
    /// The limit that the words before it make of it: "until 5" is no 5 o'clock, but a side of a range.
    pub limit: Option<LimitWord>,
    /// The zone that is said with it. Without one, civil times are those of the anchor's zone.
    pub zone: Option<Zone>,
    /// "about", "around", "2ish".
    pub approximate: bool,
    /// Why it has more than one reading, or none, or a time that is not quite there.
    pub diagnostics: Vec<Diagnostic>,
    /// What it is put together from, where that is more than one thing: the ends of a range, a date and a time.
    pub parts: Vec<Part>,
}

impl Expression {
    /// The zones in which its civil times can lie: those that are said, else the anchor's.
    #[must_use]
    pub fn zones(&self, anchor: &Anchor) -> Vec<TimeZone> {
        self.zone.as_ref().map_or_else(|| vec![anchor.now.time_zone().clone()], |zone| zone.candidates.clone())
    }

    /// The instants of the civil times on a day that its readings name, in the order of the readings and in each of its
    /// [`zones`](Self::zones): both of a time that comes twice when the clocks go back, and the nearest before and after one
    /// that is skipped when they go forward. A time without a day has none.
    #[must_use]
    pub fn local_times(&self, anchor: &Anchor) -> Vec<LocalTime> {
        let named = self.readings.iter().flat_map(|reading| match reading {
            Reading::DateTime(at) => [Some(*at), None],
            Reading::DateTimeRange { start, end } => [*start, *end],
            _ => [None, None],
        });
        let named: Vec<DateTime> = named.flatten().collect();
        let zones = self.zones(anchor);
        zones.iter().flat_map(|zone| named.iter().filter_map(|at| resolve_in(*at, zone))).collect()
    }
}

/// One meaning of an expression. Civil times are those of [`Expression::zone`], else of the anchor's zone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// A clock time on a day that is not said.
    Time(Time),
    /// From one clock time to another on a day that is not said. An end that is not after its start lies on the next day.
    TimeRange {
        /// First moment.
        start: Time,
        /// The moment at which it is over.
        end: Time,
    },
    /// A day.
    Date(Date),
    /// Several days, both ends included. "June", "next week", "4 to 8 March".
    DateRange {
        /// First day; open where none is said.
        first: Option<Date>,
        /// Last day, itself included; open where none is said.
        last: Option<Date>,
    },
    /// A clock time on a day.
    DateTime(DateTime),
    /// From one moment to another.
    DateTimeRange {
        /// First moment; open where none is said.
        start: Option<DateTime>,
        /// The moment at which it is over; open where none is said.
        end: Option<DateTime>,
    },
    /// A length of time: "30 to 45 minutes". Equal ends for a single one; "less than an hour" has a least of zero.
    Duration {
        /// At least.
        min: Length,
        /// At most; open for "more than an hour".
        max: Option<Length>,
    },
    /// Again and again.
    Recurrence(Recurrence),
    /// A part of a day: no clock says when it begins. [`DayPart::window`] gives the usual hours.
    DayPart {
        /// Which part.
        part: DayPart,
        /// Of which day, where it is said.
        date: Option<Date>,
    },
}

/// What repeats: "every 30 minutes", "every other Tuesday at 9", "weekdays".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recurrence {
    /// Every so many of `unit`; at least 1.
    pub count: u32,
    /// The unit in which it repeats.
    pub unit: DurationUnit,
    /// On these days of the week; empty where none is said.
    pub weekdays: Vec<Weekday>,
    /// At this time.
    pub at: Option<Time>,
    /// Until this time, of a range ("every Tuesday 9 to 10").
    pub until: Option<Time>,
    /// In this part of the day ("every morning").
    pub part: Option<DayPart>,
}

/// A limit and the bytes of the words that make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitWord {
    /// Which side it closes, and how.
    pub limit: Limit,
    /// The words: "until", "no later than".
    pub span: Range<usize>,
}

/// What a word before a time makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// "after 3", "later than 3": begins when it is over (a time: itself excluded; a day: the day excluded).
    After,
    /// "from 3", "since Monday", "starting tomorrow", "not before 3": begins with it.
    From,
    /// "before noon", "earlier than 5": over when it begins.
    Before,
    /// "by Friday", "no later than 5", "due Friday": done at some moment up to it, a day included.
    By,
    /// "until 5", "till Friday", "through Friday": lasts up to it, a day included.
    Until,
}

/// A zone that is said with a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// Its bytes: "ET", "Tokyo time", "UTC+5:45".
    pub span: Range<usize>,
    /// Every zone that the words can mean; at least one.
    pub candidates: Vec<TimeZone>,
}

/// Why an expression is not simply one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Diagnostic {
    /// "3", "9:30": before or after noon.
    BeforeOrAfterNoon,
    /// "until 2030": the year, or half past eight in the evening.
    YearOrTime,
    /// "midnight" with a day: its first or its last moment.
    WhichMidnight,
    /// "next Friday": that of this week or of the next.
    WhichWeek,
    /// "Friday", "4 March", "the 15th": the coming one or the last.
    ComingOrPast,
    /// "03/04": day or month first.
    DayOrMonthFirst,
    /// "Thanksgiving": on another day in another country.
    WhichCountry,
    /// "winter": which months, or of which year.
    WhichSeason,
    /// "CST": more than one zone has this abbreviation, or it is used in summer too.
    WhichZone,
    /// "Monday 4 March" where that is a Tuesday: the date is kept.
    WrongWeekday,
    /// "30 February": in no calendar.
    NoSuchTime,
    /// A clock time that the zone's change to summer time skips on that day, see [`crate::resolve_in`].
    Skipped,
    /// A clock time that comes twice on that day, see [`crate::resolve_in`].
    Repeated,
}

impl Diagnostic {
    /// What is to be asked or said, in the words of a person.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::BeforeOrAfterNoon => "can be before or after noon",
            Self::YearOrTime => "can be a year or a time of day",
            Self::WhichMidnight => "midnight can begin or end that day",
            Self::WhichWeek => "can be the day of this week or of the next",
            Self::ComingOrPast => "can be the coming one or the last one",
            Self::DayOrMonthFirst => "can have the day first or the month first",
            Self::WhichCountry => "is kept on another day in another country",
            Self::WhichSeason => "can be more than one stretch of months",
            Self::WhichZone => "more than one time zone is called so",
            Self::WrongWeekday => "does not fall on that day of the week",
            Self::NoSuchTime => "is in no calendar",
            Self::Skipped => "is skipped on that day when the clocks go forward",
            Self::Repeated => "comes twice on that day when the clocks go back",
        }
    }
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its bytes.
    pub span: Range<usize>,
    /// What it does in the expression.
    pub role: PartRole,
    /// What it means by itself.
    pub readings: Vec<Reading>,
}

/// What a part does in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartRole {
    /// The first end of a range.
    Start,
    /// The second end of a range.
    End,
    /// The day, or part of one, to which a time belongs.
    Day,
    /// The time on a day.
    Clock,
    /// How long something lasts that begins at a time.
    Length,
}
