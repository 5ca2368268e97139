//! The comparison of two arms in every format.

mod drawing;
mod html;
mod page;
mod words;

pub use html::{html, part};
pub use page::{markdown, text};
