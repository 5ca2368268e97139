//! What a check found in the answer.

use crate::{FileId, Quote};

/// How bad: 0 no drift, 1 minor, 2 moderate, 3 major, 4 critical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing, no drift.
    None,
    /// Minor.
    Minor,
    /// Moderate.
    Moderate,
    /// Major.
    Major,
    /// Critical.
    Critical,
}

impl Severity {
    /// As the number that the report shows, 0 to 4.
    #[must_use]
    pub const fn level(self) -> u8 {
        self as u8
    }
}

/// How sure the check is that a reader would agree, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Confidence(f64);

impl Confidence {
    /// A confidence, held within 0 and 1.
    #[must_use]
    pub const fn new(value: f64) -> Self {
        Self(value.clamp(0.0, 1.0))
    }

    /// From 0 to 1.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.0
    }
}

/// What was looked for in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absence {
    /// The terms that were looked for.
    pub terms: Vec<String>,
    /// The files that were searched.
    pub files: Vec<FileId>,
    /// The passage that comes nearest.
    pub nearest: Option<Quote>,
}

/// What a finding rests on: words of the answer, or what was looked for there in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Words of the answer.
    Quote(Quote),
    /// A named absence.
    Absence(Absence),
}

/// One fault that one check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The check's id.
    pub check: &'static str,
    /// How bad.
    pub severity: Severity,
    /// How sure.
    pub confidence: Confidence,
    /// Words of the answer, or a named absence.
    pub evidence: Evidence,
    /// The words of the ask that it is held against; `None` where the ask says nothing of it.
    pub source: Option<Quote>,
    /// The obligation that it breaks, by its place in the list of obligations.
    pub obligation: Option<usize>,
    /// One sentence for a reader: what was asked, what was answered, why it matters.
    pub explanation: String,
    /// Other places where the same fault stands.
    pub also_at: Vec<Quote>,
}
