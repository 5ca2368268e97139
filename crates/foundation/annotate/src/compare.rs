//! How one quantity stands to another.

use rust_decimal::Decimal;
use steadfast_time::Bound;

use crate::quantity::{Quantity, Relation, Unit};

/// Tolerance of an approximate quantity, in hundredths of its value.
pub const APPROXIMATE_TOLERANCE_PERCENT: i64 = 10;

/// Most that half the last stated digit may make up of a value, in thousandths: "2 million" is not 2.4 million.
pub const STATED_TOLERANCE_PERMILLE_MAX: i64 = 25;

/// How `a` stands to `b`, if both are of one family of units: the same currency, percent, durations, the same measure,
/// counts of the same head noun. Labels, ordinals, dates and counts of other things are not compared.
///
/// Two ends are equal if they differ by no more than half the coarser stated digit ("€3.8 million" and "€3,840,000"),
/// at most 2.5 % of the value, and of whole numbers without a magnitude not at all; or by 10 % if either is
/// approximate. Durations of one family compare exactly, others by days with months of
/// [`steadfast_time::DAYS_PER_MONTH`] and the tolerance of approximate ones. A bound reaches without end. Amounts per
/// month and per year, or with and without such a period, are not compared.
#[must_use]
pub fn comparable(a: &Quantity, b: &Quantity) -> Option<Relation> {
    if a.per != b.per {
        return None;
    }
    let (mut scale_a, mut scale_b) = (Decimal::ONE, Decimal::ONE);
    let mut approximate = a.approximate || b.approximate;
    match (&a.unit, &b.unit) {
        (Unit::Money(a), Unit::Money(b)) => a.matches(*b).then_some(())?,
        (Unit::Count(a), Unit::Count(b)) => (a.stem == b.stem).then_some(())?,
        (Unit::Measure(a), Unit::Measure(b)) => (a == b).then_some(())?,
        (Unit::Percent, Unit::Percent) | (Unit::PercentagePoints, Unit::PercentagePoints) => {}
        (Unit::Ratio, Unit::Ratio) | (Unit::Plain, Unit::Plain) => {}
        (Unit::Duration(a), Unit::Duration(b)) => {
            if a.family() == b.family() {
                scale_a = Decimal::from(a.in_family());
                scale_b = Decimal::from(b.in_family());
            } else {
                scale_a = a.days(Decimal::ONE)?;
                scale_b = b.days(Decimal::ONE)?;
                approximate = true;
            }
        }
        _ => return None,
    }
    let ends = |quantity: &Quantity, scale: Decimal| -> Option<(Option<Decimal>, Option<Decimal>)> {
        let low = quantity.low.checked_mul(scale)?;
        let high = quantity.high.checked_mul(scale)?;
        Some(match quantity.bound {
            Bound::Exact => (Some(low), Some(high)),
            Bound::AtMost => (None, Some(high)),
            Bound::AtLeast => (Some(low), None),
        })
    };
    let (a_low, a_high) = ends(a, scale_a)?;
    let (b_low, b_high) = ends(b, scale_b)?;
    let stated = |quantity: &Quantity, scale: Decimal| {
        // Of a whole number every digit is stated.
        if quantity.precision == Decimal::ONE { Decimal::ZERO } else { quantity.precision.saturating_mul(scale) }
    };
    let step = stated(a, scale_a).max(stated(b, scale_b));
    let near = |x: Decimal, y: Decimal| {
        let size = x.abs().max(y.abs());
        let tolerance = if approximate {
            size.saturating_mul(Decimal::new(APPROXIMATE_TOLERANCE_PERCENT, 2))
        } else {
            (step / Decimal::TWO).min(size.saturating_mul(Decimal::new(STATED_TOLERANCE_PERMILLE_MAX, 3)))
        };
        x.saturating_sub(y).abs() <= tolerance
    };
    let both = |x: Option<Decimal>, y: Option<Decimal>| match (x, y) {
        (None, None) => true,
        (Some(x), Some(y)) => near(x, y),
        _ => false,
    };
    // Whether `x` is at or below `y`, where neither is the open end.
    let at_most = |x: Decimal, y: Decimal| x <= y || near(x, y);
    if both(a_low, b_low) && both(a_high, b_high) {
        return Some(Relation::Equal);
    }
    if let (Some(high), Some(low)) = (a_high, b_low)
        && high < low
        && !near(high, low)
    {
        return Some(Relation::Below);
    }
    if let (Some(low), Some(high)) = (a_low, b_high)
        && low > high
        && !near(low, high)
    {
        return Some(Relation::Above);
    }
    let low_inside = b_low.is_none_or(|low| a_low.is_some_and(|own| at_most(low, own)));
    let high_inside = b_high.is_none_or(|high| a_high.is_some_and(|own| at_most(own, high)));
    Some(if low_inside && high_inside { Relation::Within } else { Relation::Overlaps })
}
