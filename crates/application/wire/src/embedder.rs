//! Whether the embedding model is there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::vocabulary::names;

/// The version of this JSON.
pub const SCHEMA_VERSION: &str = "1";

/// What is there of a model. Where it lies is not told here: that is a matter of one machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmbedderStatus {
    /// The version of this JSON, see [`SCHEMA_VERSION`].
    pub schema_version: String,
    /// The model.
    pub model: String,
    /// Whether all of it is there and right.
    pub usable: bool,
    /// The SHA-256 of the weights, on which every vector depends; `null` where the right ones are not there.
    pub weights_sha256: Option<String>,
    /// Each file that is needed.
    pub files: Vec<EmbedderFile>,
}

/// One file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EmbedderFile {
    /// Its name, without a folder.
    pub name: String,
    /// The size that it should have.
    pub bytes: u64,
    /// The SHA-256 that it should have, in hexadecimal.
    pub sha256: String,
    /// What is there of it.
    pub state: FileState,
    /// The size that it has, where that is another.
    pub found_bytes: Option<u64>,
    /// The SHA-256 that it has, where that is another.
    pub found_sha256: Option<String>,
}

names! {
    /// What is there of a file.
    FileState {
        /// The file, its hash checked in full.
        Right = "right", "right";
        /// Nothing.
        Missing = "missing", "missing";
        /// A file of another size.
        WrongSize = "wrong_size", "of the wrong size";
        /// Another file of the same size.
        WrongHash = "wrong_hash", "another file, by its hash";
        /// A file that cannot be read.
        Unreadable = "unreadable", "cannot be read";
    }
}
