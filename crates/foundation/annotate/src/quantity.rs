//! Quantities in prose: money, shares, counts, measures, durations, dates.

use std::ops::Range;

use rust_decimal::Decimal;
use steadfast_time::{DateValue, DurationUnit};

pub use steadfast_time::Bound;

use crate::currency::Currency;

/// What a number counts or measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// An amount of money.
    Money(Currency),
    /// Per cent; the value is 20 for "20%".
    Percent,
    /// Percentage points.
    PercentagePoints,
    /// Things: "five regional hubs".
    Count(Counted),
    /// A length of time.
    Duration(DurationUnit),
    /// A date. `low` and `high` are its years, or the project's own count; the value is [`steadfast_time`]'s.
    Date(DateValue),
    /// A measure, by its normal symbol: `km`, `m²`, `kWh`, `°C`, `GB`.
    Measure(&'static str),
    /// A proportion: "3:1" and "10x" are 3 and 10, "20/25" is 0.8, "two thirds" is 0.667.
    Ratio,
    /// "third", "1st".
    Ordinal,
    /// The number names a thing: "Phase 2", "Section 3.2", "Risk 14". No amount.
    Label,
    /// A number whose unit was not found.
    Plain,
}

/// What is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counted {
    /// Bytes of the words from the number to the head noun, both adjectives and noun: "regional hubs".
    pub phrase: Range<usize>,
    /// Bytes of the head noun: "hubs".
    pub head: Range<usize>,
    /// The head noun in lower case and singular: "hub".
    pub stem: String,
}

/// A number in the text with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// The whole expression, with approximators, bounds, currency and unit.
    pub range: Range<usize>,
    /// The digits or number words, of a range both ends.
    pub number_range: Range<usize>,
    /// Lower end, magnitude applied ("1.8M" is 1,800,000); equal to `high` for a single value.
    pub low: Decimal,
    /// Upper end.
    pub high: Decimal,
    /// What it counts.
    pub unit: Unit,
    /// "about", "~", "roughly", "nearly" and the like.
    pub approximate: bool,
    /// Whether it is a limit.
    pub bound: Bound,
    /// Size of the last stated digit: 10,000 for "1.05M", 1,000 for "$1,181K". Of an approximate integer the trailing
    /// zeros are not stated: 100 for "about 200". Of a range, the larger of its ends'.
    pub precision: Decimal,
    /// "per month", "a year", "/day": the time in which the amount is spent, made or used.
    pub per: Option<DurationUnit>,
}

/// How one quantity stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// The same, within the tolerance of [`crate::comparable`].
    Equal,
    /// The first lies inside the second's range or bound.
    Within,
    /// They share values, but the first is not inside the second.
    Overlaps,
    /// All of the first lies below all of the second.
    Below,
    /// All of the first lies above all of the second.
    Above,
}
