//! The vault of prompts that ships with the program: the folder `vault/` of the repository.

use steadfast_engine::File;

/// Names the files of the folder, and takes their texts into the program.
macro_rules! shipped {
    ($($name:literal,)+) => {
        &[$(($name, include_str!(concat!("../../../../vault/", $name, ".md"))),)+]
    };
}

/// Names without their ending, and texts.
const PROMPTS: &[(&str, &str)] = shipped![
    "clarify/bug-report-intake",
    "clarify/content-brief-questions",
    "clarify/data-question-framing",
    "clarify/decision-framing",
    "clarify/feature-by-examples",
    "clarify/launch-assumption-map",
    "clarify/migration-inventory",
    "clarify/project-questions",
    "clarify/research-question-narrowing",
    "clarify/restate-the-request",
    "execute/answer-first-report",
    "execute/business-case-with-budget",
    "execute/clarity-edit",
    "execute/content-production-checklist",
    "execute/contract-plain-reading",
    "execute/data-analysis-with-log",
    "execute/debug-by-hypotheses",
    "execute/email-reply-draft",
    "execute/event-run-sheet",
    "execute/faithful-translation",
    "execute/hard-conversation-script",
    "execute/how-to-guide-draft",
    "execute/incident-triage-log",
    "execute/interview-transcript-coding",
    "execute/launch-message-set",
    "execute/long-document-summary",
    "execute/minutes-from-notes",
    "execute/newsletter-issue-draft",
    "execute/plan-step-delivery",
    "execute/smallest-code-change",
    "execute/source-synthesis-matrix",
    "execute/support-answer-draft",
    "execute/trade-off-decision-record",
    "execute/training-session-script",
    "plan/analysis-plan-before-data",
    "plan/course-design-fading-help",
    "plan/customer-interview-guide",
    "plan/design-options-note",
    "plan/editorial-calendar",
    "plan/event-and-travel-schedule",
    "plan/event-plan-guest-path",
    "plan/fundraising-campaign-plan",
    "plan/habit-if-then-plan",
    "plan/hiring-process-plan",
    "plan/launch-plan-backward",
    "plan/literature-search-protocol",
    "plan/meeting-agenda-from-decisions",
    "plan/migration-steps-with-rollback",
    "plan/milestone-decision-plan",
    "plan/spaced-learning-plan",
    "plan/structured-interview-plan",
    "plan/thin-slice-work-plan",
    "plan/two-week-newsletter-plan",
    "reflect/assistant-work-audit",
    "reflect/content-results-review",
    "reflect/decision-review",
    "reflect/hiring-debrief",
    "reflect/incident-postmortem",
    "reflect/learning-error-log",
    "reflect/lessons-learned-card",
    "reflect/project-retrospective",
    "reflect/weekly-review",
    "verify/ask-coverage-check",
    "verify/bias-and-tone-check",
    "verify/claim-by-claim-fact-check",
    "verify/code-review-in-passes",
    "verify/content-plan-check",
    "verify/launch-readiness-check",
    "verify/newcomer-dry-run",
    "verify/numbers-recheck",
    "verify/premortem-risk-review",
    "verify/project-outcome-check",
    "verify/quiz-from-material",
    "verify/tests-from-contract",
];

/// The files, as a folder of prompts gives them.
pub fn files() -> Vec<File> {
    PROMPTS.iter().map(|(name, text)| File { name: format!("{name}.md"), bytes: text.as_bytes().to_vec() }).collect()
}

/// Tasks on which picking from that vault is measured: `examples/pick/tasks.jsonl`.
pub const TASKS: &str = include_str!("../../../../examples/pick/tasks.jsonl");

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn every_prompt_of_the_folder_ships() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../vault");
        let mut found = Vec::new();
        for stage in ["clarify", "plan", "execute", "verify", "reflect"] {
            for file in std::fs::read_dir(root.join(stage)).unwrap() {
                found.push(format!("{stage}/{}", file.unwrap().file_name().to_str().unwrap().trim_end_matches(".md")));
            }
        }
        found.sort();
        assert_eq!(found, super::PROMPTS.iter().map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>());
    }
}
