//! Why a set could not be measured.

/// Why a set could not be measured: what, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeasureError {
    /// No file of the set is there.
    #[error(
        "{set}: none of its files is there (looked for {looked_for}); hint: `--data DIR` is the folder that holds `{set}/`"
    )]
    NoFile {
        /// The set.
        set: &'static str,
        /// Which names were looked for.
        looked_for: String,
    },
    /// A file is not of the set's form.
    #[error("{file}: {what}")]
    Form {
        /// The file, and the line where there are lines.
        file: String,
        /// What is wrong with it.
        what: String,
    },
}
