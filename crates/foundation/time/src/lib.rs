//! Dates and durations in prose, ambiguity kept.
//!
//! Every reading carries the bytes of the text it stands for. What has two readings keeps both; what is only a calendar
//! word without a date ("may", "march on") is not read at all. All readers share one tokenising pass, see [`scan`].

pub mod bound;
mod dates;
mod durations;
mod months;
pub mod numeral;
mod points;
pub mod scan;

pub use bound::Bound;
pub use dates::{
    DateGrain, DateReading, DateRole, DateValue, DateWindow, MonthDay, ProjectPoint, ProjectUnit, dates, dates_in,
};
pub use durations::{
    DAYS_PER_MONTH, DurationFamily, DurationReading, DurationUnit, durations, durations_in, stated_zeros,
    unit_from_word,
};
