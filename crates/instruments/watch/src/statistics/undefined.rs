//! Why a statistic has no value.

use std::fmt;

/// Why a statistic has no value for these differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// There is no pair.
    NoPairs,
    /// There is one pair, and one has no spread.
    OnePair,
    /// All differences are the same number, or differ by no more than rounding: their spread is nought.
    NoVariance,
    /// All differences are nought, so that there is nothing to rank.
    AllZero,
    /// A difference, or the sum of their squares, is not a finite number.
    NotFinite,
    /// There are more pairs than the method is offered for.
    TooManyPairs,
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoPairs => "there is no pair",
            Self::OnePair => "one pair has no spread",
            Self::NoVariance => "all differences are the same",
            Self::AllZero => "all differences are nought",
            Self::NotFinite => "a difference is not a finite number",
            Self::TooManyPairs => "there are too many pairs",
        })
    }
}

impl std::error::Error for Undefined {}
