//! The use cases of a vault of prompts: take prompts in, search them, pick some for a task.

mod front_matter;
mod import;
mod tables;

pub use front_matter::FRONT_MATTER_BYTES_MAX;
pub use import::{Given, PROMPT_BYTES_MAX, PROMPT_ID_BYTES_MAX, holds_prompts, read};

use import::{ImportProblem, field, parted, set};
