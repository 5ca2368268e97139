//! The use cases of a vault of prompts: take prompts in, search them, pick some for a task, say how they did.

mod assisted;
mod browse;
mod cache;
mod choose;
mod filled;
mod filters;
mod front_matter;
mod import;
mod kept;
mod notes;
mod open;
mod points;
mod publish;
mod results;
mod selection;
mod tables;
mod take_in;
mod trial;

pub use assisted::{PickAssistance, pick_assisted};
pub use browse::{prompt_row, vault_list, vault_show};
pub use cache::VaultCache;
pub use choose::{PickRequest, Picked, QUERY_BYTES_MAX, VectorsOf, assigned, give_feedback, keep_selection};
pub use filled::filled_chain;
pub use filters::filters;
pub use front_matter::FRONT_MATTER_BYTES_MAX;
pub use import::{PROMPT_BYTES_MAX, PROMPT_ID_BYTES_MAX, ReadPrompts, Seen, holds_prompts, read};
pub use notes::NOTE_PROMPTS_MAX;
pub use open::{OpenVault, embed_vault};
pub use points::{POINTS_BYTES_MAX, against, points};
pub use results::vault_results;
pub use selection::{GLOB_BYTES_MAX, GLOBS_MAX, Selection};
pub use steadfast_pick::operating_point::{OperatingPoint, Points};
pub use steadfast_pick::retrieve::filters::Filters;
pub use steadfast_pick::retrieve::vectors::Tiers;
pub use take_in::{import_preview, import_vault, source_of, vault_prompt, vault_queue, vault_status};
pub use trial::Trial;

use import::{ImportProblem, field, parted, set};
