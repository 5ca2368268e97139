//! All that a store holds, a line each: what `store export` writes.

use schemars::JsonSchema;
use serde::Serialize;

use crate::alerts::{AlertStanding, ToldNotice};
use crate::decisions::Decision;
use crate::jobs::{Job, JobItem};
use crate::keys::ApiKey;
use crate::live::{LiveScores, LiveStep, TrajectoryHead};
use crate::pick::{Inferred, PromptRecord};
use crate::runs::RunRecord;
use crate::tasks::{TaskFlag, TaskMessage};

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// A line of `store export`; `type` says which. What belongs to something else stands behind it: texts behind their run, messages behind their task, steps behind their
/// trajectory, items behind their job.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum StoreLine {
    /// The first line: what was exported, by what and when.
    Store {
        /// The version of this JSON.
        schema_version: String,
        /// The version of the program that exported it.
        program_version: String,
        /// The version of the store's tables.
        store_version: i64,
        /// The moment: RFC 3339 in UTC. Whether a decision has expired is told as of it.
        exported_at: String,
    },
    /// A run with its result: the line of `runs export`. One of the verb `session` is a session.
    Run(RunRecord),
    /// A text that a run was about, where a server kept it.
    RunText {
        /// The run.
        run_id: String,
        /// Its name, as spans of the result call it.
        name: String,
        /// Its length in bytes.
        bytes: u64,
        /// All of it; `null` where it did not fit.
        text: Option<String>,
    },
    /// A task.
    Task {
        /// What it is called.
        task_id: String,
        /// When its first message was stored: RFC 3339 in UTC.
        created_at: String,
        /// When its last one was.
        updated_at: String,
        /// What was said of it, oldest first.
        flags: Vec<TaskFlag>,
    },
    /// A message of a task.
    Message {
        /// The task.
        task_id: String,
        /// The message.
        message: TaskMessage,
    },
    /// A trajectory under way, without its steps.
    Trajectory {
        /// The trajectory.
        trajectory: TrajectoryHead,
    },
    /// A step of a trajectory.
    Step {
        /// Its UUIDv7.
        id: String,
        /// Its place in the trajectory, from 0.
        number: u64,
        /// The step, as it was posted.
        step: LiveStep,
        /// Its scores; `null` where it has none yet.
        scores: Option<LiveScores>,
        /// The goal, where it came into force with this step; `null` where not.
        goal: Option<String>,
    },
    /// A decision on a finding.
    Decision {
        /// The decision.
        decision: Decision,
    },
    /// A prompt of the vault.
    Prompt {
        /// The folder or file that it came from, by a hash.
        source: String,
        /// The least confidence of what was inferred of it, 0 to 1; 1 where nothing was.
        #[schemars(range(min = 0.0, max = 1.0))]
        confidence: f64,
        /// What was inferred of it.
        inferred: Vec<Inferred>,
        /// Its record.
        record: PromptRecord,
    },
    /// What `pick` chose.
    Selection {
        /// What it is called.
        trace_id: String,
        /// When it was first chosen: RFC 3339 in UTC.
        created_at: String,
        /// The operating point that chose, by its name.
        operating_point: String,
        /// The SHA-256 of its thresholds; `null` where it is not known.
        point_sha256: Option<String>,
        /// The prompts, in their order; none where a question was asked.
        prompt_ids: Vec<String>,
    },
    /// What was said of a prompt that was chosen.
    Feedback {
        /// Its UUIDv7.
        id: String,
        /// The selection.
        trace_id: String,
        /// The prompt.
        prompt_id: String,
        /// Whether it was good.
        good: bool,
        /// When it was said: RFC 3339 in UTC.
        created_at: String,
    },
    /// A job.
    Job {
        /// The job.
        job: Job,
    },
    /// What came of one part of a job.
    JobItem {
        /// The job.
        job_id: String,
        /// The part.
        item: JobItem,
    },
    /// How a rule of alerts stands for an agent.
    AlertStanding {
        /// How it stands.
        standing: AlertStanding,
    },
    /// What was told of a rule of alerts.
    AlertNotice {
        /// The notice, and who was told.
        notice: ToldNotice,
    },
    /// A key of the server's API: what is known of it, never the key nor its hash.
    Key {
        /// What is known of it.
        key: ApiKey,
    },
    /// The last line. An export that does not end with it is not whole.
    End {
        /// How many lines stand before it.
        lines: u64,
    },
}
