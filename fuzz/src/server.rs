//! What modules of `server` need that are built into targets from their source: why something is refused, and limits.

/// Why a request is refused.
pub mod problem {
    /// The words in which it is said.
    #[derive(Debug)]
    pub struct Problem(pub String);

    impl Problem {
        /// A problem of a kind.
        pub fn of(_: &kinds::Kind, detail: impl Into<String>) -> Self {
            Self(detail.into())
        }

        /// A problem that shows late.
        #[must_use]
        pub fn late(self) -> Self {
            self
        }
    }

    /// Kinds of problems.
    pub mod kinds {
        /// A kind.
        pub struct Kind;

        /// The body cannot be read.
        pub const BAD_REQUEST: Kind = Kind;
        /// The body is not what the route takes.
        pub const INVALID: Kind = Kind;
        /// The body is too large.
        pub const TOO_LARGE: Kind = Kind;
    }
}

/// Limits of bodies.
pub mod json {
    /// What a body may be.
    #[derive(Clone, Copy, Debug)]
    pub struct Limits {
        /// A string, in bytes.
        pub field_bytes_max: usize,
        /// Objects and arrays within one another.
        pub depth_max: usize,
        /// Members and elements, all together.
        pub values_max: usize,
    }
}
