//! What a chat model is asked for.

/// What a chat model is asked for. Each role can have a model of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The contract that a prompt states (`audit`, call 1).
    AuditContract,
    /// Where a report departs from it (`audit`, call 2).
    AuditIncidents,
    /// Scores and a verdict, for comparison only (`audit`, call 3).
    AuditScores,
    /// Constraints and tasks of notes, with the words that state them.
    PlanExtract,
    /// A plan, and its one repair.
    PlanGenerate,
    /// An opinion on a plan, for comparison only.
    PlanJudge,
    /// What is understood of a task, and how a question is worded.
    PickIntake,
}

impl Role {
    /// All roles, in the order in which settings list them.
    pub const ALL: [Self; 7] = [
        Self::AuditContract,
        Self::AuditIncidents,
        Self::AuditScores,
        Self::PlanExtract,
        Self::PlanGenerate,
        Self::PlanJudge,
        Self::PickIntake,
    ];

    /// Its name in settings and records: the instrument, a dot, the part.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AuditContract => "audit.contract",
            Self::AuditIncidents => "audit.incidents",
            Self::AuditScores => "audit.scores",
            Self::PlanExtract => "plan.extract",
            Self::PlanGenerate => "plan.generate",
            Self::PlanJudge => "plan.judge",
            Self::PickIntake => "pick.intake",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}
