//! Figures as intervals.

use std::ops::Range;

use rust_decimal::Decimal;
use steadfast_annotate::{Bound, Quantity, Unit, quantities};
use steadfast_text::Document;

/// A closed interval of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: Decimal,
    pub(super) high: Decimal,
}

impl Interval {
    pub(super) const ZERO: Self = Self { low: Decimal::ZERO, high: Decimal::ZERO };

    pub(super) fn around(value: Decimal, half: Decimal) -> Option<Self> {
        Some(Self { low: value.checked_sub(half)?, high: value.checked_add(half)? })
    }

    pub(super) fn add(self, other: Self) -> Option<Self> {
        Some(Self { low: self.low.checked_add(other.low)?, high: self.high.checked_add(other.high)? })
    }

    pub(super) fn sub(self, other: Self) -> Option<Self> {
        Some(Self { low: self.low.checked_sub(other.high)?, high: self.high.checked_sub(other.low)? })
    }

    pub(super) fn mul(self, other: Self) -> Option<Self> {
        let ends = [
            self.low.checked_mul(other.low)?,
            self.low.checked_mul(other.high)?,
            self.high.checked_mul(other.low)?,
            self.high.checked_mul(other.high)?,
        ];
        let low = ends.iter().copied().min()?;
        let high = ends.iter().copied().max()?;
        Some(Self { low, high })
    }

    /// This interval as a percentage of `base`; `None` unless the base is positive throughout.
    pub(super) fn percent_of(self, base: Self) -> Option<Self> {
        if base.low <= Decimal::ZERO {
            return None;
        }
        let hundred = Decimal::ONE_HUNDRED;
        let a = self.low.checked_mul(hundred)?;
        let b = self.high.checked_mul(hundred)?;
        let ends =
            [a.checked_div(base.low)?, a.checked_div(base.high)?, b.checked_div(base.low)?, b.checked_div(base.high)?];
        Some(Self { low: ends.iter().copied().min()?, high: ends.iter().copied().max()? })
    }

    pub(super) fn hundredth(self) -> Option<Self> {
        let factor = Decimal::new(1, 2);
        Some(Self { low: self.low.checked_mul(factor)?, high: self.high.checked_mul(factor)? })
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// Both ends wider by `by`.
    pub(super) fn widened(self, by: Decimal) -> Self {
        Self { low: self.low.checked_sub(by).unwrap_or(self.low), high: self.high.checked_add(by).unwrap_or(self.high) }
    }

    pub(super) fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

/// A number of the text as an interval.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// Index of the block that it stands in.
    pub(super) block: usize,
    /// Bytes of the block's plain text.
    pub(super) range: Range<usize>,
    /// Nominal ends.
    pub(super) nominal: Interval,
    /// With half of the last stated digit.
    pub(super) interval: Interval,
    pub(super) quantity: Quantity,
}

/// The multiple of the unit that a trailing zero may hide: half of the last digit that is not zero, at most 1 %.
fn rounding(value: Decimal) -> Decimal {
    let mut step = Decimal::ONE;
    let whole = value.abs().trunc();
    if whole.is_zero() {
        return Decimal::ZERO;
    }
    while let Some(next) = step.checked_mul(Decimal::TEN) {
        if !(whole % next).is_zero() {
            break;
        }
        step = next;
    }
    let cap = whole * Decimal::new(1, 2);
    (step * Decimal::new(5, 1)).min(cap)
}

impl Figure {
    pub(super) fn read(block: usize, quantity: Quantity) -> Option<Self> {
        if matches!(quantity.unit, Unit::Label | Unit::Ordinal | Unit::Date(_)) {
            return None;
        }
        let (low, high) = (quantity.low, quantity.high);
        let half = half_width(&quantity);
        let tenth = Decimal::new(1, 1);
        let (mut low_half, mut high_half) = (half, half);
        if quantity.approximate {
            low_half = low_half.max(low.abs().checked_mul(tenth)?);
            high_half = high_half.max(high.abs().checked_mul(tenth)?);
        }
        let interval = Interval { low: low.checked_sub(low_half)?, high: high.checked_add(high_half)? };
        Some(Self { block, range: quantity.range.clone(), nominal: Interval { low, high }, interval, quantity })
    }

    pub(super) const fn unit(&self) -> &Unit {
        &self.quantity.unit
    }

    pub(super) fn is_percent(&self) -> bool {
        matches!(self.quantity.unit, Unit::Percent)
    }

    pub(super) fn is_money(&self) -> bool {
        matches!(self.quantity.unit, Unit::Money(_))
    }

    pub(super) fn is_range(&self) -> bool {
        self.nominal.low != self.nominal.high
    }

    pub(super) fn exact_bound(&self) -> bool {
        self.quantity.bound == Bound::Exact
    }

    /// The interval of a result that may have been rounded to its last digit that is not zero.
    pub(super) fn as_result(&self) -> Interval {
        let by = rounding(self.nominal.high);
        let rounded = Interval {
            low: self.nominal.low.checked_sub(by).unwrap_or(self.nominal.low),
            high: self.nominal.high.checked_add(by).unwrap_or(self.nominal.high),
        };
        Interval { low: rounded.low.min(self.interval.low), high: rounded.high.max(self.interval.high) }
    }
}

/// Half of the last stated digit; nothing for whole counts and whole durations.
fn half_width(quantity: &Quantity) -> Decimal {
    let whole = quantity.precision == Decimal::ONE;
    let counted = matches!(quantity.unit, Unit::Count(_) | Unit::Duration(_) | Unit::Plain | Unit::Ratio);
    if whole && counted { Decimal::ZERO } else { quantity.precision * Decimal::new(5, 1) }
}

/// Whether the two may be added: the same currency, the same unit of time or measure; things with things and with bare
/// numbers.
pub(super) fn addable(a: &Unit, b: &Unit) -> bool {
    match (a, b) {
        (Unit::Money(a), Unit::Money(b)) => a.matches(*b),
        (Unit::Percent, Unit::Percent) => true,
        (Unit::Count(_) | Unit::Plain, Unit::Count(_) | Unit::Plain) => true,
        (Unit::Duration(a), Unit::Duration(b)) => a == b,
        (Unit::Measure(a), Unit::Measure(b)) => a == b,
        _ => false,
    }
}

/// The same, where a bare number may take the unit of the other ("10.5 million DKK (3.0 million, …)").
pub(super) fn addable_bare(a: &Unit, b: &Unit) -> bool {
    addable(a, b)
        || matches!(a, Unit::Plain) && !matches!(b, Unit::Percent | Unit::PercentagePoints)
        || matches!(b, Unit::Plain) && !matches!(a, Unit::Percent | Unit::PercentagePoints)
}

/// The unit as a reader writes it.
pub(super) fn unit_name(unit: &Unit) -> String {
    match unit {
        Unit::Money(currency) => currency.code().to_owned(),
        Unit::Percent => "%".to_owned(),
        Unit::PercentagePoints => "percentage points".to_owned(),
        Unit::Count(counted) => counted.stem.clone(),
        Unit::Duration(unit) => format!("{unit:?}").to_lowercase(),
        Unit::Measure(symbol) => (*symbol).to_owned(),
        _ => String::new(),
    }
}

/// "adds up to $100K" states a sum, no limit.
fn added_up(text: &str, mut quantity: Quantity) -> Quantity {
    let own = text.get(quantity.range.clone()).unwrap_or_default();
    let limit = own.get(..6).is_some_and(|words| words.eq_ignore_ascii_case("up to "));
    let before = text.get(..quantity.range.start).unwrap_or_default().trim_end();
    if limit && ["add", "adds", "adding", "added", "sum", "sums", "summing"].iter().any(|verb| before.ends_with(verb)) {
        quantity.range.start += 6;
        quantity.bound = Bound::Exact;
    }
    quantity
}

/// Words whose number is a name: "phase two".
const NUMBERED: &[&str] = &[
    "phase", "year", "stage", "step", "part", "tier", "level", "aim", "option", "round", "sprint", "quarter", "month",
    "week", "day", "version", "section", "chapter", "table", "figure", "goal", "task", "issue", "risk", "question",
    "page",
];

/// Whether a bare number is the name of what stands before it.
fn numbered(text: &str, quantity: &Quantity) -> bool {
    let before = text.get(..quantity.range.start).unwrap_or_default().trim_end();
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    word.len() <= 8 && NUMBERED.iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// The figures of each block, in order; struck-out text and code hold none.
pub(super) fn figures(document: &Document) -> Vec<Vec<Figure>> {
    let mut all = Vec::with_capacity(document.blocks.len());
    for (index, block) in document.blocks.iter().enumerate() {
        if matches!(block.kind, steadfast_text::BlockKind::Code { .. }) {
            all.push(Vec::new());
            continue;
        }
        let mut found: Vec<Figure> = quantities(&block.text.plain)
            .into_iter()
            .filter(|quantity| {
                let next = block.struck.partition_point(|struck| struck.end <= quantity.range.start);
                block.struck.get(next).is_none_or(|struck| struck.start > quantity.range.start)
            })
            .filter(|quantity| !matches!(quantity.unit, Unit::Plain) || !numbered(&block.text.plain, quantity))
            .filter_map(|quantity| Figure::read(index, added_up(&block.text.plain, quantity)))
            .collect();
        // A cell has one figure, of some hundred bytes, and a list begins with room for four.
        found.shrink_to_fit();
        all.push(found);
    }
    all
}
