//! What tests share.

pub mod cases;
pub mod obedient;
pub mod schema;
