//! What `plan` takes and publishes: the request and response of the contract for day plans, and beside its fields the evidence
//! for each of them.

mod bench;
mod constraint;
mod given;
mod model_view;
mod moved;
mod names;
mod proposal;
mod reading;
mod response;
mod validation;

pub use bench::{Bench, BenchConfidence, BenchFailureModes, BenchMisread, BenchReader, BenchRow, BenchVariant};
pub use constraint::{Constraint, Constraints, Source as PlanSource, Task, Times};
pub use given::{GivenItem, GivenPlan};
pub use model_view::{Extraction, Generation, ModelView, Opinion, OpinionScore, PlanMaker, RepairOutcome};
pub use moved::{PlanChange, PlanMove};
pub use names::{PlanFile, Preferences, Variant};
pub use proposal::{ConstraintProposal, Contested, PlanProposals, PlanProposed, TaskProposal};
pub use reading::{
    OpenQuestion, PlanAnswer, PlanReading, READING_SCHEMA_VERSION, ReadingConstraint, ReadingTask, SetApart, Unread,
};
pub use response::{Debug, Overload, PlanItem, PlanResponse, TraceSpan};
pub use steadfast_plan::model::open::Aside;
pub use steadfast_plan::{Confidence, Kind, Standing as Status, Status as Validity};
pub use validation::{Finding, Metrics, Validation};

/// The version of this module's JSON. It grows by one in its first part where a member changes its meaning (none is renamed or
/// dropped), in its second where one is added.
pub const SCHEMA_VERSION: &str = "1.2";
