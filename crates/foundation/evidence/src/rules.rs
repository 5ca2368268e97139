//! The versions of the rules that this program judges by.

use std::fmt;

/// A version of the rules of all instruments. It grows with every change of a check, a list or a constant that can move a verdict.
///
/// There are two: the current one and the one before it, so that whoever pinned a version has one release to move on in. What a version
/// changed is a comparison (`rules >= Rules::V2026_11_5`) at the place of the change; when a version falls out, its name here goes and the
/// compiler shows every switch that goes with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rules {
    /// The version before the current one.
    V2026_11_4,
    /// The current version.
    #[default]
    V2026_11_5,
}

impl Rules {
    /// The version that judges where none is asked for.
    pub const CURRENT: Self = Self::V2026_11_5;

    /// Every version that there is, the current one first.
    pub const ALL: &[Self] = &[Self::V2026_11_5, Self::V2026_11_4];

    /// What it is called in results and by those who ask for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2026_11_4 => "2026.11.4",
            Self::V2026_11_5 => "2026.11.5",
        }
    }

    /// The version of this name, if the program still has it.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|own| own.name() == name)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_the_current_version_and_the_one_before_it() {
        assert_eq!(Rules::ALL.len(), 2);
        assert_eq!(Rules::ALL.first(), Some(&Rules::CURRENT));
        assert_eq!(Rules::default(), Rules::CURRENT);
        assert!(Rules::ALL.windows(2).all(|pair| pair[0] > pair[1]));
        for own in Rules::ALL {
            assert_eq!(Rules::of(own.name()), Some(*own));
            assert_eq!(own.to_string(), own.name());
        }
        for other in ["2026.11.3", "2026.11", "", " 2026.11.5", "2026.11.50"] {
            assert_eq!(Rules::of(other), None, "{other}");
        }
    }
}
