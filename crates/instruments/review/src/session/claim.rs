//! A claim and what became of it.

use steadfast_evidence::Origin;
use steadfast_text::Span;

/// What a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimKind {
    /// Tests pass, fail, or are so many.
    Tests,
    /// The build comes through.
    Build,
    /// A linter finds nothing.
    Lint,
    /// Types check.
    Types,
    /// A file is created, changed or deleted.
    Files,
    /// So many lines or files are changed.
    Lines,
    /// Nothing that others use is broken.
    Breaking,
    /// Nothing is left to do in the code.
    Todos,
    /// Tests are written.
    AddedTests,
    /// Something is committed, pushed or opened as a pull request.
    Pushed,
    /// A figure was measured.
    Number,
    /// What was asked for was added.
    Criteria,
    /// Something else, as somebody who understands the report reads it.
    Stated,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimState {
    /// A call bears it out.
    Supported,
    /// A call says otherwise.
    Contradicted,
    /// A call seems to say otherwise, and somebody who understands both has to say whether it does.
    Doubtful,
    /// No call speaks of it.
    Unsupported,
    /// Code cannot tell.
    NotCheckable,
}

/// What a claim's state rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The turn, from 1.
    pub turn: usize,
    /// Words of the call or of what it gave back.
    pub quote: String,
}

/// A claim of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Where it stands, in bytes of the report.
    pub span: Span,
    /// What it is about.
    pub kind: ClaimKind,
    /// What became of it.
    pub state: ClaimState,
    /// Why, in one sentence.
    pub why: String,
    /// What that rests on.
    pub evidence: Vec<Evidence>,
    /// Who says so.
    pub origin: Origin,
    /// Whether what contradicts it is plainly the call that it speaks of.
    pub(super) is_plain: bool,
    /// What code says, where somebody else settled a claim that code reads.
    pub by_code: Option<ClaimState>,
}

impl Claim {
    pub(super) fn of(span: Span, kind: ClaimKind, state: ClaimState, why: impl Into<String>) -> Self {
        Self {
            span,
            kind,
            state,
            why: why.into(),
            evidence: Vec::new(),
            origin: Origin::Code,
            is_plain: false,
            by_code: None,
        }
    }

    pub(super) fn plainly(mut self, is_plain: bool) -> Self {
        self.is_plain = is_plain;
        self
    }

    pub(super) fn with(mut self, turn: usize, quote: impl Into<String>) -> Self {
        self.evidence.push(Evidence { turn, quote: quote.into() });
        self
    }
}
