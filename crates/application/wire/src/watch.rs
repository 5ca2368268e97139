//! What `watch` takes and publishes: scores of steps and trajectories, and the comparison of two arms.

mod comparison;
mod given;
mod names;
mod report;

pub use comparison::{Bootstrap, Comparison, PairedT, PairedTask, Side, TaskCurve, Unpaired, Wilcoxon};
pub use given::GivenStep;
pub use names::{Aggregate, AlertCause, Calibration, UpdateType, Winner};
pub use report::{
    Alert, Alerting, BrokenBan, Duplicate, Onset, Problem, Step, StepRecord, Trajectory, Watch, begins_a_result,
};

/// The version of this module's JSON. It grows by one in its first part where a member changes its meaning (none is renamed or
/// dropped), in its second where one is added.
pub const SCHEMA_VERSION: &str = "1.0";
