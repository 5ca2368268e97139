//! What `review` takes, and what is done with the outputs that it keeps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::source::{OneOrMany, one_or_many};
use super::{AgentName, EmbedderChoice, JsonSource, Source, names_of_members};
use crate::audit::Judge;
use crate::call::{Body, Call, Request, Route, Tool, ToolSet};
use crate::review as wire;
use crate::review::Profile;

/// The output of a sub-agent, to be reviewed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ReviewRequest")]
pub struct Review {
    /// All that a sub-agent gave back, verbatim, with the `<npl-block>` blocks in which it reports on its own work. On the command line a file; `-` is stdin.
    /// With a session it may be left out: the agent's last words are reviewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(id = "reviewed", value_name = "FILE"))]
    pub output: Option<Source>,
    /// The log of the agent's session: claims of the report are held against what was done, and what was done against what the user typed.
    ///
    /// Known are Claude Code (project files, `stream-json`), Codex (rollouts, `codex exec --json`), Copilot CLI and VS Code, Gemini CLI, ATIF, OpenHands, SWE-agent and mini-swe-agent; which it is is found out
    /// by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub session: Option<Source>,
    /// Rules that the agent of a session works by, such as CLAUDE.md: their bans hold from the beginning. Repeatable.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", requires = "session"))]
    pub rules: Vec<Source>,
    /// Logs of test runners and diffs against which claims of the report are held. On the command line a file, a folder, or a range of commits such as `git:main..HEAD`; repeatable.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "one_or_many")]
    #[schemars(with = "OneOrMany")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH"))]
    pub evidence: Vec<Source>,
    /// What the task has to meet, a criterion each. Without them those count that the output's last check-in lists.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub acceptance_criteria: Option<Vec<String>>,
    /// Who judges; `rules` by default. `both` also asks the chat model of the settings what rules leave open.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub judge: Option<Judge>,
    /// What somebody who understands the output says of its criteria and claims: on the command line a file of JSON, `-` is stdin.
    ///
    /// Each is `{"criterion": id or text, "relation": "met"|"unmet"|"unreported", "quote": words of the output, "why": a sentence}`, or
    /// `{"claim": words of the output, "relation": "contradicted", "quote": other words of it, "why": a sentence}`; of a session also what `review undecided` asks for. Code looks the
    /// words up. What it finds unmet, false or broken stays so.
    #[schemars(with = "Option<Vec<wire::ReviewProposal>>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub proposals: Option<JsonSource>,
    /// What `host` proposes as met or supported counts. It may be judging its own work, so this is off by default, and nobody who calls over HTTP or MCP can ask for it.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub trust_host: bool,
    /// Below this score, 0 to 1, a revision is requested and a summary is given in the place of the output; 0.6 by default. Approval needs 0.8 or this, whichever
    /// is higher.
    #[schemars(range(min = 0.0, max = 1.0))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SCORE", allow_negative_numbers = true))]
    pub threshold: Option<f64>,
    /// How the house uses 🐛 and 🔒: `seed` by default (a bug, a vulnerability), or `fixed` (mended, addressed).
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub profile: Option<Profile>,
    /// What a summary may hold, in tokens of four characters; 400 by default.
    #[schemars(range(min = 50, max = 100_000))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(50..=100_000)))]
    pub summary_tokens: Option<u32>,
    /// Let an embedder find the item of a criterion where words find none.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub embedder: Option<EmbedderChoice>,
    /// Whose work it is, 1 to 512 bytes. It stands with the stored run, for rules of alerts, lists and summaries; no result depends on it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub agent: Option<AgentName>,
    /// In JSON only these members of the result; all of them by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "names_of_members::<wire::Review>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", value_delimiter = ','))]
    pub fields: Option<Vec<String>>,
}

impl Request for Review {
    type Answer = wire::Review;

    const CALL: Call = Call {
        verb: "review",
        title: "Evaluate what a sub-agent gave back",
        tool: Some(Tool {
            name: "evaluate_output",
            about: "Is what a sub-agent reports of its own work worth reading in full, and is it true? Scores the items of its reflection \
                    and check-in blocks (0 to 1), matches them with the acceptance criteria, and computes again what it says of its own sums, \
                    counts and tests. With `session` its claims are held against what the agent did. `recommendation` is `approve`, `review` or `request_revision`; below the threshold `summary` is \
                    given, else `full_payload`. The output is kept under `task_id`: `request_full_payload` gives all of it.",
            reads_only: false,
            // A server that keeps nothing could not give the output again.
            needs_store: true,
            set: ToolSet::Hosts,
            takes_max_tokens: false,
        }),
        route: Some(Route {
            path: "/api/review",
            name: "review",
            about: "Is what a sub-agent reports of its own work worth reading in full, and is it true? The output is kept with its task where the \
                    server keeps anything. The answer is what `steadfast review --format json` prints.",
            example: r#"{"output": "<npl-block type=\"reflection\">\n✅ Verified: all 12 tests pass\n🐛 Bug: the date is off by one\n</npl-block>", "acceptance_criteria": ["all tests pass"]}"#,
            gives: "The review. Its `score` is `null` where nothing can be evaluated.",
            reads_only: false,
            body: Body { bytes_max: 16 << 20, string_bytes_max: 8 << 20 },
        }),
    };

    fn fields(&self) -> Option<&[String]> {
        self.fields.as_deref()
    }
}

/// What code leaves open of a report and its session or evidence, for whoever understands it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ReviewUndecidedRequest")]
pub struct ReviewUndecided {
    /// The log of the agent's session, as `review` takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", required_unless_present = "evidence"))]
    pub session: Option<Source>,
    /// The agent's report; without it the agent's last words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "clap", arg(id = "reviewed", value_name = "REPORT"))]
    pub output: Option<Source>,
    /// Evidence, as `review` takes it.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "one_or_many")]
    #[schemars(with = "OneOrMany")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH"))]
    pub evidence: Vec<Source>,
    /// Rules, as `review` takes them.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub rules: Vec<Source>,
    /// The `next_cursor` of the batch before.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CURSOR"))]
    pub cursor: Option<String>,
}

impl Request for ReviewUndecided {
    type Answer = wire::ReviewUndecided;

    const CALL: Call = Call {
        verb: "review undecided",
        title: "What of a session is for you to decide",
        tool: Some(Tool {
            name: "review_undecided",
            about: "What rules cannot decide of an agent's session, in batches, and what is asked of you. Then call `evaluate_output` with your \
                    answers as `proposals`.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::Hosts,
            takes_max_tokens: false,
        }),
        route: Some(Route {
            path: "/api/review/undecided",
            name: "undecidedSession",
            about: "What rules cannot decide of an agent's session, in batches of about 16,000 characters: what the user typed, the report's sentences with the calls nearest to \
                    each, and all calls that do something. The answer is what `steadfast review undecided --session FILE` prints; what somebody decides goes into `proposals` of \
                    `POST /api/review`. It is not stored.",
            example: r#"{"session": "{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u1\",\"message\":{\"role\":\"user\",\"content\":\"Fix the parser. Do not push.\"}}\n{\"type\":\"assistant\",\"sessionId\":\"s\",\"uuid\":\"a1\",\"message\":{\"id\":\"m1\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"The parser is fixed.\"}]}}"}"#,
            gives: "The batch.",
            reads_only: true,
            body: Body { bytes_max: 16 << 20, string_bytes_max: 8 << 20 },
        }),
    };
}

/// A task whose last output is wanted whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FullPayloadRequest")]
pub struct FullPayload {
    /// The task, as `evaluate_output` named it.
    pub task_id: String,
}

impl Request for FullPayload {
    type Answer = wire::FullPayload;

    const CALL: Call = Call {
        verb: "tasks show",
        title: "Read all of an evaluated output",
        tool: Some(Tool {
            name: "request_full_payload",
            about: "Gives all of the last output that was evaluated for a task, where its summary is not enough.",
            reads_only: true,
            needs_store: true,
            set: ToolSet::Hosts,
            takes_max_tokens: false,
        }),
        // Over HTTP the task stands in the path: `GET /api/tasks/{id}/payload`.
        route: None,
    };
}

/// A task that is a good or a bad example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FlagRequest")]
pub struct Flag {
    /// The task, as `evaluate_output` named it.
    pub task_id: String,
    /// `good` or `bad`: its outputs are candidates for training; `unsure`: they are not.
    #[schemars(extend("enum" = ["good", "bad", "unsure"]))]
    pub quality: String,
    /// In which respects, a word or two each.
    pub tags: Option<Vec<String>>,
}

impl Request for Flag {
    type Answer = wire::Flagged;

    const CALL: Call = Call {
        verb: "tasks flag",
        title: "Flag a task as an example",
        tool: Some(Tool {
            name: "flag_sequence_quality",
            about: "Says that what was kept of a task is a good or a bad example (or takes that back), so that it can be exported for \
                    training: `steadfast tasks export`.",
            reads_only: false,
            needs_store: true,
            set: ToolSet::Hosts,
            takes_max_tokens: false,
        }),
        // Over HTTP the task stands in the path: `POST /api/tasks/{id}/flag`.
        route: None,
    };
}
