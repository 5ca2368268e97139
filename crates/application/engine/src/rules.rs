//! Rules that are pinned.

use steadfast_evidence::Rules;

use crate::EngineError;

/// The rules of the version that a caller asks for.
///
/// # Errors
/// [`EngineError::Rules`] where the program has no such version, or none any more: another is never taken in its place.
pub fn rules_of(version: &str) -> Result<Rules, EngineError> {
    Rules::of(version).ok_or_else(|| EngineError::Rules { given: version.to_owned() })
}

/// The versions that there are, as a message tells them.
pub(crate) fn versions() -> String {
    Rules::ALL.iter().map(|own| own.name()).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_that_is_not_there_is_refused_with_those_that_are() {
        assert_eq!(rules_of("2026.11.4").map_err(|error| error.to_string()), Ok(Rules::V2026_11_4));
        assert_eq!(
            rules_of("2026.11.3").map_err(|error| error.to_string()),
            Err("there are no rules 2026.11.3 in this program: it judges by 2026.11.5 and 2026.11.4".to_owned())
        );
    }
}
