//! What `watch` takes and publishes: steps of agents' runs in the forms in which they are written down, scores of steps and
//! trajectories, and the comparison of two arms.
//!
//! [`StepReader`] takes the bytes of one file as they come, finds out which form it has and gives steps; what it cannot read is
//! a [`Misread`] with its line, and the rest goes on. `docs/watch-inputs.md` shows each form with an example.

mod attributes;
mod comparison;
mod conversation;
mod given;
mod intents;
mod judged;
mod lines;
mod messages;
mod names;
mod nesting;
mod otlp;
mod reader;
mod report;
mod sessions;
mod spans;
mod steps;
mod traces;

pub use crate::misread::Misread;
pub use comparison::{Bootstrap, Comparison, PairedT, PairedTask, Side, TaskCurve, Unpaired, Wilcoxon};
pub use given::{Form, GivenStep};
pub use intents::read_intents;
pub use judged::{JudgedStep, StepSetAside, WatchChat};
pub use lines::LINE_BYTES_MAX;
pub use names::{Aggregate, AlertCause, Calibration, Winner};
pub use nesting::NESTING_MAX;
pub use otlp::{ReadSpans, read_spans};
pub use reader::{CAPTURE_SETTING, DOCUMENT_BYTES_MAX, StepReader};
pub use report::{Alert, Alerting, BrokenBan, Duplicate, Onset, Problem, Step, StepRecord, Trajectory, Watch};
pub use steadfast_watch::UpdateType;
pub use steadfast_watch::exchange::Said as StepSaid;
pub use traces::{SPAN_BYTES_HELD_MAX, SPANS_HELD_MAX};

/// The version of this module's JSON. It grows by one in its first part where a member changes its meaning (none is renamed or
/// dropped), in its second where one is added.
pub const SCHEMA_VERSION: &str = "1.1";
