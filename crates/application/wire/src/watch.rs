//! What `watch` takes: the steps of agents' runs, in the forms in which they are written down.
//!
//! [`StepReader`] takes the bytes of one file as they come, finds out which form it has and gives steps; what it cannot read is
//! a [`Problem`] with its line, and the rest goes on. `docs/watch-inputs.md` shows each form with an example.

mod attributes;
mod conversation;
mod given;
mod intents;
mod lines;
mod messages;
mod nesting;
mod reader;
mod spans;
mod steps;
mod traces;

pub use given::{Form, GivenStep, Problem};
pub use intents::read_intents;
pub use lines::LINE_BYTES_MAX;
pub use nesting::NESTING_MAX;
pub use reader::{CAPTURE_SETTING, DOCUMENT_BYTES_MAX, StepReader};
pub use traces::{SPAN_BYTES_HELD_MAX, SPANS_HELD_MAX};
