//! The version of the rules that this program judges by.

/// The version of the rules of all instruments, as results name it in `rules_version`. It grows with every change of a check, a list or a constant that can move a
/// verdict.
pub const RULES_VERSION: &str = "2026.11.29.6";
