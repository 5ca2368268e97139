//! What `pick` takes, and what is said of its selections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PointChoice, Reader, Word, names_of_members};
use crate::call::{Body, Call, Request, Route, Tool, ToolSet};
use crate::pick::{self as wire, FinalOutput, SearchResult};

/// A task to pick prompts for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PickRequest")]
pub struct Pick {
    /// The task, verbatim.
    pub task: String,
    /// The day that freshness is as of, such as 2026-01-26; without it none is fresher.
    pub at: Option<String>,
    /// Whether candidates are listed with their scores.
    pub explain: Option<bool>,
    /// What prompts must be, `FIELD=VALUE` each: `stage`, `intent`, `task_type`, `domain`, `tag`, `status` or `model`. Of one field any of
    /// the values will do.
    pub filter: Option<Vec<String>>,
    /// What prompts must not be, `FIELD=VALUE` each: `status` or `id`.
    pub exclude: Option<Vec<String>>,
    /// The thresholds that choose; `default` by default.
    pub operating_point: Option<PointChoice>,
    /// Who reads the task; `rules` by default. What a model reads chooses nothing.
    pub intake: Option<Reader>,
    /// Who ranks the candidates; `rules` by default.
    pub rank: Option<Reader>,
}

const BODY: Body = Body { bytes_max: 1 << 20, string_bytes_max: 256 << 10 };

impl Request for Pick {
    type Answer = FinalOutput;

    const CALL: Call = Call {
        verb: "pick",
        title: "Pick prompts for a task",
        tool: Some(Tool {
            name: "pick",
            about: "Call it before you begin a task for which stored prompts may exist. Which of them, in which order, or what must be asked first? `mode` is `single`, `chain` or \
                    `clarify`; each prompt comes with its stage and why. `feedback` with the `trace_id` says whether they were of use.",
            reads_only: false,
            needs_store: true,
            set: ToolSet::Hosts,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/pick",
            name: "pick",
            about: "Call it before you begin a task for which stored prompts may exist. Which prompts of the vault, in which order, for this task, or what must be asked first? The answer is what `steadfast pick \
                    --format json` prints.",
            example: r#"{"task": "Write a launch email for a seed library", "at": "2026-01-26"}"#,
            gives: "The prompts, or what must be asked first.",
            reads_only: false,
            body: BODY,
        }),
    };
}

/// A query in the vault of prompts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "VaultSearchRequest")]
pub struct VaultSearch {
    /// What is looked for, in words.
    pub query: String,
    /// How many prompts are given at most; 10 by default.
    #[schemars(range(min = 1, max = 1000))]
    pub k: Option<usize>,
    /// What prompts must be, as for `pick`.
    pub filter: Option<Vec<String>>,
    /// What prompts must not be, as for `pick`.
    pub exclude: Option<Vec<String>>,
    /// In JSON only these members of the result; all of them by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "names_of_members::<SearchResult>")]
    pub fields: Option<Vec<String>>,
}

impl Request for VaultSearch {
    type Answer = SearchResult;

    const CALL: Call = Call {
        verb: "vault search",
        title: "Search the vault of prompts",
        tool: Some(Tool {
            name: "vault_search",
            about: "Call it to look into the vault without a task. Lists the prompts that fit a query best, with what speaks for each.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::All,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/vault/search",
            name: "searchVaultByBody",
            about: "The prompts that fit a query best, with what speaks for each: what `steadfast vault search --format json` prints.",
            example: r#"{"query": "launch email", "k": 5}"#,
            gives: "The prompts, best first.",
            reads_only: true,
            body: BODY,
        }),
    };

    fn fields(&self) -> Option<&[String]> {
        self.fields.as_deref()
    }
}

/// Whether prompts that were picked were of use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FeedbackRequest")]
pub struct Feedback {
    /// The `trace_id` of the result.
    pub trace_id: String,
    /// Whether it was of use.
    pub verdict: Word,
    /// Which of the prompts; all by default.
    pub prompt_ids: Option<Vec<String>>,
}

impl Request for Feedback {
    type Answer = wire::Feedback;

    const CALL: Call = Call {
        verb: "feedback",
        title: "Say whether picked prompts were of use",
        tool: Some(Tool {
            name: "feedback",
            about: "Call it when the task is done. Says whether prompts that `pick` gave were of use: good ones are preferred from then on.",
            reads_only: false,
            needs_store: true,
            set: ToolSet::Hosts,
            takes_max_tokens: false,
        }),
        route: Some(Route {
            path: "/api/feedback",
            name: "feedback",
            about: "Good prompts are preferred from then on, bad ones are not.",
            example: r#"{"trace_id": "5f0c8e2a-0000-8000-8000-000000000000", "verdict": "good"}"#,
            gives: "What was said.",
            reads_only: false,
            body: Body { bytes_max: 1 << 20, string_bytes_max: 1024 },
        }),
    };
}
