//! What tests share.

pub mod cases;
