//! A claim and what became of it.

use steadfast_evidence::Origin;
use steadfast_text::Span;

steadfast_evidence::vocabulary! {
    /// What a claim of a report is about.
    ClaimKind {
        /// Tests pass, fail, or are so many.
        Tests = "tests", "tests";
        /// The build comes through.
        Build = "build", "build";
        /// A linter finds nothing.
        Lint = "lint", "linter";
        /// Types check.
        Types = "types", "type check";
        /// A file is created, changed or deleted.
        Files = "files", "files";
        /// So many lines or files are changed.
        Lines = "lines", "size of the change";
        /// Nothing that others use is broken.
        Breaking = "breaking", "breaking changes";
        /// Nothing is left to do in the code.
        Todos = "todos", "things left to do";
        /// Tests are written.
        AddedTests = "added_tests", "added tests";
        /// Something is committed, pushed or opened as a pull request.
        Pushed = "pushed", "commits and pushes";
        /// A figure was measured.
        Number = "number", "figure";
        /// What was asked for was added.
        Criteria = "criteria", "what was added";
        /// Something else, as somebody who understands the report reads it.
        Stated = "stated", "statement";
    }
}

steadfast_evidence::vocabulary! {
    /// What became of a claim of a report.
    ClaimState {
        /// A call bears it out.
        Supported = "supported", "supported";
        /// A call says otherwise.
        Contradicted = "contradicted", "contradicted";
        /// A call seems to say otherwise; somebody who understands both has to say whether it does.
        Doubtful = "doubtful", "doubtful";
        /// No call speaks of it.
        Unsupported = "unsupported", "unsupported";
        /// Code cannot tell.
        NotCheckable = "not_checkable", "not checkable";
    }
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
