//! The stages of a piece of work.

/// A stage of a piece of work. They follow each other in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Find out what is wanted.
    Clarify,
    /// Say how it will be done.
    Plan,
    /// Do it.
    Execute,
    /// Check what was done.
    Verify,
    /// Learn from it.
    Reflect,
}

impl Stage {
    /// All of them, in their order.
    pub const ALL: [Self; 5] = [Self::Clarify, Self::Plan, Self::Execute, Self::Verify, Self::Reflect];

    /// As it is published.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clarify => "clarify",
            Self::Plan => "plan",
            Self::Execute => "execute",
            Self::Verify => "verify",
            Self::Reflect => "reflect",
        }
    }

    /// The stage of this name, in any case.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name().eq_ignore_ascii_case(name.trim()))
    }
}
