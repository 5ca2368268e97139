//! What tests share.

pub mod cases;
pub mod fake_chat;
pub mod obedient;
pub mod schema;
