//! The comparison of two arms in every format.

mod drawing;
mod html;
mod markdown;
mod terminal;
mod words;

pub use html::{html, part};
pub use markdown::markdown;
pub use terminal::text;
