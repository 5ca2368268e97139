//! Dates, clock times and durations in prose, ambiguity kept.
//!
//! Two readers stand here. [`dates`] and [`durations`] read what can be *compared*: the windows and lengths that a text states,
//! whatever the day on which it was written. [`expressions`] *resolves*: clock times, days, ranges, recurrences and zones
//! against an [`Anchor`], for whoever plans with them.
//!
//! Every reading carries the bytes of the text it stands for. What has two readings keeps both; what is only a calendar
//! word without a date ("may", "march on") is not read at all. All readers share one tokenising pass, see [`scan`].

pub mod bound;
mod dates;
mod day_part;
mod durations;
mod expression;
mod length;
mod local;
mod months;
pub mod numeral;
mod points;
mod resolve;
pub mod scan;

pub use bound::Bound;
pub use dates::{
    DateGrain, DateReading, DateRole, DateValue, DateWindow, MonthDay, ProjectPoint, ProjectUnit, dates, dates_in,
};
pub use day_part::{DayPart, Edge, PartName};
pub use durations::{
    DAYS_PER_MONTH, DurationFamily, DurationReading, DurationUnit, durations, durations_in, stated_zeros,
    unit_from_word,
};
pub use expression::{
    Anchor, Diagnostic, Expression, Limit, LimitWord, Part, PartRole, READINGS_MAX, Reading, Recurrence, Zone,
};
pub use length::Length;
pub use local::{LocalTime, resolve_in};
pub use resolve::{expressions, month_word, weekday_word};
