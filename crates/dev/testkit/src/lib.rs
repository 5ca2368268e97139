//! What tests share.

pub mod cases;
pub mod fake_chat;
pub mod http;
pub mod obedient;
pub mod schema;
pub mod shapes;
mod wait;

pub use wait::wait;
