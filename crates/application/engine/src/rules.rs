//! Rules that are pinned.

use crate::{EngineError, RULES_VERSION};

/// Holds a caller's pin against the rules of this program: they are these, or nothing is judged. A change of rules reaches into how prompts
/// are read, so an earlier version cannot be had by leaving checks out, and none is pretended to.
///
/// # Errors
/// [`EngineError::Rules`] where they are others.
pub fn require_rules(version: &str) -> Result<(), EngineError> {
    if version == RULES_VERSION { Ok(()) } else { Err(EngineError::Rules { given: version.to_owned() }) }
}
