//! The stages of a piece of work.

steadfast_evidence::vocabulary! {
    /// A stage of a piece of work.
    Stage {
        /// Find out what is wanted.
        Clarify = "clarify", "clarify";
        /// Say how it will be done.
        Plan = "plan", "plan";
        /// Do it.
        Execute = "execute", "execute";
        /// Check what was done.
        Verify = "verify", "verify";
        /// Learn from it.
        Reflect = "reflect", "reflect";
    }
}

impl Stage {
    /// The stage of this name, in any case.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|stage| stage.name().eq_ignore_ascii_case(name.trim()))
    }
}
