//! How much of a text is shown.

/// How much of a text is kept, or told. Each holds what the one before does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capture {
    /// Nothing.
    None,
    /// A hash of it, by which the same text is known again.
    Hash,
    /// Its first [`PREVIEW_CHARS_MAX`](crate::limits::PREVIEW_CHARS_MAX) characters.
    Preview,
    /// All of it.
    Full,
}

impl Capture {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::None, Self::Hash, Self::Preview, Self::Full];

    /// Its name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Hash => "hash",
            Self::Preview => "preview",
            Self::Full => "full",
        }
    }

    /// Whether words of a text are shown.
    #[must_use]
    pub const fn shows_words(self) -> bool {
        matches!(self, Self::Preview | Self::Full)
    }
}
