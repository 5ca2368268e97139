//! The review of an output: as text for a terminal, Markdown, one self-contained page, JUnit and SARIF.

mod digest;
mod html;
mod junit;
mod markdown;
mod sarif;
mod terminal;

pub use html::html;
pub use junit::junit;
pub use markdown::markdown;
pub use sarif::sarif;
pub use terminal::text;
