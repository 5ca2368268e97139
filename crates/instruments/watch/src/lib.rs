//! Step by step, is the agent still on the goal, and where did it leave it?
//!
//! A [`Tracker`] follows one agent on one task: intent replay infers the goal in force from the instructions ([`replay`]),
//! the Intent Drift Score says how far each output is from it ([`divergence`]), the goal distance the same with more to go by ([`distance`]), and a change-point test says from which step on
//! the scores changed for good ([`onset`]). Bans that the
//! ask states are looked for in every output ([`bans`]), and calls that lead nowhere among its deeds ([`deeds`]). It holds as much for a million steps as for one. Two arms that did the
//! same tasks are compared by the statistics that people know ([`statistics`]). Of steps that signals single out a chat model can be asked ([`exchange`]), by the [`texts`] that are kept for it.

pub mod alert;
pub mod bans;
pub mod deeds;
pub mod distance;
pub mod divergence;
pub mod exchange;
mod model;
pub mod onset;
pub mod replay;
pub mod statistics;
pub mod texts;
mod trajectory;

pub use alert::{ALERTS_MAX, Alert};
pub use bans::Broken;
pub use deeds::{Nowhere, Stuck};
pub use divergence::{Aggregate, Vectored, compute_goal_shift, compute_ids};
pub use model::{Step, StepScore, UpdateType};
pub use onset::Onset;
pub use replay::{Inferred, Thresholds, intent_replay};
pub use trajectory::{Settings, Summary, Tracker};
