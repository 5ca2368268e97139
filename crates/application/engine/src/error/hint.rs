//! What to do about an error.

use super::EngineError;

impl EngineError {
    /// What to do about it, where there is something to do.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        Some(match self {
            Self::FileTooLarge { .. } => "give its text alone",
            Self::TooManyBlocks { .. } => "give less at a time",
            Self::RunTooLarge { .. } | Self::TooManyFiles { .. } => "give the folder of a single run",
            Self::Archive { .. } => "unpack it and give the folder",
            Self::Member { .. } => "leave that member out, or unpack the archive and give the folder",
            Self::NotText { .. } => {
                "Markdown, HTML, plain text in UTF-8 or UTF-16, and Word documents (.docx) are read"
            }
            Self::PromptFile { .. } => "give the prompt as a text file",
            Self::NoPrompt { .. } => {
                "a run's prompt is a file named `…plan.txt`, `…prompt.txt`, `…prompt.md` or `plan_raw.json`; otherwise give \
                 PROMPT and REPORT"
            }
            Self::PlanFile { .. } => {
                "a plan is JSON: a response of `plan`, its `plan` array, or a list of items with `task`, `why`, \
                 `timebox_minutes`, `start`, `end`, `with`, `place`"
            }
            Self::Calendar { .. } => "a calendar is an iCalendar file (.ics), as calendars export it",
            Self::NoItem { .. } => "items are counted from 1, in the order of the plan",
            Self::Zone { .. } => "zones have IANA names, such as `America/Toronto`",
            Self::Time { .. } => "a time is written as `2026-01-25T11:00:00-05:00`",
            Self::Filter { .. } => "a filter is written as `--filter domain=marketing`, or `--exclude status=retired`",
            Self::TooManyTrajectories { .. } => "give fewer runs at a time",
            Self::Model { .. } => "`steadfast embedder pull` fetches it anew",
            Self::NoEmbedder { hint, .. } => return hint.as_deref(),
            Self::Baseline { .. } => "give more or longer runs, or a threshold: `--alert 0.8`",
            Self::AuditFile { .. } => {
                "`steadfast audit --json` writes such a file, and `--out-dir` does as `drift-evaluation.json`"
            }
            Self::ContractFile { .. } => {
                "`steadfast audit contract PROMPT -o contract.json` writes one, and `steadfast schema audit-contract` says what it may hold"
            }
            Self::ContractRefused { .. } => {
                "a quote is verbatim text of the prompt, and a value stands in its quote; `steadfast audit contract PROMPT` reads the prompt anew"
            }
            Self::SessionFile { .. } => "docs/sessions.md says which logs are read",
            Self::Rules(_) => "name those that the agent reads: CLAUDE.md, AGENTS.md",
            Self::Evidence(_) => "name the folder of one run, or single files",
            Self::ReadingRefused { .. } => {
                "a quote is verbatim text of the notes, a time has an offset; `steadfast plan constraints NOTES` reads the notes anew"
            }
            Self::PlanAnswer(_) => "`open_questions` of the result have the ids and the choices",
            Self::ProposalsFile { .. } => {
                "they are a list of `{\"obligation\", \"relation\", \"quote\", \"why\"}`: `steadfast schema proposals` has the form"
            }
            Self::UnlikeEmbedders { .. } => "score both with the same `--embedder` and `--aggregate`",
            Self::AcceptedFile { .. } => "`steadfast schema accepted` has what such a file may say",
            Self::EarlierEvaluation { .. } => {
                "`steadfast audit … --json -o FILE` writes one, whole: without --limit, --min-severity, --cursor and --fields"
            }
            Self::SummaryTokens { .. } => "a summary has 50 to 100,000 tokens",
            Self::Threshold { .. } => "a threshold lies between 0 and 1",
            Self::NoModel => "`--judge rules` needs none",
            Self::NoChatModel { .. } => "name one for it in `steadfast.toml`, or one for all roles",
            Self::Recording { .. } => "`--chat-record FILE` writes such a file",
            Self::Internal { .. } => "this is a fault of the program; the input that shows it helps to mend it",
            Self::NoDesk { hint, .. } => hint,
            Self::TwoReadings => "leave one of the two out: `--constraints`, or `--extract model`",
            Self::NotEvaluable { hint, .. } | Self::Store { hint, .. } => return hint.as_deref(),
            Self::ResultTooLarge { .. } => "give fewer inputs at a time, or do without `--store`",
            Self::NoRun(_) => "`steadfast runs list` names those that are",
            Self::NoSession(_) => {
                "`steadfast sessions list` names those that are kept; the beginning of an id is enough where no other begins so"
            }
            Self::NoTask(_) => "`steadfast tasks list` names those that are",
            Self::Days { .. } => "things are kept for 1 to 36,500 days",
            Self::Weeks { .. } => "a summary is of 1 to 520 weeks",
            Self::NotKept { .. } => "`capture` of `[privacy]` in the settings says what is kept of texts",
            Self::NoPromptKept { .. } => "`steadfast vault search` names some that are",
            Self::NoSelection { .. } => "the `trace_id` of what `steadfast pick --vault` gave names one",
            Self::NotSelected { .. } => "without PROMPT_ID it is said of all prompts of the selection",
            Self::Points { .. } => {
                "`steadfast-measure calibrate pick -o FILE` writes such a file; `default` and `seed` are operating points too"
            }
            Self::PointsOfOneName { .. } => "give each a `name` of its own",
            Self::Quality { .. } => "a quality is `good`, `bad` or `unsure`",
            Self::TooManyKeys { .. } => "`steadfast key revoke ID` takes one back",
            Self::NoKey { .. } => "`steadfast key list` names those that are",
            Self::JobTooLarge { .. } => "give fewer at a time",
            Self::KeyReused { .. } => {
                "give every request a key of its own, and the same one only where it is sent again"
            }
            Self::Cursor { .. } => "the `next_cursor` of the page before says where the next one begins",
            Self::ClockJumped { .. } => {
                "where the clock is right `steadfast store prune` deletes what is old, and servers go on from there"
            }
            Self::TooMuchWork { .. } | Self::TooMuchMemory { .. } => {
                "give less at a time, or leave out what is no prose: data, logs, code"
            }
            Self::Stopped
            | Self::Tags { .. }
            | Self::Selection { .. }
            | Self::TooManyCalendars { .. }
            | Self::Placeholder { .. }
            | Self::Decision { .. }
            | Self::KeyName { .. }
            | Self::NoJob { .. }
            | Self::NoTrajectory { .. }
            | Self::Steps { .. }
            | Self::StepsTooLarge { .. }
            | Self::Search { .. } => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::EngineError;

    #[track_caller]
    fn check(reason: &str, message: &str, hint: Option<&str>) {
        let error = EngineError::not_evaluable("run/plan.txt", reason);
        assert_eq!((error.to_string().as_str(), error.hint()), (message, hint));
    }

    #[test]
    fn a_reason_names_its_file_once_and_its_hint_apart() {
        check("it is empty", "run/plan.txt: it is empty: nothing can be evaluated", None);
        check("run/plan.txt: it is empty", "run/plan.txt: it is empty: nothing can be evaluated", None);
        check("it is odd. hint: mend it", "run/plan.txt: it is odd: nothing can be evaluated", Some("mend it"));
    }
}
