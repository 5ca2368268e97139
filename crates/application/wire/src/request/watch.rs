//! What `watch` takes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EmbedderChoice, Source};
use crate::audit::Judge;
use crate::call::{Body, Call, Request, Route, Tool, ToolSet, Unfit};
use crate::watch as wire;
use crate::watch::{Aggregate, Comparison};

/// The steps of agents, to be scored: `steps`, or a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "WatchRequest")]
pub struct Watch {
    /// The steps, in their order.
    pub steps: Option<Vec<WatchStep>>,
    /// Instead of `steps`: a log: JSON lines with a step each, chat messages, or OTLP/JSON spans.
    pub log: Option<Source>,
    /// The initial intent of tasks, by task id; else the steps say it, or the first instruction is it.
    pub intents: Option<BTreeMap<String, String>>,
    /// What makes vectors of the texts; `minilm` by default, which has to be fetched once. `lexical` needs no model.
    pub embedder: Option<EmbedderChoice>,
    /// What of a long output is compared with the goal; `whole` by default.
    pub aggregate: Option<Aggregate>,
    /// Raise an alert where scores persist at this threshold or above; by default alerts rest on changes for good and on broken bans.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub alert: Option<f64>,
    /// Who judges; `rules` by default. `both` also asks the chat model of the settings about steps that stand out.
    pub judge: Option<Judge>,
}

/// One step of an agent's run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchStep {
    /// Which task it belongs to.
    pub task_id: String,
    /// Its number; counted from 0 where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<i64>,
    /// The instruction under which it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What the agent said, verbatim; left out where it said nothing in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Who made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The goal of the whole task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_intent: Option<String>,
}

/// Steps of a request over HTTP.
const STEPS_MAX: usize = 100_000;

fn fit(steps: Option<&Vec<WatchStep>>) -> Result<(), Unfit> {
    match steps.map(Vec::len).filter(|count| *count > STEPS_MAX) {
        Some(count) => Err(Unfit::TooMany { member: "steps", count, count_max: STEPS_MAX }),
        None => Ok(()),
    }
}

const BODY: Body = Body { bytes_max: 64 << 20, string_bytes_max: 32 << 20 };

impl Request for Watch {
    type Answer = wire::Watch;

    const CALL: Call = Call {
        verb: "watch",
        title: "Follow an agent step by step",
        tool: Some(Tool {
            name: "watch",
            about: "Call it on the log of an agent, or of several, while they work or after: is it still on the goal at each step? Scores how far each output is from the goal in force (0 on it, 1 away), follows the goal through the instructions, and says where the agent left it for good (`onset`) and \
                    what wants looking at (`alerts`), broken bans among them.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::Hosts,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/watch",
            name: "watch",
            about: "Step by step, is the agent still on the goal, and where did it leave it? The answer is what `steadfast watch --format json` \
                    prints.",
            example: r#"{"embedder": "lexical", "steps": [{"task_id": "t1", "prompt": "Summarise the meeting notes", "output": "The meeting was about the budget."}, {"task_id": "t1", "prompt": "Shorten the summary", "output": "Budget meeting."}]}"#,
            gives: "The steps with their scores.",
            reads_only: false,
            body: BODY,
        }),
    };

    fn fit_for_http(&self) -> Result<(), Unfit> {
        fit(self.steps.as_ref())
    }
}

/// Two arms that did the same tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "WatchCompareRequest")]
pub struct WatchCompare {
    /// The one arm.
    pub a: Arm,
    /// The other.
    pub b: Arm,
    /// The initial intent of tasks, by task id.
    pub intents: Option<BTreeMap<String, String>>,
    /// What makes vectors of the texts; `minilm` by default.
    pub embedder: Option<EmbedderChoice>,
    /// What of a long output is compared with the goal; `whole` by default.
    pub aggregate: Option<Aggregate>,
}

/// One arm of a comparison: steps, or a log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// What the arm is called; `a.jsonl` or `b.jsonl` by default.
    pub name: Option<String>,
    /// The steps, in their order.
    pub steps: Option<Vec<WatchStep>>,
    /// Instead of `steps`: a log, or a result of `watch` that was kept.
    pub log: Option<Source>,
}

impl Request for WatchCompare {
    type Answer = Comparison;

    const CALL: Call = Call {
        verb: "watch compare",
        title: "Compare two arms on the same tasks",
        tool: Some(Tool {
            name: "watch_compare",
            about: "Call it on the logs of two variants: in which arm did the agent keep to the goal better, on the same tasks? Pairs the runs by task: mean scores, wins, \
                    the difference with its interval, and tests. An arm is `steps`, a log, or a result of `watch`.",
            reads_only: true,
            needs_store: false,
            set: ToolSet::All,
            takes_max_tokens: true,
        }),
        route: Some(Route {
            path: "/api/watch/compare",
            name: "watchCompare",
            about: "The answer is what `steadfast watch compare --format json` prints.",
            example: r#"{"embedder": "lexical", "a": {"steps": [{"task_id": "t1", "prompt": "Name the seeds", "output": "Beans."}, {"task_id": "t1", "prompt": "Name more seeds", "output": "Beans and peas."}]}, "b": {"steps": [{"task_id": "t1", "prompt": "Name the seeds", "output": "Beans."}, {"task_id": "t1", "prompt": "Name more seeds", "output": "The weather is fine."}]}}"#,
            gives: "The comparison.",
            reads_only: false,
            body: BODY,
        }),
    };

    fn fit_for_http(&self) -> Result<(), Unfit> {
        fit(self.a.steps.as_ref()).and_then(|()| fit(self.b.steps.as_ref()))
    }
}
