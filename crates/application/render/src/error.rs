//! What can go wrong between a result and its page.

/// Why a result could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The page's template failed.
    #[error("cannot render the HTML report: {0}")]
    Html(#[source] askama::Error),
    /// The JUnit document could not be written.
    #[error("cannot write JUnit XML: {0}")]
    Junit(#[source] quick_junit::SerializeError),
    /// What is stored is no result that this program knows.
    #[error("what is stored cannot be read: {0}")]
    Stored(#[source] steadfast_wire::Error),
    /// The SARIF document could not be written.
    #[error("cannot write SARIF: {0}")]
    Sarif(#[source] serde_json::Error),
}
