//! Parts of a day that no clock bounds.

use jiff::civil::{Time, time};

/// Which part of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartName {
    /// "morning", "AM"
    Morning,
    /// "lunch", "lunchtime"
    Lunch,
    /// "afternoon", "PM"
    Afternoon,
    /// "evening", "dinner time"
    Evening,
    /// "night", "tonight"
    Night,
    /// "business hours", "working hours"
    BusinessHours,
    /// "end of day", "EOD"
    EndOfDay,
    /// "close of business", "COB"
    CloseOfBusiness,
}

/// "early", "mid-" or "late" in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    /// The first third.
    Early,
    /// The second third.
    Mid,
    /// The last third.
    Late,
}

/// A part of a day, perhaps the early or late end of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DayPart {
    /// Which part.
    pub name: PartName,
    /// Which end of it, where one is said.
    pub edge: Option<Edge>,
}

impl DayPart {
    /// The usual hours, as the general dictionaries of English give them: morning 6 to 12, lunch 12 to 14, afternoon 12 to 18,
    /// evening 18 to 22, night 22 to 6 (the end lies on the next day), business hours 9 to 17, end of day 17 to midnight,
    /// close of business 17 to 18. With an edge, a third of that.
    #[must_use]
    pub fn window(self) -> (Time, Time) {
        let (first_hour, hours): (i32, i32) = match self.name {
            PartName::Morning => (6, 6),
            PartName::Lunch => (12, 2),
            PartName::Afternoon => (12, 6),
            PartName::Evening => (18, 4),
            PartName::Night => (22, 8),
            PartName::BusinessHours => (9, 8),
            PartName::EndOfDay => (17, 7),
            PartName::CloseOfBusiness => (17, 1),
        };
        let third = hours * 60 / 3;
        let (from, to) = match self.edge {
            None => (0, hours * 60),
            Some(Edge::Early) => (0, third),
            Some(Edge::Mid) => (third, 2 * third),
            Some(Edge::Late) => (2 * third, hours * 60),
        };
        (at_minute(first_hour * 60 + from), at_minute(first_hour * 60 + to))
    }
}

/// The clock time so many minutes after midnight, over midnight where there are more than a day's.
fn at_minute(minutes: i32) -> Time {
    let minutes = minutes.rem_euclid(24 * 60);
    let part = |value: i32| i8::try_from(value).unwrap_or_default();
    time(part(minutes / 60), part(minutes % 60), 0, 0)
}
