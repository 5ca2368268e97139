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
    /// The set is measured with an embedder, and none was given.
    #[error("{set}: is measured with an embedder, and none was given")]
    NoEmbedder {
        /// The set.
        set: &'static str,
    },
    /// No thresholds of intent replay are known for the embedder.
    #[error("{set}: no thresholds of intent replay are known for the embedder `{embedder}`")]
    NoThresholds {
        /// The set.
        set: &'static str,
        /// The embedder's name.
        embedder: &'static str,
    },
    /// A file is not of the set's form.
    #[error("{file}: {what}")]
    Form {
        /// The file, and the line where there are lines.
        file: String,
        /// What is wrong with it.
        what: String,
    },
    /// There is nothing to fit thresholds on.
    #[error("no labelled tasks are there (looked for {looked_for}); hint: `--data DIR` is the folder that holds them")]
    NoTasks {
        /// Which folders were looked for.
        looked_for: String,
    },
    /// There is no vault to pick from.
    #[error("{set}: there is no vault to pick from")]
    NoVault {
        /// The set.
        set: &'static str,
    },
    /// What is measured failed.
    #[error("{0}")]
    Engine(String),
}

impl From<steadfast_engine::EngineError> for MeasureError {
    fn from(error: steadfast_engine::EngineError) -> Self {
        Self::Engine(error.to_string())
    }
}
