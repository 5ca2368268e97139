//! The kinds of constraints.

steadfast_evidence::vocabulary! {
    /// What a constraint requires.
    Kind {
        /// Something that takes place at its time.
        FixedEvent = "fixed_event", "Fixed event";
        /// Time in which nothing may be planned.
        Blocked = "blocked", "Blocked";
        /// By when something must be done.
        Deadline = "deadline", "Deadline";
        /// When something may begin.
        NotBefore = "not_before", "Not before";
        /// The only time there is.
        Availability = "availability", "Availability";
        /// What must be done today.
        MustDo = "must_do", "Must do";
        /// How long something takes.
        Duration = "duration", "Duration";
        /// What comes before what.
        Order = "order", "Order";
        /// What must not be planned.
        Exclusion = "exclusion", "Exclusion";
        /// A wish.
        Preference = "preference", "Preference";
        /// Who is where, when.
        Presence = "presence", "Presence";
        /// How long a way takes.
        Travel = "travel", "Travel";
        /// Which ways there are.
        Connection = "connection", "Connection";
        /// How long to stay at a place.
        Stay = "stay", "Stay";
        /// How long all of it may or must take.
        Total = "total", "Total";
        /// As many as possible.
        Objective = "objective", "Objective";
        /// What holds for every plan.
        Contract = "contract", "Contract";
    }
}
