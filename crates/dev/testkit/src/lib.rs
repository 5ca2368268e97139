//! What tests share.

pub mod cases;
pub mod schema;
