//! Drift scores of agents, step by step, and the comparison of two arms, in every format.
//!
//! Who raises an alert is told first; after that everything stands in the order of the input. A picture never stands alone: its
//! numbers stand in a table beside it.

mod compare;
mod digest;
mod drawing;
mod html;
mod markdown;
mod terminal;

pub use compare::{html as compare_html, markdown as compare_markdown, text as compare_text};
pub use html::html;
pub use markdown::markdown;
pub use terminal::{step_line, text};
