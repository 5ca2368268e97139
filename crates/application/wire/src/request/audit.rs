//! What `audit` takes, alone and in comparison.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AgentName, EmbedderChoice, JsonSource, Source, names_of_members};
use crate::audit::{AuditComparison, DriftEvaluation, Judge};
use crate::call::{Body, Call, Request, Route, Tool};
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
    /// What an agent made of it, in full: Markdown, HTML or plain text.
    #[cfg_attr(feature = "clap", arg(value_name = "REPORT"))]
    pub report: Option<Source>,
    /// Instead of prompt and report: the folder or zip archive of a planner's run, as `{"path": …}`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub run: Option<Source>,
    /// Who judges; `rules` by default. `both` and `model` also ask the chat models of the settings, whose view stands in `model_view` and moves no verdict.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub judge: Option<Judge>,
    /// What the support score compares: `lexical` words alone, the default, or `minilm` vectors of sentences as well. The verdict may differ by it, and the result
    /// names it.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub embedder: Option<EmbedderChoice>,
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

/// Incidents that the tool `audit` lists by default.
const TOOL_INCIDENTS: usize = 10;

impl Request for Audit {
    type Answer = DriftEvaluation;

    const CALL: Call = Call {
        verb: "audit",
        title: "Audit a report against its prompt",
        tool: Some(Tool {
            name: "audit",
            about: "Does the finished report still say what the prompt asked for? Finds much of what was dropped, broken, changed or made up: \
                    banned things used again, figures changed, invented facts, lost hedges, drift of scope. Every incident has a quote \
                    from the report and one from the prompt. Each obligation of the prompt has a `status` and the nearest `passages` of the \
                    report: what is `unclear` is for you to decide. `assessed` says how many were judged; score, risk and `usable_as_is` (why: \
                    `usable_because`) speak of those alone. Lists the ten most severe incidents; `next_cursor` leads to the next ones.",
            reads_only: true,
            needs_store: false,
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
            about: "What can be said of a prompt before anybody works by it: which asks a report can be checked for and by which checks, which \
                    exclude each other, which words are vague, and of what it says nothing, so that a planner will probably make it up. \
                    Call it on a prompt that you are about to hand on; `audit` needs the report as well.",
            reads_only: true,
            needs_store: false,
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
            about: "Compares two audits: A is what was before, B what is now. Which obligations are newly broken, which are \
                    repaired, still broken or unmentioned, which incidents are new and which are gone. Takes ids of stored runs of `audit` or \
                    whole results of it.",
            reads_only: true,
            needs_store: false,
        }),
        // Over HTTP it reads stored runs by their ids: `GET /api/audit/compare`.
        route: None,
    };
}
