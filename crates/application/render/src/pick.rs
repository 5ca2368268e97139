//! What was picked, as text and as a page, and what a chat model said of a task, as text.

mod filled;
mod interval;
mod page;
mod part;
mod terminal;
mod view;

pub use filled::filled_markdown;
pub use interval::interval;
pub use page::html;
pub use part::{Around, part};
pub use terminal::text;
pub use view::view_text;
