//! The closed vocabularies of a plan, spelled as they are published.

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
