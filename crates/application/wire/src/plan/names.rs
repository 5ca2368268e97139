//! The closed vocabularies of a plan, spelled as they are published.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

names! {
    /// How a plan is made (section 10 of the contract for day plans).
    Variant {
        /// The tasks in the order of the notes; no constraint is read.
        V1Naive = "v1_naive", "naive";
        /// Planned with the constraints.
        V2Constraints = "v2_constraints", "with constraints";
        /// The same, and the verdict of the validation is heeded.
        V3Validator = "v3_validator", "with validation";
        /// The same, with one repair where validation fails.
        V4Repair = "v4_repair", "with one repair";
    }
}

names! {
    /// Whether wishes of the notes bind.
    Preferences {
        /// A plan that passes over a wish is told so, and passes.
        Soft = "soft", "wishes are soft";
        /// Wishes bind like constraints.
        Hard = "hard", "wishes bind";
    }
}

names! {
    /// A file of a plan that other programs read.
    PlanFile {
        /// The items as events of a calendar (iCalendar, RFC 5545).
        Ics = "ics", "calendar (.ics)";
        /// The items as Markdown task lines with their times.
        Tasks = "tasks", "task lines (Markdown)";
    }
}

names! {
    /// How sure the planner is of its plan. It decides nothing.
    Confidence {
        /// A question stands.
        Low = "low", "low";
        /// Neither of the others.
        Medium = "medium", "medium";
        /// A fifth of the free time is left, and every task is in the plan.
        High = "high", "high";
    }
}

names! {
    /// Whether a plan may be presented.
    Status {
        /// It passes validation, it is not proved that something does not fit, and all of the notes was understood.
        Recommended = "recommended", "Recommended";
        /// Something in the notes that looks like a must was not understood: `open_questions` would settle it.
        NeedsAnswer = "needs_answer", "Needs an answer";
        /// It does not.
        Rejected = "rejected", "Rejected";
    }
}

names! {
    /// Whether a plan passes validation (section 6 of the contract for day plans).
    Validity {
        /// It does.
        Pass = "pass", "Pass";
        /// It does not.
        Fail = "fail", "Fail";
    }
}

names! {
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
