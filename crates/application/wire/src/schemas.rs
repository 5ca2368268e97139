//! The JSON Schemas that are published, by name.

use schemars::Schema;

use crate::json::schema;
use crate::{
    alerts, audit, chat, decisions, doctor, grounding, lint, measure, pick, plan, retention, review, settings,
    store_export, summary, trace, watch,
};

/// A published type.
#[derive(Clone, Copy)]
pub struct Published {
    /// Its name, as `steadfast schema NAME` has it.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its schema.
    pub schema: fn() -> Schema,
}

/// All of them, in the order of their names.
pub const PUBLISHED: &[Published] = &[
    Published { name: "accepted", about: "`steadfast-accepted.toml`", schema: schema::<decisions::AcceptedFile> },
    Published {
        name: "alert",
        about: "what webhooks and commands of alerts are sent",
        schema: schema::<alerts::AlertNotice>,
    },
    Published { name: "audit", about: "what `audit` gives", schema: schema::<audit::DriftEvaluation> },
    Published {
        name: "audit-comparison",
        about: "what `audit compare` gives",
        schema: schema::<audit::AuditComparison>,
    },
    Published { name: "audit-contract", about: "what `audit contract` gives", schema: schema::<audit::Contract> },
    Published {
        name: "audit-not-evaluable",
        about: "what `audit` gives where nothing can be evaluated",
        schema: schema::<audit::NotEvaluable>,
    },
    Published { name: "audit-undecided", about: "what `audit undecided` gives", schema: schema::<audit::Undecided> },
    Published { name: "candidate", about: "a prompt that a search found", schema: schema::<pick::Candidate> },
    Published { name: "chat-check", about: "what `chat check` gives", schema: schema::<chat::ChatCheck> },
    Published { name: "chat-exam", about: "what `chat exam` gives", schema: schema::<chat::ChatExam> },
    Published { name: "chat-recording", about: "a line of a recording", schema: schema::<chat::RecordedCall> },
    Published { name: "doctor", about: "what `doctor` gives", schema: schema::<doctor::Doctor> },
    Published { name: "dry-run", about: "what would be sent to models", schema: schema::<chat::DryRun> },
    Published { name: "feedback", about: "what was said of prompts", schema: schema::<pick::Feedback> },
    Published { name: "final-output", about: "what `pick` gives", schema: schema::<pick::FinalOutput> },
    Published {
        name: "grounding",
        about: "coefficients of support",
        schema: schema::<grounding::GroundingCoefficients>,
    },
    Published { name: "measurement", about: "what `measure` gives", schema: schema::<measure::Measurement> },
    Published { name: "operating-points", about: "thresholds of `pick`", schema: schema::<pick::OperatingPoints> },
    Published { name: "plan", about: "what `plan` gives", schema: schema::<plan::PlanResponse> },
    Published {
        name: "plan-proposals",
        about: "what somebody says of notes: `--proposals` of `plan`",
        schema: schema::<plan::PlanProposals>,
    },
    Published {
        name: "plan-reading",
        about: "the reading of notes: `--constraints` of `plan`",
        schema: schema::<plan::PlanReading>,
    },
    Published {
        name: "prompt-lint",
        about: "what `audit` gives of a prompt alone",
        schema: schema::<lint::PromptLint>,
    },
    Published { name: "prompt-record", about: "a prompt as a vault keeps it", schema: schema::<pick::PromptRecord> },
    Published { name: "proposals", about: "what `--proposals` takes", schema: schema::<Vec<audit::Proposal>> },
    Published { name: "prune", about: "what `store prune` gives", schema: schema::<retention::PruneReport> },
    Published { name: "review", about: "what `review` gives", schema: schema::<review::Review> },
    Published {
        name: "review-proposals",
        about: "what somebody says of an output: `--proposals` of `review`",
        schema: schema::<Vec<review::ReviewProposal>>,
    },
    Published {
        name: "review-undecided",
        about: "what `review undecided` gives",
        schema: schema::<review::ReviewUndecided>,
    },
    Published { name: "search-result", about: "what `vault search` gives", schema: schema::<pick::SearchResult> },
    Published { name: "settings", about: "`steadfast.toml`", schema: schema::<settings::Settings> },
    Published { name: "store-export", about: "a line of `store export`", schema: schema::<store_export::StoreLine> },
    Published { name: "task-spec", about: "what is understood of a task", schema: schema::<pick::TaskSpec> },
    Published { name: "trace", about: "a line of `--export jsonl:FILE`", schema: schema::<trace::Trace> },
    Published { name: "validation", about: "what `plan check` gives", schema: schema::<plan::Validation> },
    Published { name: "watch", about: "what `watch` gives", schema: schema::<watch::Watch> },
    Published { name: "weekly-summary", about: "what `store summary` gives", schema: schema::<summary::WeeklySummary> },
];

/// The one of a name.
#[must_use]
pub fn published(name: &str) -> Option<&'static Published> {
    PUBLISHED.iter().find(|own| own.name == name)
}
