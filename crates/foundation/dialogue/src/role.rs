//! What a chat model is asked for.

/// What a chat model is asked for. Each role can have a model of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// How a report stands to what rules leave open, in the place of whoever calls.
    Audit,
    /// Constraints and tasks of notes, with the words that state them.
    PlanExtract,
    /// A plan, and its one repair.
    PlanGenerate,
    /// An opinion on a plan, for comparison only.
    PlanJudge,
    /// What a session shows of an agent's claims and of what the user forbade or demanded, in the place of whoever calls.
    Review,
    /// Whether steps that signals single out have left what the user asked.
    Watch,
    /// What is understood of a task, and how a question is worded.
    PickIntake,
    /// Which of the candidates serve a task.
    PickRank,
}

impl Role {
    /// All roles, in the order in which settings list them.
    pub const ALL: [Self; 8] = [
        Self::Audit,
        Self::PlanExtract,
        Self::PlanGenerate,
        Self::PlanJudge,
        Self::Review,
        Self::Watch,
        Self::PickIntake,
        Self::PickRank,
    ];

    /// Its name in settings and records: the instrument, and where it asks for several things a dot and the part.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::PlanExtract => "plan.extract",
            Self::PlanGenerate => "plan.generate",
            Self::PlanJudge => "plan.judge",
            Self::Review => "review",
            Self::Watch => "watch",
            Self::PickIntake => "pick.intake",
            Self::PickRank => "pick.rank",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}
