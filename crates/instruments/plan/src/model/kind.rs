//! The kinds of constraints.

/// The kinds of constraints, as they are called outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Something that takes place at its time.
    FixedEvent,
    /// Time in which nothing may be planned.
    Blocked,
    /// By when something must be done.
    Deadline,
    /// When something may begin.
    NotBefore,
    /// The only time there is.
    Availability,
    /// What must be done today.
    MustDo,
    /// How long something takes.
    Duration,
    /// What comes before what.
    Order,
    /// What must not be planned.
    Exclusion,
    /// A wish.
    Preference,
    /// Who is where, when.
    Presence,
    /// How long a way takes.
    Travel,
    /// Which ways there are.
    Connection,
    /// How long to stay at a place.
    Stay,
    /// How long all of it may or must take.
    Total,
    /// As many as possible.
    Objective,
    /// What holds for every plan.
    Contract,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::FixedEvent,
        Self::Blocked,
        Self::Deadline,
        Self::NotBefore,
        Self::Availability,
        Self::MustDo,
        Self::Duration,
        Self::Order,
        Self::Exclusion,
        Self::Preference,
        Self::Presence,
        Self::Travel,
        Self::Connection,
        Self::Stay,
        Self::Total,
        Self::Objective,
        Self::Contract,
    ];

    /// Its name outside: `fixed_event`, `not_before` …
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FixedEvent => "fixed_event",
            Self::Blocked => "blocked",
            Self::Deadline => "deadline",
            Self::NotBefore => "not_before",
            Self::Availability => "availability",
            Self::MustDo => "must_do",
            Self::Duration => "duration",
            Self::Order => "order",
            Self::Exclusion => "exclusion",
            Self::Preference => "preference",
            Self::Presence => "presence",
            Self::Travel => "travel",
            Self::Connection => "connection",
            Self::Stay => "stay",
            Self::Total => "total",
            Self::Objective => "objective",
            Self::Contract => "contract",
        }
    }
}
