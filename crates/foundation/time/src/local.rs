//! Civil times in a zone whose clocks change.

use jiff::Zoned;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};

/// The instants that a civil time names in a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocalTime {
    /// Exactly one.
    Unique(Zoned),
    /// None: the clocks go forward over it.
    Skipped {
        /// As far before the change as the time lies into the gap: 02:30 becomes 01:30.
        before: Zoned,
        /// As far after it: 02:30 becomes 03:30.
        after: Zoned,
    },
    /// Two: the clocks go back over it.
    Repeated {
        /// Before the change.
        first: Zoned,
        /// After it.
        second: Zoned,
    },
}

/// What the civil time `at` is in `zone`. Nothing only at the very ends of the calendar.
#[must_use]
pub fn resolve_in(at: DateTime, zone: &TimeZone) -> Option<LocalTime> {
    let ambiguous = zone.to_ambiguous_zoned(at);
    let offset = ambiguous.offset();
    Some(match offset {
        AmbiguousOffset::Unambiguous { .. } => LocalTime::Unique(ambiguous.unambiguous().ok()?),
        AmbiguousOffset::Gap { .. } => {
            LocalTime::Skipped { before: ambiguous.clone().earlier().ok()?, after: ambiguous.later().ok()? }
        }
        AmbiguousOffset::Fold { .. } => {
            LocalTime::Repeated { first: ambiguous.clone().earlier().ok()?, second: ambiguous.later().ok()? }
        }
    })
}
