//! A result that may not exist: nothing to check is never a perfect score.

use std::fmt;

/// A value, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluated<T> {
    /// What was found.
    Value(T),
    /// Nothing could be evaluated: never a pass, never a number.
    NotEvaluable(Reason),
}

/// Why nothing could be evaluated: what was missing and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(pub String);

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<T> Evaluated<T> {
    /// Applies `f` to the value, if there is one.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Evaluated<U> {
        match self {
            Self::Value(value) => Evaluated::Value(f(value)),
            Self::NotEvaluable(reason) => Evaluated::NotEvaluable(reason),
        }
    }
}
