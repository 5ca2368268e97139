//! Why a file of coefficients could not be read.

/// Why a file of coefficients could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundingError {
    /// It is no JSON, or not of the form.
    #[error("coefficients of support: {what}")]
    Form {
        /// What is wrong with it.
        what: String,
    },
    /// It holds no coefficients for the form that was asked for.
    #[error("coefficients of support: none for the form `{form}`")]
    NoForm {
        /// The form.
        form: &'static str,
    },
    /// It was fitted on other features than those that this program reads.
    #[error(
        "coefficients of support: feature {place} is `{found}`, not `{expected}`\nhint: `steadfast-measure calibrate grounding` fits them anew"
    )]
    Feature {
        /// Its place, from 0.
        place: usize,
        /// Its name in the file; empty where it is not there.
        found: String,
        /// The name that was expected; empty where there is one too many.
        expected: &'static str,
    },
}
