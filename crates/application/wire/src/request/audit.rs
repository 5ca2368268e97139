//! What `audit` takes, alone and in comparison.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::source::{OneOrMany, one_or_many};
use super::{AgentName, JsonSource, Source, names_of_members};
use crate::audit::{AuditComparison, Contract, DriftEvaluation, Judge, Proposal, Undecided};
use crate::call::{Body, Call, Request, Route, Tool, ToolSet};
use crate::lint::PromptLint;

/// An audit: a prompt and a report, or the run of a planner, which holds both.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AuditRequest")]
pub struct Audit {
    /// The user's own words, verbatim. On the command line a text file, or alone the folder or zip archive of a planner's run; `-` is stdin.
    ///
    /// Of a run every Markdown file is read, and of its HTML what no Markdown file carries. Its prompt is the file named `…plan.txt`,
    /// `…prompt.txt`, `…prompt.md` or `plan_raw.json`.
    #[cfg_attr(feature = "clap", arg(value_name = "PROMPT|RUN", required = true))]
    pub prompt: Option<Source>,
    /// What an agent made of it, in full: Markdown, HTML or plain text, one file or several. On the command line also a folder.
    #[serde(default, with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    #[cfg_attr(feature = "clap", arg(value_name = "REPORT"))]
    pub report: Vec<Source>,
    /// Instead of prompt and report: the folder or zip archive of a planner's run, as `{"path": …}`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub run: Option<Source>,
    /// Who judges; `rules` by default. `both` also asks the chat model of the settings what rules leave open: what code locates of its answers counts in the verdict,
    /// with `chat:NAME` as its origin, and takes nothing away that rules found. The verdict by rules alone stands in `by_code`.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub judge: Option<Judge>,
    /// The reading of the prompt, as `steadfast audit contract` writes it, to be used instead of the program's own.
    ///
    /// On the command line a file: a person's reading replaces the program's own. Over HTTP and MCP it adds obligations and drops, weakens or flips none.
    #[schemars(with = "Option<Contract>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub contract: Option<JsonSource>,
    /// What somebody who understands both texts says of obligations that are `unclear` or `unmentioned`, or of what the report adds.
    ///
    /// On the command line a file of JSON, `-` is stdin: a list of `{"obligation": ID or null, "asked": words of the prompt that no obligation says, "relation":
    /// "kept"|"broken"|"weakened"|"unrelated"|"added"|"invented", "quote": words of the report, "why": a sentence}`.
    /// What is taken counts in the verdict, with `host` as its origin. On the command line --confirm makes it `person`.
    #[schemars(with = "Option<Vec<Proposal>>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub proposals: Option<JsonSource>,
    /// What the user gave beside the prompt: what stands there is no invention. It states no obligation. On the command line repeatable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub context: Vec<Source>,
    /// What `host` proposes as kept makes the report usable and passes gates. It may be judging its own work, so this is off by default, and nobody who calls
    /// over HTTP or MCP can ask for it.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub trust_host: bool,
    /// Share of the obligations that must be kept, 0 to 1, of which so much must be judged before a report is called usable; 0.6 by default.
    #[schemars(range(min = 0.0, max = 1.0))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE"))]
    pub usable_share: Option<f64>,
    /// A gate: fail below this overall score, 0 to 5.
    #[schemars(range(min = 0.0, max = 5.0))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SCORE", allow_negative_numbers = true))]
    pub fail_below: Option<f64>,
    /// Gates: `broken`, `missing` (a must that nothing comes near), `unassessed`, `disqualified`, `risk=LEVEL`, `new` since --baseline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "conditions")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CONDITION"))]
    pub fail_on: Vec<String>,
    /// Whose work it is, 1 to 512 bytes. It stands with the stored run, for rules of alerts, lists and summaries; no result depends on it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub agent: Option<AgentName>,
    /// How many incidents are listed at most, the most severe first; all by default, 10 by default of a tool. Scores and counts are of all.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub limit: Option<usize>,
    /// Only incidents of at least this severity are listed: 0 none, 1 minor, 2 moderate, 3 major, 4 critical.
    #[schemars(range(min = 0, max = 4))]
    #[cfg_attr(feature = "clap", arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=4)))]
    pub min_severity: Option<u8>,
    /// The `next_cursor` of the page before, to list the incidents after it; everything else stays as it was in that request.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CURSOR"))]
    pub cursor: Option<String>,
    /// In JSON only these members of the result; all of them by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "names_of_members::<DriftEvaluation>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", value_delimiter = ','))]
    pub fields: Option<Vec<String>>,
}

/// What a gate of an audit can be.
pub const AUDIT_CONDITIONS: [&str; 9] =
    ["broken", "missing", "unassessed", "disqualified", "risk=low", "risk=medium", "risk=high", "risk=critical", "new"];

fn conditions(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": {"enum": AUDIT_CONDITIONS}})
}

/// Incidents that the tool `audit` lists by default.
const TOOL_INCIDENTS: usize = 10;

impl Request for Audit {
    type Answer = DriftEvaluation;

    const CALL: Call = Call {
        verb: "audit",
        title: "Audit a report against its prompt",
        tool: Some(Tool {
            name: "audit",
            about: "Does the finished report still say what the prompt asked for? Call it when a report, plan or piece of work is finished and before it is handed on: \
                    yours, or another agent's. Give the user's request verbatim. Every incident quotes the report and the prompt. Each obligation of the prompt has a `status`; \
                    what is `unclear` is for you to decide: call `audit_undecided`, then this again with `proposals`. `assessed` says how many were judged; \
                    score, risk and `usable_as_is` (why: `usable_because`) speak of those alone. Lists the ten most severe incidents; `next_cursor` leads to the next.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::Hosts,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/audit",
            name: "audit",
            about: "Does the finished report still say what the prompt asked for? Takes a prompt and a report as JSON, or a planner's run as a zip \
                    archive. The answer is what `steadfast audit --format json` prints.",
            example: r##"{"prompt": "Plan a seed library for the allotments. It must open within 3 months. Budget: 500 EUR.", "report": "# Seed library\n\nThe seed library opens within 6 months and costs 500 EUR."}"##,
            gives: "The evaluation.",
            reads_only: false,
            body: Body { bytes_max: 64 << 20, string_bytes_max: 32 << 20 },
        }),
    };

    fn fields(&self) -> Option<&[String]> {
        self.fields.as_deref()
    }

    fn for_tool(&mut self) {
        self.limit.get_or_insert(TOOL_INCIDENTS);
    }
}

/// The reading of a prompt, to be looked at, edited and handed in again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AuditContractRequest")]
pub struct AuditContract {
    /// The user's own words, verbatim. On the command line a text file; `-` is stdin.
    #[cfg_attr(feature = "clap", arg(value_name = "PROMPT"))]
    pub prompt: Source,
    /// An earlier contract, of this prompt or of an earlier version of it: what of it stands in the prompt is kept, what does not is refused by name.
    #[schemars(with = "Option<Contract>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub contract: Option<JsonSource>,
}

impl Request for AuditContract {
    type Answer = Contract;

    const CALL: Call = Call {
        verb: "audit contract",
        title: "What a prompt obliges to",
        tool: Some(Tool {
            name: "audit_contract",
            about: "What the program reads in a prompt before anything is judged: every obligation with its quote, kind, strength (must, should, may) and \
                    polarity (do, not), and in `unread` what looks like a request and became none. Call it before `audit` where the prompt is long or unusual: \
                    add what is missing (id, kind, quote) and hand the result to `audit` as `contract`.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::Hosts,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/audit/contract",
            name: "readContract",
            about: "What a prompt obliges to, each obligation with the words that say so, and what looks like a request and was not read. The answer is what \
                    `steadfast audit contract PROMPT` prints; `POST /api/audit` takes it as `contract`. It is not stored.",
            example: r#"{"prompt": "Plan a seed library for the allotments. It must open within 3 months. No app."}"#,
            gives: "The contract.",
            reads_only: true,
            body: Body { bytes_max: 64 << 20, string_bytes_max: 32 << 20 },
        }),
    };
}

/// What code leaves open of an audit, for whoever understands both texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AuditUndecidedRequest")]
pub struct AuditUndecided {
    /// The user's own words, verbatim. On the command line a text file, or alone the folder or zip archive of a planner's run.
    #[cfg_attr(feature = "clap", arg(value_name = "PROMPT|RUN"))]
    pub prompt: Option<Source>,
    /// What an agent made of it, in full; one file or several.
    #[serde(default, with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMany")]
    #[cfg_attr(feature = "clap", arg(value_name = "REPORT"))]
    pub report: Vec<Source>,
    /// Instead of prompt and report: the folder or zip archive of a planner's run, as `{"path": …}`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub run: Option<Source>,
    /// The reading of the prompt, as `audit` takes it.
    #[schemars(with = "Option<Contract>")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub contract: Option<JsonSource>,
    /// What the user gave beside the prompt, as `audit` takes it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub context: Vec<Source>,
    /// The `next_cursor` of the batch before.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CURSOR"))]
    pub cursor: Option<String>,
}

impl Request for AuditUndecided {
    type Answer = Undecided;

    const CALL: Call = Call {
        verb: "audit undecided",
        title: "What of an audit is for you to decide",
        tool: Some(Tool {
            name: "audit_undecided",
            about: "The obligations of the prompt that rules cannot decide, twelve at a time, with the passages of the report nearest to each, and exactly what is \
                    asked of you. Call it until there is no `next_cursor`, then call `audit` with all your answers as `proposals`: \
                    code checks every quote, and what stands counts. No other model is needed.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::Hosts,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/audit/undecided",
            name: "undecidedObligations",
            about: "The obligations that rules cannot decide, at most 12 a batch, each with the nearest passages of the report and the lines around them. The answer is \
                    what `steadfast audit undecided PROMPT REPORT` prints; what somebody decides goes into `proposals` of `POST /api/audit`. It is not stored.",
            example: r##"{"prompt": "Plan a seed library for the allotments. It must open within 3 months.", "report": "# Seed library\n\nThe library opens its doors in autumn."}"##,
            gives: "The batch.",
            reads_only: true,
            body: Body { bytes_max: 64 << 20, string_bytes_max: 32 << 20 },
        }),
    };
}

/// A prompt by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LintRequest")]
pub struct Lint {
    /// The user's own words, verbatim.
    pub prompt: Source,
}

impl Request for Lint {
    type Answer = PromptLint;

    const CALL: Call = Call {
        verb: "audit",
        title: "Read a prompt by itself",
        tool: Some(Tool {
            name: "audit_lint",
            about: "Call it on a prompt before you hand it to another agent or work by it: which asks can be checked later, which exclude each other, which words are vague, \
                    and of what nothing is said, so that whoever works by it will probably make it up. `audit` needs the report as well.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::Hosts,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/audit/lint",
            name: "lintPrompt",
            about: "What can be said of a prompt before anybody plans by it: which asks a report can be checked for, which exclude each other, which words are \
                    vague, and of what nothing is said. The answer is what `steadfast audit PROMPT --format json` prints. It is not stored.",
            example: r#"{"prompt": "Plan a seed library for the allotments. It must open as soon as possible. The shelves must be user-friendly."}"#,
            gives: "What is said of the prompt.",
            reads_only: true,
            body: Body { bytes_max: 64 << 20, string_bytes_max: 32 << 20 },
        }),
    };
}

/// Two audits that were made: two runs of one prompt, or before and after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AuditCompareRequest")]
pub struct AuditCompare {
    /// What was before: the id of a stored run of `audit` (`run.id` of its result), a whole result of `audit`, without `fields`, or the file that holds one, as
    /// `{"path": …}`.
    #[schemars(with = "RunOrEvaluation")]
    pub a: JsonSource,
    /// What is now, as `a`.
    #[schemars(with = "RunOrEvaluation")]
    pub b: JsonSource,
}

/// Either form of an audit that was made, for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "its schema alone is used")]
enum RunOrEvaluation {
    Run(String),
    Evaluation(std::collections::BTreeMap<String, serde_json::Value>),
}

impl Request for AuditCompare {
    type Answer = AuditComparison;

    const CALL: Call = Call {
        verb: "audit compare",
        title: "Compare two audits",
        tool: Some(Tool {
            name: "audit_compare",
            about: "Call it after a report was mended. Compares two audits: A is what was before, B what is now. Which obligations are newly broken, which are \
                    repaired, still broken or unmentioned, which incidents are new and which are gone. Takes ids of stored runs of `audit` or \
                    whole results of it.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::All,
            takes_max_tokens: true,
        }),
        // Over HTTP it reads stored runs by their ids: `GET /api/audit/compare`.
        route: None,
    };
}
