//! What is told of a run to whoever collects traces: what it read, the way that it took, how it was judged.
//!
//! A [`Trace`] is a line of a JSON lines file, and what waits in a queue until an exporter has sent it ([`Queued`]). The forms that
//! collectors want are made of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use serde_json::Value;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1.0";

/// Values by name.
pub type Attributes = serde_json::Map<String, Value>;

/// What is told of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The version of this JSON.
    pub schema_version: String,
    /// A UUIDv7: that of the run where it is stored.
    pub id: String,
    /// What was asked for: `audit`, `plan check`.
    pub name: String,
    /// When it began: RFC 3339 in UTC.
    pub started: String,
    /// How long all of it took, in microseconds; `null` where it was not timed by itself.
    pub duration_us: Option<u64>,
    /// What it read.
    pub input: Attributes,
    /// What came of it.
    pub output: Attributes,
    /// How it was asked, by which versions, and how long each part took.
    pub metadata: Attributes,
    /// Words that it can be found by.
    pub tags: Vec<String>,
    /// The way that it took, parents before their children.
    pub spans: Vec<Span>,
    /// How it was judged.
    pub scores: Vec<Score>,
}

/// One stretch of the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// A UUIDv7, made of the trace's id and the span's place.
    pub id: String,
    /// The span that it is part of; `null` where it is part of the run itself.
    pub parent: Option<String>,
    /// What it is: `extract`, `validate`, `step`.
    pub name: String,
    /// Where it begins, in microseconds from the beginning of the trace. Spans that were not timed by themselves begin where the part
    /// of the run began that they belong to, one microsecond apart, so that they sort.
    pub start_us: u64,
    /// How long it took; `null` where it was not timed by itself.
    pub duration_us: Option<u64>,
    /// What went in.
    pub input: Attributes,
    /// What came out.
    pub output: Attributes,
    /// What else is known of it.
    pub attributes: Attributes,
    /// What was found in it.
    pub events: Vec<Event>,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// What it is: `incident`, `finding`.
    pub name: String,
    /// What is known of it.
    pub attributes: Attributes,
}

/// One figure of a judgement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Of what.
    pub name: String,
    /// How much. Finite.
    pub value: f64,
    /// The same in a word, where there is one: `pass`, `high`.
    pub label: Option<String>,
    /// Why, where it is said.
    pub reason: Option<String>,
    /// The span that it is about; `null` where it is about the run.
    pub span: Option<String>,
}

/// Inputs that several experiments share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dataset {
    /// Its name. It tells contents apart: other items make another name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Its items.
    pub items: Vec<DatasetItem>,
}

/// One input of a dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatasetItem {
    /// A UUIDv7 that depends on the item alone.
    pub id: String,
    /// What it holds.
    pub data: Attributes,
}

/// One way to do something, over a dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// A UUIDv7.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it ran over.
    pub dataset: Dataset,
    /// What sets it apart from others.
    pub metadata: Attributes,
    /// Its figures over the whole dataset.
    pub scores: Vec<Score>,
    /// Which trace came of which item.
    pub items: Vec<ExperimentItem>,
}

/// What came of one item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExperimentItem {
    /// A UUIDv7.
    pub id: String,
    /// The item.
    pub dataset_item_id: String,
    /// The trace.
    pub trace_id: String,
}

/// What is exported together: one trace, or an experiment with the traces of its items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// The traces.
    pub traces: Vec<Trace>,
    /// What they belong to, where it is an experiment.
    pub experiment: Option<Experiment>,
}

impl Batch {
    /// The id that it goes by: that of the experiment, else of its first trace.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        let experiment = self.experiment.as_ref().map(|experiment| experiment.id.as_str());
        experiment.or_else(|| self.traces.first().map(|trace| trace.id.as_str()))
    }
}

/// What waits in a queue until it is sent, or stands there because it cannot be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Queued {
    /// The version of this JSON.
    pub schema_version: String,
    /// Who is to send it: `opik`, `otlp`, `jsonl`.
    pub exporter: String,
    /// The file that it is to be written to, where the exporter writes one.
    pub file: Option<String>,
    /// Why it will never be taken; `null` while it waits.
    pub reason: Option<String>,
    /// What is to be sent.
    pub batch: Batch,
}

/// How one exporter stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExporterStatus {
    /// Which.
    pub exporter: String,
    /// Entries that wait.
    pub waiting: u64,
    /// Their bytes.
    pub waiting_bytes: u64,
    /// Entries that the other side will never take; each says why.
    pub failed: u64,
    /// Entries that were sent, ever.
    pub sent: u64,
    /// Entries that were not taken into the queue, ever: it was full, or they were too large.
    pub refused: u64,
    /// Spans that the other side did not keep of what it took, ever.
    pub rejected_spans: u64,
    /// Tries that came to nothing since the last one that did not.
    pub tries_failed: u64,
    /// What the last try came to that failed, and when; `null` where the last one did not.
    pub last_failure: Option<ExportFailure>,
    /// No try before this moment: the other side asked for it. RFC 3339 in UTC.
    pub not_before: Option<String>,
}

/// Why a try came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportFailure {
    /// When: RFC 3339 in UTC.
    pub at: String,
    /// What was wrong.
    pub what: String,
}

/// How all exporters of a queue stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportStatus {
    /// The version of this JSON.
    pub schema_version: String,
    /// How many entries the queue holds at most, failed ones included.
    pub entries_max: u64,
    /// How many bytes.
    pub bytes_max: u64,
    /// The exporters that ever took something, in the order of their names.
    pub exporters: Vec<ExporterStatus>,
}
