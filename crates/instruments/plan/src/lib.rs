//! A day plan that is proved against its notes.
//!
//! Notes are read into [`Notes`] ([`ask`]): tasks, and constraints with the words that state them ([`model`]). [`answer`] reads what is
//! checked, from plain values; [`checks`] hold it against the constraints, [`verdict`] computes metrics and whether it passes.
//! [`planner`] makes plans, [`repair`](mod@repair) mends what failed, [`variant`] is the whole way with its trace: [`run`] from notes to a
//! proved plan, [`generated`] for what a chat model gave in the dialogues of [`exchange`], [`check`] the verdict alone. [`again`] leaves out of notes what is done.

pub mod again;
pub mod answer;
pub mod ask;
pub mod budget;
pub mod checks;
mod clash;
pub mod document;
pub mod exchange;
pub mod free;
pub mod limits;
mod list;
pub mod matching;
pub mod mentions;
pub mod model;
pub mod objective;
pub mod open;
pub mod places;
pub mod plan;
pub mod planner;
pub mod repair;
pub mod search;
pub mod stops;
pub mod variant;
pub mod verdict;
pub mod window;

pub use answer::{Answer, Form, Given, Item, Role};
pub use checks::Finding;
pub use free::Settings;
pub use model::{Constraint, Kind, Notes, Priority, Readings, Rule, Task};
pub use plan::{Confidence, Feasibility, Overload, Plan, PlanItem};
pub use planner::plan;
pub use repair::repair;
pub use variant::{Planned, Standing, Step, Variant, generated, run};
pub use verdict::{Metrics, Status, Validation, check, validate};
pub use window::{Days, Interval, Moment, Window};
