//! What can be wrong with a model's files.

use safetensors::SafeTensorError;

/// Why a model's files cannot be used. Messages name the file by the name that it has in the model's folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The weights are not in the form of safetensors: cut short, or a header that does not fit what follows.
    #[error("model.safetensors: {0}")]
    Weights(#[from] SafeTensorError),
    /// A tensor is not there.
    #[error("model.safetensors: no tensor `{tensor}`")]
    MissingTensor {
        /// Its name.
        tensor: String,
    },
    /// A tensor has another shape than the model's.
    #[error("model.safetensors: tensor `{tensor}` has the shape {found:?}, not {expected:?}")]
    Shape {
        /// Its name.
        tensor: String,
        /// What the model has.
        expected: Vec<usize>,
        /// What the file has.
        found: Vec<usize>,
    },
    /// A tensor is not of single precision.
    #[error("model.safetensors: tensor `{tensor}` is of type {found}, not F32")]
    Type {
        /// Its name.
        tensor: String,
        /// What the file has.
        found: String,
    },
    /// A tensor holds an infinite number, none, or in half precision one beyond 65,504.
    #[error("model.safetensors: tensor `{tensor}` holds {found}, which cannot be kept")]
    Number {
        /// Its name.
        tensor: String,
        /// The first such number.
        found: f32,
    },
    /// The vocabulary cannot be read or is not this model's.
    #[error("vocab.txt: {what}")]
    Vocabulary {
        /// What is wrong with it.
        what: String,
    },
}
